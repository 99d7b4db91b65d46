/**
 * Tables of the advertising console (CSV or XLSX): the search term report of Sponsored Products,
 * the list of campaigns with their figures, and the figures of keywords and targets.
 */
import { searchTermReport } from '../../../../schema/warehouse/tables.ts';
import type { ImportSession } from '../../session.ts';
import type { DocumentKind, DocumentReader } from '../kind.ts';
import { type AdType, adTypeNames } from './adTypes.ts';
import { ConsoleNames } from './consoleNames.ts';
import { ConsoleRows, dateOfImport, datesOf } from './consoleRows.ts';
import { ConsoleSums, type Level } from './consoleSums.ts';
import { fieldsIn, titlesFor, titleText } from './consoleTitles.ts';

/** The fields by which the documents are known. */
const searchTermFields = ['searchTerm', 'campaignName', 'clicks', 'cost', 'unitsSameSku'];
const campaignFields = ['campaignName', 'state', 'type', 'budget', 'clicks', 'cost'];
const keywordFields = ['campaignName', 'adGroupName', 'matchType', 'clicks', 'cost'];

/** The search term report: one row per search term, added up by keyword, ad group and campaign. */
export const adsSpSearchTerms: DocumentKind = {
  name: 'adsSpSearchTerms',
  about: 'Sponsored Products search term report of the advertising console (CSV or XLSX)',
  tables: ['campaignDays', 'adGroupDays', 'keywordDays'],
  ofChannel: true,
  marks: [searchTermFields.map((field) => titlesFor(field))],
  title: titleText,
  recognisesHeader(names) {
    const fields = fieldsIn(names);
    // The same report of Sponsored Brands has no figures of the advertised product.
    return searchTermFields.every((field) => fields.has(field));
  },
  read: (session) => {
    for (const table of ['campaign_day', 'ad_group_day', 'keyword_day'])
      session.coverPartition(table, searchTermReport);
    return readerOf(session, 'terms', 'SP');
  },
};

/**
 * The list of campaigns with their figures. The dates of the figures are chosen in the console and
 * are not in the document.
 */
export const adsConsoleCampaigns: DocumentKind = {
  name: 'adsConsoleCampaigns',
  about:
    'Campaigns of the advertising console with their figures (CSV or XLSX; from and to name its dates)',
  tables: ['campaignDays'],
  ofChannel: true,
  marks: [campaignFields.map((field) => titlesFor(field))],
  title: titleText,
  recognisesHeader(names) {
    const fields = fieldsIn(names);
    return !fields.has('searchTerm') && campaignFields.every((field) => fields.has(field));
  },
  read: (session) => readerOf(session, 'campaigns', undefined),
};

/** Fields that only the tables of one type have. */
const fieldsOfType = {
  SP: ['unitsSameSku'],
  SB: ['ordersNtb', 'unitsNtb', 'salesNtb'],
} as const;

/** The figures of keywords and targets of one type. */
function keywordTable(type: keyof typeof fieldsOfType, name: DocumentKind['name']): DocumentKind {
  const others = type === 'SP' ? fieldsOfType.SB : fieldsOfType.SP;
  return {
    name,
    about:
      `${adTypeNames[type]} keywords and targets of the advertising console with their figures ` +
      '(CSV or XLSX; from and to name the dates where it has none)',
    tables: ['keywordDays'],
    ofChannel: true,
    marks: [[...keywordFields.map((field) => titlesFor(field)), titlesFor('keyword')]],
    title: titleText,
    recognisesHeader(names) {
      const fields = fieldsIn(names);
      return (
        keywordFields.every((field) => fields.has(field)) &&
        (fields.has('keyword') || fields.has('targeting')) &&
        !['searchTerm', 'budget', ...others].some((field) => fields.has(field))
      );
    },
    read: (session) => {
      session.coverPartition('keyword_day', type);
      return readerOf(session, 'keywords', type);
    },
  };
}

/** The tables of keywords. */
export const adsConsoleKeywords: readonly DocumentKind[] = [
  keywordTable('SP', 'adsSpConsoleKeywords'),
  keywordTable('SB', 'adsSbConsoleKeywords'),
];

/** Reads rows of one type; without a type, each row names its own. */
function readerOf(
  session: ImportSession,
  level: Level,
  onlyType: AdType | undefined,
): DocumentReader {
  const rows = new ConsoleRows(session);
  return {
    record: rows.record,
    async end() {
      const names = new ConsoleNames(session, onlyType);
      const dateOf = level === 'campaigns' ? dateOfImport : datesOf(rows.all);
      const hasKeywords = rows.has('keyword') || rows.has('targeting');
      const withKeywords = level !== 'campaigns' && hasKeywords;
      await names.load(rows.all, withKeywords);
      const sums = new ConsoleSums(session, names, level, withKeywords);
      for (const row of rows.all) {
        const dates = dateOf(row, session);
        if (dates) sums.add(row, dates);
      }
      await sums.stage();
    },
  };
}
