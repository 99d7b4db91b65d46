import { randomBytes } from 'node:crypto';
import { queryClickHouse, startClickHouse } from './clickhouse.ts';
import { createPostgresDatabase, queryPostgres, startPostgres } from './postgres.ts';

/** The addresses of the two servers that the tests share. */
export type ServerAddresses = { clickhouseUrl: string; postgresUrl: string };

/** Where the global set-up leaves the addresses for the test processes, which inherit its environment. */
export const addressVariables = {
  clickhouse: 'VITRINE_TEST_CLICKHOUSE_URL',
  postgres: 'VITRINE_TEST_POSTGRES_URL',
};

let own: Promise<ServerAddresses> | undefined;

/** A database in ClickHouse and one in PostgreSQL, both of one name. */
export type FreshStores = ServerAddresses & {
  readonly name: string;
  drop(): Promise<void>;
};

/** Makes an empty database in ClickHouse and one in PostgreSQL that no other test knows. */
export async function freshStores(): Promise<FreshStores> {
  const servers = await sharedServers();
  const name = `test_${process.pid}_${randomBytes(5).toString('hex')}`;
  await Promise.all([
    queryClickHouse(servers.clickhouseUrl, `CREATE DATABASE ${name}`),
    createPostgresDatabase(servers.postgresUrl, name),
  ]);
  return storesOf(servers, name);
}

/** The databases of a name. */
export function storesOf(servers: ServerAddresses, name: string): FreshStores {
  return {
    name,
    clickhouseUrl: withDatabase(servers.clickhouseUrl, name),
    postgresUrl: withDatabase(servers.postgresUrl, name),
    drop: async () => {
      await Promise.all([
        queryClickHouse(servers.clickhouseUrl, `DROP DATABASE IF EXISTS ${name} SYNC`),
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
  own ??= Promise.all([startClickHouse(), startPostgres()]).then(([clickhouse, postgres]) => ({
    clickhouseUrl: clickhouse.url,
    postgresUrl: postgres.url,
  }));
  return own;
}

function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
