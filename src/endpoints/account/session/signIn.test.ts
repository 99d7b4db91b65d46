/**
 * Signing in: who gets a session and its cookie, the answer to every mistake, the number of
 * attempts, and the cost of guessing a password.
 */
import assert from 'node:assert/strict';
import crypto, { randomUUID } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { mock, test } from 'node:test';
import { sql } from 'kysely';
import {
  type Method,
  onEachPair,
  onePair,
  onOnePair,
  testOnOnePair,
  until,
  type World,
} from '../../../../test/harness.ts';
import { changeRecords, deedsOf, recordOf, recordsOf } from '../../../../test/records.ts';
import { listsOf, textBeside } from '../../../../test/table.ts';
import {
  makePerson,
  makeStranger,
  password,
  refusal,
  signIn,
  visit,
} from '../../../../test/visitors.ts';
import { networkOf } from '../../../access/attempts.ts';

const unlike = () => randomUUID().slice(0, 8);
const wrong = { status: 'error', error: 'the e-mail address or the password is wrong' };

type Derive = typeof crypto.argon2;

/** Runs something while the derivations of passwords are watched, or replaced. */
async function watching(
  run: (calls: () => readonly Parameters<Derive>[]) => Promise<void>,
  instead = crypto.argon2,
): Promise<void> {
  const derived = mock.method(crypto, 'argon2', instead);
  syncBuiltinESMExports();
  try {
    await run(() => derived.mock.calls.map((call) => call.arguments as Parameters<Derive>));
  } finally {
    derived.mock.restore();
    syncBuiltinESMExports();
  }
}

/** Runs something that needs many derivations while these cost nothing and match nothing. */
const withoutWork = (run: () => Promise<void>) =>
  watching(run, ((...[, { tagLength }, done]: Parameters<Derive>) =>
    setImmediate(done, null, Buffer.alloc(tagLength))) as Derive);

const organisation = async (world: World, name = 'Acme'): Promise<string> =>
  (await world.operate('POST', '/operator/organisations', { name })).organisationId;
const attempt = (world: World, email: string, entered: string, address?: string) => {
  const visitor = visit(world, address === undefined ? {} : { address });
  return visitor.ask('POST', '/account/session', { email, password: entered });
};
/** Makes a user without a password. */
async function makeNewcomer(world: World, organisationId: string): Promise<string> {
  const email = `none-${unlike()}@example.com`;
  const user = { organisationId, email, role: 'owner' };
  const { userId } = await world.operate('POST', '/operator/users', user);
  assert.equal((await world.operate('GET', `/operator/users/${userId}`)).hasPassword, false);
  return email;
}

/** The password as hashed at a lower cost, with sixteen zeros as salt. */
const lower = { message: password, nonce: Buffer.alloc(16), tagLength: 32 };
const lowerHash = `$argon2id$v=19$m=64,t=1,p=1$${'A'.repeat(22)}$${crypto
  .argon2Sync('argon2id', { ...lower, memory: 64, passes: 1, parallelism: 1 })
  .toString('base64')
  .replace(/=+$/, '')}`;

