/**
 * Budgets and forecasts of a planner's spreadsheet: one row per month and one column per target, or
 * the reverse.
 */
import { isoDate, monthOfDay } from '../../../calendar/period.ts';
import { currenciesWritten } from '../../cells/currencySigns.ts';
import { readDate } from '../../cells/dates.ts';
import { CellError } from '../../cells/fields.ts';
import { readAmount } from '../../cells/money.ts';
import { DocumentRefused, OfOtherStore } from '../../refused.ts';
import { shown } from '../../rows.ts';
import type { ImportSession } from '../../session.ts';
import type { DocumentKind, DocumentReader } from '../kind.ts';
import { WaitingRows } from '../waitingRows.ts';

type Target = 'salesBudget' | 'salesForecast' | 'adSpendBudget';

/** Targets by title, in lower case. */
const targetOfTitle: Readonly<Record<string, Target>> = {
  'sales budget': 'salesBudget',
  'sales forecast': 'salesForecast',
  'ad spend budget': 'adSpendBudget',
  'ad budget': 'adSpendBudget',
  'advertising budget': 'adSpendBudget',
  'advertising spend budget': 'adSpendBudget',
};
const targetNames = 'Sales budget, Sales forecast, Ad spend budget';
const monthTitle = /^(?:month|date)$/;
type TargetReader = Required<Pick<DocumentReader, 'record' | 'end'>>;

/** A table of targets by month, with months in rows or in columns. */
export const targetsTable: DocumentKind = {
  name: 'targetsTable',
  about: `Table of targets by month, months in rows or in columns (CSV or XLSX; ${targetNames})`,
  // Targets of single dates are left unchanged.
  tables: ['target_month'],
  ofChannel: true,
  recognisesHeader: (names) => hasMonthsInRows(names) || hasMonthsInColumns(names),
  read(session) {
    let reader: TargetReader | undefined;
    const rows = new WaitingRows(session, ({ record, line }) => reader!.record(record, line));
    return {
      record(record, line) {
        reader ??= readerOf(Object.keys(record), session);
        const cells = Object.values(record).map((text) => text.trim());
        const amounts = cells.filter((text) => /\d/.test(text) && monthOf(text) === undefined);
        const shown = amounts.map((text) => ['amount', text] as const);
        if (cells.some((text) => text !== '')) rows.take({ record, line, shown });
      },
      async end() {
        rows.end();
        await reader?.end();
      },
    };
  },
};

function readerOf(names: readonly string[], session: ImportSession): TargetReader {
  if (hasMonthsInRows(names)) return monthsInRows(names, session);
  if (hasMonthsInColumns(names)) return monthsInColumns(names, session);
  throw new DocumentRefused(
    `the table has neither a column Month with columns of targets (${targetNames}), nor a column per month`,
  );
}

function hasMonthsInRows(names: readonly string[]): boolean {
  return (
    names.some((name) => monthTitle.test(titleOf(name))) &&
    names.some((name) => targetOf(name) !== undefined)
  );
}

/** The first column names the targets. Most of the others are months. */
function hasMonthsInColumns([first, ...others]: readonly string[]): boolean {
  const months = others.filter((name) => monthOf(name) !== undefined).length;
  return (
    first !== undefined &&
    monthOf(first) === undefined &&
    months > 0 &&
    months * 2 >= others.filter((name) => name.trim() !== '').length
  );
}

function monthsInRows(names: readonly string[], session: ImportSession): TargetReader {
  const monthName = names.find((name) => monthTitle.test(titleOf(name)))!;
  const columns = new Map<Target, string>();
  for (const name of names) {
    const target = targetOf(name);
    if (target === undefined) continue;
    if (columns.has(target))
      throw new DocumentRefused(
        `the table has two columns of ${target}: ${columns.get(target)} and ${name}`,
      );
    requireCurrency(name, session);
    columns.set(target, name);
  }
  return {
    record(record, line) {
      const month = monthOf(record[monthName]!);
      if (month === undefined) {
        session.reject(line, noMonth(record[monthName]!));
        return;
      }
      const fields: Record<string, string> = { month };
      for (const [target, name] of columns) {
        const amount = amountOf(record[name]!, session);
        if (amount instanceof CellError) {
          session.reject(line, `${name.trim()} ${amount.reason}`);
          return;
        }
        fields[target] = amount;
      }
      session.rows('targets').object(fields, line);
    },
    async end() {},
  };
}

