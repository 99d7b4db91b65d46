import Type from 'typebox';
import { contract } from '../../../../contract/endpoint.ts';
import {
  exampleMonth,
  examplePriorMonth,
  exampleVendorChannel,
  exampleZone,
} from '../../../../contract/examples.ts';
import { createdText, Format, reportFields, reportTimezone } from '../../../../contract/reports.ts';
import { channelFields, OneOf, periodFields, periodRules } from '../../../../contract/shapes.ts';

/** POST /reports/create/shippedRevenue */
export const createShippedRevenueReport = contract({
  operation: 'createShippedRevenueReport',
  access: 'key',
  method: 'POST',
  path: '/reports/create/shippedRevenue',
  needs: 'reports:read',
  summary: 'Create a report of shipped revenue',
  description:
    'Creates a CSV report of a vendor channel with one row per product that was shipped, the most ' +
    "shipped first: shipped revenue, units and cost of goods, by the marketplace's dates. " +
    'amazonMargin is the share of shipped revenue that exceeds the cost of goods, ' +
    'netPureProductMargin the mean of the margins that the marketplace reports of the product, ' +
    `weighted by shipped revenue. Both are percentages. ${createdText}`,
  body: Type.Object({
    ...channelFields,
    format: Format,
    reportOptions: Type.Object({
      ...periodFields,
      timezone: reportTimezone,
      view: OneOf(['sourcing', 'manufacturing'], {
        default: 'sourcing',
        description:
          'sourcing: the units that the vendor itself supplied; manufacturing: all units of the ' +
          "vendor's products.",
      }),
    }),
  }),
  rules: periodRules('reportOptions'),
  channel: true,
  idempotencyKey: true,
  example: {
    ...exampleVendorChannel,
    reportOptions: { ...exampleMonth, ...examplePriorMonth, ...exampleZone, view: 'sourcing' },
  },
  answer: Type.Object(reportFields, { component: 'Report' }),
});
