/**
 * Segments hold exactly the rows that a question answered, are used only while these are current,
 * and may be damaged, deleted or impossible to write at any moment.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fastCheck from 'fast-check';
import { temporaryRoot } from '../../../test/servers/process.ts';
import type { Meter } from '../../observation/meter.ts';
import { question } from '../question.ts';
import { Reads } from '../stamps.ts';
import type { Row, View } from '../warehouse.ts';
import { daySource } from './daySource.ts';
import { SegmentFiles } from './files.ts';
import { segmentOf, tableOf } from './format.ts';
import { Segments } from './router.ts';

const columns = { texts: ['currency', 'name'], counts: ['units'], amounts: ['sales', 'cost'] };
const days = daySource(
  question(
    'days',
    `SELECT channel, day, currency, name, units, sales, cost FROM store_day
     WHERE one_of(channel, {channels:Array(Int32)}) AND day >= {first:Date} AND day <= {last:Date}`,
  ),
  columns,
);
const everyDay = { first: -1e9, last: 1e9 };

/** Amounts of every size: of hundredths, millionths, beyond 2^53, and beyond 64 bits. */
const amounts = fastCheck.oneof(
  fastCheck.constant(0n),
  fastCheck.bigInt(-10_000n, 10_000n).map((value) => value * 10_000n),
  fastCheck.bigInt(-(10n ** 9n), 10n ** 9n),
  fastCheck.bigInt(-(2n ** 60n), 2n ** 60n),
  fastCheck.bigInt(-(10n ** 37n), 10n ** 37n),
);
const rowsOfOne = fastCheck.array(
  fastCheck.record(
    {
      channel: fastCheck.constant(7),
      day: fastCheck.integer({ min: 19_000, max: 22_000 }),
      currency: fastCheck.constantFrom('EUR', 'USD', 'JPY'),
      name: fastCheck.string({ unit: 'grapheme', maxLength: 12 }),
      units: fastCheck.integer({ min: -(2 ** 40), max: 2 ** 40 }),
      sales: amounts,
      cost: fastCheck.constant(0n),
    },
    { noNullPrototype: true },
  ),
  { maxLength: 400 },
);

