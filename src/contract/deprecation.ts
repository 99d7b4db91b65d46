/** The end of operations: when they are deprecated, and how long they still answer. */

/** A date, such as 2027-03-31. */
type DateText = `${number}-${number}-${number}`;

/** When an operation was deprecated, when it stops answering, and what takes its place. */
export type Deprecation = {
  readonly since: DateText;
  /** The first day on which it may be gone; undefined while no such day is set. */
  readonly sunset?: DateText;
  /** The operation to call instead. */
  readonly instead?: string;
};

/** The guide that describes how operations end. */
const guide = '/guides/versions';

/** The headers of every answer of a deprecated operation (RFC 9745, RFC 8594). */
export function deprecationHeaders({
  since,
  sunset,
}: Deprecation): Readonly<Record<string, string>> {
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    ...(sunset !== undefined && { sunset: new Date(sunset).toUTCString() }),
    link: `<${guide}>; rel="deprecation"; type="text/html"`,
  };
}

/** The sentences at the end of a deprecated operation's description. */
export function deprecationWords({ since, sunset, instead }: Deprecation): string {
  const end = sunset === undefined ? '' : `; it answers at least until ${sunset}`;
  const next = instead === undefined ? '' : ` Call ${instead} instead.`;
  return `Deprecated since ${since}${end}.${next}`;
}
