/** Answers are compressed as their clients take them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { listsOf, textBeside } from '../../test/table.ts';
import { encoded, encodingFor } from './encodings.ts';

test('the quickest encoding that a client takes', () => {
  for (const [encoding, ...headers] of listsOf(textBeside(import.meta.url, 'encodings.csv')))
    for (const accepted of headers) assert.equal(encodingFor(accepted), encoding, accepted);
  assert.equal(encodingFor(undefined), undefined);
});

test('small and large answers in every encoding', async () => {
  for (const length of [3_000, 400_000]) {
    const bytes = Buffer.from(`["${'sales 12.30 '.repeat(length / 12)}"]`);
    assert.deepEqual(zstdDecompressSync(await encoded(bytes, 'zstd')), bytes);
    assert.deepEqual(brotliDecompressSync(await encoded(bytes, 'br')), bytes);
    assert.deepEqual(gunzipSync(await encoded(bytes, 'gzip')), bytes);
  }
});
