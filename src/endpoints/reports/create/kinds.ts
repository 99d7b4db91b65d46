/** The kinds of CSV reports. */
import { customerLifetimeValue } from './customerLifetimeValue/report.ts';
import { inventoryReplenishment } from './inventoryReplenishment/report.ts';
import type { ReportKind, ReportType } from './kind.ts';
import { trafficAndConversion } from './trafficAndConversion/report.ts';

/** A kind for each type of report. */
export type ReportKinds = { readonly [Type in ReportType]: ReportKind<Type> };

/** What the service can report. */
export const reportKinds: ReportKinds = {
  customerLifetimeValue,
  trafficAndConversion,
  inventoryReplenishment,
};
