/**
 * Adds figures in any currency up to a statement of profit and loss, with rounded lines and totals.
 */
import {
  type ProfitColumn,
  type ProfitLine,
  profitColumns,
  profitExtras,
  profitLines,
} from '../../schema/warehouse/profit.ts';
import { daysOf } from '../calendar/windows.ts';
import { expenseLines, revenueLines } from '../contract/profitLines.ts';
import type { DateRange } from '../engine/warehouse.ts';
import { type Exchange, foreignCurrencies } from '../figures/exchange.ts';
import { convertedPlaces, currencyPlaces, quotientText } from '../figures/money.ts';

/**
 * The sums of a date's events in one currency, in millionths: credits positive, debits negative.
 */
export type Figures = { readonly local_date: number; readonly currency: string } & {
  readonly [Column in ProfitColumn]: bigint;
};

/** A row of reported advertising cost. */
export type AdCost = {
  readonly local_date: number;
  readonly currency: string;
  readonly ad_cost: bigint;
};

type Total = 'totalRevenue' | 'totalExpenses';

/** The rounded lines with their totals, and the profit. */
type Statement = {
  readonly lines: { readonly [Name in ProfitLine | Total]: number };
  readonly totalProfit: number;
};

/** The options of a request that change the lines. */
export type ProfitOptions = { readonly includeTax: boolean; readonly includeCogsRefunds: boolean };

/**
 * A converted sum this close below a half counts as the half; the order of products uses the same
 * epsilon.
 */
const roundingEpsilon = 10n ** 11n;

const zeros = Object.fromEntries(profitColumns.map((column) => [column, 0n])) as Record<
  ProfitColumn,
  bigint
>;

/** Reported advertising cost as figures. */
export function figuresOfAdCost({ local_date, currency, ad_cost }: AdCost): Figures {
  return { ...zeros, local_date, currency, advertising: -ad_cost };
}

/** A line with the columns that it adds up; an expense is positive if it is a cost. */
type LineColumns = {
  readonly line: ProfitLine;
  readonly isExpense: boolean;
  readonly columns: readonly ProfitColumn[];
};

/** The exact sum of each line. */
export type LineSums = { [Line in ProfitLine]: bigint };

/** The sums of no figures. */
export function noLines(): LineSums {
  return Object.fromEntries(lineNames.map((line) => [line, 0n])) as LineSums;
}

/** The columns of each line. */
export function lineColumns(options: ProfitOptions): readonly LineColumns[] {
  const includes = {
    salesTax: options.includeTax,
    refundsTax: options.includeTax,
    cogsReturned: options.includeCogsRefunds,
  };
  return lineNames.map((line) => {
    const columns: ProfitColumn[] = [profitLines[line]];
    for (const [name, extra] of Object.entries(profitExtras)) {
      if (extra.line === line && includes[name as keyof typeof includes])
        columns.push(extra.column);
    }
    return { line, isExpense: line in expenseLines, columns };
  });
}

/** Adds figures to the sums of the lines. */
export function addFigures(
  sums: LineSums,
  row: Figures,
  lines: readonly LineColumns[],
  exchange: Exchange,
): void {
  const { currency, local_date: date } = row;
  for (const { line, isExpense, columns } of lines) {
    for (const column of columns) {
      const amount = row[column];
      if (amount === 0n) continue;
      const exchanged = exchange.of(amount, currency, date);
      sums[line] += isExpense ? -exchanged : exchanged;
    }
  }
}

/** The currencies other than the target in which a line has amounts. */
export function foreignOf(
  target: string,
  figures: readonly Figures[],
  options: ProfitOptions,
): Set<string> {
  const columns = lineColumns(options).flatMap((line) => line.columns);
  return foreignCurrencies(target, figures, columns);
}

/** The days from the first to the last figure in another currency. */
export function foreignDays(target: string, figures: readonly Figures[]): DateRange {
  const foreign = figures.filter(({ currency }) => currency !== target);
  return daysOf(foreign.map(({ local_date: day }) => ({ day })));
}

