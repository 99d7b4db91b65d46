/** The messages between an import and the thread that reads its document. */
import type { MessagePort } from 'node:worker_threads';
import type { PlainCoverage, PlainRows } from '../engine/plainRows.ts';
import type { DateRange, Row } from '../engine/warehouse.ts';
import type { DateOrder } from './cells/dates.ts';
import type { DecimalMark } from './cells/money.ts';
import type { DocumentCoverage } from './coverage.ts';
import type { Renamings } from './documents/advertising/provisional.ts';
import type { LedgerLookup } from './ledger/existing.ts';
import type { AddedCodes } from './ledger/namedCodes.ts';
import type { FinanceSummary } from './ledger/summary.ts';
import type { ExistingOrders, OrderLookup } from './orders/lines.ts';
import type { StoreSign } from './refused.ts';

/** The format of a dataset's rows. */
export type Format = 'ndjson' | 'csv';

/** Days after a click in which sales count as attributed to it. */
export type AttributionDays = 7 | 14;

/**
 * The content of an import: rows of a dataset, or a document. Without a `kind` the document's kind
 * is recognised.
 */
export type ImportContent =
  | { readonly dataset: string; readonly format: Format }
  | {
      readonly document: true;
      readonly kind?: string;
      /** If it is missing, the document decides. */
      readonly attributionDays?: AttributionDays;
    };

/** The first message to a thread: its task, and the ports for messages and for bytes. */
export type StartReading = {
  readonly task: ReadingTask;
  readonly messages: MessagePort;
  readonly bytes: MessagePort;
};

/** The task of a thread: an import, and the channel that it belongs to. */
export type ReadingTask = {
  readonly content: ImportContent;
  readonly charset?: string;
  readonly importId: number;
  readonly stagingFolder: string;
  /** The memory that reading a document may take. */
  readonly megabytesMax: number;
  /** The maximum size of the unpacked document. */
  readonly unpackedMegabytesMax: number;
  readonly secret: string;
  /** The text to which sealed addresses of buyers are bound; "" if the rows have no channel. */
  readonly sealBound: string;
  /** The channel's currency; "" if the rows belong to no channel. */
  readonly currency: string;
  readonly marketplaceId?: string;
  /** The kind of the channel's account, if the rows belong to one. */
  readonly account?: 'seller' | 'vendor' | undefined;
  /** Whether the prices of its documents include tax unless they say otherwise. */
  readonly pricesIncludeTax: boolean;
  /** The dates that the import is to cover. */
  readonly dateRange?: DateRange;
  /** Whether multi-day rows are accepted and booked on their last day. */
  readonly acceptsMultiDay: boolean;
  /** Whether facts are removed that the rows overlap without replacing them. */
  readonly replaces: boolean;
  /** IANA zone of the channel's days; "UTC" if the rows belong to no channel. */
  readonly timezone: string;
  /** Whether times without an offset are in the channel's zone. */
  readonly hasLocalTimes: boolean;
  /** The decimal mark of amounts, and the order of dates, if the import names them. */
  readonly decimalMark?: DecimalMark | undefined;
  readonly dateOrder?: DateOrder | undefined;
  /** The tables of orders in which the channel has facts, if the rows are compared with facts. */
  readonly orderTables: readonly string[];
  /** The least bytes of plain rows that the engine stages by itself; Infinity if it cannot. */
  readonly plainBytesMin: number;
  /** The operator's own financial codes. */
  readonly financeCodes: AddedCodes;
};

/** A rejected row. */
export type Rejection = { readonly line: number; readonly reason: string };

/** The questions about existing figures of advertising. */
export type AdLookup = 'campaignDays' | 'adGroupDays' | 'keywordDays' | 'keywordDaysByAdGroup';

/** The questions about the imports of existing figures of advertising. */
export type AdImportsLookup = 'campaignImports' | 'adGroupImports' | 'keywordImports';

/** The questions about existing facts that a reader may ask. */
export type Lookup =
  | AdLookup
  | AdImportsLookup
  | 'campaignsNamed'
  | 'adGroupsOf'
  | 'provisionalCampaigns'
  | 'provisionalAdGroups'
  | 'provisionalKeywords'
  | 'keywordsOf'
  | 'adGroupsOfKeywords'
  | 'publishedRanges'
  | 'existingProducts'
  | 'skusOfProducts'
  | LedgerLookup;

/** A message to which the thread awaits a reply. The wait synchronises both sides. */
export type Request =
  | { readonly type: 'staged'; readonly table: string; readonly path: string }
  | { readonly type: 'plain'; readonly rows: PlainRows }
  | { readonly type: 'rejected'; readonly rejections: readonly Rejection[] }
  | ({ readonly type: 'orders' } & OrderLookup)
  | {
      readonly type: 'lookup';
      readonly lookup: Lookup;
      readonly keys: readonly string[];
      readonly days?: DateRange;
    };

/** A message of the thread. */
export type Message =
  | Request
  | { readonly type: 'progress'; readonly rowsRead: number }
  | ReadingEnd;

/**
 * The last message about a document, which was read or refused as a whole. `bytes` is the memory of
 * the thread, including garbage.
 */
export type ReadingEnd = { readonly bytes: number } & (
  | { readonly type: 'done'; readonly outcome: Outcome }
  | RefusedDocument
);

/** A document that was refused as a whole. */
export type RefusedDocument = {
  readonly type: 'refused';
  readonly reason: string;
  readonly isTooLarge: boolean;
  /** The sign of the document's store, if it is not the channel's. */
  readonly store?: StoreSign;
};

/** The answer to a request. */
export type Reply = {
  readonly orders?: ExistingOrders;
  readonly rows?: readonly Row[];
  /** The coverage of plain rows, if the engine has staged them. */
  readonly plain?: PlainCoverage;
};

/** The outcome of reading a document. */
export type Outcome = {
  /** The dataset, or the kind of document that was recognised. */
  readonly recognised: string;
  readonly rowsRead: number;
  readonly rowsAccepted: number;
  readonly rowsMultiDay: number;
  /** Amounts with more than six decimals. */
  readonly rounded: number;
  /** The encoding of the document; null for spreadsheets. */
  readonly encoding: string | null;
  /** Skipped rows of other stores. */
  readonly otherStores: number;
  /** Whether every row of a table replaced by key was inferred. Such rows never count as older. */
  readonly keyedRowsInferred: boolean;
  readonly coverage: DocumentCoverage;
  readonly renamings: Renamings;
  /** The sums of a financial document. */
  readonly finance?: FinanceSummary;
};

/** How the reading thread reaches its import. */
export type Connection = {
  readonly send: (message: Message) => void;
  readonly request: (request: Request) => Promise<Reply>;
};
