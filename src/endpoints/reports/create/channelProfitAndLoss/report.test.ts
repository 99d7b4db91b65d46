/**
 * The report of profit and loss has the lines of each channel and their total, in the requested
 * currency, only for users who reach all its channels.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { financeEvents, profitConformance } from '../../../../../test/conformance/others.ts';
import {
  type ChannelSettings,
  onOnePair,
  onRandomFacts,
  type Tenant,
  triesOn,
  type World,
} from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';
import { recordsOf } from '../../../../../test/records.ts';
import { csvOf, ended, named } from '../../../../../test/reports.ts';
import { rowsOf, tablesBeside, textBeside } from '../../../../../test/table.ts';
import { importFacts } from '../../../../../test/world.ts';

const tables = tablesBeside(import.meta.url, 'report.tables.txt');

const at = (instant: string) => Date.parse(instant) / 1000;
const path = '/reports/create/channelProfitAndLoss';
const {
  facts: storeFacts,
  questions: [{ options: two } = {}],
} = profitConformance;
const profitPath = '/profitability/storeProfitAndLoss';

/** The values of a channel by metric. */
function valuesOf(rows: readonly Record<string, string>[], name: string): Record<string, string> {
  return Object.fromEntries(rows.map((row) => [row.metric!, row[`${name} value`]!]));
}

/** The answer of the call for one store, as texts with two decimal places. */
async function storeLines(
  world: World,
  { key, merchantId }: Tenant,
  channelId: string,
  reportOptions: object,
): Promise<Record<string, string>> {
  const request = { channelId, merchantId, reportOptions };
  const { status, body } = await world.ask(key, 'POST', profitPath, request);
  assert.equal(status, 200, JSON.stringify(body));
  const { status: _, ...lines } = body as Record<string, number | string>;
  return Object.fromEntries(
    Object.entries(lines).map(([name, value]) => [name, Number(value).toFixed(2)]),
  );
}

onOnePair('The small world of profit and loss by channel', (world) => {
  let tenant: Tenant;
  let euros: string;
  let vendor: string;

  before(async () => {
    tenant = await world().tenant({ channel: { timezone: 'UTC' } });
    const { organisationId, channelId, merchantId } = tenant;
    const connect = (name: string, settings: Partial<ChannelSettings>) =>
      world().channel(organisationId, `${name} ${channelId}`, { merchantId, ...settings });
    euros = await connect('euros', { currency: 'EUR' });
    vendor = await connect('vendor', { kind: 'vendor' });
    const rates = rowsOf(tables.rates!);
    await importRows(world(), 'exchangeRates', undefined, rates);
    await importFacts(world(), channelId, storeFacts);
    const inEuros = financeEvents(tables.inEuros!);
    await importFacts(world(), euros, { financeEvents: inEuros });
  });

  /** The report of the two days, for a channel of the tenant. */
  const made = (options: object, channelId = tenant.channelId) =>
    csvOf(world(), { ...tenant, channelId }, 'channelProfitAndLoss', { ...two, ...options });
  const create = (reportOptions: object) => {
    const { key, channelId, merchantId } = tenant;
    return world().ask(key, 'POST', path, { channelId, merchantId, reportOptions });
  };

  test('Each line with its share of income and its value per unit, channel by channel and in total', async () => {
    const { channelId } = tenant;
    const { columns, rows } = await made({ channelIds: [euros, channelId, euros] });
    const of = (name: string) =>
      ['value', 'shareOfIncome', 'valuePerUnit'].map((figure) => `${name} ${figure}`);
    assert.deepEqual(columns, [
      ...['metric', ...of(channelId), ...of(euros), ...of('Total'), 'currency'],
    ]);
    // Euros: 40 x 1.25 + 10 x 1.2 of sales, 4 x 1.2 of expenses. Units: 4 and 3.
    const text = rows.map((row) => `${row.join()}\n`).join('');
    assert.equal(text, textBeside(import.meta.url, 'lines.csv'));
  });

  test('Tax and the cost of returned units count if the options include them', async () => {
    const rows = named(await made({ includeTax: true, includeCogsRefunds: true }));
    const { sales, refunds, cogs, units } = valuesOf(rows, 'Total');
    assert.deepEqual([sales, refunds, cogs, units], ['108.00', '-21.60', '18.00', '4']);
  });

  test('Without other channels the amounts are in the currency of the channel, else in the requested one', async () => {
    const own = named(await made({}, euros));
    const salesOf = (rows: typeof own, ...names: string[]) =>
      [...names.map((name) => valuesOf(rows, name).sales), rows[0]!.currency].join(' ');
    assert.equal(salesOf(own, euros, 'Total'), '50.00 50.00 EUR');
    const inEuros = named(await made({ currentCurrency: 'eur', channelIds: [euros] }));
    assert.equal(salesOf(inEuros, tenant.channelId, euros), '80.00 50.00 EUR');
  });

  test('The rate is that of the date in the zone', async () => {
    const options = { timezone: 'America/New_York', currentCurrency: 'USD' };
    const rows = named(await made(options, euros));
    // There, all amounts are on the tenth: 50 x 1.25.
    assert.equal(valuesOf(rows, euros).sales, '62.50');
  });

  test('400: a store out of reach, and a vendor', async () => {
    const { channelId } = await world().tenant();
    for (const [store, text] of [
      [channelId, 'connected stores'],
      [vendor, 'seller channels: vendor channels have no profit and loss'],
    ] as const) {
      const answer = await create({ ...two, channelIds: [euros, store] });
      const error = `reportOptions.channelIds must name ${text}`;
      assert.deepEqual([answer.status, answer.body.error], [400, error]);
    }
  });

  test('A currency without exchange rates fails the report, and names the channel that has it', async () => {
    const odd = await world().channel(tenant.organisationId, `odd ${tenant.channelId}`);
    const gold = financeEvents(tables.gold!);
    await importFacts(world(), odd, { financeEvents: gold });
    const created = await create({ ...two, channelIds: [odd] });
    const { error } = await over(world(), tenant.key, created.body.reportId);
    const missing = `there is no exchange rate of XAU which channelId ${odd} needs`;
    assert.equal(error, `${missing}: the operator of the service has to import one`);
  });

  test('Only a user who reaches all channels of a report sees it, and it goes with any of them', async () => {
    const { key, userId, channelId, organisationId } = tenant;
    const third = await world().channel(organisationId, `third ${channelId}`);
    const { reportId } = (await create({ ...two, channelIds: [third] })).body;
    const { downloadUrl } = await over(world(), key, reportId);
    const { pathname } = new URL(downloadUrl!);
    const seen = async () => {
      const status = await world().ask(key, 'GET', `/reports/status/${reportId}`);
      const file = await world().ask(undefined, 'GET', pathname);
      const { body } = await world().ask(key, 'GET', '/reports?pageSize=100');
      const ids = body.reports.map((report: { reportId: string }) => report.reportId);
      assert.equal(body.total, ids.length);
      return [status.status, file.status, ids.includes(reportId)];
    };
    const grant = (channelIds: readonly string[]) =>
      world().operate('PUT', `/operator/users/${userId}/channels`, { channelIds });
    assert.deepEqual(await seen(), [200, 200, true]);
    await grant([channelId]);
    assert.deepEqual(await seen(), [404, 403, false]);
    await grant([third]);
    assert.deepEqual(await seen(), [404, 403, false]);
    await grant([channelId, third]);
    assert.deepEqual(await seen(), [200, 200, true]);
    await world().operate('DELETE', `/operator/channels/${third}`);
    assert.deepEqual(await seen(), [404, 403, false]);
    assert.deepEqual(await recordsOf(world(), 'report', { reportId }), []);
  });
});

