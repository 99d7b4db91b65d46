/**
 * Reports of the advertising API by campaign, ad group, keyword and advertised product: version 3
 * (a JSON array of flat rows) and version 2 (the same with older names, one document per day). Only
 * their columns show the type of advertising.
 */
import { dayNumber } from '../../../calendar/period.ts';
import { dayIn, withHyphens } from '../../cells/dates.ts';
import { asObject, firstOf, type JsonObject } from '../../cells/json.ts';
import { RowSums } from '../../cells/sums.ts';
import { DocumentRefused } from '../../refused.ts';
import type { ImportSession } from '../../session.ts';
import { RowPeriods } from '../../spans.ts';
import type { DocumentKind } from '../kind.ts';
import { type AdFigures, adSums, coverAdDays, InferredEntities } from './ads.ts';
import { type AdType, adTypeNamed, adTypeNames } from './adTypes.ts';
import { columnOfOtherReport, hasPlacements, narrowingColumn, typesOf } from './columnsOfTypes.ts';
import { type SourceSums, stageAdSums } from './precedence.ts';
import {
  brandColumns,
  type Columns,
  sharedColumns,
  storeColumns,
  windowColumns,
  windowOf,
} from './reportColumns.ts';
import { isOfStore, type StoreSigns } from './storeSigns.ts';

/** Columns of reports by keyword and target. */
const keywordColumn = /^(?:keyword\w*|matchType|targeting\w*|targetId)$/;

const figureNames = ['impressions', 'clicks', 'cost', 'spend'];
/** The first with a value counts: a keyword has no target id, and the reverse. */
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

/** The subject of the rows of a report. */
type ReportRows = 'campaigns' | 'placements' | 'adGroups' | 'keywords' | 'products';

/** The dataset of the rows of each report. */
const levels = {
  campaigns: 'campaignDays',
  placements: 'campaignDays',
  adGroups: 'adGroupDays',
  keywords: 'keywordDays',
  products: 'adProductDays',
} as const satisfies Record<ReportRows, AdFigures>;

/** In words, the reports that contain all rows of each subject. */
const wholeRows: Readonly<Record<ReportRows, string>> = {
  campaigns: 'campaign',
  placements: 'campaign and placement',
  adGroups: 'ad group',
  keywords: 'keyword or target (spTargeting, sbTargeting)',
  products: 'advertised product',
};

/** The subject of a row of figures; undefined for other rows. */
function rowsOf(row: JsonObject): ReportRows | undefined {
  const level = levelOf(row);
  if (level !== 'campaigns') return hasPlacements(row) ? undefined : level;
  return hasPlacements(row) ? 'placements' : 'campaigns';
}

function levelOf(row: JsonObject): ReportRows | undefined {
  if (!figureNames.some((name) => name in row)) return undefined;
  const names = Object.keys(row);
  if (columnOfOtherReport(names) !== undefined) return undefined;
  if (names.some((name) => keywordColumn.test(name)))
    return keywordColumns.keywordId.some((name) => name in row) ? 'keywords' : undefined;
  if ([...productColumns.productId, ...productColumns.sku].some((name) => name in row))
    return 'products';
  if ('adId' in row) return undefined;
  if ('adGroupId' in row) return 'adGroups';
  return 'campaignId' in row ? 'campaigns' : undefined;
}

function report(
  rows: ReportRows,
  type: AdType,
  name: DocumentKind['name'],
  about: string,
): DocumentKind {
  return {
    name,
    about,
    tables: rows === 'keywords' ? ['campaignDays', 'adGroupDays', 'keywordDays'] : [levels[rows]],
    ofChannel: true,
    recognises(value) {
      const row = asObject(value);
      if (row === undefined || rowsOf(row) !== rows) return false;
      const types = typesOf(row);
      // Targets of Sponsored Display are not read, and may look like targets of Sponsored Brands.
      return types.includes(type) && !(rows === 'keywords' && types.includes('SD'));
    },
    read: (session) => {
      const reader = new ReportReader(rows, type, session);
      return { value: reader.value, end: () => reader.end() };
    },
  };
}

/** Reads the rows of a report. */
class ReportReader {
  readonly #rows: ReportRows;
  readonly #type: AdType;
  readonly #session: ImportSession;
  readonly #inferred: InferredEntities;
  readonly #sums: RowSums;
  /** The sums of targets by ad group and campaign. */
  readonly #ofTargets: readonly SourceSums[];
  readonly #periods = new RowPeriods();
  #columns: Columns = sharedColumns;
  /** The columns of the previous row. In most documents all rows have the same columns. */
  #checkedNames: string | undefined;

