/**
 * The operator makes, changes, lists and removes organisations, users, keys and channels; every
 * change is in the audit log, and every refusal says why.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Method, onEachPair, onOnePair, testOnOnePair } from '../../../test/harness.ts';
import { channelNumberOf, recordOf, recordsOf } from '../../../test/records.ts';
import { assertShown } from '../../../test/world.ts';
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

onEachPair('the operator interface', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  const operate = (method: Method, path: string, body?: unknown) =>
    world().operate(method, `/operator/${path}`, body);
  let count = 0;
  const email = () => {
    count += 1;
    return `person-${count}-${pair}@example.com`;
  };
  const organisation = async (settings: object = {}): Promise<string> =>
    (await operate('POST', 'organisations', { name: 'Acme', ...settings })).organisationId;
  const user = async (organisationId: string, role = 'owner'): Promise<string> =>
    (await operate('POST', 'users', { organisationId, email: email(), role })).userId;
  const seconds = () => Math.floor(world().clock.now / 1000);
  type Request = [method: Method, path: string, body?: unknown];
  const refused = async (status: number, error: string, ...[method, path, body]: Request) => {
    const answer = await world().operator(method, `/operator/${path}`, body);
    assert.deepEqual([answer.status, answer.body], [status, { status: 'error', error }]);
  };

  test('200: an organisation is made with all entitlements, read, changed and listed', async () => {
    const organisationId = await organisation({ name: ' 0 Bravo ' });
    const made = {
      organisationId,
      name: '0 Bravo',
      plan: 'enterprise',
      createdAt: seconds(),
      apiAccess: true,
      searchQueryPerformance: true,
      searchQueryProductMax: 50,
    };
    const path = `organisations/${organisationId}`;
    assert.deepEqual(await operate('GET', path), made);
    const less = { apiAccess: false, searchQueryPerformance: false, searchQueryProductMax: 7 };
    const changes = { plan: 'standard', ...less };
    const changed = { ...made, ...changes };
    assert.deepEqual(await operate('PATCH', path, changes), changed);
    assert.deepEqual(await operate('PATCH', path, {}), changed);
    const { organisations, total } = await operate('GET', 'organisations?pageSize=1000');
    assert.equal(organisations.length, Math.min(total, 1000));
    const found = (one: { organisationId: string }) => one.organisationId === organisationId;
    assert.deepEqual(organisations.filter(found), [changed]);
  });

  testOnce('404: records that do not exist', async () => {
    for (const [method, path, kind, body] of [
      ['GET', 'organisations/x', 'organisation'],
      ['PATCH', 'organisations/x', 'organisation', {}],
      ['GET', 'users/x', 'user'],
      ['PATCH', 'users/x', 'user', {}],
      ['PUT', 'users/x/channels', 'user', { channelIds: 'all' }],
      ['POST', 'keys/x/rotate', 'key', {}],
      ['DELETE', 'keys/x', 'key'],
      ['GET', 'channels/x', 'channel'],
      ['DELETE', 'channels/x', 'channel'],
    ] as const)
      await refused(404, `there is no such ${kind}`, method, path, body);
  });

  test('200: a user is made, with the e-mail address in lower case, read, changed and listed', async () => {
    const organisationId = await organisation();
    const address = email();
    const input = { organisationId, email: ` ${address.toUpperCase()} `, role: 'owner' };
    const { userId } = await operate('POST', 'users', input);
    const made = {
      userId,
      organisationId,
      email: address,
      role: 'owner',
      channelIds: 'all',
      name: null,
      lastSignInAt: null,
      hasPassword: false,
      createdAt: seconds(),
    };
    assert.deepEqual(await operate('GET', `users/${userId}`), made);
    const demoted = { ...made, role: 'member', channelIds: [] };
    assert.deepEqual(await operate('PATCH', `users/${userId}`, { role: 'member' }), demoted);
    const { users, total } = await operate('GET', `users?organisationId=${organisationId}`);
    assert.deepEqual([users, total], [[demoted], 1]);
    const promoted = await operate('PATCH', `users/${userId}`, { role: 'administrator' });
    assert.deepEqual(promoted, { ...made, role: 'administrator' });
  });

  testOnce('200: a password is stored as a hash, and returned nowhere', async () => {
    const organisationId = await organisation();
    const password = 'correct horse battery';
    const person = { organisationId, email: email(), role: 'owner', password };
    const { userId } = await operate('POST', 'users', person);
    const { passwordHash } = await recordOf(world(), 'userAccount', { userId });
    const hash = /^\$argon2id\$v=19\$m=64,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;
    assert.match(passwordHash!, hash);
    assert.notEqual(await hashPassword(password), passwordHash);
    const answers = [await operate('GET', `users/${userId}`), await operate('GET', 'audit')];
    const everything = JSON.stringify(answers);
    assert.ok(!everything.includes(password) && !everything.includes('argon2id'));
    const error = 'password must have at least 12 characters';
    await refused(400, error, 'PATCH', `users/${userId}`, { password: 'short' });
  });

  test('400 and 409: a user needs an organisation and an e-mail address of its own', async () => {
    const organisationId = await organisation();
    const taken = email();
    const valid = { organisationId, role: 'owner' };
    await operate('POST', 'users', { ...valid, email: taken });
    const other = await user(organisationId);
    const notOwn = 'another user has this e-mail address';
    const both =
      'email must be an e-mail address, role must be owner or administrator or member or viewer';
    await refused(409, notOwn, 'POST', 'users', { ...valid, email: taken.toUpperCase() });
    await refused(409, notOwn, 'PATCH', `users/${other}`, { email: taken });
    for (const [error, wrong] of [
      ['organisationId must be that of an organisation', { organisationId: 'x' }],
      [both, { email: 'nobody', role: 'boss' }],
    ] as const)
      await refused(400, error, 'POST', 'users', { ...valid, email: email(), ...wrong });
  });

  test('200 and 400: channels are granted by name, and only within the organisation', async () => {
    const acme = await world().tenant();
    const other = await world().tenant();
    const userId = await user(acme.organisationId, 'member');
    const path = `users/${userId}/channels`;
    const granted = async (...channelIds: string[]) =>
      (await operate('PUT', path, { channelIds })).channelIds;
    assert.deepEqual(await granted(acme.channelId, acme.channelId), [acme.channelId]);
    const foreign = "channelIds[1] must be a channel of the user's organisation";
    const two = { channelIds: [acme.channelId, other.channelId] };
    await refused(400, foreign, 'PUT', path, two);
    const { channelIds } = await operate('GET', `users/${userId}`);
    assert.deepEqual(channelIds, [acme.channelId]);
    const noList = 'channelIds must be an array of channel identifiers or all';
    await refused(400, noList, 'PUT', path, { channelIds: 'some' });
    assert.equal((await operate('PUT', path, { channelIds: 'all' })).channelIds, 'all');
  });

  testOnce(
    '400: keys are issued only to owners and administrators of organisations with API access',
    async () => {
      const organisationId = await organisation({ apiAccess: false });
      const noAccess = "API access is not enabled for the user's organisation";
      const onlyOwners = 'keys are issued only to owners and administrators';
      for (const [error, body] of [
        [noAccess, { userId: await user(organisationId) }],
        [`${onlyOwners}, ${noAccess}`, { userId: await user(organisationId, 'member') }],
        ['userId must be that of a user', { userId: 'x' }],
      ] as const)
        await refused(400, error, 'POST', 'keys', body);
    },
  );

  test('200: a key is issued with its limits, listed without itself, rotated and revoked', async () => {
    const organisationId = await organisation();
    const userId = await user(organisationId);
    const { keyId, key } = await operate('POST', 'keys', { userId, limits: { perSecond: 3 } });
    assert.match(key, /^vit_live_/);
    const now = seconds();
    const limits = { perSecond: 3, burst: 20, perDay: 10_000 };
    const none = { lastUsedAt: null, expiresAt: null, revokedAt: null };
    const listed = async () => (await operate('GET', `keys?userId=${userId}`)).keys;
    const named = { name: 'API key', hint: `...${key.slice(-4)}` };
    const bounds = { grants: 'all', channels: 'all', addresses: 'all', madeFrom: null };
    const issued = { keyId, userId, ...named, limits, ...bounds, createdAt: now, ...none };
    assert.deepEqual(await listed(), [issued]);
    const statusOf = async (one: string) => (await world().ask(one, 'POST', '/channels')).status;
    assert.equal(await statusOf(key), 200);

    world().clock.now += 1_000;
    const next = await operate('POST', `keys/${keyId}/rotate`, { graceSeconds: 3_600 });
    assertShown(await listed())`
      keyId,         expiresAt
      ${next.keyId}, null
      ${keyId},      ${now + 3_601}`;
    for (const one of await listed()) assert.deepEqual(one.limits, limits);
    await operate('DELETE', `keys/${keyId}`);
    await operate('DELETE', `keys/${keyId}`);
    assert.deepEqual([await statusOf(key), await statusOf(next.key)], [403, 200]);
    const gone = 'the key is revoked or expired: issue a new one';
    await refused(409, gone, 'POST', `keys/${keyId}/rotate`, {});
    const text = JSON.stringify(await operate('GET', `keys?organisationId=${organisationId}`));
    assert.ok(!text.includes(key) && !text.includes(next.key));
  });

  test('200: a channel is connected with its defaults, changed and read', async () => {
    const organisationId = await organisation();
    const channelId = `channel / ${organisationId}`;
    const path = `channels/${encodeURIComponent(channelId)}`;
    const now = seconds();
    const replenishment = { leadTimeDays: 30, safetyStockDays: 14, targetCoverDays: 60 };
    const connected = {
      ...channelSettings,
      channelId,
      organisationId,
      countryCode: 'DEU',
      currency: 'EUR',
      replenishment,
      pricesIncludeTax: null,
      createdAt: now,
      updatedAt: now,
    };
    const settings = { organisationId, ...channelSettings };
    assert.deepEqual(await operate('PUT', path, settings), connected);
    world().clock.now += 5_000;
    const displayName = 'Acme Germany';
    const changed = { ...settings, displayName, replenishment: { leadTimeDays: 5 } };
    assert.deepEqual(await operate('PUT', path, changed), {
      ...connected,
      displayName,
      updatedAt: now + 5,
      replenishment: { ...replenishment, leadTimeDays: 5 },
    });
    const { channels, total } = await operate('GET', `channels?organisationId=${organisationId}`);
    assert.deepEqual([channels, total], [[await operate('GET', path)], 1]);
  });

  testOnce('400: a channel needs an organisation', async () => {
    const error = 'organisationId must be that of an organisation';
    const settings = { ...channelSettings, organisationId: 'x' };
    await refused(400, error, 'PUT', 'channels/wrong', settings);
  });

  testOnce('409: a channel of another organisation is not taken over', async () => {
    const { channelId } = await world().tenant();
    const taking = { organisationId: await organisation(), ...channelSettings };
    const error = 'the channel belongs to another organisation';
    await refused(409, error, 'PUT', `channels/${channelId}`, taking);
  });

  test('200: a channel that two callers connect at the same moment is connected once', async () => {
    const organisationId = await organisation();
    const path = `/operator/channels/twice-${organisationId}`;
    const connect = () => world().operator('PUT', path, { organisationId, ...channelSettings });
    const answers = await Promise.all([connect(), connect(), connect()]);
    for (const { status } of answers) assert.equal(status, 200);
  });

  test('200: another time zone needs no rebuilding where there are no facts', async () => {
    const { organisationId, channelId } = await world().tenant();
    await world().channel(organisationId, channelId, { timezone: 'Asia/Tokyo' });
    assert.equal((await operate('GET', `channels/${channelId}`)).timezone, 'Asia/Tokyo');
    assert.equal((await operate('GET', `imports?channelId=${channelId}`)).total, 0);
  });

  test('200: a deleted channel is gone for the operator and for its callers, at once', async () => {
    const { key, channelId } = await world().tenant();
    assert.equal((await world().ask(key, 'POST', '/channels')).body.length, 1);
    await operate('DELETE', `channels/${channelId}`);
    assert.deepEqual((await world().ask(key, 'POST', '/channels')).body, []);
    await refused(404, 'there is no such channel', 'GET', `channels/${channelId}`);
  });

  test('200: the audit log lists every change, newest first, and no failed request', async () => {
    const organisationId = await organisation({ name: 'Audited', plan: 'standard' });
    const path = `organisations/${organisationId}`;
    await operate('PATCH', path, { plan: 'enterprise' });
    await world().operator('PATCH', `/operator/${path}`, { plan: 'gold' });
    await operate('GET', path);
    const { entries, total } = await operate('GET', `audit?subject=${organisationId}`);
    const common = { at: seconds(), actor: 'operator', subject: organisationId };
    const granted = { apiAccess: true, searchQueryPerformance: true };
    const created = { name: 'Audited', plan: 'standard', ...granted };
    assert.equal(total, 2);
    assert.deepEqual(
      entries.map(({ auditId: _, ...entry }: { auditId: number }) => entry),
      [
        { ...common, action: 'changeOrganisation', detail: { plan: 'enterprise' } },
        { ...common, action: 'createOrganisation', detail: created },
      ],
    );
  });

  test('200: the audit names each kind of change and holds no key and no e-mail address', async () => {
    const { entries } = await operate('GET', 'audit?pageSize=1000');
    const actions = new Set(entries.map((entry: { action: string }) => entry.action));
    const named = 'createUser changeUser grantChannels issueKey rotateKey revokeKey saveChannel';
    for (const action of `${named} deleteChannel`.split(' '))
      assert.ok(actions.has(action), action);
    assert.doesNotMatch(JSON.stringify(entries), /vit_live_|@example\.com/);
  });

  test('lists are paged', async () => {
    const organisationId = await organisation();
    for (let number = 0; number < 3; number += 1) await user(organisationId);
    for (const [pageIndex, length] of [2, 1, 0].entries()) {
      const query = `organisationId=${organisationId}&pageSize=2&pageIndex=${pageIndex}`;
      const { users, total } = await operate('GET', `users?${query}`);
      assert.deepEqual([users.length, total], [length, 3]);
    }
  });

  testOnce('GET /operator/openapi.json describes the interface', async () => {
    const { status, body } = await world().ask(undefined, 'GET', '/operator/openapi.json');
    assert.equal(status, 200);
    assert.equal(body.paths['/operator/keys'].post.operationId, 'issueKey');
  });
});

const calls: unknown[] = [];
let isDown = false;

/** Behaves like a warehouse that holds facts of every channel. */
function withFacts(warehouse: Warehouse): Warehouse {
  const down = () => new StoreUnavailable('warehouse', new Error('gone'));
  const watched: Pick<Warehouse, 'extents' | 'rebuild' | 'deleteFacts'> = {
    extents: async () => [{ table: 'traffic', firstDay: 20_000, lastDay: 20_001, rows: 2 }],
    rebuild: async ({ channel }, timezone) => {
      if (isDown) throw down();
      calls.push(['rebuild', channel, timezone]);
    },
    deleteFacts: async (channel) => {
      if (isDown) throw down();
      calls.push(['forget', channel]);
    },
  };
  return new Proxy(warehouse, {
    get: (target, name) => Reflect.get(name in watched ? watched : target, name),
  });
}

