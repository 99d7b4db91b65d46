/** Columns of figures, and sums of them. */
import { type Exchange, exchangedAmount, type SeveralDays } from './exchange.ts';

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

type Values = Readonly<Record<string, number | bigint>>;

/** The sums of no facts. */
export function zeroSums<C extends Column>(columns: readonly C[]): ValuesOf<C> {
  return Object.fromEntries(
    columns.map(({ name, type }) => [name, type === 'count' ? 0 : 0n]),
  ) as ValuesOf<C>;
}

/** Adds facts of one or more days to sums; amounts are exchanged from their currency. */
export function addFacts<C extends Column>(
  sums: ValuesOf<C>,
  facts: ValuesOf<C> & { readonly currency: string; readonly day: number } & Partial<SeveralDays>,
  columns: readonly C[],
  exchange: Exchange,
): void {
  const [to, from] = [sums as Record<string, number | bigint>, facts as unknown as Values];
  for (const { name, type } of columns) {
    if (type === 'count') to[name] = (to[name] as number) + (from[name] as number);
    else if (type === 'weight') to[name] = (to[name] as bigint) + (from[name] as bigint);
    else
      to[name] =
        (to[name] as bigint) + exchangedAmount(facts, name, from[name] as bigint, exchange);
  }
}

/** The columns of amounts. */
export function amountNames<C extends Column>(
  columns: readonly C[],
): Extract<C, { type: 'amount' }>['name'][] {
  return columns.filter(({ type }) => type === 'amount').map(({ name }) => name);
}
