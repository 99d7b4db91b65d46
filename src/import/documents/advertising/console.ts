/**
 * Tables that the advertising console gives out (CSV or XLSX): the search term report of Sponsored Products and the list of campaigns with
 * their figures. Titles vary from account to account, and campaigns mostly come by their names: these are looked up among those held.
 */

import { countOf, moneyOf, type WrittenDate, writtenDate } from '../../cells/adCells.ts';
import { RowSums } from '../../cells/sums.ts';
import { DocumentRefused } from '../../refused.ts';
import type { Desk, DocumentKind, DocumentReader } from '../kind.ts';
import { type AdType, adSums, adTypeNames, ToldByTheWay } from './ads.ts';

/** How many rows of one document wait in memory until their names and dates are settled. */
const consoleRowsMax = 500_000;

/** Titles, in small letters, and the fields that they stand for. */
const fieldOfTitle: Readonly<Record<string, string>> = {
  date: 'first',
  'start date': 'first',
  'end date': 'last',
  'date range': 'range',
  currency: 'currency',
  'budget currency': 'currency',
  'campaign id': 'campaignId',
  'campaign name': 'campaignName',
  campaigns: 'campaignName',
  campaign: 'campaignName',
  'ad group id': 'adGroupId',
  'ad group name': 'adGroupName',
  'ad group': 'adGroupName',
  'customer search term': 'searchTerm',
  'search term': 'searchTerm',
  state: 'state',
  type: 'type',
  'campaign type': 'type',
  targeting: 'targeting',
  'targeting type': 'targeting',
  budget: 'budget',
  'daily budget': 'budget',
  'campaign budget amount': 'budget',
  impressions: 'impressions',
  clicks: 'clicks',
  spend: 'cost',
  cost: 'cost',
  'total cost': 'cost',
  sales: 'sales',
  'total sales': 'sales',
  orders: 'conversions',
  purchases: 'conversions',
  'total orders (#)': 'conversions',
  units: 'units',
  'units sold': 'units',
  'total units (#)': 'units',
  'advertised sku sales': 'salesSameSku',
  'sales (promoted)': 'salesSameSku',
  'purchases (promoted)': 'conversionsSameSku',
  'advertised sku units (#)': 'unitsSameSku',
  'units sold (promoted)': 'unitsSameSku',
  'ntb orders': 'ordersNtb',
  'purchases (new to brand)': 'ordersNtb',
  'units sold (new to brand)': 'unitsNtb',
  'ntb sales': 'salesNtb',
  'sales (new to brand)': 'salesNtb',
};
const money = ['cost', 'sales', 'salesSameSku', 'salesNtb'];
const counts = [
  'impressions',
  'clicks',
  'conversions',
  'conversionsSameSku',
  'units',
  'unitsSameSku',
  'ordersNtb',
  'unitsNtb',
];

type Title = { readonly field: string; readonly days?: number; readonly currency?: string };
type Cells = Readonly<Record<string, string>>;
type ConsoleRow = { readonly line: number; readonly cells: Cells };

/** What a title says: "7 Day Total Sales ", "Spend(USD)", "Campaign Name". */
function titleOf(name: string): Title | undefined {
  const text = name.replaceAll(/\s+/g, ' ').trim().toLowerCase();
  const known = fieldOfTitle[text];
  if (known !== undefined) return { field: known };
  const windowed = /^(\d+) day (.+)$/.exec(text);
  if (windowed) {
    const field = titleOf(windowed[2]!);
    return field && { ...field, days: Number(windowed[1]) };
  }
  // Amounts carry their currency in brackets; "converted" ones are not the account's own.
  const inCurrency = /^(.+?) ?\(([a-z]{3}|\p{Sc})\)$/u.exec(text);
  const field = inCurrency ? fieldOfTitle[inCurrency[1]!] : undefined;
  if (field === undefined || !(money.includes(field) || field === 'budget')) return undefined;
  return {
    field,
    ...(/^[a-z]{3}$/.test(inCurrency![2]!) && { currency: inCurrency![2]!.toUpperCase() }),
  };
}

