/**
 * Sales and views of a vendor's products in the Data Kiosk's vendorAnalytics, one JSON object per
 * period. Schema: selling-partner-api-models,
 * schemas/data-kiosk/analytics_vendorAnalytics_2024_09_30.graphql.
 */
import { dayAt, type JsonObject, listIn, part } from '../../cells/json.ts';
import { RowSums } from '../../cells/sums.ts';
import { DocumentRefused } from '../../refused.ts';
import type { DocumentKind } from '../kind.ts';
import { isOwnCurrency, oneMarketplace } from '../marketplaces.ts';
import { hasFigures, type Period, periodOf } from '../reports.ts';

/** Groups of figures that only the manufacturing view has. */
const manufacturingGroups = ['orders', 'traffic', 'forecasting'];
const sumShape = {
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

/**
 * A document of one view. It does not name its view: the import names it, or figures that only this
 * view has show it.
 */
function kiosk(name: DocumentKind['name'], view: 'MANUFACTURING' | 'SOURCING'): DocumentKind {
  return {
    name,
    about: `Data Kiosk vendorAnalytics, ${view.toLowerCase()}View by day and ASIN (JSONL)`,
    tables: ['vendorSales'],
    ofChannel: true,
    recognises(value) {
      const [product] = listIn(value, 'metrics') ?? [];
      const figures = [part(value, 'totals'), part(product, 'metrics')];
      return (
        dayAt(value, 'startDate') !== undefined &&
        figures.some((one) => typeof one === 'object') &&
        (view === 'MANUFACTURING' || !figures.some(isManufacturing))
      );
    },
    read(session) {
      const isOfChannel = oneMarketplace(session);
      const rows = session.rows('vendorSales');
      const sums = new RowSums(rows, sumShape);
      const covered: (Period & { readonly table: string })[] = [];
      for (const table of ['vendor_total', 'vendor_sale'])
        session.coverPartition(table, `/${view}`);
      return {
        value(row, line) {
          if (!isOfChannel(row, line)) return;
          const period = periodOf(row, line, session);
          const date = period && session.postingDate(line, period.first, period.last);
          if (period === undefined || date === undefined) return;
          const add = (figures: unknown, asin?: unknown) => {
            const read = figuresOf(figures, view);
            if (!isOwnCurrency(read.currency, session)) return;
            const needed = Object.entries(read).filter(([name]) => isOfView(name, view));
            if (!hasFigures(Object.fromEntries(needed), line, session)) return;
            const ids = { date, view, ...(asin !== undefined && { asin }) };
            sums.add({ ...ids, ...read }, line, period.first);
          };
          const totals = part(row, 'totals');
          if (totals) {
            add(totals);
            covered.push({ table: 'vendor_total', ...period });
          }
          const products = listIn(row, 'metrics');
          if (!products) return;
          covered.push({ table: 'vendor_sale', ...period });
          for (const product of products) {
            const asin = part(product, 'groupByKey', 'asin');
            if (asin) add(part(product, 'metrics'), asin);
            else session.reject(line, 'metrics must be grouped by asin');
          }
        },
        async end() {
          await sums.stage(session.flush);
          if (rows.rowsAccepted === 0) return;
          for (const { table, ...days } of covered) session.coverDays(table, days);
        },
      };
    },
  };
}

/** The Data Kiosk's manufacturingView. */
export const vendorKioskManufacturing = kiosk('vendorKioskManufacturing', 'MANUFACTURING');

/** The Data Kiosk's sourcingView. */
export const vendorKioskSourcing = kiosk('vendorKioskSourcing', 'SOURCING');

function isManufacturing(figures: unknown): boolean {
  return manufacturingGroups.some((name) => part(figures, name) !== undefined);
}

/** Whether a view has the figure. */
function isOfView(name: string, view: string): boolean {
  return name.startsWith('shipped') || (view === 'MANUFACTURING' && name !== 'currency');
}

function figuresOf(figures: unknown, view: string): JsonObject {
  if (view === 'SOURCING' && isManufacturing(figures))
    throw new DocumentRefused(
      'the document has figures of the manufacturing view: import it as vendorKioskManufacturing',
    );
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
    // A query has one currency for all its amounts.
    currency:
      part(ordered, 'value', 'currencyCode') ??
      part(shipped, 'value', 'currencyCode') ??
      part(cogs, 'currencyCode'),
  };
}
