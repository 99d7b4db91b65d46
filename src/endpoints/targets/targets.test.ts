import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import {
  type Answer,
  onEachPair,
  onOnePair,
  type Tenant,
  testOnOnePair,
  triesOn,
  type World,
} from '../../../test/harness.ts';
import { importRows } from '../../../test/imports.ts';

type Targets = {
  salesBudget: number | null;
  salesForecast: number | null;
  adSpendBudget: number | null;
};
type Bucket = Targets & {
  startTime: string;
  endTime: string;
  startTimeEpoch: number;
  endTimeEpoch: number;
};
type Body = { data: Bucket[]; totals: Targets; meta: { timezone: string; currency: string } };

/** Epoch seconds of a wall time. */
function at(zone: string, wall: string): number {
  return Math.floor(
    Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds / 1000,
  );
}

/** A range from the start of a date through the end of another one. */
function days(first: string, last: string, timezone = 'UTC') {
  return {
    fromDate: at(timezone, `${first}T00:00`),
    toDate: at(timezone, `${last}T23:59:59`),
    timezone,
  };
}

function get(world: World, { key, channelId, merchantId }: Tenant, query: object): Promise<Answer> {
  const given = Object.entries({ channelId, merchantId, ...query }).filter(
    ([, value]) => value !== undefined,
  );
  return world.ask(
    key,
    'GET',
    `/targets?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`,
  );
}