function fieldsIn(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => titleOf(name)?.field ?? []));
}

/** The search term report: a row a search term, added up per ad group and per campaign. */
export const adsSpSearchTerms: DocumentKind = {
  name: 'adsSpSearchTerms',
  about: 'Sponsored Products search term report of the advertising console (CSV or XLSX)',
  tables: ['campaignDays', 'adGroupDays'],
  ofChannel: true,
  recognisesHeader(names) {
    const fields = fieldsIn(names);
    // The same report of Sponsored Brands does not tell the advertised product's own figures.
    return ['searchTerm', 'campaignName', 'clicks', 'cost', 'unitsSameSku'].every((field) =>
      fields.has(field),
    );
  },
  read: (desk) => {
    for (const table of ['campaign_day', 'ad_group_day']) desk.partOf(table, 'SP');
    return readerOf(desk, 'SP');
  },
};

/** The list of campaigns with the figures of the dates that were chosen in the console, which it does not tell. */
export const adsConsoleCampaigns: DocumentKind = {
  name: 'adsConsoleCampaigns',
  about:
    'Campaigns of the advertising console with their figures (CSV or XLSX; its dates are named by from and to)',
  tables: ['campaignDays'],
  ofChannel: true,
  recognisesHeader(names) {
    const fields = fieldsIn(names);
    return (
      !fields.has('searchTerm') &&
      ['campaignName', 'state', 'type', 'budget', 'clicks', 'cost'].every((field) =>
        fields.has(field),
      )
    );
  },
  read: (desk) => readerOf(desk, undefined),
};

/** Reads rows of that type, by ad group and campaign; without it rows tell their types themselves and are of campaigns. */
function readerOf(desk: Desk, onlyType: AdType | undefined): DocumentReader {
  const rows: ConsoleRow[] = [];
  let titles: ReadonlyMap<string, Title> | undefined;
  return {
    record(record, line) {
      titles ??= titlesOf(Object.keys(record), desk);
      if (rows.length >= consoleRowsMax) {
        throw new DocumentRefused(
          `the document has more than ${consoleRowsMax.toLocaleString('en')} rows: split it by its dates`,
        );
      }
      const cells: Record<string, string> = {};
      for (const [name, { field, currency }] of titles) {
        // As Excel is told to leave a long number alone.
        const text = record[name]!.trim().replace(/^="(.*)"$/s, '$1');
        if (text === '' || cells[field] !== undefined) continue;
        cells[field] = text;
        if (currency !== undefined) cells.currency ??= currency;
      }
      rows.push({ line, cells });
    },
    async end() {
      const dateOf = settleDates(rows, desk, onlyType !== undefined);
      const named = await lookUp(rows, desk, onlyType);
      const campaigns = new RowSums(
        onlyType === undefined ? desk.rows('campaignDays') : desk.byTheWay('campaignDays'),
        adSums.campaignDays,
      );
      const adGroups = new RowSums(desk.rows('adGroupDays'), adSums.adGroupDays);
      const told = new ToldByTheWay(desk);
      for (const { line, cells } of rows) {
        const dates = dateOf(line, cells);
        const campaign = dates && named.campaign(line, cells);
        if (!campaign) continue;
        const { campaignId, adType } = campaign;
        const fields = figuresOf(desk, line, cells);
        if (!fields) continue;
        const row = { ...fields, date: dates.bookedOn, campaignId, adType };
        if (onlyType === undefined) {
          if (!campaigns.add(row, line, dates.first)) continue;
          desk.partOf('campaign_day', adType);
        } else {
          const adGroupId = named.adGroup(line, cells, campaignId);
          if (adGroupId === undefined || !adGroups.add({ ...row, adGroupId }, line, dates.first))
            continue;
          // The row is counted once. What the ad group was taken with is good for its campaign too, but for a currency that differs.
          if (!campaigns.add(row, line, dates.first)) {
            throw new DocumentRefused(
              `line ${line} is in another currency than the rows before it of its campaign: split the document`,
            );
          }
          if (cells.adGroupId !== undefined)
            told.tell(
              'adGroups',
              dates.bookedOn,
              { adGroupId, campaignId, name: cells.adGroupName, adType },
              line,
            );
        }
        // A campaign that was found by its name is held already.
        if (cells.campaignId !== undefined)
          told.tell('campaigns', dates.bookedOn, toldOf(cells, campaignId, adType), line);
      }
      await adGroups.stage(desk.relieve);
      await campaigns.stage(desk.relieve);
      told.stage();
    },
  };
}

