import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { endOfDay, localDay, startOfDay } from '../src/calendar/period.ts';
import { adGroupRows, campaignRows, campaignsOf } from '../src/demonstration/campaigns.ts';
import { offersOf } from '../src/demonstration/catalogue.ts';
import {
  type Demonstration,
  fillDemonstration,
  organisationId,
} from '../src/demonstration/demonstration.ts';
import { kitchenGroupId } from '../src/demonstration/groups.ts';
import { exampleRequest, introduce } from '../src/demonstration/introduction.ts';
import { inventoryHistory } from '../src/demonstration/inventory.ts';
import { orderRowsOf } from '../src/demonstration/orders.ts';
import { type Plan, plans } from '../src/demonstration/plans.ts';
import { ratesSince } from '../src/demonstration/rates.ts';
import type { DayRows } from '../src/demonstration/rows.ts';
import { searchQueryRows } from '../src/demonstration/searches.ts';
import { simulateDays } from '../src/demonstration/simulation.ts';
import { unitCostRows } from '../src/demonstration/unitCosts.ts';
import type { Order } from '../src/endpoints/orders/contract.ts';
import type { Importer } from '../src/import/importer.ts';
import { checkClients } from './clients.ts';
import { unexplainedFields } from './demonstrationFields.ts';
import {
  type Documented,
  documentedTime,
  documents,
  type Example,
  exampleRunner,
  onDemonstration,
  openDocumented,
  openServices,
  openShell,
  readContractExamples,
  readExamples,
} from './guides.ts';
import type { World } from './harness.ts';
import { level, slow } from './level.ts';
import { checkRecipes } from './recipes/recipes.ts';
import { signIn } from './visitors.ts';

// The demonstration is filled once, for the checks of its facts and for the documents' examples.
const now = documentedTime;
const anchorDay = now / 86_400_000 - 0.5;
const lastDay = anchorDay - 1;
const secret = 'secret-of-the-tests';

const planOf = (channelId: string) => plans.find((plan) => plan.channelId === channelId)!;
const us = planOf('northwind-us');
const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) =>
  rows.reduce((total, row) => total + of(row), 0);

function between(value: number, min: number, max: number, what: string): void {
  assert.ok(value >= min && value <= max, `${what} is ${value}, not between ${min} and ${max}`);
}

/** The days of each plan that were asked for, because a simulation takes its time. */
const simulated = new Map<Plan, readonly DayRows[]>();

function daysOf(plan: Plan): readonly DayRows[] {
  // East of UTC the local day may be a day ahead.
  const days = simulated.get(plan) ?? [
    ...simulateDays(plan, anchorDay, localDay(plan.timezone, now / 1000) - 1),
  ];
  simulated.set(plan, days);
  return days;
}

let service: Documented | undefined;
let services: Awaited<ReturnType<typeof openServices>> | undefined;
let world: World;
let demonstration: Demonstration;

const progress: string[] = [];

async function open(): Promise<void> {
  service = await openDocumented(async (parts) => {
    let imports = 0;
    const dying: Pick<Importer, 'import'> = {
      import: async (asked, body) => {
        if (++imports > 3) throw new Error('the process has ended');
        return parts.importer.import(asked, body);
      },
    };
    await assert.rejects(fillDemonstration({ ...parts, importer: dying }), /the process has ended/);
    // The next start is a day later.
    return fillDemonstration({
      ...parts,
      now: now + 86_400_000,
      onProgress: (line) => progress.push(line),
    });
  });
  ({ world, demonstration } = service);
  services = await openServices(service);
}

