/**
 * Orders of the primary marketplace: every field, the order of a walk, dates and their defaults,
 * pages and their keys, and what is refused. A walk shows each order once while more arrive.
 */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { fixture } from '../../../test/facts.ts';
import {
  type Answer,
  clockStart,
  onOnePair,
  type Tenant,
  triesOn,
  type World,
} from '../../../test/harness.ts';
import { importRows } from '../../../test/imports.ts';
import { level, slowTest } from '../../../test/level.ts';
import { channelNumberOf } from '../../../test/records.ts';
import { refusal } from '../../../test/visitors.ts';
import { fieldsOf } from '../../../test/world.ts';
import { createSeal } from '../../access/secret.ts';
import { channelLock, openImport } from '../../engine/registry.ts';

type Body = Readonly<Record<string, unknown>>;
type Listed = Readonly<
  Record<'PlatformOrderId' | 'PurchaseDate' | 'LastUpdateDate' | 'OrderStatus', string>
>;

const enterprise = { plan: 'enterprise' };
const keyRefused = 'key must be the key that the previous page returned for the same query';

/** Noon of the first of March 2025. */
const noon = Date.UTC(2025, 2, 1, 12) / 1000;
const text = (instant: number) => new Date(instant * 1000).toISOString().replace('.000Z', 'Z');
const row = (PlatformOrderId: string, purchased: number, updated = purchased) => ({
  PlatformOrderId,
  PurchaseDate: text(purchased),
  LastUpdateDate: text(updated),
});
const byBytes = (one: string, other: string) =>
  Buffer.compare(Buffer.from(one), Buffer.from(other));

function ask(world: World, tenant: Tenant, body: Body = {}): Promise<Answer> {
  const { key, channelId, merchantId } = tenant;
  return world.ask(key, 'POST', '/orders/primarymkt', { channelId, merchantId, ...body });
}

type Page = { orders: readonly Listed[]; key: string | undefined };

async function page(world: World, tenant: Tenant, body: Body): Promise<Page> {
  const answer = await ask(world, tenant, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const { meta, data, ...rest } = answer.body;
  const { key, ...others } = meta;
  assert.deepEqual([rest, others], [{}, {}]);
  return { orders: data, key };
}

/** All pages of a query; `between` is run behind each page that is not the last one. */
async function walk(world: World, tenant: Tenant, body: Body, between = async () => {}) {
  const listed: Listed[] = [];
  for (let key: string | undefined; ; ) {
    // Of a first page the key is undefined, which JSON leaves out.
    const { orders, key: next } = await page(world, tenant, { ...body, key });
    listed.push(...orders);
    if (next === undefined) return listed;
    assert.equal(orders.length, body.pageSize ?? 50, 'only the last page may have room');
    key = next;
    await between();
  }
}

type Begun = { readonly importId: number; readonly channel: number };

/** Opens an import that seems to run, although nobody runs it. */
async function begun(world: World, { channelId }: Tenant): Promise<Begun> {
  const channel = await channelNumberOf(world, channelId);
  const importId = await openImport(world.registry, 'orders', channel, world.clock.now);
  return { importId, channel };
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
  rmSync(file, { force: true });
}

const ids = (orders: readonly Listed[]) => orders.map((order) => order.PlatformOrderId);
const range = (fromDate: number, toDate: number, more: Body = {}) => {
  return { fromDate, toDate, ...more };
};

/** An order with every field that can be reported. */
const whole = JSON.parse(fixture('orders.whole.json'));

/** The same fields without anything in them: '', 0 and false. */
const emptied = (fields: object): Body =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (typeof value === 'object') return [name, emptied(value)];
      return [name, typeof value === 'string' ? '' : typeof value === 'number' ? 0 : false];
    }),
  );

