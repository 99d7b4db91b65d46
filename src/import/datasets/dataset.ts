/** The declaration of a dataset: its fields, and how they become the columns of a table. */
import { factTable } from '../../../schema/warehouse/tables.ts';
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

/** Computes the value of a column. */
export type Column = (cells: Cells, context: RowContext) => ColumnValue;

/** A table that rows go to, with its columns in order. */
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
  /** Whether rows cover only the partitions of their table that they belong to. */
  readonly coversPartitions?: true;
  /** Checks rules across fields and returns the reason for rejecting the row. */
  readonly check?: (cells: Cells) => string | undefined;
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

/** The stored value of a count or flag that is not known. */
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
    if (column === 'since') return (cells) => cells.since ?? cells.date!;
    return (cells) => cells[field]!;
  });
  return { table, columns };
}

/** A currency column that defaults to the channel's currency. */
export function currencyOf(field: string): Column {
  return (cells, context) => cells[field] || context.currency;
}
