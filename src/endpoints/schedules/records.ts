import { randomUUID } from 'node:crypto';
import type { Caller } from '../../access/channels.ts';
import { changeAsCaller, emailOf, managedBy } from '../../access/managers.ts';
import { quotaFailure } from '../../access/quotas.ts';
import type { RecordsOrTransaction } from '../../access/records.ts';
import {
  changeOne,
  countOf,
  defined,
  listPage,
  readOne,
  removeOne,
  seconds,
  secondsOrNull,
} from '../../access/records.ts';
import { requireRights } from '../../access/rights.ts';
import { storedKeyOf } from '../../access/sessions.ts';
import { Refusal, refuse, retryAfterSeconds } from '../../contract/refusal.ts';
import type { RecipientState, SchedulePeriod } from '../../contract/schedules.ts';
import {
  lockOrganisation,
  type RecordsTransaction,
  type Registry,
  type ScheduleRecord,
} from '../../engine/registry.ts';
import { countStoredFiles, tooManyFilesText } from '../../report/storedFiles.ts';
import { cronFailure, nextTimes } from '../../schedules/cron.ts';
import { recipientsOf } from '../../schedules/recipients.ts';
import { inputFailure, type Scheduled, scheduledOf } from '../../schedules/request.ts';
import {
  mailJob,
  queueConfirmations,
  queueRun,
  scheduleJob,
  waitingRunsMax,
} from '../../schedules/runs.ts';
import type { Context, Handler, RecordRule } from '../handler.ts';
import * as contracts from './contract.ts';
import { scheduledOperation } from './operations.ts';

/** The least time between two runs of a schedule. */
const apartMilliseconds = 3_600_000;
/** The number of times that are checked for it. */
const lookedAt = 50;
/** When a run that exceeds a limit may be tried again. */
const retrySeconds = 30;
const filesRetrySeconds = 86_400;

type ScheduleInput = {
  readonly cron: string;
  readonly timezone: string;
  readonly operation: string;
  readonly parameters: object;
  readonly period?: SchedulePeriod;
};

function cronText(cron: string, timezone: string, now: number): string | undefined {
  const failure = cronFailure(cron, now);
  if (failure !== undefined) return `cron ${failure}`;
  const times = nextTimes(cron, timezone, now, lookedAt);
  const isTooOften = times.some(
    (time, place) => place > 0 && time - times[place - 1]! < apartMilliseconds,
  );
  return isTooOften ? 'cron must leave an hour between two times' : undefined;
}

function parametersText(
  operation: string,
  scheduled: Scheduled,
  requestedAt: number,
): string | undefined {
  const contract = scheduledOperation(operation);
  const failure = contract && inputFailure(contract, scheduled, requestedAt);
  return failure && `parameters do not suit ${operation}: ${failure.replaceAll(', ', '; ')}`;
}

/** The rules of a new schedule, which need the contracts of other operations. */
export const scheduleRules: readonly RecordRule<ScheduleInput, Context>[] = [
  {
    at: 'cron',
    reads: ['timezone'],
    check: ({ cron, timezone }, { now }) => cronText(cron, timezone, now()),
  },
  {
    at: 'operation',
    check: ({ operation }) =>
      scheduledOperation(operation) === undefined
        ? 'operation must create a report or answer rows'
        : undefined,
  },
  {
    at: 'parameters',
    reads: ['operation', 'period', 'timezone'],
    check: ({ operation, parameters, period, timezone }, { requestedAt }) =>
      parametersText(operation, { parameters, period, timezone }, requestedAt),
  },
];

/** Creates a schedule. */
export const createSchedule: Handler<typeof contracts.createSchedule> = async (input, context) => {
  const { caller, registry, jobs, quotas, now } = context;
  requireRights(caller, scheduledOperation(input.operation)!);
  const answer = await changeAsCaller(context, async (transaction, audit) => {
    const { organisationId, userId } = caller;
    const { name, cron, timezone, operation, parameters, period, emails } = input;
    const at = now();
    const record: ScheduleRecord = {
      scheduleId: randomUUID(),
      organisationId,
      userId,
      name,
      cron,
      timezone,
      operation,
      keyId: storedKeyOf(caller),
      parameters: JSON.stringify(parameters),
      period: period ?? null,
      emails: JSON.stringify(emails),
      state: 'enabled',
      reason: null,
      nextAt: nextTimes(cron, timezone, at, 1)[0] ?? null,
      createdAt: at,
      updatedAt: at,
    };
    await lockOrganisation(registry.engine, transaction, organisationId);
    await transaction.insertInto('schedule').values(record).execute();
    const count = await countOf(transaction, 'schedule', { organisationId });
    refuse(quotaFailure(count, quotas.organisationSchedules, 'schedules'));
    const detail = { operation, cron, emails: emails.length };
    await audit({ action: 'createSchedule', subject: record.scheduleId, detail });
    if (emails.length > 0) await askToConfirm(transaction, context, record);
    return answerOf(
      record,
      await emailOf(transaction, userId),
      at,
      await recipientsIn(transaction, context, [record]),
    );
  });
  if (input.emails.length > 0) jobs.announce(mailJob);
  return answer;
};