function checkFacts(): void {
  test('an interrupted start is completed with the facts of the day on which it began', async () => {
    assert.equal(demonstration.madeAt, now);
    assert.equal(progress[0], 'Creating demonstration data (once) ...');
    const channels = await world.registry.records
      .selectFrom('channel')
      .selectAll()
      .where('organisationId', '=', organisationId)
      .execute();
    assert.equal(channels.length, plans.length);
    for (const { channelId, channelNumber } of channels) {
      const reach = new Map(
        (await world.warehouse.extents(channelNumber, 'UTC')).map(({ table, rows }) => [
          table,
          rows,
        ]),
      );
      const plan = planOf(channelId);
      const days = daysOf(plan);
      assert.equal(
        reach.get('order_line') ?? 0,
        sum(days, (day) => day.orderLines.length),
        channelId,
      );
      assert.equal(
        reach.get('campaign_day') ?? 0,
        sum(days, (day) => day.campaignDays.length),
        channelId,
      );
      assert.equal(
        reach.get('traffic_total') ?? 0,
        sum(days, (day) => (day.traffic.length > 0 ? 1 : 0)),
        channelId,
      );
      for (const [table, dataset] of [
        ['ad_group_day', 'adGroupDays'],
        ['keyword_day', 'keywordDays'],
        ['ad_product_day', 'adProductDays'],
        ['vendor_sale', 'vendorSales'],
        ['vendor_margin', 'vendorMargins'],
        ['finance_event', 'financeEvents'],
      ] as const) {
        assert.equal(
          reach.get(table) ?? 0,
          sum(days, (day) => day[dataset].length),
          `${channelId} ${table}`,
        );
      }
      const campaigns = campaignsOf(plan, anchorDay);
      assert.equal(reach.get('campaign') ?? 0, campaignRows(plan, campaigns).length, channelId);
      assert.equal(reach.get('ad_group') ?? 0, adGroupRows(plan, campaigns).length, channelId);
      assert.equal(
        reach.get('unit_cost') ?? 0,
        unitCostRows(plan, offersOf(plan), anchorDay).length,
        channelId,
      );
      assert.equal(
        reach.get('search_query') ?? 0,
        searchQueryRows(plan, anchorDay).length,
        channelId,
      );
      const lines = days.flatMap((day) => day.orderLines);
      assert.equal(reach.get('order_record') ?? 0, orderRowsOf(plan)(lines).length, channelId);
      assert.equal(
        reach.get('inventory') ?? 0,
        inventoryHistory(plan, lines, anchorDay, anchorDay).length,
        channelId,
      );
    }
    const rates = (await world.warehouse.extents(0, 'UTC')).find(
      ({ table }) => table === 'exchange_rate',
    )!;
    assert.equal(rates.rows, [...ratesSince(anchorDay - 800)].length);
  });

  test('vendor sales are filled, and targets for this year and the next', async () => {
    const { reportOptions } = exampleRequest(demonstration);
    const { channelId, merchantId } = planOf('northwind-vendor-us');
    const body = { channelId, merchantId, reportOptions };
    const vendor = await world.ask(
      demonstration.key,
      'POST',
      '/reports/view/vendorSalesByPeriod',
      body,
    );
    assert.equal(vendor.status, 200, JSON.stringify(vendor.body));
    for (const row of vendor.body.formattedChartData) {
      between(Number(row.conversionRate), 2, 40, `${row.startTime} conversionRate`);
      between(Number(row.tacosOrderedRevenue), 2, 15, `${row.startTime} tacosOrderedRevenue`);
      assert.ok(row.shippedUnits <= row.shippedUnitsManufacturing);
    }
    const range = {
      fromDate: String(Date.UTC(2026, 0, 1) / 1000),
      toDate: String(Date.UTC(2028, 0, 1) / 1000 - 1),
      timezone: 'UTC',
    };
    const query = new URLSearchParams({
      channelId: us.channelId,
      merchantId: us.merchantId,
      ...range,
      interval: 'month',
    });
    const targets = await world.ask(demonstration.key, 'GET', `/targets?${query}`);
    assert.equal(targets.status, 200, JSON.stringify(targets.body));
    assert.equal(targets.body.data.length, 24);
    assert.ok(
      targets.body.data.every(
        (row: Record<string, number>) => row.salesBudget! > 0 && row.adSpendBudget! > 0,
      ),
    );
  });

  test('Search Query Performance of a month is the sum of its searches, with the year before', async () => {
    for (const plan of plans.filter(({ marketplace }) => marketplace === 'primarymkt')) {
      const { channelId, merchantId, currency, timezone } = plan;
      const middleOf = (month: string) => String(Date.parse(`${month}-15`) / 1000);
      const query = new URLSearchParams({
        channelId,
        merchantId,
        currency,
        timezone,
        sortKey: 'impressions',
        sortOrder: 'desc',
      });
      query.append('fromDate', middleOf('2026-10'));
      query.append('toDate', middleOf('2026-10'));
      query.append('priorFromDate', middleOf('2025-10'));
      query.append('priorToDate', middleOf('2025-10'));
      const { status, body } = await world.ask(
        demonstration.key,
        'GET',
        `/search-query-performance/asins?${query}`,
      );
      assert.equal(status, 200, JSON.stringify(body));
      const dateRange = {
        fromDate: '2026-10-01',
        toDate: '2026-10-31',
        priorFromDate: '2025-10-01',
        priorToDate: '2025-10-31',
      };
      assert.deepEqual(body.meta, { currency, dateRange });
      const rows = searchQueryRows(plan, anchorDay);
      assert.deepEqual(
        body.data.map(({ asin }: { asin: string }) => asin).sort(),
        [...new Set(rows.map(({ asin }) => asin))].sort(),
      );
      for (const { asin, ...values } of body.data) {
        for (const [when, month] of [
          ['current', '2026-10'],
          ['prior', '2025-10'],
        ] as const) {
          const figures = values[when];
          const own = rows.filter((row) => row.asin === asin && row.month === month);
          for (const name of [
            'searchQueryVolume',
            'impressions',
            'clicks',
            'cartAdds',
            'purchases',
          ] as const) {
            assert.equal(
              figures[name],
              sum(own, (row) => row[name]),
              `${asin} ${month} ${name}`,
            );
          }
          for (const [name, total] of [
            ['impressions', 'totalImpressions'],
            ['clicks', 'totalClicks'],
            ['cartAdds', 'totalCartAdds'],
            ['purchases', 'totalPurchases'],
          ] as const) {
            assert.equal(
              figures[total],
              sum(own, (row) => row[total]),
              `${asin} ${month} ${total}`,
            );
            assert.ok(figures[name] <= figures[total], `${asin} ${month} ${name}`);
          }
          const cents = (of: (row: (typeof own)[number]) => number) =>
            sum(own, (row) => Math.round(of(row) * 100)) / 100;
          assert.equal(
            figures.currentRevenue,
            cents((row) => row.purchases * (row.medianPurchasePrice ?? 0)),
          );
          assert.equal(
            figures.totalOpportunity,
            cents((row) => row.totalPurchases * row.totalMedianPurchasePrice),
          );
          between(figures.impressionShare, 0.1, 5, `${asin} ${month} impressionShare`);
          // Small channels have few purchases of a product in a month.
          between(figures.cvr, 0, plan === us ? 20 : 35, `${asin} ${month} cvr`);
        }
      }
    }
  });

  test('advertising by channels is filled for every channel with advertising, in one currency', async () => {
    const { reportOptions } = exampleRequest(demonstration);
    const body = { reportOptions, currentCurrency: 'EUR' };
    const ask = async (more: object) =>
      (
        await world.ask(demonstration.key, 'POST', '/reports/view/advertisingByChannels', {
          ...body,
          ...more,
        })
      ).body.data;
    const { items, totalItems } = await ask({});
    assert.deepEqual([items.length, totalItems], [6, 6]);
    for (const item of items) {
      between(Number(item.acos), 15, 45, `${item.store} acos`);
      between(Number(item.tacos), 3, 13, `${item.store} tacos`);
      between(Number(item.pecentage_sales_NTB), 5, 30, `${item.store} new to the brand`);
      between(Number(item.cpc), 0.4, 1.6, `${item.store} cpc in euros`);
    }
    const { items: europe } = await ask({ filter: { tags: ['org://europe'] }, orderBy: 'store' });
    assert.deepEqual(
      europe.map((item: { store: string }) => item.store),
      ['Northwind Outdoor UK', 'Northwind Outdoor Germany'],
    );
    assert.equal((await ask({ filter: { tags: ['watch'] } })).totalItems, 1);
  });

  test('sales by channel are filled for every channel, and no store looks like another', async () => {
    const { fromDate, toDate, timezone } = exampleRequest(demonstration).reportOptions;
    const prior = { priorFromDate: fromDate - (toDate + 1 - fromDate), priorToDate: fromDate - 1 };
    const asked = { fromDate, toDate, timezone, ...prior, currentCurrency: 'EUR' };
    const path = '/reports/view/salesByChannel';
    const { status, body } = await world.ask(demonstration.key, 'POST', path, asked);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.count, plans.length);
    let split = 0;
    for (const row of body.rows) {
      split += row.salesSplit;
      between(row.sales.value / row.budgetTarget, 0.6, 1.3, `${row.store} of its budget`);
      between(row.avOrderSize.value || 1, 1, 2, `${row.store} units per order line`);
    }
    between(split, 99.9, 100.1, 'all shares of sales');
  });

  test('there is a group of products and a group of campaigns', async () => {
    const { channelId, merchantId } = us;
    const query = new URLSearchParams({ channelId, merchantId });
    const { body } = await world.ask(demonstration.key, 'GET', `/customGroups?${query}`);
    assert.deepEqual(
      body.groups.map((group: { groupName: string }) => group.groupName),
      ['Bottles', 'Brands besides our own'],
    );
    const group = await world.ask(
      demonstration.key,
      'GET',
      `/customGroups/${body.groups[0].groupId}?${query}`,
    );
    assert.equal(group.body.group.products.length, 4);
    const campaigns = await world.registry.records
      .selectFrom('campaignGroupCampaign')
      .select('campaignId')
      .where('campaignGroupId', '=', kitchenGroupId)
      .execute();
    // Two campaigns in the first channel, one in each of the others.
    assert.equal(campaigns.length, 7);
  });

  const expenseLines = [
    'advertisingSpend',
    'sellingFees',
    'shippingFees',
    'refundsAndReturnsOverheads',
    'cogs',
    'otherExpenses',
  ];
  const profitLines = [
    'sales',
    'refunds',
    'promotions',
    'reimbursements',
    'otherIncome',
    ...expenseLines,
  ];

  test('monthly profit and loss of every seller channel is plausible', async () => {
    const never = new Set(profitLines);
    for (const plan of plans) {
      const { channelId, merchantId } = plan;
      const ask = (fromDate: number, toDate: number) => {
        const reportOptions = {
          fromDate: fromDate / 1000,
          toDate: toDate / 1000 - 1,
          timezone: 'UTC',
        };
        return world.ask(demonstration.key, 'POST', '/profitability/storeProfitAndLoss', {
          channelId,
          merchantId,
          reportOptions,
        });
      };
      if (plan.kind === 'vendor') {
        assert.equal((await ask(Date.UTC(2025, 10), Date.UTC(2026, 10))).status, 400);
        continue;
      }
      const posted = daysOf(plan).flatMap((day) => day.financeEvents);
      for (let month = 10; month < 22; month += level === 'deep' ? 1 : 4) {
        const [from, to] = [Date.UTC(2025, month), Date.UTC(2025, month + 1)];
        const { status, body } = await ask(from, to);
        assert.equal(status, 200, JSON.stringify(body));
        const what = `${channelId} ${new Date(from).toISOString().slice(0, 7)}`;
        const own = posted.filter(
          ({ line, postedAt }) =>
            line === 'sales' && postedAt >= from / 1000 && postedAt < to / 1000,
        );
        assert.equal(
          Math.round(body.sales * 100),
          sum(own, ({ amount }) => Math.round(amount * 100)),
          what,
        );
        between(
          (body.totalRevenue - body.totalExpenses) / body.totalRevenue,
          0.02,
          0.3,
          `${what}: net margin`,
        );
        if (plan.adShare > 0)
          between(body.advertisingSpend / body.sales, 0.05, 0.16, `${what}: spend over sales`);
        else assert.equal(body.advertisingSpend, 0, what);
        between(body.cogs / body.sales, 0.25, 0.45, `${what}: cost of goods over sales`);
        between(body.sellingFees / body.sales, 0.03, 0.23, `${what}: fees over sales`);
        between(body.shippingFees / body.sales, 0.08, 0.32, `${what}: shipping over sales`);
        for (const line of profitLines) if (body[line] !== 0) never.delete(line);
      }
    }
    assert.deepEqual([...never], []);
  });

  test('profit and loss by product adds up to the store, and self-shipped products bear their shipping', async () => {
    const { channelId, merchantId } = us;
    const range = { fromDate: Date.UTC(2025, 11) / 1000, toDate: Date.UTC(2026, 0) / 1000 - 1 };
    const ask = async (path: string, more: object) => {
      const { body } = await world.ask(demonstration.key, 'POST', `/profitability/${path}`, {
        ...{ channelId, merchantId },
        reportOptions: { ...range, ...more },
      });
      return body;
    };
    const { productEvents, count } = await ask('productProfitAndLoss', { pageSize: 50 });
    assert.equal(count, us.products);
    const store = await ask('storeProfitAndLoss', {});
    const cents = (rows: readonly Record<string, number>[], line: string) =>
      sum(rows, (row) => Math.round(row[line]! * 100));
    for (const line of ['sales', 'refunds', 'promotions'])
      assert.equal(cents(productEvents, line), cents([store], line), line);
    const poles = productEvents.find(
      ({ sellerSku }: { sellerSku: string }) => sellerSku === 'NW-POLES',
    );
    assert.ok(
      poles.shippingFees > 0 &&
        poles.title === 'Northwind Carbon Trekking Poles, pair' &&
        poles.productSku.startsWith('B0'),
    );
    assert.ok(
      productEvents.filter((row: Record<string, number>) => row.advertisingSpend! > 0).length >=
        us.advertised,
    );
  });

  test('orders of every channel of the primary marketplace are listed, with every field filled', async () => {
    for (const { channelId, merchantId, marketplace, kind, currency } of plans) {
      const answer = await world.ask(demonstration.key, 'POST', '/orders/primarymkt', {
        ...{
          channelId,
          merchantId,
          fromDate: now / 1000 - 30 * 86_400,
          toDate: now / 1000,
          pageSize: 100,
        },
      });
      if (marketplace !== 'primarymkt' || kind === 'vendor') {
        assert.equal(answer.status, 400, channelId);
        continue;
      }
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.equal(answer.body.data.length, 100);
      for (const order of answer.body.data) {
        assert.match(order.BuyerInfo.BuyerEmail, /^[a-z0-9]{14}@primarymkt\.example$/);
        const isFree = order.OrderStatus === 'Canceled' || order.IsReplacementOrder;
        assert.equal(order.OrderTotal.Amount > 0, !isFree, order.PlatformOrderId);
        assert.equal(
          order.OrderTotal.CurrencyCode,
          order.OrderStatus === 'Canceled' ? '' : currency,
        );
        for (const { City, PostalCode, CountryCode } of [
          order.ShippingAddress,
          order.DefaultShipFromLocationAddress,
        ])
          assert.ok(City !== '' && PostalCode !== '' && CountryCode.length === 2);
        const { AutomatedShippingSettings: _, ...values } = order;
        for (const [name, value] of Object.entries(values))
          assert.notEqual(value, '', `${channelId} ${name}`);
      }
    }
  });

  test('sales, units and advertising agree wherever they are answered', async () => {
    const secondsPerDay = 86_400;
    for (const plan of plans.filter(({ kind }) => kind === 'seller')) {
      const { channelId, merchantId, timezone, currency } = plan;
      const from = startOfDay(timezone, lastDay - 90)!;
      const to = endOfDay(timezone, lastDay - 31)!;
      const reportOptions = { fromDate: from, toDate: to, timezone };
      const ask = async (path: string, more: object) => {
        const sent = { channelId, merchantId, reportOptions, ...more };
        const { status, body } = await world.ask(demonstration.key, 'POST', path, sent);
        assert.equal(status, 200, JSON.stringify(body));
        return body;
      };
      const rows: Record<string, string>[] = (
        await ask('/reports/view/salesByPeriod', { reportOptions: { ...reportOptions } })
      ).formattedChartData;
      const total = (name: string) => sum(rows, (row) => Number(row[name]));
      const statement = await ask('/profitability/storeProfitAndLoss', {
        reportOptions: { ...reportOptions, includeTax: plan.tax !== 'byState' },
      });
      const net = (await ask('/reports/view/salesByPeriod', { includeTax: plan.tax !== 'byState' }))
        .formattedChartData;
      // Sales are posted a day or two after the order.
      const sales = sum(net, (row: Record<string, string>) => Number(row.sales));
      between(statement.sales / sales, 0.93, 1.07, `${channelId}: posted over ordered sales`);
      if (plan.marketplace === 'primarymkt') {
        const orders: Order[] = [];
        let key: string | undefined;
        do {
          const page = await ask('/orders/primarymkt', {
            ...{ fromDate: from, toDate: to, pageSize: 100 },
            ...(key !== undefined && { key }),
          });
          orders.push(...page.data);
          key = page.meta.key;
        } while (key !== undefined);
        const units = sum(
          orders,
          (order) => order.NumberOfItemsShipped + order.NumberOfItemsUnshipped,
        );
        assert.equal(units, total('unitsSold'), channelId);
        const paid = sum(orders, (order) => order.OrderTotal.Amount);
        between(paid / total('sales'), 0.93, 1.03, `${channelId}: paid over sales`);
        assert.ok(orders.some((order) => order.OrderStatus === 'Canceled'));
        // Sales go back to the same day as their orders.
        const first = anchorDay - plan.orderDays;
        const [fromDate, toDate] = [startOfDay(timezone, first)!, endOfDay(timezone, first)!];
        const [{ unitsSold }] = (
          await ask('/reports/view/salesByPeriod', {
            reportOptions: { fromDate, toDate, timezone },
          })
        ).formattedChartData;
        const { data } = await ask('/orders/primarymkt', { fromDate, toDate, pageSize: 100 });
        assert.ok(unitsSold > 0, channelId);
        assert.equal(
          sum(data as Order[], (order) => order.NumberOfItemsShipped),
          unitsSold,
          channelId,
        );
        const before = { fromDate: fromDate - 86_400 * 400, toDate: fromDate - 1, timezone };
        const earlier = (
          await ask('/reports/view/salesByPeriod', { reportOptions: { ...before, interval: 'y' } })
        ).formattedChartData;
        assert.equal(
          sum(earlier, (row: { unitsSold: number }) => row.unitsSold),
          0,
          channelId,
        );
      }
      if (plan.adShare === 0) {
        assert.deepEqual([total('adSpend'), statement.advertisingSpend], [0, 0], channelId);
        continue;
      }
      const query = new URLSearchParams({
        ...{ channelId, fromDate: String(from), toDate: String(to), currency, pageSize: '100' },
      });
      const minor = (amount: number | string) => Math.round(Number(amount) * 10 ** plan.decimals);
      const figures = async (list: string) => {
        const { body } = await world.ask(demonstration.key, 'GET', `/advertising/${list}?${query}`);
        const found: Record<string, number>[] = body.data;
        return {
          cost: sum(found, (row) => minor(row.cost!)),
          sales: sum(found, (row) => minor(row.attributed_sales!)),
          clicks: sum(found, (row) => row.clicks!),
          orders: sum(found, (row) => row.attributed_conversions!),
        };
      };
      const campaigns = await figures('campaigns');
      assert.deepEqual(await figures('adGroups'), campaigns, channelId);
      assert.deepEqual(await figures('products'), campaigns, channelId);
      const { data } = await ask('/reports/view/advertisingByChannels', {
        ...{ currentCurrency: currency, searchText: plan.displayName },
      });
      const item = data.items.find(({ store }: { store: string }) => store === plan.displayName);
      assert.deepEqual(
        [minor(item.spend), minor(item.adsales), item.clicks, item.orders],
        [campaigns.cost, campaigns.sales, campaigns.clicks, campaigns.orders],
        channelId,
      );
      assert.equal(minor(total('adSpend')), campaigns.cost, channelId);
      const days = (to + 1 - from) / secondsPerDay;
      const charged = minor(statement.advertisingSpend) / campaigns.cost;
      between(charged, 1 - 6 / days, 1 + 6 / days, `${channelId}: charged over spent`);
    }
  });

  test('owner and member sign in with the printed passwords and see their own data', async () => {
    const [owner, member] = demonstration.users;
    assert.match(owner!.password!, /^(?:[a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    assert.notEqual(member!.password, owner!.password);
    const byOwner = await signIn(world, owner!.email, { password: owner!.password! });
    const { keys, apiAccess, channels } = await byOwner.get('/account/access');
    assert.deepEqual([keys.length, apiAccess, channels], [1, true, plans.length]);
    const revealed = await byOwner.ask('POST', `/account/keys/${keys[0].keyId}/reveal`);
    assert.equal(revealed.body.key, demonstration.key);
    const byMember = await signIn(world, member!.email, { password: member!.password! });
    const access = await byMember.get('/account/access');
    assert.deepEqual(
      [access.keys, access.channels, access.administrators],
      [[], 2, [owner!.email]],
    );
  });

  test('a password that a user has changed stays and is not printed', async () => {
    const { registry, warehouse } = world;
    const [owner, member] = demonstration.users;
    await world.operate('PATCH', `/operator/users/${owner!.userId}`, {
      password: 'chosen by a visitor',
    });
    const importer = { import: () => Promise.reject(new Error('nothing is to be imported')) };
    const config = { secret, environment: 'production' as const };
    const again = await fillDemonstration({ registry, warehouse, importer, config, now });
    assert.deepEqual(again.users, [{ ...owner, password: undefined }, member]);
    const text = introduce(again, { ...place, isTerminal: true });
    const advice = `(changed; reset it: npm run vitrine -- users link ${owner!.userId})`;
    assert.ok(text.includes(`${owner!.email}  ${advice}`));
    await world.operate('PATCH', `/operator/users/${owner!.userId}`, {
      password: owner!.password,
    });
  });

  test('the next start finds it with the same key, and imports nothing', async () => {
    const { registry, warehouse } = world;
    const importer = { import: () => Promise.reject(new Error('nothing is to be imported')) };
    const again = { registry, warehouse, importer, now: now + 5 * 86_400_000 };
    const config = { secret, environment: 'production' as const };
    assert.deepEqual(await fillDemonstration({ ...again, config }), demonstration);
    // Other keys of the owner, older or newer, change nothing.
    for (const days of [-1, 3]) {
      world.clock.now = now + days * 86_400_000;
      const { userId } = demonstration.users[0]!;
      const { keyId } = await world.operate('POST', '/operator/keys', { userId });
      assert.equal((await fillDemonstration({ ...again, config })).key, demonstration.key);
      await world.operate('DELETE', `/operator/keys/${keyId}`);
    }
    world.clock.now = now;
    // A key sealed with another secret cannot be opened, so a new one is issued; the passwords
    // derived from the old secret are unknown.
    const other = { secret: 'another-secret-of-the-tests', environment: 'production' as const };
    const reissued = await fillDemonstration({ ...again, config: other });
    assert.notEqual(reissued.key, demonstration.key);
    assert.deepEqual(
      reissued.users.map(({ password }) => password),
      [undefined, undefined],
    );
    assert.equal((await fillDemonstration({ ...again, config: other })).key, reissued.key);
    assert.equal((await fillDemonstration({ ...again, config })).key, demonstration.key);
  });

  test('sales by period are filled for every seller channel', async () => {
    for (const { channelId, merchantId, timezone, currency, hasTraffic, kind } of plans) {
      const { reportOptions } = exampleRequest(demonstration);
      const body = {
        channelId,
        merchantId,
        reportOptions: { ...reportOptions, timezone, interval: 'd' },
      };
      const answer = await world.ask(
        demonstration.key,
        'POST',
        '/reports/view/salesByPeriod',
        body,
      );
      if (kind === 'vendor') {
        assert.equal(answer.status, 400);
        continue;
      }
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.equal(answer.body.currency, currency);
      const rows = answer.body.formattedChartData as Record<string, string | number>[];
      assert.ok(rows.length >= 30);
      // The range belongs to the first channel, where days start at another time.
      for (const row of rows.slice(1, -1)) {
        assert.ok(
          Number(row.sales) > 0 && Number(row.unitsSold) > 0,
          `${channelId} ${row.startTime}`,
        );
        if (hasTraffic)
          assert.ok(
            Number(row.totalSessions) > 0 && Number(row.adSpend) > 0 && Number(row.tacos) > 0,
            `${channelId} ${row.startTime}`,
          );
      }
    }
  });

  test('the introduction shows the key and a request to paste', () => {
    const text = introduce(demonstration, { ...place, isTerminal: true });
    const line = text.split('\n').find((one) => one.startsWith('curl '))!;
    const body = JSON.parse(/-d '(.*)'$/.exec(line)![1]!);
    assert.ok(line.includes(demonstration.key) && !/[^ -~]/.test(line));
    assert.ok(text.includes('Sign in                    http://127.0.0.1:8080/console/\n'));
    for (const { email, password } of demonstration.users)
      assert.ok(text.includes(`${email}  ${password}\n`), text);
    assert.deepEqual(body, exampleRequest(demonstration));
    assert.equal(localDay(us.timezone, body.reportOptions.toDate), lastDay);
  });

  test('printed into a log, the introduction names a file for its owner with what is secret', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-introduction-'));
    try {
      const text = introduce(demonstration, { ...place, dataFolder: folder, isTerminal: false });
      const secrets = [demonstration.key, ...demonstration.users.map(({ password }) => password!)];
      for (const secret of secrets) assert.ok(!text.includes(secret));
      const file = join(folder, 'demonstration.env');
      const kept = await readFile(file, 'utf8');
      for (const secret of secrets) assert.ok(kept.includes(secret));
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      const line = text.split('\n').find((one) => one.includes('curl '))!;
      const sent = execFileSync('bash', ['-c', line.replace('curl', 'echo')], { encoding: 'utf8' });
      assert.ok(sent.includes(`x-api-key: ${demonstration.key}`), sent);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('every field of every answer and report varies, or there is a reason', async () => {
    assert.deepEqual(await unexplainedFields(world, demonstration), []);
  });
}

const place = { address: 'http://127.0.0.1:8080', dataFolder: '/data' };

/** Tries the examples of a document, or of the description where it names none. */
function checkExamples(document: string, examples: readonly Example[]): void {
  let run: ReturnType<typeof exampleRunner>;
  before(async () => {
    const asked = services!.serviceFor(document);
    run = exampleRunner(openShell(asked, await asked.folderFor()));
  });
  for (const example of examples) {
    test(`${example.place}: ${example.command.split(/ *\\?\n/, 1)}`, async () => {
      const { difference, isRefused, out } = await run(example);
      assert.equal(difference, undefined, `${example.place}: ${difference}`);
      assert.ok(example.answer || !isRefused, `${example.place} is refused: ${out}`);
    });
  }
}

describe('the demonstration', slow, () => {
  before(open);
  after(async () => {
    await services?.close();
    await service?.close();
  });

  describe('the demonstration in the stores', checkFacts);
  const tried = level === 'deep' ? documents : onDemonstration;
  for (const document of tried) {
    const markdown = readFileSync(new URL(`../${document}`, import.meta.url), 'utf8');
    describe(`the examples of ${document}`, () =>
      checkExamples(document, readExamples(document, markdown)));
  }
  describe('the examples of the description of the interface', () =>
    checkExamples('', readContractExamples()));
  describe('the recipes', () => checkRecipes(() => service!));
  // Last, because they change what the examples show.
  describe('the clients', () => checkClients(() => service!));
});
