/**
 * Tables of the advertising console (CSV or XLSX): the search term report of Sponsored Products,
 * the list of campaigns with their figures, and the figures of keywords and targets.
 */

import { DocumentRefused } from '../../refused.ts';
import type { ImportSession } from '../../session.ts';
import type { DocumentKind, DocumentReader } from '../kind.ts';
import { coverAdDays } from './ads.ts';
import { type AdType, adTypeNames } from './adTypes.ts';
import { ConsoleNames } from './consoleNames.ts';
import { ConsoleRows, datesOf, refuseOverlaps, refuseRepeats } from './consoleRows.ts';
import { ConsoleSums, type Level } from './consoleSums.ts';
import { fieldsIn, narrowingTitle, titlesFor, titleText } from './consoleTitles.ts';

/** The fields that identify the documents. */
const searchTermFields = ['searchTerm', 'campaignName', 'clicks', 'cost', 'unitsSameSku'];
const campaignFields = ['campaignName', 'state', 'type', 'budget', 'clicks', 'cost'];
const keywordFields = ['campaignName', 'adGroupName', 'matchType', 'clicks', 'cost'];

/**
 * The search term report: one row per search term, added up by keyword, ad group and campaign. Rows
 * may name another type of advertising.
 */
export const adsSpSearchTerms: DocumentKind = {
  name: 'adsSpSearchTerms',
  about: 'Sponsored Products search term report of the advertising console (CSV or XLSX)',
  tables: ['campaignDays', 'adGroupDays', 'keywordDays'],
  ofChannel: true,
  marks: [searchTermFields.map((field) => titlesFor(field))],
  title: titleText,
  recognisesHeader(names) {
    const fields = fieldsIn(names);
    // The same report of Sponsored Brands lacks the figures of the advertised product.
    return searchTermFields.every((field) => fields.has(field));
  },
  read: (session) => readerOf(session, 'terms', 'SP', []),
};

/**
 * The list of campaigns with their figures. Without a column `Date`, the dates of the figures are
 * chosen in the console and are not in the document; its start and end dates are the campaigns'.
 */
export const adsConsoleCampaigns: DocumentKind = {
  name: 'adsConsoleCampaigns',
  about:
    'Campaigns of the advertising console with their figures (CSV or XLSX; from and to name its dates where it has none)',
  tables: ['campaignDays'],
  ofChannel: true,
  marks: [campaignFields.map((field) => titlesFor(field))],
  title: titleText,
  recognisesHeader(names) {
    const fields = fieldsIn(names);
    return !fields.has('searchTerm') && campaignFields.every((field) => fields.has(field));
  },
  read: (session) => readerOf(session, 'campaigns', undefined, []),
};

/** Fields that only tables of one type have. */
const fieldsOfType = {
  SP: ['unitsSameSku'],
  SB: ['ordersNtb', 'unitsNtb', 'salesNtb', 'costType'],
  SD: ['bidOptimization'],
} as const;

/** Whether a table with these fields is about keywords and targets. */
function isOfKeywords(fields: ReadonlySet<string>): boolean {
  return (
    keywordFields.every((field) => fields.has(field)) &&
    (fields.has('keyword') || fields.has('targeting')) &&
    !['searchTerm', 'budget'].some((field) => fields.has(field))
  );
}

const keywordMarks = [[...keywordFields.map((field) => titlesFor(field)), titlesFor('keyword')]];

/** The figures of keywords and targets of one type. */
function keywordTable(type: 'SP' | 'SB', name: DocumentKind['name']): DocumentKind {
  const others = [...(type === 'SP' ? fieldsOfType.SB : fieldsOfType.SP), ...fieldsOfType.SD];
  return {
    name,
    about:
      `${adTypeNames[type]} keywords and targets of the advertising console with their figures ` +
      '(CSV or XLSX; from and to name the dates where it has none)',
    tables: ['campaignDays', 'adGroupDays', 'keywordDays'],
    ofChannel: true,
    marks: keywordMarks,
    title: titleText,
    recognisesHeader(names) {
      const fields = fieldsIn(names);
      const isOfOthers = ['type', ...others].some((field) => fields.has(field));
      return isOfKeywords(fields) && !isOfOthers;
    },
    read: (session) => readerOf(session, 'keywords', type, others),
  };
}

