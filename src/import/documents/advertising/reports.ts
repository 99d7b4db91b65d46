/**
 * Reports of the advertising API by campaign, ad group, keyword and advertised product: version 3
 * (a JSON array of flat rows) and version 2 (the same with older names, one document per day). Only
 * their columns show the type of advertising.
 */
import { dayIn, withHyphens } from '../../cells/dates.ts';
import { asObject, firstOf, type JsonObject } from '../../cells/json.ts';
import { RowSums } from '../../cells/sums.ts';
import { DocumentRefused } from '../../refused.ts';
import type { ImportSession } from '../../session.ts';
import type { DocumentKind, DocumentReader } from '../kind.ts';
import { type AdFigures, adSums, adTables, InferredEntities } from './ads.ts';
import { type AdType, adTypeNames } from './adTypes.ts';
import { typesOf } from './columnsOfTypes.ts';
import { isTermLevel, supersedeTerms } from './precedence.ts';

type Columns = Readonly<Record<string, readonly string[]>>;

const sharedColumns: Columns = {
  // Campaigns that pay for views may have only viewable impressions.
  impressions: ['impressions', 'impressionsViews'],
  clicks: ['clicks'],
  cost: ['cost', 'spend'],
  currency: ['campaignBudgetCurrencyCode', 'currency'],
};

/** Columns of Sponsored Products, one per attribution window. */
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

const attributionWindows = [1, 7, 14, 30];

/**
 * Columns of the other two types. Those for clicks and views come before those for clicks alone.
 */
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

/**
 * Columns of Sponsored TV, and of reports by other things, whose rows often do not add up to their
 * campaign.
 */
const foreign =
  /^(?:searchTerm|query|purchasedAsin|creativeId|matchedTargetAsin|household\w*|frequencyAverage|reach)$/;
/** Columns of reports by keyword and target. */
const keywordColumn = /^(?:keyword\w*|matchType|targeting\w*|targetId)$/;

const figureNames = ['impressions', 'clicks', 'cost', 'spend'];
/** The first with a value counts: a keyword has no id as a target, and the other way round. */
const keywordColumns = {
  keywordId: ['keywordId', 'targetingId', 'targetId'],
  keywordText: ['keyword', 'keywordText', 'targeting', 'targetingText', 'targetingExpression'],
  matchType: ['matchType', 'keywordType', 'targetingType'],
  status: ['adKeywordStatus', 'keywordStatus'],
  bid: ['keywordBid'],
};
const productColumns = {
  productId: ['advertisedAsin', 'promotedAsin', 'asin'],
  sku: ['advertisedSku', 'promotedSku', 'sku'],
};

/** The dataset of a row of figures; undefined for other rows. */
function levelOf(row: JsonObject): AdFigures | undefined {
  if (!figureNames.some((name) => name in row)) return undefined;
  const names = Object.keys(row);
  if (names.some((name) => foreign.test(name))) return undefined;
  if (names.some((name) => keywordColumn.test(name)))
    return keywordColumns.keywordId.some((name) => name in row) ? 'keywordDays' : undefined;
  if ([...productColumns.productId, ...productColumns.sku].some((name) => name in row))
    return 'adProductDays';
  if ('adId' in row) return undefined;
  if ('adGroupId' in row) return 'adGroupDays';
  return 'campaignId' in row ? 'campaignDays' : undefined;
}

function report(
  level: AdFigures,
  type: AdType,
  name: DocumentKind['name'],
  about: string,
): DocumentKind {
  return {
    name,
    about,
    tables: [level],
    ofChannel: true,
    recognises(value) {
      const row = asObject(value);
      if (row === undefined || levelOf(row) !== level) return false;
      const types = typesOf(row);
      // Targets of Sponsored Display are not read, and theirs may look like those of Brands.
      return types.includes(type) && !(level === 'keywordDays' && types.includes('SD'));
    },
    read: (session) => readerOf(level, type, session),
  };
}

function readerOf(level: AdFigures, type: AdType, session: ImportSession): DocumentReader {
  session.coverPartition(adTables[level], type);
  const columns = {
    ...sharedColumns,
    ...(type === 'SP' ? windowColumns(session.attributionDays) : brandColumns),
  };
  const sums = new RowSums(session.rows(level), adSums[level]);
  const inferred = new InferredEntities(session);
  /** The columns of the previous row. Mostly all rows of a document have the same columns. */
  let checkedNames: string | undefined;
  return {
    value(value, line) {
      const row = asObject(value);
      if (!row) {
        session.reject(line, 'is not a row of a report');
        return;
      }
      const names = Object.keys(row).join();
      if (names !== checkedNames) {
        checkedNames = names;
        checkColumns(row, type, session);
      }
      const dates = datesOf(row, session, line);
      if (!dates) return;
      const { postingDate, first } = dates;
      const fields: Record<string, unknown> = {
        date: postingDate,
        adType: type,
        ...idsOf(level, row),
      };
      for (const [field, names] of Object.entries(columns)) fields[field] = firstOf(row, names);
      if (!sums.add(fields, line, first)) return;
      inferred.note('campaigns', postingDate, campaignOf(row, type), line);
      inferred.note('adGroups', postingDate, adGroupOf(row, type), line);
      if (level === 'keywordDays')
        inferred.note('keywords', postingDate, keywordOf(row, type), line);
    },
    async end() {
      inferred.stage();
      if (type === 'SP' && isTermLevel(level)) await supersedeTerms(session, level, sums);
      await sums.stage(session.flush);
    },
  };
}

