/** The parameters of questions about the sales of products: two windows and a conversion. */

import type { Channel } from '../../access/channels.ts';
import { never } from '../../calendar/period.ts';
import { clipped, rangesOf, type Span } from '../../calendar/windows.ts';
import { calendarOffsets } from '../../calendar/zone.ts';
import type { Ask, Parameters } from '../../engine/warehouse.ts';
import { noConversion } from '../../figures/conversion.ts';
import { currencyPlaces } from '../../figures/money.ts';
import { readChannelConversion } from '../conversion.ts';
import { type OrderExtents, readOrderExtents, sinceDays } from '../sales.ts';
import { foreignCurrencies, foreignDays } from './questions.ts';
import { type StockParameters, stockReports } from './stock.ts';

const secondsPerDay = 86_400;
/** A date in one zone ends at most so many days from the same date in another. */
const zoneDays = 2;
/** A window without any instant and any date. */
const noWindow: Span = { from: 1, to: 0, first: 1, last: 0 };

/** Decimal places of prices: at least two. */
export function unitPricePlaces(currency: string): number {
  return Math.max(2, currencyPlaces(currency));
}

/** A channel, its windows, and how sales count. */
export type ProductScope = {
  readonly channel: Channel;
  readonly zone: string;
  /** The period and, if it is compared, the prior one. */
  readonly spans: readonly Span[];
  readonly includeTax: boolean;
};

/** The parameters of a scope. */
export type ProductParameters = StockParameters & {
  /** The first local date on which order lines are the source of sales. */
  readonly ordersFrom: number;
};

/** Reads what the parameters of a scope depend on: its first order line and its exchange rates. */
export async function readParameters(ask: Ask, scope: ProductScope): Promise<ProductParameters> {
  const { channel, zone, spans, includeTax } = scope;
  const { channelNumber } = channel;
  const [current, prior = noWindow] = spans as [Span, Span?];
  const extents: OrderExtents =
    channel.kind === 'seller' ? await readOrderExtents(ask, [channelNumber]) : new Map();
  const ordersFrom = sinceDays(extents, zone).get(channelNumber) ?? never;
  const utcDay = (instant: number) => Math.floor(instant / secondsPerDay);
  const windows = {
    channel: channelNumber,
    currency: channel.currency,
    ...current,
    firstUtc: utcDay(current.from),
    lastUtc: utcDay(current.to),
    priorFrom: prior.from,
    priorTo: prior.to,
    priorFirst: prior.first,
    priorLast: prior.last,
    priorFirstUtc: utcDay(prior.from),
    priorLastUtc: utcDay(prior.to),
    ordersFrom,
    withTax: includeTax ? 1 : 0,
    amountScale: 10 ** currencyPlaces(channel.currency),
    unitPriceScale: 10 ** unitPricePlaces(channel.currency),
    epoch: 0,
    never,
    stockReports,
  };
  return { ...windows, ...(await readProductConversion(ask, scope, windows, extents)) };
}

/** Whether the windows have dates before the first order line. */
export function areBeforeOrders(
  { spans }: ProductScope,
  { ordersFrom }: ProductParameters,
): boolean {
  return spans.some(({ first }) => first < ordersFrom);
}

/** How amounts are converted. Dates of order lines matter to conversions alone. */
async function readProductConversion(
  ask: Ask,
  { channel, zone, spans }: ProductScope,
  windows: Parameters,
  extents: OrderExtents,
): Promise<Parameters> {
  const { currency, kind } = channel;
  const noOffsets = { starts: [0], offsets: [0] };
  if (!(await hasForeignDays(ask, channel, spans)))
    return { ...noOffsets, ...noConversion(currency).parameters() };
  const enclosing = {
    from: Math.min(...spans.map(({ from }) => from)),
    to: Math.max(...spans.map(({ to }) => to)),
  };
  const known = clipped(enclosing, [...extents.values()]);
  const offsets = known === undefined ? noOffsets : calendarOffsets(zone, known.from, known.to);
  const foreign = await ask(foreignCurrencies[kind], { ...windows, ...offsets });
  return { ...offsets, ...(await readChannelConversion(ask, channel, foreign)) };
}

/** Whether a channel has facts in another currency in or near the windows. */
async function hasForeignDays(
  ask: Ask,
  { channelNumber, currency, kind }: Channel,
  spans: readonly Span[],
): Promise<boolean> {
  const near = spans.map(({ first, last }) => ({ first: first - zoneDays, last: last + zoneDays }));
  for (const days of rangesOf(near)) {
    const found = await ask(foreignDays[kind], { channel: channelNumber, currency, ...days });
    if (found.length > 0) return true;
  }
  return false;
}
