/** Business reports of the console: traffic and sales by product, which tell no date, or by date. */
import { isoDate } from '../../../calendar/period.ts';
import type { DateRange } from '../../../engine/warehouse.ts';
import { countOf, moneyOf, writtenDate } from '../../cells/adCells.ts';
import { type DateOrder, type LocalDate, localDate } from '../../cells/localCells.ts';
import { DocumentRefused } from '../../refused.ts';
import type { Desk, DocumentKind } from '../kind.ts';

/** The figures by the titles of their columns, as `titleOf` makes them; of titles of one figure the first that is there tells. */
const figures: Readonly<
  Record<
    string,
    { readonly titles: readonly string[]; readonly read: (text: string) => string | undefined }
  >
> = {
  pageViews: { titles: ['page views - total', 'page views'], read: countOf },
  sessions: { titles: ['sessions - total', 'sessions'], read: countOf },
  mobileSessions: { titles: ['sessions - mobile app'], read: countOf },
  buyBoxPercentage: {
    titles: [
      'featured offer (buy box) percentage',
      'buy box percentage',
      'featured offer percentage',
    ],
    read: (text) => moneyOf(text.replace(/\s*%$/, '')),
  },
  orderedRevenue: { titles: ['ordered product sales'], read: moneyOf },
  orderedUnits: { titles: ['units ordered'], read: countOf },
  orderItems: { titles: ['total order items'], read: countOf },
};
const rowTitles = ['(parent) asin', '(child) asin', 'sku', 'date'];
const salesTitles = ['units ordered', 'ordered product sales'];
const trafficTitles = [
  ...figures.sessions!.titles,
  ...figures.pageViews!.titles,
  'sessions - browser',
];
/** Dates that lie so far apart are those of weeks or months. */
const weekDays = 7;

function titleOf(name: string): string {
  return name
    .replaceAll(/[‐-―−]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** The console's business reports by child, by parent, by SKU and by date. What is told of business customers apart is part of the rest. */
export const businessReport: DocumentKind = {
  name: 'businessReport',
  about:
    'Business report by product (for the dates of from and to) or by date (CSV, with English titles)',
  tables: ['traffic'],
  ofChannel: true,
  recognisesHeader(names) {
    const titles = names.map(titleOf);
    const hasOne = (some: readonly string[]) => some.some((title) => titles.includes(title));
    return hasOne(rowTitles) && hasOne(salesTitles) && hasOne(trafficTitles);
  },
  read(desk) {
    const dated: {
      readonly fields: Record<string, unknown>;
      readonly line: number;
      readonly date: LocalDate;
    }[] = [];
    let titles: ReadonlyMap<string, string> | undefined;
    return {
      record(record, line) {
        titles ??= titlesOf(record);
        const of = (title: string) =>
          titles!.has(title) ? record[titles!.get(title)!]!.trim() : '';
        const fields: Record<string, unknown> = {};
        for (const [field, { titles: spellings, read }] of Object.entries(figures)) {
          const title = spellings.find((spelling) => titles!.has(spelling));
          if (title === undefined) continue;
          fields[field] = read(of(title));
          if (fields[field] !== undefined) continue;
          return desk.reject(
            line,
            `${title} cannot be read as a number (it is ${JSON.stringify(of(title).slice(0, 40))})`,
          );
        }
        if (!titles.has('date')) return takeProduct(desk, fields, of, line);
        const date = dateOf(of('date'));
        if (date === undefined)
          return desk.reject(
            line,
            `date cannot be read as a date (it is ${JSON.stringify(of('date').slice(0, 40))})`,
          );
        dated.push({ fields, line, date });
      },
      async end() {
        const order = orderOf(
          dated.map(({ date }) => date),
          desk.cover,
        );
        const days = dated.map(({ date }) => date[order ?? 'dayFirst']);
        requireDays(order === undefined ? [] : days);
        for (const [at, { fields, line, date }] of dated.entries()) {
          const day =
            order === undefined && date.dayFirst !== date.monthFirst ? undefined : days[at];
          if (day !== undefined)
            desk.rows('traffic').object({ ...fields, date: isoDate(day) }, line);
          else
            desk.reject(
              line,
              'date may be read in two ways, and no other date of the document tells which: write it with the year first',
            );
        }
      },
    };
  },
};

/** The names in the header by their titles; those of business customers are left out. */
function titlesOf(record: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  for (const name of Object.keys(record))
    if (!titles.has(titleOf(name))) titles.set(titleOf(name), name);
  const lacking = ['ordered product sales', 'units ordered'].filter((title) => !titles.has(title));
  if (lacking.length > 0) throw new DocumentRefused(`the header lacks ${lacking.join(', ')}`);
  if (!rowTitles.some((title) => titles.has(title)))
    throw new DocumentRefused(`the header has none of ${rowTitles.join(', ')}`);
  return titles;
}

function takeProduct(
  desk: Desk,
  fields: Record<string, unknown>,
  of: (title: string) => string,
  line: number,
): void {
  const { cover } = desk;
  if (cover === undefined)
    throw new DocumentRefused(
      'the report tells no date: name the dates that it was made for by from and to',
    );
  const [sku, child, parent] = [of('sku'), of('(child) asin'), of('(parent) asin')];
  if (sku === '' && child === '' && parent === '') {
    desk.reject(line, 'names no product');
    return;
  }
  const date = desk.bookOn(line, cover.first, cover.last);
  if (date === undefined) return;
  desk
    .rows('traffic')
    .object(
      { ...fields, date, sku, productId: child || parent, parentProductId: parent },
      line,
      undefined,
      cover.first,
    );
}

/** A date as the console writes it, in numbers or with the name of its month. */
function dateOf(text: string): LocalDate | undefined {
  const local = localDate(text);
  if (local !== undefined) return local;
  const written = writtenDate(text);
  return written && 'day' in written
    ? { dayFirst: written.day, monthFirst: written.day }
    : undefined;
}

/**
 * The order in which the dates are to be read: in it all of them are dates, lie within the cover and are of days in succession, as far as
 * that tells. Undefined where both orders are possible and differ.
 */
function orderOf(dates: readonly LocalDate[], cover: DateRange | undefined): DateOrder | undefined {
  const daysBy = (order: DateOrder) => dates.map((date) => date[order] ?? Number.NaN);
  const tests: ((days: readonly number[]) => boolean)[] = [
    (days) => days.every((day) => !Number.isNaN(day)),
    (days) => cover === undefined || days.every((day) => day >= cover.first && day <= cover.last),
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

/** Refuses a report whose rows are of weeks or months: each has the date that its period begins with. */
function requireDays(days: readonly (number | undefined)[]): void {
  const sorted = days.filter((day) => day !== undefined).sort((one, other) => one - other);
  if (sorted.length < 2 || sorted.some((day, at) => at > 0 && day - sorted[at - 1]! < weekDays))
    return;
  throw new DocumentRefused(
    'the dates of the report lie a week or more apart: it is of weeks or months, so download it by day',
  );
}
