/** Amounts in any published currency, on any date, are converted to the last digit that is shown. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { onOnePair, triesOn } from '../../test/harness.ts';
import { importDocument } from '../../test/imports.ts';
import { level } from '../../test/level.ts';
import { askView, importFacts } from '../../test/world.ts';

const snapshot = readFileSync(new URL('../import/ecb/eurofxref-hist.zip', import.meta.url));
const [header, ...allLines] = strFromU8(unzipSync(snapshot)['eurofxref-hist.csv']!)
  .trim()
  .split('\n') as [string, ...string[]];
// Only a deep run uses the rates of every day; otherwise there are gaps of two weeks and more.
const lines = allLines.filter((_, place) => level === 'deep' || place % 12 === 0);
const file = strToU8([header, ...lines].join('\n'));
const document = level === 'deep' ? snapshot : zipSync({ 'eurofxref-hist.csv': file });
const names = header.split(',');
/** The published rates as text, from the last date to the first. */
const published = lines.map((line) => line.split(','));
const isRate = (cell: string) => /^[0-9.]+$/.test(cell.trim());
const currencies = names.slice(1).filter((name) => /^[A-Z]{3}$/.test(name));
const wholeUnits = new Set(['JPY', 'KRW', 'ISK']);
const everyDay = {
  fromDate: Date.UTC(1998, 0, 1) / 1000,
  toDate: Date.UTC(2026, 6, 1) / 1000,
  timezone: 'UTC',
};

/**
 * Units of a currency per euro on a date: the last rate published until then, else the first ever,
 * found by looking at one rate after another.
 */
function perEuro(currency: string, date: string): Decimal {
  if (currency === 'EUR') return new Decimal(1);
  const column = names.indexOf(currency);
  const known = published.filter((row) => isRate(row[column]!));
  const held = known.find((row) => row[0]! <= date) ?? known.at(-1)!;
  return new Decimal(held[column]!.trim());
}

onOnePair('Conversion by the rates of the European Central Bank', (world) => {
  before(async () => {
    const { status, body } = await importDocument(world(), undefined, Buffer.from(document));
    const rows = published.flatMap(([, ...cells]) => cells.filter(isRate)).length;
    if (level === 'deep') assert.equal(rows, 217_555);
    assert.deepEqual([status, body.rowsAccepted, body.rejected], [200, rows, []]);
  });

  const day = 86_400_000;
  const dates = fc.oneof(
    fc
      .integer({ min: Date.UTC(1998, 0, 1) / day, max: Date.UTC(2026, 5, 30) / day })
      .map((one) => new Date(one * day).toISOString().slice(0, 10)),
    // Before the first rate, holidays, the first and last days of currencies, and after the last
    // rate.
    fc.constantFrom(
      ...['1998-12-31', '1999-01-04', '2004-12-31', '2005-01-01', '2011-04-22', '2018-02-01'],
      ...['2022-03-01', '2022-03-02', '2022-12-31', '2023-01-01', '2025-12-25', '2025-12-31'],
      ...['2026-01-01', '2026-04-13', '2026-06-30'],
    ),
  );
  const money = fc.oneof(
    fc.constantFrom('USD', 'GBP', 'JPY', 'EUR', 'BGN', 'HRK', 'RUB', 'TRL', 'ISK'),
    fc.constantFrom(...currencies),
  );
  const facts = fc.uniqueArray(
    fc.record({ date: dates, currency: money, cents: fc.integer({ min: 1, max: 9_999_999 }) }),
    { selector: (fact) => fact.date + fact.currency, minLength: 1, maxLength: 12 },
  );

  const check = async (
    given: readonly { date: string; currency: string; cents: number }[],
    targets: readonly string[],
  ) => {
    const { key, channelId } = await world().tenant();
    await importFacts(world(), channelId, {
      campaignDays: given.map(({ date, currency, cents }, index) => ({
        date,
        currency,
        campaignId: String(index),
        cost: String(cents / 100),
      })),
    });
    for (const target of targets) {
      const input = { reportOptions: everyDay, currentCurrency: target };
      const { data } = await askView(world(), key, 'advertisingByChannels', input);
      const sum = given.reduce((total, { date, currency, cents }) => {
        const native = new Decimal(cents).div(100);
        const converted = native.times(perEuro(target, date)).div(perEuro(currency, date));
        return total.plus(currency === target ? native : converted);
      }, new Decimal(0));
      const expected = sum.toFixed(wholeUnits.has(target) ? 0 : 2, Decimal.ROUND_HALF_UP);
      assert.equal(data.items[0].spend, expected, JSON.stringify({ given, target }));
    }
  };

  test('any mix of currencies and dates equals a decimal computation to the last digit shown', async () => {
    const targets = fc.array(money, { minLength: 3, maxLength: 3 });
    await fc.assert(fc.asyncProperty(facts, targets, check), {
      numRuns: triesOn(world(), { embedded: 8, served: 2, normal: 1 }),
    });
  });
});
