/** Search Query Performance. */
import { amount, count, dayOfDate, month, text } from '../cells/fields.ts';
import { type Dataset, destination, id, ownCurrency } from './dataset.ts';

const prices = ['totalMedianPurchasePrice', 'medianPurchasePrice', 'medianClickPrice'];

/** The dataset `searchQueries`. */
export const searchQueries: Dataset = {
  name: 'searchQueries',
  about:
    'Search Query Performance: the results of a search in a month, for the whole market and for one product.',
  ofChannel: true,
  fields: {
    month: { type: month, required: true, about: 'The month (YYYY-MM).' },
    asin: { type: id, required: true, about: "The platform's product id." },
    searchQuery: { type: text(1000, 1), required: true, about: 'The search text.' },
    searchQueryVolume: { type: count(), about: 'Number of searches.' },
    totalImpressions: { type: count(), about: 'Times any product was shown.' },
    impressions: { type: count(), about: 'Times this product was shown.' },
    totalClicks: { type: count(), about: 'Clicks on any product.' },
    clicks: { type: count(), about: 'Clicks on this product.' },
    totalCartAdds: { type: count(), about: 'Times any product was added to a cart.' },
    cartAdds: { type: count(), about: 'Times this product was added to a cart.' },
    totalPurchases: { type: count(), about: 'Times any product was bought.' },
    purchases: { type: count(), about: 'Times this product was bought.' },
    totalMedianPurchasePrice: {
      type: amount,
      about: 'Median price of the products bought, in `currency`. Unknown by default.',
    },
    medianPurchasePrice: { type: amount, about: 'Median price at which this product was bought.' },
    medianClickPrice: { type: amount, about: 'Median price of this product when it was clicked.' },
    currency: ownCurrency,
  },
  destinations: [destination('search_query', { day: (cells) => cells.month! })],
  destinationOf: () => 0,
  dayOf: (cells) => dayOfDate(cells.month as string),
  check: (cells) => {
    const amounts = prices.map((price) => Number(cells[price]));
    if (Math.min(...amounts) < 0) return 'median prices must not be negative';
    // Purchases × price is stored as an amount.
    const purchases = Math.max(Number(cells.purchases), Number(cells.totalPurchases));
    return purchases * Math.max(...amounts) < 1e12
      ? undefined
      : 'purchases are too many for their prices';
  },
};
