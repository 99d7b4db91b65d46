/**
 * The port to the warehouse, the store of facts. DuckDB serves it embedded and ClickHouse serves it to several nodes.
 *
 * Facts are asked for in questions, one `.sql` body each, and change only by imports, whole or not at all. Every fact belongs to a
 * channel, by the channel's number in the registry; facts of nobody's (exchange rates) belong to channel 0.
 */
import type { StoreStatus } from './health.ts';
import type { Question } from './question.ts';

/** What a question is asked with. A Date is a day number: whole days since 1970-01-01. */
export type Parameters = Readonly<
  Record<string, string | number | readonly string[] | readonly number[]>
>;

/**
 * One row of an answer. Counts and day numbers are numbers, amounts are bigints in millionths of the currency's unit, so that sums
 * stay exact; a missing value is null.
 */
export type Row = Readonly<Record<string, string | number | bigint | null>>;

/** How long a question may take, and whose leaving stops it. */
export type QueryLimits = { readonly deadlineMilliseconds: number; readonly signal?: AbortSignal };

/** Asks within one state of the facts. */
export type Ask = <R extends Row>(question: Question<R>, asked: Parameters) => Promise<R[]>;

/**
 * Asks one question whose answer may be longer than memory allows: its rows in portions, none of them empty, which are fetched as they are
 * taken. An answer that cannot be told to its end throws; leaving the iteration stops the question. Nothing else may be asked of the same
 * reading until then. Whoever is busy with one portion for half a minute may find the answer broken off, as StoreUnavailable.
 */
export type Stream = <R extends Row>(
  question: Question<R>,
  asked: Parameters,
) => AsyncIterable<R[]>;

/** What an import is about to land. */
export type BatchKey = {
  readonly importId: number;
  readonly channel: number;
};

/** What an import brought, once it has landed. */
export type CommitResult = {
  /** Rows that became facts, per table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Rows of tables kept by key that were left out because the held row of their key was updated later. */
  readonly rowsOlder: number;
  /** Held rows that gave way because the document covers them, per value of their table's `part`; not those that their own unit replaced. */
  readonly rowsSuperseded: Readonly<Record<string, number>>;
};

/** A staged row whose key another row of the same document has, by their line numbers. */
export type DuplicateRow = { readonly line: number; readonly keptLine: number };

/** The first and last day that a document speaks for, both inclusive, as day numbers. */
export type DateRange = { readonly first: number; readonly last: number };

/**
 * Those days of one table, and where the document speaks only for parts of them, which: values of the table's column `part`. Of a table
 * whose rows are instants, the document speaks for those `instants`, epoch seconds, both inclusive, which lie on the UTC days.
 */
export type Coverage = DateRange & {
  readonly parts?: readonly string[];
  readonly instants?: { readonly from: number; readonly to: number };
};

/** An import on its way in. Nothing of it is seen by any question until `land` has returned. */
export interface ImportBatch {
  /** Takes up a file of checked rows (CSV as `src/intake/staging.ts` writes it) of one fact table. */
  stage(table: string, file: string): Promise<void>;
  /**
   * The staged rows that will not land because a row of the same document has their key: in tables of dated rows the first row
   * stays, in tables kept by key the one updated last. In tables kept by unit the last row stays, and none are told.
   */
  duplicates(table: string): AsyncIterable<DuplicateRow[]>;
  /**
   * Makes the staged rows the facts, all at once and durably, and brings the rollups up to date in the same step. In tables of dated
   * rows they replace what the channel held on the table's `days`, which may be more than the rows' own, and need no row at all; of days
   * of which the document speaks only for parts, the other parts stay, but for rows of the same key. In tables kept by key they replace
   * the rows of the same key, in tables kept by unit all rows of the same units. Where such a table has `sameAs` and a cover with parts,
   * held rows of these parts give way too: within the cover's instants, and wherever a staged row that stays is the same. The rollups are
   * kept by the days of `timezone`, the channel's IANA zone.
   */
  commit(days: Readonly<Record<string, Coverage>>, timezone: string): Promise<CommitResult>;
  /** Drops whatever was staged. */
  discard(): Promise<void>;
}

/** How far the facts of one table reach, for the operator. */
export type TableExtent = {
  readonly table: string;
  readonly firstDay: number | null;
  readonly lastDay: number | null;
  readonly rows: number;
};

/** The port. */
export interface Warehouse {
  readonly engine: 'duckdb' | 'clickhouse';
  /** Brings tables and functions up to the newest schema version. */
  migrate(): Promise<void>;
  /** Asks one question. */
  ask<R extends Row>(question: Question<R>, asked: Parameters, limits: QueryLimits): Promise<R[]>;
  /**
   * Asks one question as a Stream; all of the answer is of one state. The deadline is that of the whole iteration, also while the asker
   * is busy with a portion, and holds nothing of the store for longer.
   */
  stream<R extends Row>(
    question: Question<R>,
    asked: Parameters,
    limits: QueryLimits,
  ): AsyncIterable<R[]>;
  /** Runs questions about the channels that all see the same state, whatever lands meanwhile. */
  read<T>(
    channels: readonly number[],
    limits: QueryLimits,
    use: (ask: Ask, stream: Stream) => Promise<T>,
  ): Promise<T>;
  /** The folder that staged files must lie in. */
  readonly stagingFolder: string;
  /** Opens an import. Imports of one channel must land one after the other: the caller holds the channel's lock around `land`. */
  begin(landing: BatchKey): Promise<ImportBatch>;
  /** Whether the import's rows have become facts; settles what a crash left open. */
  isCommitted(importId: number): Promise<boolean>;
  /** Builds the channel's rollups anew, as needed when its timezone has changed. The caller holds the channel's lock. */
  rebuild(landing: BatchKey, timezone: string): Promise<void>;
  /** Removes every fact of a channel. The caller holds the channel's lock. */
  deleteFacts(channel: number): Promise<void>;
  /** How far each table's facts of the channel reach. */
  extents(channel: number): Promise<TableExtent[]>;
  /** Frees what imports of long ago have replaced; safe at any time, `graceSeconds` being longer than any question may take. */
  prune(graceSeconds: number): Promise<void>;
  /** Whether the store answers. */
  ping(): Promise<void>;
  /** What the store says of itself, for the diagnosis. */
  checkHealth(): Promise<StoreStatus>;
  close(): Promise<void>;
}
