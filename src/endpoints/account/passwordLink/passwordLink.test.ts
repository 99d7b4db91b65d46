/**
 * A link to choose a password works once and for a while, until a newer link or another change
 * replaces it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachPair, testOnOnePair } from '../../../../test/harness.ts';
import { deedsOf, recordsOf } from '../../../../test/records.ts';
import {
  assertRefused,
  makeStranger,
  password,
  refusal,
  signIn,
  statusOf,
  visit,
} from '../../../../test/visitors.ts';
import { pruneLinks } from '../../../access/passwordLinks.ts';

const gone = [404, 'this link was used already, has expired or was replaced by a newer one'];
const newPassword = 'chosen by myself';

onEachPair('links to choose a password', (world, pair) => {
  const testOnce = testOnOnePair(pair);

  /** A user without a password. */
  const newcomer = async () => {
    const acme = { name: 'Acme' };
    const { organisationId } = await world().operate('POST', '/operator/organisations', acme);
    const email = `new-${crypto.randomUUID()}@example.com`;
    const user = { organisationId, email, name: null, role: 'owner' };
    return { email, ...(await world().operate('POST', '/operator/users', user)) };
  };
  const issue = async (userId: string, settings: object = {}) => {
    const link = await world().operate('POST', `/operator/users/${userId}/passwordLinks`, settings);
    const [address, token] = link.url.split('#');
    assert.equal(address, 'http://vitrine.test/console/password');
    assert.match(token, /^vit_link_[\w-]{43}$/);
    return { ...link, token };
  };
  const read = (token: string) => visit(world()).ask('POST', '/account/passwordLink', { token });
  const use = (token: string, chosen = newPassword) =>
    visit(world()).ask('PUT', '/account/passwordLink', { token, newPassword: chosen });

  const attempt = async (email: string, entered: string) => {
    const body = { email, password: entered };
    return (await visit(world()).ask('POST', '/account/session', body)).status;
  };

  test('an invitation is read, then used once, and signs in', async () => {
    const { userId, email } = await newcomer();
    const now = Math.floor(world().clock.now / 1000);
    const { token, purpose, expiresAt } = await issue(userId);
    assert.deepEqual([purpose, expiresAt], ['invitation', now + 7 * 86_400]);
    const expected = { purpose: 'invitation', email, organisation: 'Acme', expiresAt };
    for (let time = 0; time < 2; time += 1) assert.deepEqual((await read(token)).body, expected);
    assert.equal((await world().operate('GET', `/operator/users/${userId}`)).hasPassword, false);

    const visitor = visit(world());
    await assertRefused(
      use(token, 'too short'),
      400,
      'newPassword must have at least 12 characters',
    );
    const used = await visitor.ask('PUT', '/account/passwordLink', { token, newPassword });
    const user = { userId, email, name: null, role: 'owner', organisation: 'Acme' };
    assert.deepEqual(used.body, { ...user, confirmedUntil: now + 900, needsSecondFactor: false });
    assert.deepEqual(await visitor.get('/account/session'), used.body);
    assert.deepEqual([await refusal(read(token)), await refusal(use(token))], [gone, gone]);
    assert.equal((await world().operate('GET', `/operator/users/${userId}`)).hasPassword, true);
    await signIn(world(), email, { password: newPassword });

    assert.deepEqual((await deedsOf(world(), userId)).slice(1, 3), [
      [userId, 'usePasswordLink', { purpose: 'invitation', sessions: 0 }],
      ['operator', 'issuePasswordLink', { purpose: 'invitation', expiresAt }],
    ]);
  });

  testOnce('a reset signs out everywhere else', async () => {
    const { userId, email } = await makeStranger(world());
    const before = await signIn(world(), email);
    const now = Math.floor(world().clock.now / 1000);
    const { token, purpose, expiresAt } = await issue(userId);
    assert.deepEqual([purpose, expiresAt], ['reset', now + 86_400]);
    assert.equal(await statusOf(before), 200);
    assert.equal((await use(token)).status, 200);
    assert.equal(await statusOf(before), 401);
    assert.equal(await attempt(email, password), 401);
  });

  testOnce('a link ends when it is said to, and is then forgotten', async () => {
    const { userId } = await newcomer();
    const link = await issue(userId, { purpose: 'reset', validSeconds: 60 });
    const { token, expiresAt } = link;
    assert.equal(link.purpose, 'reset');
    world().clock.now = expiresAt * 1000 - 1;
    assert.equal((await read(token)).status, 200);
    await pruneLinks(world().registry, world().clock.now);
    assert.equal((await read(token)).status, 200);
    world().clock.now = expiresAt * 1000;
    assert.deepEqual([await refusal(read(token)), await refusal(use(token))], [gone, gone]);
    await pruneLinks(world().registry, world().clock.now);
    assert.deepEqual(await recordsOf(world(), 'passwordLink', { userId }), []);
  });

  testOnce('a newer link, another password or another address ends a link', async () => {
    const { userId, email } = await newcomer();
    const older = await issue(userId);
    const newer = await issue(userId);
    assert.deepEqual(await refusal(use(older.token)), gone);
    await world().operate('PATCH', `/operator/users/${userId}`, { role: 'administrator' });
    assert.equal((await read(newer.token)).status, 200);
    await world().operate('PATCH', `/operator/users/${userId}`, { email: `other-${email}` });
    assert.deepEqual(await refusal(use(newer.token)), gone);
    const third = await issue(userId);
    await world().operate('PATCH', `/operator/users/${userId}`, { password });
    assert.deepEqual(await refusal(use(third.token)), gone);
    const visitor = await signIn(world(), `other-${email}`);
    const fourth = await issue(userId);
    const changed = await visitor.ask('PUT', '/account/password', { password, newPassword });
    assert.equal(changed.status, 200);
    assert.deepEqual(await refusal(use(fourth.token)), gone);
    const fifth = await issue(userId);
    await world().operate('DELETE', `/operator/users/${userId}`);
    assert.deepEqual(await refusal(use(fifth.token)), gone);
  });

  test('of several who use a link at the same moment one wins', async () => {
    const { userId, email } = await newcomer();
    const { token } = await issue(userId);
    const chosen = ['first of the three', 'second of the three', 'third of the three'];
    const statuses = await Promise.all(chosen.map(async (one) => (await use(token, one)).status));
    assert.deepEqual(statuses.toSorted(), [200, 404, 404]);
    // The password is the winner's.
    for (const [place, status] of statuses.entries())
      assert.equal(await attempt(email, chosen[place]!), status === 200 ? 200 : 401);
  });

  testOnce('the same call of the operator gives the same link once more', async () => {
    const { userId } = await newcomer();
    const authorization = `Bearer ${world().operatorToken}`;
    const headers = { authorization, 'idempotency-key': `link-of-${userId}` };
    const url = `/operator/users/${userId}/passwordLinks`;
    const call = () => world().server.inject({ method: 'POST', url, headers });
    const [first, second] = [await call(), await call()];
    assert.equal(first.statusCode, 200);
    assert.deepEqual(second.json(), first.json());
    assert.equal(second.headers['idempotency-replayed'], 'true');
  });

  testOnce('404: what cannot be a link is none, and nobody gets one', async () => {
    const { userId } = await newcomer();
    const { token } = await issue(userId);
    const lookalikes = [token.replace('vit_link_', 'vit_session_'), token.replace(/.$/, '-')];
    for (const other of ['x', token.slice(0, -1), `${token}A`, ...lookalikes])
      if (other !== token) assert.deepEqual(await refusal(read(other)), gone, other);
    const issuing = world().operator('POST', '/operator/users/nobody/passwordLinks');
    await assertRefused(issuing, 404, 'there is no such user');
    assert.equal((await read(token)).status, 200);
  });

  testOnce('429: from one address thirty links are followed in a quarter of an hour', async () => {
    const visitor = visit(world());
    const statuses: number[] = [];
    const body = { token: 'x', newPassword };
    for (let time = 0; time < 31; time += 1) {
      const method = time % 2 === 0 ? 'POST' : 'PUT';
      statuses.push((await visitor.ask(method, '/account/passwordLink', body)).status);
    }
    assert.deepEqual(statuses, [...Array(30).fill(404), 429]);
  });
});
