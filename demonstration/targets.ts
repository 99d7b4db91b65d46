/** Budgets and forecasts of the channels. */
import { isoDate, monthOfDay } from '../src/calendar/period.ts';
import { linesPerOrder, unitsPerLine } from './campaigns.ts';
import { type Offer, offersOf } from './catalogue.ts';
import type { Plan } from './plans.ts';
import { calendarDay, dayFactor, dealFactor, growthFactor, seasonFactor } from './seasons.ts';

/** A row of the dataset targets, for a month (YYYY-MM) or a date. */
export type TargetRow = ({ month: string; adSpendBudget?: number } | { date: string }) & {
  salesBudget: number;
  salesForecast: number;
};

const millisecondsPerDay = 86_400_000;
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
  const ofSales = (sales: number) => ({
    salesBudget: round(sales * ambition),
    salesForecast: round(sales),
  });
  const offers = offersOf(plan);
  const advertised = offers.slice(0, plan.advertised);
  const sumOf = (days: readonly number[], some = offers) =>
    days.reduce((sum, day) => sum + expectedSales(plan, some, day, anchorDay), 0);
  return Array.from({ length: monthsPlanned }, (_, month) => {
    const { firstDay, lastDay } = monthOfDay(Date.UTC(year - 1, month, 1) / millisecondsPerDay);
    const days = Array.from({ length: lastDay - firstDay + 1 }, (_, index) => firstDay + index);
    const isDeal = (day: number) => dealFactor(calendarDay(day)) >= largeDeal;
    const ordinary = days.filter((day) => !isDeal(day));
    // Every day has an equal share of its month, unless it has targets of its own.
    const sales = (sumOf(ordinary) / ordinary.length) * days.length;
    const spend = sumOf(days, advertised) * plan.adShare * ambition * plan.acos;
    return [
      {
        month: isoDate(firstDay).slice(0, 7),
        ...ofSales(sales),
        ...(plan.adShare > 0 && { adSpendBudget: round(spend) }),
      },
      ...days.filter(isDeal).map((day) => ({ date: isoDate(day), ...ofSales(sumOf([day])) })),
    ];
  }).flat();
}

/** Expected sales of offers on a day without tax, in units of the currency. */
function expectedSales(
  plan: Plan,
  offers: readonly Offer[],
  day: number,
  anchorDay: number,
): number {
  const calendar = calendarDay(day);
  const demand = offers.reduce(
    (sum, { weight, season, netPrice }) =>
      sum + weight * seasonFactor(season, calendar, plan.southern) * netPrice,
    0,
  );
  const orders = plan.ordersPerDay * dayFactor(calendar);
  const growth = growthFactor(plan.growth, day - anchorDay);
  return (orders * demand * growth * linesPerOrder * unitsPerLine) / 10 ** plan.decimals;
}
