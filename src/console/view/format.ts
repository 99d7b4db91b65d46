/** Numbers and dates in the language of the reader. */
import type { Day } from './days.ts';
import type { Range } from './periods.ts';

const minus = '\u2212';
const language = navigator.language;
/** Shown in the place of a figure that does not apply. */
export const none = '\u2013';

const formats = new Map<string, Intl.NumberFormat>();

function format(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const made = formats.get(key) ?? new Intl.NumberFormat(language, options);
  formats.set(key, made);
  return made;
}

const signed = (text: string) => text.replace(/^-/, minus);

/** A figure of an answer; undefined for "-", null and what is no number. */
export function numberOf(value: string | number | null | undefined): number | undefined {
  if (value === null || value === undefined || value === '' || value === '-') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** An amount: whole from 100 on, else with the places of its currency. */
export function amount(value: number | undefined, currency: string): string {
  if (value === undefined) return none;
  const isWhole = Math.abs(value) >= 100 || value === 0;
  return signed(
    format({
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      ...(isWhole && { maximumFractionDigits: 0, minimumFractionDigits: 0 }),
    }).format(value),
  );
}

/** An amount with the places of its currency, such as a price. */
export const price = (value: number | undefined, currency: string): string =>
  value === undefined
    ? none
    : signed(
        format({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(value),
      );

/** An amount as an axis writes it, such as $20k. */
export const shortAmount = (value: number, currency: string): string =>
  signed(
    format({
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      notation: 'compact',
      maximumFractionDigits: 1,
    }).format(value),
  );

/** A count with separators. */
export const count = (value: number | undefined): string =>
  value === undefined ? none : signed(format({ maximumFractionDigits: 0 }).format(value));

/** A figure with two decimals, such as units sold a day. */
export const decimal = (value: number | undefined): string =>
  value === undefined
    ? none
    : signed(format({ minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value));

/** A count as an axis writes it, such as 20k. */
export const shortCount = (value: number): string =>
  signed(format({ notation: 'compact', maximumFractionDigits: 1 }).format(value));

/** A percentage with one decimal; 12.3 is 12.3%. */
export const percent = (value: number | undefined, digits = 1): string =>
  value === undefined
    ? none
    : signed(
        format({
          style: 'percent',
          minimumFractionDigits: digits,
          maximumFractionDigits: digits,
        }).format(value / 100),
      );

/** A difference of two percentages, in points. */
export const points = (value: number): string =>
  `${format({ minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(Math.abs(value))} pt`;

/** How a figure is written. */
export type Unit = 'amount' | 'count' | 'percent';

/** Writes a figure by its unit. */
export function written(value: number | undefined, unit: Unit, currency: string): string {
  if (unit === 'amount') return amount(value, currency);
  return unit === 'percent' ? percent(value) : count(value);
}

/** Writes a figure by its unit for an axis; nothing needs no currency. */
export function writtenShort(value: number, unit: Unit, currency: string): string {
  if (value === 0 && unit === 'amount') return shortCount(0);
  if (unit === 'amount') return shortAmount(value, currency);
  return unit === 'percent' ? percent(value, 0) : shortCount(value);
}

const days = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
const dayWords = days({ day: 'numeric', month: 'short' });
const dayYearWords = days({ day: 'numeric', month: 'short', year: 'numeric' });
const weekdayWords = days({ weekday: 'short', day: 'numeric', month: 'short' });
const shortMonthWords = days({ month: 'short', year: '2-digit' });
const monthWords = days({ month: 'long', year: 'numeric' });

const isThisYear = (day: Day) => day.startsWith(String(new Date().getFullYear()));

/** A day such as 21 Nov, with the year if it is not this one. */
export const inDay = (day: Day): string =>
  (isThisYear(day) ? dayWords : dayYearWords).format(Date.parse(day));
/** A day such as 21 Nov. */
export const inShortDay = (day: Day): string => dayWords.format(Date.parse(day));
/** A day such as Sat 21 Nov. */
export const inWeekday = (day: Day): string => weekdayWords.format(Date.parse(day));
/** An instant such as 21 Nov, 14:05, in a time zone. */
export const inMoment = (instant: string, zone: string): string =>
  new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
  }).format(Date.parse(instant));
/** A month such as Nov 26. */
export const inShortMonth = (day: Day): string => shortMonthWords.format(Date.parse(day));
/** A month such as November 2026. */
export const inMonth = (day: Day): string => monthWords.format(Date.parse(day));
/** A range such as 23 Oct \u2013 21 Nov 2026. */
export function inRange({ first, last }: Range, hasYear = true): string {
  return (hasYear ? dayYearWords : dayWords).formatRange(Date.parse(first), Date.parse(last));
}

const currencies = new Intl.DisplayNames(language, { type: 'currency', fallback: 'code' });

/** The name of a currency, such as US Dollar. */
export const currencyName = (code: string): string => currencies.of(code) ?? code;
