/**
 * Reports of inventory and of the catalogue are read with the numbers, dates and marketplaces of
 * their country, and stand beside each other in the stores.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { byDate } from '../byDate.ts';
import { MemoryChannel } from '../documents.ts';
import { assertHeld } from '../facts.ts';
import { onOnePair } from '../harness.ts';
import { assertReasons, assertRefused, taken } from '../imports.ts';
import { StoredChannel } from '../storedChannel.ts';
import { assertShown, fieldsOf } from '../world.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8').replace(/\r?\n$/, '');
const german = fieldsOf(`
  countryCode, currency, timezone,      merchantId
  DE,          EUR,      Europe/Berlin, A1X @ A1PA6795UKMFR9`);
const on = '&from=2025-03-10&to=2025-03-10';

/** The cells of a row by their titles. */
const cells = (text: string) =>
  Object.fromEntries(
    text
      .trim()
      .split(/;\s+/)
      .map((cell) => cell.split(': ') as [string, string]),
  );

/** A text of cells between tabs: rows under the header of a fixture, and under `more` titles behind it. */
function table(
  header: string,
  rows: readonly Readonly<Record<string, string>>[],
  more: readonly string[] = [],
): string {
  const titles = [...fixture(header).split('\t'), ...more];
  for (const row of rows)
    for (const title of Object.keys(row)) assert.ok(titles.includes(title), title);
  return [titles, ...rows.map((row) => titles.map((title) => row[title] ?? ''))]
    .map((cells) => cells.join('\t'))
    .join('\r\n');
}

const planned = cells(`
  snapshot-date: 2025-03-10; sku: S1; fnsku: X1; asin: B1; product-name: 27" screen, matt;
  condition: New; available: 1,234; currency: EUR; units-shipped-t7: 7; units-shipped-t30: 30;
  units-shipped-t60: 60; units-shipped-t90: 90; your-price: 19.99; storage-type: Oversize;
  storage-volume: 12.5; marketplace: DE; estimated-storage-cost-next-month: 3.25;
  inbound-quantity: 20; inbound-working: 15; inbound-shipped: 5; reserved-quantity: 4;
  unfulfillable-quantity: 2`);
const planning = (
  rows: readonly Readonly<Record<string, string>>[],
  more: readonly string[] = [],
) => table('inventory.planning.header.txt', rows, more);

const restocked = cells(`
  Country: DE; Product Name: Pan; FNSKU: X1; Merchant SKU: S1; ASIN: B1; Condition: New;
  Currency code: EUR; Price: 8.50; Sales last 30 days: 99; Units Sold Last 30 Days: 31;
  Total Units: 100; Inbound: 11; Available: 50; FC transfer: 3; FC Processing: 2;
  Customer Order: 1; Unfulfillable: 6; Working: 5; Shipped: 4; Receiving: 2; Fulfilled by: Amazon`);
const restock = (rows: readonly Readonly<Record<string, string>>[]) =>
  table('inventory.restock.header.txt', rows);

const stockColumns =
  'day, sku, report, asin, title, available, reserved, inbound, unfulfillable, fc_transfer';
const paceColumns =
  'sku, report, units_shipped_7, units_shipped_30, units_shipped_60, units_shipped_90';
const productColumns = 'sku, product_id, title, price, fulfilled_by_marketplace';

