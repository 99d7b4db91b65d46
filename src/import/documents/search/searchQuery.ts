/**
 * Search Query Performance by month and product: the report of the Selling Partner API (one JSON document) and the table that the console
 * gives out. Schema: selling-partner-api-models, schemas/reports/sellingPartnerSearchQueryPerformanceReport.json. Shares and rates are
 * passed over, as they follow from the counts.
 */
import { dayNumber, isoDate, monthOfDay } from '../../../calendar/period.ts';
import { countOf, moneyOf, writtenDate } from '../../cells/adCells.ts';
import { DocumentRefused } from '../../refused.ts';
import { type Desk, type DocumentKind, dayAt, listIn, part, requireMarketplace } from '../kind.ts';

const reportType = 'GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT';
const table = 'search_query';

/** GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT by month. It speaks only for the products that it was asked for. */
export const searchQueryReport: DocumentKind = {
  name: 'searchQueryReport',
  about: `Search Query Performance report by month (JSON, ${reportType})`,
  tables: ['searchQueries'],
  ofChannel: true,
  recognises: (value) => part(value, 'reportSpecification', 'reportType') === reportType,
  read: (desk) => ({
    value(report) {
      const specification = part(report, 'reportSpecification');
      if (part(specification, 'reportType') !== reportType)
        throw new DocumentRefused(`the document is no ${reportType}`);
      requireMonths(part(specification, 'reportOptions', 'reportPeriod'));
      requireMarketplace(report, desk);
      const list = listIn(report, 'dataByAsin');
      if (!list) throw new DocumentRefused('the report has no dataByAsin');
      const asked = part(specification, 'reportOptions', 'asin');
      for (const asin of typeof asked === 'string' ? asked.split(/\s+/) : [])
        if (asin !== '') desk.partOf(table, asin);
      for (const [index, row] of list.entries()) takeObject(row, index + 1, desk);
      const month = monthOfDays(
        dayAt(specification, 'dataStartTime'),
        dayAt(specification, 'dataEndTime'),
      );
      coverMonth(desk, month);
    },
  }),
};

function takeObject(row: unknown, line: number, desk: Desk): void {
  const month = monthOfDays(dayAt(row, 'startDate'), dayAt(row, 'endDate'));
  if (month === undefined) {
    desk.reject(
      line,
      'startDate and endDate must be the first and the last date (YYYY-MM-DD) of one month',
    );
    return;
  }
  const money = {
    totalMedianPurchasePrice: part(row, 'purchaseData', 'totalMedianPurchasePrice'),
    medianPurchasePrice: part(row, 'purchaseData', 'asinMedianPurchasePrice'),
    medianClickPrice: part(row, 'clickData', 'asinMedianClickPrice'),
  };
  const currencies = new Set(
    Object.values(money).flatMap((price) => part(price, 'currencyCode') ?? []),
  );
  if (currencies.size > 1) {
    desk.reject(line, 'its prices are in several currencies');
    return;
  }
  takeRow(desk, line, {
    month,
    asin: part(row, 'asin'),
    searchQuery: part(row, 'searchQueryData', 'searchQuery'),
    searchQueryVolume: part(row, 'searchQueryData', 'searchQueryVolume'),
    totalImpressions: part(row, 'impressionData', 'totalQueryImpressionCount'),
    impressions: part(row, 'impressionData', 'asinImpressionCount'),
    totalClicks: part(row, 'clickData', 'totalClickCount'),
    clicks: part(row, 'clickData', 'asinClickCount'),
    totalCartAdds: part(row, 'cartAddData', 'totalCartAddCount'),
    cartAdds: part(row, 'cartAddData', 'asinCartAddCount'),
    totalPurchases: part(row, 'purchaseData', 'totalPurchaseCount'),
    purchases: part(row, 'purchaseData', 'asinPurchaseCount'),
    ...Object.fromEntries(
      Object.entries(money).map(([name, price]) => [name, part(price, 'amount')]),
    ),
    currency: [...currencies][0],
  });
}

/** The titles of the console, in small letters, with the fields that they stand for. */
const counts: Readonly<Record<string, string>> = {
  'search query volume': 'searchQueryVolume',
  'impressions: total count': 'totalImpressions',
  'impressions: asin count': 'impressions',
  'clicks: total count': 'totalClicks',
  'clicks: asin count': 'clicks',
  'cart adds: total count': 'totalCartAdds',
  'cart adds: asin count': 'cartAdds',
  'purchases: total count': 'totalPurchases',
  'purchases: asin count': 'purchases',
};
const prices: Readonly<Record<string, string>> = {
  'purchases: price (median)': 'totalMedianPurchasePrice',
  'purchases: asin price (median)': 'medianPurchasePrice',
  'clicks: asin price (median)': 'medianClickPrice',
};
const requiredTitles = ['search query', 'search query volume'];
const titleOf = (name: string) => name.replaceAll(/\s+/g, ' ').trim().toLowerCase();

