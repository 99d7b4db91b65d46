/**
 * Targets of months are spread over their days to the last cent, and targets of dates replace these
 * shares; random targets equal a plain recomputation. Refusals say why.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { onOnePair, type Tenant, triesOn, type World } from '../../../test/harness.ts';
import { level } from '../../../test/level.ts';
import { type Drawn, datesFrom, each, rowsBy, wallTime } from '../../../test/randomFacts.ts';
import { listsOf, tablesBeside } from '../../../test/table.ts';
import {
  assertShown,
  at,
  days,
  fieldsOf,
  importFacts,
  startOfPeriod,
} from '../../../test/world.ts';

const tables = tablesBeside(import.meta.url, 'targets.tables.txt');

const amountNames = ['salesBudget', 'salesForecast', 'adSpendBudget'] as const;
type Targets = Record<(typeof amountNames)[number], number | null>;
type Bucket = Targets &
  Record<'startTime' | 'endTime', string> &
  Record<'startTimeEpoch' | 'endTimeEpoch', number>;
type Body = { data: Bucket[]; totals: Targets; meta: { timezone: string; currency: string } };

async function read(world: World, tenant: Tenant, query: object): Promise<Body> {
  const { key, channelId, merchantId } = tenant;
  const given = Object.entries({ channelId, merchantId, ...query })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)]);
  const answer = await world.ask(key, 'GET', `/targets?${new URLSearchParams(given)}`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

onOnePair('What targets come to', (world) => {
  let tenant: Tenant;

  before(async () => {
    tenant = await world().tenant();
    await importFacts(world(), tenant.channelId, tablesBeside(import.meta.url, 'facts.txt'));
  });

  test('200: a day of Sydney, with its edges in both notations', async () => {
    const timezone = 'Australia/Sydney';
    const amounts = { salesBudget: 100, salesForecast: null, adSpendBudget: 2 };
    const edges = fieldsOf(`
      startTime,                     endTime,                       startTimeEpoch, endTimeEpoch
      2025-07-20T00:00:00.000+10:00, 2025-07-20T23:59:59.000+10:00, 1752933600,     1753019999`);
    assert.deepEqual(await read(world(), tenant, days('2025-07-20', '2025-07-20', timezone)), {
      data: [{ ...edges, ...amounts }],
      totals: amounts,
      meta: { timezone, currency: 'USD' },
    });
  });

  test('200: a month is spread in minor units, what is left over to its first days, and a date takes the place of its share', async () => {
    const february = days('2023-02-01', '2023-02-28');
    const { data, totals } = await read(world(), tenant, february);
    assert.equal(data.length, 28);
    // 100.00 over 28 days: 3.57 each is 99.96, so that the first four have 3.58.
    assertShown(data.slice(0, 6))`${tables.spread}`;
    const others = { salesBudget: 3.57, salesForecast: 0, adSpendBudget: 0 };
    for (const bucket of data.slice(6)) assert.deepEqual({ ...bucket, ...others }, bucket);
    // 100.00 - 3.58 + 50.00
    assert.deepEqual(totals, { salesBudget: 146.42, salesForecast: 0.03, adSpendBudget: -0.03 });
    const month = await read(world(), tenant, { ...february, interval: 'month' });
    assertShown(month.data)`${tables.corrected}`;
    assert.deepEqual(month.totals, totals);
  });

  test('200: yen are spread whole, dinars in thousandths, and what has more places is rounded first', async () => {
    const { organisationId, key, merchantId } = tenant;
    const monthsOf31 = ['01', '03', '05', '07'];
    type Spread = [amount: string, first: number, second: number, last: number, total: number];
    const spreads: Record<string, Spread[]> = {
      // 31 days. 1000 = 8 x 33 + 23 x 32
      JPY: [['999.5', 33, 33, 32, 1000]],
      // 100.000 = 25 x 3.226 + 6 x 3.225
      KWD: [['99.9995', 3.226, 3.226, 3.225, 100]],
      // One unit, for the first day alone, twice; nothing; 31 x -0.01 and one more.
      USD: listsOf(tables.inDollars!) as Spread[],
    };
    for (const [currency, cases] of Object.entries(spreads)) {
      const channelId = `${currency} of ${organisationId}`;
      const store = { key, channelId, merchantId } as Tenant;
      await world().channel(organisationId, channelId, { currency });
      await importFacts(world(), channelId, {
        targets: cases.flatMap(([salesForecast], place) => [
          { month: `2025-${monthsOf31[place]}`, salesForecast },
          { date: `2024-${monthsOf31[place]}-01`, salesForecast },
        ]),
      });
      const ofMonth = (month: string) => read(world(), store, days(`${month}-01`, `${month}-31`));
      for (const [place, [amount, first, second, last, total]] of cases.entries()) {
        const label = `${currency} ${amount}`;
        const { data, totals, meta } = await ofMonth(`2025-${monthsOf31[place]}`);
        const shown = [data[0], data[1], data[30], totals].map((one) => one!.salesForecast);
        assert.deepEqual(shown, [first, second, last, total], label);
        assert.equal(meta.currency, currency);
        const given = await ofMonth(`2024-${monthsOf31[place]}`);
        assert.equal(given.totals.salesForecast, total, label);
      }
    }
  });

  test('200: a bucket without a target on any of its dates is null, one whose targets are zero is 0', async () => {
    const range = { ...days('2025-02-24', '2025-03-30'), interval: 'week' };
    const { data, totals } = await read(world(), tenant, range);
    assertShown(data)`${tables.weeks}`;
    assert.deepEqual(totals, { salesBudget: 5, salesForecast: null, adSpendBudget: 5 });
    const empty = await read(world(), tenant, days('2024-01-01', '2024-01-02'));
    assertShown([...empty.data, empty.totals])`${tables.emptyWeeks}`;
  });

  test('200: a range that begins and ends within months has the targets of the dates that it touches', async () => {
    const timezone = 'America/New_York';
    const { data, totals } = await read(world(), tenant, {
      timezone,
      interval: 'month',
      fromDate: at(timezone, '2024-02-28T13:00'),
      toDate: at(timezone, '2024-03-10T03:30'),
    });
    assertShown(data)`${tables.partOfMonths}`;
    assert.equal(totals.salesBudget, 22);
  });

  test('200: a date that the zone skipped has no daily bucket; longer buckets include its target', async () => {
    const range = days('2011-12-29', '2011-12-31', 'Pacific/Apia');
    const { data, totals } = await read(world(), tenant, range);
    assertShown(data)`${tables.skippedDate}`;
    assert.equal(totals.salesBudget, 2);
    const month = await read(world(), tenant, { ...range, interval: 'month' });
    assert.equal(month.totals.salesBudget, 3);
  });

  const zones = [
    ...['America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo'],
    ...(level === 'deep' ? ['UTC', 'Europe/London', 'America/Santiago', 'Asia/Kathmandu'] : []),
  ];
  test('200: whatever the zone and the year, a year has 12 months, 53 or 54 weeks and all of its days', async () => {
    const ofYears = await world().tenant();
    await importFacts(world(), ofYears.channelId, {
      targets: Array.from({ length: 24 }, (_, months) => ({
        month: Temporal.PlainYearMonth.from('2024-01').add({ months }).toString(),
        salesForecast: 1000,
      })),
    });
    for (const zone of zones)
      for (const [year, interval, count] of listsOf(tables.counts!)) {
        const range = days(`${year}-01-01`, `${year}-12-31`, zone);
        const { data, totals } = await read(world(), ofYears, { ...range, interval });
        const label = `${zone} ${year} ${interval}`;
        assert.deepEqual([data.length, totals.salesForecast], [count, 12_000], label);
        assert.equal(data.at(-1)!.endTimeEpoch, range.toDate, label);
        let next = range.fromDate;
        for (const { startTime, endTime, startTimeEpoch, endTimeEpoch } of data) {
          assert.deepEqual(
            [Date.parse(startTime), Date.parse(endTime), startTimeEpoch],
            [startTimeEpoch * 1000, endTimeEpoch * 1000, next],
          );
          next = endTimeEpoch + 1;
        }
      }
    // From the middle of a month to its middle a year later: 13 months, two of them in part.
    const across = { ...days('2024-03-15', '2025-03-14', 'Europe/London'), interval: 'month' };
    const { data, totals } = await read(world(), ofYears, across);
    // 17 of 31 shares of 32.26 or 32.25, and the first 14 of them a year later.
    assert.deepEqual(
      [data.length, data[0]!.salesForecast, data[12]!.salesForecast, totals.salesForecast],
      [13, 548.36, 451.64, 12_000],
    );
  });

  test('200: exactly 4,000 buckets, a single second, and the last possible dates', async () => {
    const far = { fromDate: 1e11 - 86_400 * 365, toDate: 1e11, timezone: 'Asia/Tokyo' };
    for (const [query, buckets] of [
      [{ fromDate: 0, toDate: 4000 * 86_400 - 1, timezone: 'UTC' }, 4000],
      [{ fromDate: 0, toDate: 0, timezone: 'America/New_York' }, 1],
      [{ ...far, interval: 'month' }, 13],
    ] as const)
      assert.equal((await read(world(), tenant, query)).data.length, buckets);
  });

  test('200: the interval is a word or its letter, by default the day', async () => {
    const of = (interval?: string) =>
      read(world(), tenant, { ...days('2025-02-01', '2025-02-28'), interval });
    for (const [word, letter] of Object.entries({ day: 'd', week: 'w', month: 'M' }))
      assert.deepEqual(await of(letter), await of(word));
    assert.deepEqual(await of(), await of('day'));
  });

  test('200: the merchant may be written with percent signs, with plus signs or as it is; the zone is answered as it was sent', async () => {
    const tenant = await world().tenant({ channel: { merchantId: 'A1 @ B', kind: 'vendor' } });
    const { fromDate, toDate } = days('2025-02-01', '2025-02-01');
    const range = `fromDate=${fromDate}&toDate=${toDate}&timezone=utc`;
    for (const merchantId of ['A1%20%40%20B', 'A1+%40+B', 'A1+@+B', 'A1 @ B']) {
      const path = `/targets?channelId=${tenant.channelId}&merchantId=${merchantId}&${range}`;
      const { status, body } = await world().ask(tenant.key, 'GET', path);
      assert.equal(status, 200, `${merchantId}: ${JSON.stringify(body)}`);
      assert.deepEqual(body.meta, { timezone: 'utc', currency: 'USD' });
    }
  });
});

const amounts = fc.option(
  fc
    .bigInt({ min: -(10n ** 12n), max: 10n ** 13n })
    .map((millionths) => new Decimal(String(millionths)).div(1e6).toFixed()),
  { nil: undefined, freq: 3 },
);
const amountsOfAll = each(amountNames, amounts);
const months = fc
  .nat(9)
  .map((later) => Temporal.PlainYearMonth.from('2023-11').add({ months: later }).toString());
const given = fc.record({
  currency: fc.constantFrom('USD', 'JPY', 'KWD'),
  months: rowsBy(['month'], { month: months, ...amountsOfAll }, 8),
  dates: rowsBy(['date'], { date: datesFrom('2023-11-01', 301), ...amountsOfAll }, 30),
});
type Given = Drawn<typeof given>;
const questions = fc.record({
  timezone: fc.constantFrom(
    ...['UTC', 'America/New_York', 'Africa/Cairo', 'Australia/Lord_Howe', 'America/Santiago'],
    'Pacific/Kiritimati',
  ),
  interval: fc.constantFrom('day', 'week', 'month'),
  fromDate: fc.integer({ min: at('UTC', '2023-10-15T00:00'), max: at('UTC', '2024-08-31T00:00') }),
  length: fc.integer({ min: 0, max: 200 * 86_400 }),
});
type Question = Drawn<typeof questions>;

/**
 * A date's target, computed independently: its own if it has one, else the difference between the
 * sums of its month without and with the date.
 */
