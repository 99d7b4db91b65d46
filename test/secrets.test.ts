/** Plants secrets and personal data, sends them to wrong places, and searches every output. */
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
import { casesOn, eachPair, type Method, onePair, type Tenant, type World } from './harness.ts';
import { importRows, postImport } from './imports.ts';
import { signIn, type Visitor, visit } from './visitors.ts';

const installationSecret = 'secret-of-the-tests';
const password = 'canary-password-of-a-person';
const chosenPassword = 'canary-password-chosen-by-a-link';
const buyerEmail = 'canary.buyer@shop.example';
const userEmail = 'canary.user@acme.example';
/** Not a secret: the search must find it where it belongs, or the search proves nothing. */
const innocent = 'innocent-marker-of-the-tests';

/** A searched text and its place. */
type Place = { readonly where: string; readonly text: string };

/** The forms in which a text could have been written down. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  // In a longer text base64 has one of three alignments, and its ends depend on the neighbours.
  const packed = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(4, -4),
  );
  return [
    text,
    encodeURIComponent(text),
    bytes.toString('hex'),
    ...packed,
    ...packed.map((one) => one.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

function placesOf(canary: string, places: readonly Place[]): string[] {
  // Even a truncated key is too much.
  const forms = formsOf(canary.startsWith('vit_') ? canary.slice(0, 24) : canary).map((form) =>
    form.toLowerCase(),
  );
  return places
    .filter(({ text }) => forms.some((form) => text.toLowerCase().includes(form)))
    .map(({ where }) => where);
}

/** Every column of every table of both stores. */
async function stored(world: World): Promise<Place[]> {
  const registry = Object.entries(await dumpRegistry(world.registry)).flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(row).map(([column, value]) => ({
        where: `${table}.${column}`,
        text: String(value),
      })),
    ),
  );
  const warehouse = Object.entries(await dumpWarehouse(world.warehouse)).flatMap(([table, rows]) =>
    rows.map((text) => ({ where: table, text })),
  );
  return [...registry, ...warehouse];
}

async function filesIn(folder: string): Promise<Place[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ parentPath, name }) => ({
      where: name,
      text: await readFile(join(parentPath, name), 'latin1'),
    })),
  );
}

