/** The facts in memory: how much they may take, and when they are evicted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlockPlaces, type Place } from './blockPlaces.ts';
import { byDay, question } from './question.ts';
import { Reads } from './stamps.ts';
import type { View } from './warehouse.ts';
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

const days = byDay(
  question<{ day: number }>(
    'days',
    'SELECT day FROM store_day WHERE channel = {channel:Int32} AND day >= {first:Date} AND day <= {last:Date}',
  ),
);

/** A view of the tables with a stamp, which counts its questions. */
function viewOf(stamp: string): View & { questions: number } {
  const view = {
    questions: 0,
    stamps: { of: () => stamp },
    async ask(_question: unknown, { first }: { readonly first?: unknown }) {
      view.questions++;
      return [{ day: first as number }] as never[];
    },
  };
  return view as View & { questions: number };
}

test('a block is found until it is evicted, also after its facts have changed', async () => {
  const set = new WorkingSet(1_000_000);
  const [before, after] = [viewOf('before'), viewOf('after')];
  for (const view of [before, before, after, after])
    await set.answering(view, undefined)(days, { channel: 1, first: 0, last: 5 });
  assert.deepEqual([before.questions, after.questions], [1, 1]);
});

type Block = Parameters<BlockPlaces['add']>;

test('the places of blocks that are evicted are forgotten', async ({ mock }) => {
  const { add, remove } = BlockPlaces.prototype;
  const known = new Set<Place>();
  mock.method(BlockPlaces.prototype, 'add', function (this: BlockPlaces, ...block: Block) {
    const place = add.call(this, ...block);
    known.add(place);
    return place;
  });
  mock.method(BlockPlaces.prototype, 'remove', function (this: BlockPlaces, place: Place) {
    remove.call(this, place);
    known.delete(place);
  });
  const set = new WorkingSet(20_000);
  const view = viewOf('stamp');
  for (let channel = 1; channel <= 1_000; channel++)
    await set.answering(view, undefined)(days, { channel, first: 0, last: 5 });
  assert.equal(view.questions, 1_000);
  assert.ok(set.bytes > 10_000 && set.bytes <= 20_000);
  assert.ok(known.size > 10 && known.size < 100, `${known.size}`);
});
