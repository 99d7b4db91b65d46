/**
 * Rights: every operation for every kind of key and user, compared with `cases/rights.csv`, which
 * is written by hand; and what small keys and users of few rights read, count and reach.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import type { Contract } from '../src/contract/endpoint.ts';
import { publicContracts } from '../src/endpoints/contracts.ts';
import { hardlyLimited, type Method, onEachPair, type Tenant, testOnOnePair } from './harness.ts';
import { importRows } from './imports.ts';
import { listsOf } from './table.ts';
import { grant, makePerson, ownerOf, signIn, type Visitor } from './visitors.ts';

const csv = readFileSync(new URL('cases/rights.csv', import.meta.url), 'utf8');
const [[, ...kinds] = [], ...rows] = listsOf(csv) as string[][];

test('every operation has its row in the table of rights', () => {
  assert.deepEqual(rows.map(([name]) => name).sort(), Object.keys(publicContracts).sort());
});

// biome-ignore lint/suspicious/noExplicitAny: a test says itself which shape it expects.
type Body = any;

/** The answer to a request, by a key or a session. */
type Ask = (method: Method, path: string, body?: object) => Promise<{ status: number; body: Body }>;

const order = {
  PlatformOrderId: '111-1',
  PurchaseDate: '2026-01-10T10:00:00Z',
  OrderStatus: 'Shipped',
  BuyerInfo: { BuyerEmail: 'ann@example.com' },
  ShippingAddress: { City: 'Reims' },
};

