/** The operator saves groups of campaigns, each of one organisation, whole and in one step. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { onEachPair, testOnOnePair } from '../../../../test/harness.ts';
import { auditOf, refusalOf } from '../../../../test/records.ts';

onEachPair('groups of campaigns', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  const path = (groupId: string) => `/operator/campaignGroups/${encodeURIComponent(groupId)}`;
  const organisation = async (): Promise<string> =>
    (await world().operate('POST', '/operator/organisations', { name: 'Acme' })).organisationId;
  const read = (groupId: string) => world().operate('GET', path(groupId));
  const put = (
    groupId: string,
    campaignIds: readonly unknown[],
    { organisationId = groupId, name = 'Brand' } = {},
  ) => world().operator('PUT', path(groupId), { organisationId, name, campaignIds });
  const saved = async (...group: Parameters<typeof put>) => {
    const { status, body } = await put(...group);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  test('200: a group is made, replaced, read, listed and deleted', async () => {
    const organisationId = await organisation();
    const groupId = `brand / ${organisationId}`;
    const now = Math.floor(world().clock.now / 1000);
    const made = {
      groupId,
      organisationId,
      name: 'Brand',
      campaignIds: ['10', '9'],
      createdAt: now,
      updatedAt: now,
    };
    const named = (name: string) => ({ organisationId, name });
    assert.deepEqual(await saved(groupId, ['9', '10', '9'], named(' Brand ')), made);
    assert.deepEqual(await read(groupId), made);
    world().clock.now += 5_000;
    const replaced = { ...made, name: 'Other', campaignIds: ['7'], updatedAt: now + 5 };
    assert.deepEqual(await saved(groupId, ['7'], named('Other')), replaced);
    const list = `/operator/campaignGroups?organisationId=${organisationId}`;
    assert.deepEqual(await world().operate('GET', list), { campaignGroups: [replaced], total: 1 });
    assert.equal((await world().operator('DELETE', path(groupId))).body, '');
    const none = [404, 'there is no such group of campaigns'];
    for (const method of ['GET', 'DELETE'] as const)
      assert.deepEqual(refusalOf(await world().operator(method, path(groupId))), none);
    assert.deepEqual(await auditOf(world(), groupId), [
      ['deleteCampaignGroup', { organisationId }],
      ['saveCampaignGroup', { organisationId, name: 'Other', campaigns: 1 }],
      ['saveCampaignGroup', { organisationId, name: 'Brand', campaigns: 2 }],
    ]);
  });

  test('200: identifiers beyond what numbers hold survive, and those that differ in their last digit are two', async () => {
    const groupId = await organisation();
    const longest = '123456789012345678901234567890';
    const nearly = ['9007199254740992', '9007199254740993'];
    await saved(groupId, [...nearly, longest]);
    assert.deepEqual((await read(groupId)).campaignIds, [longest, ...nearly]);
  });

  test('200: as many campaigns as a group may hold', async () => {
    const groupId = await organisation();
    const campaignIds = Array.from({ length: 10_000 }, (_, number) => String(1_000_000 + number));
    assert.deepEqual((await saved(groupId, campaignIds)).campaignIds, campaignIds);
    assert.deepEqual((await read(groupId)).campaignIds, campaignIds);
  });

  testOnce('409: the group of another organisation is not taken over', async () => {
    const [owner, other] = [await organisation(), await organisation()];
    const groupId = randomUUID();
    const made = await saved(groupId, ['1'], { organisationId: owner });
    world().clock.now += 5_000;
    const taken = await put(groupId, ['2'], { organisationId: other, name: 'Mine' });
    assert.deepEqual(refusalOf(taken), [409, 'the group belongs to another organisation']);
    assert.deepEqual(await read(groupId), made);
  });

  testOnce('400: a group needs an organisation', async () => {
    const error = 'organisationId must be that of an organisation';
    assert.deepEqual(refusalOf(await put('new', ['1'], { organisationId: 'x' })), [400, error]);
  });

  test('200: of several calls that make a group at the same moment one leaves its whole list', async () => {
    const groupId = await organisation();
    const lists = ['1', '2', '3', '4'].map((first) =>
      Array.from({ length: 500 }, (_, number) => `${first}${1_000 + number}`),
    );
    await Promise.all(lists.map((campaignIds) => saved(groupId, campaignIds)));
    const { campaignIds } = await read(groupId);
    const whole = lists.find(([first]) => first === campaignIds[0]);
    assert.deepEqual(campaignIds, whole);
  });

  test('200: groups are listed by identifier, page by page', async () => {
    const organisationId = await organisation();
    for (const number of ['3', '1', '2'])
      await saved(`${organisationId}-${number}`, [number], { organisationId });
    const page = async (pageIndex: number) => {
      const query = `organisationId=${organisationId}&pageSize=2&pageIndex=${pageIndex}`;
      const list = await world().operate('GET', `/operator/campaignGroups?${query}`);
      const { campaignGroups, total } = list;
      return [campaignGroups.map((group: { campaignIds: string[] }) => group.campaignIds), total];
    };
    assert.deepEqual(await page(0), [[['1'], ['2']], 3]);
    assert.deepEqual(await page(1), [[['3']], 3]);
  });
});
