/** Every kind of document that is taken, in the order in which they are tried. */
import type { DocumentKind } from './kind.ts';
import { ordersApi } from './ordersApi.ts';
import { referenceRates } from './referenceRates.ts';
import { salesAndTrafficKiosk, salesAndTrafficReport } from './salesAndTraffic.ts';

/** The kinds. */
export const documentKinds: readonly DocumentKind[] = [salesAndTrafficReport, salesAndTrafficKiosk, ordersApi, referenceRates];
