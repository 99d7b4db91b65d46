/**
 * What the marketplace sold of a vendor's products: the Vendor Sales and Vendor Traffic reports (one JSON document each), and the Data
 * Kiosk's vendorAnalytics (a JSON object a period). Schemas: selling-partner-api-models, schemas/reports/vendorSalesReport.json and
 * vendorTrafficReport.json, schemas/data-kiosk/analytics_vendorAnalytics_2024_09_30.graphql.
 */

import { RowSums } from '../../cells/sums.ts';
import { sellingPrograms } from '../../datasets/datasets.ts';
import { DocumentRefused } from '../../refused.ts';
import {
  type Desk,
  type DocumentKind,
  dayAt,
  listIn,
  oneMarketplace,
  part,
  requireMarketplace,
} from '../kind.ts';

const salesReport = 'GET_VENDOR_SALES_REPORT';
const trafficReport = 'GET_VENDOR_TRAFFIC_REPORT';

/** GET_VENDOR_SALES_REPORT, of one selling programme and distributor view: its document leaves all others alone. */
export const vendorSalesReport: DocumentKind = {
  name: 'vendorSalesReport',
  about: 'Vendor Sales report by day (JSON, GET_VENDOR_SALES_REPORT)',
  tables: ['vendorSales'],
  ofChannel: true,
  recognises: (value) => typeOf(value) === salesReport,
  read: (desk) => ({
    value(report) {
      requireType(report, salesReport);
      const view = option(report, 'distributorView', ['MANUFACTURING', 'SOURCING']);
      const sellingProgram = option(report, 'sellingProgram', sellingPrograms);
      take(report, desk, `${sellingProgram}/${view}`, ['salesAggregate', 'salesByAsin'], (row) => ({
        view,
        sellingProgram,
        ...(view === 'MANUFACTURING' && {
          orderedRevenue: part(row, 'orderedRevenue', 'amount'),
          orderedUnits: part(row, 'orderedUnits'),
        }),
        shippedRevenue: part(row, 'shippedRevenue', 'amount'),
        shippedUnits: part(row, 'shippedUnits'),
        shippedCogs: part(row, 'shippedCogs', 'amount'),
      }));
    },
  }),
};

/** GET_VENDOR_TRAFFIC_REPORT, which is of no programme and tells views of product pages alone. */
export const vendorTrafficReport: DocumentKind = {
  name: 'vendorTrafficReport',
  about: 'Vendor Traffic report by day (JSON, GET_VENDOR_TRAFFIC_REPORT)',
  tables: ['vendorSales'],
  ofChannel: true,
  recognises: (value) => typeOf(value) === trafficReport,
  read: (desk) => ({
    value(report) {
      requireType(report, trafficReport);
      take(report, desk, '/TRAFFIC', ['trafficAggregate', 'trafficByAsin'], (row) => ({
        view: 'TRAFFIC',
        glanceViews: part(row, 'glanceViews'),
      }));
    },
  }),
};

/** Groups of figures that only the manufacturing view has. */
const ofManufacturing = ['orders', 'traffic', 'forecasting'];
const kioskSums = {
  key: ['date', 'asin'],
  figures: [
    'glanceViews',
    'orderedRevenue',
    'orderedUnits',
    'shippedRevenue',
    'shippedUnits',
    'shippedCogs',
  ],
};

/** A document of one view, which it does not name: groups of figures that only one view has tell it, or the import. */
function kiosk(name: string, view: 'MANUFACTURING' | 'SOURCING'): DocumentKind {
  return {
    name,
    about: `Data Kiosk vendorAnalytics, ${view.toLowerCase()}View by day and ASIN (JSONL)`,
    tables: ['vendorSales'],
    ofChannel: true,
    recognises(value) {
      const figures = [
        part(value, 'totals'),
        ...(listIn(value, 'metrics') ?? []).slice(0, 1).map((one) => part(one, 'metrics')),
      ];
      if (
        dayAt(value, 'startDate') === undefined ||
        figures.every((one) => typeof one !== 'object')
      )
        return false;
      return view === 'MANUFACTURING' || !figures.some(hasManufacturing);
    },
    read(desk) {
      const isOfChannel = oneMarketplace(desk);
      const rows = desk.rows('vendorSales');
      const sums = new RowSums(rows, kioskSums);
      const told: { readonly table: string; readonly first: number; readonly last: number }[] = [];
      for (const table of ['vendor_total', 'vendor_sale']) desk.partOf(table, `/${view}`);
      return {
        value(period, line) {
          if (!isOfChannel(period, line)) return;
          const first = dayAt(period, 'startDate');
          const last = dayAt(period, 'endDate') ?? first;
          if (first === undefined || last === undefined || last < first) {
            desk.reject(line, 'startDate and endDate must be dates (YYYY-MM-DD) in order');
            return;
          }
          const date = desk.bookOn(line, first, last);
          if (date === undefined) return;
          const totals = part(period, 'totals');
          const products = listIn(period, 'metrics');
          if (totals) {
            sums.add({ date, view, ...figuresOf(totals, view) }, line, first);
            told.push({ table: 'vendor_total', first, last });
          }
          if (!products) return;
          told.push({ table: 'vendor_sale', first, last });
          for (const product of products) {
            const asin = part(product, 'groupByKey', 'asin');
            if (asin)
              sums.add(
                { date, view, asin, ...figuresOf(part(product, 'metrics'), view) },
                line,
                first,
              );
            else desk.reject(line, 'metrics must be grouped by asin');
          }
        },
        async end() {
          await sums.stage(desk.relieve);
          if (rows.rowsAccepted > 0)
            for (const { table, ...days } of told) desk.covers(table, days);
        },
      };
    },
  };
}

