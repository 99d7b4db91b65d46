/**
 * Keys send no more requests than their limits allow, and every answer says what is left. Nodes
 * share the limits; budgetStores.test.ts has the stores that they share them in.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { examples } from './examples.ts';
import { type Answer, onEachPair, until } from './harness.ts';
import { deepTest } from './level.ts';
import { queryPostgres } from './servers/postgres.ts';
import { type RedisServer, startRedis } from './servers/redis.ts';
import { freshStores } from './servers/shared.ts';
import { makeOwner, type Service, startService } from './service.ts';

type Item = Readonly<Record<string, number>>;

/** A list of strings with whole numbers as parameters, as RFC 9651 writes it; anything else fails. */
function readList(field: unknown): Record<string, Item> {
  assert.equal(typeof field, 'string');
  const items = (field as string).split(/[ \t]*,[ \t]*/).map((member): [string, Item] => {
    const [, name, parameters] =
      /^"([\x20-\x21\x23-\x5b\x5d-\x7e]*)"((?:;[a-z*][a-z0-9_.*-]*=-?\d{1,15})*)$/.exec(member) ??
      assert.fail(member);
    const pairs = parameters!.split(';').slice(1);
    const values = pairs.map((pair) => pair.split('=')).map(([key, value]) => [key, Number(value)]);
    return [name!, Object.fromEntries(values)];
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

onEachPair(
  'limits of keys',
  (world) => {
    const say = (key: string) => world().ask(key, 'POST', '/say', { how: 'well' });

    test('429: a key that may send three requests at once is admitted again after the seconds of retry-after', async () => {
      mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.now() });
      try {
        const { key } = await world().tenant({ limits: { perSecond: 1, burst: 3, perDay: 1_000 } });
        const policy = { burst: { q: 3, w: 3 }, day: { q: 1_000, w: 86_400 } };
        for (const left of [2, 1, 0]) {
          const answer = await say(key);
          assert.equal(answer.status, 200);
          assert.deepEqual(policyOf(answer), policy);
          const { burst, day } = standingOf(answer);
          assert.equal(burst!.r, left);
          assert.ok(burst!.t! >= 1 && burst!.t! <= 3);
          // The world's clock stands at noon. The day's remainder falls along with the burst's.
          assert.deepEqual(day, { r: 997 + left, t: 43_200 });
        }
        const refused = await say(key);
        const retryAfter = limited(refused, tooFast);
        assert.ok(retryAfter <= 3);
        assert.deepEqual(policyOf(refused), policy);
        const day = { r: 997, t: 43_200 };
        assert.deepEqual(standingOf(refused), { burst: { r: 0, t: retryAfter }, day });
        const unrouted = await world().ask(key, 'GET', '/nowhere');
        assert.deepEqual([limited(unrouted, tooFast), standingOf(unrouted).day], [retryAfter, day]);
        mock.timers.tick(retryAfter * 1000);
        const later = await say(key);
        assert.equal(later.status, 200);
        // A request refused by the burst limit consumes nothing of the day.
        assert.equal(standingOf(later).day!.r, 996);
      } finally {
        mock.timers.reset();
      }
    });

    test('every answer to a valid key states its remaining budget, and nothing else is counted', async () => {
      const organisation = { plan: 'standard' };
      const limits = { perSecond: 1, burst: 3_000, perDay: 1_000 };
      const { organisationId, userId, key } = await world().tenant({ organisation, limits });
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
        const sent = status === 415 ? 'text' : body;
        const answer = await world().ask(key, method, path, sent, headers);
        assert.equal(answer.status, status);
        left -= 1;
        assert.deepEqual(Object.keys(policyOf(answer)), ['burst', 'day']);
        const { burst, day } = standingOf(answer);
        assert.deepEqual([burst!.r, day!.r], [2_000 + left, left]);
      }

      const revoked = await world().operate('POST', '/operator/keys', { userId });
      await world().operate('DELETE', `/operator/keys/${revoked.keyId}`);
      const others: [number, Answer][] = [];
      for (const wrong of [undefined, 'wrong', `${key}x`, revoked.key])
        others.push([403, await world().ask(wrong, 'POST', '/say', {})]);
      for (const path of ['/healthz', '/readyz', '/openapi.json'])
        others.push([200, await world().ask(key, 'GET', path)]);
      others.push([404, await world().ask('wrong', 'GET', '/nowhere')]);
      others.push([405, await world().ask(undefined, 'GET', '/say')]);
      const headers = { 'x-api-key': key, origin: 'https://a.example' };
      const preflight = await world().server.inject({ method: 'OPTIONS', url: '/say', headers });
      others.push([204, { status: preflight.statusCode, body: '', headers: preflight.headers }]);
      for (const [status, { status: found, headers }] of others) {
        const said = [found, headers.ratelimit, headers['ratelimit-policy']];
        assert.deepEqual(said, [status, undefined, undefined]);
      }
      assert.equal(standingOf(await say(key)).day!.r, left - 1);

      // Requests without API access are refused as such, until there are too many of them.
      const path = `/operator/organisations/${organisationId}`;
      await world().operate('PATCH', path, { apiAccess: false });
      const refused = await say(key);
      assert.deepEqual([refused.status, standingOf(refused).day!.r], [401, left - 2]);
    });

    test('429: too many requests for an operation without its grant meet the rate limit', async () => {
      const organisation = { plan: 'standard' };
      const { key } = await world().tenant({ organisation, limits: { perDay: 2 } });
      for (const status of [401, 401, 429])
        assert.equal((await world().ask(key, 'POST', '/orders', {})).status, status);
    });

    test('changed limits apply at once and count the requests made before', async () => {
      const { keyId, key } = await world().tenant({ limits: { perDay: 2 } });
      for (const status of [200, 200, 429]) assert.equal((await say(key)).status, status);
      const change = (limits: object) =>
        world().operate('PATCH', `/operator/keys/${keyId}`, { limits });
      await change({ perDay: 5 });
      // Three were requested, including the refused one.
      const next = await say(key);
      assert.deepEqual([next.status, policyOf(next).day!.q, standingOf(next).day!.r], [200, 5, 1]);
      await change({ perSecond: 1, burst: 1 });
      assert.deepEqual(policyOf(await say(key)).burst, { q: 1, w: 1 });
    });

    test('earlier requests count once in a window that is new to the store, also for concurrent requests', async () => {
      const { budgets } = world();
      let calls = 0;
      const { promise: before, resolve } = Promise.withResolvers<number>();
      const spend = () =>
        budgets.consume('known', 60, () => {
          calls += 1;
          return before;
        });
      const first = Array.from({ length: 4 }, spend);
      resolve(10);
      const spent = (await Promise.all(first)).map((one) => one.spent).sort((a, b) => a - b);
      assert.equal(calls, 1);
      assert.ok(spent[0]! >= 1 && spent.at(-1)! <= 14);
      assert.equal((await spend()).spent, 15);
      assert.equal(calls, 1);
      const failing = () => Promise.reject(new Error('no registry'));
      assert.equal((await budgets.consume('unknown', 60, failing)).spent, 1);
    });

    // The last, because it moves the clock.
    test('429: the daily limit of a key starts anew at midnight UTC', async () => {
      const { key } = await world().tenant({ limits: { perDay: 3 } });
      for (const left of [2, 1, 0]) assert.equal(standingOf(await say(key)).day!.r, left);
      const refused = await say(key);
      assert.equal(limited(refused, usedUp), 43_200);
      assert.deepEqual(standingOf(refused).day, { r: 0, t: 43_200 });
      world().clock.now = Date.UTC(2026, 0, 16) - 1;
      assert.equal(limited(await say(key), usedUp), 1);
      world().clock.now = Date.UTC(2026, 0, 16);
      const next = await say(key);
      assert.equal(next.status, 200);
      assert.deepEqual(standingOf(next).day, { r: 2, t: 86_400 });
    });
  },
  { endpoints: examples },
);

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
    const urls = { DATABASE_URL: stores.postgresUrl, CLICKHOUSE_URL: stores.clickhouseUrl };
    const environment = { ...urls, ...(redis && { REDIS_URL: redis.url }) };
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
  const headers = Object.fromEntries(response.headers.entries());
  return { status: response.status, body: await response.json(), headers };
}

