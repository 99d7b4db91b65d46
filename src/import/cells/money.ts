/** Money, units and names in financial documents of JSON. */
import { part } from '../documents/kind.ts';
import { amount, CellError, count, currency, millionthsOf } from './fields.ts';

const units = count(-1e12);

/** A sum of money: its ISO 4217 code and millionths of its unit. */
export type Money = { readonly currency: string; readonly millionths: bigint };

/** How a source writes money. */
export type MoneyNames = { readonly amount: string; readonly currency: string };

/** Reads money, in the `own` currency if it names none; undefined, which is not 0, if there is none. */
export function moneyIn(
  value: unknown,
  names: MoneyNames,
  own: string,
): Money | CellError | undefined {
  const cell = part(value, names.amount) ?? undefined;
  if (cell === undefined || cell === '') return undefined;
  const decimal = amount.read(cell);
  if (decimal instanceof CellError) return decimal;
  const code = currency.read(part(value, names.currency) ?? own);
  return code instanceof CellError ? code : { currency: code, millionths: millionthsOf(decimal) };
}

/** A whole number of units; 0 if there is none. */
export function unitsIn(value: unknown): number {
  const read = units.read(value);
  return read instanceof CellError ? 0 : read;
}

/** The text under a name; "" if there is none. */
export function textAt(value: unknown, name: string): string {
  const text = part(value, name);
  return typeof text === 'string' ? text : '';
}
