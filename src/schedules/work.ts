/** The jobs that run schedules. */
import { findOne } from '../access/records.ts';
import type { Contract } from '../contract/endpoint.ts';
import { type ApiAnswer, type ApiRequest, requestOf } from '../contract/requests.ts';
import type { Clock } from '../engine/clock.ts';
import {
  type RecordsTransaction,
  type Registry,
  type ScheduleRecord,
  type ScheduleRunRecord,
  writeAudit,
} from '../engine/registry.ts';
import type { FileStore } from '../files/store.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { JobPostponed, JobRefused, type Work } from '../jobs/worker.ts';
import { furtherChannelsOf, storedNameOf } from '../report/requestedReports.ts';
import { countStoredFiles, tooManyFilesText } from '../report/storedFiles.ts';
import type { Announcer } from '../webhooks/announce.ts';
import type { OperationOf } from './calls.ts';
import { noteChannels } from './files.ts';
import type { MailPayload } from './mailWork.ts';
import { inputAt, isReport, scheduledOf } from './request.ts';
import { changeRun, channelsOf, mailJob } from './runs.ts';

/**
 * The shortest and longest pauses between looks at a report; in between, as long as the run has
 * taken so far.
 */
const pollMin = 100;
const pollMax = 2_000;
const busyMilliseconds = 15_000;
const errorLengthMax = 300;
const [accepted, tooMany, failed, unavailable] = [200, 429, 500, 503];

/** Calls the public API as the user of a schedule; undefined if that user may no longer use it. */
export type AskAs = (
  schedule: ScheduleRecord,
  request: ApiRequest,
) => Promise<ApiAnswer | undefined>;

/** The dependencies of the jobs. */
export type ScheduleParts = {
  readonly registry: Registry;
  readonly files: FileStore;
  readonly jobs: Pick<JobQueue, 'add'>;
  readonly announcer: Announcer;
  /** The maximum number of stored files of an organisation. */
  readonly storedFilesMax: number;
  /** Whether e-mails can be sent. */
  readonly sendsMail: boolean;
  readonly clock: Pick<Clock, 'now'>;
  readonly askAs: AskAs;
  readonly operationOf: OperationOf;
};

/** A run fails if its requests are postponed for longer than this. */
const postponedMillisecondsMax = 24 * 3_600_000;

type Run = {
  readonly run: ScheduleRunRecord;
  readonly schedule: ScheduleRecord;
  /** Whether its requests may still be postponed. */
  readonly mayWait: boolean;
  /** When to look at its report again, in milliseconds. */
  readonly pause: number;
};

/** Runs schedules, each run once: a repeated attempt finds the report that it created. */
export function scheduleWork(parts: ScheduleParts): Work {
  return new Runs(parts);
}

class Runs implements Work {
  readonly inOrder = false;
  readonly #parts: ScheduleParts;

  constructor(parts: ScheduleParts) {
    this.#parts = parts;
  }