/** The Data Kiosk's manufacturingView. */
export const vendorKioskManufacturing = kiosk('vendorKioskManufacturing', 'MANUFACTURING');

/** The Data Kiosk's sourcingView. */
export const vendorKioskSourcing = kiosk('vendorKioskSourcing', 'SOURCING');

function hasManufacturing(figures: unknown): boolean {
  return ofManufacturing.some((name) => part(figures, name) !== undefined);
}

function figuresOf(figures: unknown, view: string): Fields {
  if (view === 'SOURCING' && hasManufacturing(figures)) {
    throw new DocumentRefused(
      'the document is of the manufacturing view, but was said to be of the sourcing view',
    );
  }
  const ordered = part(figures, 'orders', 'orderedUnitsWithRevenue');
  const shipped = part(figures, 'shippedOrders', 'shippedUnitsWithRevenue');
  const cogs = part(figures, 'costs', 'shippedCogs');
  return {
    glanceViews: part(figures, 'traffic', 'glanceViews'),
    orderedRevenue: part(ordered, 'value', 'amount'),
    orderedUnits: part(ordered, 'units'),
    shippedRevenue: part(shipped, 'value', 'amount'),
    shippedUnits: part(shipped, 'units'),
    shippedCogs: part(cogs, 'amount'),
    // A query names one currency for all its amounts.
    currency:
      part(ordered, 'value', 'currencyCode') ??
      part(shipped, 'value', 'currencyCode') ??
      part(cogs, 'currencyCode'),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Takes the rows of the whole vendor and those of its products, and says which days and part of them the report speaks for. */
function take(
  report: unknown,
  desk: Desk,
  reportPart: string,
  [ofVendor, byProduct]: readonly [string, string],
  fieldsOf: (row: unknown) => Fields,
): void {
  requireMarketplace(report, desk);
  const rows = desk.rows('vendorSales');
  const first = dayAt(part(report, 'reportSpecification'), 'dataStartTime');
  const last = dayAt(part(report, 'reportSpecification'), 'dataEndTime');
  const lists = [
    { name: ofVendor, table: 'vendor_total', list: listIn(report, ofVendor) },
    { name: byProduct, table: 'vendor_sale', list: listIn(report, byProduct) },
  ].flatMap(({ list, ...rest }) => (list ? [{ ...rest, list }] : []));
  if (lists.length === 0)
    throw new DocumentRefused(`the report has neither ${ofVendor} nor ${byProduct}`);
  let line = 0;
  for (const { name, table, list } of lists) {
    desk.partOf(table, reportPart);
    for (const row of list) {
      line++;
      const rowFirst = dayAt(row, 'startDate');
      const rowLast = dayAt(row, 'endDate');
      const currency = currencyOf(row);
      if (rowFirst === undefined || rowLast === undefined || rowLast < rowFirst) {
        desk.reject(line, `${name}: startDate and endDate must be dates (YYYY-MM-DD) in order`);
      } else if (currency === undefined) {
        desk.reject(line, `${name}: its amounts are in several currencies`);
      } else if (table === 'vendor_sale' && !part(row, 'asin')) {
        desk.reject(line, `${name}: asin is required`);
      } else {
        const date = desk.bookOn(line, rowFirst, rowLast);
        if (date === undefined) continue;
        const asin = table === 'vendor_sale' ? part(row, 'asin') : '';
        rows.object({ date, asin, currency, ...fieldsOf(row) }, line, undefined, rowFirst);
      }
    }
  }
  // A product whose last row vanished leaves no row behind that would tell of its day.
  if (rows.rowsAccepted === 0 || first === undefined || last === undefined || last < first) return;
  for (const { table } of lists) desk.covers(table, { first, last });
}

/** The currency of the row's amounts, "" where it has none; undefined where they differ. */
function currencyOf(row: unknown): unknown {
  const told = ['orderedRevenue', 'shippedRevenue', 'shippedCogs'].map((name) =>
    part(row, name, 'currencyCode'),
  );
  const currencies = new Set(told.filter((code) => code !== undefined));
  return currencies.size > 1 ? undefined : ([...currencies][0] ?? '');
}

function typeOf(report: unknown): unknown {
  return part(report, 'reportSpecification', 'reportType');
}

function requireType(report: unknown, type: string): void {
  if (typeOf(report) !== type) throw new DocumentRefused(`the document is no ${type}`);
}

/** An option that the report was asked for with. */
function option(report: unknown, name: string, known: readonly string[]): string {
  const value = part(report, 'reportSpecification', 'reportOptions', name);
  if (known.includes(value as string)) return value as string;
  throw new DocumentRefused(
    `the report's ${name} is ${value === undefined ? 'not told' : JSON.stringify(value).slice(0, 40)}; taken are ${known.join(', ')}`,
  );
}