describe('Documents of inventory', () => {
  test('each report stays beside the others, also as rows of the dataset', async () => {
    const channel = new MemoryChannel(german);
    const take = (report: string, ...skus: readonly string[]) =>
      channel.importRows(
        'inventory',
        skus.map((sku) => ({ date: '2025-03-10', sku, report, available: 1 })),
      );
    await take('planning', 'A', 'B');
    await take('restock', 'A');
    await take('rows', 'A', 'B');
    await take('planning', 'A');
    const sources = channel.held('inventory', 'report, sku').map((row) => row.join(' '));
    assert.deepEqual(sources, ['planning A', 'restock A', 'rows A', 'rows B']);
  });

  test('a planning report has every figure; its quotes are plain, and labels of one SKU are added up', async () => {
    const channel = new MemoryChannel(german);
    const rows = [
      'fnsku: X1',
      'fnsku: X2; available: 6; reserved-quantity: 1; storage-volume: 0.25; units-shipped-t7: 1',
      'available: ; units-shipped-t7: ; sku: S2',
      'units-shipped-t90: ; sku: S2; fnsku: X2',
    ].map((row) => ({ ...planned, ...cells(row) }));
    const answer = await channel.import(planning(rows));
    taken(answer, 'inventoryPlanning', 4);
    assert.deepEqual([answer.body.from, answer.body.to], ['2025-03-10', '2025-03-10']);
    assert.deepEqual(byDate(channel.held('inventory', stockColumns)), [
      ['2025-03-10', 'S1', 'planning', 'B1', '27" screen, matt', 1240, 5, 40, 4, 0],
      ['2025-03-10', 'S2', 'planning', 'B1', '27" screen, matt', 1234, 8, 40, 4, 0],
    ]);
    assert.deepEqual(channel.held('inventory', paceColumns), [
      ['S1', 'planning', 8, 60, 120, 180],
      // A blank cell is unknown rather than 0.
      ['S2', 'planning', 7, 60, 120, 90],
    ]);
    await assertHeld(channel, 'inventory')`
      sku, storage_type, storage_volume, storage_cost_next_month, currency, awd_onhand, awd_inbound
      S1,  Oversize,     12.75,          6.5,                     EUR,      0,          0
      S2,  Oversize,     25,             6.5,                     EUR,      0,          0`;
    assert.deepEqual(channel.held('product', productColumns), [
      ['S1', 'B1', '27" screen, matt', 19_990_000n, 1],
      ['S2', 'B1', '27" screen, matt', 19_990_000n, 1],
    ]);
  });

  test('planning: decimal marks of the document, newer titles, and unambiguous local dates are read', async () => {
    const channel = new MemoryChannel(german);
    const { 'reserved-quantity': _, ...others } = planned;
    const rows = [
      `snapshot-date: 31.03.2025; storage-volume: 1,234; estimated-storage-cost-next-month: 3,25;
        Reserved FC Transfer: 9; Total Reserved Quantity: 12`,
      `sku: S2; snapshot-date: 2025-03-31T00:00:00+01:00; storage-volume: 0,5;
        estimated-storage-cost-next-month: 1.000,25`,
    ].map((row) => ({ ...others, ...cells(`available: 1.234; your-price: 19,99; ${row}`) }));
    const newer = planning(rows, ['Reserved FC Transfer', 'Total Reserved Quantity']);
    const document = newer.replace('reserved-quantity\t', 'something-else\t');
    taken(await channel.import(document), 'inventoryPlanning', 2);
    await assertHeld(channel, 'inventory')`
      day,        sku, available, reserved, fc_transfer, storage_volume, storage_cost_next_month
      2025-03-31, S1,  1234,      12,       9,           1.234,          3.25
      2025-03-31, S2,  1234,      0,        0,           0.5,            1000.25`;
    const [first] = channel.held('product', productColumns);
    assert.deepEqual(first, ['S1', 'B1', '27" screen, matt', 19_990_000n, 1]);
  });

  test('bad rows are rejected: dates, numbers, repeated labels, other marketplaces, days out of range', async () => {
    const channel = new MemoryChannel(german);
    const document = planning([
      planned,
      { ...planned, sku: 'S2', 'snapshot-date': '05/04/2025' },
      { ...planned, sku: 'S3', 'snapshot-date': 'soon' },
      { ...planned, sku: 'S4', available: '12,5' },
      { ...planned, sku: 'S5', 'storage-volume': 'much' },
      { ...planned, available: '8' },
      { ...planned, sku: 'S6', marketplace: 'FR' },
      { ...planned, sku: '' },
      { ...planned, sku: 'S7', 'snapshot-date': '2025-03-11' },
      { ...planned, sku: 'S8', available: '-1' },
    ]);
    const answer = await channel.import(document, on);
    assertReasons(answer, 'of lines')`
      3 is outside the dates that the import covers
      4 snapshot-date must be a date (it is "soon")
      5 available must be a whole number (it is "12,5")
      6 storage-volume must be an amount
      7 repeats the key of line 2
      9 sku is required
      10 is outside the dates that the import covers
      11 available must be a whole number, 0 or more (it is -1)`;
    assert.deepEqual(channel.held('inventory', 'sku, available'), [['S1', 1234]]);
    assertRefused(
      await channel.import(planning([planned]).replace('unfulfillable-quantity', 'unfulfillable')),
    )`
      …the header lacks unfulfillable-quantity: download the document with all of its columns`;
  });

  test('the country or site of a row identifies its marketplace; other values are ignored', async () => {
    const channel = new MemoryChannel(german);
    const places = ['US', 'UK', 'GB', 'JP', 'Amazon.fr', 'DE', 'de', 'Amazon.de', 'EU', ''];
    const rows = places.map((marketplace, at) => ({ ...planned, sku: `S${at}`, marketplace }));
    const answer = await channel.import(planning(rows));
    const { rowsAccepted, rowsSkipped, otherStores, rejected } = answer.body;
    assert.deepEqual([rowsAccepted, rowsSkipped, otherStores, rejected], [5, 5, 5, []]);
    for (const [place, name] of [
      ['US', 'Amazon.com (ATVPDKIKX0DER)'],
      ['JP', 'Amazon.co.jp (A1VC38T7YXB528)'],
    ])
      assertRefused(await channel.import(planning([{ ...planned, marketplace: place! }])))`
        the document belongs to marketplace ${name}, the channel to marketplace Amazon.de
          (A1PA6795UKMFR9)`;
  });

  test('restock has no date: it takes from and to if they are one day, else today in the channel zone', async () => {
    const channel = new MemoryChannel(german);
    const rows = [
      restocked,
      { ...restocked, 'Merchant SKU': 'S2', 'Fulfilled by': 'Merchant', Price: '1,234.5' },
      { ...restocked, ...cells('Merchant SKU: S3; Units Sold Last 30 Days: --') },
      { ...restocked, Country: 'IT' },
      { ...restocked, 'Merchant SKU': 'S4', 'Currency code': 'SEK' },
    ];
    const answer = await channel.import(restock(rows), on);
    assertShown([answer.body])`
      dataset, rowsAccepted, from,       to
      restock, 3,            2025-03-10, 2025-03-10`;
    assert.equal(answer.body.otherStores, 2);
    const figures = ['B1', 'Pan', 50, 6, 11, 6, 3];
    assert.deepEqual(byDate(channel.held('inventory', stockColumns)), [
      ['2025-03-10', 'S1', 'restock', ...figures],
      ['2025-03-10', 'S2', 'restock', ...figures],
      ['2025-03-10', 'S3', 'restock', ...figures],
    ]);
    assert.deepEqual(channel.held('inventory', paceColumns), [
      ['S1', 'restock', -1, 31, -1, -1],
      ['S2', 'restock', -1, 31, -1, -1],
      // A dash is unknown, as a blank cell is.
      ['S3', 'restock', -1, -1, -1, -1],
    ]);
    assert.deepEqual(channel.held('inventory', 'sku, fulfilled_by_marketplace'), [
      ['S1', 1],
      ['S2', 0],
      ['S3', 1],
    ]);
    assert.deepEqual(channel.held('product', productColumns), [
      ['S1', 'B1', 'Pan', 8_500_000n, 1],
      // The snapshot says that the seller ships S2; the product is silent about later days.
      ['S2', 'B1', 'Pan', 1_234_500_000n, -1],
      ['S3', 'B1', 'Pan', 8_500_000n, 1],
    ]);
    // The clock of channels in memory stands at noon of the 15th in UTC.
    const ahead = new MemoryChannel({ ...german, timezone: 'Pacific/Kiritimati' });
    const today = await ahead.import(restock([restocked]));
    taken(today, 'restock', 1);
    assert.equal(today.body.from, '2026-01-16');
    assertRefused(
      await channel.import(restock([restocked]), '&from=2025-03-09&to=2025-03-10&coarse=lastDay'),
    )`
      …pass that day as from=YYYY-MM-DD&to=YYYY-MM-DD`;
  });

  test('the unsuppressed report as it was downloaded, in the encoding of its country; products that are known stay as they are', async () => {
    const channel = new MemoryChannel(german);
    await channel.importRows('products', [{ sku: 'TEST003', title: 'My own title', price: '5' }]);
    const answer = await channel.import(fixture('inventory.unsuppressed.txt'), on);
    taken(answer, 'unsuppressedInventory', 10);
    const figures = 'sku, report, asin, title, available, reserved, inbound, unfulfillable';
    const rows = channel.held('inventory', figures);
    assert.equal(rows.length, 10);
    assert.deepEqual(rows.slice(2, 5), [
      ['TEST003', 'unsuppressed', 'B333333333', 'Sample Product 3', 7, 0, 0, 1],
      ['TEST004', 'unsuppressed', 'B444444444', 'Sample Product 4', 0, 0, 0, 0],
      ['TEST005', 'unsuppressed', 'B555555555', 'Sample Product 5', 15, 0, 2, 0],
    ]);
    assert.deepEqual(channel.held('product', productColumns).slice(1, 3), [
      ['TEST002', 'B222222222', 'Sample Product 2', 15_500_000n, 1],
      ['TEST003', '', 'My own title', 5_000_000n, -1],
    ]);
    const [header, ofFirst] = fixture('inventory.unsuppressed.txt').split('\n');
    const named = `${header}\n${ofFirst!.replace('Sample Product 1', 'Gr\u00fcn')}`;
    const german1252 = await channel.import(Buffer.from(named, 'latin1'), on, 'windows-1252');
    taken(german1252, 'unsuppressedInventory', 1);
    assert.deepEqual(channel.held('inventory', 'sku, title'), [['TEST001', 'Gr\u00fcn']]);
    const others = named
      .replace('\t0\t0\t10\t0.01\t0\t0\t0\t', '\t1\t2\t13\t0.01\t3\t4\t5\t')
      .replace('Yes\t10\t10', 'No\t10\t10')
      .replace('TEST001', 'TEST999');
    taken(await channel.import(others, on), 'unsuppressedInventory', 1);
    const columns = 'sku, available, reserved, inbound, unfulfillable';
    assert.deepEqual(channel.held('inventory', columns), [['TEST999', 10, 2, 12, 1]]);
    const last = channel.held('product', productColumns).at(-1);
    assert.deepEqual(last, ['TEST999', 'B111111111', 'Gr\u00fcn', 19_990_000n, -1]);
    assert.deepEqual(channel.held('inventory', 'fulfilled_by_marketplace'), [[0]]);
  });
});

