/** The table of contents: every operation of the public interface. */
import type { Contract } from '../contract/endpoint.ts';
import { listAdGroups, listCampaigns, listProducts } from './advertising/contract.ts';
import { listChannels } from './channels/contract.ts';
import {
  changeCustomGroup,
  deleteCustomGroup,
  listCustomGroups,
  readCustomGroup,
  saveCustomGroup,
} from './customGroups/contract.ts';
import { listOrders } from './orders/contract.ts';
import {
  readDirectCostsJobStatus,
  readProductProfitAndLoss,
  readStoreProfitAndLoss,
  saveDirectCosts,
} from './profitability/contract.ts';
import { reportContracts } from './reports/create/contract.ts';
import { readReportStatus } from './reports/status/contract.ts';
import {
  viewAdvertisingByChannels,
  viewSalesByPeriod,
  viewVendorSalesByPeriod,
} from './reports/view/contract.ts';
import { listSearchQueryPerformance } from './search-query-performance/contract.ts';
import { changeChannelTags } from './tags/contract.ts';
import { readTargets } from './targets/contract.ts';

/** Contracts by operation. */
export const contracts = {
  listChannels,
  changeChannelTags,
  saveCustomGroup,
  listCustomGroups,
  readCustomGroup,
  changeCustomGroup,
  deleteCustomGroup,
  viewSalesByPeriod,
  viewVendorSalesByPeriod,
  viewAdvertisingByChannels,
  ...reportContracts,
  readReportStatus,
  listCampaigns,
  listAdGroups,
  listProducts,
  listSearchQueryPerformance,
  readTargets,
  listOrders,
  readStoreProfitAndLoss,
  readProductProfitAndLoss,
  saveDirectCosts,
  readDirectCostsJobStatus,
} satisfies Readonly<Record<string, Contract>>;
