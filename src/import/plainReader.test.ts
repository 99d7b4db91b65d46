/** Rows that an engine reads by itself become the same facts as rows that are read one by one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factTable } from '../../schema/warehouse/tables.ts';
import { onRandomFacts, type Tenant, type World } from '../../test/harness.ts';
import { held, postImport } from '../../test/imports.ts';
import { deepTest, level, sampled } from '../../test/level.ts';
import { channelNumberOf } from '../../test/records.ts';
import { linesBeside } from '../../test/table.ts';
import { fieldsOf } from '../../test/world.ts';
import type { ImportBatch } from '../engine/warehouse.ts';
import { CoverageCollector } from './coverage.ts';
import { datasets } from './datasets/datasets.ts';
import type { Connection, ReadingTask } from './messages.ts';
import { PlainReader } from './plainReader.ts';
import { type RowOutput, RowReader } from './rows.ts';
import { Stager } from './staging.ts';

const types = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;
type Format = keyof typeof types;
type Cells = Readonly<Record<string, unknown>>;

/** Only a deep run tries all cells. */
const every = level === 'deep' ? 1 : 23;

/** A good row; `key` distinguishes it from others. */
const goodRows: Readonly<Record<string, (key: number) => Cells>> = {
  orderLines: (key) =>
    fieldsOf(`orderId, lineId, purchasedAt, updatedAt, status, sku, productId, quantity
      o${key}, "1", 2025-03-31T10:00:00Z, 2025-04-01T00:00:00Z, Shipped, S, P, 2
      itemPrice, itemTax, promotionDiscount, shippingPrice, currency, buyerEmail
      9.99, "1.5", -0.25, 0, EUR, Buyer${key % 7}@Example.com`),
  traffic: (key) =>
    fieldsOf(`date, sku, productId, parentProductId, pageViews, sessions, mobileSessions
      2025-03-31, S${key}, P, Q, 12, 10, 0
      buyBoxPercentage, orderedRevenue, orderedUnits, orderItems, currency
      97.25, 12.5, 1, "1", EUR`),
};

/** Cells that readers might understand differently. */
const written = linesBeside(import.meta.url, 'plainReader.texts.txt');
const oddTexts = written.map((text): string => JSON.parse(text));
oddTexts.push('x'.repeat(200), 'x'.repeat(201), 'ä'.repeat(150), 'y'.repeat(320), 'y'.repeat(321));
const oddValues = [
  ...[null, true, false, [], {}, { a: 1 }, 0, -0, 1, -1, 1.5, 1e-7, 1e21, 0.1 + 0.2, 12.345678],
  ...[123_456_789.123456, 999_999_999, 1_000_000_000, 4e9, 1e12, 1e13, 2 ** 53, 97.5, 100.01],
];

/** The rows that the engine has staged, of all that were tried. */
class Tries {
  readonly coverage = new CoverageCollector();
  readonly #reader: RowReader;
  readonly #stager = new Stager('', '', async () => {});
  readonly #dataset: string;
  readonly #format: Format;
  readonly #task: ReadingTask;
  readonly #connection: Connection;
  #paths = 0;

