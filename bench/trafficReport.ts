/**
 * The traffic and conversion report of growing numbers of products, each with a week of traffic:
 * its rows a second, and the peak memory of the service, which must not grow. `node
 * bench/trafficReport.ts [products=1000000]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fill, merchantId, oneChannel } from './folders.ts';
import { computeReport, heapFlags, peakOf, withServers } from './measure.ts';

const days = 7;
const productsPerParent = 4;
const first = Date.UTC(2025, 5, 1) / 1000;

/** The statements that make products and their traffic. */
const statements = (products: number) => [
  `INSERT INTO product (channel, import_id, sku, product_id, parent_product_id,
    title, brand, image_url, link_url, price, units_per_case, fulfilled_by_marketplace)
    SELECT 1, 1, 'SKU-' || n, 'B' || n, 'P' || n // ${productsPerParent},
    'A product with a title of usual length, number ' || n, 'Brand ' || n % 50, '', '', 10 + n % 90,
    0, 1
    FROM range(${products}) AS numbers(n)`,
  `INSERT INTO traffic (channel, import_id, day, since, sku, product_id,
    parent_product_id, page_views, sessions, mobile_sessions, buy_box_weighted, buy_box_views,
    revenue, units, order_items, currency, repeats_traffic)
    SELECT 1, 1, DATE '2025-06-01' + CAST(number AS INTEGER) AS day, day, 'SKU-' || n, 'B' || n,
    'P' || n // ${productsPerParent}, hash(n + number) % 900, hash(n + number) % 300,
      hash(n + number) % 200, (hash(n + number) % 900) * 90, hash(n + number) % 900,
      (hash(n - number) % 50000) / 100, hash(n - number) % 9, hash(n - number) % 7, 'USD', 0
    FROM range(${days}) AS days(number), range(${products}) AS numbers(n) ORDER BY number, n`,
];

async function run(products: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-traffic-'));
  try {
    const key = await fill(folder, {
      channels: oneChannel,
      statements: () => statements(products),
    });
    await withServers(async (start) => {
      const service = await start('service.ts', folder, [], heapFlags);
      const before = peakOf(service.pid);
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const reportOptions = {
        fromDate: first,
        toDate: first + days * 86_400 - 1,
        timezone: 'UTC',
        view: 'skus',
      };
      const body = { channelId: 'channel', merchantId, reportOptions };
      const { rows, cpu, milliseconds } = await computeReport(
        service,
        'trafficAndConversion',
        headers,
        body,
      );
      const perSecond = (took: number) => Math.round((rows / took) * 1000).toLocaleString('en');
      console.log(
        `${rows.toLocaleString('en').padStart(10)} rows: ${perSecond(milliseconds)} rows/s, ${perSecond(cpu)} in a second of CPU; peak ${peakOf(service.pid)} MiB (${before} before)`,
      );
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const productsMost = Number(process.argv[2] ?? 1_000_000);
for (const products of [productsMost / 100, productsMost / 10, productsMost]) await run(products);
