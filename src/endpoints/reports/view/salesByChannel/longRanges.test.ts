/** Ranges of many days have the sums of all lines by the days of any zone, even after an import. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Temporal } from 'temporal-polyfill';
import { exact, shown, sumOf } from '../../../../../test/conformance/exact.ts';
import { onOnePair, type Tenant } from '../../../../../test/harness.ts';
import { askView, importFacts, withRates } from '../../../../../test/world.ts';

// Facts of every day around a new year and the changes of several clocks, so that an answer has
// whole blocks of the working set, and each day has its own rate.
const start = Temporal.PlainDate.from('2024-12-01');
const dates = Array.from({ length: 130 }, (_, day) => start.add({ days: day }).toString());
const rateOf = (date: string) => 1 + dates.indexOf(date) / 1000;
const lines = dates.flatMap((date, day) =>
  ['00:10', '11:50', '23:40'].map((time, place) => ({
    orderId: `${day}-${place}`,
    lineId: '1',
    sku: 'A',
    quantity: place + 1,
    purchasedAt: `${date}T${time}:00Z`,
    itemPrice: `${10 + day + place * 100}.5`,
    itemTax: `${day % 7}.25`,
  })),
);
type Line = (typeof lines)[number];

/** Dollars per euro, with another rate on each date. */
const dailyRates = dates.map((date) => ({ date, currency: 'USD', perEuro: rateOf(date) }));

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Auckland', 'Asia/Kathmandu'];

const datesIn = new Map(
  zones.map((zone) => [
    zone,
    new Map(
      lines.map(({ purchasedAt }) => [
        purchasedAt,
        Temporal.Instant.from(purchasedAt).toZonedDateTimeISO(zone).toPlainDate().toString(),
      ]),
    ),
  ]),
);
const dateIn = (zone: string, { purchasedAt }: Line) => datesIn.get(zone)!.get(purchasedAt)!;

/** The lines and the views of a range, added up line by line. */
function expectedOf(zone: string, from: string, until: string, withTax: boolean, all = lines) {
  const counted = all.filter((line) => {
    const date = dateIn(zone, line);
    return date >= from && date < until;
  });
  const inDollars = (line: Line) =>
    exact(line.itemPrice)
      .plus(withTax ? line.itemTax : 0)
      .times(rateOf(dateIn(zone, line)));
  const views = dates.filter((date) => date >= from && date < until).length * 3;
  return {
    sales: shown(sumOf(counted.map(inDollars)), 2),
    orders: String(counted.length),
    units: String(counted.reduce((sum, { quantity }) => sum + quantity, 0)),
    pageViews: String(views),
  };
}

onOnePair(
  'Long ranges of salesByChannel',
  (world) => {
    let tenant: Tenant;

    before(async () => {
      tenant = await world().tenant({ channel: { currency: 'EUR', timezone: 'Europe/Berlin' } });
      await importFacts(world(), tenant.channelId, {
        orderLines: lines,
        traffic: dates.map((date) => ({ date, pageViews: 3 })),
      });
    });

    async function check(zone: string, from: string, until: string, withTax: boolean, all = lines) {
      const at = (date: string) => Temporal.PlainDate.from(date).toZonedDateTime(zone);
      const middle = '2025-02-10';
      const second = (date: string) => at(date).epochMilliseconds / 1000;
      const { rows } = await askView(world(), tenant.key, 'salesByChannel', {
        fromDate: second(middle),
        toDate: second(until) - 1,
        priorFromDate: second(from),
        priorToDate: second(middle) - 1,
        timezone: zone,
        includeTax: withTax,
        currentCurrency: 'USD',
      });
      const current = expectedOf(zone, middle, until, withTax, all);
      const prior = expectedOf(zone, from, middle, withTax, all);
      for (const name of Object.keys(current) as (keyof typeof current)[])
        assert.deepEqual(
          rows[0][name],
          { value: current[name], priorPeriodValue: prior[name] },
          `${name} from ${from} until ${until} in ${zone}`,
        );
    }

    test('have the sums of all lines by the days of any zone', async () => {
      for (const zone of zones) {
        await check(zone, '2024-12-02', '2025-04-09', true);
        await check(zone, '2024-12-20', '2025-04-01', false);
        // The same days lie in blocks that are whole in one range and not in another.
        await check(zone, '2024-12-02', '2025-03-20', true);
        await check(zone, '2024-12-02', '2025-04-09', true);
      }
    });

    test('follow an import into the middle of them', async () => {
      const changed = lines.map((line) =>
        line.orderId === '40-1' ? { ...line, itemPrice: '9999', itemTax: '1' } : line,
      );
      const orderLines = changed.filter(({ orderId }) => orderId === '40-1');
      await importFacts(world(), tenant.channelId, { orderLines });
      for (const zone of zones) await check(zone, '2024-12-02', '2025-04-09', true, changed);
    });
  },
  { begins: withRates('another rate on each date', dailyRates) },
);
