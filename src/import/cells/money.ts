/**
 * Amounts and counts as documents write them. An amount such as 1.234 has two readings. A single
 * cell is refused if neither is more likely; the document as a whole may show which one is right.
 */
import { amount, amountText, CellError, count, currency, millionthsOf } from './fields.ts';
import { part } from './json.ts';

/** The decimal mark. */
export type DecimalMark = '.' | ',';

const otherMark = { '.': ',', ',': '.' } as const;
/** A currency code, a sign that may follow letters (US$), or letters used as a sign. */
const currencySign = '(?:[A-Z]{0,3}\\p{Sc}|[A-Z]{3}|zł|kr|TL|円)';
const written = new RegExp(
  `^(-?) ?${currencySign}? ?(-?)(\\d[\\d.,' ]*|[.,]\\d+) ?(${currencySign})?$`,
  'u',
);

/**
 * An amount ("$1,234.56", "1.234,56 €", "-5", "(5)", "5-") as a plain decimal; "" for a blank cell
 * or a dash. Undefined for anything else, and if the amount has two readings and the decimal mark
 * is unknown.
 */
export function readAmount(text: string, mark?: DecimalMark): string | undefined {
  return readNumber(text, false, mark);
}

/** A whole number; every point or comma separates thousands. Otherwise like `readAmount`. */
export function readCount(text: string): string | undefined {
  return readNumber(text, true);
}

