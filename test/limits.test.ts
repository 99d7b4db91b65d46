import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Budgets, openBudgets } from '../src/engine/budgets.ts';
import { openRegistry } from '../src/main.ts';
import { HandClock } from './clock.ts';
import { examples } from './examples.ts';
import { type Answer, eachPair, until } from './harness.ts';
import { deepTest, slowTest } from './level.ts';
import { queryPostgres } from './servers/postgres.ts';
import { freePorts } from './servers/process.ts';
import { type RedisServer, startRedis } from './servers/redis.ts';
import { freshStores } from './servers/shared.ts';
import { type Service, startService } from './service.ts';

type Item = Readonly<Record<string, number>>;

/** A list of strings with whole numbers as parameters, as RFC 9651 writes it; anything else fails. */
function readList(field: unknown): Record<string, Item> {
  assert.equal(typeof field, 'string');
  const items = (field as string).split(/[ \t]*,[ \t]*/).map((member): [string, Item] => {
    const [, name, parameters] =
      /^"([\x20-\x21\x23-\x5b\x5d-\x7e]*)"((?:;[a-z*][a-z0-9_.*-]*=-?\d{1,15})*)$/.exec(member) ??
      assert.fail(member);
    const pairs = parameters!.split(';').slice(1);
    return [
      name!,
      Object.fromEntries(
        pairs.map((pair) => pair.split('=')).map(([key, value]) => [key, Number(value)]),
      ),
    ];
  });
  assert.equal(new Set(items.map(([name]) => name)).size, items.length);
  return Object.fromEntries(items);
}

const policyOf = ({ headers }: Pick<Answer, 'headers'>) => readList(headers['ratelimit-policy']);
const standingOf = ({ headers }: Pick<Answer, 'headers'>) => readList(headers.ratelimit);

function limited(answer: Answer, text: RegExp): number {
  assert.equal(answer.status, 429);
  assert.deepEqual(Object.keys(answer.body), ['status', 'error']);
  assert.equal(answer.body.status, 'error');
  assert.match(answer.body.error, text);
  assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
  return Number(answer.headers['retry-after']);
}

const tooFast = /^the key sends requests faster than it may: try again in \d+ s/;
const usedUp = /^the key has used up its requests of this day: try again in \d+ s/;

eachPair(
  '429: a key that may send three requests at once is admitted again after the seconds of retry-after',
  async (world) => {
    mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.now() });
    try {
      const { key } = await world.tenant({ limits: { perSecond: 1, burst: 3, perDay: 1_000 } });
      const ask = () => world.ask(key, 'POST', '/say', { how: 'well' });
      for (const left of [2, 1, 0]) {
        const answer = await ask();
        assert.equal(answer.status, 200);
        assert.deepEqual(policyOf(answer), { burst: { q: 3, w: 3 }, day: { q: 1_000, w: 86_400 } });
        const { burst, day } = standingOf(answer);
        assert.equal(burst!.r, left);
        assert.ok(burst!.t! >= 1 && burst!.t! <= 3);
        // The world's clock stands at noon. The day's remainder falls along with the burst's.
        assert.deepEqual(day, { r: 997 + left, t: 43_200 });
      }
      const refused = await ask();
      const retryAfter = limited(refused, tooFast);
      assert.ok(retryAfter <= 3);
      assert.deepEqual(policyOf(refused), { burst: { q: 3, w: 3 }, day: { q: 1_000, w: 86_400 } });
      assert.deepEqual(standingOf(refused), {
        burst: { r: 0, t: retryAfter },
        day: { r: 997, t: 43_200 },
      });
      const unrouted = await world.ask(key, 'GET', '/nowhere');
      assert.deepEqual(
        [limited(unrouted, tooFast), standingOf(unrouted).day!.r],
        [retryAfter, 997],
      );
      mock.timers.tick(retryAfter * 1000);
      const later = await ask();
      assert.equal(later.status, 200);
      // A request refused by the burst limit consumes nothing of the day.
      assert.equal(standingOf(later).day!.r, 996);
    } finally {
      mock.timers.reset();
    }
  },
  { endpoints: examples },
);

