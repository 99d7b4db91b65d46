/** Every kind of document that is taken. */
import { adsConsoleCampaigns, adsSpSearchTerms } from './adConsole.ts';
import { adLists } from './adLists.ts';
import { adReports } from './adReports.ts';
import type { DocumentKind } from './kind.ts';
import { ordersApi } from './ordersApi.ts';
import { referenceRates } from './referenceRates.ts';
import { salesAndTrafficKiosk, salesAndTrafficReport } from './salesAndTraffic.ts';

/** The kinds. */
export const documentKinds: readonly DocumentKind[] = [
  salesAndTrafficReport,
  salesAndTrafficKiosk,
  ordersApi,
  ...adReports,
  ...adLists,
  adsSpSearchTerms,
  adsConsoleCampaigns,
  referenceRates,
];