/** The tables of keywords: some are of one type, in others each row names its type. */
export const adsConsoleKeywords: readonly DocumentKind[] = [
  keywordTable('SP', 'adsSpConsoleKeywords'),
  keywordTable('SB', 'adsSbConsoleKeywords'),
  {
    name: 'adsConsoleKeywords',
    about:
      'Keywords and targets of several types of advertising in the advertising console with their ' +
      'figures (CSV or XLSX; from and to name the dates where it has none)',
    tables: ['campaignDays', 'adGroupDays', 'keywordDays'],
    ofChannel: true,
    marks: [[...keywordMarks[0]!, titlesFor('type')]],
    title: titleText,
    recognisesHeader(names) {
      const fields = fieldsIn(names);
      return isOfKeywords(fields) && fields.has('type');
    },
    read: (session) => readerOf(session, 'keywords', undefined, []),
  },
];

/**
 * Reads rows of `usualType`, unless they name another; without one, each row names its own. A table
 * with any of `foreignFields` is of another type.
 */
function readerOf(
  session: ImportSession,
  level: Level,
  usualType: AdType | undefined,
  foreignFields: readonly string[],
): DocumentReader {
  const rows = new ConsoleRows(session, (names) => {
    refuseNarrowed(names);
    const fields = fieldsIn(names);
    requireFigures(fields, level);
    if (usualType !== undefined && foreignFields.some((field) => fields.has(field)))
      throw new DocumentRefused(
        `the document has columns of another type than ${adTypeNames[usualType]}, which the import names: import it without a type`,
      );
  });
  if (usualType !== undefined) coverAdDays(session, level, usualType);
  return {
    record: rows.record,
    async end() {
      const names = new ConsoleNames(session, usualType);
      const areCampaigns = level === 'campaigns';
      rows.decideNotation(areCampaigns);
      const hasKeywords = rows.has('keyword') || rows.has('targeting');
      const withAdGroups = !areCampaigns;
      const withKeywords = withAdGroups && hasKeywords;
      await names.load(rows.all, { withAdGroups, withKeywords });
      const sums = new ConsoleSums(session, names, level, withKeywords);
      const dated = rows.all.flatMap((row) => {
        const dates = datesOf(row, areCampaigns, session);
        return dates ? [[row, dates] as const] : [];
      });
      refuseOverlaps(dated);
      if (level === 'keywords') refuseRepeats(dated);
      for (const [row, dates] of dated) sums.add(row, dates);
      await sums.stage();
    },
  };
}

/** The figures that a table of each level has, besides the fields that identify it. */
const figuresOfLevels: Readonly<Record<Level, readonly string[]>> = {
  campaigns: ['impressions', 'conversions', 'sales'],
  keywords: ['impressions', 'conversions', 'sales'],
  terms: ['impressions', 'conversions', 'sales', 'units', 'salesSameSku', 'matchType'],
};

/** Refuses a table without columns of figures, which would count as 0. */
function requireFigures(fields: ReadonlySet<string>, level: Level): void {
  const missing = figuresOfLevels[level].filter((field) => !fields.has(field));
  if (missing.length === 0) return;
  const titles = missing.map((field) => titlesFor(field)[0]);
  throw new DocumentRefused(
    `the header lacks ${titles.join(', ')}: add the columns in the console, and download it again`,
  );
}

/** Refuses a table with parts of its campaigns: it would replace the whole campaigns. */
function refuseNarrowed(names: readonly string[]): void {
  const title = narrowingTitle(names);
  if (title !== undefined)
    throw new DocumentRefused(
      `the column ${title.trim()} divides campaigns into parts: download the report without it`,
    );
}