function idsOf(level: AdFigures, row: JsonObject): Record<string, unknown> {
  if (level === 'campaignDays') return { campaignId: row.campaignId };
  const { adGroupId, campaignId } = row;
  if (level === 'adGroupDays') return { adGroupId, campaignId };
  if (level === 'keywordDays')
    return { keywordId: firstOf(row, keywordColumns.keywordId), adGroupId, campaignId };
  return {
    productId: firstOf(row, productColumns.productId),
    sku: firstOf(row, productColumns.sku),
    adGroupId,
    campaignId,
  };
}

function campaignOf(row: JsonObject, adType: AdType): Record<string, unknown> {
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

function adGroupOf(row: JsonObject, adType: AdType): Record<string, unknown> {
  const { adGroupId, campaignId, adGroupName: name, adStatus: status, costType } = row;
  return { adGroupId, campaignId, name, adType, status, costType };
}

function keywordOf(row: JsonObject, adType: AdType): Record<string, unknown> {
  const { adGroupId, campaignId } = row;
  const fields = Object.entries(keywordColumns).map(([field, names]) => [
    field,
    firstOf(row, names),
  ]);
  return { ...Object.fromEntries(fields), adGroupId, campaignId, adType };
}

/** Refuses a document of another kind than the import names, because its figures would be lost. */
function checkColumns(row: JsonObject, type: AdType, session: ImportSession): void {
  if (!figureNames.some((name) => name in row)) {
    throw new DocumentRefused(
      `the document is not a report: it has none of the columns ${figureNames.join(', ')}`,
    );
  }
  const types = typesOf(row);
  if (!types.includes(type)) {
    const others =
      types.length === 0 ? 'several types' : types.map((one) => adTypeNames[one]).join(' or ');
    throw new DocumentRefused(
      `the document has columns of ${others}, but the import names ${adTypeNames[type]}`,
    );
  }
  if (type === 'SP') requireWindow(row, session);
}

/** Refuses a document without the attribution window of the import. */
function requireWindow(row: JsonObject, { attributionDays, missing }: ImportSession): void {
  const wanted = windowColumns(attributionDays);
  const others = attributionWindows.filter((window) => window !== attributionDays);
  for (const [field, names] of Object.entries(wanted)) {
    if (names.some((name) => name in row)) continue;
    const has = (window: number) => windowColumns(window)[field]!.find((name) => name in row);
    const found = others.find((window) => has(window) !== undefined);
    if (found === undefined) continue;
    const reason = `it has ${has(found)}, but not ${names[0]}`;
    if (found === 7 || found === 14) missing.needAttribution(found, reason);
    else
      throw new DocumentRefused(
        `the document cannot be read: ${reason}; request the columns of 7 or 14 days`,
      );
  }
}

/** The posting date of a row and the first of its days. Undefined if the row is rejected. */
function datesOf(
  row: JsonObject,
  session: ImportSession,
  line: number,
): { postingDate: string; first: number } | undefined {
  let first: number | undefined;
  let last: number | undefined;
  const [startColumn, endColumn] = 'date' in row ? ['date', 'date'] : ['startDate', 'endDate'];
  if (startColumn in row || endColumn in row) {
    first = dayIn(withHyphens(row[startColumn]));
    last = dayIn(withHyphens(row[endColumn]));
    if (first === undefined || last === undefined || last < first) {
      session.reject(
        line,
        `${startColumn === 'date' ? 'date must be a date' : 'startDate and endDate must be dates in order'} (YYYY-MM-DD)`,
      );
      return undefined;
    }
  } else {
    first = session.dateRange?.first;
    last = session.dateRange?.last;
    if (first === undefined || last === undefined) {
      session.rejectUndated(line);
      return undefined;
    }
  }
  const postingDate = session.postingDate(line, first, last);
  return postingDate === undefined ? undefined : { postingDate, first };
}

const about = (type: AdType, by: string, id: string) =>
  `${adTypeNames[type]} report by ${by} (advertising API, ${id}; JSON)`;

/** The reports. */
export const adReports: readonly DocumentKind[] = [
  report('campaignDays', 'SP', 'adsSpCampaigns', about('SP', 'campaign', 'spCampaigns')),
  report('adGroupDays', 'SP', 'adsSpAdGroups', about('SP', 'ad group', 'spCampaigns by adGroup')),
  report('keywordDays', 'SP', 'adsSpKeywords', about('SP', 'keyword or target', 'spTargeting')),
  report(
    'adProductDays',
    'SP',
    'adsSpAdvertisedProducts',
    about('SP', 'advertised product', 'spAdvertisedProduct'),
  ),
  report('campaignDays', 'SB', 'adsSbCampaigns', about('SB', 'campaign', 'sbCampaigns')),
  report('adGroupDays', 'SB', 'adsSbAdGroups', about('SB', 'ad group', 'sbAdGroup')),
  report('keywordDays', 'SB', 'adsSbKeywords', about('SB', 'keyword or target', 'sbTargeting')),
  report('campaignDays', 'SD', 'adsSdCampaigns', about('SD', 'campaign', 'sdCampaigns')),
  report('adGroupDays', 'SD', 'adsSdAdGroups', about('SD', 'ad group', 'sdAdGroup')),
  report(
    'adProductDays',
    'SD',
    'adsSdAdvertisedProducts',
    about('SD', 'advertised product', 'sdAdvertisedProduct'),
  ),
];
