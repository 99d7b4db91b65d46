/** The profit and loss of products, SKU by SKU. */

import type { Channel } from '../../access/channels.ts';
import { questionFile } from '../../engine/question.ts';
import type { Ask, Parameters } from '../../engine/warehouse.ts';
import { currencyPlaces } from '../../report/money.ts';
import { askPage, type Matching } from '../../report/page.ts';
import { exchangeInto, readFactors } from '../../report/rates.ts';
import type { Range } from '../../report/sales.ts';
import type { Handler } from '../handler.ts';
import type { readProductProfitAndLoss as contract } from './contract.ts';
import {
  brokenDays,
  type Figures,
  figuresOfSpend,
  foreignOf,
  type ProductFigures,
  readEvents,
  refuseVendor,
  type Spend,
  statementOf,
  utcDay,
} from './profit.ts';

type ProductSpend = Spend & { readonly product_sku: string; readonly product_id: string };
type Entry = { readonly sku: string; readonly product_id: string; readonly title: string };

const productPage = questionFile<Matching & { readonly sku: string }>(
  import.meta.url,
  'productPage.sql',
);
const productCurrencies = questionFile<{ currency: string; first_day: number; last_day: number }>(
  import.meta.url,
  'productCurrencies.sql',
);
const profitProducts = questionFile<ProductFigures>(import.meta.url, 'profitProducts.sql');
const productSpend = questionFile<ProductSpend>(import.meta.url, 'productSpend.sql');
const productTitles = questionFile<Entry>(import.meta.url, 'productTitles.sql');

const secondsPerDay = 86_400;

/** Answers POST /profitability/productProfitAndLoss. */
export const readProductProfitAndLoss: Handler<typeof contract> = async (
  { reportOptions },
  { channel, warehouse, limits },
) => {
  refuseVendor(channel);
  const { channelNumber, currency } = channel;
  const skus = [...new Set(reportOptions.sellerSkus)];
  const span = spanOf({ from: reportOptions.fromDate, to: reportOptions.toDate });
  return await warehouse.read([channelNumber, 0], limits, async (ask) => {
    const chosen = {
      channel: channelNumber,
      currency,
      ...span,
      withTax: reportOptions.includeTax ? 1 : 0,
      everySku: skus.length === 0 ? 1 : 0,
      skus,
    };
    const sorting = await readSorting(ask, currency, chosen);
    const { rows, count } = await askPage(
      ask,
      productPage,
      { ...chosen, ...sorting },
      reportOptions,
    );
    const shown = rows.map(({ sku }) => sku);
    if (shown.length === 0) return { productEvents: [], count };

    const { figures, productIds } = await readFigures(ask, channel, span, shown);
    const foreign = foreignOf(currency, [...figures.values()].flat(), reportOptions);
    const days = { first: span.firstUtc, last: span.lastUtc };
    const exchange = await exchangeInto(currency, foreign, days, (read) => read(ask));
    const entries = new Map(
      (await ask(productTitles, { channel: channelNumber, skus: shown })).map((entry) => [
        entry.sku,
        entry,
      ]),
    );
    const productEvents = shown.map((sku) => {
      const { lines, totalProfit } = statementOf(
        figures.get(sku)!,
        exchange,
        currency,
        reportOptions,
      );
      const entry = entries.get(sku);
      return {
        sellerSku: sku,
        productSku: entry?.product_id || productIds.get(sku) || '',
        title: entry?.title ?? '',
        ...lines,
        totalProfit,
      };
    });
    return { productEvents, count };
  });
};

/** A range with the UTC days that it touches, and those of them that it holds as a whole. */
type Span = Range & {
  readonly firstUtc: number;
  readonly lastUtc: number;
  readonly firstWhole: number;
  readonly lastWhole: number;
};

function spanOf({ from, to }: Range): Span {
  const firstWhole = Math.ceil(from / secondsPerDay);
  return {
    from,
    to,
    firstUtc: utcDay(from),
    lastUtc: utcDay(to),
    firstWhole,
    lastWhole: utcDay(to + 1) - 1,
  };
}

/** What a page is asked with to be sorted by sales in the currency. */
async function readSorting(ask: Ask, currency: string, chosen: Parameters): Promise<Parameters> {
  const foreign = await ask(productCurrencies, chosen);
  const first = Math.min(...foreign.map(({ first_day }) => first_day));
  const last = Math.max(...foreign.map(({ last_day }) => last_day));
  const amountScale = 10 ** currencyPlaces(currency);
  if (foreign.length === 0)
    return { amountScale, converting: 0, currencies: [], factors: [], first: 0, days: 0 };
  const currencies = foreign.map((row) => row.currency);
  const factor = await readFactors(ask, new Set(currencies), currency, { first, last });
  const days = last - first + 1;
  const factors = currencies.flatMap((code) =>
    Array.from({ length: days }, (_, day) => factor(code, first + day)),
  );
  return { amountScale, converting: 1, currencies, factors, first, days };
}

/** Reads what a page's SKUs come to, and the product ids that reported advertising tells of them. */
async function readFigures(
  ask: Ask,
  { channelNumber: channel, currency }: Channel,
  span: Span,
  skus: readonly string[],
) {
  const { from, firstUtc, lastUtc, firstWhole, lastWhole } = span;
  const figures = new Map<string, Figures[]>(skus.map((sku) => [sku, []]));
  const productIds = new Map<string, string>();
  const utc = { starts: [from], offsets: [0] };
  const events = await readEvents(ask, channel, span, utc, brokenDays(span, secondsPerDay), skus);
  const whole =
    firstWhole > lastWhole
      ? []
      : await ask(profitProducts, { channel, currency, first: firstWhole, last: lastWhole, skus });
  for (const rows of [events, whole])
    for (const row of rows) figures.get(row.product_sku)!.push(row);
  for (const spend of await ask(productSpend, { channel, first: firstUtc, last: lastUtc, skus })) {
    figures.get(spend.product_sku)!.push(figuresOfSpend(spend));
    if (!productIds.get(spend.product_sku)) productIds.set(spend.product_sku, spend.product_id);
  }
  return { figures, productIds };
}
