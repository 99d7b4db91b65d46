/** The status of a store, as the store itself reports it. */
export type StoreStatus = {
  /** The engine with its version, such as `PostgreSQL 18.4`. */
  readonly engine: string;
  /** The schema version of the store, and the newest that this program knows. */
  readonly schema: { readonly held: number; readonly newest: number };
  /** The store's own clock in epoch milliseconds; null if it uses the clock of this process. */
  readonly clock: number | null;
  /** Whether any stored data was found damaged since the store was opened. */
  readonly isDamaged?: boolean;
  /** The number of its servers, if it has several, and the number that do not answer. */
  readonly servers?: { readonly all: number; readonly silent: number };
};
