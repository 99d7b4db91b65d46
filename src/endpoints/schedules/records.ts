import { randomUUID } from 'node:crypto';
import type { Caller } from '../../access/channels.ts';
import { quotaFailure } from '../../access/quotas.ts';
import { change, defined, listPage, seconds, secondsOrNull } from '../../access/records.ts';
import { sessionPrefix } from '../../access/sessions.ts';
import type { Contract } from '../../contract/endpoint.ts';
import { notFound, Refusal, refuse } from '../../contract/refusal.ts';
import type { SchedulePeriod } from '../../contract/schedules.ts';
import {
  lockOrganisation,
  type RecordsTransaction,
  type Registry,
  type ScheduleRecord,
} from '../../engine/registry.ts';
import { cronFailure, nextTimes } from '../../schedules/cron.ts';
import { inputFailure, isSchedulable } from '../../schedules/request.ts';
import { queueRun } from '../../schedules/runs.ts';
import { publicContracts } from '../contracts.ts';
import type { Context, Handler, RecordRule } from '../handler.ts';
import * as contracts from './contract.ts';

/** Times of one schedule are at least so far apart. */
const apartMilliseconds = 3_600_000;
/** So many times are looked at for it. */
const lookedAt = 50;

type Asked = {
  readonly cron: string;
  readonly timezone: string;
  readonly operation: string;
  readonly parameters: object;
  readonly period?: SchedulePeriod;
};

/** The operation of a schedule; undefined if it cannot be scheduled. */
function operationOf(name: string): Contract | undefined {
  const contract = Object.values<Contract>(publicContracts).find((one) => one.operation === name);
  return contract && isSchedulable(contract) ? contract : undefined;
}

function cronText(cron: string, timezone: string, now: number): string | undefined {
  const failure = cronFailure(cron, now);
  if (failure !== undefined) return `cron ${failure}`;
  const times = nextTimes(cron, timezone, now, lookedAt);
  const isTooOften = times.some(
    (time, place) => place > 0 && time - times[place - 1]! < apartMilliseconds,
  );
  return isTooOften ? 'cron must leave an hour between two times' : undefined;
}

/** The rules of a new schedule, which need the contracts of the other operations. */
export const scheduleRules: readonly RecordRule<Asked, Context>[] = [
  {
    at: 'cron',
    reads: ['timezone'],
    check: ({ cron, timezone }, { now }) => cronText(cron, timezone, now()),
  },
  {
    at: 'operation',
    check: ({ operation }) =>
      operationOf(operation) === undefined
        ? 'operation must create a report or answer rows'
        : undefined,
  },
  {
    at: 'parameters',
    reads: ['operation', 'period', 'timezone'],
    check({ operation, parameters, period, timezone }, { requestedAt }) {
      const contract = operationOf(operation);
      const failure =
        contract && inputFailure(contract, { parameters, period, timezone }, requestedAt);
      return failure && `parameters do not suit ${operation}: ${failure.replaceAll(', ', '; ')}`;
    },
  },
];

/** Creates a schedule. */
export const createSchedule: Handler<typeof contracts.createSchedule> = (input, context) => {
  const { caller, registry, quotas, now } = context;
  return changeOf(context, async (transaction, audit) => {
    const { organisationId, userId, keyId } = caller;
    const { name, cron, timezone, operation, parameters, period, emails } = input;
    const at = now();
    const record: ScheduleRecord = {
      ...{ scheduleId: randomUUID(), organisationId, userId, name, cron, timezone, operation },
      keyId: keyId.startsWith(sessionPrefix) ? null : keyId,
      parameters: JSON.stringify(parameters),
      period: period ?? null,
      emails: JSON.stringify(emails),
      ...{ state: 'enabled', reason: null, nextAt: nextTimes(cron, timezone, at, 1)[0] ?? null },
      ...{ createdAt: at, updatedAt: at },
    };
    await lockOrganisation(registry.engine, transaction, organisationId);
    await transaction.insertInto('schedule').values(record).execute();
    const { count } = await transaction
      .selectFrom('schedule')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('organisationId', '=', organisationId)
      .executeTakeFirstOrThrow();
    refuse(quotaFailure(Number(count), quotas.organisationSchedules, 'schedules'));
    const detail = { operation, cron, emails: emails.length };
    await audit({ action: 'createSchedule', subject: record.scheduleId, detail });
    return answerOf(record, await emailOf(transaction, userId), at);
  });
};

