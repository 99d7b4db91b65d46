/** The sales of vendors, and the marketplace's margins on them. */
import { amount, count, oneOf } from '../cells/fields.ts';
import {
  type Column,
  correctable,
  type Dataset,
  destination,
  id,
  marketplaceDate,
  ofDate,
  optionalId,
  ownCurrency,
} from './dataset.ts';

/** The programmes in which the marketplace sells a vendor's products. */
export const sellingPrograms = ['RETAIL', 'BUSINESS', 'FRESH'] as const;

const dated: Record<string, Column> = { day: (cells) => cells.date! };
const special: Record<string, Column> = {
  ...dated,
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

/** The dataset `vendorMargins`. */
export const vendorMargins: Dataset = {
  name: 'vendorMargins',
  about: "The marketplace's net pure product margin on a vendor's products, per product and date.",
  ofChannel: true,
  fields: {
    date: marketplaceDate,
    asin: { type: id, required: true, about: "The platform's product id." },
    netPureProductMargin: {
      type: amount,
      required: true,
      about: 'The margin as a share of shipped revenue: 0.25 is 25 %.',
    },
  },
  destinations: [destination('vendor_margin', dated)],
  destinationOf: () => 0,
  dayOf: ofDate,
};
