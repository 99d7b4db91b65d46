/** The watch announces overdue data and targets at risk once, to the webhooks that want to know. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { onOnePair, type Tenant } from '../../test/harness.ts';
import { importRows } from '../../test/imports.ts';
import { slowTest } from '../../test/level.ts';
import { createAnnouncer } from '../webhooks/announce.ts';
import { watchChannels } from './watch.ts';

onOnePair('the watch', (world) => {
  let tenant: Tenant;

  beforeEach(async () => {
    tenant = await world().tenant({ channel: { timezone: 'America/Los_Angeles' } });
  });

  // Nothing listens there: the deliveries are read from the registry.
  const subscribe = async (key: string, events: readonly string[]) => {
    const url = 'http://127.0.0.1:9/';
    const { status, body } = await world().ask(key, 'POST', '/webhooks', { url, events });
    assert.equal(status, 200, JSON.stringify(body));
  };
  const watch = async (instant: string) => {
    const { registry, warehouse, jobs } = world();
    const now = Date.parse(instant);
    const announcer = createAnnouncer(jobs, () => now);
    await watchChannels({ registry, warehouse, announcer }, now);
  };
  const events = async ({ channelId }: Tenant) => {
    const rows = await world()
      .registry.records.selectFrom('webhookDelivery')
      .innerJoin('channel', 'channel.channelNumber', 'webhookDelivery.channelNumber')
      .select('body')
      .where('channelId', '=', channelId)
      .orderBy('webhookDelivery.createdAt')
      .execute();
    return rows.map(({ body }) => {
      const { type, data } = JSON.parse(body);
      const { channelId: _, merchantId: __, ...rest } = data;
      return [type, rest];
    });
  };
  const sell = (days: readonly number[], price: number) =>
    importRows(
      world(),
      'orderLines',
      tenant.channelId,
      days.map((day) => ({
        orderId: String(day),
        lineId: '1',
        sku: 'A',
        quantity: 1,
        currency: 'USD',
        itemPrice: price,
        itemTax: 0,
        purchasedAt: `2026-01-${String(day).padStart(2, '0')}T20:00:00Z`,
      })),
    );

  test('a dataset is overdue when two days are missing by the days of its store', async () => {
    await subscribe(tenant.key, ['data.overdue']);
    await sell([9, 10], 10);
    // In Los Angeles it is still the twelfth, so only the eleventh is missing.
    await watch('2026-01-13T07:59:00Z');
    assert.deepEqual(await events(tenant), []);
    await watch('2026-01-13T08:00:00Z');
    const missing = { dataset: 'orderLines', lastDate: '2026-01-10' };
    const first = ['data.overdue', { ...missing, expectedDate: '2026-01-12', missingDays: 2 }];
    assert.deepEqual(await events(tenant), [first]);
    await watch('2026-01-14T12:00:00Z');
    assert.deepEqual(await events(tenant), [first]);
    await sell([13], 10);
    await watch('2026-01-15T12:00:00Z');
    await watch('2026-01-16T12:00:00Z');
    assert.deepEqual(await events(tenant), [
      first,
      [
        'data.overdue',
        { ...missing, lastDate: '2026-01-13', expectedDate: '2026-01-15', missingDays: 2 },
      ],
    ]);
  });

  test('only channels of organisations that want an event are looked at', async () => {
    const other = await world().tenant();
    await subscribe(other.key, ['report.finished']);
    await subscribe(tenant.key, ['target.at_risk']);
    await sell([1, 2], 10);
    await watch('2026-01-20T12:00:00Z');
    assert.deepEqual([await events(tenant), await events(other)], [[], []]);
    const alerts = await world().registry.records.selectFrom('channelAlert').selectAll().execute();
    const { channelNumber } = await world()
      .registry.records.selectFrom('channel')
      .select('channelNumber')
      .where('channelId', '=', tenant.channelId)
      .executeTakeFirstOrThrow();
    assert.deepEqual(
      alerts.filter((alert) => alert.channelNumber === channelNumber),
      [],
    );
  });

  slowTest('a target is at risk when sales are below 95 % of the budget so far', async () => {
    await subscribe(tenant.key, ['target.at_risk']);
    // 31,000 for 31 days: 1,000 a day.
    await importRows(world(), 'targets', tenant.channelId, [
      { month: '2026-01', salesBudget: 31_000 },
    ]);
    await sell([1, 2, 3, 4, 5, 6], 900);
    await watch('2026-01-07T20:00:00Z');
    assert.deepEqual(await events(tenant), [], 'six days say too little');
    await sell([7, 8], 1_100);
    // 6 x 900 + 2 x 1,100 = 7,600 of 8,000 are 95 %.
    await watch('2026-01-09T20:00:00Z');
    assert.deepEqual(await events(tenant), []);
    await sell([9], 900);
    // Today's lines do not count yet.
    await watch('2026-01-09T20:00:00Z');
    assert.deepEqual(await events(tenant), []);
    // 8,500 of 9,000 are 94.44 %.
    await watch('2026-01-10T20:00:00Z');
    const found = {
      target: 'salesBudget',
      month: '2026-01',
      asOf: '2026-01-09',
      currency: 'USD',
      sales: 8_500,
      budget: 9_000,
      percentage: 94.44,
    };
    assert.deepEqual(await events(tenant), [['target.at_risk', found]]);
    await watch('2026-01-11T20:00:00Z');
    assert.equal((await events(tenant)).length, 1);
  });
});
