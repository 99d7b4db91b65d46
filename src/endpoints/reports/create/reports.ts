/** Lists every CSV report. */
import type { ArchiveType, ReportType } from '../../../contract/reports.ts';
import { campaigns, marketingByProduct } from './advertising/report.ts';
import { cancellationsAndRefunds } from './cancellationsAndRefunds/report.ts';
import { channelProfitAndLoss } from './channelProfitAndLoss/report.ts';
import { customerLifetimeValue } from './customerLifetimeValue/report.ts';
import { inventoryReplenishment } from './inventoryReplenishment/report.ts';
import { orderedRevenue } from './orderedRevenue/report.ts';
import { repeatPurchase } from './repeatPurchase/report.ts';
import type { Archive, Report } from './report.ts';
import { salesByProduct } from './salesByProduct/report.ts';
import { shippedRevenue } from './shippedRevenue/report.ts';
import { trafficAndConversion } from './trafficAndConversion/report.ts';

/** One report for each type. */
export type Reports = {
  readonly [Type in ReportType]: Type extends ArchiveType ? Archive<Type> : Report<Type>;
};

/** The reports of the service. */
export const reports: Reports = {
  customerLifetimeValue,
  trafficAndConversion,
  inventoryReplenishment,
  cancellationsAndRefunds,
  orderedRevenue,
  shippedRevenue,
  salesByProduct,
  campaigns,
  marketingByProduct,
  channelProfitAndLoss,
  repeatPurchase,
};
