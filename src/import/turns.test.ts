/** Imports of organisations take turns, and an import whose sender has left stops waiting. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestAbandoned } from '../engine/errors.ts';
import { ImportTurns } from './turns.ts';

test('organisations take turns, however many imports one has sent', async () => {
  const turns = new ImportTurns(1);
  const begun: string[] = [];
  const gone = new AbortController();
  const take = (organisation: string, name: string, signal?: AbortSignal) =>
    turns.take(organisation, signal, async () => {
      begun.push(name);
    });
  const left = take('a', 'a0', AbortSignal.abort());
  const all = ['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => take(name[0]!, name));
  const leaving = take('b', 'b3', gone.signal);
  gone.abort();
  await assert.rejects(left, RequestAbandoned);
  await assert.rejects(leaving, RequestAbandoned);
  await Promise.all(all);
  assert.deepEqual(begun, ['a1', 'b1', 'a2', 'b2', 'a3']);
  assert.deepEqual([turns.running, turns.waiting], [0, 0]);
});
