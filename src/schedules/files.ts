/** The files of runs of schedules. */
import { type Basis, withdrawalOf } from '../access/withdrawals.ts';
import type { Registry } from '../engine/registry.ts';
import { callsOfReader, type OperationOf } from './calls.ts';

/** The file of a run. */
export type RunFile = {
  readonly status: 'done';
  readonly fileName: string;
  /** The name of its file in the file store. */
  readonly storedAs: string;
};

/** The file of a run if its reader may still have it; undefined otherwise. */
export async function findRunFile(
  registry: Registry,
  reader: Pick<Basis, 'organisationId' | 'userId' | 'keyId'>,
  runId: string,
  { now, operationOf }: { readonly now: number; readonly operationOf: OperationOf },
): Promise<RunFile | undefined> {
  const found = await registry.records
    .selectFrom('scheduleRun')
    .innerJoin('schedule', 'schedule.scheduleId', 'scheduleRun.scheduleId')
    .select(['scheduleRun.fileName', 'scheduleRun.storedAs', 'schedule.userId'])
    .select('schedule.operation')
    .where('scheduleRun.runId', '=', runId)
    .where('scheduleRun.state', '=', 'done')
    .where('schedule.organisationId', '=', reader.organisationId)
    .executeTakeFirst();
  if (found?.fileName == null || found.storedAs === null) return undefined;
  const channels = await channelsOfRun(registry, runId);
  const calls = callsOfReader(found.operation, operationOf);
  const basis = { ...reader, channels, ofUser: found.userId, calls };
  if ((await withdrawalOf(registry, basis, now)) !== undefined) return undefined;
  return { status: 'done', fileName: found.fileName, storedAs: found.storedAs };
}

/** The numbers of the channels that the file of a run is about. */
export async function channelsOfRun(
  { records }: Pick<Registry, 'records'>,
  runId: string,
): Promise<number[]> {
  const found = await records
    .selectFrom('scheduleRunChannel')
    .select('channelNumber')
    .where('runId', '=', runId)
    .execute();
  return found.map(({ channelNumber }) => channelNumber);
}

/** Adds channels to those that the file of a run is about. */
export async function noteChannels(
  { records }: Pick<Registry, 'records'>,
  runId: string,
  channels: readonly number[],
): Promise<void> {
  if (channels.length === 0) return;
  await records
    .insertInto('scheduleRunChannel')
    .values(channels.map((channelNumber) => ({ runId, channelNumber })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
