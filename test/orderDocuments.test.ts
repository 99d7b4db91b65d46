import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { onEachPair, type Tenant, testOnOnePair, type World } from './harness.ts';
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
  readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');
const lineColumns =
  'order_id, line_id, status, sku, product_id, quantity, item_price, item_tax, promotion_discount, shipping_price, currency';
const at = (year: number, month: number, date: number, hour: number, minute: number) =>
  Date.UTC(year, month - 1, date, hour, minute) / 1000;

const lines = (world: World, tenant: Tenant, columns = lineColumns) =>
  held(world, tenant, 'order_line', columns);

const utc = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

async function records(
  world: World,
  tenant: Tenant,
): Promise<Record<string, Record<string, unknown>>> {
  const columns = 'order_id, purchased_at, updated_at, status, record';
  const rows = await held(world, tenant, 'order_record', columns);
  return Object.fromEntries(
    rows.map(([id, purchasedAt, updatedAt, status, record]) => [
      id,
      {
        PlatformOrderId: id,
        PurchaseDate: utc(Number(purchasedAt)),
        ...(Number(updatedAt) > 0 && { LastUpdateDate: utc(Number(updatedAt)) }),
        OrderStatus: status,
        ...JSON.parse(record as string),
      },
    ]),
  );
}

/** The header and one order's rows of the flat file, with some texts replaced. */
function flatFile(
  orders: readonly string[],
  ...changes: readonly (readonly [string, string])[]
): string {
  const [header, ...rows] = fixture('orders.allOrders.txt').slice(0, -1).split('\n');
  const chosen = rows.filter((row) => orders.some((order) => row.startsWith(order)));
  const changed = changes.reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    chosen.join('\n'),
  );
  return `${header}\n${changed}\n`;
}

const lampOrder = '701-0000001-0000001';
const lamp = [
  lampOrder,
  'sku:1:LAMP-1',
  'Shipped',
  'LAMP-1',
  'B0LAMP0001',
  2,
  20_000_000n,
  1_650_000n,
  2_500_000n,
  4_990_000n,
  'USD',
];
const bulb = [
  lampOrder,
  'sku:1:BULB-1',
  'Shipped',
  'BULB-1',
  'B0BULB0001',
  1,
  4_010_000n,
  330_000n,
  0n,
  0n,
  'USD',
];

/** The same order from the Orders API: one body with the order, one with its items. */
function apiBodies(updated: string, status: string, lampPrice: string): string {
  const order = {
    AmazonOrderId: lampOrder,
    PurchaseDate: '2025-03-02T07:30:00Z',
    LastUpdateDate: updated,
    OrderStatus: status,
    IsPrime: true,
    OrderTotal: { Amount: '30.00', CurrencyCode: 'USD' },
    BuyerInfo: { BuyerEmail: 'hidden@marketplace.example' },
  };
  const item = (
    OrderItemId: string,
    SellerSKU: string,
    QuantityOrdered: number,
    Amount: string,
  ) => ({
    OrderItemId,
    SellerSKU,
    QuantityOrdered,
    ItemPrice: { Amount, CurrencyCode: 'USD' },
  });
  const items = [item('111', 'LAMP-1', 2, lampPrice), item('222', 'BULB-1', 1, '4.01')];
  return [
    { payload: { Orders: [order] } },
    { payload: { AmazonOrderId: lampOrder, OrderItems: items } },
  ]
    .map((body) => JSON.stringify(body))
    .join('\n');
}

