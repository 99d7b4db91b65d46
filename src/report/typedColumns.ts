/** Columns of reports, which have the types that files with types need. */
import type { Column } from './csv.ts';

/** The decimal places of a number column at most, or that its cells are whole numbers. */
export type Digits = number | 'whole';

/** A column of a report. Dates are text as YYYY-MM-DD. */
export type TypedColumn<Row> = Omit<Column<Row>, 'type'> &
  (
    | { readonly type: 'text'; readonly isDate?: true }
    | { readonly type: 'number'; readonly digits: Digits }
  );