/** The titles that are read. Figures of another window than the one that is asked for are not. */
function titlesOf(names: readonly string[], desk: Desk): ReadonlyMap<string, Title> {
  const titles = names.flatMap((name) => {
    const title = titleOf(name);
    return title ? [[name, title] as const] : [];
  });
  const windows = new Set(titles.flatMap(([, { days }]) => days ?? []));
  if (windows.size > 0 && !windows.has(desk.attributionDays)) {
    const [found] = windows;
    throw new DocumentRefused(
      `the document tells sales of ${found} days after a click, but those of ${desk.attributionDays} days are asked for${found === 7 || found === 14 ? `: import it with attribution=${found}` : ''}`,
    );
  }
  return new Map(
    titles.filter(([, { days }]) => days === undefined || days === desk.attributionDays),
  );
}

type Booked = { readonly bookedOn: string; readonly first: number };

/** Finds out in which order the document writes day and month, and returns what books a row. */
function settleDates(
  rows: readonly ConsoleRow[],
  desk: Desk,
  datesInRows: boolean,
): (line: number, cells: Cells) => Booked | undefined {
  if (!datesInRows) return (line) => bookCover(line, desk);
  const known = new Map<string, WrittenDate | undefined>();
  const orders = new Set<string>();
  for (const { cells } of rows) {
    for (const text of textsOf(cells)) {
      if (known.has(text)) continue;
      const written = writtenDate(text);
      known.set(text, written);
      if (written && 'order' in written) orders.add(written.order);
    }
  }
  return (line, cells) => {
    const texts = textsOf(cells);
    if (texts.length === 0) return bookCover(line, desk);
    const days: number[] = [];
    for (const text of texts) {
      const written = known.get(text);
      if (!written) {
        desk.reject(line, `${text.slice(0, 30)} is no date`);
        return undefined;
      }
      if ('day' in written) days.push(written.day);
      else if (orders.size === 1)
        days.push(orders.has('day first') ? written.dayFirst : written.monthFirst);
      else {
        desk.reject(
          line,
          `${text.slice(0, 30)} may be of two months, and ${orders.size === 0 ? 'no other date of the document tells which comes first, day or month' : 'the document writes dates either way'}: write dates as YYYY-MM-DD`,
        );
        return undefined;
      }
    }
    const [first, last = first] = days as [number, number?];
    if (last < first) {
      desk.reject(line, 'ends before it begins');
      return undefined;
    }
    const bookedOn = desk.bookOn(line, first, last);
    return bookedOn === undefined ? undefined : { bookedOn, first };
  };
}

function textsOf({ range, first, last }: Cells): readonly string[] {
  if (range !== undefined) return range.split(/\s+[-–—]\s+/);
  return [first, last].filter((text) => text !== undefined);
}

function bookCover(line: number, desk: Desk): Booked | undefined {
  if (!desk.cover) {
    desk.reject(line, 'has no date: name the one day that the figures are of by from and to');
    return undefined;
  }
  const bookedOn = desk.bookOn(line, desk.cover.first, desk.cover.last);
  return bookedOn === undefined ? undefined : { bookedOn, first: desk.cover.first };
}

type Found = { readonly campaignId: string; readonly adType: AdType };

/** What tells the numbers of campaigns and ad groups; rows whose names tell none are refused. */
type Names = {
  readonly campaign: (line: number, cells: Cells) => Found | undefined;
  readonly adGroup: (line: number, cells: Cells, campaignId: string) => string | undefined;
};

