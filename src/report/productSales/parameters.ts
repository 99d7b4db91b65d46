/** The parameters of questions about the sales of products: two windows and a conversion. */

import type { Channel } from '../../access/channels.ts';
import { never } from '../../calendar/period.ts';
import { clipped, rangesOf, type Span } from '../../calendar/windows.ts';
import { calendarOffsets } from '../../calendar/zone.ts';
import type { Ask, Parameters } from '../../engine/warehouse.ts';
import { noConversion } from '../../figures/conversion.ts';
import { currencyPlaces } from '../../figures/money.ts';
import { type Dated, readChannelConversion } from '../conversion.ts';
import { stockReports } from '../inventory.ts';
import { type OrderExtents, readOrderExtents, sinceDays } from '../sales.ts';
import { foreignCurrencies, foreignDays, ofProduct } from './questions.ts';

const secondsPerDay = 86_400;
/** The most days between the ends of the same date in two zones. */
const zoneDays = 2;
/** A window without instants or dates. */
const noWindow: Span = { from: 1, to: 0, first: 1, last: 0 };

/** Decimal places of prices: at least two. */
export function unitPricePlaces(currency: string): number {
  return Math.max(2, currencyPlaces(currency));
}

/** A channel, its windows, and whether tax counts as sales. */
export type ProductScope = {
  readonly channel: Channel;
  readonly zone: string;
  /** The period and, if it is compared, the comparison period. */
  readonly spans: readonly Span[];
  readonly includeTax: boolean;
};

/** The parameters of a window: its instants, and its dates in the zone and in UTC. */
export type ProductWindow = Span & { readonly firstUtc: number; readonly lastUtc: number };

/** The parameters of a scope, with the period as the window. */
export type ProductParameters = Parameters &
  ProductWindow & {
    readonly channel: number;
    /** The first local date on which order lines are the source of sales. */
    readonly ordersFrom: number;
  };

/** The windows of a scope. */
export function windowsOf({ spans }: ProductScope): ProductWindow[] {
  return spans.map(windowOf);
}

function windowOf(span: Span): ProductWindow {
  return { ...span, firstUtc: utcDay(span.from), lastUtc: utcDay(span.to) };
}

function utcDay(instant: number): number {
  return Math.floor(instant / secondsPerDay);
}

/**
 * Reads the parameters of a scope that depend on facts: its first order line and its exchange
 * rates.
 */
export async function readParameters(ask: Ask, scope: ProductScope): Promise<ProductParameters> {
  const { channel, zone, includeTax } = scope;
  const { channelNumber } = channel;
  const [period, prior = windowOf(noWindow)] = windowsOf(scope);
  const extents: OrderExtents =
    channel.kind === 'seller' ? await readOrderExtents(ask, [channelNumber]) : new Map();
  const parameters = {
    channel: channelNumber,
    currency: channel.currency,
    ...period!,
    priorFrom: prior.from,
    priorTo: prior.to,
    priorFirst: prior.first,
    priorLast: prior.last,
    priorFirstUtc: prior.firstUtc,
    priorLastUtc: prior.lastUtc,
    ordersFrom: sinceDays(extents, zone).get(channelNumber) ?? never,
    withTax: includeTax ? 1 : 0,
    amountScale: 10 ** currencyPlaces(channel.currency),
    unitPriceScale: 10 ** unitPricePlaces(channel.currency),
    epoch: 0,
    never,
    ofProduct,
    stockReports,
  };
  return { ...parameters, ...(await readProductConversion(ask, scope, parameters, extents)) };
}

/** Reads the conversion of amounts. The dates of order lines are computed only for a conversion. */
async function readProductConversion(
  ask: Ask,
  scope: ProductScope,
  parameters: Parameters,
  extents: OrderExtents,
): Promise<Parameters> {
  const { channel, zone, spans } = scope;
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
  const foreign: Dated[] = [];
  for (const window of windowsOf(scope))
    foreign.push(...(await ask(foreignCurrencies[kind], { ...parameters, ...offsets, ...window })));
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
