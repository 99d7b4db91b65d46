/**
 * Sales and traffic as the marketplace counts them: the Sales and Traffic report (one JSON document) and the Data Kiosk's
 * salesAndTraffic (a JSON object a line). Schemas: selling-partner-api-models, schemas/reports/sellerSalesAndTrafficReport.json and
 * schemas/data-kiosk/analytics_salesAndTraffic_2024_04_24.graphql.
 */
import { type Desk, type DocumentKind, dayAt, listIn, oneMarketplace, part } from '../kind.ts';

const reportType = 'GET_SALES_AND_TRAFFIC_REPORT';

/** GET_SALES_AND_TRAFFIC_REPORT. Its by-date rows speak for the whole store; its by-product rows have no date but that of the whole report. */
export const salesAndTrafficReport: DocumentKind = {
  name: 'salesAndTrafficReport',
  about: 'Sales and Traffic report (JSON, GET_SALES_AND_TRAFFIC_REPORT)',
  tables: ['traffic'],
  ofChannel: true,
  recognises: (value) => part(value, 'reportSpecification', 'reportType') === reportType,
  read: (desk) => ({
    value(report) {
      if (
        listIn(report, 'salesAndTrafficByDate') === undefined &&
        listIn(report, 'salesAndTrafficByAsin') === undefined
      ) {
        desk.reject(1, 'has neither salesAndTrafficByDate nor salesAndTrafficByAsin');
        return;
      }
      const granularity =
        part(report, 'reportSpecification', 'reportOptions', 'dateGranularity') ?? 'DAY';
      let line = 0;
      for (const row of listIn(report, 'salesAndTrafficByDate') ?? []) {
        line++;
        const first = dayAt(row, 'date');
        if (first === undefined)
          desk.reject(line, 'salesAndTrafficByDate: date must be a date (YYYY-MM-DD)');
        else
          take(
            desk,
            line,
            row,
            first,
            lastOfPeriod(first, granularity),
            'salesByDate',
            'trafficByDate',
          );
      }
      const first = dayAt(part(report, 'reportSpecification'), 'dataStartTime');
      const last = dayAt(part(report, 'reportSpecification'), 'dataEndTime');
      for (const row of listIn(report, 'salesAndTrafficByAsin') ?? []) {
        line++;
        if (first === undefined || last === undefined)
          desk.reject(line, 'salesAndTrafficByAsin: the report does not tell its dates');
        else take(desk, line, row, first, last, 'salesByAsin', 'trafficByAsin');
      }
    },
  }),
};

/** Data Kiosk salesAndTraffic, by date or by ASIN. */
export const salesAndTrafficKiosk: DocumentKind = {
  name: 'salesAndTrafficKiosk',
  about: 'Data Kiosk salesAndTraffic (JSONL)',
  tables: ['traffic'],
  ofChannel: true,
  recognises: (value) =>
    part(value, 'startDate') !== undefined &&
    part(value, 'sales') !== undefined &&
    part(value, 'traffic') !== undefined,
  read: (desk) => {
    const isOfChannel = oneMarketplace(desk);
    return {
      value(row, line) {
        if (!isOfChannel(row, line)) return;
        const first = dayAt(row, 'startDate');
        const last = dayAt(row, 'endDate') ?? first;
        if (first === undefined || last === undefined || last < first)
          desk.reject(line, 'startDate and endDate must be dates (YYYY-MM-DD) in order');
        else take(desk, line, row, first, last, 'sales', 'traffic');
      },
    };
  },
};

function take(
  desk: Desk,
  line: number,
  row: unknown,
  first: number,
  last: number,
  salesName: string,
  trafficName: string,
): void {
  const date = desk.bookOn(line, first, last);
  if (date === undefined) return;
  const parent = part(row, 'parentAsin');
  const ofProduct =
    parent !== undefined || part(row, 'childAsin') !== undefined || part(row, 'sku') !== undefined;
  const fields: Record<string, unknown> = {
    date,
    ...(ofProduct
      ? {
          sku: part(row, 'sku'),
          productId: part(row, 'childAsin') ?? parent,
          parentProductId: parent,
        }
      : {}),
    pageViews: part(row, trafficName, 'pageViews'),
    sessions: part(row, trafficName, 'sessions'),
    mobileSessions: part(row, trafficName, 'mobileAppSessions'),
    buyBoxPercentage: part(row, trafficName, 'buyBoxPercentage'),
    orderedRevenue: part(row, salesName, 'orderedProductSales', 'amount'),
    orderedUnits: part(row, salesName, 'unitsOrdered'),
    orderItems: part(row, salesName, 'totalOrderItems'),
    currency: part(row, salesName, 'orderedProductSales', 'currencyCode'),
  };
  desk.rows('traffic').object(fields, line, undefined, first);
}

function lastOfPeriod(first: number, granularity: unknown): number {
  if (granularity === 'WEEK') return first + 6;
  if (granularity !== 'MONTH') return first;
  const start = new Date(first * 86_400_000);
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0) / 86_400_000;
}
