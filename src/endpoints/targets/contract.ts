import Type from 'typebox';
import { bucketRule } from '../../contract/buckets.ts';
import { contract } from '../../contract/endpoint.ts';
import { exampleChannel, exampleMonth, exampleZone } from '../../contract/examples.ts';
import { channelFields, OneOf, periodFields, rangeRule, Timezone } from '../../contract/shapes.ts';

const { fromDate, toDate } = periodFields;

const target = (description: string) => Type.Union([Type.Number({ description }), Type.Null()]);
const targetFields = {
  salesBudget: target('Budget of sales.'),
  salesForecast: target('Forecast of sales.'),
  adSpendBudget: target('Budget of advertising spend.'),
};

/** GET /targets */
export const readTargets = contract({
  operation: 'readTargets',
  access: 'key',
  method: 'GET',
  path: '/targets',
  needs: 'targets:read',
  summary: 'Read targets',
  description:
    'Sales budget, sales forecast and advertising spend budget of a channel, bucket by bucket. ' +
    'A target of a month is spread evenly over its days ' +
    "in the smallest unit of the channel's currency, so that they add up to it exactly; what is " +
    'left over goes to its first days. A target of a ' +
    'date takes the place of its share. A bucket has the targets of every date that it touches, ' +
    'null where none of them has one; the totals are ' +
    'the sums of the buckets. Buckets are calendar buckets of the time zone, the first and the ' +
    'last clipped to the range.',
  query: Type.Object({
    ...channelFields,
    fromDate,
    toDate,
    timezone: Timezone(),
    interval: OneOf(['day', 'week', 'month', 'd', 'w', 'M'], {
      default: 'day',
      description:
        'Length of a bucket: day, week from Monday or month, or d, w, M. The first and the last ' +
        'bucket are clipped to the range.',
    }),
  }),
  rules: [rangeRule(''), bucketRule('', 'fromDate', 'toDate')],
  channel: true,
  cacheable: true,
  example: { ...exampleChannel, ...exampleMonth, ...exampleZone, interval: 'month' },
  answer: Type.Object({
    data: Type.Array(
      Type.Object(
        {
          startTime: Type.String({
            description: 'Start of the bucket: ISO 8601 with the offset in force.',
          }),
          endTime: Type.String({ description: 'Last second of the bucket.' }),
          startTimeEpoch: Type.Integer({ description: 'Start of the bucket, epoch seconds.' }),
          endTimeEpoch: Type.Integer({ description: 'Last second of the bucket, epoch seconds.' }),
          ...targetFields,
        },
        { component: 'TargetBucket' },
      ),
    ),
    totals: Type.Object(targetFields, { component: 'TargetTotals' }),
    meta: Type.Object({
      timezone: Type.String({ description: 'The time zone that was asked for.' }),
      currency: Type.String({
        description: "The channel's currency, ISO 4217, in which the targets are.",
      }),
    }),
  }),
});
