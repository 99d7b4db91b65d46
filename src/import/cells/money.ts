/** Money, units and names as financial documents of JSON tell them. */

import { part } from '../documents/kind.ts';
import { amount, count, currency, millionthsOf, type Refusal } from './fields.ts';

const units = count(-1e12);

/** A sum of money: its ISO 4217 code and millionths of its unit. */
export type Money = { readonly currency: string; readonly millionths: bigint };

/** How a source writes money. */
export type MoneyNames = { readonly amount: string; readonly currency: string };

/**
 * The money that a value tells, in the `own` currency where it names none. Undefined where it tells none, which is not the same as 0; a refusal
 * where it cannot be read.
 */
export function moneyIn(
  value: unknown,
  names: MoneyNames,
  own: string,
): Money | Refusal | undefined {
  const told = part(value, names.amount) ?? undefined;
  if (told === undefined || told === '') return undefined;
  const millionths = amount.read(told);
  if (typeof millionths !== 'string') return millionths;
  const code = currency.read(part(value, names.currency) ?? own);
  return typeof code === 'string'
    ? { currency: code.slice(1, -1), millionths: millionthsOf(millionths) }
    : code;
}

/** A whole number of units, 0 where none is told. */
export function unitsIn(value: unknown): number {
  const read = units.read(value);
  return typeof read === 'string' ? Number(read) : 0;
}

/** The text under that name, "" where there is none. */
export function textAt(value: unknown, name: string): string {
  const text = part(value, name);
  return typeof text === 'string' ? text : '';
}