  constructor(rows: ReportRows, type: AdType, session: ImportSession) {
    coverAdDays(session, rows, type);
    this.#rows = rows;
    this.#type = type;
    this.#session = session;
    this.#inferred = new InferredEntities(session);
    const dataset = rows === 'placements' ? 'placementsCampaignDays' : levels[rows];
    this.#sums = new RowSums(session.rows(dataset), adSums[levels[rows]]);
    const ofTargets = (level: 'adGroupDays' | 'campaignDays', dataset: string): SourceSums => ({
      level,
      source: 'targets',
      sums: new RowSums(session.inferred(dataset), adSums[level]),
    });
    this.#ofTargets =
      rows === 'keywords'
        ? [
            ofTargets('adGroupDays', 'targetsAdGroupDays'),
            ofTargets('campaignDays', 'targetsCampaignDays'),
          ]
        : [];
  }

  readonly value = (value: unknown, line: number): void => {
    const session = this.#session;
    const row = asObject(value);
    if (!row) {
      session.reject(line, 'is not a row of a report');
      return;
    }
    const named = adTypeNamed(row.adProduct);
    if (named !== undefined && named !== this.#type) {
      session.reject(
        line,
        `belongs to ${adTypeNames[named]}, but the import is of ${adTypeNames[this.#type]}`,
      );
      return;
    }
    this.#checkColumns(row);
    if (!isOfStore(session, storeOf(row))) return;
    const dates = datesOf(row, session, line);
    if (!dates) return;
    const period = { first: dates.first, last: dayNumber(dates.postingDate) };
    if (period.first < period.last) this.#periods.add(subjectOf(row), period);
    this.#add(row, line, dates);
  };

