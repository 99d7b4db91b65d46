/** The reports that the console schedules, and the names of periods and times. */

import type { ReportType } from '../../contract/reports.ts';
import type { SchedulePeriod } from '../../contract/schedules.ts';
import type { Input } from '../client.ts';
import { kinds, operationOf, types } from '../reports/kinds.ts';
import type { Store } from '../view/stores.tsx';

/** The view that needs no store: one row for each. */
export const allStores = 'viewSalesByChannel';
/** Rows of the view: more than an organisation has stores. */
const rowsMax = 100;

/** A report of one store, or the sales of all stores. */
export type Runnable = ReportType | typeof allStores;

/** The periods, as they are called in a choice. */
export const periodNames: Readonly<Record<SchedulePeriod, string>> = {
  yesterday: 'The day before',
  last7Days: 'The last 7 days',
  last30Days: 'The last 30 days',
  last90Days: 'The last 90 days',
  lastWeek: 'The calendar week before',
  lastMonth: 'The calendar month before',
  monthToDate: 'The month so far',
  yearToDate: 'The year so far',
};

/** The choices of a report. */
export const runnables: readonly { readonly id: Runnable; readonly name: string }[] = [
  { id: allStores, name: 'Sales of all stores' },
  ...types.map((type) => ({ id: type, name: kinds[type].name })),
];

/** The name of the operation of a schedule. */
export function nameOf(operation: string): string {
  const type = types.find((one) => operationOf(one) === operation);
  if (type !== undefined) return kinds[type].name;
  return operation === allStores ? 'Sales of all stores' : operation;
}

/** Whether a period says which days it is about. */
export const hasPeriod = (what: Runnable): boolean =>
  what === allStores || kinds[what].dates !== 'none';

type Chosen = {
  readonly what: Runnable;
  /** The store of a report. */
  readonly store: Store | undefined;
  /** The currency of all stores together. */
  readonly currency: string;
};

/** The operation with its parameters, reports with their usual options. */
export function operationOfChoice({
  what,
  store,
  currency,
}: Chosen): Pick<Input<'createSchedule'>, 'operation' | 'parameters'> {
  if (what === allStores)
    return { operation: what, parameters: { currentCurrency: currency, pageSize: rowsMax } };
  const { choices = [], switches = [] } = kinds[what];
  const reportOptions = Object.fromEntries([
    ...choices.map(({ field, values }) => [field, values[0]!.id]),
    ...switches.map(({ field, byDefault }) => [field, byDefault]),
  ]);
  const { channelId, merchantId } = store!;
  return {
    operation: operationOf(what),
    parameters: { channelId, merchantId, ...(hasPeriod(what) && { reportOptions }) },
  };
}

/** How often a schedule is due. */
export const rhythms = [
  { id: 'daily', name: 'Every day', days: '* * *' },
  { id: 'weekdays', name: 'Every day from Monday to Friday', days: '* * 1-5' },
  { id: 'weekly', name: 'Every Monday', days: '* * 1' },
  { id: 'monthly', name: 'The first day of each month', days: '1 * *' },
  { id: 'cron', name: 'By a cron expression', days: '' },
] as const;
/** How often a schedule is due. */
export type Rhythm = (typeof rhythms)[number]['id'];

/** The hours of a day, such as 07:00. */
export const hours: readonly { readonly id: string; readonly name: string }[] = Array.from(
  { length: 24 },
  (_, hour) => ({ id: String(hour), name: `${String(hour).padStart(2, '0')}:00` }),
);

/** The cron expression of a rhythm at an hour. */
export function cronOf(rhythm: Rhythm, hour: string): string {
  return `0 ${hour} ${rhythms.find(({ id }) => id === rhythm)!.days}`;
}

/** When a schedule is due, in words where its expression is a common one. */
export function whenOf(cron: string): string {
  const [minute = '', hour = '', ...days] = cron.split(/\s+/);
  const rhythm = rhythms.find((one) => one.days === days.join(' '));
  if (rhythm === undefined || !/^\d+$/.test(minute) || !/^\d+$/.test(hour)) return cron;
  return `${rhythm.name}, ${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
}
