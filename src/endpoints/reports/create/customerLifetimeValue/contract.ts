import Type from 'typebox';
import { bucketRule } from '../../../../contract/buckets.ts';
import { exampleChannel, exampleMonth, exampleZone } from '../../../../contract/examples.ts';
import { reportContract } from '../../../../contract/reportContract.ts';
import { reportTimezone } from '../../../../contract/reports.ts';
import { OneOf, periodFields, periodRules } from '../../../../contract/shapes.ts';

/** POST /reports/create/customerLifetimeValue */
export const createCustomerLifetimeValueReport = reportContract('customerLifetimeValue', {
  summary: 'Create a customer lifetime value report',
  description:
    'Creates a CSV report of a seller channel with one row per cohort: the customers whose first ' +
    'order ever falls into it.',
  options: Type.Object({
    ...periodFields,
    timezone: reportTimezone,
    interval: OneOf(['d', 'w', 'M', 'Q', 'y', 'day', 'week', 'month', 'quarter', 'year'], {
      default: 'M',
      description:
        'Length of a cohort: d day, w week from Monday, M month, Q quarter, y year, or the ' +
        'word. The first and the last cohort are clipped to the period.',
    }),
  }),
  rules: [...periodRules('reportOptions'), bucketRule('reportOptions', 'fromDate', 'toDate')],
  example: { ...exampleChannel, reportOptions: { ...exampleMonth, ...exampleZone, interval: 'M' } },
});
