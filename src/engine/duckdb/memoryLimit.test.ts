import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { MemoryLimit } from './memoryLimit.ts';

const setterOf = (connection: DuckDBConnection) => async (megabytes: number) => {
  await connection.run(`SET memory_limit = '${megabytes}MB'`);
};

test('during large imports DuckDB has little memory, and more for questions', async () => {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '256MB' });
  const [writer, one, other] = [
    await instance.connect(),
    await instance.connect(),
    await instance.connect(),
  ];
  const memory = new MemoryLimit(setterOf(writer), 256);
  const found = async () => {
    const answer = await writer.runAndReadAll("SELECT current_setting('memory_limit')");
    return answer.getRows()[0]![0];
  };
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

test('DuckDB never has more memory than its limit', async () => {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '100MB' });
  const [writer, batch] = [await instance.connect(), await instance.connect()];
  const memory = new MemoryLimit(setterOf(writer), 100);
  await memory.begin();
  await memory.addLargeBatch(batch);
  const answer = await writer.runAndReadAll("SELECT current_setting('memory_limit')");
  assert.deepEqual(answer.getRows(), [['95.3 MiB']]);
  instance.closeSync();
});
