/** What a kind of document is: how it is recognised, and how its parts become rows of datasets. */
import { isoDate } from '../../calendar/period.ts';
import type { Days } from '../../engine/warehouse.ts';
import type { AttributionDays } from '../job.ts';
import type { OrderReader } from '../orders.ts';
import type { Reject, RowReader } from '../rows.ts';
import type { AdType } from './ads.ts';

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
  /** Says that the document speaks only for a part of its days in that table, such as one type of advertising. */
  readonly partOf: (table: string, part: string) => void;
  readonly reject: Reject;
  /**
   * The day to book a row on that speaks for `first` to `last`, as `YYYY-MM-DD`: the day itself, or the last one where the import allows
   * coarse rows. Undefined where it does not; then the row has been refused with its reason.
   */
  readonly bookOn: (line: number, first: number, last: number) => string | undefined;
  /** The id of the channel's marketplace where its merchantId tells it. */
  readonly marketplaceId: string | undefined;
  /** First and last day that the import is said to cover. */
  readonly cover: Days | undefined;
  readonly attributionDays: AttributionDays;
  /** Hands over what has been staged where it is much: to be awaited between many rows. */
  readonly relieve: () => Promise<void>;
  /** The channel's held campaigns of these names, by name. */
  readonly campaignsNamed: (names: readonly string[]) => Promise<ReadonlyMap<string, readonly NamedCampaign[]>>;
  /** The held ad groups of these campaigns, by the campaign's id. */
  readonly adGroupsOf: (campaignIds: readonly string[]) => Promise<ReadonlyMap<string, readonly NamedAdGroup[]>>;
};

/** Takes the parts of one document, one after the other. */
export type DocumentReader = {
  /** Takes a JSON value: the whole document, one line of it, or one of the rows that `rowsOf` finds in a `body`. */
  readonly value?: (value: unknown, line: number, body?: unknown) => void | Promise<void>;
  /** Takes a record of a delimited text, by the names of its header. */
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

/** The reason for refusing a row that speaks for several days. */
export function coarseReason(first: number, last: number): string {
  return `covers ${isoDate(first)} to ${isoDate(last)}, but these facts are kept by day: ask the marketplace for single days, or import with coarse=lastDay to book each row on the last day of its period`;
}
