/**
 * Plants secrets and personal data, sends them to wrong places, and searches every output. Every
 * secret is searched for; except in deep tests one of each kind is sent to wrong places.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Type from 'typebox';
import { lookupOf } from '../src/access/keys.ts';
import { contract } from '../src/contract/endpoint.ts';
import { Text } from '../src/contract/shapes.ts';
import type { Endpoint } from '../src/endpoints/handler.ts';
import { endpoints } from '../src/endpoints/handlers.ts';
import { StoreUnavailable } from '../src/engine/errors.ts';
import { dumpRegistry, dumpWarehouse } from './dump.ts';
import { type Answer, type Method, onePair, type Tenant, type World } from './harness.ts';
import { importRows, postImport } from './imports.ts';
import { level } from './level.ts';
import { recordOf } from './records.ts';
import { rowsOf } from './table.ts';
import { signIn, type Visitor, visit } from './visitors.ts';

const installationSecret = 'secret-of-the-tests';
const password = 'canary-password-of-a-person';
const chosenPassword = 'canary-password-chosen-by-a-link';
const buyerEmail = 'canary.buyer@shop.example';
const userEmail = 'canary.user@acme.example';
/** Not a secret: the search must find it where it belongs, or the search proves nothing. */
const innocent = 'innocent-marker-of-the-tests';

/** A searched text, in lower case, and its place. */
type Place = { readonly where: string; readonly text: string };

const placeOf = (where: string, text: string): Place => ({ where, text: text.toLowerCase() });
const ofAnswer = (where: string, { headers, body }: Pick<Answer, 'headers' | 'body'>): Place =>
  placeOf(where, JSON.stringify([headers, body]));

/** The forms in which a text could have been written down. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  // In a longer text base64 has one of three alignments, and its ends depend on the neighbours.
  const packed = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(4, -4),
  );
  const urlSafe = packed.map((one) => one.replaceAll('+', '-').replaceAll('/', '_'));
  const forms = [text, encodeURIComponent(text), bytes.toString('hex'), ...packed, ...urlSafe];
  return [...new Set(forms.map((form) => form.toLowerCase()))];
}

function placesOf(canary: string, places: readonly Place[]): string[] {
  // Even a truncated key is too much.
  const forms = formsOf(canary.startsWith('vit_') ? canary.slice(0, 24) : canary);
  return places
    .filter(({ text }) => forms.some((form) => text.includes(form)))
    .map(({ where }) => where);
}

/** Every column of every table of both stores. */
async function stored(world: World): Promise<Place[]> {
  const registry = Object.entries(await dumpRegistry(world.registry)).flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(row).map(([column, value]) => placeOf(`${table}.${column}`, String(value))),
    ),
  );
  const warehouse = Object.entries(await dumpWarehouse(world.warehouse)).flatMap(([table, rows]) =>
    rows.map((text) => placeOf(table, text)),
  );
  return [...registry, ...warehouse];
}

async function filesIn(folder: string): Promise<Place[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ parentPath, name }) =>
      placeOf(name, await readFile(join(parentPath, name), 'latin1')),
    ),
  );
}

type Headers = Readonly<Record<string, string>>;
/** A request; a body that is no text goes as JSON. */
type Sent = readonly [method: Method, url: string, headers: Headers, body?: object | string];

/** Requests with a text in every wrong place of a request that makes a record. */
function spoilt(path: string, own: Headers, body: object, secret: string): Sent[] {
  const headers: Headers[] = [
    ...['x-request-id', 'idempotency-key', 'user-agent', 'referer', 'cookie', 'origin'],
    ...['accept-encoding', 'x-other', 'content-type'],
  ].map((header) => ({ [header]: secret }));
  const unknown = { [secret]: secret, other: { [secret]: [secret] } };
  const more = { name: { secret }, groupName: [secret], plan: secret, groupId: secret };
  return [
    ...[...headers, { 'content-type': `application/json; charset=${secret}` }].map(
      (header): Sent => ['POST', path, { ...own, ...header }, body],
    ),
    ['POST', path, own, secret],
    ['POST', path, own, `{"name":"${secret}`],
    ['POST', path, { ...own, 'idempotency-key': `with ${secret}` }, { ...body, ...unknown }],
    ['POST', path, own, { ...body, ...more }],
    ['GET', `${path}/${secret}`, own],
    ['GET', `${path}?pageSize=${secret}&${secret}=${secret}`, own],
    ['DELETE', `${path}/${secret}?channelId=${secret}&merchantId=${secret}`, own],
    ['PUT', `/${secret}`, own, body],
  ];
}

