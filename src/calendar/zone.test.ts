/** Zones are known by their IANA names, and their offsets agree with the clocks of Intl. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastCheck from 'fast-check';
import { testDepth } from '../../test/level.ts';
import {
  calendarOffsets,
  knownZone,
  offsetAt,
  sameDays,
  type ZoneOffsets,
  zoneOffsets,
} from './zone.ts';

const zones = Intl.supportedValuesOf('timeZone');
const fieldNames = ['year', 'month', 'day', 'hour', 'minute', 'second'];
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The offset in seconds, read from the wall clock field by field. It shares nothing with the code
 * under test except the zone data.
 */
function offsetByClock(zone: string, epochSeconds: number): number {
  let format = formats.get(zone);
  if (format === undefined) {
    const whole = Object.fromEntries(fieldNames.map((name) => [name, 'numeric']));
    format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...whole });
    formats.set(zone, format);
  }
  const fields = new Map<string, number>(
    format.formatToParts(epochSeconds * 1000).map(({ type, value }) => [type, Number(value)]),
  );
  const [year, month, day, hour, minute, second] = fieldNames.map((name) => fields.get(name)!);
  return Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) / 1000 - epochSeconds;
}

function isOffsetOfClock(zone: string, epochSeconds: number): void {
  assert.equal(offsetAt(zone, epochSeconds), offsetByClock(zone, epochSeconds));
}

function lookUp({ starts, offsets }: ZoneOffsets, epochSeconds: number): number {
  return offsets[starts.findLastIndex((start) => start <= epochSeconds)]!;
}

test('IANA names are known in any letter case, aliases included', () => {
  for (const name of [
    ...[...zones, 'UTC', 'Etc/UTC', 'GMT', 'Etc/GMT+5', 'Asia/Kathmandu', 'Asia/Calcutta'],
    ...['US/Pacific', 'EST5EDT', 'EST'],
  ])
    assert.equal(knownZone(name), true, name);
  assert.equal(knownZone('europe/berlin'), true);
  assert.equal(knownZone('EUROPE/BERLIN'), true);
});

test('Offsets, abbreviations, empty text and unknown names are not zones', () => {
  for (const name of [
    ...['', ' ', '+02:00', '-0800', '+02', 'UTC+2', 'GMT+5', 'Z', 'PST', 'IST', 'SystemV/EST5'],
    ...['Europe/Atlantis', ' Europe/Berlin', 'Europe/Berlin\n', 'Europe/\u212Aiev'],
    ...['Europe/Berl\u0131n', '__proto__', 'constructor', 'A'.repeat(1e5)],
  ])
    assert.equal(knownZone(name), false, name.slice(0, 40));
  assert.equal(knownZone('Europe/Kiev'), true);
  const hint = 'a letter that lowers to an ASCII one does not pass once the zone is cached';
  assert.equal(knownZone('Europe/\u212Aiev'), false, hint);
});

test('An unknown zone throws RangeError', () => {
  assert.throws(() => offsetAt('Europe/Atlantis', 0), RangeError);
  assert.throws(() => zoneOffsets('', 0, 1), RangeError);
  assert.throws(() => sameDays('UTC', '+00:00', 0, 1), RangeError);
});

test('A range lists its offset changes, each from its exact second', () => {
  assert.deepEqual(zoneOffsets('Europe/London', 1735689600, 1767225599), {
    starts: [1735689600, 1743296400, 1761440400],
    offsets: [0, 3600, 0],
  });
  assert.deepEqual(zoneOffsets('UTC', 0, 4e9), { starts: [0], offsets: [0] });
  assert.deepEqual(zoneOffsets('Europe/London', 1743296400, 1743296400), {
    starts: [1743296400],
    offsets: [3600],
  });
  assert.deepEqual(zoneOffsets('Europe/London', 1743296399, 1743296400), {
    starts: [1743296399, 1743296400],
    offsets: [0, 3600],
  });
});

test('A local mean time keeps its seconds: Monrovia was 44 minutes and 30 seconds behind until 1972', () => {
  assert.equal(offsetAt('Africa/Monrovia', 0), -2670);
  assert.equal(offsetAt('Africa/Monrovia', 63593069), -2670);
  assert.equal(offsetAt('Africa/Monrovia', 63593070), 0);
});

test('Two changes within a week are both found: northern Brazil in October 2000', () => {
  const { offsets } = zoneOffsets('America/Recife', 970358400, 973036800);
  assert.deepEqual(offsets, [-10800, -7200, -10800]);
});

test('Offsets equal the wall clock of Intl in any zone at any instant from 1970 until 2200', () => {
  fastCheck.assert(
    fastCheck.property(
      fastCheck.constantFrom(...zones),
      fastCheck.integer({ min: 0, max: 7258118400 }),
      isOffsetOfClock,
    ),
    { numRuns: Math.ceil(1600 * testDepth) },
  );
});

