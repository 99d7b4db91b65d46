/** Identifiers that a spreadsheet read as numbers, so that several have become the same. */

/** Why an identifier cannot be used, if a spreadsheet has shortened it: 2.1E+10. */
export function shortenedReason(id: string): string | undefined {
  if (!/^\d(?:[.,]\d+)?E\+\d+$/i.test(id)) return undefined;
  return `was shortened by a spreadsheet (it is ${id}): import the document as it was downloaded`;
}
