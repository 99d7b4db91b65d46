/** Business reports of the console: traffic and sales by date, or by product without dates. */
import { isoDate } from '../../../calendar/period.ts';
import { readingOf, type WrittenDate } from '../../cells/dates.ts';
import { CellError } from '../../cells/fields.ts';
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
  const dayOf = (date: WrittenDate) => {
    const order = readingOf(date, session.notation.order);
    return order instanceof CellError ? order : date[order]!;
  };
  requireDays(rows.map(({ date }) => dayOf(date)));
  for (const { figures, line, date } of rows) {
    const day = dayOf(date);
    if (day instanceof CellError) session.reject(line, `date ${day.reason}`);
    else session.rows('traffic').object({ ...figures, date: isoDate(day) }, line);
  }
}

/** Refuses a report by week or month, in which each row has the first date of its period. */
function requireDays(days: readonly (number | CellError)[]): void {
  const sorted = days.filter((day) => typeof day === 'number').sort((one, other) => one - other);
  if (sorted.length < 2 || sorted.some((day, at) => at > 0 && day - sorted[at - 1]! < weekDays))
    return;
  throw new DocumentRefused(
    'the dates of the report are a week or more apart, so it is by week or month: download it by day',
  );
}
