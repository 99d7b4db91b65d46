/** Every CSV report. */
import type { ReportType } from '../../../contract/reports.ts';
import { cancellationsAndRefunds } from './cancellationsAndRefunds/report.ts';
import { customerLifetimeValue } from './customerLifetimeValue/report.ts';
import { inventoryReplenishment } from './inventoryReplenishment/report.ts';
import { orderedRevenue } from './orderedRevenue/report.ts';
import type { Report } from './report.ts';
import { salesByProduct } from './salesByProduct/report.ts';
import { shippedRevenue } from './shippedRevenue/report.ts';
import { trafficAndConversion } from './trafficAndConversion/report.ts';

/** A report for each type. */
export type Reports = { readonly [Type in ReportType]: Report<Type> };

/** The reports of the service. */
export const reports: Reports = {
  customerLifetimeValue,
  trafficAndConversion,
  inventoryReplenishment,
  cancellationsAndRefunds,
  orderedRevenue,
  shippedRevenue,
  salesByProduct,
};
