/**
 * Hashes of passwords: each fits only its password, at whatever cost it was made, and few are made
 * at the same time.
 */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { mock, test } from 'node:test';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { slowTest } from '../../test/level.ts';
import { type Receiver, startReceiver } from '../../test/receiver.ts';
import { Refusal } from '../contract/refusal.ts';
import { refuseGuessable } from './passwordStrength.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

test('a hash matches only its password and differs each time', async () => {
  const first = await hashPassword('correct horse');
  assert.notEqual(await hashPassword('correct horse'), first);
  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  const isOutdated = false;
  assert.deepEqual(await verifyPassword('correct horse', first), { matches: true, isOutdated });
  assert.deepEqual(await verifyPassword('correct horse ', first), { matches: false, isOutdated });
});

slowTest('a test vector of the reference implementation is verified', async () => {
  const stored =
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  assert.deepEqual(await verifyPassword('password', stored), { matches: true, isOutdated: true });
  assert.equal((await verifyPassword('Password', stored)).matches, false);
});

test('a hash of lower cost is verified and reported as outdated', async () => {
  const salt = Buffer.from('an earlier salt ');
  const input = { message: 'correct horse', nonce: salt, tagLength: 32 };
  const cost = { parallelism: 1, memory: 64, passes: 1 };
  const less = crypto.argon2Sync('argon2id', { ...input, ...cost });
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  const stored = `$argon2id$v=19$m=64,t=1,p=1$${text(salt)}$${text(less)}`;
  const outdated = { matches: true, isOutdated: true };
  assert.deepEqual(await verifyPassword('correct horse', stored), outdated);
  const current = { matches: true, isOutdated: false };
  assert.deepEqual(await verifyPassword('correct horse', stored, cost), current);
  assert.equal((await verifyPassword('wrong horse', stored)).matches, false);
  await assert.rejects(verifyPassword('correct horse', 'plain'), /unknown format/);
});

test('no password matches a missing hash', async () => {
  for (const text of ['', 'correct horse'])
    assert.equal((await verifyPassword(text, null)).matches, false);
});

test('the estimator gets few characters of a long password, whose time they bound', async () => {
  const check = mock.method(ZxcvbnFactory.prototype, 'check');
  const names = { email: 'ann@shop.example', organisation: undefined };
  await refuseGuessable(
    { config: { breachedPasswords: undefined }, log: console },
    ...(['password', 'violet anchors hum quietly '.repeat(9), names] as const),
  );
  const given = check.mock.calls.map(({ arguments: [judged] }) => String(judged).length);
  check.mock.restore();
  assert.deepEqual(given, [32]);
});

test('a service of breached passwords gets five digits of a hash, and none is needed', async () => {
  // The SHA-1 of the password without its first five digits, by sha1sum.
  const rest = '86980529CD504C0962D7396BFC61262A28B';
  const padding = `${'0'.repeat(35)}:0\r\n`;
  const known = 'password is known from a breach of another service: choose another';
  const late = new AbortController();
  mock.method(AbortSignal, 'timeout', () => late.signal);
  const receiver = await startReceiver();
  const warned: object[] = [];
  const checking = {
    config: { breachedPasswords: `${receiver.url}/` },
    log: { warn: (entry: object) => void warned.push(entry) },
  };
  const names = { email: 'ann@shop.example', organisation: undefined };
  const answers: [Receiver['answer'], unknown][] = [
    [(to) => to.end(`${padding}${rest}:3`), known],
    [(to) => to.end(`${rest.toLowerCase()}:1\n`), known],
    [(to) => to.end(`${padding}${rest}:0`), undefined],
    [(to) => to.writeHead(302, { location: '/x' }).end(), 'the service answered 302'],
    [(to) => to.end('<html>'), 'the service answered something else than a range'],
    [(to) => to.end(padding.repeat(40_000)), 'the service answered too much'],
    [(to) => to.destroy(), 'UND_ERR_SOCKET'],
    [() => late.abort(new DOMException('', 'TimeoutError')), 'TimeoutError'],
  ];
  for (const [answer, expected] of answers) {
    receiver.answer = answer;
    const checked = refuseGuessable(checking, 'password', 'violet anchors hum quietly', names);
    const said = await checked.then(
      () => warned.pop(),
      ({ message }: Error) => message,
    );
    const reason = expected === known || expected === undefined ? expected : { reason: expected };
    assert.deepEqual(said, reason);
  }
  mock.restoreAll();
  await receiver.close();
  const sent = receiver.arrived.map(({ path, headers }) => [path, headers['add-padding']]);
  assert.deepEqual(sent, Array(8).fill(['/hooks/67C0D', 'true']));
});

test('two derivations run at once, 64 wait, and further ones are refused', async () => {
  const pending: (() => void)[] = [];
  let most = 0;
  const derived = mock.method(
    crypto,
    'argon2',
    (...[, { tagLength }, done]: Parameters<typeof crypto.argon2>) => {
      pending.push(() => done(null, Buffer.alloc(tagLength)));
      most = Math.max(most, pending.length);
    },
  );
  syncBuiltinESMExports();
  try {
    const verdicts = Array.from({ length: 70 }, () => verifyPassword('correct horse', null));
    const settled = Promise.allSettled(verdicts);
    while (derived.mock.callCount() < 66 || pending.length > 0) {
      pending.shift()?.();
      await new Promise(setImmediate);
    }
    const outcomes = await settled;
    assert.equal(most, 2);
    assert.equal(derived.mock.callCount(), 66);
    for (const { status } of outcomes.slice(0, 66)) assert.equal(status, 'fulfilled');
    for (const outcome of outcomes.slice(66)) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof Refusal);
      assert.equal(outcome.reason.status, 503);
    }
    const next = verifyPassword('correct horse', null);
    await new Promise(setImmediate);
    pending.shift()!();
    assert.equal((await next).matches, false);
  } finally {
    derived.mock.restore();
    syncBuiltinESMExports();
  }
});
