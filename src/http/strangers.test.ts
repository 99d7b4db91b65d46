/** Answers for everybody go round the addresses, with rounds for everything else in between. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StrangerTurns } from './strangers.ts';

test('One turn of an address is followed by those of all others, and by rounds without any', () => {
  const rounds: (() => void)[] = [];
  const turns = new StrangerTurns((callback) => rounds.push(callback));
  const begun: string[] = [];
  const take = (owner: string, ...names: string[]) => {
    for (const name of names) turns.take(owner, () => begun.push(`${name} ${owner}`));
  };
  take('a', 'first', 'second', 'third');
  take('b', 'first', 'second');
  assert.deepEqual(begun, ['first a']);
  take('c', 'first');
  let count = 0;
  const counts: number[] = [];
  for (let next = rounds.shift(); next !== undefined; next = rounds.shift()) {
    const before = begun.length;
    count++;
    next();
    if (begun.length > before) counts.push(count);
  }
  const order = ['first a', 'second a', 'first b', 'first c', 'third a', 'second b'];
  assert.deepEqual(begun, order);
  // Four rounds from one turn to the next.
  assert.deepEqual(counts, [4, 8, 12, 16, 20]);
  take('a', 'at once');
  assert.equal(begun.at(-1), 'at once a');
});
