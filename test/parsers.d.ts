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