eachPair(
  '429: the daily limit of a key starts anew at midnight UTC',
  async (world) => {
    const { key } = await world.tenant({ limits: { perDay: 3 } });
    const ask = () => world.ask(key, 'POST', '/say', { how: 'well' });
    for (const left of [2, 1, 0]) assert.equal(standingOf(await ask()).day!.r, left);
    const refused = await ask();
    assert.equal(limited(refused, usedUp), 43_200);
    assert.deepEqual(standingOf(refused).day, { r: 0, t: 43_200 });
    world.clock.now = Date.UTC(2026, 0, 16) - 1;
    assert.equal(limited(await ask(), usedUp), 1);
    world.clock.now = Date.UTC(2026, 0, 16);
    const next = await ask();
    assert.equal(next.status, 200);
    assert.deepEqual(standingOf(next).day, { r: 2, t: 86_400 });
  },
  { endpoints: examples },
);

eachPair(
  'every answer to a valid key states its remaining budget, and nothing else is counted',
  async (world) => {
    const { organisationId, userId, key } = await world.tenant({
      organisation: { plan: 'standard' },
      limits: { perSecond: 1, burst: 3_000, perDay: 1_000 },
    });
    let left = 1_000;
    for (const [status, path, body] of [
      [200, '/say', { how: 'well' }],
      [400, '/say', {}],
      [400, '/say', '{'],
      [401, '/orders', {}],
      [404, '/say', { how: 'missing' }],
      [415, '/say', undefined],
      [500, '/say', { how: 'fails' }],
      [404, '/nowhere', {}],
      [405, '/say', undefined],
    ] as const) {
      const headers = status === 415 ? { 'content-type': 'text/plain' } : undefined;
      const method = status === 405 ? 'GET' : 'POST';
      const answer = await world.ask(key, method, path, status === 415 ? 'text' : body, headers);
      assert.equal(answer.status, status);
      left -= 1;
      assert.deepEqual(Object.keys(policyOf(answer)), ['burst', 'day']);
      assert.deepEqual(
        [standingOf(answer).burst!.r, standingOf(answer).day!.r],
        [2_000 + left, left],
      );
    }

    const revoked = await world.operate('POST', '/operator/keys', { userId });
    await world.operate('DELETE', `/operator/keys/${revoked.keyId}`);
    const others: [number, Answer][] = [];
    for (const wrong of [undefined, 'wrong', `${key}x`, revoked.key])
      others.push([403, await world.ask(wrong, 'POST', '/say', {})]);
    for (const path of ['/healthz', '/readyz', '/openapi.json'])
      others.push([200, await world.ask(key, 'GET', path)]);
    others.push(
      [404, await world.ask('wrong', 'GET', '/nowhere')],
      [405, await world.ask(undefined, 'GET', '/say')],
    );
    const preflight = await world.server.inject({
      method: 'OPTIONS',
      url: '/say',
      headers: { 'x-api-key': key, origin: 'https://a.example' },
    });
    others.push([204, { status: preflight.statusCode, body: '', headers: preflight.headers }]);
    for (const [status, answer] of others) {
      assert.equal(answer.status, status);
      assert.deepEqual(
        [answer.headers.ratelimit, answer.headers['ratelimit-policy']],
        [undefined, undefined],
      );
    }
    assert.equal(
      standingOf(await world.ask(key, 'POST', '/say', { how: 'well' })).day!.r,
      left - 1,
    );

    // Requests without API access are refused as such, until there are too many of them.
    await world.operate('PATCH', `/operator/organisations/${organisationId}`, { apiAccess: false });
    const refused = await world.ask(key, 'POST', '/say', { how: 'well' });
    assert.deepEqual([refused.status, standingOf(refused).day!.r], [401, left - 2]);
  },
  { endpoints: examples },
);

eachPair(
  '429: too many requests for an operation without its grant meet the rate limit',
  async (world) => {
    const { key } = await world.tenant({
      organisation: { plan: 'standard' },
      limits: { perDay: 2 },
    });
    const statuses = [];
    for (let time = 0; time < 3; time += 1)
      statuses.push((await world.ask(key, 'POST', '/orders', {})).status);
    assert.deepEqual(statuses, [401, 401, 429]);
  },
  { endpoints: examples },
);

