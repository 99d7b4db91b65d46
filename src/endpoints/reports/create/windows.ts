/**
 * Parts of reports that compare the figures of two windows: the period and the comparison period.
 * Their questions answer a row per window, the period (`is_current` 1) before the other (0).
 */
import { localDay } from '../../../calendar/period.ts';
import { priorName } from '../../../contract/byPeriod.ts';
import { bodyFile } from '../../../engine/question.ts';
import type { DateRange } from '../../../engine/warehouse.ts';
import type { Cell } from '../../../report/csv.ts';
import type { Sum } from '../../../report/money.ts';
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
type Dates = DateRange & { readonly priorFirst: number; readonly priorLast: number };

/** A row of a question: that of the report, with the figures of one window. */
export type WindowRow<Row, Figures> = Row & Figures & { readonly is_current: number };

/** Amounts of one window in the channel's currency: exact ones, and converted ones in units. */
export type Amounts<Name extends string> = { readonly [N in Name]: bigint } & {
  readonly [N in `${Name}_converted`]: number;
};

/** The sums of amounts of facts, as columns of a question; `day` is the column of their date. */
export function amountSums(names: readonly string[], day: string): string[] {
  return names.flatMap((name) => [
    `sum(unconverted(${name}, currency)) AS ${name}`,
    `CAST(sum_converted(${name}, currency, ${day}) AS DOUBLE) AS ${name}_converted`,
  ]);
}

/** The names of those columns. */
export function amountColumns(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, `${name}_converted`]);
}

/** The amount of a name. */
export function amountOf<Name extends string>(amounts: Amounts<Name>, name: Name): Sum {
  const values = amounts as Readonly<Record<string, bigint | number>>;
  return { exact: values[name] as bigint, converted: values[`${name}_converted`] as number };
}

/** Rows of a page: their figures and texts fit in memory however many products there are. */
export const pageRowsMax = 100_000;

/** The condition of questions that a date is in either window; datesOf() makes its parameters. */
export const inWindows = bodyFile(import.meta.url, 'inWindows.sql');

/** The dates of both windows: those of the period twice where there is no comparison period. */
export function datesOf({ fromDate, toDate, timezone, ...prior }: Periods): Dates {
  const { priorFromDate = fromDate, priorToDate = toDate } = prior;
  return {
    first: localDay(timezone, fromDate),
    last: localDay(timezone, toDate),
    priorFirst: localDay(timezone, priorFromDate),
    priorLast: localDay(timezone, priorToDate),
  };
}

/** The dates of the period and of the comparison period, if any, each as those of both windows. */
export function dateWindowsOf(periods: Periods): readonly Dates[] {
  const { first, last, priorFirst, priorLast } = datesOf(periods);
  const alone = (from: number, to: number) => ({
    ...{ first: from, last: to, priorFirst: from, priorLast: to },
  });
  const period = alone(first, last);
  return periods.priorFromDate === undefined ? [period] : [period, alone(priorFirst, priorLast)];
}

/** How the rows of a report are read page by page, and their figures window by window. */
export type ComparedPages<Row, Window, Figures, Behind> = FigureSource<Row, Window, Figures> & {
  /** Rows of a page. */
  readonly most: number;
  /** Where the first page begins. */
  readonly start: Behind;
  /** Reads the rows of the page behind a row. */
  readonly page: (behind: Behind) => Promise<readonly Row[]>;
  readonly behindOf: (row: Row) => Behind;
};

/** Rows that are written at once. */
const portionRows = 256;

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
    // Where a page has all rows, reading all figures takes less than choosing those of its rows.
    const isWhole = behind === start && found.length < most;
    const rows = await withComparison(found, windows, {
      ...pages,
      read: (keys, window) => pages.read(isWhole ? [] : keys, window),
    });
    for (let from = 0; from < rows.length; from += portionRows)
      await write(rows.slice(from, from + portionRows));
    count = rows.length;
    behind = behindOf(rows.at(-1)!);
  }
}

/** How the rows of a report are paired and read page by page. */
export type Pages<Row, Figures, Behind> = {
  /** Rows of a page. */
  readonly most: number;
  /** Where the first page begins. */
  readonly start: Behind;
  /** Reads the rows of the page behind a row, those of a row of the report after one another. */
  readonly read: (behind: Behind) => AsyncIterable<readonly WindowRow<Row, Figures>[]>;
  readonly behindOf: (row: Row) => Behind;
  readonly isSame: (a: Row, b: Row) => boolean;
  /** The figures of a window without facts. */
  readonly none: Figures;
};

/** Writes all rows of a report, page by page, so that memory stays flat. */
export async function writePages<Row, Figures, Behind>(
  pages: Pages<Row, Figures, Behind>,
  write: Write<Compared<Row, Figures>>,
): Promise<void> {
  const { most, start, read, behindOf } = pages;
  let behind = start;
  for (let count = most; count === most; ) {
    count = 0;
    for await (const rows of paired(read(behind), pages)) {
      await write(rows);
      count += rows.length;
      behind = behindOf(rows.at(-1)!);
    }
  }
}

type Pair<Row, Figures> = Row & { current: Figures; prior: Figures };

/** Joins the figures of both windows, which follow each other, to rows. */
async function* paired<Row, Figures>(
  portions: AsyncIterable<readonly WindowRow<Row, Figures>[]>,
  { isSame, none }: Pick<Pages<Row, Figures, unknown>, 'isSame' | 'none'>,
): AsyncGenerator<Compared<Row, Figures>[]> {
  let last: Pair<Row, Figures> | undefined;
  for await (const portion of portions) {
    const rows: Pair<Row, Figures>[] = [];
    for (const row of portion) {
      if (last && isSame(last, row)) {
        last.prior = row;
        continue;
      }
      if (last) rows.push(last);
      last = row.is_current
        ? { ...row, current: row, prior: none }
        : { ...row, current: none, prior: row };
    }
    if (rows.length > 0) yield rows;
  }
  if (last) yield [last];
}

/** The columns of figures, alone and with those of the comparison period, if there is one. */
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