async function read(world: World, tenant: Tenant, query: object): Promise<Body> {
  const answer = await get(world, tenant, query);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

async function tenantWith(
  world: World,
  rows: readonly object[],
  currency = 'USD',
): Promise<Tenant> {
  const tenant = await world.tenant({ channel: { currency } });
  await importRows(world, 'targets', tenant.channelId, rows);
  return tenant;
}

const none: Targets = { salesBudget: null, salesForecast: null, adSpendBudget: null };

onEachPair('What targets come to', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  test('200: a day of Sydney, with its edges in both notations', async () => {
    const tenant = await tenantWith(world(), [
      { month: '2025-07', salesBudget: 3100, adSpendBudget: 62 },
    ]);
    assert.deepEqual(
      await read(world(), tenant, days('2025-07-20', '2025-07-20', 'Australia/Sydney')),
      {
        data: [
          {
            startTime: '2025-07-20T00:00:00.000+10:00',
            endTime: '2025-07-20T23:59:59.000+10:00',
            startTimeEpoch: 1752933600,
            endTimeEpoch: 1753019999,
            salesBudget: 100,
            salesForecast: null,
            adSpendBudget: 2,
          },
        ],
        totals: { salesBudget: 100, salesForecast: null, adSpendBudget: 2 },
        meta: { timezone: 'Australia/Sydney', currency: 'USD' },
      },
    );
  });

  test('200: a month is spread in minor units, what is left over to its first days, and a date takes the place of its share', async () => {
    // 100.00 over 28 days: 3.57 each is 99.96, so that the first four have 3.58.
    const tenant = await tenantWith(world(), [
      { month: '2025-02', salesBudget: '100.00', salesForecast: '0.03', adSpendBudget: '-0.03' },
      { date: '2025-02-03', salesBudget: '50.00' },
      { date: '2025-02-28', salesForecast: '0' },
    ]);
    const { data, totals } = await read(world(), tenant, days('2025-02-01', '2025-02-28'));
    assert.equal(data.length, 28);
    assert.deepEqual(
      data.slice(0, 6).map((bucket) => bucket.salesBudget),
      [3.58, 3.58, 50, 3.58, 3.57, 3.57],
    );
    assert.deepEqual(
      data.slice(0, 4).map((bucket) => bucket.salesForecast),
      [0.01, 0.01, 0.01, 0],
    );
    assert.deepEqual(
      data.slice(1, 4).map((bucket) => bucket.adSpendBudget),
      [-0.01, -0.01, 0],
    );
    assert.ok(
      data
        .slice(5)
        .every(
          (bucket) =>
            bucket.salesBudget === 3.57 && bucket.salesForecast === 0 && bucket.adSpendBudget === 0,
        ),
    );
    // 100.00 - 3.58 + 50.00
    assert.deepEqual(totals, { salesBudget: 146.42, salesForecast: 0.03, adSpendBudget: -0.03 });
    const month = await read(world(), tenant, {
      ...days('2025-02-01', '2025-02-28'),
      interval: 'month',
    });
    assert.deepEqual(
      [month.data.length, month.data[0]!.salesBudget, month.totals],
      [1, 146.42, totals],
    );
  });

  testOnce(
    '200: yen are spread whole, dinars in thousandths, and what has more places is rounded first',
    async () => {
      for (const [currency, amount, first, second, last, total] of [
        // 31 days. 1000 = 8 x 33 + 23 x 32
        ['JPY', '999.5', 33, 33, 32, 1000],
        // 100.000 = 25 x 3.226 + 6 x 3.225
        ['KWD', '99.9995', 3.226, 3.226, 3.225, 100],
        // one unit, for the first day alone
        ['USD', '0.005', 0.01, 0, 0, 0.01],
        ['USD', '-0.005', -0.01, 0, 0, -0.01],
        ['USD', '0.004999', 0, 0, 0, 0],
        // 31 x -0.01 and one more
        ['USD', '-0.32', -0.02, -0.01, -0.01, -0.32],
      ] as const) {
        const tenant = await tenantWith(
          world(),
          [{ month: '2025-01', salesForecast: amount }],
          currency,
        );
        const { data, totals, meta } = await read(
          world(),
          tenant,
          days('2025-01-01', '2025-01-31'),
        );
        const shown = [
          data[0]!.salesForecast,
          data[1]!.salesForecast,
          data[30]!.salesForecast,
          totals.salesForecast,
        ];
        assert.deepEqual(shown, [first, second, last, total], `${currency} ${amount}`);
        assert.equal(meta.currency, currency);
        const given = await tenantWith(
          world(),
          [{ date: '2025-01-01', salesForecast: amount }],
          currency,
        );
        assert.equal(
          (await read(world(), given, days('2025-01-01', '2025-01-31'))).totals.salesForecast,
          total,
          `${currency} ${amount}`,
        );
      }
    },
  );

  test('200: a bucket without a target on any of its dates is null, one whose targets are zero is 0', async () => {
    const tenant = await tenantWith(world(), [
      { month: '2025-02', salesBudget: 28 },
      { date: '2025-03-03', salesBudget: 0 },
      { date: '2025-03-09', adSpendBudget: 5 },
    ]);
    const { data, totals } = await read(world(), tenant, {
      ...days('2025-02-24', '2025-03-30'),
      interval: 'week',
    });
    assert.deepEqual(
      data.map(({ startTime, salesBudget, salesForecast, adSpendBudget }) => [
        startTime.slice(0, 10),
        salesBudget,
        salesForecast,
        adSpendBudget,
      ]),
      [
        ['2025-02-24', 5, null, null],
        ['2025-03-03', 0, null, 5],
        ['2025-03-10', null, null, null],
        ['2025-03-17', null, null, null],
        ['2025-03-24', null, null, null],
      ],
    );
    assert.deepEqual(totals, { salesBudget: 5, salesForecast: null, adSpendBudget: 5 });
    const empty = await read(world(), tenant, days('2024-01-01', '2024-01-02'));
    assert.deepEqual(
      empty.data.map(({ salesBudget, salesForecast, adSpendBudget }) => ({
        salesBudget,
        salesForecast,
        adSpendBudget,
      })),
      [none, none],
    );
    assert.deepEqual(empty.totals, none);
  });

  test('200: a range that begins and ends within months has the targets of the dates that it touches', async () => {
    const tenant = await tenantWith(world(), [
      { month: '2024-02', salesBudget: 29 },
      { month: '2024-03', salesBudget: 62 },
    ]);
    const zone = 'America/New_York';
    const range = {
      fromDate: at(zone, '2024-02-28T13:00'),
      toDate: at(zone, '2024-03-10T03:30'),
      timezone: zone,
    };
    const { data, totals } = await read(world(), tenant, { ...range, interval: 'month' });
    assert.deepEqual(
      data.map(({ startTime, endTime, salesBudget }) => [startTime, endTime, salesBudget]),
      [
        ['2024-02-28T13:00:00.000-05:00', '2024-02-29T23:59:59.000-05:00', 2],
        ['2024-03-01T00:00:00.000-05:00', '2024-03-10T03:30:00.000-04:00', 20],
      ],
    );
    assert.equal(totals.salesBudget, 22);
  });

  test('200: a date that the zone skipped has no daily bucket; longer buckets include its target', async () => {
    const tenant = await tenantWith(world(), [{ month: '2011-12', salesBudget: 31 }]);
    const range = days('2011-12-29', '2011-12-31', 'Pacific/Apia');
    const byDay = await read(world(), tenant, range);
    assert.deepEqual(
      byDay.data.map(({ startTime, salesBudget }) => [startTime, salesBudget]),
      [
        ['2011-12-29T00:00:00.000-10:00', 1],
        ['2011-12-31T00:00:00.000+14:00', 1],
      ],
    );
    assert.equal(byDay.totals.salesBudget, 2);
    assert.equal(
      (await read(world(), tenant, { ...range, interval: 'month' })).totals.salesBudget,
      3,
    );
  });

  testOnce(
    '200: whatever the zone and the year, a year has 12 months, 53 or 54 weeks and all of its days',
    async () => {
      const rows = [2024, 2025].flatMap((year) =>
        Array.from({ length: 12 }, (_, month) => ({
          month: `${year}-${String(month + 1).padStart(2, '0')}`,
          salesForecast: 1000,
        })),
      );
      const tenant = await tenantWith(world(), rows);
      for (const zone of [
        'UTC',
        'America/New_York',
        'Europe/London',
        'Australia/Lord_Howe',
        'Africa/Cairo',
        'America/Santiago',
        'Asia/Kathmandu',
      ]) {
        for (const [year, dates, weeks] of [
          [2024, 366, 53],
          [2025, 365, 53],
        ] as const) {
          const range = days(`${year}-01-01`, `${year}-12-31`, zone);
          for (const [interval, count] of [
            ['day', dates],
            ['week', weeks],
            ['month', 12],
          ] as const) {
            const { data, totals } = await read(world(), tenant, { ...range, interval });
            assert.equal(data.length, count, `${zone} ${year} ${interval}`);
            assert.equal(totals.salesForecast, 12_000, `${zone} ${year} ${interval}`);
            assert.deepEqual(
              [data[0]!.startTimeEpoch, data.at(-1)!.endTimeEpoch],
              [range.fromDate, range.toDate],
            );
            data.forEach(({ startTime, endTime, startTimeEpoch, endTimeEpoch }, index) => {
              assert.deepEqual(
                [Date.parse(startTime), Date.parse(endTime)],
                [startTimeEpoch * 1000, endTimeEpoch * 1000],
              );
              if (index > 0) assert.equal(startTimeEpoch, data[index - 1]!.endTimeEpoch + 1);
            });
          }
        }
      }
      // From the middle of a month to that of the next year's: 13 months, of which two are parts.
      const across = { ...days('2024-03-15', '2025-03-14', 'Europe/London'), interval: 'month' };
      const { data, totals } = await read(world(), tenant, across);
      // 17 of 31 shares of 32.26 or 32.25, and the first 14 of them a year later.
      assert.deepEqual(
        [data.length, data[0]!.salesForecast, data[12]!.salesForecast, totals.salesForecast],
        [13, 548.36, 451.64, 12_000],
      );
    },
  );

  testOnce('200: the interval is a word or its letter, by default the day', async () => {
    const tenant = await tenantWith(world(), [{ month: '2025-02', salesBudget: 28 }]);
    const range = days('2025-02-01', '2025-02-28');
    for (const [word, letter] of [
      ['day', 'd'],
      ['week', 'w'],
      ['month', 'M'],
    ]) {
      assert.deepEqual(
        await read(world(), tenant, { ...range, interval: letter }),
        await read(world(), tenant, { ...range, interval: word }),
      );
    }
    assert.deepEqual(
      await read(world(), tenant, range),
      await read(world(), tenant, { ...range, interval: 'day' }),
    );
  });

  testOnce(
    '200: the merchant may be written with percent signs, with plus signs or as it is; the zone is answered as it was sent',
    async () => {
      const tenant = await world().tenant({ channel: { merchantId: 'A1 @ B', kind: 'vendor' } });
      const range = new URLSearchParams(
        Object.entries({ ...days('2025-02-01', '2025-02-01'), timezone: 'utc' }).map(
          ([name, value]): [string, string] => [name, String(value)],
        ),
      );
      for (const merchantId of ['A1%20%40%20B', 'A1+%40+B', 'A1+@+B', 'A1 @ B']) {
        const path = `/targets?channelId=${tenant.channelId}&merchantId=${merchantId}&${range}`;
        const { status, body } = await world().ask(tenant.key, 'GET', path);
        assert.equal(status, 200, `${merchantId}: ${JSON.stringify(body)}`);
        assert.deepEqual(body.meta, { timezone: 'utc', currency: 'USD' });
      }
    },
  );
});

