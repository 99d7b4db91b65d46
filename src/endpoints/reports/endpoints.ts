import { endpointsOf } from '../handler.ts';
import { reportContracts } from './create/contract.ts';
import { createReportRules, reportHandlers } from './create/create.ts';
import * as listContracts from './list/contract.ts';
import * as list from './list/list.ts';
import * as statusContracts from './status/contract.ts';
import * as status from './status/status.ts';
import * as advertisingByChannels from './view/advertisingByChannels/advertisingByChannels.ts';
import * as viewContracts from './view/contract.ts';
import { profitByPeriodRules, recordsOfProfit } from './view/profitByPeriod/channels.ts';
import * as profitByPeriodContracts from './view/profitByPeriod/contract.ts';
import * as profitByPeriod from './view/profitByPeriod/profitByPeriod.ts';
import * as salesByChannelContracts from './view/salesByChannel/contract.ts';
import * as salesByChannel from './view/salesByChannel/salesByChannel.ts';
import * as salesByPeriod from './view/salesByPeriod.ts';
import { salesByPeriodRules } from './view/salesByPeriod.ts';
import * as salesByProductContracts from './view/salesByProduct/contract.ts';
import * as salesByProduct from './view/salesByProduct/salesByProduct.ts';
import * as vendorSalesByPeriod from './view/vendorSalesByPeriod.ts';
import { vendorSalesByPeriodRules } from './view/vendorSalesByPeriod.ts';
import { recordsOfView, viewedChannelsRules } from './view/viewedChannels.ts';

/** The endpoints of reports. */
export const endpoints = [
  ...endpointsOf(
    viewContracts,
    { ...advertisingByChannels, ...salesByPeriod, ...vendorSalesByPeriod },
    {
      recordRules: {
        viewAdvertisingByChannels: viewedChannelsRules,
        viewSalesByPeriod: salesByPeriodRules,
        viewVendorSalesByPeriod: vendorSalesByPeriodRules,
      },
      recordsOf: { viewAdvertisingByChannels: recordsOfView },
    },
  ),
  ...endpointsOf(profitByPeriodContracts, profitByPeriod, {
    recordRules: { viewProfitByPeriod: profitByPeriodRules },
    recordsOf: { viewProfitByPeriod: recordsOfProfit },
  }),
  ...endpointsOf(salesByProductContracts, salesByProduct),
  ...endpointsOf(salesByChannelContracts, salesByChannel, {
    recordRules: { viewSalesByChannel: viewedChannelsRules },
    recordsOf: { viewSalesByChannel: recordsOfView },
  }),
  ...endpointsOf(reportContracts, reportHandlers, { recordRules: createReportRules }),
  ...endpointsOf(listContracts, list),
  ...endpointsOf(statusContracts, status),
];
