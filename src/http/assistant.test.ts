/**
 * The address of assistants: who may use it, what messages it takes, and what it never gives away.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assistantAddress, connect, refusedCall } from '../../test/assistants.ts';
import { onOnePair, type Tenant, type World } from '../../test/harness.ts';
import { assertRefused } from '../../test/visitors.ts';

const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const params = { name: 'listChannels', arguments: {} };
const listChannels = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
const accept = 'application/json, text/event-stream';

/** Sends a message as a client of 2025 does. */
function send(world: World, key: string | undefined, message: unknown, headers = {}) {
  return world.ask(key, 'POST', '/mcp', message, { accept, ...headers });
}

/** The result in an answer that is a stream of one event. */
function resultIn(body: string) {
  return JSON.parse(/^data: (.*)$/m.exec(body)![1]!).result;
}

onOnePair('the access of assistants', (world) => {
  let tenant: Tenant;

  before(async () => {
    tenant = await world().tenant();
  });

  test('403 without a key, with an unknown one and with a revoked one', async () => {
    const { userId } = tenant;
    const { key, keyId } = await world().operate('POST', '/operator/keys', { userId });
    assert.equal((await send(world(), key, listing)).status, 200);
    await world().operate('DELETE', `/operator/keys/${keyId}`);
    const invalid = 'the x-api-key header must hold a valid key';
    for (const refused of [undefined, `${tenant.key}x`, key])
      await assertRefused(send(world(), refused, listChannels), 403, invalid);
  });

  test('a key may be a bearer token', async () => {
    const headers = { authorization: `Bearer ${tenant.key}` };
    assert.equal((await send(world(), undefined, listing, headers)).status, 200);
    const wrong = { authorization: `Bearer ${tenant.key}x` };
    assert.equal((await send(world(), undefined, listing, wrong)).status, 403);
  });

  test('401 without API access, and for what the plan does not hold', async () => {
    const plain = { name: 'Plain', plan: 'standard', searchQueryPerformance: false };
    const other = await world().tenant({ organisation: plain });
    const client = await connect(await assistantAddress(world()), other.key);
    const { channelId, merchantId } = other;
    const names = { channelId, merchantId };
    const orders = await refusedCall(client, 'call_operation', {
      operation: 'listOrders',
      input: names,
    });
    assert.equal(orders, '401: this endpoint needs the enterprise plan');
    const queries = await refusedCall(client, 'call_operation', {
      operation: 'listSearchQueryPerformance',
      input: names,
    });
    assert.match(queries, /^403: your organisation has no access to Search Query Performance/);
    const organisation = `/operator/organisations/${other.organisationId}`;
    await world().operate('PATCH', organisation, { apiAccess: false });
    const disabled = 'API access is not enabled for your organisation';
    await assertRefused(send(world(), other.key, listing), 401, disabled);
  });

  test("another organisation's store is refused, with every other rule that fails", async () => {
    const other = await world().tenant();
    const { channelId, merchantId } = other;
    const reportOptions = { fromDate: 2, toDate: 1, timezone: 'Mars' };
    const input = { channelId, merchantId, includTax: true, reportOptions };
    const params = { name: 'viewSalesByPeriod', arguments: input };
    const answer = await send(world(), tenant.key, { ...listChannels, params });
    const { isError, content } = resultIn(answer.body);
    assert.equal(isError, true);
    const strict = { prefer: 'handling=strict' };
    const path = '/reports/view/salesByPeriod';
    const plain = await world().ask(tenant.key, 'POST', path, input, strict);
    assert.ok(content[0].text.startsWith(`400: ${plain.body.error}; the fields are channelId, `));
    assert.match(content[0].text, /do not match a connected store/);
    assert.match(content[0].text, /timezone must be an IANA time zone/);
  });

  test('each call of a tool counts as its operation, and the message only for the short limit', async () => {
    const { key, keyId } = await world().tenant({ limits: { perSecond: 1, burst: 5, perDay: 3 } });
    const limits = (headers: Readonly<Record<string, unknown>>) =>
      [...String(headers.ratelimit).matchAll(/r=(\d+)/g)].map(([, left]) => Number(left));
    assert.deepEqual(limits((await send(world(), key, listing)).headers), [4, 3]);
    const first = await send(world(), key, listChannels);
    assert.equal(resultIn(first.body).isError, undefined);
    // The message and its call. The first message of a day opens its window, and is not given back.
    assert.deepEqual(limits((await send(world(), key, listing)).headers), [1, 1]);
    const limited = await send(world(), key, listChannels);
    assert.equal(limited.status, 200);
    const pattern = /^429: the key sends requests faster than it may: .*\(Retry-After: \d+ s\)$/;
    assert.match(resultIn(limited.body).content[0].text, pattern);
    assert.equal((await send(world(), key, listing)).status, 429);
    const { usage } = await world().operate('GET', `/operator/usage?keyId=${keyId}`);
    const [{ operation, requests, limited: count }, ...others] = usage;
    assert.deepEqual([operation, requests, count], ['listChannels', 2, 1]);
    assert.deepEqual(others, []);
  });
});

