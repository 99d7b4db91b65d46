/**
 * The budgets of keys in the memory of a node, in PostgreSQL and in Redis: what is spent is counted
 * once for all nodes, and a node counts alone while the store is silent.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { mock, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Budgets, openBudgets } from '../src/engine/budgets.ts';
import { openRegistry } from '../src/main.ts';
import { HandClock } from './clock.ts';
import { until } from './harness.ts';
import { deepTest, slowTest } from './level.ts';
import { queryPostgres } from './servers/postgres.ts';
import { freePorts } from './servers/process.ts';
import { startRedis } from './servers/redis.ts';
import { freshStores } from './servers/shared.ts';

test('on one node no request is admitted while its earlier consumption is being read', async () => {
  const budgets = await openBudgets({ redisUrl: undefined, databaseUrl: undefined }, unheard);
  const { promise: before, resolve } = Promise.withResolvers<number>();
  const spending = Array.from({ length: 4 }, () => budgets.consume('known', 60, () => before));
  resolve(10);
  const spent = (await Promise.all(spending)).map(({ spent }) => spent);
  assert.deepEqual(spent, [11, 12, 13, 14]);
});

/** For stores that answer. */
const unheard = (error: unknown) => assert.fail(String(error));

/** Forwards connections to a port; once silenced it accepts them, but drops all data. */
async function startProxy(target: number) {
  const sockets = new Set<Socket>();
  let isSilent = false;
  let heard = 0;
  const server = createServer((client) => {
    heard += 1;
    sockets.add(client);
    client.on('error', () => {});
    client.on('data', () => {
      heard += 1;
    });
    if (isSilent) return;
    const upstream = connect(target, '127.0.0.1');
    sockets.add(upstream);
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
    client.on('data', (bytes) => !isSilent && upstream.write(bytes));
    upstream.on('data', (bytes) => !isSilent && client.write(bytes));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    /** The bytes that clients have sent, with the number of connections. */
    heard: () => heard,
    silence(whether: boolean) {
      isSilent = whether;
      // Connections opened during the silence never get an answer.
      if (!whether) for (const socket of sockets) socket.destroy();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Budgets of two nodes in one store, one of them through a proxy. */
type SharedStore = {
  readonly direct: Budgets;
  readonly proxied: Budgets;
  readonly proxy: Awaited<ReturnType<typeof startProxy>>;
  readonly errors: unknown[];
  /** Decides how long both wait for the store. */
  readonly clock: HandClock;
};

/** Longer than any answer takes, and shorter than the time between two reports of a failing store. */
const patience = { answerMilliseconds: 50_000 };

async function inPostgres(use: (store: SharedStore, url: string) => Promise<void>): Promise<void> {
  const stores = await freshStores();
  try {
    const registry = await openRegistry({ databaseUrl: stores.postgresUrl, dataFolder: '' });
    await registry.migrate();
    await registry.close();
    const { postgresUrl } = stores;
    const config = (databaseUrl: string) => ({ databaseUrl, redisUrl: undefined });
    await throughProxy(postgresUrl, config, (store) => use(store, postgresUrl));
  } finally {
    await stores.drop();
  }
}

async function inRedis(use: (store: SharedStore, url: string) => Promise<void>): Promise<void> {
  const redis = await startRedis();
  try {
    const config = (redisUrl: string) => ({ databaseUrl: undefined, redisUrl });
    await throughProxy(redis.url, config, (store) => use(store, redis.url));
  } finally {
    await redis.stop();
  }
}

async function throughProxy(
  address: string,
  config: (url: string) => Parameters<typeof openBudgets>[0],
  use: (store: SharedStore) => Promise<void>,
): Promise<void> {
  const proxy = await startProxy(Number(new URL(address).port));
  const errors: unknown[] = [];
  const clock = new HandClock();
  const direct = await openBudgets(config(address), unheard, patience, clock);
  const proxied = await openBudgets(
    config(Object.assign(new URL(address), { port: proxy.port }).href),
    (error) => errors.push(error),
    patience,
    clock,
  );
  try {
    await use({ direct, proxied, proxy, errors, clock });
  } finally {
    proxy.close();
    await direct.close();
    await proxied.close();
  }
}

for (const [store, inStore] of [
  ['postgres', inPostgres],
  ['redis', inRedis],
] as const) {
  slowTest(
    `a silent shared store (${store}) is retried every few seconds and used again when it answers`,
    () =>
      inStore(async ({ direct, proxied, proxy, errors, clock }) => {
        assert.equal(direct.store, store);
        const spend = async (budgets: Budgets) => (await budgets.consume('budget', 3_600)).spent;
        const giveUp = () => clock.advance(patience.answerMilliseconds);
        for (const [place, one] of [direct, proxied, direct].entries())
          assert.equal(await spend(one), place + 1);

        const { heard } = proxy;
        const atFirst = heard();
        proxy.silence(true);
        // Several at once, one per connection, wait for the store, and then count for themselves.
        const waiting = Promise.all(Array.from({ length: 4 }, () => spend(proxied)));
        // Three of four connections of PostgreSQL are new, and send something in addition.
        if (store === 'postgres') await until(() => heard() >= atFirst + 7);
        giveUp();
        const found = (await waiting).sort((a, b) => a - b);
        assert.deepEqual(found, [1, 2, 3, 4]);
        assert.equal(errors.length, 1);
        const before = heard();
        for (let time = 5; time <= 100; time += 1) assert.equal(await spend(proxied), time);
        // The client of Redis connects again by itself, without a request that waits for it.
        if (store === 'postgres') assert.equal(heard(), before);

        clock.advance(5_000);
        // One tries for all: the others need not wait.
        let isTrying = true;
        const trying = spend(proxied).finally(() => {
          isTrying = false;
        });
        const others = [await spend(proxied), await spend(proxied)];
        assert.ok(isTrying);
        giveUp();
        assert.deepEqual([...others, await trying], [101, 102, 103]);
        assert.equal(errors.length, 1);
        clock.advance(60_000);
        const another = spend(proxied);
        giveUp();
        assert.equal(await another, 104);
        assert.equal(errors.length, 2);

        proxy.silence(false);
        // The two tries may still arrive.
        const seen = await spend(direct);
        assert.ok(seen >= 4 && seen <= 6, String(seen));
        for (;;) {
          clock.advance(5_000);
          const spent = await spend(proxied);
          // Alone, the node has counted to more than a hundred.
          if (spent < 100 && (await spend(direct)) === spent + 1) return;
          await delay(10);
        }
      }),
  );
}

slowTest('spending in PostgreSQL does not wait for the disk', () =>
  inPostgres(async ({ direct }, url) => {
    await queryPostgres(
      url,
      `CREATE TABLE seen AS SELECT ''::text AS setting LIMIT 0;
       CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN
           INSERT INTO seen VALUES (current_setting('synchronous_commit'));
           RETURN NEW;
         END $$;
       CREATE TRIGGER see BEFORE INSERT ON key_budget FOR EACH ROW EXECUTE FUNCTION see()`,
    );
    await direct.consume('budget', 60);
    assert.deepEqual(await queryPostgres(url, 'SELECT setting FROM seen'), [{ setting: 'off' }]);
    assert.deepEqual(await queryPostgres(url, 'SHOW synchronous_commit'), [
      { synchronous_commit: 'on' },
    ]);
  }),
);

slowTest('budgets of past windows are removed from PostgreSQL', async () => {
  mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.now() });
  try {
    await inPostgres(async ({ direct }, url) => {
      await direct.consume('short', 60);
      await direct.consume('long', 86_400);
      const names = async () =>
        (await queryPostgres(url, 'SELECT key FROM key_budget ORDER BY key')).map(({ key }) => key);
      assert.deepEqual(await names(), ['vitrine:long', 'vitrine:short']);
      mock.timers.tick(3_600_000 + 400_000);
      while ((await names()).length > 1);
      assert.deepEqual(await names(), ['vitrine:long']);
    });
  } finally {
    mock.timers.reset();
  }
});

deepTest('a process that has closed its budgets ends by itself', async () => {
  const redis = await startRedis();
  const stores = await freshStores();
  const [nobody] = await freePorts(1);
  try {
    const configs = [
      {},
      { redisUrl: redis.url },
      { databaseUrl: stores.postgresUrl },
      { redisUrl: `redis://127.0.0.1:${nobody}` },
      { databaseUrl: `postgres://a:b@127.0.0.1:${nobody}/c` },
    ];
    const budgetsModule = import.meta.resolve('../src/engine/budgets.ts');
    const script = `
      import { openBudgets } from ${JSON.stringify(budgetsModule)};
      for (const config of ${JSON.stringify(configs)}) {
        const budgets = await openBudgets(config, () => {});
        if ((await budgets.consume('budget', 60)).spent !== 1) process.exit(3);
        await budgets.close();
      }`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: 'inherit',
    });
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  } finally {
    await redis.stop();
    await stores.drop();
  }
});
