/** The products of a page with their figures, from questions. */

import type { Channel } from '../../access/channels.ts';
import { never } from '../../calendar/period.ts';
import type { Range } from '../../calendar/windows.ts';
import { questionFile } from '../../engine/question.ts';
import type { Ask } from '../../engine/warehouse.ts';
import { currencyPlaces } from '../../figures/money.ts';
import { type Dated, readChannelConversion } from '../../report/conversion.ts';
import { askPage, type Matching } from '../../report/page.ts';
import { partialDays, productSums, readProductEvents, utcDay } from '../../report/profitEvents.ts';
import { type AdCost, type Figures, figuresOfAdCost } from '../../report/profitStatement.ts';

type ProductAdCost = AdCost & { readonly sku: string; readonly product_id: string };

const productPage = questionFile<Matching & { readonly sku: string }>(
  import.meta.url,
  'productPage.sql',
);
const productCurrencies = questionFile<Dated>(import.meta.url, 'productCurrencies.sql');
const productAdCost = questionFile<ProductAdCost>(import.meta.url, 'productAdCost.sql');

/** The seconds of a UTC day. */
export const secondsPerDay = 86_400;

/** A range with the UTC days that it touches, and the ones that it covers wholly. */
export type Span = Range & {
  readonly firstUtc: number;
  readonly lastUtc: number;
  readonly firstWhole: number;
  readonly lastWhole: number;
};

/** The span of a range of instants. */
export function spanOf({ from, to }: Range): Span {
  return {
    from,
    to,
    firstUtc: utcDay(from),
    lastUtc: utcDay(to),
    firstWhole: Math.ceil(from / secondsPerDay),
    lastWhole: utcDay(to + 1) - 1,
  };
}

/** A requested page of products; without SKUs, a page of all products. */
export type ProductsInput = {
  readonly channel: Channel;
  readonly span: Span;
  readonly skus: readonly string[];
  readonly options: {
    readonly includeTax: boolean;
    readonly pageIndex: number;
    readonly pageSize: number;
  };
};

/** The SKUs of a page in order, and the number on all pages. */
export type ProductPage = {
  readonly shown: readonly string[];
  readonly count: number;
  /** The figures of each SKU of the page. */
  readonly figures: ReadonlyMap<string, readonly Figures[]>;
  /** Reads the product ids that reported advertising has for SKUs of the page. */
  readonly readProductIds: (skus: readonly string[]) => Promise<ReadonlyMap<string, string>>;
};

/** Reads a page and its figures by questions. */
export async function productsFromQuestions(
  ask: Ask,
  { channel, span, skus, options }: ProductsInput,
): Promise<ProductPage> {
  const chosen = {
    channel: channel.channelNumber,
    currency: channel.currency,
    ...span,
    withTax: options.includeTax ? 1 : 0,
    skus,
  };
  const conversion = await readChannelConversion(
    ask,
    channel,
    await ask(productCurrencies, chosen),
  );
  const amountScale = 10 ** currencyPlaces(channel.currency);
  const { rows, count } = await askPage(
    ask,
    productPage,
    { ...chosen, ...conversion, amountScale },
    options,
  );
  const shown = rows.map(({ sku }) => sku);
  const { figures, productIds } = await readFigures(ask, channel, span, shown);
  return { shown, count, figures, readProductIds: async () => productIds };
}

/**
 * Reads the figures of a page's SKUs, and the product ids that reported advertising has for them.
 */
async function readFigures(
  ask: Ask,
  { channelNumber: channel, currency }: Channel,
  span: Span,
  skus: readonly string[],
) {
  const figures = new Map<string, Figures[]>(skus.map((sku) => [sku, []]));
  if (skus.length === 0) return { figures, productIds: new Map<string, string>() };
  const { firstWhole, lastWhole } = span;
  const events = await readPartialDays(ask, channel, span, skus);
  const wholeDays = { first: firstWhole, last: lastWhole, never };
  const sums =
    firstWhole > lastWhole ? [] : await ask(productSums, { channel, currency, ...wholeDays, skus });
  for (const rows of [events, sums]) for (const row of rows) figures.get(row.sku)!.push(row);
  const adCosts = await readAdCosts(ask, channel, span, skus);
  for (const adCost of adCosts) figures.get(adCost.sku)!.push(figuresOfAdCost(adCost));
  return { figures, productIds: productIdsOf(adCosts) };
}

/** Reads the figures of SKUs, or of all products, on the UTC days that a span covers partly. */
export function readPartialDays(ask: Ask, channel: number, span: Span, skus?: readonly string[]) {
  const { from, to } = span;
  const offsets = { starts: [from], offsets: [0] };
  const days = partialDays(span, secondsPerDay);
  return readProductEvents(ask, { channel, range: { from, to }, offsets, days }, skus);
}

/** Reads the reported advertising cost that counts for SKUs. */
export function readAdCosts(
  ask: Ask,
  channel: number,
  { firstUtc, lastUtc }: Span,
  skus: readonly string[],
): Promise<ProductAdCost[]> {
  return ask(productAdCost, { channel, first: firstUtc, last: lastUtc, skus });
}

/** The first product id of each SKU. */
export function productIdsOf(adCosts: readonly ProductAdCost[]): ReadonlyMap<string, string> {
  const productIds = new Map<string, string>();
  for (const { sku, product_id } of adCosts)
    if (!productIds.get(sku)) productIds.set(sku, product_id);
  return productIds;
}
