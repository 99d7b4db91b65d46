import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachInSlices, mapInSlices } from './slices.ts';

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

test('other work has its turn while many rows are made, and none while there are few', async () => {
  const order: string[] = [];
  const rowsOf = (name: string, length: number) =>
    mapInSlices(Array.from({ length }), (_, index) => {
      if (index % 100 === 0) order.push(`${name} ${index}`);
      return index;
    });
  const [many, few] = await Promise.all([rowsOf('many', 300), rowsOf('few', 100)]);
  assert.deepEqual(order, ['many 0', 'few 0', 'many 100', 'many 200']);
  assert.deepEqual([many.length, many.at(-1), few.length], [300, 299, 100]);
});
