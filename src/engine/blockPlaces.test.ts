/** Each place of a block in memory is one object until the block is removed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlockPlaces } from './blockPlaces.ts';

test('a place is one object until it is forgotten', () => {
  const places = new BlockPlaces();
  assert.equal(places.of('sales')(7, 3), undefined);
  const place = places.add('sales', 7, 3);
  assert.deepEqual(place, { question: 'sales', channel: 7, number: 3 });
  assert.equal(places.add('sales', 7, 3), place);
  assert.equal(places.of('sales')(7, 3), place);
  const others = [places.add('views', 7, 3), places.add('sales', 8, 3), places.add('sales', 7, 4)];
  places.remove(place);
  assert.equal(places.of('sales')(7, 3), undefined);
  const known = [places.of('views')(7, 3), places.of('sales')(8, 3), places.of('sales')(7, 4)];
  assert.deepEqual(known, others);
  for (const one of others) places.remove(one);
  places.remove(place);
  assert.equal(places.of('sales')(8, 3), undefined);
});
