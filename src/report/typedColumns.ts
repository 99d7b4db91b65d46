/** Columns of reports with the types that typed files need. */
import type { Column } from './csv.ts';

/** The most decimal places of a number column, or the mark that its cells are whole numbers. */
export type Digits = number | 'whole';

/** A column of a report. Dates are text in the form YYYY-MM-DD. */
export type TypedColumn<Row> = Omit<Column<Row>, 'type'> &
  (
    | { readonly type: 'text'; readonly isDate?: true }
    | { readonly type: 'number'; readonly digits: Digits }
  );
