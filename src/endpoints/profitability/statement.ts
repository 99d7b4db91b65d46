/** A statement of profit and loss: figures in any currency added up to rounded lines and totals. */
import {
  type ProfitColumn,
  type ProfitLine,
  profitColumns,
  profitExtras,
  profitLines,
} from '../../../schema/warehouse/profit.ts';
import type { DateRange } from '../../engine/warehouse.ts';
import { convertedPlaces, currencyPlaces, quotientText } from '../../report/money.ts';
import { daysOf } from '../../report/period.ts';
import { type Exchange, foreignCurrencies } from '../../report/rates.ts';
import { expenseLines, revenueLines } from './contract.ts';

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
type Options = { readonly includeTax: boolean; readonly includeCogsRefunds: boolean };

/**
 * A converted sum this far below a half counts as the half; the order of products does the same.
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

/** The columns that a line adds up. */
function columnsOf(line: ProfitLine, options: Options): ProfitColumn[] {
  const includes = {
    salesTax: options.includeTax,
    refundsTax: options.includeTax,
    cogsReturned: options.includeCogsRefunds,
  };
  const columns: ProfitColumn[] = [profitLines[line]];
  for (const [name, extra] of Object.entries(profitExtras)) {
    if (extra.line === line && includes[name as keyof typeof includes]) columns.push(extra.column);
  }
  return columns;
}

/** The currencies other than the target in which a line has amounts. */
export function foreignOf(
  target: string,
  figures: readonly Figures[],
  options: Options,
): Set<string> {
  const columns = lineNames.flatMap((line) => columnsOf(line, options));
  return foreignCurrencies(target, figures, columns);
}

/** The days from the first to the last of the figures in other currencies. */
export function foreignDays(target: string, figures: readonly Figures[]): DateRange {
  const foreign = figures.filter(({ currency }) => currency !== target);
  return daysOf(foreign.map(({ local_date: day }) => ({ day })));
}

/** Adds figures up to the statement in a currency. */
export function statementOf(
  figures: readonly Figures[],
  exchange: Exchange,
  currency: string,
  options: Options,
): Statement {
  const minor = currencyPlaces(currency);
  const lines = {} as Record<ProfitLine | Total, number>;
  const total = (names: readonly ProfitLine[], sign: bigint): bigint => {
    let sum = 0n;
    for (const name of names) {
      let amount = 0n;
      for (const column of columnsOf(name, options)) {
        for (const row of figures) amount += exchange.of(row[column], row.currency, row.local_date);
      }
      const rounded = minorUnits(sign * amount, exchange.places, minor);
      lines[name] = numberOf(rounded, minor);
      sum += rounded;
    }
    return sum;
  };
  const revenue = total(revenueNames, 1n);
  const expenses = total(expenseNames, -1n);
  lines.totalRevenue = numberOf(revenue, minor);
  lines.totalExpenses = numberOf(expenses, minor);
  return { lines, totalProfit: numberOf(revenue - expenses, minor) };
}

const lineNames = Object.keys(profitLines) as ProfitLine[];
const revenueNames = Object.keys(revenueLines) as (keyof typeof revenueLines)[];
const expenseNames = Object.keys(expenseLines) as (keyof typeof expenseLines)[];

/** A sum with so many decimal places in units of 10^-minor, rounded half away from zero. */
function minorUnits(sum: bigint, places: number, minor: number): bigint {
  const epsilon = places === convertedPlaces ? roundingEpsilon / 10n ** BigInt(minor) : 0n;
  const near = sum < 0n ? sum - epsilon : sum + epsilon;
  return BigInt(quotientText(near, 10n ** BigInt(places), 0, 10 ** minor));
}

function numberOf(units: bigint, minor: number): number {
  return Number(units) / 10 ** minor;
}
