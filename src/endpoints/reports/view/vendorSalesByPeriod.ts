/** Sales and advertising of one vendor channel, bucket by bucket. */

import { bucketOfDay } from '../../../calendar/period.ts';
import { type Window, windowsOf } from '../../../calendar/windows.ts';
import { questionFile } from '../../../engine/question.ts';
import { tableColumns } from '../../../engine/segments/daySource.ts';
import type { DayTable } from '../../../engine/segments/dayTable.ts';
import { tableOfRows } from '../../../engine/segments/format.ts';
import type { CachedAsk } from '../../../engine/segments/router.ts';
import type { Row } from '../../../engine/warehouse.ts';
import { addRow, cellColumns } from '../../../figures/cells.ts';
import { amountColumn, amountNames, type Column, countColumn } from '../../../figures/columns.ts';
import { comparison, type Sums } from '../../../figures/comparison.ts';
import type { Exchange } from '../../../figures/exchange.ts';
import { amount, columnsOf, count, percent, unitPrice } from '../../../figures/metrics.ts';
import { summed } from '../../../figures/sql.ts';
import { amountUnits } from '../../../figures/writtenMetrics.ts';
import { timesOf, writeChart } from '../../../report/chart.ts';
import { foreignAmounts, joinedAmounts } from '../../../report/foreignAmounts.ts';
import { purposeOf, readConversion } from '../../../report/rates.ts';
import { storeDay, vendorDay } from '../../../report/sales.ts';
import {
  markSearchTerms,
  readSearchTermDays,
  type SearchTermDay,
  searchTermWarnings,
} from '../../../report/searchTermDays.ts';
import { type Handler, WrittenAnswer } from '../../handler.ts';
import { channelRule } from '../../recordRules.ts';
import type { viewVendorSalesByPeriod as contract, VendorSalesByPeriodRow } from './contract.ts';

/** Decimal places of percents. */
const places = 1;
/** Those of the click-through rate, which is often below one percent. */
const clickThroughPlaces = 2;

const glanceViews = countColumn('glance_views');
const orderedUnits = countColumn('ordered_units');
const orderedRevenue = amountColumn('ordered_revenue');
const shippedRevenue = amountColumn('shipped_revenue');
const shippedRevenueManufacturing = amountColumn('shipped_revenue_manufacturing');
const impressions = countColumn('impressions');
const clicks = countColumn('clicks');
const adSpend = amountColumn('ad_cost');
const adSales = amountColumn('ad_sales');

const metrics = {
  glanceViews: count(glanceViews),
  orderedUnits: count(orderedUnits),
  shippedUnits: count(countColumn('shipped_units')),
  shippedUnitsManufacturing: count(countColumn('shipped_units_manufacturing')),
  impressions: count(impressions),
  clicks: count(clicks),
  orderedRevenue: amount(orderedRevenue),
  conversionRate: percent(orderedUnits, glanceViews, places),
  retailPrice: unitPrice(orderedRevenue, orderedUnits),
  shippedRevenue: amount(shippedRevenue),
  shippedRevenueManufacturing: amount(shippedRevenueManufacturing),
  shippedCogs: amount(amountColumn('shipped_cogs')),
  shippedCogsManufacturing: amount(amountColumn('shipped_cogs_manufacturing')),
  adSales: amount(adSales),
  adSpend: amount(adSpend),
  acos: percent(adSpend, adSales, places),
  tacosOrderedRevenue: percent(adSpend, orderedRevenue, places),
  tacosShippedRevenue: percent(adSpend, shippedRevenue, places),
  tacosManufacturing: percent(adSpend, shippedRevenueManufacturing, places),
  clickThroughRate: percent(clicks, impressions, clickThroughPlaces),
};
const write = comparison<VendorSalesByPeriodRow>(metrics);
const columns = columnsOf(metrics);
const zeros = columns.map(() => 0);
const adColumns = [impressions, clicks, adSpend, adSales] as const;
const saleColumns = columns.filter((column) => !(adColumns as readonly Column[]).includes(column));