  constructor(dataset: string, format: Format, folder: string, batch: ImportBatch) {
    this.#dataset = dataset;
    this.#format = format;
    this.#reader = new RowReader(datasets[dataset]!, { coverage: this.coverage } as RowOutput);
    this.#task = {
      stagingFolder: folder,
      plainBytesMin: 1,
      secret: 'secret-of-the-tests',
      currency: 'USD',
    } as ReadingTask;
    this.#connection = {
      send: () => {},
      request: async (request) => {
        assert.ok(request.type === 'plain');
        const plain = await batch.stagePlain!(request.rows);
        return plain === undefined ? {} : { plain };
      },
    };
  }

  /** Tries a line after the line of a good row. */
  async take(good: Cells, line: string): Promise<boolean> {
    const reader = PlainReader.of(datasets[this.#dataset]!, {
      task: { ...this.#task, importId: ++this.#paths },
      connection: this.#connection,
      stager: this.#stager,
      rows: this.#reader,
    })!;
    if (this.#format === 'csv') reader.takeHeader(Object.keys(good), ',');
    else reader.takeObject(good, JSON.stringify(good));
    const portion = reader.take(Buffer.from(`${line}\n`), this.#paths * 10);
    return (await portion?.isStaged()) === true;
  }
}

/** The lines of rows that are good except for one cell, or for their form. */
function* linesOf(dataset: string, format: Format): Generator<[Cells, string]> {
  let key = 0;
  const next = () => goodRows[dataset]!(++key);
  const csv = (row: Cells) => Object.values(row).join(',');
  for (const field of Object.keys(next())) {
    if (format === 'csv') {
      for (const cell of oddTexts) {
        const row = next();
        yield [row, csv({ ...row, [field]: cell })];
      }
      continue;
    }
    for (const cell of [...oddTexts, ...oddValues]) {
      const row = next();
      yield [row, JSON.stringify({ ...row, [field]: cell })];
      // A document may have texts where others have numbers, and the reverse.
      const shape = { ...row, [field]: typeof cell === 'number' ? 1 : 'x' };
      yield [shape, JSON.stringify({ ...next(), [field]: cell })];
    }
  }
  const row = next();
  const line = format === 'csv' ? csv(row) : JSON.stringify(row);
  const forms =
    format === 'csv'
      ? [`${line},`, `${line},x`, line.slice(0, line.lastIndexOf(',')), '', `${line}\n\n${line}`]
      : [
          ...[line.replace('}', ',}'), line.replace('}', ',"x":1}'), `${line} `, ` ${line}`],
          ...[line.replace('"sku":"', '"sku":"a","sku":"'), line.replace('":', '" :')],
          ...[line.replace('"sku":', '"SKU":'), line.slice(0, -1), `[${line}]`, `${line}{}`],
          ...[line.replace('"S', '"\\u0041'), line.replace(/"sku":"[^"]*",/, ''), 'null', '{}'],
          ...[line.replace('"EUR"', 'NaN'), line.replace(/:(\d)/, ':0$1')],
        ];
  for (const form of forms) yield [row, form];
}

onRandomFacts('Rows that the engine reads by itself', (world) => {
  const columnsOf = (table: string) => Object.keys(factTable(table).columns).join(', ');
  const post = (one: Tenant, dataset: string, format: Format, text: string | Buffer) => {
    const path = `/operator/imports/${dataset}?channelId=${one.channelId}`;
    return postImport(world(), path, text, types[format]);
  };

  const kinds = ['orderLines', 'traffic'].flatMap((dataset) =>
    (['ndjson', 'csv'] as const).map((format) => [dataset, format] as const),
  );
  // Rows of each dataset, and in each format.
  for (const [dataset, format] of sampled(kinds, 3))
    test(`${dataset} as ${format}: the facts are those of rows read one by one`, async () => {
      const [one, other] = [await world().tenant(), await world().tenant()];
      const table = datasets[dataset]!.destinations[0]!.table;
      const batch = await world().warehouse.begin(await keyOf(world(), one));
      if (batch.stagePlain === undefined) return;
      const tries = new Tries(dataset, format, world().warehouse.stagingFolder, batch);
      const taken: [Cells, string][] = [];
      let place = 0;
      for (const [good, line] of linesOf(dataset, format))
        if (place++ % every === 0 && (await tries.take(good, line))) taken.push([good, line]);
      const { days } = tries.coverage;
      await batch.commit(table === 'traffic' ? { traffic: days.traffic! } : {}, 'UTC');
      // Line ends of two characters keep rows from the engine.
      const lines = taken.map(([, line]) => `${line}\r\n`);
      const header = `${Object.keys(goodRows[dataset]!(0)).join(',')}\r\n`;
      const text = `${format === 'csv' ? header : ''}${lines.join('')}`;
      const answer = await post(other, dataset, format, text);
      assert.equal(answer.status, 200, JSON.stringify(answer.body).slice(0, 1000));
      // Two tries of one cell of the key are the same row; the first one counts either way.
      const repeated = /^repeats the key of line \d+$/;
      for (const { reason } of answer.body.rejected) assert.match(reason, repeated);
      const columns = columnsOf(table);
      const facts = await held(world(), one, table, columns);
      assert.deepEqual(facts, await held(world(), other, table, columns));
      // Plain cells of every kind are among them.
      assert.ok(facts.length > 100 / every, `${facts.length} rows`);
    });

  /** Imports rows with either line end, one of which the engine reads, and compares all answers. */
  async function compare(dataset: string, format: Format, rows: readonly Cells[]): Promise<void> {
    const lines = rows.map((row) =>
      format === 'csv' ? Object.values(row).join(',') : JSON.stringify(row),
    );
    if (format === 'csv') lines.unshift(Object.keys(rows[0]!).join(','));
    const table = datasets[dataset]!.destinations[0]!.table;
    const answers = [];
    for (const end of ['\n', '\r\n']) {
      const one = await world().tenant();
      const { importId: _, ...answer } = (await post(one, dataset, format, lines.join(end))).body;
      assert.equal(answer.rowsRead, rows.length);
      answers.push({ answer, facts: await held(world(), one, table, columnsOf(table)) });
    }
    assert.deepEqual(answers[0], answers[1]);
  }

  const documents = async (rows: number) => {
    for (const [dataset, good] of Object.entries(goodRows))
      for (const format of ['ndjson', 'csv'] as const) {
        // The last rows repeat keys.
        const all = Array.from({ length: rows }, (_, key) => good(key % (rows - 10)));
        if (level === 'deep') await compare(dataset, format, all);
        const date = dataset === 'traffic' ? 'date' : 'purchasedAt';
        await compare(dataset, format, [...all, { ...good(7), [date]: 'yesterday' }, good(rows)]);
      }
  };

  test('the encoding of a document shows late, after portions that the engine has read', async () => {
    const rows = Array.from({ length: 3000 }, (_, key) => goodRows.traffic!(key));
    for (const [encoding, sku] of [
      ['latin1', 'Größe'],
      ['utf8', 'Größe 東京'],
    ] as const) {
      const lines = [...rows, { ...goodRows.traffic!(0), sku }].map((row) => Object.values(row));
      const text = [Object.keys(rows[0]!), ...lines].map((cells) => `${cells.join()}\n`).join('');
      const one = await world().tenant();
      const answer = await post(one, 'traffic', 'csv', Buffer.from(text, encoding));
      const { rowsAccepted, encoding: found } = answer.body;
      const expected = [3001, encoding === 'utf8' ? 'utf-8' : 'windows-1252'];
      assert.deepEqual([rowsAccepted, found], expected);
      assert.ok((await held(world(), one, 'traffic', 'sku')).some(([held]) => held === sku));
    }
  });

  test('whole documents, with a bad row among good ones', () => documents(1000));

  deepTest('documents of several portions', () => documents(90_000));
});

let imports = 9_000_000;

async function keyOf(world: World, { channelId }: Tenant) {
  return { importId: ++imports, channel: await channelNumberOf(world, channelId) };
}
