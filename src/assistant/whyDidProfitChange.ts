/** The tool `why_did_profit_change`: which lines, stores and products moved the net profit. */
import Type from 'typebox';
import { priorName } from '../contract/byPeriod.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { expenseLines, revenueLines } from '../contract/profitLines.ts';
import { Currency, pageSizeMax } from '../contract/shapes.ts';
import { viewProfitByPeriod } from '../endpoints/reports/view/profitByPeriod/contract.ts';
import { viewSalesByProduct } from '../endpoints/reports/view/salesByProduct/contract.ts';
import type { Calls } from './api.ts';
import { changeText, differenceOf, type Figure, isMissing, percentOf, sumOf } from './changes.ts';
import { type Days, dayFields, dayRules, rangesOf } from './days.ts';
import { type Figures, periodOf } from './output.ts';
import { type Store, type StoresInput, storesField, storesOf } from './storesOf.ts';
import { thinkingTool } from './tool.ts';

/** The most stores that one call adds up. */
const storesMax = 20;
/** The most stores whose profit is also read one by one. */
const comparedStoresMax = 5;
/** The most products that are named. */
const productsMax = 10;

/** The tool. */
export const whyDidProfitChange = thinkingTool(
  {
    name: 'why_did_profit_change',
    title: 'Why did profit change?',
    description:
      'Divides the change of the net profit of seller stores between two periods into its lines ' +
      '(sales, refunds, fees, advertising, cost of goods and so on), and names the stores or ' +
      'products behind it. Counts as three requests for one store, and as two and one for each ' +
      'store for several. `effect` is what a line added to the change of the net profit, so all ' +
      'effects add up to it; products are the ones of a single store whose sales changed most.',
    input: Type.Object({
      ...dayFields,
      ...storesField(storesMax),
      currency: Type.Optional(
        Currency({ description: 'Currency of amounts; by default that of the stores, or USD.' }),
      ),
    }),
    rules: dayRules,
  },
  think,
);

type Input = Days & StoresInput & { readonly currency?: string };
type Ranges = ReturnType<typeof rangesOf>;
type Row = AnswerOf<typeof viewProfitByPeriod>['formattedChartData'][number];

async function think(input: Input, calls: Calls): Promise<Figures> {
  const ranges = rangesOf(input, calls.api.now());
  const stores = await storesOf(calls, input, storesMax);
  const ask = (channelIds: string[]) =>
    calls.ask(viewProfitByPeriod, {
      channelIds,
      // Years are the longest buckets, so that few rows are added up.
      reportOptions: { ...ranges, interval: 'y' },
      ...(input.currency !== undefined && { currentCurrency: input.currency }),
    });
  const whole = await ask(stores.map(({ channelId }) => channelId));
  const rows = whole.formattedChartData;
  const lines = linesOf(rows);
  const netProfit = comparedOf(rows, 'netProfit');
  const change = percentOf(netProfit.value, netProfit.prior);
  const period = periodOf(ranges);
  const store = stores.length === 1 ? stores[0] : undefined;
  return {
    summary: sayProfit(netProfit, change, lines, whole.currency),
    ...(period && { period }),
    currency: whole.currency,
    warnings: warningsOf(rows, whole.currency),
    answer: {
      netProfit: { ...netProfit, percent: change },
      lines,
      stores: await comparedStores(stores, async ({ channelId }) => {
        const { formattedChartData } = await ask([channelId]);
        return comparedOf(formattedChartData, 'netProfit');
      }),
      products: store === undefined ? [] : await productsOf(calls, store, ranges),
    },
  };
}

/** The sums of a field, and of that of the prior period, over all buckets. */
function comparedOf(rows: readonly Row[], field: keyof Row & string) {
  const sum = (name: keyof Row) => sumOf(rows.map((row): Figure => row[name]));
  return compared(sum(field), sum(priorName(field) as keyof Row));
}

function compared(value: number, prior: number) {
  return { value, prior, change: differenceOf(value, prior) };
}

function linesOf(rows: readonly Row[]) {
  const linesWith = (sign: 1 | -1, meanings: Readonly<Record<string, string>>) =>
    Object.entries(meanings).map(([line, meaning]) => {
      const amounts = comparedOf(rows, line as keyof Row & string);
      return { line, ...amounts, effect: sign * amounts.change || 0, meaning };
    });
  return [...linesWith(1, revenueLines), ...linesWith(-1, expenseLines)].sort(
    (a, b) => Math.abs(b.effect) - Math.abs(a.effect),
  );
}

async function comparedStores(
  stores: readonly Store[],
  read: (store: Store) => Promise<ReturnType<typeof compared>>,
) {
  if (stores.length === 1 || stores.length > comparedStoresMax) return [];
  const found = [];
  for (const store of stores) {
    const netProfit = await read(store);
    found.push({ store: store.displayName, channelId: store.channelId, netProfit });
  }
  return found.sort((a, b) => Math.abs(b.netProfit.change) - Math.abs(a.netProfit.change));
}

type Product = AnswerOf<typeof viewSalesByProduct>['rows'][number];

/** The products of a store whose sales changed most. */
async function productsOf(calls: Calls, { channelId, merchantId }: Store, ranges: Ranges) {
  const page = { includeTax: false, pageSize: pageSizeMax };
  const { rows } = await calls.ask(viewSalesByProduct, {
    channelId,
    merchantId,
    ...ranges,
    ...page,
  });
  return rows
    .map(productOf)
    .sort((a, b) => Math.abs(b.sales.change) - Math.abs(a.sales.change))
    .slice(0, productsMax);
}

function productOf({ current, prior }: Product) {
  const { sku, productSku, title } = current;
  return {
    sku,
    productSku,
    title,
    sales: compared(current.totalSales, prior.totalSales),
    units: compared(current.unitsSold, prior.unitsSold),
  };
}

function warningsOf(rows: readonly Row[], currency: string): string[] {
  const isWithoutPrior = rows.every(({ priorNetProfit }) => isMissing(priorNetProfit));
  const uncosted = sumOf(rows.map((row) => row.salesWithoutUnitCosts));
  return [
    ...(isWithoutPrior ? ['the comparison period has no figures at all'] : []),
    ...(uncosted === 0
      ? []
      : [`sales of ${uncosted} ${currency} have no unit cost, so profit looks larger than it is`]),
  ];
}

function sayProfit(
  { value, prior, change }: ReturnType<typeof compared>,
  percent: number | null,
  lines: readonly { readonly line: string; readonly effect: number }[],
  currency: string,
): string {
  const moved = lines.filter(({ effect }) => effect !== 0).slice(0, 3);
  const signed = (amount: number) => `${amount > 0 ? '+' : ''}${amount} ${currency}`;
  const by = moved.map(({ line, effect }) => `${line} ${signed(effect)}`).join(', ');
  return [
    `Net profit was ${value} ${currency} against ${prior} ${currency} before: ${signed(change)}`,
    percent === null ? '.' : ` (${changeText(percent)}).`,
    by === '' ? '' : ` The largest effects: ${by}.`,
  ].join('');
}