/** Sends a text in every wrong place and returns all answers. */
async function misplace(
  world: World,
  visitor: Visitor,
  { key, channelId, merchantId }: Tenant,
  secret: string,
): Promise<Place[]> {
  const answers: Place[] = [];
  const operator = { authorization: `Bearer ${world.operatorToken}` };
  const ask = async (
    method: Method,
    url: string,
    headers: Record<string, string>,
    payload?: string,
  ) => {
    // A password that is sent as the name of a request looks like any other name.
    if ([password, chosenPassword].includes(headers['x-request-id'] ?? '')) return;
    const sent = {
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    };
    const response = await world.server.inject({
      method,
      url,
      headers: sent,
      ...(payload !== undefined && { payload }),
    });
    answers.push({
      where: `${method} ${url.replaceAll(secret, '...')}`,
      text: JSON.stringify(response.headers) + response.body,
    });
  };
  const names = { channelId, merchantId };
  for (const own of [{ 'x-api-key': key }, operator] as Record<string, string>[]) {
    const isOperator = 'authorization' in own;
    const [path, body] = isOperator
      ? ['/operator/organisations', { name: 'Bravo' }]
      : ['/customGroups', { ...names, groupName: 'Bravo', brands: ['A'] }];
    const text = JSON.stringify(body);
    for (const header of [
      'x-request-id',
      'idempotency-key',
      'user-agent',
      'referer',
      'cookie',
      'origin',
      'accept-encoding',
      'x-other',
    ]) {
      await ask('POST', path, { ...own, [header]: secret }, text);
    }
    await ask('POST', path, { ...own, 'content-type': secret }, text);
    await ask(
      'POST',
      path,
      { ...own, 'content-type': `application/json; charset=${secret}` },
      text,
    );
    await ask('POST', path, own, secret);
    await ask('POST', path, own, `{"name":"${secret}`);
    await ask(
      'POST',
      path,
      { ...own, 'idempotency-key': `with ${secret}` },
      JSON.stringify({ ...body, [secret]: secret, other: { [secret]: [secret] } }),
    );
    await ask(
      'POST',
      path,
      own,
      JSON.stringify({
        ...body,
        name: { secret },
        groupName: [secret],
        plan: secret,
        groupId: secret,
      }),
    );
    await ask('GET', `${path}/${secret}`, own);
    await ask('GET', `${path}?pageSize=${secret}&${secret}=${secret}`, own);
    await ask('DELETE', `${path}/${secret}?channelId=${secret}&merchantId=${secret}`, own);
    await ask('PUT', `/${secret}`, own, text);
  }
  for (const wrong of [
    { 'x-api-key': secret },
    { authorization: secret },
    { authorization: `Bearer ${secret}` },
    { authorization: `Basic ${secret}` },
  ]) {
    await ask('POST', '/channels', wrong, '{}');
    if (secret !== world.operatorToken) await ask('GET', '/operator/organisations', wrong);
  }
  await ask(
    'POST',
    '/reports/view/salesByPeriod',
    { 'x-api-key': key },
    JSON.stringify({ channelId: secret, merchantId: secret, reportOptions: { timezone: secret } }),
  );
  for (const more of [
    { key: secret },
    { orderId: secret },
    { dateField: secret },
    { fromDate: secret },
  ]) {
    await ask(
      'POST',
      '/orders/primarymkt',
      { 'x-api-key': key },
      JSON.stringify({ ...names, ...more }),
    );
  }
  const browser = { cookie: visitor.cookie!, 'sec-fetch-site': 'same-origin' };
  for (const [method, path, body] of [
    ['POST', '/account/session', { email: secret, password: secret }],
    ['POST', '/account/session', { email: { secret }, [secret]: secret }],
    ['POST', '/account/session/confirmation', { password: secret.repeat(9) }],
    ['PUT', '/account/password', { password: secret, newPassword: secret.slice(0, 11) }],
    ['POST', '/account/passwordLink', { token: [secret] }],
    ['PUT', '/account/passwordLink', { token: secret.slice(0, -1), newPassword: secret }],
    ['POST', `/account/keys/${secret}/reveal`, undefined],
    ['DELETE', `/account/sessions/${secret}`, undefined],
    ['GET', `/account/sessions?${secret}=${secret}`, undefined],
  ] as const) {
    await ask(method, path, browser, body && JSON.stringify(body));
  }
  for (const wrong of [
    { cookie: secret },
    { cookie: `vitrine-session=${secret}` },
    { cookie: `${secret}=${secret}` },
    { origin: secret },
    { 'sec-fetch-site': secret },
    { 'x-request-id': secret },
    { 'user-agent': secret },
    { 'x-forwarded-for': secret },
  ] as Record<string, string>[]) {
    await ask('GET', '/account/access', { ...browser, ...wrong });
    await ask(
      'POST',
      '/account/passwordLink',
      { ...browser, ...wrong },
      JSON.stringify({ token: 'none' }),
    );
  }
  await ask(
    'PUT',
    `/operator/channels/${channelId}`,
    operator,
    JSON.stringify({ organisationId: secret, kind: secret, currency: secret }),
  );
  await ask(
    'PATCH',
    `/operator/keys/${secret}`,
    operator,
    JSON.stringify({ limits: { burst: secret } }),
  );
  // A rejected row's value is shown to the operator who sent it, unless it looks like a key or an
  // address.
  if (!/^vit_live_|@/.test(secret)) return answers;
  const row = {
    orderId: 'o9',
    lineId: secret.length,
    purchasedAt: secret,
    quantity: secret,
    status: secret,
    currency: secret,
  };
  for (const [type, document] of [
    ['application/x-ndjson', JSON.stringify(row)],
    ['text/csv', `orderId,lineId,purchasedAt\no9,1,${secret}\n`],
    ['application/x-ndjson', `{"orderId":"${secret}`],
    [`application/x-ndjson; charset=${secret}`, JSON.stringify(row)],
  ] as const) {
    await ask(
      'POST',
      `/operator/imports/orderLines?channelId=${channelId}`,
      { ...operator, 'content-type': type },
      document,
    );
  }
  await ask(
    'POST',
    `/operator/documents?channelId=${channelId}`,
    { ...operator, 'content-type': 'application/octet-stream' },
    secret,
  );
  return answers;
}

