/** The parameters of a question. A Date is a day number: days since 1970-01-01. */
export type Parameters = Readonly<
  Record<string, string | number | readonly string[] | readonly number[]>
>;

/**
 * One row of an answer. Counts and day numbers are numbers; amounts are bigints in millionths of
 * the currency's unit, so that sums stay exact; a missing value is null. Only rows cut from
 * condensed days contain objects.
 */
export type Row = Readonly<Record<string, string | number | bigint | null | object>>;

/** The rows of a channel on the days of a block, in a form from which any days can be cut. */
export type CondensedDays<C extends Row = Row> = {
  /** Its estimated memory in bytes. */
  readonly bytes: number;
  /** Fewer rows for the days from the first to the last, each of one or of several days. */
  readonly cut: (first: number, last: number) => readonly C[];
};