function targetOf(
  { currency, months, dates }: Given,
  name: (typeof amountNames)[number],
  date: Temporal.PlainDate,
): Decimal | undefined {
  const places = { USD: 2, JPY: 0, KWD: 3 }[currency]!;
  const rounded = (amount: string) =>
    new Decimal(amount).toDecimalPlaces(places, Decimal.ROUND_HALF_UP);
  const own = dates.find((row) => row.date === date.toString())?.[name];
  if (own !== undefined) return rounded(own);
  const ofMonth = months.find(({ month }) => month === date.toPlainYearMonth().toString())?.[name];
  if (ofMonth === undefined) return undefined;
  const unit = new Decimal(10).pow(-places);
  const total = rounded(ofMonth);
  // Shares are equal, so none differs by more than a unit from another, and those that are further
  // from zero come first.
  const least = total.div(date.daysInMonth).toDecimalPlaces(places, Decimal.ROUND_DOWN);
  const further = total.minus(least.times(date.daysInMonth)).abs().div(unit).toNumber();
  return date.day <= further ? least.plus(unit.times(total.isNegative() ? -1 : 1)) : least;
}

function naive(facts: Given, input: Question): { data: Targets[]; totals: Targets } {
  const { timezone, interval, fromDate, length } = input;
  const dateOf = (instant: number) => wallTime(timezone, instant).toPlainDate();
  const buckets = new Map<string, Record<string, Decimal>>();
  const totals: Record<string, Decimal> = {};
  const [first, end] = [dateOf(fromDate), dateOf(fromDate + length)];
  for (let date = first; Temporal.PlainDate.compare(date, end) < 1; date = date.add({ days: 1 })) {
    const key = startOfPeriod({ day: 'd', week: 'w', month: 'M' }[interval]!, date).toString();
    const bucket = buckets.get(key) ?? {};
    buckets.set(key, bucket);
    for (const name of amountNames) {
      const target = targetOf(facts, name, date);
      if (target === undefined) continue;
      bucket[name] = target.plus(bucket[name] ?? 0);
      totals[name] = target.plus(totals[name] ?? 0);
    }
  }
  const shown = (sums: Record<string, Decimal>) => {
    const amount = (sum: Decimal | undefined) => (sum === undefined ? null : sum.toNumber() + 0);
    return Object.fromEntries(amountNames.map((name) => [name, amount(sums[name])])) as Targets;
  };
  return { data: [...buckets.values()].map(shown), totals: shown(totals) };
}

