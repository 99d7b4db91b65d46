/** Reads what the operator's interface and the registry of a world say. */
import type { Answer, World } from './harness.ts';

/** The number by which the facts of a channel are stored. */
export async function channelNumberOf(
  { registry }: Pick<World, 'registry'>,
  channelId: string,
): Promise<number> {
  const { channelNumber } = await registry.records
    .selectFrom('channel')
    .select('channelNumber')
    .where('channelId', '=', channelId)
    .executeTakeFirstOrThrow();
  return channelNumber;
}

/** The status and the reason of a refusal. */
export const refusalOf = ({ status, body }: Answer) => [status, body.error];

/** The audit log about a subject: each action with its detail, the newest first. */
export async function auditOf(
  world: World,
  subject: string,
): Promise<[action: string, detail: object][]> {
  const query = new URLSearchParams({ subject });
  const { entries } = await world.operate('GET', `/operator/audit?${query}`);
  return entries.map(({ action, detail }: { action: string; detail: object }) => [action, detail]);
}