  async end(): Promise<void> {
    this.#inferred.stage();
    const { level, source } = { level: levels[this.#rows], source: this.#source };
    if (level === 'adProductDays') await this.#sums.stage(this.#session.flush);
    else
      await stageAdSums(this.#session, [{ level, source, sums: this.#sums }, ...this.#ofTargets]);
  }

  get #source(): 'report' | 'placements' {
    return this.#rows === 'placements' ? 'placements' : 'report';
  }

  #checkColumns(row: JsonObject): void {
    const names = Object.keys(row).join();
    if (names === this.#checkedNames) return;
    this.#checkedNames = names;
    checkColumns(row, this.#rows, this.#type);
    const figures =
      this.#type === 'SP' ? windowColumns(windowOf(row, this.#session)) : brandColumns;
    this.#columns = { ...sharedColumns, ...figures };
    requireFields(row, this.#rows, this.#columns);
  }

  #add(row: JsonObject, line: number, { postingDate, first }: RowDates): void {
    const [type, rows] = [this.#type, this.#rows];
    const figures: Record<string, unknown> = {};
    for (const [field, names] of Object.entries(this.#columns))
      figures[field] = firstOf(row, names);
    const fields = { ...figures, date: postingDate, adType: type };
    if (!this.#sums.add({ ...fields, ...idsOf(rows, row) }, line, first)) return;
    for (const { level, sums } of this.#ofTargets) {
      const ids = idsOf(level === 'adGroupDays' ? 'adGroups' : 'campaigns', row);
      sums.add({ ...fields, ...ids }, line, first);
    }
    this.#inferred.note('campaigns', postingDate, campaignOf(row, type), line);
    this.#inferred.note('adGroups', postingDate, adGroupOf(row, type), line);
    if (rows === 'keywords')
      this.#inferred.note('keywords', postingDate, keywordOf(row, type), line);
  }
}

/** The subject of a row, as text: its ids and words. */
function subjectOf(row: JsonObject): string {
  const ofDates = ['startDate', 'endDate'];
  return Object.entries(row)
    .filter(
      ([name, value]) => /Id$/.test(name) || (typeof value === 'string' && !ofDates.includes(name)),
    )
    .map(([, value]) => String(value))
    .join('\0');
}

/** The signs of the store to which a row belongs. */
function storeOf(row: JsonObject): StoreSigns {
  const textOf = (names: readonly string[]) => {
    const text = firstOf(row, names);
    return typeof text === 'string' ? text : undefined;
  };
  const { country, retailer, currency } = storeColumns;
  return { country: textOf(country), retailer: textOf(retailer), currency: textOf(currency) };
}

function idsOf(rows: ReportRows, row: JsonObject): Record<string, unknown> {
  if (rows === 'campaigns' || rows === 'placements') return { campaignId: row.campaignId };
  const { adGroupId, campaignId } = row;
  if (rows === 'adGroups') return { adGroupId, campaignId };
  if (rows === 'keywords')
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

/**
 * Refuses a document of another kind than the import names, because its figures would be lost, and
 * a document with a part of each campaign, which would replace the whole.
 */
function checkColumns(row: JsonObject, rows: ReportRows, type: AdType): void {
  if (!figureNames.some((name) => name in row)) {
    throw new DocumentRefused(
      `the document is not a report: it has none of the columns ${figureNames.join(', ')}`,
    );
  }
  const other = columnOfOtherReport(Object.keys(row));
  if (other !== undefined)
    throw new DocumentRefused(
      `the column ${other} shows a report whose rows are not whole: request one by ${wholeRows[rows]}`,
    );
  const narrowing = narrowingColumn(Object.keys(row));
  if (narrowing !== undefined)
    throw new DocumentRefused(
      `the column ${narrowing} divides campaigns into parts: request the report without it`,
    );
  if (hasPlacements(row) && rows !== 'placements')
    throw new DocumentRefused(
      'the document is divided by placement: import it without a type, or request it by campaign',
    );
  const types = typesOf(row);
  if (!types.includes(type)) {
    const others =
      types.length === 0 ? 'several types' : types.map((one) => adTypeNames[one]).join(' or ');
    throw new DocumentRefused(
      `the document has columns of ${others}, but the import names ${adTypeNames[type]}`,
    );
  }
}

/** The ids that the rows of each report have, besides their own. */
const idsOfRows: Readonly<Record<ReportRows, readonly string[]>> = {
  campaigns: [],
  placements: [],
  adGroups: ['campaignId'],
  keywords: ['campaignId', 'adGroupId'],
  products: ['campaignId'],
};

/** Refuses a report without columns of ids or figures, which would count as 0. */
function requireFields(row: JsonObject, rows: ReportRows, columns: Columns): void {
  const ids = idsOfRows[rows].concat('adGroupName' in row ? 'adGroupId' : []);
  const figures = ['impressions', 'clicks', 'cost', 'sales', 'conversions'];
  const missing = [
    ...ids.filter((name) => !(name in row)),
    ...figures.flatMap((field) => {
      const names = columns[field]!;
      return names.some((name) => name in row) ? [] : names[0]!;
    }),
  ];
  if (missing.length > 0)
    throw new DocumentRefused(
      `the rows lack ${missing.join(', ')}: request the report with these columns`,
    );
}

/** The date on which a row counts, and its first day. */
type RowDates = { readonly postingDate: string; readonly first: number };

/** The posting date of a row and its first day. Undefined if the row is rejected. */
function datesOf(row: JsonObject, session: ImportSession, line: number): RowDates | undefined {
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
  report('campaigns', 'SP', 'adsSpCampaigns', about('SP', 'campaign', 'spCampaigns')),
  report('placements', 'SP', 'adsSpPlacements', about('SP', 'placement', 'campaignPlacement')),
  report('adGroups', 'SP', 'adsSpAdGroups', about('SP', 'ad group', 'spCampaigns by adGroup')),
  report('keywords', 'SP', 'adsSpKeywords', about('SP', 'keyword or target', 'spTargeting')),
  report(
    'products',
    'SP',
    'adsSpAdvertisedProducts',
    about('SP', 'advertised product', 'spAdvertisedProduct'),
  ),
  report('campaigns', 'SB', 'adsSbCampaigns', about('SB', 'campaign', 'sbCampaigns')),
  report('placements', 'SB', 'adsSbPlacements', about('SB', 'placement', 'sbCampaignPlacement')),
  report('adGroups', 'SB', 'adsSbAdGroups', about('SB', 'ad group', 'sbAdGroup')),
  report('keywords', 'SB', 'adsSbKeywords', about('SB', 'keyword or target', 'sbTargeting')),
  report('campaigns', 'SD', 'adsSdCampaigns', about('SD', 'campaign', 'sdCampaigns')),
  report('adGroups', 'SD', 'adsSdAdGroups', about('SD', 'ad group', 'sdAdGroup')),
  report(
    'products',
    'SD',
    'adsSdAdvertisedProducts',
    about('SD', 'advertised product', 'sdAdvertisedProduct'),
  ),
  report('campaigns', 'ST', 'adsStCampaigns', about('ST', 'campaign', 'stCampaigns')),
  report('adGroups', 'ST', 'adsStAdGroups', about('ST', 'ad group', 'stCampaigns by adGroup')),
];