/** Requests with a text in wrong places of the interfaces of keys and of the operator. */
function toInterfaces({ operatorToken }: World, tenant: Tenant, secret: string): Sent[] {
  const { key, channelId, merchantId } = tenant;
  const operator = { authorization: `Bearer ${operatorToken}` };
  const own = { 'x-api-key': key };
  const names = { channelId, merchantId };
  const strangers: Headers[] = [
    { 'x-api-key': secret },
    ...[secret, `Bearer ${secret}`, `Basic ${secret}`].map((authorization) => ({ authorization })),
  ];
  const view = { channelId: secret, merchantId: secret, reportOptions: { timezone: secret } };
  const settings = { organisationId: secret, kind: secret, currency: secret };
  return [
    ...spoilt('/customGroups', own, { ...names, groupName: 'Bravo', brands: ['A'] }, secret),
    ...spoilt('/operator/organisations', operator, { name: 'Bravo' }, secret),
    ...strangers.flatMap((wrong): Sent[] => [
      ['POST', '/channels', wrong, '{}'],
      ...(secret === operatorToken ? [] : [['GET', '/operator/organisations', wrong] as Sent]),
    ]),
    ['POST', '/reports/view/salesByPeriod', own, view],
    ...['key', 'orderId', 'dateField', 'fromDate'].map(
      (field): Sent => ['POST', '/orders/primarymkt', own, { ...names, [field]: secret }],
    ),
    ['PUT', `/operator/channels/${channelId}`, operator, settings],
    ['PATCH', `/operator/keys/${secret}`, operator, { limits: { burst: secret } }],
    // A rejected row's value is shown to the operator who sent it, unless it looks like a key or an
    // address.
    ...(/^vit_live_|@/.test(secret) ? documentsWith(secret, channelId, operator) : []),
  ];
}

/** Imports with a text in the place of values, names, types and whole documents. */
function documentsWith(secret: string, channelId: string, operator: Headers): Sent[] {
  const values = { purchasedAt: secret, quantity: secret, status: secret, currency: secret };
  const row = JSON.stringify({ orderId: 'o9', lineId: secret.length, ...values });
  const csv = `orderId,lineId,purchasedAt\no9,1,${secret}\n`;
  const rows = `/operator/imports/orderLines?channelId=${channelId}`;
  const document = `/operator/documents?channelId=${channelId}`;
  const as = (type: string): Headers => ({ ...operator, 'content-type': type });
  return [
    ['POST', rows, as('application/x-ndjson'), row],
    ['POST', rows, as('text/csv'), csv],
    ['POST', rows, as('application/x-ndjson'), `{"orderId":"${secret}`],
    ['POST', rows, as(`application/x-ndjson; charset=${secret}`), row],
    ['POST', document, as('application/octet-stream'), secret],
  ];
}

/** Requests with a text in wrong places of the account pages. */
function toPages(visitor: Visitor, secret: string): Sent[] {
  const browser: Headers = { cookie: visitor.cookie!, 'sec-fetch-site': 'same-origin' };
  const wrong: Headers[] = [
    ...[secret, `vitrine-session=${secret}`, `${secret}=${secret}`].map((cookie) => ({ cookie })),
    ...['origin', 'sec-fetch-site', 'x-request-id', 'user-agent', 'x-forwarded-for'].map(
      (header) => ({ [header]: secret }),
    ),
  ];
  const newPassword = secret.slice(0, 11);
  return [
    ['POST', '/account/session', browser, { email: secret, password: secret }],
    ['POST', '/account/session', browser, { email: { secret }, [secret]: secret }],
    ['POST', '/account/session/confirmation', browser, { password: secret.repeat(9) }],
    ['PUT', '/account/password', browser, { password: secret, newPassword }],
    ['POST', '/account/passwordLink', browser, { token: [secret] }],
    ['PUT', '/account/passwordLink', browser, { token: secret.slice(0, -1), newPassword: secret }],
    ['POST', `/account/keys/${secret}/reveal`, browser],
    ['DELETE', `/account/sessions/${secret}`, browser],
    ['GET', `/account/sessions?${secret}=${secret}`, browser],
    ...wrong.flatMap((headers): Sent[] => [
      ['GET', '/account/access', { ...browser, ...headers }],
      ['POST', '/account/passwordLink', { ...browser, ...headers }, { token: 'none' }],
    ]),
  ];
}

