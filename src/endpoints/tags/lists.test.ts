/** The channels by their tags, and tags that are made shared or private wherever they are. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onEachPair, type Tenant } from '../../../test/harness.ts';
import { administratorOf } from '../../../test/world.ts';

onEachPair('Lists and conversions of tags', (world) => {
  const merchantId = 'M1 @ US';
  let acme: Tenant;
  let colleague: string;

  before(async () => {
    acme = await world().tenant({ channelId: 'tagged-0', channel: { merchantId } });
    const { organisationId } = acme;
    for (const channelId of ['tagged-1', 'tagged-2'])
      await world().channel(organisationId, channelId, { merchantId });
    const administrator = await administratorOf(world(), organisationId);
    await administrator.grant(['tagged-0', 'tagged-1']);
    colleague = administrator.key;
    const other = await world().tenant({ channelId: 'tagged-foreign', channel: { merchantId } });
    await add(other.key, 'tagged-foreign', 'org://core', 'watch');
    await add(acme.key, 'tagged-2', 'watch', 'org://core', 'b');
    await add(acme.key, 'tagged-1', 'watch', 'org://watch');
    await add(colleague, 'tagged-0', 'watch');
  });

  async function add(key: string, channelId: string, ...addTags: string[]) {
    const body = { channelId, merchantId, addTags };
    assert.equal((await world().ask(key, 'PATCH', '/tags/channel', body)).status, 200);
  }

  async function tags(key = acme.key): Promise<Record<string, string[]>> {
    const { status, body } = await world().ask(key, 'GET', '/tags');
    assert.equal(status, 200, JSON.stringify(body));
    for (const item of body.items) {
      assert.equal(item.merchantId, merchantId);
      assert.deepEqual((await readTags(item.channelId, key)).body, item);
    }
    return Object.fromEntries(
      body.items.map((item: { channelId: string; tags: string[] }) => [item.channelId, item.tags]),
    );
  }

  const readTags = (channelId: string, key = acme.key) =>
    world().ask(key, 'GET', `/tags/channel?${new URLSearchParams({ channelId, merchantId })}`);
  const convert = async (tag: string, key = acme.key) => {
    const { status, body } = await world().ask(key, 'POST', '/tags/convert', { tag });
    return [status, status === 200 ? body : body.error];
  };

  test('200: pages of the channels with visible tags, and pages of one channel', async () => {
    assert.deepEqual(await tags(), {
      'tagged-1': ['org://watch', 'watch'],
      'tagged-2': ['b', 'org://core', 'watch'],
    });
    assert.deepEqual(await tags(colleague), { 'tagged-0': ['watch'], 'tagged-1': ['org://watch'] });
    const { body } = await world().ask(acme.key, 'GET', '/tags?pageIndex=1&pageSize=25');
    assert.deepEqual(body, { pageIndex: 1, pageSize: 25, totalCount: 2, totalPages: 1, items: [] });
    assert.deepEqual((await readTags('tagged-0')).body, {
      channelId: 'tagged-0',
      merchantId,
      tags: [],
    });
  });

  test('200: a tag is shared on every channel that carries it, and made private again', async () => {
    assert.deepEqual(await convert('watch'), [200, { tag: 'org://watch', channels: 2 }]);
    assert.deepEqual(await tags(), {
      'tagged-1': ['org://watch'],
      'tagged-2': ['b', 'org://core', 'org://watch'],
    });
    assert.deepEqual(await tags(colleague), { 'tagged-0': ['watch'], 'tagged-1': ['org://watch'] });
    assert.deepEqual(await convert('watch'), [200, { tag: 'org://watch', channels: 0 }]);
    // The colleague cannot reach the third channel, where the tag stays shared.
    const made = await convert('org://watch', colleague);
    assert.deepEqual(made, [200, { tag: 'watch', channels: 1 }]);
    assert.deepEqual(await tags(), { 'tagged-2': ['b', 'org://core', 'org://watch'] });
    assert.deepEqual(await tags(colleague), { 'tagged-0': ['watch'], 'tagged-1': ['watch'] });
    assert.deepEqual(await convert('org://core'), [200, { tag: 'core', channels: 1 }]);
    assert.deepEqual(await tags(), { 'tagged-2': ['b', 'core', 'org://watch'] });
  });
});
