/** Columns of figures, and sums of them. */
/**
 * A column that is summed: a count, an amount of money, or a weight, a plain number in millionths.
 */
export type Column<
  Name extends string = string,
  Type extends 'count' | 'amount' | 'weight' = 'count' | 'amount' | 'weight',
> = { readonly name: Name; readonly type: Type };

/** A column of counts. */
export function countColumn<const Name extends string>(name: Name): Column<Name, 'count'> {
  return { name, type: 'count' };
}

/** A column of amounts of money. */
export function amountColumn<const Name extends string>(name: Name): Column<Name, 'amount'> {
  return { name, type: 'amount' };
}

/** A column of plain numbers in millionths. */
export function weightColumn<const Name extends string>(name: Name): Column<Name, 'weight'> {
  return { name, type: 'weight' };
}

/** The value of each column: a number for counts, a bigint for amounts and weights. */
export type ValuesOf<C extends Column> = {
  [One in C as One['name']]: One['type'] extends 'count' ? number : bigint;
};

/** The columns of amounts. */
export function amountNames<C extends Column>(
  columns: readonly C[],
): Extract<C, { type: 'amount' }>['name'][] {
  return columns.filter(({ type }) => type === 'amount').map(({ name }) => name);
}
