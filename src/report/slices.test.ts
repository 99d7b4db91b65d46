/** Long work is divided into slices, between which other work has its turn. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachInSlices, writeInSlices } from './slices.ts';

test('other work has its turn while many facts are taken', async () => {
  const order: string[] = [];
  const take = (name: string, length: number) =>
    eachInSlices(
      Array.from({ length }, (_, index) => index),
      (index) => {
        if (index % 1000 === 0) order.push(`${name} ${index}`);
      },
    );
  await Promise.all([take('many', 2001), take('few', 1000)]);
  assert.deepEqual(order, ['many 0', 'few 0', 'many 1000', 'many 2000']);
});

test('other work has its turn while many rows are written, and none while there are few', async () => {
  const order: string[] = [];
  const write = async (name: string, length: number, text = '1') => {
    const items = Array.from({ length }, () => text);
    const parts = await writeInSlices(
      '[',
      items,
      (out, item, index) => {
        if (index % 100 === 0) order.push(`${name} ${index}`);
        out.text(JSON.stringify(item));
      },
      ']',
    );
    assert.deepEqual(JSON.parse(Buffer.concat(parts).toString()), items);
    return parts.length;
  };
  const lengths = await Promise.all([write('many', 300), write('few', 100), write('none', 0)]);
  assert.deepEqual(order, ['many 0', 'few 0', 'many 100', 'many 200']);
  assert.deepEqual(lengths, [1, 1, 1]);
  assert.equal(await write('long', 300, 'x'.repeat(2_000)), 3, 'parts of more than 131,072 bytes');
});
