import Type from 'typebox';
import { contract } from '../../../../contract/endpoint.ts';
import {
  exampleChannel,
  exampleMonth,
  examplePriorMonth,
  exampleZone,
} from '../../../../contract/examples.ts';
import { createdText, Format, reportFields, reportTimezone } from '../../../../contract/reports.ts';
import { channelFields, OneOf, periodFields, periodRules } from '../../../../contract/shapes.ts';

/** POST /reports/create/trafficAndConversion */
export const createTrafficAndConversionReport = contract({
  operation: 'createTrafficAndConversionReport',
  access: 'key',
  method: 'POST',
  path: '/reports/create/trafficAndConversion',
  needs: 'reports:read',
  summary: 'Create a traffic and conversion report',
  description:
    'Creates a CSV report of a seller channel with one row per product that had traffic or sold ' +
    `units. ${createdText}`,
  body: Type.Object({
    ...channelFields,
    format: Format,
    reportOptions: Type.Object({
      ...periodFields,
      timezone: reportTimezone,
      view: OneOf(['parents', 'skus'], {
        default: 'parents',
        description:
          'One row per parent product, or one per SKU with the additional columns sku and brand.',
      }),
    }),
  }),
  rules: periodRules('reportOptions'),
  channel: true,
  idempotencyKey: true,
  example: {
    ...exampleChannel,
    reportOptions: { ...exampleMonth, ...examplePriorMonth, ...exampleZone, view: 'skus' },
  },
  answer: Type.Object(reportFields, { component: 'Report' }),
});