onePair(
  'keys, tokens, passwords and people’s addresses appear only where they belong',
  async (world) => {
    const tenant = await world.tenant({
      channelId: 'store',
      channel: { displayName: innocent },
      organisation: { plan: 'enterprise' },
    });
    assert.equal(
      (
        await world.registry.records
          .selectFrom('apiKey')
          .select('lookup')
          .where('keyId', '=', tenant.keyId)
          .executeTakeFirstOrThrow()
      ).lookup,
      lookupOf(installationSecret, tenant.key),
      'the secret that is looked for is the one that the service works with',
    );
    const { userId } = await world.operate('POST', '/operator/users', {
      organisationId: tenant.organisationId,
      email: userEmail,
      role: 'owner',
      password,
    });
    const issued = await world.server.inject({
      method: 'POST',
      url: '/operator/keys',
      headers: {
        authorization: `Bearer ${world.operatorToken}`,
        'idempotency-key': 'a-call-whose-answer-is-kept',
      },
      payload: { userId },
    });
    const { key, keyId } = issued.json() as { key: string; keyId: string };
    const rotated: { key: string; keyId: string } = await world.operate(
      'POST',
      `/operator/keys/${keyId}/rotate`,
      { graceSeconds: 60 },
    );
    await world.operate('PATCH', `/operator/users/${userId}`, {
      password: `${password} once more`,
    });
    const linkOf = async (): Promise<string> =>
      (await world.operate('POST', `/operator/users/${userId}/passwordLinks`)).url.split('#')[1];
    const usedLink = await linkOf();
    const byLink = visit(world);
    assert.equal(
      (
        await byLink.ask('PUT', '/account/passwordLink', {
          token: usedLink,
          newPassword: chosenPassword,
        })
      ).status,
      200,
    );
    const link = await linkOf();
    assert.equal(
      (await visit(world).ask('POST', '/account/passwordLink', { token: link })).status,
      200,
    );
    const visitor = await signIn(world, userEmail, { password: chosenPassword });
    const sessions = [byLink, visitor].map((one) => one.cookie!.split('=')[1]!);
    assert.equal(
      (await visitor.ask('POST', `/account/keys/${rotated.keyId}/reveal`)).body.key,
      rotated.key,
    );
    await importRows(world, 'orderLines', 'store', [
      {
        orderId: 'o1',
        lineId: '1',
        purchasedAt: '2025-03-08T12:00:00Z',
        sku: innocent,
        quantity: 1,
        itemPrice: 5,
        buyerEmail,
      },
      {
        orderId: 'o2',
        lineId: '1',
        purchasedAt: '2025-03-08T12:00:00Z',
        sku: 'A',
        quantity: 1,
        itemPrice: 5,
        buyerEmail: buyerEmail.toUpperCase(),
      },
    ]);
    await importRows(world, 'orders', 'store', [
      {
        PlatformOrderId: 'o3',
        PurchaseDate: '2025-03-09T12:00:00Z',
        OrderStatus: 'Shipped',
        BuyerInfo: { BuyerEmail: buyerEmail },
      },
      {
        PlatformOrderId: 'o6',
        PurchaseDate: '2025-03-10T12:00:00Z',
        BuyerInfo: { BuyerEmail: buyerEmail },
      },
    ]);
    for (const wrong of [
      { orderId: 'o4', lineId: '1', purchasedAt: 'never', quantity: -1, buyerEmail },
      { orderId: 'o5', buyerEmail: [buyerEmail] },
    ]) {
      await postImport(
        world,
        '/operator/imports/orderLines?channelId=store',
        JSON.stringify(wrong),
        'application/x-ndjson',
      );
    }
    for (const wrong of [
      { PlatformOrderId: 'o7', PurchaseDate: buyerEmail, BuyerInfo: { BuyerEmail: buyerEmail } },
      {
        PlatformOrderId: 'o8',
        PurchaseDate: '2025-03-10T12:00:00Z',
        BuyerInfo: { BuyerEmail: [buyerEmail] },
      },
    ]) {
      await postImport(
        world,
        '/operator/imports/orders?channelId=store',
        JSON.stringify(wrong),
        'application/x-ndjson',
      );
    }
    await world.ask(tenant.key, 'POST', '/channels', {}, { 'x-request-id': innocent });

    const secrets = [
      ...[
        tenant.key,
        key,
        rotated.key,
        world.operatorToken,
        installationSecret,
        password,
        buyerEmail,
      ],
      ...[chosenPassword, usedLink, link, ...sessions],
    ];
    const answers: Place[] = [];
    for (const secret of casesOn(world, secrets, 3))
      answers.push(...(await misplace(world, visitor, tenant, secret)));
    for (const path of ['session', 'sessions', 'access', 'usage', 'requests']) {
      const { status, body, headers } = await visitor.ask('GET', `/account/${path}`);
      assert.equal(status, 200, path);
      const shown = JSON.stringify([headers, body]);
      // The session shows users their own address.
      answers.push({
        where: `GET /account/${path}`,
        text: path === 'session' ? shown.replaceAll(userEmail, '') : shown,
      });
    }
    for (const path of [
      '/operator/keys',
      `/operator/keys/${keyId}`,
      '/operator/audit?pageSize=1000',
      '/operator/imports',
      '/operator/usage',
      '/operator/users',
      '/operator/diagnosis',
      '/operator/openapi.json',
      '/openapi.json',
    ]) {
      const { status, body, headers } = await world.operator('GET', path);
      assert.equal(status, 200, path);
      answers.push({ where: `GET ${path}`, text: JSON.stringify([headers, body]) });
    }
    const { channelId, merchantId } = tenant;
    const listed = {
      channelId,
      merchantId,
      fromDate: 1_740_787_200,
      toDate: 1_743_465_599,
      pageSize: 1,
    };
    const ofOrders: Place[] = [];
    for (const more of [{}, { dateField: 'updatedAt', fromDate: 0 }, { orderId: 'o3' }]) {
      const { status, body } = await world.ask(tenant.key, 'POST', '/orders/primarymkt', {
        ...listed,
        ...more,
      });
      assert.equal(status, 200);
      assert.equal(body.data[0].BuyerInfo.BuyerEmail, buyerEmail, 'the order shows its address');
      ofOrders.push({ where: 'the key of the next page', text: JSON.stringify(body.meta) });
    }
    const publicAnswer = await world.ask(tenant.key, 'POST', '/channels');
    const publicPlaces = [
      { where: 'POST /channels', text: JSON.stringify([publicAnswer.headers, publicAnswer.body]) },
    ];
    await world.server.close();
    const places = await stored(world);
    const log = world.logLines.map((text) => ({ where: 'the log', text }));
    const files: Place[] = [];
    if (world.pair === 'embedded') {
      await world.warehouse.close();
      await world.registry.close();
      files.push(...(await filesIn(world.dataFolder)));
      assert.notDeepEqual(
        placesOf(
          innocent,
          files.filter(({ where }) => where.startsWith('registry.sqlite')),
        ),
        [],
      );
      assert.notDeepEqual(
        placesOf(
          innocent,
          files.filter(({ where }) => where.startsWith('warehouse.duckdb')),
        ),
        [],
      );
    }

    assert.notDeepEqual(placesOf(innocent, log), []);
    assert.deepEqual(placesOf(innocent, publicPlaces), ['POST /channels']);
    assert.ok(placesOf(innocent, places).includes('channel.display_name'));
    assert.ok(placesOf(innocent, places).some((where) => where.endsWith('order_line')));
    const everywhere = [...answers, ...publicPlaces, ...ofOrders, ...log, ...places, ...files];
    for (const secret of secrets)
      assert.deepEqual(placesOf(secret, everywhere), [], `${secret} in clear`);
    assert.deepEqual([...new Set(placesOf(userEmail, places))], ['user_account.email']);
    assert.deepEqual(placesOf(userEmail, [...log, ...publicPlaces]), []);
    assert.deepEqual(placesOf(userEmail, answers), ['GET /operator/users']);
  },
  { logLevel: 'trace' },
);

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