/** The window of a day ends in no test, except at midnight. */
const thirtyADay = { perSecond: 1_000, burst: 1_000, perDay: 30 };

async function shareOneBudget([here, there]: readonly [Service, Service], userId: string) {
  const { key } = await here.operate('POST', '/operator/keys', { userId, limits: thirtyADay });
  const began = new Date().getUTCDate();
  const answers: Answer[] = [];
  const four = [here, there, here, there];
  for (let round = 0; round < 11; round += 1)
    answers.push(...(await Promise.all(four.map((node) => askChannels(node, key)))));
  if (new Date().getUTCDate() !== began) return; // Midnight has passed meanwhile.
  const [passed = [], refused = []] = [200, 429].map((one) =>
    answers.filter(({ status }) => status === one),
  );
  assert.deepEqual([passed.length, refused.length], [30, 14]);
  const left = passed.map((answer) => standingOf(answer).day!.r!).sort((a, b) => a - b);
  assert.deepEqual(left, [...Array(30).keys()]);
}

deepTest('two nodes on one PostgreSQL share budgets and revocations', () =>
  twoNodes(undefined, async (nodes) => {
    const [here, there] = nodes;
    const userId = await makeOwner(here);
    await shareOneBudget(nodes, userId);

    const { keyId, key } = await here.operate('POST', '/operator/keys', { userId });
    for (const node of nodes) assert.equal((await askChannels(node, key)).status, 200);
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
        const userId = await makeOwner(here);
        await shareOneBudget(nodes, userId);
        assert.deepEqual(await queryPostgres(postgresUrl, 'SELECT key FROM key_budget'), []);

        const limits = { perSecond: 1, burst: 3_000 };
        const { key } = await here.operate('POST', '/operator/keys', { userId, limits });
        const left = async (node: Service) => {
          const answer = await askChannels(node, key);
          assert.equal(answer.status, 200);
          return standingOf(answer).burst!.r!;
        };
        const inTurn = [await left(here), await left(there), await left(here)];
        assert.deepEqual(inTurn, [2_999, 2_998, 2_997]);
        const asking = Array.from({ length: 40 }, (_, time) => left(nodes[time % 2]!));
        await redis.kill();
        await Promise.all(asking);
        for (const node of nodes) {
          const before = await left(node);
          assert.deepEqual([await left(node), await left(node)], [before - 1, before - 2]);
          const lines = node.log().split('\n');
          const warnings = lines.filter((line) => line.includes('this node counts alone'));
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
