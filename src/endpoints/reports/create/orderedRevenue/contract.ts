import Type from 'typebox';
import {
  exampleMonth,
  examplePriorMonth,
  exampleVendorChannel,
  exampleZone,
} from '../../../../contract/examples.ts';
import { reportContract } from '../../../../contract/reportContract.ts';
import { reportTimezone } from '../../../../contract/reports.ts';
import { periodFields, periodRules } from '../../../../contract/shapes.ts';

/** POST /reports/create/orderedRevenue */
export const createOrderedRevenueReport = reportContract('orderedRevenue', {
  summary: 'Create a report of ordered revenue',
  description:
    'Creates a CSV report of a vendor channel with one row per product that was viewed or ordered, ' +
    'the most ordered first: glance views, ordered revenue and ordered units of the manufacturing ' +
    "view, by the marketplace's dates. unitsPerGlanceViews is a ratio, conversionRate the same as " +
    'a percentage.',
  options: Type.Object({ ...periodFields, timezone: reportTimezone }),
  rules: periodRules('reportOptions'),
  example: {
    ...exampleVendorChannel,
    reportOptions: { ...exampleMonth, ...examplePriorMonth, ...exampleZone },
  },
});
