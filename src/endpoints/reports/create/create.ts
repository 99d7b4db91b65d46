/** Takes reports on as jobs. */
import { randomUUID } from 'node:crypto';
import { type Channel, unreachableText } from '../../../access/channels.ts';
import { Refusal } from '../../../contract/refusal.ts';
import { ChannelGone } from '../../../jobs/queue.ts';
import { reportJob } from '../../../report/requestedReports.ts';
import type { Context, Handler } from '../../handler.ts';
import type {
  createCustomerLifetimeValueReport as customerLifetimeValueContract,
  createInventoryReplenishmentReport as inventoryReplenishmentContract,
  ReportOptions,
  createTrafficAndConversionReport as trafficAndConversionContract,
} from './contract.ts';
import type { ReportType } from './kind.ts';

/** Reports of an organisation that may wait. */
export const waitingMax = 50;
/** What a caller is told to wait for where there are so many. */
const retrySeconds = 30;
/** How long a report that is on its way stands for those that ask the same. */
const sameMilliseconds = 5 * 60_000;

/** What a report's job is to do. */
export type ReportPayload = {
  readonly reportType: ReportType;
  readonly options: ReportOptions[ReportType];
};

/** Creates a report of customer lifetime value. */
export const createCustomerLifetimeValueReport: Handler<typeof customerLifetimeValueContract> = (
  { reportOptions },
  context,
) => create({ reportType: 'customerLifetimeValue', options: reportOptions }, context);

/** Creates a report of traffic and conversion. */
export const createTrafficAndConversionReport: Handler<typeof trafficAndConversionContract> = (
  { reportOptions },
  context,
) => create({ reportType: 'trafficAndConversion', options: reportOptions }, context);

/** Creates a report of inventory to replenish. */
export const createInventoryReplenishmentReport: Handler<typeof inventoryReplenishmentContract> = (
  _asked,
  context,
) => create({ reportType: 'inventoryReplenishment', options: undefined }, context);

async function create<Type extends ReportType>(
  payload: { reportType: Type; options: ReportOptions[Type] },
  { caller, channel, commit, jobs, now }: Context & { readonly channel: Channel },
) {
  if (channel.kind === 'vendor')
    throw new Refusal(400, 'channelId names a vendor channel, which has no such report');
  const { reportType, options } = payload;
  const { userId, organisationId } = caller;
  const asked = JSON.stringify(options ?? {});
  const createdAt = now * 1000;
  const answer = await commit(async (transaction) => {
    // First, because it makes those who create at the same time take turns.
    const waiting = await jobs.countWaiting(transaction, reportJob, organisationId);
    const same = await transaction
      .selectFrom('report')
      .innerJoin('job', 'job.jobId', 'report.jobId')
      .select('job.jobId')
      .where((row) =>
        row.and({
          'report.userId': userId,
          reportType,
          asked,
          'job.channelNumber': channel.channelNumber,
        }),
      )
      .whereRef('report.reportId', '=', 'job.jobId')
      .where('report.createdAt', '>=', createdAt - sameMilliseconds)
      .where('job.state', 'in', ['waiting', 'running'])
      .executeTakeFirst();
    if (same === undefined && waiting >= waitingMax) throw tooManyWaiting();
    const jobId =
      same?.jobId ?? (await jobs.add(transaction, { kind: reportJob, channel, userId, payload }));
    const reportId = same === undefined ? jobId : randomUUID();
    await transaction
      .insertInto('report')
      .values({ reportId, jobId, userId, reportType, asked, createdAt })
      .execute();
    return { reportId, reportType, status: 'started' as const };
  }).catch((error: unknown) => {
    throw error instanceof ChannelGone ? new Refusal(400, unreachableText) : error;
  });
  jobs.announce();
  return answer;
}

function tooManyWaiting(): Refusal {
  return new Refusal(
    429,
    `your organisation has ${waitingMax} reports waiting: try again in ${retrySeconds} s`,
    {
      'retry-after': String(retrySeconds),
    },
  );
}
