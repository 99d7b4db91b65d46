/** The rows of the datasets that the simulation yields for each day. */
import type { FinanceLine } from '../src/contract/importable.ts';

type Texts<Names extends string> = Record<Names, string>;
type Numbers<Names extends string> = Record<Names, number>;

/** A row of the dataset orderLines. */
export type OrderLineRow = Texts<
  'orderId' | 'lineId' | 'sku' | 'productId' | 'currency' | 'buyerEmail'
> &
  Numbers<'purchasedAt' | 'updatedAt' | 'quantity'> &
  Numbers<'itemPrice' | 'itemTax' | 'promotionDiscount' | 'shippingPrice'> & {
    status: 'Pending' | 'Unshipped' | 'PartiallyShipped' | 'Shipped' | 'Canceled';
  };

/** A row of the dataset traffic; without SKU and product id it covers the whole store. */
export type TrafficRow = Texts<'date' | 'currency'> &
  Partial<Texts<'sku' | 'productId' | 'parentProductId'>> &
  Numbers<'pageViews' | 'sessions' | 'mobileSessions' | 'buyBoxPercentage'> &
  Numbers<'orderedRevenue' | 'orderedUnits' | 'orderItems'>;

/** Sponsored Products, Sponsored Brands, Sponsored Display. */
export type AdType = 'SP' | 'SB' | 'SD';
/** The figures of ads that are sums. */
export const adFigures = [
  ...(['impressions', 'clicks', 'cost', 'sales', 'salesSameSku'] as const),
  ...(['conversions', 'conversionsSameSku', 'units', 'unitsSameSku'] as const),
  ...(['ordersNtb', 'unitsNtb', 'salesNtb', 'detailPageViews'] as const),
] as const;
/** The figures of ads, of a day. */
export type AdMetrics = Numbers<(typeof adFigures)[number]> & { currency: string };
type AdRow<Ids extends string> = Texts<'date' | 'campaignId' | Ids> &
  AdMetrics & { adType: AdType };
/** A row of the dataset campaignDays. */
export type CampaignDayRow = AdRow<never>;

/** A row of the dataset vendorSales. */
export type VendorSaleRow = Texts<'date' | 'asin' | 'currency'> &
  Numbers<'glanceViews' | 'orderedRevenue' | 'orderedUnits'> &
  Numbers<'shippedRevenue' | 'shippedUnits' | 'shippedCogs'> & {
    view: 'MANUFACTURING' | 'SOURCING';
  };
/** A row of the dataset vendorMargins. */
export type VendorMarginRow = Texts<'date' | 'asin'> & { netPureProductMargin: number };

/** A row of the dataset financeEvents. */
export type FinanceEventRow = Texts<'eventId' | 'code' | 'currency'> &
  Numbers<'postedAt' | 'amount'> &
  Partial<Texts<'sku' | 'orderId'> & Numbers<'tax' | 'quantity'>> & {
    line: FinanceLine;
    fulfillment?: 'AFN' | 'MFN';
  };

/** The rows of one day of a channel, by dataset. */
export type DayRows = {
  readonly orderLines: readonly OrderLineRow[];
  readonly traffic: readonly TrafficRow[];
  readonly campaignDays: readonly CampaignDayRow[];
  readonly adGroupDays: readonly AdRow<'adGroupId'>[];
  readonly keywordDays: readonly AdRow<'adGroupId' | 'keywordId'>[];
  readonly adProductDays: readonly AdRow<'adGroupId' | 'productId' | 'sku'>[];
  readonly vendorSales: readonly VendorSaleRow[];
  readonly vendorMargins: readonly VendorMarginRow[];
  readonly financeEvents: readonly FinanceEventRow[];
};
