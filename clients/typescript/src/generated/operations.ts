// Written by `npm run documents` from docs/openapi.json: do not edit.

import { Caller, type CallOptions, type Operation, type Paging } from '../caller.ts';
import type {
  AdGroup,
  AdvertisedProduct,
  AdvertisingByChannelItem,
  Campaign,
  ChangeChannelTagsAnswer,
  ChangeChannelTagsRequest,
  ChangeCustomGroupInput,
  ChangeScheduleInput,
  ChangeWebhookInput,
  ConvertTagAnswer,
  ConvertTagRequest,
  CreateCampaignsReportRequest,
  CreateCancellationsAndRefundsReportRequest,
  CreateChannelProfitAndLossReportRequest,
  CreateCustomerLifetimeValueReportRequest,
  CreateInventoryReplenishmentReportRequest,
  CreateMarketingByProductReportRequest,
  CreateOrderedRevenueReportRequest,
  CreateRepeatPurchaseReportRequest,
  CreateSalesByProductReportRequest,
  CreateScheduleRequest,
  CreateShippedRevenueReportRequest,
  CreateTrafficAndConversionReportRequest,
  CreateWebhookAnswer,
  CreateWebhookRequest,
  DeleteCustomGroupInput,
  DeleteScheduleInput,
  DeleteWebhookInput,
  Keyword,
  ListAdGroupsAnswer,
  ListAdGroupsInput,
  ListCampaignsAnswer,
  ListCampaignsInput,
  ListChannelsAnswer,
  ListChannelsRequest,
  ListCustomGroupsAnswer,
  ListCustomGroupsInput,
  ListKeywordsAnswer,
  ListKeywordsInput,
  ListOrdersAnswer,
  ListOrdersRequest,
  ListProductsAnswer,
  ListProductsInput,
  ListReportsAnswer,
  ListReportsInput,
  ListScheduleRunsAnswer,
  ListScheduleRunsInput,
  ListSchedulesAnswer,
  ListSchedulesInput,
  ListSearchQueryPerformanceAnswer,
  ListSearchQueryPerformanceInput,
  ListTagsAnswer,
  ListTagsInput,
  ListUnknownCodesAnswer,
  ListUnknownCodesInput,
  ListWebhookDeliveriesAnswer,
  ListWebhookDeliveriesInput,
  ListWebhooksAnswer,
  ListWebhooksInput,
  ListedCustomGroup,
  ListedReport,
  Order,
  ProductProfitAndLoss,
  ReadChannelTagsAnswer,
  ReadChannelTagsInput,
  ReadCustomGroupAnswer,
  ReadCustomGroupInput,
  ReadDirectCostsJobStatusAnswer,
  ReadDirectCostsJobStatusInput,
  ReadLineageAnswer,
  ReadLineageInput,
  ReadProductProfitAndLossAnswer,
  ReadProductProfitAndLossRequest,
  ReadReportStatusAnswer,
  ReadReportStatusInput,
  ReadStoreProfitAndLossRequest,
  ReadTargetsAnswer,
  ReadTargetsInput,
  ReplayWebhookDeliveryAnswer,
  ReplayWebhookDeliveryInput,
  Report,
  RotateWebhookSecretAnswer,
  RotateWebhookSecretInput,
  RunScheduleAnswer,
  RunScheduleInput,
  SalesByChannelRow,
  SalesByProductRow,
  SaveCodeAnswer,
  SaveCodeRequest,
  SaveCustomGroupAnswer,
  SaveCustomGroupRequest,
  SaveDirectCostsAnswer,
  SaveDirectCostsRequest,
  Schedule,
  ScheduleRun,
  SqpRow,
  StoreProfitAndLoss,
  TagSet,
  TestWebhookAnswer,
  TestWebhookInput,
  ViewAdvertisingByChannelsAnswer,
  ViewAdvertisingByChannelsRequest,
  ViewProfitByPeriodAnswer,
  ViewProfitByPeriodRequest,
  ViewSalesByChannelAnswer,
  ViewSalesByChannelRequest,
  ViewSalesByPeriodAnswer,
  ViewSalesByPeriodRequest,
  ViewSalesByProductAnswer,
  ViewSalesByProductRequest,
  ViewVendorSalesByPeriodAnswer,
  ViewVendorSalesByPeriodRequest,
  Webhook,
  WebhookDelivery,
} from './schemas.ts';

/** How each operation is called. */
export const operations = {
  listChannels: ['POST', '/channels'],
  listTags: ['GET', '/tags', 'T'],
  readChannelTags: ['GET', '/tags/channel', 'T'],
  changeChannelTags: ['PATCH', '/tags/channel', 'K'],
  convertTag: ['POST', '/tags/convert', 'K'],
  readLineage: ['GET', '/lineage', 'T'],
  saveCustomGroup: ['POST', '/customGroups', 'K'],
  listCustomGroups: ['GET', '/customGroups', 'T'],
  readCustomGroup: ['GET', '/customGroups/{id}', 'T'],
  changeCustomGroup: ['PATCH', '/customGroups/{id}', 'KE'],
  deleteCustomGroup: ['DELETE', '/customGroups/{id}', 'E'],
  viewAdvertisingByChannels: ['POST', '/reports/view/advertisingByChannels', 'T'],
  viewSalesByPeriod: ['POST', '/reports/view/salesByPeriod', 'T'],
  viewVendorSalesByPeriod: ['POST', '/reports/view/vendorSalesByPeriod', 'T'],
  viewProfitByPeriod: ['POST', '/reports/view/profitByPeriod', 'T'],
  viewSalesByProduct: ['POST', '/reports/view/salesByProduct', 'T'],
  viewSalesByChannel: ['POST', '/reports/view/salesByChannel', 'T'],
  createCustomerLifetimeValueReport: ['POST', '/reports/create/customerLifetimeValue', 'K'],
  createTrafficAndConversionReport: ['POST', '/reports/create/trafficAndConversion', 'K'],
  createInventoryReplenishmentReport: ['POST', '/reports/create/inventoryReplenishment', 'K'],
  createCancellationsAndRefundsReport: ['POST', '/reports/create/cancellationsAndRefunds', 'K'],
  createOrderedRevenueReport: ['POST', '/reports/create/orderedRevenue', 'K'],
  createShippedRevenueReport: ['POST', '/reports/create/shippedRevenue', 'K'],
  createSalesByProductReport: ['POST', '/reports/create/salesByProduct', 'K'],
  createCampaignsReport: ['POST', '/reports/create/campaigns', 'K'],
  createMarketingByProductReport: ['POST', '/reports/create/marketingByProduct', 'K'],
  createChannelProfitAndLossReport: ['POST', '/reports/create/channelProfitAndLoss', 'K'],
  createRepeatPurchaseReport: ['POST', '/reports/create/repeatPurchase', 'K'],
  listReports: ['GET', '/reports'],
  readReportStatus: ['GET', '/reports/status/{reportId}'],
  listOrders: ['POST', '/orders/primarymkt'],
  saveDirectCosts: ['POST', '/profitability/directCosts', 'K'],
  readDirectCostsJobStatus: ['GET', '/profitability/directCostsJobStatus', 'T'],
  readProductProfitAndLoss: ['POST', '/profitability/productProfitAndLoss', 'T'],
  readStoreProfitAndLoss: ['POST', '/profitability/storeProfitAndLoss', 'T'],
  listUnknownCodes: ['GET', '/profitability/codes', 'T'],
  saveCode: ['PATCH', '/profitability/codes'],
  listAdGroups: ['GET', '/advertising/adGroups', 'T'],
  listCampaigns: ['GET', '/advertising/campaigns', 'T'],
  listKeywords: ['GET', '/advertising/keywords', 'T'],
  listProducts: ['GET', '/advertising/products', 'T'],
  readTargets: ['GET', '/targets', 'T'],
  listSearchQueryPerformance: ['GET', '/search-query-performance/asins', 'T'],
  createWebhook: ['POST', '/webhooks', 'K'],
  listWebhooks: ['GET', '/webhooks'],
  changeWebhook: ['PATCH', '/webhooks/{webhookId}', 'K'],
  deleteWebhook: ['DELETE', '/webhooks/{webhookId}', 'E'],
  listWebhookDeliveries: ['GET', '/webhooks/{webhookId}/deliveries'],
  replayWebhookDelivery: ['POST', '/webhooks/{webhookId}/deliveries/{deliveryId}/replay', 'K'],
  rotateWebhookSecret: ['POST', '/webhooks/{webhookId}/rotate', 'K'],
  testWebhook: ['POST', '/webhooks/{webhookId}/test', 'K'],
  createSchedule: ['POST', '/schedules', 'K'],
  listSchedules: ['GET', '/schedules'],
  changeSchedule: ['PATCH', '/schedules/{scheduleId}', 'K'],
  deleteSchedule: ['DELETE', '/schedules/{scheduleId}', 'E'],
  runSchedule: ['POST', '/schedules/{scheduleId}/run', 'K'],
  listScheduleRuns: ['GET', '/schedules/{scheduleId}/runs'],
} as const satisfies Readonly<Record<string, Operation>>;