test('a segment gives back the rows that it was made of, by day', () => {
  fastCheck.assert(
    fastCheck.property(rowsOfOne, fastCheck.nat(3_000), (rows, from) => {
      const table = tableOf(segmentOf(7, 'stamp', rows, columns), 'stamp', columns);
      assert.ok(typeof table === 'object');
      const sorted = rows.toSorted((one, other) => one.day - other.day);
      assert.deepEqual(table.rowsIn(everyDay), sorted);
      const range = { first: 19_000 + from, last: 19_900 + from };
      const wanted = sorted.filter(({ day }) => day >= range.first && day <= range.last);
      assert.deepEqual(table.rowsIn(range), wanted);
      const sum = (name: 'units' | 'sales') =>
        wanted.reduce((total, row) => total + BigInt(row[name]), 0n);
      for (const name of ['units', 'sales'] as const) {
        const column = table.numbers(name);
        assert.equal(BigInt(column.sum(...table.rowsOf(range))), sum(name));
        // A number has one form only, so that comparisons with 0 hold for columns of any size.
        for (const [place, row] of sorted.entries()) {
          const isSafe = Number.isSafeInteger(Number(row[name]));
          assert.equal(column.at(place), isSafe ? Number(row[name]) : row[name]);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('any changed or missing byte is found, and other facts, columns and formats are stale', () => {
  const rows = [{ day: 20_000, currency: 'EUR', name: 'ä', units: 3, sales: 5n, cost: 7n }];
  const bytes = segmentOf(7, 'stamp', rows, columns);
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Buffer.from(bytes);
    damaged[at]! ^= 1 << (at % 8);
    assert.equal(typeof tableOf(own(damaged), 'stamp', columns), 'string', `byte ${at}`);
    const cut = own(bytes.subarray(0, at));
    assert.equal(typeof tableOf(cut, 'stamp', columns), 'string', `cut at ${at}`);
  }
  assert.equal(tableOf(bytes, 'later', columns), 'stale');
  assert.equal(tableOf(bytes, 'stamp', { ...columns, counts: ['pieces'] }), 'stale');
  const older = Buffer.from(bytes).fill('0', 7, 8);
  assert.equal(tableOf(own(older), 'stamp', columns), 'stale');
});

/** The same bytes in a buffer of their own, as those of a file. */
function own(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** A view of facts that may change, whose questions are counted. */
function viewOf(stamp: string, rows: readonly Row[]): View & { questions: number } {
  const view = {
    questions: 0,
    stamps: { of: () => stamp },
    async ask(_: unknown, { first, last }: { readonly first: number; readonly last: number }) {
      view.questions += 1;
      const inRange = ({ day }: Row) => (day as number) >= first && (day as number) <= last;
      return rows.filter(inRange) as never[];
    },
  };
  return view as unknown as View & { questions: number };
}

/** Counts what is counted, by the values of its labels. */
function counting() {
  const counts: Record<string, number> = {};
  const meter = {
    add(_: string, labels: Record<string, string>, count = 1) {
      const name = Object.values(labels).join(' ');
      counts[name] = (counts[name] ?? 0) + count;
    },
    gauge: () => undefined,
  } as unknown as Meter;
  return { counts, meter };
}

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(await temporaryRoot(), 'vitrine-segments-'));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const row = (day: number, units: number): Row => ({
  channel: 7,
  day,
  currency: 'EUR',
  name: '',
  units,
  sales: 0n,
  cost: 0n,
});
const range = { first: 20_000, last: 20_010 };

async function opened(folder: string, meter: Meter, bytesMax = 1_000_000, memory = 0) {
  const files = new SegmentFiles(folder, bytesMax, meter);
  await files.scan();
  const segments = new Segments(files, memory, meter);
  const read = async (view: View, channel = 7) => {
    const tables = await segments.reading(view, new Reads())(days, [channel], range);
    await segments.settle();
    return tables.flatMap((table) => table.rowsIn(range).map(({ units }) => units));
  };
  return { read };
}

test('segments answer while their facts are current, also after a restart', async () => {
  await inFolder(async (folder) => {
    const { counts, meter } = counting();
    const before = viewOf('1', [row(20_001, 3), row(20_002, 4)]);
    const after = viewOf('2', [row(20_001, 5)]);
    const { read } = await opened(folder, meter);
    for (const _ of ['made', 'there']) assert.deepEqual(await read(before), [3, 4]);
    assert.equal(before.questions, 1);
    assert.deepEqual(await read(after), [5]);
    const restarted = await opened(folder, meter);
    assert.deepEqual(await restarted.read(after), [5]);
    assert.equal(after.questions, 1);
    assert.deepEqual(counts, {
      'question missing': 1,
      'question stale': 1,
      'segment current': 2,
    });
  });
});

test('tables in memory answer while their facts are current', async () => {
  await inFolder(async (folder) => {
    const { meter } = counting();
    const { read } = await opened(folder, meter, 1_000_000, 1_000_000);
    const before = viewOf('1', [row(20_001, 3), row(20_002, 4)]);
    assert.deepEqual(await read(before), [3, 4]);
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    assert.deepEqual(await read(before), [3, 4]);
    assert.deepEqual(await read(viewOf('2', [row(20_001, 5)])), [5]);
    assert.equal(before.questions, 1);
  });
});

test('a damaged segment is made again, and so is a deleted one', async () => {
  await inFolder(async (folder) => {
    const { counts, meter } = counting();
    const view = viewOf('1', [row(20_001, 3)]);
    const { read } = await opened(folder, meter);
    await read(view);
    const [name] = readdirSync(folder);
    const bytes = readFileSync(join(folder, name!));
    bytes[bytes.length - 3]! ^= 4;
    writeFileSync(join(folder, name!), bytes);
    assert.deepEqual(await read(view), [3]);
    rmSync(join(folder, name!));
    assert.deepEqual(await read(view), [3]);
    assert.deepEqual(await read(view), [3]);
    assert.equal(view.questions, 3);
    assert.equal(counts.damaged, 1);
  });
});

test('unfinished files go at the start, and the least recently used for want of room', async () => {
  await inFolder(async (folder) => {
    writeFileSync(join(folder, 'x.tmp'), 'half');
    const { meter } = counting();
    // Each file is smaller than a block of the disk, and takes one.
    const { read } = await opened(folder, meter, 3 * 4_096);
    for (const channel of [1, 2, 3, 1, 4])
      await read(viewOf('1', [{ ...row(20_001, 3), channel }]), channel);
    const channels = readdirSync(folder).map((name) => name.split('.')[0]);
    assert.deepEqual(channels.sort(), ['1', '3', '4']);
  });
});

test('the segments of a channel are deleted with its facts', async () => {
  await inFolder(async (folder) => {
    const files = new SegmentFiles(folder, 1_000_000, counting().meter);
    await files.scan();
    const segments = new Segments(files, 0);
    for (const channel of [7, 77])
      await segments.reading(viewOf('1', [{ ...row(20_001, 3), channel }]), undefined)(
        days,
        [channel],
        range,
      );
    await segments.delete(7);
    await segments.settle();
    assert.deepEqual(
      readdirSync(folder).map((name) => name.split('.')[0]),
      ['77'],
    );
  });
});

test('answers go on from the store where segments cannot be written', async () => {
  await inFolder(async (folder) => {
    const { counts, meter } = counting();
    const blocked = join(folder, 'file');
    writeFileSync(blocked, '');
    const view = viewOf('1', [row(20_001, 3)]);
    const { read } = await opened(join(blocked, 'segments'), meter);
    for (const _ of [1, 2]) assert.deepEqual(await read(view), [3]);
    assert.equal(view.questions, 2);
    assert.equal(counts.write, 2);
  });
});
