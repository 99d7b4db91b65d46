/** Exact arithmetic with the amounts of orders. What is no amount is handed on, so that the check of the item refuses it in words. */
import { amount, amountText, CellError, count, millionthsOf } from '../../cells/fields.ts';

/** A price of that many units. */
export function timesOf(price: unknown, quantity: unknown): unknown {
  const [read, units] = [amount.read(price), count().read(quantity)];
  return read instanceof CellError || units instanceof CellError
    ? price
    : amountText(millionthsOf(read) * BigInt(units));
}

/** The sum of amounts; missing ones count nothing. */
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

/** The first amount less the second. */
export function differenceOf(one: unknown, other: unknown): unknown {
  const [first, second] = [amount.read(one), amount.read(other)];
  return first instanceof CellError || second instanceof CellError
    ? one
    : amountText(millionthsOf(first) - millionthsOf(second));
}
