/** The status of a store as reported by itself. */
export type StoreStatus = {
  /** The engine with its version, such as `PostgreSQL 18.4`. */
  readonly engine: string;
  /** The schema version that the store has, and the newest that this program knows. */
  readonly schema: { readonly held: number; readonly newest: number };
  /** The store's own clock in epoch milliseconds; null if it uses the clock of this process. */
  readonly clock: number | null;
  /** Whether a part of what it has stored was found damaged since it was opened. */
  readonly isDamaged?: boolean;
  /** Its servers, if it has several, and how many of them do not answer. */
  readonly servers?: { readonly all: number; readonly silent: number };
};
