import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { mock, test } from 'node:test';
import { Refusal } from '../contract/refusal.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

test('a hash matches only its password and differs each time', async () => {
  const [first, second] = [
    await hashPassword('correct horse'),
    await hashPassword('correct horse'),
  ];
  assert.notEqual(first, second);
  assert.deepEqual(await verifyPassword('correct horse', first), {
    matches: true,
    isOutdated: false,
  });
  assert.deepEqual(await verifyPassword('correct horse ', first), {
    matches: false,
    isOutdated: false,
  });
});

test('a test vector of the reference implementation is verified', async () => {
  const kept =
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  assert.deepEqual(await verifyPassword('password', kept), { matches: true, isOutdated: true });
  assert.equal((await verifyPassword('Password', kept)).matches, false);
});

test('a hash of lower cost is verified and reported as outdated', async () => {
  const salt = Buffer.from('an earlier salt ');
  const less = crypto.argon2Sync('argon2id', {
    message: 'correct horse',
    nonce: salt,
    parallelism: 1,
    tagLength: 32,
    memory: 64,
    passes: 1,
  });
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  const kept = `$argon2id$v=19$m=64,t=1,p=1$${text(salt)}$${text(less)}`;
  assert.deepEqual(await verifyPassword('correct horse', kept), {
    matches: true,
    isOutdated: true,
  });
  assert.equal((await verifyPassword('wrong horse', kept)).matches, false);
  await assert.rejects(verifyPassword('correct horse', 'plain'), /unknown format/);
});

test('no password matches a missing hash', async () => {
  for (const text of ['', 'correct horse'])
    assert.equal((await verifyPassword(text, null)).matches, false);
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
    assert.deepEqual(
      [
        outcomes.slice(0, 66).every(({ status }) => status === 'fulfilled'),
        derived.mock.callCount(),
      ],
      [true, 66],
    );
    for (const outcome of outcomes.slice(66)) {
      assert.ok(
        outcome.status === 'rejected' &&
          outcome.reason instanceof Refusal &&
          outcome.reason.status === 503,
      );
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
