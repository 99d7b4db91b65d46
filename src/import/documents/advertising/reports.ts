/**
 * Reports of the advertising API by campaign, ad group and advertised product: version 3 (a JSON array of flat rows) and version 2 (the
 * same under older names, a day a document). They carry no header: columns tell the type of advertising, as far as they do.
 */

import { date, dayOfDate } from '../../cells/fields.ts';
import { RowSums } from '../../cells/sums.ts';
import type { AttributionDays } from '../../messages.ts';
import { DocumentRefused } from '../../refused.ts';
import type { Desk, DocumentKind, DocumentReader } from '../kind.ts';
import {
  type AdFigures,
  type AdType,
  adSums,
  adTables,
  adTypeNames,
  adTypes,
  asObject,
  firstOf,
  ToldByTheWay,
} from './ads.ts';

type Columns = Readonly<Record<string, readonly string[]>>;

const sharedColumns: Columns = {
  // Of campaigns that pay for views, viewable impressions stand in where all of them are not told.
  impressions: ['impressions', 'impressionsViews'],
  clicks: ['clicks'],
  cost: ['cost', 'spend'],
  currency: ['campaignBudgetCurrencyCode', 'currency'],
};

/** Columns of Sponsored Products, which tell several windows. */
function windowColumns(days: number): Columns {
  return {
    sales: [`sales${days}d`, `attributedSales${days}d`],
    salesSameSku: [`attributedSalesSameSku${days}d`, `attributedSales${days}dSameSKU`],
    conversions: [`purchases${days}d`, `attributedConversions${days}d`],
    conversionsSameSku: [`purchasesSameSku${days}d`, `attributedConversions${days}dSameSKU`],
    units: [`unitsSoldClicks${days}d`, `attributedUnitsOrdered${days}d`],
    unitsSameSku: [`unitsSoldSameSku${days}d`, `attributedUnitsOrdered${days}dSameSKU`],
  };
}

const windowsTold = [1, 7, 14, 30];

