import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isoDate, localDay } from '../src/calendar/period.ts';
import { onEachPair, onOnePair, type Tenant, testOnOnePair, type World } from './harness.ts';
import {
  held,
  importDocument,
  importRows,
  postImport,
  reasons,
  refused,
  taken,
} from './imports.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8').replace(/\r?\n$/, '');
const dayOf = (date: string) => Date.parse(date) / 86_400_000;
const german = {
  countryCode: 'DE',
  currency: 'EUR',
  timezone: 'Europe/Berlin',
  merchantId: 'A1X @ A1PA6795UKMFR9',
};
const newSeller = (world: World): Promise<Tenant> => world.tenant({ channel: german });

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

const planned = {
  'snapshot-date': '2025-03-10',
  sku: 'S1',
  fnsku: 'X1',
  asin: 'B1',
  'product-name': '27" screen, matt',
  condition: 'New',
  available: '1,234',
  currency: 'EUR',
  'units-shipped-t7': '7',
  'units-shipped-t30': '30',
  'units-shipped-t60': '60',
  'units-shipped-t90': '90',
  'your-price': '19.99',
  'storage-type': 'Oversize',
  'storage-volume': '12.5',
  marketplace: 'DE',
  'estimated-storage-cost-next-month': '3.25',
  'inbound-quantity': '20',
  'inbound-working': '15',
  'inbound-shipped': '5',
  'reserved-quantity': '4',
  'unfulfillable-quantity': '2',
};
const planning = (
  rows: readonly Readonly<Record<string, string>>[],
  more: readonly string[] = [],
) => table('inventory.planning.header.txt', rows, more);

const restocked = {
  Country: 'DE',
  'Product Name': 'Pan',
  FNSKU: 'X1',
  'Merchant SKU': 'S1',
  ASIN: 'B1',
  Condition: 'New',
  'Currency code': 'EUR',
  Price: '8.50',
  'Sales last 30 days': '99',
  'Units Sold Last 30 Days': '31',
  'Total Units': '100',
  Inbound: '11',
  Available: '50',
  'FC transfer': '3',
  'FC Processing': '2',
  'Customer Order': '1',
  Unfulfillable: '6',
  Working: '5',
  Shipped: '4',
  Receiving: '2',
  'Fulfilled by': 'Amazon',
};
const restock = (rows: readonly Readonly<Record<string, string>>[]) =>
  table('inventory.restock.header.txt', rows);

const stockColumns =
  'day, sku, report, asin, title, available, reserved, inbound, unfulfillable, fc_transfer';
const paceColumns =
  'sku, report, units_shipped_7, units_shipped_30, units_shipped_60, units_shipped_90';
const storageColumns =
  'sku, storage_type, storage_volume, storage_cost_next_month, currency, awd_onhand, awd_inbound';
const productColumns = 'sku, product_id, title, price, fulfilled_by_marketplace';

