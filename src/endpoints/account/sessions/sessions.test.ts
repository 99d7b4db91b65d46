/**
 * Sessions are listed to their user, and end when they are ended, unused, old, or the password
 * changes.
 */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { mock, test } from 'node:test';
import { type Method, onEachPair, onOnePair, testOnOnePair } from '../../../../test/harness.ts';
import { changeRecords, deedsOf, recordsOf } from '../../../../test/records.ts';
import { barsOf, rowsOf, textBeside } from '../../../../test/table.ts';
import {
  assertRefused,
  makeStranger,
  password,
  refusal,
  signIn,
  statusOf,
  type Visitor,
  visit,
} from '../../../../test/visitors.ts';
import { assertShown } from '../../../../test/world.ts';
import { browserOf } from '../../../access/browserName.ts';
import { pruneSessions } from '../../../access/sessions.ts';
import { defaultLimits } from '../../../config.ts';

const day = 86_400_000;
const chromeOnWindows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const signedOut = [401, 'sign in first'];

onEachPair('sessions', (world, pair) => {
  const testOnce = testOnOnePair(pair);

  const person = (role: 'owner' | 'member' = 'owner') => makeStranger(world(), { role });
  const said = async (userId: string) =>
    (await deedsOf(world(), userId)).map(
      ([actor, action, detail]) => `${actor} ${action} ${JSON.stringify(detail)}`,
    );
  const sessionsOf = async (visitor: Visitor) =>
    (await visitor.get('/account/sessions')).sessions as Record<string, unknown>[];
  const ofUser = (userId: string) => recordsOf(world(), 'session', { userId });
  const attempt = async (email: string) =>
    (await visit(world()).ask('POST', '/account/session', { email, password })).status;

  test('are listed with browser and times, the present one first', async () => {
    const { email } = await person();
    const now = Math.floor(world().clock.now / 1000);
    const first = await signIn(world(), email);
    world().clock.now += 100_000;
    const second = await signIn(world(), email, { userAgent: chromeOnWindows });
    const bySecond = await sessionsOf(second);
    const [one, other] = bySecond.map(({ sessionId }) => sessionId);
    const ends = now + 30 * 86_400;
    const expected = rowsOf(`
      sessionId, browser,           isCurrent, createdAt,    lastSeenAt,   expiresAt
      ${one},    Chrome on Windows, true,      ${now + 100}, ${now + 100}, ${ends + 100}
      ${other},  Firefox on Linux,  false,     ${now},       ${now},       ${ends}`);
    assert.deepEqual(bySecond, expected);
    assertShown(await sessionsOf(first))`
      sessionId, isCurrent, lastSeenAt
      ${other},  true,      ${now + 100}
      ${one},    false,     ${now + 100}`;
  });

  testOnce('one is ended by its user alone, and then nobody gets in by its cookie', async () => {
    const [{ email, userId }, stranger] = [await person(), await person()];
    const [here, there] = [await signIn(world(), email), await signIn(world(), email)];
    const foreign = await signIn(world(), stranger.email);
    const [own, other] = (await sessionsOf(here)).map(
      ({ sessionId }) => `/account/sessions/${sessionId}`,
    ) as [string, string];
    const none = [404, 'there is no such session'];
    assert.deepEqual(await refusal(foreign.ask('DELETE', other)), none);
    assert.equal(await statusOf(there), 200);
    assert.equal((await here.ask('DELETE', other)).status, 200);
    assert.deepEqual(await refusal(there.ask('GET', '/account/session')), signedOut);
    assert.deepEqual(await refusal(here.ask('DELETE', other)), none);
    assert.equal((await here.get('/account/sessions')).sessions.length, 1);
    const former = visit(world(), { cookie: here.cookie! });
    assert.equal((await here.ask('DELETE', own)).status, 200);
    assert.equal(here.cookie, undefined);
    assert.deepEqual(await refusal(former.ask('GET', '/account/session')), signedOut);
    assert.deepEqual(
      (await said(userId)).slice(0, 4).map((deed) => deed.replace(/"sessionId":"[^"]+"/, '...')),
      [...Array(2).fill(`${userId} endSession {...}`), ...Array(2).fill(`${userId} signIn {}`)],
    );
  });

  test('all others are ended at once, and sessions of other people stay', async () => {
    const [{ email, userId }, neighbour] = [await person(), await person()];
    const visitors: Visitor[] = [];
    for (const one of [email, email, email, neighbour.email])
      visitors.push(await signIn(world(), one));
    assert.equal((await visitors[1]!.ask('DELETE', '/account/sessions')).status, 200);
    assert.deepEqual(await Promise.all(visitors.map(statusOf)), [401, 200, 401, 200]);
    assert.equal((await said(userId))[0], `${userId} endOtherSessions {"sessions":2}`);
  });

  testOnce('end after seven days without use, and thirty days after they began', async () => {
    const { email, userId } = await person();
    const [idle, busy] = [await signIn(world(), email), await signIn(world(), email)];
    const began = world().clock.now;
    for (const days of [6, 12, 18, 24, 29.999]) {
      world().clock.now = began + days * day;
      assert.equal((await busy.ask('GET', '/account/session')).status, 200, `${days} days`);
      if (days === 6) {
        world().clock.now = began + 7 * day - 1;
        assert.equal((await busy.get('/account/sessions')).sessions.length, 2);
        world().clock.now = began + 7 * day;
        assert.equal((await busy.get('/account/sessions')).sessions.length, 1);
        assert.deepEqual(await refusal(idle.ask('GET', '/account/session')), signedOut);
      }
    }
    await pruneSessions(world().registry, defaultLimits, world().clock.now);
    assert.equal((await ofUser(userId)).length, 1);
    world().clock.now = began + 30 * day;
    assert.deepEqual(await refusal(busy.ask('GET', '/account/session')), signedOut);
    await pruneSessions(world().registry, defaultLimits, world().clock.now);
    assert.deepEqual(await ofUser(userId), []);
  });

  testOnce('are noted as seen at most once a minute', async () => {
    const { email } = await person();
    const visitor = await signIn(world(), email);
    const began = world().clock.now;
    for (const [later, seen] of [
      [59_999, 0],
      [60_000, 60],
      [119_000, 60],
    ] as const) {
      world().clock.now = began + later;
      const [{ lastSeenAt } = {}] = await sessionsOf(visitor);
      assert.equal(lastSeenAt, Math.floor(began / 1000) + seen);
    }
  });

  testOnce('a sign-in ends the one before it, and no lookalike of a token gets in', async () => {
    const { email } = await person();
    const visitor = await signIn(world(), email);
    const before = visitor.cookie!;
    const { status } = await visitor.ask('POST', '/account/session', { email, password });
    assert.equal(status, 200);
    assert.notEqual(visitor.cookie, before);
    assert.equal((await visitor.get('/account/sessions')).sessions.length, 1);
    const changed = visitor.cookie!.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const madeUp = `vitrine-session=vit_session_${'A'.repeat(43)}`;
    for (const cookie of [before, changed, 'vitrine-session=', 'vitrine-session=%00', madeUp]) {
      const asking = visit(world(), { cookie }).ask('GET', '/account/session');
      assert.deepEqual(await refusal(asking), signedOut, cookie);
    }
  });

  test('the password entered again gives another token, and then sessions are ended', async () => {
    const visitor = await signIn(world(), (await person()).email);
    world().clock.now += 900_000;
    const late = [403, 'enter your password again to end sessions'];
    for (const path of ['/account/sessions', '/account/sessions/any'])
      assert.deepEqual(await refusal(visitor.ask('DELETE', path)), late);
    const codes = ['POST secondFactor', 'POST secondFactor/recoveryCodes', 'DELETE secondFactor'];
    for (const way of ['POST session/confirmation', ...codes, 'PUT password']) {
      const [method, path] = way.split(' ') as [Method, string];
      const former = visit(world(), { cookie: visitor.cookie! });
      const more = method === 'PUT' && { newPassword: 'violet anchors hum quietly' };
      await visitor.ask(method, `/account/${path}`, { password, ...more });
      assert.deepEqual([await statusOf(former), await statusOf(visitor)], [401, 200], way);
    }
    assert.equal((await visitor.ask('DELETE', '/account/sessions')).status, 200);
  });

  test('of one person no more than fifty last, those that were seen last', async () => {
    const { email, userId } = await person();
    const first = await signIn(world(), email);
    world().clock.now += 1_000;
    const { now } = world().clock;
    const times = { createdAt: now, lastSeenAt: now, confirmedAt: now };
    const rows = Array.from({ length: 49 }, (_, number) => {
      const sessionId = `${userId} ${number}`;
      return { sessionId, userId, lookup: sessionId, browser: 'Unknown browser', ...times };
    });
    await world().registry.records.insertInto('session').values(rows).execute();
    assert.equal((await first.get('/account/sessions')).sessions.length, 50);
    const last = await signIn(world(), email);
    assert.equal((await last.get('/account/sessions')).sessions.length, 50);
    assert.deepEqual(await refusal(first.ask('GET', '/account/session')), signedOut);
  });

  testOnce('a change of the password ends all but the present one', async () => {
    const { email, userId } = await person('member');
    const [here, there] = [await signIn(world(), email), await signIn(world(), email)];
    const change = (entered: string, newPassword: string) =>
      here.ask('PUT', '/account/password', { password: entered, newPassword });
    const mistaken = change('not the password', 'a new password');
    await assertRefused(mistaken, 403, 'the password is wrong');
    const short = 'newPassword must have at least 12 characters';
    await assertRefused(change(password, 'too short'), 400, short);
    assert.equal(await statusOf(there), 200);
    const before = (await ofUser(userId)).map(({ lookup }) => lookup);
    const { status, body } = await change(password, 'a new password');
    const [session, ...others] = await ofUser(userId);
    assert.deepEqual([before.includes(session!.lookup), others], [false, []]);
    assert.deepEqual([status, body.email], [200, email]);
    assert.equal(await statusOf(here), 200);
    assert.deepEqual(await refusal(there.ask('GET', '/account/session')), signedOut);
    assert.equal(await attempt(email), 401);
    await signIn(world(), email, { password: 'a new password' });
    assert.ok((await said(userId)).includes(`${userId} changePassword {"sessions":1}`));
  });

  testOnce(
    'the operator ends all by a password, by signing out, by taking users away',
    async () => {
      const { email, userId } = await person();
      const first = await signIn(world(), email);
      await world().operate('PATCH', `/operator/users/${userId}`, { role: 'administrator' });
      assert.equal((await first.get('/account/session')).role, 'administrator');
      await world().operate('PATCH', `/operator/users/${userId}`, { password: 'of the operator' });
      assert.deepEqual(await refusal(first.ask('GET', '/account/session')), signedOut);
      const second = await signIn(world(), email, { password: 'of the operator' });
      const path = `/operator/users/${userId}/sessions`;
      assert.equal((await world().operator('DELETE', path)).body, '');
      assert.deepEqual(await refusal(second.ask('GET', '/account/session')), signedOut);
      assert.equal((await said(userId))[0], 'operator endUserSessions {"sessions":1}');
      const third = await signIn(world(), email, { password: 'of the operator' });
      await world().operate('DELETE', `/operator/users/${userId}`);
      assert.deepEqual(await refusal(third.ask('GET', '/account/session')), signedOut);
      await assertRefused(world().operator('DELETE', path), 404, 'there is no such user');
    },
  );

  testOnce('a password that is changed during a sign-in lets nobody in', async () => {
    const { email, userId } = await person();
    const { argon2 } = crypto;
    const derived = mock.method(
      crypto,
      'argon2',
      (...[algorithm, parameters, done]: Parameters<typeof argon2>) =>
        argon2(algorithm, parameters, async (error, found) => {
          const passwordHash = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
          await changeRecords(world(), 'userAccount', { userId }, { passwordHash });
          done(error, found);
        }),
    );
    syncBuiltinESMExports();
    try {
      assert.equal(await attempt(email), 401);
    } finally {
      derived.mock.restore();
      syncBuiltinESMExports();
    }
    assert.deepEqual(await ofUser(userId), []);
  });
});

test('browsers are listed by a short name, and nothing else of their header is', () => {
  for (const [name, header] of barsOf(textBeside(import.meta.url, 'browsers.txt')))
    assert.equal(browserOf(header), name);
  for (const none of ['', undefined]) assert.equal(browserOf(none), 'Unknown browser');
});

onOnePair(
  'sessions of a service that retains them for two days',
  (world) => {
    test('end after a day without use, and two days after they began', async () => {
      const { email } = await makeStranger(world());
      const [idle, busy] = [await signIn(world(), email), await signIn(world(), email)];
      const began = world().clock.now;
      world().clock.now = began + 0.75 * day;
      const { sessions } = await busy.get('/account/sessions');
      assert.equal(sessions[0].expiresAt, Math.floor((began + 2 * day) / 1000));
      world().clock.now = began + day;
      assert.deepEqual([await statusOf(idle), await statusOf(busy)], [401, 200]);
      world().clock.now = began + 1.7 * day;
      assert.equal(await statusOf(busy), 200);
      world().clock.now = began + 2 * day;
      assert.equal(await statusOf(busy), 401);
    });
  },
  { limits: { sessionDays: 2, sessionIdleDays: 1 } },
);
