import type { ComponentChildren } from 'preact';

type PropertyProps = { readonly name: string; readonly children: ComponentChildren };

/** A property with its name, in a list of properties. */
export function Property({ name, children }: PropertyProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
