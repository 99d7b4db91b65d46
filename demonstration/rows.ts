/** The rows of the datasets that the demonstration imports. */
import type { FinanceLine } from '../src/contract/importable.ts';
import type { AdType } from './campaigns.ts';

/** A row of the dataset orderLines. */
export type OrderLineRow = {
  orderId: string;
  lineId: string;
  purchasedAt: number;
  updatedAt: number;
  status: 'Pending' | 'Unshipped' | 'PartiallyShipped' | 'Shipped' | 'Canceled';
  sku: string;
  productId: string;
  quantity: number;
  itemPrice: number;
  itemTax: number;
  promotionDiscount: number;
  shippingPrice: number;
  currency: string;
  buyerEmail: string;
};

/** A row of the dataset traffic; without SKU and product id it covers the whole store. */
export type TrafficRow = {
  date: string;
  sku?: string;
  productId?: string;
  parentProductId?: string;
  pageViews: number;
  sessions: number;
  mobileSessions: number;
  buyBoxPercentage: number;
  orderedRevenue: number;
  orderedUnits: number;
  orderItems: number;
  currency: string;
};

/** The metrics that campaigns, ad groups and advertised products share. */
export type AdMetrics = {
  impressions: number;
  clicks: number;
  cost: number;
  sales: number;
  salesSameSku: number;
  conversions: number;
  conversionsSameSku: number;
  units: number;
  unitsSameSku: number;
  ordersNtb: number;
  unitsNtb: number;
  salesNtb: number;
  detailPageViews: number;
  currency: string;
};
/** A row of the dataset campaignDays. */
export type CampaignDayRow = { date: string; campaignId: string; adType: AdType } & AdMetrics;
/** A row of the dataset adGroupDays. */
export type AdGroupDayRow = {
  date: string;
  adGroupId: string;
  campaignId: string;
  adType: AdType;
} & AdMetrics;
/** A row of the dataset keywordDays. */
export type KeywordDayRow = {
  date: string;
  keywordId: string;
  adGroupId: string;
  campaignId: string;
  adType: AdType;
} & AdMetrics;
/** A row of the dataset adProductDays. */
export type AdProductDayRow = {
  date: string;
  productId: string;
  sku: string;
  adGroupId: string;
  campaignId: string;
  adType: AdType;
} & AdMetrics;

/** A row of the dataset vendorSales. */
export type VendorSaleRow = {
  date: string;
  asin: string;
  view: 'MANUFACTURING' | 'SOURCING';
  glanceViews: number;
  orderedRevenue: number;
  orderedUnits: number;
  shippedRevenue: number;
  shippedUnits: number;
  shippedCogs: number;
  currency: string;
};

/** A row of the dataset vendorMargins. */
export type VendorMarginRow = { date: string; asin: string; netPureProductMargin: number };

/** A row of the dataset products. */
export type ProductRow = {
  sku: string;
  productId: string;
  parentProductId: string;
  title: string;
  brand: string;
  imageUrl: string;
  linkUrl: string;
  price: number;
  unitsPerCase: number;
  fulfilledByMarketplace: boolean;
};

/** A row of the dataset financeEvents. */
export type FinanceEventRow = {
  eventId: string;
  postedAt: number;
  sku?: string;
  orderId?: string;
  line: FinanceLine;
  code: string;
  amount: number;
  tax?: number;
  quantity?: number;
  fulfillment?: 'AFN' | 'MFN';
  currency: string;
};

/** A row of the dataset unitCosts. */
export type UnitCostRow = {
  sku: string;
  effectiveFrom: string;
  cogs: number;
  cogsCurrency: string;
  shippingCost: number;
};

/** The rows of one day of a channel. */
export type DayRows = {
  readonly orderLines: readonly OrderLineRow[];
  readonly traffic: readonly TrafficRow[];
  readonly campaignDays: readonly CampaignDayRow[];
  readonly adGroupDays: readonly AdGroupDayRow[];
  readonly keywordDays: readonly KeywordDayRow[];
  readonly adProductDays: readonly AdProductDayRow[];
  readonly vendorSales: readonly VendorSaleRow[];
  readonly vendorMargins: readonly VendorMarginRow[];
  readonly financeEvents: readonly FinanceEventRow[];
};
