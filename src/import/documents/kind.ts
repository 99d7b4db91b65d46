/** What a kind of document is: how it is recognised, and how its parts become rows of datasets. */

import { isoDate } from '../../calendar/period.ts';
import type { FinanceSource } from '../../contract/importable.ts';
import type { DateRange } from '../../engine/warehouse.ts';
import type { FinanceBook } from '../ledger/ledger.ts';
import type { AttributionDays, Rejection } from '../messages.ts';
import type { OrderReader } from '../orders.ts';
import type { Reject, RowReader } from '../rows.ts';
import type { AdType } from './advertising/adTypes.ts';

/** A held campaign of some name. */
export type NamedCampaign = { readonly campaignId: string; readonly adType: AdType };

/** A held ad group of some campaign. */
export type NamedAdGroup = { readonly adGroupId: string; readonly name: string };

/** What a reader of a document works with. */
export type Desk = {
  /** The reader of rows of that dataset. */
  readonly rows: (dataset: string) => RowReader;
  /**
   * The reader of rows that the document tells besides its own: they are not counted, and of what is kept by key they replace nothing that
   * was told of itself. What is wrong with them is not said, so only what has been checked goes there.
   */
  readonly byTheWay: (dataset: string) => RowReader;
  readonly orders: OrderReader;
  /** Opens the book of the document's amounts, once: a document is of one source. */
  readonly finance: (source: FinanceSource) => FinanceBook;
  /** Says that the document speaks only for a part of its days in that table, such as one type of advertising. */
  readonly partOf: (table: string, part: string) => void;
  /** Says that the document speaks for all of these days in that table, those without rows too. Without it, its rows tell which. */
  readonly covers: (table: string, days: DateRange) => void;
  readonly reject: Reject;
  /** How many rows have been refused so far, whoever refused them, and the first few of them. */
  readonly refused: () => { readonly rows: number; readonly first: readonly Rejection[] };
  /**
   * The day to book a row on that speaks for `first` to `last`, as `YYYY-MM-DD`: the day itself, or the last one where the import allows
   * coarse rows. Undefined where it does not; then the row has been refused with its reason.
   */
  readonly bookOn: (line: number, first: number, last: number) => string | undefined;
  /** The channel's currency; "" where the rows belong to no channel. */
  readonly currency: string;
  /** IANA zone of the channel's days. */
  readonly timezone: string;
  /** When the document is read, epoch seconds. */
  readonly now: number;
  /** The id of the channel's marketplace where its merchantId tells it. */
  readonly marketplaceId: string | undefined;
  /** First and last day that the import is said to cover. */
  readonly cover: DateRange | undefined;
  readonly attributionDays: AttributionDays;
  /** Hands over what has been staged where it is much: to be awaited between many rows. */
  readonly relieve: () => Promise<void>;
  /** The channel's held campaigns of these names, by name. */
  readonly campaignsNamed: (
    names: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly NamedCampaign[]>>;
  /** The held ad groups of these campaigns, by the campaign's id. */
  readonly adGroupsOf: (
    campaignIds: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly NamedAdGroup[]>>;
  /** Which of these SKUs the channel's products hold. */
  readonly productsHeld: (skus: readonly string[]) => Promise<ReadonlySet<string>>;
};

/** Takes the parts of one document, one after the other. */
export type DocumentReader = {
  /** Takes a JSON value: the whole document, one line of it, or one of the rows that `rowsOf` finds in a `body`. */
  readonly value?: (value: unknown, line: number, body?: unknown) => void | Promise<void>;
  /** Takes the line above the header of a delimited text, where the kind recognises it. */
  readonly preface?: (line: string) => void;
  /** Takes a record of a delimited text, by the names of its header; of columns of one name the first tells. */
  readonly record?: (cells: Readonly<Record<string, string>>, line: number) => void;
  /** Takes the end. */
  readonly end?: () => Promise<void>;
};

/** A kind of document. */
export type DocumentKind = {
  readonly name: string;
  /** The document in the words of who downloads it. */
  readonly about: string;
  /** The datasets, or tables of facts of no dataset, that it feeds. */
  readonly tables: readonly string[];
  /** What its rows belong to. */
  readonly ofChannel: boolean;
  readonly recognises?: (value: unknown) => boolean;
  /** The rows of a JSON value that holds several, undefined where it is a row itself. */
  readonly rowsOf?: (value: unknown) => readonly unknown[] | undefined;
  readonly recognisesHeader?: (names: readonly string[]) => boolean;
  /** Whether the first line of a delimited text is not its header yet, but tells of the document. */
  readonly recognisesPreface?: (line: string) => boolean;
  /** Whether cells that are parted by tabs are never quoted, so that a quote among them is only a character. */
  readonly tabsUnquoted?: boolean;
  readonly read: (desk: Desk) => DocumentReader;
};

/** The reason for refusing a row that speaks for several days. */
export function coarseReason(first: number, last: number): string {
  return `covers ${isoDate(first)} to ${isoDate(last)}, but these facts are kept by day: ask the marketplace for single days, or import with coarse=lastDay to book each row on the last day of its period`;
}
