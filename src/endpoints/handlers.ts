/** The table of contents again, with handlers: a contract without one does not compile. */

import { listAdGroups } from './advertising/adGroups.ts';
import { listCampaigns } from './advertising/campaigns.ts';
import { listProducts } from './advertising/products.ts';
import { listChannels } from './channels/records.ts';
import { contracts } from './contracts.ts';
import {
  changeCustomGroup,
  deleteCustomGroup,
  listCustomGroups,
  readCustomGroup,
  saveCustomGroup,
} from './customGroups/records.ts';
import type { Endpoint, Handler } from './handler.ts';
import { listOrders } from './orders/orders.ts';
import { readDirectCostsJobStatus, saveDirectCosts } from './profitability/directCosts.ts';
import { readProductProfitAndLoss } from './profitability/productProfitAndLoss.ts';
import { readStoreProfitAndLoss } from './profitability/storeProfitAndLoss.ts';
import { reportHandlers } from './reports/create/create.ts';
import { readReportStatus } from './reports/status/status.ts';
import { viewAdvertisingByChannels } from './reports/view/advertisingByChannels.ts';
import { viewSalesByPeriod } from './reports/view/salesByPeriod.ts';
import { viewVendorSalesByPeriod } from './reports/view/vendorSalesByPeriod.ts';
import { listSearchQueryPerformance } from './search-query-performance/asins.ts';
import { changeChannelTags } from './tags/records.ts';
import { readTargets } from './targets/targets.ts';

type Contracts = typeof contracts;

const handlers: { readonly [Operation in keyof Contracts]: Handler<Contracts[Operation]> } = {
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
  ...reportHandlers,
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
};

/** Every operation of the public interface, ready to be served. */
export const endpoints: readonly Endpoint[] = Object.entries(contracts).map(
  ([operation, contract]) => ({
    contract,
    handler: handlers[operation as keyof Contracts],
  }),
);
