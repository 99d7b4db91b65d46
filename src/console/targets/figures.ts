/** Targets of a month against what was reached, and the end of the month that follows. */
import { addDays, addMonths, type Day, daysFrom, startOfUnit } from '../view/days.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';

/** A month, and how far it is known. */
export type Month = {
  readonly first: Day;
  readonly last: Day;
  /** The last day with data. */
  readonly to: Day;
  readonly days: number;
  /** Days with data. */
  readonly past: number;
};

/** The month in which the period of a view ends. */
export function monthOf({ range, lastDay }: Pick<View, 'range' | 'lastDay'>): Month {
  const first = startOfUnit(range.last, 'month');
  const last = addDays(addMonths(first, 1), -1);
  const to = lastDay < last ? lastDay : last;
  return {
    first,
    last,
    to,
    days: daysFrom(first, last),
    past: to < first ? 0 : daysFrom(first, to),
  };
}

/** A target, and how near it is; undefined is unknown. */
export type Goal = {
  /** Reached up to the last day with data. */
  readonly actual: number | undefined;
  /** The target up to that day. */
  readonly toDate: number | undefined;
  /** The target of the month. */
  readonly target: number | undefined;
  /** The end of the month if it goes on like this. */
  readonly projected: number | undefined;
};

/** The targets of the page, as the address names them. */
export const goalNames = ['budget', 'forecast', 'ads'] as const;
/** A target of the page. */
export type GoalName = (typeof goalNames)[number];

/** A store with its targets. */
export type StoreGoals = Readonly<Record<GoalName, Goal>> & { readonly store: Store };

type Known = Pick<Goal, 'actual' | 'toDate' | 'target'>;

/**
 * The end of the month: what was reached, times the target of the month by the target so far, so
 * that days weigh as the target weighs them. Without a target every day weighs the same.
 */
export function projectedOf(
  { actual, toDate, target }: Known,
  { past, days }: Month,
): number | undefined {
  if (actual === undefined || past === 0) return undefined;
  if (past === days) return actual;
  if (target !== undefined && toDate !== undefined && toDate > 0) return (actual * target) / toDate;
  return (actual * days) / past;
}

/** The pace: what was reached in percent of the target so far. */
export const paceOf = ({ actual, toDate }: Goal): number | undefined =>
  actual === undefined || toDate === undefined || toDate === 0
    ? undefined
    : (actual / toDate) * 100;

/** How far the projected end of the month is from the target. */
export const gapOf = ({ projected, target }: Goal): number | undefined =>
  projected === undefined || target === undefined ? undefined : projected - target;

/** The sum of the stores that have the target and whose figures are known. */
export function sumOfGoals(rows: readonly StoreGoals[], name: GoalName): Goal {
  const some = rows
    .map((row) => row[name])
    .filter(({ target, actual }) => target !== undefined && actual !== undefined);
  const sum = (figure: keyof Goal) =>
    some.length === 0 ? undefined : some.reduce((total, goal) => total + (goal[figure] ?? 0), 0);
  return {
    actual: sum('actual'),
    toDate: sum('toDate'),
    target: sum('target'),
    projected: some.some(({ projected }) => projected === undefined) ? undefined : sum('projected'),
  };
}

/** The goals of sales and of advertising spend, with what they end with. */
export function goalsOf(
  store: Store,
  sales: number | undefined,
  spend: number | undefined,
  targets: Readonly<Record<GoalName, Pick<Goal, 'toDate' | 'target'>>>,
  month: Month,
): StoreGoals {
  const { budget, forecast, ads } = targets;
  const goal = (target: Pick<Goal, 'toDate' | 'target'>, actual: number | undefined): Goal => ({
    ...target,
    actual,
    projected: projectedOf({ ...target, actual }, month),
  });
  return {
    store,
    budget: goal(budget, sales),
    forecast: goal(forecast, sales),
    ads: goal(ads, spend),
  };
}
