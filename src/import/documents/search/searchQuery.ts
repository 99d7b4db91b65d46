/**
 * The Search Query Performance report of the Selling Partner API, by month and product. Schema:
 * selling-partner-api-models, schemas/reports/sellingPartnerSearchQueryPerformanceReport.json.
 * Shares and rates are not read, because they follow from the counts.
 */
import { dayAt, listIn, part } from '../../cells/json.ts';
import { DocumentRefused } from '../../refused.ts';
import type { ImportSession } from '../../session.ts';
import type { DocumentKind } from '../kind.ts';
import { isOwnCurrency, requireMarketplace } from '../marketplaces.ts';
import { currencyOf, hasFigures, isReport, reportDates, requireReport } from '../reports.ts';
import {
  coverMonth,
  monthOfDays,
  requireMonths,
  searchQueryFacts,
  takeSearchQuery,
} from './months.ts';

const reportType = 'GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT';

/**
 * GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT by month. It covers only the products that
 * were requested.
 */
export const searchQueryReport: DocumentKind = {
  name: 'searchQueryReport',
  about: `Search Query Performance report by month (JSON, ${reportType})`,
  tables: ['searchQueries'],
  ofChannel: true,
  recognises: (value) => isReport(value, reportType),
  rowPaths: (report) => listIn(report, 'dataByAsin') && [['dataByAsin']],
  read(session) {
    const months: (string | undefined)[] = [];
    const check = (report: unknown) => {
      requireReport(report, reportType);
      requireMonths(part(report, 'reportSpecification', 'reportOptions', 'reportPeriod'));
      requireMarketplace(report, session);
    };
    return {
      body(report) {
        check(report);
        const asins = part(report, 'reportSpecification', 'reportOptions', 'asin');
        for (const asin of typeof asins === 'string' ? asins.split(/\s+/) : [])
          if (asin !== '') session.coverPartition(searchQueryFacts, asin);
        const { first, last } = reportDates(report);
        months.push(monthOfDays(first, last));
      },
      value(row, line, name) {
        if (name === undefined) {
          check(row);
          throw new DocumentRefused('the report has no dataByAsin');
        }
        takeRow(row, line, session);
      },
      async end() {
        for (const month of months) coverMonth(session, month);
      },
    };
  },
};

function takeRow(row: unknown, line: number, session: ImportSession): void {
  const month = monthOfDays(dayAt(row, 'startDate'), dayAt(row, 'endDate'));
  if (month === undefined) {
    session.reject(
      line,
      'startDate and endDate must be the first and the last date (YYYY-MM-DD) of one month',
    );
    return;
  }
  const prices = {
    totalMedianPurchasePrice: part(row, 'purchaseData', 'totalMedianPurchasePrice'),
    medianPurchasePrice: part(row, 'purchaseData', 'asinMedianPurchasePrice'),
    medianClickPrice: part(row, 'clickData', 'asinMedianClickPrice'),
  };
  const currency = currencyOf(Object.values(prices));
  if (currency === undefined) {
    session.reject(line, 'its prices are in several currencies');
    return;
  }
  if (!isOwnCurrency(currency, session)) return;
  const counts = {
    searchQueryVolume: part(row, 'searchQueryData', 'searchQueryVolume'),
    totalImpressions: part(row, 'impressionData', 'totalQueryImpressionCount'),
    impressions: part(row, 'impressionData', 'asinImpressionCount'),
    totalClicks: part(row, 'clickData', 'totalClickCount'),
    clicks: part(row, 'clickData', 'asinClickCount'),
    totalCartAdds: part(row, 'cartAddData', 'totalCartAddCount'),
    cartAdds: part(row, 'cartAddData', 'asinCartAddCount'),
    totalPurchases: part(row, 'purchaseData', 'totalPurchaseCount'),
    purchases: part(row, 'purchaseData', 'asinPurchaseCount'),
  };
  if (!hasFigures(counts, line, session)) return;
  takeSearchQuery(session, line, {
    month,
    asin: part(row, 'asin'),
    searchQuery: part(row, 'searchQueryData', 'searchQuery'),
    ...counts,
    ...Object.fromEntries(
      Object.entries(prices).map(([name, price]) => [name, part(price, 'amount')]),
    ),
    currency,
  });
}
