/** Answers are compressed as their clients take them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { encoded, encodingFor } from './encodings.ts';

test('the quickest encoding that a client takes', () => {
  for (const [accepted, encoding] of [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate, gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['GZIP;q=0.5, x-zstd', 'zstd'],
    ['zstd;q=0, br;q=0.0, gzip;q=0.001', 'gzip'],
    ['zstd;q=0', undefined],
    ['*', undefined],
    ['gzipped', undefined],
  ] as const)
    assert.equal(encodingFor(accepted), encoding, accepted);
});

test('small and large answers in every encoding', async () => {
  for (const length of [3_000, 400_000]) {
    const bytes = Buffer.from(`["${'sales 12.30 '.repeat(length / 12)}"]`);
    assert.deepEqual(zstdDecompressSync(await encoded(bytes, 'zstd')), bytes);
    assert.deepEqual(brotliDecompressSync(await encoded(bytes, 'br')), bytes);
    assert.deepEqual(gunzipSync(await encoded(bytes, 'gzip')), bytes);
  }
});
