/**
 * The port to the warehouse, the store of facts. DuckDB serves it embedded, ClickHouse serves it to
 * several nodes.
 *
 * Questions read facts; only imports change them, each as a whole or not at all. Every fact belongs
 * to a channel, by the channel's number in the registry. Facts that belong to no customer, such as
 * exchange rates, belong to channel 0.
 */
import type { DateRange } from '../calendar/period.ts';
import type { Amendment } from './amendment.ts';
import type { FactsRange, WriteFile } from './copies.ts';
import type { StoreStatus } from './health.ts';
import type { PlainCoverage, PlainRows } from './plainRows.ts';
import type { Question } from './question.ts';
import type { Reads, Stamps } from './stamps.ts';
import type { Turn } from './turn.ts';
import type { Parameters, Row } from './values.ts';

export type { DateRange } from '../calendar/period.ts';
export type { Parameters, Row } from './values.ts';

/** The requester of a question. */
export type Requester = {
  readonly organisationId: string;
  /** The API key, or the job of a report. */
  readonly keyId: string;
  /** Questions of reports let questions of requests go first. */
  readonly isReport?: true;
};

/** The limits of a question. */
export type QueryLimits = {
  /** How long it may take from its start. */
  readonly deadlineMilliseconds: number;
  /** Aborted when the caller leaves. */
  readonly signal?: AbortSignal;
  /** A question without a requester never waits for others. */
  readonly requester?: Requester;
  /** The turn that all questions of a request share; without it, each waits for its own. */
  readonly turn?: Turn;
  /** Notes what is read, for an answer that is cached. */
  readonly reads?: Reads;
  /** Whether the questions may spill to disk, so that they need little of the store's memory. */
  readonly spills?: boolean;
};

/** Answers a question within one snapshot. */
export type Ask = {
  <R extends Row>(question: Question<R>, parameters: Parameters): Promise<R[]>;
  /** Whether answers are cached, so that reading more than one answer needs may pay. */
  readonly isCached?: boolean;
};

/**
 * Answers a question whose answer may exceed memory: non-empty portions of rows, fetched as they
 * are read. An incomplete answer throws. Leaving the iteration cancels the question. Until then,
 * the same read accepts no other question. If a caller works on one portion for longer than half a
 * minute, the answer may break off with StoreUnavailable.
 */
export type Stream = <R extends Row>(
  question: Question<R>,
  parameters: Parameters,
) => AsyncIterable<R[]>;

/** The facts of some channels at one moment. */
export type View = {
  readonly stamps: Stamps;
  /** Throws FactsChanged if the facts of that moment can no longer be read. */
  readonly ask: Ask;
};

/** The import and the channel of a batch. */
export type BatchKey = {
  readonly importId: number;
  readonly channel: number;
};

/** The result of a committed import. */
export type CommitResult = {
  /** The number of rows that became facts, per table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Rows of `byKey` tables that were skipped because the existing row was updated later. */
  readonly rowsOlder: number;
  /**
   * Existing rows that the document's coverage superseded, per value of the table's partition. Rows
   * replaced by their own unit do not count.
   */
  readonly rowsSuperseded: Readonly<Record<string, number>>;
};

/** A staged row with the key of another row of the same document, by their line numbers. */
export type DuplicateRow = { readonly line: number; readonly keptLine: number };

/**
 * The days of one table that a document covers. With `parts` it covers only these values of the
 * table's partition. With `instants` (epoch seconds, both inclusive, on those UTC days) it covers
 * only rows with an instant in one of the ranges.
 */
export type Coverage = DateRange & {
  readonly parts?: readonly string[];
  readonly instants?: readonly { readonly from: number; readonly to: number }[];
  /** Further rows that the table loses, on any day: a condition as in questions. */
  readonly removed?: { readonly condition: string; readonly parameters: Parameters };
};

/** The staged rows of an import. No question sees them before `commit` has returned. */
export interface ImportBatch {
  /** Stages a file of checked rows (CSV as written by `src/import/staging.ts`) of one table. */
  stage(table: string, file: string): Promise<void>;
  /**
   * Stages rows that the engine reads by itself, if it can. Returns their coverage. If any line is
   * not a plain row, stages nothing and returns undefined. Several portions may be read at once.
   */
  readonly stagePlain?: (rows: PlainRows) => Promise<PlainCoverage | undefined>;
  /**
   * The staged rows that do not count because another row of the document has their key. In `byDay`
   * tables the first row counts, in `byKey` tables the row updated last. In `byUnit` tables the
   * last row counts, and none is reported.
   */
  duplicates(table: string): AsyncIterable<DuplicateRow[]>;
  /**
   * Turns the staged rows into facts, all at once and durably, and updates the rollups in the same
   * step, by the days of `timezone`, the channel's IANA zone.
   *
   * Rows of `byDay` tables replace the days that `coverage` names, which may have no staged rows.
   * If the document covers only some partitions, rows of the others stay, except rows with a staged
   * key. In tables with `spansByRow`, rows that begin before those days stay, too. Rows of `byKey`
   * tables replace the row of the same key, or remove it if they have the value of the table's
   * `removal`. Rows of `byUnit` tables replace all rows of the same unit. If such a table has an
   * identity and its coverage has parts, existing rows of these parts are superseded within the
   * covered instants, and wherever a staged row has the same identity. Rows that the coverage
   * removes do not count as superseded.
   */
  commit(coverage: Readonly<Record<string, Coverage>>, timezone: string): Promise<CommitResult>;
  /** Drops the staged rows. */
  discard(): Promise<void>;
}

