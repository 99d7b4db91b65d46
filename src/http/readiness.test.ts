/** Readiness: whether both stores answer, have the right schema and enough disk. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { eachPair, onePair, until, type World } from '../../test/harness.ts';
import { StoreUnavailable } from '../engine/errors.ts';
import type { StoreStatus } from '../engine/health.ts';
import { overlay } from '../engine/overlay.ts';
import type { Warehouse } from '../engine/warehouse.ts';

const ready = async (world: World) => {
  const { status, body, headers } = await world.ask(undefined, 'GET', '/readyz');
  assert.equal(headers['cache-control'], 'no-store');
  const unready = { status: 'error', error: 'the service is not ready' };
  assert.deepEqual(body, status === 200 ? { status: 'ok' } : unready);
  return status;
};

const logged = (world: World, text: string) =>
  world.logLines.filter((line) => line.includes(text)).length;

eachPair(
  '200 and 503: /readyz says whether both stores answer, /healthz whether the process does',
  async (world) => {
    assert.equal(await ready(world), 200);
    await world.registry.close();
    assert.equal(await ready(world), 503);
    assert.equal(await ready(world), 503);
    assert.equal(logged(world, 'the service is not ready'), 1, 'once for each change');
    assert.equal((await world.ask(undefined, 'GET', '/healthz')).status, 200);
  },
  { isOwn: true },
);

eachPair(
  '503: a registry whose migrations are pending, or newer than the program',
  async (world) => {
    const version = sql.table('schema_version');
    const records = world.registry.records.withoutPlugins();
    await sql`INSERT INTO ${version} (name, timestamp) VALUES ('9999-later', '')`.execute(records);
    assert.equal(await ready(world), 503);
    assert.ok(logged(world, 'schema 9999 is newer than this program'));
    await sql`DELETE FROM ${version} WHERE name LIKE '9999%'`.execute(records);
    assert.equal(await ready(world), 200);
    type Migration = { readonly name: string; readonly timestamp: string };
    const last = sql<Migration>`SELECT * FROM ${version} ORDER BY name DESC LIMIT 1`;
    const { name, timestamp } = (await last.execute(records)).rows[0]!;
    await sql`DELETE FROM ${version} WHERE name = ${name}`.execute(records);
    assert.equal(await ready(world), 503);
    // As it was: other tests use these databases later, and may migrate them.
    const again = sql`INSERT INTO ${version} (name, timestamp) VALUES (${name}, ${timestamp})`;
    await again.execute(records);
  },
  { isOwn: true },
);

const schemaOf = (held: number) => (warehouse: Warehouse) =>
  overlay(warehouse, {
    checkHealth: async (): Promise<StoreStatus> => ({
      ...(await warehouse.checkHealth()),
      schema: { held, newest: 5 },
    }),
  });

for (const [held, reason] of [
  [4, 'schema 4 must be migrated to 5'],
  [6, 'schema 6 is newer'],
] as const)
  onePair(
    `503: a warehouse with schema ${held} of 5`,
    async (world) => {
      assert.equal(await ready(world), 503);
      assert.equal(logged(world, reason), 1);
    },
    { between: schemaOf(held) },
  );

onePair(
  '503: a store that is damaged',
  async (world) => {
    assert.equal(await ready(world), 503);
    assert.equal(logged(world, '"warehouse":"a part of what it stores is damaged'), 1);
  },
  {
    between: (warehouse) =>
      overlay(warehouse, {
        checkHealth: async () => ({ ...(await warehouse.checkHealth()), isDamaged: true }),
      }),
  },
);

onePair(
  '503: less free disk than the service needs',
  async (world) => {
    assert.equal(await ready(world), 503);
    const pattern = /"disk":"\d+ MB free, less than 1000000000"/;
    assert.match(world.logLines.find((line) => line.includes('not ready'))!, pattern);
  },
  { limits: { freeMegabytes: 1_000_000_000 } },
);

let checks = 0;

onePair(
  '503: a store that hangs for two seconds; probes at the same time share one check',
  async (world) => {
    checks = 0;
    const before = world.timers.pending;
    const probes = [ready(world), ready(world), ready(world)];
    // The other checks have ended and cancelled their timers.
    await until(() => checks > 0 && world.timers.pending === before + 1);
    world.timers.advance(2_000);
    assert.deepEqual(await Promise.all(probes), [503, 503, 503]);
    assert.equal(checks, 1);
    assert.equal(logged(world, '"warehouse":"no answer within 2 s"'), 1);
  },
  {
    between: (warehouse) =>
      overlay(warehouse, {
        checkHealth: () => {
          checks++;
          return new Promise<never>(() => {});
        },
      }),
  },
);

onePair(
  '503: neither the answer nor the log names the credentials of a store',
  async (world) => {
    assert.equal(await ready(world), 503);
    assert.equal(logged(world, 'hidden'), 0);
  },
  {
    between: (warehouse) =>
      overlay(warehouse, {
        checkHealth: () =>
          Promise.reject(new StoreUnavailable('warehouse', new Error('http://me:hidden@host'))),
      }),
  },
);