eachPair(
  'changed limits apply at once and count the requests made before',
  async (world) => {
    const { keyId, key } = await world.tenant({ limits: { perDay: 2 } });
    const ask = () => world.ask(key, 'POST', '/say', { how: 'well' });
    assert.deepEqual(
      [(await ask()).status, (await ask()).status, (await ask()).status],
      [200, 200, 429],
    );
    await world.operate('PATCH', `/operator/keys/${keyId}`, { limits: { perDay: 5 } });
    // Three were asked for, the refused one among them.
    const next = await ask();
    assert.deepEqual([next.status, policyOf(next).day!.q, standingOf(next).day!.r], [200, 5, 1]);
    await world.operate('PATCH', `/operator/keys/${keyId}`, { limits: { perSecond: 1, burst: 1 } });
    assert.deepEqual(policyOf(await ask()).burst, { q: 1, w: 1 });
  },
  { endpoints: examples },
);

eachPair(
  'earlier requests count once in a window that is new to the store, also for concurrent requests',
  async ({ budgets }) => {
    let asked = 0;
    const { promise: before, resolve } = Promise.withResolvers<number>();
    const spend = () =>
      budgets.consume('known', 60, () => {
        asked += 1;
        return before;
      });
    const first = Array.from({ length: 4 }, spend);
    resolve(10);
    const spent = (await Promise.all(first)).map((one) => one.spent).sort((a, b) => a - b);
    assert.equal(asked, 1);
    assert.ok(spent[0]! >= 1 && spent.at(-1)! <= 14);
    assert.equal((await spend()).spent, 15);
    assert.equal(asked, 1);
    assert.equal(
      (await budgets.consume('unknown', 60, () => Promise.reject(new Error('no registry')))).spent,
      1,
    );
  },
);

test('on one node no request is admitted while its earlier consumption is being read', async () => {
  const budgets = await openBudgets({ redisUrl: undefined, databaseUrl: undefined }, unheard);
  const { promise: before, resolve } = Promise.withResolvers<number>();
  const spending = Array.from({ length: 4 }, () => budgets.consume('known', 60, () => before));
  resolve(10);
  assert.deepEqual(
    (await Promise.all(spending)).map(({ spent }) => spent),
    [11, 12, 13, 14],
  );
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
    /** How much has come from clients, connections counted. */
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
    await throughProxy(
      stores.postgresUrl,
      (url) => ({ databaseUrl: url, redisUrl: undefined }),
      (store) => use(store, stores.postgresUrl),
    );
  } finally {
    await stores.drop();
  }
}

