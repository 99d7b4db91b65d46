/** The products that a page shows with their figures, found by questions. */

import type { Channel } from '../../access/channels.ts';
import { never } from '../../calendar/period.ts';
import type { Range } from '../../calendar/windows.ts';
import { questionFile } from '../../engine/question.ts';
import type { Ask } from '../../engine/warehouse.ts';
import { currencyPlaces } from '../../figures/money.ts';
import { type Dated, readChannelConversion } from '../../report/conversion.ts';
import { askPage, type Matching } from '../../report/page.ts';
import { productOwners } from '../../report/productOwners.ts';
import { partialDays, productSums, readProductEvents, utcDay } from '../../report/profitEvents.ts';
import { type AdCost, type Figures, figuresOfAdCost } from '../../report/profitStatement.ts';

type ProductAdCost = AdCost & { readonly sku: string; readonly product_id: string };

const productPage = questionFile<Matching & { readonly sku: string }>(
  import.meta.url,
  'productPage.sql',
  productOwners,
);
const productCurrencies = questionFile<Dated>(import.meta.url, 'productCurrencies.sql');
const productAdCost = questionFile<ProductAdCost>(
  import.meta.url,
  'productAdCost.sql',
  productOwners,
);

/** The seconds of a UTC day. */
export const secondsPerDay = 86_400;

/** A range with the UTC days that it touches, and those that it holds as a whole. */
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

/** A page of products that a request asks for; without SKUs it is one of all products. */
export type AskedProducts = {
  readonly channel: Channel;
  readonly span: Span;
  readonly skus: readonly string[];
  readonly options: {
    readonly includeTax: boolean;
    readonly pageIndex: number;
    readonly pageSize: number;
  };
};

/** The SKUs of a page in order, and how many all pages have. */
export type ProductPage = {
  readonly shown: readonly string[];
  readonly count: number;
  /** The figures of each SKU of the page. */
  readonly figures: ReadonlyMap<string, readonly Figures[]>;
  /** Reads the product ids of SKUs of the page, as reported advertising has them. */
  readonly readProductIds: (skus: readonly string[]) => Promise<ReadonlyMap<string, string>>;
};

/** Asks for a page and its figures. */
export async function askedProducts(
  ask: Ask,
  { channel, span, skus, options }: AskedProducts,
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

/** Reads the figures of a page's SKUs, and their product ids as reported advertising has them. */
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

/** Reads the figures of SKUs, or of all products, on the UTC days that a span holds in part. */
export function readPartialDays(ask: Ask, channel: number, span: Span, skus?: readonly string[]) {
  const { from, to } = span;
  const offsets = { starts: [from], offsets: [0] };
  const days = partialDays(span, secondsPerDay);
  return readProductEvents(ask, { channel, range: { from, to }, offsets, days }, skus);
}

/** Reads the reported advertising cost of SKUs that counts. */
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