/** The name of an operation. */
export type OperationName = keyof typeof operations;

/** How the rows of each operation that has pages are divided. */
export const pagings = {
  listTags: ['items', 'totalCount', 100],
  listCustomGroups: ['groups', 'total', 100],
  viewAdvertisingByChannels: ['data.items', 'data.totalItems', 100],
  viewSalesByProduct: ['rows', 'count', 100],
  viewSalesByChannel: ['rows', 'count', 100],
  listReports: ['reports', 'total', 100],
  listOrders: ['data', '', 100],
  readProductProfitAndLoss: ['productEvents', 'count', 50, 'reportOptions'],
  listAdGroups: ['data', 'pagination.count', 100],
  listCampaigns: ['data', 'pagination.count', 100],
  listKeywords: ['data', 'pagination.count', 100],
  listProducts: ['data', 'pagination.count', 100],
  listSearchQueryPerformance: ['data', 'pagination.count', 50],
  listWebhooks: ['webhooks', 'total', 100],
  listWebhookDeliveries: ['deliveries', 'total', 100],
  listSchedules: ['schedules', 'total', 100],
  listScheduleRuns: ['runs', 'total', 100],
} as const satisfies Readonly<Record<string, Paging>>;

/** The name of an operation whose rows come in pages. */
export type PagedName = keyof typeof pagings;

/** The name of an operation that also answers CSV. */
export type CsvName =
  | 'listChannels'
  | 'listTags'
  | 'readLineage'
  | 'listCustomGroups'
  | 'viewAdvertisingByChannels'
  | 'viewSalesByPeriod'
  | 'viewVendorSalesByPeriod'
  | 'viewProfitByPeriod'
  | 'viewSalesByProduct'
  | 'viewSalesByChannel'
  | 'listReports'
  | 'listOrders'
  | 'readProductProfitAndLoss'
  | 'listUnknownCodes'
  | 'listAdGroups'
  | 'listCampaigns'
  | 'listKeywords'
  | 'listProducts'
  | 'readTargets'
  | 'listSearchQueryPerformance'
  | 'listWebhooks'
  | 'listWebhookDeliveries'
  | 'listSchedules'
  | 'listScheduleRuns';

/** The input of each operation. */
export type Inputs = {
  listChannels: ListChannelsRequest;
  listTags: ListTagsInput;
  readChannelTags: ReadChannelTagsInput;
  changeChannelTags: ChangeChannelTagsRequest;
  convertTag: ConvertTagRequest;
  readLineage: ReadLineageInput;
  saveCustomGroup: SaveCustomGroupRequest;
  listCustomGroups: ListCustomGroupsInput;
  readCustomGroup: ReadCustomGroupInput;
  changeCustomGroup: ChangeCustomGroupInput;
  deleteCustomGroup: DeleteCustomGroupInput;
  viewAdvertisingByChannels: ViewAdvertisingByChannelsRequest;
  viewSalesByPeriod: ViewSalesByPeriodRequest;
  viewVendorSalesByPeriod: ViewVendorSalesByPeriodRequest;
  viewProfitByPeriod: ViewProfitByPeriodRequest;
  viewSalesByProduct: ViewSalesByProductRequest;
  viewSalesByChannel: ViewSalesByChannelRequest;
  createCustomerLifetimeValueReport: CreateCustomerLifetimeValueReportRequest;
  createTrafficAndConversionReport: CreateTrafficAndConversionReportRequest;
  createInventoryReplenishmentReport: CreateInventoryReplenishmentReportRequest;
  createCancellationsAndRefundsReport: CreateCancellationsAndRefundsReportRequest;
  createOrderedRevenueReport: CreateOrderedRevenueReportRequest;
  createShippedRevenueReport: CreateShippedRevenueReportRequest;
  createSalesByProductReport: CreateSalesByProductReportRequest;
  createCampaignsReport: CreateCampaignsReportRequest;
  createMarketingByProductReport: CreateMarketingByProductReportRequest;
  createChannelProfitAndLossReport: CreateChannelProfitAndLossReportRequest;
  createRepeatPurchaseReport: CreateRepeatPurchaseReportRequest;
  listReports: ListReportsInput;
  readReportStatus: ReadReportStatusInput;
  listOrders: ListOrdersRequest;
  saveDirectCosts: SaveDirectCostsRequest;
  readDirectCostsJobStatus: ReadDirectCostsJobStatusInput;
  readProductProfitAndLoss: ReadProductProfitAndLossRequest;
  readStoreProfitAndLoss: ReadStoreProfitAndLossRequest;
  listUnknownCodes: ListUnknownCodesInput;
  saveCode: SaveCodeRequest;
  listAdGroups: ListAdGroupsInput;
  listCampaigns: ListCampaignsInput;
  listKeywords: ListKeywordsInput;
  listProducts: ListProductsInput;
  readTargets: ReadTargetsInput;
  listSearchQueryPerformance: ListSearchQueryPerformanceInput;
  createWebhook: CreateWebhookRequest;
  listWebhooks: ListWebhooksInput;
  changeWebhook: ChangeWebhookInput;
  deleteWebhook: DeleteWebhookInput;
  listWebhookDeliveries: ListWebhookDeliveriesInput;
  replayWebhookDelivery: ReplayWebhookDeliveryInput;
  rotateWebhookSecret: RotateWebhookSecretInput;
  testWebhook: TestWebhookInput;
  createSchedule: CreateScheduleRequest;
  listSchedules: ListSchedulesInput;
  changeSchedule: ChangeScheduleInput;
  deleteSchedule: DeleteScheduleInput;
  runSchedule: RunScheduleInput;
  listScheduleRuns: ListScheduleRunsInput;
};

