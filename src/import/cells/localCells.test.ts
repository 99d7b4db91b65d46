import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decimalMarkOf, instantOf, localDate, plainAmount, plainInstant } from './localCells.ts';

const iso = (seconds: number | undefined) =>
  seconds === undefined ? undefined : new Date(seconds * 1000).toISOString().slice(0, 19);

test('amounts are read with the decimal mark that all amounts of a document tell', () => {
  const read = (places: number, ...texts: string[]) =>
    texts.map((text) => plainAmount(text, decimalMarkOf(texts, places)));
  assert.deepEqual(read(2, '1.582,89', '1.600,00', '-17,11'), ['1582.89', '1600.00', '-17.11']);
  assert.deepEqual(read(2, '1,582.89', '1,600', '-17.11'), ['1582.89', '1600', '-17.11']);
  // Decimals have two places here, so a point before three digits parts thousands.
  assert.deepEqual(read(2, '1600', '1.700', '-100'), ['1600', '1700', '-100']);
  // But where others have shown that it stands before decimals, it does so here.
  assert.deepEqual(read(2, '1.700', '0.30'), ['1.700', '0.30']);
  assert.deepEqual(read(2, '95,00', '−4,75', '+1,5'), ['95.00', '-4.75', '1.5']);
  assert.deepEqual(read(0, '1,234', '-266', '1,234,500'), ['1234', '-266', '1234500']);
  assert.deepEqual(read(0, '1.234'), ['1234']);
  assert.deepEqual(read(3, '1.234', '-0.266', '1,234.500'), ['1.234', '-0.266', '1234.500']);
  assert.deepEqual(read(3, '1,234', '-0,266'), ['1.234', '-0.266']);
  assert.deepEqual(read(2, '1,00,000.50', '.50', '7.'), ['100000.50', '0.50', '7']);
  assert.deepEqual(read(2, '1 582,89', '1\u202f582,89', "1'000,00"), [
    '1582.89',
    '1582.89',
    '1000.00',
  ]);
  assert.deepEqual(read(2, '95,00', '-4.75'), [undefined, '-4.75']);
  for (const text of ['', '-', '.', 'much', '1.2.3', '1,2345.00', '--1', '1-', '1e5', '$5'])
    assert.equal(plainAmount(text, '.'), undefined, text);
});

test('dates are read in both orders, with the time and the offset that they tell', () => {
  const read = (text: string, order: 'dayFirst' | 'monthFirst', zone = 'America/Los_Angeles') => {
    const local = localDate(text);
    return local && iso(instantOf(local, order, zone));
  };
  assert.equal(read('03/04/2025 01:02:03 UTC', 'dayFirst'), '2025-04-03T01:02:03');
  assert.equal(read('03/04/2025 01:02:03 UTC', 'monthFirst'), '2025-03-04T01:02:03');
  assert.equal(read('3/4/25 1:02 GMT', 'monthFirst'), '2025-03-04T01:02:00');
  assert.equal(read('13/04/2025', 'monthFirst'), undefined);
  assert.equal(read('03.04.2025 01:02:03 UTC', 'monthFirst'), '2025-04-03T01:02:03');
  assert.equal(read('2025/04/03 01:02:03 UTC', 'monthFirst'), '2025-04-03T01:02:03');
  assert.equal(read('2025-04-03T01:02:03.500+05:30', 'dayFirst'), '2025-04-02T19:32:03');
  assert.equal(read('2025-04-03T01:02:03-0700', 'dayFirst'), '2025-04-03T08:02:03');
  // Clocks of Los Angeles go from 2:00 to 3:00 on March 9th at 10:00 UTC.
  assert.equal(read('2025-03-09 01:59:59', 'dayFirst'), '2025-03-09T09:59:59');
  assert.equal(read('2025-03-09 03:00:00', 'dayFirst'), '2025-03-09T10:00:00');
  assert.equal(read('2025-03-10', 'dayFirst', 'Europe/Berlin'), '2025-03-10T11:00:00');
  const [edge, zone] = [localDate('2025-03-09')!, 'America/Los_Angeles'];
  assert.deepEqual(
    [instantOf(edge, 'dayFirst', zone, 'start'), instantOf(edge, 'dayFirst', zone, 'end')].map(iso),
    ['2025-03-09T08:00:00', '2025-03-10T06:59:59'],
  );
  for (const text of [
    '',
    'soon',
    '2025-02-30',
    '13/13/2025',
    '2025-03-09 25:00',
    '2025-03-09 10:60',
    '2025-03',
    '1/2/345',
    '03-04/2025',
    '2025-03-09 10:00 XYZ',
  ]) {
    assert.equal(localDate(text), undefined, text);
  }
});

test('a date of a row by itself is refused where it may be read in two ways', () => {
  assert.equal(iso(plainInstant('04/04/2025', 'UTC') as number), '2025-04-04T12:00:00');
  assert.equal(iso(plainInstant('14/04/2025', 'UTC') as number), '2025-04-14T12:00:00');
  assert.equal(iso(plainInstant('04/14/2025', 'UTC') as number), '2025-04-14T12:00:00');
  assert.deepEqual(plainInstant('03/04/2025', 'UTC'), {
    reason: 'may be read in two ways (it is "03/04/2025"): write it with the year first',
  });
  assert.deepEqual(plainInstant('soon', 'UTC'), {
    reason: 'cannot be read as a date (it is "soon")',
  });
});
