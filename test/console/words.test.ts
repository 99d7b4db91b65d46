/** How the pages write figures, days and tags, and which days they name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asTyped } from '../../src/cli/wording.ts';
import { fieldsIn, inFields, parametersOf } from '../../src/console/operator/importOptions.ts';
import { addMonths, daysFrom, isDay, secondsOf, startOfUnit } from '../../src/console/view/days.ts';
import { eventOf } from '../../src/console/view/events.ts';
import { amount, count, decimal, inDay, percent } from '../../src/console/view/format.ts';
import { nameOfTag, tagsOf } from '../../src/console/view/tags.ts';
import { barsOf, textBeside } from '../table.ts';

test('figures have separators, the sign of their currency, and a dash where there are none', () => {
  assert.deepEqual(
    [count(1234), count(-5), decimal(7), percent(12.34), amount(99.5, 'EUR')],
    ['1,234', '−5', '7.00', '12.3%', '€99.50'],
  );
  assert.deepEqual(
    [amount(-1234.4, 'EUR'), amount(0, 'JPY'), amount(5000, 'JPY')],
    ['−€1,234', '¥0', '¥5,000'],
  );
  const none = [count, decimal, percent, (value: undefined) => amount(value, 'EUR')];
  for (const write of none) assert.equal(write(undefined), '–');
});

test('a day has its year unless it is the current one', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 5, 1) });
  assert.deepEqual(['2026-11-21', '2025-11-21'].map(inDay), ['Nov 21', 'Nov 21, 2025']);
});

test('days of many sales have a name, and only they', () => {
  const named = {
    'Singles’ Day': ['2026-11-11'],
    'Black Friday': ['2024-11-29', '2025-11-28', '2026-11-27'],
    'Cyber Monday': ['2024-12-02', '2025-12-01', '2026-11-30'],
    'Boxing Day': ['2026-12-26'],
  };
  for (const [name, days] of Object.entries(named))
    assert.deepEqual(days.map(eventOf), Array(days.length).fill(name));
  for (const day of ['2026-11-26', '2026-11-28', '2026-12-25', '2026-10-11'])
    assert.equal(eventOf(day), undefined, day);
});

test('days of the calendar, their seconds in a zone, and the units that hold them', () => {
  assert.ok(['2026-02-28', '2024-02-29'].every(isDay));
  assert.ok(!['2026-02-29', '2026-2-28', '2026-13-01', '2026-02-28T00:00', 'x'].some(isDay));
  const units = ['week', 'month', 'quarter', 'year'] as const;
  assert.deepEqual(
    units.map((unit) => startOfUnit('2026-11-29', unit)),
    ['2026-11-23', '2026-11-01', '2026-10-01', '2026-01-01'],
  );
  assert.deepEqual(
    [addMonths('2026-03-31', -1), addMonths('2026-01-15', 1)],
    ['2026-02-28', '2026-02-15'],
  );
  assert.equal(daysFrom('2026-03-01', '2026-03-14'), 14);
  // Clocks skip an hour on that day.
  const { fromDate, toDate } = secondsOf('2026-03-08', '2026-03-08', 'America/New_York');
  assert.equal(new Date(fromDate * 1000).toISOString(), '2026-03-08T05:00:00.000Z');
  assert.equal(toDate - fromDate + 1, 23 * 3600);
});

test('shared tags have no prefix in their names, and each tag its stores', () => {
  assert.deepEqual(['org://b2b', 'b2b', 'x/org://'].map(nameOfTag), ['b2b', 'b2b', 'x/org://']);
  const tags = tagsOf([
    { channelId: 'us', tags: ['org://far', 'own'] },
    { channelId: 'de', tags: ['own'] },
  ]);
  assert.deepEqual(
    tags.map(({ name, isShared, channelIds }) => [name, isShared, [...channelIds]]),
    [
      ['far', true, ['us']],
      ['own', false, ['us', 'de']],
    ],
  );
});

test('a remedy is named as the command line types it and as the page has it, with its fields', () => {
  const remedies = barsOf(textBeside(import.meta.url, 'remedies.txt'));
  for (const [refusal = '', typed, shown, fields = ''] of remedies) {
    const found = fieldsIn(refusal).map(({ parameter, value }) => `${parameter}=${value}`);
    assert.deepEqual(
      [asTyped(refusal), inFields(refusal), found.join(' ')],
      [typed, shown, fields],
    );
  }
  // The options of an import stay, also where its refusal is about something else.
  const given = { dataset: 'traffic', coarse: 'lastDay', from: '2026-01-01', channelId: 'none' };
  const found = fieldsIn('omit channelId', given).map(({ parameter, value }) => [parameter, value]);
  assert.deepEqual(found, [...Object.entries(given), ['to', '']]);
  assert.deepEqual(parametersOf(given), { from: '2026-01-01' });
});
