/** The lists of the operator's page: their pages, notes and cells. */

import type { ComponentChildren } from 'preact';
import type { IconName } from '../parts/icons.tsx';
import { pageSize } from '../parts/list.tsx';
import { Note } from '../parts/panel.tsx';
import { pageOf } from '../parts/table.tsx';
import { useAddress } from '../view/address.ts';

/** Longer identifiers, such as random ones, are cut off. */
const wholeIdMax = 24;

/** The page of the address, as the operator API takes it. */
export function usePage(): { readonly pageIndex: number; readonly pageSize: number } {
  const { params } = useAddress();
  return { pageIndex: pageOf(params) - 1, pageSize };
}

type OnlyProps = {
  /** The parameter of the address that narrows the list. */
  readonly param: 'organisation' | 'user' | 'channel';
  readonly icon: IconName;
};

/** Says which record a list belongs to, if the address names one. */
export function OnlyNote({ param, icon }: OnlyProps) {
  const { params, hrefOf } = useAddress();
  const id = params.get(param);
  if (id === null) return null;
  const all = <a href={hrefOf({ [param]: undefined, page: undefined })}>Show all</a>;
  return (
    <Note tone="plain" icon={icon} tools={all}>
      Only of the {param} <code>{id}</code>.
    </Note>
  );
}

/** An identifier in a cell: its beginning, unless it is as short as a name. */
export const shortId = (id: string): string =>
  id.length <= wholeIdMax ? id : `${id.slice(0, 8)}…`;

/** The cell of a record with its identifier below its name. */
export function NamedCell({
  name,
  id,
  href,
}: {
  readonly name: string;
  readonly id: ComponentChildren;
  readonly href?: string;
}) {
  const words = (
    <span>
      {name}
      <small>{id}</small>
    </span>
  );
  if (href === undefined) return <span class="name two">{words}</span>;
  return (
    <a class="name two" href={href}>
      {words}
    </a>
  );
}
