/** The days and instants that a document covers, collected while it is read. */
import type { DateRange } from '../engine/warehouse.ts';

/** A range of epoch seconds, both ends included. */
export type InstantRange = { readonly from: number; readonly to: number };

/** The coverage of a document, per table. */
export type DocumentCoverage = {
  /** The first and last day of its accepted rows, as day numbers. */
  readonly days: Readonly<Record<string, DateRange>>;
  /** The partitions of those days that it covers. Without any it covers all of them. */
  readonly partitions: Readonly<Record<string, readonly string[]>>;
  /** The instants at which it supersedes existing rows, in tables replaced by unit. */
  readonly instants: Readonly<Record<string, InstantRange>>;
};

/** Collects the coverage of a document. */
export class CoverageCollector implements DocumentCoverage {
  readonly days: Record<string, { first: number; last: number }> = {};
  readonly partitions: Record<string, string[]> = {};
  readonly instants: Record<string, InstantRange> = {};

  /** Extends the table's days to include a day. */
  addDay(table: string, day: number): void {
    const range = this.days[table];
    if (!range) this.days[table] = { first: day, last: day };
    else if (day < range.first) range.first = day;
    else if (day > range.last) range.last = day;
  }

  /** Adds a partition of the table. */
  addPartition(table: string, partition: string): void {
    this.partitions[table] ??= [];
    if (!this.partitions[table].includes(partition)) this.partitions[table].push(partition);
  }

  /** The coverage as plain data, to be sent to another thread. */
  get collected(): DocumentCoverage {
    const { days, partitions, instants } = this;
    return { days, partitions, instants };
  }
}
