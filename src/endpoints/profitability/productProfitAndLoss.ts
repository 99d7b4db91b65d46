/** The profit and loss of products, SKU by SKU. */

import type { Channel } from '../../access/channels.ts';
import { never } from '../../calendar/period.ts';
import { questionFile } from '../../engine/question.ts';
import type { Ask, Parameters } from '../../engine/warehouse.ts';
import { currencyPlaces } from '../../report/money.ts';
import { askPage, type Matching } from '../../report/page.ts';
import type { Range } from '../../report/period.ts';
import { partialDays, productSums, readProductEvents, utcDay } from '../../report/profitEvents.ts';
import {
  type AdCost,
  type Figures,
  figuresOfAdCost,
  foreignDays,
  foreignOf,
  statementOf,
} from '../../report/profitStatement.ts';
import {
  type ConversionParameters,
  conversionParameters,
  exchangeInto,
  noConversion,
  purposeOf,
  readFactors,
} from '../../report/rates.ts';
import type { Handler } from '../handler.ts';
import type { readProductProfitAndLoss as contract } from './contract.ts';

type ProductAdCost = AdCost & { readonly sku: string; readonly product_id: string };
type CatalogueEntry = {
  readonly sku: string;
  readonly product_id: string;
  readonly title: string;
};

const productPage = questionFile<Matching & { readonly sku: string }>(
  import.meta.url,
  'productPage.sql',
);
const productCurrencies = questionFile<{ currency: string; first_day: number; last_day: number }>(
  import.meta.url,
  'productCurrencies.sql',
);
const productAdCost = questionFile<ProductAdCost>(import.meta.url, 'productAdCost.sql');
const productTitles = questionFile<CatalogueEntry>(import.meta.url, 'productTitles.sql');

const secondsPerDay = 86_400;

/** Answers POST /profitability/productProfitAndLoss. */
export const readProductProfitAndLoss: Handler<typeof contract> = async (
  { reportOptions },
  { channel, warehouse, limits },
) => {
  const { channelNumber, currency } = channel;
  const skus = [...new Set(reportOptions.sellerSkus)];
  const span = spanOf({ from: reportOptions.fromDate, to: reportOptions.toDate });
  return await warehouse.readCached([channelNumber, 0], limits, async (ask) => {
    const chosen = {
      channel: channelNumber,
      currency,
      ...span,
      withTax: reportOptions.includeTax ? 1 : 0,
      skus,
    };
    const conversion = await readConversion(ask, channel, chosen);
    const amountScale = 10 ** currencyPlaces(currency);
    const { rows, count } = await askPage(
      ask,
      productPage,
      { ...chosen, ...conversion, amountScale },
      reportOptions,
    );
    const shown = rows.map(({ sku }) => sku);
    if (shown.length === 0) return { productEvents: [], count };

    const { figures, productIds } = await readFigures(ask, channel, span, shown);
    const foreign = foreignOf(currency, [...figures.values()].flat(), reportOptions);
    const days = foreignDays(currency, [...figures.values()].flat());
    const exchange = await exchangeInto(currency, foreign, days, purposeOf(channel), (read) =>
      read(ask),
    );
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

/** A range with the UTC days that it touches, and those that it holds as a whole. */
type Span = Range & {
  readonly firstUtc: number;
  readonly lastUtc: number;
  readonly firstWhole: number;
  readonly lastWhole: number;
};

function spanOf({ from, to }: Range): Span {
  return {
    from,
    to,
    firstUtc: utcDay(from),
    lastUtc: utcDay(to),
    firstWhole: Math.ceil(from / secondsPerDay),
    lastWhole: utcDay(to + 1) - 1,
  };
}

/** How sales are converted to sort a page by them. */
async function readConversion(
  ask: Ask,
  channel: Channel,
  chosen: Parameters,
): Promise<ConversionParameters> {
  const { currency } = channel;
  const foreign = await ask(productCurrencies, chosen);
  if (foreign.length === 0) return noConversion(currency);
  const days = {
    first: Math.min(...foreign.map(({ first_day }) => first_day)),
    last: Math.max(...foreign.map(({ last_day }) => last_day)),
  };
  const currencies = new Set(foreign.map((row) => row.currency));
  const factor = await readFactors(ask, currencies, currency, days, purposeOf(channel));
  return conversionParameters(currency, currencies, days, factor);
}

/** Reads the figures of a page's SKUs, and their product ids as reported advertising has them. */
async function readFigures(
  ask: Ask,
  { channelNumber: channel, currency }: Channel,
  span: Span,
  skus: readonly string[],
) {
  const { from, firstUtc, lastUtc, firstWhole, lastWhole } = span;
  const figures = new Map<string, Figures[]>(skus.map((sku) => [sku, []]));
  const productIds = new Map<string, string>();
  const offsets = { starts: [from], offsets: [0] };
  const days = partialDays(span, secondsPerDay);
  const events = await readProductEvents(
    ask,
    { channel, range: { from, to: span.to }, offsets, days },
    skus,
  );
  const wholeDays = { first: firstWhole, firstUtc: firstWhole, lastUtc: lastWhole, never };
  const sums =
    firstWhole > lastWhole ? [] : await ask(productSums, { channel, currency, ...wholeDays, skus });
  for (const rows of [events, sums]) for (const row of rows) figures.get(row.sku)!.push(row);
  const reported = await ask(productAdCost, { channel, first: firstUtc, last: lastUtc, skus });
  for (const adCost of reported) {
    figures.get(adCost.sku)!.push(figuresOfAdCost(adCost));
    if (!productIds.get(adCost.sku)) productIds.set(adCost.sku, adCost.product_id);
  }
  return { figures, productIds };
}