onOnePair('Random targets', (world) => {
  const check = async (facts: Given, inputs: readonly Question[]) => {
    const tenant = await world().tenant({ channel: { currency: facts.currency } });
    const rows = [...facts.months, ...facts.dates];
    await importFacts(world(), tenant.channelId, { targets: rows });
    for (const input of inputs) {
      const { length, ...query } = input;
      const range = { ...query, toDate: input.fromDate + length };
      const { data, totals } = await read(world(), tenant, range);
      const buckets = data.map(
        ({ startTime, endTime, startTimeEpoch, endTimeEpoch, ...rest }) => rest,
      );
      assert.deepEqual({ data: buckets, totals }, naive(facts, input), JSON.stringify(input));
    }
  };

  test('equal a plain recomputation, date by date', async () => {
    const input = fc.array(questions, { minLength: 6, maxLength: 6 });
    await fc.assert(fc.asyncProperty(given, input, check), {
      numRuns: triesOn(world(), { embedded: 10, served: 3, normal: 1 }),
    });
  });

  test('a month that is spread adds up to itself, whatever its amount and its length', async () => {
    const tenant = await world().tenant({ channel: { currency: 'KWD' } });
    const month = fc
      .nat(47)
      .map((months) => Temporal.PlainYearMonth.from('2023-01').add({ months }));
    const amount = fc.integer({ min: -1_000_000, max: 1_000_000 });
    const addsUp = async (yearMonth: Temporal.PlainYearMonth, thousandths: number) => {
      const salesBudget = new Decimal(thousandths).div(1000).toFixed(3);
      const targets = [{ month: yearMonth.toString(), salesBudget }];
      await importFacts(world(), tenant.channelId, { targets });
      const { daysInMonth } = yearMonth;
      const range = days(`${yearMonth}-01`, `${yearMonth}-${daysInMonth}`);
      const { data, totals } = await read(world(), tenant, range);
      const shares = data.map((bucket) => Math.round(bucket.salesBudget! * 1000));
      const sum = shares.reduce((total, share) => total + share, 0);
      assert.deepEqual([data.length, sum], [daysInMonth, thousandths]);
      assert.ok(Math.max(...shares) - Math.min(...shares) <= 1);
      assert.equal(totals.salesBudget, thousandths / 1000);
    };
    await fc.assert(fc.asyncProperty(month, amount, addsUp), {
      numRuns: triesOn(world(), { embedded: 10, served: 3, normal: 2 }),
    });
  });
});
