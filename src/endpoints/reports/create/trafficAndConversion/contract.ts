import Type from 'typebox';
import {
  exampleChannel,
  exampleMonth,
  examplePriorMonth,
  exampleZone,
} from '../../../../contract/examples.ts';
import { reportContract } from '../../../../contract/reportContract.ts';
import { reportTimezone } from '../../../../contract/reports.ts';
import { OneOf, periodFields, periodRules } from '../../../../contract/shapes.ts';

/** POST /reports/create/trafficAndConversion */
export const createTrafficAndConversionReport = reportContract('trafficAndConversion', {
  summary: 'Create a traffic and conversion report',
  description:
    'Creates a CSV report of a seller channel with one row per product that had traffic or sold ' +
    'units.',
  options: Type.Object({
    ...periodFields,
    timezone: reportTimezone,
    view: OneOf(['parents', 'skus'], {
      default: 'parents',
      description:
        'One row per parent product, or one per SKU with the additional columns sku and brand.',
    }),
  }),
  rules: periodRules('reportOptions'),
  example: {
    ...exampleChannel,
    reportOptions: { ...exampleMonth, ...examplePriorMonth, ...exampleZone, view: 'skus' },
  },
});