onOnePair('Refusals of targets', (world) => {
  async function refusal(query: object): Promise<string> {
    const { status, body } = await get(world(), await world().tenant(), {
      ...days('2025-02-01', '2025-02-28'),
      ...query,
    });
    assert.equal(status, 400, JSON.stringify(body));
    assert.deepEqual(Object.keys(body).sort(), ['error', 'status']);
    return body.error;
  }

  test('400: every failing rule is listed, in the order of the query', async () => {
    assert.equal(
      await refusal({
        merchantId: undefined,
        fromDate: 'yesterday',
        toDate: undefined,
        timezone: 'Mars/Base',
        interval: 'quarter',
      }),
      'merchantId is required, fromDate must be an integer, toDate is required, timezone must be an IANA time zone, ' +
        'interval must be day or week or month or d or w or M',
    );
    for (const interval of ['h', 'hour', 'Q', 'y', 'Day', 'm'])
      assert.match(await refusal({ interval }), /interval must be day or week or/);
  });

  test('400: milliseconds, an end before its beginning, and more than 4,000 buckets', async () => {
    assert.equal(
      await refusal({ toDate: 1_753_019_999_000 }),
      'toDate must be in seconds and not in milliseconds',
    );
    assert.equal(await refusal({ toDate: 1 }), 'toDate must not be before fromDate');
    assert.equal(
      await refusal({ fromDate: 0, toDate: 4001 * 86_400 - 1, timezone: 'UTC' }),
      'fromDate to toDate has more than 4000 buckets: ask for longer ones by interval',
    );
  });

  test('200: exactly 4,000 buckets, a single second, and the last dates that can be asked for', async () => {
    const tenant = await world().tenant();
    assert.equal(
      (await read(world(), tenant, { fromDate: 0, toDate: 4000 * 86_400 - 1, timezone: 'UTC' }))
        .data.length,
      4000,
    );
    assert.equal(
      (await read(world(), tenant, { fromDate: 0, toDate: 0, timezone: 'America/New_York' })).data
        .length,
      1,
    );
    const far = await read(world(), tenant, {
      fromDate: 1e11 - 86_400 * 365,
      toDate: 1e11,
      timezone: 'Asia/Tokyo',
      interval: 'month',
    });
    assert.equal(far.data.length, 13);
  });

  test('400: a channel of another organisation is refused like one that does not exist', async () => {
    const [tenant, other] = [await world().tenant(), await world().tenant()];
    const { channelId, merchantId } = other;
    for (const query of [
      { channelId, merchantId },
      { channelId: 'unknown' },
      { merchantId: 'nobody' },
    ]) {
      const { status, body } = await get(world(), tenant, {
        ...days('2025-02-01', '2025-02-28'),
        ...query,
      });
      assert.deepEqual(
        [status, body],
        [
          400,
          { status: 'error', error: 'channelId and merchantId do not match a connected store' },
        ],
      );
    }
  });
});

