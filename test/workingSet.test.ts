/**
 * Cached answers never differ from fresh ones: imports and questions in random turns, on two nodes
 * that cache answers and one that does not. Entity tags and their 304 are tested with them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastCheck from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { dayNumber, isoDate } from '../src/calendar/period.ts';
import { onOnePair, type Tenant, type World } from './harness.ts';
import { importRows } from './imports.ts';
import { level } from './level.ts';

const secondsPerDay = 86_400;
const firstDay = dayNumber('2025-03-20');
const days = 60;
const at = (day: number, hour = 12) => (firstDay + day) * secondsPerDay + hour * 3600;

type SentRequest = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
};

/** A request about some days, of each kind whose answers are cached. */
function requestOf(
  { channelId, merchantId }: Tenant,
  kind: number,
  from: number,
  length: number,
  zone: string,
): SentRequest {
  const range = { fromDate: at(from, 0), toDate: at(from + length, 0) - 1, timezone: zone };
  const prior = { priorFromDate: at(from - length, 0), priorToDate: at(from, 0) - 1 };
  const named = { channelId, merchantId };
  const get = (path: string, query: object): SentRequest => ({
    method: 'GET',
    path: `${path}?${Object.entries(query)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&')}`,
  });
  const post = (path: string, body: object): SentRequest => ({ method: 'POST', path, body });
  const kinds: readonly (() => SentRequest)[] = [
    () => post('/reports/view/salesByPeriod', { ...named, reportOptions: { ...range, ...prior } }),
    () =>
      post('/reports/view/advertisingByChannels', {
        currentCurrency: 'EUR',
        reportOptions: { ...range, ...prior },
      }),
    () => post('/profitability/storeProfitAndLoss', { ...named, reportOptions: range }),
    () => get('/targets', { ...named, ...range, interval: 'day' }),
    () => {
      const { fromDate, toDate } = range;
      return get('/advertising/campaigns', { channelId, currency: 'EUR', fromDate, toDate });
    },
    () => post('/reports/view/salesByChannel', { currentCurrency: 'EUR', ...range, ...prior }),
    // Ends within days as often as not.
    () => {
      const { toDate } = range;
      const reportOptions = { fromDate: at(from, 7 * (length % 2)), toDate };
      return post('/profitability/productProfitAndLoss', { ...named, reportOptions });
    },
  ];
  return kinds[kind % kinds.length]!();
}

/** Changes facts of a channel in one of several ways. */
async function change(world: World, { channelId }: Tenant, { kind, day, amount }: Step) {
  const date = isoDate(firstDay + day);
  const put = (dataset: string, row: object) => importRows(world, dataset, channelId, [row]);
  const rate = { date, currency: 'USD', perEuro: 1 + amount / 1000 };
  const order = { orderId: `O-${day}`, lineId: '1', sku: 'A', quantity: 1 + (amount % 4) };
  const currency = amount % 5 === 0 ? 'PLN' : 'USD';
  const status = amount % 7 === 0 ? 'Canceled' : 'Shipped';
  const event = { eventId: `E-${day}`, line: 'sales', quantity: 1, sku: 'A' };
  const removal = `channelId=${channelId}&dataset=traffic&from=${date}&to=${date}`;
  const changes: readonly (() => Promise<unknown>)[] = [
    () =>
      put('orderLines', { ...order, purchasedAt: at(day), itemPrice: amount, currency, status }),
    () => put('traffic', { date, sku: 'A', pageViews: amount, orderedRevenue: amount }),
    () => put('campaignDays', { date, campaignId: '7', cost: amount, sales: 2 * amount }),
    () => put('targets', { date, salesBudget: amount }),
    () => put('financeEvents', { ...event, postedAt: at(day), amount, currency }),
    () => put('unitCosts', { sku: 'A', effectiveFrom: date, cogs: amount / 10 }),
    () =>
      put('adProductDays', { date, productId: 'P', sku: `S${amount % 3}`, adType: 'SP', cost: 1 }),
    () =>
      put('products', { sku: 'A', title: `T${amount}`, fulfilledByMarketplace: amount % 2 === 0 }),
    () => importRows(world, 'exchangeRates', undefined, [rate]),
    () => world.operate('DELETE', `/operator/facts?${removal}`),
  ];
  await changes[kind % changes.length]!();
}

