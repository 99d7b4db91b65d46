/**
 * The channels of a caller, as their names, marketplaces and countries filter them, with details
 * and the last dates of facts.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onEachPair, type Tenant, testOnOnePair } from '../../../test/harness.ts';
import { importRows } from '../../../test/imports.ts';
import { barsOf, rowsOf, tablesBeside } from '../../../test/table.ts';
import { administratorOf, fieldsOf, importFacts } from '../../../test/world.ts';

const tables = tablesBeside(import.meta.url, 'channels.tables.txt');

onEachPair('POST /channels', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  let acme: Tenant;

  before(async () => {
    const channel = { displayName: 'Bravo', merchantId: 'M1 @ US' };
    acme = await world().tenant({ channelId: 'list-us', channel });
    const alpha = { displayName: 'Alpha', countryCode: 'de', marketplace: 'PrimaryMkt' };
    await world().channel(acme.organisationId, 'list-de', alpha);
    const web = { displayName: 'Alpha', countryCode: 'GBR', marketplace: 'shopify' };
    const unadvertised = { ...web, hasAdvertisingConnected: false };
    await world().channel(acme.organisationId, 'list-gb', unadvertised);
    await world().tenant({ channelId: 'list-foreign', channel: { displayName: 'Foreign' } });
  });

  const list = (body?: unknown) => world().ask(acme.key, 'POST', '/channels', body);
  const idsIn = (body: readonly { channelId: string }[]) =>
    body.map(({ channelId }) => channelId.replace('list-', ''));
  const ids = async (filter: unknown) => idsIn((await list({ filter })).body);

  test('200: a body of {} lists all accessible channels by name and then identifier', async () => {
    const { status, body } = await list({});
    assert.equal(status, 200);
    assert.deepEqual(body, rowsOf(tables.channels!));
  });

  testOnce('200: a filter restricts by each list, and unknown words find nothing', async () => {
    assert.equal((await list()).body.length, 3);
    for (const [filter = '', channels = ''] of barsOf(tables.filters!))
      assert.deepEqual(await ids(JSON.parse(filter)), channels.split(' ').filter(Boolean), filter);
  });

  test('200: a restricted administrator is shown only what was granted', async () => {
    const { key, grant } = await administratorOf(world(), acme.organisationId);
    const seen = async () => idsIn((await world().ask(key, 'POST', '/channels', {})).body);
    assert.deepEqual(await seen(), ['de', 'gb', 'us']);
    await grant(['list-gb']);
    assert.deepEqual(await seen(), ['gb']);
    await grant([]);
    assert.deepEqual(await seen(), []);
    await grant('all');
    assert.deepEqual(await seen(), ['de', 'gb', 'us']);
  });

  testOnce('200: include brings details, the last dates of facts, or both', async () => {
    const channel = fieldsOf(`displayName, currency, timezone, countryCode
      A, JPY, Asia/Tokyo, JP`);
    const { key, organisationId } = await world().tenant({ channelId: 'list-tokyo', channel });
    const vendor = { displayName: 'B', kind: 'vendor', timezone: 'UTC' } as const;
    await world().channel(organisationId, 'list-supplier', vendor);
    await importFacts(world(), 'list-tokyo', {
      // In Tokyo the second order is of the 10th.
      orderLines: tables.orderLines!,
      traffic: tables.traffic!,
      products: [{ sku: 'A' }],
      financeEvents: `
        eventId, postedAt,             line,  amount
        "1",     2025-03-11T14:59:59Z, sales, 5`,
    });
    const sale = { date: '2025-02-01', view: 'MANUFACTURING', asin: 'A', orderedUnits: 1 };
    await importRows(world(), 'vendorSales', 'list-supplier', [sale]);
    const ask = async (include: unknown) =>
      (await world().ask(key, 'POST', '/channels', { include })).body;
    const [tokyo, supplier] = await ask(undefined);
    const details = [
      { kind: 'seller', currency: 'JPY', timezone: 'Asia/Tokyo' },
      { kind: 'vendor', currency: 'USD', timezone: 'UTC' },
    ];
    const freshness = [
      { orderLines: '2025-03-10', traffic: '2025-03-08', financeEvents: '2025-03-11' },
      { vendorSales: '2025-02-01' },
    ];
    assert.deepEqual(Object.keys(tokyo), [
      ...['channelId', 'merchantId', 'marketplace', 'countryCode', 'displayName'],
      'hasAdvertisingConnected',
    ]);
    assert.deepEqual(await ask([]), [tokyo, supplier]);
    assert.deepEqual(await ask(['details', 'details']), [
      { ...tokyo, ...details[0] },
      { ...supplier, ...details[1] },
    ]);
    assert.deepEqual(await ask(['freshness']), [
      { ...tokyo, freshness: freshness[0] },
      { ...supplier, freshness: freshness[1] },
    ]);
    await importRows(world(), 'traffic', 'list-tokyo', [{ date: '2025-03-12', pageViews: 1 }]);
    await world().channel(organisationId, 'list-idle', { displayName: 'C' });
    const all: { freshness: object; kind: string }[] = await ask(['freshness', 'details']);
    assert.deepEqual(
      all.map(({ freshness, kind }) => ({ freshness, kind })),
      [
        { freshness: { ...freshness[0], traffic: '2025-03-12' }, kind: 'seller' },
        { freshness: freshness[1], kind: 'vendor' },
        { freshness: {}, kind: 'seller' },
      ],
    );
  });

  testOnce('200: the last dates are those that the operator reads', async () => {
    const { channelId, key } = await world().tenant();
    await importFacts(world(), channelId, {
      campaignDays: [{ date: '2025-03-01', campaignId: '1', cost: 1 }],
      adGroupDays: [{ date: '2025-03-02', campaignId: '1', adGroupId: '1', cost: 1 }],
      inventory: [{ date: '2025-03-03', sku: 'A', available: 1 }],
      targets: [
        { month: '2025-04', salesBudget: 1 },
        { date: '2025-03-05', salesBudget: 1 },
      ],
    });
    const { datasets } = await world().operate('GET', `/operator/freshness?channelId=${channelId}`);
    const dates = datasets.flatMap(({ dataset, to }: { dataset: string; to: string | null }) =>
      to === null ? [] : [[dataset, to]],
    );
    const { body } = await world().ask(key, 'POST', '/channels', { include: ['freshness'] });
    assert.deepEqual(body[0].freshness, Object.fromEntries(dates));
    assert.ok(dates.length >= 4);
  });
});