const names = ['salesBudget', 'salesForecast', 'adSpendBudget'] as const;
const amounts = fc.option(
  fc
    .bigInt({ min: -(10n ** 12n), max: 10n ** 13n })
    .map((millionths) => new Decimal(String(millionths)).div(1e6).toFixed()),
  { nil: undefined, freq: 3 },
);
const amountsOfAll = { salesBudget: amounts, salesForecast: amounts, adSpendBudget: amounts };
const firstMonth = Temporal.PlainYearMonth.from('2023-11');
const given = fc.record({
  currency: fc.constantFrom('USD', 'JPY', 'KWD'),
  months: fc.uniqueArray(
    fc.record({
      month: fc.nat(9).map((months) => firstMonth.add({ months }).toString()),
      ...amountsOfAll,
    }),
    {
      selector: ({ month }) => month,
      maxLength: 8,
    },
  ),
  dates: fc.uniqueArray(
    fc.record({
      date: fc
        .nat(300)
        .map((length) => firstMonth.toPlainDate({ day: 1 }).add({ days: length }).toString()),
      ...amountsOfAll,
    }),
    { selector: ({ date }) => date, maxLength: 30 },
  ),
});
type Given = typeof given extends fc.Arbitrary<infer G> ? G : never;
const questions = fc.record({
  timezone: fc.constantFrom(
    'UTC',
    'America/New_York',
    'Africa/Cairo',
    'Australia/Lord_Howe',
    'America/Santiago',
    'Pacific/Kiritimati',
  ),
  interval: fc.constantFrom('day', 'week', 'month'),
  fromDate: fc.integer({ min: at('UTC', '2023-10-15T00:00'), max: at('UTC', '2024-08-31T00:00') }),
  length: fc.integer({ min: 0, max: 200 * 86_400 }),
});
type Question = typeof questions extends fc.Arbitrary<infer Q> ? Q : never;

