/** The sections of the operator's page, which the address names. */
import type { IconName } from '../parts/icons.tsx';

/** The sections, in the order of the list. */
export const sections = [
  {
    id: 'attention',
    name: 'To repair',
    icon: 'alert',
    lead: 'Failed imports, refused rows, stale stores and problems of the service.',
  },
  {
    id: 'imports',
    name: 'Imports',
    icon: 'inventory',
    lead: 'Newest first. Times are in your time zone.',
  },
  {
    id: 'jobs',
    name: 'Jobs',
    icon: 'clock',
    lead: 'Newest first. Neither what was asked for nor its result is shown.',
  },
  {
    id: 'channels',
    name: 'Channels',
    icon: 'store',
    lead: 'Drop a document on a channel to import it.',
  },
  {
    id: 'organisations',
    name: 'Organisations',
    icon: 'overview',
    lead: 'Sorted by name.',
  },
  {
    id: 'users',
    name: 'Users',
    icon: 'operator',
    lead: 'Sorted by e-mail address.',
  },
  {
    id: 'keys',
    name: 'Keys',
    icon: 'key',
    lead: 'Newest first. A key is shown once, when it is issued.',
  },
  {
    id: 'audit',
    name: 'Audit log',
    icon: 'report',
    lead: 'Newest first. Times are in your time zone.',
  },
] as const satisfies readonly {
  readonly id: string;
  readonly name: string;
  readonly icon: IconName;
  /** A line below the name. */
  readonly lead: string;
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
