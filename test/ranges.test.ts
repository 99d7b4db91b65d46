/** A range of 3,000 years costs no more than the range of the facts, and answers the same. */

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ReportType } from '../src/contract/reports.ts';
import { reports } from '../src/endpoints/reports/create/reports.ts';
import { type Answer, type Method, onOnePair, type Tenant, type World } from './harness.ts';
import { importRows } from './imports.ts';
import { level } from './level.ts';
import { csvOf } from './reports.ts';
import { tablesBeside } from './table.ts';
import { counted, type Work, workOf } from './work.ts';
import { importFacts } from './world.ts';

const ages = { fromDate: 0, toDate: 1e11 };
const prior = { priorFromDate: 0, priorToDate: 1e11 };
/** 2025-02-01 to 2025-03-31 in UTC, where all facts are, a day before and after. */
const own = { fromDate: 1_738_281_600, toDate: 1_743_551_999 };
const ownPrior = { priorFromDate: own.fromDate, priorToDate: own.toDate };
/** The first changes its clocks twice a year; the second had an odd offset until 1972. */
const zones = ['America/Denver', 'Africa/Monrovia'];

onOnePair(
  'Ranges of 3,000 years',
  (world) => {
    let seller: Tenant;
    let vendor: Tenant;

    before(async () => {
      seller = await world().tenant({ channelId: 'ages' });
      vendor = await world().tenant({ channelId: 'vendor-ages', channel: { kind: 'vendor' } });
      await importWorld(world(), seller, vendor);
    });

    /** Asks twice for the same and compares; `shown` picks what has to be equal. */
    async function compare(
      tenant: () => Tenant,
      [method, path]: [Method, string],
      requestOf: (range: typeof own & typeof ownPrior) => object,
      shown: (body: Answer['body']) => unknown = (body) => body,
      // Segments serve the usual range only, without any question.
      send: World['ask'] = world().askUncached,
    ) {
      const { key, channelId, merchantId } = tenant();
      const ask = async (range: typeof own & typeof ownPrior) => {
        const request = { channelId, merchantId, ...requestOf(range) };
        const query = new URLSearchParams(request as Record<string, string>);
        const answer =
          method === 'GET'
            ? await send(key, 'GET', `${path}?${query}`)
            : await send(key, method, path, request);
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        return shown(answer.body);
      };
      const [usual, least] = await workOf(() => ask({ ...own, ...ownPrior }));
      const [endless, most] = await workOf(() => ask({ ...ages, ...prior }));
      assert.deepEqual(endless, usual, path);
      noMore(path, most, least);
    }

    function noMore(path: string, most: Work, least: Work) {
      // The ends of a range within a day take a question and a few entries.
      assert.ok(most.questions <= least.questions + 3, `${path}: ${most.questions} questions`);
      assert.ok(most.entries <= least.entries + 10, `${path}: ${most.entries} entries`);
      assert.ok(most.rows <= least.rows + 2, `${path}: ${most.rows} rows`);
    }

    for (const timezone of level === 'deep' ? zones : zones.slice(0, 1)) {
      test(`Views and profit and loss in ${timezone}`, async () => {
        await compare(
          () => seller,
          ['POST', '/reports/view/advertisingByChannels'],
          (range) => ({ reportOptions: { ...range, timezone }, currentCurrency: 'EUR' }),
        );
        await compare(
          () => seller,
          ['POST', '/reports/view/salesByChannel'],
          (range) => ({ ...range, timezone, currentCurrency: 'EUR' }),
          ({ rows }) =>
            rows.map(({ sales, orders, units, pageViews }: Record<string, unknown>) => ({
              sales,
              orders,
              units,
              pageViews,
            })),
        );
        const sums = ({ formattedChartData: rows }: Answer['body']) =>
          rows
            .filter((row: { unitsSold: number }) => row.unitsSold > 0)
            .map(({ sales, unitsSold, priorSales, adSpend }: Record<string, unknown>) => ({
              sales,
              unitsSold,
              priorSales,
              adSpend,
            }));
        for (const sellerSkus of [[], ['A-1']])
          await compare(
            () => seller,
            ['POST', '/reports/view/salesByPeriod'],
            (range) => ({ sellerSkus, reportOptions: { ...range, timezone, interval: 'y' } }),
            sums,
          );
        await compare(
          () => seller,
          ['POST', '/profitability/storeProfitAndLoss'],
          (range) => ({ reportOptions: { ...range, timezone } }),
        );
      });
    }

    test('Product profit and loss, orders and search queries', async () => {
      await compare(
        () => seller,
        ['POST', '/profitability/productProfitAndLoss'],
        (reportOptions) => ({ reportOptions }),
      );
      for (const dateField of ['createdAt', 'updatedAt'])
        await compare(
          () => seller,
          ['POST', '/orders/primarymkt'],
          ({ fromDate, toDate }) => ({ fromDate, toDate, dateField }),
          ({ data }) => data,
        );
      await compare(
        () => seller,
        ['GET', '/search-query-performance/asins'],
        (range) => ({ ...range, timezone: 'America/Denver', currency: 'EUR' }),
        ({ data }) => data,
      );
    });

    test('Vendor sales and targets', async () => {
      await compare(
        () => vendor,
        ['POST', '/reports/view/vendorSalesByPeriod'],
        (range) => ({ reportOptions: { ...range, timezone: 'America/Denver', interval: 'y' } }),
        ({ formattedChartData: rows }) =>
          rows
            .filter((row: { orderedUnits: number }) => row.orderedUnits > 0)
            .map((row: { orderedRevenue: string }) => row.orderedRevenue),
      );
      // At most 4,000 buckets, here 320 years.
      await compare(
        () => seller,
        ['GET', '/targets'],
        ({ fromDate, toDate: end }) => {
          const toDate = Math.min(end, 1e10);
          return { fromDate, toDate, timezone: 'America/Denver', interval: 'month' };
        },
        ({ totals }) => totals,
      );
    });

    test('CSV reports', async () => {
      const rowsOf = async (type: ReportType, options: object) => {
        const tenant = reports[type].channelKind === 'vendor' ? vendor : seller;
        const { rows } = await csvOf(world(), tenant, type, { timezone: zones[0], ...options });
        return rows.filter((row) => row.some((cell) => /^[1-9]\d*$/.test(cell)));
      };
      const types: [ReportType, object][] = [
        ['customerLifetimeValue', { interval: 'y' }],
        ['cancellationsAndRefunds', {}],
        ['orderedRevenue', {}],
        ['channelProfitAndLoss', {}],
      ];
      if (level === 'deep')
        types.push(
          ['trafficAndConversion', { view: 'skus' }],
          ['repeatPurchase', {}],
          ['shippedRevenue', { view: 'manufacturing' }],
          ['marketingByProduct', {}],
        );
      for (const [type, options] of types) {
        const [usual, least] = await workOf(() =>
          rowsOf(type, { ...own, ...ownPrior, ...options }),
        );
        const [endless, most] = await workOf(() => rowsOf(type, { ...ages, ...prior, ...options }));
        assert.ok(usual.length > 0, type);
        assert.equal(endless.length, usual.length, type);
        noMore(type, most, least);
      }
    });
  },
  { between: counted },
);

async function importWorld(world: World, seller: Tenant, vendor: Tenant): Promise<void> {
  // Rates of fifty years; the facts need only two months.
  const rates = Array.from({ length: 50 }, (_, index) => `${1975 + index}-01-04`)
    .concat('2025-02-15', '2025-03-31')
    .map((date) => ({ date, currency: 'USD', perEuro: '1.25' }));
  await importRows(world, 'exchangeRates', undefined, rates);
  const { vendorSales = '', ...facts } = tablesBeside(import.meta.url, 'ranges.facts.txt');
  await importFacts(world, seller.channelId, facts);
  await importFacts(world, vendor.channelId, { vendorSales });
}
