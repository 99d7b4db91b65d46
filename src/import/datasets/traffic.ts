/** Traffic: page views, sessions and the sales that the marketplace counts. */
import { amount, count, percentage } from '../cells/fields.ts';
import {
  type Column,
  columnOf,
  type Dataset,
  destination,
  marketplaceDate,
  ofDate,
  optionalId,
  ownCurrency,
} from './dataset.ts';

const special: Record<string, Column> = {
  day: columnOf({ as: 'field', field: 'date' }),
  revenue: columnOf({ as: 'field', field: 'orderedRevenue' }),
  units: columnOf({ as: 'field', field: 'orderedUnits' }),
  buy_box_weighted: columnOf({ as: 'weighted', share: 'buyBoxPercentage', count: 'pageViews' }),
  // The warehouse marks repeated figures itself.
  repeats_traffic: columnOf({ as: 'constant', value: 0 }),
  buy_box_views: columnOf({ as: 'counted', share: 'buyBoxPercentage', count: 'pageViews' }),
};

/** The dataset `traffic`. */
export const traffic: Dataset = {
  name: 'traffic',
  about:
    'Page views, sessions and sales per date as the marketplace counts them. A row with a SKU or product id is about that product; a row with neither is about the whole store. On dates with a row for the whole store, that row counts instead of the sum of its products. SKUs of one product that repeat its page views, sessions and buy box percentage count them once.',
  ofChannel: true,
  fields: {
    date: marketplaceDate,
    sku: { type: optionalId, about: "The seller's SKU." },
    productId: { type: optionalId, about: "The platform's product id (child ASIN)." },
    parentProductId: {
      type: optionalId,
      about: 'The product id of the variation parent (parent ASIN).',
    },
    pageViews: { type: count(), about: 'Page views.' },
    sessions: { type: count(), about: 'Sessions.' },
    mobileSessions: { type: count(), about: 'Sessions in the mobile app.' },
    buyBoxPercentage: {
      type: percentage,
      about:
        'Percentage of page views in which the offer was the featured one, 0 to 100. Unknown by default.',
    },
    orderedRevenue: { type: amount, about: 'Ordered product sales, in `currency`.' },
    orderedUnits: { type: count(), about: 'Units ordered.' },
    orderItems: { type: count(), about: 'Order items.' },
    currency: ownCurrency,
  },
  destinations: [destination('traffic', special), destination('traffic_total', special)],
  destinationOf: (cells) => (cells.sku === '' && cells.productId === '' ? 1 : 0),
  dayOf: ofDate,
  // Rows with one of these fields go to the first destination.
  plain: { dated: 'date', anyOf: ['sku', 'productId'] },
  // Percentage × page views is stored as an amount.
  check: ({ buyBoxPercentage, pageViews }) =>
    Number(buyBoxPercentage) * Number(pageViews) < 1e12 ? undefined : 'pageViews are too many',
};
