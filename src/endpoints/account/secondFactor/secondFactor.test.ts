/**
 * The second factor: codes of an app and recovery codes each work once, few may be guessed, and it
 * can be turned off.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Answer,
  onEachPair,
  onOnePair,
  testOnOnePair,
  type World,
} from '../../../../test/harness.ts';
import { deedsOf } from '../../../../test/records.ts';
import { codeAt } from '../../../../test/secondFactor.ts';
import {
  makeStranger,
  password,
  signIn,
  statusOf,
  type Visitor,
  visit,
} from '../../../../test/visitors.ts';
import type { Contract } from '../../../contract/endpoint.ts';
import { accountContracts, publicContracts } from '../../contracts.ts';

test('the codes of this test are the ones in RFC 6238', () => {
  // The secret 12345678901234567890 of its appendix B, whose codes have eight digits.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  assert.equal(codeAt(secret, 59_000), '287082');
  assert.equal(codeAt(secret, 1_111_111_109_000), '081804');
});

/** Turns the factor on, and moves the clock on so that another code is due. */
async function turnOn({ clock }: World, visitor: Visitor) {
  const { body } = await visitor.ask('POST', '/account/secondFactor', { password });
  const first = { code: codeAt(body.secret, clock.now) };
  const confirmed = await visitor.ask('PUT', '/account/secondFactor', first);
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  clock.now += 30_000;
  return { ...body, recoveryCodes: confirmed.body.recoveryCodes as string[] };
}

onEachPair('the second factor', (world, pair) => {
  const testOnce = testOnOnePair(pair);

  const refusal = ({ status, body }: Answer) => [status, body.error, body.codeRequired];
  const enter = 'enter the code of your authenticator app';
  const wrong = 'the code is wrong or was used before';
  const attempt = (email: string, code?: string, by = visit(world())) =>
    by.ask('POST', '/account/session', { email, password, ...(code !== undefined && { code }) });

  async function person() {
    const made = await makeStranger(world());
    return { ...made, visitor: await signIn(world(), made.email) };
  }

  test('once confirmed, sign-in asks for a code, and each works once', async () => {
    const { email, userId, visitor } = await person();
    const other = await signIn(world(), email);
    const off = { onSince: null, codesLeft: 0, isRequired: false };
    assert.deepEqual(await visitor.get('/account/secondFactor'), off);
    const mistaken = { password: 'not the password' };
    assert.equal((await visitor.ask('POST', '/account/secondFactor', mistaken)).status, 403);
    const early = await visitor.ask('PUT', '/account/secondFactor', { code: '000000' });
    assert.equal(early.status, 409);

    const { body } = await visitor.ask('POST', '/account/secondFactor', { password });
    assert.match(body.secret, /^[A-Z2-7]{32}$/);
    const address = new URL(body.address);
    const { secret: named, issuer } = Object.fromEntries(address.searchParams);
    assert.deepEqual([address.protocol, named, issuer], ['otpauth:', body.secret, 'Vitrine']);
    assert.equal((await attempt(email)).status, 200, 'no code is required before it is confirmed');
    const far = { code: codeAt(body.secret, world().clock.now + 300_000) };
    assert.equal((await visitor.ask('PUT', '/account/secondFactor', far)).status, 403);
    // Asking again gives another secret.
    const { secret, recoveryCodes } = await turnOn(world(), visitor);
    assert.notEqual(secret, body.secret);
    assert.equal(new Set(recoveryCodes).size, 10);
    for (const code of recoveryCodes) assert.match(code, /^[a-z2-9]{4}(-[a-z2-9]{4}){5}$/);
    const state = await visitor.get('/account/secondFactor');
    assert.deepEqual(state, { ...off, onSince: world().clock.now / 1000 - 30, codesLeft: 10 });
    assert.equal(await statusOf(other), 401, 'other sessions end');
    assert.equal((await visitor.ask('POST', '/account/secondFactor', { password })).status, 409);

    assert.deepEqual(refusal(await attempt(email)), [401, enter, true]);
    const used = codeAt(secret, world().clock.now);
    const late = codeAt(secret, world().clock.now - 90_000);
    for (const code of ['000000', 'x', late, used.slice(1)])
      assert.deepEqual(refusal(await attempt(email, code)), [401, wrong, true]);
    const entered = { email, ...mistaken, code: used };
    const without = await visit(world()).ask('POST', '/account/session', entered);
    const wrongPassword = 'the e-mail address or the password is wrong';
    assert.deepEqual(refusal(without), [401, wrongPassword, undefined]);
    assert.equal((await attempt(email, `${used.slice(0, 3)} ${used.slice(3)}`)).status, 200);
    assert.deepEqual(refusal(await attempt(email, used)), [401, wrong, true]);
    world().clock.now += 30_000;
    assert.equal((await attempt(email, codeAt(secret, world().clock.now))).status, 200);
    const deeds = (await deedsOf(world(), userId)) as [string, string, { attempts: number }][];
    const attempts = deeds
      .filter(([actor, action]) => actor === 'visitor' && action === 'refuseSignIn')
      .reduce((sum, [, , detail]) => sum + detail.attempts, 0);
    assert.equal(attempts, 6);
  });

  testOnce('a recovery code works once, and new ones replace the old', async () => {
    const { email, visitor } = await person();
    const { recoveryCodes } = await turnOn(world(), visitor);
    const [first, second] = recoveryCodes as [string, string];
    assert.equal((await attempt(email, first.toUpperCase().replaceAll('-', ' '))).status, 200);
    assert.deepEqual(refusal(await attempt(email, first)), [401, wrong, true]);
    assert.equal((await visitor.get('/account/secondFactor')).codesLeft, 9);
    const path = '/account/secondFactor/recoveryCodes';
    const { body } = await visitor.ask('POST', path, { password });
    assert.deepEqual(refusal(await attempt(email, second)), [401, wrong, true]);
    assert.equal((await attempt(email, body.recoveryCodes[0])).status, 200);
    const { email: other, visitor: stranger } = await person();
    await turnOn(world(), stranger);
    assert.deepEqual(refusal(await attempt(other, body.recoveryCodes[1])), [401, wrong, true]);
  });

  testOnce('codes are guessed ten times in a quarter of an hour at most', async () => {
    const { email, visitor } = await person();
    const { secret } = await turnOn(world(), visitor);
    const statuses: number[] = [];
    // The first attempt of the ten confirmed the factor.
    for (let time = 0; time < 10; time += 1) statuses.push((await attempt(email, '000000')).status);
    assert.deepEqual(statuses, [...Array(9).fill(401), 429]);
    assert.equal((await attempt(email, codeAt(secret, world().clock.now))).status, 429);
  });

  testOnce('a password link asks for the code too, and stays until it is right', async () => {
    const { userId, visitor } = await person();
    const { secret } = await turnOn(world(), visitor);
    const { url } = await world().operate('POST', `/operator/users/${userId}/passwordLinks`, {});
    const body = { token: url.split('#')[1], newPassword: 'violet anchors hum quietly' };
    const use = (code?: string) =>
      visit(world()).ask('PUT', '/account/passwordLink', { ...body, ...(code && { code }) });
    assert.deepEqual(refusal(await use()), [401, enter, true]);
    assert.deepEqual(refusal(await use('000000')), [401, wrong, true]);
    assert.equal((await use(codeAt(secret, world().clock.now))).status, 200);
  });

  testOnce('the user turns it off by the password, the operator for one who lost all', async () => {
    const { email, userId, visitor } = await person();
    await turnOn(world(), visitor);
    const remove = (entered: string) =>
      visitor.ask('DELETE', '/account/secondFactor', { password: entered });
    assert.equal((await remove('not the password')).status, 403);
    assert.equal((await remove(password)).status, 200);
    assert.equal((await attempt(email)).status, 200);
    const codes = '/account/secondFactor/recoveryCodes';
    assert.equal((await visitor.ask('POST', codes, { password })).status, 409);
    await turnOn(world(), visitor);
    assert.equal((await attempt(email)).status, 401);
    const path = `/operator/users/${userId}/secondFactor`;
    await world().operate('DELETE', path);
    assert.equal((await attempt(email)).status, 200);
    await world().operate('DELETE', path);
    const nobody = await world().operator('DELETE', '/operator/users/nobody/secondFactor');
    assert.equal(nobody.status, 404);
    const actions = (await deedsOf(world(), userId)).map(([, action]) => action);
    assert.ok(actions.includes('removeSecondFactor') && actions.includes('removeUserSecondFactor'));
    await turnOn(world(), visitor);
    await world().operate('DELETE', `/operator/users/${userId}`);
  });
});

