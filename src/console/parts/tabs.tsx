/** Links to the parts of a view, below its head. */
type TabsProps = {
  /** The name of the row, for screen readers. */
  readonly name: string;
  readonly tabs: readonly { readonly id: string; readonly name: string; readonly href: string }[];
  readonly chosen: string;
};

/** A row of links, one of which is open. */
export function Tabs({ name, tabs, chosen }: TabsProps) {
  return (
    <nav class="tabs" aria-label={name}>
      {tabs.map(({ id, name: text, href }) => (
        <a key={id} href={href} aria-current={id === chosen ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}