/** Adds figures up to lines in units of 10^-minor, each rounded once. */
export function roundedLines(
  figures: readonly Figures[],
  exchange: Exchange,
  minor: number,
  options: ProfitOptions,
): LineSums {
  const columns = lineColumns(options);
  const sums = noLines();
  for (const row of figures) addFigures(sums, row, columns, exchange);
  const rounded = noLines();
  for (const line of lineNames) rounded[line] = minorUnits(sums[line], exchange.places, minor);
  return rounded;
}

/** Adds figures up to the statement in a currency. */
export function statementOf(
  figures: readonly Figures[],
  exchange: Exchange,
  currency: string,
  options: ProfitOptions,
): Statement {
  const minor = currencyPlaces(currency);
  const rounded = roundedLines(figures, exchange, minor, options);
  const { totalRevenue, totalExpenses, profit } = totalsOf(rounded);
  const lines = Object.fromEntries(
    Object.entries({ ...rounded, totalRevenue, totalExpenses }).map(([name, units]) => [
      name,
      numberOf(units, minor),
    ]),
  );
  return { lines: lines as Statement['lines'], totalProfit: numberOf(profit, minor) };
}

const revenueNames = Object.keys(revenueLines) as (keyof typeof revenueLines)[];
const expenseNames = Object.keys(expenseLines) as (keyof typeof expenseLines)[];
/** The lines in the order of answers. */
export const lineNames: readonly ProfitLine[] = [...revenueNames, ...expenseNames];

/** The totals of rounded lines. */
export function totalsOf(lines: LineSums) {
  const total = (names: readonly ProfitLine[]) =>
    names.reduce((sum, name) => sum + lines[name], 0n);
  const totalRevenue = total(revenueNames);
  const totalExpenses = total(expenseNames);
  return { totalRevenue, totalExpenses, profit: totalRevenue - totalExpenses };
}

/**
 * The currency of a statement of stores: the requested one, else the stores' own, or USD if they
 * differ.
 */
export function statementCurrency(
  requested: string | undefined,
  stores: readonly { readonly currency: string }[],
): string {
  const own = new Set(stores.map(({ currency }) => currency));
  const [first] = own;
  return requested ?? (own.size === 1 ? first! : 'USD');
}

/** A sum with `places` decimal places, in units of 10^-minor, rounded half away from zero. */
function minorUnits(sum: bigint, places: number, minor: number): bigint {
  const epsilon = places === convertedPlaces ? roundingEpsilon / 10n ** BigInt(minor) : 0n;
  const near = sum < 0n ? sum - epsilon : sum + epsilon;
  return BigInt(quotientText(near, 10n ** BigInt(places), 0, 10 ** minor));
}

/**
 * Rounds the sums of buckets so that they add up to the rounded sum of them all. If they do not,
 * the sums that rounding changed most are adjusted by one unit.
 */
export function roundedParts(sums: readonly bigint[], places: number, minor: number): bigint[] {
  const parts = sums.map((sum) => minorUnits(sum, places, minor));
  const add = (numbers: readonly bigint[]) => numbers.reduce((sum, one) => sum + one, 0n);
  const rest = minorUnits(add(sums), places, minor) - add(parts);
  if (rest === 0n) return parts;
  const step = rest < 0n ? -1n : 1n;
  const unit = 10n ** BigInt(places - minor);
  const lackOf = (index: number) => (sums[index]! - parts[index]! * unit) * step;
  const byLack = [...sums.keys()].sort((a, b) =>
    lackOf(a) === lackOf(b) ? 0 : lackOf(a) < lackOf(b) ? 1 : -1,
  );
  for (const index of byLack.slice(0, Number(rest * step))) parts[index]! += step;
  return parts;
}

function numberOf(units: bigint, minor: number): number {
  return Number(units) / 10 ** minor;
}
