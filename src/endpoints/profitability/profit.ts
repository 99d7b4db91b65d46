/** What the two statements of profit and loss share: figures of events, and lines that are rounded before they are totalled. */

import type { Channel } from '../../access/channels.ts';
import { never } from '../../calendar/period.ts';
import type { ZoneOffsets } from '../../calendar/zone.ts';
import { Refusal } from '../../contract/refusal.ts';
import { questionFile } from '../../engine/question.ts';
import type { Ask } from '../../engine/warehouse.ts';
import { convertedPlaces, currencyPlaces, quotientText } from '../../report/money.ts';
import { type Exchange, foreignCurrencies } from '../../report/rates.ts';
import type { Range } from '../../report/sales.ts';
import { expenseLines, revenueLines } from './contract.ts';

const figureNames = [
  'sales',
  'sales_tax',
  'promotions',
  'refunds',
  'refunds_tax',
  'reimbursements',
  'other_income',
  'advertising',
  'selling_fees',
  'shipping_fees',
  'overheads',
  'other_expenses',
  'cogs',
  'cogs_returned',
] as const;
type FigureName = (typeof figureNames)[number];

/** What events of a date come to in one currency, in millionths: credits positive, debits negative. */
export type Figures = { readonly local_date: number; readonly currency: string } & {
  readonly [F in FigureName]: bigint;
};

/** The same of one SKU. */
export type ProductFigures = Figures & { readonly product_sku: string };

/** A row of reported cost of advertising. */
export type Spend = {
  readonly local_date: number;
  readonly currency: string;
  readonly ad_cost: bigint;
};

type Line = keyof typeof revenueLines | keyof typeof expenseLines;
type Total = 'totalRevenue' | 'totalExpenses';

/** The lines and their totals as they are answered, and the profit. */
type Statement = {
  readonly lines: { readonly [L in Line | Total]: number };
  readonly totalProfit: number;
};

/** What the lines are made of. */
type Options = { readonly includeTax: boolean; readonly includeCogsRefunds: boolean };

const profitEvents = questionFile<ProductFigures>(import.meta.url, 'profitEvents.sql');

/** As many days as the question names one by one. */
const daysNamed = 8;
const secondsPerDay = 86_400;
/** A converted sum that is a hair below a half would be a half, had its parts been exact; the order of products says the same. */
const hair = 10n ** 11n;

/** Refuses a vendor channel. */
export function refuseVendor({ kind }: Channel): void {
  if (kind === 'vendor')
    throw new Refusal(400, 'channelId names a vendor channel, which has no profit and loss');
}

/** The UTC day of an instant. */
export function utcDay(instant: number): number {
  return Math.floor(instant / secondsPerDay);
}

/** The UTC days on which a range begins or ends within one of the day's steps of so many seconds. */
export function brokenDays({ from, to }: Range, stepSeconds: number): number[] {
  const broken = new Set<number>();
  if (from % stepSeconds !== 0) broken.add(utcDay(from));
  if ((to + 1) % stepSeconds !== 0) broken.add(utcDay(to));
  return [...broken];
}

/** Reads the events of a range on the UTC days given, in order: of the whole store, or SKU by SKU of those given. */
export async function readEvents(
  ask: Ask,
  channel: number,
  { from, to }: Range,
  offsets: ZoneOffsets,
  days: readonly number[],
  skus?: readonly string[],
): Promise<ProductFigures[]> {
  const figures: ProductFigures[] = [];
  const isUnbroken = days.length > 0 && days.at(-1)! - days[0]! + 1 === days.length;
  const step = isUnbroken ? days.length : daysNamed;
  for (let place = 0; place < days.length; place += step) {
    const named = days.slice(place, place + step);
    const firstUtc = named[0]!;
    const lastUtc = named.at(-1)!;
    const rows = await ask(profitEvents, {
      channel,
      from,
      to,
      firstUtc,
      lastUtc,
      ...offsets,
      everyDay: isUnbroken ? 1 : 0,
      days: isUnbroken
        ? new Array<number>(daysNamed).fill(firstUtc)
        : [...named, ...new Array<number>(daysNamed - named.length).fill(lastUtc)],
      bySku: skus === undefined ? 0 : 1,
      everySku: skus === undefined ? 1 : 0,
      skus: skus ?? [],
      never,
    });
    for (const row of rows) figures.push(row);
  }
  return figures;
}

const nothing = Object.fromEntries(figureNames.map((name) => [name, 0n])) as Record<
  FigureName,
  bigint
>;

/** Reported cost of advertising as a figure. */
export function figuresOfSpend({ local_date, currency, ad_cost }: Spend): Figures {
  return { ...nothing, local_date, currency, advertising: -ad_cost };
}

/** The figures of each line. */
function partsOf({ includeTax, includeCogsRefunds }: Options): Record<Line, readonly FigureName[]> {
  return {
    sales: includeTax ? ['sales', 'sales_tax'] : ['sales'],
    refunds: includeTax ? ['refunds', 'refunds_tax'] : ['refunds'],
    promotions: ['promotions'],
    reimbursements: ['reimbursements'],
    otherIncome: ['other_income'],
    advertisingSpend: ['advertising'],
    sellingFees: ['selling_fees'],
    shippingFees: ['shipping_fees'],
    refundsAndReturnsOverheads: ['overheads'],
    cogs: includeCogsRefunds ? ['cogs', 'cogs_returned'] : ['cogs'],
    otherExpenses: ['other_expenses'],
  };
}

/** The currencies other than the target in which a line has amounts. */
export function foreignOf(
  target: string,
  figures: readonly Figures[],
  options: Options,
): Set<string> {
  return foreignCurrencies(target, figures, Object.values(partsOf(options)).flat());
}

/** Adds figures up to the statement in a currency. */
export function statementOf(
  figures: readonly Figures[],
  exchange: Exchange,
  currency: string,
  options: Options,
): Statement {
  const minor = currencyPlaces(currency);
  const parts = partsOf(options);
  const lines = {} as Record<Line | Total, number>;
  const total = (names: readonly Line[], sign: bigint): bigint => {
    let sum = 0n;
    for (const name of names) {
      let amount = 0n;
      for (const row of figures) {
        for (const part of parts[name])
          amount += exchange.of(row[part], row.currency, row.local_date);
      }
      const rounded = minorUnits(sign * amount, exchange.places, minor);
      lines[name] = shown(rounded, minor);
      sum += rounded;
    }
    return sum;
  };
  const revenue = total(revenueNames, 1n);
  const expenses = total(expenseNames, -1n);
  lines.totalRevenue = shown(revenue, minor);
  lines.totalExpenses = shown(expenses, minor);
  return { lines, totalProfit: shown(revenue - expenses, minor) };
}

const revenueNames = Object.keys(revenueLines) as (keyof typeof revenueLines)[];
const expenseNames = Object.keys(expenseLines) as (keyof typeof expenseLines)[];

/** A sum with so many decimal places in units of 10^-minor, rounded half away from zero. */
function minorUnits(sum: bigint, places: number, minor: number): bigint {
  const near =
    places === convertedPlaces ? sum + (sum < 0n ? -hair : hair) / 10n ** BigInt(minor) : sum;
  return BigInt(quotientText(near, 10n ** BigInt(places), 0, 10 ** minor));
}

/** The number that a count of minor units denotes. */
function shown(units: bigint, minor: number): number {
  return Number(units) / 10 ** minor;
}
