/**
 * Sales and traffic as the marketplace counts them: the Sales and Traffic report (one JSON
 * document) and the Data Kiosk's salesAndTraffic (one JSON object per line). Schemas:
 * selling-partner-api-models, schemas/reports/sellerSalesAndTrafficReport.json and
 * schemas/data-kiosk/analytics_salesAndTraffic_2024_04_24.graphql.
 */
import { monthOfDay } from '../../../calendar/period.ts';
import { asObject, dayAt, listIn, part } from '../../cells/json.ts';
import { DocumentRefused } from '../../refused.ts';
import type { ImportSession } from '../../session.ts';
import type { DocumentKind } from '../kind.ts';
import { isOwnCurrency, oneMarketplace, requireMarketplace } from '../marketplaces.ts';
import { hasFigures, isReport, type Period, periodOf, reportDates } from '../reports.ts';

const reportType = 'GET_SALES_AND_TRAFFIC_REPORT';

/**
 * GET_SALES_AND_TRAFFIC_REPORT. Rows by date are about the whole store. Rows by product have the
 * dates of the whole report.
 */
export const salesAndTrafficReport: DocumentKind = {
  name: 'salesAndTrafficReport',
  about: 'Sales and Traffic report (JSON, GET_SALES_AND_TRAFFIC_REPORT)',
  tables: ['traffic'],
  ofChannel: true,
  recognises: (value) => isReport(value, reportType),
  rowPaths(report) {
    const names = ['salesAndTrafficByDate', 'salesAndTrafficByAsin'];
    const found = names.filter((name) => listIn(report, name));
    return found.length === 0 ? undefined : found.map((name) => [name]);
  },
  read: (session) => {
    let granularity: unknown;
    let dates: ReturnType<typeof reportDates>;
    return {
      body(report) {
        requireMarketplace(report, session);
        requireWhole(report);
        granularity =
          part(report, 'reportSpecification', 'reportOptions', 'dateGranularity') ?? 'DAY';
        dates = reportDates(report);
      },
      value(row, line, name) {
        const { reject } = session;
        if (name === undefined)
          reject(line, 'has neither salesAndTrafficByDate nor salesAndTrafficByAsin');
        else if (name === 'salesAndTrafficByDate') {
          const first = dayAt(row, 'date');
          if (first === undefined)
            reject(line, 'salesAndTrafficByDate: date must be a date (YYYY-MM-DD)');
          else {
            const period = periodFrom(first, granularity, dates);
            take(session, line, row, period, 'salesByDate', 'trafficByDate');
          }
        } else {
          const { first, last } = dates;
          if (first === undefined || last === undefined)
            reject(line, 'salesAndTrafficByAsin: the report has no dates');
          else take(session, line, row, { first, last }, 'salesByAsin', 'trafficByAsin');
        }
      },
    };
  },
};

/** Data Kiosk salesAndTraffic, by date or by ASIN. */
export const salesAndTrafficKiosk: DocumentKind = {
  name: 'salesAndTrafficKiosk',
  about: 'Data Kiosk salesAndTraffic (JSONL)',
  tables: ['traffic'],
  ofChannel: true,
  marks: [[['startDate'], ['sales'], ['traffic']]],
  recognises: (value) =>
    ['startDate', 'sales', 'traffic'].every((name) => part(value, name) !== undefined),
  read: (session) => {
    const isOfChannel = oneMarketplace(session);
    return {
      value(row, line) {
        const period = isOfChannel(row, line) && periodOf(row, line, session);
        if (period) take(session, line, row, period, 'sales', 'traffic');
      },
    };
  },
};

function take(
  session: ImportSession,
  line: number,
  row: unknown,
  { first, last }: Period,
  salesName: string,
  trafficName: string,
): void {
  const currency = part(row, salesName, 'orderedProductSales', 'currencyCode');
  if (!isOwnCurrency(currency, session)) return;
  const date = session.postingDate(line, first, last);
  if (date === undefined) return;
  const [sku, child, parent] = ['sku', 'childAsin', 'parentAsin'].map((name) => part(row, name));
  const pageViews = part(row, trafficName, 'pageViews');
  const sessions = part(row, trafficName, 'sessions');
  const orderedProductSales = part(row, salesName, 'orderedProductSales', 'amount');
  const unitsOrdered = part(row, salesName, 'unitsOrdered');
  const totalOrderItems = part(row, salesName, 'totalOrderItems');
  const needed = { pageViews, sessions, orderedProductSales, unitsOrdered, totalOrderItems };
  if (!hasFigures(needed, line, session)) return;
  const isOfProduct = [sku, child, parent].some((one) => one !== undefined);
  const fields = {
    date,
    ...(isOfProduct && { sku, productId: child ?? parent, parentProductId: parent }),
    pageViews,
    sessions,
    mobileSessions: part(row, trafficName, 'mobileAppSessions'),
    buyBoxPercentage: part(row, trafficName, 'buyBoxPercentage'),
    orderedRevenue: orderedProductSales,
    orderedUnits: unitsOrdered,
    orderItems: totalOrderItems,
    currency,
  };
  session.rows('traffic').object(fields, line, undefined, first);
}

/** The options that say in which rows a report counts its figures. */
const wholeOptions = ['dateGranularity', 'asinGranularity'];

/** Refuses a report about a part of the store: it would replace the figures of the whole. */
function requireWhole(report: unknown): void {
  const options = asObject(part(report, 'reportSpecification', 'reportOptions')) ?? {};
  const other = Object.keys(options).find((name) => !wholeOptions.includes(name));
  if (other === undefined) return;
  throw new DocumentRefused(
    `the report was requested with ${other.slice(0, 40)}, so it may be of a part of the store: request it without`,
  );
}

/** The days of a row by date: the days of its day, week or month that the report covers. */
function periodFrom(
  date: number,
  granularity: unknown,
  report: ReturnType<typeof reportDates>,
): Period {
  if (granularity !== 'WEEK' && granularity !== 'MONTH') return { first: date, last: date };
  const end = granularity === 'WEEK' ? date + 6 : monthOfDay(date).lastDay;
  const first = Math.max(date, report.first ?? date);
  return { first, last: Math.max(first, Math.min(end, report.last ?? end)) };
}
