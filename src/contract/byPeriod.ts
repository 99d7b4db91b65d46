/** The parts that the contracts of the views over time share. */
import Type from 'typebox';
import { bucketRule } from './buckets.ts';
import { OneOf, periodRules } from './shapes.ts';

const dailyIntervals = [
  'd',
  'w',
  'M',
  'Q',
  'y',
  'day',
  'week',
  'month',
  'quarter',
  'year',
] as const;
const intervalText =
  'Length of a bucket: d day, w week from Monday, M month, Q quarter, y year, or the word. The ' +
  'first and the last bucket are clipped to the period.';

/** The length of a bucket in views of figures by day. */
export const DailyInterval = OneOf(dailyIntervals, { default: 'd', description: intervalText });

/** The length of a bucket in a view that is divided only on request. */
export const OptionalInterval = Type.Optional(
  OneOf(dailyIntervals, { description: `${intervalText} Without it there are no buckets.` }),
);

/** The rules of the two periods, each divided into buckets. */
export const byPeriodRules = [
  ...periodRules('reportOptions'),
  bucketRule('reportOptions', 'fromDate', 'toDate'),
  bucketRule('reportOptions', 'priorFromDate', 'priorToDate'),
];

/** The name of a metric's companion for the comparison period, such as `priorSales` for `sales`. */
export function priorName<const Name extends string>(name: Name): `prior${Capitalize<Name>}` {
  return `prior${name[0]!.toUpperCase()}${name.slice(1)}` as `prior${Capitalize<Name>}`;
}

/** A metric of a row with its companion for the comparison period. */
export function withPrior<const Name extends string, Metric extends Type.TSchema>(
  name: Name,
  metric: Metric,
) {
  return { [name]: metric, [priorName(name)]: metric } as {
    [K in Name | `prior${Capitalize<Name>}`]: Metric;
  };
}

const currency = Type.String({ description: 'Currency of all amounts, ISO 4217.' });

/** The first fields of a row of a view over time. */
export const bucketFields = {
  startTime: Type.String({
    description: 'Start of the bucket: ISO 8601 with the offset in force.',
  }),
  endTime: Type.String({ description: 'Last second of the bucket.' }),
  currency,
};

/** A row per bucket in the envelope that the views by period share. */
export function byPeriod<Row extends Type.TSchema>(row: Row) {
  return Type.Object({
    status: Type.Literal('success'),
    currency,
    formattedChartData: Type.Array(row),
  });
}
