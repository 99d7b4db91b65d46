/** The kinds of CSV reports. */
import { customerLifetimeValue } from './customerLifetimeValue.ts';
import { inventoryReplenishment } from './inventoryReplenishment.ts';
import type { ReportKind, ReportType } from './kind.ts';
import { trafficAndConversion } from './trafficAndConversion.ts';

/** A kind for each type of report. */
export type ReportKinds = { readonly [Type in ReportType]: ReportKind<Type> };

/** What the service can report. */
export const reportKinds: ReportKinds = { customerLifetimeValue, trafficAndConversion, inventoryReplenishment };
