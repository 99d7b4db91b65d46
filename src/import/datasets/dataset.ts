/** The declaration of a dataset: its fields, and how they become the columns of a table. */
import { factTable } from '../../../schema/warehouse/tables.ts';
import type { ColumnSource } from '../../engine/plainRows.ts';
import {
  type ColumnValue,
  count,
  currency,
  date,
  dayOfDate,
  type FieldType,
  text,
  type Value,
} from '../cells/fields.ts';

/** A field of a dataset. */
export type Field = {
  readonly type: FieldType;
  readonly required?: true;
  /** True for personal data, which must not appear in reasons and logs. */
  readonly personal?: true;
  /** Its meaning and unit, for the documentation. */
  readonly about: string;
};

/** The values of a row, by field name; `since` is the first day of a multi-day row. */
export type Cells = Readonly<Record<string, Value>>;

/** The values that columns depend on besides the row's cells. */
export type RowContext = {
  /** The channel's currency, the default of rows without one. */
  readonly currency: string;
  /** Turns an e-mail address into the keyed hash that identifies a customer. */
  readonly hashCustomer: (email: string) => string;
  /** Encrypts a text for storage. */
  readonly seal: (text: string) => string;
  /** When the document is read, epoch seconds. */
  readonly now: number;
};

/** Computes the value of a column. An engine can do it, too, if the column has a `source`. */
export type Column = ((cells: Cells, context: RowContext) => ColumnValue) & {
  readonly source?: ColumnSource;
};

/** How an engine reads plain rows of a dataset. Such rows always pass the dataset's `check`. */
export type PlainDataset = {
  /** The required field with the date or the instant of a row. */
  readonly dated: string;
  /** A row with one of these fields goes to the first destination; if there are none, every row. */
  readonly anyOf: readonly string[];
};

/** A table that receives rows, with its columns in order. */
export type Destination = { readonly table: string; readonly columns: readonly Column[] };

/** A dataset of flat rows. */
export type Dataset = {
  readonly name: string;
  readonly about: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** False for rows that belong to no channel, such as exchange rates. */
  readonly ofChannel: boolean;
  readonly destinations: readonly Destination[];
  /** Chooses the destination of a row. */
  readonly destinationOf: (cells: Cells) => number;
  /** The day number of a row with a date; undefined in datasets without dates. */
  readonly dayOf?: (cells: Cells) => number;
  /** The instant of a row that has one instead of a date, epoch seconds. */
  readonly instantOf?: (cells: Cells) => number;
  /** Whether rows cover only their own partitions of the table. */
  readonly coversPartitions?: true;
  /** Checks rules across fields and returns the reason for rejecting the row. */
  readonly check?: (cells: Cells) => string | undefined;
  /**
   * Present if an engine may read rows; all columns of the first destination then have a source.
   */
  readonly plain?: PlainDataset;
};

/** The seconds of a UTC day. */
export const secondsPerDay = 86_400;

/** A required identifier. */
export const id = text(200, 1);

/** An identifier that may be missing. */
export const optionalId = text(200);

/** A count that may be negative: marketplaces correct a day's figures later. */
export const correctable = count(-1e12);

/** The currency of a row's amounts. */
export const ownCurrency: Field = {
  type: currency,
  about: "ISO 4217; the channel's currency by default.",
};

/** The date of a row. */
export const marketplaceDate: Field = {
  type: date,
  required: true,
  about: "The marketplace's calendar date.",
};

/** The stored value of an unknown count or flag. */
export const unknown = -1;

/** The column of `fulfilledByMarketplace`. */
export const fulfilment: Record<string, Column> = {
  fulfilled_by_marketplace: (cells) => cells.fulfilledByMarketplace ?? unknown,
};

/** The day number of a row's `date`. */
export function ofDate(cells: Cells): number {
  return dayOfDate(cells.date as string);
}

/**
 * Declares a table: each column is the field of its name in camel case, unless `special` has it.
 */
export function destination(table: string, special: Record<string, Column> = {}): Destination {
  const columns = Object.keys(factTable(table).columns).map((column): Column => {
    const field = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    if (special[column]) return special[column];
    if (column === 'currency') return currencyOf('currency');
    if (column === 'since') return columnOf({ as: 'since', field: 'date' });
    return columnOf({ as: 'field', field });
  });
  return { table, columns };
}

/** A currency column that defaults to the channel's currency. */
export function currencyOf(field: string): Column {
  return columnOf({ as: 'currency', field });
}

/** The column of a source. */
export function columnOf(source: ColumnSource): Column {
  return Object.assign(computed(source), { source });
}

function computed(source: ColumnSource): Column {
  switch (source.as) {
    case 'field':
      return (cells) => cells[source.field]!;
    case 'since':
      return (cells) => cells.since ?? cells[source.field]!;
    case 'currency':
      return (cells, context) => cells[source.field] || context.currency;
    case 'constant':
      return () => source.value;
    case 'utcDay':
      return (cells) => Math.floor((cells[source.field] as number) / secondsPerDay);
    case 'customer':
      return (cells, { hashCustomer }) => hashCustomer(cells[source.field] as string);
    case 'weighted':
      return ({ [source.share]: share, [source.count]: counted }) =>
        share === null ? 0 : (Number(share) * Number(counted)).toFixed(6);
    case 'counted':
      return ({ [source.share]: share, [source.count]: counted }) =>
        share === null ? 0 : counted!;
  }
}
