/** Adds up the sales without a cost of goods: in memory, or by one question for all buckets. */

import {
  type Bucket,
  bucketOfDay,
  endOfDay,
  localDay,
  startOfDay,
} from '../../../../calendar/period.ts';
import { daysOf, type Range } from '../../../../calendar/windows.ts';
import { calendarOffsets } from '../../../../calendar/zone.ts';
import { partFile, questionFile } from '../../../../engine/question.ts';
import { itemSource } from '../../../../engine/segments/daySource.ts';
import type { CachedAsk } from '../../../../engine/segments/router.ts';
import type { DateRange, Parameters } from '../../../../engine/warehouse.ts';
import { amountColumn, countColumn } from '../../../../figures/columns.ts';
import type { Conversion } from '../../../../figures/conversion.ts';
import { noExchange } from '../../../../figures/exchange.ts';
import {
  countSource,
  type FigureCount,
  type ItemDay,
  type ItemFigures,
  readItems,
} from '../../../../report/itemDays.ts';
import {
  type ItemTable,
  itemColumns,
  itemTablesOfRows,
  SummedItems,
} from '../../../../report/itemTables.ts';
import { wholeDays } from '../../../../report/localDays.ts';
import { utcDay } from '../../../../report/profitEvents.ts';
import type { StoreRange } from '../../../../report/profitFigures.ts';
import type { Figures } from '../../../../report/profitStatement.ts';
import { eachInSlices } from '../../../../report/slices.ts';

/** The sales of a bucket without a cost of goods: an exact and a converted part. */
export type WithoutCosts = {
  readonly bucket: number;
  readonly sales: bigint;
  readonly sales_converted: number;
  readonly products: number;
};

const secondsPerDay = 86_400;
/** The most rows, for the parts of days at the ends of a range, that are added up in memory. */
const rowsMax = 10_000;

const eventsOf = (file: string) => ({ posted: partFile(import.meta.url, file) });
const ofRange = eventsOf('eventsOfRange.sql');
const withoutCosts = questionFile<WithoutCosts>(import.meta.url, 'withoutCosts.sql', ofRange);

/** The order of the figures in memory. */
const [salesPlace, unitsPlace, reportsPlace] = [0, 1, 2];
const columns = [amountColumn('sales'), countColumn('units'), countColumn('reports')];
const uncostedDays = questionFile<ItemDay>(
  import.meta.url,
  'uncostedDays.sql',
  eventsOf('eventsOfDays.sql'),
);
const uncostedCounts = countSource(
  questionFile<FigureCount>(import.meta.url, 'uncostedCounts.sql'),
);

/** The sales without a cost of goods by the local days of a zone. */
function uncostedIn(zone: string, withTax: 0 | 1): ItemFigures {
  return {
    figures: itemSource(uncostedDays, itemColumns(columns), {
      variant: `${zone} ${withTax}`,
      parametersOf: ({ first, last }) => ({
        ...calendarOffsets(zone, (first - 1) * secondsPerDay, (last + 2) * secondsPerDay),
        withTax,
      }),
    }),
    counts: uncostedCounts,
    columns,
    // SKUs are counted by UTC day, but sales may have no SKU or belong to another local day.
    areEstimated: true,
  };
}

const uncostedInRange = questionFile<ItemDay>(import.meta.url, 'uncostedInRange.sql', ofRange);

/** The stores, the range and the buckets of one window. */
type UncostedWindow = StoreRange & {
  readonly buckets: readonly Bucket[];
  readonly withTax: 0 | 1;
};

/** Reads the sales without a cost of goods on the dates that have any figures. */
export async function readWithoutCosts(
  ask: CachedAsk,
  { channels, zone, range, buckets, withTax }: UncostedWindow,
  figures: readonly Figures[],
  { exchange, parameters }: Conversion,
): Promise<readonly WithoutCosts[]> {
  if (figures.length === 0) return [];
  const { first, last } = daysOf(figures.map(({ local_date: day }) => ({ day })));
  const from = Math.max(range.from, startOfDay(zone, first) ?? (first - 1) * secondsPerDay);
  const to = Math.min(range.to, endOfDay(zone, last) ?? (last + 2) * secondsPerDay);
  const window = { channels, zone, range: { from, to }, buckets, withTax };
  // Sums of doubles depend on their order, so converted amounts are always added up by the
  // question.
  const added = exchange === noExchange ? await fromMemory(ask, window) : undefined;
  if (added !== undefined) return added;
  return await ask(withoutCosts, {
    channels,
    first,
    withTax,
    ...parameters(),
    ...rangeParameters(zone, { from, to }),
    buckets: Array.from({ length: last - first + 1 }, (_, index) =>
      bucketOf(buckets, first + index),
    ),
  });
}

