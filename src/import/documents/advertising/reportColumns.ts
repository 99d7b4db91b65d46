/** The columns of reports of the advertising API, by the fields that they hold. */
import type { JsonObject } from '../../cells/json.ts';
import { DocumentRefused } from '../../refused.ts';
import type { ImportSession } from '../../session.ts';

/** The columns of each field; the first one with a value counts. */
export type Columns = Readonly<Record<string, readonly string[]>>;

/** Columns of every type. */
export const sharedColumns: Columns = {
  // Campaigns that pay for views may have only viewable impressions.
  impressions: ['impressions', 'impressionsViews'],
  clicks: ['clicks'],
  cost: ['cost', 'spend'],
};

/** Columns with the store that a row belongs to. */
export const storeColumns = {
  country: ['countryCode', 'country', 'marketplaceId', 'marketplace', 'advertiserCountry'],
  retailer: ['retailer', 'retailerName'],
  currency: ['campaignBudgetCurrencyCode', 'currencyCode', 'currency'],
};

/** Columns of Sponsored Products, one per attribution window. */
export function windowColumns(days: number): Columns {
  return {
    sales: [`sales${days}d`, `attributedSales${days}d`],
    salesSameSku: [`attributedSalesSameSku${days}d`, `attributedSales${days}dSameSKU`],
    conversions: [`purchases${days}d`, `attributedConversions${days}d`],
    conversionsSameSku: [`purchasesSameSku${days}d`, `attributedConversions${days}dSameSKU`],
    units: [`unitsSoldClicks${days}d`, `attributedUnitsOrdered${days}d`],
    unitsSameSku: [`unitsSoldSameSku${days}d`, `attributedUnitsOrdered${days}dSameSKU`],
  };
}

const attributionWindows = [1, 7, 14, 30];

/**
 * Columns of the other two types. Columns for clicks and views come before columns for clicks
 * alone.
 */
export const brandColumns: Columns = {
  sales: ['sales', 'salesClicks', 'attributedSales14d'],
  salesSameSku: ['salesPromoted', 'salesPromotedClicks', 'attributedSales14dSameSKU'],
  conversions: ['purchases', 'purchasesClicks', 'attributedConversions14d'],
  conversionsSameSku: [
    'purchasesPromoted',
    'purchasesPromotedClicks',
    'attributedConversions14dSameSKU',
  ],
  units: ['unitsSold', 'unitsSoldClicks', 'unitsSold14d', 'attributedUnitsOrdered14d'],
  unitsSameSku: ['attributedUnitsOrdered14dSameSKU'],
  ordersNtb: ['newToBrandPurchases', 'newToBrandPurchasesClicks', 'attributedOrdersNewToBrand14d'],
  unitsNtb: [
    'newToBrandUnitsSold',
    'newToBrandUnitsSoldClicks',
    'attributedUnitsOrderedNewToBrand14d',
  ],
  salesNtb: ['newToBrandSales', 'newToBrandSalesClicks', 'attributedSalesNewToBrand14d'],
  detailPageViews: ['detailPageViewsClicks', 'attributedDetailPageViewsClicks14d'],
};

/**
 * The attribution window of the import, or else of the document; of several windows, the one of 14
 * days. Refuses a document without it.
 */
export function windowOf(row: JsonObject, { attributionDays, missing }: ImportSession): number {
  const wanted = attributionDays ?? 14;
  const missed = missingIn(row, wanted);
  if (missed === undefined) return wanted;
  const { has, without, found } = missed;
  const reason = `it has ${has}, but not ${without}`;
  if (found !== 7 && found !== 14)
    throw new DocumentRefused(
      `the document cannot be read: ${reason}; request the columns of 7 or 14 days`,
    );
  if (attributionDays !== undefined) missing.needAttribution(found, reason);
  return found;
}

/** A figure that a row has only for another window; undefined if there is none. */
function missingIn(
  row: JsonObject,
  wanted: number,
): { readonly has: string; readonly without: string; readonly found: number } | undefined {
  const others = attributionWindows.filter((window) => window !== wanted);
  for (const [field, names] of Object.entries(windowColumns(wanted))) {
    if (names.some((name) => name in row)) continue;
    for (const found of others) {
      const has = windowColumns(found)[field]!.find((name) => name in row);
      if (has !== undefined) return { has, without: names[0]!, found };
    }
  }
  return undefined;
}