onOnePair(
  'a second factor that the service requires',
  (world) => {
    test('a user without one can set one up, and nothing else', async () => {
      const { email, userId } = await makeStranger(world());
      const visitor = await signIn(world(), email);
      const { url } = await world().operate('POST', `/operator/users/${userId}/passwordLinks`, {});
      const chosen = { token: url.split('#')[1], newPassword: password };
      const begun = await visitor.ask('PUT', '/account/passwordLink', chosen);
      assert.deepEqual([begun.status, begun.body.needsSecondFactor], [200, true]);
      const other = await signIn(world(), email);
      const error = 'this service requires a second factor: set one up first';
      const refused = { status: 'error', error, secondFactorRequired: true };
      const answered: string[] = [];
      for (const contract of Object.values<Contract>({ ...publicContracts, ...accountContracts })) {
        const { operation, access, method, path } = contract;
        if (access === 'open' || operation === 'signOut') continue;
        const prefix = access === 'key' ? '/account/data' : '';
        const way = prefix + path.replaceAll(/\{\w+\}/g, 'x');
        const { status, body } = await other.ask(method, way, method === 'GET' ? undefined : {});
        if (status !== 403) answered.push(operation);
        else assert.deepEqual(body, refused, operation);
      }
      const setUp = ['confirmSecondFactor', 'enrolSecondFactor', 'readSecondFactor'];
      assert.deepEqual(answered.sort(), [...setUp, 'readSession']);
      await turnOn(world(), visitor);
      assert.equal((await visitor.get('/account/session')).needsSecondFactor, false);
      assert.equal((await visitor.get('/account/secondFactor')).isRequired, true);
      const turnOff = visitor.ask('DELETE', '/account/secondFactor', { password });
      assert.equal((await turnOff).status, 409);
      assert.equal((await visitor.ask('POST', '/account/data/channels', {})).status, 200);
      await world().operate('DELETE', `/operator/users/${userId}/secondFactor`);
      assert.deepEqual((await visitor.ask('GET', '/account/access')).body, refused);
    });
  },
  { config: { requiresSecondFactor: true } },
);
