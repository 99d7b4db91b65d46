/** The headers that say how many requests a key has left. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { burstWindow } from './rateLimits.ts';

test('a window is as long as the rate takes to allow the burst, and allows what the rate does in that time', () => {
  for (const [perSecond, burst, requests, seconds] of [
    [10, 20, 20, 2],
    [10, 10, 10, 1],
    [1, 3, 3, 3],
    [1, 3_600, 3_600, 3_600],
    // The burst is no whole number of seconds' worth: a little more.
    [10, 25, 30, 3],
    [7, 20, 21, 3],
    [1_000, 1_001, 2_000, 2],
    // The burst is less than a second's worth: the rate holds.
    [10, 5, 10, 1],
    [3, 1, 3, 1],
    [1_000_000_000, 1, 1_000_000_000, 1],
  ] as const) {
    assert.deepEqual(
      burstWindow({ perSecond, burst }),
      { requests, seconds },
      `${perSecond} a second, ${burst} at once`,
    );
  }
});
