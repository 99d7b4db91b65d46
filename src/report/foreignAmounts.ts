/** The amounts of tables of facts in other currencies than that of the answer. */
import type { DateRange } from '../calendar/period.ts';
import { enclosing } from '../calendar/windows.ts';
import type { DayTable } from '../engine/segments/dayTable.ts';
import { extentOf } from './sales.ts';

/** The currencies that have amounts in a range, and the days from the first to the last fact. */
export type ForeignAmounts = {
  readonly currencies: ReadonlySet<string>;
  readonly days: DateRange;
};

/** Finds the currencies other than `own` in which a fact of the range has one of these amounts. */
export function foreignAmounts(
  own: string,
  tables: readonly DayTable[],
  range: DateRange,
  names: readonly string[],
): ForeignAmounts {
  const currencies = new Set<string>();
  for (const table of tables) {
    if (table.isIn(own)) continue;
    const [start, end] = table.rowsOf(range);
    const codes = table.texts('currency');
    const amounts = names.map((name) => table.numbers(name));
    for (let row = start; row < end; row++) {
      const currency = codes.at(row);
      if (currency === own || currencies.has(currency)) continue;
      if (amounts.some((column) => column.at(row) !== 0)) currencies.add(currency);
    }
  }
  return { currencies, days: extentOf(tables, range) };
}

/** The foreign amounts of several parts of an answer together. */
export function joinedAmounts(parts: readonly ForeignAmounts[]): ForeignAmounts {
  return {
    currencies: new Set(parts.flatMap(({ currencies }) => [...currencies])),
    days: enclosing(parts.map(({ days }) => days)),
  };
}
