import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzz } from './fuzz.ts';
import { pairs } from './harness.ts';

const requestsOn = { embedded: 1_000, served: 400 };
const seed = 20_261_121;

for (const pair of pairs) {
  const requests = requestsOn[pair];
  test(`whatever is asked, each answer is one that the description promises, and shows nothing of others (${pair})`, async (context) => {
    context.diagnostic(`seed ${seed}: node test/fuzz.ts ${requests} ${seed} ${pair}`);
    const { failures, statuses } = await fuzz(pair, requests, seed);
    assert.deepEqual(failures, []);
    assert.ok(
      (statuses.viewSalesByPeriod?.[200] ?? 0) > 0,
      'some requests get as far as an answer',
    );
  });
}
