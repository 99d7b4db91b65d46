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

/** POST /reports/create/cancellationsAndRefunds */
export const createCancellationsAndRefundsReport = reportContract('cancellationsAndRefunds', {
  summary: 'Create a report of cancellations and refunds',
  description:
    'Creates a CSV report of a seller channel with one row per SKU that had orders or ' +
    'refunds, the most ordered first; productId is the SKU. Gross figures cover all order lines by date of ' +
    'purchase; cancelled figures cover the cancelled lines that their source reports; ' +
    'net sales are the difference. Refunds are those posted in the period, whenever the order was ' +
    'placed: cancelRate is a percentage of gross sales, refundRate of net sales and ' +
    'refundRateUnits of the units that were not cancelled. Order lines and refunds that name no ' +
    'SKU and no product share a row without productId.',
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