/** Lists the schedules that the caller may manage. */
export const listSchedules: Handler<typeof contracts.listSchedules> = async (page, context) => {
  const { caller, registry, now } = context;
  const { organisationId, userId, keyId } = managedBy(caller);
  const all = registry.records
    .selectFrom('schedule')
    .innerJoin('userAccount', 'userAccount.userId', 'schedule.userId')
    .where('schedule.organisationId', '=', organisationId)
    .where(({ and }) => and(defined({ 'schedule.userId': userId, 'schedule.keyId': keyId })))
    .selectAll('schedule')
    .select('userAccount.email')
    .orderBy('schedule.createdAt', 'desc')
    .orderBy('schedule.scheduleId');
  const { rows, total } = await listPage(all, page);
  const recipients = await recipientsIn(registry.records, context, rows);
  const schedules = rows.map((row) => answerOf(row, row.email, now(), recipients));
  return { schedules, total: Number(total) };
};

/** Changes a schedule. */
export const changeSchedule: Handler<typeof contracts.changeSchedule> = async (
  { scheduleId, ...input },
  context,
) => {
  const { caller, jobs, now } = context;
  const answer = await changeAsCaller(context, async (transaction, audit) => {
    const before = await readSchedule(transaction, caller, scheduleId);
    const { parameters, emails, ...fields } = defined(input);
    const changed: ScheduleRecord = {
      ...before,
      ...fields,
      ...(parameters && { parameters: JSON.stringify(parameters) }),
      ...(emails && { emails: JSON.stringify(emails) }),
      ...(input.state === 'enabled' && { reason: null }),
      updatedAt: now(),
    };
    refuseUnsuited(changed, now());
    const [next] = nextTimes(changed.cron, changed.timezone, now(), 1);
    changed.nextAt = changed.state === 'enabled' ? (next ?? null) : null;
    await changeOne(transaction, 'schedule', { scheduleId }, changed);
    const detail = { changed: Object.keys(defined(input)) };
    await audit({ action: 'changeSchedule', subject: scheduleId, detail });
    if (emails) await askToConfirm(transaction, context, changed);
    const recipients = await recipientsIn(transaction, context, [changed]);
    return answerOf(changed, await emailOf(transaction, changed.userId), now(), recipients);
  });
  if (input.emails !== undefined) jobs.announce(mailJob);
  return answer;
};

/** Refuses a changed schedule as the rules refuse a new one. */
function refuseUnsuited(changed: ScheduleRecord, now: number): void {
  const { cron, timezone, operation } = changed;
  const texts = [
    cronText(cron, timezone, now),
    parametersText(operation, scheduledOf(changed), seconds(now)),
  ];
  refuse(texts.filter((text) => text !== undefined).join(', ') || undefined);
}

/** Deletes a schedule with its runs. */
export const deleteSchedule: Handler<typeof contracts.deleteSchedule> = ({ scheduleId }, context) =>
  changeAsCaller(context, async (transaction, audit) => {
    await readSchedule(transaction, context.caller, scheduleId);
    // Files are deleted with their jobs.
    const runs = transaction
      .selectFrom('scheduleRun')
      .select('runId')
      .where('scheduleId', '=', scheduleId);
    await transaction.deleteFrom('job').where('jobId', 'in', runs).execute();
    await removeOne(transaction, 'schedule', { scheduleId });
    await audit({ action: 'deleteSchedule', subject: scheduleId, detail: {} });
  });

/** Runs a schedule now. */
export const runSchedule: Handler<typeof contracts.runSchedule> = async (
  { scheduleId },
  context,
) => {
  const { caller, jobs, now } = context;
  await countRun(context);
  const answer = await changeAsCaller(context, async (transaction, audit) => {
    const schedule = await readSchedule(transaction, caller, scheduleId);
    if (schedule.state === 'disabled')
      throw new Refusal(409, 'the schedule is disabled: enable it first');
    await refuseTooMany(transaction, context);
    const runId = await queueRun(transaction, jobs, schedule, now(), now());
    if (runId === undefined)
      throw new Refusal(409, 'the user of the schedule reaches no channel: connect a store first');
    await audit({ action: 'runSchedule', subject: scheduleId, detail: { runId } });
    return { runId };
  });
  jobs.announce(scheduleJob);
  return answer;
};

