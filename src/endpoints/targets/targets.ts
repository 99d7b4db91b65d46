/** Budgets and forecasts of one channel, bucket by bucket. */
import {
  type Bucket,
  bucketOfDay,
  buckets as divide,
  isoInstant,
  monthOfDay,
  parseInterval,
} from '../../calendar/period.ts';
import { questionFile } from '../../engine/question.ts';
import { amountPlaces, currencyPlaces, quotientText } from '../../report/money.ts';
import type { Handler } from '../handler.ts';
import type { readTargets as contract } from './contract.ts';

/** What was set for a month or a date. */
type TargetRow = Amounts & {
  readonly is_month: number;
  /** The date, or the first of the month. */
  readonly day: number;
};
/** A target counts where its `_set` is 1. */
type Amounts = Readonly<Record<TargetName, bigint> & Record<`${TargetName}_set`, number>>;
type TargetName = 'sales_budget' | 'sales_forecast' | 'ad_spend_budget';

const targetsQuestion = questionFile<TargetRow>(import.meta.url, 'targets.sql');

/** Answers GET /targets. */
export const readTargets: Handler<typeof contract> = async (
  asked,
  { channel, warehouse, limits },
) => {
  const { fromDate, toDate, timezone, interval } = asked;
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
  const rows = await warehouse.ask(targetsQuestion, parameters, limits);

  const places = currencyPlaces(currency);
  const inUnits = (sum: bigint | null) =>
    sum === null ? null : Number(quotientText(sum, 10n ** BigInt(places), places));
  const told = (name: TargetName) => {
    const sums = sumsOf(buckets, daysOf(rows, name, places));
    const known = sums.filter((sum) => sum !== null);
    const total = known.length > 0 ? known.reduce((sum, one) => sum + one) : null;
    return { ofBucket: (place: number) => inUnits(sums[place]!), total: inUnits(total) };
  };
  const [salesBudget, salesForecast, adSpendBudget] = [
    told('sales_budget'),
    told('sales_forecast'),
    told('ad_spend_budget'),
  ];
  return {
    data: buckets.map(({ startEpochSeconds, endEpochSeconds }, place) => ({
      startTime: isoInstant(timezone, startEpochSeconds),
      endTime: isoInstant(timezone, endEpochSeconds),
      startTimeEpoch: startEpochSeconds,
      endTimeEpoch: endEpochSeconds,
      salesBudget: salesBudget.ofBucket(place),
      salesForecast: salesForecast.ofBucket(place),
      adSpendBudget: adSpendBudget.ofBucket(place),
    })),
    totals: {
      salesBudget: salesBudget.total,
      salesForecast: salesForecast.total,
      adSpendBudget: adSpendBudget.total,
    },
    meta: { timezone, currency },
  };
};

/** One target by dates, in minor units of the currency: the shares of months, and in their place what was set for a date itself. */
function daysOf(rows: readonly TargetRow[], name: TargetName, places: number): Map<number, bigint> {
  const days = new Map<number, bigint>();
  const set = rows
    .filter((row) => row[`${name}_set`] === 1)
    .map((row) => ({ ...row, amount: inMinorUnits(row[name], places) }));
  for (const { is_month, day, amount } of set) if (is_month === 1) spread(amount, day, days);
  for (const { is_month, day, amount } of set) if (is_month === 0) days.set(day, amount);
  return days;
}

/** Gives each day of a month an equal share, and what is left over, a unit each, to its first days; what is below zero falls alike. */
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
    const place = bucketOfDay(buckets, day);
    if (place >= 0) sums[place] = (sums[place] ?? 0n) + amount;
  }
  return sums;
}
