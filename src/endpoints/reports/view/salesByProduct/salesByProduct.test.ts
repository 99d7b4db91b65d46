/**
 * The figures of salesByProduct are sums made by hand, over a change of clocks; its rows add up to
 * the store, and are searched, sorted and paged.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { directionsOf, onOnePair, type Tenant, type World } from '../../../../../test/harness.ts';
import { level } from '../../../../../test/level.ts';
import { tablesBeside } from '../../../../../test/table.ts';
import {
  askView,
  assertShown,
  compared,
  days,
  importFacts,
  rated,
} from '../../../../../test/world.ts';
import { soldProductColumns } from '../../../../contract/soldProducts.ts';

const tables = tablesBeside(import.meta.url, 'salesByProduct.tables.txt');

type Product = Record<string, string | number | null>;
type Row = { readonly current: Product; readonly prior: Product };
type Unlisted = { readonly totalSales: number; readonly unitsSold: number };
type Page = {
  readonly rows: Row[];
  readonly count: number;
  readonly currency: string;
  readonly unlisted: { readonly current: Unlisted; readonly prior: Unlisted };
};

const at = (instant: string) => Date.parse(instant) / 1000;

function view(world: World, tenant: Tenant, body: object): Promise<Page> {
  const { key, channelId, merchantId } = tenant;
  return askView(world, key, 'salesByProduct', { channelId, merchantId, ...body });
}

const ids = ({ rows }: Page) => rows.map(({ current }) => current.productId);

/** Four days in New York, where clocks change on the third, and the two days before. */
const priorDays = ['2025-03-05', '2025-03-06'] as const;
const march = compared('2025-03-07', '2025-03-10', priorDays, 'America/New_York');

const facts = tablesBeside(import.meta.url, 'facts.txt');

const nothingSold = { totalSales: 0, unitsSold: 0 };

/** A product whose instants are written as ISO texts. */
function withInstants(product: Product): Product {
  const iso = (seconds: unknown) =>
    seconds === null ? null : new Date(Number(seconds) * 1000).toISOString().replace('.000', '');
  const { lastSold, noQuantitySinceTime: since } = product;
  return { ...product, lastSold: iso(lastSold), noQuantitySinceTime: iso(since) };
}

