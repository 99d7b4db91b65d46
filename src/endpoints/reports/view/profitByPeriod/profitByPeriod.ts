/** The profit and loss of one or more stores, bucket by bucket. */

import type { Channel } from '../../../../access/channels.ts';
import { type Window, windowsOf } from '../../../../calendar/windows.ts';
import type { InputOf } from '../../../../contract/endpoint.ts';
import type { CachedAsk } from '../../../../engine/segments/router.ts';
import type { Conversion } from '../../../../figures/conversion.ts';
import type { Exchange } from '../../../../figures/exchange.ts';
import { currencyPlaces, quotientText } from '../../../../figures/money.ts';
import { noText, ratioText } from '../../../../figures/texts.ts';
import { timesOf, writeChart } from '../../../../report/chart.ts';
import { readStoreFigures, type StoreRange } from '../../../../report/profitFigures.ts';
import {
  addFigures,
  type Figures,
  foreignDays,
  foreignOf,
  type LineSums,
  lineColumns,
  lineNames,
  noLines,
  roundedParts,
  statementCurrency,
  totalsOf,
} from '../../../../report/profitStatement.ts';
import { readConversion, refuseMissing } from '../../../../report/rates.ts';
import { type Handler, WrittenAnswer } from '../../../handler.ts';
import { unstatedTaxIn } from '../../../unstatedTax.ts';
import { channelsOf } from './channels.ts';
import type { viewProfitByPeriod as contract, ProfitByPeriodRow } from './contract.ts';
import { bucketOf, readWithoutCosts, type WithoutCosts } from './withoutCosts.ts';

/** Decimal places of the margin. */
const marginPlaces = 1;
/** Decimal places to which a sum of doubles is read. */
const doublePlaces = 9;

type Input = InputOf<typeof contract>;

/** The parameters shared by both windows. */
type View = {
  readonly input: Input;
  readonly channels: readonly Channel[];
  readonly currency: string;
};

/** The facts of one window. */
type Facts = {
  readonly figures: readonly Figures[];
  readonly uncosted: readonly WithoutCosts[];
};

/** Answers POST /reports/view/profitByPeriod. */
export const viewProfitByPeriod: Handler<typeof contract> = async (input, context) => {
  const channels = await channelsOf(input, context);
  context.warn(unstatedTaxIn(channels, 'finance_event', input.reportOptions));
  const currency = statementCurrency(input.currentCurrency, channels);
  const view: View = { input, channels, currency };
  const { timezone } = input.reportOptions;
  const windows = windowsOf(input.reportOptions);
  const numbers = channels.map((channel) => channel.channelNumber);
  const { facts, exchange } = await context.warehouse.readCached(
    [...numbers, 0],
    context.limits,
    (ask) => readFacts(ask, view, windows),
  );
  const [current, prior] = windows.map((window, index) =>
    textsOf(bucketsOf(view, window, facts[index]!, exchange), currency, exchange.places),
  );
  return new WrittenAnswer(
    await writeChart(currency, windows[0]!.buckets, (out, bucket, index) => {
      out.text(timesOf(timezone, bucket, currency));
      out.text(`,${JSON.stringify(rowOf(current![index]!, prior?.[index])).slice(1)}`);
    }),
  );
};

/** Reads the facts of the windows, all from one snapshot, and the rates that they need. */
async function readFacts(ask: CachedAsk, view: View, windows: readonly Window[]) {
  const ranges = windows.map((window) => rangeOf(view, window));
  const figures: Figures[][] = [];
  for (const range of ranges) figures.push(await readStoreFigures(ask, range));
  const conversion = await readStoreConversion(ask, view, ranges, figures.flat());
  const facts: Facts[] = [];
  for (const [index, window] of windows.entries())
    facts.push({
      figures: figures[index]!,
      uncosted: await readWithoutCosts(
        ask,
        {
          ...ranges[index]!,
          buckets: window.buckets,
          withTax: view.input.includeTax ? 1 : 0,
        },
        figures[index]!,
        conversion,
      ),
    });
  return { facts, exchange: conversion.exchange };
}

function rangeOf({ input, channels }: View, { from, to }: Window): StoreRange {
  return {
    channels: channels.map((channel) => channel.channelNumber),
    zone: input.reportOptions.timezone,
    range: { from, to },
  };
}

