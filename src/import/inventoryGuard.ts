/**
 * Holds back an inventory report that has far fewer SKUs than the previous one: the marketplace is
 * known to send such reports by mistake, and they would empty the store.
 */
import type { Registry } from '../engine/registry.ts';

/** The kinds of documents that are held back. */
const kinds: ReadonlySet<string> = new Set([
  'inventoryPlanning',
  'restock',
  'unsuppressedInventory',
]);
/** A report with at most this share of the previous rows is held back. */
const shareMax = 0.05;
/** How much the size of a later report may differ from one that was held back. */
const sameSizeShare = 0.1;
/** The beginning of the errors of reports that were held back, by which they are found. */
const start = 'the report was held back';

/** A report as its import read it. */
export type ReadReport = {
  readonly importId: number;
  readonly channelNumber: number;
  readonly dataset: string;
  readonly rowsAccepted: number;
  readonly lastDate: string | null;
};

type Records = Pick<Registry, 'records'>;

/** The reason to hold back a report; undefined if it may replace the previous one. */
export async function reasonToHoldBack(
  registry: Records,
  report: ReadReport,
): Promise<string | undefined> {
  const { importId, rowsAccepted, lastDate } = report;
  if (!kinds.has(report.dataset) || lastDate === null) return undefined;
  const before = await importsOf(registry, report)
    .where('state', '=', 'done')
    .where('lastDate', '<=', lastDate)
    .orderBy('lastDate', 'desc')
    .orderBy('importId', 'desc')
    .executeTakeFirst();
  if (before === undefined || rowsAccepted > before.rowsAccepted * shareMax) return undefined;
  // Only another document, without a complete report in between, counts as a confirmation by the
  // marketplace.
  const earlier = await importsOf(registry, report)
    .where('state', '=', 'failed')
    .where('error', 'like', `${start}%`)
    .where('lastDate', '<', lastDate)
    .where('lastDate', '>=', before.lastDate)
    .where('importId', '>', before.importId)
    .where('documentHash', 'is distinct from', ({ selectFrom }) =>
      selectFrom('import as own').select('own.documentHash').where('own.importId', '=', importId),
    )
    .orderBy('lastDate', 'desc')
    .orderBy('importId', 'desc')
    .executeTakeFirst();
  // The rows that would have been accepted were skipped, like rows of other stores.
  const size = earlier && earlier.rowsSkipped - earlier.otherStores;
  if (size !== undefined && Math.abs(size - rowsAccepted) <= Math.max(1, size * sameSizeShare))
    return undefined;
  const rows = rowsAccepted === 1 ? '1 row' : `${rowsAccepted} rows`;
  return `${start}: it has ${rows}, that of ${before.lastDate} had ${before.rowsAccepted}, and the marketplace is known to send such reports by mistake; if it is right, import it again with confirm=fewRows, or import a later one of the same size`;
}

/** The errors of held-back reports that no later import has replaced. */
export async function heldBack(registry: Records, channelNumber: number): Promise<string[]> {
  const errors: string[] = [];
  for (const dataset of kinds) {
    const report = { channelNumber, dataset };
    const held = await importsOf(registry, report)
      .where('state', '=', 'failed')
      .where('error', 'like', `${start}%`)
      .orderBy('importId', 'desc')
      .executeTakeFirst();
    if (held === undefined) continue;
    const replacing = await importsOf(registry, report)
      .where('state', '=', 'done')
      .where('importId', '>', held.importId)
      .where('lastDate', '>=', held.lastDate)
      .executeTakeFirst();
    if (replacing === undefined) errors.push(`${dataset} (import ${held.importId}): ${held.error}`);
  }
  return errors;
}

function importsOf(
  { records }: Records,
  { channelNumber, dataset }: Pick<ReadReport, 'channelNumber' | 'dataset'>,
) {
  return records
    .selectFrom('import')
    .select(['importId', 'error', 'rowsAccepted', 'rowsSkipped', 'otherStores', 'lastDate'])
    .where('channelNumber', '=', channelNumber)
    .where('dataset', '=', dataset);
}