/** The answer of each operation. */
export type Answers = {
  listChannels: ListChannelsAnswer;
  listTags: ListTagsAnswer;
  readChannelTags: ReadChannelTagsAnswer;
  changeChannelTags: ChangeChannelTagsAnswer;
  convertTag: ConvertTagAnswer;
  readLineage: ReadLineageAnswer;
  saveCustomGroup: SaveCustomGroupAnswer;
  listCustomGroups: ListCustomGroupsAnswer;
  readCustomGroup: ReadCustomGroupAnswer;
  changeCustomGroup: void;
  deleteCustomGroup: void;
  viewAdvertisingByChannels: ViewAdvertisingByChannelsAnswer;
  viewSalesByPeriod: ViewSalesByPeriodAnswer;
  viewVendorSalesByPeriod: ViewVendorSalesByPeriodAnswer;
  viewProfitByPeriod: ViewProfitByPeriodAnswer;
  viewSalesByProduct: ViewSalesByProductAnswer;
  viewSalesByChannel: ViewSalesByChannelAnswer;
  createCustomerLifetimeValueReport: Report;
  createTrafficAndConversionReport: Report;
  createInventoryReplenishmentReport: Report;
  createCancellationsAndRefundsReport: Report;
  createOrderedRevenueReport: Report;
  createShippedRevenueReport: Report;
  createSalesByProductReport: Report;
  createCampaignsReport: Report;
  createMarketingByProductReport: Report;
  createChannelProfitAndLossReport: Report;
  createRepeatPurchaseReport: Report;
  listReports: ListReportsAnswer;
  readReportStatus: ReadReportStatusAnswer;
  listOrders: ListOrdersAnswer;
  saveDirectCosts: SaveDirectCostsAnswer;
  readDirectCostsJobStatus: ReadDirectCostsJobStatusAnswer;
  readProductProfitAndLoss: ReadProductProfitAndLossAnswer;
  readStoreProfitAndLoss: StoreProfitAndLoss;
  listUnknownCodes: ListUnknownCodesAnswer;
  saveCode: SaveCodeAnswer;
  listAdGroups: ListAdGroupsAnswer;
  listCampaigns: ListCampaignsAnswer;
  listKeywords: ListKeywordsAnswer;
  listProducts: ListProductsAnswer;
  readTargets: ReadTargetsAnswer;
  listSearchQueryPerformance: ListSearchQueryPerformanceAnswer;
  createWebhook: CreateWebhookAnswer;
  listWebhooks: ListWebhooksAnswer;
  changeWebhook: Webhook;
  deleteWebhook: void;
  listWebhookDeliveries: ListWebhookDeliveriesAnswer;
  replayWebhookDelivery: ReplayWebhookDeliveryAnswer;
  rotateWebhookSecret: RotateWebhookSecretAnswer;
  testWebhook: TestWebhookAnswer;
  createSchedule: Schedule;
  listSchedules: ListSchedulesAnswer;
  changeSchedule: Schedule;
  deleteSchedule: void;
  runSchedule: RunScheduleAnswer;
  listScheduleRuns: ListScheduleRunsAnswer;
};

/** A row of each operation that has pages. */
export type Rows = {
  listTags: TagSet;
  listCustomGroups: ListedCustomGroup;
  viewAdvertisingByChannels: AdvertisingByChannelItem;
  viewSalesByProduct: SalesByProductRow;
  viewSalesByChannel: SalesByChannelRow;
  listReports: ListedReport;
  listOrders: Order;
  readProductProfitAndLoss: ProductProfitAndLoss;
  listAdGroups: AdGroup;
  listCampaigns: Campaign;
  listKeywords: Keyword;
  listProducts: AdvertisedProduct;
  listSearchQueryPerformance: SqpRow;
  listWebhooks: Webhook;
  listWebhookDeliveries: WebhookDelivery;
  listSchedules: Schedule;
  listScheduleRuns: ScheduleRun;
};

/** A method for each operation. */
export class Operations extends Caller {
  /**
   * List channels.
   *
   * Lists the channels that the caller may reach, by displayName and then channelId. Without a
   * filter all of them are listed. Values within one list of the filter are alternatives; a channel
   * must pass both lists. Further fields come only if `include` names them: `details` brings kind,
   * currency and timezone, `freshness` the last dates of facts.
   */
  listChannels(input: ListChannelsRequest = {}, options?: CallOptions): Promise<ListChannelsAnswer> {
    return this.call('listChannels', operations.listChannels, input, options);
  }

  /**
   * List the tags of channels.
   *
   * Lists the channels within reach that carry tags which the caller sees, by channelId, with these
   * tags: shared ones and the caller's own.
   */
  listTags(input: ListTagsInput = {}, options?: CallOptions): Promise<ListTagsAnswer> {
    return this.call('listTags', operations.listTags, input, options);
  }

  /**
   * Read the tags of a channel.
   *
   * Reads the tags of a channel that the caller sees: shared ones and the caller's own.
   */
  readChannelTags(input: ReadChannelTagsInput, options?: CallOptions): Promise<ReadChannelTagsAnswer> {
    return this.call('readChannelTags', operations.readChannelTags, input, options);
  }

  /**
   * Change the tags of a channel.
   *
   * Adds tags to a channel and removes others. A tag that begins with org:// is seen and changed by
   * the whole organisation, any other one by its user alone. Adding a tag that is there and
   * removing one that is not change nothing. Letter case matters; white space at both ends of a tag
   * does not. A user sees at most 200 tags on one channel.
   */
  changeChannelTags(input: ChangeChannelTagsRequest, options?: CallOptions): Promise<ChangeChannelTagsAnswer> {
    return this.call('changeChannelTags', operations.changeChannelTags, input, options);
  }

