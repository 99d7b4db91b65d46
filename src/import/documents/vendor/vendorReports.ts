/**
 * Sales and views of a vendor's products, and the marketplace's margins on them: the Vendor Sales,
 * Vendor Traffic and Net Pure Product Margin reports, one JSON document each. Schemas:
 * selling-partner-api-models, schemas/reports/vendorSalesReport.json, vendorTrafficReport.json and
 * vendorNetPureProductMarginReport.json.
 */
import { type JsonObject, listIn, part } from '../../cells/json.ts';
import { sellingPrograms } from '../../datasets/vendor.ts';
import { DocumentRefused } from '../../refused.ts';
import type { ImportSession } from '../../session.ts';
import type { DocumentKind } from '../kind.ts';
import { isOwnCurrency, requireMarketplace } from '../marketplaces.ts';
import {
  currencyOf,
  hasFigures,
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
  dataset: 'vendorSales',
  tables: { salesAggregate: 'vendor_total', salesByAsin: 'vendor_sale' },
  productRows: 'salesByAsin',
  viewOf(report) {
    const view = option(report, 'distributorView', ['MANUFACTURING', 'SOURCING']);
    const sellingProgram = option(report, 'sellingProgram', sellingPrograms);
    return {
      partition: `${sellingProgram}/${view}`,
      fieldsOf: (row) => ({
        view,
        sellingProgram,
        currency: rowCurrency(row),
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
  dataset: 'vendorSales',
  tables: { trafficAggregate: 'vendor_total', trafficByAsin: 'vendor_sale' },
  productRows: 'trafficByAsin',
  viewOf: () => ({
    partition: '/TRAFFIC',
    fieldsOf: (row) => ({ view: 'TRAFFIC', glanceViews: part(row, 'glanceViews') }),
  }),
});

/**
 * GET_VENDOR_NET_PURE_PRODUCT_MARGIN_REPORT. The margin of the whole vendor is not stored, because
 * no answer shows it.
 */
export const vendorMarginReport = vendorReport({
  name: 'vendorMarginReport',
  about:
    'Vendor Net Pure Product Margin report by day (JSON, GET_VENDOR_NET_PURE_PRODUCT_MARGIN_REPORT)',
  reportType: 'GET_VENDOR_NET_PURE_PRODUCT_MARGIN_REPORT',
  dataset: 'vendorMargins',
  tables: { netPureProductMarginByAsin: 'vendor_margin' },
  productRows: 'netPureProductMarginByAsin',
  viewOf: () => ({
    fieldsOf: (row) => ({ netPureProductMargin: part(row, 'netPureProductMargin') }),
  }),
});

/** The programme and view that a report covers, if any, and how its rows are read. */
type View = { readonly partition?: string; readonly fieldsOf: (row: unknown) => JsonObject };

/** The differences between the reports. */
type Layout = Pick<DocumentKind, 'name' | 'about'> & {
  readonly reportType: string;
  readonly dataset: 'vendorSales' | 'vendorMargins';
  /**
   * The table of each list of rows; the list of the whole vendor comes before the list by product.
   */
  readonly tables: Readonly<Record<string, string>>;
  /** The list of rows by product. */
  readonly productRows: string;
  readonly viewOf: (report: unknown) => View;
};

function vendorReport(layout: Layout): DocumentKind {
  const { name, about, reportType, dataset, tables } = layout;
  const listsOf = (report: unknown) => Object.keys(tables).filter((list) => listIn(report, list));
  return {
    name,
    about,
    tables: [dataset],
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
            const table = tables[list]!;
            if (view.partition !== undefined) session.coverPartition(table, view.partition);
            if (first !== undefined && last !== undefined && last >= first)
              covered.push({ table, first, last });
          }
        },
        value(row, line, list) {
          if (list === undefined) {
            viewOf(row);
            throw new DocumentRefused(`the report has ${noneOf(Object.keys(tables))}`);
          }
          takeRow(session, row, line, list, { ...layout, fieldsOf: view.fieldsOf });
        },
        // A product that has lost its last row has no row to show the day.
        async end() {
          if (session.rows(dataset).rowsAccepted === 0) return;
          for (const { table, ...days } of covered) session.coverDays(table, days);
        },
      };
    },
  };
}

function noneOf(lists: readonly string[]): string {
  return lists.length === 1 ? `no ${lists[0]}` : `neither ${lists.join(' nor ')}`;
}

function takeRow(
  session: ImportSession,
  row: unknown,
  line: number,
  name: string,
  {
    dataset,
    productRows,
    fieldsOf,
  }: Pick<Layout, 'dataset' | 'productRows'> & Pick<View, 'fieldsOf'>,
): void {
  const period = periodOf(row, line, session, name);
  if (period === undefined) return;
  const asin = name === productRows ? part(row, 'asin') : '';
  if (rowCurrency(row) === undefined)
    session.reject(line, `${name}: its amounts are in several currencies`);
  else if (name === productRows && !asin) session.reject(line, `${name}: asin is required`);
  else if (isOwnCurrency(rowCurrency(row), session)) {
    const figures = fieldsOf(row);
    const date =
      hasFigures(figures, line, session) && session.postingDate(line, period.first, period.last);
    if (!date) return;
    session.rows(dataset).object({ date, asin, ...figures }, line, undefined, period.first);
  }
}

/** The one currency of a row's amounts; "" without amounts, undefined if there are several. */
function rowCurrency(row: unknown): unknown {
  return currencyOf(
    ['orderedRevenue', 'shippedRevenue', 'shippedCogs'].map((one) => part(row, one)),
  );
}

/** An option with which the report was requested. */
function option(report: unknown, name: string, known: readonly string[]): string {
  const value = part(report, 'reportSpecification', 'reportOptions', name);
  if (known.includes(value as string)) return value as string;
  const given = value === undefined ? 'missing' : JSON.stringify(value).slice(0, 40);
  throw new DocumentRefused(
    `the report's ${name} is ${given}; it must be one of ${known.join(', ')}`,
  );
}
