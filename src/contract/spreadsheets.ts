/** Texts of cells as spreadsheets read them; the service and its pages write CSV alike. */

// A spreadsheet treats text that begins like this as a formula, in Japanese settings also where the
// sign is a fullwidth one. Some remove blanks and invisible characters before the sign.
const formula = /^(?:[\t\r\n]|[\s\p{DI}\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u;
// Where decimals have commas, spreadsheets divide cells at semicolons.
const special = /[",;\r\n]/;

/** A text as a cell of CSV: in quotes where it needs them, and never a formula. */
export function textCell(text: string): string {
  const plain = formula.test(text) ? `'${text}` : text;
  return special.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** A text of a cell without the mark that keeps spreadsheets from taking it for a formula. */
export function withoutMark(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;
}