/** Reads the rates of the foreign amounts; refuses the request if a currency has none. */
async function readStoreConversion(
  ask: CachedAsk,
  { input, channels, currency }: View,
  ranges: readonly StoreRange[],
  figures: readonly Figures[],
): Promise<Conversion> {
  const conversion = await readConversion(ask, {
    target: currency,
    currencies: foreignOf(currency, figures, input),
    days: foreignDays(currency, figures),
  });
  if (conversion.missing.size > 0) {
    const holders = new Map<string, string>();
    for (const { channelId, channelNumber } of channels)
      for (const range of ranges)
        for (const row of await readStoreFigures(ask, { ...range, channels: [channelNumber] }))
          if (foreignOf(currency, [row], input).size > 0) holders.set(row.currency, channelId);
    const channelOf = (code: string) => holders.get(code) ?? channels[0]!.channelId;
    refuseMissing([...conversion.missing], currency, { field: 'currentCurrency', channelOf });
  }
  return conversion;
}

/** The exact sums of a bucket, `known` if it has any fact. */
type BucketSums = {
  known: boolean;
  readonly lines: LineSums;
  withoutCosts: bigint;
  products: number;
};

/** The sums of a window, bucket by bucket. */
function bucketsOf(view: View, { buckets }: Window, facts: Facts, exchange: Exchange) {
  const columns = lineColumns(view.input);
  const sums: BucketSums[] = buckets.map(() => ({
    known: false,
    lines: noLines(),
    withoutCosts: 0n,
    products: 0,
  }));
  for (const row of facts.figures) {
    const bucket = sums[bucketOf(buckets, row.local_date)]!;
    bucket.known = true;
    addFigures(bucket.lines, row, columns, exchange);
  }
  for (const { bucket, sales, sales_converted, products } of facts.uncosted) {
    const converted = BigInt(Math.round(sales_converted * 10 ** doublePlaces));
    sums[bucket]!.withoutCosts =
      exchange.of(sales, view.currency, 0) +
      converted * 10n ** BigInt(Math.max(0, exchange.places - doublePlaces));
    sums[bucket]!.products = products;
  }
  return sums;
}

type Names = Exclude<keyof ProfitByPeriodRow, `prior${string}` | `${string}Time` | 'currency'>;
/** The texts of a bucket, in the order of the answer. */
type BucketTexts = {
  readonly known: boolean;
  readonly texts: { readonly [Name in Names]: string | number };
};

/** Rounds the sums of a window so that they add up to the rounded whole, and writes them. */
function textsOf(sums: readonly BucketSums[], currency: string, places: number): BucketTexts[] {
  const minor = currencyPlaces(currency);
  const text = (units: bigint) => quotientText(units, 10 ** minor, minor);
  const round = (of: (bucket: BucketSums) => bigint) => roundedParts(sums.map(of), places, minor);
  const lines = sums.map(() => noLines());
  for (const line of lineNames)
    for (const [index, units] of round((bucket) => bucket.lines[line]).entries())
      lines[index]![line] = units;
  const without = round((bucket) => bucket.withoutCosts);
  return sums.map(({ known, products }, index) => {
    const { totalRevenue, totalExpenses, profit } = totalsOf(lines[index]!);
    const own = Object.fromEntries(lineNames.map((line) => [line, text(lines[index]![line])]));
    return {
      known,
      texts: {
        totalRevenue: text(totalRevenue),
        totalExpenses: text(totalExpenses),
        ...(own as Record<keyof LineSums, string>),
        netProfit: text(profit),
        margin: ratioText(profit, totalRevenue, marginPlaces, 100),
        salesWithoutUnitCosts: text(without[index]!),
        productsWithoutUnitCosts: products,
      },
    };
  });
}

/** The metrics of a row of the answer. */
function rowOf({ texts }: BucketTexts, prior: BucketTexts | undefined): object {
  const row: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(texts)) {
    const unknown = typeof value === 'number' ? 0 : noText;
    row[name] = value;
    row[`prior${name[0]!.toUpperCase()}${name.slice(1)}`] = prior?.known
      ? prior.texts[name as Names]
      : unknown;
  }
  return row;
}