async function inRedis(use: (store: SharedStore, url: string) => Promise<void>): Promise<void> {
  const redis = await startRedis();
  try {
    await throughProxy(
      redis.url,
      (url) => ({ databaseUrl: undefined, redisUrl: url }),
      (store) => use(store, redis.url),
    );
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
        assert.deepEqual(
          [await spend(direct), await spend(proxied), await spend(direct)],
          [1, 2, 3],
        );

        const { heard } = proxy;
        const atFirst = heard();
        proxy.silence(true);
        // Several at once, one per connection, wait for the store, and then count for themselves.
        const waiting = Promise.all(Array.from({ length: 4 }, () => spend(proxied)));
        // Three of four connections of PostgreSQL are new, and say something besides.
        if (store === 'postgres') await until(() => heard() >= atFirst + 7);
        giveUp();
        assert.deepEqual(
          (await waiting).sort((a, b) => a - b),
          upTo(4),
        );
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

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
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

slowTest('a process that has closed its budgets ends by itself', async () => {
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

const patientProgram = fileURLToPath(new URL('./patientService.ts', import.meta.url));

/** Two services on the same PostgreSQL and ClickHouse. */
async function twoNodes(
  redis: RedisServer | undefined,
  use: (nodes: readonly [Service, Service], postgresUrl: string) => Promise<void>,
) {
  const stores = await freshStores();
  const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'vitrine-node-')));
  const services: Service[] = [];
  try {
    const environment = {
      DATABASE_URL: stores.postgresUrl,
      CLICKHOUSE_URL: stores.clickhouseUrl,
      ...(redis && { REDIS_URL: redis.url }),
    };
    for (const folder of folders)
      services.push(await startService(folder, environment, [patientProgram]));
    await use(services as [Service, Service] & Service[], stores.postgresUrl);
  } finally {
    for (const service of services) await service.stop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    await stores.drop();
  }
}

async function askChannels(node: Service, key: string): Promise<Answer> {
  const response = await node.ask('POST', '/channels', {}, { 'x-api-key': key });
  return {
    status: response.status,
    body: await response.json(),
    headers: Object.fromEntries(response.headers.entries()),
  };
}

async function owner(node: Service): Promise<string> {
  const { organisationId } = await node.operate('POST', '/operator/organisations', {
    name: 'Acme',
  });
  return (
    await node.operate('POST', '/operator/users', {
      organisationId,
      email: 'owner@example.com',
      role: 'owner',
    })
  ).userId;
}

/** The window of a day ends in no test, except at midnight. */
const thirtyADay = { perSecond: 1_000, burst: 1_000, perDay: 30 };

async function shareOneBudget(
  [here, there]: readonly [Service, Service],
  userId: string,
): Promise<void> {
  const { key } = await here.operate('POST', '/operator/keys', { userId, limits: thirtyADay });
  const began = new Date().getUTCDate();
  const answers: Answer[] = [];
  for (let round = 0; round < 11; round += 1)
    answers.push(
      ...(await Promise.all([here, there, here, there].map((node) => askChannels(node, key)))),
    );
  if (new Date().getUTCDate() !== began) return; // Midnight has passed meanwhile.
  const passed = answers.filter(({ status }) => status === 200);
  assert.deepEqual(
    [passed.length, answers.filter(({ status }) => status === 429).length],
    [30, 14],
  );
  assert.deepEqual(
    passed.map((answer) => standingOf(answer).day!.r!).sort((a, b) => b - a),
    upTo(30).map((n) => 30 - n),
  );
}

deepTest('two nodes on one PostgreSQL share budgets and revocations', () =>
  twoNodes(undefined, async (nodes) => {
    const [here, there] = nodes;
    const userId = await owner(here);
    await shareOneBudget(nodes, userId);

    const { keyId, key } = await here.operate('POST', '/operator/keys', { userId });
    assert.deepEqual(
      [(await askChannels(here, key)).status, (await askChannels(there, key)).status],
      [200, 200],
    );
    await here.operate('DELETE', `/operator/keys/${keyId}`);
    assert.equal((await askChannels(here, key)).status, 403);
    await until(async () => (await askChannels(there, key)).status === 403);
  }),
);

deepTest(
  'two nodes share budgets in Redis, count for themselves while it is gone, and share again when it is back',
  async () => {
    let redis = await startRedis();
    try {
      await twoNodes(redis, async (nodes, postgresUrl) => {
        const [here, there] = nodes;
        const userId = await owner(here);
        await shareOneBudget(nodes, userId);
        assert.deepEqual(await queryPostgres(postgresUrl, 'SELECT key FROM key_budget'), []);

        const { key } = await here.operate('POST', '/operator/keys', {
          userId,
          limits: { perSecond: 1, burst: 3_000 },
        });
        const left = async (node: Service) => {
          const answer = await askChannels(node, key);
          assert.equal(answer.status, 200);
          return standingOf(answer).burst!.r!;
        };
        assert.deepEqual(
          [await left(here), await left(there), await left(here)],
          [2_999, 2_998, 2_997],
        );
        const asking = upTo(40).map((time) => left(time % 2 === 0 ? here : there));
        await redis.kill();
        await Promise.all(asking);
        for (const node of nodes) {
          const before = await left(node);
          assert.deepEqual([await left(node), await left(node)], [before - 1, before - 2]);
          const warnings = node
            .log()
            .split('\n')
            .filter((line) => line.includes('this node counts alone'));
          assert.equal(warnings.length, 1);
          assert.equal(JSON.parse(warnings[0]!).level, 50);
        }
        redis = await startRedis({ port: redis.port });
        // A node alone counts down by one each time; with a shared store each also counts the
        // other's requests.
        for (;;) {
          const seen = [await left(here), await left(there), await left(here), await left(there)];
          if (seen.every((one, index) => index === 0 || one === seen[index - 1]! - 1)) break;
          await delay(100);
        }
      });
    } finally {
      await redis.stop();
    }
  },
);
