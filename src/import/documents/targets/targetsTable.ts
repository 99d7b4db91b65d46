/** Budgets and forecasts as planners keep them in a spreadsheet: a month a row and a target a column, or the other way round. */
import { isoDate, monthOfDay } from '../../../calendar/period.ts';
import { moneyOf, writtenDate } from '../../cells/adCells.ts';
import { DocumentRefused } from '../../refused.ts';
import type { Desk, DocumentKind, DocumentReader } from '../kind.ts';

type Target = 'salesBudget' | 'salesForecast' | 'adSpendBudget';

/** Titles, in small letters, and the targets that they stand for. */
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
const currencies = new Set(Intl.supportedValuesOf('currency'));
/** The signs that are of one currency only. */
const currencyOfSign: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  zł: 'PLN',
};

/** A table of targets by month, whichever way it is turned. */
export const targetsTable: DocumentKind = {
  name: 'targetsTable',
  about: `Table of targets by month, months in rows or in columns (CSV or XLSX; ${targetNames})`,
  // Dates of their own are left alone.
  tables: ['target_month'],
  ofChannel: true,
  recognisesHeader: (names) => hasMonthsInRows(names) || hasMonthsInColumns(names),
  read(desk) {
    let reader: Required<Pick<DocumentReader, 'record' | 'end'>> | undefined;
    return {
      record(record, line) {
        reader ??= readerOf(Object.keys(record), desk);
        reader.record(record, line);
      },
      async end() {
        await reader?.end();
      },
    };
  },
};

function readerOf(
  names: readonly string[],
  desk: Desk,
): Required<Pick<DocumentReader, 'record' | 'end'>> {
  if (hasMonthsInRows(names)) return monthsInRows(names, desk);
  if (hasMonthsInColumns(names)) return monthsInColumns(names, desk);
  throw new DocumentRefused(
    `the table has neither a column Month beside columns of targets (${targetNames}), nor a column a month`,
  );
}

function hasMonthsInRows(names: readonly string[]): boolean {
  return (
    names.some((name) => monthTitle.test(titleOf(name))) &&
    names.some((name) => targetOf(name) !== undefined)
  );
}

/** The first column names the targets; most of the others are months. */
function hasMonthsInColumns([first, ...others]: readonly string[]): boolean {
  const months = others.filter((name) => monthOf(name) !== undefined).length;
  return (
    first !== undefined &&
    monthOf(first) === undefined &&
    months > 0 &&
    months * 2 >= others.filter((name) => name.trim() !== '').length
  );
}

function monthsInRows(
  names: readonly string[],
  desk: Desk,
): Required<Pick<DocumentReader, 'record' | 'end'>> {
  const monthName = names.find((name) => monthTitle.test(titleOf(name)))!;
  const columns = new Map<Target, string>();
  for (const name of names) {
    const target = targetOf(name);
    if (target === undefined) continue;
    if (columns.has(target))
      throw new DocumentRefused(
        `the table tells ${target} twice: in ${columns.get(target)} and in ${name}`,
      );
    requireCurrency(name, desk);
    columns.set(target, name);
  }
  return {
    record(record, line) {
      if (Object.values(record).every((text) => text.trim() === '')) return;
      const month = monthOf(record[monthName]!);
      if (month === undefined) {
        desk.reject(line, noMonth(record[monthName]!));
        return;
      }
      const fields: Record<string, string> = { month };
      for (const [target, name] of columns) {
        const amount = amountOf(record[name]!, desk);
        if ('reason' in amount) {
          desk.reject(line, `${name.trim()} ${amount.reason}`);
          return;
        }
        fields[target] = amount.amount;
      }
      desk.rows('targets').object(fields, line);
    },
    async end() {},
  };
}

