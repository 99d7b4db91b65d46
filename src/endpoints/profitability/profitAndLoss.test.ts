/**
 * Profit and loss of a store and of its products: each line by hand, unit costs and currencies by
 * date, advertising, pages, and what is refused. Products answer alike from memory and without it.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { casesOn, onOnePair, type Tenant, type World } from '../../../test/harness.ts';
import { importRows } from '../../../test/imports.ts';
import { sampled, slowTest, level as testLevel } from '../../../test/level.ts';
import { listsOf, rowsOf, tablesBeside, textBeside } from '../../../test/table.ts';
import { assertShown, importFacts } from '../../../test/world.ts';

const tables = tablesBeside(import.meta.url, 'profitAndLoss.tables.txt');

/** Epoch seconds of an ISO instant. */
function at(instant: string): number {
  return Date.parse(instant) / 1000;
}

let productRequests = 0;

/**
 * Requests a profit and loss; products alternately with memory and without it, in deep tests both.
 */
async function ask(
  world: World,
  { key, channelId, merchantId }: Tenant,
  level: 'store' | 'product',
  reportOptions: unknown,
) {
  const path = `/profitability/${level}ProfitAndLoss`;
  const body = { channelId, merchantId, reportOptions };
  const isCached = level === 'store' || productRequests++ % 2 === 0;
  const answer = await (isCached ? world.ask : world.askUncached)(key, 'POST', path, body);
  if (level === 'product' && testLevel === 'deep') {
    const other = await (isCached ? world.askUncached : world.ask)(key, 'POST', path, body);
    assert.deepEqual([other.status, other.body], [answer.status, answer.body]);
  }
  return { status: answer.status, body: answer.body };
}

type Lines = Record<string, number>;
type Row = Lines & {
  readonly sellerSku: string;
  readonly productSku: string;
  readonly title: string;
};

type Products = { productEvents: Row[]; count: number };