/**
 * A date's target worked out on its own: its own where it has one, else the difference of what its
 * month has come to before and with it.
 */
function targetOf(
  { currency, months, dates }: Given,
  name: (typeof names)[number],
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

function naive(
  facts: Given,
  { timezone, interval, fromDate, length }: Question,
): { data: Targets[]; totals: Targets } {
  const dateOf = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant * 1000)
      .toZonedDateTimeISO(timezone)
      .toPlainDate();
  const buckets = new Map<string, Record<string, Decimal | undefined>>();
  const totals: Record<string, Decimal | undefined> = {};
  const last = dateOf(fromDate + length);
  for (
    let date = dateOf(fromDate);
    Temporal.PlainDate.compare(date, last) <= 0;
    date = date.add({ days: 1 })
  ) {
    const week = date.subtract({ days: date.dayOfWeek - 1 });
    const key = { day: date, week, month: date.with({ day: 1 }) }[interval]!.toString();
    const bucket = buckets.get(key) ?? {};
    buckets.set(key, bucket);
    for (const name of names) {
      const target = targetOf(facts, name, date);
      if (target === undefined) continue;
      bucket[name] = target.plus(bucket[name] ?? 0);
      totals[name] = target.plus(totals[name] ?? 0);
    }
  }
  const shown = (sums: Record<string, Decimal | undefined>) =>
    Object.fromEntries(
      names.map((name) => [name, sums[name] === undefined ? null : sums[name].toNumber() + 0]),
    ) as Targets;
  return { data: [...buckets.values()].map(shown), totals: shown(totals) };
}

onOnePair('Random targets', (world) => {
  test('equal a plain recomputation, date by date', async () => {
    await fc.assert(
      fc.asyncProperty(
        given,
        fc.array(questions, { minLength: 6, maxLength: 6 }),
        async (facts, askedList) => {
          const rows = [...facts.months, ...facts.dates];
          const tenant = await world().tenant({ channel: { currency: facts.currency } });
          if (rows.length > 0) await importRows(world(), 'targets', tenant.channelId, rows);
          for (const asked of askedList) {
            const { length, ...query } = asked;
            const { data, totals } = await read(world(), tenant, {
              ...query,
              toDate: asked.fromDate + length,
            });
            const buckets = data.map(({ salesBudget, salesForecast, adSpendBudget }) => ({
              salesBudget,
              salesForecast,
              adSpendBudget,
            }));
            assert.deepEqual({ data: buckets, totals }, naive(facts, asked), JSON.stringify(asked));
          }
        },
      ),
      { numRuns: triesOn(world(), { embedded: 10, served: 3 }) },
    );
  });

  test('a month that is spread adds up to itself, whatever its amount and its length', async () => {
    const tenant = await world().tenant({ channel: { currency: 'KWD' } });
    const month = fc
      .nat(47)
      .map((months) => Temporal.PlainYearMonth.from('2023-01').add({ months }));
    await fc.assert(
      fc.asyncProperty(
        month,
        fc.integer({ min: -1_000_000, max: 1_000_000 }),
        async (yearMonth, thousandths) => {
          const salesBudget = new Decimal(thousandths).div(1000).toFixed(3);
          await importRows(world(), 'targets', tenant.channelId, [
            { month: yearMonth.toString(), salesBudget },
          ]);
          const [first, last] = [
            yearMonth.toPlainDate({ day: 1 }),
            yearMonth.toPlainDate({ day: yearMonth.daysInMonth }),
          ];
          const { data, totals } = await read(
            world(),
            tenant,
            days(first.toString(), last.toString()),
          );
          const shares = data.map((bucket) => Math.round(bucket.salesBudget! * 1000));
          assert.equal(data.length, yearMonth.daysInMonth);
          assert.equal(
            shares.reduce((sum, share) => sum + share, 0),
            thousandths,
          );
          assert.ok(Math.max(...shares) - Math.min(...shares) <= 1);
          assert.equal(totals.salesBudget, thousandths / 1000);
        },
      ),
      { numRuns: triesOn(world(), { embedded: 10, served: 3 }) },
    );
  });
});
