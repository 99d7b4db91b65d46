/** Local days and buckets leave no gap and no overlap in any zone, and agree with other clocks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastCheck from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { level, slowTest, testDepth } from '../../test/level.ts';
import { listsOf, tablesBeside } from '../../test/table.ts';
import {
  type Bucket,
  bucketOfDay,
  bucketOfInstant,
  buckets,
  bucketsMax,
  countBuckets,
  dayNumber,
  endOfDay,
  type Interval,
  isoDate,
  isoInstant,
  localDay,
  monthOfDay,
  parseInterval,
  startOfDay,
} from './period.ts';
import { zoneOffsets } from './zone.ts';

const tables = tablesBeside(import.meta.url, 'period.tables.txt');

const zones = Intl.supportedValuesOf('timeZone');
const intervals: readonly Interval[] = ['h', 'd', 'w', 'M', 'Q', 'y'];

// Zones with the oddest changes of the last 60 years: half hours, changes at 00:01, skipped dates,
// local dates that go back.
const oddZones = `
  America/St_Johns America/Goose_Bay America/Moncton Antarctica/Casey Antarctica/Troll Pacific/Apia
  Pacific/Fakaofo Pacific/Kiritimati Pacific/Enderbury Pacific/Kwajalein Pacific/Chatham
  Australia/Lord_Howe America/Caracas Asia/Pyongyang Asia/Colombo Asia/Gaza America/Havana
  America/Sao_Paulo Africa/Cairo Africa/Casablanca Africa/Monrovia
`
  .trim()
  .split(/\s+/);

/** The local date by Temporal as a day number, without the guarantee that it never goes back. */
const dateByTemporal = (zone: string, epochSeconds: number): number =>
  dayByDate(zonedByTemporal(zone, epochSeconds).toPlainDate());

function zonedByTemporal(zone: string, epochSeconds: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epochSeconds * 1000).toZonedDateTimeISO(zone);
}

function dayByDate(date: Temporal.PlainDate): number {
  return date.since('1970-01-01').days;
}

function periodStart(interval: Interval, date: Temporal.PlainDate): Temporal.PlainDate {
  if (interval === 'w') return date.subtract({ days: date.dayOfWeek - 1 });
  if (interval === 'M') return date.with({ day: 1 });
  if (interval === 'Q') return date.with({ month: date.month - ((date.month - 1) % 3), day: 1 });
  return interval === 'y' ? date.with({ month: 1, day: 1 }) : date;
}

function assertDense(found: readonly Bucket[], from: number, to: number, label: string) {
  assert.equal(found[0]!.startEpochSeconds, from, label);
  assert.equal(found.at(-1)!.endEpochSeconds, to, label);
  for (const [place, { startEpochSeconds: start, endEpochSeconds: end }] of found.entries()) {
    const next = found[place + 1]?.startEpochSeconds ?? end + 1;
    assert.ok(end >= start && next === end + 1, `${label}: gap or overlap at ${start}`);
  }
}

test('The local days of the documented examples begin and end at the right seconds', () => {
  for (const [zone, date, start, end, hours] of listsOf(tables.localDays!)) {
    const day = dayNumber(date);
    assert.equal(startOfDay(zone, day), start, zone);
    assert.equal(endOfDay(zone, day), end, zone);
    assert.equal((end - start + 1) / 3600, hours, zone);
    const around = buckets(zone, start - 86400, end + 86400, 'd');
    const middle = around.find((bucket) => bucket.firstDay === day);
    const whole = { startEpochSeconds: start, endEpochSeconds: end, firstDay: day, lastDay: day };
    assert.deepEqual(middle, whole, zone);
  }
  assert.equal(isoInstant('Africa/Cairo', 1714082400), '2024-04-26T01:00:00.000+03:00');
  assert.equal(isoInstant('America/Santiago', 1725768000), '2024-09-08T01:00:00.000-03:00');
  assert.equal(isoInstant('Asia/Kathmandu', 1735668900), '2025-01-01T00:00:00.000+05:45');
});

