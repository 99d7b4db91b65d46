import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { defaultLimits } from '../src/config.ts';
import { question } from '../src/engine/question.ts';
import { openImport } from '../src/engine/registry.ts';
import type { Row } from '../src/engine/warehouse.ts';
import {
  type Answer,
  eachPair,
  onEachPair,
  type Pair,
  type Tenant,
  testOnOnePair,
  until,
  type World,
} from './harness.ts';
import { importDocument, importRows, postImport, reasons, refused } from './imports.ts';

const ndjson = 'application/x-ndjson';
const csv = 'text/csv';
const megabyte = 1_000_000;

const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url));

/** Tests that share the world of the file with all others; a world costs more than most of them. */
type Define = (world: () => World, pair: Pair) => void;
const groups: [string, Define][] = [];
const group = (name: string, define: Define) => groups.push([name, define]);

/** A channel of its own in the world, so that tests of one world do not meet. */
async function newTenant(world: World, timezone = 'UTC'): Promise<Tenant> {
  return world.tenant({ channel: { timezone, merchantId: 'A1MERCHANT' } });
}

/** Posts rows of a dataset. */
function post(
  world: World,
  dataset: string,
  channelId: string | undefined,
  body: string | Buffer,
  type = ndjson,
  query = '',
): Promise<Answer> {
  return postImport(
    world,
    `/operator/imports/${dataset}?${channelId === undefined ? '' : `channelId=${channelId}`}${query}`,
    body,
    type,
  );
}

/** The stored rows of a channel, or of all channels. */
async function held(
  world: World,
  channelId: string | undefined,
  columns: string,
  table: string,
  order = columns,
): Promise<Row[]> {
  const channel =
    channelId === undefined
      ? 0
      : (
          await world.registry.records
            .selectFrom('channel')
            .select('channelNumber')
            .where('channelId', '=', channelId)
            .executeTakeFirstOrThrow()
        ).channelNumber;
  const asked = question(
    'held',
    `SELECT ${columns} FROM ${table} WHERE channel = {channel:Int32} ORDER BY ${order}`,
  );
  return world.warehouse.ask(asked, { channel }, { deadlineMilliseconds: 3_600_000 });
}

type Period = { readonly formattedChartData: readonly Record<string, string | number>[] };

