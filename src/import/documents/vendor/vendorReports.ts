/**
 * Sales and views of a vendor's products: the Vendor Sales and Vendor Traffic reports, one JSON
 * document each. Schemas: selling-partner-api-models, schemas/reports/vendorSalesReport.json and
 * vendorTrafficReport.json.
 */
import { type JsonObject, listIn, part } from '../../cells/json.ts';
import { sellingPrograms } from '../../datasets/vendor.ts';
import { DocumentRefused } from '../../refused.ts';
import type { ImportSession } from '../../session.ts';
import type { DocumentKind } from '../kind.ts';
import { requireMarketplace } from '../marketplaces.ts';
import { currencyOf, isReport, periodOf, reportDates, requireReport } from '../reports.ts';

const salesReport = 'GET_VENDOR_SALES_REPORT';
const trafficReport = 'GET_VENDOR_TRAFFIC_REPORT';

/**
 * GET_VENDOR_SALES_REPORT of one selling programme and distributor view. Others are left unchanged.
 */
export const vendorSalesReport: DocumentKind = {
  name: 'vendorSalesReport',
  about: 'Vendor Sales report by day (JSON, GET_VENDOR_SALES_REPORT)',
  tables: ['vendorSales'],
  ofChannel: true,
  recognises: (value) => isReport(value, salesReport),
  read: (session) => ({
    value(report) {
      requireReport(report, salesReport);
      const view = option(report, 'distributorView', ['MANUFACTURING', 'SOURCING']);
      const sellingProgram = option(report, 'sellingProgram', sellingPrograms);
      takeReport(session, report, {
        partition: `${sellingProgram}/${view}`,
        vendorRows: 'salesAggregate',
        productRows: 'salesByAsin',
        fieldsOf: (row) => ({
          view,
          sellingProgram,
          ...(view === 'MANUFACTURING' && {
            orderedRevenue: part(row, 'orderedRevenue', 'amount'),
            orderedUnits: part(row, 'orderedUnits'),
          }),
          shippedRevenue: part(row, 'shippedRevenue', 'amount'),
          shippedUnits: part(row, 'shippedUnits'),
          shippedCogs: part(row, 'shippedCogs', 'amount'),
        }),
      });
    },
  }),
};

/** GET_VENDOR_TRAFFIC_REPORT, which has no programme and only page views. */
export const vendorTrafficReport: DocumentKind = {
  name: 'vendorTrafficReport',
  about: 'Vendor Traffic report by day (JSON, GET_VENDOR_TRAFFIC_REPORT)',
  tables: ['vendorSales'],
  ofChannel: true,
  recognises: (value) => isReport(value, trafficReport),
  read: (session) => ({
    value(report) {
      requireReport(report, trafficReport);
      takeReport(session, report, {
        partition: '/TRAFFIC',
        vendorRows: 'trafficAggregate',
        productRows: 'trafficByAsin',
        fieldsOf: (row) => ({ view: 'TRAFFIC', glanceViews: part(row, 'glanceViews') }),
      });
    },
  }),
};

/** The differences between the two reports. */
type Layout = {
  /** The programme and view that the report covers. */
  readonly partition: string;
  /** The list of rows of the whole vendor, and the list of rows by product. */
  readonly vendorRows: string;
  readonly productRows: string;
  readonly fieldsOf: (row: unknown) => JsonObject;
};

function takeReport(session: ImportSession, report: unknown, layout: Layout): void {
  requireMarketplace(report, session);
  const rows = session.rows('vendorSales');
  const { vendorRows, productRows } = layout;
  const lists = [
    { name: vendorRows, table: 'vendor_total', list: listIn(report, vendorRows) },
    { name: productRows, table: 'vendor_sale', list: listIn(report, productRows) },
  ].flatMap(({ list, ...rest }) => (list ? [{ ...rest, list }] : []));
  if (lists.length === 0)
    throw new DocumentRefused(`the report has neither ${vendorRows} nor ${productRows}`);
  let line = 0;
  for (const { name, table, list } of lists) {
    session.coverPartition(table, layout.partition);
    for (const row of list) takeRow(session, row, ++line, name, layout);
  }
  // A product that has lost its last row has no row to show the day.
  const { first, last } = reportDates(report);
  if (rows.rowsAccepted === 0 || first === undefined || last === undefined || last < first) return;
  for (const { table } of lists) session.coverDays(table, { first, last });
}

function takeRow(
  session: ImportSession,
  row: unknown,
  line: number,
  name: string,
  { productRows, fieldsOf }: Layout,
): void {
  const period = periodOf(row, line, session, { name, needsEnd: true });
  if (period === undefined) return;
  const amounts = ['orderedRevenue', 'shippedRevenue', 'shippedCogs'].map((one) => part(row, one));
  const currency = currencyOf(amounts);
  const asin = name === productRows ? part(row, 'asin') : '';
  if (currency === undefined)
    session.reject(line, `${name}: its amounts are in several currencies`);
  else if (name === productRows && !asin) session.reject(line, `${name}: asin is required`);
  else {
    const date = session.postingDate(line, period.first, period.last);
    if (date === undefined) return;
    const fields = { date, asin, currency, ...fieldsOf(row) };
    session.rows('vendorSales').object(fields, line, undefined, period.first);
  }
}

/** An option that the report was requested with. */
function option(report: unknown, name: string, known: readonly string[]): string {
  const value = part(report, 'reportSpecification', 'reportOptions', name);
  if (known.includes(value as string)) return value as string;
  const given = value === undefined ? 'missing' : JSON.stringify(value).slice(0, 40);
  throw new DocumentRefused(
    `the report's ${name} is ${given}; it must be one of ${known.join(', ')}`,
  );
}
