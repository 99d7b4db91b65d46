/** The sales of the products of one channel. */

import { daysOf, type Span, spansOf } from '../../../../calendar/windows.ts';
import type { Ask } from '../../../../engine/warehouse.ts';
import { type Exchange, foreignCurrencies } from '../../../../figures/exchange.ts';
import { metricNumbers } from '../../../../figures/metrics.ts';
import { currencyPlaces, quotientText, roundedSum } from '../../../../figures/money.ts';
import { askPage } from '../../../../report/page.ts';
import { type ProductDetails, readDetails } from '../../../../report/productSales/details.ts';
import { compareProducts, productPage } from '../../../../report/productSales/pages.ts';
import {
  type ProductParameters,
  type ProductScope,
  readParameters,
  unitPricePlaces,
} from '../../../../report/productSales/parameters.ts';
import {
  type ProductFigures,
  productMetrics,
  type UnlistedDay,
  unlistedDays,
} from '../../../../report/productSales/questions.ts';
import { purposeOf, readConversion } from '../../../../report/rates.ts';
import type { Handler } from '../../../handler.ts';
import { unstatedTaxIn } from '../../../unstatedTax.ts';
import type { viewSalesByProduct as contract, SoldProduct } from './contract.ts';

type Unlisted = { readonly totalSales: number; readonly unitsSold: number };

const nothingUnlisted: Unlisted = { totalSales: 0, unitsSold: 0 };

/** Answers POST /reports/view/salesByProduct. */
export const viewSalesByProduct: Handler<typeof contract> = async (
  input,
  { channel, warehouse, limits, warn },
) => {
  if (!input.includeTax) warn(unstatedTaxIn([channel], 'order_line', input));
  const spans = spansOf(input);
  const scope = { channel, zone: input.timezone, spans, includeTax: input.includeTax };
  return await warehouse.readCached([channel.channelNumber, 0], limits, async (ask) => {
    const parameters = await readParameters(ask, scope);
    const list = { ...input, searchText: input.searchText ?? '' };
    const page = productPage(channel.kind, list, parameters);
    const { rows, count } = await askPage(
      ask,
      page.question,
      { ...parameters, ...page.parameters },
      input,
    );
    const compared = await compareProducts(ask, scope, parameters, rows);
    const products = await readDetails(ask, scope, parameters, compared);
    const [current, prior] = await readUnlisted(ask, scope, parameters);
    return {
      rows: products.map((product) => rowOf(product, scope)),
      count,
      currency: channel.currency,
      unlisted: { current: current!, prior: prior ?? nothingUnlisted },
    };
  });
};

/** The row of a product in both windows. */
function rowOf(product: ProductDetails, { channel }: ProductScope) {
  const { row, lastSold, outOfStockSince, price, productId, title, sku, productSku } = product;
  const { currency, kind } = channel;
  const texts = {
    productId,
    title,
    sku,
    productSku,
    linkUrl: product.linkUrl,
    imageUrl: product.imageUrl,
    price: price === null ? null : roundedSum(price, unitPricePlaces(currency)),
  };
  const sideOf = (side: 'current' | 'prior'): SoldProduct => ({
    ...texts,
    ...numbersOf(row[side], currency),
    lastSold: lastSold[side],
    noQuantitySinceTime: outOfStockSince[side],
    ...(kind === 'vendor' && directFulfillment),
  });
  return { current: sideOf('current'), prior: sideOf('prior') };
}

/** No document states the sales that vendors ship themselves. */
const directFulfillment = { directFulfillmentSales: 0, directFulfillmentUnits: 0 };

/** The metrics of a row in one of the windows. */
function numbersOf(figures: ProductFigures, currency: string) {
  return metricNumbers(productMetrics, figures as never, {
    amount: currencyPlaces(currency),
    unitPrice: unitPricePlaces(currency),
  });
}

/** Reads each window's sales that belong to no product. */
async function readUnlisted(
  ask: Ask,
  { channel, spans }: ProductScope,
  { ordersFrom }: ProductParameters,
): Promise<Unlisted[]> {
  const days: UnlistedDay[][] = [];
  for (const { first, last } of spans) days.push(await readDays({ first, last }));
  const { exchange } = await readConversion(ask, {
    target: channel.currency,
    currencies: foreignCurrencies(channel.currency, days.flat(), ['total_sales']),
    days: daysOf(days.flat()),
    purpose: purposeOf(channel),
  });
  return days.map((rows) => unlistedOf(rows, channel.currency, exchange));

  /** From the first order line on, every sale belongs to a product. */
  async function readDays({ first, last }: Pick<Span, 'first' | 'last'>) {
    const until = Math.min(last, ordersFrom - 1);
    if (until < first) return [];
    const window = { channel: channel.channelNumber, first, last: until };
    return [...(await ask(unlistedDays[channel.kind], window))];
  }
}

function unlistedOf(rows: readonly UnlistedDay[], currency: string, exchange: Exchange): Unlisted {
  let [sales, units] = [0n, 0];
  for (const row of rows) {
    sales += exchange.of(row.total_sales, row.currency, row.day);
    units += row.units_sold;
  }
  const unit = 10n ** BigInt(exchange.places);
  return {
    totalSales: Number(quotientText(sales, unit, currencyPlaces(currency))),
    unitsSold: units,
  };
}
