/** Budgets and forecasts of one channel, bucket by bucket. */
import {
  type Bucket,
  bucketOfDay,
  buckets as divide,
  isoInstant,
  parseInterval,
} from '../../calendar/period.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { JsonBytes } from '../../figures/jsonBytes.ts';
import { currencyPlaces, quotientText } from '../../figures/money.ts';
import { writeInSlices } from '../../report/slices.ts';
import {
  readTargetRows,
  type TargetName,
  type TargetRun,
  targetRuns,
} from '../../report/targets.ts';
import { type Handler, WrittenAnswer } from '../handler.ts';
import type { readTargets as contract } from './contract.ts';

type Targets = AnswerOf<typeof contract>;

/** Answers GET /targets. */
export const readTargets: Handler<typeof contract> = async (
  input,
  { channel, warehouse, limits },
) => {
  const { fromDate, toDate, timezone, interval } = input;
  const { channelNumber, currency } = channel;
  const buckets = divide(timezone, fromDate, toDate, parseInterval(interval)!);
  const range = { first: buckets[0]!.firstDay, last: buckets.at(-1)!.lastDay };
  const rows = await warehouse.readCached([channelNumber], limits, (ask) =>
    readTargetRows(ask, [channelNumber], range),
  );

  const places = currencyPlaces(currency);
  const inUnits = (sum: bigint | null) =>
    sum === null ? null : Number(quotientText(sum, 10n ** BigInt(places), places));
  const target = (name: TargetName) => {
    const sums = sumsOf(buckets, targetRuns(rows, name, places));
    const known = sums.filter((sum) => sum !== null);
    const total = known.length > 0 ? known.reduce((sum, one) => sum + one) : null;
    return { ofBucket: (index: number) => inUnits(sums[index]!), total: inUnits(total) };
  };
  const [salesBudget, salesForecast, adSpendBudget] = [
    target('sales_budget'),
    target('sales_forecast'),
    target('ad_spend_budget'),
  ];
  const rowOf = ({ startEpochSeconds, endEpochSeconds }: Bucket, index: number) =>
    ({
      startTime: isoInstant(timezone, startEpochSeconds),
      endTime: isoInstant(timezone, endEpochSeconds),
      startTimeEpoch: startEpochSeconds,
      endTimeEpoch: endEpochSeconds,
      salesBudget: salesBudget.ofBucket(index),
      salesForecast: salesForecast.ofBucket(index),
      adSpendBudget: adSpendBudget.ofBucket(index),
    }) satisfies Targets['data'][number];
  const write = (out: JsonBytes, bucket: Bucket, index: number) =>
    out.text(JSON.stringify(rowOf(bucket, index)));
  const rest = {
    totals: {
      salesBudget: salesBudget.total,
      salesForecast: salesForecast.total,
      adSpendBudget: adSpendBudget.total,
    },
    meta: { timezone, currency },
  } satisfies Omit<Targets, 'data'>;
  return new WrittenAnswer(
    await writeInSlices('{"data":[', buckets, write, `],${JSON.stringify(rest).slice(1)}`),
  );
};

/** The sum of each bucket's days; null if none of them has a target. */
function sumsOf(buckets: readonly Bucket[], runs: readonly TargetRun[]): (bigint | null)[] {
  const sums = buckets.map((): bigint | null => null);
  for (const { first, last, amount } of runs)
    for (let day = first; day <= last; day++) {
      const index = bucketOfDay(buckets, day);
      if (index >= 0) sums[index] = (sums[index] ?? 0n) + amount;
    }
  return sums;
}