onOnePair(
  'The small world of products',
  (world) => {
    let tenant: Tenant;
    const page = (body: object) => view(world(), tenant, { ...march, ...body });

    before(async () => {
      tenant = await world().tenant({ channel: { timezone: 'America/New_York' } });
      await importFacts(world(), tenant.channelId, facts);
    });

    test('200: sales of products from order lines, and before them from the reported figures', async () => {
      const { rows, ...others } = await page({});
      for (const side of ['current', 'prior'] as const)
        assertShown(rows.map((row) => row[side]))`${tables.products}`;
      // A: 30.00 + 43.20 + 20.00 of 2 + 2 + 1 + 1 units; 5.00 of 20.00 and of 93.20. B: 20.00 and
      // 11.00 euros at 1.1; 3.00 of 4.00 and of 32.10.
      assertShown(rows.map(({ current }) => withInstants(current)))`${tables.current}`;
      assertShown(rows.map(({ prior }) => withInstants(prior)))`${tables.prior}`;
      for (const row of rows)
        for (const side of [row, row.current, row.prior])
          assert.equal(Object.keys(side).length, side === row ? 2 : 14);
      assert.deepEqual(others, {
        count: 6,
        currency: 'USD',
        // Of 60.00 reported for the store, products have 57.00.
        unlisted: { current: { totalSales: 3, unitsSold: 1 }, prior: nothingSold },
      });
    });

    test('200: the sales of all rows and the unlisted sales add up to the store', async () => {
      const { channelId, merchantId } = tenant;
      const { rows, unlisted } = await page({});
      const input = { channelId, merchantId, reportOptions: { ...march, interval: 'y' } };
      const [row] = (await askView(world(), tenant.key, 'salesByPeriod', input)).formattedChartData;
      for (const side of ['current', 'prior'] as const) {
        const sum = (name: 'totalSales' | 'unitsSold') =>
          rows.reduce((sum, one) => sum + Number(one[side][name]), unlisted[side][name]);
        const [sales, units] =
          side === 'current' ? [row.sales, row.unitsSold] : [row.priorSales, row.priorUnitsSold];
        assert.deepEqual([sum('totalSales').toFixed(2), sum('unitsSold')], [sales, units]);
      }
    });

    test('200: without tax, without a prior period, and outside of every fact', async () => {
      const { fromDate, toDate, timezone } = march;
      const net = await view(world(), tenant, { fromDate, toDate, timezone, includeTax: false });
      // 30 + 40 + 20, and 20 + 10.00 euros at 1.1.
      assertShown(net.rows.slice(0, 2).map(({ current }) => current))`totalSales\n90\n31`;
      assert.deepEqual(
        net.rows.map(({ prior }) => [prior.totalSales, prior.lastSold, prior.noQuantitySinceTime]),
        Array(6).fill([0, null, null]),
      );
      const later = { fromDate: at('2026-01-01T00:00:00Z'), toDate: at('2026-01-31T00:00:00Z') };
      const unlisted = { current: nothingSold, prior: nothingSold };
      const empty = { ...net, rows: [], count: 0, unlisted };
      assert.deepEqual(await view(world(), tenant, { ...later, timezone }), empty);
    });

    test('200: products without sales, with their last sale, and those in stock', async () => {
      const day = days('2025-03-12', '2025-03-12', 'America/New_York');
      const later = { ...day, includeNoSales: true };
      const byProduct = { sortKey: 'productId', sortOrder: 'asc' };
      const { rows, count } = await view(world(), tenant, { ...later, ...byProduct });
      assertShown(rows.map(({ current }) => withInstants(current)))`${tables.unsold}`;
      assert.equal(count, 7);
      // The order adds no rows: Z, B0X and '' were sold before, but are not in the catalogue.
      const byLastSale = await view(world(), tenant, { ...later, sortKey: 'lastSold' });
      assert.deepEqual(ids(byLastSale), ['A', 'B', 'C1', 'C2', 'D', 'E', 'F']);
      const inStock = { includeNoInventory: false };
      const all = await page({ includeNoSales: true, ...inStock, ...byProduct });
      assert.deepEqual(ids(all), ['B', 'B0C', 'B0X', 'C1', 'C2', 'D', 'Z', '']);
      assert.deepEqual(ids(await page(inStock)), ['B', 'B0C', 'B0X', 'Z', '']);
    });

    test('200: a search finds titles, SKUs and product ids in any letter case', async () => {
      const byProduct = { includeNoSales: true, sortKey: 'productId', sortOrder: 'asc' };
      for (const [searchText, found] of [
        ['TABLE', ['A']],
        ['éLAN', ['E']],
        ['b0x', ['B0X']],
        ['b0z', ['Z']],
        ['cedar', ['B0C', 'C1', 'C2']],
        ['%', []],
      ] as const)
        assert.deepEqual(ids(await page({ searchText, ...byProduct })), found);
    });

    test('200: rows are sorted by every column, and pages never overlap', async () => {
      const all = { includeNoSales: true, pageSize: 100 };
      const columns = [...soldProductColumns.entries()];
      const sorted = columns.filter(([place]) => level === 'deep' || place % 3 === 0);
      for (const [place, sortKey] of sorted) {
        for (const sortOrder of directionsOf(place)) {
          const whole = await page({ ...all, sortKey, sortOrder });
          const keys = whole.rows.map(({ current }) => {
            const value = current[sortKey]!;
            return typeof value === 'string' ? value.toLowerCase() : value;
          });
          const order = (a: (typeof keys)[number], b: (typeof keys)[number]) => {
            const isLast = (key: typeof a) => Number(key === null || key === '');
            const sign = sortOrder === 'asc' ? 1 : -1;
            return isLast(a) - isLast(b) || (a === b ? 0 : a! < b! ? -sign : sign);
          };
          assert.deepEqual(keys, keys.toSorted(order), `${sortKey} ${sortOrder}`);
          assert.equal(whole.rows.length, whole.count);
        }
      }
      // Rows without a price are ordered only by their ties.
      const paged: unknown[] = [];
      const byPrice = { includeNoSales: true, sortKey: 'price' };
      for (let pageIndex = 0; pageIndex < 3; pageIndex++)
        paged.push(...ids(await page({ ...byPrice, pageIndex, pageSize: 5 })));
      assert.deepEqual(paged, ids(await page({ ...byPrice, pageSize: 100 })));
      assert.equal(new Set(paged).size, 11);
      const past = await page({ pageIndex: 9 });
      assert.deepEqual([past.rows, past.count], [[], 6]);
    });
  },
  { begins: rated },
);
