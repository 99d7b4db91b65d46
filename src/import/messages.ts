/** What passes between an import and the thread that reads its document. */
import type { MessagePort } from 'node:worker_threads';
import type { DateRange, Row } from '../engine/warehouse.ts';
import type { FinanceCode } from './ledger/codes.ts';
import type { FinanceSummary, HeldQuestion } from './ledger/ledger.ts';
import type { HeldAsked, HeldOrders } from './orders.ts';

/** How rows of a dataset are written. */
export type Format = 'ndjson' | 'csv';

/** Days after a click in which sales count as attributed to it. */
export type AttributionDays = 7 | 14;

/** What a reading thread is given for each document: what to read, where to say what it found, and where the bytes come from. */
export type Reading = {
  readonly job: Job;
  readonly words: MessagePort;
  readonly bytes: MessagePort;
};

/** What the thread is to read. */
export type Job = {
  /** A dataset in a format, or a document, of a kind if it was named. */
  readonly content:
    | { readonly dataset: string; readonly format: Format }
    | {
        readonly document: true;
        readonly kind?: string;
        readonly attributionDays: AttributionDays;
      };
  readonly charset?: string;
  readonly importId: number;
  readonly stagingFolder: string;
  readonly secret: string;
  /** The channel's currency; "" where the rows belong to no channel. */
  readonly currency: string;
  readonly marketplaceId?: string;
  /** First and last day that the import is said to cover, as day numbers. */
  readonly cover?: DateRange;
  readonly coarseOnLastDay: boolean;
  /** IANA zone of the channel's days; "UTC" where the rows belong to no channel. */
  readonly timezone: string;
  /** What the operator has added to the list of financial codes. */
  readonly financeCodes: readonly FinanceCode[];
};

/** A refused row. */
export type Rejection = { readonly line: number; readonly reason: string };

/** What the thread may ask of what the channel holds: campaigns by their names, ad groups by their campaigns, products, financial events. */
export type Lookup = 'campaignsNamed' | 'adGroupsOf' | 'productsHeld' | HeldQuestion;

/** What the thread says. It waits for `goOn` after each `staged`, `rejected`, `held` and `lookup`, which keeps both sides in step. */
export type Word =
  | { readonly word: 'staged'; readonly table: string; readonly file: string }
  | { readonly word: 'rejected'; readonly rejections: readonly Rejection[] }
  | ({ readonly word: 'held' } & HeldAsked)
  | {
      readonly word: 'lookup';
      readonly lookup: Lookup;
      readonly keys: readonly string[];
      readonly days?: DateRange;
    }
  | { readonly word: 'progress'; readonly rowsRead: number }
  | ({ readonly word: 'done' } & Outcome)
  /** The document as a whole cannot be taken. */
  | { readonly word: 'refused'; readonly reason: string };

/** What reading came to. */
export type Outcome = {
  /** The dataset, or the kind of document that was recognised. */
  readonly recognised: string;
  readonly rowsRead: number;
  readonly rowsAccepted: number;
  readonly rowsRejected: number;
  readonly rowsCoarse: number;
  /** Whether all its rows of tables kept by key were told by the way, so that older ones among them are no rows of the document. */
  readonly keyedByTheWay: boolean;
  /** First and last day that the accepted rows speak for, per table, as day numbers. */
  readonly days: Readonly<Record<string, DateRange>>;
  /** The parts of those days that the document speaks for, where it does not speak for all of them. */
  readonly parts: Readonly<Record<string, readonly string[]>>;
  /** The instants within which held rows of those parts give way, in tables kept by unit. */
  readonly instants: Readonly<Record<string, Instants>>;
  /** What a financial document came to. */
  readonly finance?: FinanceSummary;
};

/** From the first to the last, both inclusive, in epoch seconds. */
export type Instants = { readonly from: number; readonly to: number };

/** The answer to a word that waits. */
export type GoOn = { readonly held?: HeldOrders; readonly found?: readonly Row[] };