test('Offsets equal the wall clock of Intl in the far future too, where one cycle serves all', () => {
  const someZones = [
    ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago'],
    ...['Africa/Casablanca', 'Asia/Gaza'],
  ];
  fastCheck.assert(
    fastCheck.property(
      fastCheck.constantFrom(...someZones),
      fastCheck.integer({ min: 7258118400, max: 1e11 }),
      isOffsetOfClock,
    ),
    { numRuns: Math.ceil(1000 * testDepth) },
  );
});

test('The offsets of a range equal the wall clock of Intl before and after each change', () => {
  const instants = fastCheck.tuple(
    fastCheck.integer({ min: 0, max: 4e9 }),
    fastCheck.integer({ min: 0, max: 1e8 }),
  );
  fastCheck.assert(
    fastCheck.property(
      fastCheck.constantFrom(...zones),
      instants,
      fastCheck.double({ min: 0, max: 1, noNaN: true }),
      (zone, [from, span], part) => {
        const found = zoneOffsets(zone, from, from + span);
        assert.equal(found.starts[0], from);
        const instant = from + Math.floor(span * part);
        assert.equal(lookUp(found, instant), offsetByClock(zone, instant));
        found.starts.slice(1).forEach((start, position) => {
          assert.ok(start > found.starts[position]! && start <= from + span);
          assert.equal(offsetByClock(zone, start - 1), found.offsets[position]);
          assert.equal(offsetByClock(zone, start), found.offsets[position + 1]);
          assert.notEqual(found.offsets[position], found.offsets[position + 1]);
        });
      },
    ),
    { numRuns: Math.ceil(400 * testDepth) },
  );
});

test('Berlin and Paris share their days this century; Berlin and London or Moscow do not', () => {
  const [from, to] = [1704067200, 1767225599];
  assert.equal(sameDays('Europe/Berlin', 'Europe/Paris', from, to), true);
  assert.equal(sameDays('Asia/Katmandu', 'Asia/Kathmandu', from, to), true);
  assert.equal(sameDays('Europe/London', 'Africa/Abidjan', 1735689600, 1743296399), true);
  assert.equal(sameDays('Europe/London', 'Africa/Abidjan', 1735689600, 1743296400), false);
  assert.equal(sameDays('Europe/Berlin', 'Europe/London', from, to), false);
  assert.equal(sameDays('Europe/Berlin', 'Europe/Moscow', from, to), false);
});

test('Calendar offsets keep the earlier offset until the day begins again when clocks go back over midnight', () => {
  // In St John's clocks went from 00:01 to 23:01, in Casey from 02:00 to 23:00.
  assert.deepEqual(calendarOffsets('America/St_Johns', 1162000000, 1162100000), {
    starts: [1162000000, 1162089060 + 59 * 60],
    offsets: [-9000, -12600],
  });
  const found = zoneOffsets('America/St_Johns', 1162000000, 1162100000).starts;
  assert.deepEqual(found, [1162000000, 1162089060]);
  assert.deepEqual(calendarOffsets('Antarctica/Casey', 1267700000, 1267800000), {
    starts: [1267700000, 1267714800 + 3600],
    offsets: [39600, 28800],
  });
  const shown = calendarOffsets('Europe/London', 1735689600, 1767225599);
  assert.deepEqual(shown, zoneOffsets('Europe/London', 1735689600, 1767225599));
});

test('Changes a few weeks apart are found as long as tables announce them', () => {
  // Palestine goes back to standard time for Ramadan: here for six weeks, in 2040 for a week.
  for (const [hours, dates] of [
    [2, ['2040-09-15', '2040-11-01', '2053-03-20', '2053-05-01', '2086-05-01']],
    [3, ['2040-10-24', '2053-04-05', '2053-06-15', '2086-04-05', '2086-06-15']],
  ] as const)
    for (const date of dates) {
      const noon = Date.parse(`${date}T12:00Z`) / 1000;
      assert.equal(offsetAt('Asia/Hebron', noon), hours * 3600, date);
    }
});

test('Centuries of a zone are found with one formatter and few looks at its clocks', (t) => {
  let formatters = 0;
  let looks = 0;
  const Format = Intl.DateTimeFormat;
  const { get } = Object.getOwnPropertyDescriptor(Format.prototype, 'format')!;
  t.mock.getter(Format.prototype, 'format', function (this: Intl.DateTimeFormat) {
    looks++;
    return get!.call(this);
  });
  const Counted = new Proxy(Format, {
    construct(target, options: [string, Intl.DateTimeFormatOptions]) {
      formatters++;
      return new target(...options);
    },
  });
  Object.assign(Intl, { DateTimeFormat: Counted });
  t.after(() => Object.assign(Intl, { DateTimeFormat: Format }));
  // Twice a year from 1970 to 5138, except for the year-round summer times of the 1970s.
  const { starts } = zoneOffsets('America/Boise', 0, 1e11);
  assert.ok(starts.length > 6_300 && starts.length < 6_350);
  // One checks the name, unless an earlier test already did; the other looks up offsets.
  assert.ok(formatters <= 2, String(formatters));
  // 11,500 steps of 25 or 5 days make up the cycle of 400 years; each of 1,060 changes takes a few
  // looks.
  assert.ok(looks < 18_000, String(looks));
});
