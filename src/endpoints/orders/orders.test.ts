import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import fc from 'fast-check';
import {
  type Answer,
  casesOn,
  clockStart,
  onEachPair,
  onOnePair,
  type Tenant,
  testOnOnePair,
  triesOn,
  type World,
} from '../../../test/harness.ts';
import { importRows } from '../../../test/imports.ts';
import { createSeal } from '../../access/secret.ts';
import { channelLock, openImport } from '../../engine/registry.ts';

type Body = Readonly<Record<string, unknown>>;
type Listed = {
  readonly PlatformOrderId: string;
  readonly PurchaseDate: string;
  readonly LastUpdateDate: string;
  readonly OrderStatus: string;
};

const enterprise = { plan: 'enterprise' };
const keyRefused = 'key must be the key that the previous page returned for the same query';
const channelRefused = 'channelId must be a seller channel of the primary marketplace';

/** Noon of the first of March 2025. */
const noon = Date.UTC(2025, 2, 1, 12) / 1000;
const text = (instant: number) => new Date(instant * 1000).toISOString().replace('.000Z', 'Z');
const row = (PlatformOrderId: string, purchased: number, updated = purchased, more: Body = {}) => ({
  PlatformOrderId,
  PurchaseDate: text(purchased),
  LastUpdateDate: text(updated),
  ...more,
});
const byBytes = (one: string, other: string) =>
  Buffer.compare(Buffer.from(one), Buffer.from(other));

function ask(
  world: World,
  { key, channelId, merchantId }: Tenant,
  body: Body = {},
): Promise<Answer> {
  return world.ask(key, 'POST', '/orders/primarymkt', { channelId, merchantId, ...body });
}