async function answered(...input: Parameters<typeof ask>) {
  const { status, body } = await ask(...input);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const store = (world: World, tenant: Tenant, options: object): Promise<Lines> =>
  answered(world, tenant, 'store', options);
const products = (world: World, tenant: Tenant, options: object): Promise<Products> =>
  answered(world, tenant, 'product', options);

let events = 0;
/** Financial events with identifiers of their own. */
const numbered = (rows: readonly object[]) =>
  rows.map((row) => ({ eventId: String(++events), ...row }));
const post = (world: World, { channelId }: Tenant, rows: readonly object[]) =>
  importFacts(world, channelId, { financeEvents: numbered(rows) });

const inUtc = (world: World, channel: object = {}) =>
  world.tenant({ channel: { timezone: 'UTC', ...channel } });

/** Epoch seconds of a time of a date of March 2025, noon by default. */
const march = (date: number, time = '12:00:00') =>
  at(`2025-03-${String(date).padStart(2, '0')}T${time}Z`);
/** Whole dates of March 2025. */
const on = (first: number, last = first) => ({
  fromDate: march(first, '00:00:00'),
  toDate: march(last, '23:59:59'),
});
/** The second at noon. */
const second = (date: number) => ({ fromDate: march(date), toDate: march(date) });
const day = on(10);
const noon = march(10);

const lineNames =
  'sales, refunds, promotions, reimbursements, otherIncome, totalRevenue, advertisingSpend, ' +
  'sellingFees, shippingFees, refundsAndReturnsOverheads, cogs, otherExpenses, totalExpenses';
const nothing: Lines = Object.fromEntries(lineNames.split(', ').map((name) => [name, 0]));
/** Statements of stores; an empty cell is a line of 0. */
const statements = (csv: string): Lines[] =>
  rowsOf(`${lineNames}\n${csv}`).map((row) => ({ ...nothing, ...row }));
const productRows = (csv: string) =>
  rowsOf(`sellerSku, productSku, title, ${lineNames}, totalProfit\n${csv}`).map((row) => ({
    ...nothing,
    ...row,
  }));

onOnePair('The small world of profit and loss', (world) => {
  let tenant: Tenant;

  before(async () => {
    tenant = await inUtc(world());
    const { events, ...facts } = tablesBeside(import.meta.url, 'facts.txt');
    await importFacts(world(), tenant.channelId, facts);
    const atNoon = rowsOf(events!).map((row) => ({ postedAt: noon, ...row }));
    await post(world(), tenant, atNoon);
  });

  // Revenue is 25.50 - 10.00 - 1.25 + 3.33 + 5.06. Shipping is 6.10 and the one B that the seller
  // shipped, goods 2 x 3.20 + 1.10, and expenses 7.77 + 3.83 + 8.10 + 0.50 + 7.50 + 2.43.
  const [whole] = statements(`
    25.5, -10, -1.25, 3.33, 5.06, 22.64, 7.77, 3.83, 8.1, 0.5, 7.5, 2.43, 30.13
  `) as [Lines];

  test('200: every line of the store, expenses positive as costs, and nothing else', async () => {
    assert.deepEqual(await store(world(), tenant, day), whole);
  });

  test('200: with tax sales and refunds change, and what is totalled of them', async () => {
    const statement = await store(world(), tenant, { ...day, includeTax: true });
    assert.deepEqual(statement, { ...whole, sales: 27.54, refunds: -10.8, totalRevenue: 23.88 });
  });

  test('200: the cost of returned units is taken off by includeCogsRefunds alone', async () => {
    const statement = await store(world(), tenant, { ...day, includeCogsRefunds: true });
    assert.deepEqual(statement, { ...whole, cogs: 4.3, totalExpenses: 26.93 });
  });

  test('200: a range without events is all zeros, and none of them is negative', async () => {
    const after = { fromDate: day.toDate + 1, toDate: day.toDate + 1 };
    const statement = await store(world(), tenant, after);
    assert.deepEqual(statement, nothing);
    for (const value of Object.values(statement)) assert.ok(Object.is(value, 0));
  });

  test('200: every range that holds the events gives the same, to the first and the last possible second', async () => {
    const zones = ['UTC', 'Australia/Lord_Howe', 'America/Los_Angeles', 'Africa/Monrovia'];
    const ranges = [
      second(10),
      { fromDate: noon - 1, toDate: noon + 1 },
      { fromDate: march(9, '23:59:59'), toDate: march(11, '00:00:00') },
      { fromDate: 0, toDate: 100_000_000_000 },
    ];
    for (const [place, range] of casesOn(world(), [...ranges.entries()], 2)) {
      for (const timezone of testLevel === 'deep' ? zones : [zones[place]!]) {
        const input = { ...range, timezone };
        assert.deepEqual(await store(world(), tenant, input), whole, JSON.stringify(input));
      }
      const { productEvents, count } = await products(world(), tenant, range);
      assert.deepEqual([count, productEvents.map((row) => row.sales)], [3, [20, 5.5, 0]]);
    }
  });

  test('200: every figure of the products, the largest sales first; events without a SKU are of none', async () => {
    const expected = productRows(tables.productFigures!);
    for (const _ of ['from memory', 'without it']) {
      const { productEvents, count } = await products(world(), tenant, day);
      assert.deepEqual([count, productEvents], [3, expected]);
    }
    const options = { ...day, includeTax: true, includeCogsRefunds: true };
    const [first] = (await products(world(), tenant, options)).productEvents;
    // 21.60 - 10.80 - 1.25 = 9.55; 16.83 - 3.20 = 13.63
    assertShown([first!])`
      sales, refunds, cogs, totalRevenue, totalExpenses, totalProfit
      21.6,  -10.8,   3.2,  9.55,         13.63,         -4.08`;
  });
});

onOnePair('Lines of profit and loss', (world) => {
  let tenant: Tenant;
  /** Sums of powers of ten say which of these seconds are in a range. */
  const seconds = '00:00:00 09:59:59 10:00:00 10:00:01 10:14:59 10:15:00 23:59:59'
    .split(' ')
    .map((time) => march(20, time));

  // Each test has its own dates.
  before(async () => {
    tenant = await inUtc(world());
    const skus = ['none', 'theirs', 'ours'];
    await importFacts(world(), tenant.channelId, {
      unitCosts: `sku, effectiveFrom, cogs, shippingCost
        ${skus.map((sku) => `${sku}, 2025-01-01, , "1"`).join('\n')}
        both ways, 2025-01-01, "7", "2"
        costed, 2025-03-17, "2"`,
      products: 'sku, fulfilledByMarketplace\ntheirs, true\nours, false',
    });
    const events = rowsOf(textBeside(import.meta.url, 'roundedEvents.csv'));
    const shipped = rowsOf(tables.shipped!);
    await post(world(), tenant, [
      ...events,
      ...skus.flatMap((sku) => shipped.map((row) => ({ postedAt: march(12), sku, ...row }))),
      ...seconds.map((postedAt, place) => {
        const amount = String(10 ** place);
        return { postedAt, sku: 'A', line: 'otherIncome', amount };
      }),
    ]);
  });

  test('200: each line is rounded half away from zero, and totals are sums of what is shown', async () => {
    const [lines] = statements('0.1, -0.01, , , 0.2, 0.29, , 0.01, , , , -0.01, 0');
    const statement = await store(world(), tenant, day);
    assert.deepEqual(statement, lines);
    assert.ok(Object.is(statement.promotions, 0));
    const { productEvents } = await products(world(), tenant, day);
    assert.deepEqual(productEvents, [
      { ...lines, sellerSku: 'A', productSku: '', title: '', totalProfit: 0.29 },
    ]);
  });

  test("200: amounts are in the currency's own minor unit", async () => {
    for (const [currency, amount, sales, fees] of [
      ['JPY', '1234.5', 1235, 2],
      ['KWD', '1234.5675', 1234.568, 1.5],
    ] as const) {
      const own = await inUtc(world(), { currency });
      await post(world(), own, [
        { postedAt: noon, sku: 'A', line: 'sales', amount },
        { postedAt: noon, sku: 'A', line: 'sellingFees', amount: '-1.5' },
      ]);
      const { sales: sold, sellingFees, totalRevenue } = await store(world(), own, day);
      assert.deepEqual([sold, sellingFees, totalRevenue], [sales, fees, sales], currency);
    }
  });

  test('200: shipping a unit costs where the event says that the seller did, or nobody says that the marketplace does', async () => {
    for (const range of [on(12), second(12)]) {
      const { shippingFees } = await store(world(), tenant, { ...range, includeCogsRefunds: true });
      assert.equal(shippingFees, 62);
      const { productEvents } = await products(world(), tenant, range);
      assertShown(productEvents)`${tables.shippingFees}`;
    }
  });

  test('200: units that come to none on a day cost what was shipped of them', async () => {
    for (const range of [on(14), second(14)]) {
      const { productEvents } = await products(world(), tenant, range);
      for (const rows of [[await store(world(), tenant, range)], productEvents])
        assertShown(rows)`cogs, shippingFees\n0, 10`;
    }
  });

  test('200: a cost of goods reported by the source counts if no unit cost applies, and its SKU has a row either way', async () => {
    const cogs = async (range: object) => (await store(world(), tenant, range)).cogs;
    assert.deepEqual([await cogs(on(16, 17)), await cogs(on(17))], [1.11, 0.11]);
    for (const range of [on(17), { ...on(17), toDate: march(17) }]) {
      const { productEvents } = await products(world(), tenant, range);
      assertShown(productEvents)`${tables.reportedCosts}`;
    }
  });

  slowTest(
    '200: every second is in the ranges that hold it and in no other, on both sides of a quarter of an hour',
    async () => {
      const ranges = seconds.flatMap((fromDate, first) =>
        seconds.slice(first).map((toDate, length) => ({
          range: { fromDate, toDate },
          // Ones from the place of the first to that of the last.
          expected: Number('1'.repeat(length + 1)) * 10 ** first,
        })),
      );
      for (const [place, { range, expected }] of sampled(ranges, 3).entries()) {
        const hint = JSON.stringify(range);
        assert.equal((await store(world(), tenant, range)).otherIncome, expected, hint);
        if (testLevel !== 'deep' && place % 4 !== 0) continue;
        const zoned = { ...range, timezone: 'Asia/Kathmandu' };
        assert.equal((await store(world(), tenant, zoned)).otherIncome, expected, hint);
        const { productEvents } = await products(world(), tenant, range);
        assert.equal(productEvents[0]!.otherIncome, expected, hint);
      }
    },
  );
});

onOnePair('Unit costs by date', (world) => {
  // The 6th of April begins at 13:00 of the 5th in Sydney and on Lord Howe, where clocks go back on
  // it, at 18:15 in Kathmandu, and at 07:00 of the 6th in Los Angeles.
  const instants = [
    ...['2025-04-05T12:59:59Z', '2025-04-05T13:00:00Z', '2025-04-05T18:14:59Z'],
    ...['2025-04-05T18:15:00Z', '2025-04-05T23:59:59Z', '2025-04-06T00:00:00Z'],
    ...['2025-04-06T06:59:59Z', '2025-04-06T07:00:00Z'],
  ];
  /** How many of the instants come before the date does. */
  const before6th = Object.entries({
    'Australia/Sydney': 1,
    'Australia/Lord_Howe': 1,
    'Asia/Kathmandu': 3,
    UTC: 5,
    'Africa/Monrovia': 5,
    'America/Los_Angeles': 7,
  });
  let tenant: Tenant;
  const cogs = async (from: string, to: string, timezone?: string) => {
    const range = { fromDate: at(from), toDate: at(to) };
    return (await store(world(), tenant, { ...range, ...(timezone && { timezone }) })).cogs;
  };

  before(async () => {
    tenant = await inUtc(world());
    // Costs of days without a sale around the 6th, so that there is more than one group of days.
    const around = '03-20 03-22 04-10 04-12 04-14 04-16 04-18 04-20 04-22'.split(' ');
    await importFacts(world(), tenant.channelId, {
      unitCosts: `sku, effectiveFrom, cogs, shippingCost
        A, 2025-01-01, "1", "0.5"
        A, 2025-04-06, "5", "0.25"
        of Apia, 2011-12-30, "1"
        of Monrovia, 1971-06-02, "1"
        ${around.map((date) => `B, 2025-${date}, "100"`).join('\n')}`,
    });
    const sales = [
      ...instants.map((postedAt) => ({ postedAt, sku: 'A', quantity: 1 })),
      ...rowsOf(tables.soldAtMidnight!),
    ];
    const lines = sales.map((sale) => ({ line: 'sales', ...sale }));
    await post(world(), tenant, lines);
  });

  test('200: a cost holds from the first instant of its date in the time zone', async () => {
    const ranges = listsOf(tables.ranges!);
    for (const [place, [timezone, old]] of before6th.entries()) {
      for (const [from, to] of testLevel === 'deep' ? ranges : [ranges[place % 3]!]) {
        const range = { fromDate: at(from), toDate: at(to), timezone };
        const { cogs, shippingFees } = await store(world(), tenant, range);
        const expected = [old + 5 * (8 - old), old * 0.5 + 0.25 * (8 - old)];
        assert.deepEqual([cogs, shippingFees], expected, JSON.stringify({ timezone, from }));
      }
    }
  });

  test('200: and so it does for a single second', async () => {
    for (const [timezone, old] of before6th) {
      for (const [place, instant] of instants.entries()) {
        // The last second before the date and its first one show the most.
        if (testLevel !== 'deep' && place !== old - 1 && place !== old) continue;
        const expected = place < old ? 1 : 5;
        assert.equal(await cogs(instant, instant, timezone), expected, `${timezone} ${instant}`);
      }
    }
  });

  test('200: products go by the dates of UTC, and a unit costs nothing before its first date', async () => {
    const range = { fromDate: at(instants[0]!), toDate: at(instants[7]!) };
    const { productEvents } = await products(world(), tenant, range);
    assert.equal(productEvents[0]!.cogs, 5 + 3 * 5);
    const newYearsEve = ['2024-12-31T00:00:00Z', '2024-12-31T23:59:59Z'] as const;
    assert.equal(await cogs(...newYearsEve), 0);
    assert.equal(await cogs(...newYearsEve, 'Australia/Sydney'), 1);
  });

  test('200: a cost of a date that the zone skipped applies from the next date', async () => {
    // Samoa went from the 29th to the 31st of December 2011 at 10:00 in UTC.
    const range = ['2011-12-01T00:00:00Z', '2012-01-31T23:59:59Z'] as const;
    assert.equal(await cogs(...range, 'Pacific/Apia'), 1);
    assert.equal(await cogs(...range), 11);
  });

  test('200: offsets that are no whole quarters of an hour count to the second', async () => {
    // Liberia's clocks showed 44 minutes and 30 seconds less than UTC until 1972.
    const range = ['1971-06-01T00:00:00Z', '1971-06-30T23:59:59Z'] as const;
    assert.equal(await cogs(...range, 'Africa/Monrovia'), 1);
  });
});

onOnePair('Currencies of profit and loss', (world) => {
  let tenant: Tenant;

  // Each test has its own dates.
  before(async () => {
    const rates = rowsOf(tables.rates!);
    await importRows(world(), 'exchangeRates', undefined, rates);
    tenant = await inUtc(world());
    await importFacts(world(), tenant.channelId, { unitCosts: tables.foreignCosts! });
    const posted = rowsOf(textBeside(import.meta.url, 'foreignEvents.csv'));
    await post(world(), tenant, posted);
  });

  test('200: amounts and unit costs of other currencies are converted at the rate of their date in the time zone', async () => {
    // On Sunday in UTC Friday's rates hold: 105.00, 8.40 x 1.05 / 0.84, 2.10. In Sydney it is
    // Monday: 110.00, 8.40 x 1.1 / 0.8, 2.20.
    const [friday, monday] = statements(`
      105, , , , , 105, , 0.1, 2.1, , 10.5, , 12.7
      110, , , , , 110, , 0.1, 2.2, , 11.55, , 13.85`);
    const sydney = { timezone: 'Australia/Sydney' };
    assert.deepEqual(await store(world(), tenant, on(9, 10)), friday);
    assert.deepEqual(await store(world(), tenant, { ...on(9, 10), ...sydney }), monday);
    const seconds = { fromDate: march(9, '19:59:59'), toDate: march(9, '20:00:01') };
    assert.deepEqual(await store(world(), tenant, { ...seconds, ...sydney }), monday);
    const { productEvents } = await products(world(), tenant, on(9, 10));
    assert.deepEqual(productEvents, [
      { ...friday, sellerSku: 'A', productSku: '', title: '', totalProfit: 92.3 },
    ]);
  });

  test('200: products are in the order of converted sales, and what is a half but for the rate is rounded as one', async () => {
    const inEuros = await inUtc(world(), { currency: 'EUR' });
    const posted = rowsOf(tables.foreignSales!);
    await post(world(), inEuros, posted);
    for (const toDate of [day.toDate, noon]) {
      const { productEvents } = await products(world(), inEuros, { ...on(7), toDate });
      // 8.40 / 0.8, 10.71 / 1.05, and 10.50525 / 1.05 = 10.005.
      assertShown(productEvents)`${tables.convertedSales}`;
    }
  });

  test('400: an amount without a rate refuses, in words that name the currency; one that does not count does not', async () => {
    for (const [date, options, currency] of [
      [20, {}, 'XAU'],
      [21, {}, undefined],
      [21, { includeCogsRefunds: true }, 'XAG'],
      [22, {}, 'XPT'],
    ] as const) {
      for (const level of ['store', 'product'] as const) {
        const { status, body } = await ask(world(), tenant, level, { ...on(date), ...options });
        const error = `there is no exchange rate of ${currency} which channelId ${tenant.channelId} needs: the operator of the service has to import one`;
        const expected = currency === undefined ? [200, undefined] : [400, error];
        assert.deepEqual([status, body.error], expected, `${level} ${date}`);
      }
    }
  });

  test('200: sales that cancel out within a day need no rate, whether the range holds the day or a part', async () => {
    for (const range of [on(24), { ...on(24), fromDate: march(24) }]) {
      const { productEvents } = await products(world(), tenant, range);
      assertShown(productEvents)`sellerSku, sales\nC, 0`;
      const taxed = await ask(world(), tenant, 'product', { ...range, includeTax: true });
      assert.equal(taxed.status, 400);
    }
  });

  test('200: spend of another currency is converted at its date', async () => {
    await importFacts(world(), tenant.channelId, {
      campaignDays: [{ date: '2025-03-08', campaignId: '1', cost: '2', currency: 'EUR' }],
      adProductDays: 'date, sku, adType, cost, currency\n2025-03-08, A, SP, "4", EUR',
    });
    assert.equal((await store(world(), tenant, on(8))).advertisingSpend, 2.1);
    const { productEvents } = await products(world(), tenant, on(8));
    assertShown(productEvents)`sellerSku, advertisingSpend\nA, 4.2`;
  });
});

// Each test adds to what the ones before it have left.
onOnePair('Advertising in profit and loss', (world) => {
  let tenant: Tenant;
  const spend = async (options: object) => (await store(world(), tenant, options)).advertisingSpend;
  const spendOf = async (options: object = day) =>
    (await products(world(), tenant, options)).productEvents.map(
      ({ sellerSku, advertisingSpend, productSku }) => [sellerSku, advertisingSpend, productSku],
    );

  before(async () => {
    tenant = await inUtc(world());
    await importFacts(world(), tenant.channelId, {
      campaignDays: tables.campaignDays!,
      adProductDays: tables.adProductDays!,
    });
  });

  test('200: a channel that never had a charge posted has what is reported, of the dates between the local dates of the ends', async () => {
    const [reported] = statements(', , , , , , 320, , , , , , 320');
    assert.deepEqual(await store(world(), tenant, day), reported);
    assert.equal(await spend(second(10)), 320);
    assert.equal(await spend({ ...second(10), timezone: 'Pacific/Kiritimati' }), 4000);
    assert.equal(await spend({ ...day, timezone: 'America/Los_Angeles' }), 321);
  });

  test('200: SKUs with reported spend have rows of their own, with the product id of that report', async () => {
    assert.deepEqual(await spendOf(), [['A', 320, 'PA']]);
    const both = listsOf('A, 320, PA\nD, 4000, PD');
    assert.deepEqual(await spendOf({ fromDate: noon, toDate: noon + 86_400 }), both);
    await importFacts(world(), tenant.channelId, {
      products: 'sku, productId, title\nA, PX, Apples',
    });
    const [row] = (await products(world(), tenant, day)).productEvents;
    assert.deepEqual([row!.productSku, row!.title, row!.totalProfit], ['PX', 'Apples', -320]);
  });

  test('200: charges that were posted without a SKU are of the store; its products have what is reported', async () => {
    const charge = { postedAt: march(9), line: 'advertisingSpend', amount: '-7.00' };
    await post(world(), tenant, [charge]);
    assert.deepEqual([await spend(on(9)), await spend(on(9, 10))], [7, 7]);
    assert.deepEqual(await spendOf(), [['A', 320, 'PX']]);
  });

  test('200: once a charge was posted, whenever that was, what is reported counts nowhere any more', async () => {
    await post(world(), tenant, [
      { postedAt: '2025-01-01T00:00:00Z', sku: 'E', line: 'advertisingSpend', amount: '-2.00' },
      { postedAt: noon, sku: 'B', line: 'sales', amount: '1.00' },
    ]);
    assert.equal(await spend(day), 0);
    assert.deepEqual(await spendOf(), [['B', 0, '']]);
    const january = { fromDate: at('2025-01-01T00:00:00Z'), toDate: at('2025-01-31T23:59:59Z') };
    assert.equal(await spend(january), 2);
    assert.deepEqual(await spendOf(january), [['E', 2, '']]);
  });
});

onOnePair('Pages of products', (world) => {
  let tenant: Tenant;
  /** The number of all SKUs, and the SKUs of a page. */
  const skus = async (options: object = {}) => {
    const { count, productEvents } = await products(world(), tenant, { ...day, ...options });
    return [count, ...productEvents.map((row) => row.sellerSku)];
  };

  before(async () => {
    tenant = await inUtc(world());
    const sales = rowsOf(tables.sales!);
    const fee = { postedAt: march(12), line: 'sellingFees', amount: '-1' };
    const many = Array.from({ length: 60 }, (_, index) => ({ ...fee, sku: `S${index}` }));
    await post(world(), tenant, [
      ...sales.map((row) => ({ postedAt: noon, line: 'sales', ...row })),
      ...many,
    ]);
  });

  test('200: by sales as they are shown, equal ones in the order of the bytes of the SKU', async () => {
    assert.deepEqual(await skus(), [7, 'big', 'B', 'a', 'É', 'taxed', 'zero', 'back']);
    const taxed = await skus({ includeTax: true });
    assert.deepEqual(taxed, [7, 'big', 'taxed', 'B', 'a', 'É', 'zero', 'back']);
  });

  test('200: pages hold each SKU once, and a page past the end still knows how many there are', async () => {
    const page = (pageIndex: number, pageSize: number) => skus({ pageIndex, pageSize });
    assert.deepEqual(await page(0, 3), [7, 'big', 'B', 'a']);
    assert.deepEqual(await page(1, 3), [7, 'É', 'taxed', 'zero']);
    assert.deepEqual(await page(2, 3), [7, 'back']);
    assert.deepEqual(await page(3, 3), [7]);
    assert.deepEqual(await page(1_000_000_000, 50), [7]);
  });

  test('200: the requested SKUs and no others; unknown ones give no row, repeated ones count once, an empty list restricts nothing', async () => {
    const none = Array.from({ length: 49 }, (_, index) => `none ${index}`);
    for (const [sellerSkus, more, ...expected] of [
      [['zero', 'a', 'no such', 'a'], {}, 2, 'a', 'zero'],
      [['no such'], {}, 0],
      [[...none, 'big', 'big'], {}, 1, 'big'],
      [['zero', 'a'], { pageIndex: 1, pageSize: 1 }, 2, 'zero'],
      [['zero', 'a'], second(10), 2, 'a', 'zero'],
    ] as [string[], object, ...unknown[]][])
      assert.deepEqual(await skus({ sellerSkus, ...more }), expected, sellerSkus.join());
    assert.equal((await skus({ sellerSkus: [] }))[0], 7);
  });

  test('200: ten rows by default, fifty at most', async () => {
    assert.equal((await skus(on(12))).length, 1 + 10);
    const [count, ...fifty] = await skus({ ...on(12), pageSize: 50 });
    assert.deepEqual([fifty.length, count], [50, 60]);
  });
});