/** Columns of the two others: what follows clicks and views comes before what follows clicks alone. */
const brandColumns: Columns = {
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

/** Columns that only some types have. */
const telling: readonly { readonly column: RegExp; readonly types: readonly AdType[] }[] = [
  {
    column:
      /^(?:(?:sales|purchases|purchasesSameSku|unitsSoldClicks|unitsSoldSameSku|attributedSalesSameSku|acosClicks|roasClicks)(?:1|7|14|30)d|spend|campaignBiddingStrategy|campaignRuleBased\w*|campaignApplicable\w*|advertisedAsin|advertisedSku)$/,
    types: ['SP'],
  },
  {
    column: /^(?:campaignBudgetType|adStatus|topOfSearchImpressionShare|placementClassification)$/,
    types: ['SP', 'SB'],
  },
  {
    column:
      /^(?:(?:sales|purchases|unitsSold)(?:Clicks)?|newToBrand\w*|\w*NewToBrand\w*|detailPageViews\w*|attributedDetailPageView\w*|costType|addToCart\w*|brandedSearch\w*)$/,
    types: ['SB', 'SD'],
  },
  {
    column:
      /^(?:salesPromoted|purchasesPromoted|newToBrand(?:Sales|Purchases|UnitsSold)Percentage|newToBrandPurchasesRate|newToBrandDetailPageViewsClicks|\w+NewToBrandPercentage14d|video5Second\w*|viewableImpressions|unitsSold14d)$/,
    types: ['SB'],
  },
  {
    column:
      /^(?:salesPromotedClicks|purchasesPromotedClicks|impressionsViews|impressionsFrequencyAverage|addToCartViews|brandedSearchesViews|brandedSearchRate|linkOuts|bidOptimization|newToBrandDetailPageView(?:Clicks|Views)|promotedAsin|promotedSku|view[AI]\w+)$/,
    types: ['SD'],
  },
];
/** Columns of reports by something else, whose rows are parts of a campaign's and often not all of them, and of Sponsored TV. */
const foreign =
  /^(?:keyword\w*|matchType|targeting\w*|targetId|searchTerm|query|purchasedAsin|creativeId|matchedTargetAsin|household\w*|frequencyAverage|reach)$/;

const figureNames = ['impressions', 'clicks', 'cost', 'spend'];
const productColumns = {
  productId: ['advertisedAsin', 'promotedAsin', 'asin'],
  sku: ['advertisedSku', 'promotedSku', 'sku'],
};

/** What a row of figures is about, undefined where it is no such row. */
function levelOf(row: Readonly<Record<string, unknown>>): AdFigures | undefined {
  if (!figureNames.some((name) => name in row)) return undefined;
  if (Object.keys(row).some((name) => foreign.test(name))) return undefined;
  if ([...productColumns.productId, ...productColumns.sku].some((name) => name in row))
    return 'adProductDays';
  if ('adId' in row) return undefined;
  if ('adGroupId' in row) return 'adGroupDays';
  return 'campaignId' in row ? 'campaignDays' : undefined;
}

/** The types of advertising that a row with these columns can be of. */
function typesOf(row: Readonly<Record<string, unknown>>): readonly AdType[] {
  const names = Object.keys(row);
  return adTypes.filter((type) =>
    telling.every(
      ({ column, types }) => types.includes(type) || !names.some((name) => column.test(name)),
    ),
  );
}

function report(level: AdFigures, type: AdType, name: string, about: string): DocumentKind {
  return {
    name,
    about,
    tables: [level],
    ofChannel: true,
    recognises(value) {
      const row = asObject(value);
      return row !== undefined && levelOf(row) === level && typesOf(row).includes(type);
    },
    read: (desk) => readerOf(level, type, desk),
  };
}

function readerOf(level: AdFigures, type: AdType, desk: Desk): DocumentReader {
  desk.partOf(adTables[level], type);
  const columns = {
    ...sharedColumns,
    ...(type === 'SP' ? windowColumns(desk.attributionDays) : brandColumns),
  };
  const sums = new RowSums(desk.rows(level), adSums[level]);
  const told = new ToldByTheWay(desk);
  /** The columns of the row before: as good as all rows of a document have the same. */
  let checkedNames: string | undefined;
  return {
    value(value, line) {
      const row = asObject(value);
      if (!row) {
        desk.reject(line, 'is no row of a report');
        return;
      }
      const names = Object.keys(row).join();
      if (names !== checkedNames) {
        checkedNames = names;
        checkColumns(row, type, desk.attributionDays);
      }
      const dates = datesOf(row, desk, line);
      if (!dates) return;
      const { bookedOn, first } = dates;
      const fields: Record<string, unknown> = {
        date: bookedOn,
        adType: type,
        ...idsOf(level, row),
      };
      for (const [field, names] of Object.entries(columns)) fields[field] = firstOf(row, names);
      if (!sums.add(fields, line, first)) return;
      told.tell('campaigns', bookedOn, campaignOf(row, type), line);
      told.tell('adGroups', bookedOn, adGroupOf(row, type), line);
    },
    async end() {
      await sums.stage(desk.relieve);
      told.stage();
    },
  };
}

function idsOf(level: AdFigures, row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (level === 'campaignDays') return { campaignId: row.campaignId };
  if (level === 'adGroupDays') return { adGroupId: row.adGroupId, campaignId: row.campaignId };
  return {
    productId: firstOf(row, productColumns.productId),
    sku: firstOf(row, productColumns.sku),
  };
}

function campaignOf(
  row: Readonly<Record<string, unknown>>,
  adType: AdType,
): Record<string, unknown> {
  return {
    campaignId: row.campaignId,
    name: row.campaignName,
    adType,
    status: row.campaignStatus,
    budget: row.campaignBudgetAmount ?? row.campaignBudget,
    budgetType: row.campaignBudgetType,
    biddingStrategy: row.campaignBiddingStrategy,
    costType: row.costType,
  };
}

function adGroupOf(
  row: Readonly<Record<string, unknown>>,
  adType: AdType,
): Record<string, unknown> {
  const { adGroupId, campaignId, adGroupName: name, adStatus: status, costType } = row;
  return { adGroupId, campaignId, name, adType, status, costType };
}

/** Refuses a document of another kind than was named, whose figures would be passed over unseen. */
function checkColumns(
  row: Readonly<Record<string, unknown>>,
  type: AdType,
  days: AttributionDays,
): void {
  if (!figureNames.some((name) => name in row)) {
    throw new DocumentRefused(
      `the document is no report: it has none of the columns ${figureNames.join(', ')}`,
    );
  }
  const types = typesOf(row);
  if (!types.includes(type)) {
    const others =
      types.length === 0 ? 'several types' : types.map((one) => adTypeNames[one]).join(' or ');
    throw new DocumentRefused(
      `the document has columns of ${others}, but was said to be of ${adTypeNames[type]}`,
    );
  }
  if (type === 'SP') requireWindow(row, days);
}

/** Refuses a document whose sales were attributed in other windows than the one that is asked for. */
function requireWindow(row: Readonly<Record<string, unknown>>, days: AttributionDays): void {
  const asked = windowColumns(days);
  const other = windowsTold.filter((window) => window !== days);
  for (const [field, names] of Object.entries(asked)) {
    if (names.some((name) => name in row)) continue;
    const found = other.find((window) => windowColumns(window)[field]!.some((name) => name in row));
    if (found === undefined) continue;
    const present = windowColumns(found)[field]!.find((name) => name in row);
    throw new DocumentRefused(
      `the document has ${present}, but not ${names[0]}: ask the marketplace for the columns of ${days} days${found === 7 || found === 14 ? `, or import it with attribution=${found}` : ''}`,
    );
  }
}

/** The date to book a row on and the first day that it speaks for; undefined where it has been refused. */
function datesOf(
  row: Readonly<Record<string, unknown>>,
  desk: Desk,
  line: number,
): { bookedOn: string; first: number } | undefined {
  let first: number | undefined;
  let last: number | undefined;
  const [startColumn, endColumn] = 'date' in row ? ['date', 'date'] : ['startDate', 'endDate'];
  if (startColumn in row || endColumn in row) {
    first = dayIn(row[startColumn]);
    last = dayIn(row[endColumn]);
    if (first === undefined || last === undefined || last < first) {
      desk.reject(
        line,
        `${startColumn === 'date' ? 'date must be a date' : 'startDate and endDate must be dates in order'} (YYYY-MM-DD)`,
      );
      return undefined;
    }
  } else {
    first = desk.cover?.first;
    last = desk.cover?.last;
    if (first === undefined || last === undefined) {
      desk.reject(
        line,
        'has no date: ask the marketplace for a report by day (timeUnit DAILY), or name its one day by from and to',
      );
      return undefined;
    }
  }
  const bookedOn = desk.bookOn(line, first, last);
  return bookedOn === undefined ? undefined : { bookedOn, first };
}

/** The day of a date, with or without its hyphens. */
function dayIn(value: unknown): number | undefined {
  const read = date.read(isoDateOf(value));
  return typeof read === 'string' ? dayOfDate(read) : undefined;
}

/** A date as version 2 writes it (20250131), with its hyphens; anything else as it is. */
export function isoDateOf(value: unknown): unknown {
  const parts = /^(\d{4})(\d{2})(\d{2})$/.exec(String(value));
  return parts ? `${parts[1]}-${parts[2]}-${parts[3]}` : value;
}

const about = (type: AdType, by: string, id: string) =>
  `${adTypeNames[type]} report by ${by} (advertising API, ${id}; JSON)`;

/** The reports that are taken. */
export const adReports: readonly DocumentKind[] = [
  report('campaignDays', 'SP', 'adsSpCampaigns', about('SP', 'campaign', 'spCampaigns')),
  report('adGroupDays', 'SP', 'adsSpAdGroups', about('SP', 'ad group', 'spCampaigns by adGroup')),
  report(
    'adProductDays',
    'SP',
    'adsSpAdvertisedProducts',
    about('SP', 'advertised product', 'spAdvertisedProduct'),
  ),
  report('campaignDays', 'SB', 'adsSbCampaigns', about('SB', 'campaign', 'sbCampaigns')),
  report('adGroupDays', 'SB', 'adsSbAdGroups', about('SB', 'ad group', 'sbAdGroup')),
  report('campaignDays', 'SD', 'adsSdCampaigns', about('SD', 'campaign', 'sdCampaigns')),
  report('adGroupDays', 'SD', 'adsSdAdGroups', about('SD', 'ad group', 'sdAdGroup')),
  report(
    'adProductDays',
    'SD',
    'adsSdAdvertisedProducts',
    about('SD', 'advertised product', 'sdAdvertisedProduct'),
  ),
];
