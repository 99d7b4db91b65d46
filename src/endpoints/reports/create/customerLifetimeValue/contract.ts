import Type from 'typebox';
import { bucketRule } from '../../../../contract/buckets.ts';
import { contract } from '../../../../contract/endpoint.ts';
import { exampleChannel, exampleMonth, exampleZone } from '../../../../contract/examples.ts';
import { createdText, Format, reportFields, reportTimezone } from '../../../../contract/reports.ts';
import { channelFields, OneOf, periodFields, periodRules } from '../../../../contract/shapes.ts';

/** POST /reports/create/customerLifetimeValue */
export const createCustomerLifetimeValueReport = contract({
  operation: 'createCustomerLifetimeValueReport',
  access: 'key',
  method: 'POST',
  path: '/reports/create/customerLifetimeValue',
  needs: 'reports:read',
  summary: 'Create a customer lifetime value report',
  description:
    'Creates a CSV report of a seller channel with one row per cohort: the customers whose first ' +
    `order ever falls into it. ${createdText}`,
  body: Type.Object({
    ...channelFields,
    format: Format,
    reportOptions: Type.Object({
      ...periodFields,
      timezone: reportTimezone,
      interval: OneOf(['d', 'w', 'M', 'Q', 'y', 'day', 'week', 'month', 'quarter', 'year'], {
        default: 'M',
        description:
          'Length of a cohort: d day, w week from Monday, M month, Q quarter, y year, or the ' +
          'word. The first and the last cohort are clipped to the period.',
      }),
    }),
  }),
  rules: [...periodRules('reportOptions'), bucketRule('reportOptions', 'fromDate', 'toDate')],
  channel: true,
  idempotencyKey: true,
  example: { ...exampleChannel, reportOptions: { ...exampleMonth, ...exampleZone, interval: 'M' } },
  answer: Type.Object(reportFields, { component: 'Report' }),
});
