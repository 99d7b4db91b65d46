/**
 * The data set of the benchmarks, made once by the service's own imports: 20 channels x 400 SKUs x
 * 730 days of order lines and traffic, and 40 campaigns per channel.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Channel } from '../src/access/channels.ts';
import { sealedUnder } from '../src/access/installationKey.ts';
import { unboundedColumns } from '../src/access/keyRights.ts';
import { mintKey } from '../src/access/keys.ts';
import { defaultLimits } from '../src/config.ts';
import { openDuckdb } from '../src/engine/duckdb/warehouse.ts';
import type { Registry } from '../src/engine/registry.ts';
import { openSqlite } from '../src/engine/sqlite/registry.ts';
import { Importer } from '../src/import/importer.ts';
import { campaignDay, everySku, orderLine, textOf, trafficRow } from './rows.ts';

/** The secret that seals the benchmark's key. */
export const secret = 'secret-of-the-benchmarks';
/** The merchant of every channel. */
export const merchantId = 'A1BENCHMARK @ ATVPDKIKX0DER';
/** The zone of every channel. */
export const zone = 'America/Los_Angeles';

const campaigns = 40;

/** Inserts an organisation, a user, an unlimited key, and the channels, numbered from 1. */
export async function insertRecords(
  { records }: Registry,
  channels: readonly (Pick<Channel, 'channelId' | 'currency'> &
    Partial<Pick<Channel, 'timezone'>>)[],
  searchQueryProductMax = 50,
): Promise<{ readonly key: string; readonly inserted: readonly Channel[] }> {
  const createdAt = Date.now();
  const entitled = {
    plan: 'enterprise',
    apiAccess: 1,
    searchQueryPerformance: 1,
    searchQueryProductMax,
  } as const;
  await records
    .insertInto('installationKey')
    .values(sealedUnder(secret, secret, createdAt))
    .execute();
  await records
    .insertInto('organisation')
    .values({ organisationId: 'org', name: 'Bench', ...entitled, createdAt })
    .execute();
  const user = {
    userId: 'user',
    organisationId: 'org',
    email: 'bench@example.com',
    role: 'owner',
    passwordHash: null,
  } as const;
  await records
    .insertInto('userAccount')
    .values({ ...user, restricted: 0, createdAt })
    .execute();
  const { key, ...stored } = mintKey(secret, 'key', 'production');
  const limits = {
    perSecond: 1e6,
    burst: 1e6,
    perDay: 1e9,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    ...unboundedColumns,
  };
  await records
    .insertInto('apiKey')
    .values({ keyId: 'key', userId: 'user', name: 'Bench', ...stored, ...limits, createdAt })
    .execute();
  const store = {
    organisationId: 'org',
    merchantId,
    marketplace: 'primarymkt',
    kind: 'seller',
    countryCode: 'USA',
  } as const;
  const settings = {
    timezone: zone,
    hasAdvertisingConnected: 1,
    leadTimeDays: 30,
    safetyStockDays: 14,
    targetCoverDays: 60,
  } as const;
  const inserted: Channel[] = [];
  for (const [place, channel] of channels.entries()) {
    const row = {
      channelNumber: place + 1,
      displayName: channel.channelId,
      ...store,
      ...settings,
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

/** The folder, key and size of a data set. */
export type BenchData = {
  readonly folder: string;
  readonly key: string;
  readonly channels: number;
  readonly skus: number;
  readonly days: number;
};

/** Makes the data set unless it exists. */
export async function benchData(channels: number, skus: number, days: number): Promise<BenchData> {
  const folder = fileURLToPath(new URL(`data/${channels}x${skus}x${days}/`, import.meta.url));
  const marker = join(folder, 'made.json');
  if (existsSync(marker)) return JSON.parse(readFileSync(marker, 'utf8')) as BenchData;
  mkdirSync(folder, { recursive: true });
  console.log(
    `Making the data set (once): ${channels} channels x ${skus} SKUs x ${days} days of order lines and of traffic ...`,
  );
  const registry = await openSqlite(join(folder, 'registry.sqlite'));
  await registry.migrate();
  const warehouse = await openDuckdb(folder);
  await warehouse.migrate();
  const named = Array.from({ length: channels }, (_, number) => ({
    channelId: `channel-${number}`,
    currency: 'USD',
  }));
  const { key, inserted } = await insertRecords(registry, named);
  const importer = new Importer({ registry, warehouse, secret, limits: defaultLimits });
  for (const channel of inserted) {
    for (const [dataset, rows] of [
      ['orderLines', everySku(days, skus, orderLine)],
      ['traffic', everySku(days, skus, trafficRow)],
      ['campaignDays', everySku(days, campaigns, campaignDay)],
    ] as const) {
      const request = {
        content: { dataset, format: 'csv' as const },
        channel,
        acceptsMultiDay: false,
        abortOnRejection: true,
      };
      await importer.import(request, Readable.from(textOf(rows, 'csv')));
    }
    process.stdout.write('.');
  }
  console.log();
  await warehouse.close();
  await registry.close();
  const data: BenchData = { folder, key, channels, skus, days };
  writeFileSync(marker, JSON.stringify(data));
  return data;
}
