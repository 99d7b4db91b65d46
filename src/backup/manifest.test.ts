/** A malformed manifest is refused before any part of it is used. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { barsOf } from '../../test/table.ts';
import { BackupRefusal, type Manifest } from './format.ts';
import { checkCode, manifestText, readManifest } from './manifest.ts';

const file = { bytes: 1, sha256: '0'.repeat(64) };
const range = {
  table: 'order_line',
  from: { channel: 0, day: 1 },
  to: { channel: 7, day: 20_000 },
};
const manifest: Manifest = {
  format: 'vitrine backup',
  version: 2,
  backupId: 'b-1',
  installationId: 'i-1',
  madeAt: '2026-11-24T10:00:00.000Z',
  schema: { registry: 11, warehouse: 9 },
  numbers: { import: 3, auditEntry: 9 },
  records: [{ ...file, path: 'records/api_key.jsonl', table: 'apiKey', rows: 2 }],
  facts: [{ ...file, path: 'facts/order_line-0001.parquet', range, rows: 5 }],
  reports: [{ ...file, path: 'reports/3f-1.csv' }],
  totals: { ...file, path: 'totals.jsonl' },
};

const attacks = readFileSync(new URL('manifest.attacks.txt', import.meta.url), 'utf8');

test('A manifest is read as it was written, by the key of its installation alone.', () => {
  const written = readManifest(manifestText(manifest, 'key'));
  assert.deepEqual(written.manifest, manifest);
  checkCode(written, 'key');
  for (const [found, key] of [
    [written, 'another key'],
    [{ ...written, hmac: '' }, 'key'],
    [{ ...written, manifest: { ...manifest, numbers: {} } }, 'key'],
  ] as const)
    assert.throws(() => checkCode(found, key), BackupRefusal);
});

test('A manifest of another form or version is refused.', () => {
  for (const [place = '', value = ''] of barsOf(attacks.split('\n\n')[1]!)) {
    const changed = structuredClone(manifest);
    const names = place.split('.');
    const last = names.pop()!;
    // biome-ignore lint/suspicious/noExplicitAny: the places are of any type.
    const holder = names.reduce((one: any, name) => one[name], changed);
    holder[last] = value === '' ? undefined : JSON.parse(value);
    const text = manifestText(changed, 'key');
    assert.throws(
      () => readManifest(text),
      /^Error: No backup has such a manifest\.json, at \//,
      place,
    );
  }
  for (const version of [1, 3, '2'])
    assert.throws(
      () => readManifest(manifestText({ ...manifest, version: version as 2 }, 'key')),
      /this program reads 2: restore it with the release that made it\.$/,
    );
  for (const text of ['', 'null', '[]', '{"manifest":null}', '{"manifest":{}}'])
    assert.throws(() => readManifest(text), /is not as it was written\.$/);
});
