/** A choice of a few, as a row of links. */
type SegmentsProps = {
  /** The name of the choice. */
  readonly name: string;
  readonly options: readonly {
    readonly id: string;
    readonly name: string;
    readonly count?: number;
  }[];
  readonly chosen: string;
  readonly hrefOf: (id: string) => string;
};

/** A row of links, one of which is chosen. */
export function Segments({ name, options, chosen, hrefOf }: SegmentsProps) {
  return (
    <nav class="segments" aria-label={name}>
      {options.map(({ id, name: text, count }) => (
        <a key={id} href={hrefOf(id)} aria-current={id === chosen ? 'true' : undefined}>
          {text}
          {count !== undefined && <span class="n"> {count}</span>}
        </a>
      ))}
    </nav>
  );
}
