/** The facts of the demonstration as its service answers them: complete, plausible, in agreement. */
import assert from 'node:assert/strict';
import { adGroupRows, campaignRows, campaignsOf } from '../demonstration/campaigns.ts';
import { offersOf } from '../demonstration/catalogue.ts';
import { type Demonstration, organisationId } from '../demonstration/demonstration.ts';
import { exampleRequest } from '../demonstration/introduction.ts';
import { inventoryHistory } from '../demonstration/inventory.ts';
import { newCharges } from '../demonstration/newCharges.ts';
import { orderRowsOf } from '../demonstration/orders.ts';
import { type Plan, plans } from '../demonstration/plans.ts';
import { searchQueryRows } from '../demonstration/searches.ts';
import { unitCostRows } from '../demonstration/unitCosts.ts';
import { endOfDay, startOfDay } from '../src/calendar/period.ts';
import type { Order } from '../src/endpoints/orders/contract.ts';
import { between, businessAt, planOf, ratesSince, sum } from './business.ts';
import { documentedTime as now } from './guides.ts';
import type { World } from './harness.ts';
import { deepTest } from './level.ts';
import { recordsOf } from './records.ts';

/** The service with the whole demonstration. */
type Filled = { readonly world: World; readonly demonstration: Demonstration };
// biome-ignore lint/suspicious/noExplicitAny: the answers of many operations.
type Answer = any;

const { anchorDay, daysOf, factsOf } = businessAt(now);
const lastDay = anchorDay - 1;
const us = planOf('northwind-us');
const secondsPerDay = 86_400;
const profitLines = [
  ...['sales', 'refunds', 'promotions', 'reimbursements', 'otherIncome', 'advertisingSpend'],
  ...['sellingFees', 'shippingFees', 'refundsAndReturnsOverheads', 'cogs', 'otherExpenses'],
];
/** Sums of searches, and sums of all products that were found. */
const searchSums = {
  impressions: 'totalImpressions',
  clicks: 'totalClicks',
  cartAdds: 'totalCartAdds',
  purchases: 'totalPurchases',
} as const;

/** The number of rows that each table of a plan has. */
function rowsExpected(plan: Plan): Record<string, number> {
  const lines = factsOf(plan, 'orderLines');
  const campaigns = campaignsOf(plan, anchorDay);
  return {
    order_line: lines.length,
    campaign_day: factsOf(plan, 'campaignDays').length,
    traffic_total: daysOf(plan).filter((day) => day.traffic.length > 0).length,
    ad_group_day: factsOf(plan, 'adGroupDays').length,
    keyword_day: factsOf(plan, 'keywordDays').length,
    ad_product_day: factsOf(plan, 'adProductDays').length,
    vendor_sale: factsOf(plan, 'vendorSales').length,
    vendor_margin: factsOf(plan, 'vendorMargins').length,
    finance_event: factsOf(plan, 'financeEvents').length + newCharges(plan, anchorDay).length,
    campaign: campaignRows(plan, campaigns).length,
    ad_group: adGroupRows(plan, campaigns).length,
    unit_cost: unitCostRows(plan, offersOf(plan), anchorDay).length,
    search_query: searchQueryRows(plan, anchorDay).length,
    order_record: orderRowsOf(plan)(lines).length,
    inventory: inventoryHistory(plan, lines, anchorDay, anchorDay).length,
  };
}

