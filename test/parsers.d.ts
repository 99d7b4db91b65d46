declare module 'parse-prometheus-text-format' {
  /** Parses a scrape. */
  export default function parse(text: string): {
    readonly name: string;
    readonly metrics: readonly {
      readonly value: string;
      readonly labels?: Readonly<Record<string, string>>;
    }[];
  }[];
}

declare module 'papaparse' {
  /** Reads and writes CSV, with rows as lists. */
  const papaparse: {
    parse(text: string, options: { delimiter: string }): { data: string[][] };
    unparse(rows: readonly (readonly string[])[], options: { delimiter: string }): string;
  };
  export default papaparse;
}
