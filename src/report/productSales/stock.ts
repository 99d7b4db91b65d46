/** Since when no unit of a product has been available. */

import { never } from '../../calendar/period.ts';
import { questionFile } from '../../engine/question.ts';
import type { Ask } from '../../engine/warehouse.ts';

/** Since which day none of a SKU has been available; null where some is. */
type Stock = { readonly sku: string; readonly out_since: number | null };

/** The reports of the inventory by precedence. */
export const stockReports = ['rows', 'planning', 'unsuppressed', 'restock'];

/** Since when none of SKUs has been available, which the pages of products join. */
export const stockOfSkus = questionFile<Stock>(import.meta.url, 'stock.sql');

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

/** Reads since when none of SKUs has been available, as of the end of a day. */
export async function readStock(
  ask: Ask,
  channel: number,
  skus: readonly string[],
  day: number,
): Promise<ReadonlyMap<string, number | null>> {
  if (skus.length === 0) return new Map();
  const changes = await readChanges(ask, channel);
  if (changes === undefined) {
    const parameters = { channel, items: skus, stockUntil: day, stockReports, never };
    const found = await ask(stockOfSkus, parameters);
    return new Map(found.map(({ sku, out_since }) => [sku, out_since]));
  }
  const changesOf = Map.groupBy(changes, ({ sku }) => sku);
  return new Map(skus.map((sku) => [sku, outSince(changesOf.get(sku) ?? [], day)]));
}

/** Reads all changes of a channel from memory; undefined if they are too many to keep. */
async function readChanges(ask: Ask, channel: number): Promise<readonly StockChange[] | undefined> {
  if (!ask.cachesDays) return undefined;
  const [size] = await ask(stockSize, { channel });
  if (size!.snapshots > keptSnapshotsMax) return undefined;
  const limit = keptChangesMax + 1;
  const changes = await ask(stockChanges, { channel, stockReports, limit });
  return changes.length === limit ? undefined : changes;
}

/** The same by the changes of a SKU, the first of which is its first snapshot. */
function outSince(changes: readonly StockChange[], end: number): number | null {
  const change = changes.findLast(({ day }) => day <= end);
  return change === undefined || change.is_available === 1 ? null : change.day;
}
