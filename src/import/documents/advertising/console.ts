/**
 * Tables of the advertising console (CSV or XLSX): the search term report of Sponsored Products,
 * and the list of campaigns with their figures.
 */
import { searchTermReport } from '../../../../schema/warehouse/tables.ts';
import { type DateOrder, isAmbiguous, readDate, type WrittenDate } from '../../cells/dates.ts';
import { type DecimalMark, readAmount, readCount } from '../../cells/money.ts';
import { RowSums } from '../../cells/sums.ts';
import { DocumentRefused } from '../../refused.ts';
import { shown } from '../../rows.ts';
import type { ImportSession } from '../../session.ts';
import type { DocumentKind, DocumentReader } from '../kind.ts';
import { adSums, InferredEntities } from './ads.ts';
import type { AdType } from './adTypes.ts';
import { type ConsoleCells, ConsoleNames, type ConsoleRow } from './consoleNames.ts';
import {
  counts,
  fieldsIn,
  money,
  type Title,
  titlesFor,
  titlesOf,
  titleText,
} from './consoleTitles.ts';
import { countingTerms, supersedeTerms } from './precedence.ts';
import { isProvisional } from './provisional.ts';

/** The maximum number of rows that wait in memory until their names and dates are known. */
const consoleRowsMax = 500_000;
/** The fields by which the documents are known. */
const searchTermFields = ['searchTerm', 'campaignName', 'clicks', 'cost', 'unitsSameSku'];
const campaignFields = ['campaignName', 'state', 'type', 'budget', 'clicks', 'cost'];

