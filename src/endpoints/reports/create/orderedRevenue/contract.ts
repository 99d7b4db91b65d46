import Type from 'typebox';
import { contract } from '../../../../contract/endpoint.ts';
import {
  exampleMonth,
  examplePriorMonth,
  exampleVendorChannel,
  exampleZone,
} from '../../../../contract/examples.ts';
import { createdText, Format, reportFields, reportTimezone } from '../../../../contract/reports.ts';
import { channelFields, periodFields, periodRules } from '../../../../contract/shapes.ts';

/** POST /reports/create/orderedRevenue */
export const createOrderedRevenueReport = contract({
  operation: 'createOrderedRevenueReport',
  access: 'key',
  method: 'POST',
  path: '/reports/create/orderedRevenue',
  needs: 'reports:read',
  summary: 'Create a report of ordered revenue',
  description:
    'Creates a CSV report of a vendor channel with one row per product that was viewed or ordered, ' +
    'the most ordered first: glance views, ordered revenue and ordered units of the manufacturing ' +
    "view, by the marketplace's dates. unitsPerGlanceViews is a ratio, conversionRate the same as " +
    `a percentage. ${createdText}`,
  body: Type.Object({
    ...channelFields,
    format: Format,
    reportOptions: Type.Object({ ...periodFields, timezone: reportTimezone }),
  }),
  rules: periodRules('reportOptions'),
  channel: true,
  idempotencyKey: true,
  example: {
    ...exampleVendorChannel,
    reportOptions: { ...exampleMonth, ...examplePriorMonth, ...exampleZone },
  },
  answer: Type.Object(reportFields, { component: 'Report' }),
});
