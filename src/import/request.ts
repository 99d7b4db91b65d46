/** The request to import a document, and its answer. */
import type { Selectable } from 'kysely';
import type { ChannelRecord, Registry } from '../engine/registry.ts';
import type { DateRange, Warehouse } from '../engine/warehouse.ts';
import type { Meter } from '../observation/meter.ts';
import type { Tracer } from '../observation/tracer.ts';
import type { Announcer } from '../webhooks/announce.ts';
import type { FinanceSummary, RowsOfSource } from './ledger/summary.ts';
import type { ImportContent, ReadingTask, Rejection } from './messages.ts';

/** The maximum number of rejected rows of an import to store. */
export const rejectionsStoredMax = 1000;
/** The maximum number of rejected rows that an answer lists. */
export const rejectionsShown = 100;

/** A request to import a document. */
export type ImportRequest = {
  readonly content: ImportContent;
  /** Aborted when the sender leaves: the import then ends, unless it has committed. */
  readonly signal?: AbortSignal;
  readonly charset?: string;
  /** The media type of the body and the name of its file, if the sender names them. */
  readonly mediaType?: string;
  readonly fileName?: string;
  /** Absent for datasets that belong to no channel. */
  readonly channel?: Selectable<ChannelRecord>;
  /** The dates to cover, as day numbers. */
  readonly dateRange?: DateRange;
  /** Whether multi-day rows are accepted and booked on their last day. */
  readonly acceptsMultiDay: boolean;
  /** Whether times without an offset are in the channel's zone; otherwise they are refused. */
  readonly hasLocalTimes?: boolean;
  /** The decimal mark of amounts. */
  readonly decimalMark?: ReadingTask['decimalMark'];
  /** Whether the day or the month comes first in dates. */
  readonly dateOrder?: ReadingTask['dateOrder'];
  /** Whether existing facts of another grain in the document's dates are removed. */
  readonly replaces?: boolean;
  /** Whether to accept an inventory report with far fewer rows than the previous one. */
  readonly confirmsFewRows?: boolean;
  /** Whether one rejected row refuses the whole document. */
  readonly abortOnRejection: boolean;
  /** Whether the rows may still become facts. Called last, under the channel's lock. */
  readonly mayCommit?: () => Promise<boolean>;
};

/** The answer to an import. */
export type ImportAnswer = {
  importId: number;
  dataset: string;
  rowsRead: number;
  rowsAccepted: number;
  rowsRejected: number;
  /** Rows with the key of a later row of the document. */
  rowsMerged: number;
  /** Rows that are right but not counted. */
  rowsSkipped: number;
  /** Skipped rows that belong to other stores. */
  otherStores: number;
  /** Amounts with more than six decimals. */
  rounded: number;
  /** Multi-day rows, booked on their last day. */
  rowsCoarse: number;
  /** Accepted rows that changed nothing, because the existing row was updated later. */
  rowsOlder: number;
  rejected: Rejection[];
  from: string | null;
  to: string | null;
  /** The encoding of the document; null for spreadsheets. */
  encoding: string | null;
  /** The sums of a financial document. */
  finance?: FinanceAnswer;
};

/** The sums of a financial document, and the superseded rows by source. */
export type FinanceAnswer = FinanceSummary & {
  readonly superseded: readonly RowsOfSource[];
};

/** Refuses a document as a whole: no fact has changed. */
export class ImportRefused extends Error {
  readonly importId: number;
  readonly rejected: readonly Rejection[];
  /** The reason without channels that some readers may not know. */
  readonly publicReason: string;
  constructor(
    importId: number,
    reason: string,
    rejected: readonly Rejection[] = [],
    publicReason = reason,
  ) {
    super(reason);
    this.importId = importId;
    this.rejected = rejected;
    this.publicReason = publicReason;
  }
}

/** Refuses a document that takes more memory than one may. */
export class ImportTooLarge extends ImportRefused {}

/** Refuses a document for which there will be room later. */
export class ImportDelayed extends ImportRefused {}

/** Refuses a document because the service itself failed. */
export class ReadingFailed extends ImportRefused {
  /** The failure and its place in the code, for the log. */
  readonly place: string;
  constructor(importId: number, place: string) {
    super(importId, 'reading the document failed: the log of the service says where');
    this.place = place;
  }
}

/** Refuses a document whose rows were all rejected. */
export class NothingImported extends ImportRefused {
  readonly answer: ImportAnswer;
  constructor(reason: string, answer: ImportAnswer) {
    super(answer.importId, reason, answer.rejected);
    this.answer = answer;
  }
}

/** The services that imports need. */
export type ImportContext = {
  readonly registry: Registry;
  readonly warehouse: Warehouse;
  readonly secret: string;
  /** The clock of their records, in epoch milliseconds; that of the machine by default. */
  readonly now?: () => number;
  /** Counts imports and their rows; nothing by default. */
  readonly meter?: Meter;
  /** Gets a span for each import; none by default. */
  readonly tracer?: Tracer;
  /** Announces the ends of imports to webhooks; nothing by default. */
  readonly announcer?: Announcer;
  readonly limits: {
    /** The number of documents that are imported at the same time. */
    readonly imports: number;
    /** The memory of the thread that reads one document. */
    readonly importMegabytes: number;
    /** The room for documents that clients send, until they have been imported. */
    readonly spoolMegabytes: number;
    /**
     * The seconds in which a document of up to 10 MB must be read, and its seconds of processor
     * time.
     */
    readonly importSeconds: number;
    readonly importProcessorSeconds: number;
  };
};