test('A skipped date has no start, end or day bucket, but larger buckets contain it', () => {
  const day = dayNumber('2011-12-30');
  assert.equal(startOfDay('Pacific/Apia', day), undefined);
  assert.equal(endOfDay('Pacific/Apia', day), undefined);
  const from = startOfDay('Pacific/Apia', dayNumber('2011-12-29'))!;
  const to = endOfDay('Pacific/Apia', dayNumber('2011-12-31'))!;
  assert.equal(to - from + 1, 2 * 86400);
  const days = buckets('Pacific/Apia', from, to, 'd');
  const found = days.map((bucket) => isoDate(bucket.firstDay));
  assert.deepEqual(found, ['2011-12-29', '2011-12-31']);
  assert.equal(bucketOfDay(days, day), -1);
  assert.equal(bucketOfDay(buckets('Pacific/Apia', from, to, 'w'), day), 0);
  // Kiritimati skipped the last day of 1994, so its year ended a day early.
  assert.equal(startOfDay('Pacific/Kiritimati', dayNumber('1994-12-31')), undefined);
  const years = buckets('Pacific/Kiritimati', 780000000, 800000000, 'y');
  const ends = years.map((bucket) => isoInstant('Pacific/Kiritimati', bucket.endEpochSeconds));
  const shown = ends.map((end) => end.slice(0, 19));
  assert.deepEqual(shown, ['1994-12-30T23:59:59', '1995-05-09T20:13:20']);
});

test('If the clock shows midnight twice on one date, the day begins at the first', () => {
  // In Havana clocks go from 01:00 to 00:00.
  const day = dayNumber('2025-11-02');
  const start = startOfDay('America/Havana', day)!;
  assert.equal(isoInstant('America/Havana', start), '2025-11-02T00:00:00.000-04:00');
  assert.equal(endOfDay('America/Havana', day)! - start + 1, 25 * 3600);
});

test('When clocks go back over midnight, a day that has begun is not interrupted', () => {
  for (const [zone, date, start, hours] of listsOf(tables.interruptedDays!)) {
    const day = dayNumber(date);
    const startEpochSeconds = startOfDay(zone, day)!;
    assert.equal(isoInstant(zone, startEpochSeconds), start);
    assert.equal(endOfDay(zone, day)! - startEpochSeconds + 1, hours * 3600);
    assert.equal(endOfDay(zone, day - 1), startEpochSeconds - 1);
    // At some point in the day, the clocks show the previous date again; those seconds stay with
    // the day.
    const shown = Array.from({ length: 300 }, (_, minute) => startEpochSeconds + minute * 60);
    assert.ok(shown.some((instant) => dateByTemporal(zone, instant) === day - 1));
    assert.ok(shown.every((instant) => localDay(zone, instant) === day));
  }
});

test('Hour buckets take 3600 seconds of real time each: 23, 24 or 25 a day', () => {
  const lengths = (zone: string, date: string) => {
    const [from, to] = [startOfDay(zone, dayNumber(date))!, endOfDay(zone, dayNumber(date))!];
    const hours = buckets(zone, from, to, 'h');
    return hours.map((hour) => hour.endEpochSeconds - hour.startEpochSeconds + 1);
  };
  assert.deepEqual(lengths('America/New_York', '2025-03-09'), Array(23).fill(3600));
  assert.deepEqual(lengths('America/New_York', '2025-11-02'), Array(25).fill(3600));
  assert.deepEqual(lengths('Asia/Kathmandu', '2025-01-01'), Array(24).fill(3600));
  assert.deepEqual(lengths('America/St_Johns', '2006-10-29'), Array(25).fill(3600));
});

test('Hour buckets begin at full local hours in half- and quarter-hour zones, after a clipped first one', () => {
  const found = buckets('Asia/Kathmandu', 1735668900 + 600, 1735668900 + 7200 + 599, 'h');
  const starts = found.map((bucket) => isoInstant('Asia/Kathmandu', bucket.startEpochSeconds));
  const hours = starts.map((start) => start.slice(11, 19));
  assert.deepEqual(hours, ['00:10:00', '01:00:00', '02:00:00']);
});