  /**
   * Share a tag or make it private.
   *
   * Makes a tag of the caller a shared one, or a shared one (org://) one of the caller alone, on
   * every channel within reach that carries it. Channels that carry both afterwards carry the new
   * one once. A shared tag on channels out of reach stays shared, and private tags of other users
   * stay as they are.
   */
  convertTag(input: ConvertTagRequest, options?: CallOptions): Promise<ConvertTagAnswer> {
    return this.call('convertTag', operations.convertTag, input, options);
  }

  /**
   * Trace a day's figures to their imports.
   *
   * Answers where the figures of one date and dataset come from: the imports with facts of the date
   * and their documents, the imports that these superseded, and failed and undone ones that cover
   * the date. A fact of several days belongs to its last day. Dates are those of the channel's time
   * zone; monthly facts belong to every date of their month. With `currency` the answer has the
   * exchange rates, too. Of imports without facts of the date it lists the 500 latest.
   */
  readLineage(input: ReadLineageInput, options?: CallOptions): Promise<ReadLineageAnswer> {
    return this.call('readLineage', operations.readLineage, input, options);
  }

  /**
   * Create or overwrite a custom group.
   *
   * Creates a group of products or of brands of a channel. With groupId an existing group of the
   * same channel is replaced completely; it may change from products to brands and back. Duplicates
   * count once. Letter case matters; white space at both ends of a text does not.
   */
  saveCustomGroup(input: SaveCustomGroupRequest, options?: CallOptions): Promise<SaveCustomGroupAnswer> {
    return this.call('saveCustomGroup', operations.saveCustomGroup, input, options);
  }

  /**
   * List custom groups.
   *
   * The groups of a channel by groupName, in order of its bytes, and then groupId.
   */
  listCustomGroups(input: ListCustomGroupsInput, options?: CallOptions): Promise<ListCustomGroupsAnswer> {
    return this.call('listCustomGroups', operations.listCustomGroups, input, options);
  }

  /**
   * Read a custom group.
   *
   * A group holds products or brands; the other list is empty. They come in the order in which they
   * were given.
   */
  readCustomGroup(input: ReadCustomGroupInput, options?: CallOptions): Promise<ReadCustomGroupAnswer> {
    return this.call('readCustomGroup', operations.readCustomGroup, input, options);
  }

  /**
   * Change a custom group.
   *
   * Renames a group of the channel, adds to it and removes from it. Adding what is there and
   * removing what is not change nothing. A group of products takes products only, one of brands
   * brands only; it must keep at least one and may hold at most 10000.
   */
  changeCustomGroup(input: ChangeCustomGroupInput, options?: CallOptions): Promise<void> {
    return this.call('changeCustomGroup', operations.changeCustomGroup, input, options);
  }

  /**
   * Delete a custom group.
   *
   * Its products and brands stay what they are; only the group is gone.
   */
  deleteCustomGroup(input: DeleteCustomGroupInput, options?: CallOptions): Promise<void> {
    return this.call('deleteCustomGroup', operations.deleteCustomGroup, input, options);
  }

  /**
   * View advertising by channels.
   *
   * Advertising of every channel that the caller may reach and that has advertising connected, with
   * a comparison period; channels without figures have zeros. Values within one list of the filter
   * are alternatives; a channel must pass all lists. Advertising figures belong to the
   * marketplace's dates, from the local date of fromDate through that of toDate. Total sales, which
   * tacos and troas are made with, are those of POST /reports/view/salesByPeriod over the same
   * range; of vendor channels, the marketplace's ordered revenue or the revenue of the units that
   * the vendor supplied. Every fact is converted at the rate of its own date. Numbers in text never
   * have separators; "-" stands for a ratio without a denominator, and for a comparison period
   * without any advertising figure. A store with amounts in a currency without an exchange rate has
   * "-" in place of what is made of them, and the header Vitrine-Warning names it. A page past the
   * last has no items.
   */
  viewAdvertisingByChannels(input: ViewAdvertisingByChannelsRequest, options?: CallOptions): Promise<ViewAdvertisingByChannelsAnswer> {
    return this.call('viewAdvertisingByChannels', operations.viewAdvertisingByChannels, input, options);
  }

  /**
   * View sales by period.
   *
   * Sales, traffic and advertising of a seller channel, bucket by bucket, with a comparison period.
   * Buckets are calendar buckets of the time zone, the first and the last clipped to the range,
   * empty ones included; the comparison period is divided alike and paired by position. Numbers in
   * text never have separators; "-" stands for a ratio without a denominator, and for a comparison
   * without any fact. The click-through rate is "-" where some clicks come from search terms alone,
   * which the header Vitrine-Warning names. Amounts are in the channel's currency. From the first
   * local date of the channel's order lines on, sales, units and line items come from order lines;
   * on dates before, from the marketplace's Sales and Traffic figures, which have no tax. By the
   * hour, the figures that exist by day only (traffic, advertising) are "-" and 0.
   */
  viewSalesByPeriod(input: ViewSalesByPeriodRequest, options?: CallOptions): Promise<ViewSalesByPeriodAnswer> {
    return this.call('viewSalesByPeriod', operations.viewSalesByPeriod, input, options);
  }

  /**
   * View vendor sales by period.
   *
   * Sales and advertising of a vendor channel, bucket by bucket, with a comparison period. Buckets
   * are calendar buckets of the time zone, the first and the last clipped to the range, empty ones
   * included; the comparison period is divided alike and paired by position. All figures belong to
   * the marketplace's dates: a bucket has those of every date that it touches. Numbers in text
   * never have separators; "-" stands for a ratio without a denominator, and for a comparison
   * without any fact. Amounts are in the currency of the channel; an amount in another currency is
   * converted at the rate of its date.
   */
  viewVendorSalesByPeriod(input: ViewVendorSalesByPeriodRequest, options?: CallOptions): Promise<ViewVendorSalesByPeriodAnswer> {
    return this.call('viewVendorSalesByPeriod', operations.viewVendorSalesByPeriod, input, options);
  }

  /**
   * View profit by period.
   *
   * The profit and loss of one or several seller channels, bucket by bucket, with a comparison
   * period. Buckets are calendar buckets of the time zone, the first and the last clipped to the
   * range, empty ones included; the comparison period is divided alike and paired by position. The
   * lines mean what they mean in POST /profitability/storeProfitAndLoss, and over all buckets they
   * add up to its lines. Numbers in text never have separators; "-" stands for a margin without
   * revenue, and for a comparison without any fact. An amount in another currency is converted at
   * the rate of its date. salesWithoutUnitCosts says how much of the sales has no cost of goods,
   * which makes profit look larger than it is.
   */
  viewProfitByPeriod(input: ViewProfitByPeriodRequest, options?: CallOptions): Promise<ViewProfitByPeriodAnswer> {
    return this.call('viewProfitByPeriod', operations.viewProfitByPeriod, input, options);
  }