/** The console's table of one product, below the line that tells which product and period it is of. */
export const searchQueryTable: DocumentKind = {
  name: 'searchQueryTable',
  about:
    'Search Query Performance of the console by month, ASIN view (CSV, with the line above its header)',
  tables: ['searchQueries'],
  ofChannel: true,
  recognisesPreface: (line) => line.includes('Reporting Range=['),
  recognisesHeader(names) {
    const titles = names.map(titleOf);
    return requiredTitles.every((title) => titles.includes(title));
  },
  read(desk) {
    let told: Told | undefined;
    return {
      preface(line) {
        told = toldBy(line);
        requireMonths(told.range);
        for (const asin of told.asins) desk.partOf(table, asin);
      },
      record(record, line) {
        const cells = new Map(
          Object.entries(record).map(([name, text]) => [titleOf(name), text.trim()]),
        );
        if (!told) {
          throw new DocumentRefused(
            'the line above the header, which tells the product and the period (Reporting Range), is missing: import the table as it was downloaded',
          );
        }
        if (!cells.has('impressions: asin count')) {
          throw new DocumentRefused(
            'the table is of a brand, but these facts are kept by product: download the ASIN view',
          );
        }
        const asin = cells.get('asin') || (told.asins.length === 1 ? told.asins[0] : undefined);
        if (asin === undefined) {
          throw new DocumentRefused(
            told.asins.length === 0
              ? 'the line above the header tells no ASIN: download the ASIN view'
              : `the table is of ${told.asins.length} ASINs together: download each by itself`,
          );
        }
        const month = monthOfRow(cells.get('reporting date') ?? '', told.month);
        if ('reason' in month) {
          desk.reject(line, month.reason);
          return;
        }
        const fields: Record<string, unknown> = {
          month: month.month,
          asin,
          searchQuery: cells.get('search query'),
        };
        for (const [names, read] of [
          [counts, countOf],
          [prices, moneyOf],
        ] as const) {
          for (const [title, field] of Object.entries(names)) {
            const text = cells.get(title) ?? '';
            fields[field] = read(text);
            if (fields[field] !== undefined) continue;
            desk.reject(
              line,
              `${field} cannot be read as a number (it is ${JSON.stringify(text.slice(0, 40))})`,
            );
            return;
          }
        }
        takeRow(desk, line, fields);
      },
      async end() {
        coverMonth(desk, told?.month);
      },
    };
  },
};

/** What the line above the header tells. */
type Told = {
  readonly range: string;
  readonly asins: readonly string[];
  readonly month: string | undefined;
};

/** Reads `ASIN or Product=["B0…"],Reporting Range=["Monthly"],Select year=["2026"],Select month=["January"]`, whichever way it is quoted. */
function toldBy(line: string): Told {
  const values = new Map<string, string>();
  for (const [, name, value] of line.replaceAll('"', '').matchAll(/([^=,;\t[\]]+)=\[([^\]]*)\]/g)) {
    values.set(name!.trim().toLowerCase(), value!.trim());
  }
  const asins = values.get('asin or product') ?? values.get('asin') ?? '';
  return {
    range: values.get('reporting range') ?? '',
    asins: asins.split(/[\s,;]+/).filter((asin) => asin !== ''),
    month: monthTold(values.get('select month') ?? '', values.get('select year') ?? ''),
  };
}

/** The month of "January" and a year, of "2025-03-31", or of "June | 2026-06-01 - 2026-06-30 2026". */
function monthTold(text: string, year: string): string | undefined {
  const date = /(\d{4}-\d{2})-\d{2}/.exec(text);
  if (date) return date[1];
  const written = writtenDate(/^[a-z]+$/i.test(text) ? `1 ${text} ${year}` : '');
  return written && 'day' in written ? isoDate(written.day).slice(0, 7) : undefined;
}

/** The month of a row, whose date is the last one of it; the line above the header stands in where the row has no date. */
function monthOfRow(
  text: string,
  told: string | undefined,
): { readonly month: string } | { readonly reason: string } {
  if (text === '')
    return told === undefined ? { reason: 'has no Reporting Date' } : { month: told };
  const written = writtenDate(text);
  const day = written && 'day' in written ? written.day : undefined;
  const month = day === undefined ? undefined : monthEndingOn(day);
  if (month === undefined)
    return {
      reason: `Reporting Date must be the last date of a month (it is ${JSON.stringify(text.slice(0, 30))})`,
    };
  return told === undefined || told === month
    ? { month }
    : { reason: `is of ${month}, but the line above the header tells ${told}` };
}

function takeRow(desk: Desk, line: number, fields: Readonly<Record<string, unknown>>): void {
  const rows = desk.rows('searchQueries');
  const before = rows.rowsAccepted;
  rows.object(fields, line);
  if (rows.rowsAccepted > before) desk.partOf(table, String(fields.asin));
}

/** A product without any row left is known by its month alone. */
function coverMonth(desk: Desk, month: string | undefined): void {
  if (month === undefined || desk.rows('searchQueries').rowsAccepted === 0) return;
  const first = dayNumber(`${month}-01`);
  desk.covers(table, { first, last: first });
}

/** Refuses a document of other periods than months. */
function requireMonths(period: unknown): void {
  if (typeof period === 'string' && /^month(?:ly)?$/i.test(period)) return;
  const told =
    typeof period === 'string' && period !== ''
      ? `by ${period.toLowerCase().replace(/ly$/, '')}`
      : 'of a period that it does not tell';
  throw new DocumentRefused(
    `the document is ${told}, but search queries are kept by month, and a month cannot be made of weeks nor taken out of a quarter: ask the marketplace for the same by month`,
  );
}

/** The month from its first to its last day, undefined where these are no month. */
function monthOfDays(first: number | undefined, last: number | undefined): string | undefined {
  return first === undefined || last === undefined || monthOfDay(last).firstDay !== first
    ? undefined
    : monthEndingOn(last);
}

/** The month whose last day that is. */
function monthEndingOn(day: number): string | undefined {
  return monthOfDay(day).lastDay === day ? isoDate(day).slice(0, 7) : undefined;
}
