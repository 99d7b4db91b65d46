/** The port to which the rooms report work as spans. Nothing here names a customer. */

/** The properties of a span. */
export type Attributes = Readonly<Record<string, string | number>>;

/** Ends a span; an error marks it, by its type alone. */
export type EndSpan = (error?: unknown) => void;

/** Names a request and ends its span. */
export type EndRequest = (name: string, attributes: Attributes, hasFailed: boolean) => void;

/** The port. No method throws, except what `proceed` throws. */
export interface Tracer {
  /** Begins a span within that of the request under way, if there is one. */
  begin(name: string, attributes: Attributes): EndSpan;
  /** Begins the span of a request and runs the rest of it within. */
  request(proceed: (end: EndRequest) => void): void;
}

/** Makes no spans. */
export const silentTracer: Tracer = {
  begin: () => () => {},
  request: (proceed) => proceed(() => {}),
};
