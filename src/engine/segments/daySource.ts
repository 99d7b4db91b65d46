/** Sources of facts by day: a question with the columns of its answer. */
import { type ColumnType, rollups } from '../../../schema/warehouse/tables.ts';
import type { DateRange } from '../../calendar/period.ts';
import type { Column } from '../../figures/columns.ts';
import { type Question, questionFile } from '../question.ts';
import type { Parameters, Row } from '../warehouse.ts';

/** The days of a segment of few rows a day: about three years. */
const segmentDaysOfFew = 1_024;

/** Those of a segment of many rows a day. */
export const itemSegmentDays = 32;

/** The columns of an answer besides `channel` and `day`. */
export type TableColumns = {
  readonly texts: readonly string[];
  /** Counts and other small whole numbers. */
  readonly counts: readonly string[];
  /** Amounts and weights, in millionths. */
  readonly amounts: readonly string[];
};

/**
 * A question with the parameters `channels`, `first` and `last`, and with those that `parametersOf`
 * adds for a range. Each row has a `channel` and a `day` between `first` and `last`. The answer for
 * a range is the union of the answers for the parts of the range.
 */
export type DaySource = TableColumns & {
  readonly question: Question;
  /** Distinguishes the sources of one question, for example by the zone of days; may be empty. */
  readonly variant: string;
  readonly parametersOf: (range: DateRange) => Parameters;
  /** The days of a segment. */
  readonly segmentDays: number;
};

type Variation = Pick<DaySource, 'variant' | 'parametersOf'>;
const unvaried: Variation = { variant: '', parametersOf: () => ({}) };

type Dated = Row & { readonly channel: number; readonly day: number };

/** Declares a source of few rows a day; its columns are those of the answer. */
export function daySource(
  question: Question<Dated>,
  columns: TableColumns,
  variation: Variation = unvaried,
): DaySource {
  return { question, ...columns, ...variation, segmentDays: segmentDaysOfFew };
}

/** Declares a source of many rows a day, such as figures of campaigns. */
export function itemSource(
  question: Question<Dated>,
  columns: TableColumns,
  variation: Variation = unvaried,
): DaySource {
  return { question, ...columns, ...variation, segmentDays: itemSegmentDays };
}

/** The days of the segments that hold a range. */
export function enclosingSegments(
  { first, last }: DateRange,
  segmentDays = segmentDaysOfFew,
): DateRange {
  const start = (day: number) => Math.floor(day / segmentDays) * segmentDays;
  return { first: start(first), last: start(last) + segmentDays - 1 };
}

/** The columns of figures as those of tables. */
export function tableColumns(columns: readonly Column[]): Pick<TableColumns, 'counts' | 'amounts'> {
  const names = (isCount: boolean) =>
    columns.filter(({ type }) => (type === 'count') === isCount).map(({ name }) => name);
  return { counts: names(true), amounts: names(false) };
}

/** The source of the rows of a rollup, with all of its columns. */
export function rollupSource(name: string): DaySource {
  const { columns } = rollups.find((rollup) => rollup.name === name)!;
  const names = (...types: readonly ColumnType[]) =>
    Object.keys(columns).filter((one) => one !== 'day' && types.includes(columns[one]!));
  const body = questionFile<Dated>(import.meta.url, 'rows.sql', {
    table: name,
    columns: Object.keys(columns),
  });
  return daySource(body, {
    texts: names('Text'),
    counts: names('Int32', 'Int64'),
    amounts: names('Amount'),
  });
}