test('A change by half an hour makes one half-hour bucket, and full local hours follow', () => {
  const texts = (from: number) =>
    buckets('Australia/Lord_Howe', from, from + 4 * 3600 - 1, 'h').map((bucket) =>
      isoInstant('Australia/Lord_Howe', bucket.startEpochSeconds).slice(11).replace(':00.000', ''),
    );
  const back = '00:00+11:00 01:00+11:00 01:30+10:30 02:00+10:30 03:00+10:30';
  assert.equal(texts(1743858000).join(' '), back);
  const spring = startOfDay('Australia/Lord_Howe', dayNumber('2025-10-05'))!;
  const forward = '00:00+10:30 01:00+10:30 02:30+11:00 03:00+11:00 04:00+11:00';
  assert.equal(texts(spring).join(' '), forward);
});

test('Weeks begin on Monday, quarters in January, April, July and October; the range clips both ends', () => {
  const from = dayNumber('2024-12-25') * 86400 + 3600;
  const to = dayNumber('2025-01-14') * 86400 + 7200;
  const both = ({ firstDay, lastDay }: Bucket) => `${isoDate(firstDay)} ${isoDate(lastDay)}`;
  const dates = (interval: Interval) => buckets('UTC', from, to, interval).map(both);
  assert.deepEqual(dates('w'), [
    ...['2024-12-25 2024-12-29', '2024-12-30 2025-01-05'],
    ...['2025-01-06 2025-01-12', '2025-01-13 2025-01-14'],
  ]);
  assert.deepEqual(dates('M'), ['2024-12-25 2024-12-31', '2025-01-01 2025-01-14']);
  assert.deepEqual(dates('y'), dates('M'));
  assert.deepEqual(dates('Q'), dates('M'));
  assert.equal(buckets('UTC', from, to, 'w')[0]!.startEpochSeconds, from);
  assert.equal(buckets('UTC', from, to, 'w').at(-1)!.endEpochSeconds, to);
  const quarters = buckets('UTC', 1735689600, 1767225599, 'Q').map(({ firstDay }) => firstDay);
  const expected = ['2025-01-01', '2025-04-01', '2025-07-01', '2025-10-01'];
  assert.deepEqual(quarters.map(isoDate), expected);
});

test('A range of one second is one bucket of one second', () => {
  for (const interval of intervals) {
    const [bucket, ...others] = buckets('Asia/Tokyo', 1752933600, 1752933600, interval);
    const { startEpochSeconds: start, endEpochSeconds: end } = bucket!;
    assert.deepEqual([start, end, others.length], [1752933600, 1752933600, 0]);
  }
});

test('4,000 buckets are allowed; one more is refused, and so is a range of millennia', () => {
  assert.equal(countBuckets('UTC', 0, bucketsMax * 86400 - 1, 'd'), bucketsMax);
  assert.equal(buckets('UTC', 0, bucketsMax * 86400 - 1, 'd').length, bucketsMax);
  assert.equal(countBuckets('UTC', 0, bucketsMax * 86400, 'd'), bucketsMax + 1);
  assert.throws(() => buckets('UTC', 0, bucketsMax * 86400, 'd'), RangeError);
  assert.equal(countBuckets('Europe/Rome', 0, 1e11, 'h'), bucketsMax + 1);
  assert.equal(countBuckets('Europe/Rome', 0, 1e11, 'M'), bucketsMax + 1);
  assert.equal(countBuckets('Europe/Rome', 0, 1e11, 'y'), 3169);
});

test('Intervals are named by one letter or one word', () => {
  assert.deepEqual(['h', 'd', 'w', 'M', 'Q', 'y'].map(parseInterval), intervals);
  const words = ['hour', 'day', 'week', 'month', 'quarter', 'year'];
  assert.deepEqual(words.map(parseInterval), intervals);
  for (const text of ['', 'm', 'D', 'days', 'minute', 'constructor'])
    assert.equal(parseInterval(text), undefined, text);
});

test('Dates turn into day numbers and back for 400 years, and impossible dates are refused', () => {
  const step = level === 'deep' ? 1 : 5;
  for (let day = dayNumber('1900-01-01'); day < dayNumber('2300-01-01'); day += step) {
    assert.equal(isoDate(day), new Date(day * 86400000).toISOString().slice(0, 10));
    assert.equal(dayNumber(isoDate(day)), day);
  }
  for (const text of [
    ...['2025-02-29', '2025-13-01', '2025-00-10', '2025-04-31', '2025-4-1'],
    ...['', '2025-01-01T00:00', '20250101'],
  ])
    assert.throws(() => dayNumber(text), RangeError, text);
});

