/**
 * The euro reference rates of the European Central Bank: a row per date, a column per currency. If
 * a spreadsheet saved them again, it writes dates and decimal marks in its own way.
 */
import { isoDate } from '../../../calendar/period.ts';
import { type DateOrder, isAmbiguous, readDate, readingOf } from '../../cells/dates.ts';
import { CellError } from '../../cells/fields.ts';
import { DocumentRefused } from '../../refused.ts';
import type { ImportSession } from '../../session.ts';
import { type SourceRecord, tableDocument } from '../table.ts';
import { KnownRates, latestPublished } from './plausibleRates.ts';

/** The bank has published about 300 rows a year since 1999. */
const rowsMax = 50_000;
const rowsBetweenFlushes = 500;
const again = 'download the document again and import it as it is';

type Row = { readonly record: SourceRecord; readonly line: number };

/** The ECB's history of reference rates, as CSV or in its zip archive. */
export const referenceRates = tableDocument({
  name: 'referenceRates',
  about: "The ECB's history of euro reference rates (CSV, or its zip archive)",
  tables: ['exchangeRates'],
  ofChannel: false,
  isQuoted: true,
  isCutOffIfShort: true,
  columns: {},
  recognises: (_, [first, ...others]) =>
    first?.trim() === 'Date' && others.filter((name) => /^[A-Z]{3}$/.test(name.trim())).length >= 5,
  open(session) {
    const rows: Row[] = [];
    return {
      row(_, line, record) {
        if (rows.length >= rowsMax)
          throw new DocumentRefused(`the document has more than ${rowsMax} dates: ${again}`);
        rows.push({ record, line });
        return undefined;
      },
      end: () => stageRates(session, rows),
    };
  },
});

async function stageRates(session: ImportSession, rows: readonly Row[]): Promise<void> {
  const reader = session.rows('publishedRates');
  const known = await KnownRates.of(session);
  const order = session.notation.order ?? orderOf(rows.map(dateOf));
  const hasComma = (session.notation.mark ?? markOf(rows)) === ',';
  for (const [at, row] of rows.entries()) {
    const date = dayIn(session, row, order);
    if (typeof date !== 'string') continue;
    for (const [currency, written] of ratesOf(row)) {
      const perEuro = plainRate(written, hasComma);
      const problem = known.problemOf(currency, date, Number(perEuro));
      if (problem !== undefined) throw new DocumentRefused(`${problem}: ${again}`);
      reader.object({ date, currency, perEuro }, row.line);
    }
    if (at % rowsBetweenFlushes === 0) await session.flush();
  }
}

/** The date of a row, which cannot be later than today; undefined if the row was rejected. */
function dayIn(session: ImportSession, row: Row, order: DateOrder | undefined): string | undefined {
  const text = dateOf(row);
  if (text === '' && ratesOf(row).length === 0) return undefined;
  const written = readDate(text, 'any');
  const reading = readingOf(written, order);
  const day = reading instanceof CellError ? reading : written![reading]!;
  if (typeof day === 'number' && day <= latestPublished(session.now)) return isoDate(day);
  if (written !== undefined && order === undefined && isAmbiguous(written))
    session.notation.needDateOrder(text);
  session.reject(
    row.line,
    day instanceof CellError
      ? `Date ${day.reason}`
      : `Date is after today (${isoDate(day)}), but rates are published for days past: ${again}, or correct the clock of the service`,
  );
  return undefined;
}

function dateOf({ record }: Row): string {
  return Object.values(record)[0]!.trim();
}

/** The rates of a row, by currency. Days without a rate have N/A, #N/A or #NV. */
function ratesOf({ record }: Row): (readonly [currency: string, written: string])[] {
  return Object.entries(record)
    .slice(1)
    .map(([name, rate]) => [name.trim(), rate.trim()] as const)
    .filter(([name, rate]) => name !== '' && rate !== '' && !/^#?N(\/A|V)$/i.test(rate));
}

/**
 * The order of day and month: the only one in which all dates exist, or else the only one in which
 * none is on a weekend, because the bank then publishes no rates.
 */
function orderOf(dates: readonly string[]): DateOrder | undefined {
  const written = dates.flatMap((date) => readDate(date, 'any') ?? []);
  const orders = ['dayFirst', 'monthFirst'] as const;
  const inCalendar = orders.filter((order) => written.every((date) => date[order] !== undefined));
  // Day 0 was a Thursday.
  const isWeekday = (day: number | undefined) => (day! + 4) % 7 !== 0 && (day! + 4) % 7 !== 6;
  const onWeekdays = inCalendar.filter((order) => written.every((date) => isWeekday(date[order])));
  const [found, other] = onWeekdays.length === 1 ? onWeekdays : inCalendar;
  return other === undefined ? found : undefined;
}

/** The decimal mark: a comma if any rate has one that does not group thousands before a point. */
function markOf(rows: readonly Row[]): ',' | '.' {
  const rates = rows.flatMap((row) => ratesOf(row).map(([, written]) => written));
  const isEnglish = (rate: string) => /^\d+(\.\d+)?$|^\d{1,3}(,\d{3})+\.\d+$/.test(rate);
  return rates.some((rate) => rate.includes(',') && !isEnglish(rate)) ? ',' : '.';
}

function plainRate(written: string, hasComma: boolean): string {
  if (!hasComma)
    return written.replace(/^\d{1,3}(,\d{3})+(?=\.)/, (all) => all.replaceAll(',', ''));
  return written
    .replace(/^\d{1,3}(\.\d{3})+(?=,|$)/, (all) => all.replaceAll('.', ''))
    .replace(',', '.');
}