/** Sends a text in every wrong place and returns all answers. */
async function misplace(world: World, visitor: Visitor, tenant: Tenant, secret: string) {
  const answers: Place[] = [];
  const all = [...toInterfaces(world, tenant, secret), ...toPages(visitor, secret)];
  for (const [method, url, given, body] of all) {
    // A password that is sent as the name of a request looks like any other name.
    if ([password, chosenPassword].includes(given['x-request-id'] ?? '')) continue;
    const hasBody = body !== undefined;
    const headers = { ...(hasBody && { 'content-type': 'application/json' }), ...given };
    const payload = typeof body === 'object' ? JSON.stringify(body) : body;
    const sent = { method, url, headers, ...(payload !== undefined && { payload }) };
    const response = await world.server.inject(sent);
    answers.push(ofAnswer(`${method} ${url.replaceAll(secret, '...')}`, response));
  }
  return answers;
}

onePair(
  'keys, tokens, passwords and people’s addresses appear only where they belong',
  async (world) => {
    const channel = { displayName: innocent };
    const organisation = { plan: 'enterprise' };
    const tenant = await world.tenant({ channelId: 'store', channel, organisation });
    const { lookup } = await recordOf(world, 'apiKey', { keyId: tenant.keyId });
    const own = 'the secret that is looked for is the one that the service works with';
    assert.equal(lookup, lookupOf(installationSecret, tenant.key), own);
    const { organisationId } = tenant;
    const user = { organisationId, email: userEmail, role: 'owner', password };
    const { userId } = await world.operate('POST', '/operator/users', user);
    const authorization = `Bearer ${world.operatorToken}`;
    const headers = { authorization, 'idempotency-key': 'a-call-whose-answer-is-stored' };
    const issued = await world.ask(undefined, 'POST', '/operator/keys', { userId }, headers);
    const { key, keyId } = issued.body as { key: string; keyId: string };
    const rotation = `/operator/keys/${keyId}/rotate`;
    const rotated = await world.operate('POST', rotation, { graceSeconds: 60 });
    const again = { password: `${password} once more` };
    await world.operate('PATCH', `/operator/users/${userId}`, again);
    const linkOf = async (): Promise<string> =>
      (await world.operate('POST', `/operator/users/${userId}/passwordLinks`)).url.split('#')[1];
    const usedLink = await linkOf();
    const byLink = visit(world);
    const choice = { token: usedLink, newPassword: chosenPassword };
    assert.equal((await byLink.ask('PUT', '/account/passwordLink', choice)).status, 200);
    const link = await linkOf();
    const read = await visit(world).ask('POST', '/account/passwordLink', { token: link });
    assert.equal(read.status, 200);
    const visitor = await signIn(world, userEmail, { password: chosenPassword });
    const sessions = [byLink, visitor].map((one) => one.cookie!.split('=')[1]!);
    const revealed = await visitor.ask('POST', `/account/keys/${rotated.keyId}/reveal`);
    assert.equal(revealed.body.key, rotated.key);
    await importBuyers(world);
    await world.ask(tenant.key, 'POST', '/channels', {}, { 'x-request-id': innocent });

    const oneOfEachKind = [tenant.key, world.operatorToken, password, buyerEmail, link];
    const others = [key, rotated.key, installationSecret, chosenPassword, usedLink];
    const secrets = [...oneOfEachKind, ...sessions, ...others];
    const answers: Place[] = [];
    const misplaced = level === 'deep' ? secrets : [...oneOfEachKind, sessions[0]!];
    for (const secret of misplaced)
      answers.push(...(await misplace(world, visitor, tenant, secret)));
    for (const path of ['session', 'sessions', 'access', 'usage', 'requests']) {
      const answer = await visitor.ask('GET', `/account/${path}`);
      assert.equal(answer.status, 200, path);
      const { where, text } = ofAnswer(`GET /account/${path}`, answer);
      // The session shows users their own address.
      answers.push({ where, text: path === 'session' ? text.replaceAll(userEmail, '') : text });
    }
    const lists = ['keys', `keys/${keyId}`, 'audit?pageSize=1000', 'imports', 'usage', 'users'];
    const paths = [...lists, 'diagnosis', 'openapi.json'].map((one) => `/operator/${one}`);
    for (const path of [...paths, '/openapi.json']) {
      const answer = await world.operator('GET', path);
      assert.equal(answer.status, 200, path);
      answers.push(ofAnswer(`GET ${path}`, answer));
    }
    const { channelId, merchantId } = tenant;
    const range = { fromDate: 1_740_787_200, toDate: 1_743_465_599 };
    const listed = { channelId, merchantId, ...range, pageSize: 1 };
    const ofOrders: Place[] = [];
    for (const more of [{}, { dateField: 'updatedAt', fromDate: 0 }, { orderId: 'o3' }]) {
      const input = { ...listed, ...more };
      const { status, body } = await world.ask(tenant.key, 'POST', '/orders/primarymkt', input);
      assert.equal(status, 200);
      assert.equal(body.data[0].BuyerInfo.BuyerEmail, buyerEmail, 'the order shows its address');
      ofOrders.push(placeOf('the key of the next page', JSON.stringify(body.meta)));
    }
    const ofPublic = ofAnswer('POST /channels', await world.ask(tenant.key, 'POST', '/channels'));
    await world.server.close();
    const places = await stored(world);
    const log = world.logLines.map((text) => placeOf('the log', text));
    const files: Place[] = [];
    if (world.pair === 'embedded') {
      await world.warehouse.close();
      await world.registry.close();
      files.push(...(await filesIn(world.dataFolder)));
      for (const store of ['registry.sqlite', 'warehouse.duckdb']) {
        const ofStore = files.filter(({ where }) => where.startsWith(store));
        assert.notDeepEqual(placesOf(innocent, ofStore), []);
      }
    }

    assert.notDeepEqual(placesOf(innocent, log), []);
    assert.deepEqual(placesOf(innocent, [ofPublic]), ['POST /channels']);
    assert.ok(placesOf(innocent, places).includes('channel.display_name'));
    assert.ok(placesOf(innocent, places).some((where) => where.endsWith('order_line')));
    const everywhere = [...answers, ofPublic, ...ofOrders, ...log, ...places, ...files];
    for (const secret of secrets)
      assert.deepEqual(placesOf(secret, everywhere), [], `${secret} in clear`);
    assert.deepEqual([...new Set(placesOf(userEmail, places))], ['user_account.email']);
    assert.deepEqual(placesOf(userEmail, [...log, ofPublic]), []);
    assert.deepEqual(placesOf(userEmail, answers), ['GET /operator/users']);
  },
  { logLevel: 'trace' },
);

