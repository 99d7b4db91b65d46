/**
 * Adds comparisons to the rows of an answer: a question for the figures of its rows is asked for
 * the period and again for the comparison period, and the answers are joined by key.
 */

/** A row with the figures of both windows. */
export type Compared<Row, Figures> = Row & { readonly current: Figures; readonly prior: Figures };

/** The figures of a row in one window, with the key of the row. */
export type Keyed<Figures> = Figures & { readonly row_key: string };

/** The source of the figures of rows. */
export type FigureSource<Row, Window, Figures> = {
  readonly keyOf: (row: Row) => string;
  /** The figures of a row in the period, if the answer already has them. */
  readonly own?: (row: Row) => Figures;
  /** Reads the figures of the rows with these keys in a window. */
  readonly read: (keys: string[], window: Window) => Promise<readonly Keyed<Figures>[]>;
  /** The figures of a row without facts in a window. */
  readonly none: Figures;
};

/** The number of rows that are joined at once. */
const portionRows = 256;

/**
 * Adds to rows, in their order, the figures of the period and of the comparison period, if there is
 * one. It works in portions, so that few rows are in memory twice.
 */
export async function* withComparison<Row, Window, Figures>(
  rows: readonly Row[],
  [period, comparison]: readonly Window[],
  { keyOf, own, read, none }: FigureSource<Row, Window, Figures>,
): AsyncGenerator<Compared<Row, Figures>[]> {
  const figuresIn = async (window: Window | undefined) =>
    new Map(
      window === undefined
        ? []
        : (await read(rows.map(keyOf), window)).map((one) => [one.row_key, one]),
    );
  const current = await figuresIn(own === undefined ? period : undefined);
  const prior = await figuresIn(comparison);
  for (let from = 0; from < rows.length; from += portionRows)
    yield rows.slice(from, from + portionRows).map((row) => ({
      ...row,
      current: own?.(row) ?? current.get(keyOf(row)) ?? none,
      prior: prior.get(keyOf(row)) ?? none,
    }));
}
