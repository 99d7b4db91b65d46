import Type from 'typebox';
import { bucketRule } from '../../../contract/buckets.ts';
import { contract } from '../../../contract/endpoint.ts';
import {
  exampleChannel,
  exampleMonth,
  examplePriorMonth,
  exampleZone,
} from '../../../contract/examples.ts';
import { reportFields } from '../../../contract/reports.ts';
import {
  channelFields,
  OneOf,
  periodFields,
  periodRules,
  Timezone,
} from '../../../contract/shapes.ts';

const zone = Timezone({
  default: 'UTC',
  description: 'IANA time zone by whose calendar the range is divided, such as Europe/London.',
});

const CustomerLifetimeValueOptions = Type.Object({
  ...periodFields,
  timezone: zone,
  interval: OneOf(['d', 'w', 'M', 'Q', 'y', 'day', 'week', 'month', 'quarter', 'year'], {
    default: 'M',
    description:
      'Length of a cohort: d day, w week from Monday, M month, Q quarter, y year, or the word. The first and the last are clipped to the period.',
  }),
});

const TrafficAndConversionOptions = Type.Object({
  ...periodFields,
  timezone: zone,
  view: OneOf(['parents', 'skus'], {
    default: 'parents',
    description:
      'A row for each parent product, or one for each SKU with the columns sku and brand.',
  }),
});

/** The options of each type of report, as they have been checked. */
export type ReportOptions = {
  readonly customerLifetimeValue: Type.Static<typeof CustomerLifetimeValueOptions>;
  readonly trafficAndConversion: Type.Static<typeof TrafficAndConversionOptions>;
  readonly inventoryReplenishment: undefined;
};

const started =
  'The report is computed afterwards: GET /reports/status/{reportId} says how far it is and, once it is done, from where its CSV file can be ' +
  'downloaded. While an identical report of the last five minutes is on its way, that one is computed for both. An organisation can have 50 ' +
  'reports waiting.';

/** POST /reports/create/customerLifetimeValue */
export const createCustomerLifetimeValueReport = contract({
  operation: 'createCustomerLifetimeValueReport',
  access: 'key',
  method: 'POST',
  path: '/reports/create/customerLifetimeValue',
  summary: 'Create a report of customer lifetime value',
  description: `Creates a CSV report of a seller channel with a row for each cohort: the customers whose first order ever lies in it. ${started}`,
  body: Type.Object({ ...channelFields, reportOptions: CustomerLifetimeValueOptions }),
  rules: [...periodRules('reportOptions'), bucketRule('reportOptions', 'fromDate', 'toDate')],
  channel: true,
  idempotencyKey: true,
  example: { ...exampleChannel, reportOptions: { ...exampleMonth, ...exampleZone, interval: 'M' } },
  answer: Type.Object(reportFields),
});

/** POST /reports/create/trafficAndConversion */
export const createTrafficAndConversionReport = contract({
  operation: 'createTrafficAndConversionReport',
  access: 'key',
  method: 'POST',
  path: '/reports/create/trafficAndConversion',
  summary: 'Create a report of traffic and conversion',
  description: `Creates a CSV report of a seller channel with a row for each product that had traffic or sold units. ${started}`,
  body: Type.Object({ ...channelFields, reportOptions: TrafficAndConversionOptions }),
  rules: periodRules('reportOptions'),
  channel: true,
  idempotencyKey: true,
  example: {
    ...exampleChannel,
    reportOptions: { ...exampleMonth, ...examplePriorMonth, ...exampleZone, view: 'skus' },
  },
  answer: Type.Object(reportFields),
});

/** POST /reports/create/inventoryReplenishment */
export const createInventoryReplenishmentReport = contract({
  operation: 'createInventoryReplenishmentReport',
  access: 'key',
  method: 'POST',
  path: '/reports/create/inventoryReplenishment',
  summary: 'Create a report of inventory to replenish',
  description:
    'Creates a CSV report of a seller channel with a row for each SKU that the marketplace fulfils: how long its stock lasts, and what to send when. ' +
    started,
  body: Type.Object({ ...channelFields }),
  channel: true,
  idempotencyKey: true,
  example: exampleChannel,
  answer: Type.Object(reportFields),
});
