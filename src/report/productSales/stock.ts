/** Since when no unit of a product has been available. */

import { questionFile } from '../../engine/question.ts';
import type { Ask, Parameters } from '../../engine/warehouse.ts';

/** The parameters of questions about the stock: the last local dates of both windows. */
export type StockParameters = Parameters & {
  readonly channel: number;
  readonly last: number;
  readonly priorLast: number;
};

/** Since which day none of a SKU has been available, as of the end of each window. */
type Stock = { readonly out_since: number | null; readonly prior_out_since: number | null };

/** The reports of the inventory by precedence. */
export const stockReports = ['rows', 'planning', 'unsuppressed', 'restock'];

/** The day since which none has been available up to the end of a window; `last` is its last day. */
function outSince(last: string): string {
  const next = `CASE WHEN next_day <= ${last} THEN next_day ELSE {never:Date} END`;
  const stocked = `max(CASE WHEN day <= ${last} AND available > 0 THEN ${next} END)`;
  return `nullif(coalesce(${stocked}, min(CASE WHEN day <= ${last} THEN day END)), {never:Date})`;
}

/** The columns of stock.sql, which lists join. */
export const stockPlaces = {
  outOfStock: [
    `${outSince('{last:Date}')} AS out_since`,
    `${outSince('{priorLast:Date}')} AS prior_out_since`,
  ],
};
const stockOfItems = questionFile<Stock & { readonly sku: string }>(import.meta.url, 'stock.sql', {
  ...stockPlaces,
  ofItems: 'one_of(sku, {items:Array(String)})',
});

/** A snapshot from which on some units of a SKU are available, or none are any more. */
type StockChange = {
  readonly sku: string;
  readonly day: number;
  readonly is_available: number;
};

const stockChanges = questionFile<StockChange>(import.meta.url, 'stockChanges.sql');
const stockSize = questionFile<{ snapshots: number }>(import.meta.url, 'stockSize.sql');
/** The changes of a channel with so many snapshots of SKUs are kept in memory, if they are few. */
const keptSnapshotsMax = 200_000;
const keptChangesMax = 10_000;

/** Reads the stock of SKUs. */
export async function readStock(
  ask: Ask,
  parameters: StockParameters,
  skus: readonly string[],
): Promise<ReadonlyMap<string, Stock>> {
  if (skus.length === 0) return new Map();
  const changes = await readChanges(ask, parameters);
  if (changes === undefined) {
    const found = await ask(stockOfItems, { ...parameters, items: skus });
    return new Map(found.map((one) => [one.sku, one]));
  }
  const changesOf = Map.groupBy(changes, ({ sku }) => sku);
  return new Map(skus.map((sku) => [sku, stockAt(changesOf.get(sku) ?? [], parameters)]));
}

/** Reads all changes of a channel from memory; undefined if they are too many to keep. */
async function readChanges(
  ask: Ask,
  { channel }: StockParameters,
): Promise<readonly StockChange[] | undefined> {
  if (!ask.keepsDays) return undefined;
  const [size] = await ask(stockSize, { channel });
  if (size!.snapshots > keptSnapshotsMax) return undefined;
  const limit = keptChangesMax + 1;
  const changes = await ask(stockChanges, { channel, stockReports, limit });
  return changes.length === limit ? undefined : changes;
}

/** The stock of a SKU by its changes, the first of which is its first snapshot. */
function stockAt(changes: readonly StockChange[], { last, priorLast }: StockParameters): Stock {
  const outSinceAt = (end: number) => {
    const change = changes.findLast(({ day }) => day <= end);
    return change === undefined || change.is_available === 1 ? null : change.day;
  };
  return { out_since: outSinceAt(last), prior_out_since: outSinceAt(priorLast) };
}