test('Instants are written with the offset in force, never with Z, and always denote the same instant', () => {
  assert.equal(isoInstant('UTC', 0), '1970-01-01T00:00:00.000+00:00');
  assert.equal(isoInstant('Australia/Sydney', 1753019999), '2025-07-20T23:59:59.000+10:00');
  assert.equal(isoInstant('America/St_Johns', 1752933600), '2025-07-19T11:30:00.000-02:30');
  assert.equal(isoInstant('Africa/Monrovia', 0), '1969-12-31T23:16:00.000-00:44');
  fastCheck.assert(
    fastCheck.property(
      fastCheck.constantFrom(...zones),
      fastCheck.integer({ min: 0, max: 7258118400 }),
      (zone, epochSeconds) => {
        const text = isoInstant(zone, epochSeconds);
        assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000[+-]\d\d:\d\d$/);
        assert.equal(Date.parse(text), epochSeconds * 1000);
        if (zone === 'Africa/Monrovia') return;
        const expected = zonedByTemporal(zone, epochSeconds);
        assert.equal(text, expected.toString({ timeZoneName: 'never', fractionalSecondDigits: 3 }));
      },
    ),
    { numRuns: Math.ceil(1000 * testDepth) },
  );
});

test('Local days begin when Temporal says so, in any zone from 1970 to 2200', () => {
  fastCheck.assert(
    fastCheck.property(
      fastCheck.constantFrom(...zones, ...oddZones),
      fastCheck.integer({ min: 1, max: 84000 }),
      (zone, day) => {
        const date = Temporal.PlainDate.from('1970-01-01').add({ days: day });
        const expected = date.toZonedDateTime(zone);
        const start = startOfDay(zone, day);
        if (dayByDate(expected.toPlainDate()) === day)
          assert.equal(start, expected.epochMilliseconds / 1000);
        else assert.equal(start, undefined);
      },
    ),
    { numRuns: Math.ceil(1000 * testDepth) },
  );
});

test('Buckets of any range agree with Temporal and with the lookups by day and by instant', () => {
  const spans: Record<Interval, number> = { h: 4e6, d: 5e7, w: 1e8, M: 1e8, Q: 2e8, y: 4e8 };
  const cases = fastCheck.record({
    zone: fastCheck.constantFrom(...zones, ...oddZones, ...oddZones),
    interval: fastCheck.constantFrom(...intervals),
    from: fastCheck.integer({ min: 0, max: 4e9 }),
    part: fastCheck.double({ min: 0, max: 1, noNaN: true }),
    inner: fastCheck.double({ min: 0, max: 1, noNaN: true }),
  });
  fastCheck.assert(
    fastCheck.property(cases, ({ zone, interval, from, part, inner }) => {
      const to = from + Math.floor(spans[interval] * part);
      const found = buckets(zone, from, to, interval);
      assertDense(found, from, to, `${zone} ${interval}`);
      assert.equal(countBuckets(zone, from, to, interval), found.length);

      const instant = from + Math.floor((to - from) * inner);
      const bucket = found[bucketOfInstant(found, instant)]!;
      assert.ok(bucket.startEpochSeconds <= instant && instant <= bucket.endEpochSeconds);
      const day = localDay(zone, instant);
      assert.ok(bucket.firstDay <= day && day <= bucket.lastDay);
      if (interval !== 'h') assert.equal(found[bucketOfDay(found, day)], bucket);
      assert.equal(bucketOfInstant(found, from - 1), -1);
      assert.equal(bucketOfInstant(found, to + 1), -1);
      assert.equal(bucketOfDay(found, found[0]!.firstDay - 1), -1);
      assert.equal(bucketOfDay(found, found.at(-1)!.lastDay + 1), -1);

      if (bucket.startEpochSeconds === from) return;
      const start = zonedByTemporal(zone, bucket.startEpochSeconds);
      const ordinary = start.hoursInDay === 24 && start.subtract({ days: 1 }).hoursInDay === 24;
      if (interval === 'h' && ordinary && zone !== 'Africa/Monrovia')
        assert.equal(start.minute * 60 + start.second, 0);
      if (interval !== 'h') {
        assert.equal(start.epochMilliseconds, start.startOfDay().epochMilliseconds);
        const date = Temporal.PlainDate.from(isoDate(bucket.firstDay));
        assert.equal(date.toString(), periodStart(interval, date).toString());
      }
    }),
    { numRuns: Math.ceil(600 * testDepth) },
  );
});