/** Checks the facts; the demonstration is there when the tests run. */
export function checkFacts(filled: () => Filled): void {
  const ask = async (method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> => {
    const { world, demonstration } = filled();
    const answer = await world.ask(demonstration.key, method, path, body);
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const statusOf = async (path: string, body: object) => {
    const { world, demonstration } = filled();
    return (await world.ask(demonstration.key, 'POST', path, body)).status;
  };

  deepTest('an interrupted start is completed with the facts of its first day', async () => {
    const { world, demonstration } = filled();
    assert.equal(demonstration.madeAt, now);
    const channels = await recordsOf(world, 'channel', { organisationId });
    assert.equal(channels.length, plans.length);
    for (const { channelId, channelNumber } of channels) {
      const extents = await world.warehouse.extents(channelNumber, 'UTC');
      const reach = new Map(extents.map(({ table, rows }) => [table as string, rows]));
      for (const [table, rows] of Object.entries(rowsExpected(planOf(channelId))))
        assert.equal(reach.get(table) ?? 0, rows, `${channelId} ${table}`);
    }
    const common = await world.warehouse.extents(0, 'UTC');
    const rates = common.find(({ table }) => table === 'exchange_rate')!;
    assert.equal(rates.rows, ratesSince(anchorDay - 800).length);
  });

  deepTest('Search Query Performance sums up its searches, with the year before', async () => {
    for (const plan of plans.filter(({ marketplace }) => marketplace === 'primarymkt')) {
      const { channelId, merchantId, currency, timezone } = plan;
      const middleOf = (month: string) => String(Date.parse(`${month}-15`) / 1000);
      const [month, before] = [middleOf('2026-10'), middleOf('2025-10')];
      const prior = { priorFromDate: before, priorToDate: before };
      const months = { fromDate: month, toDate: month, ...prior };
      const store = { channelId, merchantId, currency, timezone };
      const order = { sortKey: 'impressions', sortOrder: 'desc' };
      const query = new URLSearchParams({ ...store, ...order, ...months });
      const body = await ask('GET', `/search-query-performance/asins?${query}`);
      const priorRange = { priorFromDate: '2025-10-01', priorToDate: '2025-10-31' };
      const dateRange = { fromDate: '2026-10-01', toDate: '2026-10-31', ...priorRange };
      assert.deepEqual(body.meta, { currency, dateRange });
      const rows = searchQueryRows(plan, anchorDay);
      const asins = new Set(rows.map(({ asin }) => asin));
      assert.deepEqual(body.data.map(({ asin }: Answer) => asin).sort(), [...asins].sort());
      for (const { asin, ...sides } of body.data)
        for (const [side, month] of Object.entries({ current: '2026-10', prior: '2025-10' })) {
          const figures = sides[side];
          const own = rows.filter((row) => row.asin === asin && row.month === month);
          assertSums(figures, own, `${asin} ${month}`);
          between(figures.impressionShare, 0.1, 5, `${asin} ${month} impressionShare`);
          // Small channels have few purchases of a product in a month.
          between(figures.cvr, 0, plan === us ? 20 : 35, `${asin} ${month} cvr`);
        }
    }
  });

  type Searches = ReturnType<typeof searchQueryRows>;
  function assertSums(figures: Answer, own: Searches, what: string): void {
    for (const name of ['searchQueryVolume', 'impressions', 'clicks', 'cartAdds', 'purchases'])
      assert.equal(figures[name], sum(own, name as keyof Searches[0]), `${what} ${name}`);
    for (const [name, total] of Object.entries(searchSums)) {
      assert.equal(figures[total], sum(own, total), `${what} ${total}`);
      assert.ok(figures[name] <= figures[total], `${what} ${name}`);
    }
    const cents = (of: (row: Searches[0]) => number) =>
      sum(own, (row) => Math.round(of(row) * 100)) / 100;
    const revenue = cents((row) => row.purchases * (row.medianPurchasePrice ?? 0));
    assert.equal(figures.currentRevenue, revenue, what);
    const market = cents((row) => row.totalPurchases * row.totalMedianPurchasePrice);
    assert.equal(figures.totalOpportunity, market, what);
  }

  deepTest('advertising by channels is filled wherever there is any, in one currency', async () => {
    const { reportOptions } = exampleRequest(filled().demonstration);
    const found = async (more: object) => {
      const body = { reportOptions, currentCurrency: 'EUR', ...more };
      return (await ask('POST', '/reports/view/advertisingByChannels', body)).data;
    };
    const { items, totalItems } = await found({});
    assert.deepEqual([items.length, totalItems], [6, 6]);
    for (const item of items) {
      between(Number(item.acos), 15, 45, `${item.store} acos`);
      between(Number(item.tacos), 3, 13, `${item.store} tacos`);
      between(Number(item.pecentage_sales_NTB), 5, 30, `${item.store} new to the brand`);
      between(Number(item.cpc), 0.4, 1.6, `${item.store} cpc in euros`);
    }
    const ofEurope = { filter: { tags: ['org://europe'] }, orderBy: 'store' };
    const europe = (await found(ofEurope)).items.map(({ store }: Answer) => store);
    assert.deepEqual(europe, ['Northwind Outdoor UK', 'Northwind Outdoor Germany']);
    assert.equal((await found({ filter: { tags: ['watch'] } })).totalItems, 1);
  });

  deepTest('sales by channel are filled for each, and no store looks like another', async () => {
    const { fromDate, toDate, timezone } = exampleRequest(filled().demonstration).reportOptions;
    const prior = { priorFromDate: 2 * fromDate - toDate - 1, priorToDate: fromDate - 1 };
    const input = { fromDate, toDate, timezone, ...prior, currentCurrency: 'EUR' };
    const body = await ask('POST', '/reports/view/salesByChannel', input);
    assert.equal(body.count, plans.length);
    for (const row of body.rows) {
      between(row.sales.value / row.budgetTarget, 0.6, 1.3, `${row.store} of its budget`);
      between(row.avOrderSize.value || 1, 1, 2, `${row.store} units per order line`);
    }
    between(sum(body.rows as Answer[], 'salesSplit'), 99.9, 100.1, 'all shares of sales');
  });

  deepTest('monthly profit and loss of every seller channel is plausible', async () => {
    const never = new Set(profitLines);
    const path = '/profitability/storeProfitAndLoss';
    const inputOf = ({ channelId, merchantId }: Plan, from: number, to: number) => {
      const reportOptions = { fromDate: from / 1000, toDate: to / 1000 - 1, timezone: 'UTC' };
      return { channelId, merchantId, reportOptions };
    };
    for (const plan of plans) {
      if (plan.kind === 'vendor') {
        const year = inputOf(plan, Date.UTC(2025, 10), Date.UTC(2026, 10));
        assert.equal(await statusOf(path, year), 400);
        continue;
      }
      const posted = factsOf(plan, 'financeEvents').filter(({ line }) => line === 'sales');
      for (let month = 10; month < 22; month++) {
        const [from, to] = [Date.UTC(2025, month), Date.UTC(2025, month + 1)];
        const body = await ask('POST', path, inputOf(plan, from, to));
        const what = `${plan.channelId} ${new Date(from).toISOString().slice(0, 7)}`;
        const isOfMonth = (at: number) => at >= from / 1000 && at < to / 1000;
        const own = posted.filter(({ postedAt }) => isOfMonth(postedAt));
        const cents = sum(own, ({ amount }) => Math.round(amount * 100));
        assert.equal(Math.round(body.sales * 100), cents, what);
        const margin = (body.totalRevenue - body.totalExpenses) / body.totalRevenue;
        between(margin, 0.02, 0.3, `${what}: net margin`);
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

  deepTest('profit by product adds up to the store; own shipping is on its product', async () => {
    const { channelId, merchantId } = us;
    const range = { fromDate: Date.UTC(2025, 11) / 1000, toDate: Date.UTC(2026, 0) / 1000 - 1 };
    const profit = (path: string, more: object) => {
      const input = { channelId, merchantId, reportOptions: { ...range, ...more } };
      return ask('POST', `/profitability/${path}`, input);
    };
    const { productEvents, count } = await profit('productProfitAndLoss', { pageSize: 50 });
    assert.equal(count, us.products);
    const store = await profit('storeProfitAndLoss', {});
    const cents = (rows: readonly Record<string, number>[], line: string) =>
      sum(rows, (row) => Math.round(row[line]! * 100));
    for (const line of ['sales', 'refunds', 'promotions'])
      assert.equal(cents(productEvents, line), cents([store], line), line);
    const poles = productEvents.find(({ sellerSku }: Answer) => sellerSku === 'NW-POLES');
    assert.equal(poles.title, 'Northwind Carbon Trekking Poles, pair');
    assert.ok(poles.shippingFees > 0 && poles.productSku.startsWith('B0'));
    const withAds = productEvents.filter((row: Answer) => row.advertisingSpend > 0);
    assert.ok(withAds.length >= us.advertised);
  });

  deepTest('orders of the primary marketplace are listed with every field filled', async () => {
    for (const { channelId, merchantId, marketplace, kind, currency } of plans) {
      const range = { fromDate: now / 1000 - 30 * secondsPerDay, toDate: now / 1000 };
      const input = { channelId, merchantId, ...range, pageSize: 100 };
      if (marketplace !== 'primarymkt') {
        assert.equal(await statusOf('/orders/primarymkt', input), 400, channelId);
        continue;
      }
      const { data } = await ask('POST', '/orders/primarymkt', input);
      assert.equal(data.length, kind === 'vendor' ? 0 : 100);
      for (const order of data) {
        assert.match(order.BuyerInfo.BuyerEmail, /^[a-z0-9]{14}@primarymkt\.example$/);
        const isCanceled = order.OrderStatus === 'Canceled';
        const isFree = isCanceled || order.IsReplacementOrder;
        assert.equal(order.OrderTotal.Amount > 0, !isFree, order.PlatformOrderId);
        assert.equal(order.OrderTotal.CurrencyCode, isCanceled ? '' : currency);
        const { ShippingAddress, DefaultShipFromLocationAddress } = order;
        for (const address of [ShippingAddress, DefaultShipFromLocationAddress])
          assert.ok(
            address.City !== '' && address.PostalCode !== '' && address.CountryCode.length === 2,
          );
        const { AutomatedShippingSettings: _, ...values } = order;
        for (const [name, value] of Object.entries(values))
          assert.notEqual(value, '', `${channelId} ${name}`);
      }
    }
  });

  deepTest('sales, units and advertising agree wherever they are answered', async () => {
    for (const plan of plans.filter(({ kind }) => kind === 'seller')) await assertAgreement(plan);
  });

  async function assertAgreement(plan: Plan): Promise<void> {
    const { channelId, merchantId, timezone, currency } = plan;
    const fromDate = startOfDay(timezone, lastDay - 90)!;
    const toDate = endOfDay(timezone, lastDay - 31)!;
    const reportOptions = { fromDate, toDate, timezone };
    const includeTax = plan.taxIncluded !== undefined;
    const post = (path: string, more: object) =>
      ask('POST', path, { channelId, merchantId, reportOptions, ...more });
    const byPeriod = async (more: object = {}): Promise<Answer[]> =>
      (await post('/reports/view/salesByPeriod', more)).formattedChartData;
    const rows = await byPeriod();
    const total = (name: string) => sum(rows, name);
    const statement = await post('/profitability/storeProfitAndLoss', {
      reportOptions: { ...reportOptions, includeTax },
    });
    // Sales are posted a day or two after the order.
    const ordered = sum(await byPeriod({ includeTax }), 'sales');
    between(statement.sales / ordered, 0.93, 1.07, `${channelId}: posted over ordered sales`);
    if (plan.marketplace === 'primarymkt') {
      const orders: Order[] = [];
      let key: string | undefined;
      do {
        const more = { fromDate, toDate, pageSize: 100, ...(key !== undefined && { key }) };
        const page = await post('/orders/primarymkt', more);
        orders.push(...page.data);
        key = page.meta.key;
      } while (key !== undefined);
      const units = sum(orders, (one) => one.NumberOfItemsShipped + one.NumberOfItemsUnshipped);
      assert.equal(units, total('unitsSold'), channelId);
      const paid = sum(orders, (order) => order.OrderTotal.Amount);
      between(paid / total('sales'), 0.93, 1.03, `${channelId}: paid over sales`);
      assert.ok(orders.some((order) => order.OrderStatus === 'Canceled'));
      await assertBeginning(plan, post, byPeriod);
    }
    if (plan.adShare === 0) {
      assert.deepEqual([total('adSpend'), statement.advertisingSpend], [0, 0], channelId);
      return;
    }
    const days = `fromDate=${fromDate}&toDate=${toDate}`;
    const query = `channelId=${channelId}&${days}&currency=${currency}&pageSize=100`;
    const minor = (amount: number | string) => Math.round(Number(amount) * 10 ** plan.decimals);
    const figures = async (list: string) => {
      const data: Answer[] = (await ask('GET', `/advertising/${list}?${query}`)).data;
      const amounts = ['cost', 'attributed_sales'].map((name) =>
        sum(data, (row) => minor(row[name])),
      );
      return [...amounts, sum(data, 'clicks'), sum(data, 'attributed_conversions')];
    };
    const campaigns = await figures('campaigns');
    assert.deepEqual(await figures('adGroups'), campaigns, channelId);
    assert.deepEqual(await figures('products'), campaigns, channelId);
    const searched = { currentCurrency: currency, searchText: plan.displayName };
    const { data } = await post('/reports/view/advertisingByChannels', searched);
    const own = data.items.find(({ store }: Answer) => store === plan.displayName);
    const { spend, adsales, clicks, orders } = own;
    assert.deepEqual([minor(spend), minor(adsales), clicks, orders], campaigns, channelId);
    assert.equal(minor(total('adSpend')), campaigns[0], channelId);
    const tolerance = (6 * secondsPerDay) / (toDate + 1 - fromDate);
    const charged = minor(statement.advertisingSpend) / campaigns[0]!;
    between(charged, 1 - tolerance, 1 + tolerance, `${channelId}: charged over spent`);
  }

  /** Expects that sales go back to the same day as their orders. */
  async function assertBeginning(
    { channelId, timezone, orderDays }: Plan,
    post: (path: string, more: object) => Promise<Answer>,
    byPeriod: (more: object) => Promise<Answer[]>,
  ): Promise<void> {
    const first = anchorDay - orderDays;
    const [fromDate, toDate] = [startOfDay(timezone, first)!, endOfDay(timezone, first)!];
    const [row] = await byPeriod({ reportOptions: { fromDate, toDate, timezone } });
    const { data } = await post('/orders/primarymkt', { fromDate, toDate, pageSize: 100 });
    assert.ok(row.unitsSold > 0, channelId);
    assert.equal(sum(data as Order[], 'NumberOfItemsShipped'), row.unitsSold, channelId);
    const before = { fromDate: fromDate - secondsPerDay * 400, toDate: fromDate - 1, timezone };
    const earlier = await byPeriod({ reportOptions: { ...before, interval: 'y' } });
    assert.equal(sum(earlier, 'unitsSold'), 0, channelId);
  }
}
