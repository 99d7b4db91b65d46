/** What a store says of itself. */
export type StoreStatus = {
  /** The engine with its version, such as `PostgreSQL 18.4`. */
  readonly engine: string;
  /** The number of the schema that the store holds, and of the newest that this program knows. */
  readonly schema: { readonly held: number; readonly newest: number };
  /** The store's own clock in epoch milliseconds; null where it goes by that of this process. */
  readonly clock: number | null;
};
