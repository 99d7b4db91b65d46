/**
 * Questions to a warehouse mean the same and have the same answers on both engines: parameters of
 * every type, the words of the vocabulary, nulls, refusals, deadlines and clients that leave.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { until } from '../../test/harness.ts';
import { testDepth } from '../../test/level.ts';
import { rowsOf } from '../../test/table.ts';
import {
  collected,
  day0,
  endless,
  freshTarget,
  land,
  limits,
  million,
  numbered,
  numberSeen,
  onEachWarehouse,
  one,
  row,
  runningQuestions,
  secondsPerDay,
} from '../../test/warehouse.ts';
import { dayNumber, localDay } from '../calendar/period.ts';
import { calendarOffsets } from '../calendar/zone.ts';
import { DeadlineExceeded, RequestAbandoned, StoreUnavailable } from './errors.ts';
import { question } from './question.ts';
import type { Parameters, Warehouse } from './warehouse.ts';

onEachWarehouse('questions', (opened, engine) => {
  let warehouse: Warehouse;
  before(() => {
    warehouse = opened().warehouse;
  });
  const asking = (sql: string, parameters: Parameters = {}) =>
    warehouse.ask(question('custom', sql), parameters, limits);
  /** Runs a query and asserts its rows. */
  const answers = async (sql: string, parameters: Parameters, expected: readonly object[]) =>
    assert.deepEqual(await asking(sql, parameters), expected);

  test('a question gets every type of parameter and answers plain values', async () => {
    const sql = `SELECT {one:Int32} AS one, {two:Int64} AS two, {three:Float64} AS three,
        {four:String} AS four, {five:Date} AS five,
         one_of(7, {six:Array(Int32)}) AS six, one_of(CAST(9007199254740991 AS BIGINT),
         {seven:Array(Int64)}) AS seven,
         one_of('it''s', {eight:Array(String)}) AS eight, one_of({five:Date}, {nine:Array(Date)}) AS nine, one_of('x', {ten:Array(String)}) AS ten,
         CAST(NULL AS BIGINT) AS eleven, amount(12) AS twelve,
         CAST({two:Int64} AS DECIMAL(38,6)) AS thirteen,
         {five:Date} < {six_days:Date} AS fourteen`;
    const every = question('every', sql);
    const parameters: Parameters = {
      one: -5,
      two: -9_007_199_254_740_991,
      three: -0.1,
      four: 'tab\tline\nreturn\rquote\'double"back\\slash {x:Int32} Ünïcödé 🙂 %41 &a=b +',
      five: dayNumber('2199-12-31'),
      six: [1, 7],
      seven: [9_007_199_254_740_991],
      eight: ['a', "it's", '\\', '\t'],
      nine: [-20_000, dayNumber('2199-12-31')],
      ten: [],
      six_days: 120_529,
    };
    const expected = [
      {
        ...rowsOf(`one, two, three, six, seven, eight, nine, ten, eleven, twelve, fourteen
          -5, -9007199254740991, -0.1, 1, 1, 1, 1, 0, null, 12000000n, 1`)[0],
        four: parameters.four as string,
        five: dayNumber('2199-12-31'),
        thirteen: -9_007_199_254_740_991n * million,
      },
    ];
    assert.deepEqual(await warehouse.ask(every, parameters, limits), expected);
    assert.deepEqual(await collected(warehouse.stream(every, parameters, limits)), expected);
  });

  test('a question takes lists of five thousand dates and texts', async () => {
    const sql =
      "SELECT one_of({day:Date}, {days:Array(Date)}) AS dated, one_of('text 4999 \\ it''s', {texts:Array(String)}) AS named";
    const long = question('long', sql);
    const days = Array.from({ length: 5000 }, (_, place) => place * 3);
    const texts = Array.from({ length: 5000 }, (_, place) => `text ${place} \\ it's`);
    const parameters = { day: 14_997, days, texts };
    assert.deepEqual(await warehouse.ask(long, parameters, limits), [{ dated: 1, named: 1 }]);
    const streamed = await collected(warehouse.stream(long, parameters, limits));
    assert.deepEqual(streamed, [{ dated: 1, named: 1 }]);
    const others = { day: 14_998, days, texts: texts.slice(1, 10) };
    assert.deepEqual(await warehouse.ask(long, others, limits), [{ dated: 0, named: 0 }]);
  });

  test('what is missing is null: sums over nothing, and columns of a missing side of a join', async () => {
    const { channel } = freshTarget();
    const product = [row('product', { sku: 'A', price: 5n * million })];
    await land(warehouse, { channel, timezone: 'UTC' }, { product });
    await answers(
      `SELECT p.sku AS sku, t.units AS units, t.revenue AS revenue, t.day AS day,
        t.product_id AS product_id
       FROM product AS p LEFT JOIN traffic AS t ON t.sku = p.sku AND t.channel = p.channel
       WHERE p.channel = {channel:Int32}`,
      { channel },
      [{ sku: 'A', units: null, revenue: null, day: null, product_id: null }],
    );
    await answers(
      `SELECT count(*) AS rows_held, sum(units) AS units, sum(revenue) AS revenue,
        min(day) AS first, max(sku) AS sku
       FROM traffic WHERE channel = {channel:Int32}`,
      { channel },
      [{ rows_held: 0, units: null, revenue: null, first: null, sku: null }],
    );
  });

  test('a question that changes something is refused, and changes nothing', async () => {
    const target = freshTarget();
    await land(warehouse, target, numbered(1));
    for (const sql of [
      'DROP TABLE warehouse_version',
      'CREATE TABLE more (a INTEGER)',
      'DELETE FROM warehouse_version WHERE 1 = 1',
      'INSERT INTO warehouse_version VALUES (1)',
    ])
      await assert.rejects(asking(sql), (error) => !(error instanceof DeadlineExceeded), sql);
    const { channel } = target;
    assert.equal(await warehouse.read([channel], limits, (ask) => numberSeen(ask, channel)), 1);
  });

  test('a question that cannot be understood is refused without repeating itself, and the warehouse goes on', async () => {
    const isWrong = (error: unknown) => !(error instanceof StoreUnavailable);
    await assert.rejects(asking('SELECT secret_word FROM nowhere'), isWrong);
    assert.throws(() => question('whose', 'SELECT day FROM traffic'), /names no channel/);
    await warehouse.checkHealth();
  });

  test('the vocabulary means on the engine what it means in TypeScript', async () => {
    const zones =
      'UTC America/Los_Angeles Europe/Berlin Asia/Kathmandu Pacific/Apia America/Sao_Paulo ' +
      'Africa/Casablanca Australia/Lord_Howe';
    const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...zones.split(' ')),
        fc.integer({ min: dayNumber('1931-01-01'), max: dayNumber('2150-01-01') }),
        fc.constantFrom(2, 40, 400, 2000),
        fc.array(share, { minLength: 20, maxLength: 20 }),
        async (zone, first, length, shares) => {
          const [from, to] = [first * secondsPerDay, (first + length) * secondsPerDay];
          const { starts, offsets } = calendarOffsets(zone, from, to);
          const changes = starts.slice(1).flatMap((start) => [start - 1, start]);
          const within = shares.map((part) => Math.floor(from + part * (to - from)));
          const instants = [...within, ...changes, from, to];
          const selects = instants.map((one, place) => {
            const instant = `CAST(${one} AS BIGINT)`;
            return `SELECT ${place} AS place, floor_multiple(${instant}, 900) AS slot,
              local_day(${instant}, {starts:Array(Int64)}, {offsets:Array(Int64)}) AS day`;
          });
          await answers(
            `SELECT * FROM (${selects.join(' UNION ALL ')}) AS instants ORDER BY place`,
            { starts, offsets },
            instants.map((instant, place) => {
              const slot = Math.floor(instant / 900) * 900;
              return { place, slot, day: localDay(zone, instant) };
            }),
          );
        },
      ),
      { numRuns: Math.ceil(8 * testDepth) },
    );
    const doubles = [
      ...[0, 0.1 + 0.2, 0.57, 1.005, 0.000_000_5, 0.000_001_5, -0.000_002_5, -0.000_000_4],
      ...[123_456_789.123_456_7, -99.999_999_6],
    ];
    const body = doubles
      .map(
        (value, place) =>
          `SELECT ${place} AS place, amount(CAST(${value.toFixed(12)} AS DOUBLE)) AS value`,
      )
      .join(' UNION ALL ');
    const away = (value: number) =>
      BigInt(Math.sign(value) * Math.floor(Math.abs(value) * 1e6 + 0.5));
    await answers(
      `SELECT value FROM (${body}) AS instants ORDER BY place`,
      {},
      doubles.map((value) => ({ value: away(value) })),
    );
    await answers(
      `SELECT amount(7) AS whole, amount(CAST('12.3456789' AS DECIMAL(18,9))) AS cut,
        amount(CAST('-0.0000005' AS DECIMAL(18,9))) AS half,
         amount(CAST(NULL AS DECIMAL(18,6))) AS missing, amount(amount(3) * 2) AS twice,
         floor_multiple(-1, 900) AS slot`,
      {},
      rowsOf(`whole, cut, half, missing, twice, slot
        7000000n, 12345679n, -1n, null, 6000000n, -900`),
    );
  });

  test('list indexes, lower case and rounding agree on both engines', async () => {
    await answers(
      `SELECT index_of({list:Array(String)}, 'b') AS second,
        {factors:Array(Float64)}[index_of({list:Array(String)}, 'c')] AS third,
        lower('Äß ÇZ') AS small, contains('steel', 'ee') AS within,
        contains('steel', 'E') AS without, contains('', '') AS nothing,
        round_half_up(CAST(2.675 AS DOUBLE), 100) AS up,
        round_half_up(CAST(-2.5 AS DOUBLE), 1) AS away,
        round_half_up(CAST(0.125 AS DOUBLE), 100) AS half,
        round_half_up(CAST(1.004999 AS DOUBLE), 100) AS down,
        without_tax(amount(119), 190000) AS net, without_tax(amount(-999999999999), 70000) AS much`,
      { list: ['a', 'b', 'c'], factors: [0.5, 1.5, 2.25] },
      rowsOf(`second, third, small, within, without, nothing, up, away, half, down, net, much
        2, 2.25, äß çz, 1, 0, 1, 2.68, -3, 0.13, 1, 100000000n, -934579439251401869n`),
    );
  });

  test('first_by() takes the value of the first key of a list, null where no row has one', async () => {
    const body = `
      SELECT 'A' AS sku, 'late' AS source, CAST(1 AS BIGINT) AS units
      UNION ALL SELECT 'A', 'early', CAST(2 AS BIGINT)
      UNION ALL SELECT 'A', 'first', nullif(CAST(-1 AS BIGINT), -1)
      UNION ALL SELECT 'B', 'late', CAST(3 AS BIGINT)
      UNION ALL SELECT 'C', 'other', CAST(4 AS BIGINT)`;
    await answers(
      `SELECT sku, first_by(units, source, {sources:Array(String)}) AS units
       FROM (${body}) AS reported GROUP BY sku ORDER BY sku`,
      { sources: ['first', 'early', 'late'] },
      rowsOf('sku, units\nA, 2\nB, 3\nC, null'),
    );
  });

  test('one_of() and matches() mean the same for lists of every length and density', async () => {
    const numbers = [-3, 0, 1, 4, 5, 6, 40, 9000];
    const body = numbers
      .map(
        (number) => `SELECT ${number} AS number, 'n${number}' AS text,
          CAST('1970-01-01' AS DATE) + ${number} AS day`,
      )
      .join(' UNION ALL ');
    const listed = question<{ number: number }>(
      'listed',
      `SELECT number FROM (${body}) AS numbers
       WHERE one_of(number, {ints:Array(Int32)}) AND one_of(CAST(number AS BIGINT),
       {longs:Array(Int64)})
         AND one_of(text, {texts:Array(String)}) ORDER BY number`,
    );
    const matching = question<{ number: number }>(
      'matching',
      listed.sql.replaceAll('one_of(', 'matches('),
    );
    const dense = Array.from({ length: 20 }, (_, index) => index * 400);
    const lists = [[], [4], [4, 4], [6, 4, 5], [0, 9000], [9000, -3, 40, 1], [0, 4, 6]];
    const all = [...lists, numbers, [...dense, 40]];
    for (const ints of all) {
      const isIn = (number: number) => ints.includes(number);
      const texts = ints.map((number) => `n${number}`);
      const given = { ints, longs: ints, texts };
      const found = await warehouse.ask(listed, given, limits);
      const shown = found.map(({ number }) => number);
      assert.deepEqual(shown, numbers.filter(isIn));
      const matched = await warehouse.ask(matching, { ...given, texts: [] }, limits);
      const seen = matched.map(({ number }) => number);
      assert.deepEqual(seen, ints.length === 0 ? numbers : numbers.filter(isIn));
    }
  });

  test('amounts are converted by the factor of their currency and day, or stay exact', async () => {
    const body = ['USD', 'EUR', 'GBP'].flatMap((currency, index) =>
      [0, 1, 2].map(
        (day) => `SELECT '${currency}' AS currency, amount(${index * 10 + day + 1}) AS price,
          CAST('2025-01-01' AS DATE) + ${day} AS day`,
      ),
    );
    const sql = `SELECT sum(converted(price, currency, day)) AS converted,
         sum(unconverted(price, currency)) AS exact
       FROM (${body.join(' UNION ALL ')}) AS prices`;
    const converting = question('converting', sql);
    const given = {
      currency: 'USD',
      currencies: ['GBP', 'EUR'],
      factors: [1, 0.5, 0.25, 2, 4, 8],
      factorsFrom: dayNumber('2025-01-01'),
      factorDays: 3,
    };
    const converted = 21 + 22 / 2 + 23 / 4 + 11 * 2 + 12 * 4 + 13 * 8;
    const expected = [{ converted, exact: (1n + 2n + 3n) * million }];
    assert.deepEqual(await warehouse.ask(converting, given, limits), expected);
    const none = { ...given, currencies: [], factors: [], factorDays: 0 };
    assert.deepEqual(await warehouse.ask(converting, none, limits), [
      { converted: 0, exact: (6n + 36n + 66n) * million },
    ]);
  });

  test('a question may read several channels and the facts of no customer', async () => {
    const targets = [freshTarget(), freshTarget()];
    for (const [place, target] of targets.entries())
      await land(warehouse, target, numbered(place + 1));
    const exchange_rate = [row('exchange_rate', { day: day0, currency: 'USD', per_euro: 1.25 })];
    await land(warehouse, { channel: 0, timezone: 'UTC' }, { exchange_rate });
    const sql = `SELECT s.channel AS channel, sum(s.units) AS units, max(r.per_euro) AS per_euro
        FROM store_day AS s
       LEFT JOIN exchange_rate AS r ON r.channel = 0 AND r.day = s.day AND r.currency = s.currency
       WHERE one_of(s.channel, {channels:Array(Int32)}) GROUP BY s.channel ORDER BY s.channel`;
    const both = question('both', sql);
    const parameters = { channels: targets.map((target) => target.channel) };
    const expected = targets.map(({ channel }, place) => {
      const units = 60 * (place + 1);
      return { channel, units, per_euro: 1.25 };
    });
    assert.deepEqual(await warehouse.ask(both, parameters, limits), expected);
    const read = await warehouse.read(parameters.channels, limits, (ask) => ask(both, parameters));
    assert.deepEqual(read, expected);
  });

  test('the deadline and a caller that leaves stop a question; others are answered meanwhile', async () => {
    const { clock, clickhouseUrl } = opened();
    const leaving = new AbortController();
    const reading = warehouse.read([], limits, (ask) => ask(endless, {}));
    const abandoned = warehouse.ask(endless, {}, { ...limits, signal: leaving.signal });
    const slow = [
      assert.rejects(warehouse.ask(endless, {}, limits), DeadlineExceeded),
      assert.rejects(reading, DeadlineExceeded),
      assert.rejects(abandoned, RequestAbandoned),
    ];
    if (clickhouseUrl) await until(async () => (await runningQuestions(clickhouseUrl)) === 3);
    for (let count = 0; count < 5; count++)
      assert.deepEqual(await warehouse.ask(one, {}, limits), [{ one: 1 }]);
    leaving.abort();
    clock.advance(limits.deadlineMilliseconds);
    await Promise.all(slow);
    const gone = { ...limits, signal: AbortSignal.abort() };
    await assert.rejects(warehouse.ask(one, {}, gone), RequestAbandoned);
    if (clickhouseUrl) await until(async () => (await runningQuestions(clickhouseUrl)) === 0);
  });

  if (engine === 'duckdb')
    test('the deadline also stops questions that wait for a thread or a connection', async () => {
      const { clock } = opened();
      // More than there are threads and connections for reading.
      const stopped = Array.from({ length: 12 }, () =>
        assert.rejects(warehouse.ask(endless, {}, limits), DeadlineExceeded),
      );
      await delay(50);
      clock.advance(limits.deadlineMilliseconds);
      await Promise.all(stopped);
      assert.deepEqual(await warehouse.ask(one, {}, limits), [{ one: 1 }]);
    });
});
