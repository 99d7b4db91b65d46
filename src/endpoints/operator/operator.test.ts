import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachPair, onEachPair } from '../../../test/harness.ts';
import { hashPassword } from '../../access/passwords.ts';
import { StoreUnavailable } from '../../engine/errors.ts';
import type { Warehouse } from '../../engine/warehouse.ts';

const channelSettings = {
  merchantId: 'M1 @ EU',
  marketplace: 'primarymkt',
  kind: 'seller',
  countryCode: 'de',
  displayName: 'Acme DE',
  currency: 'eur',
  timezone: 'Europe/Berlin',
  hasAdvertisingConnected: true,
};

onEachPair('the operator interface', (world) => {
  let count = 0;
  const email = () => {
    count += 1;
    return `person-${count}@example.com`;
  };
  const organisation = async (settings: object = {}): Promise<string> =>
    (await world().operate('POST', '/operator/organisations', { name: 'Acme', ...settings }))
      .organisationId;
  const user = async (organisationId: string, role = 'owner'): Promise<string> =>
    (await world().operate('POST', '/operator/users', { organisationId, email: email(), role }))
      .userId;
  const refused = async (
    status: number,
    error: string,
    ...asked: Parameters<ReturnType<typeof world>['operator']>
  ) => {
    const answer = await world().operator(...asked);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.deepEqual(answer.body, { status: 'error', error });
  };

  test("401: without the operator's token nothing is answered, whatever is asked", async () => {
    for (const authorization of [
      '',
      'Bearer',
      'Bearer wrong',
      'Basic operator-token-of-the-tests',
      'operator-token-of-the-tests',
    ]) {
      for (const [method, url] of [
        ['GET', '/operator/organisations'],
        ['POST', '/operator/keys'],
        ['DELETE', '/operator/channels/x'],
        ['GET', '/operator/audit'],
      ] as const) {
        const answer = await world().server.inject({ method, url, headers: { authorization } });
        assert.equal(answer.statusCode, 401);
        assert.deepEqual(answer.json(), {
          status: 'error',
          error: 'the authorization header must hold the operator token: Bearer <token>',
        });
      }
    }
  });

  test("401: a caller's key is no operator's token", async () => {
    const { key } = await world().tenant();
    assert.equal(
      (
        await world().ask(key, 'GET', '/operator/keys', undefined, {
          authorization: `Bearer ${key}`,
        })
      ).status,
      401,
    );
  });

  test('200: an organisation is made with all entitlements, read, changed and listed', async () => {
    const organisationId = await organisation({ name: ' Bravo ' });
    const made = {
      organisationId,
      name: 'Bravo',
      plan: 'enterprise',
      apiAccess: true,
      searchQueryPerformance: true,
      searchQueryProductMax: 50,
    };
    const createdAt = Math.floor(world().clock.now / 1000);
    assert.deepEqual(await world().operate('GET', `/operator/organisations/${organisationId}`), {
      ...made,
      createdAt,
    });
    const changes = {
      plan: 'standard',
      apiAccess: false,
      searchQueryPerformance: false,
      searchQueryProductMax: 7,
    };
    const changed = { ...made, ...changes, createdAt };
    assert.deepEqual(
      await world().operate('PATCH', `/operator/organisations/${organisationId}`, changes),
      changed,
    );
    assert.deepEqual(
      await world().operate('PATCH', `/operator/organisations/${organisationId}`, {}),
      changed,
    );
    const { organisations, total } = await world().operate(
      'GET',
      '/operator/organisations?pageSize=1000',
    );
    assert.equal(organisations.length, total);
    assert.deepEqual(
      organisations.filter(
        (one: { organisationId: string }) => one.organisationId === organisationId,
      ),
      [changed],
    );
  });

  test('400: an organisation is checked like every request', async () => {
    const wrong = { name: '  ', plan: 'gold', apiAccess: 'yes', searchQueryProductMax: 0 };
    await refused(
      400,
      'name must not be empty, plan must be standard or enterprise, apiAccess must be true or false, searchQueryProductMax must be at least 1',
      'POST',
      '/operator/organisations',
      wrong,
    );
  });

  test('404: records that do not exist', async () => {
    for (const [method, path, error, body] of [
      ['GET', '/operator/organisations/x', 'there is no such organisation'],
      ['PATCH', '/operator/organisations/x', 'there is no such organisation', {}],
      ['GET', '/operator/users/x', 'there is no such user'],
      ['PATCH', '/operator/users/x', 'there is no such user', {}],
      ['PUT', '/operator/users/x/channels', 'there is no such user', { channelIds: 'all' }],
      ['POST', '/operator/keys/x/rotate', 'there is no such key', {}],
      ['DELETE', '/operator/keys/x', 'there is no such key'],
      ['GET', '/operator/channels/x', 'there is no such channel'],
      ['DELETE', '/operator/channels/x', 'there is no such channel'],
    ] as const) {
      await refused(404, error, method, path, body);
    }
  });

  test('200: a user is made, with the e-mail address in lower case, read, changed and listed', async () => {
    const organisationId = await organisation();
    const address = email();
    const { userId } = await world().operate('POST', '/operator/users', {
      organisationId,
      email: ` ${address.toUpperCase()} `,
      role: 'owner',
    });
    const made = {
      userId,
      organisationId,
      email: address,
      role: 'owner',
      channelIds: 'all',
      name: null,
      lastSignInAt: null,
      hasPassword: false,
      createdAt: Math.floor(world().clock.now / 1000),
    };
    assert.deepEqual(await world().operate('GET', `/operator/users/${userId}`), made);
    const demoted = { ...made, role: 'member', channelIds: [] };
    assert.deepEqual(
      await world().operate('PATCH', `/operator/users/${userId}`, { role: 'member' }),
      demoted,
    );
    const { users, total } = await world().operate(
      'GET',
      `/operator/users?organisationId=${organisationId}`,
    );
    assert.deepEqual([users, total], [[demoted], 1]);
    assert.deepEqual(
      await world().operate('PATCH', `/operator/users/${userId}`, { role: 'administrator' }),
      {
        ...made,
        role: 'administrator',
      },
    );
  });

  test('200: a password is kept as a hash, and answered nowhere', async () => {
    const organisationId = await organisation();
    const password = 'correct horse battery';
    const { userId } = await world().operate('POST', '/operator/users', {
      organisationId,
      email: email(),
      role: 'owner',
      password,
    });
    const { passwordHash } = await world()
      .registry.records.selectFrom('userAccount')
      .select('passwordHash')
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow();
    assert.match(
      passwordHash!,
      /^\$argon2id\$v=19\$m=64,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    );
    assert.notEqual(await hashPassword(password), passwordHash);
    const everything = JSON.stringify([
      await world().operate('GET', `/operator/users/${userId}`),
      await world().operate('GET', '/operator/audit'),
    ]);
    assert.ok(!everything.includes(password) && !everything.includes('argon2id'));
    await refused(
      400,
      'password must have at least 12 characters',
      'PATCH',
      `/operator/users/${userId}`,
      { password: 'short' },
    );
  });

  test('400 and 409: a user needs an organisation and an e-mail address of its own', async () => {
    const organisationId = await organisation();
    const taken = email();
    await world().operate('POST', '/operator/users', {
      organisationId,
      email: taken,
      role: 'owner',
    });
    const other = await user(organisationId);
    const create = (body: object) =>
      [
        'POST',
        '/operator/users',
        { organisationId, email: email(), role: 'owner', ...body },
      ] as const;
    await refused(
      409,
      'another user has this e-mail address',
      ...create({ email: taken.toUpperCase() }),
    );
    await refused(
      409,
      'another user has this e-mail address',
      'PATCH',
      `/operator/users/${other}`,
      { email: taken },
    );
    await refused(
      400,
      'organisationId must be that of an organisation',
      ...create({ organisationId: 'x' }),
    );
    await refused(
      400,
      'email must be an e-mail address, role must be owner or administrator or member',
      ...create({ email: 'nobody', role: 'boss' }),
    );
  });

  test('200 and 400: channels are granted by name, and only those of the own organisation', async () => {
    const acme = await world().tenant();
    const other = await world().tenant();
    const userId = await user(acme.organisationId, 'member');
    const path = `/operator/users/${userId}/channels`;
    assert.deepEqual(
      (await world().operate('PUT', path, { channelIds: [acme.channelId, acme.channelId] }))
        .channelIds,
      [acme.channelId],
    );
    await refused(400, "channelIds[1] must be a channel of the user's organisation", 'PUT', path, {
      channelIds: [acme.channelId, other.channelId],
    });
    assert.deepEqual((await world().operate('GET', `/operator/users/${userId}`)).channelIds, [
      acme.channelId,
    ]);
    await refused(400, 'channelIds must be an array of channel identifiers or all', 'PUT', path, {
      channelIds: 'some',
    });
    assert.equal((await world().operate('PUT', path, { channelIds: 'all' })).channelIds, 'all');
  });

  test('400: keys are issued only to owners and administrators of organisations with API access', async () => {
    const organisationId = await organisation({ apiAccess: false });
    const member = await user(organisationId, 'member');
    const owner = await user(organisationId);
    const noAccess = "API access is not enabled for the user's organisation";
    await refused(400, noAccess, 'POST', '/operator/keys', { userId: owner });
    await refused(
      400,
      `keys are issued only to owners and administrators, ${noAccess}`,
      'POST',
      '/operator/keys',
      { userId: member },
    );
    await refused(400, 'userId must be that of a user', 'POST', '/operator/keys', { userId: 'x' });
    await refused(
      400,
      'userId is required, limits.perSecond must be at least 1',
      'POST',
      '/operator/keys',
      { limits: { perSecond: 0 } },
    );
  });

  test('200: a key is issued with its limits, listed without itself, rotated and revoked', async () => {
    const organisationId = await organisation();
    const userId = await user(organisationId);
    const { keyId, key } = await world().operate('POST', '/operator/keys', {
      userId,
      limits: { perSecond: 3 },
    });
    assert.match(key, /^vit_live_/);
    const now = Math.floor(world().clock.now / 1000);
    const limits = { perSecond: 3, burst: 20, perDay: 10_000 };
    const none = { lastUsedAt: null, expiresAt: null, revokedAt: null };
    const listed = async () =>
      (await world().operate('GET', `/operator/keys?userId=${userId}`)).keys;
    const named = { name: 'API key', hint: `...${key.slice(-4)}` };
    assert.deepEqual(await listed(), [
      { keyId, userId, ...named, limits, createdAt: now, ...none },
    ]);
    assert.equal((await world().ask(key, 'POST', '/channels')).status, 200);

    world().clock.now += 1_000;
    const next = await world().operate('POST', `/operator/keys/${keyId}/rotate`, {
      graceSeconds: 3_600,
    });
    assert.deepEqual(
      (await listed()).map((one: { keyId: string; expiresAt: number; limits: object }) => [
        one.keyId,
        one.expiresAt,
        one.limits,
      ]),
      [
        [next.keyId, null, limits],
        [keyId, now + 3_601, limits],
      ],
    );
    await world().operate('DELETE', `/operator/keys/${keyId}`);
    await world().operate('DELETE', `/operator/keys/${keyId}`);
    assert.equal((await world().ask(key, 'POST', '/channels')).status, 403);
    assert.equal((await world().ask(next.key, 'POST', '/channels')).status, 200);
    await refused(
      409,
      'the key is revoked or expired: issue a new one',
      'POST',
      `/operator/keys/${keyId}/rotate`,
      {},
    );
    const text = JSON.stringify(
      await world().operate('GET', `/operator/keys?organisationId=${organisationId}`),
    );
    assert.ok(!text.includes(key) && !text.includes(next.key));
  });

  test('200: a channel is connected with its defaults, changed and read', async () => {
    const organisationId = await organisation();
    const channelId = `channel / ${organisationId}`;
    const path = `/operator/channels/${encodeURIComponent(channelId)}`;
    const now = Math.floor(world().clock.now / 1000);
    const connected = {
      ...channelSettings,
      channelId,
      organisationId,
      countryCode: 'DEU',
      currency: 'EUR',
      replenishment: { leadTimeDays: 30, safetyStockDays: 14, targetCoverDays: 60 },
      createdAt: now,
      updatedAt: now,
    };
    assert.deepEqual(
      await world().operate('PUT', path, { organisationId, ...channelSettings }),
      connected,
    );
    world().clock.now += 5_000;
    const changed = {
      ...channelSettings,
      organisationId,
      displayName: 'Acme Germany',
      replenishment: { leadTimeDays: 5 },
    };
    assert.deepEqual(await world().operate('PUT', path, changed), {
      ...connected,
      displayName: 'Acme Germany',
      replenishment: { leadTimeDays: 5, safetyStockDays: 14, targetCoverDays: 60 },
      updatedAt: now + 5,
    });
    const { channels, total } = await world().operate(
      'GET',
      `/operator/channels?organisationId=${organisationId}`,
    );
    assert.deepEqual([channels, total], [[await world().operate('GET', path)], 1]);
  });

  test('400: every setting of a channel is checked', async () => {
    const wrong = {
      organisationId: 'x',
      kind: 'both',
      countryCode: 'QQ',
      currency: 'EURO',
      timezone: '+02:00',
      hasAdvertisingConnected: 1,
    };
    await refused(
      400,
      'organisationId must be that of an organisation, merchantId is required, marketplace is required, kind must be seller or vendor, countryCode must be the code of a country, ' +
        'displayName is required, currency must be a currency code of three letters, timezone must be an IANA time zone, ' +
        'hasAdvertisingConnected must be true or false',
      'PUT',
      '/operator/channels/wrong',
      wrong,
    );
    await refused(
      400,
      'organisationId must be that of an organisation',
      'PUT',
      '/operator/channels/wrong',
      {
        ...channelSettings,
        organisationId: 'x',
      },
    );
    await refused(
      400,
      'countryCode must be the code of a country, currency must be a currency code of ISO 4217',
      'PUT',
      '/operator/channels/wrong',
      {
        ...channelSettings,
        organisationId: await organisation(),
        countryCode: 'QQ',
        currency: 'ecu',
      },
    );
  });

  test('409: a channel of another organisation is not taken over', async () => {
    const { channelId } = await world().tenant();
    const organisationId = await organisation();
    await refused(
      409,
      'the channel belongs to another organisation',
      'PUT',
      `/operator/channels/${channelId}`,
      {
        organisationId,
        ...channelSettings,
      },
    );
  });

  test('200: a channel that two callers connect at the same moment is connected once', async () => {
    const organisationId = await organisation();
    const path = `/operator/channels/twice-${organisationId}`;
    const answers = await Promise.all(
      [1, 2, 3].map(() => world().operator('PUT', path, { organisationId, ...channelSettings })),
    );
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [200, 200, 200],
    );
  });

  test('200: another time zone needs no rebuilding where there are no facts', async () => {
    const { organisationId, channelId } = await world().tenant();
    await world().channel(organisationId, channelId, { timezone: 'Asia/Tokyo' });
    assert.equal(
      (await world().operate('GET', `/operator/channels/${channelId}`)).timezone,
      'Asia/Tokyo',
    );
    assert.deepEqual(await world().registry.records.selectFrom('import').selectAll().execute(), []);
  });

  test('200: a deleted channel is gone for the operator and for its callers, at once', async () => {
    const { key, channelId } = await world().tenant();
    assert.equal((await world().ask(key, 'POST', '/channels')).body.length, 1);
    await world().operate('DELETE', `/operator/channels/${channelId}`);
    assert.deepEqual((await world().ask(key, 'POST', '/channels')).body, []);
    assert.equal((await world().operator('GET', `/operator/channels/${channelId}`)).status, 404);
  });

  test('200: the audit log lists every change, newest first, and no failed request', async () => {
    const organisationId = await organisation({ name: 'Audited', plan: 'standard' });
    await world().operate('PATCH', `/operator/organisations/${organisationId}`, {
      plan: 'enterprise',
    });
    await world().operator('PATCH', `/operator/organisations/${organisationId}`, { plan: 'gold' });
    await world().operate('GET', `/operator/organisations/${organisationId}`);
    const { entries, total } = await world().operate(
      'GET',
      `/operator/audit?subject=${organisationId}`,
    );
    const at = Math.floor(world().clock.now / 1000);
    assert.equal(total, 2);
    assert.deepEqual(
      entries.map(({ auditId: _, ...entry }: { auditId: number }) => entry),
      [
        {
          at,
          actor: 'operator',
          action: 'changeOrganisation',
          subject: organisationId,
          detail: { plan: 'enterprise' },
        },
        {
          at,
          actor: 'operator',
          action: 'createOrganisation',
          subject: organisationId,
          detail: {
            ...{ name: 'Audited', plan: 'standard' },
            ...{ apiAccess: true, searchQueryPerformance: true },
          },
        },
      ],
    );
  });

  test('200: the audit names each kind of change and holds no key and no e-mail address', async () => {
    const { entries } = await world().operate('GET', '/operator/audit?pageSize=1000');
    const actions = new Set(entries.map((entry: { action: string }) => entry.action));
    for (const action of [
      'createUser',
      'changeUser',
      'grantChannels',
      'issueKey',
      'rotateKey',
      'revokeKey',
      'saveChannel',
      'deleteChannel',
    ]) {
      assert.ok(actions.has(action), action);
    }
    assert.doesNotMatch(JSON.stringify(entries), /vit_live_|@example\.com/);
  });

  test('lists are paged', async () => {
    const organisationId = await organisation();
    for (let number = 0; number < 3; number += 1) await user(organisationId);
    const page = (pageIndex: number) =>
      world().operate(
        'GET',
        `/operator/users?organisationId=${organisationId}&pageSize=2&pageIndex=${pageIndex}`,
      );
    assert.deepEqual(
      [(await page(0)).users.length, (await page(1)).users.length, (await page(2)).users.length],
      [2, 1, 0],
    );
    assert.equal((await page(2)).total, 3);
  });

  test('GET /operator/openapi.json describes the interface', async () => {
    const { status, body } = await world().ask(undefined, 'GET', '/operator/openapi.json');
    assert.equal(status, 200);
    assert.equal(body.paths['/operator/keys'].post.operationId, 'issueKey');
  });
});

