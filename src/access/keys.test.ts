/** API keys: their form excludes mistakes, and what is stored of them reveals nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookupOf, mintKey, unsealKey, wellFormed } from './keys.ts';

const secret = 'a secret of this test';

test('A key names its environment, has a fixed length and is well formed.', () => {
  for (let times = 0; times < 500; times++) {
    const live = mintKey(secret, 'key-1', 'production').key;
    assert.match(live, /^vit_live_[0-9A-Za-z]{49}$/);
    assert.ok(wellFormed(live));
    const staging = mintKey(secret, 'key-1', 'staging').key;
    assert.match(staging, /^vit_test_[0-9A-Za-z]{49}$/);
    assert.ok(wellFormed(staging));
  }
});

test('Two keys are never the same, nor are two sealed copies.', () => {
  const minted = Array.from({ length: 500 }, () => mintKey(secret, 'key-1', 'production'));
  for (const part of ['key', 'lookup', 'sealed'] as const)
    assert.equal(new Set(minted.map((one) => one[part])).size, 500);
});

test('Any one mistyped or swapped character is refused without a look-up.', () => {
  const { key } = mintKey(secret, 'key-1', 'production');
  for (let at = 0; at < key.length; at++) {
    for (const other of 'aZ09_') {
      if (key[at] !== other)
        assert.ok(!wellFormed(key.slice(0, at) + other + key.slice(at + 1)), `${other} at ${at}`);
    }
    const [first = '', second = ''] = key.slice(at, at + 2);
    const swapped = key.slice(0, at) + second + first + key.slice(at + 2);
    if (first !== second && second !== '') assert.ok(!wellFormed(swapped), `swap at ${at}`);
  }
});

test('What is not a key is refused, however long it is.', () => {
  const { key } = mintKey(secret, 'key-1', 'production');
  const others = ['', 'vit_live_', `vit_live_${'0'.repeat(49)}`, 'é'.repeat(58)];
  others.push(key.slice(1), key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`);
  others.push(key.replace('live', 'test'), key.replace('live', 'LIVE'), 'x'.repeat(1_000_000));
  for (const other of others) assert.ok(!wellFormed(other), other);
});

test('The look-up is the same for the same key and secret, and reveals nothing of the key.', () => {
  const { key, lookup } = mintKey(secret, 'key-1', 'production');
  assert.match(lookup, /^[0-9a-f]{64}$/);
  assert.equal(lookupOf(secret, key), lookup);
  assert.notEqual(lookupOf('another secret', key), lookup);
  assert.notEqual(lookupOf(secret, mintKey(secret, 'key-1', 'production').key), lookup);
});

test('The sealed copy opens to the key, and does not hold it.', () => {
  const { key, sealed } = mintKey(secret, 'key-1', 'production');
  assert.equal(unsealKey(secret, 'key-1', sealed), key);
  assert.ok(!Buffer.from(sealed.slice(3), 'base64url').includes(key.slice(9, 20)));
});

test('The sealed copy opens neither with another secret, nor as another key, nor changed, nor cut short.', () => {
  const { sealed } = mintKey(secret, 'key-1', 'production');
  assert.throws(() => unsealKey('another secret', 'key-1', sealed), /does not open/);
  assert.throws(() => unsealKey(secret, 'key-2', sealed), /does not open/);
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  for (const at of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    const other = `v1.${changed.toString('base64url')}`;
    assert.throws(() => unsealKey(secret, 'key-1', other), /does not open/);
  }
  const short = `v1.${bytes.subarray(0, -1).toString('base64url')}`;
  assert.throws(() => unsealKey(secret, 'key-1', short), /does not open/);
  for (const other of ['', 'v1.', 'v1.AAAA', sealed.slice(3)])
    assert.throws(() => unsealKey(secret, 'key-1', other), /not a sealed copy|does not open/);
});

test('An empty secret seals nothing.', () => {
  assert.throws(() => mintKey('', 'key-1', 'production'), /the secret is empty/);
});
