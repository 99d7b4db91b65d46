/** Budgets and forecasts. */
import { amountOrNone, date, dayOfDate, month } from '../cells/fields.ts';
import { type Cells, type Column, type Dataset, destination, type Field } from './dataset.ts';

const monthOrDate = (cells: Cells) => (cells.date ?? cells.month) as string;

const target = (name: string): Field => ({
  type: amountOrNone,
  about: `${name}, in the channel's currency. Not set by default.`,
});
const amountIn =
  (field: string): Column =>
  (cells) =>
    cells[field] ?? 0;
const isSet =
  (field: string): Column =>
  (cells) =>
    cells[field] === null ? 0 : 1;

const special: Record<string, Column> = {
  day: monthOrDate,
  sales_budget: amountIn('salesBudget'),
  sales_budget_set: isSet('salesBudget'),
  sales_forecast: amountIn('salesForecast'),
  sales_forecast_set: isSet('salesForecast'),
  ad_spend_budget: amountIn('adSpendBudget'),
  ad_spend_budget_set: isSet('adSpendBudget'),
};

/** The dataset `targets`. */
export const targets: Dataset = {
  name: 'targets',
  about:
    'Budgets and forecasts for a month or a date. A month is spread evenly over its days; a row for a date takes precedence over its share of the month. Rows for months and rows for dates do not replace one another.',
  ofChannel: true,
  fields: {
    month: {
      type: month,
      about: 'The month (YYYY-MM). Either `month` or `date` is required, not both.',
    },
    date: { type: date, about: 'The date.' },
    salesBudget: target('Sales budget'),
    salesForecast: target('Sales forecast'),
    adSpendBudget: target('Advertising spend budget'),
  },
  destinations: [destination('target_month', special), destination('target_day', special)],
  destinationOf: (cells) => (cells.date === null ? 0 : 1),
  dayOf: (cells) => dayOfDate(monthOrDate(cells)),
  check: (cells) =>
    (cells.month === null) === (cells.date === null)
      ? 'either month or date is required'
      : undefined,
};
