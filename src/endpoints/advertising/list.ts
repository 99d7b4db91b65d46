/** What the lists of campaigns, ad groups and products share: whose figures of which days in which currency, and pages. */

import { type Channel, reachableChannels } from '../../access/channels.ts';
import { localDay } from '../../calendar/period.ts';
import { Refusal } from '../../contract/refusal.ts';
import { type Question, questionFile } from '../../engine/question.ts';
import type { Ask, Parameters, Row } from '../../engine/warehouse.ts';
import { currencyPlaces, roundedSum, unitsOf } from '../../report/money.ts';
import {
  askPage,
  type Matching,
  type Page,
  type SortColumn,
  type SortedQuestion,
  type SortOrder,
} from '../../report/page.ts';
import { readFactors } from '../../report/rates.ts';
import type { Context } from '../handler.ts';
import { channelsMax, rangeFailure } from './contract.ts';
import { type Places, shownAmount } from './metrics.ts';

const rangeDaysDefault = 30;
const secondsPerDay = 86_400;

/** One text whatever is wrong with a channel, so that nobody learns which channels exist. */
const channelsText = 'channelId must name connected stores with advertising';

/** What all three lists are asked. */
type ListAsked = {
  readonly channelId: readonly string[];
  readonly fromDate?: number;
  readonly toDate?: number;
  readonly currency: string;
  readonly sortKey: string;
  readonly sortOrder: SortOrder;
  readonly pageIndex: number;
  readonly pageSize: number;
};

/** Whose figures are listed, and of which days. */
export type Reach = {
  /** In the order of their identifiers. */
  readonly channels: readonly Channel[];
  /** The first and the last day of each channel, by its own calendar. */
  readonly firsts: readonly number[];
  readonly lasts: readonly number[];
};

/** The channels and days that are asked for; `failures` are added to its own where it refuses. */
export async function reachOf(
  { channelId, fromDate, toDate }: Pick<ListAsked, 'channelId' | 'fromDate' | 'toDate'>,
  { caller, registry, requestedAt }: Context,
  failures: readonly string[] = [],
): Promise<Reach> {
  const channelIds = [...new Set(channelId)];
  const found = await reachableChannels(registry, caller)
    .where('channel.channelId', 'in', channelIds)
    .where('channel.hasAdvertisingConnected', '=', 1)
    .execute();
  const from = fromDate ?? requestedAt - rangeDaysDefault * secondsPerDay;
  const to = toDate ?? requestedAt;
  const all = [
    found.length < channelIds.length ? channelsText : undefined,
    rangeFailure(from, to),
    ...failures,
  ];
  const failing = all.filter((text) => text !== undefined);
  if (failing.length > 0) throw new Refusal(400, failing.join(', '));
  const channels = found.sort((a, b) => compareTexts(a.channelId, b.channelId));
  return {
    channels,
    firsts: channels.map(({ timezone }) => localDay(timezone, from)),
    lasts: channels.map(({ timezone }) => localDay(timezone, to)),
  };
}

/** As texts are sorted by questions: without regard to letter case first. */
function compareTexts(a: string, b: string): number {
  return (
    Buffer.compare(Buffer.from(a.toLowerCase()), Buffer.from(b.toLowerCase())) ||
    Buffer.compare(Buffer.from(a), Buffer.from(b))
  );
}

/** The channels that the questions of a list are about; rates are of channel 0. */
export function channelsRead({ channels }: Reach): number[] {
  return [0, ...channels.map((channel) => channel.channelNumber)];
}

/** The identifier of the channel that a row is of. */
export function channelIdOf({ channels }: Reach, channelNumber: number): string {
  return channels.find((channel) => channel.channelNumber === channelNumber)!.channelId;
}

/** The question which currencies the figures in a table are in. */
export function currenciesQuestion(table: string): Question<{ currency: string }> {
  return questionFile(import.meta.url, 'currencies.sql', { table });
}

/** How amounts come to the currency asked for. */
type Exchange = {
  /** What the questions are asked with. */
  readonly asked: Parameters;
  readonly places: Places;
  /** The factor of the last day for amounts in a channel's own currency, such as budgets, by the channel's number. */
  readonly settingFactors: ReadonlyMap<number, number>;
};