/** Imports orders with the address of their buyer, and rows and orders that are refused. */
async function importBuyers(world: World): Promise<void> {
  const rows = `orderId, lineId, purchasedAt, sku, quantity, itemPrice, buyerEmail
    o1, "1", 2025-03-08T12:00:00Z, ${innocent}, 1, 5, ${buyerEmail}
    o2, "1", 2025-03-08T12:00:00Z, A,           1, 5, ${buyerEmail.toUpperCase()}`;
  await importRows(world, 'orderLines', 'store', rowsOf(rows));
  const order = (id: string, PurchaseDate: string, BuyerEmail: unknown = buyerEmail) => {
    const BuyerInfo = { BuyerEmail };
    return { PlatformOrderId: id, PurchaseDate, BuyerInfo };
  };
  const shipped = { ...order('o3', '2025-03-09T12:00:00Z'), OrderStatus: 'Shipped' };
  await importRows(world, 'orders', 'store', [shipped, order('o6', '2025-03-10T12:00:00Z')]);
  for (const [dataset, wrong] of [
    ['orderLines', { orderId: 'o4', lineId: '1', purchasedAt: 'never', quantity: -1, buyerEmail }],
    ['orderLines', { orderId: 'o5', buyerEmail: [buyerEmail] }],
    ['orders', order('o7', buyerEmail)],
    ['orders', order('o8', '2025-03-10T12:00:00Z', [buyerEmail])],
  ] as const) {
    const path = `/operator/imports/${dataset}?channelId=store`;
    const { body } = await postImport(world, path, JSON.stringify(wrong), 'application/x-ndjson');
    assert.equal(body.rowsRejected, 1);
  }
}

