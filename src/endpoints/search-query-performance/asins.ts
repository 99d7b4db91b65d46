/** Search Query Performance by product, in two periods of whole months. */

import { type Channel, primaryMarketplace } from '../../access/channels.ts';
import { isoDate, localDay, monthOfDay } from '../../calendar/period.ts';
import { daysOf } from '../../calendar/windows.ts';
import { questionFile } from '../../engine/question.ts';
import type { CachedAsk } from '../../engine/segments/router.ts';
import type { DateRange, Parameters } from '../../engine/warehouse.ts';
import type { Conversion } from '../../figures/conversion.ts';
import { type Exchange, noExchange } from '../../figures/exchange.ts';
import type { FactorOf } from '../../figures/factors.ts';
import { amountPlaces, currencyPlaces } from '../../figures/money.ts';
import { readCounts } from '../../report/itemDays.ts';
import { askPage, type Matching, type SortColumn, sortedQuestionFile } from '../../report/page.ts';
import { purposeOf, readConversion } from '../../report/rates.ts';
import type { Handler, RecordRules } from '../handler.ts';
import { channelRule, currencyRule } from '../recordRules.ts';
import type { listSearchQueryPerformance as contract, SortableFigure } from './contract.ts';
import {
  type Count,
  counted,
  countNames,
  mapped,
  metricsOf,
  nothing,
  percentPlaces,
  percents,
  type Sums,
} from './figures.ts';
import { type PageInput as MemoryInput, pageFromMemory, searchFigures } from './pageFromMemory.ts';

type SearchMonth = Readonly<Sums> & {
  readonly asin: string;
  readonly day: number;
  readonly currency: string;
};
type CurrencyMonth = { readonly currency: string; readonly day: number };

const searchMonths = questionFile<SearchMonth>(import.meta.url, 'months.sql');

const countSort = (count: Count): SortColumn => ({
  kind: 'number',
  key: `sum(${count})`,
  sql: 'sorted_by',
});

function percentSort([part, whole]: readonly [Count, Count]): SortColumn {
  const quotient = `CAST(sum(${part}) AS DOUBLE) / CAST(sum(${whole}) AS DOUBLE) * 100`;
  const key = `CASE WHEN sum(${whole}) > 0 THEN ${quotient} ELSE 0 END`;
  return { kind: 'number', key, sql: `round_half_up(sorted_by, ${10 ** percentPlaces})` };
}

const amountSort = (key: string): SortColumn => ({
  kind: 'number',
  key,
  sql: 'round_half_up(greatest(sorted_by, 0), {amountScale:Float64})',
});
const nativeSort = (amount: string) => amountSort(`CAST(sum(${amount}) AS DOUBLE)`);

const convertedSort = (amount: string) =>
  amountSort(
    `sum(CAST(unconverted(${amount}, currency) AS DOUBLE) + converted(${amount}, currency, day))`,
  );

type SortName = 'asin' | SortableFigure | 'currentRevenue converted' | 'opportunity converted';

/** The shown value of each column that can sort rows. */
const sorts: Readonly<Record<SortName, SortColumn>> = {
  asin: { kind: 'plain', key: 'asin', sql: 'sorted_by' },
  ...mapped(counted, countSort),
  ...mapped(percents, percentSort),
  currentRevenue: nativeSort('revenue'),
  'currentRevenue converted': convertedSort('revenue'),
  opportunity: nativeSort('(total_revenue - revenue)'),
  'opportunity converted': convertedSort('(total_revenue - revenue)'),
};
const sorted = sortedQuestionFile<Matching & { readonly asin: string }>(
  import.meta.url,
  'asins.sql',
  sorts,
  ['asin'],
);

/** The record rules of the operation. */
export const searchQueryPerformanceRules: RecordRules<typeof contract> = [
  channelRule(({ marketplace }) =>
    marketplace.toLowerCase() === primaryMarketplace
      ? undefined
      : 'channelId must be a channel of the primary marketplace',
  ),
  {
    at: 'asins',
    reads: ['asins[]'],
    check({ asins }, { caller }) {
      const { searchQueryProductMax: max } = caller.entitlements;
      return new Set(asins).size > max
        ? `asins must have at most ${max} different entries: the limit of your organisation`
        : undefined;
    },
  },
  currencyRule('currency'),
];

/** Answers GET /search-query-performance/asins. */
export const listSearchQueryPerformance: Handler<typeof contract> = async (input, context) => {
  const { timezone, currency, pageIndex, pageSize } = input;
  const { channel, warehouse, limits } = context;
  const current = monthsOf(timezone, input.fromDate, input.toDate);
  const prior = monthsOf(timezone, input.priorFromDate, input.priorToDate);
  const page: Page = {
    ...input,
    channel: channel.channelNumber,
    current,
    prior,
    asins: [...new Set(input.asins)],
    most: context.caller.entitlements.searchQueryProductMax,
    places: currencyPlaces(currency),
  };
  return await warehouse.readCached([channel.channelNumber, 0], limits, async (ask) => {
    const sorting = await readSorting(ask, page, channel);
    const inMemory = await pageFromMemory(ask, { ...page, factorOf: sorting.factorOf });
    const { shown, count } = inMemory ?? (await pageFromQuestion(ask, page, sorting));
    const sums =
      inMemory !== undefined && !(await hasForeign(ask, page))
        ? { ...inMemory, places: amountPlaces }
        : await exchangedSums(ask, page, shown, channel, sorting.exchange);
    const metrics = (of: Sums) => metricsOf(of, currency, sums.places);
    return {
      data: shown.map((asin) => ({
        asin,
        current: metrics(sums.currentOf(asin)),
        prior: metrics(sums.priorOf(asin)),
      })),
      pagination: { pageIndex, pageSize, count },
      meta: {
        currency,
        dateRange: {
          fromDate: isoDate(current.first),
          toDate: isoDate(current.last),
          priorFromDate: isoDate(prior.first),
          priorToDate: isoDate(prior.last),
        },
      },
    };
  });
};

