/** The sections of the operator's page, which the address names. */
import type { IconName } from '../parts/icons.tsx';

/** The sections, in the order of the list. */
export const sections = [
  { id: 'attention', name: 'To repair', icon: 'alert' },
  { id: 'imports', name: 'Imports', icon: 'inventory' },
  { id: 'jobs', name: 'Jobs', icon: 'clock' },
  { id: 'channels', name: 'Channels', icon: 'store' },
  { id: 'organisations', name: 'Organisations', icon: 'overview' },
  { id: 'users', name: 'Users', icon: 'operator' },
  { id: 'keys', name: 'Keys', icon: 'key' },
  { id: 'audit', name: 'Audit log', icon: 'report' },
] as const satisfies readonly {
  readonly id: string;
  readonly name: string;
  readonly icon: IconName;
}[];

/** A section. */
export type Section = (typeof sections)[number];
/** The name of a section in the address. */
export type SectionId = Section['id'];

/** The section of the address. */
export const sectionOf = (params: URLSearchParams): Section =>
  sections.find(({ id }) => id === params.get('section')) ?? sections[0];

/** The address of a section, with what else it names. */
export function addressOf(id: SectionId, named: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({ ...(id !== 'attention' && { section: id }), ...named });
  return query.size === 0 ? '/console/operator' : `/console/operator?${query}`;
}