/** The search term report: one row per search term, added up by ad group and by campaign. */
export const adsSpSearchTerms: DocumentKind = {
  name: 'adsSpSearchTerms',
  about: 'Sponsored Products search term report of the advertising console (CSV or XLSX)',
  tables: ['campaignDays', 'adGroupDays'],
  ofChannel: true,
  marks: [searchTermFields.map((field) => titlesFor(field))],
  title: titleText,
  recognisesHeader(names) {
    const fields = fieldsIn(names);
    // The same report of Sponsored Brands has no figures of the advertised product.
    return searchTermFields.every((field) => fields.has(field));
  },
  read: (session) => {
    for (const table of ['campaign_day', 'ad_group_day'])
      session.coverPartition(table, searchTermReport);
    return readerOf(session, 'SP');
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
  read: (session) => readerOf(session, undefined),
};

/**
 * Reads rows of one type, by ad group and campaign. Without a type, each row names its own and
 * belongs to a campaign.
 */
function readerOf(session: ImportSession, onlyType: AdType | undefined): DocumentReader {
  const rows: ConsoleRow[] = [];
  let titles: ReadonlyMap<string, Title> | undefined;
  return {
    record(record, line) {
      titles ??= titlesOf(Object.keys(record), session);
      if (rows.length >= consoleRowsMax)
        throw new DocumentRefused(
          `the document has more than ${consoleRowsMax.toLocaleString('en')} rows: split it by its dates`,
        );
      rows.push({ line, cells: cellsOf(record, titles) });
    },
    async end() {
      const names = new ConsoleNames(session, onlyType);
      const dateOf = onlyType === undefined ? dateOfImport : datesOf(rows);
      await names.load(rows);
      const adder = new ConsoleSums(session, names, onlyType);
      for (const row of rows) {
        const dates = dateOf(row, session);
        if (dates) adder.add(row, dates);
      }
      await adder.stage();
    },
  };
}

/** The cells of a record by field. Of several columns for a field, the first with a cell counts. */
function cellsOf(
  record: Readonly<Record<string, string>>,
  titles: ReadonlyMap<string, Title>,
): ConsoleCells {
  const cells: Record<string, string> = {};
  for (const [name, { field, currency }] of titles) {
    // Excel shows a long number in full if it is written as a formula.
    const text = record[name]!.trim().replace(/^="(.*)"$/s, '$1');
    if (text === '' || cells[field] !== undefined) continue;
    cells[field] = text;
    if (currency !== undefined) cells.currency ??= currency;
  }
  return cells;
}

/** The posting date of a row, and the first of its days. */
type RowDates = { readonly postingDate: string; readonly first: number };

/** Adds rows up. */
class ConsoleSums {
  readonly #session: ImportSession;
  readonly #names: ConsoleNames;
  readonly #onlyType: AdType | undefined;
  readonly #campaigns: RowSums;
  readonly #adGroups: RowSums;
  readonly #inferred: InferredEntities;

  constructor(session: ImportSession, names: ConsoleNames, onlyType: AdType | undefined) {
    this.#session = session;
    this.#names = names;
    this.#onlyType = onlyType;
    const campaignRows =
      onlyType === undefined
        ? session.rows('campaignDays')
        : session.inferred('searchTermCampaignDays');
    this.#campaigns = new RowSums(campaignRows, adSums.campaignDays);
    this.#adGroups = new RowSums(session.rows('searchTermAdGroupDays'), adSums.adGroupDays);
    this.#inferred = new InferredEntities(session);
  }

  add(row: ConsoleRow, { postingDate, first }: RowDates): void {
    const { line, cells } = row;
    const campaign = this.#names.campaign(row);
    const figures = campaign && figuresOf(this.#session, row);
    if (!campaign || !figures) return;
    const { campaignId, adType } = campaign;
    const fields = { ...figures, date: postingDate, campaignId, adType };
    if (this.#onlyType === undefined) {
      if (!this.#campaigns.add(fields, line, first)) return;
      this.#session.coverPartition('campaign_day', adType);
    } else {
      const adGroupId = this.#names.adGroup(row, campaign);
      if (adGroupId === undefined || !this.#adGroups.add({ ...fields, adGroupId }, line, first))
        return;
      // The ad group accepted the row, so only another currency can keep it from its campaign.
      if (!this.#campaigns.add(fields, line, first))
        throw new DocumentRefused(
          `line ${line} is in another currency than the rows before it of its campaign: split the document`,
        );
      if (!this.#names.isKnownAdGroup(campaignId, adGroupId)) {
        const adGroup = { adGroupId, campaignId, name: cells.adGroupName, adType };
        this.#inferred.note('adGroups', postingDate, adGroup, line);
      }
    }
    // Only the list of campaigns has more of a known one than its name.
    const isListed = cells.campaignId !== undefined || isProvisional(campaignId);
    if (this.#onlyType === undefined ? isListed : !this.#names.isKnownCampaign(row, campaignId))
      this.#inferred.note(
        'campaigns',
        postingDate,
        campaignOf(this.#session.notation.mark, cells, campaignId, adType),
        line,
      );
  }

  async stage(): Promise<void> {
    const session = this.#session;
    this.#inferred.stage();
    if (this.#onlyType === undefined) {
      await supersedeTerms(session, 'campaignDays', this.#campaigns);
      await this.#campaigns.stage(session.flush);
      return;
    }
    const ofCampaigns = await countingTerms(session, 'campaignDays', this.#campaigns);
    const ofAdGroups = await countingTerms(session, 'adGroupDays', this.#adGroups);
    await this.#adGroups.stage(session.flush, ofAdGroups, ofCampaigns);
    await this.#campaigns.stage(session.flush, ofCampaigns);
  }
}

/** Reads the dates of rows in the order of day and month that all of them agree on. */
function datesOf(
  rows: readonly ConsoleRow[],
): (row: ConsoleRow, session: ImportSession) => RowDates | undefined {
  const known = new Map<string, WrittenDate | undefined>();
  const orders = new Set<DateOrder>();
  for (const text of rows.flatMap(({ cells }) => dateTexts(cells))) {
    if (known.has(text)) continue;
    const written = readDate(text, 'spreadsheet');
    known.set(text, written);
    if (written && written.dayFirst === undefined) orders.add('monthFirst');
    if (written && written.monthFirst === undefined) orders.add('dayFirst');
  }
  const [order] = orders;
  return (row, session) => {
    const { line, cells } = row;
    const texts = dateTexts(cells);
    if (texts.length === 0) return dateOfImport(row, session);
    const days: number[] = [];
    for (const text of texts) {
      const written = known.get(text);
      if (!written) {
        session.reject(line, `must have a date (it is ${shown(text)})`);
        return undefined;
      }
      if (isAmbiguous(written) && orders.size !== 1) {
        const why =
          orders.size === 0
            ? 'no other date of the document shows which one is right'
            : 'the document writes dates both ways';
        session.reject(
          line,
          `${text.slice(0, 30)} has two readings, and ${why}: write dates as YYYY-MM-DD`,
        );
        return undefined;
      }
      days.push(
        isAmbiguous(written) ? written[order!]! : (written.dayFirst ?? written.monthFirst)!,
      );
    }
    const [first, last = first] = days as [number, number?];
    if (last < first) {
      session.reject(line, 'ends before it begins');
      return undefined;
    }
    const postingDate = session.postingDate(line, first, last);
    return postingDate === undefined ? undefined : { postingDate, first };
  };
}

function dateTexts({ range, first, last }: ConsoleCells): readonly string[] {
  if (range !== undefined) return range.split(/\s+[-–—]\s+/);
  return [first, last].filter((text) => text !== undefined);
}

function dateOfImport({ line }: ConsoleRow, session: ImportSession): RowDates | undefined {
  const { dateRange } = session;
  if (!dateRange) {
    session.rejectUndated(line);
    return undefined;
  }
  const postingDate = session.postingDate(line, dateRange.first, dateRange.last);
  return postingDate === undefined ? undefined : { postingDate, first: dateRange.first };
}

/**
 * The figures of a row, in the fields of the datasets. Rejects the row and returns undefined if one
 * is unreadable.
 */
function figuresOf(
  session: ImportSession,
  { line, cells }: ConsoleRow,
): Record<string, unknown> | undefined {
  const figures: Record<string, unknown> = { currency: cells.currency };
  for (const name of [...money, ...counts]) {
    const text = cells[name] ?? '';
    figures[name] = money.includes(name)
      ? readAmount(text, session.notation.mark)
      : readCount(text);
    if (figures[name] !== undefined) continue;
    session.reject(line, `${name} must be a number (it is ${shown(text)})`);
    return undefined;
  }
  return figures;
}

function campaignOf(
  mark: DecimalMark | undefined,
  cells: ConsoleCells,
  campaignId: string,
  adType: AdType,
): Record<string, unknown> {
  return {
    campaignId,
    name: cells.campaignName,
    adType,
    status: cells.state,
    ...(cells.budget !== undefined && { budget: readAmount(cells.budget, mark) }),
    targetingType: cells.targeting,
  };
}
