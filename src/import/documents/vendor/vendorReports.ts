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
import {
  currencyOf,
  isReport,
  type Period,
  periodOf,
  reportDates,
  requireReport,
} from '../reports.ts';

/**
 * GET_VENDOR_SALES_REPORT of one selling programme and distributor view. Others are left unchanged.
 */
export const vendorSalesReport = vendorReport({
  name: 'vendorSalesReport',
  about: 'Vendor Sales report by day (JSON, GET_VENDOR_SALES_REPORT)',
  reportType: 'GET_VENDOR_SALES_REPORT',
  vendorRows: 'salesAggregate',
  productRows: 'salesByAsin',
  viewOf(report) {
    const view = option(report, 'distributorView', ['MANUFACTURING', 'SOURCING']);
    const sellingProgram = option(report, 'sellingProgram', sellingPrograms);
    return {
      partition: `${sellingProgram}/${view}`,
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
    };
  },
});

/** GET_VENDOR_TRAFFIC_REPORT, which has no programme and only page views. */
export const vendorTrafficReport = vendorReport({
  name: 'vendorTrafficReport',
  about: 'Vendor Traffic report by day (JSON, GET_VENDOR_TRAFFIC_REPORT)',
  reportType: 'GET_VENDOR_TRAFFIC_REPORT',
  vendorRows: 'trafficAggregate',
  productRows: 'trafficByAsin',
  viewOf: () => ({
    partition: '/TRAFFIC',
    fieldsOf: (row) => ({ view: 'TRAFFIC', glanceViews: part(row, 'glanceViews') }),
  }),
});

/** The programme and view that a report covers, and how its rows are read. */
type View = { readonly partition: string; readonly fieldsOf: (row: unknown) => JsonObject };

/** The differences between the two reports. */
type Layout = Pick<DocumentKind, 'name' | 'about'> & {
  readonly reportType: string;
  /** The list of rows of the whole vendor, and the list of rows by product. */
  readonly vendorRows: string;
  readonly productRows: string;
  readonly viewOf: (report: unknown) => View;
};

function vendorReport(layout: Layout): DocumentKind {
  const { name, about, reportType, vendorRows, productRows } = layout;
  const listsOf = (report: unknown) =>
    [vendorRows, productRows].filter((list) => listIn(report, list));
  return {
    name,
    about,
    tables: ['vendorSales'],
    ofChannel: true,
    recognises: (value) => isReport(value, reportType),
    rowPaths(report) {
      const lists = listsOf(report);
      return lists.length === 0 ? undefined : lists.map((list) => [list]);
    },
    read(session) {
      const covered: (Period & { readonly table: string })[] = [];
      let view: View;
      const viewOf = (report: unknown): View => {
        requireReport(report, reportType);
        const found = layout.viewOf(report);
        requireMarketplace(report, session);
        return found;
      };
      return {
        body(report) {
          view = viewOf(report);
          const { first, last } = reportDates(report);
          for (const list of listsOf(report)) {
            const table = list === vendorRows ? 'vendor_total' : 'vendor_sale';
            session.coverPartition(table, view.partition);
            if (first !== undefined && last !== undefined && last >= first)
              covered.push({ table, first, last });
          }
        },
        value(row, line, list) {
          if (list === undefined) {
            viewOf(row);
            throw new DocumentRefused(`the report has neither ${vendorRows} nor ${productRows}`);
          }
          takeRow(session, row, line, list, { productRows, fieldsOf: view.fieldsOf });
        },
        // A product that has lost its last row has no row to show the day.
        async end() {
          if (session.rows('vendorSales').rowsAccepted === 0) return;
          for (const { table, ...days } of covered) session.coverDays(table, days);
        },
      };
    },
  };
}

function takeRow(
  session: ImportSession,
  row: unknown,
  line: number,
  name: string,
  { productRows, fieldsOf }: Pick<Layout, 'productRows'> & Pick<View, 'fieldsOf'>,
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