/** Lists the schedules that the caller may manage. */
export const listSchedules: Handler<typeof contracts.listSchedules> = async (
  page,
  { caller, registry, now },
) => {
  const all = managed(registry, caller)
    .innerJoin('userAccount', 'userAccount.userId', 'schedule.userId')
    .selectAll('schedule')
    .select('userAccount.email')
    .orderBy('schedule.createdAt', 'desc')
    .orderBy('schedule.scheduleId');
  const { rows, total } = await listPage(all, page);
  return { schedules: rows.map((row) => answerOf(row, row.email, now())), total: Number(total) };
};

/** Changes a schedule. */
export const changeSchedule: Handler<typeof contracts.changeSchedule> = (
  { scheduleId, ...asked },
  context,
) => {
  const { caller, now } = context;
  return changeOf(context, async (transaction, audit) => {
    const before = await findSchedule({ records: transaction }, caller, scheduleId);
    const { parameters, emails, ...fields } = defined(asked);
    const changed: ScheduleRecord = {
      ...before,
      ...fields,
      ...(parameters && { parameters: JSON.stringify(parameters) }),
      ...(emails && { emails: JSON.stringify(emails) }),
      ...(asked.state === 'enabled' && { reason: null }),
      updatedAt: now(),
    };
    refuseUnsuited(changed, now());
    const [next] = nextTimes(changed.cron, changed.timezone, now(), 1);
    changed.nextAt = changed.state === 'enabled' ? (next ?? null) : null;
    await transaction
      .updateTable('schedule')
      .set(changed)
      .where('scheduleId', '=', scheduleId)
      .execute();
    const detail = { changed: Object.keys(defined(asked)) };
    await audit({ action: 'changeSchedule', subject: scheduleId, detail });
    return answerOf(changed, await emailOf(transaction, changed.userId), now());
  });
};

/** Refuses a changed schedule as the rules refuse a new one. */
function refuseUnsuited(
  { cron, timezone, operation, parameters, period }: ScheduleRecord,
  now: number,
): void {
  const scheduled = {
    ...{ parameters: JSON.parse(parameters), timezone },
    period: (period ?? undefined) as SchedulePeriod | undefined,
  };
  const failure = inputFailure(operationOf(operation)!, scheduled, seconds(now));
  const texts = [
    cronText(cron, timezone, now),
    failure && `parameters do not suit ${operation}: ${failure.replaceAll(', ', '; ')}`,
  ];
  refuse(texts.filter((text) => text !== undefined).join(', ') || undefined);
}

/** Deletes a schedule with its runs. */
export const deleteSchedule: Handler<typeof contracts.deleteSchedule> = ({ scheduleId }, context) =>
  changeOf(context, async (transaction, audit) => {
    await findSchedule({ records: transaction }, context.caller, scheduleId);
    // Files are deleted with their jobs.
    const runs = transaction
      .selectFrom('scheduleRun')
      .select('runId')
      .where('scheduleId', '=', scheduleId);
    await transaction.deleteFrom('job').where('jobId', 'in', runs).execute();
    await transaction.deleteFrom('schedule').where('scheduleId', '=', scheduleId).execute();
    await audit({ action: 'deleteSchedule', subject: scheduleId, detail: {} });
  });

