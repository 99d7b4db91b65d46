/** The parameters of a question. A Date is a day number: days since 1970-01-01. */
export type Parameters = Readonly<
  Record<string, string | number | readonly string[] | readonly number[]>
>;

/**
 * One row of an answer. Counts and day numbers are numbers; amounts are bigints in millionths of
 * the currency's unit, so that sums stay exact; a missing value is null.
 */
export type Row = Readonly<Record<string, string | number | bigint | null>>;
