/** Inventory snapshots. */
import { amount, count, countOrNone, date, flagOrNone, oneOf, text } from '../cells/fields.ts';
import {
  type Column,
  type Dataset,
  destination,
  type Field,
  fulfilment,
  id,
  ofDate,
  optionalId,
  ownCurrency,
  unknown,
} from './dataset.ts';

/** The sources of an inventory: the operator's own rows, and three documents. */
export const inventoryReports = ['rows', 'planning', 'restock', 'unsuppressed'] as const;

const shipped = (days: number): Field => ({
  type: countOrNone,
  about: `Units shipped in the last ${days} days. Unknown by default, which is not 0.`,
});
const unitsIn =
  (field: string): Column =>
  (cells) =>
    cells[field] ?? unknown;

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
    fulfilledByMarketplace: {
      type: flagOrNone,
      about: 'Whether the marketplace ships the SKU. By default that is left to the product.',
    },
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
    unitsShipped7: shipped(7),
    unitsShipped30: shipped(30),
    unitsShipped60: shipped(60),
    unitsShipped90: shipped(90),
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
      ...fulfilment,
      units_shipped_7: unitsIn('unitsShipped7'),
      units_shipped_30: unitsIn('unitsShipped30'),
      units_shipped_60: unitsIn('unitsShipped60'),
      units_shipped_90: unitsIn('unitsShipped90'),
      storage_cost_next_month: (cells) => cells.estimatedStorageCostNextMonth!,
    }),
  ],
  destinationOf: () => 0,
  dayOf: ofDate,
  // Each report stays beside the others, also as rows.
  coversPartitions: true,
};