function monthsInColumns(
  names: readonly string[],
  desk: Desk,
): Required<Pick<DocumentReader, 'record' | 'end'>> {
  const [label, ...others] = names as [string, ...string[]];
  const columns = others.flatMap((name) => {
    const month = monthOf(name);
    return month === undefined ? [] : [{ name, month }];
  });
  const lines = new Map<Target, number>();
  const months = new Map(
    columns.map(({ name, month }) => [name, { month } as Record<string, string>]),
  );
  return {
    record(record, line) {
      if (Object.values(record).every((text) => text.trim() === '')) return;
      const target = targetOf(record[label]!);
      if (target === undefined) {
        desk.reject(
          line,
          `${JSON.stringify(record[label]!.trim().slice(0, 40))} is none of the targets ${targetNames}`,
        );
        return;
      }
      if (lines.has(target)) {
        desk.reject(line, `repeats the target of line ${lines.get(target)}`);
        return;
      }
      requireCurrency(record[label]!, desk);
      lines.set(target, line);
      for (const { name } of columns) {
        const amount = amountOf(record[name]!, desk);
        if ('reason' in amount) {
          desk.reject(line, `${name.trim()} ${amount.reason}`);
          // As where months are rows: a month that cannot be read whole is not taken.
          months.delete(name);
        } else {
          const fields = months.get(name);
          if (fields) fields[target] = amount.amount;
        }
      }
    },
    async end() {
      const [line = 1] = lines.values();
      if (lines.size > 0)
        for (const fields of months.values()) desk.rows('targets').object(fields, line);
    },
  };
}

/** A title without capitals, underscores and what stands in brackets. */
function titleOf(name: string): string {
  return name
    .replace(/\([^)]*\)\s*$/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase();
}

function targetOf(name: string): Target | undefined {
  return targetOfTitle[titleOf(name)];
}

/** The month (YYYY-MM) of "2026-01", "01/2026", "Jan 2026", "January 2026", "Jan-26", or of a date that is its first or last one. */
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
  const written = writtenDate(text);
  if (!written) return undefined;
  // Of two readings at most one is the edge of a month, but for 1/1.
  const days = 'day' in written ? [written.day] : [written.dayFirst, written.monthFirst];
  const edge = days.find(
    (day) => monthOfDay(day).firstDay === day || monthOfDay(day).lastDay === day,
  );
  return edge === undefined ? undefined : isoDate(edge).slice(0, 7);
}

function noMonth(text: string): string {
  return text.trim() === ''
    ? 'has no month'
    : `${JSON.stringify(text.trim().slice(0, 40))} is no month: write it as 2026-01, Jan 2026, or the first date of it`;
}

/** The amount of a cell, "" where it is blank, or the reason why there is none. */
function amountOf(
  text: string,
  desk: Desk,
): { readonly amount: string } | { readonly reason: string } {
  const shown = JSON.stringify(text.trim().slice(0, 40));
  // Budgets have no thousandths, but may well be written with a point between thousands.
  if (/^[^\d.,]*[1-9]\d{0,2}\.\d{3}$/.test(text.trim())) {
    return {
      reason: `may be read in two ways (it is ${shown}): write it without its point, or with .00 behind`,
    };
  }
  const amount = moneyOf(text);
  if (amount === undefined) return { reason: `cannot be read as an amount (it is ${shown})` };
  const other = otherCurrency(text, desk);
  return other === undefined
    ? { amount }
    : { reason: `is in ${other}, but targets are in the channel's currency, ${desk.currency}` };
}

function requireCurrency(title: string, desk: Desk): void {
  const other = otherCurrency(/\(([^)]*)\)\s*$/.exec(title)?.[1] ?? '', desk);
  if (other !== undefined) {
    throw new DocumentRefused(
      `${title.trim()} is in ${other}, but targets are in the channel's currency, ${desk.currency}`,
    );
  }
}

/** The currency that a text tells, where it is another than the channel's. */
function otherCurrency(text: string, desk: Desk): string | undefined {
  const code = text.match(/[A-Z]{3}/g)?.find((word) => currencies.has(word));
  const told = code ?? Object.entries(currencyOfSign).find(([sign]) => text.includes(sign))?.[1];
  return told === desk.currency ? undefined : told;
}