function readNumber(text: string, isCount: boolean, mark?: DecimalMark): string | undefined {
  const plain = plainSigns(text);
  if (/^-*$/.test(plain)) return '';
  // JSON and spreadsheets write small and large numbers in this notation.
  if (/^-?\d+(?:\.\d+)?[eE][+-]?\d{1,2}$/.test(plain)) return plain;
  const parts = written.exec(plain);
  if (!parts) return undefined;
  const digits = parts[3]!.replaceAll(/[' ]/g, '');
  const sign = parts[1] !== '' || parts[2] !== '' ? '-' : '';
  const read =
    mark === undefined
      ? plainDigits(digits, isCount, parts[4] !== undefined)
      : readAmountWith(digits, mark);
  return read === undefined ? undefined : sign + read;
}

/**
 * The text with one kind of space, minus and apostrophe, and with its minus in front. An amount in
 * brackets is negative, too.
 */
function plainSigns(text: string): string {
  const plain = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[‐-―−－]/g, '-')
    .replaceAll(/[’ʼ´`＇]/g, "'")
    .trim();
  const [, bracketed] = /^\((?=\D*\d)([^()-]*)\)$/.exec(plain) ?? [];
  if (bracketed !== undefined) return `-${bracketed.trim()}`;
  const [, before, behind = ''] = /^(?=\D*\d)([^-]*)-([^-\d]*)$/.exec(plain) ?? [];
  return before === undefined ? plain : `-${before.replace(/ $/, '')}${behind}`;
}

/** Whole digits in groups of three or, as in India, of two with a last group of three. */
function isGrouped(digits: string, by: DecimalMark): boolean {
  return new RegExp(
    `^(?:\\d{1,3}(?:\\${by}\\d{3})+|\\d{1,2}(?:\\${by}\\d{2})+\\${by}\\d{3})$`,
  ).test(digits);
}

/**
 * A thousands separator comes first, or several times, or before three digits of a whole number.
 */
function plainDigits(
  digits: string,
  isCount: boolean,
  isCurrencyBehind: boolean,
): string | undefined {
  const last = lastMark(digits);
  if (last < 0) return digits;
  const mark = digits[last] as DecimalMark;
  const other = otherMark[mark];
  if (digits.includes(other)) {
    const whole = digits.slice(0, last);
    return isGrouped(whole, other) && !digits.slice(last + 1).includes(mark)
      ? `${whole.replaceAll(other, '')}.${digits.slice(last + 1)}`
      : undefined;
  }
  const looksGrouped = isGrouped(digits, mark) && !digits.startsWith('0');
  const ungrouped = digits.replaceAll(mark, '');
  if (digits.indexOf(mark) !== last) return looksGrouped ? ungrouped : undefined;
  if (looksGrouped && isCount) return ungrouped;
  // Most languages that write the currency after the amount use a decimal comma.
  if (looksGrouped && isCurrencyBehind) return undefined;
  if (looksGrouped && mark === ',') return ungrouped;
  return digits.replace(mark, '.').replace(/^\./, '0.').replace(/\.$/, '');
}

function lastMark(digits: string): number {
  return Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
}

/** The decimal mark that an amount shows. */
export type MarkShown = {
  readonly mark: DecimalMark;
  /** Whether the amount has one reading; otherwise, with this mark, it is whole thousands. */
  readonly isClear: boolean;
};

/**
 * Finds the decimal mark that an amount shows; undefined without any mark. Points and commas of a
 * count separate thousands.
 */
export function markShownBy(text: string, isCount = false): MarkShown | undefined {
  const digits = text.replaceAll(/[^\d.,]/g, '').replace(/[.,]$/, '');
  const last = lastMark(digits);
  if (last < 0) return undefined;
  const mark = digits[last] as DecimalMark;
  const other = otherMark[mark];
  if (digits.includes(other)) return { mark, isClear: true };
  if (digits.indexOf(mark) !== last) return { mark: other, isClear: true };
  const looksGrouped = isGrouped(digits, mark) && !digits.startsWith('0');
  return looksGrouped ? { mark: other, isClear: isCount } : { mark, isClear: true };
}

const writtenWith: Readonly<Record<DecimalMark, RegExp>> = {
  '.': /^([-+]?)([1-9]\d{0,2}(?:,\d{2,3})*,\d{3}|\d+|(?=\.\d))(?:\.(\d*))?$/,
  ',': /^([-+]?)([1-9]\d{0,2}(?:\.\d{2,3})*\.\d{3}|\d+|(?=,\d))(?:,(\d*))?$/,
};

/**
 * An amount without a currency, with that decimal mark, as a plain decimal; undefined for anything
 * else.
 */
export function readAmountWith(text: string, mark: DecimalMark): string | undefined {
  const plain = plainSigns(text).replaceAll(/[ ']/g, '');
  const parts = writtenWith[mark].exec(plain);
  if (!parts) return undefined;
  const whole = parts[2]!.replaceAll(/[.,]/g, '') || '0';
  return `${parts[1] === '-' ? '-' : ''}${whole}${parts[3] ? `.${parts[3]}` : ''}`;
}

/** A sum of money: its ISO 4217 code and millionths of its unit. */
export type Money = { readonly currency: string; readonly millionths: bigint };

/** The names of an interface for the currency and the amount. */
export type MoneyNames = { readonly amount: string; readonly currency: string };

/**
 * The money of a JSON object, by default in the `own` currency. Undefined without an amount, which
 * is not the same as 0; a CellError if the amount is unreadable.
 */
export function moneyIn(
  value: unknown,
  names: MoneyNames,
  own: string,
): Money | CellError | undefined {
  const given = part(value, names.amount) ?? undefined;
  if (given === undefined || given === '') return undefined;
  const decimal = amount.read(given);
  if (decimal instanceof CellError) return decimal;
  const code = currency.read(part(value, names.currency) ?? own);
  return code instanceof CellError ? code : { currency: code, millionths: millionthsOf(decimal) };
}

const units = count(-1e12);

/** A whole number of units; 0 if the value is not one. */
export function unitsIn(value: unknown): number {
  const read = units.read(value);
  return read instanceof CellError ? 0 : read;
}

/**
 * The exact product of a price and a number of units. A value that is not an amount is returned as
 * it is, and then refused by the row's checks.
 */
export function timesOf(price: unknown, quantity: unknown): unknown {
  const [read, factor] = [amount.read(price), count().read(quantity)];
  return read instanceof CellError || factor instanceof CellError
    ? price
    : amountText(millionthsOf(read) * BigInt(factor));
}

/**
 * The exact sum of amounts; missing ones count as 0. A value that is not an amount is returned
 * instead.
 */
export function sumOf(amounts: readonly unknown[]): unknown {
  let sum = 0n;
  for (const one of amounts) {
    if (one === undefined || one === null || one === '') continue;
    const read = amount.read(one);
    if (read instanceof CellError) return one;
    sum += millionthsOf(read);
  }
  return amountText(sum);
}
