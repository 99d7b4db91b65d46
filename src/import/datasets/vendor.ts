/** The sales of vendors. */
import { amount, count, oneOf } from '../cells/fields.ts';
import {
  type Column,
  correctable,
  type Dataset,
  destination,
  marketplaceDate,
  ofDate,
  optionalId,
  ownCurrency,
} from './dataset.ts';

/** The programmes in which the marketplace sells a vendor's products. */
export const sellingPrograms = ['RETAIL', 'BUSINESS', 'FRESH'] as const;

const special: Record<string, Column> = {
  day: (cells) => cells.date!,
  report: ({ sellingProgram, view }) => `${sellingProgram}/${view}`,
};

/** The dataset `vendorSales`. */
export const vendorSales: Dataset = {
  name: 'vendorSales',
  about: "A vendor's shipments and sales per product, date, view and selling programme.",
  ofChannel: true,
  fields: {
    date: marketplaceDate,
    asin: {
      type: optionalId,
      about: "The platform's product id; without it the row is about the whole vendor.",
    },
    view: {
      type: oneOf(['MANUFACTURING', 'SOURCING', 'TRAFFIC'], ''),
      required: true,
      about:
        "MANUFACTURING: all units of the vendor's products; SOURCING: the units that the vendor itself supplied; TRAFFIC: only views of product pages.",
    },
    sellingProgram: {
      type: oneOf(sellingPrograms, ''),
      about:
        'RETAIL, BUSINESS or FRESH; none by default. Rows of several programmes for the same date and view are added up.',
    },
    glanceViews: { type: count(), about: 'Views of the product page.' },
    orderedRevenue: { type: amount, about: 'Ordered revenue, in `currency`.' },
    orderedUnits: { type: correctable, about: 'Units ordered.' },
    shippedRevenue: { type: amount, about: 'Shipped revenue, in `currency`.' },
    shippedUnits: { type: correctable, about: 'Units shipped.' },
    shippedCogs: {
      type: amount,
      about: "The marketplace's cost of the shipped units, in `currency`.",
    },
    currency: ownCurrency,
  },
  destinations: [destination('vendor_sale', special), destination('vendor_total', special)],
  destinationOf: (cells) => (cells.asin === '' ? 1 : 0),
  dayOf: ofDate,
};
