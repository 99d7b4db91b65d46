/** What a kind of document is: how it is recognised, and how its parts become rows of datasets. */

import { isoDate } from '../../calendar/period.ts';
import type { FinanceSource } from '../../contract/importable.ts';
import type { DateRange } from '../../engine/warehouse.ts';
import { date, dayOfDate } from '../cells/fields.ts';
import type { FinanceBook } from '../ledger/ledger.ts';
import type { AttributionDays, Rejection } from '../messages.ts';
import type { OrderReader } from '../orders.ts';
import { DocumentRefused } from '../refused.ts';
import type { Reject, RowReader } from '../rows.ts';
import type { AdType } from './advertising/ads.ts';

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

/** A part of a JSON value, undefined where there is none. */
export function part(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || Array.isArray(at)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

/** The list under that name of a JSON value, undefined where there is none. */
export function listIn(value: unknown, name: string): readonly unknown[] | undefined {
  const list = part(value, name);
  return Array.isArray(list) ? list : undefined;
}

/** The day of a date under that name, or of the date part of an instant; undefined where there is none. */
export function dayAt(value: unknown, name: string): number | undefined {
  const text = part(value, name);
  const start = typeof text === 'string' ? date.read(text.slice(0, 10)) : undefined;
  return typeof start === 'string' ? dayOfDate(start) : undefined;
}

/** Refuses a report of the Selling Partner API that is of another marketplace than the channel. */
export function requireMarketplace(report: unknown, desk: Desk): void {
  const told = listIn(part(report, 'reportSpecification'), 'marketplaceIds') ?? [];
  if (desk.marketplaceId === undefined || told.length === 0 || told.includes(desk.marketplaceId))
    return;
  throw new DocumentRefused(
    `the report is of marketplace ${String(told[0]).slice(0, 20)}, the channel of ${desk.marketplaceId}`,
  );
}

/** What refuses rows that name another marketplace than the channel's, or than the rows before them, and says whether a row may stay. */
export function oneMarketplace(desk: Desk): (row: unknown, line: number) => boolean {
  let marketplaceId = desk.marketplaceId;
  return (row, line) => {
    const told = part(row, 'marketplaceId');
    if (typeof told !== 'string') return true;
    marketplaceId ??= told;
    if (marketplaceId === told) return true;
    const others = desk.marketplaceId === undefined ? 'the rows before it' : 'the channel';
    desk.reject(
      line,
      `is of marketplace ${told.slice(0, 20)}, ${others} of ${marketplaceId.slice(0, 20)}: a channel is one marketplace`,
    );
    return false;
  };
}

/** The reason for refusing a row that speaks for several days. */
export function coarseReason(first: number, last: number): string {
  return `covers ${isoDate(first)} to ${isoDate(last)}, but these facts are kept by day: ask the marketplace for single days, or import with coarse=lastDay to book each row on the last day of its period`;
}
