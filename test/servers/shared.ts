import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { queryClickHouse, startClickHouse, startClickHouseCluster } from './clickhouse.ts';
import { createPostgresDatabase, queryPostgres, startPostgres } from './postgres.ts';

/** The addresses of the two servers that the tests share. */
export type ServerAddresses = { clickhouseUrl: string; postgresUrl: string };

/** Where the global set-up leaves the addresses for the test processes, which inherit its environment. */
export const addressVariables = {
  clickhouse: 'VITRINE_TEST_CLICKHOUSE_URL',
  postgres: 'VITRINE_TEST_POSTGRES_URL',
};

let own: Promise<SharedServers> | undefined;

/** A database in ClickHouse and one in PostgreSQL, both of one name. */
export type FreshStores = ServerAddresses & { readonly name: string; drop(): Promise<void> };

/** Makes an empty database in ClickHouse and one in PostgreSQL that no other test knows. */
export async function freshStores(): Promise<FreshStores> {
  const servers = await sharedServers();
  const name = `test_${process.pid}_${randomBytes(5).toString('hex')}`;
  await Promise.all([
    onEachServer(servers.clickhouseUrl, (url) => queryClickHouse(url, `CREATE DATABASE ${name}`)),
    createPostgresDatabase(servers.postgresUrl, name),
  ]);
  return storesOf(servers, name);
}

/** The databases of a name. */
export function storesOf(servers: ServerAddresses, name: string): FreshStores {
  return {
    name,
    clickhouseUrl: servers.clickhouseUrl
      .split(',')
      .map((url) => withDatabase(url, name))
      .join(','),
    postgresUrl: withDatabase(servers.postgresUrl, name),
    drop: async () => {
      await Promise.all([
        onEachServer(servers.clickhouseUrl, (url) =>
          queryClickHouse(url, `DROP DATABASE IF EXISTS ${name} SYNC`),
        ),
        queryPostgres(servers.postgresUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
      ]);
    },
  };
}

/** The servers of the global set-up; a test file run without it gets its own, which end with its process. */
export async function sharedServers(): Promise<ServerAddresses> {
  const clickhouseUrl = process.env[addressVariables.clickhouse];
  const postgresUrl = process.env[addressVariables.postgres];
  if (clickhouseUrl !== undefined && postgresUrl !== undefined)
    return { clickhouseUrl, postgresUrl };
  own ??= startSharedServers();
  return own;
}

/** Both servers, with a folder that goes when they do. */
export type SharedServers = ServerAddresses & { readonly directory: string; stop(): Promise<void> };

/** Starts both; VITRINE_TEST_SHARDS says how many servers ClickHouse has, one without it. */
export async function startSharedServers(): Promise<SharedServers> {
  const postgres = await startPostgres();
  const shards = Number(process.env.VITRINE_TEST_SHARDS ?? 1);
  const clickhouse =
    shards === 1
      ? await startClickHouse()
      : await startClickHouseCluster(shards, join(postgres.directory, 'clickhouse'));
  return {
    clickhouseUrl: 'urls' in clickhouse ? clickhouse.urls : clickhouse.url,
    postgresUrl: postgres.url,
    directory: postgres.directory,
    async stop() {
      await clickhouse.stop();
      await postgres.stop();
    },
  };
}

/** Asks every server of a ClickHouse cluster, whose addresses have commas between them. */
export async function onEachServer<T>(urls: string, ask: (url: string) => Promise<T>) {
  return await Promise.all(urls.split(',').map(ask));
}

function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