onEachPair('Documents of inventory', (world, pair) => {
  const reads = testOnOnePair(pair);
  reads('each report stays beside the others, also as rows of the dataset', async () => {
    const tenant = await world().tenant();
    const take = (report: string, ...skus: readonly string[]) =>
      importRows(
        world(),
        'inventory',
        tenant.channelId,
        skus.map((sku) => ({ date: '2025-03-10', sku, report, available: 1 })),
      );
    await take('planning', 'A', 'B');
    await take('restock', 'A');
    await take('rows', 'A', 'B');
    await take('planning', 'A');
    assert.deepEqual(await held(world(), tenant, 'inventory', 'report, sku'), [
      ['planning', 'A'],
      ['restock', 'A'],
      ['rows', 'A'],
      ['rows', 'B'],
    ]);
  });

  reads(
    'a planning report has every figure; its quotes are plain, and labels of one SKU are added up',
    async () => {
      const tenant = await newSeller(world());
      const { channelId } = tenant;
      const second = {
        ...planned,
        fnsku: 'X2',
        available: '6',
        'reserved-quantity': '1',
        'storage-volume': '0.25',
        'units-shipped-t7': '1',
      };
      const answer = await importDocument(
        world(),
        channelId,
        planning([
          planned,
          second,
          { ...planned, sku: 'S2', available: '', 'units-shipped-t7': '' },
          { ...planned, sku: 'S2', fnsku: 'X2', 'units-shipped-t90': '' },
        ]),
      );
      taken(answer, 'inventoryPlanning', 4);
      assert.deepEqual([answer.body.from, answer.body.to], ['2025-03-10', '2025-03-10']);
      assert.deepEqual(await held(world(), tenant, 'inventory', stockColumns), [
        [dayOf('2025-03-10'), 'S1', 'planning', 'B1', '27" screen, matt', 1240, 5, 40, 4, 0],
        [dayOf('2025-03-10'), 'S2', 'planning', 'B1', '27" screen, matt', 1234, 8, 40, 4, 0],
      ]);
      assert.deepEqual(await held(world(), tenant, 'inventory', paceColumns), [
        ['S1', 'planning', 8, 60, 120, 180],
        // A blank cell is unknown rather than 0.
        ['S2', 'planning', 7, 60, 120, 90],
      ]);
      assert.deepEqual(await held(world(), tenant, 'inventory', storageColumns), [
        ['S1', 'Oversize', 12_750_000n, 6_500_000n, 'EUR', 0, 0],
        ['S2', 'Oversize', 25_000_000n, 6_500_000n, 'EUR', 0, 0],
      ]);
      assert.deepEqual(await held(world(), tenant, 'product', productColumns), [
        ['S1', 'B1', '27" screen, matt', 19_990_000n, 1],
        ['S2', 'B1', '27" screen, matt', 19_990_000n, 1],
      ]);
    },
  );

  reads('a product whose seller ships it keeps that, whatever a report implies', async () => {
    const tenant = await newSeller(world());
    const { channelId } = tenant;
    await importRows(world(), 'products', channelId, [
      { sku: 'S1', title: 'Known', fulfilledByMarketplace: false },
      { sku: 'S2', title: 'Known' },
    ]);
    const rows = [planned, { ...planned, sku: 'S2' }];
    taken(await importDocument(world(), channelId, planning(rows)), 'inventoryPlanning', 2);
    assert.deepEqual(
      await held(world(), tenant, 'product', 'sku, title, price, fulfilled_by_marketplace'),
      [
        ['S1', 'Known', 0n, 0],
        ['S2', 'Known', 19_990_000n, 1],
      ],
    );
  });

  reads(
    'planning: decimal marks of the document, newer titles, and unambiguous local dates are read',
    async () => {
      const tenant = await newSeller(world());
      const { channelId } = tenant;
      const { 'reserved-quantity': _, ...others } = planned;
      const row = {
        ...others,
        available: '1.234',
        'your-price': '19,99',
        'snapshot-date': '31.03.2025',
      };
      const document = planning(
        [
          {
            ...row,
            'storage-volume': '1,234',
            'estimated-storage-cost-next-month': '3,25',
            'Reserved FC Transfer': '9',
            'Total Reserved Quantity': '12',
          },
          {
            ...row,
            sku: 'S2',
            'snapshot-date': '2025-03-31T00:00:00+01:00',
            'storage-volume': '0,5',
            'estimated-storage-cost-next-month': '1.000,25',
          },
        ],
        ['Reserved FC Transfer', 'Total Reserved Quantity'],
      ).replace('reserved-quantity\t', 'something-else\t');
      taken(await importDocument(world(), channelId, document), 'inventoryPlanning', 2);
      const columns =
        'day, sku, available, reserved, fc_transfer, storage_volume, storage_cost_next_month';
      assert.deepEqual(await held(world(), tenant, 'inventory', columns), [
        [dayOf('2025-03-31'), 'S1', 1234, 12, 9, 1_234_000n, 3_250_000n],
        [dayOf('2025-03-31'), 'S2', 1234, 0, 0, 500_000n, 1_000_250_000n],
      ]);
      assert.deepEqual((await held(world(), tenant, 'product', productColumns))[0], [
        'S1',
        'B1',
        '27" screen, matt',
        19_990_000n,
        1,
      ]);
    },
  );

  reads(
    'bad rows are rejected: dates, numbers, repeated labels, other marketplaces, days out of range',
    async () => {
      const tenant = await newSeller(world());
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
      const answer = await importDocument(
        world(),
        tenant.channelId,
        document,
        '&from=2025-03-10&to=2025-03-10',
      );
      assert.deepEqual(
        reasons(answer).sort(([one], [other]) => one - other),
        [
          [
            3,
            'snapshot-date has two readings: write the date with the year first (it is "05/04/2025")',
          ],
          [4, 'snapshot-date must be a date (it is "soon")'],
          [5, 'available must be a whole number (it is "12,5")'],
          [6, 'storage-volume must be an amount'],
          [7, 'repeats the key of line 2'],
          [
            8,
            'belongs to marketplace A13V1IB3VIYZZH, but the channel belongs to A1PA6795UKMFR9: a channel has one marketplace',
          ],
          [9, 'sku is required'],
          [10, 'is outside the dates that the import covers'],
          [11, 'available must be a whole number, 0 or more (it is -1)'],
        ],
      );
      assert.deepEqual(await held(world(), tenant, 'inventory', 'sku, available'), [['S1', 1234]]);
      refused(
        await importDocument(
          world(),
          tenant.channelId,
          planning([planned]).replace('unfulfillable-quantity', 'unfulfillable'),
        ),
        /the header lacks unfulfillable-quantity/,
      );
    },
  );

  reads(
    'the country or site of a row identifies its marketplace; other values are ignored',
    async () => {
      const tenant = await newSeller(world());
      const places = ['US', 'UK', 'GB', 'JP', 'Amazon.fr', 'DE', 'de', 'Amazon.de', 'EU', ''];
      const rows = places.map((marketplace, at) => ({ ...planned, sku: `S${at}`, marketplace }));
      const answer = await importDocument(world(), tenant.channelId, planning(rows));
      assert.deepEqual(
        reasons(answer).map(([line, reason]) => [line, reason.split(' ')[3]]),
        [
          'ATVPDKIKX0DER,',
          'A1F83G8C2ARO7P,',
          'A1F83G8C2ARO7P,',
          'A1VC38T7YXB528,',
          'A13V1IB3VIYZZH,',
        ].map((id, at) => [at + 2, id]),
      );
      assert.equal(answer.body.rowsAccepted, 5);
    },
  );

  reads(
    'restock has no date: it takes from and to if they are one day, else today in the channel zone',
    async () => {
      const tenant = await newSeller(world());
      const { channelId } = tenant;
      const rows = [
        restocked,
        { ...restocked, 'Merchant SKU': 'S2', 'Fulfilled by': 'Merchant', Price: '1,234.5' },
        {
          ...restocked,
          ...{ 'Merchant SKU': 'S3', 'Currency code': 'SEK', 'Units Sold Last 30 Days': '--' },
        },
        { ...restocked, Country: 'IT' },
      ];
      const answer = await importDocument(
        world(),
        channelId,
        restock(rows),
        '&from=2025-03-10&to=2025-03-10',
      );
      assert.deepEqual(
        [answer.body.dataset, answer.body.rowsAccepted, answer.body.from, answer.body.to],
        ['restock', 3, '2025-03-10', '2025-03-10'],
      );
      assert.deepEqual(reasons(answer), [
        [
          5,
          'belongs to marketplace APJ6JRA9NG5V4, but the channel belongs to A1PA6795UKMFR9: a channel has one marketplace',
        ],
      ]);
      const figures = ['B1', 'Pan', 50, 6, 11, 6, 3];
      assert.deepEqual(await held(world(), tenant, 'inventory', stockColumns), [
        [dayOf('2025-03-10'), 'S1', 'restock', ...figures],
        [dayOf('2025-03-10'), 'S2', 'restock', ...figures],
        [dayOf('2025-03-10'), 'S3', 'restock', ...figures],
      ]);
      assert.deepEqual(await held(world(), tenant, 'inventory', paceColumns), [
        ['S1', 'restock', -1, 31, -1, -1],
        ['S2', 'restock', -1, 31, -1, -1],
        // A dash is unknown, as a blank cell is.
        ['S3', 'restock', -1, -1, -1, -1],
      ]);
      assert.deepEqual(await held(world(), tenant, 'inventory', 'sku, fulfilled_by_marketplace'), [
        ['S1', 1],
        ['S2', 0],
        ['S3', 1],
      ]);
      assert.deepEqual(await held(world(), tenant, 'product', productColumns), [
        ['S1', 'B1', 'Pan', 8_500_000n, 1],
        // The snapshot says that the seller ships S2; the product is silent about later days.
        ['S2', 'B1', 'Pan', 1_234_500_000n, -1],
        ['S3', 'B1', 'Pan', 0n, 1],
      ]);
      const before = localDay('Europe/Berlin', Math.floor(Date.now() / 1000));
      const today = await importDocument(world(), channelId, restock([restocked]));
      const after = localDay('Europe/Berlin', Math.floor(Date.now() / 1000));
      taken(today, 'restock', 1);
      assert.ok([isoDate(before), isoDate(after)].includes(today.body.from), today.body.from);
      refused(
        await importDocument(
          world(),
          channelId,
          restock([restocked]),
          '&from=2025-03-09&to=2025-03-10&coarse=lastDay',
        ),
        /pass that day as from=YYYY-MM-DD&to=YYYY-MM-DD/,
      );
    },
  );

  reads(
    'the unsuppressed report as it was downloaded, in the encoding of its country; products that are known stay as they are',
    async () => {
      const tenant = await newSeller(world());
      const { channelId } = tenant;
      await importRows(world(), 'products', channelId, [
        { sku: 'TEST003', title: 'My own title', price: '5' },
      ]);
      const on = '&from=2025-03-10&to=2025-03-10';
      const answer = await importDocument(
        world(),
        channelId,
        fixture('inventory.unsuppressed.txt'),
        on,
      );
      taken(answer, 'unsuppressedInventory', 10);
      const rows = await held(
        world(),
        tenant,
        'inventory',
        'sku, report, asin, title, available, reserved, inbound, unfulfillable',
      );
      assert.equal(rows.length, 10);
      assert.deepEqual(rows.slice(2, 5), [
        ['TEST003', 'unsuppressed', 'B333333333', 'Sample Product 3', 7, 0, 0, 1],
        ['TEST004', 'unsuppressed', 'B444444444', 'Sample Product 4', 0, 0, 0, 0],
        ['TEST005', 'unsuppressed', 'B555555555', 'Sample Product 5', 15, 0, 2, 0],
      ]);
      assert.deepEqual((await held(world(), tenant, 'product', productColumns)).slice(1, 3), [
        ['TEST002', 'B222222222', 'Sample Product 2', 15_500_000n, 1],
        ['TEST003', '', 'My own title', 5_000_000n, -1],
      ]);
      const named = fixture('inventory.unsuppressed.txt')
        .split('\n')
        .slice(0, 2)
        .join('\n')
        .replace('Sample Product 1', 'Gr\u00fcn');
      const path = `/operator/documents?channelId=${encodeURIComponent(channelId)}${on}`;
      taken(
        await postImport(
          world(),
          path,
          Buffer.from(named, 'latin1'),
          'text/plain; charset=windows-1252',
        ),
        'unsuppressedInventory',
        1,
      );
      assert.deepEqual(await held(world(), tenant, 'inventory', 'sku, title'), [
        ['TEST001', 'Gr\u00fcn'],
      ]);
      const others = named
        .replace('\t0\t0\t10\t0.01\t0\t0\t0\t', '\t1\t2\t13\t0.01\t3\t4\t5\t')
        .replace('Yes\t10\t10', 'No\t10\t10')
        .replace('TEST001', 'TEST999');
      taken(await importDocument(world(), channelId, others, on), 'unsuppressedInventory', 1);
      const columns = 'sku, available, reserved, inbound, unfulfillable';
      assert.deepEqual(await held(world(), tenant, 'inventory', columns), [
        ['TEST999', 10, 2, 12, 1],
      ]);
      assert.deepEqual((await held(world(), tenant, 'product', productColumns)).at(-1), [
        'TEST999',
        'B111111111',
        'Gr\u00fcn',
        19_990_000n,
        -1,
      ]);
      assert.deepEqual(await held(world(), tenant, 'inventory', 'fulfilled_by_marketplace'), [[0]]);
    },
  );

  test('documents of one date stand beside each other and beside the own rows, and replace only themselves', async () => {
    const tenant = await newSeller(world());
    const { channelId } = tenant;
    const on = '&from=2025-03-10&to=2025-03-10';
    await importRows(world(), 'inventory', channelId, [
      { date: '2025-03-10', sku: 'S1', awdOnhand: 40 },
    ]);
    const take = async () => {
      await importDocument(world(), channelId, planning([planned]));
      await importDocument(world(), channelId, restock([restocked]), on);
      await importDocument(
        world(),
        channelId,
        fixture('inventory.unsuppressed.txt').replaceAll('TEST001', 'S1'),
        on,
      );
    };
    await take();
    const reports = async () =>
      (await held(world(), tenant, 'inventory', 'sku, report'))
        .filter(([sku]) => sku === 'S1')
        .map(([, report]) => report);
    const all = ['planning', 'restock', 'rows', 'unsuppressed'];
    assert.deepEqual(await reports(), all);
    await take();
    assert.deepEqual(await reports(), all);
    taken(
      await importDocument(
        world(),
        channelId,
        restock([{ ...restocked, 'Merchant SKU': 'S9' }]),
        on,
      ),
      'restock',
      1,
    );
    assert.deepEqual(await reports(), ['planning', 'rows', 'unsuppressed']);
    // A document without any row empties its own part.
    taken(await importDocument(world(), channelId, planning([]), on), 'inventoryPlanning', 0);
    assert.deepEqual(await reports(), ['rows', 'unsuppressed']);
  });
});

