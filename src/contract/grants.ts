/** Grants: what operations need of a key, and what a key may do. */

/** The rooms of the public API. */
export const rooms = [
  'channels',
  'tags',
  'customGroups',
  'reports',
  'advertising',
  'searchQueryPerformance',
  'targets',
  'orders',
  'profitability',
  'lineage',
  'webhooks',
  'schedules',
] as const;

type Room = (typeof rooms)[number];

/** The need of an operation: to read in a room, or to write in it. */
export type Need = `${Room}:${'read' | 'write'}`;

/** The grant with which a key's answers include the addresses of buyers. */
export const buyersGrant = 'buyers';

/** The header of an answer to a key whose grants include the addresses of buyers. */
export const buyersHeader = 'vitrine-buyers';

/** Rooms with more than figures and the stores, tags and groups that choose them. */
const withoutFigures: readonly string[] = ['orders', 'webhooks', 'schedules'];

/** The grants other than the names of operations, with their meanings. */
export const grants: Readonly<Record<string, string>> = {
  figures:
    'Reads figures and reports, and the stores, tags and groups by which they are chosen; no orders, webhooks or schedules.',
  read: 'Reads everything, without the addresses of buyers.',
  write: 'Changes everything that the API can change.',
  [buyersGrant]: 'Adds the addresses of buyers to the orders that the key may read.',
  ...Object.fromEntries(
    rooms.flatMap((room) => [
      [`${room}:read`, `Reads ${room}.`],
      [`${room}:write`, `Changes ${room}.`],
    ]),
  ),
};

/** The grants of a key that only reads figures, such as an assistant's. */
export const assistantGrants: readonly string[] = ['figures'];

/** The parts of an operation that grants depend on. */
export type Granted = { readonly operation: string; readonly needs?: Need | 'nothing' };

/** Whether grants allow an operation. An operation that states no needs requires all grants. */
export function allows(granted: readonly string[], { operation, needs }: Granted): boolean {
  if (needs === 'nothing') return true;
  if (needs === undefined) return false;
  const [room, right] = needs.split(':') as [Room, string];
  if ([operation, needs, right].some((grant) => granted.includes(grant))) return true;
  return right === 'read' && !withoutFigures.includes(room) && granted.includes('figures');
}
