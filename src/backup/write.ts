/**
 * Makes a backup of a running installation. Both snapshots show the same moment: they are taken
 * again until no fact has changed between them. Later changes need not wait, and are not in the
 * backup.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { facts } from '../../schema/warehouse/tables.ts';
import { Refusal } from '../contract/refusal.ts';
import { questionFile } from '../engine/question.ts';
import {
  numberedTables,
  type RecordsSnapshot,
  type RecordTable,
  recordTableNames,
  storedName,
} from '../engine/recordCopies.ts';
import type { Registry } from '../engine/registry.ts';
import type { Warehouse } from '../engine/warehouse.ts';
import type { FileStore } from '../files/store.ts';
import { Archive } from './archive.ts';
import { addFacts, copyMilliseconds, type FactsSnapshot, totalsOf } from './facts.ts';
import {
  type BackupFile,
  formatVersion,
  manifestName,
  type RecordsFile,
  sourceOf,
  totalsName,
} from './format.ts';
import { manifestText } from './manifest.ts';

/** The stores and files of an installation, and its clock in epoch milliseconds. */
export type Installation = {
  readonly registry: Registry;
  readonly warehouse: Warehouse;
  readonly files: FileStore;
  readonly now: () => number;
  /** The installation key, under which the manifest is written. */
  readonly key: string;
  /** A part of a table with this many rows becomes a file; a day of a channel is never divided. */
  readonly rowsPerFile?: number;
};

const triesMax = 100;
const restMilliseconds = 20;

/** The bytes of a new backup as a tar file. */
export function createBackup(backupId: string, installation: Installation) {
  const { registry, warehouse } = installation;
  return Archive.bytes(warehouse.stagingFolder, (archive) =>
    // Pruning frees facts that no question needs any more, but a backup takes longer than a
    // question.
    registry.withLock('prune', async () => {
      for (let tries = 1; tries <= triesMax; tries++) {
        if (await tryBackup(archive, backupId, installation)) return;
        await delay(restMilliseconds);
      }
      throw new Refusal(503, 'facts change too often for a backup at the moment: try again later');
    }),
  );
}

const firstQuestion = questionFile(import.meta.url, 'anyFact.sql', { table: facts[0]!.name });

/** Returns false if facts changed between the snapshots, before anything is written. */
async function tryBackup(
  archive: Archive,
  backupId: string,
  { registry, warehouse, files, now, key, rowsPerFile }: Installation,
): Promise<boolean> {
  const before = await warehouse.readChanges();
  if (before === undefined) return false;
  return await registry.snapshot(async (records) => {
    const madeAt = new Date(now()).toISOString();
    const channels = await channelsOf(records);
    const settled = await settledImports(records, warehouse, now());
    const limits = { deadlineMilliseconds: copyMilliseconds };
    return await warehouse.read(channels, limits, async (ask, stream, write) => {
      await ask(firstQuestion, { channels });
      if ((await warehouse.readChanges()) !== before) return false;
      const head = { backupId, madeAt, ...(await headOf(records, registry, warehouse)) };
      const parts = {
        records: await addRecords(archive, records, settled),
        facts: await addFacts(archive, { channels, ask, stream, write }, rowsPerFile),
        reports: files.isLocal ? await addReports(archive, files) : [],
        totals: await addTotals(archive, { channels, ask }),
      };
      const format = { format: 'vitrine backup', version: formatVersion } as const;
      const text = manifestText({ ...format, ...head, ...parts }, key);
      await archive.send(manifestName, sourceOf(text));
      return true;
    });
  });
}

async function channelsOf({ records }: RecordsSnapshot): Promise<number[]> {
  const channels = await records.selectFrom('channel').select('channelNumber').execute();
  // Channel 0 has the facts of no customer.
  return [0, ...channels.map(({ channelNumber }) => channelNumber)].sort((a, b) => a - b);
}

type Settled = ReadonlyMap<number, Readonly<Record<string, unknown>>>;

/** The running imports as the backup shows them: done if it has their facts, else failed. */
async function settledImports(
  { records }: RecordsSnapshot,
  warehouse: Warehouse,
  now: number,
): Promise<Settled> {
  const running = await records
    .selectFrom('import')
    .select('importId')
    .where('state', '=', 'running')
    .execute();
  const settled = new Map<number, Readonly<Record<string, unknown>>>();
  for (const { importId } of running)
    settled.set(
      importId,
      (await warehouse.isCommitted(importId))
        ? { state: 'done', finishedAt: now }
        : { state: 'failed', finishedAt: now, error: 'it ran while the backup was made' },
    );
  return settled;
}

async function headOf({ records }: RecordsSnapshot, registry: Registry, warehouse: Warehouse) {
  const numbers: Partial<Record<RecordTable, number>> = {};
  for (const table of numberedTables) numbers[table] = await registry.lastNumber(table);
  const found = await records
    .selectFrom('installation')
    .select('installationId')
    .executeTakeFirst();
  const [ofRegistry, ofWarehouse] = [await registry.checkHealth(), await warehouse.checkHealth()];
  const schema = { registry: ofRegistry.schema.held, warehouse: ofWarehouse.schema.held };
  return { installationId: found?.installationId ?? randomUUID(), schema, numbers };
}

async function addRecords(
  archive: Archive,
  snapshot: RecordsSnapshot,
  settled: Settled,
): Promise<RecordsFile[]> {
  const files: RecordsFile[] = [];
  for (const table of recordTableNames) {
    let rows = 0;
    async function* lines() {
      for await (const portion of snapshot.rows(table)) {
        rows += portion.length;
        const asSettled = (row: Record<string, unknown>) =>
          table === 'import' ? { ...row, ...settled.get(row.importId as number) } : row;
        yield portion.map((row) => `${JSON.stringify(asSettled(row))}\n`).join('');
      }
    }
    const file = await archive.add(`records/${storedName(table)}.jsonl`, (target) =>
      writeLines(lines(), target),
    );
    files.push({ ...file, table, rows });
  }
  return files;
}

async function addReports(archive: Archive, files: FileStore): Promise<BackupFile[]> {
  const added: BackupFile[] = [];
  for await (const portion of files.list())
    for (const { name } of portion) {
      const found = name.endsWith('.part') ? undefined : await files.find(name);
      if (found === undefined) continue;
      const source = { bytes: found.size, chunks: await found.open() };
      added.push(await archive.send(`reports/${name}`, source));
    }
  return added;
}

function addTotals(
  archive: Archive,
  snapshot: Pick<FactsSnapshot, 'channels' | 'ask'>,
): Promise<BackupFile> {
  async function* lines() {
    for (const table of facts)
      for (const total of await totalsOf(table, snapshot)) yield `${JSON.stringify(total)}\n`;
  }
  return archive.add(totalsName, (target) => writeLines(lines(), target));
}

async function writeLines(lines: AsyncIterable<string>, target: string): Promise<void> {
  await pipeline(Readable.from(lines), createWriteStream(target, { flags: 'wx', mode: 0o600 }));
}
