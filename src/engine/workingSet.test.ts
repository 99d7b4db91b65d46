/** The facts in memory: how much they may take, and when they are evicted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Reads } from './stamps.ts';
import { WorkingSet } from './workingSet.ts';

test('cached answers take no more memory than is counted', () => {
  const set = new WorkingSet(1_000_000);
  // Node cuts small buffers from pools of many kilobytes.
  const pooled = Buffer.from('{"sales":"1.00"}');
  assert.ok(pooled.buffer.byteLength > pooled.length);
  const whole = Buffer.from(new ArrayBuffer(100_000));
  const answer = { parts: [pooled, whole], tag: '"a"', reads: new Reads() };
  for (const _ of ['requested once', 'requested again']) set.cacheAnswer('key', answer);
  const { parts } = set.findAnswer('key')!;
  const found = parts.map(({ buffer }) => buffer.byteLength);
  assert.deepEqual(found, [pooled.length, whole.length]);
  assert.deepEqual(parts, [pooled, whole]);
  assert.equal(parts[1], whole, 'not copied without need');
});