  readonly run: Work['run'] = async ({ jobId, createdAt, startedAt }, extendLease) => {
    const now = this.#parts.clock.now();
    const found = await this.#find(jobId, {
      mayWait: now - createdAt < postponedMillisecondsMax,
      pause: Math.min(Math.max(now - startedAt, pollMin), pollMax),
    });
    if (found === undefined) return;
    const contract = this.#parts.operationOf(found.schedule.operation);
    if (contract === undefined) throw new JobRefused('the operation does not exist any more');
    await changeRun(this.#parts.registry, jobId, { state: 'running' });
    if (isReport(contract)) await this.#runReport(found, contract);
    else await this.#runView(found, contract, extendLease);
  };

  readonly onEnd: NonNullable<Work['onEnd']> = async (transaction, { jobId }, error) => {
    const { numUpdatedRows } = await transaction
      .updateTable('scheduleRun')
      .set({
        state: error === undefined ? 'done' : 'failed',
        error: error ?? null,
        finishedAt: this.#parts.clock.now(),
      })
      .where('runId', '=', jobId)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await this.#deliver(transaction, jobId, error);
  };

  async #find(runId: string, patience: Pick<Run, 'mayWait' | 'pause'>): Promise<Run | undefined> {
    const { records } = this.#parts.registry;
    const run = await findOne(records, 'scheduleRun', { runId });
    if (run === undefined) return undefined;
    const schedule = await findOne(records, 'schedule', { scheduleId: run.scheduleId });
    return schedule && { run, schedule, ...patience };
  }

  /** Creates the report first, and waits for its end from then on. */
  async #runReport(found: Run, contract: Contract): Promise<void> {
    const { run } = found;
    if (run.reportId === null) {
      const answer = await this.#ask(found, contract, { 'idempotency-key': run.runId });
      const { reportId } = JSON.parse(answer.bytes.toString());
      await changeRun(this.#parts.registry, run.runId, { reportId });
      throw new JobPostponed(found.pause);
    }
    const { status, error, fileName } = await this.#statusOf(found, run.reportId);
    if (status === 'errored') throw new JobRefused(error ?? 'the report has errored');
    if (status !== 'done') throw this.#postponed(found, found.pause);
    const storedAs = await this.#storedAs(run.runId, run.reportId);
    await changeRun(this.#parts.registry, run.runId, { fileName: fileName!, storedAs });
  }

  async #storedAs(runId: string, reportId: string): Promise<string> {
    const { registry } = this.#parts;
    const { jobId, channelNumber, reportType, format } = await registry.records
      .selectFrom('report')
      .innerJoin('job', 'job.jobId', 'report.jobId')
      .select(['job.jobId', 'job.channelNumber', 'report.reportType', 'report.format'])
      .where('report.reportId', '=', reportId)
      .executeTakeFirstOrThrow();
    const further = await furtherChannelsOf(registry, jobId);
    await noteChannels(registry, runId, [channelNumber, ...further]);
    return storedNameOf(jobId, reportType, format);
  }

  async #statusOf(found: Run, reportId: string) {
    const answer = await this.#send(found, {
      method: 'GET',
      path: `/reports/status/${reportId}`,
    });
    const { status, error, downloadUrl } = JSON.parse(answer.bytes.toString());
    return { status, error, fileName: downloadUrl?.split('/').at(-1) } as {
      readonly status: string;
      readonly error: string | undefined;
      readonly fileName: string | undefined;
    };
  }

  async #runView(
    found: Run,
    contract: Contract,
    extendLease: () => Promise<boolean>,
  ): Promise<void> {
    const { run, schedule } = found;
    const { registry, storedFilesMax } = this.#parts;
    const files = await countStoredFiles(registry.records, schedule.organisationId);
    if (files >= storedFilesMax) throw new JobRefused(tooManyFilesText(files));
    // Noted before and after, because access to a channel may be granted or revoked meanwhile.
    await this.#noteReach(found);
    const answer = await this.#ask(found, contract, { accept: 'text/csv' });
    await this.#noteReach(found);
    const storedAs = `${run.runId}.csv`;
    const draft = await this.#parts.files.begin(storedAs);
    try {
      await draft.write(answer.bytes);
      if (!(await extendLease())) throw new Error('another worker has taken over the run');
      await draft.store();
    } catch (error) {
      await draft.discard();
      throw error;
    }
    const date = new Date(run.dueAt).toISOString().slice(0, 10);
    const fileName = `${schedule.operation}-${date}.csv`;
    await changeRun(this.#parts.registry, run.runId, { storedAs, fileName });
  }

  async #noteReach({ run, schedule }: Run): Promise<void> {
    const { registry } = this.#parts;
    await noteChannels(registry, run.runId, await channelsOf(registry.records, schedule));
  }

  async #ask(
    found: Run,
    contract: Contract,
    headers: Readonly<Record<string, string>>,
  ): Promise<ApiAnswer> {
    const { schedule, run } = found;
    const input = inputAt(contract, scheduledOf(schedule), Math.floor(run.dueAt / 1000));
    return this.#send(found, {
      method: contract.method,
      headers,
      ...requestOf(contract, input),
    });
  }

  async #send(found: Run, request: ApiRequest): Promise<ApiAnswer> {
    const { schedule } = found;
    const answer = await this.#parts.askAs(schedule, request);
    if (answer === undefined) {
      await this.#disable(schedule, 'its user or its key may not use the API any more');
      throw new JobRefused('the user or the key of the schedule may not use the API any more');
    }
    if (answer.status === accepted) return answer;
    const text = answer.bytes.toString();
    if (answer.status === tooMany) {
      const seconds = Number(answer.header('retry-after'));
      throw this.#postponed(found, Math.max(busyMilliseconds, (seconds || 0) * 1000));
    }
    if (answer.status === unavailable) throw this.#postponed(found, busyMilliseconds);
    if (answer.status >= failed) throw new Error('the request failed');
    throw new JobRefused(errorOf(text).slice(0, errorLengthMax));
  }

  #postponed({ mayWait }: Run, milliseconds: number): Error {
    return mayWait
      ? new JobPostponed(milliseconds)
      : new JobRefused('the service was too busy for a day');
  }

  async #disable({ scheduleId }: ScheduleRecord, reason: string): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#parts.registry.records.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('schedule')
        .set({ state: 'disabled', reason, nextAt: null, updatedAt: now })
        .where('scheduleId', '=', scheduleId)
        .execute();
      const event = { action: 'disableSchedule', subject: scheduleId, detail: { reason } };
      await writeAudit(transaction, now, 'service', event);
    });
  }

  /** Announces the end of a run to webhooks, and has its file sent by e-mail. */
  async #deliver(
    transaction: RecordsTransaction,
    runId: string,
    error: string | undefined,
  ): Promise<void> {
    const found = await transaction
      .selectFrom('scheduleRun')
      .innerJoin('schedule', 'schedule.scheduleId', 'scheduleRun.scheduleId')
      .innerJoin('job', 'job.jobId', 'scheduleRun.runId')
      .innerJoin('channel', 'channel.channelNumber', 'job.channelNumber')
      .selectAll('channel')
      .select(['schedule.scheduleId', 'schedule.userId', 'schedule.name', 'schedule.emails'])
      .select(['scheduleRun.dueAt', 'scheduleRun.fileName'])
      .where('scheduleRun.runId', '=', runId)
      .executeTakeFirst();
    if (found === undefined) return;
    const { scheduleId, userId, name, emails, dueAt, fileName, ...channel } = found;
    const event = error === undefined ? 'schedule.finished' : 'schedule.failed';
    const due = new Date(dueAt).toISOString();
    const data = { scheduleId, runId, name, dueAt: due, ...(error ? { error } : { fileName }) };
    const { announcer, jobs, sendsMail } = this.#parts;
    await announcer.announce(transaction, { event, channel, data, ofUser: userId });
    if (error !== undefined || (JSON.parse(emails) as string[]).length === 0) return;
    const payload: MailPayload = { runId };
    if (sendsMail)
      await jobs.add(transaction, { kind: mailJob, channel, userId, owner: scheduleId, payload });
    else
      await transaction
        .updateTable('scheduleRun')
        .set({ mailError: 'the operator has not set up e-mail' })
        .where('runId', '=', runId)
        .execute();
  }
}

function errorOf(text: string): string {
  try {
    return String(JSON.parse(text).error);
  } catch {
    return text;
  }
}