/** The status of a finished report. */
async function over(
  world: World,
  key: string,
  reportId: string,
): Promise<{ error?: string; downloadUrl?: string }> {
  await ended(world, reportId);
  return (await world.ask(key, 'GET', `/reports/status/${reportId}`)).body;
}

onRandomFacts('Random profit and loss by channel', (world) => {
  test('every channel has the lines of its store, and the total their sums', async () => {
    const fact = fc.record({
      store: fc.nat({ max: 2 }),
      hour: fc.nat({ max: 96 }),
      line: fc.constantFrom('sales', 'refunds', 'sellingFees', 'otherIncome', 'otherExpenses'),
      cents: fc.integer({ min: -5_000, max: 5_000 }),
      quantity: fc.nat({ max: 3 }),
    });
    const range = {
      fromDate: at('2025-03-08T05:00:00Z'),
      toDate: at('2025-03-10T03:59:59Z'),
      timezone: 'America/New_York',
    };
    await fc.assert(
      fc.asyncProperty(fc.array(fact, { minLength: 10, maxLength: 30 }), async (made) => {
        const tenant = await world().tenant();
        const { organisationId, channelId, merchantId } = tenant;
        const stores = [channelId, `${channelId} 1`, `${channelId} 2`];
        for (const store of stores.slice(1))
          await world().channel(organisationId, store, { merchantId });
        const instantOf = (hour: number) => at('2025-03-07T00:30:00Z') + hour * 3_600;
        for (const [index, store] of stores.entries()) {
          const rows = made
            .filter((one) => one.store === index)
            .map(({ hour, line, cents, quantity }, place) => ({
              eventId: `event-${place}`,
              postedAt: instantOf(hour),
              line,
              quantity,
              sku: 'A',
              amount: (cents / 100).toFixed(2),
            }));
          await importFacts(world(), store, { financeEvents: rows });
        }
        const options = { ...range, channelIds: [stores[2]!, stores[1]!] };
        const report = named(await csvOf(world(), tenant, 'channelProfitAndLoss', options));
        const total = valuesOf(report, 'Total');
        const sums = new Map<string, number>();
        for (const [index, store] of stores.entries()) {
          const { netProfit, margin: _, units, ...lines } = valuesOf(report, store);
          const answered = await storeLines(world(), tenant, store, range);
          assert.deepEqual(Object.entries(lines), Object.entries(answered));
          const profit = Number(answered.totalRevenue) - Number(answered.totalExpenses);
          assert.equal(Number(netProfit), Math.round(profit * 100) / 100);
          const sold = made.filter(
            ({ store: of, line, hour }) =>
              of === index &&
              line === 'sales' &&
              instantOf(hour) >= range.fromDate &&
              instantOf(hour) <= range.toDate,
          );
          const quantities = sold.reduce((sum, { quantity }) => sum + quantity, 0);
          assert.equal(Number(units), quantities);
          for (const [name, value] of Object.entries({ ...lines, netProfit, units }))
            sums.set(name, (sums.get(name) ?? 0) + Math.round(Number(value) * 100));
        }
        for (const [name, sum] of sums) assert.equal(Number(total[name]), sum / 100, name);
      }),
      { numRuns: triesOn(world(), { embedded: 4, served: 1, normal: 1 }), endOnFailure: true },
    );
  });
});
