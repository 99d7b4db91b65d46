/** The parts of the XML parser that are used; the package has no types. */
declare module 'saxen' {
  /** A parser of XML that calls back for each thing it finds. */
  export class Parser {
    on(event: 'closeTag' | 'cdata', call: (value: string) => void): this;
    on(
      event: 'text',
      call: (value: string, decodeEntities: (text: string) => string) => void,
    ): this;
    on(event: 'error', call: (error: Error) => void): this;
    on(
      event: 'openTag',
      call: (
        name: string,
        getAttributes: () => Record<string, string>,
        decodeEntities: (text: string) => string,
      ) => void,
    ): this;
    write(xml: string): this;
    parse(xml: string): void;
    end(): Error | undefined;
    stop(): void;
  }
}
