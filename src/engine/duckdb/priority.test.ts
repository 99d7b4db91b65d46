/** Threads of DuckDB work at a lower priority than the main thread. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { lowerPoolPriority } from './priority.ts';

/** The niceness of each thread of this process, by its name. */
function niceness(): (readonly [name: string, nice: number])[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const text = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    const [, name, fields] = /^\d+ \((.*)\) (.*)$/s.exec(text)!;
    return [name!, Number(fields!.split(' ')[16])] as const;
  });
}

const skip = process.platform !== 'linux' && 'only Linux has priorities of threads';

test('the threads of the pool have a lower priority, the main thread keeps its own', {
  skip,
}, async () => {
  // The pool is created for the first work that it gets.
  await stat('.');
  const [own] = niceness();
  lowerPoolPriority();
  const after = niceness();
  assert.deepEqual(after[0], own);
  const pool = after.filter(([name]) => name === 'libuv-worker').map(([, nice]) => nice);
  assert.ok(pool.length > 0);
  assert.deepEqual(new Set(pool), new Set([10]));
});
