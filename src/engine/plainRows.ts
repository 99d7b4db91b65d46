/**
 * Rows that an engine may read by itself: their cells are in a notation that all readers understand
 * alike. Rows in any other notation are read one by one.
 */

/** The type of a plain cell. An instant is in UTC. */
export type PlainType = 'text' | 'whole' | 'decimal' | 'date' | 'instant';

/** A field of plain rows. */
export type PlainField = {
  readonly name: string;
  readonly as: PlainType;
  /** Whether JSON writes it without quotes. */
  readonly isNumber: boolean;
};

/** How to derive the value of a column from the fields. */
export type ColumnSource =
  | { readonly as: 'field'; readonly field: string }
  /** The first day of a row with this date. */
  | { readonly as: 'since'; readonly field: string }
  /** A currency; by default the currency of the channel. */
  | { readonly as: 'currency'; readonly field: string }
  | { readonly as: 'constant'; readonly value: number | '' }
  /** The UTC day of an instant. */
  | { readonly as: 'utcDay'; readonly field: string }
  /** The keyed hash of an e-mail address. */
  | { readonly as: 'customer'; readonly field: string }
  /** A share times a count; 0 if the share is missing. */
  | { readonly as: 'weighted'; readonly share: string; readonly count: string }
  /** A count; 0 if it is missing. */
  | { readonly as: 'counted'; readonly share: string; readonly count: string };

/**
 * A portion of a document: lines of one shape, in a file. Each cell is in its plain notation, and
 * no required cell is missing.
 */
export type PlainRows = {
  readonly table: string;
  readonly path: string;
  /** The delimiter of cells, or the marks after the keys and values of JSON objects. */
  readonly format:
    | { readonly delimiter: string }
    | { readonly colon: string; readonly comma: string };
  /** The fields in the order of the lines. */
  readonly fields: readonly PlainField[];
  /** The values of missing fields; null if the field is required or has none. */
  readonly missing: Readonly<Record<string, string | number | null>>;
  /** One source for each column of the table. */
  readonly columns: readonly ColumnSource[];
  /** A row needs one of these fields, unless the list is empty. */
  readonly anyOf: readonly string[];
  /** The field that holds the date or the instant of a row. */
  readonly dated: string;
  /** The dates that rows may have. */
  readonly dateRange?: { readonly first: number; readonly last: number };
  /** The number of lines. */
  readonly lines: number;
  /** The number of the first line in the document. Rows have the numbers of their lines. */
  readonly firstLine: number;
  /** The channel's currency. */
  readonly currency: string;
  /** The key of customers' hashes. */
  readonly customerKey: Uint8Array;
};

/** The coverage of staged rows: the days of their dates, or the first and the last instant. */
export type PlainCoverage =
  | { readonly days: readonly number[] }
  | { readonly from: number; readonly to: number };
