/**
 * Users see their own access, and their own keys only while these are valid and the password was
 * entered recently.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachPair, onePair, testOnOnePair } from '../../../../test/harness.ts';
import { changeRecords, deedsOf } from '../../../../test/records.ts';
import {
  grant,
  makePerson,
  ownerOf,
  password,
  refusal,
  signIn,
  type Visitor,
  visit,
} from '../../../../test/visitors.ts';
import { mintKey } from '../../../access/keys.ts';
import type { Contract } from '../../../contract/endpoint.ts';
import { accountContracts } from '../../contracts.ts';

const noKey = [404, 'there is no such key'];
const minutes = 60_000;

onEachPair('access', (world, pair) => {
  const testOnce = testOnOnePair(pair);

  const reveal = (visitor: Visitor, keyId: string) =>
    visitor.ask('POST', `/account/keys/${keyId}/reveal`);
  const revealsOf = async (keyId: string) =>
    (await deedsOf(world(), keyId)).filter(([, action]) => action === 'revealKey');

  test('an owner reads plan, entitlements, channels and only the name and the last characters of the key', async () => {
    const limits = { perSecond: 3, burst: 9, perDay: 500 };
    const paid = { plan: 'enterprise', searchQueryPerformance: true, searchQueryProductMax: 70 };
    const tenant = await world().tenant({ organisation: { name: 'Northwind', ...paid }, limits });
    await world().channel(tenant.organisationId, `${tenant.channelId}-2`);
    await world().tenant();
    const visitor = await ownerOf(world(), tenant);
    const now = Math.floor(world().clock.now / 1000);
    const { keys, ...access } = await visitor.get('/account/access');
    assert.deepEqual(access, {
      role: 'owner',
      organisation: 'Northwind',
      ...paid,
      channels: 2,
      apiAccess: true,
      orders: true,
      environment: 'production',
      address: 'http://vitrine.test',
      administrators: [],
      contact: null,
    });
    const named = { keyId: tenant.keyId, name: 'API key', hint: `...${tenant.key.slice(-4)}` };
    const times = { createdAt: now, lastUsedAt: null, expiresAt: null };
    const bounds = { grants: 'all', channels: 'all', addresses: 'all', madeFrom: null };
    assert.deepEqual(keys, [{ ...named, limits, ...times, ...bounds }]);
    const standard = { plan: 'standard', searchQueryPerformance: false };
    await world().operate('PATCH', `/operator/organisations/${tenant.organisationId}`, standard);
    const less = await visitor.get('/account/access');
    const expected = ['standard', false, false];
    assert.deepEqual([less.plan, less.orders, less.searchQueryPerformance], expected);
    await grant(world(), tenant.userId, [tenant.channelId]);
    assert.equal((await visitor.get('/account/access')).channels, 1);
  });

  test('a member has no key, not even one of earlier days, and learns whom to ask', async () => {
    const tenant = await world().tenant();
    const owner = await ownerOf(world(), tenant);
    const { email: ownersEmail } = await owner.get('/account/session');
    const settings = { role: 'administrator' } as const;
    const { userId, email } = await makePerson(world(), tenant.organisationId, settings);
    const { keyId } = await world().operate('POST', '/operator/keys', { userId });
    const visitor = await signIn(world(), email);
    assert.equal((await visitor.get('/account/access')).keys.length, 1);
    await world().operate('PATCH', `/operator/users/${userId}`, { role: 'member' });
    await makePerson(world(), (await world().tenant()).organisationId);
    const { role, keys, channels, administrators } = await visitor.get('/account/access');
    assert.deepEqual([role, keys, channels, administrators], ['member', [], 0, [ownersEmail]]);
    assert.deepEqual(await refusal(reveal(visitor, keyId)), noKey);
    assert.deepEqual(await refusal(reveal(visitor, tenant.keyId)), noKey);
  });

  testOnce('without API access there is no key to be shown', async () => {
    const tenant = await world().tenant();
    const visitor = await ownerOf(world(), tenant);
    const organisation = `/operator/organisations/${tenant.organisationId}`;
    await world().operate('PATCH', organisation, { apiAccess: false });
    const { apiAccess, keys } = await visitor.get('/account/access');
    assert.deepEqual([apiAccess, keys], [false, []]);
    assert.deepEqual(await refusal(reveal(visitor, tenant.keyId)), noKey);
  });

  test('keys are listed while they are valid, the last used first, then the newest', async () => {
    const tenant = await world().tenant();
    const visitor = await ownerOf(world(), tenant);
    const listed = async () =>
      (await visitor.get('/account/access')).keys.map(({ keyId }: { keyId: string }) => keyId);
    world().clock.now += 1_000;
    const rotation = `/operator/keys/${tenant.keyId}/rotate`;
    const rotated = await world().operate('POST', rotation, { graceSeconds: 60 });
    assert.deepEqual(await listed(), [rotated.keyId, tenant.keyId]);
    assert.deepEqual((await reveal(visitor, tenant.keyId)).body, { key: tenant.key });
    await world().ask(tenant.key, 'POST', '/channels', {});
    assert.deepEqual(await listed(), [tenant.keyId, rotated.keyId]);
    world().clock.now += 1;
    await world().ask(rotated.key, 'POST', '/channels', {});
    assert.deepEqual(await listed(), [rotated.keyId, tenant.keyId]);
    world().clock.now += 60_000;
    assert.deepEqual(await listed(), [rotated.keyId]);
    assert.deepEqual(await refusal(reveal(visitor, tenant.keyId)), noKey);
    await world().operate('DELETE', `/operator/keys/${rotated.keyId}`);
    assert.deepEqual(await listed(), []);
    assert.deepEqual(await refusal(reveal(visitor, rotated.keyId)), noKey);
  });

  testOnce('a key is revealed for a quarter of an hour after a password, and noted', async () => {
    const tenant = await world().tenant();
    const visitor = await ownerOf(world(), tenant);
    const { userId, keyId, key } = tenant;
    const began = world().clock.now;
    const shown = await reveal(visitor, keyId);
    const expected = [200, { key }, 'no-store'];
    assert.deepEqual([shown.status, shown.body, shown.headers['cache-control']], expected);
    world().clock.now = began + 15 * minutes - 1;
    assert.equal((await reveal(visitor, keyId)).status, 200);
    assert.deepEqual(await revealsOf(keyId), Array(2).fill([userId, 'revealKey', {}]));

    world().clock.now = began + 15 * minutes;
    const again = [403, 'enter your password again to see the key'];
    assert.deepEqual(await refusal(reveal(visitor, keyId)), again);
    const confirm = (entered: string) =>
      visitor.ask('POST', '/account/session/confirmation', { password: entered });
    assert.deepEqual(await refusal(confirm('not the password')), [403, 'the password is wrong']);
    assert.equal((await reveal(visitor, keyId)).status, 403);
    assert.equal((await revealsOf(keyId)).length, 2);
    const { status, body } = await confirm(password);
    assert.deepEqual([status, body.confirmedUntil], [200, Math.floor(began / 1000) + 30 * 60]);
    assert.deepEqual((await reveal(visitor, keyId)).body, { key });
    assert.equal((await revealsOf(keyId)).length, 3);
  });

  testOnce('404: keys of other people do not exist, of the same organisation or not', async () => {
    const [tenant, other] = [await world().tenant(), await world().tenant()];
    const visitor = await ownerOf(world(), tenant);
    const { userId } = await makePerson(world(), tenant.organisationId);
    const { keyId } = await world().operate('POST', '/operator/keys', { userId });
    for (const foreign of [other.keyId, keyId, 'nothing'])
      assert.deepEqual(await refusal(reveal(visitor, foreign)), noKey);
    assert.deepEqual([await revealsOf(other.keyId), await revealsOf(keyId)], [[], []]);
  });

  testOnce('409: a key that was made with another secret cannot be shown', async () => {
    const tenant = await world().tenant();
    const visitor = await ownerOf(world(), tenant);
    const { sealed } = mintKey('another secret of the tests', tenant.keyId, 'production');
    await changeRecords(world(), 'apiKey', { keyId: tenant.keyId }, { sealed });
    const { keys } = await visitor.get('/account/access');
    assert.equal(keys[0].hint, `...${tenant.key.slice(-4)}`);
    const [status, error] = await refusal(reveal(visitor, tenant.keyId));
    assert.equal(status, 409);
    assert.match(error, /ask the operator of the service for a new one/);
    assert.deepEqual(await revealsOf(tenant.keyId), []);
  });

  testOnce('429: a password is entered again ten times in a quarter of an hour', async () => {
    const tenant = await world().tenant();
    const visitor = await ownerOf(world(), tenant);
    const statuses: number[] = [];
    const confirmation = '/account/session/confirmation';
    const entered = { password: 'not the password', newPassword: 'another password' };
    for (let time = 0; time < 5; time += 1) {
      statuses.push((await visitor.ask('POST', confirmation, entered)).status);
      statuses.push((await visitor.ask('PUT', '/account/password', entered)).status);
    }
    assert.deepEqual(statuses, Array(10).fill(403));
    const { status, headers } = await visitor.ask('POST', confirmation, { password });
    assert.equal(status, 429);
    assert.ok(Number(headers['retry-after']) > 800);
  });

  testOnce('401: a visitor without a session learns nothing about the key', async () => {
    const tenant = await world().tenant();
    const authorization = `Bearer ${world().operatorToken}`;
    const keys = { 'x-api-key': tenant.key, authorization };
    const visitor = visit(world());
    for (const { access, operation, method, path } of Object.values<Contract>(accountContracts)) {
      if (access === 'open') continue;
      const asking = visitor.ask(method, path.replace(/\{\w+\}/, tenant.keyId), undefined, keys);
      assert.deepEqual(await refusal(asking), [401, 'sign in first'], operation);
    }
  });
});

onePair(
  'a session opens the account pages only; the refusal names the contact if there is one',
  async (world) => {
    const tenant = await world.tenant();
    const { email } = await makePerson(world, tenant.organisationId);
    const visitor = await signIn(world, email);
    const { contact, environment } = await visitor.get('/account/access');
    assert.deepEqual([contact, environment], ['help@vitrine.example', 'staging']);
    assert.equal((await visitor.ask('POST', '/channels', {})).status, 403);
    assert.equal((await visitor.ask('GET', '/operator/users')).status, 401);
  },
  { config: { contact: 'help@vitrine.example', environment: 'staging' } },
);
