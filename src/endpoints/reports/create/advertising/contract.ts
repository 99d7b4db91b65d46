import Type from 'typebox';
import { contract } from '../../../../contract/endpoint.ts';
import { exampleChannel, exampleMonth, exampleZone } from '../../../../contract/examples.ts';
import { createdText, Format, reportFields, reportTimezone } from '../../../../contract/reports.ts';
import { channelFields, EpochSeconds, rangeRule } from '../../../../contract/shapes.ts';

const body = Type.Object({
  ...channelFields,
  format: Format,
  reportOptions: Type.Object({
    fromDate: EpochSeconds('Start of the reporting period.'),
    toDate: EpochSeconds('End of the reporting period, inclusive.'),
    timezone: reportTimezone,
  }),
});
const rules = [rangeRule('reportOptions')];
const example = { ...exampleChannel, reportOptions: { ...exampleMonth, ...exampleZone } };

/** The sentences that reports of advertising share. */
const aboutRows =
  'report_date is the date of the figures, settings are those of today, and amounts are in the ' +
  "channel's currency; a ratio without a denominator is blank.";

/** POST /reports/create/campaigns */
export const createCampaignsReport = contract({
  operation: 'createCampaignsReport',
  access: 'key',
  method: 'POST',
  path: '/reports/create/campaigns',
  needs: 'reports:read',
  summary: 'Create a report of campaigns',
  description:
    'Creates a zip archive of five CSV or Parquet files about a channel with advertising: ' +
    'campaigns, adGroups, keywords, productAds and products. Each has the columns of its ' +
    'list, then seller_id, marketplace_id and report_date, and one row per date and campaign, ad ' +
    'group, keyword, product of an ad group, or product with figures. ' +
    `${aboutRows} ${createdText}`,
  body,
  rules,
  channel: true,
  idempotencyKey: true,
  example,
  answer: Type.Object(reportFields, { component: 'Report' }),
});

/** POST /reports/create/marketingByProduct */
export const createMarketingByProductReport = contract({
  operation: 'createMarketingByProductReport',
  access: 'key',
  method: 'POST',
  path: '/reports/create/marketingByProduct',
  needs: 'reports:read',
  summary: 'Create a report of marketing by product',
  description:
    'Creates a CSV report of a channel with advertising with one row per date and advertised ' +
    'product: the columns of GET /advertising/products, then seller_id, marketplace_id and ' +
    `report_date. ${aboutRows} ${createdText}`,
  body,
  rules,
  channel: true,
  idempotencyKey: true,
  example,
  answer: Type.Object(reportFields, { component: 'Report' }),
});