/** The answer of salesByPeriod for whole days, by default those of the channel's own zone. */
async function view(
  world: World,
  { key, channelId, merchantId }: Tenant,
  from: string,
  to: string,
  zone = 'UTC',
  more: object = {},
): Promise<Period> {
  const reportOptions = {
    fromDate: Date.parse(`${from}Z`) / 1000,
    toDate: Date.parse(`${to}Z`) / 1000 - 1,
    timezone: zone,
  };
  const answer = await world.ask(key, 'POST', '/reports/view/salesByPeriod', {
    channelId,
    merchantId,
    reportOptions,
    ...more,
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** Sales, page views and advertising spend, day by day. */
async function figures(
  world: World,
  tenant: Tenant,
  from: string,
  to: string,
): Promise<(string | number | undefined)[][]> {
  const { formattedChartData: rows } = await view(world, tenant, `${from}T00:00`, `${to}T00:00`);
  return rows.map((row) => [row.sales, row.pageViews, row.adSpend]);
}

/** How far the facts reach, without the numbers of imports. */
async function freshness(world: World, channelId: string): Promise<object[]> {
  const { datasets } = await world.operate('GET', `/operator/freshness?channelId=${channelId}`);
  return datasets.map(({ dataset, from, to, rows }: Record<string, unknown>) => ({
    dataset,
    from,
    to,
    rows,
  }));
}

/** The counts of an import's answer. */
function counted({ status, body }: Answer): unknown[] {
  assert.equal(status, body.rowsAccepted === 0 && body.rowsRejected > 0 ? 422 : 200, body.error);
  return [body.rowsRead, body.rowsAccepted, body.rowsRejected, body.from, body.to];
}

/** Rows of every flat dataset, with the table and columns for comparing the stored rows. */
const samples: readonly {
  dataset: string;
  table: string;
  columns: string;
  rows: readonly Record<string, string | number | boolean>[];
}[] = [
  {
    dataset: 'orderLines',
    table: 'order_line',
    columns:
      'order_id, line_id, day, purchased_at, updated_at, status, sku, product_id, quantity, item_price, item_tax, currency, customer',
    rows: [
      {
        orderId: 'o1',
        lineId: '1',
        purchasedAt: '2025-03-01T10:00:00Z',
        updatedAt: '2025-03-01T11:00:00Z',
        status: 'PENDING',
        sku: 'A',
        productId: 'PA',
        quantity: 2,
        itemPrice: 20.5,
        itemTax: 1.25,
        promotionDiscount: 0,
        shippingPrice: 3,
        currency: 'usd',
        buyerEmail: 'One@Example.com ',
      },
      {
        orderId: 'o1',
        lineId: '2',
        purchasedAt: 1_740_823_200,
        updatedAt: '2025-03-01T12:00:00+01:00',
        status: 'cancelled',
        sku: 'B',
        productId: '',
        quantity: 1,
        itemPrice: '7',
        itemTax: '0',
        promotionDiscount: 1,
        shippingPrice: 0,
        currency: 'EUR',
        buyerEmail: 'one@example.com',
      },
    ],
  },
  {
    dataset: 'traffic',
    table: 'traffic',
    columns:
      'day, sku, product_id, parent_product_id, page_views, sessions, mobile_sessions, buy_box_weighted, buy_box_views, revenue, units, order_items',
    rows: [
      {
        date: '2025-03-01',
        sku: 'A',
        productId: 'PA',
        parentProductId: 'PP',
        pageViews: 10,
        sessions: 8,
        mobileSessions: 2,
        buyBoxPercentage: 87.5,
        orderedRevenue: 20.5,
        orderedUnits: 2,
        orderItems: 1,
        currency: 'USD',
      },
      {
        date: '2025-03-02',
        sku: 'A',
        productId: 'PA',
        parentProductId: 'PP',
        pageViews: 4,
        sessions: 3,
        mobileSessions: 0,
        buyBoxPercentage: '',
        orderedRevenue: '0',
        orderedUnits: 0,
        orderItems: 0,
        currency: '',
      },
    ],
  },
  {
    dataset: 'campaignDays',
    table: 'campaign_day',
    columns: 'day, campaign_id, impressions, clicks, cost, sales, conversions, units, currency',
    rows: [
      {
        date: '2025-03-01',
        campaignId: '4711',
        impressions: 1000,
        clicks: 10,
        cost: 5.25,
        sales: 50,
        conversions: 2,
        units: 3,
        currency: 'USD',
      },
      {
        date: '2025-03-02',
        campaignId: '4711',
        impressions: -10,
        clicks: -1,
        cost: -0.5,
        sales: -5,
        conversions: -1,
        units: -1,
        currency: 'USD',
      },
    ],
  },
  {
    dataset: 'adProductDays',
    table: 'ad_product_day',
    columns:
      'day, product_id, sku, ad_type, impressions, clicks, cost, sales, sales_same_sku, orders_ntb',
    rows: [
      {
        date: '2025-03-01',
        productId: 'PA',
        sku: 'A',
        adType: 'SPONSORED_BRANDS',
        impressions: 10,
        clicks: 1,
        cost: 0.25,
        sales: 5,
        salesSameSku: 4,
        ordersNtb: 1,
      },
      {
        date: '2025-03-01',
        productId: 'PA',
        sku: '',
        adType: 'sp',
        impressions: 20,
        clicks: 2,
        cost: 0.5,
        sales: 6,
        salesSameSku: 0,
        ordersNtb: 0,
      },
    ],
  },
  {
    dataset: 'products',
    table: 'product',
    columns:
      'sku, product_id, parent_product_id, title, brand, image_url, price, units_per_case, fulfilled_by_marketplace',
    rows: [
      {
        sku: 'A',
        productId: 'PA',
        parentProductId: 'PP',
        title: 'Lampe, „rot“ \u{1f4a1}',
        brand: '',
        imageUrl: 'https://img.example/a.png?x=1',
        price: 19.99,
        unitsPerCase: 12,
        fulfilledByMarketplace: true,
      },
      {
        sku: '\\N',
        productId: '',
        parentProductId: '',
        title: 'NULL',
        brand: "O'Neill",
        imageUrl: '',
        price: '',
        unitsPerCase: '',
        fulfilledByMarketplace: 'FALSE',
      },
    ],
  },
  {
    dataset: 'exchangeRates',
    table: 'exchange_rate',
    columns: 'day, currency, per_euro',
    rows: [
      { date: '2025-03-03', currency: 'USD', perEuro: 1.0523 },
      { date: '2025-03-03', currency: 'jpy', perEuro: '161.25' },
    ],
  },
];

function asCsv(rows: readonly Record<string, string | number | boolean>[]): string {
  const quoted = (value: unknown) =>
    /[",\n\r]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
  return [
    Object.keys(rows[0]!).join(','),
    ...rows.map((row) => Object.values(row).map(quoted).join(',')),
  ].join('\r\n');
}

group('Imports of rows', (world, pair) => {
  const reads = testOnOnePair(pair);
  for (const { dataset, table, columns, rows } of samples) {
    const leaves = dataset === 'orderLines' ? test : reads;
    leaves(`${dataset}: NDJSON and CSV, plain and gzip, leave the same facts`, async () => {
      const ofChannel = dataset !== 'exchangeRates';
      const [plain, packed] = ofChannel
        ? await Promise.all([newTenant(world()), newTenant(world())])
        : [undefined, undefined];
      const first = await post(world(), dataset, plain?.channelId, gzipSync(lines(rows)));
      const facts = await held(world(), plain?.channelId, columns, table);
      const second = await post(world(), dataset, packed?.channelId, asCsv(rows), csv);
      const dates = rows.map(
        (row) =>
          (row.date as string | undefined) ?? (dataset === 'orderLines' ? '2025-03-01' : null),
      );
      for (const answer of [first, second])
        assert.deepEqual(counted(answer), [2, 2, 0, dates[0], dates[1]]);
      assert.equal(facts.length, 2);
      assert.deepEqual(await held(world(), packed?.channelId, columns, table), facts);
      if (dataset === 'products')
        assert.deepEqual(
          facts.map((fact) => [fact.sku, fact.title]),
          [
            ['A', 'Lampe, „rot“ \u{1f4a1}'],
            ['\\N', 'NULL'],
          ],
        );
      if (dataset === 'orderLines')
        assert.ok(facts[0]!.customer !== '' && facts[0]!.customer === facts[1]!.customer);
    });
  }

  test('orders with their items become records and lines, and the address of the buyer is only kept sealed and hashed', async () => {
    const tenant = await newTenant(world());
    const order = {
      OrderId: '700-1',
      PurchaseDate: '2025-03-01T10:00:00Z',
      LastUpdateDate: '2025-03-01T10:00:00Z',
      OrderStatus: 'Unshipped',
      BuyerInfo: { BuyerEmail: 'hidden@example.com' },
      ShippingAddress: { City: 'Köln', PostalCode: '50667' },
      OrderTotal: { Amount: '31.50', CurrencyCode: 'EUR' },
      Items: [
        {
          OrderItemId: '1',
          SellerSKU: 'A',
          QuantityOrdered: 2,
          ItemPrice: { Amount: '20.00', CurrencyCode: 'EUR' },
        },
        { OrderItemId: 2, SellerSKU: 'B', QuantityOrdered: '1', ItemPrice: 11.5 },
      ],
    };
    const answer = await post(
      world(),
      'orders',
      tenant.channelId,
      gzipSync(lines([order, { ...order, OrderId: 'constructor' }])),
    );
    assert.deepEqual(counted(answer), [2, 2, 0, '2025-03-01', '2025-03-01']);
    const found = await held(
      world(),
      tenant.channelId,
      'order_id, line_id, sku, quantity, item_price, currency',
      'order_line',
    );
    assert.deepEqual(
      found.slice(0, 2).map((row) => Object.values(row)),
      [
        ['700-1', '1', 'A', 2, 20_000_000n, 'EUR'],
        ['700-1', '2', 'B', 1, 11_500_000n, 'EUR'],
      ],
    );
    const records = await held(
      world(),
      tenant.channelId,
      'order_id, record, sealed_email, customer',
      'order_record',
    );
    assert.equal(records.length, 2);
    assert.equal(JSON.parse(records[0]!.record as string).ShippingAddress.City, 'Köln');
    assert.doesNotMatch(JSON.stringify(records), /hidden/);
    assert.ok(records.every((record) => record.sealed_email !== '' && record.customer !== ''));
    // A second time, now without items. Names such as `constructor` are ordinary order ids.
    const { Items: _, ...bare } = order;
    const again = await post(
      world(),
      'orders',
      tenant.channelId,
      lines([
        { ...bare, OrderId: 'constructor' },
        { ...bare, OrderId: '__proto__' },
      ]),
    );
    assert.deepEqual(counted(again).slice(0, 3), [2, 2, 0]);
    const outside = await post(
      world(),
      'orders',
      tenant.channelId,
      lines([order, { ...order, OrderId: 'x', PurchaseDate: '2025-04-01T00:00:00Z' }]),
      ndjson,
      '&from=2025-03-01&to=2025-03-31',
    );
    assert.deepEqual(reasons(outside), [[2, 'is outside the dates that the import covers']]);
  });

  test('the counts of an import add up, and amounts that were rounded are counted', async () => {
    const tenant = await newTenant(world());
    const sumsUp = ({ body }: Answer) => {
      const { rowsRead, rowsAccepted, rowsMerged, rowsRejected, rowsSkipped } = body;
      assert.equal(rowsRead, rowsAccepted + rowsMerged + rowsRejected + rowsSkipped);
      return [rowsRead, rowsAccepted, rowsMerged, rowsRejected, rowsSkipped, body.rounded];
    };
    const line = (lineId: string, itemPrice: unknown, more: object = {}) => ({
      orderId: 'o',
      lineId,
      purchasedAt: '2025-03-01T10:00:00Z',
      itemPrice,
      ...more,
    });
    const mixed = await post(
      world(),
      'orderLines',
      tenant.channelId,
      lines([
        line('1', '1.0000005'),
        line('2', -2.0000015, { itemTax: '0.12345678' }),
        line('3', '3.1000000'),
        line('3', 4.123456),
        line('4', 'four', { itemTax: '0.12345678' }),
      ]),
    );
    assert.deepEqual(sumsUp(mixed), [5, 3, 1, 1, 0, 3]);
    assert.deepEqual(
      (await held(world(), tenant.channelId, 'line_id, item_price, item_tax', 'order_line')).map(
        (row) => Object.values(row),
      ),
      [
        ['1', 1_000_001n, 0n],
        ['2', -2_000_002n, 123_457n],
        ['3', 4_123_456n, 0n],
      ],
    );
    const order = (id: string, price: string) => ({
      OrderId: id,
      PurchaseDate: '2025-03-01T10:00:00Z',
      Items: [{ OrderItemId: '1', QuantityOrdered: 1, ItemPrice: price }],
    });
    const orders = [order('p', '1.12345649'), order('p', '2'), order('q', '3')];
    assert.deepEqual(
      sumsUp(await post(world(), 'orders', tenant.channelId, lines(orders))),
      [3, 2, 1, 0, 0, 1],
    );
    // A document that is refused has counts, too: a row that was right is skipped.
    const refusedWhole = await post(
      world(),
      'orderLines',
      tenant.channelId,
      lines([line('5', 1), line('6', 'six')]),
      ndjson,
      '&onError=abort',
    );
    const { importId } = mixed.body;
    const read = (id: number) => world().operate('GET', `/operator/imports/${id}`);
    refused(refusedWhole, /line 2 itemPrice/);
    assert.deepEqual(sumsUp({ ...mixed, body: await read(importId) }), [5, 3, 1, 1, 0, 3]);
    const { imports } = await world().operate(
      'GET',
      `/operator/imports?channelId=${tenant.channelId}`,
    );
    assert.deepEqual(sumsUp({ ...mixed, body: imports[0] }), [2, 0, 0, 1, 1, 0]);
  });

  reads('amounts and ids keep every digit, as texts and as numbers', async () => {
    const tenant = await newTenant(world());
    const prices = [
      '"123456789012.123456"',
      '123456789012.123456',
      '999999999999.999999',
      '0.1',
      '1e2',
      '"1.5E-3"',
      '0.0000005',
      '"0.00000049"',
      '-0.0',
      '12.',
      '".5"',
    ];
    const rows = prices.map(
      (price, place) =>
        `{"orderId":9007199254740993,"lineId":${place},"purchasedAt":"2025-0${(place % 9) + 1}-01T00:00:00Z","itemPrice":${price}}`,
    );
    const answer = await post(world(), 'orderLines', tenant.channelId, rows.join('\n'));
    // "12." is no number in JSON.
    assert.deepEqual(reasons(answer), [[10, 'is not JSON']]);
    const found = await held(
      world(),
      tenant.channelId,
      'order_id, line_id, item_price',
      'order_line',
    );
    assert.deepEqual(Object.fromEntries(found.map((row) => [row.line_id, row.item_price])), {
      0: 123_456_789_012_123_456n,
      1: 123_456_789_012_123_456n,
      2: 999_999_999_999_999_999n,
      3: 100_000n,
      4: 100_000_000n,
      5: 1500n,
      6: 1n,
      7: 0n,
      8: 0n,
      10: 500_000n,
    });
    assert.ok(found.every((row) => row.order_id === '9007199254740993'));
    const tooLarge = await post(
      world(),
      'orderLines',
      tenant.channelId,
      ['999999999999.9999999', '1e12', '1e400', '"1e400"', '"12,5"', '"Infinity"', 'true', '[1]']
        .map(
          (price) => `{"orderId":"x","lineId":"1","purchasedAt":1740823200,"itemPrice":${price}}`,
        )
        .join('\n'),
    );
    assert.deepEqual(
      reasons(tooLarge).map(([, reason]) => reason.slice(0, 28)),
      [
        'itemPrice must be below 1,00',
        'itemPrice must be below 1,00',
        ...Array(6).fill('itemPrice must be a decimal '),
      ],
    );
    // Facts are not refused because their sum has more digits than one fact may have.
    const large = await newTenant(world());
    const rich = ['1', '2'].map((lineId) => ({
      orderId: 'o',
      lineId,
      purchasedAt: '2025-03-01T10:00:00Z',
      itemPrice: '999999999999.99',
    }));
    await importRows(world(), 'orderLines', large.channelId, rich);
    assert.deepEqual(
      (await figures(world(), large, '2025-03-01', '2025-03-02'))[0]![0],
      '1999999999999.98',
    );
    const views = {
      date: '2025-03-01',
      sku: 'A',
      pageViews: 999_999_999_999,
      buyBoxPercentage: 100,
    };
    assert.deepEqual(reasons(await post(world(), 'traffic', tenant.channelId, lines([views]))), [
      [1, 'pageViews are too many'],
    ]);
  });

  reads(
    'CSV as programs write it: comma, semicolon and tab, quotes, line ends within them, CRLF, a byte order mark, UTF-16',
    async () => {
      const titles = [
        'plain',
        'with "quotes"',
        'two\nlines',
        'CRLF\r\nwithin',
        'a,b;c\td',
        '  spaces ',
        '5" pipe',
      ];
      const table = (delimiter: string, end: string) => {
        const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const header = ['sku', '"title"', 'price'].join(delimiter);
        return [
          header,
          ...titles.map((title, place) => [`S${place}`, cell(title), place].join(delimiter)),
          '',
        ].join(end);
      };
      const documents: [string | Buffer, string][] = [
        [table(',', '\n'), csv],
        [`\ufeff${table(';', '\r\n')}`, `${csv}; charset=windows-1252`],
        [Buffer.from(`\ufeff${table('\t', '\r\n')}`, 'utf16le'), csv],
      ];
      for (const [document, type] of documents) {
        const tenant = await newTenant(world());
        assert.deepEqual(
          counted(await post(world(), 'products', tenant.channelId, document, type)),
          [7, 7, 0, null, null],
        );
        const found = await held(world(), tenant.channelId, 'sku, title, price', 'product');
        // Lines end with CRLF or LF; within a quoted cell either is a line end.
        assert.deepEqual(
          found.map((row) => String(row.title).replaceAll('\r\n', '\n')),
          titles.map((title) => title.replaceAll('\r\n', '\n')),
        );
      }
    },
  );

  reads(
    'a row that is no row costs itself alone: quotes never closed, cells too many or too few',
    async () => {
      const tenant = await newTenant(world());
      const document = [
        'sku,title,price',
        'A,"never closed,1',
        'B,"good",2',
        'C,one,two,3',
        'D',
        '',
        'E,"5" pipe",5',
        'F,"never closed either,6',
        'G,plain,7',
        'H,"and ""another""",8',
        'I,"to the end,9',
        'J,plain,10',
      ].join('\n');
      const answer = await post(world(), 'products', tenant.channelId, document, csv);
      const unclosed = 'opens a quote that is not closed';
      assert.deepEqual(reasons(answer), [
        [2, unclosed],
        [4, 'has 4 cells, but the header has 3'],
        [5, 'has 1 cells, but the header has 3'],
        [8, unclosed],
        [11, unclosed],
      ]);
      const found = await held(world(), tenant.channelId, 'sku, title', 'product');
      assert.deepEqual(
        found.map((row) => Object.values(row)),
        [
          ['B', 'good'],
          ['E', '5 pipe"'],
          ['G', 'plain'],
          ['H', 'and "another"'],
          ['J', 'plain'],
        ],
      );
      assert.deepEqual(counted(answer).slice(0, 3), [10, 5, 5]);
    },
  );

  reads(
    'a header with unknown, doubled or missing columns refuses the document, and names no address',
    async () => {
      const tenant = await newTenant(world());
      const said = async (document: string | Buffer) => {
        const answer = await post(world(), 'orderLines', tenant.channelId, document, csv);
        assert.equal(answer.status, 400);
        return answer.body.error as string;
      };
      assert.match(
        await said('orderId,lineId,purchasedAt,prize,\n'),
        /has unknown columns prize, \(empty\); the dataset has orderId, lineId/,
      );
      assert.match(
        await said('orderId,lineId,purchasedAt,lineId\n1,2,3,4\n'),
        /names a column twice/,
      );
      assert.match(await said('orderId,sku\n1,2\n'), /the header lacks lineId, purchasedAt/);
      assert.doesNotMatch(
        await said('700-1,1,2025-03-01T00:00:00Z,hidden@example.com\n'),
        /hidden/,
      );
      assert.match(
        await said('orderId,"lineId,purchasedAt\nhidden,b,c\n'),
        /the header opens a quote that is not closed/,
      );
      assert.doesNotMatch(await said('orderId,"lineId,purchasedAt\nhidden,b,c\n'), /hidden/);
      assert.match(
        await said(Buffer.from('orderId,lineId,purchasedAt,st\xe4tus\n', 'latin1')),
        /the header is not UTF-8/,
      );
      assert.deepEqual(await freshness(world(), tenant.channelId), []);
      assert.doesNotMatch(world().logLines.join(), /hidden/);
    },
  );
});

group('Imports that come again', (world, pair) => {
  const reads = testOnOnePair(pair);
  const orders = [
    {
      orderId: 'o1',
      lineId: '1',
      purchasedAt: '2025-03-01T10:00:00Z',
      updatedAt: '2025-03-01T10:00:00Z',
      sku: 'A',
      quantity: 1,
      itemPrice: '10.00',
    },
    {
      orderId: 'o2',
      lineId: '1',
      purchasedAt: '2025-03-02T10:00:00Z',
      updatedAt: '2025-03-02T10:00:00Z',
      sku: 'B',
      quantity: 1,
      itemPrice: '20.00',
    },
  ];
  const views = [1, 2, 3].map((date) => ({
    date: `2025-03-0${date}`,
    pageViews: date * 10,
    orderedRevenue: date,
  }));
  const ads = [1, 2, 3].flatMap((date) =>
    ['1', '2'].map((campaignId) => ({ date: `2025-03-0${date}`, campaignId, cost: date })),
  );

  reads('the same documents twice leave the same answers and the same freshness', async () => {
    const tenant = await newTenant(world());
    const answers: unknown[] = [];
    for (const _ of [1, 2]) {
      await importRows(world(), 'orderLines', tenant.channelId, orders);
      await importRows(world(), 'traffic', tenant.channelId, views);
      await importRows(world(), 'campaignDays', tenant.channelId, ads);
      answers.push([
        await figures(world(), tenant, '2025-03-01', '2025-03-04'),
        await freshness(world(), tenant.channelId),
      ]);
    }
    assert.deepEqual(answers[0], answers[1]);
    assert.deepEqual(answers[0], [
      [
        ['10.00', 10, '2.00'],
        ['20.00', 20, '4.00'],
        ['0.00', 30, '6.00'],
      ],
      [
        { dataset: 'orderLines', from: '2025-03-01', to: '2025-03-02', rows: 2 },
        { dataset: 'traffic', from: '2025-03-01', to: '2025-03-03', rows: 3 },
        { dataset: 'campaignDays', from: '2025-03-01', to: '2025-03-03', rows: 6 },
      ],
    ]);
  });

  test('a restated document removes its missing rows, only within the dates that it covers', async () => {
    const tenant = await newTenant(world());
    const spend = async () =>
      (await figures(world(), tenant, '2025-03-01', '2025-03-04')).map((row) => row[2]);
    const take = (rows: readonly object[], query = '') =>
      post(world(), 'campaignDays', tenant.channelId, lines(rows), ndjson, query);
    await take(ads);
    assert.deepEqual(await spend(), ['2.00', '4.00', '6.00']);
    // Campaign b has vanished from the second day.
    await take([{ date: '2025-03-02', campaignId: '1', cost: 2.5 }]);
    assert.deepEqual(await spend(), ['2.00', '2.50', '6.00']);
    // A document that says from where to where it speaks empties the days that it is silent about.
    const covered = await take(
      [
        { date: '2025-03-01', campaignId: '1', cost: 7 },
        { date: '2025-03-04', campaignId: '1', cost: 9 },
      ],
      '&from=2025-03-01&to=2025-03-02',
    );
    assert.deepEqual(counted(covered), [2, 1, 1, '2025-03-01', '2025-03-02']);
    assert.deepEqual(reasons(covered), [[2, 'is outside the dates that the import covers']]);
    assert.deepEqual(await spend(), ['7.00', '0.00', '6.00']);
    // One of which no row could be taken empties nothing,
    refused(
      await take(
        [{ date: '2025-03-01', campaignId: '1', cost: 'much' }],
        '&from=2025-03-01&to=2025-03-03',
      ),
      /nothing was imported, because 1 row was rejected: line 1 cost must be/,
    );
    assert.deepEqual(await spend(), ['7.00', '0.00', '6.00']);
    // and one that has none empties all.
    assert.deepEqual(counted(await take([], '&from=2025-03-01&to=2025-03-02')), [
      0,
      0,
      0,
      '2025-03-01',
      '2025-03-02',
    ]);
    assert.deepEqual(await spend(), ['0.00', '0.00', '6.00']);
    refused(await take([], '&from=2025-03-01'), /from and to must be given together/);
    refused(await take([], '&from=2025-03-02&to=2025-03-01'), /to must not be before from/);
  });

  reads(
    'of an order line the version updated last counts, in whatever order the versions come',
    async () => {
      const tenant = await newTenant(world());
      const sales = async () =>
        (await figures(world(), tenant, '2025-03-01', '2025-03-04')).map((row) => row[0]);
      const version = (updated: number, purchased: string, price: number, status = 'Shipped') => ({
        orderId: 'o',
        lineId: '1',
        purchasedAt: `${purchased}T10:00:00Z`,
        updatedAt: `2025-03-03T0${updated}:00:00Z`,
        quantity: 1,
        itemPrice: price,
        status,
      });
      const take = (...rows: object[]) =>
        post(world(), 'orderLines', tenant.channelId, lines(rows));
      await take(version(2, '2025-03-01', 20));
      assert.deepEqual(await sales(), ['20.00', '0.00', '0.00']);
      const older = await take(version(1, '2025-03-01', 10));
      assert.deepEqual([older.body.rowsAccepted, older.body.rowsOlder], [1, 1]);
      assert.deepEqual(await sales(), ['20.00', '0.00', '0.00']);
      // A purchase that moves leaves its day, even as the only one on the channel's first day.
      await take(version(3, '2025-03-02', 30));
      assert.deepEqual(await sales(), ['0.00', '30.00', '0.00']);
      await take(version(4, '2025-03-02', 30, 'Cancelled'));
      assert.deepEqual(await sales(), ['0.00', '0.00', '0.00']);
      // At the same instant the later import counts; within a document, the latest update.
      await take(version(4, '2025-03-02', 40));
      assert.deepEqual(await sales(), ['0.00', '40.00', '0.00']);
      const twice = await take(
        version(6, '2025-03-03', 60),
        version(5, '2025-03-01', 50),
        version(6, '2025-03-03', 61),
      );
      assert.deepEqual(reasons(twice), []);
      assert.deepEqual(await sales(), ['0.00', '0.00', '61.00']);
      assert.equal((await held(world(), tenant.channelId, 'item_price', 'order_line')).length, 1);
      await post(
        world(),
        'products',
        tenant.channelId,
        lines([
          { sku: 'A', title: 'first' },
          { sku: 'A', title: 'last' },
        ]),
      );
      assert.deepEqual(await held(world(), tenant.channelId, 'title', 'product'), [
        { title: 'last' },
      ]);
    },
  );

  reads(
    'of dated rows with one key the first stays, and the later ones are refused with its line',
    async () => {
      const tenant = await newTenant(world());
      const rows = [ads[0], ads[1], { ...ads[0], cost: 99 }, ads[2], { ...ads[0], cost: 98 }];
      const answer = await post(world(), 'campaignDays', tenant.channelId, lines(rows as object[]));
      assert.deepEqual(reasons(answer), [
        [3, 'repeats the key of line 1'],
        [5, 'repeats the key of line 1'],
      ]);
      assert.deepEqual(counted(answer).slice(0, 3), [5, 3, 2]);
      assert.deepEqual((await figures(world(), tenant, '2025-03-01', '2025-03-02'))[0]![2], '2.00');
      refused(
        await post(
          world(),
          'campaignDays',
          tenant.channelId,
          lines(rows as object[]),
          ndjson,
          '&onError=abort',
        ),
        /2 rows were rejected, so the whole document was refused: line 3 repeats/,
      );
    },
  );
});

group('Refused rows', (world, pair) => {
  const reads = testOnOnePair(pair);
  reads('each is reported with line and every reason, and the good rows are stored', async () => {
    const tenant = await newTenant(world());
    const good = {
      orderId: 'o1',
      lineId: '1',
      purchasedAt: '2025-03-01T10:00:00Z',
      quantity: 1,
      itemPrice: 5,
    };
    const document = [
      JSON.stringify(good),
      '',
      'not JSON',
      '[1]',
      JSON.stringify({ ...good, orderId: undefined, quantity: 1.5 }),
      JSON.stringify({ ...good, purchasedAt: '2025-03-01T10:00:00' }),
      JSON.stringify({ ...good, purchasedAt: 1_740_823_200_000 }),
      JSON.stringify({ ...good, purchasedAt: '2025-02-29T10:00:00Z' }),
      JSON.stringify({ ...good, purchasedAt: '2025-02-28T10:00:00+99:00' }),
      JSON.stringify({ ...good, status: 'Lost', currency: 'EURO' }),
      JSON.stringify({ ...good, prize: 1, Quantity: 2 }),
      JSON.stringify({ ...good, buyerEmail: 'hidden@example.com'.repeat(30) }),
      JSON.stringify({ ...good, buyerEmail: ['hidden@example.com'] }),
      JSON.stringify({ ...good, 'hidden@example.com': 1 }),
      JSON.stringify({ ...good, sku: 'x'.repeat(201), productId: 'a\u0000b' }),
      `{"orderId":"o\\ud800","lineId":"1","purchasedAt":1740823200}`,
      `{"orderId":${'['.repeat(100_000)}${']'.repeat(100_000)},"lineId":"1","purchasedAt":1740823200}`,
      `{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)},"orderId":9007199254740993,"lineId":"1","purchasedAt":1740823200}`,
      `{"a\\u0000b":1,"orderId":"o","lineId":"1","purchasedAt":1740823200}`,
      JSON.stringify({ ...good, currency: 'xyz' }),
      JSON.stringify({ ...good, lineId: '2' }),
    ].join('\n');
    const answer = await post(world(), 'orderLines', tenant.channelId, document);
    const instant =
      'must be an instant: ISO 8601 with its offset (2025-03-30T09:15:00Z), or epoch seconds';
    assert.deepEqual(reasons(answer), [
      [3, 'is not JSON'],
      [4, 'is not a JSON object'],
      [5, 'orderId is required, quantity must be a whole number, 0 or more (it is 1.5)'],
      [
        6,
        'purchasedAt must carry its offset from UTC (…Z or …+01:00) unless the import has zone=channel (it is "2025-03-01T10:00:00")',
      ],
      [7, 'purchasedAt must be in seconds, not milliseconds (it is "1740823200000")'],
      [8, `purchasedAt ${instant} (it is "2025-02-29T10:00:00Z")`],
      [9, `purchasedAt ${instant} (it is "2025-02-28T10:00:00+99:00")`],
      [
        10,
        'status must be one of Pending, PendingAvailability, Unshipped, PartiallyShipped, Shipped, InvoiceUnconfirmed, Canceled, Unfulfillable (it is "Lost"), currency must be a currency code of three letters (it is "EURO")',
      ],
      [11, 'prize, Quantity are not fields of orderLines'],
      [12, 'buyerEmail must be text of at most 320 characters'],
      [13, 'buyerEmail must be text of at most 320 characters'],
      [14, '(withheld) is not a field of orderLines'],
      [
        15,
        `sku must be text of at most 200 characters (it is "${'x'.repeat(39)}…), productId contains a NUL character (it is "a\\u0000b")`,
      ],
      [16, 'orderId contains half a character (a lone surrogate) (it is "o\\ud800")'],
      [17, 'orderId must be text of 1 to 200 characters (it is a list)'],
      [18, 'is nested too deeply'],
      [19, 'a\ufffdb is not a field of orderLines'],
      [20, 'currency must be a currency code of ISO 4217 (it is "xyz")'],
    ]);
    assert.deepEqual(counted(answer), [20, 2, 18, '2025-03-01', '2025-03-01']);
    assert.equal((await held(world(), tenant.channelId, 'line_id', 'order_line')).length, 2);
    assert.doesNotMatch(JSON.stringify(answer.body), /hidden/);
    assert.doesNotMatch(world().logLines.join(), /hidden/);
  });

  reads('with onError=abort one of them refuses the document, and the facts stay', async () => {
    const tenant = await newTenant(world());
    const rows = [
      { date: '2025-03-01', pageViews: 1 },
      { date: '2025-03-02', pageViews: -1 },
    ];
    const answer = await post(
      world(),
      'traffic',
      tenant.channelId,
      lines(rows),
      ndjson,
      '&onError=abort',
    );
    refused(
      answer,
      /1 row was rejected, so the whole document was refused: line 2 pageViews must be a whole number, 0 or more \(it is -1\) \(import \d+\)/,
    );
    assert.deepEqual(await freshness(world(), tenant.channelId), []);
    const importId = /\(import (\d+)\)/.exec(answer.body.error)![1];
    const failed = await world().operate('GET', `/operator/imports/${importId}`);
    assert.deepEqual([failed.state, failed.rowsRejected], ['failed', 1]);
  });

  reads(
    'all are counted, the first thousand kept, and a hundred of them in the answer',
    async () => {
      const tenant = await newTenant(world());
      const rows = Array.from({ length: 2600 }, (_, place) => ({
        date: '2025-03-01',
        campaignId: place % 2 === 0 ? String(place) : '',
      }));
      const answer = await post(world(), 'campaignDays', tenant.channelId, lines(rows));
      assert.deepEqual(counted(answer), [2600, 1300, 1300, '2025-03-01', '2025-03-01']);
      assert.equal(answer.body.rejected.length, 100);
      const { rejected } = await world().operate(
        'GET',
        `/operator/imports/${answer.body.importId}/rejected`,
      );
      assert.equal(rejected.length, 1000);
      assert.deepEqual(rejected.slice(0, 100), answer.body.rejected);
      assert.deepEqual(rejected.at(-1), { line: 2000, reason: 'campaignId is required' });
    },
  );
});

group('Documents of the marketplace', (world, pair) => {
  const reads = testOnOnePair(pair);
  reads('a report of one day: the whole store and its products, dated to that day', async () => {
    const tenant = await newTenant(world());
    const answer = await importDocument(
      world(),
      tenant.channelId,
      gzipSync(fixture('salesAndTraffic.day.json')),
    );
    assert.equal(answer.body.dataset, 'salesAndTrafficReport');
    assert.deepEqual(counted(answer), [3, 3, 0, '2025-05-12', '2025-05-12']);
    assert.equal(answer.body.rowsCoarse, 0);
    const { formattedChartData: store } = await view(
      world(),
      tenant,
      '2025-05-12T00:00',
      '2025-05-13T00:00',
    );
    assert.deepEqual(
      [store[0]!.sales, store[0]!.unitsSold, store[0]!.pageViews, store[0]!.buyboxWinPercentage],
      ['321.09', 12, 205, '91.3'],
    );
    const { formattedChartData: blue } = await view(
      world(),
      tenant,
      '2025-05-12T00:00',
      '2025-05-13T00:00',
      'UTC',
      {
        sellerSkus: ['LAMP-BLUE'],
      },
    );
    // The source lacks a buy box share, which differs from a share of zero.
    assert.deepEqual(
      [blue[0]!.sales, blue[0]!.pageViews, blue[0]!.buyboxWinPercentage],
      ['121.05', 55, '-'],
    );
  });

  reads(
    'weeks and months need coarse=lastDay, and then replace the days that they cover',
    async () => {
      const tenant = await newTenant(world());
      const daily = [10, 11, 16, 17, 24, 25].map((date) => ({
        date: `2025-05-${date}`,
        pageViews: 1,
        orderedRevenue: 1,
      }));
      await importRows(world(), 'traffic', tenant.channelId, daily);
      const week = fixture('salesAndTraffic.week.json');
      const plain = await importDocument(world(), tenant.channelId, week);
      refused(
        plain,
        /^the document needs coarse=lastDay \(its rows cover several days, such as 2025-05-11 to 2025-05-17, and then count on the last of them; or request single days from the marketplace\)/,
      );
      assert.deepEqual((await freshness(world(), tenant.channelId))[0], {
        dataset: 'traffic',
        from: '2025-05-10',
        to: '2025-05-25',
        rows: 6,
      });
      refused(
        await importDocument(world(), tenant.channelId, week, '&coarse=lastDay'),
        /^the dates overlap the facts of single days of traffic \(import \d+, 2025-05-10 to 2025-05-25\) on 2025-05-11, so they would count twice: pass replace=true to remove those facts, or import other dates \(import/,
      );
      const replaced = '&coarse=lastDay&replace=true';
      const booked = await importDocument(world(), tenant.channelId, week, replaced);
      assert.deepEqual(
        [...counted(booked), booked.body.rowsCoarse],
        [3, 3, 0, '2025-05-11', '2025-05-24', 3],
      );
      const sold = (await figures(world(), tenant, '2025-05-10', '2025-05-26')).flatMap(
        ([sales], place) => (sales === '0.00' ? [] : [[10 + place, sales]]),
      );
      assert.deepEqual(sold, [
        [10, '1.00'],
        [17, '1400.70'],
        [24, '700.35'],
        [25, '1.00'],
      ]);
      const { datasets } = await world().operate(
        'GET',
        `/operator/freshness?channelId=${tenant.channelId}`,
      );
      assert.deepEqual(
        [datasets[0].rowsCoarse, datasets[0].lastImport.rowsCoarse, datasets[0].lastImport.dataset],
        [3, 3, 'salesAndTrafficReport'],
      );
      // February has 29 days, and the row without a SKU of its own speaks of both months.
      const month = await importDocument(
        world(),
        tenant.channelId,
        fixture('salesAndTraffic.month.json'),
        '&coarse=lastDay',
      );
      assert.deepEqual(
        [...counted(month), month.body.rowsCoarse],
        [3, 3, 0, '2024-02-01', '2024-03-31', 3],
      );
      assert.deepEqual(await held(world(), tenant.channelId, 'day, revenue', 'traffic_total'), [
        { day: 19_782, revenue: 2_900_290_000n },
        { day: 19_813, revenue: 3_100_310_000n },
        ...[
          [20_218, 1n],
          [20_225, 1400_700_000n],
          [20_232, 700_350_000n],
          [20_233, 1n],
        ].map(([on, revenue]) => ({ day: on, revenue: revenue === 1n ? 1_000_000n : revenue })),
      ]);
      // A report that ends within a week has figures to its end, for the store and its products.
      const short = await importDocument(
        world(),
        tenant.channelId,
        String(week).replace('"dataEndTime": "2025-05-24"', '"dataEndTime": "2025-05-20"'),
        replaced,
      );
      assert.deepEqual(counted(short), [3, 3, 0, '2025-05-11', '2025-05-20']);
      assert.deepEqual(await held(world(), tenant.channelId, 'since, day', 'traffic'), [
        { since: 19_754, day: 19_813 },
        { since: 20_219, day: 20_228 },
      ]);
      // A week that begins before the dates given for the import does not lie within them.
      const half = await importDocument(
        world(),
        tenant.channelId,
        week,
        `${replaced}&from=2025-05-12&to=2025-05-24`,
      );
      assert.deepEqual(
        reasons(half).map(([line]) => line),
        [1, 3],
      );
    },
  );

  reads(
    'totals and products in different grains refuse one another, whichever comes first',
    async () => {
      const kiosk = (first: number, last: number, pageViews: number, more = {}) => ({
        ...{
          marketplaceId: 'A1MERCHANT',
          startDate: `2025-05-${first}`,
          endDate: `2025-05-${last}`,
        },
        ...{ sales: { unitsOrdered: 0 }, traffic: { pageViews }, ...more },
      });
      const week = lines([kiosk(11, 17, 70)]);
      const productWeek = lines([kiosk(11, 17, 70, { childAsin: 'B1' })]);
      const totals = (...days: number[]) => lines(days.map((day) => kiosk(day, day, 10)));
      const daily = lines(
        [11, 13].map((day) => ({ date: `2025-05-${day}`, sku: 'A', pageViews: 9 })),
      );
      const put = ({ channelId }: Tenant, document: string, query = '') =>
        importDocument(world(), channelId, document, `&coarse=lastDay${query}`);
      const putDaily = ({ channelId }: Tenant, query = '') =>
        post(world(), 'traffic', channelId, daily, ndjson, query);
      const views = async (tenant: Tenant) => {
        const rows = await figures(world(), tenant, '2025-05-10', '2025-05-19');
        return rows.flatMap(([, pageViews], at) => (pageViews ? [[10 + at, pageViews]] : []));
      };
      const ofDays = (kind: string) =>
        new RegExp(`^the dates overlap the facts of single days of ${kind} .* on 2025-05-11,`);
      const ofWeek =
        /^the dates overlap the facts of several days of salesAndTrafficKiosk \(import \d+, 2025-05-11 to 2025-05-17\) on 2025-05-11 to 2025-05-17, so they would count twice: pass replace=true/;

      const totalFirst = await newTenant(world());
      assert.equal((await put(totalFirst, week)).status, 200);
      refused(await putDaily(totalFirst), ofWeek);
      assert.deepEqual(await views(totalFirst), [[17, 70]]);
      assert.equal((await putDaily(totalFirst, '&replace=true')).status, 200);
      assert.deepEqual(await views(totalFirst), [
        [11, 9],
        [13, 9],
      ]);
      // Now the days are first.
      refused(await put(totalFirst, week), ofDays('traffic'));
      assert.equal((await put(totalFirst, week, '&replace=true')).status, 200);
      assert.deepEqual(await views(totalFirst), [[17, 70]]);
      assert.deepEqual(await held(world(), totalFirst.channelId, 'sku', 'traffic'), []);
      // The products of the same week are hidden by its total.
      assert.equal((await put(totalFirst, productWeek)).status, 200);
      assert.deepEqual(await views(totalFirst), [[17, 70]]);

      const productsFirst = await newTenant(world());
      assert.equal((await put(productsFirst, productWeek)).status, 200);
      refused(await put(productsFirst, totals(11, 12)), ofWeek);
      // Totals of all days of the week count instead.
      assert.equal((await put(productsFirst, totals(11, 12, 13, 14, 15, 16, 17))).status, 200);
      assert.equal((await views(productsFirst)).length, 7);
      const halfFirst = await newTenant(world());
      assert.equal((await put(halfFirst, totals(11, 12))).status, 200);
      refused(await put(halfFirst, productWeek), ofDays('salesAndTrafficKiosk'));
      refused(
        await put(halfFirst, lines([kiosk(11, 17, 70, { childAsin: 'B1' }), kiosk(12, 12, 10)])),
        /^rows of the document overlap, so they would count twice: 2025-05-11 to 2025-05-17 and 2025-05-12/,
      );
      assert.equal((await put(halfFirst, productWeek, '&replace=true')).status, 200);
      assert.deepEqual(await views(halfFirst), [[17, 70]]);
    },
  );

  reads('Data Kiosk lines: rows of one marketplace, the others refused', async () => {
    const tenant = await newTenant(world());
    const kiosk = fixture('salesAndTraffic.kiosk.jsonl');
    const answer = await importDocument(world(), tenant.channelId, kiosk);
    assert.equal(answer.body.dataset, 'salesAndTrafficKiosk');
    assert.deepEqual(counted(answer), [3, 3, 0, '2025-06-01', '2025-06-03']);
    const cut = await importDocument(
      world(),
      tenant.channelId,
      kiosk.subarray(0, kiosk.length - 30),
    );
    assert.deepEqual(reasons(cut), [[3, 'is not JSON']]);
    assert.deepEqual(await figures(world(), tenant, '2025-06-01', '2025-06-04'), [
      ['0.00', 0, '0.00'],
      ['19.99', 40, '0.00'],
      ['39.98', 41, '0.00'],
    ]);
    const both = fixture('salesAndTraffic.marketplaces.jsonl');
    assert.deepEqual(reasons(await importDocument(world(), tenant.channelId, both)), [
      [
        2,
        'belongs to marketplace ATVPDKIKX0DER, but earlier rows belong to A1805IZSGTT6HS: a channel has one marketplace',
      ],
    ]);
    const known = await world().tenant({ channel: { merchantId: 'A1MERCHANT @ ATVPDKIKX0DER' } });
    assert.deepEqual(reasons(await importDocument(world(), known.channelId, both)), [
      [
        1,
        'belongs to marketplace A1805IZSGTT6HS, but the channel belongs to ATVPDKIKX0DER: a channel has one marketplace',
      ],
    ]);
  });

  reads('orders, then their items, then the order again as canceled: sales follow', async () => {
    const tenant = await newTenant(world());
    const sales = async () => (await figures(world(), tenant, '2025-05-12', '2025-05-13'))[0]![0];
    const second = fixture('orderItems.second.json');
    assert.deepEqual(reasons(await importDocument(world(), tenant.channelId, second)), [
      [1, 'the order 700-0000002-0000002 of these items is unknown: import the order first'],
    ]);
    const page = await importDocument(world(), tenant.channelId, fixture('orders.page.json'));
    assert.equal(page.body.dataset, 'ordersApi');
    assert.deepEqual(counted(page), [2, 2, 0, '1970-01-19', '2025-05-12']);
    assert.deepEqual(
      counted(await importDocument(world(), tenant.channelId, second)).slice(0, 3),
      [1, 1, 0],
    );
    assert.equal(await sales(), '42.01');
    // The page once more, by a newer version of nothing, changes nothing.
    await importDocument(world(), tenant.channelId, fixture('orders.page.json'));
    assert.equal(await sales(), '42.01');
    await importDocument(world(), tenant.channelId, fixture('orders.canceled.json'));
    assert.equal(await sales(), '0.00');
    // Late items belong to a canceled order, and the older order does not restore it.
    await importDocument(world(), tenant.channelId, second);
    await importDocument(world(), tenant.channelId, fixture('orders.page.json'));
    assert.equal(await sales(), '0.00');
    const records = await held(
      world(),
      tenant.channelId,
      'order_id, status, record, sealed_email',
      'order_record',
    );
    const record = JSON.parse(records[1]!.record as string);
    assert.deepEqual(
      [record.PaymentMethodDetails, records[1]!.status, record.OrderTotal],
      ['CreditCard,GiftCertificate', 'Canceled', undefined],
    );
    const first = JSON.parse(records[0]!.record as string);
    assert.deepEqual(
      [first.OrderTotal, first.AutomatedShippingSettings],
      [{ Amount: 24.02, CurrencyCode: 'USD' }, { HasAutomatedShippingSettings: 'false' }],
    );
    assert.doesNotMatch(JSON.stringify(records), /buyer-one|Nowhere|Invented|555/);
  });

  reads('the same within one document, one body a line', async () => {
    const tenant = await newTenant(world());
    const bodies = [
      'orders.page.json',
      'orderItems.second.json',
      'orderItems.first.json',
      'orders.canceled.json',
    ].map((name) => JSON.stringify(JSON.parse(fixture(name).toString())));
    await importDocument(world(), tenant.channelId, bodies.join('\n'));
    assert.deepEqual(
      (
        await held(world(), tenant.channelId, 'line_id, status, quantity, item_price', 'order_line')
      ).map((row) => Object.values(row)),
      [
        ['05000000000001', 'Unshipped', 2, 22_000_000n],
        ['05000000000002', 'Canceled', 1, 11_000_000n],
        ['05000000000003', 'Canceled', 3, 30_000_000n],
      ],
    );
  });

  reads(
    'reference rates: gaps, the comma at the end, the zip archive, and a line that was cut off',
    async () => {
      const table = fixture('referenceRates.csv');
      const plain = await importDocument(world(), undefined, table);
      assert.equal(plain.body.dataset, 'referenceRates');
      assert.deepEqual(
        [plain.body.rowsAccepted, plain.body.rowsRejected, plain.body.from, plain.body.to],
        [9, 0, '2025-05-13', '2025-05-14'],
      );
      const rates = await held(world(), undefined, 'day, currency, per_euro', 'exchange_rate');
      const packed = await importDocument(
        world(),
        undefined,
        Buffer.from(zipSync({ 'rates.csv': table })),
      );
      assert.equal(packed.body.rowsAccepted, 9);
      assert.deepEqual(
        await held(world(), undefined, 'day, currency, per_euro', 'exchange_rate'),
        rates,
      );
      const cut = await importDocument(world(), undefined, table.subarray(0, 100));
      assert.deepEqual(reasons(cut), [[3, 'has 3 cells, but the header has 9']]);
      const tenant = await newTenant(world());
      refused(
        await importDocument(world(), tenant.channelId, table),
        /a referenceRates document belongs to no channel: omit channelId/,
      );
      refused(
        await importDocument(world(), undefined, fixture('orders.page.json')),
        /a ordersApi document belongs to a channel: name it with channelId=ID/,
      );
      refused(
        await importDocument(world(), undefined, Buffer.from(zipSync({ a: table, b: table }))),
        /contains several files/,
      );
    },
  );

  reads(
    'unknown kinds are refused by name, and a kind that is forced on another document changes nothing',
    async () => {
      const tenant = await newTenant(world());
      const take = (document: string | Buffer, query = '') =>
        importDocument(world(), tenant.channelId, document, query);
      refused(
        await take('{"reportSpecification":{"reportType":"GET_OTHER_REPORT"}}'),
        /^reports of the type GET_OTHER_REPORT cannot be imported; GET \/operator\/documents lists the kinds/,
      );
      refused(await take('{"a":1}\n{"a":2}'), /unrecognised document/);
      refused(await take('sku\tprice\nA\t1\n'), /^these are products rows: send them to/);
      refused(await take('{}', '&type=other'), /type must be salesAndTrafficReport or /);
      const orderRow = {
        ...{ PlatformOrderId: '1', PurchaseDate: '2025-01-01', LastUpdateDate: '2025-01-01' },
        ...{ OrderStatus: 'Shipped', Items: [] },
      };
      const unrecognised: [document: string, reason: RegExp][] = [
        [
          'orderId,lineId,purchasedAt,sku,quantity\n1,1,2025-01-01T00:00:00Z,A,1\n',
          /^these are orderLines rows: send them to \/operator\/imports\/orderLines \(import/,
        ],
        [
          `${JSON.stringify(orderRow)}\n`,
          /^these are orders rows: send them to \/operator\/imports\/orders \(import/,
        ],
        [
          'reimbursement-id\tapproval-date\treason\tsku\tcurrency\tamount-total\n',
          /^unrecognised document: closest to reimbursements \(.*\), but without the column currency-unit; GET \/operator\/documents lists the kinds \(import/,
        ],
        [
          'Campaigns,State,Type,Budget,Clicks,Impressions\n',
          /closest to adsConsoleCampaigns \(.*\), but without the column spend;/,
        ],
        [
          `${Array.from({ length: 40 }, (_, at) => `a strange column of the number ${at}`)}\n`,
          /^unrecognised document, with the columns a strange column of the number…, .* and 35 more; GET/,
        ],
        [
          '{"startDate":"2025-01-01","endDate":"2025-01-01","sales":{}}',
          /closest to salesAndTrafficKiosk \(.*\), but without the field traffic;/,
        ],
        [
          '{"reportSpecification":{"reportType":"GET_COUPON_PERFORMANCE_REPORT"},"campaigns":[{"campaignId":"1"}]}',
          /^reports of the type GET_COUPON_PERFORMANCE_REPORT cannot be imported;/,
        ],
      ];
      for (const [document, reason] of unrecognised) {
        const answer = await take(document);
        refused(answer, reason);
        assert.ok(answer.body.error.length <= 400, answer.body.error);
      }
      // As curl sends a file with -F, and with -d, which joins its lines.
      const path = `/operator/documents?channelId=${tenant.channelId}`;
      const asForm = await postImport(world(), path, '--x', 'multipart/form-data; boundary=x');
      assert.equal(asForm.status, 415);
      assert.match(asForm.body.error, /send a file by --data-binary @FILE/);
      const form = 'application/x-www-form-urlencoded';
      refused(
        await postImport(world(), path, 'a,b1,2', form),
        /; with curl, send a file by --data-b/,
      );
      const rates = `Date,USD,JPY,GBP,AUD,SEK,\n2026-01-02,1.1,160,0.85,1.7,11,\n`;
      const sent = await postImport(world(), '/operator/documents', rates, form);
      assert.equal(sent.body.rowsAccepted, 5);
      const ofRows = `/operator/imports/traffic?channelId=${tenant.channelId}`;
      const rows = await postImport(world(), ofRows, 'date,pageViews', form);
      assert.match(rows.body.error, /-H 'content-type: text\/csv' .* --data-binary @FILE/);
      refused(
        await take('Date,USD\n2025-01-01,1', '&type=salesAndTrafficReport'),
        /the document is not salesAndTrafficReport/,
      );
      const range = '&type=salesAndTrafficReport&from=2025-01-01&to=2025-12-31';
      await importRows(world(), 'traffic', tenant.channelId, [
        { date: '2025-05-12', pageViews: 1 },
      ]);
      refused(
        await take('{"payload":{}}', range),
        /has neither salesAndTrafficByDate nor salesAndTrafficByAsin/,
      );
      refused(await take('', '&from=2025-01-01&to=2025-12-31'), /the document is empty/);
      assert.equal((await freshness(world(), tenant.channelId)).length, 1);
      const forced = fixture('salesAndTraffic.day.json')
        .toString()
        .replace('GET_SALES_AND_TRAFFIC_REPORT', 'RENAMED');
      refused(await take(forced), /^reports of the type RENAMED cannot be imported/);
      assert.deepEqual(
        counted(await take(forced, '&type=salesAndTrafficReport')).slice(0, 3),
        [3, 3, 0],
      );
    },
  );
});

group('Damaged documents', (world, pair) => {
  const reads = testOnOnePair(pair);
  reads(
    'truncated, damaged, empty and wrongly encoded documents are refused; bad bytes reject a line',
    async () => {
      const tenant = await newTenant(world());
      const row = (date: string, more = '') => `{"date":"${date}","pageViews":1${more}}`;
      const good = `${row('2025-03-01')}\n${row('2025-03-02')}\n`;
      const packed = gzipSync(Buffer.from(good.repeat(2000)));
      const damaged = Buffer.from(packed);
      for (let place = 60; place < 80; place++) damaged[place]! ^= 0x5a;
      const take = (document: string | Buffer, type = ndjson, query = '') =>
        post(world(), 'traffic', tenant.channelId, document, type, query);
      refused(
        await take(packed.subarray(0, packed.length - 20)),
        /the gzip data ends too early: the document is cut off/,
      );
      refused(await take(packed.subarray(0, 2)), /the gzip data ends too early/);
      refused(await take(damaged), /the gzip data is damaged/);
      refused(
        await take(Buffer.from(zipSync({ a: Buffer.from(good) })).subarray(0, 60)),
        /the zip archive ends too early/,
      );
      for (const empty of ['', ' \n\n\t\n', '\ufeff'])
        refused(await take(empty), /the document has no rows/);
      refused(await take('date,pageViews\n', csv), /the document has no rows/);
      refused(await take(good, `${ndjson}; charset=klingon`), /unknown encoding klingon/);
      refused(
        await importDocument(
          world(),
          tenant.channelId,
          fixture('salesAndTraffic.day.json').subarray(0, 2000),
        ),
        /is not JSON: it is damaged or was cut off/,
      );
      assert.deepEqual(await freshness(world(), tenant.channelId), []);
      assert.deepEqual(
        await world()
          .registry.records.selectFrom('import')
          .select('importId')
          .where('state', '=', 'running')
          .execute(),
        [],
      );

      const long = row('2025-03-03', `,"sku":"${'x'.repeat(10 * megabyte)}"`);
      const many = row('2025-03-04', `,"sku":"${'y'.repeat(megabyte)}"`);
      const answer = await take(
        `\ufeff${row('2025-03-01')}\n${long}\n${many}\n${row('2025-03-02')}\r\n\u0000\n${long}`,
      );
      assert.deepEqual(
        reasons(answer).map(([line, reason]) => [line, reason.slice(0, 42)]),
        [
          [2, 'is longer than 1 MiB'],
          [3, 'sku must be text of at most 200 characters'],
          [5, 'is not JSON'],
          [6, 'is longer than 1 MiB'],
        ],
      );
      assert.equal(answer.body.rowsAccepted, 2);

      const latin = Buffer.from('sku,title\nA,caf\xe9\nB,tea\n', 'latin1');
      const unread = await post(world(), 'products', tenant.channelId, latin, csv);
      assert.deepEqual(reasons(unread), [
        [
          2,
          'is not UTF-8: name the encoding of the document in its content type (charset=windows-1252) or convert it',
        ],
      ]);
      assert.deepEqual(
        counted(
          await post(world(), 'products', tenant.channelId, latin, `${csv}; charset=windows-1252`),
        ).slice(0, 3),
        [2, 2, 0],
      );
      assert.deepEqual(await held(world(), tenant.channelId, 'sku, title', 'product'), [
        { sku: 'A', title: 'café' },
        { sku: 'B', title: 'tea' },
      ]);
    },
  );

  test('texts with quotes and line ends survive in any number, on their way through the staged files', async () => {
    const tenant = await newTenant(world());
    const rows = Array.from({ length: 9000 }, (_, place) => ({
      sku: `S${place}`,
      title: [
        `"\n${place},0,"a\r\n"b"${'\u{1f4a1}\n'.repeat(place % 300)}`,
        `'\n${place},0,'a\\'\r\n''b'\\`,
        '\\N',
        "'",
        '',
      ][place % 5]!,
    }));
    const answer = await post(world(), 'products', tenant.channelId, gzipSync(lines(rows)));
    assert.deepEqual(counted(answer).slice(0, 3), [9000, 9000, 0]);
    const found = await held(world(), tenant.channelId, 'sku, title', 'product', 'sku');
    const titles = new Map(rows.map((row) => [row.sku, row.title]));
    assert.ok(found.every((row) => titles.get(row.sku as string) === row.title));
    assert.equal(found.length, 9000);
  });

  test('a refused document leaves no staged file open', {
    skip: process.platform !== 'linux',
  }, async () => {
    const { channelId } = await newTenant(world());
    const { stagingFolder } = world().warehouse;
    const rows = Array.from({ length: 5000 }, (_, place) => ({
      sku: `S${place}`,
      title: createHash('sha256').update(`${place}`).digest('hex'),
    }));
    const whole = gzipSync(lines(rows));
    const cut = await post(world(), 'products', channelId, whole.subarray(0, whole.length / 2));
    refused(cut, /^the gzip data ends too early: the document is cut off/);
    const open = readdirSync('/proc/self/fd')
      .map((name) => `/proc/self/fd/${name}`)
      // The listing itself is closed by now.
      .filter((link) => lstatSync(link, { throwIfNoEntry: false }) !== undefined)
      .map((link) => readlinkSync(link));
    assert.deepEqual(
      open.filter((path) => path.startsWith(stagingFolder)),
      [],
    );
  });

  test('order lines around both changes of the clock fall into their own hours and days', async () => {
    const tenant = await newTenant(world(), 'Europe/Berlin');
    const at = [
      '2025-03-30T01:59:59+01:00',
      '2025-03-30T03:00:00+02:00',
      '2025-03-30T23:59:59+02:00',
      '2025-10-26T02:30:00+02:00',
      '2025-10-26T02:30:00+01:00',
      '2025-10-27T00:00:00+01:00',
    ];
    await importRows(
      world(),
      'orderLines',
      tenant.channelId,
      at.map((purchasedAt, place) => ({
        orderId: String(place),
        lineId: '1',
        purchasedAt,
        quantity: 1,
        itemPrice: 10 ** place / 100,
      })),
    );
    const sold = async (from: string, to: string, interval: string) => {
      const reportOptions = {
        fromDate: Date.parse(from) / 1000,
        toDate: Date.parse(to) / 1000 - 1,
        timezone: 'Europe/Berlin',
        interval,
      };
      const { status, body } = await world().ask(
        tenant.key,
        'POST',
        '/reports/view/salesByPeriod',
        {
          channelId: tenant.channelId,
          merchantId: tenant.merchantId,
          reportOptions,
        },
      );
      assert.equal(status, 200, JSON.stringify(body));
      return body.formattedChartData
        .filter((row: Row) => row.lineItemCount !== 0)
        .map((row: Row) => [
          String(row.startTime).slice(0, 13),
          String(row.startTime).slice(-6),
          row.sales,
        ]);
    };
    assert.deepEqual(await sold('2025-03-30T00:00+01:00', '2025-03-31T00:00+02:00', 'd'), [
      ['2025-03-30T00', '+01:00', '1.11'],
    ]);
    assert.deepEqual(await sold('2025-10-26T00:00+02:00', '2025-10-28T00:00+01:00', 'd'), [
      ['2025-10-26T00', '+02:00', '110.00'],
      ['2025-10-27T00', '+01:00', '1000.00'],
    ]);
    assert.deepEqual(await sold('2025-03-30T00:00+01:00', '2025-03-31T00:00+02:00', 'h'), [
      ['2025-03-30T01', '+01:00', '0.01'],
      ['2025-03-30T03', '+02:00', '0.10'],
      ['2025-03-30T23', '+02:00', '1.00'],
    ]);
    assert.deepEqual(await sold('2025-10-26T00:00+02:00', '2025-10-27T00:00+01:00', 'h'), [
      ['2025-10-26T02', '+02:00', '10.00'],
      ['2025-10-26T02', '+01:00', '100.00'],
    ]);
  });
});

group('Imports at the same time', (world, pair) => {
  const reads = testOnOnePair(pair);
  let port = 0;
  after(async () => world().server.server.closeAllConnections());

  async function listen(): Promise<void> {
    if (port === 0)
      port = Number(new URL(await world().server.listen({ host: '127.0.0.1', port: 0 })).port);
  }

  /** The beginning of an upload, on a socket that the caller may break. */
  async function beginUpload(path: string, body: string) {
    await listen();
    const socket = connect(port, '127.0.0.1');
    const head = `POST ${path} HTTP/1.1\r\nhost: vitrine.test\r\nauthorization: Bearer ${world().operatorToken}\r\ncontent-type: ${ndjson}\r\ncontent-length: 100000000\r\n\r\n`;
    await new Promise<void>((resolve) => socket.write(head + body, () => resolve()));
    return socket;
  }

  async function states(channelId: string): Promise<string[]> {
    const found = await world()
      .registry.records.selectFrom('import')
      .innerJoin('channel', 'channel.channelNumber', 'import.channelNumber')
      .select(['state', 'error'])
      .where('channelId', '=', channelId)
      .orderBy('importId')
      .execute();
    return found.map(({ state, error }) => `${state}${error === null ? '' : `: ${error}`}`);
  }

  test('a document on its way holds no other up; where its connection breaks, its import fails and facts stay', async () => {
    const tenant = await newTenant(world());
    await importRows(world(), 'traffic', tenant.channelId, [{ date: '2025-03-01', pageViews: 5 }]);
    const order = JSON.stringify({
      OrderId: 'o',
      PurchaseDate: '2025-03-01T10:00:00Z',
      Items: [{ OrderItemId: '1', ItemPrice: 9 }],
    });
    const sockets = [
      await beginUpload(
        `/operator/imports/traffic?channelId=${tenant.channelId}`,
        '{"date":"2025-03-01","pageViews":99}\n{"da',
      ),
      await beginUpload(`/operator/imports/orders?channelId=${tenant.channelId}`, `${order}\n`),
    ];
    await until(async () => (await states(tenant.channelId)).length === 3);
    const [running] = await world()
      .registry.records.selectFrom('import')
      .select('importId')
      .where('state', '=', 'running')
      .execute();
    assert.equal(
      (await world().operate('GET', `/operator/imports/${running!.importId}`)).state,
      'running',
    );
    // As many documents as are imported at a time are on their way, and hold no other up.
    assert.equal(sockets.length, defaultLimits.imports);
    const meanwhile = post(world(), 'orders', tenant.channelId, order);
    await until(async () => (await states(tenant.channelId)).at(-1) === 'done');
    assert.deepEqual(counted(await meanwhile).slice(0, 3), [1, 1, 0]);
    for (const socket of sockets) socket.destroy();
    await until(async () => !(await states(tenant.channelId)).includes('running'));
    const abandoned = 'failed: the request was abandoned by its sender';
    assert.deepEqual(await states(tenant.channelId), ['done', abandoned, abandoned, 'done']);
    assert.deepEqual(readdirSync(world().warehouse.stagingFolder), []);
    assert.deepEqual(await figures(world(), tenant, '2025-03-01', '2025-03-02'), [
      ['9.00', 5, '0.00'],
    ]);
  });

  reads(
    'a document that arrives in many pieces is read whole, and so is the next one',
    async () => {
      const { channelId } = await newTenant(world());
      await listen();
      for (const rows of [2_000, 30]) {
        const sent = await fetch(
          `http://127.0.0.1:${port}/operator/imports/products?channelId=${channelId}`,
          {
            method: 'POST',
            headers: { authorization: `Bearer ${world().operatorToken}`, 'content-type': ndjson },
            body: lines(
              Array.from({ length: rows }, (_, number) => ({
                sku: `SKU-${number}`,
                title: 'x'.repeat(1_900),
              })),
            ),
          },
        );
        assert.deepEqual(
          [sent.status, ((await sent.json()) as Answer['body']).rowsAccepted],
          [200, rows],
        );
      }
    },
  );

  reads('a client that keeps sending after a refusal still gets the answer', async () => {
    const tenant = await newTenant(world());
    const socket = await beginUpload(`/operator/imports/traffic?channelId=${tenant.channelId}`, '');
    socket.setEncoding('utf8');
    let answer = '';
    socket.on('data', (text) => {
      answer += text;
    });
    // Bytes after the compressed data are damage, and most of the document is still in transit.
    const gzipped = Buffer.concat([gzipSync('x'), Buffer.alloc(2 * megabyte, 0x1f)]);
    socket.write(gzipped);
    const filler = Buffer.alloc(megabyte, 0x20);
    for (let sent = gzipped.length; sent < 100_000_000; sent += filler.length) {
      if (socket.destroyed) break;
      if (!socket.write(filler.subarray(0, Math.min(filler.length, 100_000_000 - sent))))
        await new Promise((resolve) => socket.once('drain', resolve));
    }
    await until(() => answer !== '');
    assert.match(answer, /^HTTP\/1\.1 400 /);
    socket.destroy();
  });

  reads('readers see one generation of the facts or another, never parts of two', async () => {
    const tenant = await newTenant(world());
    const days = ['2025-03-01', '2025-03-02', '2025-03-03'];
    const generations = 4;
    const order = (generation: number) =>
      days.map((date) => ({
        orderId: date,
        lineId: '1',
        purchasedAt: `${date}T12:00:00Z`,
        sku: 'A',
        quantity: generation,
        itemPrice: generation,
      }));
    const traffic = (generation: number) =>
      days.flatMap((date) => [
        { date, pageViews: generation, sessions: generation },
        { date, sku: 'A', pageViews: generation, sessions: generation },
      ]);
    await importRows(world(), 'orderLines', tenant.channelId, order(1));
    await importRows(world(), 'traffic', tenant.channelId, traffic(1));
    let isOver = false;
    let answers = 0;
    const paths: readonly [string, object][] = [
      ['UTC', {}],
      ['Asia/Kolkata', {}],
      ['UTC', { sellerSkus: ['A'] }],
    ];
    const reading = paths.map(async ([zone, more]) => {
      while (!isOver) {
        const { formattedChartData: rows } = await view(
          world(),
          tenant,
          '2025-03-01T00:00',
          '2025-03-04T00:00',
          zone,
          more,
        );
        answers++;
        const sales = new Set(
          rows.filter((row) => row.lineItemCount !== 0).map((row) => `${row.unitsSold}.00`),
        );
        assert.deepEqual(
          [...sales],
          [...new Set(rows.filter((row) => row.lineItemCount !== 0).map((row) => row.sales))],
        );
        assert.equal(sales.size, 1, JSON.stringify(rows));
        const seen = new Set(
          rows
            .filter((row) => row.pageViews !== 0)
            .flatMap((row) => [row.pageViews, row.totalSessions]),
        );
        assert.equal(seen.size, 1, JSON.stringify(rows));
      }
    });
    const writing = (async () => {
      try {
        for (let generation = 2; generation <= generations; generation++) {
          await Promise.all([
            importRows(world(), 'orderLines', tenant.channelId, order(generation)),
            importRows(world(), 'traffic', tenant.channelId, traffic(generation)),
          ]);
        }
      } finally {
        isOver = true;
      }
    })();
    await Promise.all([...reading, writing]);
    assert.ok(answers > 3 * generations, `only ${answers} answers`);
    assert.deepEqual((await figures(world(), tenant, '2025-03-01', '2025-03-02'))[0], [
      '4.00',
      4,
      '0.00',
    ]);
  });

  reads(
    'simultaneous imports during a change of time zone leave the same facts as imports in turn',
    async () => {
      const [tenant, other] = await Promise.all([
        newTenant(world(), 'UTC'),
        newTenant(world(), 'UTC'),
      ]);
      const rows = (start: number) =>
        Array.from({ length: 20 }, (_, place) => ({
          orderId: `o${start + place}`,
          lineId: '1',
          sku: 'A',
          purchasedAt: 1_740_787_200 + (start + place) * 7200,
          quantity: 1,
          itemPrice: start + place + 1,
        }));
      const zone = (timezone: string) =>
        world().channel(tenant.organisationId, tenant.channelId, {
          timezone,
          merchantId: 'A1MERCHANT',
        });
      await importRows(world(), 'traffic', tenant.channelId, [
        { date: '2025-03-01', pageViews: 1 },
      ]);
      await Promise.all([
        ...[0, 20, 40].map((start) =>
          importRows(world(), 'orderLines', tenant.channelId, rows(start)),
        ),
        zone('Pacific/Auckland'),
        importRows(world(), 'orderLines', other.channelId, rows(0)),
        zone('America/New_York'),
        post(
          world(),
          'orders',
          tenant.channelId,
          JSON.stringify({
            OrderId: 'z',
            PurchaseDate: '2025-03-01T10:00:00Z',
            Items: [{ OrderItemId: '1', SellerSKU: 'A', ItemPrice: 1000 }],
          }),
        ),
      ]);
      for (const { channelId, organisationId } of [tenant, other])
        assert.ok(organisationId && (await states(channelId)).every((state) => state === 'done'));
      // The stored days of the channel equal those added up from its lines.
      const { timezone } = await world().operate('GET', `/operator/channels/${tenant.channelId}`);
      const [from, to] =
        timezone === 'America/New_York'
          ? ['2025-02-28T05:00', '2025-03-08T05:00']
          : ['2025-02-27T11:00', '2025-03-07T11:00'];
      const own = await view(world(), tenant, from, to, timezone);
      const added = await view(world(), tenant, from, to, timezone, { sellerSkus: ['A'] });
      assert.deepEqual(
        own.formattedChartData.map((row) => row.sales),
        added.formattedChartData.map((row) => row.sales),
      );
      const total = own.formattedChartData.reduce((sum, row) => sum + Number(row.sales), 0);
      assert.equal(total, 1000 + (60 * 61) / 2);
      const theirs = await view(world(), other, '2025-03-01T00:00', '2025-03-04T00:00');
      assert.equal(
        theirs.formattedChartData.reduce((sum, row) => sum + Number(row.sales), 0),
        (20 * 21) / 2,
      );
    },
  );

  test("how an import stands can be read, with the operator's token alone; what is not there or not taken is said", async () => {
    const tenant = await newTenant(world());
    const { body } = await importRows(world(), 'traffic', tenant.channelId, [
      { date: '2025-03-01', pageViews: 5 },
    ]);
    const summary = await world().operate('GET', `/operator/imports/${body.importId}`);
    const { startedAt, finishedAt, document, ...rest } = summary;
    const text = '{"date":"2025-03-01","pageViews":5}';
    assert.deepEqual(document, {
      sha256: createHash('sha256').update(text).digest('hex'),
      bytes: text.length,
      mediaType: ndjson,
      fileName: null,
    });
    assert.deepEqual(rest, {
      importId: body.importId,
      channelId: tenant.channelId,
      state: 'done',
      dataset: 'traffic',
      rowsRead: 1,
      rowsAccepted: 1,
      rowsRejected: 0,
      rowsMerged: 0,
      rowsSkipped: 0,
      rowsCoarse: 0,
      rounded: 0,
      from: '2025-03-01',
      to: '2025-03-01',
      error: null,
    });
    assert.ok(finishedAt >= startedAt && startedAt > 1_700_000_000);
    for (const path of [
      `/operator/imports/${body.importId}`,
      `/operator/imports/${body.importId}/rejected`,
      '/operator/freshness',
    ]) {
      assert.equal((await world().ask(tenant.key, 'GET', path)).status, 401);
    }
    for (const path of ['/operator/imports/traffic', '/operator/documents']) {
      const stranger = await world().ask(
        tenant.key,
        'POST',
        `${path}?channelId=${tenant.channelId}`,
        'x',
        { 'content-type': ndjson },
      );
      assert.equal(stranger.status, 401);
    }
    const status = async (path: string, type = ndjson) =>
      (await postImport(world(), `/operator/imports/${path}`, '{}', type)).status;
    assert.equal(await status('traffic?channelId=unknown'), 404);
    assert.equal(await status('traffic'), 400);
    assert.equal(await status(`exchangeRates?channelId=${tenant.channelId}`), 400);
    assert.equal(await status(`weather?channelId=${tenant.channelId}`), 400);
    assert.equal(await status(`traffic?channelId=${tenant.channelId}`, 'application/json'), 415);
    assert.equal(await status(`orders?channelId=${tenant.channelId}`, csv), 415);
    assert.equal((await world().operator('GET', '/operator/imports/999999999')).status, 404);
    assert.equal(
      (await world().operator('GET', '/operator/imports/999999999/rejected')).status,
      404,
    );
    assert.equal((await world().operator('GET', '/operator/imports/first/rejected')).status, 400);
  });
});

onEachPair('Imports', (world, pair) => {
  for (const [name, define] of groups) describe(name, () => define(world, pair));
});

eachPair(
  'an import whose process has died is settled once it is old enough, and one that has landed is done',
  async (world) => {
    const { channelId } = await world.tenant();
    const { body } = await importRows(world, 'traffic', channelId, [
      { date: '2026-01-01', pageViews: 1 },
    ]);
    const importId = body.importId as number;
    const { channelNumber } = await world.registry.records
      .selectFrom('channel')
      .select('channelNumber')
      .executeTakeFirstOrThrow();
    const dead = await openImport(world.registry, 'traffic', channelNumber, 1_000);
    const recent = await openImport(world.registry, 'traffic', channelNumber, 3_000);
    const crashed = { state: 'running', startedAt: 1_500, finishedAt: null } as const;
    await world.registry.records
      .updateTable('import')
      .set(crashed)
      .where('importId', '=', importId)
      .execute();
    await world.importer.settleInterrupted(2_000);
    const stateOf = async (id: number) =>
      (await world.operate('GET', `/operator/imports/${id}`)).state;
    assert.deepEqual(await Promise.all([importId, dead, recent].map(stateOf)), [
      'done',
      'failed',
      'running',
    ]);
  },
);
