/**
 * Search Query Performance as the console exports it: the table of one product and month, below a
 * line that names both.
 */
import { isoDate } from '../../../calendar/period.ts';
import { readDate } from '../../cells/dates.ts';
import { DocumentRefused } from '../../refused.ts';
import { shown } from '../../rows.ts';
import { marketplaceNamed, requireOneOf } from '../marketplaces.ts';
import {
  amount,
  count,
  known,
  optional,
  plainTitle,
  requireColumns,
  tableDocument,
  text,
} from '../table.ts';
import {
  coverMonth,
  monthEndingOn,
  requireMonths,
  searchQueryFacts,
  takeSearchQuery,
} from './months.ts';

const columns = {
  searchQuery: known('search query', text),
  reportingDate: optional('reporting date', text),
  asin: optional('asin', text),
  searchQueryVolume: known('search query volume', count),
  totalImpressions: optional('impressions: total count', count),
  impressions: optional('impressions: asin count', count),
  totalClicks: optional('clicks: total count', count),
  clicks: optional('clicks: asin count', count),
  totalCartAdds: optional('cart adds: total count', count),
  cartAdds: optional('cart adds: asin count', count),
  totalPurchases: optional('purchases: total count', count),
  purchases: optional('purchases: asin count', count),
  totalMedianPurchasePrice: optional('purchases: price (median)', amount),
  medianPurchasePrice: optional('purchases: asin price (median)', amount),
  medianClickPrice: optional('clicks: asin price (median)', amount),
};

const figures = (Object.keys(columns) as (keyof typeof columns)[]).filter(
  (name) => name !== 'reportingDate' && name !== 'asin',
);

/** The console's table in its ASIN view. */
export const searchQueryTable = tableDocument({
  name: 'searchQueryTable',
  about:
    'Search Query Performance of the console by month, ASIN view (CSV, with the line above its header)',
  tables: ['searchQueries'],
  isQuoted: true,
  columns,
  title: plainTitle,
  recognisesPreface: (line) => line.includes('Reporting Range=['),
  open(session) {
    let preface: Preface | undefined;
    return {
      preface(line) {
        preface = prefaceOf(line);
        requireMonths(preface.range);
        requireOneOf(preface.marketplaces, session);
        for (const asin of preface.asins) session.coverPartition(searchQueryFacts, asin);
      },
      header(has) {
        if (!preface)
          throw new DocumentRefused(
            'the line above the header, with the product and the period (Reporting Range), is missing: import the table as it was downloaded',
          );
        if (!has.has('impressions'))
          throw new DocumentRefused('the table is the brand view: download the ASIN view');
        requireColumns(columns, has, figures);
      },
      row({ asin: ownAsin, reportingDate, ...figures }, line) {
        const { asins, month: prefaceMonth } = preface!;
        const asin = ownAsin || (asins.length === 1 ? asins[0] : undefined);
        if (asin === undefined)
          throw new DocumentRefused(
            asins.length === 0
              ? 'the line above the header names no ASIN: download the ASIN view'
              : `the table adds up ${asins.length} ASINs: download each by itself`,
          );
        const month = monthOfRow(reportingDate, prefaceMonth);
        if ('reason' in month) return month.reason;
        takeSearchQuery(session, line, { ...figures, ...month, asin });
        return undefined;
      },
      end: async () => coverMonth(session, preface?.month),
    };
  },
});

/** The line above the header. */
type Preface = {
  readonly range: string;
  readonly asins: readonly string[];
  readonly month: string | undefined;
  /** The ids of the marketplaces that the line names. */
  readonly marketplaces: readonly string[];
};

/**
 * Reads `ASIN or Product=["B0…"],Reporting Range=["Monthly"],Select year=["2026"],Select
 * month=["January"]`, with or without quotes.
 */
function prefaceOf(line: string): Preface {
  const values = new Map<string, string>();
  for (const part of line.replaceAll('"', '').split(']').slice(0, -1)) {
    const [, name, value] = /(?<![^=,;\t[])([^=,;\t[]+)=\[(.*)$/s.exec(part) ?? [];
    if (name !== undefined) values.set(name.trim().toLowerCase(), value!.trim());
  }
  const asins = values.get('asin or product') ?? values.get('asin') ?? '';
  return {
    range: values.get('reporting range') ?? '',
    asins: asins.split(/[\s,;]+/).filter((asin) => asin !== ''),
    marketplaces: ['country', 'countries', 'marketplace', 'marketplaces', 'store'].flatMap((name) =>
      (values.get(name) ?? '').split(',').flatMap((one) => marketplaceNamed(one) ?? []),
    ),
    month: monthIn(values.get('select month') ?? '', values.get('select year') ?? ''),
  };
}

/**
 * The month of "January" and a year, of "2025-03-31", or of "June | 2026-06-01 - 2026-06-30 2026".
 */
function monthIn(text: string, year: string): string | undefined {
  const date = /(\d{4}-\d{2})-\d{2}/.exec(text);
  if (date) return date[1];
  const first = /^[a-z]+$/i.test(text) ? dayOf(`1 ${text} ${year}`) : undefined;
  return first === undefined ? undefined : isoDate(first).slice(0, 7);
}

/** The day of an unambiguous date. */
function dayOf(text: string): number | undefined {
  const { dayFirst, monthFirst } = readDate(text, 'spreadsheet') ?? {};
  if (dayFirst === undefined) return monthFirst;
  return monthFirst === undefined || monthFirst === dayFirst ? dayFirst : undefined;
}

/**
 * The month that ends on the row's date. Without a date, the month in the line above the header.
 */
function monthOfRow(
  text: string,
  prefaceMonth: string | undefined,
): { readonly month: string } | { readonly reason: string } {
  if (text === '')
    return prefaceMonth === undefined
      ? { reason: 'Reporting Date is required' }
      : { month: prefaceMonth };
  const day = dayOf(text);
  const month = day === undefined ? undefined : monthEndingOn(day);
  if (month === undefined)
    return { reason: `Reporting Date must be the last date of a month (it is ${shown(text)})` };
  return prefaceMonth === undefined || prefaceMonth === month
    ? { month }
    : { reason: `belongs to ${month}, but the line above the header to ${prefaceMonth}` };
}