async function lookUp(
  rows: readonly ConsoleRow[],
  desk: Desk,
  onlyType: AdType | undefined,
): Promise<Names> {
  const wanted = new Set(
    rows.flatMap(({ cells }) => (cells.campaignId === undefined ? (cells.campaignName ?? []) : [])),
  );
  const campaigns = await desk.campaignsNamed([...wanted]);
  const typeOf = (cells: Cells) => onlyType ?? consoleType(cells.type);
  const fitting = (cells: Cells) =>
    (campaigns.get(cells.campaignName ?? '') ?? []).filter(
      ({ adType }) => (typeOf(cells) ?? adType) === adType,
    );
  const parents = new Set<string>();
  if (onlyType !== undefined) {
    for (const { cells } of rows) {
      if (cells.adGroupId !== undefined) continue;
      if (cells.campaignId !== undefined) parents.add(cells.campaignId);
      else for (const { campaignId } of fitting(cells)) parents.add(campaignId);
    }
  }
  const adGroups = await desk.adGroupsOf([...parents]);
  return {
    campaign(line, cells) {
      const { campaignId, campaignName: name } = cells;
      const type = typeOf(cells);
      if (campaignId !== undefined) {
        if (type) return { campaignId, adType: type };
        desk.reject(
          line,
          `does not tell its type of advertising: ${cells.type === undefined ? 'Type is empty' : `Type is ${cells.type.slice(0, 40)}`}`,
        );
        return undefined;
      }
      if (name === undefined) {
        desk.reject(line, 'has no campaign');
        return undefined;
      }
      const found = fitting(cells);
      if (found.length === 1) return found[0];
      desk.reject(
        line,
        reasonFor('campaign', name, found.length, type && ` of ${adTypeNames[type]}`),
      );
      return undefined;
    },
    adGroup(line, cells, campaignId) {
      const { adGroupId, adGroupName: name } = cells;
      if (adGroupId !== undefined) return adGroupId;
      if (name === undefined) {
        desk.reject(line, 'has no ad group');
        return undefined;
      }
      const found = (adGroups.get(campaignId) ?? []).filter((one) => one.name === name);
      if (found.length === 1) return found[0]!.adGroupId;
      desk.reject(line, reasonFor('ad group', name, found.length, ' of its campaign'));
      return undefined;
    },
  };
}

function reasonFor(what: 'campaign' | 'ad group', name: string, found: number, of = ''): string {
  const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
  return found === 0
    ? `${shown} is the name of no ${what}${of} that is held: import the list of ${what}s first`
    : `${shown} is the name of ${found} ${what}s${of}: use a document that tells their numbers`;
}

/** The figures of a row as the datasets take them, undefined where one cannot be read and the row was refused. */
function figuresOf(desk: Desk, line: number, cells: Cells): Record<string, unknown> | undefined {
  const fields: Record<string, unknown> = { currency: cells.currency };
  for (const [names, read] of [
    [money, moneyOf],
    [counts, countOf],
  ] as const) {
    for (const name of names) {
      const text = cells[name];
      const value = text === undefined ? '' : read(text);
      if (value === undefined) {
        desk.reject(
          line,
          `${name} cannot be read as a number (it is ${JSON.stringify(text!.slice(0, 40))})`,
        );
        return undefined;
      }
      fields[name] = value;
    }
  }
  return fields;
}

function toldOf(cells: Cells, campaignId: string, adType: AdType): Record<string, unknown> {
  return {
    campaignId,
    name: cells.campaignName,
    adType,
    status: cells.state,
    ...(cells.budget !== undefined && { budget: moneyOf(cells.budget) }),
    targetingType: cells.targeting,
  };
}

/** The type as the console writes it: "Sponsored Products", "SP", "SB2", "Sponsored Brands video". */
function consoleType(text: string | undefined): AdType | undefined {
  const type = /^(?:sponsored |s)(p|b|d)/i.exec(text ?? '')?.[1]?.toUpperCase();
  return type === undefined ? undefined : (`S${type}` as AdType);
}
