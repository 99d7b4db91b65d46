/**
 * Shared by reports that compare the figures of two windows: the period and the comparison period.
 */
import { localDay } from '../../../calendar/period.ts';
import { priorName } from '../../../contract/byPeriod.ts';
import type { DateRange } from '../../../engine/warehouse.ts';
import type { Sum } from '../../../figures/money.ts';
import type { Cell } from '../../../report/csv.ts';
import type { Digits, TypedColumn } from '../../../report/typedColumns.ts';
import {
  type Compared,
  type FigureSource,
  withComparison,
} from '../../../report/withComparison.ts';
import type { Write } from './report.ts';

/** The periods of a report and the zone of their dates. */
export type Periods = {
  readonly fromDate: number;
  readonly toDate: number;
  readonly priorFromDate?: number;
  readonly priorToDate?: number;
  readonly timezone: string;
};

/** The parameters of questions about dates in either window. */
export type Dates = DateRange & { readonly priorFirst: number; readonly priorLast: number };

/**
 * Amounts of one window in the channel's currency: exact ones in millionths, and converted ones in
 * units.
 */
export type Amounts<Name extends string> = { readonly [N in Name]: bigint } & {
  readonly [N in `${Name}_converted`]: number;
};

/** The amount with this name. */
export function amountOf<Name extends string>(amounts: Amounts<Name>, name: Name): Sum {
  const values = amounts as Readonly<Record<string, bigint | number>>;
  return { exact: values[name] as bigint, converted: values[`${name}_converted`] as number };
}

/** Rows of a page: their figures and texts fit in memory for any number of products. */
export const pageRowsMax = 100_000;

/** The dates of both windows; without a comparison period, the dates of the period twice. */
export function datesOf({ fromDate, toDate, timezone, ...prior }: Periods): Dates {
  const { priorFromDate = fromDate, priorToDate = toDate } = prior;
  return {
    first: localDay(timezone, fromDate),
    last: localDay(timezone, toDate),
    priorFirst: localDay(timezone, priorFromDate),
    priorLast: localDay(timezone, priorToDate),
  };
}

/**
 * The dates of the period and of the comparison period, if there is one; in each, both windows have
 * the same dates.
 */
export function dateWindowsOf(periods: Periods): readonly Dates[] {
  const { first, last, priorFirst, priorLast } = datesOf(periods);
  const alone = (from: number, to: number) => ({
    first: from,
    last: to,
    priorFirst: from,
    priorLast: to,
  });
  const period = alone(first, last);
  return periods.priorFromDate === undefined ? [period] : [period, alone(priorFirst, priorLast)];
}

/** Reads the rows of a report page by page, and their figures window by window. */
export type ComparedPages<Row, Window, Figures, Behind> = FigureSource<Row, Window, Figures> & {
  /** Rows of a page. */
  readonly most: number;
  /** The position before the first page. */
  readonly start: Behind;
  /** Reads the page of rows behind a position. */
  readonly page: (behind: Behind) => Promise<readonly Row[]>;
  readonly behindOf: (row: Row) => Behind;
};

/** Writes all rows of a report, page by page, with their figures of the windows. */
export async function writeCompared<Row, Window, Figures, Behind>(
  pages: ComparedPages<Row, Window, Figures, Behind>,
  windows: readonly Window[],
  write: Write<Compared<Row, Figures>>,
): Promise<void> {
  const { most, start, page, behindOf } = pages;
  let behind = start;
  for (let count = most; count === most; ) {
    const found = await page(behind);
    if (found.length === 0) return;
    // If a page has all rows, reading all figures is faster than selecting the figures of its rows.
    const isWhole = behind === start && found.length < most;
    const compared = withComparison(found, windows, {
      ...pages,
      read: (keys, window) => pages.read(isWhole ? [] : keys, window),
    });
    for await (const rows of compared) await write(rows);
    count = found.length;
    behind = behindOf(found.at(-1)!);
  }
}

/**
 * Makes columns of figures, alone or followed by their column of the comparison period, which is
 * blank without one.
 */
export function figureColumns<Row, Figures>({ priorFromDate }: Pick<Periods, 'priorFromDate'>) {
  type Both = Compared<Row, Figures>;
  const number = (name: string, digits: Digits, cell: (row: Both) => Cell): TypedColumn<Both> => ({
    name,
    type: 'number',
    digits,
    cell,
  });
  const text = (name: string, cell: (row: Both) => string): TypedColumn<Both> => ({
    name,
    type: 'text',
    cell,
  });
  const compared = (
    name: string,
    digits: Digits,
    cell: (figures: Figures) => Cell,
  ): TypedColumn<Both>[] => [
    number(name, digits, ({ current }) => cell(current)),
    number(priorName(name), digits, ({ prior }) =>
      priorFromDate === undefined ? null : cell(prior),
    ),
  ];
  return { number, text, compared };
}
