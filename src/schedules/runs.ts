/** The runs of schedules, which are queued as jobs when they are due. */
import { type Channel, channelsOfUser } from '../access/channels.ts';
import type {
  RecordsTransaction,
  Registry,
  ScheduleRecord,
  ScheduleRunRecord,
} from '../engine/registry.ts';
import { regularly } from '../engine/regularly.ts';
import { countWaitingJobs, type JobQueue, jobRetentionMilliseconds } from '../jobs/queue.ts';
import { lastTime, nextTimes } from './cron.ts';

/** The kind of the jobs that send e-mails of schedules. */
export const mailJob = 'scheduleMail';
/** The kind of the jobs that run schedules. */
export const scheduleJob = 'schedule';

/** The maximum number of waiting runs of one organisation. */
export const waitingRunsMax = 50;
const lookEveryMilliseconds = 15_000;
/** Files are deleted with their jobs, so runs are retained as long as jobs. */
const retentionMilliseconds = jobRetentionMilliseconds;

/**
 * Adds a run and its job, unless there is already a run for that time; returns its identifier.
 * Undefined if the user reaches no channel. `dueAt` and `now` are in epoch milliseconds.
 */
export async function queueRun(
  transaction: RecordsTransaction,
  jobs: Pick<JobQueue, 'add'>,
  schedule: ScheduleRecord,
  dueAt: number,
  now: number,
): Promise<string | undefined> {
  const { scheduleId, userId } = schedule;
  const known = await transaction
    .selectFrom('scheduleRun')
    .select('runId')
    .where((row) => row.and({ scheduleId, dueAt }))
    .executeTakeFirst();
  if (known !== undefined) return known.runId;
  const [channel] = await reachedChannels(transaction, schedule);
  if (channel === undefined) return undefined;
  const job = { kind: scheduleJob, channel, userId, owner: scheduleId, payload: null };
  const runId = await jobs.add(transaction, job);
  await transaction
    .insertInto('scheduleRun')
    .values({
      runId,
      scheduleId,
      dueAt,
      state: 'waiting',
      reportId: null,
      storedAs: null,
      fileName: null,
      error: null,
      mailError: null,
      mailedAt: null,
      createdAt: now,
      finishedAt: null,
    })
    .execute();
  return runId;
}

/** Adds a job that asks a schedule's recipients to confirm, unless its user reaches no channel. */
export async function queueConfirmations(
  transaction: RecordsTransaction,
  jobs: Pick<JobQueue, 'add'>,
  schedule: ScheduleRecord,
): Promise<void> {
  const { scheduleId, userId } = schedule;
  const [channel] = await reachedChannels(transaction, schedule);
  if (channel !== undefined)
    await jobs.add(transaction, {
      kind: mailJob,
      channel,
      userId,
      owner: scheduleId,
      payload: { scheduleId },
    });
}

/** Changes the record of a run. */
export async function changeRun(
  { records }: Registry,
  runId: string,
  changed: Partial<ScheduleRunRecord>,
): Promise<void> {
  await records.updateTable('scheduleRun').set(changed).where('runId', '=', runId).execute();
}

/** The channel of the parameters, or else all channels, among those that the user reaches. */
async function reachedChannels(
  records: Registry['records'],
  {
    parameters,
    ...user
  }: Pick<ScheduleRecord, 'organisationId' | 'userId' | 'keyId' | 'parameters'>,
): Promise<readonly Channel[]> {
  const channels = await channelsOfUser(records, user).orderBy('channel.channelNumber').execute();
  const named = JSON.parse(parameters) as Partial<Channel>;
  const found = channels.find(
    ({ channelId, merchantId }) => channelId === named.channelId && merchantId === named.merchantId,
  );
  return found === undefined ? channels : [found];
}

/** The numbers of the channels that a run of a schedule may be about now. */
export async function channelsOf(
  records: Registry['records'],
  schedule: ScheduleRecord,
): Promise<number[]> {
  const channels = await reachedChannels(records, schedule);
  return channels.map(({ channelNumber }) => channelNumber);
}

/**
 * Queues the runs that are due: for each schedule only the last time that has passed, so after
 * downtime the service runs it once. Runs of an organisation with too many waiting stay due.
 * Returns how many were queued.
 */
export async function queueDueRuns(
  { records }: Registry,
  jobs: Pick<JobQueue, 'add'>,
  now: number,
): Promise<number> {
  const due = await records
    .selectFrom('schedule')
    .selectAll()
    .where('state', '=', 'enabled')
    .where('nextAt', '<=', now)
    .orderBy('nextAt')
    .execute();
  let queued = 0;
  for (const schedule of due) {
    const { scheduleId, organisationId, cron, timezone, nextAt } = schedule;
    const dueAt = Math.max(nextAt!, lastTime(cron, timezone, now) ?? nextAt!);
    const [next] = nextTimes(cron, timezone, now, 1);
    const runId = await records.transaction().execute(async (transaction) => {
      const waiting = await countWaitingJobs(transaction, scheduleJob, organisationId);
      if (waiting >= waitingRunsMax) return undefined;
      const { numUpdatedRows } = await transaction
        .updateTable('schedule')
        .set({ nextAt: next ?? null })
        .where((row) => row.and({ scheduleId, nextAt, state: 'enabled' }))
        .executeTakeFirst();
      // Another node has queued it, or the schedule has changed meanwhile.
      if (numUpdatedRows === 0n) return undefined;
      return queueRun(transaction, jobs, schedule, dueAt, now);
    });
    if (runId !== undefined) queued++;
  }
  return queued;
}

/**
 * Looks every quarter of a minute for schedules that are due, on one node at a time. Returns the
 * function that stops it.
 */
export function runRegularly(
  registry: Registry,
  jobs: Pick<JobQueue, 'add' | 'announce'>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const look = async () => {
    const queued = await registry.withLock('schedules', () =>
      queueDueRuns(registry, jobs, Date.now()),
    );
    if (queued > 0) jobs.announce(scheduleJob);
  };
  return regularly(lookEveryMilliseconds, look, onError);
}

/**
 * Deletes the runs of more than 30 days ago, and marks runs whose job is gone as failed. `now` is
 * in epoch milliseconds.
 */
export async function pruneRuns({ records }: Registry, now: number): Promise<void> {
  await records
    .deleteFrom('scheduleRun')
    .where('createdAt', '<', now - retentionMilliseconds)
    .execute();
  await records
    .updateTable('scheduleRun')
    .set({ state: 'failed', error: 'its job was deleted', finishedAt: now })
    .where('state', 'in', ['waiting', 'running'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('job').select('job.jobId').whereRef('job.jobId', '=', 'scheduleRun.runId'),
        ),
      ),
    )
    .execute();
}