onEachPair('Documents of orders', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  const reads = testOnOnePair(pair);
  reads(
    'the all-orders flat file: an order record per order and a line per row, wherever its rows stand',
    async () => {
      const tenant = await world().tenant();
      const answer = await importDocument(
        world(),
        tenant.channelId,
        gzipSync(fixture('orders.allOrders.txt')),
      );
      taken(answer, 'allOrders', 6);
      assert.deepEqual([answer.body.from, answer.body.to], ['2025-03-01', '2025-03-02']);
      const ruler = ['RULE"R', 'B0RULER001'];
      const expected = [
        bulb,
        lamp,
        [
          '701-0000002-0000002',
          'sku:1:SHADE-1',
          'Canceled',
          'SHADE-1',
          'B0SHADE001',
          0,
          0n,
          0n,
          0n,
          0n,
          'USD',
        ],
        [
          '701-0000003-0000003',
          'sku:1:RULE"R',
          'Shipped',
          ...ruler,
          1,
          3_250_000n,
          0n,
          0n,
          0n,
          'USD',
        ],
        [
          '701-0000003-0000003',
          'sku:1:TAPE-1',
          'Canceled',
          'TAPE-1',
          'B0TAPE0001',
          0,
          0n,
          0n,
          0n,
          0n,
          'USD',
        ],
        [
          '701-0000003-0000003',
          'sku:2:RULE"R',
          'Shipped',
          ...ruler,
          3,
          9_750_000n,
          0n,
          1_000_000n,
          0n,
          'USD',
        ],
      ];
      assert.deepEqual(await lines(world(), tenant), expected);
      const [[day, purchased, updated, customer]] = (await lines(
        world(),
        tenant,
        'day, purchased_at, updated_at, customer',
      )) as [unknown[]];
      assert.deepEqual(
        [day, purchased, updated, customer],
        [20_149, at(2025, 3, 2, 7, 30), at(2025, 3, 3, 10, 0), ''],
      );
      const stored = await records(world(), tenant);
      assert.deepEqual(stored[lampOrder], {
        PlatformOrderId: lampOrder,
        PurchaseDate: '2025-03-02T07:30:00Z',
        LastUpdateDate: '2025-03-03T10:00:00Z',
        OrderStatus: 'Shipped',
        MarketplaceId: 'ATVPDKIKX0DER',
        SalesChannel: 'Amazon.com',
        FulfillmentChannel: 'AFN',
        ShipServiceLevel: 'Expedited',
        IsBusinessOrder: true,
        ShippingAddress: {
          StateOrRegion: 'OR',
          PostalCode: '97201',
          City: 'Portland',
          CountryCode: 'US',
        },
      });
      const canceled = stored['701-0000002-0000002']!;
      assert.deepEqual(
        [canceled.OrderStatus, canceled.FulfillmentChannel, canceled.ShippingAddress],
        ['Canceled', 'MFN', undefined],
      );
      assert.equal(stored['701-0000003-0000003']!.OrderStatus, 'Shipped');

      taken(
        await importDocument(world(), tenant.channelId, fixture('orders.allOrders.txt')),
        'allOrders',
        6,
      );
      assert.deepEqual(await lines(world(), tenant), expected);
      // A later version replaces its lines, whatever the order of its rows; an earlier one imported
      // afterwards changes nothing.
      const later = flatFile(
        [lampOrder],
        ['2025-03-03T10', '2025-03-05T10'],
        ['\t20.00\t', '\t19.00\t'],
        ['Shipped\tAmazon', 'Cancelled\tAmazon'],
      );
      const [header, ...rows] = later.slice(0, -1).split('\n');
      taken(
        await importDocument(
          world(),
          tenant.channelId,
          `${[header, ...rows.reverse()].join('\n')}\n`,
        ),
        'allOrders',
        2,
      );
      const older = await importDocument(
        world(),
        tenant.channelId,
        fixture('orders.allOrders.txt'),
      );
      // The record and both lines of the order.
      assert.deepEqual([older.body.rowsAccepted, older.body.rowsOlder], [6, 3]);
      const now = await lines(world(), tenant, 'line_id, status, item_price');
      assert.deepEqual(
        now.filter(([id]) => /LAMP|BULB/.test(id as string)),
        [
          ['sku:1:BULB-1', 'Canceled', 4_010_000n],
          ['sku:1:LAMP-1', 'Canceled', 19_000_000n],
        ],
      );
    },
  );

  reads(
    'unreadable rows of the flat file are rejected, and orders of other marketplaces skipped',
    async () => {
      const tenant = await world().tenant();
      const row = flatFile([lampOrder]).split('\n')[1]!;
      const [header] = fixture('orders.allOrders.txt').split('\n');
      const bad = [
        row.replace('\t2\tUSD', '\ttwo\tUSD').replace('20.00', '20,00'),
        row.replace('2025-03-01T23:30:00-08:00', 'hidden@example.com'),
        row.replace(lampOrder, ''),
        row.replace(lampOrder, 'strange').replace('\tShipped\t', '\tLost\t'),
        row.replace('Amazon.com', 'Amazon.ca'),
        row.replace('Amazon.com', 'Non-Amazon US'),
        `${row}\tmore`,
      ];
      const answer = await importDocument(
        world(),
        tenant.channelId,
        [header, ...bad, row].join('\n'),
      );
      assert.deepEqual(
        reasons(answer).sort(([one], [other]) => one - other),
        [
          [
            2,
            'quantity must be a whole number, 0 or more (it is "two"), item-price must be a decimal number such as 12.34 unless the import has decimal=comma (it is "20,00")',
          ],
          [
            3,
            'purchase-date must be an instant: ISO 8601 with its offset (2025-03-30T09:15:00Z), or epoch seconds (it is (withheld))',
          ],
          [4, 'amazon-order-id is required'],
          [
            5,
            'OrderStatus must be one of Pending, PendingAvailability, Unshipped, PartiallyShipped, Shipped, InvoiceUnconfirmed, Canceled, Unfulfillable',
          ],
          [
            6,
            'belongs to marketplace A2EUQ1WTGCTBG2, but the channel belongs to ATVPDKIKX0DER: a channel has one marketplace',
          ],
          [
            7,
            'was sold outside the marketplace, which only ships it: import it from the shop that sold it',
          ],
          [8, 'has 33 cells, but the header has 32'],
        ],
      );
      assert.deepEqual(
        [answer.body.rowsRead, answer.body.rowsAccepted, answer.body.rowsRejected],
        [8, 1, 7],
      );
      assert.deepEqual(await lines(world(), tenant), [lamp]);
      const outside = await importDocument(
        world(),
        tenant.channelId,
        flatFile([lampOrder]),
        '&from=2025-03-03&to=2025-03-04',
      );
      refused(
        outside,
        /nothing was imported, because 2 rows were rejected: line 2 is outside the dates/,
      );
    },
  );

  reads('the encodings that flat files come in', async () => {
    const tenant = await world().tenant();
    const city = async () => {
      const stored = await records(world(), tenant);
      return (stored[lampOrder]!.ShippingAddress as { City: string }).City;
    };
    const take = (body: Buffer, charset: string) =>
      postImport(
        world(),
        `/operator/documents?channelId=${tenant.channelId}`,
        body,
        `application/octet-stream${charset}`,
      );
    const written = (name: Buffer) => {
      const parts = flatFile([lampOrder], ['“red”', 'red'], ['café', 'cafe']).split('Portland');
      return Buffer.concat(
        parts.flatMap((part, index) =>
          index === 0 ? [Buffer.from(part)] : [name, Buffer.from(part)],
        ),
      );
    };
    taken(
      await take(
        written(Buffer.from([0x5a, 0xfc, 0x72, 0x69, 0x63, 0x68])),
        '; charset=windows-1252',
      ),
      'allOrders',
      2,
    );
    assert.equal(await city(), 'Zürich');
    taken(
      await take(written(Buffer.from([0x93, 0x8c, 0x8b, 0x9e])), '; charset=shift_jis'),
      'allOrders',
      2,
    );
    assert.equal(await city(), '東京');
    taken(
      await take(Buffer.from(`\ufeff${flatFile([lampOrder], ['Portland', 'Orléans'])}`), ''),
      'allOrders',
      2,
    );
    assert.equal(await city(), 'Orléans');
    const unnamed = reasons(await take(written(Buffer.from([0x5a, 0xfc])), ''));
    assert.match(
      unnamed[0]![1],
      /^is not UTF-8: name the encoding of the document in its content type/,
    );
  });

  reads(
    "the console's table: other titles, dates as noon of the channel's timezone, statuses of single rows",
    async () => {
      const channel = {
        merchantId: 'A1MERCHANT @ A21TJRUUN4KGV',
        currency: 'INR',
        timezone: 'Asia/Kolkata',
      };
      const tenant = await world().tenant({ channel });
      const answer = await importDocument(world(), tenant.channelId, fixture('orders.console.csv'));
      assert.equal(answer.body.dataset, 'allOrders');
      assert.deepEqual(reasons(answer), [
        [
          6,
          'Date must be an instant: ISO 8601 with its offset (2025-03-30T09:15:00Z), or epoch seconds (it is "04-31-22")',
        ],
      ]);
      assert.deepEqual([answer.body.rowsRead, answer.body.rowsAccepted], [5, 4]);
      const expected = [
        [
          '405-0000001-0000001',
          'sku:1:SET1-KR-S',
          'Shipped',
          'SET1-KR-S',
          'B0SET10001',
          1,
          647_620_000n,
          0n,
          0n,
          0n,
          'INR',
        ],
        [
          '405-0000002-0000002',
          'sku:1:JNE1-KR-XL',
          'Canceled',
          'JNE1-KR-XL',
          'B0JNE10001',
          0,
          0n,
          0n,
          0n,
          0n,
          'INR',
        ],
        [
          '405-0000003-0000003',
          'sku:1:JNE2-KR-M',
          'Shipped',
          'JNE2-KR-M',
          'B0JNE20001',
          2,
          812_000_000n,
          0n,
          0n,
          0n,
          'INR',
        ],
        [
          '405-0000003-0000003',
          'sku:1:JNE3-KR-L',
          'Canceled',
          'JNE3-KR-L',
          'B0JNE30001',
          0,
          0n,
          0n,
          0n,
          0n,
          'INR',
        ],
      ];
      assert.deepEqual(await lines(world(), tenant), expected);
      // Noon in India is 06:30 UTC. Months come first.
      assert.deepEqual(await lines(world(), tenant, 'order_id, purchased_at, updated_at'), [
        ['405-0000001-0000001', at(2022, 4, 30, 6, 30), 0],
        ['405-0000002-0000002', at(2022, 4, 5, 6, 30), 0],
        ['405-0000003-0000003', at(2022, 4, 5, 6, 30), 0],
        ['405-0000003-0000003', at(2022, 4, 5, 6, 30), 0],
      ]);
      const stored = await records(world(), tenant);
      assert.deepEqual(stored['405-0000001-0000001'], {
        PlatformOrderId: '405-0000001-0000001',
        PurchaseDate: '2022-04-30T06:30:00Z',
        OrderStatus: 'Shipped',
        MarketplaceId: 'A21TJRUUN4KGV',
        SalesChannel: 'Amazon.in',
        FulfillmentChannel: 'MFN',
        ShipServiceLevel: 'Standard',
        IsBusinessOrder: false,
        ShippingAddress: {
          StateOrRegion: 'MAHARASHTRA',
          PostalCode: '400081.0',
          City: 'MUMBAI',
          CountryCode: 'IN',
        },
      });
      assert.deepEqual(
        [stored['405-0000002-0000002']!.OrderStatus, stored['405-0000003-0000003']!.OrderStatus],
        ['Canceled', 'Shipped'],
      );
      await importDocument(world(), tenant.channelId, fixture('orders.console.csv'));
      assert.deepEqual(await lines(world(), tenant), expected);
    },
  );

  test('an order from both the flat file and the Orders API counts once, whichever is first', async () => {
    const columns = 'line_id, status, sku, quantity, item_price';
    const flat = (day: string, price: string) =>
      flatFile([lampOrder], ['2025-03-03T10', `2025-03-${day}T10`], ['\t20.00\t', `\t${price}\t`]);
    const first = await world().tenant();
    taken(await importDocument(world(), first.channelId, flat('03', '20.00')), 'allOrders', 2);
    const api = await importDocument(
      world(),
      first.channelId,
      apiBodies('2025-03-04T10:00:00Z', 'Canceled', '21.00'),
    );
    taken(api, 'ordersApi', 2);
    const canceled = [
      ['sku:1:BULB-1', 'Canceled', 'BULB-1', 1, 4_010_000n],
      ['sku:1:LAMP-1', 'Canceled', 'LAMP-1', 2, 21_000_000n],
    ];
    assert.deepEqual(await lines(world(), first, columns), canceled);
    await importDocument(world(), first.channelId, flat('03', '20.00'));
    await importDocument(
      world(),
      first.channelId,
      apiBodies('2025-03-04T10:00:00Z', 'Canceled', '21.00'),
    );
    assert.deepEqual(await lines(world(), first, columns), canceled);
    taken(await importDocument(world(), first.channelId, flat('05', '22.00')), 'allOrders', 2);
    assert.deepEqual(await lines(world(), first, columns), [
      ['sku:1:BULB-1', 'Shipped', 'BULB-1', 1, 4_010_000n],
      ['sku:1:LAMP-1', 'Shipped', 'LAMP-1', 2, 22_000_000n],
    ]);

    const second = await world().tenant();
    taken(
      await importDocument(
        world(),
        second.channelId,
        apiBodies('2025-03-02T10:00:00Z', 'Unshipped', '18.00'),
      ),
      'ordersApi',
      2,
    );
    const [[customer, sealed]] = (await held(
      world(),
      second,
      'order_record',
      'customer, sealed_email',
    )) as [[string, string]];
    assert.ok(customer !== '' && sealed !== '');
    taken(await importDocument(world(), second.channelId, flat('03', '20.00')), 'allOrders', 2);
    await importDocument(
      world(),
      second.channelId,
      apiBodies('2025-03-02T10:00:00Z', 'Unshipped', '18.00'),
    );
    assert.deepEqual(await lines(world(), second, columns), [
      ['111', 'Shipped', 'LAMP-1', 2, 20_000_000n],
      ['222', 'Shipped', 'BULB-1', 1, 4_010_000n],
    ]);
    const ofBuyer = {
      payload: {
        AmazonOrderId: lampOrder,
        OrderItems: [{ OrderItemId: '111', BuyerCustomizedInfo: {} }],
      },
    };
    const refusedItems = await importDocument(world(), second.channelId, JSON.stringify(ofBuyer));
    assert.deepEqual(reasons(refusedItems), [[1, 'QuantityOrdered is required in every item']]);
    // Fields of the order that the flat file lacks stay.
    assert.deepEqual(await lines(world(), second, 'customer'), [[customer], [customer]]);
    assert.deepEqual(await held(world(), second, 'order_record', 'customer, sealed_email'), [
      [customer, sealed],
    ]);
    const record = (await records(world(), second))[lampOrder]!;
    assert.deepEqual(
      [record.IsPrime, record.OrderTotal, record.OrderStatus],
      [true, { Amount: 30, CurrencyCode: 'USD' }, 'Shipped'],
    );
  });

  reads(
    'items of one SKU match lines by quantity, and lines that a later version does not name go',
    async () => {
      const tenant = await world().tenant();
      const order = '701-0000003-0000003';
      const items = (...rows: readonly (readonly [string, string, number])[]) => [
        {
          OrderId: order,
          PurchaseDate: '2025-03-02T12:00:00Z',
          LastUpdateDate: '2025-03-05T00:00:00Z',
          Items: rows.map(([OrderItemId, SellerSKU, QuantityOrdered]) => ({
            OrderItemId,
            SellerSKU,
            QuantityOrdered,
          })),
        },
      ];
      const columns = 'line_id, sku, quantity, item_price';
      const older = { ...items(['9', 'RULE"R', 1], ['1', 'RULE"R', 3])[0] };
      await importRows(world(), 'orders', tenant.channelId, [
        { ...older, LastUpdateDate: '2025-03-01T00:00:00Z' },
      ]);
      taken(await importDocument(world(), tenant.channelId, flatFile([order])), 'allOrders', 3);
      assert.deepEqual(await lines(world(), tenant, columns), [
        ['1', 'RULE"R', 3, 9_750_000n],
        ['9', 'RULE"R', 1, 3_250_000n],
        ['sku:1:TAPE-1', 'TAPE-1', 0, 0n],
      ]);
      await importRows(
        world(),
        'orders',
        tenant.channelId,
        items(['9', 'RULE"R', 1], ['5', 'TAPE-1', 1]),
      );
      const left = [
        ['9', 'RULE"R', 1, 0n],
        ['sku:1:TAPE-1', 'TAPE-1', 1, 0n],
      ];
      assert.deepEqual(await lines(world(), tenant, columns), left);
      // The older version does not bring its line back.
      await importRows(world(), 'orders', tenant.channelId, [
        { ...older, LastUpdateDate: '2025-03-01T00:00:00Z' },
      ]);
      assert.deepEqual(await lines(world(), tenant, columns), left);
      await importRows(world(), 'orders', tenant.channelId, items());
      assert.deepEqual(await lines(world(), tenant, columns), []);
    },
  );

  reads('versions of an order within one document replace one another as wholes', async () => {
    const version = (day: number, ...ids: readonly string[]) => ({
      OrderId: 'o',
      PurchaseDate: '2025-03-02T12:00:00Z',
      LastUpdateDate: `2025-03-0${day}T00:00:00Z`,
      Items: ids.map((OrderItemId) => ({ OrderItemId, SellerSKU: 'A', QuantityOrdered: day })),
    });
    for (const versions of [
      [version(3, '1', '2'), version(4, '2', '3')],
      [version(4, '2', '3'), version(3, '1', '2')],
    ]) {
      const tenant = await world().tenant();
      await importRows(world(), 'orders', tenant.channelId, versions);
      assert.deepEqual(await lines(world(), tenant, 'line_id, quantity'), [
        ['2', 4],
        ['3', 4],
      ]);
    }
    // The items of an order in two parts are all of its items, and replace those of yesterday.
    const tenant = await world().tenant();
    await importRows(world(), 'orders', tenant.channelId, [version(3, '1', '2')]);
    const order = {
      AmazonOrderId: 'o',
      PurchaseDate: '2025-03-02T12:00:00Z',
      LastUpdateDate: '2025-03-05T00:00:00Z',
    };
    const part = (OrderItemId: string) => ({
      payload: { AmazonOrderId: 'o', OrderItems: [{ OrderItemId, QuantityOrdered: 5 }] },
    });
    const bodies = [{ payload: { Orders: [order] } }, part('3'), part('4')];
    await importDocument(
      world(),
      tenant.channelId,
      bodies.map((body) => JSON.stringify(body)).join('\n'),
    );
    assert.deepEqual(await lines(world(), tenant, 'line_id, quantity'), [
      ['3', 5],
      ['4', 5],
    ]);
  });

  reads('a version without items changes only the fields that it carries', async () => {
    const tenant = await world().tenant();
    const columns = 'line_id, status, item_price';
    const order = { OrderId: 'o', PurchaseDate: '2025-03-02T12:00:00Z' };
    const whole = {
      ...order,
      LastUpdateDate: '2025-03-03T00:00:00Z',
      OrderStatus: 'Unshipped',
      SalesChannel: 'Amazon.com',
      BuyerInfo: { BuyerEmail: 'hidden@marketplace.example' },
      Items: [{ OrderItemId: '1', SellerSKU: 'A', QuantityOrdered: 1, ItemPrice: 10 }],
    };
    const stored = async () => (await records(world(), tenant)).o;
    await importRows(world(), 'orders', tenant.channelId, [whole]);
    await importRows(world(), 'orders', tenant.channelId, [{ ...order, IsPrime: true }]);
    const unshipped = [['1', 'Unshipped', 10_000_000n]];
    assert.deepEqual(await lines(world(), tenant, columns), unshipped);
    const expected = {
      PlatformOrderId: 'o',
      PurchaseDate: '2025-03-02T12:00:00Z',
      LastUpdateDate: '2025-03-03T00:00:00Z',
      OrderStatus: 'Unshipped',
      SalesChannel: 'Amazon.com',
      IsPrime: true,
    };
    assert.deepEqual(await stored(), expected);
    const update = { LastUpdateDate: '2025-03-04T00:00:00Z', OrderStatus: 'Canceled' };
    await importRows(world(), 'orders', tenant.channelId, [{ ...order, ...update }]);
    assert.deepEqual(await lines(world(), tenant, columns), [['1', 'Canceled', 10_000_000n]]);
    assert.deepEqual(await stored(), { ...expected, ...update });
    const [[customer, sealed]] = (await held(
      world(),
      tenant,
      'order_record',
      'customer, sealed_email',
    )) as [[string, string]];
    assert.ok(customer !== '' && sealed !== '');
    // The same within one document: the later version keeps the fields of the earlier one.
    const other = await world().tenant();
    const twice = await importRows(world(), 'orders', other.channelId, [
      whole,
      { ...order, ...update },
    ]);
    assert.deepEqual(
      [twice.body.rowsRead, twice.body.rowsAccepted, twice.body.rowsMerged],
      [2, 1, 1],
    );
    const { IsPrime: _, ...withoutPrime } = expected;
    assert.deepEqual((await records(world(), other)).o, { ...withoutPrime, ...update });
    // A cancelled order has no counted lines whatever its items say.
    await importRows(world(), 'orders', other.channelId, [
      {
        ...whole,
        LastUpdateDate: '2025-03-05T00:00:00Z',
        OrderStatus: 'Canceled',
        Items: [...whole.Items, { OrderItemId: '2', SellerSKU: 'B', Canceled: false }],
      },
    ]);
    assert.deepEqual(await lines(world(), other, 'line_id, status'), [
      ['1', 'Canceled'],
      ['2', 'Canceled'],
    ]);
  });

  testOnce(
    'an older version of an order does not bring back lines of which the newer one has none',
    async () => {
      const item = { OrderItemId: '1', SellerSKU: 'A', QuantityOrdered: 1, ItemPrice: 10 };
      const version = (id: string, day: number, Items?: readonly object[]) => ({
        ...{ OrderId: id, PurchaseDate: '2025-03-02T12:00:00Z', OrderStatus: 'Shipped' },
        ...{ LastUpdateDate: `2025-03-0${day}T00:00:00Z`, ...(Items && { Items }) },
      });
      const tenant = await world().tenant();
      const put = (...orders: readonly object[]) =>
        importRows(world(), 'orders', tenant.channelId, orders);
      const held = () => lines(world(), tenant, 'order_id, line_id');
      // In two documents, whichever comes first, and within one.
      await put(version('a', 4, []), version('b', 3, [item]), version('c', 4, []));
      assert.deepEqual(await held(), [['b', '1']]);
      await put(version('a', 3, [item]), version('b', 4, []));
      await put(version('d', 4, []), version('d', 3, [item]));
      assert.deepEqual(await held(), []);
      // A version without a word about items changes nothing of that,
      await put(version('c', 5));
      await put(version('c', 3, [item]), version('d', 5), version('d', 3, [item]));
      assert.deepEqual(await held(), []);
      // and does not keep away an older one that has them; a newer one brings them anyway.
      await put(version('e', 5));
      await put(version('e', 4, [item]), version('a', 6, [item]));
      assert.deepEqual(await held(), [
        ['a', '1'],
        ['e', '1'],
      ]);
    },
  );

  reads(
    'an order in rows of orders and of order lines has its lines once, whichever come first',
    async () => {
      const columns = 'line_id, sku, quantity, item_price';
      const order = (id: string, ...items: readonly object[]) => ({
        OrderId: id,
        PurchaseDate: '2025-03-02T12:00:00Z',
        LastUpdateDate: '2025-03-03T00:00:00Z',
        Items: items,
      });
      const item = (id: string, sku: string, quantity: number, price: number, asin = '') => ({
        OrderItemId: id,
        SellerSKU: sku,
        ASIN: asin,
        QuantityOrdered: quantity,
        ItemPrice: price,
      });
      const line = (id: string, lineId: string, sku: string, quantity: number, asin = '') => ({
        orderId: id,
        lineId,
        purchasedAt: '2025-03-02T12:00:00Z',
        updatedAt: '2025-03-04T00:00:00Z',
        sku,
        productId: asin,
        quantity,
        itemPrice: 5,
      });
      const orders = [
        order('a', item('101', 'A', 1, 10), item('102', 'A', 2, 20), item('103', 'B', 1, 30)),
        // No SKU: by position, then by product and quantity.
        order('b', item('201', 'A', 1, 10), item('202', 'B', 2, 20)),
        order('c', item('301', 'A', 1, 10, 'P1'), item('302', 'B', 2, 20, 'P2')),
      ];
      const rows = [
        line('a', '1', 'A', 2),
        line('a', '2', 'A', 1),
        line('a', '3', 'C', 1),
        line('b', '1', '', 1),
        line('b', '2', '', 2),
        line('c', '1', '', 2, 'P2'),
        line('c', '2', '', 1, 'P1'),
      ];
      const first = await world().tenant();
      await importRows(world(), 'orders', first.channelId, orders);
      const both = async () => {
        await importRows(world(), 'orderLines', first.channelId, rows);
        assert.deepEqual(await lines(world(), first, columns), [
          ['101', 'A', 1, 5_000_000n],
          ['102', 'A', 2, 5_000_000n],
          ['103', 'B', 1, 30_000_000n],
          ['201', '', 1, 5_000_000n],
          ['202', '', 2, 5_000_000n],
          ['3', 'C', 1, 5_000_000n],
          ['301', '', 1, 5_000_000n],
          ['302', '', 2, 5_000_000n],
        ]);
      };
      await both();
      // Once more, the lines have the ids of the document.
      await both();

      const second = await world().tenant();
      await importRows(world(), 'orderLines', second.channelId, rows.slice(0, 4));
      const newer = { LastUpdateDate: '2025-03-05T00:00:00Z' };
      await importRows(world(), 'orders', second.channelId, [{ ...orders[0], ...newer }]);
      assert.deepEqual(await lines(world(), second, columns), [
        ['1', '', 1, 5_000_000n],
        ['101', 'A', 1, 10_000_000n],
        ['102', 'A', 2, 20_000_000n],
        ['103', 'B', 1, 30_000_000n],
      ]);
      // Rows that are older than the order change nothing.
      const older = await importRows(world(), 'orderLines', second.channelId, rows.slice(0, 2));
      assert.equal(older.body.rowsOlder, 2);
      assert.equal((await lines(world(), second, columns)).length, 4);
      // An order that was cancelled stays so, if its lines come without the time of their update.
      const canceledOrder = { OrderId: 'd', PurchaseDate: '2025-03-02T12:00:00Z' };
      await importRows(world(), 'orders', second.channelId, [
        { ...canceledOrder, OrderStatus: 'Canceled' },
      ]);
      const { updatedAt: _, ...undated } = line('d', '1', 'A', 1);
      await importRows(world(), 'orderLines', second.channelId, [undated]);
      assert.deepEqual((await lines(world(), second, 'status, line_id')).slice(0, 1), [
        ['Canceled', '1'],
      ]);
    },
  );

  reads('an all-orders flat file that names no SKU matches the lines of its order', async () => {
    const tenant = await world().tenant();
    taken(
      await importDocument(
        world(),
        tenant.channelId,
        apiBodies('2025-03-02T10:00:00Z', 'Unshipped', '18.00'),
      ),
      'ordersApi',
      2,
    );
    const unnamed = flatFile([lampOrder], ['\tLAMP-1\t', '\t\t'], ['\tBULB-1\t', '\t\t']);
    taken(await importDocument(world(), tenant.channelId, unnamed), 'allOrders', 2);
    assert.deepEqual(await lines(world(), tenant, 'line_id, quantity, item_price'), [
      ['111', 2, 20_000_000n],
      ['222', 1, 4_010_000n],
    ]);
  });

  reads(
    'items of an older version that come after a newer order take its state, and never bring it back',
    async () => {
      const tenant = await world().tenant();
      const version = (hour: number, OrderStatus: string, price?: number) => ({
        OrderId: 'o',
        PurchaseDate: '2025-03-02T12:00:00Z',
        LastUpdateDate: `2025-03-03T0${hour}:00:00Z`,
        OrderStatus,
        ...(price && {
          Items: [{ OrderItemId: '1', SellerSKU: 'A', QuantityOrdered: 1, ItemPrice: price }],
        }),
      });
      const line = () => lines(world(), tenant, 'status, updated_at, item_price');
      await importRows(world(), 'orders', tenant.channelId, [version(5, 'Canceled')]);
      await importRows(world(), 'orders', tenant.channelId, [version(3, 'Unshipped', 10)]);
      assert.deepEqual(await line(), [['Canceled', at(2025, 3, 3, 5, 0), 10_000_000n]]);
      await importRows(world(), 'orders', tenant.channelId, [version(2, 'Pending', 20)]);
      assert.deepEqual(await line(), [['Canceled', at(2025, 3, 3, 5, 0), 10_000_000n]]);
      // The same within one document.
      const other = await world().tenant();
      await importRows(world(), 'orders', other.channelId, [
        version(5, 'Canceled'),
        version(3, 'Unshipped', 10),
        version(2, 'Pending', 20),
      ]);
      assert.deepEqual(await lines(world(), other, 'status, updated_at, item_price'), [
        ['Canceled', at(2025, 3, 3, 5, 0), 10_000_000n],
      ]);
      // An order that comes without items leaves a line that was canceled by itself as it is.
      const third = await world().tenant();
      const Items = [
        { OrderItemId: '1', SellerSKU: 'A', QuantityOrdered: 1 },
        { OrderItemId: '2', SellerSKU: 'B', Canceled: true },
      ];
      await importRows(world(), 'orders', third.channelId, [{ ...version(3, 'Unshipped'), Items }]);
      await importRows(world(), 'orders', third.channelId, [version(4, 'Shipped')]);
      assert.deepEqual(await lines(world(), third, 'line_id, status'), [
        ['1', 'Shipped'],
        ['2', 'Canceled'],
      ]);
      await importRows(world(), 'orders', third.channelId, [version(5, 'Canceled')]);
      assert.deepEqual(await lines(world(), third, 'line_id, status'), [
        ['1', 'Canceled'],
        ['2', 'Canceled'],
      ]);
    },
  );

  reads(
    'the Orders API 2026: every field, single canceled items, and orders of other channels',
    async () => {
      const tenant = await world().tenant();
      const answer = await importDocument(
        world(),
        tenant.channelId,
        fixture('orders.search2026.json'),
      );
      assert.equal(answer.body.dataset, 'ordersApi2026', JSON.stringify(answer.body));
      assert.deepEqual([answer.body.rowsRead, answer.body.rowsAccepted], [4, 2]);
      assert.deepEqual(reasons(answer), [
        [
          3,
          'was sold outside the marketplace, which only ships it: import it from the shop that sold it',
        ],
        [
          4,
          'belongs to marketplace A2EUQ1WTGCTBG2, but the channel belongs to ATVPDKIKX0DER: a channel has one marketplace',
        ],
      ]);
      const [one, two] = ['702-0000001-0000001', '702-0000002-0000002'];
      const expected = [
        [
          one,
          '70200000000001',
          'PartiallyShipped',
          'LAMP-1',
          'B0LAMP0001',
          2,
          39_980_000n,
          4_000_000n,
          1_000_000n,
          5_000_000n,
          'USD',
        ],
        // 3 x 3.33
        [
          one,
          '70200000000002',
          'PartiallyShipped',
          'BULB-1',
          'B0BULB0001',
          3,
          9_990_000n,
          0n,
          0n,
          0n,
          'USD',
        ],
        [
          one,
          '70200000000003',
          'Canceled',
          'TAPE-1',
          'B0TAPE0001',
          1,
          2_000_000n,
          0n,
          0n,
          0n,
          'USD',
        ],
        [
          two,
          '70200000000004',
          'PendingAvailability',
          'LAMP-1',
          'B0LAMP0001',
          1,
          10_000_000n,
          800_000n,
          0n,
          0n,
          'USD',
        ],
      ];
      assert.deepEqual(await lines(world(), tenant), expected);
      const stored = await records(world(), tenant);
      assert.deepEqual(stored[one], {
        PlatformOrderId: one,
        PurchaseDate: '2025-04-01T10:00:00Z',
        LastUpdateDate: '2025-04-02T08:30:00Z',
        OrderStatus: 'PartiallyShipped',
        MarketplaceId: 'ATVPDKIKX0DER',
        SalesChannel: 'Amazon.com',
        FulfillmentChannel: 'MFN',
        ShipmentServiceLevelCategory: 'SecondDay',
        EarliestShipDate: '2025-04-02T00:00:00Z',
        LatestShipDate: '2025-04-03T23:59:59Z',
        EarliestDeliveryDate: '2025-04-05T00:00:00Z',
        LatestDeliveryDate: '2025-04-07T23:59:59Z',
        PaymentMethod: 'Other',
        PaymentMethodDetails: 'CreditCard,GiftCard',
        NumberOfItemsShipped: 1,
        NumberOfItemsUnshipped: 4,
        IsPrime: true,
        IsPremiumOrder: false,
        IsBusinessOrder: true,
        IsISPU: false,
        IsReplacementOrder: false,
        ShippingAddress: {
          StateOrRegion: 'WA',
          PostalCode: '98101',
          City: 'Seattle',
          CountryCode: 'US',
        },
        DefaultShipFromLocationAddress: {
          StateOrRegion: 'NV',
          PostalCode: '89501',
          City: 'Reno',
          CountryCode: 'US',
        },
        OrderTotal: { Amount: 57.97, CurrencyCode: 'USD' },
      });
      const {
        PaymentMethod,
        OrderType,
        FulfillmentChannel,
        IsISPU,
        IsPremiumOrder,
        IsReplacementOrder,
        IsPrime,
      } = stored[two]!;
      assert.deepEqual(
        [
          PaymentMethod,
          OrderType,
          FulfillmentChannel,
          IsISPU,
          IsPremiumOrder,
          IsReplacementOrder,
          IsPrime,
        ],
        ['COD', 'Preorder', 'AFN', true, true, true, false],
      );
      const kept = await held(
        world(),
        tenant,
        'order_record',
        'order_id, record, customer, sealed_email',
      );
      assert.doesNotMatch(JSON.stringify(kept), /hidden/i);
      assert.deepEqual(
        kept.map(([, , customer, sealed]) => [customer !== '', sealed !== '']),
        [
          [true, true],
          [false, false],
        ],
      );
      taken(
        await importDocument(world(), tenant.channelId, fixture('orders.get2026.json')),
        'ordersApi2026',
        1,
      );
      // The older page does not bring the canceled order back. One body a line.
      const page = JSON.parse(fixture('orders.search2026.json'));
      const bodies = page.orders
        .slice(0, 2)
        .map((order: object) => JSON.stringify({ orders: [order] }));
      const older = await importDocument(world(), tenant.channelId, bodies.join('\n'));
      // The record and the line of the second order.
      assert.deepEqual([older.body.rowsAccepted, older.body.rowsOlder], [2, 2]);
      const statuses = await lines(world(), tenant, 'order_id, status');
      assert.deepEqual(statuses.at(-1), [two, 'Canceled']);
      assert.equal((await lines(world(), tenant)).length, 4);
      assert.doesNotMatch(world().logLines.join(), /hidden/i);
    },
  );

  reads(
    'Shopify REST orders: shop money, both kinds of tax, gift cards, test orders, inferred products',
    async () => {
      const tenant = await world().tenant({
        channel: {
          merchantId: 'shop',
          marketplace: 'shopify',
          currency: 'EUR',
          timezone: 'Europe/Paris',
        },
      });
      await importRows(world(), 'products', tenant.channelId, [
        { sku: 'TEA-1', title: 'From the catalogue', price: 10 },
      ]);
      const answer = await importDocument(
        world(),
        tenant.channelId,
        fixture('shopify.orders.json'),
      );
      assert.equal(answer.body.dataset, 'shopifyOrders', JSON.stringify(answer.body));
      assert.deepEqual(reasons(answer), [[3, 'is a test order']]);
      assert.deepEqual([answer.body.rowsRead, answer.body.rowsAccepted], [4, 3]);
      const [one, two, four] = ['5500000000001', '5500000000002', '5500000000004'];
      const pot = ['POT-1', '7700000000002'];
      const expected = [
        [
          one,
          '6600000000001',
          'PartiallyShipped',
          'TEA-1',
          '7700000000001',
          3,
          30_000_000n,
          5_700_000n,
          2_000_000n,
          7_500_000n,
          'EUR',
        ],
        [
          one,
          '6600000000002',
          'PartiallyShipped',
          ...pot,
          1,
          30_000_000n,
          0n,
          3_000_000n,
          0n,
          'EUR',
        ],
        // 2 x 12 with 4 of tax in it.
        [two, '6600000000004', 'Canceled', ...pot, 2, 20_000_000n, 4_000_000n, 0n, 0n, 'EUR'],
        [four, '6600000000006', 'Pending', ...pot, 1, 10_000_000n, 2_000_000n, 0n, 0n, 'EUR'],
      ];
      assert.deepEqual(await lines(world(), tenant), expected);
      // Placed at 23:30 of the first of May in Paris.
      assert.deepEqual((await lines(world(), tenant, 'purchased_at, updated_at'))[0], [
        at(2025, 5, 1, 21, 30),
        at(2025, 5, 3, 7, 0),
      ]);
      assert.deepEqual(
        await held(world(), tenant, 'product', 'sku, product_id, title, brand, price'),
        [
          ['POT-1', '7700000000002', 'Pot', 'Clay', 0n],
          ['TEA-1', '', 'From the catalogue', '', 10_000_000n],
        ],
      );
      assert.deepEqual((await records(world(), tenant))[one], {
        PlatformOrderId: one,
        MarketplaceId: 'Shopify',
        PurchaseDate: '2025-05-01T21:30:00Z',
        LastUpdateDate: '2025-05-03T07:00:00Z',
        OrderStatus: 'PartiallyShipped',
        SalesChannel: 'web',
        FulfillmentChannel: 'MFN',
        PaymentMethodDetails: 'shopify_payments,gift_card',
        ShippingAddress: {
          StateOrRegion: '69',
          PostalCode: '69001',
          City: 'Lyon',
          CountryCode: 'FR',
        },
        OrderTotal: { Amount: 77.4, CurrencyCode: 'EUR' },
      });
      assert.doesNotMatch(
        JSON.stringify(await held(world(), tenant, 'order_record', 'record, sealed_email')),
        /hidden/i,
      );
      const again = await importDocument(
        world(),
        tenant.channelId,
        JSON.stringify({ order: JSON.parse(fixture('shopify.orders.json')).orders[0] }),
      );
      taken(again, 'shopifyOrders', 1);
      assert.deepEqual(await lines(world(), tenant), expected);
      const strange = {
        orders: [
          { id: 1, financial_status: 'paid', line_items: [{ id: 2, quantity: 1, price: 'much' }] },
        ],
      };
      refused(
        await importDocument(
          world(),
          tenant.channelId,
          JSON.stringify(strange),
          '&from=2025-05-01&to=2025-05-02',
        ),
        /PurchaseDate is required/,
      );
    },
  );

  reads('the bulk export of Shopify has the same orders, wherever their parts stand', async () => {
    const tenant = await world().tenant({
      channel: {
        merchantId: 'shop',
        marketplace: 'shopify',
        currency: 'EUR',
        timezone: 'Europe/Paris',
      },
    });
    const stray = JSON.stringify({
      id: 'gid://shopify/LineItem/9',
      sku: 'STRAY',
      quantity: 1,
      __parentId: 'gid://shopify/Order/404',
    });
    const idless = [
      { id: 'gid://shopify/Order/7', createdAt: '2025-05-04T08:00:00Z' },
      { sku: 'IDLESS', quantity: 1, __parentId: 'gid://shopify/Order/7' },
    ].map((value) => JSON.stringify(value));
    const document = `${fixture('shopify.bulk.jsonl')}${stray}\n{"id"\n${idless.join('\n')}`;
    const answer = await importDocument(world(), tenant.channelId, document);
    assert.equal(answer.body.dataset, 'shopifyOrders', JSON.stringify(answer.body));
    assert.deepEqual(
      reasons(answer).sort(([one], [other]) => one - other),
      [
        [8, 'is a test order'],
        [9, 'is a test order'],
        [10, 'comes too late after its order, or without it: export with grouped objects'],
        [11, 'is not JSON'],
        [12, 'Items[0].OrderItemId is required'],
        [13, 'Items[0].OrderItemId is required'],
      ],
    );
    assert.deepEqual([answer.body.rowsRead, answer.body.rowsAccepted], [13, 7]);
    const [one, five] = ['5500000000001', '5500000000005'];
    const ofOne = [
      [
        one,
        '6600000000001',
        'PartiallyShipped',
        'TEA-1',
        '7700000000001',
        3,
        30_000_000n,
        5_700_000n,
        2_000_000n,
        7_500_000n,
        'EUR',
      ],
      [
        one,
        '6600000000002',
        'PartiallyShipped',
        'POT-1',
        '7700000000002',
        1,
        30_000_000n,
        0n,
        3_000_000n,
        0n,
        'EUR',
      ],
    ];
    // 3 x 12 with 6 of tax in it.
    const cup = [
      five,
      '6600000000007',
      'Pending',
      'CUP-1',
      '7700000000003',
      3,
      30_000_000n,
      6_000_000n,
      1_000_000n,
      4_000_000n,
      'EUR',
    ];
    assert.deepEqual(await lines(world(), tenant), [...ofOne, cup]);
    const byBulk = (await records(world(), tenant))[one];
    const customer = await held(world(), tenant, 'order_record', 'order_id, customer');
    // The REST API reports the first order identically, under the same ids.
    await importDocument(world(), tenant.channelId, fixture('shopify.orders.json'));
    assert.deepEqual(
      (await lines(world(), tenant)).filter(([id]) => id === one),
      ofOne,
    );
    assert.deepEqual((await records(world(), tenant))[one], byBulk);
    const now = await held(world(), tenant, 'order_record', 'order_id, customer');
    assert.deepEqual([now[0], customer[0]![1] !== ''], [customer[0], true]);
    assert.deepEqual(await held(world(), tenant, 'product', 'sku, product_id, title, brand'), [
      ['CUP-1', '7700000000003', 'Cup', 'Clay'],
      ['POT-1', '7700000000002', 'Pot', 'Clay'],
      ['TEA-1', '7700000000001', 'Green tea', 'Leaf & Co'],
    ]);
  });

  reads(
    'long documents are not held whole: parts that come late still find their order, and rows that come too late say so',
    async () => {
      const tenant = await world().tenant({
        channel: { merchantId: 'shop', marketplace: 'shopify', currency: 'EUR', timezone: 'UTC' },
      });
      const many = 2500;
      const numbers = Array.from({ length: many }, (_, index) => index + 1);
      const orders = numbers.map((number) => ({
        id: `gid://shopify/Order/${number}`,
        createdAt: '2025-05-01T12:00:00Z',
        updatedAt: '2025-05-01T12:00:00Z',
        currencyCode: 'EUR',
        taxesIncluded: true,
        totalShippingPriceSet: { shopMoney: { amount: '1.00', currencyCode: 'EUR' } },
      }));
      const items = numbers.map((number) => ({
        id: `gid://shopify/LineItem/${number}`,
        sku: 'A',
        quantity: 1,
        originalUnitPriceSet: { shopMoney: { amount: '12.00', currencyCode: 'EUR' } },
        taxLines: [{ priceSet: { shopMoney: { amount: '2.00', currencyCode: 'EUR' } } }],
        __parentId: `gid://shopify/Order/${number}`,
      }));
      const body = [...orders, ...items].map((value) => JSON.stringify(value)).join('\n');
      taken(
        await importDocument(world(), tenant.channelId, gzipSync(body)),
        'shopifyOrders',
        2 * many,
      );
      assert.deepEqual(await sums(world(), tenant), [
        2500,
        25_000_000_000n,
        5_000_000_000n,
        2_500_000_000n,
      ]);

      const flat = await world().tenant();
      const row = flatFile([lampOrder]).split('\n')[1]!;
      const [header] = fixture('orders.allOrders.txt').split('\n');
      const rows = Array.from({ length: 5500 }, (_, index) =>
        row.replace(lampOrder, `order-${index}`),
      );
      const near = row.replace(lampOrder, 'order-5000').replaceAll('LAMP', 'SHADE');
      const far = row.replace(lampOrder, 'order-3').replaceAll('LAMP', 'SHADE');
      const answer = await importDocument(
        world(),
        flat.channelId,
        [header, ...rows, near, far].join('\n'),
      );
      assert.deepEqual(reasons(answer), [
        [
          5503,
          'comes too late after the other rows of its order: import all rows of the order together',
        ],
      ]);
      assert.equal(answer.body.rowsAccepted, 5501);
      assert.deepEqual((await sums(world(), flat)).slice(0, 2), [5501, 110_020_000_000n]);
    },
  );
});

/** How many order lines the channel has, and their prices, taxes and shipping added up. */
async function sums(world: World, tenant: Tenant): Promise<unknown[]> {
  const all = (await lines(world, tenant, 'item_price, item_tax, shipping_price')) as bigint[][];
  return [all.length, ...[0, 1, 2].map((place) => all.reduce((sum, row) => sum + row[place]!, 0n))];
}