/** The first and last day and the number of facts of one table. */
export type TableExtent = {
  readonly table: string;
  readonly firstDay: number | null;
  readonly lastDay: number | null;
  readonly rows: number;
};

/** The installation of a warehouse (null for none), and its greatest import (0 for none). */
export type WarehouseMark = {
  readonly installationId: string | null;
  readonly lastImport: number;
};

/** The port. */
export interface Warehouse {
  readonly engine: 'duckdb' | 'clickhouse';
  /** Brings the tables up to the newest schema version. */
  migrate(): Promise<void>;
  /** Answers one question. */
  ask<R extends Row>(
    question: Question<R>,
    parameters: Parameters,
    limits: QueryLimits,
  ): Promise<R[]>;
  /**
   * Answers one question as a Stream, from one snapshot. The deadline applies to the whole
   * iteration, including the time that the caller spends on portions.
   */
  stream<R extends Row>(
    question: Question<R>,
    parameters: Parameters,
    limits: QueryLimits,
  ): AsyncIterable<R[]>;
  /** Answers several questions about the channels from one snapshot, and writes answers to files. */
  read<T>(
    channels: readonly number[],
    limits: QueryLimits,
    use: (ask: Ask, stream: Stream, write: WriteFile) => Promise<T>,
  ): Promise<T>;
  /**
   * Answers questions about the channels and channel 0, as their facts are now. It holds no
   * snapshot: if the facts change meanwhile, it may throw FactsChanged.
   */
  view<T>(
    channels: readonly number[],
    limits: QueryLimits,
    use: (view: View) => Promise<T>,
  ): Promise<T>;
  /** The folder for files to be staged. */
  readonly stagingFolder: string;
  /** Begins an import. The caller holds the channel's lock around `commit`. */
  begin(key: BatchKey): Promise<ImportBatch>;
  /** Whether the import has been committed; also reliable after a crash. */
  isCommitted(importId: number): Promise<boolean>;
  /** The committed imports from `first` to `last`; also reliable after a crash. */
  committedImports(first: number, last: number): Promise<number[]>;
  /** Reads the installation and how far its imports reach. */
  readMark(): Promise<WarehouseMark>;
  /** Assigns the facts to an installation. */
  setInstallation(installationId: string): Promise<void>;
  /** A text that changes whenever any fact does; undefined while facts are being changed. */
  readChanges(): Promise<string | undefined>;
  /**
   * Replaces the facts of a range by the facts of a file in the staging folder, unless it already
   * has `rows` of them. Only for a warehouse that no service uses: `finishCopy` makes them visible.
   */
  copyIn(range: FactsRange, rows: number, file: string): Promise<void>;
  /** Makes a channel's copied facts visible, with the imports that brought them. May be repeated. */
  finishCopy(channel: number, imports: readonly number[], timezone: string): Promise<void>;
  /** Computes the channel's rollups again for a timezone. The caller holds the channel's lock. */
  rebuild(key: BatchKey, timezone: string): Promise<void>;
  /**
   * Changes existing facts, at most once per table, and their rollups in the same step. Returns the
   * number of removed rows per table. The caller holds the channel's lock.
   */
  amend(
    key: BatchKey,
    amendments: readonly Amendment[],
    timezone: string,
  ): Promise<Readonly<Record<string, number>>>;
  /** Removes all facts of a channel. The caller holds the channel's lock. */
  deleteFacts(channel: number): Promise<void>;
  /**
   * The extent of each table that has facts of the channel. The dates of instants are those of
   * `timezone`, the channel's IANA zone.
   */
  extents(channel: number, timezone: string): Promise<TableExtent[]>;
  /**
   * Frees rows that were replaced more than `graceSeconds` ago, which must be longer than any
   * question takes. Safe at any time.
   */
  prune(graceSeconds: number): Promise<void>;
  /** The status of the store, for readiness and the diagnosis; rejects if it does not answer. */
  checkHealth(): Promise<StoreStatus>;
  /** Reads everything that is stored; returns whether any of it was found damaged. */
  verify(): Promise<boolean>;
  close(): Promise<void>;
}
