/** Reads and changes what the operator's interface and the registry of a world say. */
import assert from 'node:assert/strict';
import type { Insertable, Kysely, Selectable, Updateable } from 'kysely';
import type { Records } from '../src/engine/records.ts';
import type { Answer, World } from './harness.ts';

type Stored = Pick<World, 'registry'>;
type Table = keyof Records;
/** Values of columns that records have. */
type Values<Name extends Table> = Partial<Selectable<Records[Name]>>;

// biome-ignore lint/suspicious/noExplicitAny: the helper below has the types of each table.
const tablesOf = ({ registry }: Stored) => registry.records as unknown as Kysely<any>;

/** The records of a table that have these values, in the order of a column if one is given. */
export async function recordsOf<Name extends Table>(
  world: Stored,
  table: Name,
  values: Values<Name>,
  order?: keyof Records[Name] & string,
): Promise<Selectable<Records[Name]>[]> {
  const found = tablesOf(world)
    .selectFrom(table)
    .selectAll()
    .where(({ and }) => and(values));
  return (await (order ? found.orderBy(order) : found).execute()) as Selectable<Records[Name]>[];
}

/** The only record of a table that has these values. */
export async function recordOf<Name extends Table>(
  world: Stored,
  table: Name,
  values: Values<Name>,
): Promise<Selectable<Records[Name]>> {
  const records = await recordsOf(world, table, values);
  assert.equal(records.length, 1, `${table}: ${JSON.stringify(values)}`);
  return records[0]!;
}

/** Adds records to a table. */
export async function addRecords<Name extends Table>(
  world: Stored,
  table: Name,
  ...records: Insertable<Records[Name]>[]
): Promise<void> {
  await tablesOf(world).insertInto(table).values(records).execute();
}

/** Changes the records of a table that have these values. */
export async function changeRecords<Name extends Table>(
  world: Stored,
  table: Name,
  values: Values<Name>,
  changes: Updateable<Records[Name]>,
): Promise<void> {
  // A name of a table, whichever it is: a type parameter has no `where`.
  const changing = tablesOf(world)
    .updateTable(table as 'channel')
    .set(changes as object);
  await changing.where(({ and }) => and(values)).execute();
}

/** The number by which the facts of a channel are stored. */
export const channelNumberOf = async (world: Stored, channelId: string): Promise<number> =>
  (await recordOf(world, 'channel', { channelId })).channelNumber;

/** The status and the reason of a refusal. */
export const refusalOf = ({ status, body }: Answer) => [status, body.error];

/** The audit log about a subject, the newest first: who did what, and the detail. */
export async function deedsOf(
  world: World,
  subject: string,
): Promise<[actor: string, action: string, detail: object][]> {
  const query = new URLSearchParams({ subject });
  const { entries } = await world.operate('GET', `/operator/audit?${query}`);
  type Entry = { actor: string; action: string; detail: object };
  return entries.map((entry: Entry) => [entry.actor, entry.action, entry.detail]);
}

/** The same without who did it. */
export const auditOf = async (world: World, subject: string) =>
  (await deedsOf(world, subject)).map(([, ...deed]) => deed);
