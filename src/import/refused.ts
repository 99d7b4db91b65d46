/** The whole document is refused, for a reason that its sender can act on. */
export class DocumentRefused extends Error {}

/** The whole document is refused because it takes too much memory. */
export class DocumentTooLarge extends DocumentRefused {}

/** Replaces control characters and lone surrogates, which not every store can hold. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\ufffd').toWellFormed();
}