const productTitles = [
  ...[
    '(Parent) ASIN',
    '(Child) ASIN',
    'Title',
    'SKU',
    'Sessions – Mobile app',
    'Sessions – Mobile APP – B2B',
    'Sessions – Browser',
  ],
  ...[
    'Sessions – Total',
    'Sessions – Total – B2B',
    'Page views – Total',
    'Page views – Total – B2B',
  ],
  ...[
    'Featured Offer (Buy Box) percentage',
    'Featured Offer (Buy Box) percentage – B2B',
    'Units ordered',
    'Units ordered – B2B',
  ],
  ...[
    'Unit Session Percentage',
    'Ordered Product Sales',
    'Ordered Product Sales – B2B',
    'Total order items',
    'Total order items – B2B',
  ],
];
const productCells = [
  ...[
    'P1',
    'C1',
    'Pan, 28 cm',
    'S1',
    '600',
    '6',
    '700',
    '1,300',
    '9',
    '2,468',
    '8',
    '97.35%',
    '1.00%',
    '1,021',
    '3',
    '78.54%',
    '£38,793.82',
    '£9.99',
  ],
  ...['1,001', '2'],
];
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const comma = (rows: readonly (readonly string[])[]) =>
  `\ufeff${rows.map((cells) => cells.map(quoted).join(',')).join('\r\n')}`;
