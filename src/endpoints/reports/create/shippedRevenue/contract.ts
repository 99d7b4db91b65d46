import Type from 'typebox';
import {
  exampleMonth,
  examplePriorMonth,
  exampleVendorChannel,
  exampleZone,
} from '../../../../contract/examples.ts';
import { reportContract } from '../../../../contract/reportContract.ts';
import { reportTimezone } from '../../../../contract/reports.ts';
import { OneOf, periodFields, periodRules } from '../../../../contract/shapes.ts';

/** POST /reports/create/shippedRevenue */
export const createShippedRevenueReport = reportContract('shippedRevenue', {
  summary: 'Create a report of shipped revenue',
  description:
    'Creates a CSV report of a vendor channel with one row per product that was shipped, the most ' +
    "shipped first: shipped revenue, units and cost of goods, by the marketplace's dates. " +
    'amazonMargin is the share of shipped revenue that exceeds the cost of goods, ' +
    'netPureProductMargin the mean of the margins that the marketplace reports of the product, ' +
    'weighted by shipped revenue. Both are percentages.',
  options: Type.Object({
    ...periodFields,
    timezone: reportTimezone,
    view: OneOf(['sourcing', 'manufacturing'], {
      default: 'sourcing',
      description:
        'sourcing: the units that the vendor itself supplied; manufacturing: all units of the ' +
        "vendor's products.",
    }),
  }),
  rules: periodRules('reportOptions'),
  example: {
    ...exampleVendorChannel,
    reportOptions: { ...exampleMonth, ...examplePriorMonth, ...exampleZone, view: 'sourcing' },
  },
});
