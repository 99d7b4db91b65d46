/** Names that the contracts of imports list, and that the readers of imports must cover. */
import { type ProfitLine, profitLines } from '../../schema/warehouse/profit.ts';

/** The datasets that can be imported. */
export const datasetNames = [
  'orders',
  'orderLines',
  'traffic',
  'campaigns',
  'adGroups',
  'keywords',
  'campaignDays',
  'adGroupDays',
  'keywordDays',
  'adProductDays',
  'vendorSales',
  'vendorMargins',
  'targets',
  'searchQueries',
  'products',
  'financeEvents',
  'unitCosts',
  'inventory',
  'exchangeRates',
] as const;

/** A dataset whose facts belong to channels. */
export type ChannelDataset = Exclude<(typeof datasetNames)[number], 'exchangeRates'>;

/** The datasets whose facts belong to channels. */
export const channelDatasets: readonly ChannelDataset[] = datasetNames.filter(
  (name): name is ChannelDataset => name !== 'exchangeRates',
);

/** The datasets of channels whose facts have dates. */
export const datedDatasets = [
  'orders',
  'orderLines',
  'traffic',
  'campaignDays',
  'adGroupDays',
  'keywordDays',
  'adProductDays',
  'vendorSales',
  'vendorMargins',
  'targets',
  'searchQueries',
  'financeEvents',
  'inventory',
] as const satisfies readonly ChannelDataset[];

/** A dataset of channels whose facts have dates. */
export type DatedDataset = (typeof datedDatasets)[number];

/** A dataset of flat rows; `orders` has nested rows. */
export type FlatDatasetName = Exclude<(typeof datasetNames)[number], 'orders'>;

/** The lines of the profit and loss, and `balance` for amounts that only move money. */
export const financeLines = [...(Object.keys(profitLines) as ProfitLine[]), 'balance'] as const;

/** A line on which a financial event is booked. */
export type FinanceLine = (typeof financeLines)[number];

/** The kinds of financial documents that report amounts. */
export const financeSources = [
  'settlement',
  'transactions',
  'financialEvents',
  'economics',
  'reimbursements',
  'returns',
] as const;

/** A source of financial events. */
export type FinanceSource = (typeof financeSources)[number];

/** The possible targets of a code: a line, or the tax of sales or refunds. */
export const bookings = [...financeLines, 'sales.tax', 'refunds.tax'] as const;

/** A target of a code. */
export type Booking = (typeof bookings)[number];

/** The names of the document kinds, in the order in which people read them. */
export const documentKindNames = [
  'salesAndTrafficReport',
  'salesAndTrafficKiosk',
  'businessReport',
  'ordersApi',
  'ordersApi2026',
  'allOrders',
  'shopifyOrders',
  'adsSpCampaigns',
  'adsSpPlacements',
  'adsSpAdGroups',
  'adsSpKeywords',
  'adsSpAdvertisedProducts',
  'adsSbCampaigns',
  'adsSbPlacements',
  'adsSbAdGroups',
  'adsSbKeywords',
  'adsSdCampaigns',
  'adsSdAdGroups',
  'adsSdAdvertisedProducts',
  'adsStCampaigns',
  'adsStAdGroups',
  'adsCampaignList',
  'adsSpCampaignList',
  'adsSbCampaignList',
  'adsSdCampaignList',
  'adsAdGroupList',
  'adsSpAdGroupList',
  'adsSbAdGroupList',
  'adsSdAdGroupList',
  'adsKeywordList',
  'adsSpKeywordList',
  'adsSbKeywordList',
  'adsSpSearchTerms',
  'adsConsoleCampaigns',
  'adsSpConsoleKeywords',
  'adsSbConsoleKeywords',
  'adsConsoleKeywords',
  'vendorSalesReport',
  'vendorTrafficReport',
  'vendorMarginReport',
  'vendorKioskManufacturing',
  'vendorKioskSourcing',
  'searchQueryReport',
  'searchQueryTable',
  'targetsTable',
  'transactions',
  'financialEvents',
  'economics',
  'settlement',
  'settlementV1',
  'reimbursements',
  'customerReturns',
  'inventoryPlanning',
  'restock',
  'unsuppressedInventory',
  'referenceRates',
] as const;

/** The name of a document kind. */
export type DocumentKindName = (typeof documentKindNames)[number];
