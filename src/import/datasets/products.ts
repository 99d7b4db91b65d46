/** Products. */
import { amount, count, flag, text } from '../cells/fields.ts';
import { type Dataset, destination, id, optionalId } from './dataset.ts';

/** The dataset `products`. */
export const products: Dataset = {
  name: 'products',
  about: "The channel's products, kept by SKU: a row replaces the earlier one.",
  ofChannel: true,
  fields: {
    sku: { type: id, required: true, about: "The seller's SKU." },
    productId: { type: optionalId, about: "The platform's product id (ASIN)." },
    parentProductId: { type: optionalId, about: 'The parent of its variation family.' },
    title: { type: text(2000), about: 'The title shown to buyers.' },
    brand: { type: text(500), about: 'The brand.' },
    imageUrl: { type: text(2000), about: 'Address of a picture.' },
    linkUrl: { type: text(2000), about: 'Address of the product page.' },
    price: { type: amount, about: "The offer's price, in the channel's currency." },
    unitsPerCase: { type: count(), about: "Units in the supplier's case." },
    fulfilledByMarketplace: { type: flag, about: 'Whether the marketplace stores and ships it.' },
  },
  destinations: [destination('product')],
  destinationOf: () => 0,
  dayOf: undefined,
};