/** Reads the rates that the figures need, and with `settings` those of the channels' own currencies. */
async function readExchange(
  ask: Ask,
  { channels, firsts, lasts }: Reach,
  target: string,
  currenciesOf: Question<{ currency: string }>,
  settings: boolean,
): Promise<Exchange> {
  const first = Math.min(...firsts);
  const last = Math.max(...lasts);
  const numbers = filledUp(channels.map((channel) => channel.channelNumber));
  const inFigures = (await ask(currenciesOf, { channels: numbers, first, last })).map(
    (row) => row.currency,
  );
  const occurring = new Set([
    ...inFigures,
    ...(settings ? channels.map((channel) => channel.currency) : []),
  ]);
  const foreign = new Set([...occurring].filter((currency) => currency !== target));
  // What is all in the target needs no rates; where nothing occurs, the target is still looked up, to refuse what is no currency.
  const factor =
    foreign.size === 0 && occurring.size > 0
      ? () => 1
      : await readFactors(ask, foreign, target, { first, last });
  const currencies = inFigures.filter((currency) => currency !== target);
  const days = last - first + 1;
  const settingFactors = settings
    ? channels.map(({ currency }, place) => factor(currency, lasts[place]!))
    : [];
  const amount = currencyPlaces(target);
  const unitPrice = Math.max(2, amount);
  return {
    asked: {
      channels: numbers,
      first,
      last,
      innerFirst: Math.max(...firsts),
      innerLast: Math.min(...lasts),
      firsts: filledUp(firsts),
      lasts: filledUp(lasts),
      currency: target,
      converting: currencies.length > 0 ? 1 : 0,
      currencies,
      days,
      factors: currencies.flatMap((currency) =>
        Array.from({ length: days }, (_, day) => factor(currency, first + day)),
      ),
      settingFactors: filledUp(settingFactors),
      amountScale: 10 ** amount,
      unitPriceScale: 10 ** unitPrice,
    },
    places: { amount, unitPrice },
    settingFactors: new Map(
      settingFactors.map((value, place) => [channels[place]!.channelNumber, value]),
    ),
  };
}

/** Five entries, the last repeated. */
function filledUp(list: readonly number[]): number[] {
  return [...list, ...new Array<number>(channelsMax - list.length).fill(list.at(-1) ?? 0)];
}

/** The place of a row's channel in the order of their identifiers; what is left of ties is decided by it. */
export const channelOrder = 'index_of({channels:Array(Int32)}, channel)';

/** What a list's own columns are sorted by: its channel, and texts that have the names of the answer. */
export function columnSorts<Name extends string>(
  texts: readonly Name[],
): Record<Name | 'channel_id', SortColumn> {
  const sorts = { channel_id: { kind: 'number', sql: channelOrder } } as Record<
    Name | 'channel_id',
    SortColumn
  >;
  for (const name of texts) sorts[name] = { kind: 'text', sql: name };
  return sorts;
}

/** What an amount in the channel's own currency is sorted by. */
export function settingSort(column: string): SortColumn {
  return shownAmount(
    `(CAST(${column} AS DOUBLE) * {settingFactors:Array(Float64)}[${channelOrder}])`,
  );
}

/** An amount in the channel's own currency as it is shown. */
export function shownSetting(
  { settingFactors, places }: Exchange,
  channel: number,
  amount: bigint,
): number {
  const factor = settingFactors.get(channel)!;
  const sum =
    factor === 1
      ? { exact: amount, converted: 0 }
      : { exact: 0n, converted: unitsOf(amount) * factor };
  return roundedSum(sum, places.amount);
}

/** The texts of a row by their names. */
export function textsOf<Name extends string>(
  names: readonly Name[],
  row: { readonly [N in Name]: string },
): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Record<Name, string>;
}

/** The parameter that restricts a list to some entries, and the flag that says whether it does. */
export function restriction(
  flag: string,
  list: string,
  entries: readonly string[] | undefined,
): Parameters {
  return { [flag]: entries === undefined ? 1 : 0, [list]: entries ?? [] };
}

/** One of the lists: its questions. */
export type List<R extends Row> = {
  readonly sorted: SortedQuestion<R & Matching>;
  readonly currencies: Question<{ currency: string }>;
  /** Whether rows have amounts that are of no day, in the channel's currency. */
  readonly settings: boolean;
};

/** A page of a list, and how its amounts came to the currency asked for. */
type ListPage<R extends Row> = Page<R> & { readonly exchange: Exchange };

/** Reads the page that is asked for. `restrictions` are the parameters by which the question restricts its rows. */
export async function readPage<R extends Row>(
  ask: Ask,
  reach: Reach,
  { sorted, currencies, settings }: List<R>,
  asked: ListAsked,
  restrictions: Parameters,
): Promise<ListPage<R>> {
  const exchange = await readExchange(ask, reach, asked.currency, currencies, settings);
  const page = await askPage(
    ask,
    sorted(asked.sortKey, asked.sortOrder),
    { ...exchange.asked, ...restrictions },
    asked,
  );
  return { ...page, exchange };
}

/** The envelope of a page. */
export function answerOf<R extends Row, Answered>(
  { rows, count }: Page<R>,
  { currency, pageIndex, pageSize }: ListAsked,
  answered: (row: R) => Answered,
) {
  return {
    data: rows.map(answered),
    pagination: { pageIndex, pageSize, count },
    meta: { currency },
  };
}
