/** Reports the profit and loss of channels side by side, with their total. */

import type { Channel } from '../../../../access/channels.ts';
import { statementFields } from '../../../../contract/profitLines.ts';
import { questionFile } from '../../../../engine/question.ts';
import { byQuestions } from '../../../../engine/segments/router.ts';
import type { Ask } from '../../../../engine/warehouse.ts';
import type { Exchange } from '../../../../figures/exchange.ts';
import { currencyPlaces, quotientText } from '../../../../figures/money.ts';
import { utcDay } from '../../../../report/profitEvents.ts';
import { readStoreFigures } from '../../../../report/profitFigures.ts';
import {
  type Figures,
  foreignDays,
  foreignOf,
  type LineSums,
  lineNames,
  noLines,
  roundedLines,
  statementCurrency,
  totalsOf,
} from '../../../../report/profitStatement.ts';
import { readConversion } from '../../../../report/rates.ts';
import type { TypedColumn } from '../../../../report/typedColumns.ts';
import type { ReportOptions } from '../contract.ts';
import type { Report, ReportContext } from '../report.ts';

type Options = ReportOptions['channelProfitAndLoss'];

const unitsSold = questionFile<{ channel: number; units: number }>(import.meta.url, 'units.sql');

/** The lines in the order of POST /profitability/storeProfitAndLoss. */
const shownLines = Object.keys(statementFields(() => null)) as (keyof ReturnType<
  typeof statementFields
>)[];

const percentPlaces = 2;

/**
 * The statement of one channel or of all: the lines in minor units of the currency, and the units.
 */
type Statement = { readonly lines: LineSums; readonly units: number };

/** The cells of one row for a channel or the total; null if there is nothing to divide by. */
type Part = { readonly [Name in 'value' | 'shareOfIncome' | 'valuePerUnit']: string | null };

type Row = {
  readonly metric: string;
  /** Null if the row holds no amounts. */
  readonly currency: string | null;
  /** One part for each channel, followed by the total. */
  readonly parts: readonly Part[];
};

/** One row per line of the statement, then the profit, the margin and the units. */
export const channelProfitAndLoss: Report<'channelProfitAndLoss', Row> = {
  reportType: 'channelProfitAndLoss',
  channelKind: 'seller',
  columns: (options, _channel, channels) => [
    { name: 'metric', type: 'text', cell: ({ metric }) => metric },
    ...[...channels.map(({ channelId }) => channelId), 'Total'].flatMap((name, index) =>
      columnsOf(name, index, statementCurrency(options.currentCurrency, channels)),
    ),
    { name: 'currency', type: 'text', cell: ({ currency }) => currency },
  ],
  async rows(options, context, write) {
    const currency = statementCurrency(options.currentCurrency, context.channels);
    const statements = await readStatements(options, context, currency);
    await write(rowsOf([...statements, totalOf(statements)], currency));
  },
};

function columnsOf(name: string, index: number, currency: string): TypedColumn<Row>[] {
  const places = Math.max(percentPlaces, currencyPlaces(currency));
  return (['value', 'shareOfIncome', 'valuePerUnit'] as const).map((part) => ({
    name: `${name} ${part}`,
    type: 'number',
    digits: part === 'shareOfIncome' ? percentPlaces : places,
    cell: ({ parts }) => parts[index]![part],
  }));
}

/** Reads the statement of each channel, all from one snapshot. */
function readStatements(
  options: Options,
  { channels, warehouse, limits }: ReportContext,
  currency: string,
): Promise<Statement[]> {
  const { fromDate: from, toDate: to, timezone: zone } = options;
  const numbers = channels.map(({ channelNumber }) => channelNumber);
  return warehouse.read([0, ...numbers], limits, async (ask) => {
    const figures: Figures[][] = [];
    for (const number of numbers)
      figures.push(
        await readStoreFigures(byQuestions(ask), {
          channels: [number],
          zone,
          range: { from, to },
        }),
      );
    const exchange = await readExchange(ask, options, channels, figures, currency);
    const days = { firstUtc: utcDay(from), lastUtc: utcDay(to) };
    const found = await ask(unitsSold, { channels: numbers, from, to, ...days });
    const units = new Map(found.map((row) => [row.channel, row.units]));
    return numbers.map((number, index) => ({
      lines: roundedLines(figures[index]!, exchange, currencyPlaces(currency), options),
      units: units.get(number) ?? 0,
    }));
  });
}

/** Reads the rates of the foreign amounts; refuses the report if a currency has none. */
async function readExchange(
  ask: Ask,
  options: Options,
  channels: readonly Channel[],
  figures: readonly (readonly Figures[])[],
  currency: string,
): Promise<Exchange> {
  const foreign = figures.map((rows) => foreignOf(currency, rows, options));
  const holderOf = (code: string) =>
    (channels.find((_, index) => foreign[index]!.has(code)) ?? channels[0]!).channelId;
  const { exchange } = await readConversion(ask, {
    target: currency,
    currencies: new Set(foreign.flatMap((codes) => [...codes])),
    days: foreignDays(currency, figures.flat()),
    purpose: { field: 'reportOptions.currentCurrency', channelOf: holderOf },
  });
  return exchange;
}

/** Adds up the shown values. */
function totalOf(statements: readonly Statement[]): Statement {
  const lines = noLines();
  for (const statement of statements)
    for (const line of lineNames) lines[line] += statement.lines[line];
  return { lines, units: statements.reduce((sum, { units }) => sum + units, 0) };
}

function rowsOf(statements: readonly Statement[], currency: string): Row[] {
  const minor = currencyPlaces(currency);
  const unit = 10n ** BigInt(minor);
  const totals = statements.map(({ lines }) => totalsOf(lines));
  const amounts = (metric: string, of: (index: number) => bigint): Row => ({
    metric,
    currency,
    parts: statements.map(({ units }, index) => ({
      value: quotientText(of(index), unit, minor),
      shareOfIncome: ratioOf(of(index), totals[index]!.totalRevenue, percentPlaces, 100),
      valuePerUnit: ratioOf(of(index), unit * BigInt(units), Math.max(2, minor)),
    })),
  });
  const others = (metric: string, of: (index: number) => string | null): Row => ({
    metric,
    currency: null,
    parts: statements.map((_, index) => ({
      value: of(index),
      shareOfIncome: null,
      valuePerUnit: null,
    })),
  });
  return [
    ...shownLines.map((name) =>
      amounts(name, (index) => ({ ...totals[index]!, ...statements[index]!.lines })[name]),
    ),
    amounts('netProfit', (index) => totals[index]!.profit),
    others('margin', (index) =>
      ratioOf(totals[index]!.profit, totals[index]!.totalRevenue, percentPlaces, 100),
    ),
    others('units', (index) => String(statements[index]!.units)),
  ];
}

function ratioOf(part: bigint, whole: bigint, places: number, factor = 1): string | null {
  return whole > 0n ? quotientText(part, whole, places, factor) : null;
}
