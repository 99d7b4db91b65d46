/** Engines that are killed, and connections that break. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HandClock } from '../../test/clock.ts';
import { until } from '../../test/harness.ts';
import { deepTest, slowTest } from '../../test/level.ts';
import { startClickHouse } from '../../test/servers/clickhouse.ts';
import { startClickHouseProxy } from '../../test/servers/proxy.ts';
import {
  daysOf,
  endlessRows,
  limits,
  numbered,
  numberSeen,
  one,
  stage,
  staged,
} from '../../test/warehouse.ts';
import { clickhouseLimits, openClickhouse } from './clickhouse/warehouse.ts';
import { openDuckdb } from './duckdb/warehouse.ts';
import { StoreUnavailable } from './errors.ts';
import type { Row, Warehouse } from './warehouse.ts';

/** A clock on which every pause before a repeated commit passes at once. */
const restlessClock = () => new HandClock(Date.now(), (milliseconds) => milliseconds <= 2_000);

/** The import that channel 1 shows: the last acknowledged one, or all of the next one. */
async function seenAfter(warehouse: Warehouse, acknowledged: number, lines?: number) {
  const number = await warehouse.read([1], limits, (ask) => numberSeen(ask, 1, lines));
  const isRight = number === acknowledged || number === acknowledged + 1;
  assert.ok(isRight, `${number} after ${acknowledged} was acknowledged`);
  const found = [await warehouse.isCommitted(number), await warehouse.isCommitted(number + 1)];
  assert.deepEqual(found, [number > 0, false]);
  return number;
}

deepTest(
  'DuckDB killed by SIGKILL while it lands has the old facts or the new ones, and all that was acknowledged',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-killed-'));
    const documents = await mkdtemp(join(tmpdir(), 'vitrine-killed-'));
    const spans = daysOf(numbered(1));
    for (let number = 1; number <= 40; number++) {
      for (const [table, lines] of Object.entries(staged(numbered(number, 3000))))
        writeFileSync(join(documents, `${table}-${number}.csv`), lines);
    }
    const script = `
    import { copyFileSync } from 'node:fs';
    import { openDuckdb } from ${JSON.stringify(import.meta.resolve('./duckdb/warehouse.ts'))};
    const warehouse = await openDuckdb(${JSON.stringify(folder)});
    await warehouse.migrate();
    for (let number = Number(process.argv[1]); number <= 40; number++) {
      const arrival = await warehouse.begin({ importId: number, channel: 1 });
      for (const table of ['order_line', 'traffic_total']) {
        const file = warehouse.stagingFolder + '/' + table + '.csv';
        copyFileSync(${JSON.stringify(documents)} + '/' + table + '-' + number + '.csv', file);
        await arrival.stage(table, file);
      }
      console.log('committing ' + number);
      await arrival.commit(${JSON.stringify(spans)}, 'America/Los_Angeles');
      console.log('committed ' + number);
    }`;
    try {
      let seen = 0;
      for (let round = 0; round < 3; round++) {
        const given = ['--input-type=module', '--eval', script, String(seen + 1)];
        const child = spawn(process.execPath, given, { stdio: ['ignore', 'pipe', 'inherit'] });
        const closed = once(child, 'close');
        let output = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
        await until(() => output.includes('committing'));
        await delay(Math.random() * 250);
        child.kill('SIGKILL');
        await closed;
        const acknowledged = Math.max(
          seen,
          ...[...output.matchAll(/committed (\d+)/g)].map((match) => Number(match[1])),
        );
        const warehouse = await openDuckdb(folder);
        await warehouse.migrate();
        seen = await seenAfter(warehouse, acknowledged, 3000);
        await warehouse.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
      await rm(documents, { recursive: true, force: true });
    }
  },
);

deepTest(
  'ClickHouse killed by SIGKILL while an import lands has the old facts or the new ones, and all that was acknowledged',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'vitrine-killed-'));
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-killed-'));
    const target = { channel: 1, timezone: 'America/Los_Angeles' };
    let server = await startClickHouse({ directory });
    try {
      let seen = 0;
      for (let round = 0; round < 3; round++) {
        const clock = restlessClock();
        const warehouse = await openClickhouse(server.url, folder, clickhouseLimits, clock);
        await warehouse.migrate();
        let acknowledged = seen;
        let isDead = false;
        const killing = delay(200 + Math.random() * 500).then(async () => {
          isDead = true;
          await server.kill();
        });
        try {
          for (let number = seen + 1; ; number++) {
            const arrival = await warehouse.begin({ ...target, importId: number });
            await stage(warehouse, arrival, numbered(number));
            await arrival.commit(daysOf(numbered(number)), target.timezone);
            acknowledged = number;
          }
        } catch (error) {
          assert.ok(isDead && error instanceof StoreUnavailable, String(error));
        }
        await killing;
        await assert.rejects(warehouse.checkHealth(), StoreUnavailable);
        await warehouse.close();
        server = await startClickHouse({ directory });
        const again = await openClickhouse(server.url, folder, clickhouseLimits, restlessClock());
        seen = await seenAfter(again, acknowledged);
        await again.close();
      }
    } finally {
      await server.stop();
      for (const path of [directory, folder]) await rm(path, { recursive: true, force: true });
    }
  },
);

slowTest(
  'ClickHouse that dies while an answer streams, or an answer cut short on the way, is unavailable',
  async () => {
    const server = await startClickHouse();
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-warehouse-'));
    // Drops the last line of a streamed answer, like a proxy that hides a broken connection.
    const proxy = await startClickHouseProxy(server.url, {
      change: (answer) => answer.replace(/(?<=\]\n)end\n$/, ''),
    });
    try {
      const behind = await openClickhouse(proxy.url, folder, clickhouseLimits, restlessClock());
      assert.deepEqual(await behind.ask(one, {}, limits), [{ one: 1 }]);
      let seen = 0;
      const taking = async (
        portions: AsyncIterable<Row[]>,
        then: () => Promise<void> | undefined,
      ) => {
        seen = 0;
        for await (const rows of portions) {
          seen += rows.length;
          await then();
        }
      };
      const cutShort = taking(behind.stream(one, {}, limits), () => undefined);
      await assert.rejects(cutShort, StoreUnavailable);
      assert.equal(seen, 1);
      await behind.close();
      const warehouse = await openClickhouse(server.url, folder, clickhouseLimits, restlessClock());
      let killed: Promise<void> | undefined;
      const kill = () => {
        killed ??= server.kill();
        return killed;
      };
      const streaming = taking(warehouse.stream(endlessRows, {}, limits), kill);
      await assert.rejects(streaming, StoreUnavailable);
      assert.ok(seen > 0);
      await warehouse.close();
    } finally {
      proxy.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
