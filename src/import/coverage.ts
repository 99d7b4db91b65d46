/** The days and instants that a document covers, collected while it is read. */
import type { DateRange } from '../engine/warehouse.ts';

const secondsPerDay = 86_400;

/** A range of epoch seconds, both ends inclusive. */
export type InstantRange = { readonly from: number; readonly to: number };

/** The coverage of a document, per table. */
export type DocumentCoverage = {
  /** The first and last day of its accepted rows, as day numbers. */
  readonly days: Readonly<Record<string, DateRange>>;
  /** The first and last instant of accepted rows and claims, in tables of instants. */
  readonly times: Readonly<Record<string, InstantRange>>;
  /** The partitions of those days that it covers; if there are none, it covers all of them. */
  readonly partitions: Readonly<Record<string, readonly string[]>>;
  /** The ranges in which it supersedes existing rows, in tables replaced by unit. */
  readonly instants: Readonly<Record<string, readonly InstantRange[]>>;
  /** Existing advertising figures that it supersedes, per table, as `partition@id@last day`. */
  readonly superseded: Readonly<Record<string, ReadonlySet<string>>>;
  /** The most detail of its rows, as an index into the `details` of their table. */
  readonly details: Readonly<Record<string, number>>;
  /** The days of its rows by table and partition, in tables with multi-day rows. */
  readonly grains: Readonly<Record<string, Readonly<Record<string, Grain>>>>;
};

/** The days of the rows of one table and partition. */
export type Grain = {
  /** The dates of single-day rows. */
  readonly days: ReadonlySet<number>;
  /** The date ranges of multi-day rows, by their text. */
  readonly spans: ReadonlyMap<string, DateRange>;
  /** In tables with `spansByRow`: the first and last day of the rows of each key. */
  readonly keys: ReadonlyMap<string, DateRange>;
};

/** The number of keys of rows to note. A document with more counts as if it had every key. */
export const rowKeysMax = 200_000;

type CollectedGrain = {
  days: Set<number>;
  spans: Map<string, DateRange>;
  keys: Map<string, { first: number; last: number }>;
};

/** Collects the coverage of a document. */
export class CoverageCollector implements DocumentCoverage {
  readonly days: Record<string, { first: number; last: number }> = {};
  readonly times: Record<string, InstantRange> = {};
  readonly partitions: Record<string, string[]> = {};
  readonly instants: Record<string, InstantRange[]> = {};
  readonly superseded: Record<string, Set<string>> = {};
  readonly grains: Record<string, Record<string, CollectedGrain>> = {};
  readonly details: Record<string, number> = {};

  /** Extends the table's days to include a day. */
  addDay(table: string, day: number): void {
    const range = this.days[table];
    if (!range) this.days[table] = { first: day, last: day };
    else if (day < range.first) range.first = day;
    else if (day > range.last) range.last = day;
  }

  /** Extends the table's days to include the UTC day of an instant, and its times the instant. */
  addInstant(table: string, instant: number): void {
    const { from, to } = this.times[table] ?? { from: instant, to: instant };
    if (instant < from || instant > to || this.days[table] === undefined) {
      this.times[table] = { from: Math.min(from, instant), to: Math.max(to, instant) };
      this.addDay(table, Math.floor(instant / secondsPerDay));
    }
  }

  /** Adds the days of a row, with its key in tables with `spansByRow`. */
  addSpan(table: string, partition: string, { first, last }: DateRange, rowKey?: string): void {
    this.grains[table] ??= {};
    const ofTable = this.grains[table];
    ofTable[partition] ??= { days: new Set(), spans: new Map(), keys: new Map() };
    const { days, spans, keys } = ofTable[partition];
    if (first === last) days.add(first);
    else spans.set(`${first}-${last}`, { first, last });
    if (rowKey === undefined) return;
    const known = keys.get(rowKey);
    if (known) {
      known.first = Math.min(known.first, first);
      known.last = Math.max(known.last, last);
    } else if (keys.size <= rowKeysMax) keys.set(rowKey, { first, last });
  }

  /** Notes the detail of a row. */
  addDetail(table: string, detail: number): void {
    this.details[table] = Math.max(detail, this.details[table] ?? 0);
  }

  /** Notes that existing figures are superseded, by their partition, id and last day. */
  supersede(table: string, row: string): void {
    this.superseded[table] ??= new Set();
    this.superseded[table].add(row);
  }

  /** Adds a range of instants at which existing rows are superseded. */
  addSuperseded(table: string, range: InstantRange): void {
    this.instants[table] ??= [];
    this.instants[table].push(range);
  }

  /** Adds a partition of the table. */
  addPartition(table: string, partition: string): void {
    this.partitions[table] ??= [];
    if (!this.partitions[table].includes(partition)) this.partitions[table].push(partition);
  }

  /** The coverage as plain data, to be sent to another thread. */
  get collected(): DocumentCoverage {
    const { days, times, partitions, instants, superseded, details, grains } = this;
    return { days, times, partitions, instants, superseded, details, grains };
  }
}
