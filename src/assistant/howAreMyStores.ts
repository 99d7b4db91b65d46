/** The tool `how_are_my_stores`: sales and health of all stores, and what needs attention. */
import Type from 'typebox';
import type { AnswerOf } from '../contract/endpoint.ts';
import { Currency, pageSizeMax } from '../contract/shapes.ts';
import { viewAdvertisingByChannels } from '../endpoints/reports/view/contract.ts';
import {
  healthLimits,
  viewSalesByChannel,
} from '../endpoints/reports/view/salesByChannel/contract.ts';
import type { Calls } from './api.ts';
import { changeText, percentOf, sumOf } from './changes.ts';
import { type Days, dayFields, dayRules, rangesOf } from './days.ts';
import { type Figures, periodOf } from './output.ts';
import { quoted } from './texts.ts';
import { thinkingTool } from './tool.ts';

type Row = AnswerOf<typeof viewSalesByChannel>['rows'][number];

/** The tool. */
export const howAreMyStores = thinkingTool(
  {
    name: 'how_are_my_stores',
    title: 'How are my stores?',
    description:
      'How all stores of the key do: sales against the period before, orders, units, advertising ' +
      'spend, and which stores need attention because of targets, stock or the buy box. Makes ' +
      `two calls, so it counts as two requests. Shows the ${pageSizeMax} stores that sell most.`,
    input: Type.Object({ ...dayFields, currency: Currency({ default: 'USD' }) }),
    rules: dayRules,
  },
  think,
);

type Input = Days & { readonly currency: string };

async function think(input: Input, calls: Calls): Promise<Figures> {
  const ranges = rangesOf(input, calls.api.now());
  const page = { currentCurrency: input.currency, pageSize: pageSizeMax };
  const { rows, count } = await calls.ask(viewSalesByChannel, { ...ranges, ...page });
  const { data } = await calls.ask(viewAdvertisingByChannels, { reportOptions: ranges, ...page });
  const stores = rows.map(storeOf);
  const totals = totalsOf(rows.filter(isConverted), data.items);
  const period = periodOf(ranges);
  return {
    summary: sayStores(totals, stores, input.currency),
    ...(period && { period }),
    currency: input.currency,
    warnings: [
      ...(count > rows.length ? [`${count - rows.length} further stores are not added up`] : []),
      ...rows
        .filter((row) => !isConverted(row))
        .map(({ store }) => `${quoted(store)} is not added up: its currency has no exchange rate`),
    ],
    answer: { totals, stores },
  };
}

/** Whether the sales of a store are known in the currency of the answer. */
function isConverted({ sales }: Row): boolean {
  return sales.value !== null && sales.priorPeriodValue !== null;
}

function storeOf(row: Row) {
  const { sales, orders, units } = row;
  return {
    store: row.store,
    channelId: row.storeId,
    sales: sales.value,
    priorSales: sales.priorPeriodValue,
    change: percentOf(sales.value, sales.priorPeriodValue),
    orders: Number(orders.value),
    ordersBasis: row.ordersBasis.value,
    units: Number(units.value),
    health: row.healthStatus,
    concerns: concernsOf(row),
  };
}

/** The marks of a store in words, by the limits of its health. */
function concernsOf(row: Row): string[] {
  const { warning } = healthLimits;
  const { sales, budgetTarget, forecastTarget, outOfStockPercentage, buyBoxSnapshot } = row;
  const target = budgetTarget ?? forecastTarget;
  const ofTarget = percentOf(sales.value, target, 0);
  const isBelow = ofTarget !== null && ofTarget < warning.target;
  const buyBox = buyBoxSnapshot.percentage;
  return [
    ...(isBelow ? [`sales are ${ofTarget} % of their target of ${target}`] : []),
    ...(outOfStockPercentage !== null && outOfStockPercentage >= warning.outOfStock
      ? [`${outOfStockPercentage} % of its SKUs are out of stock`]
      : []),
    ...(buyBox !== null && buyBox < warning.buyBox
      ? [`it had the buy box in ${buyBox} % of page views on ${buyBoxSnapshot.date}`]
      : []),
  ];
}

type AdRow = AnswerOf<typeof viewAdvertisingByChannels>['data']['items'][number];

/** The sums over stores whose sales are known, and the advertising spend of all. */
function totalsOf(known: readonly Row[], ads: readonly AdRow[]) {
  const sales = sumOf(known.map((row) => row.sales.value));
  const priorSales = sumOf(known.map((row) => row.sales.priorPeriodValue));
  const adSpend = sumOf(ads.map(({ spend }) => spend));
  return {
    stores: known.length,
    sales,
    priorSales,
    change: percentOf(sales, priorSales),
    orders: sumOf(known.map(({ orders }) => orders.value)),
    units: sumOf(known.map(({ units }) => units.value)),
    adSpend,
    adSpendOfSales: percentOf(adSpend, sales, 0),
  };
}

function sayStores(
  totals: ReturnType<typeof totalsOf>,
  stores: readonly ReturnType<typeof storeOf>[],
  currency: string,
): string {
  const { sales, priorSales, change, adSpend } = totals;
  const concerned = stores.filter(({ health }) => health !== 'good').length;
  return [
    `Sales: ${sales} ${currency}, ${changeText(change)} against ${priorSales} ${currency} before;`,
    `stores: ${totals.stores}. Advertising cost ${adSpend} ${currency}.`,
    concerned === 0
      ? 'No store needs attention.'
      : `Stores that need attention: ${concerned}; see their health and concerns.`,
  ].join(' ');
}