  /**
   * View sales by product.
   *
   * Sales, units and advertising of each product of a channel, with a comparison period. A row is a
   * SKU; facts that name a product id alone belong to the SKU of the catalogue with this id, or
   * stand in a row of their own where several or none have it.
   *
   * Sales count as in POST /reports/view/salesByPeriod: from the first local date of the channel's
   * order lines on they come from order lines, on dates before from the marketplace's own figures.
   * The sales of all rows and those of `unlisted` add up to the sales of the store: `unlisted` is
   * what the marketplace reports of the whole store beyond its products. Sales of vendor channels
   * are the marketplace's ordered revenue. Advertising figures are those of advertised products.
   *
   * Without includeNoSales, rows are the products that were sold in either period. Rows are sorted
   * by figures of the current period, equal ones by productId; "" and null come last. Amounts are
   * in the channel's currency, each fact converted at the rate of its own date. A period without
   * figures of a product has zeros.
   */
  viewSalesByProduct(input: ViewSalesByProductRequest, options?: CallOptions): Promise<ViewSalesByProductAnswer> {
    return this.call('viewSalesByProduct', operations.viewSalesByProduct, input, options);
  }

  /**
   * View sales by channel.
   *
   * Sales, targets, stock and buy box of every channel that the caller may reach, in one currency,
   * with a comparison period. Sales of seller channels are those of POST
   * /reports/view/salesByPeriod over the same range, of vendor channels those of POST
   * /reports/view/vendorSalesByPeriod: sales count by their instant, views and vendor figures by
   * the marketplace's dates, from the local date of fromDate through that of toDate. Every fact is
   * converted at the rate of its own date, targets at the rates of their days. A period without
   * facts has zeros. Values within one list of the filter are alternatives; a channel must pass all
   * lists. A store with amounts in a currency without an exchange rate has null in place of what is
   * made of them, and the header Vitrine-Warning names it. Percentages have two decimals. With an
   * interval, each row also has its sales bucket by bucket. A page past the last has no rows.
   */
  viewSalesByChannel(input: ViewSalesByChannelRequest, options?: CallOptions): Promise<ViewSalesByChannelAnswer> {
    return this.call('viewSalesByChannel', operations.viewSalesByChannel, input, options);
  }

  /**
   * Create a customer lifetime value report.
   *
   * Creates a CSV report of a seller channel with one row per cohort: the customers whose first
   * order ever falls into it. The report is computed in the background. GET
   * /reports/status/{reportId} returns its status and, once it is done, a link to its file. A
   * request identical to one of the last five minutes whose report is still under way shares its
   * computation. An organisation can have 50 reports waiting.
   */
  createCustomerLifetimeValueReport(input: CreateCustomerLifetimeValueReportRequest, options?: CallOptions): Promise<Report> {
    return this.call('createCustomerLifetimeValueReport', operations.createCustomerLifetimeValueReport, input, options);
  }

  /**
   * Create a traffic and conversion report.
   *
   * Creates a CSV report of a seller channel with one row per product that had traffic or sold
   * units. The report is computed in the background. GET /reports/status/{reportId} returns its
   * status and, once it is done, a link to its file. A request identical to one of the last five
   * minutes whose report is still under way shares its computation. An organisation can have 50
   * reports waiting.
   */
  createTrafficAndConversionReport(input: CreateTrafficAndConversionReportRequest, options?: CallOptions): Promise<Report> {
    return this.call('createTrafficAndConversionReport', operations.createTrafficAndConversionReport, input, options);
  }

  /**
   * Create an inventory replenishment report.
   *
   * Creates a CSV report of a seller channel with one row per SKU that the marketplace fulfils: how
   * long its stock lasts, how much to send, and when. The report is computed in the background. GET
   * /reports/status/{reportId} returns its status and, once it is done, a link to its file. A
   * request identical to one of the last five minutes whose report is still under way shares its
   * computation. An organisation can have 50 reports waiting.
   */
  createInventoryReplenishmentReport(input: CreateInventoryReplenishmentReportRequest, options?: CallOptions): Promise<Report> {
    return this.call('createInventoryReplenishmentReport', operations.createInventoryReplenishmentReport, input, options);
  }

  /**
   * Create a report of cancellations and refunds.
   *
   * Creates a CSV report of a seller channel with one row per SKU that had orders or refunds, the
   * most ordered first; productId is the SKU. Gross figures cover all order lines by date of
   * purchase; cancelled figures cover the cancelled lines that their source reports; net sales are
   * the difference. Refunds are those posted in the period, whenever the order was placed:
   * cancelRate is a percentage of gross sales, refundRate of net sales and refundRateUnits of the
   * units that were not cancelled. Order lines and refunds that name no SKU and no product share a
   * row without productId. The report is computed in the background. GET /reports/status/{reportId}
   * returns its status and, once it is done, a link to its file. A request identical to one of the
   * last five minutes whose report is still under way shares its computation. An organisation can
   * have 50 reports waiting.
   */
  createCancellationsAndRefundsReport(input: CreateCancellationsAndRefundsReportRequest, options?: CallOptions): Promise<Report> {
    return this.call('createCancellationsAndRefundsReport', operations.createCancellationsAndRefundsReport, input, options);
  }

  /**
   * Create a report of ordered revenue.
   *
   * Creates a CSV report of a vendor channel with one row per product that was viewed or ordered,
   * the most ordered first: glance views, ordered revenue and ordered units of the manufacturing
   * view, by the marketplace's dates. unitsPerGlanceViews is a ratio, conversionRate the same as a
   * percentage. The report is computed in the background. GET /reports/status/{reportId} returns
   * its status and, once it is done, a link to its file. A request identical to one of the last
   * five minutes whose report is still under way shares its computation. An organisation can have
   * 50 reports waiting.
   */
  createOrderedRevenueReport(input: CreateOrderedRevenueReportRequest, options?: CallOptions): Promise<Report> {
    return this.call('createOrderedRevenueReport', operations.createOrderedRevenueReport, input, options);
  }

  /**
   * Create a report of shipped revenue.
   *
   * Creates a CSV report of a vendor channel with one row per product that was shipped, the most
   * shipped first: shipped revenue, units and cost of goods, by the marketplace's dates.
   * amazonMargin is the share of shipped revenue that exceeds the cost of goods,
   * netPureProductMargin the mean of the margins that the marketplace reports of the product,
   * weighted by shipped revenue. Both are percentages. The report is computed in the background.
   * GET /reports/status/{reportId} returns its status and, once it is done, a link to its file. A
   * request identical to one of the last five minutes whose report is still under way shares its
   * computation. An organisation can have 50 reports waiting.
   */
  createShippedRevenueReport(input: CreateShippedRevenueReportRequest, options?: CallOptions): Promise<Report> {
    return this.call('createShippedRevenueReport', operations.createShippedRevenueReport, input, options);
  }

