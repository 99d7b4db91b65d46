import Type from 'typebox';
import {
  exampleChannel,
  exampleMonth,
  examplePriorMonth,
  exampleZone,
} from '../../../../contract/examples.ts';
import { reportContract } from '../../../../contract/reportContract.ts';
import { reportTimezone } from '../../../../contract/reports.ts';
import { IncludeTax, periodFields, periodRules } from '../../../../contract/shapes.ts';

/** POST /reports/create/repeatPurchase */
export const createRepeatPurchaseReport = reportContract('repeatPurchase', {
  summary: 'Create a report of repeat purchases',
  description:
    'Creates a CSV report of a seller channel with one row per product that customers bought, the ' +
    "one with the most customers first. productSku is the platform's product id, or the SKU where " +
    'that is unknown. A customer is a buyer with an order of the product in the period. Repeat ' +
    'customers ordered it at least twice in the period; new customers had never ordered it before ' +
    'the period. A customer may be both, or neither. repeatCustomerSales are all sales of the ' +
    'product to repeat customers in the period. Orders whose source names no buyer belong to no ' +
    'customer and count nowhere in this report, so totalSales are the sales to known buyers. ' +
    'Canceled orders do not count.',
  options: Type.Object({
    ...periodFields,
    timezone: reportTimezone,
    includeTax: IncludeTax(false),
  }),
  rules: periodRules('reportOptions'),
  example: {
    ...exampleChannel,
    reportOptions: { ...exampleMonth, ...examplePriorMonth, ...exampleZone, includeTax: false },
  },
});
