/** Budgets and forecasts of one channel, bucket by bucket. */
import {
  type Bucket,
  bucketOfDay,
  buckets as divide,
  isoInstant,
  monthOfDay,
  parseInterval,
} from '../../calendar/period.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { questionFile } from '../../engine/question.ts';
import { amountPlaces, currencyPlaces, quotientText } from '../../report/money.ts';
import { writeInSlices } from '../../report/slices.ts';
import { type Handler, WrittenAnswer } from '../handler.ts';
import type { readTargets as contract } from './contract.ts';

type Targets = AnswerOf<typeof contract>;

/** The targets of a month or a date. */
type TargetRow = Amounts & {
  readonly is_month: number;
  /** The date, or the first of the month. */
  readonly day: number;
};
/** A target exists where its `_set` is 1. */
type Amounts = Readonly<Record<TargetName, bigint> & Record<`${TargetName}_set`, number>>;
type TargetName = 'sales_budget' | 'sales_forecast' | 'ad_spend_budget';

const targetsQuestion = questionFile<TargetRow>(import.meta.url, 'targets.sql');

/** Answers GET /targets. */
export const readTargets: Handler<typeof contract> = async (
  input,
  { channel, warehouse, limits },
) => {
  const { fromDate, toDate, timezone, interval } = input;
  const { channelNumber, currency } = channel;
  const buckets = divide(timezone, fromDate, toDate, parseInterval(interval)!);
  const first = buckets[0]!.firstDay;
  const last = buckets.at(-1)!.lastDay;
  const parameters = {
    channel: channelNumber,
    first,
    last,
    firstMonth: monthOfDay(first).firstDay,
  };
  const rows = await warehouse.readCached([channelNumber], limits, (ask) =>
    ask(targetsQuestion, parameters),
  );

  const places = currencyPlaces(currency);
  const inUnits = (sum: bigint | null) =>
    sum === null ? null : Number(quotientText(sum, 10n ** BigInt(places), places));
  const target = (name: TargetName) => {
    const sums = sumsOf(buckets, daysOf(rows, name, places));
    const known = sums.filter((sum) => sum !== null);
    const total = known.length > 0 ? known.reduce((sum, one) => sum + one) : null;
    return { ofBucket: (index: number) => inUnits(sums[index]!), total: inUnits(total) };
  };
  const [salesBudget, salesForecast, adSpendBudget] = [
    target('sales_budget'),
    target('sales_forecast'),
    target('ad_spend_budget'),
  ];
  const bucketJson = ({ startEpochSeconds, endEpochSeconds }: Bucket, index: number) =>
    JSON.stringify({
      startTime: isoInstant(timezone, startEpochSeconds),
      endTime: isoInstant(timezone, endEpochSeconds),
      startTimeEpoch: startEpochSeconds,
      endTimeEpoch: endEpochSeconds,
      salesBudget: salesBudget.ofBucket(index),
      salesForecast: salesForecast.ofBucket(index),
      adSpendBudget: adSpendBudget.ofBucket(index),
    } satisfies Targets['data'][number]);
  const rest = {
    totals: {
      salesBudget: salesBudget.total,
      salesForecast: salesForecast.total,
      adSpendBudget: adSpendBudget.total,
    },
    meta: { timezone, currency },
  } satisfies Omit<Targets, 'data'>;
  return new WrittenAnswer(
    await writeInSlices('{"data":[', buckets, bucketJson, `],${JSON.stringify(rest).slice(1)}`),
  );
};

/**
 * One target by dates, in minor units of the currency: the share of the date's month, or the target
 * of the date itself.
 */
function daysOf(rows: readonly TargetRow[], name: TargetName, places: number): Map<number, bigint> {
  const days = new Map<number, bigint>();
  const set = rows
    .filter((row) => row[`${name}_set`] === 1)
    .map((row) => ({ ...row, amount: inMinorUnits(row[name], places) }));
  for (const { is_month, day, amount } of set) if (is_month === 1) spread(amount, day, days);
  for (const { is_month, day, amount } of set) if (is_month === 0) days.set(day, amount);
  return days;
}

/**
 * Gives each day of a month an equal share. The first days get the remainder, one unit each; below
 * zero, one unit less.
 */
function spread(amount: bigint, firstDay: number, days: Map<number, bigint>): void {
  const { lastDay } = monthOfDay(firstDay);
  const count = BigInt(lastDay - firstDay + 1);
  const [share, rest] = [amount / count, amount % count];
  const unit = rest < 0n ? -1n : 1n;
  for (let day = firstDay; day <= lastDay; day++)
    days.set(day, BigInt(day - firstDay) < rest * unit ? share + unit : share);
}

/** An amount rounded to minor units, half away from zero. */
function inMinorUnits(amount: bigint, places: number): bigint {
  return BigInt(quotientText(amount, 10n ** BigInt(amountPlaces), places).replace('.', ''));
}

/** The sum of each bucket's days, null where none of them has a target. */
function sumsOf(buckets: readonly Bucket[], days: ReadonlyMap<number, bigint>): (bigint | null)[] {
  const sums = buckets.map((): bigint | null => null);
  for (const [day, amount] of days) {
    const index = bucketOfDay(buckets, day);
    if (index >= 0) sums[index] = (sums[index] ?? 0n) + amount;
  }
  return sums;
}