onOnePair('POST /orders/primarymkt', (world) => {
  const shop = () => world().tenant({ organisation: enterprise });
  /** A new shop with such orders: their numbers, when they were placed, and when updated. */
  const shopWith = async (...orders: Parameters<typeof row>[]) => {
    const tenant = await shop();
    const rows = orders.map((order) => row(...order));
    await importRows(world(), 'orders', tenant.channelId, rows);
    return tenant;
  };
  /** The numbers of the orders on a page. */
  const found = async (tenant: Tenant, body: Body) =>
    ids((await page(world(), tenant, body)).orders);

  test('an order with every field that can be reported', async () => {
    const tenant = await shop();
    await importRows(world(), 'orders', tenant.channelId, [whole]);
    const answer = await ask(world(), tenant, range(noon, noon));
    assert.deepEqual([answer.status, answer.body], [200, { meta: {}, data: [whole] }]);
    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  test('an order with only its number and purchase date still has every field', async () => {
    const tenant = await shop();
    await importRows(world(), 'orders', tenant.channelId, [
      { PlatformOrderId: '700-2', PurchaseDate: '2025-03-01T13:00:00+01:00' },
    ]);
    const { body } = await ask(world(), tenant, range(noon, noon));
    const shipping = emptied(whole.AutomatedShippingSettings);
    // Seller and marketplace come from the channel itself.
    const own = fieldsOf(`
      SellerId,   MarketplaceId, PlatformOrderId, OrderStatus, PurchaseDate
      A1MERCHANT, ATVPDKIKX0DER, 700-2,           Shipped,     2025-03-01T12:00:00Z`);
    const AutomatedShippingSettings = { ...shipping, HasAutomatedShippingSettings: 'false' };
    assert.deepEqual(body.data, [{ ...emptied(whole), ...own, AutomatedShippingSettings }]);
    // By its last update it stands at the epoch.
    const updated = { dateField: 'updatedAt' };
    assert.deepEqual(await found(tenant, range(0, noon, updated)), ['700-2']);
    assert.deepEqual(await found(tenant, range(1, noon, updated)), []);
  });

  test('orders come by their date and, of one date, by the bytes of their numbers; both ends of a range belong to it', async () => {
    const tenant = await shopWith(
      ['b', noon, noon + 50],
      ['a', noon, noon + 60],
      ['Z', noon, noon + 50],
      ['\u{1F4E6}', noon, noon + 50],
      ['\uFF5E', noon, noon + 50],
      ['early', noon - 1, noon + 49],
      ['late', noon + 1, noon + 61],
      // Days and months further on, where only wide windows reach.
      ['week', noon + 7 * 86_400, noon + 90 * 86_400],
      ['year', noon + 400 * 86_400, noon + 400 * 86_400],
    );
    const created = ['Z', 'a', 'b', '\uFF5E', '\u{1F4E6}'];
    const updated = ['Z', 'b', '\uFF5E', '\u{1F4E6}', 'a'];
    const byUpdate = { dateField: 'updatedAt' };
    const walks: [Body, string[]][] = [
      [range(0, 100_000_000_000), ['early', ...created, 'late', 'week', 'year']],
      [range(0, 100_000_000_000, byUpdate), ['early', ...updated, 'late', 'week', 'year']],
      [range(noon, noon), created],
      [range(noon - 1, noon + 1), ['early', ...created, 'late']],
      [range(noon + 50, noon + 60, byUpdate), updated],
    ];
    for (const pageSize of level === 'deep' ? [2, 1, 3, 5, 100] : [2]) {
      for (const [body, expected] of walks) {
        const listed = ids(await walk(world(), tenant, { ...body, pageSize }));
        assert.deepEqual(listed, expected, JSON.stringify({ ...body, pageSize }));
      }
    }
  });

  test('without dates it is the last 30 days, until now, and a key stays within the 30 days of its first page', async () => {
    const now = clockStart / 1000;
    const start = now - 30 * 86_400;
    const tenant = await shopWith(
      ['before', start - 1, now],
      ['first', start, now - 5],
      ['second', start + 3, start - 1],
      ['last', now, now + 1],
      ['ahead', now + 1, now],
    );
    assert.deepEqual(await found(tenant, {}), ['first', 'second', 'last']);
    const updated = await found(tenant, { dateField: 'updatedAt' });
    assert.deepEqual(updated, ['first', 'ahead', 'before']);
    const first = await page(world(), tenant, { pageSize: 1 });
    world().clock.now += 5000;
    const second = await found(tenant, { pageSize: 5, key: first.key });
    world().clock.now = clockStart;
    assert.deepEqual([...ids(first.orders), ...second], ['first', 'second', 'last']);
  });

  test('a start alone reaches to now, and an end alone 30 days back', async () => {
    const now = clockStart / 1000;
    const tenant = await shopWith(
      ['old', now - 90 * 86_400],
      ['early', now - 60 * 86_400 - 1],
      ['first', now - 60 * 86_400],
      ['last', now - 30 * 86_400],
      ['now', now],
      ['ahead', now + 1],
    );
    const since = now - 60 * 86_400;
    for (const [body, ...expected] of [
      [{ fromDate: since }, 'first', 'last', 'now'],
      [{ fromDate: now }, 'now'],
      [{ toDate: now - 30 * 86_400 }, 'first', 'last'],
      [{ toDate: 5 }],
      [{ orderId: 'old', fromDate: since }],
      [{ orderId: 'first', fromDate: since }, 'first'],
      [{ orderId: 'old', toDate: now - 90 * 86_400 }, 'old'],
      [{ orderId: 'old', toDate: now }],
    ] as [Body, ...string[]][])
      assert.deepEqual(await found(tenant, body), expected, JSON.stringify(body));
    const first = await page(world(), tenant, { fromDate: since, pageSize: 2 });
    assert.deepEqual(await found(tenant, { fromDate: since, key: first.key }), ['now']);
  });

  test('an order number finds its order whatever its date, and with dates only in their range', async () => {
    const tenant = await shopWith(['one', noon, noon + 9], ['two', noon]);
    await shopWith(['three', noon]);
    const orderId = 'one';
    const byUpdate = { orderId, dateField: 'updatedAt' };
    for (const [body, ...expected] of [
      [{ orderId }, 'one'],
      [{ ...byUpdate, pageSize: 1 }, 'one'],
      [range(noon, noon + 8, { orderId }), 'one'],
      [range(noon + 1, noon + 9, { orderId })],
      [range(noon + 1, noon + 9, byUpdate), 'one'],
      [range(noon, noon + 8, byUpdate)],
      ...['three', 'ONE', 'on', 'one ', "'"].map((unknown): [Body] => [{ orderId: unknown }]),
    ] as [Body, ...string[]][]) {
      const { orders, key } = await page(world(), tenant, body);
      assert.deepEqual([ids(orders), key], [expected, undefined], JSON.stringify(body));
    }
  });

  test('the name of the primary marketplace may be in any letter case; a vendor channel has an empty list', async () => {
    for (const channel of [{ marketplace: 'PrimaryMkt' }, { kind: 'vendor' }] as const)
      assert.deepEqual(
        await found(await world().tenant({ organisation: enterprise, channel }), {}),
        [],
      );
  });

  test('400: a page key serves only its own query, whatever the page size', async () => {
    const orders: [string, number][] = Object.entries({ a: noon, b: noon, c: noon + 9 });
    const tenant = await shopWith(...orders);
    const stranger = await shopWith(...orders);
    const second = await world().channel(tenant.organisationId, `${tenant.channelId}-2`);
    const rows = orders.map((order) => row(...order));
    await importRows(world(), 'orders', second, rows);
    for (const dateField of ['createdAt', 'updatedAt']) {
      const query = range(noon, noon + 9, { dateField });
      const { key, orders } = await page(world(), tenant, { ...query, pageSize: 1 });
      assert.deepEqual(ids(orders), ['a']);
      assert.deepEqual(await found(tenant, { ...query, key }), ['b', 'c']);
      const again = await found(tenant, { ...query, key, pageSize: 1 });
      assert.deepEqual(again, ['b'], 'it may be used again');
      const readable = Buffer.from(key!.slice(3), 'base64url').toString('latin1');
      assert.doesNotMatch(readable, /orderId|from|lastImport/);
      const changed = `${key!.slice(0, -9)}${key!.at(-9) === 'A' ? 'B' : 'A'}${key!.slice(-8)}`;
      const other = dateField === 'createdAt' ? 'updatedAt' : 'createdAt';
      const cut = [changed, key!.slice(0, -4), `${key}AAAA`];
      const wrong = [...cut, 'v1.', 'garbage', 'x'.repeat(4001), ''];
      const beside = { ...tenant, channelId: second };
      for (const [input, body] of [
        ...wrong.map((key): [Tenant, Body] => [tenant, { ...query, key }]),
        [tenant, { ...query, key, fromDate: noon - 1 }],
        [tenant, { ...query, key, toDate: noon + 10 }],
        [tenant, { ...query, key, dateField: other }],
        [tenant, { ...query, key, orderId: 'b' }],
        [tenant, { key, dateField }],
        [beside, { ...query, key }],
        [stranger, { ...query, key }],
      ] as [Tenant, Body][]) {
        const answer = await refusal(ask(world(), input, { ...body, pageSize: 1 }));
        assert.deepEqual(answer, [400, keyRefused], JSON.stringify(body));
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
    // A process that ended before it could report it has committed this one.
    await land(world(), landedUnsettled, [['e', noon + 3]]);
    let pages = 0;
    const query = range(noon, noon + 99, { dateField: 'updatedAt', pageSize: 1 });
    const listed = await walk(world(), tenant, query, async () => {
      const changed = ['a', 'c', 'new'].map((id, place) => [id, noon + 8 + place] as const);
      if (++pages === 2) await land(world(), late, changed);
    });
    assert.deepEqual(ids(listed), ['a', 'b', 'c', 'd', 'e']);
    assert.equal(listed[2]!.OrderStatus, 'Pending', 'it is shown as it is by now');
  });

  test("an order whose buyer's address was sealed with another secret is listed without it, and the log says so", async () => {
    const tenant = await shop();
    const sealed = createSeal('another secret', 'buyer e-mail').close('ann@shop.example');
    await land(world(), await begun(world(), tenant), [['a', noon, sealed]]);
    const { body } = await ask(world(), tenant, range(noon, noon));
    const [{ PlatformOrderId, BuyerInfo }] = body.data;
    assert.deepEqual([PlatformOrderId, BuyerInfo], ['a', { BuyerEmail: '' }]);
    const says = (line: string) =>
      line.includes('sealed with another secret') && line.includes('"orders":1');
    assert.ok(world().logLines.some(says));
  });

  slowTest('by updatedAt, orders that change too often to remember are not missed', async () => {
    const tenant = await shopWith(['a', noon], ['b', noon + 1], ['c', noon + 2]);
    let updated = noon + 10;
    const query = range(noon, noon + 999, { dateField: 'updatedAt', pageSize: 1 });
    const listed = await walk(world(), tenant, query, async () => {
      // Twenty versions are stored.
      while (updated < noon + 10 + 22)
        await land(world(), await begun(world(), tenant), [['c', updated++]]);
    });
    assert.deepEqual(ids(listed), ['a', 'b', 'c']);
    assert.equal(listed[2]!.LastUpdateDate, text(noon + 31));
  });
});

type Known = { readonly purchased: number; readonly updated: number };
/** An imported version of an order: its number and the slot of its last update. */
type Version = { readonly id: number; readonly updated: number };

// Few instants, so that many orders share one, over some days, so that windows end between them.
const instantOf = (slot: number) => noon + slot * 15_000;
const purchaseOf = (id: number) => instantOf((id * 7) % 12);
const someVersions = fc.uniqueArray(
  fc.record({ id: fc.nat({ max: 24 }), updated: fc.nat({ max: 30 }) }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 12 },
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
            const name = `${tenant.channelId}-${++channels}`;
            const channelId = await world().channel(tenant.organisationId, name);
            const asking = { ...tenant, channelId };
            const known = new Map<string, Known>();
            const importVersions = async (versions: readonly Version[]) => {
              const rowOf = ({ id, updated }: Version) =>
                row(`o${id}`, purchaseOf(id), instantOf(updated));
              await importRows(world(), 'orders', channelId, versions.map(rowOf));
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
            const input = { fromDate: from, toDate: to, dateField, pageSize };
            let key: string | undefined;
            for (let pages = 0; ; pages++) {
              const answer = await page(world(), asking, { ...input, key });
              for (const { PlatformOrderId, PurchaseDate, LastUpdateDate } of answer.orders) {
                const { purchased, updated } = known.get(PlatformOrderId)!;
                const dates = [text(purchased), text(updated)];
                assert.deepEqual([PurchaseDate, LastUpdateDate], dates);
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
              const missed = atStart.filter((id) => !shown.includes(id));
              assert.deepEqual(missed, [], 'none is missed');
              const places = shown.map((id) => [purchaseOf(Number(id.slice(1))), id] as const);
              const sorted = places.toSorted(
                ([a, one], [b, other]) => a - b || byBytes(one, other),
              );
              assert.deepEqual(places, sorted);
            }
          },
        ),
        { numRuns: triesOn(world(), { embedded: level === 'deep' ? 12 : 8, served: 4 }) },
      );
    });
  }
});
