/**
 * The types of the fields of imported rows. A type reads a cell of JSON or CSV and returns the
 * value to store, or the reason why it cannot be read.
 */
import { Decimal } from 'decimal.js';
import { dayNumber } from '../../calendar/period.ts';
import { currencyCodes, isCurrency } from '../../contract/currencies.ts';
import type { PlainNotation } from '../plainLines.ts';

/**
 * A checked value. A date is `YYYY-MM-DD`, an instant a number of epoch seconds, an amount a
 * decimal with at most six places or a bigint in millionths. Missing values are null.
 */
export type Value = string | number | bigint | null;

/** The value of a table's column, which is never missing. */
export type ColumnValue = Exclude<Value, null>;

/** Why a cell cannot be read. Never repeats the cell, which may be personal. */
export class CellError {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

/** The type of a field. */
export type FieldType<V = Value> = {
  /** The type in words, for documentation and reasons: "a date (YYYY-MM-DD)". */
  readonly words: string;
  readonly read: (cell: unknown) => Exclude<V, null> | CellError;
  /** The value of a missing field. */
  readonly missing: V;
  /** The notation of cells that the engine reads exactly like `read`. */
  readonly plain?: PlainNotation;
};

const countMax = 1e12;
/** From here on, a double may have lost digits at the sixth decimal place. */
export const exactBelow = 4e9;
const decimalPattern = /^-?(?:\d{1,12})(?:\.\d{1,6})?$/;
const longDecimalPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,2})?$/;
const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const instantPattern =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;
/** No time zone is further from UTC. */
const offsetSecondsMax = 15 * 3600;
const yearMin = 1970;
const yearMax = 2199;
/** The years from the first to the last, as a regular expression. */
const plainYear = '(?:19[7-9]|2[01]\\d)\\d';

// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is one of the characters to find.
const unusual = /[\u0000\ud800-\udfff]/;

/** A plain decimal of at most six places in millionths. */
export function millionthsOf(decimal: string): bigint {
  const [whole, fraction = ''] = decimal.split('.') as [string, string?];
  return BigInt(whole + fraction.padEnd(6, '0'));
}

