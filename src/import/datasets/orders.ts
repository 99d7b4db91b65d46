/** Order lines. */
import { address, amount, count, instant, oneOf } from '../cells/fields.ts';
import {
  type Cells,
  columnOf,
  type Dataset,
  destination,
  id,
  optionalId,
  ownCurrency,
} from './dataset.ts';

/** The statuses of an order. */
export const orderStatuses = [
  'Pending',
  'PendingAvailability',
  'Unshipped',
  'PartiallyShipped',
  'Shipped',
  'InvoiceUnconfirmed',
  'Canceled',
  'Unfulfillable',
] as const;

/** An order's status, with the other spellings that sources use. */
export const orderStatus = oneOf(orderStatuses, 'Shipped', {
  Cancelled: 'Canceled',
  PENDING_AVAILABILITY: 'PendingAvailability',
  PARTIALLY_SHIPPED: 'PartiallyShipped',
});

const purchasedAt = (cells: Cells) => cells.purchasedAt as number;

/** The dataset `orderLines`. */
export const orderLines: Dataset = {
  name: 'orderLines',
  about:
    'One row per order line, the flat alternative to `orders`. Kept by order and line: a later version replaces an earlier one.',
  ofChannel: true,
  fields: {
    orderId: { type: id, required: true, about: "The marketplace's order number." },
    lineId: { type: id, required: true, about: 'Identifies the line within its order.' },
    purchasedAt: { type: instant, required: true, about: 'When the order was placed.' },
    updatedAt: {
      type: instant,
      about: 'When the order last changed. A row does not replace one that was updated later.',
    },
    status: {
      type: orderStatus,
      about: 'Every status except Canceled counts as a sale. Shipped by default.',
    },
    sku: { type: optionalId, about: "The seller's SKU." },
    productId: { type: optionalId, about: "The platform's product id (ASIN)." },
    quantity: { type: count(), about: 'Units ordered.' },
    itemPrice: {
      type: amount,
      about: 'Price × quantity before promotions, without tax, in `currency`.',
    },
    itemTax: { type: amount, about: 'Tax on the item price.' },
    promotionDiscount: {
      type: amount,
      about: 'Promotion discount of the line, as a positive amount.',
    },
    shippingPrice: { type: amount, about: 'Shipping paid by the buyer.' },
    currency: ownCurrency,
    buyerEmail: {
      type: address,
      personal: true,
      about: 'Identifies the customer. Only a keyed hash is stored.',
    },
  },
  destinations: [
    destination('order_line', {
      day: columnOf({ as: 'utcDay', field: 'purchasedAt' }),
      items_at: columnOf({ as: 'field', field: 'updatedAt' }),
      // Their prices are without tax by definition.
      tax_basis: columnOf({ as: 'constant', value: '' }),
      customer: columnOf({ as: 'customer', field: 'buyerEmail' }),
    }),
  ],
  destinationOf: () => 0,
  instantOf: purchasedAt,
  plain: { dated: 'purchasedAt', anyOf: [] },
};
