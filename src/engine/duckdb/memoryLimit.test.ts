/** How much memory DuckDB has during imports, during questions, and during both. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { MemoryLimit } from './memoryLimit.ts';

/** A DuckDB with this much memory, connections of two batches, and its current limit. */
async function opened(megabytes: number) {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: `${megabytes}MB` });
  const writer = await instance.connect();
  const set = async (limit: number) => void (await writer.run(`SET memory_limit = '${limit}MB'`));
  const memory = new MemoryLimit(set, megabytes);
  const found = async () => {
    const answer = await writer.runAndReadAll("SELECT current_setting('memory_limit')");
    return answer.getRows()[0]![0];
  };
  return {
    instance,
    memory,
    one: await instance.connect(),
    other: await instance.connect(),
    found,
  };
}

test('during large imports DuckDB has little memory, and more for questions', async () => {
  const { instance, memory, one, other, found } = await opened(256);
  const [all, more, little] = ['244.1 MiB', '122.0 MiB', '91.5 MiB'];
  assert.equal(await found(), all);
  await memory.begin();
  assert.equal(await found(), all);
  await memory.addLargeBatch(one);
  assert.equal(await found(), more);
  await memory.addLargeBatch(other);
  await memory.begin();
  await memory.end();
  assert.equal(await found(), more);
  await memory.end();
  assert.equal(await found(), little);
  await memory.withMore(async () => assert.equal(await found(), more));
  await assert.rejects(
    memory.withMore(() => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.equal(await found(), little);
  await memory.removeBatch(one);
  assert.equal(await found(), little);
  await memory.removeBatch(other);
  assert.equal(await found(), all);

  await memory.addLargeBatch(one);
  memory.close();
  await memory.removeBatch(one);
  assert.equal(await found(), little);
  instance.closeSync();
});

test('questions that spill have little memory, unless others run beside them', async () => {
  const { instance, memory, one: batch, found } = await opened(256);
  const [all, little, more, least] = ['244.1 MiB', '152.5 MiB', '122.0 MiB', '91.5 MiB'];
  await memory.begin('spilling');
  assert.equal(await found(), little);
  await memory.begin();
  assert.equal(await found(), all);
  await memory.end();
  assert.equal(await found(), little);
  await memory.addLargeBatch(batch);
  assert.equal(await found(), more);
  await memory.end('spilling');
  assert.equal(await found(), least);
  await memory.removeBatch(batch);
  assert.equal(await found(), all);
  // However often it changes while a limit is being set, the last one counts.
  const changes = [memory.begin('spilling'), memory.begin(), memory.end(), memory.begin()];
  await Promise.all(changes);
  assert.equal(await found(), all);
  instance.closeSync();
});

test('a limit that was refused is set with the next change', async () => {
  const refused = [true, false];
  const set: number[] = [];
  const memory = new MemoryLimit(async (megabytes) => {
    if (refused.shift()) throw new Error('more is in use');
    set.push(megabytes);
  }, 256);
  await memory.begin('spilling');
  await memory.begin('spilling');
  assert.deepEqual(set, [160]);
});

test('DuckDB never has more memory than its limit', async () => {
  const { instance, memory, one, found } = await opened(100);
  await memory.begin();
  await memory.addLargeBatch(one);
  assert.equal(await found(), '95.3 MiB');
  instance.closeSync();
});