onOnePair('Documents of inventory in the stores', (world) => {
  test('documents of one date stand beside each other and beside the own rows, and replace only themselves', async () => {
    const channel = await StoredChannel.open(world(), german);
    await channel.importRows('inventory', [{ date: '2025-03-10', sku: 'S1', awdOnhand: 40 }]);
    const take = async () => {
      await channel.import(planning([planned]));
      await channel.import(restock([restocked]), on);
      await channel.import(fixture('inventory.unsuppressed.txt').replaceAll('TEST001', 'S1'), on);
    };
    await take();
    const reports = async () =>
      (await channel.held('inventory', 'sku, report'))
        .filter(([sku]) => sku === 'S1')
        .map(([, report]) => report);
    const all = ['planning', 'restock', 'rows', 'unsuppressed'];
    assert.deepEqual(await reports(), all);
    await take();
    assert.deepEqual(await reports(), all);
    taken(
      await channel.import(restock([{ ...restocked, 'Merchant SKU': 'S9' }]), on),
      'restock',
      1,
    );
    assert.deepEqual(await reports(), ['planning', 'rows', 'unsuppressed']);
    // A document without any row empties its own part, if that is confirmed.
    taken(await channel.import(planning([]), `${on}&confirm=fewRows`), 'inventoryPlanning', 0);
    assert.deepEqual(await reports(), ['rows', 'unsuppressed']);
  });

  test('a report with far fewer rows is held back until it is confirmed or comes again', async () => {
    const channel = await StoredChannel.open(world(), german);
    const of = (rows: number, day: number, query = '', titled = day, others = 0) => {
      const cellsOf = (at: number) => ({
        ...restocked,
        'Merchant SKU': `S${at}`,
        FNSKU: `X${at}`,
        'Product Name': `Pan ${titled}`,
        Country: at < rows ? 'DE' : 'FR',
      });
      const document = restock(Array.from({ length: rows + others }, (_, at) => cellsOf(at)));
      return channel.import(document, `&from=2025-03-${day}&to=2025-03-${day}${query}`);
    };
    const rowsOf = async () => (await channel.held('inventory', 'day')).length;
    const heldBack = async () =>
      (await world().operate('GET', `/operator/freshness?channelId=${channel.tenant.channelId}`))
        .heldBack;
    taken(await of(40, 10), 'restock', 40);
    // 3 of 40 are more than a twentieth.
    taken(await of(3, 12), 'restock', 3);
    taken(await of(40, 13), 'restock', 40);
    const before = await rowsOf();
    assertRefused(await of(2, 14))`
      the report was held back: it has 2 rows, that of 2025-03-13 had 40, and the marketplace is
        known to send such reports by mistake; if it is right, import it again with confirm=few`;
    assertRefused(await of(2, 14))`the report was held back`;
    assert.equal(await rowsOf(), before);
    assert.match((await heldBack())[0], /^restock \(import \d+\): the report was held back/);
    taken(await of(1, 14, '&confirm=fewRows'), 'restock', 1);
    assert.deepEqual(await heldBack(), []);
    taken(await of(40, 15), 'restock', 40);
    // Neither the same document on another day confirms it, nor does a whole one of a day before.
    for (const day of [16, 17]) assertRefused(await of(2, day, '', 16))`the report was held back`;
    taken(await of(40, 11), 'restock', 40);
    assert.equal((await heldBack()).length, 1);
    taken(await of(2, 17), 'restock', 2);
    assert.deepEqual(await heldBack(), []);
    for (const day of [19, 18]) taken(await of(40, day, '&confirm=fewRows'), 'restock', 40);
    assertRefused(await of(2, 18))`the report was held back`;
    // The nineteenth's is whole.
    assertRefused(await of(2, 20, '', 20, 30))`the report was held back`;
    taken(await of(2, 21), 'restock', 2);
  });
});

onOnePair('Products and documents of inventory', (world) => {
  test('a product whose seller ships it stays so, whatever a report implies', async () => {
    const channel = await StoredChannel.open(world(), german);
    await channel.importRows('products', [
      { sku: 'S1', title: 'Known', fulfilledByMarketplace: false },
      { sku: 'S2', title: 'Known' },
    ]);
    const rows = [planned, { ...planned, sku: 'S2' }];
    taken(await channel.import(planning(rows)), 'inventoryPlanning', 2);
    assert.deepEqual(await channel.held('product', 'sku, title, price, fulfilled_by_marketplace'), [
      ['S1', 'Known', 0n, 0],
      ['S2', 'Known', 19_990_000n, 1],
    ]);
  });
});
