import Type from 'typebox';
import { exampleChannel, exampleMonth, exampleZone } from '../../../../contract/examples.ts';
import { reportContract } from '../../../../contract/reportContract.ts';
import { reportTimezone } from '../../../../contract/reports.ts';
import { IncludeTax, periodFields, rangeRule } from '../../../../contract/shapes.ts';

/** POST /reports/create/salesByProduct */
export const createSalesByProductReport = reportContract('salesByProduct', {
  summary: 'Create a report of sales by product',
  description:
    'Creates a CSV report of a channel with one row per product, the most sold first: the figures ' +
    'of POST /reports/view/salesByProduct, and the stock. quantity is what was available at the ' +
    'end of the period, and daysCover how long it lasts if as much is ordered a day as in the 30 ' +
    'days before, or in the 60 or 90 days where nothing was. fulfillmentChannel is AFN for the ' +
    'marketplace and MFN for the seller. status is outOfStock where no unit was available, else ' +
    'active; blank for products that the catalogue does not have. Reports of vendor channels have ' +
    "poValue and unitsOrdered, the marketplace's ordered revenue and units.",
  options: Type.Object({
    fromDate: periodFields.fromDate,
    toDate: periodFields.toDate,
    timezone: reportTimezone,
    includeTax: IncludeTax(true),
    includeNoSales: Type.Boolean({
      default: false,
      description: 'true adds the products that were not sold in the period.',
    }),
    includeNoInventory: Type.Boolean({
      default: true,
      description: 'false removes the products that are out of stock.',
    }),
  }),
  rules: [rangeRule('reportOptions')],
  example: { ...exampleChannel, reportOptions: { ...exampleMonth, ...exampleZone } },
});