onEachPair('rights', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  let tenant: Tenant;
  let other: string;
  let owner: Visitor;

  const issue = async (bounds: object): Promise<{ keyId: string; key: string }> => {
    const { userId } = tenant;
    return world().operate('POST', '/operator/keys', { userId, limits: hardlyLimited, ...bounds });
  };
  const byKey =
    (key: string): Ask =>
    (...request) =>
      world().ask(key, ...request);
  const bySession =
    (visitor: Visitor): Ask =>
    (method, path, body) =>
      visitor.ask(method, `/account/data${path}`, body);
  const person = async (
    role: 'administrator' | 'member' | 'viewer',
    channelIds: 'all' | string[],
  ) => {
    const { userId, email } = await makePerson(world(), tenant.organisationId, { role });
    await grant(world(), userId, channelIds);
    return bySession(await signIn(world(), email));
  };
  const make = (bounds: object) =>
    owner.ask('POST', '/account/keys', { madeFrom: tenant.keyId, name: 'Small', ...bounds });
  const orders = async (ask: Ask) => {
    const { channelId, merchantId } = tenant;
    const requested = { channelId, merchantId, orderId: order.PlatformOrderId };
    const { status, body } = await ask('POST', '/orders/primarymkt', requested);
    assert.equal(status, 200, JSON.stringify(body));
    const [{ BuyerInfo, ShippingAddress }] = body.data;
    return [BuyerInfo.BuyerEmail, ShippingAddress.City];
  };
  const stores = async (ask: Ask) =>
    (await ask('POST', '/channels', {})).body.map((one: Tenant) => one.channelId).sort();

  before(async () => {
    const organisation = { plan: 'enterprise', searchQueryPerformance: true };
    tenant = await world().tenant({ organisation });
    other = await world().channel(tenant.organisationId, `${tenant.channelId}-2`);
    owner = await ownerOf(world(), tenant);
    await importRows(world(), 'orders', tenant.channelId, [order]);
  });

  const asOf: Record<string, () => Promise<Ask>> = {
    all: async () => byKey(tenant.key),
    figures: async () => byKey((await issue({ assistant: true })).key),
    read: async () => byKey((await issue({ grants: ['read'] })).key),
    write: async () => byKey((await issue({ grants: ['write', 'buyers'] })).key),
    tags: async () => byKey((await issue({ grants: ['tags:read'] })).key),
    call: async () =>
      byKey((await make({ grants: ['listChannels', 'viewSalesByPeriod'] })).body.key),
    administrator: () => person('administrator', 'all'),
    'administrator of one store': () => person('administrator', [tenant.channelId]),
    member: () => person('member', 'all'),
    'member of one store': () => person('member', [tenant.channelId]),
    viewer: () => person('viewer', [tenant.channelId]),
  };

  for (const [place, kind] of kinds.entries())
    testOnce(`every operation for: ${kind}`, async () => {
      const ask = await asOf[kind]!();
      const found: string[] = [];
      for (const [name = ''] of rows) {
        const { method, path } = (publicContracts as Record<string, Contract>)[name]!;
        // Rights are checked before the body, which is none of any operation.
        const { status } = await ask(method, path.replaceAll(/\{\w+\}/g, 'x'), []);
        found.push([401, 403].includes(status) ? `${name} ${status}` : `${name} +`);
      }
      assert.deepEqual(
        found,
        rows.map((row) => `${row[0]} ${row[place + 1]}`),
      );
    });

  test('shared tags are changed by who may share, and private ones by every member', async () => {
    const { channelId, merchantId } = tenant;
    const member = await person('member', [channelId]);
    const tag = (ask: Ask, change: object) =>
      ask('PATCH', '/tags/channel', { channelId, merchantId, ...change });
    assert.equal((await tag(byKey(tenant.key), { addTags: ['org://core'] })).status, 200);
    assert.equal((await tag(member, { addTags: ['mine'] })).status, 200);
    for (const change of [{ addTags: ['org://x'] }, { removeTags: ['org://core'] }])
      assert.equal((await tag(member, change)).status, 403);
  });

  test('addresses of buyers are answered to who may read them', async () => {
    const all = ['ann@example.com', 'Reims'];
    const cases: [Ask, string[]][] = [
      [byKey(tenant.key), all],
      [byKey((await issue({ grants: ['orders:read'] })).key), ['', '']],
      [byKey((await issue({ grants: ['read', 'buyers'] })).key), all],
      [byKey((await make({ grants: ['read'] })).body.key), ['', '']],
      [await person('administrator', [tenant.channelId]), all],
      [await person('member', 'all'), all],
      [await person('member', [tenant.channelId]), ['', '']],
      [await person('viewer', 'all'), ['', '']],
    ];
    for (const [place, [ask, expected]] of cases.entries())
      assert.deepEqual(await orders(ask), expected, `case ${place}`);
  });

  testOnce('assistants get addresses of buyers only by a key whose grants say so', async () => {
    const { channelId, merchantId } = tenant;
    const input = { channelId, merchantId, orderId: order.PlatformOrderId };
    const params = { name: 'call_operation', arguments: { operation: 'listOrders', input } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const headers = { accept: 'application/json, text/event-stream' };
    const heard = async (key: string) => {
      const { body } = await world().ask(key, 'POST', '/mcp', message, headers);
      return ['111-1', 'ann@example.com', 'Reims', 'are omitted', '401'].filter((text) =>
        String(body).includes(text),
      );
    };
    const [some, more] = [
      await issue({ grants: ['read'] }),
      await issue({ grants: ['read', 'buyers'] }),
    ];
    assert.deepEqual(await heard(tenant.key), ['111-1', 'are omitted']);
    assert.deepEqual(await heard(some.key), ['111-1', 'are omitted']);
    assert.deepEqual(await heard(more.key), ['111-1', 'ann@example.com', 'Reims']);
    assert.deepEqual(await heard((await issue({ assistant: true })).key), ['401']);
  });

  test('a key reaches its channels, and one that was made from it no other', async () => {
    const { keyId, key } = await issue({ channels: [tenant.channelId] });
    const path = `/operator/keys/${keyId}`;
    assert.deepEqual(await stores(byKey(key)), [tenant.channelId]);
    assert.deepEqual(await stores(byKey(tenant.key)), [tenant.channelId, other].sort());
    const made = await make({ madeFrom: keyId, channels: [other] });
    assert.deepEqual(await stores(byKey(made.body.key)), []);
    assert.equal((await make({ madeFrom: made.body.keyId })).status, 409);
    await world().operate('PATCH', path, { channels: 'all' });
    assert.deepEqual(await stores(byKey(made.body.key)), [other]);
    const successor = await world().operate('POST', `${path}/rotate`, {});
    assert.deepEqual(await stores(byKey(made.body.key)), [other]);
    await world().operate('DELETE', `/operator/keys/${successor.keyId}`);
    assert.equal((await byKey(made.body.key)('POST', '/channels')).status, 403);
    const foreign = await world().tenant();
    const refused = await world().operator('PATCH', `/operator/keys/${tenant.keyId}`, {
      channels: [foreign.channelId],
      grants: ['figure'],
      addresses: ['10.0.0.0/33', '::1%1'],
    });
    const { error } = refused.body;
    for (const field of ['channels[0]', 'grants[0]', 'addresses[0]', 'addresses[1]'])
      assert.ok(error.includes(`${field} must be`), error);
  });

  test('a key is good from its addresses, until it ends', async () => {
    const seconds = Math.floor(world().clock.now / 1000);
    const addresses = ['192.0.2.0/24', '2001:db8::1'];
    const { key } = await issue({ addresses, expiresAt: seconds + 60 });
    const from = async (remoteAddress: string) => {
      const headers = { 'x-api-key': key };
      const request = { method: 'POST', url: '/channels', headers, remoteAddress } as const;
      return (await world().server.inject(request)).statusCode;
    };
    const statuses = { '192.0.2.9': 200, '::ffff:192.0.2.9': 200, '2001:db8::1': 200 };
    const others = { '192.0.3.1': 403, '2001:db8::2': 403, '::c000:0209': 403 };
    for (const [address, status] of Object.entries({ ...statuses, ...others }))
      assert.equal(await from(address), status, address);
    world().clock.now += 60_000;
    assert.equal(await from('192.0.2.9'), 403);
  });

  test('keys that were made from one count with it, and sessions of a user together', async () => {
    const { keyId, key } = await issue({ limits: { ...hardlyLimited, perDay: 4 } });
    const made = await make({ madeFrom: keyId });
    const keys = [key, made.body.key, made.body.key, key, key, made.body.key];
    const statuses: number[] = [];
    for (const one of keys) statuses.push((await byKey(one)('POST', '/channels')).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429]);
    const { email } = await makePerson(world(), tenant.organisationId);
    const left = async () => {
      const answer = await (await signIn(world(), email)).ask('POST', '/account/data/channels', {});
      return Number(/"day";r=(\d+)/.exec(String(answer.headers.ratelimit))![1]);
    };
    assert.equal((await left()) - (await left()), 1);
  });

  test('a small key manages its own webhooks and schedules alone', async () => {
    const { key } = await issue({ grants: ['read', 'write'], channels: [other] });
    const hook = { url: 'https://example.com/hook', events: ['report.finished'] };
    const { webhookId } = (await byKey(tenant.key)('POST', '/webhooks', hook)).body;
    assert.deepEqual((await byKey(key)('GET', '/webhooks')).body.webhooks, []);
    assert.equal((await byKey(key)('DELETE', `/webhooks/${webhookId}`)).status, 404);
    const own = await byKey(key)('POST', '/webhooks', hook);
    assert.equal((await byKey(key)('DELETE', `/webhooks/${own.body.webhookId}`)).status, 200);
  });

  test('a user makes, changes and revokes small keys, and no other', async () => {
    const { keyId, key } = (await make({ grants: ['targets:read'], addresses: ['10.0.0.1'] })).body;
    assert.equal((await byKey(key)('POST', '/channels')).status, 403);
    const path = `/account/keys/${keyId}`;
    const change = { grants: ['figures'], addresses: 'all', channels: [other], expiresAt: null };
    assert.equal((await owner.ask('PATCH', path, change)).status, 200);
    assert.deepEqual(await stores(byKey(key)), [other]);
    const { keys } = await owner.get('/account/access');
    const { grants, channels, addresses, madeFrom } = keys.find((one: Body) => one.keyId === keyId);
    assert.deepEqual([grants, channels, addresses], [['figures'], [other], 'all']);
    assert.equal(madeFrom, tenant.keyId);
    const stranger = await ownerOf(world(), await world().tenant());
    assert.equal((await stranger.ask('DELETE', path)).status, 404);
    assert.equal((await owner.ask('DELETE', `/account/keys/${tenant.keyId}`)).status, 403);
    assert.equal((await owner.ask('DELETE', path)).status, 200);
    assert.equal((await byKey(key)('POST', '/channels')).status, 403);
  });
});