async function page(
  world: World,
  tenant: Tenant,
  body: Body,
): Promise<{ orders: readonly Listed[]; key: string | undefined }> {
  const answer = await ask(world, tenant, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const { meta, data, ...rest } = answer.body;
  assert.deepEqual(
    [Object.keys(rest), Object.keys(meta).filter((name) => name !== 'key')],
    [[], []],
  );
  return { orders: data, key: meta.key };
}

/** All pages of a query; `between` is run behind each page that is not the last one. */
async function walk(
  world: World,
  tenant: Tenant,
  body: Body,
  between = async () => {},
): Promise<Listed[]> {
  const listed: Listed[] = [];
  const size = (body.pageSize as number | undefined) ?? 50;
  for (let key: string | undefined; ; ) {
    const { orders, key: next } = await page(world, tenant, {
      ...body,
      ...(key !== undefined && { key }),
    });
    listed.push(...orders);
    if (next === undefined) return listed;
    assert.equal(orders.length, size, 'only the last page may have room');
    key = next;
    await between();
  }
}

type Begun = { readonly importId: number; readonly channel: number };

/** Opens an import that is then running, without anybody who runs it. */
async function begun(world: World, { channelId }: Tenant): Promise<Begun> {
  const { channelNumber: channel } = await world.registry.records
    .selectFrom('channel')
    .select('channelNumber')
    .where('channelId', '=', channelId)
    .executeTakeFirstOrThrow();
  return {
    importId: await openImport(world.registry, 'orders', channel, world.clock.now),
    channel,
  };
}

/**
 * Lands orders in such an import: the number of each, when it was updated, and the buyer's address.
 */
async function land(
  world: World,
  { importId, channel }: Begun,
  orders: readonly (readonly [string, number, string?])[],
): Promise<void> {
  const file = join(world.warehouse.stagingFolder, `import-${importId}-by-hand.csv`);
  const lines = orders.map(([id, updated, sealed = ''], place) => {
    return `${place},${place},2025-03-01,'${id}',${noon},${updated},-1,'Pending','{}','${sealed}','',''\n`;
  });
  writeFileSync(file, lines.join(''));
  await world.registry.withLock(channelLock(channel), async () => {
    const arrival = await world.warehouse.begin({ importId, channel });
    await arrival.stage('order_record', file);
    await arrival.commit({}, 'UTC');
  });
}

const ids = (orders: readonly Listed[]) => orders.map((order) => order.PlatformOrderId);
const range = (from: number, to: number, more: Body = {}) => ({
  fromDate: from,
  toDate: to,
  ...more,
});

onEachPair('POST /orders/primarymkt', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  const shop = () => world().tenant({ organisation: enterprise });

  test('an order with every field that can be reported', async () => {
    const tenant = await shop();
    const from = { StateOrRegion: 'WA', PostalCode: '98101', City: 'Seattle', CountryCode: 'US' };
    const to = {
      StateOrRegion: 'Île-de-France',
      PostalCode: '75001',
      City: 'Paris "1er"',
      CountryCode: 'FR',
    };
    const order = {
      SellerId: 'A9SELLER',
      MarketplaceId: 'A1EXAMPLE',
      PlatformOrderId: '700-1',
      BuyerInfo: { BuyerEmail: 'Ann.Buyer@shop.example' },
      FulfillmentChannel: 'MFN',
      SalesChannel: 'Shop.example',
      OrderStatus: 'PartiallyShipped',
      OrderType: 'StandardOrder',
      ShipServiceLevel: 'Std Cont US',
      ShipmentServiceLevelCategory: 'Standard',
      PaymentMethod: 'Other',
      PaymentMethodDetails: 'Standard,GiftCard',
      EarliestDeliveryDate: '2025-03-03T08:00:00Z',
      EarliestShipDate: '2025-03-01T18:00:00Z',
      LatestShipDate: '2025-03-02T07:59:59Z',
      LatestDeliveryDate: '2025-03-07T07:59:59Z',
      PurchaseDate: '2025-03-01T12:00:00Z',
      LastUpdateDate: '2025-03-02T09:30:05Z',
      AutomatedShippingSettings: {
        HasAutomatedShippingSettings: 'true',
        AutomatedShipMethodName: 'Ground',
        AutomatedCarrierName: 'Carrier & Sons',
      },
      NumberOfItemsShipped: 2,
      NumberOfItemsUnshipped: 1,
      IsPremiumOrder: true,
      IsPrime: true,
      HasRegulatedItems: true,
      IsReplacementOrder: true,
      IsSoldByAB: true,
      IsISPU: true,
      IsAccessPointOrder: true,
      IsBusinessOrder: true,
      IsGlobalExpressEnabled: true,
      DefaultShipFromLocationAddress: from,
      ShippingAddress: to,
      OrderTotal: { Amount: 1234.56, CurrencyCode: 'EUR' },
    };
    await importRows(world(), 'orders', tenant.channelId, [order]);
    const answer = await ask(world(), tenant, range(noon, noon));
    assert.deepEqual([answer.status, answer.body], [200, { meta: {}, data: [order] }]);
    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  test('an order with only its number and purchase date still has every field', async () => {
    const tenant = await shop();
    await importRows(world(), 'orders', tenant.channelId, [
      { PlatformOrderId: '700-2', PurchaseDate: '2025-03-01T13:00:00+01:00' },
    ]);
    const nowhere = { StateOrRegion: '', PostalCode: '', City: '', CountryCode: '' };
    const { body } = await ask(world(), tenant, range(noon, noon));
    assert.deepEqual(body.data, [
      {
        // Those of the channel itself.
        SellerId: 'A1MERCHANT',
        MarketplaceId: 'ATVPDKIKX0DER',
        PlatformOrderId: '700-2',
        BuyerInfo: { BuyerEmail: '' },
        ...{
          FulfillmentChannel: '',
          SalesChannel: '',
          OrderStatus: 'Shipped',
          OrderType: '',
          ShipServiceLevel: '',
        },
        ...{ ShipmentServiceLevelCategory: '', PaymentMethod: '', PaymentMethodDetails: '' },
        ...{
          EarliestDeliveryDate: '',
          EarliestShipDate: '',
          LatestShipDate: '',
          LatestDeliveryDate: '',
        },
        PurchaseDate: '2025-03-01T12:00:00Z',
        LastUpdateDate: '',
        AutomatedShippingSettings: {
          HasAutomatedShippingSettings: 'false',
          AutomatedShipMethodName: '',
          AutomatedCarrierName: '',
        },
        ...{ NumberOfItemsShipped: 0, NumberOfItemsUnshipped: 0 },
        ...{
          IsPremiumOrder: false,
          IsPrime: false,
          HasRegulatedItems: false,
          IsReplacementOrder: false,
          IsSoldByAB: false,
        },
        ...{
          IsISPU: false,
          IsAccessPointOrder: false,
          IsBusinessOrder: false,
          IsGlobalExpressEnabled: false,
        },
        DefaultShipFromLocationAddress: nowhere,
        ShippingAddress: nowhere,
        OrderTotal: { Amount: 0, CurrencyCode: '' },
      },
    ]);
    const updated = { dateField: 'updatedAt' };
    assert.deepEqual(
      ids((await page(world(), tenant, range(0, noon, updated))).orders),
      ['700-2'],
      'it stands at the epoch',
    );
    assert.deepEqual((await page(world(), tenant, range(1, noon, updated))).orders, []);
  });

  test('orders come by their date and, of one date, by the bytes of their numbers; both ends of a range belong to it', async () => {
    const tenant = await shop();
    await importRows(world(), 'orders', tenant.channelId, [
      row('b', noon, noon + 50),
      row('a', noon, noon + 60),
      row('Z', noon, noon + 50),
      row('\u{1F4E6}', noon, noon + 50),
      row('\uFF5E', noon, noon + 50),
      row('early', noon - 1, noon + 49),
      row('late', noon + 1, noon + 61),
      // Days and months further on, where only wide windows reach.
      row('week', noon + 7 * 86_400, noon + 90 * 86_400),
      row('year', noon + 400 * 86_400, noon + 400 * 86_400),
    ]);
    const created = ['Z', 'a', 'b', '\uFF5E', '\u{1F4E6}'];
    const updated = ['Z', 'b', '\uFF5E', '\u{1F4E6}', 'a'];
    for (const pageSize of casesOn(world(), [2, 1, 3, 5, 100], 5)) {
      const listed = async (body: Body) => ids(await walk(world(), tenant, { ...body, pageSize }));
      assert.deepEqual(await listed(range(noon, noon)), created);
      assert.deepEqual(await listed(range(noon - 1, noon + 1)), ['early', ...created, 'late']);
      assert.deepEqual(
        await listed(range(noon + 50, noon + 60, { dateField: 'updatedAt' })),
        updated,
      );
      const whole = ['early', ...created, 'late', 'week', 'year'];
      assert.deepEqual(await listed(range(0, 100_000_000_000)), whole);
      const wholeByUpdate = ['early', ...updated, 'late', 'week', 'year'];
      assert.deepEqual(
        await listed(range(0, 100_000_000_000, { dateField: 'updatedAt' })),
        wholeByUpdate,
      );
    }
  });

  test('without dates it is the last 30 days, until now, and a key keeps to the 30 days of its first page', async () => {
    const tenant = await shop();
    const now = clockStart / 1000;
    const start = now - 30 * 86_400;
    await importRows(world(), 'orders', tenant.channelId, [
      row('before', start - 1, now),
      row('first', start, now - 5),
      row('second', start + 3, start - 1),
      row('last', now, now + 1),
      row('ahead', now + 1, now),
    ]);
    assert.deepEqual(ids((await page(world(), tenant, {})).orders), ['first', 'second', 'last']);
    assert.deepEqual(ids((await page(world(), tenant, { dateField: 'updatedAt' })).orders), [
      'first',
      'ahead',
      'before',
    ]);
    const first = await page(world(), tenant, { pageSize: 1 });
    world().clock.now += 5000;
    const second = await page(world(), tenant, { pageSize: 5, key: first.key });
    world().clock.now = clockStart;
    assert.deepEqual([...ids(first.orders), ...ids(second.orders)], ['first', 'second', 'last']);
  });

  test('a start alone reaches to now, and an end alone 30 days back', async () => {
    const tenant = await shop();
    const now = clockStart / 1000;
    await importRows(world(), 'orders', tenant.channelId, [
      row('old', now - 90 * 86_400),
      row('early', now - 60 * 86_400 - 1),
      row('first', now - 60 * 86_400),
      row('last', now - 30 * 86_400),
      row('now', now),
      row('ahead', now + 1),
    ]);
    const found = async (body: Body) => ids((await page(world(), tenant, body)).orders);
    const since = now - 60 * 86_400;
    assert.deepEqual(await found({ fromDate: since }), ['first', 'last', 'now']);
    assert.deepEqual(await found({ fromDate: now }), ['now']);
    assert.deepEqual(await found({ toDate: now - 30 * 86_400 }), ['first', 'last']);
    assert.deepEqual(await found({ toDate: 5 }), []);
    assert.deepEqual(await found({ orderId: 'old', fromDate: since }), []);
    assert.deepEqual(await found({ orderId: 'first', fromDate: since }), ['first']);
    assert.deepEqual(await found({ orderId: 'old', toDate: now - 90 * 86_400 }), ['old']);
    assert.deepEqual(await found({ orderId: 'old', toDate: now }), []);
    const first = await page(world(), tenant, { fromDate: since, pageSize: 2 });
    const { orders } = await page(world(), tenant, { fromDate: since, key: first.key });
    assert.deepEqual(ids(orders), ['now']);
  });

  test('an order number finds its order whatever its date, and with dates only in their range', async () => {
    const tenant = await shop();
    const other = await shop();
    await importRows(world(), 'orders', tenant.channelId, [
      row('one', noon, noon + 9),
      row('two', noon),
    ]);
    await importRows(world(), 'orders', other.channelId, [row('three', noon)]);
    const found = async (body: Body) => {
      const { orders, key } = await page(world(), tenant, body);
      assert.equal(key, undefined);
      return ids(orders);
    };
    const orderId = 'one';
    assert.deepEqual(await found({ orderId }), ['one']);
    assert.deepEqual(await found({ orderId, dateField: 'updatedAt', pageSize: 1 }), ['one']);
    assert.deepEqual(await found({ orderId, ...range(noon, noon + 8) }), ['one']);
    assert.deepEqual(await found({ orderId, ...range(noon + 1, noon + 9) }), []);
    assert.deepEqual(
      await found({ orderId, ...range(noon + 1, noon + 9), dateField: 'updatedAt' }),
      ['one'],
    );
    assert.deepEqual(
      await found({ orderId, ...range(noon, noon + 8), dateField: 'updatedAt' }),
      [],
    );
    for (const unknown of ['three', 'ONE', 'on', 'one ', "'"])
      assert.deepEqual(await found({ orderId: unknown }), []);
  });

  testOnce("400: what is asked wrongly is refused in the client's words", async () => {
    const tenant = await shop();
    for (const [body, reason] of [
      [
        { fromDate: clockStart / 1000 + 1 },
        'fromDate must not be in the future unless toDate is given',
      ],
      [range(6, 5), 'toDate must not be before fromDate'],
      [
        range(1_700_000_000_000, 1_700_000_000_000),
        'fromDate must be in seconds and not in milliseconds, toDate must be in seconds and not in milliseconds',
      ],
      [{ dateField: 'PurchaseDate' }, 'dateField must be createdAt or updatedAt'],
      [{ orderId: '' }, 'orderId must not be empty'],
      [{ orderId: 5 }, 'orderId must be a string'],
      [{ pageSize: 0 }, 'pageSize must be at least 1'],
      [{ pageSize: 101 }, 'pageSize must be at most 100'],
      [
        { pageSize: 1.5, fromDate: 'a' },
        'fromDate must be an integer, pageSize must be an integer',
      ],
    ] as const) {
      const answer = await ask(world(), tenant, body);
      assert.deepEqual(
        [answer.status, answer.body],
        [400, { status: 'error', error: reason }],
        JSON.stringify(body),
      );
    }
  });

  testOnce('400: a vendor channel and one of another marketplace have no orders here', async () => {
    for (const channel of [{ kind: 'vendor' }, { marketplace: 'shopify' }] as const) {
      const tenant = await world().tenant({ organisation: enterprise, channel });
      const answer = await ask(world(), tenant);
      assert.deepEqual([answer.status, answer.body.error], [400, channelRefused]);
      assert.equal(
        (await ask(world(), tenant, { key: 'x' })).body.error,
        `${channelRefused}, ${keyRefused}`,
      );
    }
    const spelled = await world().tenant({
      organisation: enterprise,
      channel: { marketplace: 'PrimaryMkt' },
    });
    assert.equal((await ask(world(), spelled)).status, 200);
  });

  testOnce(
    '401: a key of the standard plan is advised that orders need the enterprise plan',
    async () => {
      const tenant = await world().tenant({ organisation: { plan: 'standard' } });
      const answer = await ask(world(), tenant);
      assert.deepEqual(
        [answer.status, answer.body.error],
        [401, 'this endpoint needs the enterprise plan'],
      );
    },
  );

  testOnce('400: a page key serves only its own query, whatever the page size', async () => {
    const tenant = await shop();
    const channels = [
      tenant.channelId,
      await world().channel(tenant.organisationId, `${tenant.channelId}-2`),
    ];
    const stranger = await shop();
    for (const channelId of [...channels, stranger.channelId]) {
      await importRows(world(), 'orders', channelId, [
        row('a', noon),
        row('b', noon),
        row('c', noon + 9),
      ]);
    }
    for (const dateField of ['createdAt', 'updatedAt']) {
      const query = range(noon, noon + 9, { dateField });
      const { key, orders } = await page(world(), tenant, { ...query, pageSize: 1 });
      assert.deepEqual(ids(orders), ['a']);
      assert.deepEqual(ids((await page(world(), tenant, { ...query, key })).orders), ['b', 'c']);
      assert.deepEqual(
        ids((await page(world(), tenant, { ...query, key, pageSize: 1 })).orders),
        ['b'],
        'it may be used again',
      );
      assert.doesNotMatch(
        Buffer.from(key!.slice(3), 'base64url').toString('latin1'),
        /orderId|from|lastImport/,
      );
      const changed = `${key!.slice(0, -9)}${key!.at(-9) === 'A' ? 'B' : 'A'}${key!.slice(-8)}`;
      const other = dateField === 'createdAt' ? 'updatedAt' : 'createdAt';
      for (const [asked, body] of [
        [tenant, { ...query, key: changed }],
        [tenant, { ...query, key: key!.slice(0, -4) }],
        [tenant, { ...query, key: `${key}AAAA` }],
        [tenant, { ...query, key: 'v1.' }],
        [tenant, { ...query, key: 'garbage' }],
        [tenant, { ...query, key: 'x'.repeat(4001) }],
        [tenant, { ...query, key: '' }],
        [tenant, { ...query, key, fromDate: noon - 1 }],
        [tenant, { ...query, key, toDate: noon + 10 }],
        [tenant, { ...query, key, dateField: other }],
        [tenant, { ...query, key, orderId: 'b' }],
        [tenant, { key, dateField }],
        [
          { ...tenant, channelId: channels[1]! },
          { ...query, key },
        ],
        [stranger, { ...query, key }],
      ] as const) {
        const answer = await ask(world(), asked, { ...body, pageSize: 1 });
        assert.deepEqual(
          [answer.status, answer.body.error],
          [400, keyRefused],
          JSON.stringify(body),
        );
      }
    }
  });

  test('by updatedAt an import that began before the walk and lands within it moves nothing', async () => {
    const tenant = await shop();
    const late = await begun(world(), tenant);
    const landedUnsettled = await begun(world(), tenant);
    await importRows(world(), 'orders', tenant.channelId, [
      row('a', noon),
      row('b', noon),
      row('c', noon, noon + 1),
      row('d', noon, noon + 2),
    ]);
    // A process that ended before it could say so has landed this one.
    await land(world(), landedUnsettled, [['e', noon + 3]]);
    let pages = 0;
    const listed = await walk(
      world(),
      tenant,
      range(noon, noon + 99, { dateField: 'updatedAt', pageSize: 1 }),
      async () => {
        const changed = ['a', 'c', 'new'].map((id, place) => [id, noon + 8 + place] as const);
        if (++pages === 2) await land(world(), late, changed);
      },
    );
    assert.deepEqual(ids(listed), ['a', 'b', 'c', 'd', 'e']);
    assert.equal(listed[2]!.OrderStatus, 'Pending', 'it is shown as it is by now');
  });

  test("an order whose buyer's address was sealed with another secret is listed without it, and the log says so", async () => {
    const tenant = await shop();
    const sealed = createSeal('another secret', 'buyer e-mail').close('ann@shop.example');
    await land(world(), await begun(world(), tenant), [['a', noon, sealed]]);
    const { body } = await ask(world(), tenant, range(noon, noon));
    assert.deepEqual(
      [body.data[0].PlatformOrderId, body.data[0].BuyerInfo],
      ['a', { BuyerEmail: '' }],
    );
    assert.ok(
      world().logLines.some(
        (line) => line.includes('sealed with another secret') && line.includes('"orders":1'),
      ),
    );
  });

  testOnce(
    'by updatedAt an order that changes more often than is remembered is not missed',
    async () => {
      const tenant = await shop();
      await importRows(world(), 'orders', tenant.channelId, [
        row('a', noon),
        row('b', noon + 1),
        row('c', noon + 2),
      ]);
      let updated = noon + 10;
      const listed = await walk(
        world(),
        tenant,
        range(noon, noon + 999, { dateField: 'updatedAt', pageSize: 1 }),
        async () => {
          while (updated < noon + 10 + 22) {
            await importRows(world(), 'orders', tenant.channelId, [row('c', noon + 2, updated++)]);
          }
        },
      );
      assert.deepEqual(ids(listed), ['a', 'b', 'c']);
      assert.equal(listed[2]!.LastUpdateDate, text(noon + 31));
    },
  );
});

type Known = { readonly purchased: number; readonly updated: number };
/** An imported version of an order: its number and the slot of its last update. */
type Version = { readonly id: number; readonly updated: number };

// Few instants, so that many orders share one, over some days, so that windows end between them.
const instantOf = (slot: number) => noon + slot * 15_000;
const purchaseOf = (id: number) => instantOf((id * 7) % 12);
const someVersions = fc.uniqueArray(
  fc.record({ id: fc.nat({ max: 24 }), updated: fc.nat({ max: 30 }) }),
  {
    selector: ({ id }) => id,
    minLength: 1,
    maxLength: 12,
  },
);

onOnePair('POST /orders/primarymkt while orders arrive', (world) => {
  let tenant: Tenant;
  let channels = 0;
  before(async () => {
    tenant = await world().tenant({ organisation: enterprise });
  });

  for (const dateField of ['createdAt', 'updatedAt'] as const) {
    test(`by ${dateField} every order that was there at the start is shown once, in its place, as it is by then`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(someVersions, { minLength: 1, maxLength: 2 }),
          fc.array(fc.option(someVersions, { freq: 2 }), { minLength: 6, maxLength: 6 }),
          fc.integer({ min: 1, max: 7 }),
          fc.tuple(fc.nat({ max: 12 }), fc.integer({ min: 8, max: 30 })),
          async (first, later, pageSize, [low, high]) => {
            const channelId = await world().channel(
              tenant.organisationId,
              `${tenant.channelId}-${++channels}`,
            );
            const known = new Map<string, Known>();
            const importVersions = async (versions: readonly Version[]) => {
              const rows = versions.map(({ id, updated }) =>
                row(`o${id}`, purchaseOf(id), instantOf(updated)),
              );
              await importRows(world(), 'orders', channelId, rows);
              for (const { id, updated } of versions) {
                const held = known.get(`o${id}`);
                if (held !== undefined && held.updated > instantOf(updated)) continue;
                known.set(`o${id}`, { purchased: purchaseOf(id), updated: instantOf(updated) });
              }
            };
            for (const versions of first) await importVersions(versions);
            const [from, to] = [instantOf(Math.min(low, high)), instantOf(high)];
            const dateOf = (order: Known) =>
              dateField === 'createdAt' ? order.purchased : order.updated;
            const atStart = [...known]
              .filter(([, order]) => dateOf(order) >= from && dateOf(order) <= to)
              .sort(([one, a], [other, b]) => dateOf(a) - dateOf(b) || byBytes(one, other))
              .map(([id]) => id);
            const shown: string[] = [];
            const asked = { fromDate: from, toDate: to, dateField, pageSize };
            let key: string | undefined;
            for (let pages = 0; ; pages++) {
              const answer = await page(
                world(),
                { ...tenant, channelId },
                { ...asked, ...(key !== undefined && { key }) },
              );
              for (const order of answer.orders) {
                const { purchased, updated } = known.get(order.PlatformOrderId)!;
                assert.deepEqual(
                  [order.PurchaseDate, order.LastUpdateDate],
                  [text(purchased), text(updated)],
                );
              }
              shown.push(...ids(answer.orders));
              key = answer.key;
              if (key === undefined) break;
              const versions = later[pages];
              if (versions) await importVersions(versions);
            }
            if (dateField === 'updatedAt') assert.deepEqual(shown, atStart);
            else {
              assert.equal(new Set(shown).size, shown.length, 'none is shown twice');
              assert.deepEqual(
                atStart.filter((id) => !shown.includes(id)),
                [],
                'none is missed',
              );
              const places = shown.map((id) => [purchaseOf(Number(id.slice(1))), id] as const);
              assert.deepEqual(
                places,
                places.toSorted(([a, one], [b, other]) => a - b || byBytes(one, other)),
              );
            }
          },
        ),
        { numRuns: triesOn(world(), { embedded: 12, served: 4 }) },
      );
    });
  }
});