  /**
   * Create a report of sales by product.
   *
   * Creates a CSV report of a channel with one row per product, the most sold first: the figures of
   * POST /reports/view/salesByProduct, and the stock. quantity is what was available at the end of
   * the period, and daysCover how long it lasts if as much is ordered a day as in the 30 days
   * before, or in the 60 or 90 days where nothing was. fulfillmentChannel is AFN for the
   * marketplace and MFN for the seller. status is outOfStock where no unit was available, else
   * active; blank for products that the catalogue does not have. Reports of vendor channels have
   * poValue and unitsOrdered, the marketplace's ordered revenue and units. The report is computed
   * in the background. GET /reports/status/{reportId} returns its status and, once it is done, a
   * link to its file. A request identical to one of the last five minutes whose report is still
   * under way shares its computation. An organisation can have 50 reports waiting.
   */
  createSalesByProductReport(input: CreateSalesByProductReportRequest, options?: CallOptions): Promise<Report> {
    return this.call('createSalesByProductReport', operations.createSalesByProductReport, input, options);
  }

  /**
   * Create a report of campaigns.
   *
   * Creates a zip archive of five CSV or Parquet files about a channel with advertising: campaigns,
   * adGroups, keywords, productAds and products. Each has the columns of its list, then seller_id,
   * marketplace_id and report_date, and one row per date and campaign, ad group, keyword, product
   * of an ad group, or product with figures. report_date is the date of the figures, settings are
   * those of today, and amounts are in the channel's currency; a ratio without a denominator is
   * blank. The report is computed in the background. GET /reports/status/{reportId} returns its
   * status and, once it is done, a link to its file. A request identical to one of the last five
   * minutes whose report is still under way shares its computation. An organisation can have 50
   * reports waiting.
   */
  createCampaignsReport(input: CreateCampaignsReportRequest, options?: CallOptions): Promise<Report> {
    return this.call('createCampaignsReport', operations.createCampaignsReport, input, options);
  }

  /**
   * Create a report of marketing by product.
   *
   * Creates a CSV report of a channel with advertising with one row per date and advertised
   * product: the columns of GET /advertising/products, then seller_id, marketplace_id and
   * report_date. report_date is the date of the figures, settings are those of today, and amounts
   * are in the channel's currency; a ratio without a denominator is blank. The report is computed
   * in the background. GET /reports/status/{reportId} returns its status and, once it is done, a
   * link to its file. A request identical to one of the last five minutes whose report is still
   * under way shares its computation. An organisation can have 50 reports waiting.
   */
  createMarketingByProductReport(input: CreateMarketingByProductReportRequest, options?: CallOptions): Promise<Report> {
    return this.call('createMarketingByProductReport', operations.createMarketingByProductReport, input, options);
  }

  /**
   * Create a report of profit and loss by channel.
   *
   * Creates a CSV report of the profit and loss of one or several seller channels, side by side and
   * in one currency. Its rows are the lines of POST /profitability/storeProfitAndLoss in their
   * order, then netProfit, margin and units. The column metric names the row. Each channel has
   * three columns, which begin with its channelId: value, shareOfIncome, which is the value as a
   * percentage of totalRevenue, and valuePerUnit, which is the value by units. The columns of Total
   * follow, which adds up the shown values, then the currency of the row. margin is netProfit as a
   * percentage of totalRevenue; units counts the units of sales posted in the period, returns not
   * deducted. A ratio without a denominator is blank. An amount in another currency is converted at
   * the rate of its date. Only users with access to all of its channels can see the report. The
   * report is computed in the background. GET /reports/status/{reportId} returns its status and,
   * once it is done, a link to its file. A request identical to one of the last five minutes whose
   * report is still under way shares its computation. An organisation can have 50 reports waiting.
   */
  createChannelProfitAndLossReport(input: CreateChannelProfitAndLossReportRequest, options?: CallOptions): Promise<Report> {
    return this.call('createChannelProfitAndLossReport', operations.createChannelProfitAndLossReport, input, options);
  }

  /**
   * Create a report of repeat purchases.
   *
   * Creates a CSV report of a seller channel with one row per product that customers bought, the
   * one with the most customers first. productSku is the platform's product id, or the SKU where
   * that is unknown. A customer is a buyer with an order of the product in the period. Repeat
   * customers ordered it at least twice in the period; new customers had never ordered it before
   * the period. A customer may be both, or neither. repeatCustomerSales are all sales of the
   * product to repeat customers in the period. Orders whose source names no buyer belong to no
   * customer and count nowhere in this report, so totalSales are the sales to known buyers.
   * Canceled orders do not count. The report is computed in the background. GET
   * /reports/status/{reportId} returns its status and, once it is done, a link to its file. A
   * request identical to one of the last five minutes whose report is still under way shares its
   * computation. An organisation can have 50 reports waiting.
   */
  createRepeatPurchaseReport(input: CreateRepeatPurchaseReportRequest, options?: CallOptions): Promise<Report> {
    return this.call('createRepeatPurchaseReport', operations.createRepeatPurchaseReport, input, options);
  }

  /**
   * List reports.
   *
   * The reports that the organisation requested in the last 30 days, of the channels within reach
   * of the caller, the newest first. GET /reports/status/{reportId} gives the link to the file of
   * one.
   */
  listReports(input: ListReportsInput = {}, options?: CallOptions): Promise<ListReportsAnswer> {
    return this.call('listReports', operations.listReports, input, options);
  }

  /**
   * Read the status of a report.
   *
   * Returns the status of a report and, once it is done, a link to its file. A report belongs to
   * the organisation: its owners and administrators can read it if they have access to its channel.
   * Reports are kept for 30 days. If channelId or merchantId is given and does not match the
   * report, the answer is 404, as for a report that does not exist.
   */
  readReportStatus(input: ReadReportStatusInput, options?: CallOptions): Promise<ReadReportStatusAnswer> {
    return this.call('readReportStatus', operations.readReportStatus, input, options);
  }

  /**
   * List orders.
   *
   * The orders of a channel of the primary marketplace in a date range, sorted by dateField and
   * then by order number, both ascending; a vendor channel has none. Without dates the range is the
   * 30 days before the request; fromDate alone reaches to the request, and toDate alone 30 days
   * back. orderId finds its order whatever its date, unless a date is given too.
   *
   * meta.key leads to the next page and is absent on the last one. It is valid for the same query
   * only; pageSize may change. Orders may arrive and change while the pages are read: no order is
   * shown twice, and no order that existed at the first page is missed. With updatedAt an order
   * keeps its place from the first page and is shown in its current state; newer orders are left to
   * the next query. With createdAt new orders are shown if their date is still ahead. With
   * updatedAt an order without a known update is sorted as if updated at the epoch.
   *
   * Every field is always present. Requires the enterprise plan.
   */
  listOrders(input: ListOrdersRequest, options?: CallOptions): Promise<ListOrdersAnswer> {
    return this.call('listOrders', operations.listOrders, input, options);
  }