/** The index of the bucket of a date; a date that the zone skipped counts with the next one. */
export function bucketOf(buckets: readonly Bucket[], date: number): number {
  const index = bucketOfDay(buckets, date);
  return index < 0 ? Math.max(0, bucketOfDay(buckets, date + 1)) : index;
}

function rangeParameters(zone: string, { from, to }: Range): Parameters {
  return {
    from,
    to,
    firstUtc: utcDay(from),
    lastUtc: utcDay(to),
    ...calendarOffsets(zone, from, to),
  };
}

/** The figures of a range of local days, by channel. */
type Part = DateRange & { readonly tables: ReadonlyMap<number, readonly ItemTable[]> };

/** Adds up figures by day in memory; undefined if there are too many. */
async function fromMemory(
  ask: CachedAsk,
  window: UncostedWindow,
): Promise<WithoutCosts[] | undefined> {
  const parts = await readParts(ask, window);
  if (parts === undefined) return undefined;
  const { buckets, channels } = window;
  const sums = buckets.map((_, bucket) => ({
    bucket,
    sales: 0n,
    sales_converted: 0,
    products: 0,
  }));
  const cells = sums.flatMap((sum) => channels.map((channel) => ({ sum, channel })));
  await eachInSlices(cells, ({ sum, channel }) => {
    const { sales, products } = sumsOf(buckets[sum.bucket]!, channel, parts);
    sum.sales += sales;
    sum.products += products;
  });
  return sums;
}

/** Reads the whole days of a range, which other ranges share, and the rests. */
async function readParts(
  ask: CachedAsk,
  { channels, zone, range, withTax }: UncostedWindow,
): Promise<Part[] | undefined> {
  const { days: whole, rests } = wholeDays(zone, range);
  if (whole === undefined) return undefined;
  const parts: Part[] = [];
  const days = channels.map((channel) => ({ channel, ...whole }));
  const tables = await readItems(ask, uncostedIn(zone, withTax), days);
  if (tables === undefined) return undefined;
  parts.push({ ...whole, tables });
  for (const rest of rests) {
    const days = { first: localDay(zone, rest.from), last: localDay(zone, rest.to) };
    const tables = new Map<number, readonly ItemTable[]>();
    for (const channel of channels) {
      const limit = rowsMax + 1;
      const rows = await ask(uncostedInRange, {
        channels: [channel],
        first: days.first,
        withTax,
        limit,
        ...rangeParameters(zone, rest),
      });
      if (rows.length === limit) return undefined;
      const items = itemTablesOfRows(rows, columns);
      if (items === undefined) return undefined;
      tables.set(channel, items);
    }
    parts.push({ ...days, tables });
  }
  return parts;
}

/** The sums of a channel in a bucket, over the parts that overlap it. */
function sumsOf({ firstDay, lastDay }: Bucket, channel: number, parts: readonly Part[]) {
  const items = new SummedItems(columns.length);
  for (const { first, last, tables } of parts) {
    const [from, to] = [Math.max(first, firstDay), Math.min(last, lastDay)];
    if (from > to) continue;
    for (const table of tables.get(channel)!) table.addUp(from, to, unconverted, items);
  }
  let [sales, products] = [0n, 0];
  for (const sku of items.keys()) {
    const { exact } = items.get(sku)!;
    if (exact[reportsPlace]! > 0) continue;
    sales += BigInt(exact[salesPlace]!);
    if (sku !== '' && (exact[salesPlace] !== 0 || exact[unitsPlace] !== 0)) products += 1;
  }
  return { sales, products };
}

/** Converts nothing: all amounts are in the currency of the answer. */
const unconverted = () => undefined;
