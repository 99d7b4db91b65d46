/**
 * Hostile requests to every operation get answers that the description promises, and show and
 * change nothing of other customers.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzz } from './fuzz/run.ts';
import { pairs } from './harness.ts';
import { level } from './level.ts';

const requestsOn = {
  fast: { embedded: 0, served: 0 },
  normal: { embedded: 60, served: 0 },
  deep: { embedded: 2_000, served: 500 },
}[level];
const seed = 20_261_121;

for (const pair of pairs) {
  const requests = requestsOn[pair];
  if (requests === 0) continue;
  test(`every answer to a hostile request is one that the description promises, and shows nothing of other customers (${pair})`, async (context) => {
    context.diagnostic(`seed ${seed}: node test/fuzz.ts ${requests} ${seed} ${pair}`);
    const { failures, statuses } = await fuzz(pair, requests, seed);
    assert.deepEqual(failures, []);
    const answered = Object.values(statuses).filter((counts) => (counts?.[200] ?? 0) > 0);
    assert.ok(answered.length >= 10, 'some requests get as far as an answer');
  });
}