onOnePair(
  'channels with facts',
  (world) => {
    test('200 and 503: the days of a channel are built anew for another time zone, before the channel says so', async () => {
      calls.length = 0;
      const london = { timezone: 'Europe/London' };
      const { organisationId, channelId } = await world().tenant({ channel: london });
      const path = `/operator/channels/${channelId}`;
      const timezone = async () => (await world().operate('GET', path)).timezone;
      await world().channel(organisationId, channelId, { ...london, displayName: 'Another name' });
      assert.deepEqual(calls, []);

      isDown = true;
      const change = { ...channelSettings, organisationId, timezone: 'Asia/Tokyo' };
      assert.equal((await world().operator('PUT', path, change)).status, 503);
      assert.equal(await timezone(), 'Europe/London');

      isDown = false;
      assert.equal((await world().operator('PUT', path, change)).status, 200);
      assert.equal(await timezone(), 'Asia/Tokyo');
      const channelNumber = await channelNumberOf(world(), channelId);
      assert.deepEqual(calls, [['rebuild', channelNumber, 'Asia/Tokyo']]);
      assertShown(await recordsOf(world(), 'import', { channelNumber }, 'importId'))`
        dataset, state,  error
        rebuild, failed, the days of the new time zone could not be built
        rebuild, done,   null`;
    });

    test('200 and 503: a channel goes only after its facts have gone', async () => {
      calls.length = 0;
      const { channelId } = await world().tenant();
      const channelNumber = await channelNumberOf(world(), channelId);
      const path = `/operator/channels/${channelId}`;
      const statusOf = async (method: Method) => (await world().operator(method, path)).status;
      isDown = true;
      assert.deepEqual([await statusOf('DELETE'), await statusOf('GET')], [503, 200]);
      isDown = false;
      assert.equal(await statusOf('DELETE'), 200);
      assert.deepEqual(calls, [['forget', channelNumber]]);
    });
  },
  { between: withFacts },
);
