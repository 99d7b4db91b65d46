/** Data folders of benchmarks: stores with one organisation, and facts that statements make. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Channel } from '../src/access/channels.ts';
import { sealedUnder } from '../src/access/installationKey.ts';
import { unboundedColumns } from '../src/access/keyRights.ts';
import { mintKey } from '../src/access/keys.ts';
import { openDuckdb } from '../src/engine/duckdb/warehouse.ts';
import type { Registry } from '../src/engine/registry.ts';
import { openSqlite } from '../src/engine/sqlite/registry.ts';

/** The secret that seals the benchmark's key. */
export const secret = 'secret-of-the-benchmarks';
/** The merchant of every channel. */
export const merchantId = 'A1BENCHMARK @ ATVPDKIKX0DER';
/** The default zone of a channel. */
export const zone = 'America/Los_Angeles';

/** A channel of a data folder. */
export type NewChannel = Pick<Channel, 'channelId' | 'currency'> &
  Partial<Pick<Channel, 'timezone'>>;
/** Channels in dollars, numbered from 0 in their names. */
export const dollarChannels = (count: number): NewChannel[] =>
  Array.from({ length: count }, (_, place) => ({ channelId: `channel-${place}`, currency: 'USD' }));
/** The one channel of most data folders. */
export const oneChannel: readonly NewChannel[] = [{ channelId: 'channel', currency: 'USD' }];

/** The contents of a data folder. */
export type Contents = {
  readonly channels: readonly NewChannel[];
  readonly searchQueryProductMax?: number;
  /** The statements that make the facts, in order. */
  readonly statements: (channels: readonly Channel[]) => Iterable<string>;
  /** The number of the import whose channels need rollups; absent if none do. */
  readonly rebuilds?: { readonly importId: number; readonly channels?: number };
};
/** A data folder, and the key that reads it. */
export type DataFolder = { readonly folder: string; readonly key: string };

const organisationId = 'org';

/** Inserts the organisation, its user and the user's key; returns the key. */
async function insertUser(
  records: Registry['records'],
  searchQueryProductMax: number,
  createdAt: number,
): Promise<string> {
  await records
    .insertInto('installationKey')
    .values(sealedUnder(secret, secret, createdAt))
    .execute();
  await records
    .insertInto('organisation')
    .values({
      organisationId,
      name: 'Bench',
      plan: 'enterprise',
      apiAccess: 1,
      searchQueryPerformance: 1,
      searchQueryProductMax,
      createdAt,
    })
    .execute();
  await records
    .insertInto('userAccount')
    .values({
      userId: 'user',
      organisationId,
      email: 'bench@example.com',
      role: 'owner',
      passwordHash: null,
      restricted: 0,
      createdAt,
    })
    .execute();
  const { key, ...stored } = mintKey(secret, 'key', 'production');
  await records
    .insertInto('apiKey')
    .values({
      keyId: 'key',
      userId: 'user',
      name: 'Bench',
      ...stored,
      createdAt,
      ...unboundedColumns,
      perSecond: 1e6,
      burst: 1e6,
      perDay: 1e9,
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
    })
    .execute();
  return key;
}

/** Inserts an organisation, a user, an unlimited key, and the channels, numbered from 1. */
export async function insertRecords(
  { records }: Registry,
  channels: readonly NewChannel[],
  searchQueryProductMax = 50,
): Promise<{ readonly key: string; readonly inserted: readonly Channel[] }> {
  const createdAt = Date.now();
  const key = await insertUser(records, searchQueryProductMax, createdAt);
  const inserted: Channel[] = [];
  for (const [place, channel] of channels.entries()) {
    const row = {
      channelNumber: place + 1,
      displayName: channel.channelId,
      organisationId,
      merchantId,
      marketplace: 'primarymkt',
      countryCode: 'USA',
      timezone: zone,
      ...({ kind: 'seller', hasAdvertisingConnected: 1 } as const),
      leadTimeDays: 30,
      safetyStockDays: 14,
      targetCoverDays: 60,
      ...channel,
      createdAt,
      updatedAt: createdAt,
    };
    inserted.push(
      await records.insertInto('channel').values(row).returningAll().executeTakeFirstOrThrow(),
    );
  }
  return { key, inserted };
}

/** Makes a folder of this name with `make` unless it exists, and prints what it makes. */
export async function madeOnce(
  name: string,
  what: string,
  make: (folder: string) => Promise<string>,
): Promise<DataFolder> {
  const folder = fileURLToPath(new URL(`data/${name}/`, import.meta.url));
  const marker = join(folder, 'made');
  if (!existsSync(marker)) {
    console.log(`Making the data set (once): ${what} ...`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const key = await make(folder);
    writeFileSync(marker, key);
  }
  return { folder, key: readFileSync(marker, 'utf8') };
}

/** Makes a data folder of this name unless it exists. */
export const dataFolder = (name: string, what: string, contents: Contents): Promise<DataFolder> =>
  madeOnce(name, what, (folder) => fill(folder, contents));

/** Fills an empty folder; returns the key. */
export async function fill(
  folder: string,
  { channels, searchQueryProductMax, statements, rebuilds }: Contents,
): Promise<string> {
  const registry = await openSqlite(join(folder, 'registry.sqlite'));
  await registry.migrate();
  const { key, inserted } = await insertRecords(registry, channels, searchQueryProductMax);
  await registry.close();
  const warehouse = await openDuckdb(folder);
  await warehouse.migrate();
  await warehouse.close();
  await runStatements(folder, statements(inserted));
  if (rebuilds === undefined) return key;
  const start = performance.now();
  const filled = await openDuckdb(folder);
  for (const { channelNumber, timezone } of inserted.slice(0, rebuilds.channels))
    await filled.rebuild({ importId: rebuilds.importId, channel: channelNumber }, timezone);
  await filled.close();
  console.log(`Made the rollups in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return key;
}

/** Runs statements over the warehouse of a folder that no service has open. */
export async function runStatements(folder: string, statements: Iterable<string>): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, 'warehouse.duckdb'), {
    threads: '2',
    memory_limit: '2GB',
  });
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  await connection.run('CHECKPOINT');
  connection.closeSync();
  instance.closeSync();
}

/** The statement for rates that rise a little from day to day, of units of currencies per euro. */
export function exchangeRates(
  firstDate: string,
  days: number,
  rates: Readonly<Record<string, number>>,
): string {
  const rows = Object.entries(rates).map(([currency, rate]) => `('${currency}', ${rate})`);
  return `INSERT INTO exchange_rate (channel, import_id, day, currency, per_euro, source)
    SELECT 0, 1, DATE '${firstDate}' + CAST(n AS INTEGER), currency, rate * (1 + n / 10000), ''
    FROM range(${days}) AS numbers(n), (VALUES ${rows.join(', ')}) AS rates(currency, rate)`;
}
