/** Dates of documents are read in every notation, and refused if they have two readings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantOf, plainInstant, readDate } from './dates.ts';
import { CellError } from './fields.ts';

const iso = (seconds: number | undefined) =>
  seconds === undefined ? undefined : new Date(seconds * 1000).toISOString().slice(0, 19);

test('dates are read in both orders, with their time and offset', () => {
  const read = (text: string, order: 'dayFirst' | 'monthFirst', zone = 'America/Los_Angeles') => {
    const written = readDate(text, 'flatFile');
    return written && iso(instantOf(written, order, zone));
  };
  assert.equal(read('03/04/2025 01:02:03 UTC', 'dayFirst'), '2025-04-03T01:02:03');
  assert.equal(read('03/04/2025 01:02:03 UTC', 'monthFirst'), '2025-03-04T01:02:03');
  assert.equal(read('3/4/25 1:02 GMT', 'monthFirst'), '2025-03-04T01:02:00');
  assert.equal(read('13/04/2025', 'monthFirst'), undefined);
  assert.equal(read('03.04.2025 01:02:03 UTC', 'monthFirst'), '2025-04-03T01:02:03');
  assert.equal(read('2025/04/03 01:02:03 UTC', 'monthFirst'), '2025-04-03T01:02:03');
  assert.equal(read('2025-04-03T01:02:03.500+05:30', 'dayFirst'), '2025-04-02T19:32:03');
  assert.equal(read('2025-04-03T01:02:03-0700', 'dayFirst'), '2025-04-03T08:02:03');
  // On March 9th at 10:00 UTC, clocks in Los Angeles skip from 2:00 to 3:00.
  assert.equal(read('2025-03-09 01:59:59', 'dayFirst'), '2025-03-09T09:59:59');
  assert.equal(read('2025-03-09 03:00:00', 'dayFirst'), '2025-03-09T10:00:00');
  assert.equal(read('2025-03-10', 'dayFirst', 'Europe/Berlin'), '2025-03-10T11:00:00');
  const [edge, zone] = [readDate('2025-03-09', 'flatFile')!, 'America/Los_Angeles'];
  assert.deepEqual(
    [instantOf(edge, 'dayFirst', zone, 'start'), instantOf(edge, 'dayFirst', zone, 'end')].map(iso),
    ['2025-03-09T08:00:00', '2025-03-10T06:59:59'],
  );
  const unreadable =
    'soon|2025-02-30|13/13/2025|2025-03-09 25:00|2025-03-09 10:60|2025-03|1/2/345|03-04/2025|2025-03-09 10:00 XYZ';
  for (const text of ['', ...unreadable.split('|')])
    assert.equal(readDate(text, 'flatFile'), undefined, text);
});

test('names of zones stand for their offset from UTC', () => {
  const hours = { UTC: 12, GMT: 12, JST: 3, AEST: 2, AEDT: 1, BST: 11, CET: 11, CEST: 10 };
  for (const [name, hour] of Object.entries({ ...hours, PST: 20, PDT: 19, Z: 12 })) {
    const written = readDate(`2025-04-03 12:00:00 ${name}`, 'flatFile')!;
    const expected = `2025-04-03T${String(hour).padStart(2, '0')}:00:00`;
    assert.equal(iso(instantOf(written, 'dayFirst', 'Asia/Tokyo')), expected, name);
  }
});

test('spreadsheets write dates with names of months and serial numbers', () => {
  const day = (text: string) => {
    const { dayFirst, monthFirst } = readDate(text, 'spreadsheet') ?? {};
    return [dayFirst, monthFirst].map((one) => iso(one && one * 86_400)?.slice(0, 10));
  };
  const sameDay =
    'Jan 5, 2026|January 5 2026|5 Jan 2026|5-jan.-2026|46027|46027.75|2026-01-05T10:00:00.000Z|2026/1/5|05.01.2026';
  for (const text of sameDay.split('|'))
    assert.deepEqual(day(text), ['2026-01-05', '2026-01-05'], text);
  assert.deepEqual(day('1/13/2026'), [undefined, '2026-01-13']);
  assert.deepEqual(day('3/4/2026'), ['2026-04-03', '2026-03-04']);
  for (const text of ['3/4/26', '3/4/2026 10:00', '29999', '70001', 'Foo 5, 2026', '30 Feb 2026'])
    assert.equal(readDate(text, 'spreadsheet'), undefined, text);
  assert.equal(readDate('46027', 'flatFile'), undefined);
  assert.deepEqual(readDate('3/4/26', 'any'), readDate('03/04/2026', 'any'));
});

test('a date by itself is refused where it has two readings', () => {
  assert.equal(iso(plainInstant('04/04/2025', 'UTC') as number), '2025-04-04T12:00:00');
  assert.equal(iso(plainInstant('14/04/2025', 'UTC') as number), '2025-04-14T12:00:00');
  assert.equal(iso(plainInstant('04/14/2025', 'UTC') as number), '2025-04-14T12:00:00');
  const twoReadings = new CellError('has two readings: write the date with the year first');
  assert.deepEqual(plainInstant('03/04/2025', 'UTC'), twoReadings);
  assert.deepEqual(plainInstant('soon', 'UTC'), new CellError('must be a date'));
});
