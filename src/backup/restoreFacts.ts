/** Fills a warehouse with the facts of a backup, and compares their totals. */
import { randomUUID } from 'node:crypto';
import { copyFile, link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { facts } from '../../schema/warehouse/tables.ts';
import type { Warehouse } from '../engine/warehouse.ts';
import { totalsNow } from './facts.ts';
import { type CheckedBackup, type Total, totalsName } from './format.ts';
import { linesOf, recordsOf } from './read.ts';

/** The totals of a table and channel in the backup and in the stores; undefined if missing. */
export type ComparedTotal = {
  readonly table: string;
  readonly channel: number;
  readonly expected: Total | null;
  readonly found: Total | null;
};

/** Copies all facts into a warehouse, except those that an earlier attempt has copied. */
export async function restoreFacts(
  backup: CheckedBackup,
  warehouse: Warehouse,
  onProgress: (line: string) => void,
): Promise<void> {
  const { folder, manifest } = backup;
  for (const { name } of facts) {
    const files = manifest.facts.filter(({ range }) => range.table === name);
    for (const { path, range, rows } of files)
      await withStaged(join(folder, path), warehouse.stagingFolder, (staged) =>
        warehouse.copyIn(range, rows, staged),
      );
    const rows = files.reduce((sum, one) => sum + one.rows, 0);
    if (rows > 0) onProgress(`${name}: ${rows} facts`);
  }
  const imports = await importsByChannel(backup);
  const filled = new Set((await expectedTotals(backup)).map(({ channel }) => channel));
  for (const [channel, timezone] of await zonesOf(backup)) {
    const ofChannel = imports.get(channel) ?? [];
    if (ofChannel.length > 0 || filled.has(channel))
      await warehouse.finishCopy(channel, ofChannel, timezone);
  }
}

/** The time zone of each channel; channel 0 has the facts of no customer. */
async function zonesOf(backup: CheckedBackup): Promise<[number, string][]> {
  const zones: [number, string][] = [[0, 'UTC']];
  for await (const rows of recordsOf(backup, 'channel'))
    zones.push(...rows.map((row): [number, string] => [row.channelNumber, row.timezone]));
  return zones;
}

/** The committed imports of each channel, in order. */
async function importsByChannel(backup: CheckedBackup): Promise<Map<number, number[]>> {
  const imports = new Map<number, number[]>();
  for await (const rows of recordsOf(backup, 'import'))
    for (const { importId, channelNumber, state } of rows) {
      if (state !== 'done' && state !== 'undone') continue;
      const channel = channelNumber ?? 0;
      imports.set(channel, [...(imports.get(channel) ?? []), importId]);
    }
  for (const ofChannel of imports.values()) ofChannel.sort((a, b) => a - b);
  return imports;
}

/** The warehouse reads only files of its staging folder. */
async function withStaged(
  file: string,
  stagingFolder: string,
  use: (staged: string) => Promise<void>,
): Promise<void> {
  const staged = join(stagingFolder, `import-backup-${randomUUID()}`);
  await link(file, staged).catch(() => copyFile(file, staged));
  try {
    await use(staged);
  } finally {
    await rm(staged, { force: true });
  }
}

async function expectedTotals({ folder }: CheckedBackup): Promise<Total[]> {
  const totals: Total[] = [];
  for await (const portion of linesOf<Total>(join(folder, totalsName))) totals.push(...portion);
  return totals;
}

/** Compares the totals of every table and channel. */
export async function compareTotals(
  backup: CheckedBackup,
  warehouse: Warehouse,
): Promise<ComparedTotal[]> {
  const expected = await expectedTotals(backup);
  const channels = (await zonesOf(backup)).map(([channel]) => channel);
  const found = await totalsNow(warehouse, channels);
  const nameOf = ({ table, channel }: Total) => `${table} ${channel}`;
  const byName = new Map(found.map((total) => [nameOf(total), total]));
  const compared = expected.map((total): ComparedTotal => {
    const { table, channel } = total;
    const other = byName.get(nameOf(total)) ?? null;
    byName.delete(nameOf(total));
    return { table, channel, expected: total, found: other };
  });
  const added = [...byName.values()].map((total): ComparedTotal => {
    const { table, channel } = total;
    return { table, channel, expected: null, found: total };
  });
  return [...compared, ...added];
}

/** Whether a table and channel has the expected totals. */
export function isEqual({ expected, found }: ComparedTotal): boolean {
  if (expected === null || found === null) return false;
  return (
    expected.rows === found.rows &&
    Object.entries(expected.sums).every(([column, sum]) => found.sums[column] === sum)
  );
}
