/** Inventory snapshots. */
import { amount, count, date, oneOf, text } from '../cells/fields.ts';
import { type Dataset, destination, id, ofDate, optionalId, ownCurrency } from './dataset.ts';

/** The sources of an inventory: the operator's own rows, and three documents. */
export const inventoryReports = ['rows', 'planning', 'restock', 'unsuppressed'] as const;

/** The dataset `inventory`. */
export const inventory: Dataset = {
  name: 'inventory',
  about:
    'The stock of a SKU at the marketplace on a date. Documents of one kind do not replace rows of another kind.',
  ofChannel: true,
  fields: {
    date: { type: date, required: true, about: 'The date of the snapshot.' },
    sku: { type: id, required: true, about: "The seller's SKU." },
    report: {
      type: oneOf(inventoryReports, 'rows'),
      about: 'The source document: planning, restock or unsuppressed; rows by default.',
    },
    asin: { type: optionalId, about: "The platform's product id." },
    title: { type: text(2000), about: 'The title of the product.' },
    storageType: { type: text(100), about: 'The type of storage, such as Standard-Size.' },
    available: { type: count(), about: 'Units that can be sold.' },
    reserved: { type: count(), about: 'Units reserved for orders, transfers or processing.' },
    inbound: { type: count(), about: 'Units on their way to the marketplace.' },
    unfulfillable: { type: count(), about: 'Units that cannot be sold.' },
    fcTransfer: {
      type: count(),
      about: 'Units in transit between warehouses; included in `reserved`.',
    },
    awdOnhand: { type: count(), about: 'Units in long-term storage.' },
    awdInbound: { type: count(), about: 'Units on their way to long-term storage.' },
    unitsShipped7: { type: count(), about: 'Units shipped in the last 7 days.' },
    unitsShipped30: { type: count(), about: 'Units shipped in the last 30 days.' },
    unitsShipped60: { type: count(), about: 'Units shipped in the last 60 days.' },
    unitsShipped90: { type: count(), about: 'Units shipped in the last 90 days.' },
    storageVolume: { type: amount, about: "The storage volume, in the marketplace's unit." },
    estimatedStorageCostNextMonth: {
      type: amount,
      about: 'Estimated storage cost of the next month, in `currency`.',
    },
    currency: ownCurrency,
  },
  destinations: [
    destination('inventory', {
      day: (cells) => cells.date!,
      storage_cost_next_month: (cells) => cells.estimatedStorageCostNextMonth!,
    }),
  ],
  destinationOf: () => 0,
  dayOf: ofDate,
  // Each report stays beside the others, also as rows.
  coversPartitions: true,
};
