/** Budgets and forecasts of channels; targets of months are spread over their days. */
import { monthOfDay } from '../calendar/period.ts';
import { questionFile } from '../engine/question.ts';
import { daySource } from '../engine/segments/daySource.ts';
import { type CachedAsk, rowsOfDays } from '../engine/segments/router.ts';
import type { DateRange } from '../engine/warehouse.ts';
import { amountPlaces, quotientText } from '../figures/money.ts';

/** The names of the targets. */
export type TargetName = 'sales_budget' | 'sales_forecast' | 'ad_spend_budget';

/** The targets of a channel and month or date; each is known if its `_set` is 1. */
export type TargetRow = Readonly<
  Record<TargetName, bigint> & Record<`${TargetName}_set`, number>
> & {
  readonly channel: number;
  readonly is_month: number;
  /** The date, or the first day of the month. */
  readonly day: number;
};

/** A run of days that each have the same target, in minor units of the currency. */
export type TargetRun = DateRange & { readonly amount: bigint };

const targetDays = daySource(questionFile<TargetRow>(import.meta.url, 'targets.sql'), {
  texts: [],
  counts: ['is_month', 'sales_budget_set', 'sales_forecast_set', 'ad_spend_budget_set'],
  amounts: ['sales_budget', 'sales_forecast', 'ad_spend_budget'],
});

/** Reads the targets of channels that overlap a range of days. */
export async function readTargetRows(
  ask: CachedAsk,
  channels: readonly number[],
  { first, last }: DateRange,
): Promise<TargetRow[]> {
  const range = { first: monthOfDay(first).firstDay, last };
  const rows = await rowsOfDays<TargetRow>(ask, targetDays, channels, range);
  return rows.filter(({ is_month, day }) => is_month === 1 || day >= first);
}

/**
 * One target of a channel by days: the target of the date itself, else the day's share of its
 * month. Runs never share a day; runs of months may begin before the range of the rows or end after
 * it.
 */
export function targetRuns(
  rows: readonly TargetRow[],
  name: TargetName,
  places: number,
): TargetRun[] {
  const months: TargetRun[] = [];
  const dates: TargetRun[] = [];
  for (const { is_month, day, [name]: amount, [`${name}_set` as const]: set } of rows) {
    if (set !== 1) continue;
    const minor = inMinorUnits(amount, places);
    if (is_month === 1) months.push(...spread(minor, day));
    else dates.push({ first: day, last: day, amount: minor });
  }
  if (dates.length === 0) return months;
  const own = new Set(dates.map(({ first }) => first));
  return [...months.flatMap((run) => without(run, own)), ...dates];
}

/**
 * Gives each day of a month an equal share. The first days get one unit each of the remainder; a
 * negative remainder is subtracted.
 */
function spread(amount: bigint, firstDay: number): TargetRun[] {
  const { lastDay } = monthOfDay(firstDay);
  const count = BigInt(lastDay - firstDay + 1);
  const [share, rest] = [amount / count, amount % count];
  const unit = rest < 0n ? -1n : 1n;
  const shareDay = firstDay + Number(rest * unit);
  return [
    { first: firstDay, last: shareDay - 1, amount: share + unit },
    { first: shareDay, last: lastDay, amount: share },
  ].filter(({ first, last }) => first <= last);
}

/** The parts of a run between the days that have their own targets. */
function without({ first, last, amount }: TargetRun, own: ReadonlySet<number>): TargetRun[] {
  const parts: TargetRun[] = [];
  let start = first;
  for (let day = first; day <= last + 1; day++) {
    if (day <= last && !own.has(day)) continue;
    if (start < day) parts.push({ first: start, last: day - 1, amount });
    start = day + 1;
  }
  return parts;
}

/** An amount rounded to minor units, half away from zero. */
function inMinorUnits(amount: bigint, places: number): bigint {
  return BigInt(quotientText(amount, 10n ** BigInt(amountPlaces), places).replace('.', ''));
}
