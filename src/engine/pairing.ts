/**
 * Checks that the registry and the warehouse belong together. If only one of them were restored
 * from a backup, a new organisation might get the facts of another one, or answers might lack
 * facts.
 */
import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { StartRefusal } from './errors.ts';
import type { ImportRecord, Registry } from './registry.ts';
import type { Warehouse } from './warehouse.ts';

/**
 * The number of newest imports that a start compares: if a store lost something, it is the last
 * changes.
 */
const importsAtStart = 500;
/** The number of imports to compare at a time. */
const importsPerPage = 5_000;
const importsNamed = 10;
const unfinished = 'unfinished restore of ';

/** The mark of a warehouse that a restore fills, in place of its installation. */
export function unfinishedMark(backupId: string): string {
  return `${unfinished}${backupId}`;
}

/** Whether a restore into a warehouse is unfinished. */
export function isUnfinished(installationId: string | null): boolean {
  return installationId?.startsWith(unfinished) === true;
}

/** Why the service does not start with these two stores. */
export class StoresDisagree extends StartRefusal {
  constructor(disagreements: readonly string[]) {
    super(
      [
        'The registry and the warehouse do not belong together, so the service does not start:',
        ...disagreements.map((one) => `  - ${one}`),
        'Restore backups of both stores that were made at the same time. If there are none, ' +
          '"vitrine stores" lists what is missing, and "vitrine stores --accept" goes on with ' +
          'what is there.',
      ].join('\n'),
    );
  }
}

/** An import that is done in the registry but missing in the warehouse. */
export type LostImport = Pick<
  Selectable<ImportRecord>,
  'importId' | 'dataset' | 'firstDate' | 'lastDate'
> & { readonly channelNumber: number | null; readonly channelId: string | null };

/** Both stores, side by side. */
export type StoreComparison = {
  /** The installation of each store; null if it has none yet. */
  readonly registryOf: string | null;
  readonly warehouseOf: string | null;
  /** The greatest import number: in the registry, and in the warehouse. */
  readonly lastNumbered: number;
  readonly lastSeen: number;
  readonly lost: readonly LostImport[];
};

type Stores = { readonly registry: Registry; readonly warehouse: Warehouse };

/** Compares the stores and, unless `importsMax` is given, every import. */
export async function compareStores(
  { registry, warehouse }: Stores,
  importsMax = Number.POSITIVE_INFINITY,
): Promise<StoreComparison> {
  // Nodes may be importing: an import gets its number before the warehouse sees it, and is done
  // afterwards.
  const mark = await warehouse.readMark();
  const lastNumbered = await registry.lastNumber('import');
  return {
    registryOf: await installationOf(registry),
    warehouseOf: mark.installationId,
    lastNumbered,
    lastSeen: mark.lastImport,
    lost: await lostImports({ registry, warehouse }, importsMax),
  };
}

/** How the stores disagree, in one sentence each; empty if they belong together. */
export function disagreementsOf(stores: StoreComparison): string[] {
  const { registryOf, warehouseOf, lastNumbered, lastSeen, lost } = stores;
  const disagreements: string[] = [];
  const hasFacts = lastSeen > 0;
  if (isUnfinished(warehouseOf))
    disagreements.push('a restore or a move into these stores has not ended: run it again');
  else if (hasFacts && registryOf !== warehouseOf)
    disagreements.push(
      'the warehouse has the facts of another installation, or the registry is new',
    );
  else if (lastSeen > lastNumbered)
    disagreements.push(
      `the registry is older than the warehouse: it has numbered ${lastNumbered} imports, and ` +
        `the warehouse has import ${lastSeen}`,
    );
  if (lost.length > 0) disagreements.push(lostText(lost));
  return disagreements;
}

