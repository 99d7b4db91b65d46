/**
 * Texts of cells as spreadsheets read them; the service and its pages write CSV in the same way.
 */

// A spreadsheet treats text that begins like this as a formula; Japanese settings also accept the
// fullwidth signs. Some programs remove blanks and invisible characters before the sign.
const formula = /^(?:[\t\r\n]|[\s\p{DI}\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u;
// Where decimals have commas, spreadsheets split cells at semicolons.
const special = /[",;\r\n]/;

/** A text as a CSV cell: quoted if necessary, and never a formula. */
export function textCell(text: string): string {
  const plain = formula.test(text) ? `'${text}` : text;
  return special.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** The text of a cell without the mark that prevents spreadsheets from reading it as a formula. */
export function withoutMark(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;
}
