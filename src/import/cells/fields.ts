/**
 * The kinds of fields that imported rows have. A kind reads a value, as JSON or CSV gives it, into the text that stands for it in a
 * staged file, or says why it cannot.
 */
import { Decimal } from 'decimal.js';
import { dayNumber } from '../../calendar/period.ts';

/** Says why a value is refused. Never repeats the value of a personal field. */
export class Refusal {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

/** A kind of field. */
export type Kind = {
  /** The kind in words, for documentation and reasons: "a date (YYYY-MM-DD)". */
  readonly words: string;
  readonly read: (value: unknown) => string | Refusal;
  /** The staged text of a field that is missing. */
  readonly missing: string;
};

const countMax = 1e12;
/** From this size on a double may lack digits that the source had at the sixth place. */
export const exactBelow = 4e9;
const decimalPattern = /^-?(?:\d{1,12})(?:\.\d{1,6})?$/;
const longDecimalPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?$/;
const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const instantPattern =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;
/** No zone is further from UTC. */
const offsetSecondsMax = 15 * 3600;
const yearMin = 1970;
const yearMax = 2199;

// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is looked for, besides quotes and halves of characters.
const unusual = /["\u0000\ud800-\udfff]/;

/** The text as a cell of a staged file. */
export function cell(text: string): string {
  return text.includes('"') ? `"${text.replaceAll('"', '""')}"` : `"${text}"`;
}

/** The text that a cell of a staged file holds. */
export function textOf(cell: string): string {
  return cell.slice(1, -1).replaceAll('""', '"');
}

/** A staged number in millionths. */
export function millionthsOf(staged: string): bigint {
  const [whole, fraction = ''] = staged.split('.') as [string, string?];
  return BigInt(whole + fraction.padEnd(6, '0'));
}

/** An amount in millionths as staged text. */
export function amountText(millionths: bigint): string {
  const digits = (millionths < 0n ? -millionths : millionths).toString().padStart(7, '0');
  return `${millionths < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Free text of at most so many characters. */
export function text(lengthMax: number, lengthMin = 0): Kind {
  const words = `text of ${lengthMin > 0 ? `${lengthMin} to` : 'at most'} ${lengthMax} characters`;
  return {
    words,
    missing: '""',
    read(value) {
      let given: string;
      if (typeof value === 'string') given = value;
      else if (typeof value === 'number') given = String(value);
      else return new Refusal(`must be ${words}`);
      if (given.length < lengthMin || given.length > lengthMax)
        return new Refusal(`must be ${words}`);
      if (!unusual.test(given)) return `"${given}"`;
      if (given.includes('\u0000')) return new Refusal('holds a NUL character');
      return given.isWellFormed()
        ? cell(given)
        : new Refusal('holds half a character (a lone surrogate)');
    },
  };
}

/**
 * The identifier of something in the advertising console. It may be a number beyond what doubles hold, so it is kept as text; a number that is
 * not written in full is refused, because its last digits are lost.
 */
export const entityId: Kind = {
  words: 'an identifier of at most 200 characters, a number among them written in full',
  missing: '""',
  read(value) {
    const isWhole =
      typeof value === 'number'
        ? Number.isSafeInteger(value) && value >= 0
        : !/^[+-]?[\d.,]+e[+-]?\d+$/i.test(String(value).trim());
    return isWhole ? text(200, 1).read(value) : new Refusal(`must be ${entityId.words}`);
  },
};

const plainCount = /^(?:0|[1-9]\d{0,11})$/;

/** A whole number, by default not negative. */
export function count(least = 0): Kind {
  const words = least === 0 ? 'a whole number, 0 or more' : 'a whole number';
  return {
    words,
    missing: '0',
    read(value) {
      if (typeof value === 'string' && plainCount.test(value)) return value;
      const given =
        typeof value === 'number'
          ? value
          : typeof value === 'string' && /^[+-]?\d{1,15}(?:\.0+)?$/.test(value)
            ? Number(value)
            : Number.NaN;
      if (!Number.isInteger(given) || given < least || Math.abs(given) > countMax)
        return new Refusal(`must be ${words}`);
      return String(given === 0 ? 0 : given);
    },
  };
}

/** Money or another decimal of at most twelve digits before the point; digits behind the sixth place are rounded, half away from zero. */
export const amount: Kind = {
  words: 'a decimal number such as 12.34',
  missing: '0',
  read(value) {
    if (typeof value === 'number' && value < exactBelow && value > -exactBelow) {
      if (Number.isInteger(value)) return String(value);
      const millionths = value * 1e6;
      // Printing is much faster than decimal arithmetic, and the same wherever the seventh place is not near a half.
      if (Math.abs(millionths - Math.round(millionths)) < 0.4) return value.toFixed(6);
    }
    const given = typeof value === 'number' ? String(value) : value;
    if (typeof given !== 'string') return new Refusal(`must be ${amount.words}`);
    if (decimalPattern.test(given)) return given;
    if (!longDecimalPattern.test(given)) return new Refusal(`must be ${amount.words}`);
    const rounded = new Decimal(given).toDecimalPlaces(6, Decimal.ROUND_HALF_UP);
    if (rounded.abs().gte(countMax)) return new Refusal('must be below 1,000,000,000,000');
    return rounded.isZero() ? '0' : rounded.toFixed();
  },
};

/** An amount that may be missing, which is not the same as 0: then it is "". */
export const amountOrNone: Kind = { ...amount, missing: '' };

/** A percentage from 0 to 100; "" when missing, which is not the same as 0. */
export const percentage: Kind = {
  words: 'a percentage from 0 to 100',
  missing: '',
  read(value) {
    const given = amount.read(value);
    if (typeof given !== 'string' || Number(given) < 0 || Number(given) > 100)
      return new Refusal(`must be ${percentage.words}`);
    return given;
  },
};

/** A positive factor. */
export const factor: Kind = {
  words: 'a number above 0',
  missing: '0',
  read(value) {
    const given =
      typeof value === 'string' && longDecimalPattern.test(value) ? Number(value) : value;
    if (typeof given !== 'number' || !Number.isFinite(given) || given <= 0)
      return new Refusal(`must be ${factor.words}`);
    return String(given);
  },
};

// The rows of a document fall on few dates.
const knownDates = new Map<string, number>();
const datesRemembered = 100_000;

/** A calendar date. */
export const date: Kind = {
  words: 'a date (YYYY-MM-DD)',
  missing: '',
  read(value) {
    if (typeof value !== 'string') return new Refusal(`must be ${date.words}`);
    if (knownDates.has(value)) return value;
    const parts = datePattern.exec(value);
    const day = parts ? dayOf(Number(parts[1]), Number(parts[2]), Number(parts[3])) : undefined;
    if (day === undefined) return new Refusal(`must be ${date.words}`);
    if (knownDates.size < datesRemembered) knownDates.set(value, day);
    return value;
  },
};

/** A month, staged as its first date. */
export const month: Kind = {
  words: 'a month (YYYY-MM)',
  missing: '',
  read(value) {
    const first =
      typeof value === 'string' && /^\d{4}-\d{2}$/.test(value)
        ? date.read(`${value}-01`)
        : undefined;
    return typeof first === 'string' ? first : new Refusal(`must be ${month.words}`);
  },
};

/** A calendar date, kept as text that may be empty. */
export const optionalDate: Kind = {
  words: date.words,
  missing: '""',
  read(value) {
    const read = date.read(value);
    return typeof read === 'string' ? `"${read}"` : read;
  },
};

/** The day number of a date that has been read. */
export function dayOfDate(isoDate: string): number {
  return knownDates.get(isoDate) ?? dayNumber(isoDate);
}

/** The last second of the year 2199. */
const lastInstant = 7_258_118_399;
// The usual way to write an instant, on a day that every month has: what the runtime reads rightly by itself, and fast.
const plainInstant =
  /^\d{4}-\d\d-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** An instant, staged as epoch seconds. A time without its offset names no instant and is refused. */
export const instant: Kind = {
  words: 'an instant: ISO 8601 with its offset (2025-03-30T09:15:00Z), or epoch seconds',
  missing: '0',
  read(value) {
    if (typeof value === 'string') {
      if (plainInstant.test(value)) {
        const seconds = Math.floor(Date.parse(value) / 1000);
        if (seconds >= 0 && seconds <= lastInstant) return String(seconds);
      }
      const parts = instantPattern.exec(value);
      if (parts) {
        const day = dayOf(Number(parts[1]), Number(parts[2]), Number(parts[3]));
        const [hour, minute, second] = [Number(parts[4]), Number(parts[5]), Number(parts[6] ?? 0)];
        if (day === undefined || hour > 23 || minute > 59 || second > 60)
          return new Refusal(`must be ${instant.words}`);
        const zone = parts[7]!;
        const offset =
          zone === 'Z'
            ? 0
            : (zone[0] === '-' ? -1 : 1) *
              (Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(-2)) * 60);
        if (Math.abs(offset) > offsetSecondsMax || Number(zone.slice(-2)) > 59)
          return new Refusal(`must be ${instant.words}`);
        return String(day * 86_400 + hour * 3600 + minute * 60 + second - offset);
      }
      if (datePattern.test(value.slice(0, 10)) && value.length > 10)
        return new Refusal('must carry its offset from UTC (…Z or …+01:00)');
    }
    const seconds = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
    if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 0)
      return new Refusal(`must be ${instant.words}`);
    if (seconds > lastInstant) return new Refusal('must be in seconds, not milliseconds');
    return String(seconds);
  },
};

/** An ISO 4217 code, in upper case. */
export const currency: Kind = {
  words: 'a currency code of three letters',
  missing: '',
  read(value) {
    if (typeof value !== 'string' || !/^[A-Za-z]{3}$/.test(value))
      return new Refusal(`must be ${currency.words}`);
    return `"${value.toUpperCase()}"`;
  },
};

/** Yes or no, staged as 1 or 0. */
export const flag: Kind = {
  words: 'true or false',
  missing: '0',
  read(value) {
    const given = typeof value === 'string' ? value.toLowerCase() : value;
    if (given === true || given === 'true' || given === 1 || given === '1') return '1';
    if (given === false || given === 'false' || given === 0 || given === '0') return '0';
    return new Refusal(`must be ${flag.words}`);
  },
};

/** One of a list of words, matched without regard to case; `spellings` names other ways to write one. */
export function oneOf(
  words: readonly string[],
  missing: string,
  spellings: Readonly<Record<string, string>> = {},
): Kind {
  const known = new Map(words.map((word) => [word.toLowerCase(), `"${word}"`]));
  for (const [spelling, word] of Object.entries(spellings))
    known.set(spelling.toLowerCase(), `"${word}"`);
  return {
    words: `one of ${words.join(', ')}`,
    missing: `"${missing}"`,
    read(value) {
      const found =
        typeof value === 'string'
          ? (known.get(value) ?? known.get(value.toLowerCase()))
          : undefined;
      return found ?? new Refusal(`must be one of ${words.join(', ')}`);
    },
  };
}

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Days since 1970-01-01 of a date of the Gregorian calendar, undefined where there is no such date. */
function dayOf(year: number, month: number, day: number): number | undefined {
  if (year < yearMin || year > yearMax || month < 1 || month > 12 || day < 1) return undefined;
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 1 : 0;
  if (day > monthLengths[month - 1]! + leap) return undefined;
  return Date.UTC(year, month - 1, day) / 86_400_000;
}