onOnePair('messages of assistants', (world) => {
  let key: string;

  before(async () => {
    ({ key } = await world().tenant());
  });

  test('403 for a page of another site, whatever host it names', async () => {
    const own = { origin: 'http://vitrine.test' };
    assert.equal((await send(world(), key, listing, own)).status, 200);
    const error = 'pages of other sites may not use this address';
    for (const origin of ['http://evil.test', 'null', 'https://vitrine.test', 'http://localhost']) {
      const headers = { origin, host: 'evil.test' };
      await assertRefused(send(world(), key, listing, headers), 403, error);
    }
  });

  test('413 for a message that is too large, 400 for several in one', async () => {
    const large = { ...listing, params: { text: 'x'.repeat(131_072) } };
    const tooLarge = 'the body must not be larger than 128 KiB';
    await assertRefused(send(world(), key, large), 413, tooLarge);
    const several = send(world(), key, [listing, listing]);
    await assertRefused(several, 400, 'send one message at a time');
  });

  test('405 for GET and DELETE: there are no sessions', async () => {
    for (const method of ['GET', 'DELETE'] as const)
      assert.equal((await world().ask(key, method, '/mcp', undefined, { accept })).status, 405);
    const { headers } = await send(world(), key, listing);
    assert.equal(headers['mcp-session-id'], undefined);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['access-control-allow-origin'], undefined);
  });

  test('an unknown tool or resource, and a message of nonsense, are refused without internals', async () => {
    const address = await assistantAddress(world());
    const client = await connect(address, key);
    await assert.rejects(client.callTool({ name: 'dropTables' }), /there is no tool of this name/);
    const reading = client.readResource({ uri: 'file:///etc/passwd' });
    await assert.rejects(reading, /there is no resource at this URI/);
    await assert.rejects(client.listen({ toolsListChanged: true }));
    for (const message of [1, 'x', {}, null, { jsonrpc: '2.0' }]) {
      const { status, body } = await send(world(), key, JSON.stringify(message));
      assert.equal(status, 400);
      assert.doesNotMatch(JSON.stringify(body), /node_modules|\.ts|at \w+ \(/);
    }
  });
});

onOnePair(
  'failures of tools',
  (world) => {
    test('a failure of the service is hidden, and in the log', async () => {
      const { key } = await world().tenant();
      const params = { name: 'how_are_my_stores', arguments: {} };
      const { body } = await send(world(), key, { ...listChannels, params });
      const { isError, content } = resultIn(body);
      assert.equal(isError, true);
      assert.match(content[0].text, /^500: something went wrong on our side/);
      assert.ok(world().logLines.some((line) => line.includes('a disk is on fire')));
    });
  },
  {
    between: (warehouse) =>
      new Proxy(warehouse, {
        get(target, name) {
          if (name === 'view') throw new Error('a disk is on fire');
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      }),
  },
);
