/** The figures of the profit and loss, read from financial events and from their rollups. */
import { productDayPlaces, profitPlaces, profitSumPlaces } from '../../schema/warehouse/profit.ts';
import { never } from '../calendar/period.ts';
import type { Range } from '../calendar/windows.ts';
import type { ZoneOffsets } from '../calendar/zone.ts';
import { bodyFile, byDay, question, questionFile } from '../engine/question.ts';
import type { Ask } from '../engine/warehouse.ts';
import type { ItemDay } from './packedDays.ts';
import type { Figures } from './profitStatement.ts';

/** The figures of one SKU. */
export type ProductFigures = Figures & { readonly sku: string };

const secondsPerDay = 86_400;

/** The letters of the parts of a day, before a second and from it on. */
export const partsOfDay = { before: 'b', after: 'a' } as const;

const localDate = (instant: string) =>
  `local_day(${instant}, {starts:Array(Int64)}, {offsets:Array(Int64)})`;
const postedInRange =
  'day >= {firstUtc:Date} AND day <= {lastUtc:Date} AND matches(day, {days:Array(Date)}) ' +
  'AND posted_at >= {from:Int64} AND posted_at <= {to:Int64}';

const profitBody = bodyFile(import.meta.url, '../../schema/warehouse/profit.sql');
const storeEventsOf = (name: string, more: { readonly areFew?: true }) =>
  question<Figures>(
    name,
    profitBody,
    profitPlaces({
      grain: { local_date: localDate('posted_at') },
      date: 'local_date',
      events: postedInRange,
      ...more,
    }),
  );
const storeEvents = storeEventsOf('profit of the store', {});
const storeEventsOfDays = storeEventsOf('profit of the store on few days', { areFew: true });
const productEventsOf = (name: string, more: { readonly ofSkus?: string }) =>
  question<ProductFigures>(
    name,
    profitBody,
    profitPlaces({
      grain: { local_date: localDate('posted_at'), sku: 'sku' },
      date: 'local_date',
      events: `${postedInRange} AND sku <> ''`,
      areFew: true,
      ...more,
    }),
  );
const productEvents = productEventsOf('profit of products', {
  ofSkus: 'in_list(sku, {skus:Array(String)})',
});
const allProductEvents = productEventsOf('profit of all products', {});

/** Amounts in the target currency need no exchange rate: they all count on the day `first`. */
const rateDate = (date: string) =>
  `CASE WHEN currency = {currency:String} THEN {first:Date} ELSE ${date} END`;

/** The figures of stores in whole quarters of an hour, but for the UTC days in `apart`. */
export const storeSums = questionFile<Figures>(import.meta.url, 'profitSums.sql', {
  ...profitSumPlaces({ local_date: localDate('slot_at') }),
  rollup: 'profit_slot',
  rows:
    'day >= {firstUtc:Date} AND day <= {lastUtc:Date} AND slot_at >= {from:Int64} ' +
    'AND slot_at <= {to:Int64} AND NOT one_of(day, {apart:Array(Date)})',
});

const slotDate = localDate('slot_at');

/**
 * The figures of stores on the local days from `first` to `last`, but for the UTC days in `apart`.
 * The offsets are those of a year that has all of these days.
 */
export const storeDays = byDay(
  questionFile<Figures & { readonly day: number }>(import.meta.url, 'profitSums.sql', {
    ...profitSumPlaces({ channel: 'channel', day: slotDate, local_date: slotDate }),
    grain: ['channel', slotDate],
    rollup: 'profit_slot',
    rows:
      'day >= {first:Date} - 1 AND day <= {last:Date} + 1 ' +
      `AND ${slotDate} >= {first:Date} AND ${slotDate} <= {last:Date} ` +
      'AND NOT one_of(day, {apart:Array(Date)})',
  }),
);

/** The figures of products on whole UTC days. */
export const productSums = question<ProductFigures>(
  'profit of products on whole days',
  profitBody,
  productDayPlaces(
    { local_date: rateDate('day'), sku: 'sku' },
    'day >= {firstUtc:Date} AND day <= {lastUtc:Date}',
    'in_list(sku, {skus:Array(String)})',
  ),
);

/** The figures of all products by UTC day. */
export const productDays = question<ItemDay>(
  'profit of products by day',
  profitBody,
  productDayPlaces(
    { channel: '{channel:Int32}', day: 'day', id: 'sku' },
    'day >= {first:Date} AND day <= {last:Date}',
    'TRUE',
  ),
);

/** Whether an event comes before a second of its UTC day. */
const isEarly = `posted_at - floor_multiple(posted_at, ${secondsPerDay}) < {second:Int32}`;

/**
 * The figures of all products by UTC day in two parts, before a second of the day and from it on:
 * identifiers are SKUs with the letter of the part before them.
 */
export const productPartsOfDays = question<ItemDay>(
  'profit of products by parts of days',
  profitBody,
  profitPlaces({
    grain: {
      channel: 'channel',
      day: 'day',
      id: `concat(CASE WHEN ${isEarly} THEN '${partsOfDay.before}' ELSE '${partsOfDay.after}' END, sku)`,
    },
    date: 'day',
    events: "day >= {first:Date} AND day <= {last:Date} AND sku <> ''",
    areFew: true,
  }),
);

/** The UTC day of an instant. */
export function utcDay(instant: number): number {
  return Math.floor(instant / secondsPerDay);
}

/** The UTC days that a range begins or ends on inside a step of so many seconds. */
export function partialDays({ from, to }: Range, stepSeconds: number): number[] {
  const partial = new Set<number>();
  if (from % stepSeconds !== 0) partial.add(utcDay(from));
  if ((to + 1) % stepSeconds !== 0) partial.add(utcDay(to));
  return [...partial];
}

/** A range of events, and the UTC days of it that are read, in order. */
export type EventRange = {
  readonly channel: number;
  readonly range: Range;
  readonly offsets: ZoneOffsets;
  readonly days: readonly number[];
};

/** Reads the figures of a store's events. */
export async function readStoreEvents(ask: Ask, events: EventRange): Promise<Figures[]> {
  const figures: Figures[] = [];
  for (const { areFew, ...parameters } of parametersOf(events))
    figures.push(...(await ask(areFew ? storeEventsOfDays : storeEvents, parameters)));
  return figures;
}

/** Reads the figures of the events of SKUs, or of all products. */
export async function readProductEvents(
  ask: Ask,
  events: EventRange,
  skus?: readonly string[],
): Promise<ProductFigures[]> {
  const figures: ProductFigures[] = [];
  for (const { areFew: _, ...parameters } of parametersOf(events)) {
    const rows = await (skus === undefined
      ? ask(allProductEvents, parameters)
      : ask(productEvents, { ...parameters, skus }));
    figures.push(...rows);
  }
  return figures;
}

/** So many days at a time, so that the store can skip the blocks of all others. */
export const daysAtOnce = 8;

/**
 * The parameters of as many questions as the days take: one where no day between them is missing.
 */
function parametersOf({ channel, range, offsets, days }: EventRange) {
  if (days.length === 0) return [];
  const isWhole = days.at(-1)! - days[0]! + 1 === days.length;
  const size = isWhole ? days.length : daysAtOnce;
  return Array.from({ length: Math.ceil(days.length / size) }, (_, index) => {
    const some = days.slice(index * size, (index + 1) * size);
    return {
      channel,
      ...range,
      firstUtc: some[0]!,
      lastUtc: some.at(-1)!,
      ...offsets,
      days: isWhole ? [] : some,
      never,
      areFew: some.length <= daysAtOnce,
    };
  });
}
