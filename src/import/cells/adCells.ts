/** Cells as the advertising console writes them: dates of several spellings, and numbers with signs of currencies and thousands. */
import { date, dayOfDate } from './fields.ts';

/** A date that was read: its day number, with the order of its parts where they tell it, or both readings where they do not. */
export type WrittenDate =
  | { readonly day: number; readonly order: 'day first' | 'month first' }
  | { readonly day: number }
  | { readonly dayFirst: number; readonly monthFirst: number };

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Day 0 of Excel's serial numbers, as every date after February 1900 counts. */
const excelEpoch = -25_569;
/** Serial numbers of the years 1982 to 2091: smaller or larger numbers are something else. */
const serialMin = 30_000;
const serialMax = 70_000;

/** Reads a date; undefined where the text is none. */
export function writtenDate(text: string): WrittenDate | undefined {
  const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/.exec(text);
  if (yearFirst) return only(dayOf(yearFirst[1]!, yearFirst[2]!, yearFirst[3]!));
  if (/^\d{5}(?:\.\d+)?$/.test(text)) {
    const serial = Math.floor(Number(text));
    return serial >= serialMin && serial <= serialMax ? { day: serial + excelEpoch } : undefined;
  }
  const byName = /^([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})$/i.exec(text);
  if (byName) return only(dayOf(byName[3]!, monthOf(byName[1]!), byName[2]!));
  const dayThenName = /^(\d{1,2})[-. ]+([a-z]{3})[a-z]*\.?[- ,]+(\d{4})$/i.exec(text);
  if (dayThenName) return only(dayOf(dayThenName[3]!, monthOf(dayThenName[2]!), dayThenName[1]!));
  // Points stand between day and month only where the day comes first.
  const points = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text);
  if (points) return only(dayOf(points[3]!, points[2]!, points[1]!));
  const strokes = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(text);
  if (!strokes) return undefined;
  const dayFirst = dayOf(strokes[3]!, strokes[2]!, strokes[1]!);
  const monthFirst = dayOf(strokes[3]!, strokes[1]!, strokes[2]!);
  if (dayFirst === undefined)
    return monthFirst === undefined ? undefined : { day: monthFirst, order: 'month first' };
  if (monthFirst === undefined) return { day: dayFirst, order: 'day first' };
  return dayFirst === monthFirst ? { day: dayFirst } : { dayFirst, monthFirst };
}

function only(day: number | undefined): WrittenDate | undefined {
  return day === undefined ? undefined : { day };
}

function monthOf(name: string): string {
  return String(months.indexOf(name.toLowerCase()) + 1);
}

function dayOf(year: string, month: string, day: string): number | undefined {
  const read = date.read(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
  return typeof read === 'string' ? dayOfDate(read) : undefined;
}

/** A currency by its code, by its sign with or without letters before it, or by the letters that are its sign. */
const currencySign = '(?:[A-Z]{0,3}\\p{Sc}|[A-Z]{3}|zł|kr|TL)';
const number = new RegExp(
  `^(-?) ?${currencySign}? ?(-?)(\\d[\\d.,' ]*|[.,]\\d+) ?(${currencySign})?$`,
  'u',
);

/**
 * An amount ("$1,234.56", "1.234,56 €", "-5") as a plain decimal, "" where the cell says that there is none; undefined where it is no
 * amount, or may be read in two ways.
 */
export function moneyOf(text: string): string | undefined {
  return plainOf(text, false);
}

/** The same of a whole number, in which every point or comma parts thousands. */
export function countOf(text: string): string | undefined {
  return plainOf(text, true);
}

function plainOf(text: string, isCount: boolean): string | undefined {
  const trimmed = text.replaceAll(/[\s\u00a0\u202f]+/g, ' ').trim();
  if (/^[-–—]*$/.test(trimmed)) return '';
  // As JSON and spreadsheets write small and large numbers.
  if (/^-?\d+(?:\.\d+)?[eE][+-]?\d{1,2}$/.test(trimmed)) return trimmed;
  const parts = number.exec(trimmed);
  if (!parts) return undefined;
  const digits = parts[3]!.replaceAll(/[' ]/g, '');
  const sign = parts[1] !== '' || parts[2] !== '' ? '-' : '';
  const plain = decimalOf(digits, isCount, parts[4] !== undefined);
  return plain === undefined ? undefined : sign + plain;
}

/** Which of point and comma parts thousands: the one that comes first, or again, or in a whole number before each three digits. */
function decimalOf(digits: string, isCount: boolean, currencyBehind: boolean): string | undefined {
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  if (last < 0) return digits;
  const mark = digits[last]!;
  const other = mark === '.' ? ',' : '.';
  const grouped = (text: string, by: string) =>
    new RegExp(`^\\d{1,3}(?:\\${by}\\d{3})+$`).test(text);
  if (digits.includes(other)) {
    const whole = digits.slice(0, last);
    return grouped(whole, other) && !digits.slice(last + 1).includes(mark)
      ? `${whole.replaceAll(other, '')}.${digits.slice(last + 1)}`
      : undefined;
  }
  const looksGrouped = grouped(digits, mark) && !digits.startsWith('0');
  if (digits.indexOf(mark) !== last) return looksGrouped ? digits.replaceAll(mark, '') : undefined;
  if (looksGrouped && (isCount || mark === ',')) {
    // Where the sign of the currency stands behind, a comma is as likely to be that of decimals.
    return !isCount && currencyBehind ? undefined : digits.replaceAll(mark, '');
  }
  if (looksGrouped && currencyBehind) return undefined;
  return digits.replace(mark, '.').replace(/^\./, '0.').replace(/\.$/, '');
}
