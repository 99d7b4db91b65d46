/**
 * Webhooks: who may have them, what arrives and how it is signed, and the lives of secrets,
 * deliveries and tests.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, beforeEach, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  type ChannelSettings,
  onEachPair,
  type Tenant,
  testOnOnePair,
  until,
} from '../../../test/harness.ts';
import { importDocument, importRows, postImport, refused } from '../../../test/imports.ts';
import { type Arrived, type Receiver, startReceiver } from '../../../test/receiver.ts';
import { makePerson, refusal, signIn } from '../../../test/visitors.ts';
import { administratorOf, assertShown, fieldsOf } from '../../../test/world.ts';
import { subscribedEvents } from '../../contract/webhooks.ts';

const line = fieldsOf(`
  orderId, lineId, purchasedAt,          sku, quantity, itemPrice, currency
  "1",     "1",    2026-01-10T12:00:00Z, A,   1,        10,        USD`);

onEachPair('webhooks', (world, pair) => {
  const testOnce = testOnOnePair(pair);

  let receiver: Receiver;
  let tenant: Tenant;

  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.close());
  beforeEach(async () => {
    receiver.arrived.length = 0;
    receiver.answer = (response) => void response.writeHead(204).end();
    // Deliveries go by the clock of the system.
    world().clock.now = Date.now();
    tenant = await world().tenant();
  });

  type Created = { readonly webhookId: string; readonly secret: string };
  const create = async (key: string, fields: object = {}): Promise<Created> => {
    const input = { url: receiver.url, events: subscribedEvents, ...fields };
    const { status, body } = await world().ask(key, 'POST', '/webhooks', input);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const listed = async (key: string) => {
    const { status, body } = await world().ask(key, 'GET', '/webhooks');
    assert.equal(status, 200, JSON.stringify(body));
    return body.webhooks;
  };
  const deliveries = async (key: string, webhookId: string, query = '') => {
    const { body } = await world().ask(key, 'GET', `/webhooks/${webhookId}/deliveries${query}`);
    return body.deliveries;
  };
  const arrive = async (count: number): Promise<Arrived[]> => {
    await until(() => receiver.arrived.length >= count);
    return receiver.arrived;
  };
  const act = (key: string, webhookId: string, action: string, body?: object) =>
    world().ask(key, 'POST', `/webhooks/${webhookId}/${action}`, body);
  const report = async ({ key, channelId, merchantId }: Tenant): Promise<string> => {
    const reportOptions = { fromDate: 1_767_225_600, toDate: 1_767_312_000 };
    const input = { channelId, merchantId, reportOptions };
    const path = '/reports/create/salesByProduct';
    const { status, body } = await world().ask(key, 'POST', path, input);
    assert.equal(status, 200, JSON.stringify(body));
    return body.reportId;
  };
  const restricted = async ({ organisationId }: Tenant, channelIds: readonly string[]) => {
    const administrator = await administratorOf(world(), organisationId);
    await administrator.grant(channelIds);
    return administrator;
  };
  const delivered = (webhookId: string) =>
    until(async () => (await deliveries(tenant.key, webhookId, '?state=delivered')).length > 0);

  test('a finished report arrives, signed as Standard Webhooks are', async () => {
    const { webhookId, secret } = await create(tenant.key);
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const reportId = await report(tenant);
    const [{ headers, body }] = (await arrive(1)) as [Arrived];
    const { type, timestamp, data } = JSON.parse(body);
    assert.equal(type, 'report.finished');
    assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 600_000);
    const { channelId, merchantId } = tenant;
    assert.deepEqual(data, { channelId, merchantId, reportId, reportType: 'salesByProduct' });
    const id = headers['webhook-id']!;
    const signed = `${id}.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    assert.equal(headers['webhook-signature'], expected);
    assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body));
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    await delivered(webhookId);
    const [delivery] = await deliveries(tenant.key, webhookId);
    assert.deepEqual(
      [delivery.messageId, delivery.event, delivery.channelId, delivery.body, delivery.attempts],
      [id, 'report.finished', channelId, body, 1],
    );
    assert.deepEqual([delivery.status, delivery.error, delivery.nextAt], [204, null, null]);
    assert.equal((await listed(tenant.key))[0].failingSince, null);
  });

  testOnce('imports arrive as finished or refused, and only to who wants the event', async () => {
    await create(tenant.key, { events: ['report.finished'], url: `${receiver.url}/none` });
    await create(tenant.key, { events: ['import.finished', 'import.refused'] });
    await importRows(world(), 'orderLines', tenant.channelId, [line]);
    const path = `/operator/imports/orderLines?channelId=${tenant.channelId}`;
    assert.equal((await world().operator('POST', path)).status, 415);
    const text = JSON.stringify({ ...line, quantity: 'many' });
    const answer = await postImport(world(), path, text, 'application/x-ndjson');
    assert.equal(answer.status, 422);
    const bodies = (await arrive(2)).map(({ body }) => JSON.parse(body));
    bodies.sort((one, other) => one.data.importId - other.data.importId);
    const [finished, refused] = bodies;
    const { channelId, merchantId } = tenant;
    const { importId, ...data } = finished.data;
    assert.equal(finished.type, 'import.finished');
    const counted = fieldsOf(`
      dataset,    rowsRead, rowsAccepted, rowsRejected, from,       to
      orderLines, 1,        1,            0,            2026-01-10, 2026-01-10`);
    assert.deepEqual(data, { channelId, merchantId, ...counted });
    assert.equal(refused.type, 'import.refused');
    assert.equal(refused.data.importId, importId + 1);
    assert.deepEqual([refused.data.rowsAccepted, refused.data.rowsRejected], [0, 1]);
    assert.match(refused.data.error, /^nothing was imported, because 1 row was rejected: line 1/);
    assert.deepEqual(new Set(receiver.arrived.map(({ path }) => path)), new Set(['/hooks']));
  });

  testOnce(
    'of a document of another store, only operators learn the channels of that store',
    async () => {
      const { organisationId, channelId } = tenant;
      const inPounds = { currency: 'GBP', merchantId: 'A2OTHER' };
      const connect = (of: string, id: string, settings: Partial<ChannelSettings> = inPounds) =>
        world().channel(of, `${channelId}-${id}`, { displayName: id, ...settings });
      await connect((await world().tenant()).organisationId, 'f');
      await connect(organisationId, 'e', { currency: 'GBP', marketplace: 'shopify' });
      await create(tenant.key, { events: ['import.refused'] });
      const importThem = () =>
        importDocument(world(), channelId, 'Month,Sales budget (GBP)\n2026-01,1');
      refused(await importThem(), /: import them into the channel of their store \(import \d+\)$/);
      for (const id of ['d', 'b', 'a', 'c']) await connect(organisationId, id);
      const named = ['a', 'b', 'c'].map((id) => `${channelId}-${id} (${id})`).join(', ');
      const { error } = (await importThem()).body;
      assert.ok(error.includes(`the channel of their store: ${named} or 1 other (import`), error);
      // Of the same merchant before others.
      await connect(organisationId, 'd', { currency: 'GBP' });
      assert.match((await importThem()).body.error, /their store: \S+-d \(d\) \(import/);
      for (const { body } of await arrive(3))
        assert.match(JSON.parse(body).data.error, /currency, USD: .* the channel of their store$/);
    },
  );

  testOnce('nothing about a channel out of reach is delivered, then or later', async () => {
    const second = await world().channel(tenant.organisationId, `${tenant.channelId}-2`);
    const { key, grant } = await restricted(tenant, [second]);
    const { webhookId } = await create(key);
    const { webhookId: everything } = await create(tenant.key, { url: `${receiver.url}/all` });
    await report(tenant);
    await arrive(1);
    assert.deepEqual(await deliveries(key, webhookId), []);
    const paths = receiver.arrived.map(({ path }) => path);
    assert.deepEqual(paths, ['/hooks/all']);
    // Queued while the channel was within reach, and out of reach when it is sent.
    receiver.answer = (response, { path }) =>
      void response.writeHead(path === '/hooks/all' ? 204 : 503).end();
    await report({ ...tenant, channelId: second });
    await until(async () => (await deliveries(key, webhookId))[0]?.attempts === 1);
    await grant([]);
    await world().registry.records.updateTable('job').set({ leaseUntil: 0 }).execute();
    const ofDropped = () => deliveries(tenant.key, webhookId, '?state=dropped');
    await until(async () => (await ofDropped()).length === 1);
    const [dropped] = await deliveries(tenant.key, webhookId);
    assert.match(dropped.error, /may not reach a channel that it is about any more/);
    assert.deepEqual(await deliveries(key, webhookId), []);
    assert.equal((await deliveries(tenant.key, everything)).length, 2);
  });

  testOnce('a webhook of a restricted user is for that user and unrestricted ones', async () => {
    const { key } = await restricted(tenant, [tenant.channelId]);
    const { webhookId } = await create(key);
    const { webhookId: foreign } = await create(tenant.key);
    const idsOf = async (one: string) =>
      (await listed(one)).map(({ webhookId: id }: Created) => id).sort();
    assert.deepEqual(await idsOf(key), [webhookId]);
    assert.deepEqual(await idsOf(tenant.key), [webhookId, foreign].sort());
    const changing = world().ask(key, 'PATCH', `/webhooks/${foreign}`, { url: receiver.url });
    assert.deepEqual(await refusal(changing), [404, 'there is no such webhook']);
  });

  test('a changed webhook hears of what it says, and a deleted one of nothing', async () => {
    const { webhookId } = await create(tenant.key, { description: 'first' });
    const change = (fields: object) =>
      world().ask(tenant.key, 'PATCH', `/webhooks/${webhookId}`, fields);
    const { body } = await change({ url: `${receiver.url}/new`, events: ['report.finished'] });
    const expected = [`${receiver.url}/new`, ['report.finished'], 'first', 'enabled'];
    assert.deepEqual([body.url, body.events, body.description, body.state], expected);
    await importRows(world(), 'orderLines', tenant.channelId, [line]);
    await report(tenant);
    assert.equal((await arrive(1))[0]!.path, '/hooks/new');
    assert.equal((await change({ state: 'paused' })).body.state, 'paused');
    const refused = await refusal(act(tenant.key, webhookId, 'test'));
    assert.deepEqual(refused, [409, 'the webhook is paused: enable it first']);
    assert.equal((await world().ask(tenant.key, 'DELETE', `/webhooks/${webhookId}`)).status, 200);
    assert.deepEqual(await listed(tenant.key), []);
    const rows = await world().registry.records.selectFrom('webhookDelivery').selectAll().execute();
    assert.ok(!rows.some((row) => row.webhookId === webhookId));
  });

  testOnce('after a rotation both secrets sign until the grace is over', async () => {
    const { webhookId, secret } = await create(tenant.key);
    const rotate = (graceSeconds: number) => act(tenant.key, webhookId, 'rotate', { graceSeconds });
    const { body: rotated } = await rotate(3_600);
    assert.notEqual(rotated.secret, secret);
    await act(tenant.key, webhookId, 'test');
    const [first] = (await arrive(1)) as [Arrived];
    for (const one of [secret, rotated.secret]) new Webhook(one).verify(first.body, first.headers);
    assert.equal(first.headers['webhook-signature']!.split(' ').length, 2);
    const { body: last } = await rotate(0);
    await act(tenant.key, webhookId, 'test');
    const second = (await arrive(2))[1]!;
    new Webhook(last.secret).verify(second.body, second.headers);
    for (const one of [secret, rotated.secret])
      assert.throws(() => new Webhook(one).verify(second.body, second.headers));
    const stored = await world().registry.records.selectFrom('webhook').selectAll().execute();
    assert.ok(!JSON.stringify(stored).includes(last.secret.slice('whsec_'.length)));
  });

  testOnce('a test says ping; a replay has the same webhook-id and a new signature', async () => {
    const { webhookId, secret } = await create(tenant.key, { events: ['import.finished'] });
    const { body: sent } = await act(tenant.key, webhookId, 'test');
    await delivered(webhookId);
    const replay = `deliveries/${sent.deliveryId}/replay`;
    const { status, body } = await act(tenant.key, webhookId, replay);
    assert.equal(status, 200);
    assert.notEqual(body.deliveryId, sent.deliveryId);
    const [first, second] = (await arrive(2)) as [Arrived, Arrived];
    assert.equal(JSON.parse(first.body).type, 'webhook.ping');
    assert.equal(JSON.parse(first.body).data.webhookId, webhookId);
    const expected = [first.body, first.headers['webhook-id']];
    assert.deepEqual([second.body, second.headers['webhook-id']], expected);
    new Webhook(secret).verify(second.body, second.headers);
  });

  testOnce('409: a delivery that waits is not replayed', async () => {
    receiver.answer = (response) => void response.writeHead(500).end();
    const { webhookId } = await create(tenant.key);
    const { body: sent } = await act(tenant.key, webhookId, 'test');
    const replay = `deliveries/${sent.deliveryId}/replay`;
    const refused = await refusal(act(tenant.key, webhookId, replay));
    assert.deepEqual(refused, [409, 'the delivery still waits']);
  });

  testOnce('409: a webhook whose user reaches no channel is not tested', async () => {
    const { key } = await restricted(tenant, []);
    const { webhookId } = await create(key);
    const { status, body } = await act(key, webhookId, 'test');
    assert.equal(status, 409);
    assert.match(body.error, /reaches no channel/);
  });

  testOnce('400: addresses that are none, with a password or a fragment', async () => {
    for (const [url, text] of [
      ['example.com/hooks', 'url must be an address such as https://example.com/hooks'],
      ['file:///etc/passwd', 'url must begin with https:// or http://'],
      ['https://user:secret@example.com/', 'url must not hold a user or a password'],
      ['https://example.com/#part', 'url must not hold a fragment'],
    ]) {
      const input = { url, events: subscribedEvents };
      const asking = world().ask(tenant.key, 'POST', '/webhooks', input);
      assert.deepEqual(await refusal(asking), [400, text]);
    }
  });

  testOnce('the console manages them for owners and administrators', async () => {
    const person = await makePerson(world(), tenant.organisationId);
    const visitor = await signIn(world(), person.email);
    const input = { url: receiver.url, events: ['report.finished'] };
    const { status, body } = await visitor.ask('POST', '/account/data/webhooks', input);
    assert.equal(status, 200, JSON.stringify(body));
    const { webhooks } = await visitor.get('/account/data/webhooks');
    assert.equal(webhooks[0].createdBy, person.email);
  });

  testOnce('the verification of the guide accepts what arrives, and nothing else', async () => {
    const address = new URL('../../../docs/guides/webhooks.md', import.meta.url);
    const guide = await readFile(address, 'utf8');
    const code = /^cat > verify\.mjs <<'END'\n([\s\S]*?)^END$/m.exec(guide)![1]!;
    const { verify } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const { webhookId, secret } = await create(tenant.key);
    const { body: rotated } = await act(tenant.key, webhookId, 'rotate', {});
    await act(tenant.key, webhookId, 'test');
    const [{ headers, body }] = (await arrive(1)) as [Arrived];
    for (const one of [secret, rotated.secret]) assert.equal(verify(one, headers, body), true);
    assert.equal(verify('whsec_AAAA', headers, body), false);
    assert.equal(verify(secret, headers, `${body} `), false);
    assert.equal(verify(secret, { ...headers, 'webhook-id': 'msg_other' }, body), false);
    assert.equal(verify(secret, headers, body, Date.now() / 1000 + 301), false);
  });

  testOnce('changes are in the audit log, without addresses and secrets', async () => {
    const { webhookId, secret } = await create(tenant.key, { url: 'https://hooks.example/token' });
    await act(tenant.key, webhookId, 'rotate', {});
    await world().ask(tenant.key, 'DELETE', `/webhooks/${webhookId}`);
    const { entries } = await world().operate('GET', `/operator/audit?subject=${webhookId}`);
    assertShown(entries)`
      action,              actor
      deleteWebhook,       ${tenant.userId}
      rotateWebhookSecret, ${tenant.userId}
      createWebhook,       ${tenant.userId}
    `;
    const text = JSON.stringify(entries);
    assert.ok(!text.includes('hooks.example') && !text.includes(secret));
  });
});
