/** The part of papaparse that the console uses; its published types are those of Node as well. */
declare module 'papaparse' {
  /** Reads CSV into rows by the names of the first one. */
  export function parse<Row>(
    text: string,
    options: { readonly header: true; readonly skipEmptyLines: true },
  ): { readonly data: readonly Row[] };
}