onEachPair('sign-in', (world, pair) => {
  const testOnce = testOnOnePair(pair);

  test('200: e-mail address and password begin a session, until it is ended', async () => {
    const role = 'administrator';
    const northwind = await organisation(world(), 'Northwind');
    const { email, userId } = await makePerson(world(), northwind, { role });
    const visitor = await signIn(world(), ` ${email.toUpperCase()} `);
    const confirmedUntil = Math.floor(world().clock.now / 1000) + 900;
    const user = { userId, email, name: null, role, organisation: 'Northwind' };
    const session = { ...user, confirmedUntil, needsSecondFactor: false };
    assert.deepEqual(await visitor.get('/account/session'), session);
    const { status, body } = await visitor.ask('DELETE', '/account/session');
    assert.deepEqual([status, body, visitor.cookie], [200, '', undefined]);
    assert.deepEqual(await refusal(visitor.ask('GET', '/account/session')), [401, 'sign in first']);
  });

  test('401: whatever is wrong is answered alike, and a new session cannot be had by it', async () => {
    const organisationId = await organisation(world());
    const { email } = await makePerson(world(), organisationId);
    const without = await makeNewcomer(world(), organisationId);
    for (const [address, entered] of [
      [email, 'correct horse battery stapl'],
      [email, `${password} `],
      [without, password],
      ['nobody@example.com', password],
      ['no address at all', password],
    ] as const) {
      const { status, body, headers } = await attempt(world(), address, entered);
      assert.deepEqual([status, body, headers['set-cookie']], [401, wrong, undefined], address);
    }
    assert.equal((await attempt(world(), email, password)).status, 200);
  });

  testOnce('the same letters are the same password, however they are written', async () => {
    const { email } = await makeStranger(world(), { password: 'Pa\u0308sse sind \uff26rei' });
    assert.equal((await attempt(world(), email, 'P\u00e4sse sind Frei')).status, 200);
    assert.equal((await attempt(world(), email, 'Passe sind Frei')).status, 401);
  });

  testOnce('429: attempts are counted by both addresses, those that succeed too', async () => {
    const { email } = await makeStranger(world());
    const address = '192.0.2.1';
    assert.equal((await attempt(world(), email, password, address)).status, 200);
    await withoutWork(async () => {
      for (let time = 0; time < 8; time += 1)
        assert.equal((await attempt(world(), email, 'not the password', address)).status, 401);
    });
    assert.equal((await attempt(world(), email, password, address)).status, 200);
    const { status, body, headers } = await attempt(world(), email, password, address);
    assert.equal(status, 429);
    assert.match(body.error, /^too many attempts: try again in 15 minutes$/);
    assert.ok(Number(headers['retry-after']) > 890 && Number(headers['retry-after']) <= 900);
    const elsewhere = await attempt(world(), email, password, '192.0.2.2');
    assert.equal(elsewhere.status, 200, 'from elsewhere the owner still gets in');
    const other = await attempt(world(), 'somebody@example.com', password, address);
    assert.equal(other.status, 401, 'others still get in from there');
  });

  testOnce('429: attempts on one account are counted wherever they come from', async () => {
    const { email } = await makeStranger(world());
    const { email: other } = await makeStranger(world());
    const { device } = await signIn(world(), email);
    const from = async (account: string, cookie?: string) => {
      const visitor = visit(world(), { address: '192.0.2.30', device: cookie });
      return (await visitor.ask('POST', '/account/session', { email: account, password })).status;
    };
    await withoutWork(async () => {
      const statuses: number[] = [];
      // The sign-in was the first; more at once would be refused because of their work.
      for (const count of [50, 50, 50, 49, 1]) {
        const attempts = Array.from({ length: count }, () => attempt(world(), email, password));
        statuses.push(...(await Promise.all(attempts)).map(({ status }) => status));
      }
      assert.deepEqual(statuses, [...Array(199).fill(401), 429]);
      // Attempts from one address count together, whatever their account.
      for (let time = 0; time < 100; time += 1)
        assert.equal(await from(`${unlike()}@a.example`), 401, String(time));
      assert.equal(await from(`${unlike()}@a.example`), 429);
    });
    // A browser that the user has signed in with has its own budget.
    assert.equal(await from(email), 429, 'a strange browser waits');
    assert.equal(await from(other, device), 429, 'it is known for its own account alone');
    assert.equal(await from(email, `${device}0`), 429, 'nobody makes one up');
    await withoutWork(async () => {
      for (let time = 0; time < 19; time += 1) assert.equal(await from(email, device), 401);
    });
    assert.equal(await from(email, device), 200);
    assert.equal(await from(email, device), 429, 'its attempts are counted as well');
  });

  testOnce('a password that is guessed at once is refused wherever it is set', async () => {
    const organisationId = await organisation(world(), 'Northwind Outdoor');
    // Digits may stand for letters, and to try all of them in a long address takes a second.
    const letters = `lena@${unlike().replaceAll(/\d/g, 'x')}.example`;
    const { email, userId } = await makePerson(world(), organisationId, { email: letters });
    const visitor = await signIn(world(), email);
    const { url } = await world().operate('POST', `/operator/users/${userId}/passwordLinks`, {});
    const token = url.split('#')[1];
    const newPerson = { organisationId, email: 'maria.lindqvist@shop.example', role: 'owner' };
    const create = (entered: string) =>
      world().operator('POST', '/operator/users', { ...newPerson, password: entered });
    const alter = (entered: string) =>
      world().operator('PATCH', `/operator/users/${userId}`, { password: entered });
    const replace = (entered: string) =>
      visitor.ask('PUT', '/account/password', { password, newPassword: entered });
    const useLink = (entered: string) =>
      visit(world()).ask('PUT', '/account/passwordLink', { token, newPassword: entered });
    const text = 'is too easy to guess: several unusual words make a good one';
    for (const set of [create, alter])
      assert.deepEqual(await refusal(set('password1234')), [400, `password ${text}`]);
    for (const set of [replace, useLink])
      assert.deepEqual(await refusal(set('password1234')), [400, `newPassword ${text}`]);
    const common = ['aaaaaaaaaaaaaaaa', 'qwertyuiop12', 'iloveyou2026!', 'vitrine12345'];
    for (const guessed of [...common, 'northwind outdoor', 'a'.repeat(64) + randomUUID()])
      assert.equal((await alter(guessed)).status, 400, guessed);
    assert.equal((await create('maria.lindqvist1')).status, 400);
    assert.equal((await alter(`${email}1`)).status, 400);
    // The link still works for a better password.
    assert.equal((await useLink('violet anchors hum quietly')).status, 200);
  });

  testOnce('refused attempts are in the audit log, added up by account and address', async () => {
    const { email, userId } = await makeStranger(world());
    const visitor = await signIn(world(), email, { address: '192.0.2.41' });
    const entries = async (subject: string) =>
      (await deedsOf(world(), subject))
        .filter(([actor]) => actor === 'visitor')
        .map(([, ...deed]) => deed);
    await entries(userId);
    const count = async () => (await recordsOf(world(), 'auditEntry', { actor: 'visitor' })).length;
    const before = await count();
    await withoutWork(async () => {
      for (const address of ['192.0.2.40', '192.0.2.40', '2001:db8::1'])
        assert.equal((await attempt(world(), email, 'not the password', address)).status, 401);
      await attempt(world(), 'somebody@example.com', 'not the password', '192.0.2.40');
      const wrong = { password: 'not the password' };
      assert.equal((await visitor.ask('POST', '/account/session/confirmation', wrong)).status, 403);
      const link = { token: `vit_link_${'A'.repeat(43)}` };
      const follower = visit(world(), { address: '192.0.2.42' });
      await follower.ask('POST', '/account/passwordLink', link);
      const headers = { authorization: 'Bearer not-the-token' };
      const sent = { url: '/operator/keys', remoteAddress: '192.0.2.43', headers };
      const { statusCode } = await world().server.inject(sent);
      assert.equal(statusCode, 401);
    });
    assert.equal(await count(), before, 'they are written once a minute');
    world().timers.advance(60_000);
    await until(async () => (await count()) === before + 6);
    assert.deepEqual(await entries(userId), [
      ['refusePassword', { address: '192.0.2.41', attempts: 1 }],
      ['refuseSignIn', { address: '2001:db8::1', attempts: 1 }],
      ['refuseSignIn', { address: '192.0.2.40', attempts: 2 }],
    ]);
    assert.deepEqual((await entries('unknown')).slice(0, 3), [
      ['refuseOperator', { address: '192.0.2.43', attempts: 1 }],
      ['refusePasswordLink', { address: '192.0.2.42', attempts: 1 }],
      ['refuseSignIn', { address: '192.0.2.40', attempts: 1 }],
    ]);
    // However many addresses a stranger has, the entries of a minute are few.
    for (let number = 0; number < 110; number += 1) {
      const remoteAddress = `10.1.1.${number}`;
      await world().server.inject({ url: '/operator/keys', remoteAddress });
    }
    const many = await entries('unknown');
    assert.deepEqual(many[0], ['refuseOperator', { address: 'several', attempts: 10 }]);
    assert.equal(await count(), before + 6 + 101);
  });

  testOnce('addresses and e-mail addresses are stored nowhere but in the account', async () => {
    if (pair === 'embedded') return;
    const { records } = world().registry;
    const { rows } = await sql<{ key: string }>`SELECT key FROM key_budget`.execute(records);
    const names = rows.map(({ key }) => key).join('\n');
    assert.match(names, /signIn:both:[\da-f]{64}/);
    assert.doesNotMatch(names, /@|192\.0\.2/);
  });

  testOnce('the cookie is of this host, out of reach of scripts and of other sites', async () => {
    const { email } = await makeStranger(world());
    const visitor = await signIn(world(), email);
    const given =
      /^vitrine-session=vit_session_[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/;
    assert.match(visitor.setCookie!, given);
    await visitor.ask('DELETE', '/account/session');
    const taken =
      /^vitrine-session=; Max-Age=0; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/;
    assert.match(visitor.setCookie!, taken);
  });

  testOnce('403: nothing is changed from elsewhere, and what is only read may be', async () => {
    const { email } = await makeStranger(world());
    const visitor = await signIn(world(), email);
    const origins = ['http://evil.example', 'http://vitrine.test.evil.example', 'null'];
    const foreign: Record<string, string>[] = [
      ...['cross-site', 'same-site', 'none', ''].map((site) => ({ 'sec-fetch-site': site })),
      { 'sec-fetch-site': 'cross-site', origin: 'http://vitrine.test', host: 'vitrine.test' },
      {},
      ...[...origins, 'http://vitrine.test:8080'].map((origin) => ({ origin })),
    ];
    const own: Record<string, string>[] = [
      { 'sec-fetch-site': 'same-origin' },
      ...['http://pages.test', 'https://vitrine.test'].map((origin) => ({ origin })),
    ];
    const { cookie } = visitor;
    const session = '/account/session';
    const bare = async (method: Method, url: string, more: object, payload?: object) => {
      const headers = { host: 'pages.test', cookie: cookie!, ...more };
      const sent = { method, url, headers, ...(payload && { payload }) };
      const answer = await world().server.inject(sent);
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
      return answer.statusCode;
    };
    for (const headers of foreign) {
      const said = JSON.stringify(headers);
      assert.equal(await bare('DELETE', session, headers), 403, said);
      assert.equal(await bare('POST', session, headers, { email, password }), 403, said);
      assert.equal(await bare('GET', session, headers), 200, said);
    }
    for (const headers of own)
      assert.equal(
        await bare('DELETE', '/account/sessions', headers),
        200,
        JSON.stringify(headers),
      );
  });

  testOnce('answers and refusals are cached by nobody, and read by no page of others', async () => {
    const { email } = await makeStranger(world());
    const visitor = await signIn(world(), email);
    const origin = { origin: 'https://evil.example' };
    const foreign = { ...origin, 'sec-fetch-site': 'cross-site' };
    for (const answer of [
      await visitor.ask('GET', '/account/session', undefined, origin),
      await visitor.ask('GET', '/account/access', undefined, origin),
      await visit(world()).ask('GET', '/account/session', undefined, origin),
      await visitor.ask('POST', '/account/session', { email: 5 }, origin),
      await visitor.ask('POST', '/account/session', {}, foreign),
    ]) {
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
      assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin');
    }
    const url = '/account/session';
    const options = { ...foreign, 'access-control-request-method': 'DELETE' };
    const preflight = await world().server.inject({ method: 'OPTIONS', url, headers: options });
    assert.equal(preflight.statusCode, 403);
    assert.equal(preflight.headers['access-control-allow-origin'], undefined);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const own = { 'sec-fetch-site': 'same-origin', ...form };
    assert.equal((await world().ask(undefined, 'POST', url, 'email=a', own)).status, 415);
  });
});

onOnePair(
  'what a password costs',
  (world) => {
    test('one derivation of the same cost answers the unknown, those without a password and the mistaken', async () => {
      const organisationId = await organisation(world());
      const { email, userId } = await makePerson(world(), organisationId);
      await world().operate('PATCH', `/operator/users/${userId}`, { password });
      const without = await makeNewcomer(world(), organisationId);
      for (const address of [email, without, 'nobody@example.com'])
        await watching(async (calls) => {
          assert.equal((await attempt(world(), address, 'not the password')).status, 401);
          const [[algorithm, options], ...others] = calls() as [Parameters<Derive>];
          const { memory, passes, parallelism, tagLength, nonce, message } = options;
          assert.deepEqual(
            [algorithm, memory, passes, parallelism, tagLength, (nonce as Buffer).length, message],
            ['argon2id', 19_456, 2, 1, 32, 16, 'not the password'],
          );
          assert.deepEqual(others, []);
        });
    });

    test('a hash of lower cost is verified, and replaced at the first sign-in', async () => {
      const { email, userId } = await makeStranger(world());
      const storedHash = async () =>
        (await recordOf(world(), 'userAccount', { userId })).passwordHash!;
      await changeRecords(world(), 'userAccount', { userId }, { passwordHash: lowerHash });
      assert.equal((await attempt(world(), email, 'not the password')).status, 401);
      assert.equal(await storedHash(), lowerHash);
      assert.equal((await attempt(world(), email, password)).status, 200);
      const replaced = await storedHash();
      const pattern = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;
      assert.match(replaced, pattern);
      assert.equal((await attempt(world(), email, password)).status, 200);
      assert.equal(await storedHash(), replaced);
    });

    test('every password that is set is hashed at the usual cost', async () => {
      const { email, userId } = await makeStranger(world());
      const costs: unknown[] = [];
      await watching(async (calls) => {
        await world().operate('PATCH', `/operator/users/${userId}`, { password });
        const visitor = await signIn(world(), email);
        const newPassword = 'violet anchors hum quietly';
        await visitor.ask('PUT', '/account/password', { password, newPassword });
        const issuing = `/operator/users/${userId}/passwordLinks`;
        const { url } = await world().operate('POST', issuing, {});
        const token = url.split('#')[1];
        await visit(world()).ask('PUT', '/account/passwordLink', { token, newPassword });
        costs.push(...calls().map(([, { memory, passes }]) => [memory, passes]));
      });
      // Set, entered to sign in, entered again to change it, changed, and set by a link.
      assert.deepEqual(costs, Array(5).fill([19_456, 2]));
    });
  },
  { config: { passwordCost: undefined } },
);

onePair(
  'at an address of https the cookie is bound to host and encryption, and a proxy says whom a request comes from',
  async (world) => {
    const { email } = await makeStranger(world);
    const visitor = await signIn(world, email);
    assert.match(
      visitor.setCookie!,
      /^__Host-vitrine=vit_session_[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    assert.equal((await visitor.get('/account/session')).email, email);

    const entered = { email, password: 'not the password' };
    /** The status of the last of eleven attempts. */
    const lastOf = async (address: string, fromOf: (time: number) => string) => {
      const through = visit(world, { address });
      const statuses: number[] = [];
      for (let time = 0; time < 11; time += 1) {
        const from = { 'x-forwarded-for': fromOf(time) };
        statuses.push((await through.ask('POST', '/account/session', entered, from)).status);
      }
      return statuses.at(-1);
    };
    await withoutWork(async () => {
      // A port does not make another address; each address counts by itself; a stranger cannot
      // choose one.
      assert.equal(await lastOf('10.9.0.1', (time) => `192.0.2.99:${5000 + time}`), 429);
      assert.equal(await lastOf('10.9.0.1', (time) => `192.0.2.${time}`), 401);
      assert.equal(await lastOf('10.8.0.1', (time) => `192.0.2.${100 + time}`), 429);
    });
  },
  { config: { publicUrl: 'https://api.example.com', trustedProxies: ['10.9.0.0/16'] } },
);

test('addresses of one network of IPv6 count as one, however they are written, and addresses of IPv4 each for itself', () => {
  for (const [network, ...addresses] of listsOf(textBeside(import.meta.url, 'signIn.networks.csv')))
    for (const address of addresses) assert.equal(networkOf(address), network, address);
});