  /**
   * Set unit costs.
   *
   * Sets the unit costs of SKUs from a date on. A cost applies until the next date with costs for
   * its SKU. Costs replace earlier ones of the same SKU and date; those of other SKUs and dates
   * stay. Either all rows of a request are saved, or none. The answer names a job; GET
   * /profitability/directCostsJobStatus returns its status. The jobs of a channel run in the order
   * of their requests.
   */
  saveDirectCosts(input: SaveDirectCostsRequest, options?: CallOptions): Promise<SaveDirectCostsAnswer> {
    return this.call('saveDirectCosts', operations.saveDirectCosts, input, options);
  }

  /**
   * Read how far a job of unit costs is.
   *
   * COMPLETED once every figure is made with the costs of the job; FAILED where none of them was
   * taken. A job can be asked for during 30 days.
   */
  readDirectCostsJobStatus(input: ReadDirectCostsJobStatusInput, options?: CallOptions): Promise<ReadDirectCostsJobStatusAnswer> {
    return this.call('readDirectCostsJobStatus', operations.readDirectCostsJobStatus, input, options);
  }

  /**
   * Read the profit and loss of products.
   *
   * The profit and loss of each SKU of a seller channel that has an event in the range, whatever it
   * adds up to, or reported advertising spend that counts. Financial events count at the instant
   * they were posted. Each line is rounded to the minor unit of the channel's currency, and totals
   * are sums of the rounded lines. Amounts in other currencies are converted at the rate of their
   * date. The unit cost of an event is the latest one of its SKU that applies on the date of the
   * event; before the first one it is zero. Amounts that only move money, such as a transfer to the
   * bank, do not count. Seller channels only. Dates are those of UTC. Events without a SKU count
   * for the store alone. Advertising is what was posted for the SKU; of a channel that never had an
   * ad charge of a SKU posted, what the advertising reports of products say of its SKUs. Rows are
   * sorted by sales as they are shown, the largest first, and equal ones by sellerSku; a page past
   * the last has none.
   */
  readProductProfitAndLoss(input: ReadProductProfitAndLossRequest, options?: CallOptions): Promise<ReadProductProfitAndLossAnswer> {
    return this.call('readProductProfitAndLoss', operations.readProductProfitAndLoss, input, options);
  }

  /**
   * Read a store's profit and loss.
   *
   * The profit and loss of a seller channel. Financial events count at the instant they were
   * posted. Each line is rounded to the minor unit of the channel's currency, and totals are sums
   * of the rounded lines. Amounts in other currencies are converted at the rate of their date. The
   * unit cost of an event is the latest one of its SKU that applies on the date of the event;
   * before the first one it is zero. Amounts that only move money, such as a transfer to the bank,
   * do not count. Seller channels only. Dates are those of the time zone. Advertising is what was
   * posted in the range; of a channel that never had an ad charge posted, what the advertising
   * reports of the dates from that of fromDate through that of toDate say.
   */
  readStoreProfitAndLoss(input: ReadStoreProfitAndLossRequest, options?: CallOptions): Promise<StoreProfitAndLoss> {
    return this.call('readStoreProfitAndLoss', operations.readStoreProfitAndLoss, input, options);
  }

  /**
   * List codes that the service does not know.
   *
   * Codes of financial events in the range that no list of the service knows, the largest amounts
   * first. Until an owner names one, a credit is otherIncome and a debit otherExpenses. Codes that
   * have been named are listed too.
   */
  listUnknownCodes(input: ListUnknownCodesInput, options?: CallOptions): Promise<ListUnknownCodesAnswer> {
    return this.call('listUnknownCodes', operations.listUnknownCodes, input, options);
  }

  /**
   * Say what a code is.
   *
   * Names the line of a code that the service does not know, for all channels of the organisation.
   * A financial event of one of them must have the code. What is there already is booked on the
   * line at once, and later documents follow. Without a line the code goes by its sign again. Only
   * owners and administrators may name codes, at most 1000.
   */
  saveCode(input: SaveCodeRequest, options?: CallOptions): Promise<SaveCodeAnswer> {
    return this.call('saveCode', operations.saveCode, input, options);
  }

  /**
   * List ad groups with their figures.
   *
   * All ad groups of the channels that match the filters, also those without figures in the range.
   * Figures are those of the dates from fromDate to toDate, each date being the store's own.
   * Amounts are converted at the rate of their date and then summed; ratios are formed last, from
   * sums, and are 0 without a denominator. Texts are sorted without regard to letter case, "" last;
   * rows that are equal are sorted by their identifier, rising. An ad group that is known by its
   * figures only has "" for a name and for a status.
   */
  listAdGroups(input: ListAdGroupsInput, options?: CallOptions): Promise<ListAdGroupsAnswer> {
    return this.call('listAdGroups', operations.listAdGroups, input, options);
  }

  /**
   * List campaigns with their figures.
   *
   * All campaigns of the channels that match the filters, also those without figures in the range.
   * Figures are those of the dates from fromDate to toDate, each date being the store's own.
   * Amounts are converted at the rate of their date and then summed; ratios are formed last, from
   * sums, and are 0 without a denominator. Texts are sorted without regard to letter case, "" last;
   * rows that are equal are sorted by their identifier, rising. A campaign that is known by its
   * figures only has "" for a name and for a status.
   */
  listCampaigns(input: ListCampaignsInput, options?: CallOptions): Promise<ListCampaignsAnswer> {
    return this.call('listCampaigns', operations.listCampaigns, input, options);
  }

  /**
   * List keywords with their figures.
   *
   * All keywords and targets of the channels that match the filters, also those without figures in
   * the range. Figures are those of the dates from fromDate to toDate, each date being the store's
   * own. Amounts are converted at the rate of their date and then summed; ratios are formed last,
   * from sums, and are 0 without a denominator. Texts are sorted without regard to letter case, ""
   * last; rows that are equal are sorted by their identifier, rising. A keyword that is known by
   * its figures only has "" for a text and for a status.
   */
  listKeywords(input: ListKeywordsInput, options?: CallOptions): Promise<ListKeywordsAnswer> {
    return this.call('listKeywords', operations.listKeywords, input, options);
  }

  /**
   * List advertised products with their figures.
   *
   * The products of the channels that have figures in the range. Figures are those of the dates
   * from fromDate to toDate, each date being the store's own. Amounts are converted at the rate of
   * their date and then summed; ratios are formed last, from sums, and are 0 without a denominator.
   * Texts are sorted without regard to letter case, "" last; rows that are equal are sorted by
   * their identifier, rising.
   */
  listProducts(input: ListProductsInput, options?: CallOptions): Promise<ListProductsAnswer> {
    return this.call('listProducts', operations.listProducts, input, options);
  }

  /**
   * Read targets.
   *
   * Sales budget, sales forecast and advertising spend budget of a channel, bucket by bucket. A
   * target of a month is spread evenly over its days in the smallest unit of the channel's
   * currency, so that they add up to it exactly; what is left over goes to its first days. A target
   * of a date takes the place of its share. A bucket has the targets of every date that it touches,
   * null where none of them has one; the totals are the sums of the buckets. Buckets are calendar
   * buckets of the time zone, the first and the last clipped to the range.
   */
  readTargets(input: ReadTargetsInput, options?: CallOptions): Promise<ReadTargetsAnswer> {
    return this.call('readTargets', operations.readTargets, input, options);
  }