/** An operation with a failing store that, like drivers, repeats its input in the error. */
const failing: Endpoint = {
  contract: contract({
    operation: 'fail',
    access: 'key',
    method: 'POST',
    path: '/fail/{how}',
    summary: 'An example',
    description: 'It exists only here.',
    pathParameters: Type.Object({ how: Text() }),
    body: Type.Object({ tag: Text(), nested: Type.Object({ sku: Text() }) }),
    answer: Type.Object({}),
  }),
  async handler({ how, tag, nested }: { how: string; tag: string; nested: { sku: string } }) {
    const cause = new Error(
      `invalid input syntax for type integer: "${tag}" (near ${JSON.stringify(nested)}, ${innocent})`,
    );
    if (how === 'unavailable') throw new StoreUnavailable('registry', cause);
    throw Object.assign(new Error(`the question failed for ${tag}`, { cause }), {
      detail: `Key (tag)=(${tag}) already exists.`,
      parameters: [tag],
    });
  },
};

onePair(
  '500 and 503: a failing store’s errors put no request data in answers or logs',
  async (world) => {
    const settings = { channelId: 'canary-channel', organisation: { plan: 'enterprise' } };
    const { key, channelId, merchantId } = await world.tenant(settings);
    const secrets = [key, world.operatorToken, buyerEmail, password];
    const answers: Place[] = [];
    const ask = async (path: string, body: unknown, status: number) => {
      const answer = await world.ask(key, 'POST', path, body);
      assert.equal(answer.status, status, path);
      answers.push(ofAnswer(path, answer));
    };
    for (const secret of secrets) {
      const nested = { sku: secret };
      const query = new URLSearchParams({ tag: secret });
      await ask(`/fail/unavailable?${query}`, { tag: secret, nested }, 503);
      await ask('/fail/otherwise', { tag: `${secret}, and more`, nested }, 500);
    }
    const range = { fromDate: 1_752_933_600, toDate: 1_753_019_999 };
    const input = { reportOptions: { ...range, timezone: 'UTC' }, sellerSkus: [password, key] };
    await ask('/reports/view/salesByPeriod', { channelId, merchantId, ...input }, 500);
    await ask('/orders/primarymkt', { channelId, merchantId, orderId: password }, 500);
    const log = world.logLines.map((text) => placeOf(text, text));
    assert.equal(log.filter(({ text }) => text.includes('"failed"')).length, 10);
    assert.ok(placesOf(innocent, log).length >= 8, 'the log reports the failure itself');
    for (const secret of secrets) assert.deepEqual(placesOf(secret, [...answers, ...log]), []);
    assert.deepEqual(placesOf(innocent, answers), []);
  },
  {
    logLevel: 'trace',
    endpoints: [...endpoints, failing],
    between: (warehouse) =>
      new Proxy(warehouse, {
        get(target, name) {
          if (name !== 'ask' && name !== 'read' && name !== 'view')
            return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
          return async (...input: unknown[]) => {
            throw new Error(`${innocent} failed: ${password}, ${JSON.stringify(input)}`);
          };
        },
      }),
  },
);
