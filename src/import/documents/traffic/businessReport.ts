/** Business reports of the console: traffic and sales by date, or by product without dates. */
import { isoDate } from '../../../calendar/period.ts';
import type { DateRange } from '../../../engine/warehouse.ts';
import type { DateOrder, WrittenDate } from '../../cells/dates.ts';
import { DocumentRefused } from '../../refused.ts';
import type { ImportSession } from '../../session.ts';
import { type InferredProduct, inferProducts } from '../inferred.ts';
import {
  amount,
  type CellsOf,
  count,
  needed,
  optional,
  percentage,
  plainTitle,
  tableDocument,
  text,
  writtenDate,
} from '../table.ts';

const columns = {
  pageViews: optional(['page views - total', 'page views'], count),
  sessions: optional(['sessions - total', 'sessions'], count),
  mobileSessions: optional('sessions - mobile app', count),
  buyBoxPercentage: optional(
    ['featured offer (buy box) percentage', 'buy box percentage', 'featured offer percentage'],
    percentage,
  ),
  orderedRevenue: needed('ordered product sales', amount),
  orderedUnits: needed('units ordered', count),
  orderItems: optional('total order items', count),
  date: optional('date', writtenDate),
  sku: optional('sku', text),
  child: optional('(child) asin', text),
  parent: optional('(parent) asin', text),
  title: optional('title', text),
};
type Cells = CellsOf<typeof columns>;
type Figures = Omit<Cells, 'date' | 'sku' | 'child' | 'parent' | 'title'>;
type DatedRow = { readonly figures: Figures; readonly date: WrittenDate; readonly line: number };

const rowTitles = ['(parent) asin', '(child) asin', 'sku', 'date'];
const salesTitles = ['units ordered', 'ordered product sales'];
const trafficTitles = [
  ...columns.sessions.titles,
  ...columns.pageViews.titles,
  'sessions - browser',
];
/** The minimum number of days between the rows of reports by week or month. */
const weekDays = 7;

/**
 * The console's business reports by child, by parent, by SKU and by date. Columns for business
 * customers are already included in the others.
 */
export const businessReport = tableDocument({
  name: 'businessReport',
  about:
    'Business report by product (for the dates of from and to) or by date (CSV, with English titles)',
  tables: ['traffic', 'products'],
  isQuoted: true,
  columns,
  title: plainTitle,
  marks: [[rowTitles, ...salesTitles.map((title) => [title]), trafficTitles]],
  recognises: (titles) =>
    [rowTitles, salesTitles, trafficTitles].every((some) => some.some((one) => titles.has(one))),
  open(session) {
    const dated: DatedRow[] = [];
    const products = new Map<string, InferredProduct>();
    const titles = new Map<string, string>();
    return {
      header(has) {
        if (!(['parent', 'child', 'sku', 'date'] as const).some((name) => has.has(name)))
          throw new DocumentRefused(`the header has none of ${rowTitles.join(', ')}`);
      },
      row({ date, sku, child, parent, title, ...figures }, line) {
        if (date !== undefined) {
          dated.push({ figures, date, line });
          return undefined;
        }
        const { dateRange } = session;
        if (dateRange === undefined) {
          session.rejectUndated(line);
          return undefined;
        }
        if (sku === '' && child === '' && parent === '') return 'names no product';
        const postingDate = session.postingDate(line, dateRange.first, dateRange.last);
        if (postingDate === undefined) return undefined;
        const product = { sku, productId: child || parent, parentProductId: parent };
        session
          .rows('traffic')
          .object({ ...figures, date: postingDate, ...product }, line, undefined, dateRange.first);
        if (title === '') return undefined;
        if (sku !== '') products.set(sku, { product: { ...product, title }, line });
        else if (child !== '') titles.set(child, title);
        return undefined;
      },
      async end() {
        takeDated(dated, session);
        for (const [productId, skus] of await session.existing.skusOfProducts([...titles.keys()]))
          for (const sku of skus)
            if (!products.has(sku))
              products.set(sku, {
                product: { sku, productId, title: titles.get(productId) },
                line: 0,
              });
        await inferProducts(session, products, ['title']);
      },
    };
  },
});

function takeDated(rows: readonly DatedRow[], session: ImportSession): void {
  const order = orderOf(
    rows.map(({ date }) => date),
    session.dateRange,
  );
  if (order !== undefined) requireDays(rows.map(({ date }) => date[order]));
  for (const { figures, line, date } of rows) {
    const day =
      order === undefined && date.dayFirst !== date.monthFirst
        ? undefined
        : date[order ?? 'dayFirst'];
    if (day !== undefined) session.rows('traffic').object({ ...figures, date: isoDate(day) }, line);
    else
      session.reject(
        line,
        'date has two readings, and no other date of the document shows which one is right: write it with the year first',
      );
  }
}

/**
 * The order of day and month in which all dates are valid, lie within the import's date range and
 * follow one another day by day. Undefined if both orders remain and differ.
 */
function orderOf(
  dates: readonly WrittenDate[],
  dateRange: DateRange | undefined,
): DateOrder | undefined {
  const daysBy = (order: DateOrder) => dates.map((date) => date[order] ?? Number.NaN);
  const tests: ((days: readonly number[]) => boolean)[] = [
    (days) => days.every((day) => !Number.isNaN(day)),
    (days) =>
      dateRange === undefined ||
      days.every((day) => day >= dateRange.first && day <= dateRange.last),
    (days) => Math.max(...days) - Math.min(...days) === days.length - 1,
  ];
  let orders: readonly DateOrder[] = ['dayFirst', 'monthFirst'];
  for (const test of tests) {
    const fitting = orders.filter((order) => test(daysBy(order)));
    if (fitting.length > 0) orders = fitting;
  }
  const isOne =
    orders.length === 1 || dates.every(({ dayFirst, monthFirst }) => dayFirst === monthFirst);
  return isOne ? orders[0] : undefined;
}

/** Refuses a report by week or month, in which each row has the first date of its period. */
function requireDays(days: readonly (number | undefined)[]): void {
  const sorted = days.filter((day) => day !== undefined).sort((one, other) => one - other);
  if (sorted.length < 2 || sorted.some((day, at) => at > 0 && day - sorted[at - 1]! < weekDays))
    return;
  throw new DocumentRefused(
    'the dates of the report are a week or more apart, so it is by week or month: download it by day',
  );
}