function lostText(lost: readonly LostImport[]): string {
  const named = lost
    .slice(0, importsNamed)
    .map(({ importId, channelId, dataset }) =>
      [importId, channelId === null ? undefined : `of ${channelId}`, `(${dataset})`]
        .filter((part) => part !== undefined)
        .join(' '),
    );
  const more = lost.length > importsNamed ? ` and ${lost.length - importsNamed} more` : '';
  return `the warehouse lacks the facts of finished imports: ${named.join(', ')}${more}`;
}

/** Checks the stores at a start; new ones become a pair. Throws StoresDisagree. */
export async function pairStores(stores: Stores): Promise<void> {
  const comparison = await compareStores(stores, importsAtStart);
  const disagreements = disagreementsOf(comparison);
  if (disagreements.length > 0) throw new StoresDisagree(disagreements);
  await makePair(stores, comparison);
}

/**
 * Continues with stores that disagree, while no service runs. Later imports get numbers that
 * neither store has seen. Imports whose facts are missing become failed ones.
 */
export async function acceptStores(stores: Stores, comparison: StoreComparison): Promise<void> {
  const { registry, warehouse } = stores;
  const { lastNumbered, lastSeen, lost } = comparison;
  if (lastSeen > lastNumbered) await registry.raiseNumber('import', lastSeen);
  for (const { importId, dataset, channelNumber } of lost) {
    const timezone = dataset === 'rebuild' && (await timezoneOf(registry, channelNumber));
    // Rebuilding needs no document.
    if (timezone) await warehouse.rebuild({ importId, channel: channelNumber! }, timezone);
    else
      await registry.records
        .updateTable('import')
        .set({ state: 'failed', error: 'its facts were lost: import the document again' })
        .where('importId', '=', importId)
        .execute();
  }
  await makePair(stores, comparison);
}

async function makePair(
  { registry, warehouse }: Stores,
  { registryOf, warehouseOf }: StoreComparison,
): Promise<void> {
  if (registryOf === null)
    // Another node may have been faster.
    await registry.records
      .insertInto('installation')
      .values({ rowNumber: 1, installationId: randomUUID() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  const installationId = registryOf ?? (await installationOf(registry))!;
  if (warehouseOf !== installationId) await warehouse.setInstallation(installationId);
}

async function installationOf({ records }: Registry): Promise<string | null> {
  const found = await records
    .selectFrom('installation')
    .select('installationId')
    .executeTakeFirst();
  return found?.installationId ?? null;
}

async function timezoneOf(
  { records }: Registry,
  channelNumber: number | null,
): Promise<string | undefined> {
  const found = await records
    .selectFrom('channel')
    .select('timezone')
    .where('channelNumber', '=', channelNumber ?? 0)
    .executeTakeFirst();
  return found?.timezone;
}

/** Newest lost imports first. */
async function lostImports(stores: Stores, importsMax: number): Promise<LostImport[]> {
  const lost: LostImport[] = [];
  let before = Number.MAX_SAFE_INTEGER;
  for (let compared = 0; compared < importsMax; ) {
    const page = await finishedImports(
      stores.registry,
      before,
      Math.min(importsPerPage, importsMax - compared),
    );
    const last = page.at(-1);
    if (last === undefined) break;
    const committed = new Set(
      await stores.warehouse.committedImports(last.importId, page[0]!.importId),
    );
    lost.push(...page.filter(({ importId }) => !committed.has(importId)));
    compared += page.length;
    before = last.importId;
  }
  return lost;
}

function finishedImports(
  { records }: Registry,
  before: number,
  limit: number,
): Promise<LostImport[]> {
  return records
    .selectFrom('import')
    .leftJoin('channel', 'channel.channelNumber', 'import.channelNumber')
    .select([
      ...(['importId', 'dataset', 'firstDate', 'lastDate'] as const),
      'import.channelNumber',
      'channelId',
    ])
    .where('state', '=', 'done')
    .where('importId', '<', before)
    .orderBy('importId', 'desc')
    .limit(limit)
    .execute();
}