/**
 * Checks all buckets of one zone and range: dense, and the dates shown at both ends of each bucket
 * are those that it claims.
 */
function sweep(zone: string, from: number, to: number): void {
  for (const interval of intervals.slice(1)) {
    const found = buckets(zone, from, to, interval);
    assertDense(found, from, to, `${zone} ${interval}`);
    for (const { startEpochSeconds, endEpochSeconds, firstDay, lastDay } of found)
      for (const [end, instant, day] of [
        ['first', startEpochSeconds, firstDay],
        ['last', endEpochSeconds, lastDay],
      ] as const)
        if (localDay(zone, instant) !== day && startOfDay(zone, day) !== undefined)
          assert.fail(`${zone} ${interval}: ${end} day of ${isoDate(firstDay)}`);
  }
}

/**
 * Checks the claimed dates of the day buckets against the runtime's own clock, set to the zone
 * meanwhile.
 */
function compareDates(zone: string, from: number, to: number): void {
  const zoneBefore = process.env.TZ;
  process.env.TZ = zone;
  const shown = (epochSeconds: number) => {
    const date = new Date(epochSeconds * 1000);
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86400000;
  };
  try {
    assert.equal(Intl.DateTimeFormat().resolvedOptions().timeZone, zone);
    for (const { startEpochSeconds, endEpochSeconds, firstDay } of buckets(zone, from, to, 'd')) {
      for (const instant of [startEpochSeconds, endEpochSeconds])
        if (shown(instant) !== firstDay)
          assert.fail(`${zone}: ${instant} is in ${isoDate(firstDay)}`);
    }
  } finally {
    if (zoneBefore === undefined) delete process.env.TZ;
    else process.env.TZ = zoneBefore;
  }
}

test('In every zone, or one of sixteen, the buckets of 2016 to 2026 have no gap, no overlap and the right dates', () => {
  const [from, to] = [1451606400 + 12345, 1767225599];
  const every = level === 'deep' ? 1 : 16;
  for (const zone of zones.filter((_, place) => place % every === 0)) {
    sweep(zone, from, to);
    compareDates(zone, from, to);
  }
});

slowTest('The same holds in the oddest zones each decade since 1970, or every other one', () => {
  const step = level === 'deep' ? 10 : 20;
  for (const [place, zone] of oddZones.entries()) {
    for (let year = step === 10 ? 1970 : 1970 + 10 * (place % 2); year < 2030; year += step) {
      const [from, to] = [Date.UTC(year, 0, 1) / 1000, Date.UTC(year + 10, 0, 1) / 1000];
      sweep(zone, from, to);
      if (level === 'deep') compareDates(zone, from, to);
    }
  }
});

slowTest('Hour buckets stay within a day and an hour around changes of the oddest zones', () => {
  for (const zone of oddZones) {
    for (const change of zoneOffsets(zone, 0, 2e9).starts) {
      const found = buckets(zone, change - 2 * 86400, change + 2 * 86400, 'h');
      assertDense(found, change - 2 * 86400, change + 2 * 86400, zone);
      for (const { startEpochSeconds: start, endEpochSeconds: end, firstDay } of found)
        if (localDay(zone, end) !== firstDay || end - start >= 3600)
          assert.fail(`${zone}: hour at ${start}`);
    }
  }
});

test('A month goes from its first day to its last, leap years included', () => {
  const month = (date: string) => {
    const { firstDay, lastDay } = monthOfDay(dayNumber(date));
    return [isoDate(firstDay), isoDate(lastDay)];
  };
  assert.deepEqual(month('2024-02-29'), ['2024-02-01', '2024-02-29']);
  assert.deepEqual(month('2025-02-01'), ['2025-02-01', '2025-02-28']);
  assert.deepEqual(month('2025-12-31'), ['2025-12-01', '2025-12-31']);
  assert.deepEqual(month('1969-12-15'), ['1969-12-01', '1969-12-31']);
});