eachPair(
  '500 and 503: a failing store’s errors put no request data in answers or logs',
  async (world) => {
    const { key, channelId, merchantId } = await world.tenant({
      channelId: 'canary-channel',
      organisation: { plan: 'enterprise' },
    });
    const answers: Place[] = [];
    const ask = async (path: string, body: unknown, status: number) => {
      const answer = await world.ask(key, 'POST', path, body);
      assert.equal(answer.status, status, path);
      answers.push({ where: path, text: JSON.stringify([answer.headers, answer.body]) });
    };
    for (const secret of [key, world.operatorToken, buyerEmail, password]) {
      await ask(
        `/fail/unavailable?${new URLSearchParams({ tag: secret })}`,
        { tag: secret, nested: { sku: secret } },
        503,
      );
      await ask('/fail/otherwise', { tag: `${secret}, and more`, nested: { sku: secret } }, 500);
    }
    const reportOptions = {
      fromDate: 1_752_933_600,
      toDate: 1_753_019_999,
      timezone: 'Australia/Sydney',
    };
    await ask(
      '/reports/view/salesByPeriod',
      { channelId, merchantId, reportOptions, sellerSkus: [password, key] },
      500,
    );
    await ask('/orders/primarymkt', { channelId, merchantId, orderId: password }, 500);
    const log = world.logLines.map((text) => ({ where: text, text }));
    assert.equal(log.filter(({ text }) => text.includes('"failed"')).length, 10);
    assert.ok(placesOf(innocent, log).length >= 8, 'the log reports the failure itself');
    for (const secret of [key, world.operatorToken, buyerEmail, password])
      assert.deepEqual(placesOf(secret, [...answers, ...log]), []);
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
          return async (...asked: unknown[]) => {
            throw new Error(`${innocent} failed: ${password}, ${JSON.stringify(asked)}`);
          };
        },
      }),
  },
);
