/** The list of document kinds. */
import {
  adsConsoleCampaigns,
  adsConsoleKeywords,
  adsSpSearchTerms,
} from './advertising/console.ts';
import { adLists } from './advertising/lists.ts';
import { adReports } from './advertising/reports.ts';
import { economics } from './finance/economics.ts';
import { financialEvents } from './finance/financialEvents.ts';
import { reimbursements } from './finance/reimbursements.ts';
import { customerReturns } from './finance/returns.ts';
import { settlement, settlementV1 } from './finance/settlement.ts';
import { transactions } from './finance/transactions.ts';
import {
  inventoryPlanning,
  restockInventory,
  unsuppressedInventory,
} from './inventory/inventory.ts';
import type { DocumentKind } from './kind.ts';
import { allOrders } from './orders/allOrders.ts';
import { ordersApi } from './orders/ordersApi.ts';
import { ordersApi2026 } from './orders/ordersApi2026.ts';
import { shopifyOrders } from './orders/shopifyOrders.ts';
import { referenceRates } from './rates/referenceRates.ts';
import { searchQueryReport } from './search/searchQuery.ts';
import { searchQueryTable } from './search/searchQueryTable.ts';
import { targetsTable } from './targets/targetsTable.ts';
import { businessReport } from './traffic/businessReport.ts';
import { salesAndTrafficKiosk, salesAndTrafficReport } from './traffic/salesAndTraffic.ts';
import { vendorKioskManufacturing, vendorKioskSourcing } from './vendor/vendorKiosk.ts';
import {
  vendorMarginReport,
  vendorSalesReport,
  vendorTrafficReport,
} from './vendor/vendorReports.ts';

/** Every document kind, in the order of the lists that people read. */
export const documentKinds: readonly DocumentKind[] = [
  salesAndTrafficReport,
  salesAndTrafficKiosk,
  businessReport,
  ordersApi,
  ordersApi2026,
  allOrders,
  shopifyOrders,
  ...adReports,
  ...adLists,
  adsSpSearchTerms,
  adsConsoleCampaigns,
  ...adsConsoleKeywords,
  vendorSalesReport,
  vendorTrafficReport,
  vendorMarginReport,
  vendorKioskManufacturing,
  vendorKioskSourcing,
  searchQueryReport,
  searchQueryTable,
  targetsTable,
  transactions,
  financialEvents,
  economics,
  settlement,
  settlementV1,
  reimbursements,
  customerReturns,
  inventoryPlanning,
  restockInventory,
  unsuppressedInventory,
  referenceRates,
];