const calls: unknown[] = [];
let isDown = false;

/** Behaves like a warehouse that holds facts of every channel. */
function withFacts(warehouse: Warehouse): Warehouse {
  const watched: Pick<Warehouse, 'extents' | 'rebuild' | 'deleteFacts'> = {
    extents: async () => [{ table: 'traffic', firstDay: 20_000, lastDay: 20_001, rows: 2 }],
    rebuild: async ({ channel }, timezone) => {
      if (isDown) throw new StoreUnavailable('warehouse', new Error('gone'));
      calls.push(['rebuild', channel, timezone]);
    },
    deleteFacts: async (channel) => {
      if (isDown) throw new StoreUnavailable('warehouse', new Error('gone'));
      calls.push(['forget', channel]);
    },
  };
  return new Proxy(warehouse, {
    get: (target, name) => Reflect.get(name in watched ? watched : target, name),
  });
}

eachPair(
  '200 and 503: the days of a channel are built anew for another time zone, before the channel says so',
  async (world) => {
    calls.length = 0;
    isDown = false;
    const { organisationId, channelId } = await world.tenant({
      channel: { timezone: 'Europe/London' },
    });
    const path = `/operator/channels/${channelId}`;
    const timezone = async () => (await world.operate('GET', path)).timezone;
    const imports = () =>
      world.registry.records
        .selectFrom('import')
        .select(['dataset', 'state', 'error'])
        .orderBy('importId')
        .execute();
    const { channelNumber } = await world.registry.records
      .selectFrom('channel')
      .select('channelNumber')
      .executeTakeFirstOrThrow();

    await world.channel(organisationId, channelId, {
      timezone: 'Europe/London',
      displayName: 'Another name',
    });
    assert.deepEqual(calls, []);

    isDown = true;
    const change = { ...channelSettings, organisationId, timezone: 'Asia/Tokyo' };
    assert.equal((await world.operator('PUT', path, change)).status, 503);
    assert.equal(await timezone(), 'Europe/London');

    isDown = false;
    assert.equal((await world.operator('PUT', path, change)).status, 200);
    assert.equal(await timezone(), 'Asia/Tokyo');
    assert.deepEqual(calls, [['rebuild', channelNumber, 'Asia/Tokyo']]);
    assert.deepEqual(await imports(), [
      {
        dataset: 'rebuild',
        state: 'failed',
        error: 'the days of the new time zone could not be built',
      },
      { dataset: 'rebuild', state: 'done', error: null },
    ]);
  },
  { between: withFacts },
);

eachPair(
  '200 and 503: a channel goes only after its facts have gone',
  async (world) => {
    calls.length = 0;
    const { channelId } = await world.tenant();
    const { channelNumber } = await world.registry.records
      .selectFrom('channel')
      .select('channelNumber')
      .executeTakeFirstOrThrow();
    isDown = true;
    assert.equal((await world.operator('DELETE', `/operator/channels/${channelId}`)).status, 503);
    assert.equal((await world.operator('GET', `/operator/channels/${channelId}`)).status, 200);
    isDown = false;
    assert.equal((await world.operator('DELETE', `/operator/channels/${channelId}`)).status, 200);
    assert.deepEqual(calls, [['forget', channelNumber]]);
  },
  { between: withFacts },
);