/** An amount in millionths as a decimal with six places. */
export function amountText(millionths: bigint): string {
  const digits = (millionths < 0n ? -millionths : millionths).toString().padStart(7, '0');
  return `${millionths < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Free text with a limited number of characters. */
export function text(lengthMax: number, lengthMin = 0): FieldType<string> {
  const words = `text of ${lengthMin > 0 ? `${lengthMin} to` : 'at most'} ${lengthMax} characters`;
  return {
    words,
    missing: '',
    // No text has more characters than bytes.
    plain: { as: 'text', bytesMax: lengthMax },
    read(value) {
      let given: string;
      if (typeof value === 'string') given = value;
      else if (typeof value === 'number') given = String(value);
      else return new CellError(`must be ${words}`);
      if (given.length < lengthMin || given.length > lengthMax)
        return new CellError(`must be ${words}`);
      if (!unusual.test(given)) return given;
      if (given.includes('\u0000')) return new CellError('contains a NUL character');
      return given.isWellFormed()
        ? given
        : new CellError('contains half a character (a lone surrogate)');
    },
  };
}

/** An e-mail address, in any notation. Plain ones have a notation in which only case can differ. */
export const address: FieldType<string> = {
  ...text(320),
  plain: { as: 'text', characters: '[!#-+\\--:<-\\[\\]-~]', bytesMax: 320 },
};

/**
 * An identifier of the advertising console. It may exceed the precision of doubles, so it is stored
 * as text. A number in scientific notation has lost its last digits.
 */
export const entityId: FieldType<string> = {
  words: 'an identifier of at most 200 characters; a number must be written in full',
  missing: '',
  read(value) {
    const isWhole =
      typeof value === 'number'
        ? Number.isSafeInteger(value) && value >= 0
        : !/^[+-]?[\d.,]+e[+-]?\d+$/i.test(String(value).trim());
    return isWhole ? text(200, 1).read(value) : new CellError(`must be ${entityId.words}`);
  },
};

const plainCount = /^(?:0|[1-9]\d{0,11})$/;

/** A whole number, by default not negative. */
export function count(min = 0): FieldType<number> {
  const words = min === 0 ? 'a whole number, 0 or more' : 'a whole number';
  return {
    words,
    missing: 0,
    plain: { as: 'whole', pattern: '0|[1-9]\\d{0,8}' },
    read(value) {
      if (typeof value === 'string' && plainCount.test(value)) return Number(value);
      const given =
        typeof value === 'number'
          ? value
          : typeof value === 'string' && /^[+-]?\d{1,15}(?:\.0+)?$/.test(value)
            ? Number(value)
            : Number.NaN;
      if (!Number.isInteger(given) || given < min || Math.abs(given) > countMax)
        return new CellError(`must be ${words}`);
      return given === 0 ? 0 : given;
    },
  };
}

/** A whole number, not negative, that may be missing: that is not the same as 0. */
export const countOrNone: FieldType<number | null> = { ...count(), missing: null };

/**
 * Money or another decimal of at most twelve digits before the point. Digits after the sixth place
 * are rounded, half away from zero.
 */
export const amount: FieldType<string> = {
  words: 'a decimal number such as 12.34',
  missing: '0',
  // Fifteen digits, which a double of JSON represents exactly.
  plain: { as: 'decimal', pattern: '-?\\d{1,9}(?:\\.\\d{1,6})?' },
  read(value) {
    if (typeof value === 'number' && value < exactBelow && value > -exactBelow) {
      if (Number.isInteger(value)) return String(value);
      const millionths = value * 1e6;
      // Much faster than decimal arithmetic, with the same result unless the seventh place is near
      // a half.
      if (Math.abs(millionths - Math.round(millionths)) < 0.4) return value.toFixed(6);
    }
    const given = typeof value === 'number' ? String(value) : value;
    if (typeof given !== 'string') return new CellError(`must be ${amount.words}`);
    if (decimalPattern.test(given)) return given;
    if (!longDecimalPattern.test(given)) return new CellError(`must be ${amount.words}`);
    const rounded = new Decimal(given).toDecimalPlaces(6, Decimal.ROUND_HALF_UP);
    if (rounded.abs().gte(countMax)) return new CellError('must be below 1,000,000,000,000');
    return rounded.isZero() ? '0' : rounded.toFixed();
  },
};

/** Whether a readable amount has more than six decimals, so that reading it rounds it. */
export function isRounded(cell: unknown): boolean {
  if (typeof cell === 'number') {
    const millionths = cell * 1e6;
    if (Math.abs(millionths - Math.round(millionths)) <= Math.abs(cell) * 1e-9) return false;
  } else if (typeof cell !== 'string' || cell.length - cell.indexOf('.') <= 7) return false;
  const given = new Decimal(cell);
  return !given.toDecimalPlaces(6).equals(given);
}

/** An amount that may be missing: that is not the same as 0. */
export const amountOrNone: FieldType<string | null> = { ...amount, missing: null };

/** A percentage from 0 to 100 that may be missing: that is not the same as 0. */
export const percentage: FieldType<number | null> = {
  words: 'a percentage from 0 to 100',
  missing: null,
  plain: { as: 'decimal', pattern: '100|\\d{1,2}(?:\\.\\d{1,2})?' },
  read(value) {
    const given = amount.read(value);
    const percent = given instanceof CellError ? Number.NaN : Number(given);
    return percent >= 0 && percent <= 100 ? percent : new CellError(`must be ${percentage.words}`);
  },
};

/** A positive factor. */
export const factor: FieldType<number> = {
  words: 'a number above 0',
  missing: 0,
  read(value) {
    const given =
      typeof value === 'string' && longDecimalPattern.test(value) ? Number(value) : value;
    if (typeof given !== 'number' || !Number.isFinite(given) || given <= 0)
      return new CellError(`must be ${factor.words}`);
    return given;
  },
};

// A document has many rows, but few dates.
const knownDates = new Map<string, number>();
const knownDatesMax = 100_000;

/** A calendar date. */
export const date: FieldType<string | null> = {
  words: 'a date (YYYY-MM-DD)',
  missing: null,
  plain: { as: 'date', pattern: `${plainYear}-\\d\\d-\\d\\d` },
  read(value) {
    if (typeof value !== 'string') return new CellError(`must be ${date.words}`);
    if (knownDates.has(value)) return value;
    const parts = datePattern.exec(value);
    const day = parts ? dayOf(Number(parts[1]), Number(parts[2]), Number(parts[3])) : undefined;
    if (day === undefined) return new CellError(`must be ${date.words}`);
    if (knownDates.size < knownDatesMax) knownDates.set(value, day);
    return value;
  },
};

/** A month, read as its first date. */
export const month: FieldType<string | null> = {
  words: 'a month (YYYY-MM)',
  missing: null,
  read(value) {
    const first =
      typeof value === 'string' && /^\d{4}-\d{2}$/.test(value)
        ? date.read(`${value}-01`)
        : undefined;
    return typeof first === 'string' ? first : new CellError(`must be ${month.words}`);
  },
};

/** A calendar date, stored as text that may be empty. */
export const optionalDate: FieldType<string> = { ...date, missing: '' };

/** The day number of a date that was read by `date`. */
export function dayOfDate(isoDate: string): number {
  return knownDates.get(isoDate) ?? dayNumber(isoDate);
}

/** The last second of the year 2199. */
const lastInstant = 7_258_118_399;
// The usual notation, on a day that every month has: Date.parse reads it correctly and fast.
const plainInstant =
  /^\d{4}-\d\d-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** An instant, read as epoch seconds. A time without its offset is refused: it is ambiguous. */
export const instant: FieldType<number> = {
  words: 'an instant: ISO 8601 with its offset (2025-03-30T09:15:00Z), or epoch seconds',
  missing: 0,
  plain: {
    as: 'instant',
    pattern: `${plainYear}-\\d\\d-\\d\\dT(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,3})?(?:Z|\\+00:00)`,
  },
  read(value) {
    if (typeof value === 'string') {
      if (plainInstant.test(value)) {
        const seconds = Math.floor(Date.parse(value) / 1000);
        if (seconds >= 0 && seconds <= lastInstant) return seconds;
      }
      const parts = instantPattern.exec(value);
      if (parts) {
        const day = dayOf(Number(parts[1]), Number(parts[2]), Number(parts[3]));
        const [hour, minute, second] = [Number(parts[4]), Number(parts[5]), Number(parts[6] ?? 0)];
        if (day === undefined || hour > 23 || minute > 59 || second > 60)
          return new CellError(`must be ${instant.words}`);
        const zone = parts[7]!;
        const offset =
          zone === 'Z'
            ? 0
            : (zone[0] === '-' ? -1 : 1) *
              (Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(-2)) * 60);
        if (Math.abs(offset) > offsetSecondsMax || Number(zone.slice(-2)) > 59)
          return new CellError(`must be ${instant.words}`);
        return day * 86_400 + hour * 3600 + minute * 60 + second - offset;
      }
      if (datePattern.test(value.slice(0, 10)) && value.length > 10)
        return new CellError('must carry its offset from UTC (…Z or …+01:00)');
    }
    const seconds = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
    if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 0)
      return new CellError(`must be ${instant.words}`);
    if (seconds > lastInstant) return new CellError('must be in seconds, not milliseconds');
    return seconds;
  },
};

/** An ISO 4217 code, in upper case. */
export const currency: FieldType<string> = {
  words: 'a currency code of three letters',
  missing: '',
  plain: { as: 'text', pattern: [...currencyCodes].join('|') },
  read(value) {
    if (typeof value !== 'string' || !/^[A-Za-z]{3}$/.test(value))
      return new CellError(`must be ${currency.words}`);
    const code = value.toUpperCase();
    return isCurrency(code) ? code : new CellError('must be a currency code of ISO 4217');
  },
};

/** Yes or no, read as 1 or 0. It may be missing, which is not the same as no. */
export const flagOrNone: FieldType<number | null> = {
  words: 'true or false',
  missing: null,
  read(value) {
    const given = typeof value === 'string' ? value.toLowerCase() : value;
    if (given === true || given === 'true' || given === 1 || given === '1') return 1;
    if (given === false || given === 'false' || given === 0 || given === '0') return 0;
    return new CellError(`must be ${flagOrNone.words}`);
  },
};

/** One of a list of words, whatever their case. `spellings` maps other spellings to a word. */
export function oneOf(
  words: readonly string[],
  missing: string,
  spellings: Readonly<Record<string, string>> = {},
): FieldType<string> {
  const known = new Map(words.map((word) => [word.toLowerCase(), word]));
  for (const [spelling, word] of Object.entries(spellings)) known.set(spelling.toLowerCase(), word);
  return {
    words: `one of ${words.join(', ')}`,
    missing,
    plain: { as: 'text', pattern: words.join('|') },
    read(value) {
      const found =
        typeof value === 'string'
          ? (known.get(value) ?? known.get(value.toLowerCase()))
          : undefined;
      return found ?? new CellError(`must be one of ${words.join(', ')}`);
    },
  };
}

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The day number of a date of the Gregorian calendar; undefined if there is no such date. */
function dayOf(year: number, month: number, day: number): number | undefined {
  if (year < yearMin || year > yearMax || month < 1 || month > 12 || day < 1) return undefined;
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 1 : 0;
  if (day > monthLengths[month - 1]! + leap) return undefined;
  return Date.UTC(year, month - 1, day) / 86_400_000;
}
