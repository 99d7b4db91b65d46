/**
 * Answers that stream: they are fetched as they are read, show one state of the facts, and end by
 * an error, a deadline or a client that leaves, after which everything they held is free again.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { until } from '../../test/harness.ts';
import { deepTest, slowTest } from '../../test/level.ts';
import {
  collected,
  digits,
  endless,
  endlessRows,
  freshTarget,
  land,
  limits,
  million,
  numbered,
  numberSeen,
  numbers,
  onEachWarehouse,
  one,
  runningQuestions,
} from '../../test/warehouse.ts';
import { DeadlineExceeded, RequestAbandoned, StoreUnavailable } from './errors.ts';
import { question } from './question.ts';
import type { Row, Warehouse } from './warehouse.ts';

const rowsMax = 262_144;
const lettersOfRow = 1200;
/** The memory in use is measured after every this many rows. */
const rowsPerLook = 65_536;
/** A third of what all rows together take. */
const heldBytesMax = 105_000_000;

/** Many rows, together far larger than a process may hold of them. */
const manyRows = question<{ number: number; text: string; amount: bigint }>(
  'manyRows',
  `${digits} SELECT number, concat(repeat('x', ${lettersOfRow}), CAST(number AS VARCHAR)) AS text,
     amount(number) AS amount
   FROM (${numbers(5)}) AS counted WHERE number < ${rowsMax}`,
);

/**
 * A row far enough from the first that ClickHouse, which formats in parallel, sends some before it.
 */
const brokenRow = { duckdb: 150_000, clickhouse: 400_000 };

