/** Reads since when no unit of a product has been available. */

import { never } from '../../calendar/period.ts';
import { questionFile } from '../../engine/question.ts';
import type { Ask } from '../../engine/warehouse.ts';
import { stockReports } from '../inventory.ts';

/** The day since which no unit of a SKU has been available; null if some are. */
type Stock = { readonly sku: string; readonly out_since: number | null };

/** Since when no units of SKUs have been available. */
const stockOfSkus = questionFile<Stock>(import.meta.url, 'stock.sql');

/** A snapshot from which on a SKU has units available, or has none any more. */
type StockChange = {
  readonly sku: string;
  readonly day: number;
  readonly is_available: number;
};

const stockChanges = questionFile<StockChange>(import.meta.url, 'stockChanges.sql');
const stockSize = questionFile<{ snapshots: number }>(import.meta.url, 'stockSize.sql');
/** The changes of a channel are cached if its snapshots of SKUs and its changes are few enough. */
const cachedSnapshotsMax = 200_000;
const cachedChangesMax = 10_000;

/** Reads since when no units of SKUs have been available, as of the end of a day. */
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

/** Reads all changes of a channel from memory; undefined if there are too many to cache. */
async function readChanges(ask: Ask, channel: number): Promise<readonly StockChange[] | undefined> {
  if (!ask.isCached) return undefined;
  const [size] = await ask(stockSize, { channel });
  if (size!.snapshots > cachedSnapshotsMax) return undefined;
  const limit = cachedChangesMax + 1;
  const changes = await ask(stockChanges, { channel, stockReports, limit });
  return changes.length === limit ? undefined : changes;
}

/**
 * The day since which no unit of a SKU has been available, from its changes; the first change is
 * its first snapshot.
 */
function outSince(changes: readonly StockChange[], end: number): number | null {
  const change = changes.findLast(({ day }) => day <= end);
  return change === undefined || change.is_available === 1 ? null : change.day;
}
