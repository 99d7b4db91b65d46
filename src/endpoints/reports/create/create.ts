/** Creates report requests; jobs compute the reports. */
import { randomUUID } from 'node:crypto';
import {
  type Caller,
  type Channel,
  reachableChannels,
  unreachableText,
} from '../../../access/channels.ts';
import { Refusal } from '../../../contract/refusal.ts';
import {
  type ReportFormat,
  type ReportOperation,
  type ReportType,
  reportOperationOf,
  reportTypes,
} from '../../../contract/reports.ts';
import type { RecordsTransaction } from '../../../engine/registry.ts';
import { ChannelGone } from '../../../jobs/queue.ts';
import { reportJob } from '../../../report/requestedReports.ts';
import { countStoredFiles, tooManyFilesText } from '../../../report/storedFiles.ts';
import type { Context, Handler } from '../../handler.ts';
import { channelRule } from '../../recordRules.ts';
import { channelProfitAndLossRules } from './channelProfitAndLoss/rules.ts';
import type { ReportOptions, reportContracts } from './contract.ts';
import { furtherChannelIds, type ReportChannels, type ReportPayload } from './report.ts';
import { reports } from './reports.ts';

/** The most reports of an organisation that may wait. */
export const waitingMax = 50;
const retrySeconds = 30;
const tooManyFilesRetrySeconds = 3_600;
/** For this long, identical requests share a report that is not finished. */
const sharedMilliseconds = 5 * 60_000;

type Handlers = {
  readonly [Operation in ReportOperation]: Handler<(typeof reportContracts)[Operation]>;
};

/** The handlers of all operations that create reports. */
export const reportHandlers = Object.fromEntries(
  reportTypes.map((reportType) => [
    reportOperationOf(reportType),
    (input: CreateInput, context: ChannelContext) =>
      create({ reportType, options: input.reportOptions, format: input.format }, context),
  ]),
) as unknown as Handlers;

type CreateInput = {
  readonly reportOptions?: ReportOptions[ReportType];
  readonly format: ReportFormat;
};
type ChannelContext = Context & { readonly channel: Channel };

const advertisedRule = channelRule(({ hasAdvertisingConnected }) =>
  hasAdvertisingConnected === 1
    ? undefined
    : 'channelId must be a store with advertising: others have no such report',
);

/** The rules about the channel of each of these operations. */
const kindRulesOf = Object.fromEntries(
  reportTypes.map((reportType) => [reportOperationOf(reportType), kindRules(reports[reportType])]),
) as Record<ReportOperation, ReturnType<typeof channelRule>[]>;

/** The rules of each of these operations that need records. */
export const createReportRules = {
  ...kindRulesOf,
  createChannelProfitAndLossReport: [
    ...kindRulesOf.createChannelProfitAndLossReport,
    ...channelProfitAndLossRules,
  ],
};

function kindRules({ channelKind }: { readonly channelKind?: ReportChannels }) {
  if (channelKind === undefined) return [];
  if (channelKind === 'advertised') return [advertisedRule];
  const rule = channelRule(({ kind }) =>
    kind === channelKind
      ? undefined
      : `channelId must be a ${channelKind} channel: ${kind} channels have no such report`,
  );
  return [rule];
}

async function create(
  payload: ReportPayload,
  { caller, channel, commit, jobs, quotas, requestedAt }: ChannelContext,
) {
  const { reportType, options, format } = payload;
  const { userId, organisationId } = caller;
  const optionsText = JSON.stringify(options ?? {});
  const createdAt = requestedAt * 1000;
  const answer = await commit(async (transaction) => {
    // Counting first serialises simultaneous requests of the organisation.
    const waiting = await jobs.countWaiting(transaction, reportJob, organisationId);
    const same = await transaction
      .selectFrom('report')
      .innerJoin('job', 'job.jobId', 'report.jobId')
      .select('job.jobId')
      .where((row) =>
        row.and({
          'report.userId': userId,
          reportType,
          format,
          'report.options': optionsText,
          'job.channelNumber': channel.channelNumber,
        }),
      )
      .whereRef('report.reportId', '=', 'job.jobId')
      .where('report.createdAt', '>=', createdAt - sharedMilliseconds)
      .where('job.state', 'in', ['waiting', 'running'])
      .executeTakeFirst();
    if (same === undefined && waiting >= waitingMax) throw tooManyWaiting();
    const files = await countStoredFiles(transaction, organisationId);
    if (files >= quotas.organisationRetainedReports) throw tooManyFiles(files);
    const further = await readFurther(transaction, caller, furtherChannelIds(options, channel));
    const job = { kind: reportJob, channel, userId, owner: caller.budget, payload };
    const jobId = same?.jobId ?? (await jobs.add(transaction, job));
    if (same === undefined && further.length > 0)
      await transaction
        .insertInto('reportChannel')
        .values(further.map((channelNumber) => ({ jobId, channelNumber })))
        .execute();
    const reportId = same === undefined ? jobId : randomUUID();
    await transaction
      .insertInto('report')
      .values({ reportId, jobId, userId, reportType, format, options: optionsText, createdAt })
      .execute();
    return { reportId, reportType, status: 'started' as const };
  }).catch((error: unknown) => {
    throw error instanceof ChannelGone ? new Refusal(400, unreachableText) : error;
  });
  jobs.announce(reportJob);
  return answer;
}

/** Reads the numbers of the channels that a report names besides its own. */
async function readFurther(
  records: RecordsTransaction,
  caller: Caller,
  channelIds: readonly string[],
): Promise<number[]> {
  if (channelIds.length === 0) return [];
  const found = await reachableChannels({ records }, caller)
    .where('channel.channelId', 'in', channelIds)
    .execute();
  if (found.length < channelIds.length) throw new ChannelGone();
  return found.map(({ channelNumber }) => channelNumber);
}

function tooManyFiles(files: number): Refusal {
  return new Refusal(429, tooManyFilesText(files), {
    'retry-after': String(tooManyFilesRetrySeconds),
  });
}

function tooManyWaiting(): Refusal {
  return new Refusal(
    429,
    `your organisation has ${waitingMax} reports waiting: try again in ${retrySeconds} s`,
    { 'retry-after': String(retrySeconds) },
  );
}
