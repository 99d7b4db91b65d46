import type { Contract, InputOf } from '../../../contract/endpoint.ts';
import type { ReportType } from '../../../contract/reports.ts';
import { createCampaignsReport, createMarketingByProductReport } from './advertising/contract.ts';
import { createCancellationsAndRefundsReport } from './cancellationsAndRefunds/contract.ts';
import { createChannelProfitAndLossReport } from './channelProfitAndLoss/contract.ts';
import { createCustomerLifetimeValueReport } from './customerLifetimeValue/contract.ts';
import { createInventoryReplenishmentReport } from './inventoryReplenishment/contract.ts';
import { createOrderedRevenueReport } from './orderedRevenue/contract.ts';
import { createRepeatPurchaseReport } from './repeatPurchase/contract.ts';
import { createSalesByProductReport } from './salesByProduct/contract.ts';
import { createShippedRevenueReport } from './shippedRevenue/contract.ts';
import { createTrafficAndConversionReport } from './trafficAndConversion/contract.ts';

/** The operation that creates reports of a type. */
export type ReportOperation<Type extends ReportType = ReportType> =
  `create${Capitalize<Type>}Report`;

/** The contracts of all operations that create reports. */
export const reportContracts = {
  createCustomerLifetimeValueReport,
  createTrafficAndConversionReport,
  createInventoryReplenishmentReport,
  createCancellationsAndRefundsReport,
  createOrderedRevenueReport,
  createShippedRevenueReport,
  createSalesByProductReport,
  createCampaignsReport,
  createMarketingByProductReport,
  createChannelProfitAndLossReport,
  createRepeatPurchaseReport,
} satisfies { readonly [Operation in ReportOperation]: Contract & { operation: Operation } };

/** The options of each type of report, after validation. */
export type ReportOptions = {
  readonly [Type in ReportType]: InputOf<(typeof reportContracts)[ReportOperation<Type>]> extends {
    reportOptions: infer Options;
  }
    ? Options
    : undefined;
};
