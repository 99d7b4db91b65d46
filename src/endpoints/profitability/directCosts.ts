import { unreachableText } from '../../access/channels.ts';
import { quotaFailure } from '../../access/quotas.ts';
import { isoDate } from '../../calendar/period.ts';
import { firstFailures } from '../../contract/check.ts';
import { Refusal } from '../../contract/refusal.ts';
import { questionFile } from '../../engine/question.ts';
import { ChannelGone } from '../../jobs/queue.ts';
import { type UnitCost, unitCostsKind } from '../../jobs/unitCosts.ts';
import { utcDay } from '../../report/profitEvents.ts';
import { currenciesWithoutRates, missingRates, purposeOf } from '../../report/rates.ts';
import type { Handler, RecordRules } from '../handler.ts';
import { sellerRule } from '../recordRules.ts';
import type {
  readDirectCostsJobStatus as readContract,
  saveDirectCosts as saveContract,
} from './contract.ts';

const unitCostCount = questionFile<{ held: number; replaced: number }>(
  import.meta.url,
  'unitCostCount.sql',
);

/** The most jobs of an organisation that may wait. */
const waitingMax = 50;
const retrySeconds = 30;

/** The record rules of the operation. */
export const directCostsRules: RecordRules<typeof saveContract> = [
  sellerRule,
  {
    at: 'directCosts',
    reads: ['directCosts[]', 'fromDate', 'channelId', 'merchantId'],
    async check(
      { directCosts, fromDate },
      { caller, channel, limits, quotas, registry, warehouse },
    ) {
      const channels = await registry.records
        .selectFrom('channel')
        .select('channelNumber')
        .where('organisationId', '=', caller.organisationId)
        .execute();
      const skus = [...new Set(directCosts.map(({ sellerSku }) => sellerSku))];
      const [found] = await warehouse.ask(
        unitCostCount,
        {
          channels: channels.map(({ channelNumber }) => channelNumber),
          channel: channel.channelNumber,
          day: utcDay(fromDate),
          skus,
        },
        limits,
      );
      const { held, replaced } = found!;
      const count = held - replaced + skus.length;
      return quotaFailure(count, quotas.organisationUnitCosts, 'unit costs');
    },
  },
  {
    // With costs that cannot be converted, every later report would be refused.
    at: 'directCosts',
    reads: ['directCosts[]', 'channelId', 'merchantId'],
    async check({ directCosts }, { channel, limits, warehouse }) {
      const foreign = new Map<string, string>();
      for (const [place, row] of directCosts.entries())
        for (const field of ['cogsCurrency', 'shippingCostCurrency'] as const) {
          const currency = row[field] ?? channel.currency;
          if (currency !== channel.currency && !foreign.has(currency))
            foreign.set(currency, `directCosts[${place}].${field}`);
        }
      if (foreign.size === 0) return undefined;
      const currencies = new Set([channel.currency, ...foreign.keys()]);
      const unrated = await currenciesWithoutRates(warehouse, currencies, limits);
      const texts = [...unrated].flatMap((currency) =>
        missingRates([currency], currency, purposeOf(channel, foreign.get(currency))),
      );
      return firstFailures(texts, 'directCosts');
    },
  },
];

/** Queues the costs as a job. */
export const saveDirectCosts: Handler<typeof saveContract> = async (
  input,
  { caller, channel, commit, jobs },
) => {
  const day = utcDay(input.fromDate);
  const rows: UnitCost[] = input.directCosts.map(
    ({ sellerSku, cogs, cogsCurrency, shippingCost, shippingCostCurrency }) => ({
      sku: sellerSku,
      effectiveFrom: isoDate(day),
      cogs,
      cogsCurrency,
      shippingCost: shippingCost ?? 0,
      shippingCostCurrency: shippingCostCurrency ?? cogsCurrency,
    }),
  );
  const answer = await commit(async (transaction) => {
    const waiting = await jobs.countWaiting(transaction, unitCostsKind, caller.organisationId);
    if (waiting >= waitingMax)
      throw new Refusal(
        429,
        `your organisation has ${waitingMax} updates of unit costs waiting: try again in ${retrySeconds} s`,
        { 'retry-after': String(retrySeconds) },
      );
    const jobId = await jobs.add(transaction, {
      kind: unitCostsKind,
      channel,
      userId: caller.userId,
      owner: caller.budget,
      payload: rows,
    });
    return { jobId };
  }).catch((error: unknown) => {
    throw error instanceof ChannelGone ? new Refusal(400, unreachableText) : error;
  });
  jobs.announce(unitCostsKind);
  return answer;
};

/** Reads the state of such a job of the channel. */
export const readDirectCostsJobStatus: Handler<typeof readContract> = async (
  { jobId },
  { channel, jobs },
) => {
  const job = await jobs.find(unitCostsKind, jobId);
  if (job?.channelNumber !== channel.channelNumber) throw new Refusal(404, 'there is no such job');
  return { jobStatus: statusOf[job.state] };
};

const statusOf = {
  waiting: 'IN_PROGRESS',
  running: 'IN_PROGRESS',
  done: 'COMPLETED',
  failed: 'FAILED',
} as const;