const asinColumns = { texts: ['currency'], ...tableColumns(columns) };
const asinDays = questionFile<Row & { readonly day: number }>(
  import.meta.url,
  'vendorSalesByPeriodAsins.sql',
  { sums: summed(columns) },
);

/** The rule of the operation that needs records. */
export const vendorSalesByPeriodRules = [
  channelRule(({ kind }) =>
    kind === 'seller'
      ? 'channelId must be a vendor channel: ask /reports/view/salesByPeriod about this one'
      : undefined,
  ),
];

/** Answers POST /reports/view/vendorSalesByPeriod. */
export const viewVendorSalesByPeriod: Handler<typeof contract> = async (
  input,
  { channel, warehouse, limits, warn },
) => {
  const { channelNumber, currency } = channel;
  const asins = [...new Set(input.asins ?? [])];
  const windows = windowsOf(input.reportOptions);
  const facts = await warehouse.readCached([channelNumber], limits, (ask) =>
    readFacts(ask, channelNumber, asins, windows),
  );
  const foreign = windows.flatMap((window, index) =>
    facts[index]!.parts.map((part) =>
      foreignAmounts(currency, [part.table], window, amountNames(part.columns)),
    ),
  );
  const { exchange } = await readConversion(
    { warehouse, limits },
    { target: currency, ...joinedAmounts(foreign), purpose: purposeOf(channel) },
  );
  const [current, prior] = windows.map((window, index) => {
    const sums = sumsOf(window, facts[index]!.parts, exchange);
    markSearchTerms(window, sums, facts[index]!.searchTermDays);
    return sums;
  });
  warn(searchTermWarnings(channel.displayName, [current, prior]));
  const units = amountUnits(currency, exchange.places);
  const { timezone } = input.reportOptions;
  return new WrittenAnswer(
    await writeChart(currency, windows[0]!.buckets, (out, bucket, index) =>
      write(out, timesOf(timezone, bucket, currency), current![index], prior?.[index], units),
    ),
  );
};

/** A table, and the columns to add up; days without figures of advertising do not count for it. */
type Part = {
  readonly table: DayTable;
  readonly columns: readonly Column[];
  readonly counts: (row: number) => boolean;
};

/** The facts of one window. */
type Facts = {
  readonly parts: readonly Part[];
  readonly searchTermDays: readonly SearchTermDay[];
};

async function readFacts(
  ask: CachedAsk,
  channel: number,
  asins: readonly string[],
  windows: readonly Window[],
): Promise<Facts[]> {
  const facts: Facts[] = [];
  for (const window of windows) {
    const { first, last } = window;
    if (asins.length > 0) {
      const rows = await ask(asinDays, { channel, first, last, asins });
      const table = tableOfRows(rows, asinColumns);
      facts.push({ parts: [{ table, columns, counts: () => true }], searchTermDays: [] });
      continue;
    }
    const sales = await ask.days(vendorDay, [channel], window);
    const advertising = await ask.days(storeDay, [channel], window);
    facts.push({
      parts: [
        ...sales.map((table) => ({ table, columns: saleColumns, counts: () => true })),
        ...advertising.map((table) => {
          const dailyRows = table.numbers('daily_rows');
          return {
            table,
            columns: adColumns,
            counts: (row: number) => dailyRows.at(row) !== 0,
          };
        }),
      ],
      searchTermDays: await readSearchTermDays(ask, [channel], window),
    });
  }
  return facts;
}

/** The sums of a window, bucket by bucket; undefined where there is no fact. */
function sumsOf(window: Window, parts: readonly Part[], exchange: Exchange): (Sums | undefined)[] {
  const sums: (Sums | undefined)[] = window.buckets.map(() => undefined);
  for (const { table, columns: own, counts } of parts) {
    const added = cellColumns(table, own, columns);
    const currencies = table.texts('currency');
    const [start, end] = table.rowsOf(window);
    for (let row = start; row < end; row++) {
      const day = table.days[row]!;
      const index = counts(row) ? bucketOfDay(window.buckets, day) : -1;
      if (index < 0) continue;
      sums[index] ??= { known: true, cells: zeros.slice() };
      const currency = currencies.at(row);
      addRow(sums[index].cells, added, row, currency, day, exchange);
    }
  }
  return sums;
}
