/** The files of runs of schedules. */
import type { Caller } from '../access/channels.ts';
import type { Registry } from '../engine/registry.ts';

/** The file of a run. */
export type RunFile = {
  readonly status: 'done';
  readonly fileName: string;
  /** The name of its file in the file store. */
  readonly storedAs: string;
};

/** The file of a run whose schedule the reader may manage; undefined if there is none. */
export async function findRunFile(
  { records }: Registry,
  { organisationId, userId, restricted }: Pick<Caller, 'organisationId' | 'userId' | 'restricted'>,
  runId: string,
): Promise<RunFile | undefined> {
  const found = await records
    .selectFrom('scheduleRun')
    .innerJoin('schedule', 'schedule.scheduleId', 'scheduleRun.scheduleId')
    .select(['scheduleRun.fileName', 'scheduleRun.storedAs'])
    .where('scheduleRun.runId', '=', runId)
    .where('scheduleRun.state', '=', 'done')
    .where('schedule.organisationId', '=', organisationId)
    .$if(restricted, (query) => query.where('schedule.userId', '=', userId))
    .executeTakeFirst();
  if (found?.fileName == null || found.storedAs === null) return undefined;
  return { status: 'done', fileName: found.fileName, storedAs: found.storedAs };
}
