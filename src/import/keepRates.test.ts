/** Exchange rates exist from the first start, and newer ones come daily, even after a failure. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { HandClock } from '../../test/clock.ts';
import { onOnePair, until } from '../../test/harness.ts';
import { importRows } from '../../test/imports.ts';
import { deepTest } from '../../test/level.ts';
import { keepRates } from './keepRates.ts';

const hour = 3_600_000;

onOnePair('Keeping exchange rates', (world) => {
  deepTest('the snapshot is there at once, newer rates daily, even after failures', async () => {
    const { registry, warehouse, importer } = world();
    const clock = new HandClock(Date.now());
    // Imports end by the clock of the world.
    world().clock.now = clock.now();
    const dateOf = (days: number) =>
      new Date(clock.now() + days * 24 * hour).toISOString().slice(0, 10);
    const [today, tomorrow] = [dateOf(0), dateOf(1)];
    const sources = readFileSync(new URL('ecb/SOURCES.md', import.meta.url), 'utf8');
    const [, shipped] = / to (\d{4}-\d\d-\d\d),/.exec(sources)!;
    const errors: unknown[] = [];
    let downloads = 0;
    const answers = [
      () => Promise.reject(new Error('no network')),
      async () => Readable.from([`Date,USD,JPY,CZK,DKK,GBP\n${today},2,150,25,7.5,0.9\n`]),
      async () => Readable.from([`Date,USD,JPY,CZK,DKK,GBP\n${tomorrow},4,150,25,7.5,0.8\n`]),
    ];
    const parts = {
      registry,
      warehouse,
      importer,
      onError: (error: unknown) => errors.push(error),
      download: () => answers[downloads++]!(),
      clock,
    };
    const rateOn = async (date: string, currency = 'USD') => {
      const path = `/operator/rates?date=${date}&currency=${currency}`;
      const { rates } = await world().operate('GET', path);
      return rates.map(({ perEuro }: { perEuro: number }) => perEuro)[0];
    };

    /** Lets time pass once the next update has its timer. */
    const pass = async (milliseconds: number) => {
      await until(() => clock.pending === 1);
      clock.advance(milliseconds);
    };

    // The bank has no rates for Taiwan's currency; the dollar's rate counts on its date.
    const own = [
      { date: '2020-01-03', currency: 'TWD', perEuro: 33.5 },
      { date: tomorrow, currency: 'TWD', perEuro: 37 },
      { date: tomorrow, currency: 'USD', perEuro: 5 },
    ];
    await importRows(world(), 'exchangeRates', undefined, own);
    const first = keepRates({ ...parts, isDaily: true });
    await until(() => errors.length === 1);
    // Published by the bank for that date.
    assert.equal(await rateOn('2020-01-02'), 1.1193);
    assert.equal(await rateOn('2020-01-02', 'SAR'), 4.197375);
    assert.equal(await rateOn(today), await rateOn(shipped!));
    assert.match(String(errors[0]), /no network/);
    const { findings } = await world().operate('GET', '/operator/diagnosis');
    const judged = findings.find(
      ({ subject }: { subject: string }) => subject === 'exchange rates',
    );
    assert.match(judged.finding, /^the newest are \d+ days old, as in a new installation$/);
    await pass(hour);
    await until(async () => (await rateOn(today)) === 2);
    await pass(24 * hour);
    await until(async () => (await rateOn(tomorrow, 'GBP')) === 0.8);
    const held = [await rateOn(today, 'TWD'), await rateOn(tomorrow, 'TWD')];
    assert.deepEqual([...held, await rateOn(tomorrow)], [33.5, 37, 5]);
    await first.close();

    // Another node, or the next start, finds them recent; without updates, none is looked for.
    for (const isDaily of [true, false]) {
      const next = keepRates({ ...parts, isDaily, clock: new HandClock(Date.now()) });
      await registry.withLock('exchangeRates', async () => {});
      await next.close();
    }
    assert.deepEqual([downloads, errors.length], [3, 1]);
  });
});