/** A page, with the currency of its amounts. */
type Page = Omit<MemoryInput, 'factorOf'> & { readonly currency: string };

/** How a page is sorted and, if by an amount, how amounts are converted. */
type Sorting = {
  readonly column: SortName;
  readonly parameters: Parameters;
  readonly factorOf: FactorOf;
  readonly exchange?: Exchange;
};

function periodsOf({ channel, current, prior }: Page): Parameters {
  return { channel, ...current, priorFirst: prior.first, priorLast: prior.last };
}

/** The currencies and the months with figures in either period. */
async function readMonths(ask: CachedAsk, page: Page): Promise<readonly CurrencyMonth[]> {
  const months: CurrencyMonth[] = [];
  for (const { first, last } of [page.current, page.prior]) {
    const counts = await readCounts(ask, searchFigures, [{ channel: page.channel, first, last }]);
    months.push(...counts.filter(({ day }) => day >= first && day <= last));
  }
  return months;
}

async function hasForeign(ask: CachedAsk, page: Page): Promise<boolean> {
  return (await readMonths(ask, page)).some(({ currency }) => currency !== page.currency);
}

async function readSorting(ask: CachedAsk, page: Page, channel: Channel): Promise<Sorting> {
  const { sortKey, currency, places } = page;
  const factorOf = () => undefined;
  if (sortKey !== 'currentRevenue' && sortKey !== 'opportunity')
    return { column: sortKey, parameters: {}, factorOf };
  const amountScale = 10 ** places;
  const occurring = await readMonths(ask, page);
  const conversion = await readMonthConversion(ask, occurring, channel, currency);
  const { exchange } = conversion;
  return {
    column: exchange === noExchange ? sortKey : `${sortKey} converted`,
    parameters: { amountScale, ...conversion.parameters() },
    factorOf: conversion.factorOf,
    exchange,
  };
}

/** The products of a page, from a question, and the number on all pages. */
async function pageFromQuestion(ask: CachedAsk, page: Page, { column, parameters }: Sorting) {
  const { asins, most, sortOrder } = page;
  const given = { ...periodsOf(page), asins, most, ...parameters };
  const { rows, count } = await askPage(ask, sorted(column, sortOrder), given, page);
  return { shown: rows.map(({ asin }) => asin), count };
}

/** The exact sums of the products of a page in each period, and the decimal places of amounts. */
async function exchangedSums(
  ask: CachedAsk,
  page: Page,
  shown: readonly string[],
  channel: Channel,
  known: Exchange | undefined,
) {
  const figures =
    shown.length === 0 ? [] : await ask(searchMonths, { ...periodsOf(page), asins: shown });
  const exchange = known ?? (await readExchange(ask, figures, channel, page.currency));
  const sumsIn = (period: DateRange) => {
    const sums = addUp(figures, period, exchange);
    return (asin: string) => sums.get(asin) ?? nothing();
  };
  return {
    currentOf: sumsIn(page.current),
    priorOf: sumsIn(page.prior),
    places: exchange.places,
  };
}

/** How the amounts of a page are converted. */
async function readExchange(
  ask: CachedAsk,
  figures: readonly SearchMonth[],
  channel: Channel,
  currency: string,
): Promise<Exchange> {
  const occurring = figures.filter(
    ({ revenue, total_revenue }) => revenue !== 0n || total_revenue !== 0n,
  );
  return (await readMonthConversion(ask, occurring, channel, currency)).exchange;
}

/** From the first day of the month of one instant to the last day of the month of another. */
function monthsOf(zone: string, from: number, to: number): DateRange {
  return {
    first: monthOfDay(localDay(zone, from)).firstDay,
    last: monthOfDay(localDay(zone, to)).lastDay,
  };
}

/** The conversion of monthly figures. */
async function readMonthConversion(
  ask: CachedAsk,
  occurring: readonly CurrencyMonth[],
  channel: Channel,
  target: string,
): Promise<Conversion> {
  const foreign = occurring.filter(({ currency }) => currency !== target);
  return await readConversion(ask, {
    target,
    currencies: new Set(foreign.map(({ currency }) => currency)),
    days: daysOf(foreign),
    purpose: purposeOf(channel, 'currency'),
    byMonth: true,
  });
}

/** Adds up the months of a period by product, amounts in fractions of the target currency. */
function addUp(
  figures: readonly SearchMonth[],
  { first, last }: DateRange,
  exchange: Exchange,
): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const figure of figures) {
    const { asin, day, currency } = figure;
    if (day < first || day > last) continue;
    let sum = sums.get(asin);
    if (sum === undefined) {
      sum = nothing();
      sums.set(asin, sum);
    }
    for (const name of countNames) sum[name] += figure[name];
    sum.revenue += exchange.of(figure.revenue, currency, day);
    sum.total_revenue += exchange.of(figure.total_revenue, currency, day);
  }
  return sums;
}
