import Type from 'typebox';
import { exampleChannel, exampleMonth, exampleZone } from '../../../../contract/examples.ts';
import { reportContract } from '../../../../contract/reportContract.ts';
import { reportTimezone } from '../../../../contract/reports.ts';
import { EpochSeconds, rangeRule } from '../../../../contract/shapes.ts';

const options = Type.Object({
  fromDate: EpochSeconds('Start of the reporting period.'),
  toDate: EpochSeconds('End of the reporting period, inclusive.'),
  timezone: reportTimezone,
});
const rules = [rangeRule('reportOptions')];
const example = { ...exampleChannel, reportOptions: { ...exampleMonth, ...exampleZone } };

/** The sentences shared by reports of advertising. */
const aboutRows =
  'report_date is the date of the figures, settings are those of today, and amounts are in the ' +
  "channel's currency; a ratio without a denominator is blank.";

/** POST /reports/create/campaigns */
export const createCampaignsReport = reportContract('campaigns', {
  summary: 'Create a report of campaigns',
  description:
    'Creates a zip archive of five CSV or Parquet files about a channel with advertising: ' +
    'campaigns, adGroups, keywords, productAds and products. Each has the columns of its ' +
    'list, then seller_id, marketplace_id and report_date, and one row per date and campaign, ad ' +
    `group, keyword, product of an ad group, or product with figures. ${aboutRows}`,
  options,
  rules,
  example,
});

/** POST /reports/create/marketingByProduct */
export const createMarketingByProductReport = reportContract('marketingByProduct', {
  summary: 'Create a report of marketing by product',
  description:
    'Creates a CSV report of a channel with advertising with one row per date and advertised ' +
    'product: the columns of GET /advertising/products, then seller_id, marketplace_id and ' +
    `report_date. ${aboutRows}`,
  options,
  rules,
  example,
});
