/** Servers of stores that are stopped in the middle (SIGSTOP), and go on later. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { until } from './harness.ts';
import { deepTest } from './level.ts';
import { startClickHouse } from './servers/clickhouse.ts';
import { startPostgres } from './servers/postgres.ts';
import { connectStore, freshService } from './service.ts';

/** A process and its children. */
function family(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number).flatMap(family)];
}

deepTest('a silent server is answered for with 503, and its return is noticed', async () => {
  const clickhouse = await startClickHouse();
  const postgres = await startPostgres();
  await using service = await freshService({
    DATABASE_URL: postgres.url,
    CLICKHOUSE_URL: clickhouse.url,
    VITRINE_SILENCE_MILLISECONDS: '1200',
  });
  const operator = { authorization: service.authorization };
  const statusOf = async (...request: Parameters<typeof service.ask>) => {
    const response = await service.ask(...request);
    await response.text();
    return response.status;
  };
  try {
    await connectStore(service);
    const read = () => statusOf('GET', '/operator/freshness?channelId=store', undefined, operator);
    const importRows = () =>
      statusOf('POST', '/operator/imports/products?channelId=store', '{"sku":"A"}', {
        ...operator,
        'content-type': 'application/x-ndjson',
      });
    for (const { pid } of [clickhouse, postgres]) {
      assert.deepEqual([await read(), await importRows()], [200, 200]);
      const processes = family(pid);
      for (const one of processes) process.kill(one, 'SIGSTOP');
      // All these answers come while the server is stopped.
      assert.deepEqual(await Promise.all([read(), importRows()]), [503, 503]);
      assert.deepEqual(await Promise.all([read(), importRows()]), [503, 503]);
      assert.equal((await service.ask('GET', '/readyz')).status, 503);
      for (const one of processes.reverse()) process.kill(one, 'SIGCONT');
      await until(async () => (await read()) === 200);
      await until(async () => (await importRows()) === 200);
    }
  } finally {
    await clickhouse.stop();
    await postgres.stop();
  }
});