type Step = {
  readonly kind: number;
  readonly day: number;
  readonly amount: number;
  readonly questions: readonly (readonly [kind: number, from: number, length: number])[];
  readonly zone: string;
};

const steps = (count: number) =>
  fastCheck.array(
    fastCheck.record<Step>({
      kind: fastCheck.nat(100),
      day: fastCheck.nat(days - 1),
      amount: fastCheck.integer({ min: 1, max: 500 }),
      questions: fastCheck.array(
        fastCheck.tuple(
          fastCheck.nat(100),
          fastCheck.nat(days - 1),
          fastCheck.integer({ min: 1, max: days }),
        ),
        { minLength: 2, maxLength: 2 },
      ),
      zone: fastCheck.constantFrom('America/Los_Angeles', 'Europe/Berlin', 'UTC', 'Asia/Kolkata'),
    }),
    { minLength: count, maxLength: count },
  );

onOnePair('Cached answers', (world, pair) => {
  const [ofDeep, usual] = pair === 'embedded' ? [80, 5] : [30, 2];
  const count = level === 'deep' ? ofDeep : usual;

  test('equal fresh ones on every node, before, while and after facts change', async () => {
    await importRows(world(), 'exchangeRates', undefined, [
      { date: '2025-03-01', currency: 'USD', perEuro: 1.1 },
      { date: '2025-03-01', currency: 'PLN', perEuro: 4.2 },
    ]);
    const nodes = [world().server, await world().node()];
    const fresh = await world().node({ workingSetMegabytes: 0, segmentsMegabytes: 0 });
    const run = async (all: readonly Step[]) => {
      const tenant = await world().tenant({
        channel: { timezone: 'Europe/Berlin', currency: 'EUR' },
      });
      for (const step of all) {
        const questions = step.questions.map(([kind, from, length]) =>
          requestOf(tenant, kind, from, length, step.zone),
        );
        const ofAll = (node: FastifyInstance) =>
          Promise.all(questions.map((one) => textOf(node, tenant, one)));
        const before = await ofAll(fresh);
        const changing = change(world(), tenant, step);
        const meanwhile = await Promise.all(nodes.map(ofAll));
        await changing;
        const after = await ofAll(fresh);
        for (const texts of meanwhile)
          for (const [index, text] of texts.entries())
            assert.ok([before[index], after[index]].includes(text), JSON.stringify(step));
        // The first time some are computed, the second time all may be cached.
        for (const node of [...nodes, ...nodes])
          assert.deepEqual(await ofAll(node), after, JSON.stringify(step));
      }
    };
    await fastCheck.assert(fastCheck.asyncProperty(steps(count), run), {
      numRuns: 1,
      endOnFailure: true,
    });
  });

  test('equal fresh ones after records change, and come with their warnings', async () => {
    const tenant = await world().tenant({ channel: { displayName: 'Old', currency: 'USD' } });
    const { organisationId, channelId } = tenant;
    await importRows(world(), 'campaignDays', channelId, [
      { date: isoDate(firstDay), campaignId: '7', cost: 5, currency: 'USD' },
    ]);
    const { server } = world();
    const overview: SentRequest = {
      method: 'POST',
      path: '/reports/view/advertisingByChannels',
      body: {
        currentCurrency: 'USD',
        reportOptions: { fromDate: at(0, 0), toDate: at(1, 0) - 1, timezone: 'UTC' },
      },
    };
    const campaigns = requestOf(tenant, 4, 0, 1, 'UTC');
    const list = { ...campaigns, path: campaigns.path.replace('currency=EUR', 'currency=USD') };
    for (let time = 0; time < 3; time++) {
      assert.match(await textOf(server, tenant, overview), /"store":"Old".*"spend":"5.00"/);
      assert.match(await textOf(server, tenant, list), /"campaign_id":"7"/);
    }
    await world().channel(organisationId, channelId, { displayName: 'New', currency: 'USD' });
    assert.match(await textOf(server, tenant, overview), /"store":"New"/);

    // No rate of this currency exists.
    await importRows(world(), 'campaignDays', channelId, [
      { date: isoDate(firstDay), campaignId: '8', cost: 5, currency: 'XAU' },
    ]);
    for (let time = 0; time < 3; time++) {
      const { headers } = await send(server, tenant, overview);
      assert.equal(headers['vitrine-warning'], 'no-exchange-rate;store="New";currency="XAU"');
    }
    await world().channel(organisationId, channelId, { hasAdvertisingConnected: false });
    assert.match(await textOf(server, tenant, overview), /"items":\[\]/);
    assert.equal((await send(server, tenant, list)).statusCode, 400);
  });

  test('304: a client that has the answer gets none, and spends no request of its day', async () => {
    const tenant = await world().tenant({ limits: { perDay: 50 } });
    await importRows(world(), 'traffic', tenant.channelId, [
      { date: isoDate(firstDay), pageViews: 7 },
    ]);
    const view = requestOf(tenant, 0, 0, 20, 'UTC');
    const targets = requestOf(tenant, 3, 0, 20, 'UTC');
    const groups: SentRequest = {
      method: 'GET',
      path: `/customGroups?channelId=${tenant.channelId}&merchantId=${encodeURIComponent(tenant.merchantId)}`,
    };
    for (const one of [view, targets, groups]) {
      const first = await send(world().server, tenant, one);
      assert.equal(first.statusCode, 200, first.body);
      const tag = first.headers.etag as string;
      assert.match(tag, /^W\/"[\w-]{22}"$/);
      assert.equal(first.headers['cache-control'], 'private, no-cache');
      const left = leftOfDay(first);
      const again = await send(world().server, tenant, one, { 'if-none-match': `"x", ${tag}` });
      assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', tag]);
      assert.equal(leftOfDay(again), left);
      const other = await send(world().server, tenant, one, { 'if-none-match': 'W/"other"' });
      assert.deepEqual(
        [other.statusCode, other.body, leftOfDay(other)],
        [200, first.body, left - 1],
      );
      const any = await send(world().server, tenant, one, { 'if-none-match': '*' });
      assert.deepEqual([any.statusCode, any.body, leftOfDay(any)], [304, '', left - 2]);
    }
    const had = (await send(world().server, tenant, view)).headers.etag as string;
    await importRows(world(), 'traffic', tenant.channelId, [
      { date: isoDate(firstDay), pageViews: 8 },
    ]);
    const changed = await send(world().server, tenant, view, { 'if-none-match': had });
    assert.equal(changed.statusCode, 200);
    assert.notEqual(changed.headers.etag, had);
    assert.match(changed.body, /"pageViews":8/);
  });
});

function leftOfDay({ headers }: { headers: Record<string, unknown> }): number {
  return Number(/"day";r=(\d+)/.exec(String(headers.ratelimit))![1]);
}

function send(
  node: FastifyInstance,
  { key }: Tenant,
  { method, path, body }: SentRequest,
  headers: Record<string, string> = {},
) {
  return node.inject({
    method,
    url: path,
    headers: { 'x-api-key': key, ...headers },
    ...(body !== undefined && { payload: body }),
  });
}

async function textOf(node: FastifyInstance, tenant: Tenant, one: SentRequest): Promise<string> {
  const { statusCode, body } = await send(node, tenant, one);
  assert.equal(statusCode, 200, `${one.path}: ${body}`);
  return body;
}
