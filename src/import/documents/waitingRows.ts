/** The rows of a delimited document, which wait until they show how it writes amounts and dates. */
import { currenciesWritten, currencyNames } from '../cells/currencySigns.ts';
import { DocumentRefused } from '../refused.ts';
import type { ImportSession } from '../session.ts';
import { type Shows, Witnesses } from './witnesses.ts';

/** A cell that shows something of the notation, and its column if it has dates. */
export type ShownCell = readonly [shows: Shows, text: string, column?: string];

/** A record as written, with its line. */
export type WrittenRow = {
  readonly record: Readonly<Record<string, string>>;
  readonly line: number;
};

/** The number of rows to wait for before reading, if they have one notation. */
export const waitingMin = 2000;
/** The maximum number of rows that wait. */
export const waitingMax = 32_000;

/**
 * Collects rows until they show the notation, then passes them on. If a document has more rows than
 * can wait, it is read in the notation of the first ones, and a later row that contradicts them
 * refuses it.
 */
export class WaitingRows {
  readonly #session: ImportSession;
  readonly #witnesses: Witnesses;
  readonly #take: (row: WrittenRow) => void;
  #rows: WrittenRow[] | undefined = [];

  constructor(session: ImportSession, take: (row: WrittenRow) => void) {
    this.#session = session;
    this.#witnesses = new Witnesses(session);
    this.#take = take;
  }

  /** Takes a row, with its cells that show something. */
  take(row: WrittenRow & { readonly shown: readonly ShownCell[] }): void {
    for (const cell of row.shown) this.#witnesses.take(...cell);
    if (this.#rows === undefined) {
      if (this.#witnesses.isNew) this.#decideAgain();
      this.#take(row);
      return;
    }
    this.#rows.push({ record: row.record, line: row.line });
    if (this.#rows.length < waitingMin) return;
    if (this.#witnesses.areClear || this.#rows.length >= waitingMax) this.#passOn();
  }

  /** Takes the end of the document. */
  end(): void {
    this.#passOn();
  }

  #passOn(): void {
    const rows = this.#rows ?? [];
    this.#rows = undefined;
    this.#witnesses.decide();
    for (const row of rows) this.#take(row);
  }

  /** Lets a later row decide what the first ones left open. */
  #decideAgain(): void {
    const { notation } = this.#session;
    const { mark, order } = notation;
    this.#witnesses.decide();
    const isOther = mark !== undefined && notation.mark !== mark;
    if (isOther || (order !== undefined && notation.order !== order))
      throw new DocumentRefused(
        'later rows of the document write amounts or dates in another way than its first ones: split it by dates',
      );
  }
}

/** Whether the amounts of a row may be in the channel's currency; skips the row if not. */
export function isOfCurrency(shown: readonly ShownCell[], session: ImportSession): boolean {
  const { currency, otherStores } = session;
  if (currency === '') return true;
  for (const [shows, text] of shown) {
    const found = shows === 'amount' ? currenciesWritten(text) : undefined;
    if (found === undefined || found.includes(currency)) continue;
    const theirs = `a store in ${currencyNames(found)}`;
    otherStores.skip(theirs, `one in ${currency}`, { currencies: found });
    return false;
  }
  return true;
}
