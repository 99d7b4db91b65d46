/** Schedules are due at their local times, and periods are whole days before that. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf, textBeside } from '../../test/table.ts';
import { cronFailure, lastTime, nextTimes } from './cron.ts';
import { resolvePeriod } from './periods.ts';

const iso = (times: readonly number[]) => times.map((time) => new Date(time).toISOString());
const next = (expression: string, zone: string, after: string, count = 1) =>
  iso(nextTimes(expression, zone, Date.parse(after), count));

test('a schedule keeps its local time when clocks change', () => {
  assert.deepEqual(next('0 7 * * 1-5', 'Europe/Berlin', '2026-03-27T00:00Z', 3), [
    '2026-03-27T06:00:00.000Z',
    '2026-03-30T05:00:00.000Z',
    '2026-03-31T05:00:00.000Z',
  ]);
});

test('a local time that is skipped is due at the end of the gap, a repeated one the first time', () => {
  assert.deepEqual(next('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', 2), [
    '2026-03-29T01:00:00.000Z',
    '2026-03-30T00:30:00.000Z',
  ]);
  assert.deepEqual(next('15 0 * * *', 'America/Havana', '2026-03-07T12:00Z'), [
    '2026-03-08T05:00:00.000Z',
  ]);
  assert.deepEqual(next('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', 2), [
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ]);
});

test('the last time includes the very second', () => {
  const due = Date.parse('2026-11-02T06:00Z');
  const last = (until: number) => lastTime('0 7 * * 1', 'Europe/Berlin', until);
  assert.deepEqual([last(due), last(due - 1_000)], [due, due - 7 * 86_400_000]);
});

test('what is no cron expression of five fields is refused', () => {
  const now = Date.parse('2026-11-01T00:00Z');
  for (const expression of [
    ...['0 7 * *', '0 0 7 * * *', '@daily', '0 7 L * *', '61 7 * * *', 'a b c d e', '0 7 * * 5#2'],
    ...['0 7 30 2 *', ''],
  ])
    assert.ok(cronFailure(expression, now) !== undefined, expression);
  for (const expression of ['0 7 * * *', '*/15 6-22 * * mon-fri', '0 9 1 JAN,jul *', '0 7 29 2 *'])
    assert.equal(cronFailure(expression, now), undefined, expression);
});

test('periods end with the day before the run, by the days of the zone', () => {
  const at = (text: string) => Date.parse(text) / 1000;
  const periods = rowsOf(textBeside(import.meta.url, 'cron.periods.csv'));
  // In Los Angeles it is still the evening of the first. 2026-11-04 is a Wednesday; the week before
  // is 25 hours longer than six days. On the first of a month, the period is the whole month
  // before; February has no 30th.
  for (const { period, zone, due, ...expected } of periods) {
    const { fromDate, toDate, priorFromDate, priorToDate } = resolvePeriod(period, zone, at(due));
    const ends = { fromDate, toDate: toDate + 1, priorFromDate, priorToDate: priorToDate + 1 };
    const shown = Object.entries(ends).map(([name, second]) => [
      name,
      new Date(second * 1000).toISOString().slice(0, 16),
    ]);
    assert.deepEqual(Object.fromEntries(shown), expected, period);
  }
});