/** Runs a schedule now. */
export const runSchedule: Handler<typeof contracts.runSchedule> = async (
  { scheduleId },
  context,
) => {
  const { caller, jobs, now } = context;
  const answer = await changeOf(context, async (transaction, audit) => {
    const schedule = await findSchedule({ records: transaction }, caller, scheduleId);
    if (schedule.state === 'disabled')
      throw new Refusal(409, 'the schedule is disabled: enable it first');
    const runId = await queueRun(transaction, jobs, schedule, now(), now());
    if (runId === undefined)
      throw new Refusal(409, 'the user of the schedule reaches no channel: connect a store first');
    await audit({ action: 'runSchedule', subject: scheduleId, detail: { runId } });
    return { runId };
  });
  jobs.announce();
  return answer;
};

/** Lists the runs of a schedule. */
export const listScheduleRuns: Handler<typeof contracts.listScheduleRuns> = async (
  { scheduleId, ...page },
  { caller, registry, reportLinks },
) => {
  await findSchedule(registry, caller, scheduleId);
  const all = registry.records
    .selectFrom('scheduleRun')
    .selectAll()
    .where('scheduleId', '=', scheduleId)
    .orderBy('dueAt', 'desc')
    .orderBy('runId');
  const { rows, total } = await listPage(all, page);
  const runs = rows.map(({ runId, state, fileName, reportId, error, mailError, ...run }) => ({
    ...{ runId, dueAt: seconds(run.dueAt), state, error, mailError },
    mailedAt: secondsOrNull(run.mailedAt),
    finishedAt: secondsOrNull(run.finishedAt),
    downloadUrl:
      state === 'done' && fileName !== null
        ? reportLinks.mint({ reportId: reportId ?? runId, fileName, keyId: caller.keyId })
        : null,
  }));
  return { runs, total: Number(total) };
};

type Work<Answer> = Parameters<typeof change<Answer>>[1];

function changeOf<Answer>({ caller, commit, now }: Context, work: Work<Answer>): Promise<Answer> {
  requireManager(caller);
  return change({ commit, now, actor: caller.userId }, work);
}

/** Sessions of members, and of organisations without API access, are admitted to the console. */
function requireManager({ role, entitlements }: Caller): void {
  if (role === 'member')
    throw new Refusal(403, 'only owners and administrators may manage schedules');
  if (!entitlements.apiAccess)
    throw new Refusal(403, 'API access is not enabled for your organisation');
}

/** A query for the schedules that a caller may manage: a restricted user would read too much. */
function managed({ records }: Pick<Registry, 'records'>, caller: Caller) {
  requireManager(caller);
  return records
    .selectFrom('schedule')
    .where('schedule.organisationId', '=', caller.organisationId)
    .$if(caller.restricted, (query) => query.where('schedule.userId', '=', caller.userId));
}

/** The schedule of an identifier. Throws 404 if there is none that the caller may manage. */
function findSchedule(
  registry: Pick<Registry, 'records'>,
  caller: Caller,
  scheduleId: string,
): Promise<ScheduleRecord> {
  return managed(registry, caller)
    .selectAll('schedule')
    .where('schedule.scheduleId', '=', scheduleId)
    .executeTakeFirstOrThrow(() => notFound('schedule'));
}

async function emailOf(transaction: RecordsTransaction, userId: string): Promise<string> {
  const { email } = await transaction
    .selectFrom('userAccount')
    .select('email')
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return email;
}

function answerOf(schedule: ScheduleRecord, createdBy: string, now: number) {
  const { scheduleId, name, cron, timezone, operation, period, state, reason } = schedule;
  const nextRuns =
    state === 'enabled' ? nextTimes(cron, timezone, now, contracts.nextRunsShown) : [];
  return {
    ...{ scheduleId, name, cron, timezone, operation, period, state, reason, createdBy },
    parameters: JSON.parse(schedule.parameters),
    emails: JSON.parse(schedule.emails) as string[],
    nextRuns: nextRuns.map(seconds),
    createdAt: seconds(schedule.createdAt),
    updatedAt: seconds(schedule.updatedAt),
  };
}