/** Refuses a run if too many runs of the organisation wait, or if it has too many files. */
async function refuseTooMany(
  transaction: RecordsTransaction,
  { caller: { organisationId }, jobs, quotas }: Context,
): Promise<void> {
  const waiting = await jobs.countWaiting(transaction, scheduleJob, organisationId);
  const files = await countStoredFiles(transaction, organisationId);
  const hasTooManyFiles = files >= quotas.organisationRetainedReports;
  if (waiting < waitingRunsMax && !hasTooManyFiles) return;
  const text = hasTooManyFiles
    ? tooManyFilesText(files)
    : `your organisation has ${waiting} runs of schedules waiting: try again in ${retrySeconds} s`;
  const seconds = hasTooManyFiles ? filesRetrySeconds : retrySeconds;
  throw new Refusal(429, text, { 'retry-after': String(seconds) });
}

/** Lists the runs of a schedule. */
export const listScheduleRuns: Handler<typeof contracts.listScheduleRuns> = async (
  { scheduleId, ...page },
  { caller, registry, reportLinks },
) => {
  await readSchedule(registry.records, caller, scheduleId);
  const all = registry.records
    .selectFrom('scheduleRun')
    .selectAll()
    .where('scheduleId', '=', scheduleId)
    .orderBy('dueAt', 'desc')
    .orderBy('runId');
  const { rows, total } = await listPage(all, page);
  const runs = rows.map(({ runId, state, fileName, reportId, error, mailError, ...run }) => ({
    runId,
    dueAt: seconds(run.dueAt),
    state,
    error,
    mailError,
    mailedAt: secondsOrNull(run.mailedAt),
    finishedAt: secondsOrNull(run.finishedAt),
    downloadUrl:
      state === 'done' && fileName !== null
        ? reportLinks.mint({ reportId: reportId ?? runId, fileName, keyId: caller.keyId })
        : null,
  }));
  return { runs, total: Number(total) };
};

/** The schedule with an identifier. Throws 404 unless the caller may manage it. */
function readSchedule(
  records: RecordsOrTransaction,
  caller: Caller,
  scheduleId: string,
): Promise<ScheduleRecord> {
  return readOne(records, 'schedule', { scheduleId, ...managedBy(caller) });
}

/** Runs on demand of one organisation within an hour. */
const demandedMax = 30;
const demandedSeconds = 3_600;

async function countRun({ budgets, caller }: Context): Promise<void> {
  const name = `runs:${caller.organisationId}`;
  const { spent, millisecondsLeft } = await budgets.consume(name, demandedSeconds);
  if (spent <= demandedMax) return;
  const seconds = retryAfterSeconds(millisecondsLeft);
  throw new Refusal(
    429,
    `your organisation has run ${demandedMax} schedules on demand within an hour: try again in ${seconds} s`,
    { 'retry-after': String(seconds) },
  );
}

/** Announces e-mails that ask new recipients to confirm, if e-mails can be sent. */
async function askToConfirm(
  transaction: RecordsTransaction,
  { jobs, mailDomains }: Context,
  schedule: ScheduleRecord,
): Promise<void> {
  if (mailDomains !== undefined) await queueConfirmations(transaction, jobs, schedule);
}

/** The states of the recipients of schedules of one organisation, by address. */
async function recipientsIn(
  records: Registry['records'],
  { caller, mailDomains = [] }: Context,
  schedules: readonly Pick<ScheduleRecord, 'emails'>[],
): Promise<ReadonlyMap<string, RecipientState>> {
  const emails = schedules.flatMap((schedule) => JSON.parse(schedule.emails) as string[]);
  const found = await recipientsOf(records, caller.organisationId, emails, mailDomains);
  return new Map(found.map(({ email, state }) => [email, state]));
}

function answerOf(
  schedule: ScheduleRecord,
  createdBy: string,
  now: number,
  states: ReadonlyMap<string, RecipientState>,
) {
  const { scheduleId, name, cron, timezone, operation, period, state, reason } = schedule;
  const emails = JSON.parse(schedule.emails) as string[];
  const nextRuns =
    state === 'enabled' ? nextTimes(cron, timezone, now, contracts.nextRunsShown) : [];
  return {
    scheduleId,
    name,
    cron,
    timezone,
    operation,
    period,
    state,
    reason,
    createdBy,
    parameters: JSON.parse(schedule.parameters),
    emails,
    recipients: emails.map((email) => ({ email, state: states.get(email)! })),
    nextRuns: nextRuns.map(seconds),
    createdAt: seconds(schedule.createdAt),
    updatedAt: seconds(schedule.updatedAt),
  };
}
