/** The figures of the profit and loss, read from financial events and from their rollups. */
import {
  eventColumns,
  type ProfitGrain,
  profitColumns,
  profitLists,
  sumsOf,
  unitColumns,
} from '../../schema/warehouse/profit.ts';
import { never } from '../calendar/period.ts';
import type { Range } from '../calendar/windows.ts';
import { calendarOffsets, type ZoneOffsets } from '../calendar/zone.ts';
import { bodyFile, type Places, partFile, question, questionFile } from '../engine/question.ts';
import { type DaySource, daySource } from '../engine/segments/daySource.ts';
import type { Ask, Row } from '../engine/warehouse.ts';
import type { ItemDay } from './itemDays.ts';
import type { Figures } from './profitStatement.ts';

/** The figures of one SKU. */
export type ProductFigures = Figures & { readonly sku: string };

const secondsPerDay = 86_400;

/** The letters of the parts of a day: before a second, and from it on. */
export const partsOfDay = { before: 'b', after: 'a' } as const;

const schema = new URL('../../schema/warehouse/', import.meta.url).href;
const part = (name: string) => partFile(import.meta.url, name);
const eventFigures = partFile(schema, 'eventFigures.sql');

/** The profit and loss of many rows, which are read for each sum, and that of few, kept as `events`. */
const profitOfMany = <R extends Row>(name: string, grain: ProfitGrain, posted: string) =>
  question<R>(name, bodyFile(schema, 'profit.sql'), {
    ...profitLists(grain),
    rows: eventFigures,
    posted: part(posted),
  });
const profitOfFew = <R extends Row>(name: string, grain: ProfitGrain, places: Places) =>
  question<R>(name, bodyFile(schema, 'profitOfFew.sql'), {
    ...profitLists(grain),
    rows: 'events',
    figures: eventFigures,
    ...places,
  });

const ofDays = { grain: ['local_date'] };
const storeEvents = profitOfMany<Figures>('profit of the store', ofDays, 'storeEvents.sql');
const storeEventsOfDays = profitOfFew<Figures>('profit of the store on few days', ofDays, {
  posted: part('storeEvents.sql'),
});
const productEvents = profitOfFew<ProductFigures>(
  'profit of products',
  { grain: ['local_date', 'sku'] },
  { posted: part('productEvents.sql') },
);

const sums = sumsOf(profitColumns);

/** The figures of stores in whole quarters of an hour, except on the UTC days in `apart`. */
export const storeSums = questionFile<Figures>(import.meta.url, 'storeSums.sql', { sums });

const storeDays = questionFile<Figures & { readonly channel: number; readonly day: number }>(
  import.meta.url,
  'storeDays.sql',
  { columns: profitColumns, sums },
);

/** The figures of stores on the local days of a zone, except on the UTC days in `apart`. */
export function storeDaysOf(zone: string, apart: readonly number[]): DaySource {
  return daySource(
    storeDays,
    { texts: ['currency'], counts: ['local_date'], amounts: profitColumns },
    {
      variant: `${zone} ${apart}`,
      parametersOf: ({ first, last }) => ({
        ...calendarOffsets(zone, (first - 1) * secondsPerDay, (last + 2) * secondsPerDay),
        apart,
      }),
    },
  );
}

const productDaysBy = <R extends Row>(name: string, answer: Readonly<Record<string, string>>) =>
  profitOfFew<R>(
    name,
    { grain: ['day', 'sku'], answer },
    {
      figures: part('productDays.sql'),
      figureColumns: [...eventColumns, ...unitColumns],
    },
  );

/**
 * The figures of products on whole UTC days. Amounts in the target currency need no exchange rate,
 * so they all count on the day `first`.
 */
export const productSums = productDaysBy<ProductFigures>('profit of products on whole days', {
  local_date: 'CASE WHEN currency = {currency:String} THEN {first:Date} ELSE day END',
  sku: 'sku',
});

/** The figures of all products by UTC day. */
export const productDays = productDaysBy<ItemDay>('profit of products by day', {
  channel: '{channel:Int32}',
  day: 'day',
  id: 'sku',
});

/**
 * The figures of all products by UTC day in two parts, before a second of the day and from it on.
 * Each identifier is a SKU after the letter of its part.
 */
export const productPartsOfDays = profitOfFew<ItemDay>(
  'profit of products by parts of days',
  { grain: ['channel', 'day', 'id'] },
  { posted: part('partialDayEvents.sql') },
);

/** The UTC day of an instant. */
export function utcDay(instant: number): number {
  return Math.floor(instant / secondsPerDay);
}

/** The UTC days on which a range begins or ends within a step of this length. */
export function partialDays({ from, to }: Range, stepSeconds: number): number[] {
  const partial = new Set<number>();
  if (from % stepSeconds !== 0) partial.add(utcDay(from));
  if ((to + 1) % stepSeconds !== 0) partial.add(utcDay(to));
  return [...partial];
}

/** A range of events, and the UTC days in it to read, in order. */
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

/** Reads the figures of the events of SKUs, or of all products if there are no SKUs. */
export async function readProductEvents(
  ask: Ask,
  events: EventRange,
  skus: readonly string[] = [],
): Promise<ProductFigures[]> {
  const figures: ProductFigures[] = [];
  for (const { areFew: _, ...parameters } of parametersOf(events)) {
    figures.push(...(await ask(productEvents, { ...parameters, skus })));
  }
  return figures;
}

/**
 * The most separate days in one question, so that the store can skip the blocks of all other days.
 */
export const daysAtOnce = 8;

/**
 * The parameters of each question that the days take: just one if no day between them is missing.
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