const without = (title: string, rows: readonly (readonly string[])[]) =>
  rows.map((cells) => cells.filter((_, at) => productTitles[at] !== title));
const trafficColumns =
  'day, sku, product_id, parent_product_id, page_views, sessions, mobile_sessions, buy_box_weighted, buy_box_views, revenue, units, order_items, currency';
const totalColumns = 'day, page_views, sessions, buy_box_views, revenue, units, order_items';

onOnePair('Business reports', (world) => {
  const british = {
    countryCode: 'GB',
    currency: 'GBP',
    timezone: 'Europe/London',
    merchantId: 'A1X @ A1F83G8C2ARO7P',
  };
  const newBritish = () => world().tenant({ channel: british });

  test('by SKU, by child and by parent, on the day of from and to; the business columns are not added', async () => {
    const tenant = await newBritish();
    const { channelId } = tenant;
    const on = '&from=2025-03-10&to=2025-03-10';
    const rows = [productTitles, productCells];
    taken(await importDocument(world(), channelId, comma(rows), on), 'businessReport', 1);
    // 97.35 x 2468 = 240,259.8
    const figures = [2468, 1300, 600, 240_259_800_000n, 2468, 38_793_820_000n, 1021, 1001, 'GBP'];
    assert.deepEqual(await held(world(), tenant, 'traffic', trafficColumns), [
      [dayOf('2025-03-10'), 'S1', 'C1', 'P1', ...figures],
    ]);
    // Its title is that of the product, unless the catalogue has one.
    const products = () => held(world(), tenant, 'product', 'sku, product_id, title, brand');
    const titleOf = (row: readonly string[]) => row[productTitles.indexOf('Title')]!;
    assert.deepEqual(await products(), [['S1', 'C1', titleOf(productCells), '']]);
    const catalogued = { sku: 'S1', productId: 'C1', brand: 'Own' };
    await importRows(world(), 'products', channelId, [catalogued]);
    await importDocument(world(), channelId, comma(rows), on);
    assert.deepEqual(await products(), [['S1', 'C1', titleOf(productCells), 'Own']]);
    await importRows(world(), 'products', channelId, [{ ...catalogued, title: 'My own title' }]);
    await importDocument(world(), channelId, comma(rows), on);
    assert.deepEqual(await products(), [['S1', 'C1', 'My own title', 'Own']]);
    const children = without('SKU', rows);
    taken(await importDocument(world(), channelId, comma(children), on), 'businessReport', 1);
    assert.deepEqual(await held(world(), tenant, 'traffic', trafficColumns), [
      [dayOf('2025-03-10'), '', 'C1', 'P1', ...figures],
    ]);
    // Without SKUs, the title is that of the child's products that have none.
    await importRows(world(), 'products', channelId, [
      { sku: 'S2', productId: 'C1' },
      { sku: 'S3', productId: 'C2' },
    ]);
    await importRows(world(), 'orderLines', channelId, [
      { orderId: '1', lineId: '1', purchasedAt: 1, sku: 'S4', productId: 'C1', quantity: 1 },
      { orderId: '1', lineId: '2', purchasedAt: 1, sku: 'S3', productId: 'C1', quantity: 1 },
    ]);
    await importDocument(world(), channelId, comma(children), on);
    assert.deepEqual(await products(), [
      ['S1', 'C1', 'My own title', 'Own'],
      ['S2', 'C1', titleOf(productCells), ''],
      ['S3', 'C2', '', ''],
      ['S4', 'C1', titleOf(productCells), ''],
    ]);
    const parents = children.map((cells) => cells.toSpliced(1, 1));
    taken(await importDocument(world(), channelId, comma(parents), on), 'businessReport', 1);
    assert.deepEqual(await held(world(), tenant, 'traffic', trafficColumns), [
      [dayOf('2025-03-10'), '', 'P1', 'P1', ...figures],
    ]);
  });

  test('a report by product needs dates; several days are rejected by row or posted on the last', async () => {
    const tenant = await newBritish();
    const { channelId } = tenant;
    const document = comma([productTitles, productCells]);
    refused(
      await importDocument(world(), channelId, document),
      /^the document needs from=YYYY-MM-DD&to=YYYY-MM-DD/,
    );
    refused(
      await importDocument(world(), channelId, document, '&from=2025-03-01&to=2025-03-31'),
      /coarse=lastDay \(.*, such as 2025-03-01 to 2025-03-31,/,
    );
    await importRows(world(), 'traffic', channelId, [
      { date: '2025-03-04', sku: 'S8', pageViews: 5 },
    ]);
    const answer = await importDocument(
      world(),
      channelId,
      document,
      '&from=2025-03-01&to=2025-03-31&coarse=lastDay&replace=true',
    );
    taken(answer, 'businessReport', 1);
    assert.equal(answer.body.rowsCoarse, 1);
    assert.deepEqual(await held(world(), tenant, 'traffic', 'day, sku, page_views'), [
      [dayOf('2025-03-31'), 'S1', 2468],
    ]);
  });

  test('older titles and other countries count; rows without a product or with other words for numbers are refused', async () => {
    const tenant = await newSeller(world());
    const titles = [
      '(Parent) ASIN',
      '(Child) ASIN',
      'Title',
      'Sessions',
      'Page Views',
      'Buy Box Percentage',
      'Units Ordered',
      'Ordered Product Sales',
    ];
    const rows = [
      titles,
      ['P1', 'C1', 'Pfanne', '1.300', '2.468', '97,35 %', '12', '38.793,82 €'],
      ['P1', 'C2', 'Pfanne', '1', '2', '', '0', '0,00 €'],
      ['', '', 'Pfanne', '1', '2', '', '0', '0,00 €'],
      ['P1', 'C3', 'Pfanne', 'many', '2', '', '0', '0,00 €'],
      ['P1', 'C4', 'Pfanne', '1', '2', '101 %', '0', '0,00 €'],
    ];
    const answer = await importDocument(
      world(),
      tenant.channelId,
      comma(rows),
      '&from=2025-03-10&to=2025-03-10',
    );
    assert.deepEqual(reasons(answer), [
      [4, 'names no product'],
      [5, 'Sessions must be a whole number (it is "many")'],
      [6, 'buyBoxPercentage must be a percentage from 0 to 100 (it is "101")'],
    ]);
    assert.deepEqual(await held(world(), tenant, 'traffic', trafficColumns), [
      [
        dayOf('2025-03-10'),
        '',
        'C1',
        'P1',
        2468,
        1300,
        0,
        240_259_800_000n,
        2468,
        38_793_820_000n,
        12,
        0,
        'EUR',
      ],
      [dayOf('2025-03-10'), '', 'C2', 'P1', 2, 1, 0, 0n, 0, 0n, 0, 0, 'EUR'],
    ]);
  });

  test('by date: the store as a whole, in the order of the dates that makes them days in succession', async () => {
    const titles = [
      'Date',
      'Ordered Product Sales',
      'Ordered Product Sales – B2B',
      'Units ordered',
      'Total order items',
      'Page views – Total',
      'Sessions – Total',
    ];
    const row = (date: string, sales: string) => [date, sales, '£1.00', '5', '4', '30', '20'];
    for (const [dates, days] of [
      [
        ['03/08/25', '04/08/25'],
        ['2025-08-03', '2025-08-04'],
      ],
      [
        ['8/3/2025', '8/4/2025'],
        ['2025-08-03', '2025-08-04'],
      ],
      [
        ['30/03/2025', '31/03/2025', '01/04/2025'],
        ['2025-03-30', '2025-03-31', '2025-04-01'],
      ],
      [['3 Aug 2025'], ['2025-08-03']],
    ] as const) {
      const tenant = await newBritish();
      const document = comma([titles, ...dates.map((date, at) => row(date, `£1,00${at}.50`))]);
      taken(
        await importDocument(world(), tenant.channelId, document),
        'businessReport',
        dates.length,
      );
      assert.deepEqual(
        await held(world(), tenant, 'traffic_total', totalColumns),
        days.map((day, at) => [
          dayOf(day),
          30,
          20,
          0,
          BigInt(1_000_500_000 + at * 1_000_000),
          5,
          4,
        ]),
      );
      assert.deepEqual(await held(world(), tenant, 'traffic', 'day'), []);
    }
  });

  test('by date: ambiguous dates are refused unless from and to decide; dates of weeks are refused', async () => {
    const tenant = await newBritish();
    const { channelId } = tenant;
    const of = (...dates: string[]) =>
      comma([
        ['Date', 'Ordered Product Sales', 'Units ordered', 'Sessions – Total'],
        ...dates.map((date) => [date, '£1', '1', '2']),
      ]);
    const answer = await importDocument(world(), channelId, of('03/08/2025'));
    assert.deepEqual(reasons(answer), [
      [
        2,
        'date has two readings, and no other date of the document shows which one is right: write it with the year first',
      ],
    ]);
    taken(
      await importDocument(world(), channelId, of('03/08/2025'), '&from=2025-03-01&to=2025-03-31'),
      'businessReport',
      1,
    );
    assert.deepEqual(await held(world(), tenant, 'traffic_total', 'day'), [[dayOf('2025-03-08')]]);
    assert.deepEqual(reasons(await importDocument(world(), channelId, of('soon'))), [
      [2, 'Date must be a date (it is "soon")'],
    ]);
    refused(
      await importDocument(world(), channelId, of('2025-03-02', '2025-03-09', '2025-03-16')),
      /by week or month: download it by day/,
    );
    refused(
      await importDocument(
        world(),
        channelId,
        comma([
          ['Date', 'Units ordered', 'Sessions – Total'],
          ['2025-03-02', '1', '2'],
        ]),
      ),
      /the header lacks ordered product sales/,
    );
  });
});
