/** Products. */
import { amount, count, flagOrNone, text } from '../cells/fields.ts';
import { type Dataset, destination, fulfilment, id, optionalId } from './dataset.ts';

/** The dataset `products`. */
export const products: Dataset = {
  name: 'products',
  about: "The channel's products, kept by SKU: a row replaces an earlier one with the same SKU.",
  ofChannel: true,
  fields: {
    sku: { type: id, required: true, about: "The seller's SKU." },
    productId: { type: optionalId, about: "The platform's product id (ASIN)." },
    parentProductId: { type: optionalId, about: 'The product id of the variation parent.' },
    title: { type: text(2000), about: 'The title shown to buyers.' },
    brand: { type: text(500), about: 'The brand.' },
    imageUrl: { type: text(2000), about: 'URL of an image.' },
    linkUrl: { type: text(2000), about: 'URL of the product page.' },
    price: { type: amount, about: "The offer's price, in the channel's currency." },
    unitsPerCase: { type: count(), about: 'Units per case of the supplier.' },
    fulfilledByMarketplace: {
      type: flagOrNone,
      about: 'Whether the marketplace stores and ships the product. Unknown by default.',
    },
  },
  destinations: [destination('product', fulfilment)],
  destinationOf: () => 0,
};
