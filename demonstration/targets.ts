/** Budgets and forecasts of the channels. */
import { isoDate, monthOfDay } from '../src/calendar/period.ts';
import { linesPerOrder, unitsPerLine } from './campaigns.ts';
import { type Offer, offersOf } from './catalogue.ts';
import type { Plan } from './plans.ts';
import { calendarDay, dayFactor, dealFactor, seasonFactor } from './seasons.ts';

/** A row of the dataset targets, for a month (YYYY-MM) or a date. */
export type TargetRow =
  | { month: string; salesBudget: number; salesForecast: number; adSpendBudget?: number }
  | { date: string; salesBudget: number; salesForecast: number };

const millisecondsPerDay = 86_400_000;
const daysPerYear = 365.25;
const monthsPlanned = 36;
/** Budgets exceed the expected sales by this factor. */
const ambition = 1.05;
/** Days of deals with at least this factor have targets of their own. */
const largeDeal = 1.5;
/** Budgets are multiples of this many dollars, or about as much in other currencies. */
const roundDollars = 100;

/** Targets from January of last year to December of next year, of ads where there are any. */
export function targetRows(plan: Plan, anchorDay: number): TargetRow[] {
  const year = Number(isoDate(anchorDay).slice(0, 4));
  const step = 10 ** Math.round(Math.log10(roundDollars * plan.perDollar));
  const round = (amount: number) => Math.max(step, Math.round(amount / step) * step);
  const offers = offersOf(plan);
  const expected = (day: number) => expectedSales(plan, offers, day, anchorDay);
  const advertised = offers.slice(0, plan.advertised);
  const fromAds = (day: number) => expectedSales(plan, advertised, day, anchorDay) * plan.adShare;
  const rows: TargetRow[] = [];
  for (let month = 0; month < monthsPlanned; month++) {
    const { firstDay, lastDay } = monthOfDay(Date.UTC(year - 1, month, 1) / millisecondsPerDay);
    const days = Array.from({ length: lastDay - firstDay + 1 }, (_, index) => firstDay + index);
    const isDeal = (day: number) => dealFactor(calendarDay(day)) >= largeDeal;
    const ordinary = days.filter((day) => !isDeal(day));
    const sumOf = (some: readonly number[], of = expected) =>
      some.reduce((sum, day) => sum + of(day), 0);
    // Every day has the same share of its month, which the targets of a day take the place of.
    const sales = (sumOf(ordinary) / ordinary.length) * days.length;
    rows.push({
      month: isoDate(firstDay).slice(0, 7),
      salesBudget: round(sales * ambition),
      salesForecast: round(sales),
      ...(plan.adShare > 0 && {
        adSpendBudget: round(sumOf(days, fromAds) * ambition * plan.acos),
      }),
    });
    for (const day of days.filter(isDeal))
      rows.push({
        date: isoDate(day),
        salesBudget: round(expected(day) * ambition),
        salesForecast: round(expected(day)),
      });
  }
  return rows;
}

/** Expected sales of offers on a day without tax, in units of the currency. */
function expectedSales(
  plan: Plan,
  offers: readonly Offer[],
  day: number,
  anchorDay: number,
): number {
  const calendar = calendarDay(day);
  const growth = (1 + plan.growth) ** ((day - anchorDay) / daysPerYear);
  const demand = offers.reduce(
    (sum, { weight, season, netPrice }) =>
      sum + weight * seasonFactor(season, calendar, plan.southern) * netPrice,
    0,
  );
  return (
    (plan.ordersPerDay * demand * dayFactor(calendar) * growth * linesPerOrder * unitsPerLine) /
    10 ** plan.decimals
  );
}