function monthsInColumns(names: readonly string[], session: ImportSession): TargetReader {
  const [label, ...others] = names as [string, ...string[]];
  /** The fields of each month, by the name of its column. */
  const months = new Map<string, Record<string, string>>();
  for (const name of others) {
    const month = monthOf(name);
    if (month !== undefined) months.set(name, { month });
  }
  const columns = [...months.keys()];
  const lines = new Map<Target, number>();
  return {
    record(record, line) {
      const target = targetOf(record[label]!);
      if (target === undefined) {
        session.reject(
          line,
          `must name one of the targets ${targetNames} (it is ${shown(record[label]!.trim())})`,
        );
        return;
      }
      if (lines.has(target)) {
        session.reject(line, `repeats the target of line ${lines.get(target)}`);
        return;
      }
      requireCurrency(record[label]!, session);
      lines.set(target, line);
      for (const name of columns) {
        const amount = amountOf(record[name]!, session);
        if (amount instanceof CellError) {
          session.reject(line, `${name.trim()} ${amount.reason}`);
          // As with months in rows, a month with an unreadable amount does not count.
          months.delete(name);
        } else {
          const fields = months.get(name);
          if (fields) fields[target] = amount;
        }
      }
    },
    async end() {
      const [line = 1] = lines.values();
      if (lines.size === 0) return;
      for (const fields of months.values()) session.rows('targets').object(fields, line);
    },
  };
}

/** A title in lower case, without underscores and brackets. */
function titleOf(name: string): string {
  return inBrackets(name)
    .before.replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** The text in the brackets at the end of a title, and the title before them. */
function inBrackets(title: string): { readonly before: string; readonly within: string } {
  const closed = title.trimEnd();
  const end = closed.length - 1;
  const open = closed.endsWith(')')
    ? closed.indexOf('(', closed.lastIndexOf(')', end - 1) + 1)
    : -1;
  return open < 0
    ? { before: title, within: '' }
    : { before: closed.slice(0, open), within: closed.slice(open + 1, end) };
}

function targetOf(name: string): Target | undefined {
  return targetOfTitle[titleOf(name)];
}

/**
 * The month (YYYY-MM) of "2026-01", "01/2026", "Jan 2026", "January 2026" or "Jan-26", or of a date
 * that is its first or last day.
 */
function monthOf(text: string): string | undefined {
  const trimmed = text.replaceAll(/\s+/g, ' ').trim();
  const yearFirst = /^(\d{4})[-/.](\d{1,2})$/.exec(trimmed);
  if (yearFirst) return firstOfMonth(`${yearFirst[1]}-${yearFirst[2]}-1`);
  const monthFirst = /^(\d{1,2})[-/.](\d{4})$/.exec(trimmed);
  if (monthFirst) return firstOfMonth(`${monthFirst[2]}-${monthFirst[1]}-1`);
  const named = /^([a-z]{3,})\.?[-' ]+(\d{2}|\d{4})$/i.exec(trimmed);
  if (named) return firstOfMonth(`1 ${named[1]} ${named[2]!.length === 2 ? '20' : ''}${named[2]}`);
  return firstOfMonth(trimmed);
}

function firstOfMonth(text: string): string | undefined {
  const { dayFirst, monthFirst } = readDate(text, 'spreadsheet') ?? {};
  // At most one of two readings is the first or last day of a month, except for January 1st.
  const edge = [dayFirst, monthFirst].find(
    (day) =>
      day !== undefined && (monthOfDay(day).firstDay === day || monthOfDay(day).lastDay === day),
  );
  return edge === undefined ? undefined : isoDate(edge).slice(0, 7);
}

function noMonth(text: string): string {
  return text.trim() === ''
    ? 'has no month'
    : `must have a month such as 2026-01 or Jan 2026, or its first date (it is ${shown(text.trim())})`;
}

/** The amount of a cell, "" if it is blank, or the reason to reject it. */
function amountOf(text: string, session: ImportSession): string | CellError {
  const given = `(it is ${shown(text.trim())})`;
  const amount = readAmount(text, session.notation.mark);
  if (amount === undefined) return new CellError(`must be an amount ${given}`);
  const other = otherCurrency(text, session);
  return other === undefined
    ? amount
    : new CellError(
        `is in ${other.join(' or ')}, but targets are in the channel's currency, ${session.currency}`,
      );
}

function requireCurrency(title: string, session: ImportSession): void {
  const other = otherCurrency(inBrackets(title).within, session);
  if (other === undefined) return;
  throw new OfOtherStore(
    `${title.trim()} is in ${other.join(' or ')}, but targets are in the channel's currency, ${session.currency}: import them into the channel of their store`,
    { currencies: other },
  );
}

/** The currencies of a text with an amount or a sign, if none of them is the channel's. */
function otherCurrency(text: string, session: ImportSession): readonly string[] | undefined {
  // A word such as "all" is not a code.
  const words = [text, ...text.split(/[\s,;/]+/)].filter((word) => !/^[a-z]{3}$/.test(word));
  const found = words.map(currenciesWritten).find((one) => one !== undefined);
  return found?.includes(session.currency) === false ? found : undefined;
}
