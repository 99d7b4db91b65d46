/**
 * Imports of finance, into a new channel and into one with 10 million events in a year: a document
 * of 150,000 transactions of the Finances API, seven amounts each, that spans the year, then the
 * same one again; and new unit costs of all 20,000 SKUs of the large channel.
 * `node bench/finance.ts [transactions=150000] [events=10000000] [skus=20000]`
 */
import { cpSync, createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { defaultLimits } from '../src/config.ts';
import { openDuckdb } from '../src/engine/duckdb/warehouse.ts';
import { openSqlite } from '../src/engine/sqlite/registry.ts';
import { Importer } from '../src/import/importer.ts';
import type { ImportRequest } from '../src/import/request.ts';
import { financeData, year } from './financeData.ts';
import { insertRecords, oneChannel } from './folders.ts';
import { textOf } from './rows.ts';

const millisecondsPerSecond = 1000;
const microsecondsPerSecond = 1e6;
const [transactions = 150_000, events = 10_000_000, skus = 20_000] = process.argv
  .slice(2)
  .map(Number);

const fixture = readFileSync(
  new URL('../test/fixtures/finances.transactions.json', import.meta.url),
  'utf8',
).replaceAll('"SEK"', '"USD"');
const { marketplaceDetails, sellingPartnerMetadata, ...sale } = JSON.parse(fixture).transactions[0];

/** The text of the document, a transaction a line. */
function* documentText(): Generator<string> {
  const step = (year.to - year.from) / transactions;
  for (let number = 0; number < transactions; number++) {
    const posted = year.from + Math.floor(number * step);
    yield `${JSON.stringify({
      ...sale,
      transactionId: `transaction-${number}`,
      postedDate: new Date(posted * millisecondsPerSecond).toISOString(),
      relatedIdentifiers: [
        { relatedIdentifierName: 'ORDER_ID', relatedIdentifierValue: `701-${number}` },
        { relatedIdentifierName: 'SHIPMENT_ID', relatedIdentifierValue: `2000${number}` },
      ],
    })}\n`;
  }
}

/** Unit costs of all SKUs from before the year on. */
function* unitCosts(cents: number) {
  for (let number = 0; number < skus; number++)
    yield {
      sku: `SKU-${number}`,
      effectiveFrom: '2024-01-01',
      cogs: ((number % 1000) + cents) / 100,
      cogsCurrency: 'USD',
    };
}

/** Runs imports into the only channel of a data folder, each with its rows, time and CPU. */
async function measure(
  folder: string,
  name: string,
  imports: readonly (readonly [string, ImportRequest['content'], () => Readable])[],
): Promise<void> {
  const registry = await openSqlite(join(folder, 'registry.sqlite'));
  const warehouse = await openDuckdb(folder);
  await Promise.all([registry.migrate(), warehouse.migrate()]);
  const { records } = registry;
  let channel = await records.selectFrom('channel').selectAll().executeTakeFirst();
  channel ??= (await insertRecords(registry, oneChannel)).inserted[0]!;
  const limits = defaultLimits;
  const importer = new Importer({ registry, warehouse, secret: 'benchmark', limits });
  for (const [what, content, body] of imports) {
    const start = performance.now();
    const before = process.cpuUsage();
    const { rowsAccepted } = await importer.import(
      { content, channel, acceptsMultiDay: false, abortOnRejection: true },
      body(),
    );
    const { user, system } = process.cpuUsage(before);
    const seconds = (performance.now() - start) / millisecondsPerSecond;
    const cells = [
      String(rowsAccepted).padStart(9),
      seconds.toFixed(1).padStart(9),
      ((user + system) / microsecondsPerSecond).toFixed(1).padStart(9),
    ];
    console.log(`${`${name}: ${what}`.padEnd(50)}${cells.join('')}`);
  }
  await Promise.all([warehouse.close(), registry.close()]);
}

const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-finance-'));
const large = join(folder, 'large');
cpSync((await financeData({ events, skus })).folder, large, { recursive: true });
const file = join(folder, 'transactions.json');
await writeFile(file, documentText());
const document = () => createReadStream(file, { highWaterMark: 256 * 1024 });
const ofDocument = { document: true, attributionDays: 14 } as const;
const ofCosts = { dataset: 'unitCosts', format: 'csv' } as const;
const costs = (cents: number) => () => Readable.from(textOf(unitCosts(cents), 'csv'));
console.log(`${''.padEnd(50)}     rows  seconds    CPU s`);
const twice = [
  ['the transactions', ofDocument, document],
  ['the same transactions again', ofDocument, document],
] as const;
await measure(join(folder, 'new'), 'a new channel', twice);
await measure(large, `${events.toLocaleString('en')} events`, [
  ...twice,
  ['unit costs of all SKUs', ofCosts, costs(1)],
  ['other unit costs of all SKUs', ofCosts, costs(2)],
]);
rmSync(folder, { recursive: true, force: true });
