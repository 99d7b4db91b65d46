/** Views show changes of stores and tags at once, and changes by other nodes soon. */
import assert from 'node:assert/strict';
import { onePair, type Tenant, type World } from '../../../../test/harness.ts';
import { addRecords, changeRecords, recordOf } from '../../../../test/records.ts';
import { askView } from '../../../../test/world.ts';

/** The stores that a view shows. */
async function shown(world: World, { key }: Tenant, filter: object = {}): Promise<string[]> {
  const { data } = await askView(world, key, 'advertisingByChannels', {
    reportOptions: { fromDate: 1_768_000_000, toDate: 1_768_086_399, timezone: 'UTC' },
    currentCurrency: 'USD',
    filter,
  });
  return data.items.map(({ store }: { store: string }) => store);
}

/** Connects a store that follows the first one. */
async function connectAnother(world: World, tenant: Tenant, displayName: string) {
  await world.channel(tenant.organisationId, `${tenant.channelId} too`, { displayName });
}

/** Renames a store as another node does. */
const renameElsewhere = (world: World, { channelId }: Tenant, displayName: string) =>
  changeRecords(world, 'channel', { channelId }, { displayName });

onePair('200: a view over very many stores caches no list of them', async (world) => {
  const tenant = await world.tenant({ channel: { displayName: 'First' } });
  const { organisationId } = tenant;
  const { channelNumber: _, ...first } = await recordOf(world, 'channel', { organisationId });
  const others = Array.from({ length: 1_000 }, (_, index) => ({
    ...first,
    channelNumber: index + 1,
    channelId: `${tenant.channelId} ${index}`,
    hasAdvertisingConnected: 0 as const,
  }));
  for (let from = 0; from < others.length; from += 500)
    await addRecords(world, 'channel', ...others.slice(from, from + 500));
  assert.deepEqual(await shown(world, tenant), ['First']);
  await renameElsewhere(world, tenant, 'Renamed');
  assert.deepEqual(await shown(world, tenant), ['Renamed']);
});

onePair('200: a view of the stores with a tag follows the tags at once', async (world) => {
  const tenant = await world.tenant({ channel: { displayName: 'First' } });
  await connectAnother(world, tenant, 'Second');
  const { channelId, merchantId } = tenant;
  const tag = async (change: object) => {
    const body = { channelId, merchantId, ...change };
    const { status } = await world.ask(tenant.key, 'PATCH', '/tags/channel', body);
    assert.equal(status, 200);
  };
  const tagged = () => shown(world, tenant, { tags: ['core'] });
  await tag({ addTags: ['core'] });
  // From the second request on, the answer is cached.
  for (const _ of [1, 2, 3]) assert.deepEqual(await tagged(), ['First']);
  await tag({ removeTags: ['core'] });
  for (const _ of [1, 2, 3]) assert.deepEqual(await tagged(), []);
});

onePair(
  '200: a view shows a change of stores at once, and that of another node in five seconds',
  async (world) => {
    const tenant = await world.tenant({ channel: { displayName: 'First' } });
    await world.tenant({ channel: { displayName: 'Theirs' } });
    assert.deepEqual(await shown(world, tenant), ['First']);
    await connectAnother(world, tenant, 'Second');
    assert.deepEqual(await shown(world, tenant), ['First', 'Second']);
    await renameElsewhere(world, tenant, 'Renamed');
    world.clock.now += 4_999;
    assert.deepEqual(await shown(world, tenant), ['First', 'Second']);
    world.clock.now += 1;
    assert.deepEqual(await shown(world, tenant), ['Renamed', 'Second']);
  },
);