/** Rows with an invalid one in the middle. They are sorted: otherwise that row might come first. */
const brokenRows = (broken: number) =>
  question(
    'brokenRows',
    `${digits} SELECT repeat('x', 300) AS text,
      CAST(CASE WHEN number = ${broken} THEN 'x' ELSE '1' END AS INTEGER) AS one
     FROM (${numbers(5)} ORDER BY number LIMIT ${2.5 * broken}) AS counted`,
  );

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The memory of the process after a collection, in bytes. */
function heldBytes(): number {
  // Buffers are freed in the background; the second collection waits for those of the first.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

onEachWarehouse('streams', (opened, engine) => {
  let warehouse: Warehouse;
  before(() => {
    warehouse = opened().warehouse;
  });

  deepTest('a quarter of a million rows stream as they are taken, never all at once', async () => {
    const { clickhouseUrl } = opened();
    const before = heldBytes();
    let [count, sum, amounts, letters, looks] = [0, 0, 0n, 0, 0];
    for await (const rows of warehouse.stream(manyRows, {}, limits)) {
      assert.ok(rows.length > 0);
      if (count === 0 && clickhouseUrl) assert.equal(await runningQuestions(clickhouseUrl), 1);
      count += rows.length;
      for (const { number, text, amount } of rows) {
        sum += number;
        amounts += amount;
        letters += text.length;
      }
      if (count < (looks + 1) * rowsPerLook) continue;
      looks += 1;
      const held = heldBytes() - before;
      assert.ok(held < heldBytesMax, `${held} bytes`);
    }
    // Ten of the numbers have one digit, ninety have two, and so on.
    const digitsInAll = 10 + 90 * 2 + 900 * 3 + 9000 * 4 + 90_000 * 5 + (rowsMax - 100_000) * 6;
    assert.deepEqual(
      [count, sum, letters],
      [rowsMax, (rowsMax * (rowsMax - 1)) / 2, lettersOfRow * rowsMax + digitsInAll],
    );
    assert.equal(amounts, BigInt(sum) * million);
    assert.equal(looks, rowsMax / rowsPerLook);
  });

  test('an answer without rows streams as none', async () => {
    const none = question('none', "SELECT 1 AS one WHERE 'a' = 'b'");
    assert.deepEqual(await collected(warehouse.stream(none, {}, limits)), []);
    assert.deepEqual(await collected(warehouse.stream(one, {}, limits)), [{ one: 1 }]);
  });

  const breaks = engine === 'duckdb' ? slowTest : deepTest;
  breaks('an answer that breaks off ends with an error, never as if it were whole', async () => {
    const isOfQuestion = (error: unknown) =>
      error instanceof Error &&
      !(error instanceof StoreUnavailable) &&
      !(error instanceof DeadlineExceeded);
    const broken = brokenRow[engine];
    const failing = brokenRows(broken);
    let seen = 0;
    const taking = async (portions: AsyncIterable<Row[]>) => {
      seen = 0;
      for await (const rows of portions) seen += rows.length;
    };
    await assert.rejects(taking(warehouse.stream(failing, {}, limits)), isOfQuestion);
    assert.ok(seen > 0 && seen <= broken, `${seen} rows`);
    const reading = warehouse.read([], limits, (_, stream) => taking(stream(failing, {})));
    await assert.rejects(reading, isOfQuestion);
    assert.ok(seen > 0 && seen <= broken, `${seen} rows`);
    for (const sql of ['SELECT secret_word FROM nowhere', 'DROP TABLE warehouse_version']) {
      const portions = warehouse.stream(question('refused', sql), {}, limits);
      await assert.rejects(taking(portions), isOfQuestion, sql);
    }
    // More often than there are connections for reading.
    for (let count = 0; count < 10; count++)
      assert.deepEqual(await warehouse.ask(one, {}, limits), [{ one: 1 }]);
  });

  /** Waits until the server runs no question of this suite any more. */
  const nothingGoesOn = async () => {
    const { clickhouseUrl } = opened();
    if (clickhouseUrl) await until(async () => (await runningQuestions(clickhouseUrl)) === 0);
  };

  test('a stream that is left early or by an error releases its resources', async () => {
    // Together more often than DuckDB has connections for reading.
    for (let turn = 0; turn < (engine === 'duckdb' ? 5 : 2); turn++) {
      for await (const rows of warehouse.stream(endlessRows, {}, limits)) {
        assert.ok(rows.length > 0);
        break;
      }
      const thrown = new Error('busy');
      const throwing = async () => {
        for await (const _ of warehouse.stream(endlessRows, {}, limits)) throw thrown;
      };
      await assert.rejects(throwing, (error) => error === thrown);
    }
    assert.deepEqual(await warehouse.ask(one, {}, limits), [{ one: 1 }]);
    await nothingGoesOn();
  });

  const stops = engine === 'duckdb' ? test : deepTest;
  stops('the deadline and a leaving asker stop a stream, also during a portion', async () => {
    const { clock, clickhouseUrl } = opened();
    let streaming = 0;
    const taking = async (portions: AsyncIterable<Row[]>) => {
      let isFirst = true;
      for await (const rows of portions) {
        assert.ok(rows.length > 0);
        if (isFirst) streaming++;
        isFirst = false;
      }
    };
    const stopped = [
      taking(warehouse.stream(endlessRows, {}, limits)),
      warehouse.read([], limits, (_, stream) => taking(stream(endlessRows, {}))),
      taking(warehouse.stream(endless, {}, limits)),
    ].map((portions) => assert.rejects(portions, DeadlineExceeded));
    const leaving = new AbortController();
    const left = { ...limits, signal: leaving.signal };
    const abandoned = async () => {
      for await (const rows of warehouse.stream(endlessRows, {}, left)) {
        assert.ok(rows.length > 0);
        leaving.abort();
      }
    };
    await assert.rejects(abandoned, RequestAbandoned);
    await until(() => streaming === 2);
    if (clickhouseUrl) await until(async () => (await runningQuestions(clickhouseUrl)) === 3);
    clock.advance(limits.deadlineMilliseconds);
    await Promise.all(stopped);
    await assert.rejects(taking(warehouse.stream(one, {}, left)), RequestAbandoned);
    // As many streams as DuckDB has connections: the question waits until they have ended.
    const busy = await Promise.all(
      Array.from({ length: engine === 'duckdb' ? 8 : 1 }, async () => {
        const portions = warehouse.stream(endlessRows, {}, limits)[Symbol.asyncIterator]();
        assert.equal((await portions.next()).done, false);
        return portions;
      }),
    );
    const later = { deadlineMilliseconds: 2 * limits.deadlineMilliseconds };
    const waiting = warehouse.ask(one, {}, later);
    clock.advance(limits.deadlineMilliseconds);
    assert.deepEqual(await waiting, [{ one: 1 }]);
    await nothingGoesOn();
    for (const portions of busy) await assert.rejects(portions.next(), DeadlineExceeded);
  });

  slowTest('a stream is of one state, and a reading asks and streams within one', async () => {
    const target = freshTarget();
    const { channel } = target;
    const lineCount = 150;
    await land(warehouse, target, numbered(1, lineCount));
    const sql = `${digits} SELECT quantity, repeat('x', 400) AS text FROM order_line
       CROSS JOIN digits AS d0 CROSS JOIN digits AS d1 WHERE channel = {channel:Int32}`;
    const lines = question<{ quantity: number; text: string }>('lines', sql);
    /** Counts the rows of a stream and their imports; calls `between` after the first portion. */
    const collect = async (
      portions: AsyncIterable<{ quantity: number }[]>,
      between: () => Promise<unknown>,
    ) => {
      const numbersSeen = new Set<number>();
      let count = 0;
      for await (const rows of portions) {
        if (count === 0) await between();
        count += rows.length;
        for (const { quantity } of rows) numbersSeen.add(quantity);
      }
      return { count, numbersSeen: [...numbersSeen] };
    };
    const linesMax = lineCount * 256;
    const ofFirst = { count: linesMax, numbersSeen: [1] };
    await warehouse.read([channel], limits, async (ask, stream) => {
      assert.equal(await numberSeen(ask, channel, lineCount), 1);
      const landing = () => land(warehouse, target, numbered(2, lineCount));
      const outside = await collect(warehouse.stream(lines, { channel }, limits), landing);
      assert.deepEqual(outside, ofFirst);
      assert.equal(await numberSeen(ask, channel, lineCount), 1);
      const inside = await collect(stream(lines, { channel }), async () => {
        await assert.rejects(ask(one, {}), /while an answer streams/);
        await assert.rejects(collected(stream(one, {})), /while an answer streams/);
      });
      assert.deepEqual(inside, ofFirst);
      for await (const _ of stream(lines, { channel })) break;
      assert.equal(await numberSeen(ask, channel, lineCount), 1);
      assert.deepEqual(await collected(stream(one, {})), [{ one: 1 }]);
    });
    const later = await collect(warehouse.stream(lines, { channel }, limits), async () => {});
    assert.deepEqual(later, { count: linesMax, numbersSeen: [2] });
    const late = await warehouse.read([channel], limits, async (_, stream) => ({
      portions: stream(one, {}),
    }));
    await assert.rejects(collected(late.portions), /after its read had ended/);
  });
});
