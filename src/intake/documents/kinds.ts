/** Every kind of document that is taken. */
import { adsConsoleCampaigns, adsSpSearchTerms } from './adConsole.ts';
import { adLists } from './adLists.ts';
import { adReports } from './adReports.ts';
import { allOrders } from './allOrders.ts';
import { businessReport } from './businessReport.ts';
import { economics } from './economics.ts';
import { financialEvents } from './financialEvents.ts';
import { inventoryPlanning, restockInventory, unsuppressedInventory } from './inventory.ts';
import type { DocumentKind } from './kind.ts';
import { ordersApi } from './ordersApi.ts';
import { ordersApi2026 } from './ordersApi2026.ts';
import { referenceRates } from './referenceRates.ts';
import { reimbursements } from './reimbursements.ts';
import { customerReturns } from './returns.ts';
import { salesAndTrafficKiosk, salesAndTrafficReport } from './salesAndTraffic.ts';
import { searchQueryReport, searchQueryTable } from './searchQuery.ts';
import { settlement, settlementV1 } from './settlement.ts';
import { shopifyOrders } from './shopifyOrders.ts';
import { targetsTable } from './targetsTable.ts';
import { transactions } from './transactions.ts';
import { vendorKioskManufacturing, vendorKioskSourcing, vendorSalesReport, vendorTrafficReport } from './vendor.ts';

/** The kinds. */
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
  vendorSalesReport,
  vendorTrafficReport,
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
