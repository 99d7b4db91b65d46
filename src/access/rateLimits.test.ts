/** The headers that say how many requests a key has left. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listsOf, tablesBeside } from '../../test/table.ts';
import { burstWindow } from './rateLimits.ts';

const tables = tablesBeside(import.meta.url, 'rateLimits.tables.txt');

test('a window is as long as the rate takes to allow the burst, and allows what the rate does in that time', () => {
  for (const [perSecond, burst, requests, seconds] of listsOf(tables.windows!)) {
    assert.deepEqual(
      burstWindow({ perSecond, burst }),
      { requests, seconds },
      `${perSecond} a second, ${burst} at once`,
    );
  }
});