  /**
   * List Search Query Performance by products.
   *
   * The results of searches on the primary marketplace by product, summed over queries and months,
   * with a comparison period. Figures are monthly: both periods are widened to whole months of the
   * time zone, and meta.dateRange returns the dates used.
   *
   * Rows are products with figures in either period: those of asins, or else those with the most
   * impressions in the current period, up to the number of the organisation's entitlement. Rows are
   * sorted by figures of the current period, and equal ones by asin, ascending. A period without
   * figures of a product has zeros. Amounts are converted at the mean of the daily reference rates
   * of their month, summed, and rounded once.
   *
   * The channel's marketplace must be primarymkt, and the organisation must have access to Search
   * Query Performance.
   */
  listSearchQueryPerformance(input: ListSearchQueryPerformanceInput, options?: CallOptions): Promise<ListSearchQueryPerformanceAnswer> {
    return this.call('listSearchQueryPerformance', operations.listSearchQueryPerformance, input, options);
  }

  /**
   * Create a webhook.
   *
   * Has events sent to an address, signed by the [Standard
   * Webhooks](https://www.standardwebhooks.com) with the secret of this answer. A webhook hears
   * only of channels that its user reaches. Owners and administrators manage the webhooks of their
   * organisation; those whose channels are restricted, only their own.
   */
  createWebhook(input: CreateWebhookRequest, options?: CallOptions): Promise<CreateWebhookAnswer> {
    return this.call('createWebhook', operations.createWebhook, input, options);
  }

  /**
   * List webhooks.
   *
   * Newest first, without their secrets. Owners and administrators manage the webhooks of their
   * organisation; those whose channels are restricted, only their own.
   */
  listWebhooks(input: ListWebhooksInput = {}, options?: CallOptions): Promise<ListWebhooksAnswer> {
    return this.call('listWebhooks', operations.listWebhooks, input, options);
  }

  /**
   * Change a webhook.
   *
   * Absent fields stay unchanged. Deliveries that wait go to the new address. While a webhook is
   * paused it hears of nothing, and deliveries that waited are dropped; they can be replayed.
   */
  changeWebhook(input: ChangeWebhookInput, options?: CallOptions): Promise<Webhook> {
    return this.call('changeWebhook', operations.changeWebhook, input, options);
  }

  /**
   * Delete a webhook.
   *
   * Its deliveries are deleted with it; none is sent any more.
   */
  deleteWebhook(input: DeleteWebhookInput, options?: CallOptions): Promise<void> {
    return this.call('deleteWebhook', operations.deleteWebhook, input, options);
  }

  /**
   * List the deliveries of a webhook.
   *
   * The deliveries of the last 30 days about channels within reach, newest first. A delivery is
   * tried for a day, ever less often, until an answer has a status of 200 to 299.
   */
  listWebhookDeliveries(input: ListWebhookDeliveriesInput, options?: CallOptions): Promise<ListWebhookDeliveriesAnswer> {
    return this.call('listWebhookDeliveries', operations.listWebhookDeliveries, input, options);
  }

  /**
   * Replay a delivery.
   *
   * Sends the event again, with the same webhook-id and body and a new signature. Status 409 while
   * the delivery still waits or the webhook is not enabled.
   */
  replayWebhookDelivery(input: ReplayWebhookDeliveryInput, options?: CallOptions): Promise<ReplayWebhookDeliveryAnswer> {
    return this.call('replayWebhookDelivery', operations.replayWebhookDelivery, input, options);
  }

  /**
   * Rotate the secret of a webhook.
   *
   * Makes a new secret. For graceSeconds deliveries carry two signatures, by the new secret and by
   * the one before, so that receivers can change at their own time.
   */
  rotateWebhookSecret(input: RotateWebhookSecretInput, options?: CallOptions): Promise<RotateWebhookSecretAnswer> {
    return this.call('rotateWebhookSecret', operations.rotateWebhookSecret, input, options);
  }

  /**
   * Send a test to a webhook.
   *
   * Sends the event webhook.ping, about the first channel within reach. The list of deliveries
   * shows what came of it. Status 409 while the webhook is not enabled or reaches no channel.
   */
  testWebhook(input: TestWebhookInput, options?: CallOptions): Promise<TestWebhookAnswer> {
    return this.call('testWebhook', operations.testWebhook, input, options);
  }

  /**
   * Create a schedule.
   *
   * Runs an operation at the times of a cron expression and keeps the answer as a file for 30 days.
   * Webhooks hear of each run by the events schedule.finished and schedule.failed. A schedule reads
   * as its user and by the key that created it: it ends with either. A service that was down at a
   * time runs it once, for the last time that it missed. Owners and administrators manage the
   * schedules of their organisation; those whose channels are restricted, only their own.
   */
  createSchedule(input: CreateScheduleRequest, options?: CallOptions): Promise<Schedule> {
    return this.call('createSchedule', operations.createSchedule, input, options);
  }

  /**
   * List schedules.
   *
   * Newest first, each with the next 5 times. Owners and administrators manage the schedules of
   * their organisation; those whose channels are restricted, only their own.
   */
  listSchedules(input: ListSchedulesInput = {}, options?: CallOptions): Promise<ListSchedulesAnswer> {
    return this.call('listSchedules', operations.listSchedules, input, options);
  }

  /**
   * Change a schedule.
   *
   * Absent fields stay unchanged. A schedule that is enabled again runs from the next time on;
   * times that have passed are not made up for.
   */
  changeSchedule(input: ChangeScheduleInput, options?: CallOptions): Promise<Schedule> {
    return this.call('changeSchedule', operations.changeSchedule, input, options);
  }

  /**
   * Delete a schedule.
   *
   * Its runs and their files are deleted with it; reports that it created stay.
   */
  deleteSchedule(input: DeleteScheduleInput, options?: CallOptions): Promise<void> {
    return this.call('deleteSchedule', operations.deleteSchedule, input, options);
  }

  /**
   * Run a schedule now.
   *
   * A run beside those of its times, with the period of now. 409 while it is disabled, and 429
   * after 30 runs of the organisation within an hour.
   */
  runSchedule(input: RunScheduleInput, options?: CallOptions): Promise<RunScheduleAnswer> {
    return this.call('runSchedule', operations.runSchedule, input, options);
  }

  /**
   * List the runs of a schedule.
   *
   * The runs of the last 30 days, newest first, with links to their files.
   */
  listScheduleRuns(input: ListScheduleRunsInput, options?: CallOptions): Promise<ListScheduleRunsAnswer> {
    return this.call('listScheduleRuns', operations.listScheduleRuns, input, options);
  }
}
