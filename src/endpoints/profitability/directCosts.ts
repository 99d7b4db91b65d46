import { type Channel, unreachableText } from '../../access/channels.ts';
import { isoDate } from '../../calendar/period.ts';
import { sayFailures } from '../../contract/check.ts';
import { Refusal } from '../../contract/refusal.ts';
import { ChannelGone } from '../../jobs/queue.ts';
import { type UnitCost, unitCostsKind } from '../../jobs/unitCosts.ts';
import { missingRates, purposeOf, readKnownFactors } from '../../report/rates.ts';
import type { Handler } from '../handler.ts';
import type {
  readDirectCostsJobStatus as readContract,
  saveDirectCosts as saveContract,
} from './contract.ts';
import { refuseVendor, utcDay } from './events.ts';

/** Takes the costs on as a job. */
export const saveDirectCosts: Handler<typeof saveContract> = async (
  asked,
  { caller, channel, commit, jobs, limits, warehouse },
) => {
  refuseVendor(channel);
  const day = utcDay(asked.fromDate);
  const rows: UnitCost[] = asked.directCosts.map(
    ({ sellerSku, cogs, cogsCurrency, shippingCost, shippingCostCurrency }) => ({
      sku: sellerSku,
      effectiveFrom: isoDate(day),
      cogs,
      cogsCurrency,
      shippingCost: shippingCost ?? 0,
      shippingCostCurrency: shippingCostCurrency ?? cogsCurrency,
    }),
  );
  const foreign = new Set(rows.flatMap((row) => [row.cogsCurrency, row.shippingCostCurrency]));
  foreign.delete(channel.currency);
  // Costs that cannot be converted would have every later report refused.
  if (foreign.size > 0) {
    const { missing } = await warehouse.read([0], limits, (ask) =>
      readKnownFactors(ask, foreign, channel.currency, { first: day, last: day }),
    );
    if (missing.length > 0) {
      const failures = missing.map((currency, order) => ({
        order,
        text: withoutRate(rows, currency, channel),
      }));
      throw new Refusal(400, sayFailures(failures));
    }
  }
  const answer = await commit(async (transaction) => {
    const jobId = await jobs.add(transaction, {
      kind: unitCostsKind,
      channel,
      userId: caller.userId,
      payload: rows,
    });
    return { jobId };
  }).catch((error: unknown) => {
    throw error instanceof ChannelGone ? new Refusal(400, unreachableText) : error;
  });
  jobs.announce();
  return answer;
};

/** The failure of a currency without rates, at the first cost that is in it. */
function withoutRate(rows: readonly UnitCost[], currency: string, channel: Channel): string {
  const place = rows.findIndex((row) =>
    [row.cogsCurrency, row.shippingCostCurrency].includes(currency),
  );
  const name = rows[place]?.cogsCurrency === currency ? 'cogsCurrency' : 'shippingCostCurrency';
  const field = place < 0 ? undefined : `directCosts[${place}].${name}`;
  return missingRates([currency], currency, purposeOf(channel, field))[0]!;
}

/** Says how far such a job of the channel is. */
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
