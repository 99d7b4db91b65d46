/** Business reports of the console: traffic and sales by date, or by product without dates. */
import { isoDate, monthOfDay } from '../../../calendar/period.ts';
import type { DateRange } from '../../../engine/warehouse.ts';
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
  pageViews: needed(['page views - total', 'page views'], count),
  sessions: needed(['sessions - total', 'sessions'], count),
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
  marketplace: optional(['marketplace', 'country', 'country code', 'store'], text),
};
const narrowing = [
  ...['customer type', 'customer segment', 'customers', 'segment', 'segment name'],
  ...['audience segment', 'placement', 'site', 'campaign site', 'program', 'selling program'],
];
type Cells = CellsOf<typeof columns>;
type Figures = Omit<Cells, 'date' | 'sku' | 'child' | 'parent' | 'title' | 'marketplace'>;
type DatedRow = { readonly figures: Figures; readonly date: WrittenDate; readonly line: number };

const rowTitles = ['(parent) asin', '(child) asin', 'sku', 'date'];
const salesTitles = ['units ordered', 'ordered product sales'];
const trafficTitles = [
  ...columns.sessions.titles,
  ...columns.pageViews.titles,
  'sessions - browser',
];
/** The days of a week, and the minimum number between the rows of reports by week or month. */
const weekDays = 7;
/** Day 0 is a Thursday. */
const sundayOffset = 4;

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
  narrowing,
  marketplace: 'marketplace',
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
      row({ date, sku, child, parent, title, marketplace: _, ...figures }, line) {
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
  const period = periodOfRow(rows.length === 1 ? dayOf(rows[0]!.date) : undefined, session);
  for (const { figures, line, date } of rows) {
    const day = dayOf(date);
    if (day instanceof CellError) session.reject(line, `date ${day.reason}`);
    else {
      const date = isoDate(period?.last ?? day);
      session.rows('traffic').object({ ...figures, date }, line, undefined, period && day);
    }
  }
}

/**
 * The week or month of a report with one row, on the first date of either; undefined if the row is
 * about its date. Refuses the report if nothing says which of them it is.
 */
function periodOfRow(
  day: number | CellError | undefined,
  { dateRange, acceptsMultiDay }: ImportSession,
): DateRange | undefined {
  if (typeof day !== 'number') return undefined;
  const periods = periodsFrom(day).filter(
    ({ last }) => dateRange === undefined || (dateRange.first === day && dateRange.last === last),
  );
  const [only, other] = periods;
  if (only === undefined || (acceptsMultiDay && other === undefined)) return only;
  const dates = (last: number) => `from=${isoDate(day)}&to=${isoDate(last)}`;
  const choices = periods.map(({ name, last }) => {
    const option = other === undefined ? 'coarse=lastDay' : `${dates(last)}&coarse=lastDay`;
    return `if it is of the ${name}, pass ${option} to count it on the last date`;
  });
  const on = periods.map(({ start }) => start).join(' and ');
  throw new DocumentRefused(
    `the report has one row, on ${on}: download it by day; ${choices.join('; ')}; if it is of that date, pass ${dates(day)}`,
  );
}

/** A week or month, with its name and the name of the dates on which it may begin. */
type NamedPeriod = DateRange & { readonly name: string; readonly start: string };

/** The week and the month that begin on a date. The weeks of the marketplace begin on Sunday. */
function periodsFrom(first: number): readonly NamedPeriod[] {
  const { firstDay, lastDay: last } = monthOfDay(first);
  const isSunday = (first + sundayOffset) % weekDays === 0;
  const week = { first, last: first + weekDays - 1 };
  return [
    ...(firstDay === first
      ? [{ first, last, name: 'month', start: 'the first date of a month' }]
      : []),
    ...(isSunday ? [{ ...week, name: `week to ${isoDate(week.last)}`, start: 'a Sunday' }] : []),
  ];
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
