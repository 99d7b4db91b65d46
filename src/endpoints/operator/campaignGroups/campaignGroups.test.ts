import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type Answer, onEachPair } from '../../../../test/harness.ts';

const refusal = ({ status, body }: Answer) => [status, body.error];

onEachPair('groups of campaigns', (world) => {
  const path = (groupId: string) => `/operator/campaignGroups/${encodeURIComponent(groupId)}`;
  const organisation = async (): Promise<string> =>
    (await world().operate('POST', '/operator/organisations', { name: 'Acme' })).organisationId;

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
    const asked = { organisationId, name: ' Brand ', campaignIds: ['9', '10', '9'] };
    assert.deepEqual(await world().operate('PUT', path(groupId), asked), made);
    assert.deepEqual(await world().operate('GET', path(groupId)), made);
    world().clock.now += 5_000;
    const replaced = { ...made, name: 'Other', campaignIds: ['7'], updatedAt: now + 5 };
    assert.deepEqual(
      await world().operate('PUT', path(groupId), {
        organisationId,
        name: 'Other',
        campaignIds: ['7'],
      }),
      replaced,
    );
    assert.deepEqual(
      await world().operate('GET', `/operator/campaignGroups?organisationId=${organisationId}`),
      {
        campaignGroups: [replaced],
        total: 1,
      },
    );
    assert.equal((await world().operator('DELETE', path(groupId))).body, '');
    assert.deepEqual(refusal(await world().operator('GET', path(groupId))), [
      404,
      'there is no such group of campaigns',
    ]);
    assert.deepEqual(refusal(await world().operator('DELETE', path(groupId))), [
      404,
      'there is no such group of campaigns',
    ]);
    const { entries } = await world().operate(
      'GET',
      `/operator/audit?subject=${encodeURIComponent(groupId)}`,
    );
    assert.deepEqual(
      entries.map(({ action, detail }: { action: string; detail: object }) => [action, detail]),
      [
        ['deleteCampaignGroup', { organisationId }],
        ['saveCampaignGroup', { organisationId, name: 'Other', campaigns: 1 }],
        ['saveCampaignGroup', { organisationId, name: 'Brand', campaigns: 2 }],
      ],
    );
  });

  test('200: identifiers beyond what numbers hold survive, and those that differ in their last digit are two', async () => {
    const organisationId = await organisation();
    const campaignIds = ['9007199254740992', '9007199254740993', '123456789012345678901234567890'];
    await world().operate('PUT', path(organisationId), {
      organisationId,
      name: 'Large',
      campaignIds,
    });
    assert.deepEqual((await world().operate('GET', path(organisationId))).campaignIds, [
      '123456789012345678901234567890',
      '9007199254740992',
      '9007199254740993',
    ]);
  });

  test('200: as many campaigns as a group may hold', async () => {
    const organisationId = await organisation();
    const campaignIds = Array.from({ length: 10_000 }, (_, number) => String(1_000_000 + number));
    const saved = await world().operate('PUT', path(organisationId), {
      organisationId,
      name: 'All',
      campaignIds,
    });
    assert.deepEqual(saved.campaignIds, campaignIds);
    assert.deepEqual((await world().operate('GET', path(organisationId))).campaignIds, campaignIds);
  });

  test('409: the group of another organisation is not taken over', async () => {
    const [owner, other] = [await organisation(), await organisation()];
    const groupId = randomUUID();
    const made = await world().operate('PUT', path(groupId), {
      organisationId: owner,
      name: 'Brand',
      campaignIds: ['1'],
    });
    world().clock.now += 5_000;
    const taken = await world().operator('PUT', path(groupId), {
      organisationId: other,
      name: 'Mine',
      campaignIds: ['2'],
    });
    assert.deepEqual(refusal(taken), [409, 'the group belongs to another organisation']);
    assert.deepEqual(await world().operate('GET', path(groupId)), made);
  });

  test('400: a group needs an organisation, a name and campaigns', async () => {
    assert.deepEqual(
      refusal(
        await world().operator('PUT', path('new'), {
          organisationId: 'x',
          name: 'A',
          campaignIds: ['1'],
        }),
      ),
      [400, 'organisationId must be that of an organisation'],
    );
    assert.deepEqual(
      refusal(
        await world().operator('PUT', path('new'), {
          organisationId: 'x',
          name: ' ',
          campaignIds: [],
        }),
      ),
      [
        400,
        'organisationId must be that of an organisation, name must not be empty, campaignIds must not be empty',
      ],
    );
    assert.deepEqual(
      refusal(
        await world().operator('PUT', path('new'), {
          organisationId: 'x',
          name: 'A',
          campaignIds: ['1', 2, ''],
        }),
      ),
      [
        400,
        'organisationId must be that of an organisation, campaignIds[1] must be a string, campaignIds[2] must not be empty',
      ],
    );
  });

  test('200: of several calls that make a group at the same moment one leaves its whole list', async () => {
    const organisationId = await organisation();
    const lists = ['1', '2', '3', '4'].map((first) =>
      Array.from({ length: 500 }, (_, number) => `${first}${1_000 + number}`),
    );
    const answers = await Promise.all(
      lists.map((campaignIds) =>
        world().operator('PUT', path(organisationId), {
          organisationId,
          name: 'Race',
          campaignIds,
        }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const { campaignIds } = await world().operate('GET', path(organisationId));
    assert.deepEqual(
      campaignIds,
      lists.find(([first]) => first === campaignIds[0]),
    );
  });

  test('200: groups are listed by identifier, page by page', async () => {
    const organisationId = await organisation();
    for (const number of [3, 1, 2]) {
      const body = { organisationId, name: 'Any', campaignIds: [String(number)] };
      await world().operate('PUT', path(`${organisationId}-${number}`), body);
    }
    const page = async (pageIndex: number) => {
      const query = `organisationId=${organisationId}&pageSize=2&pageIndex=${pageIndex}`;
      const { campaignGroups, total } = await world().operate(
        'GET',
        `/operator/campaignGroups?${query}`,
      );
      return [campaignGroups.map((group: { campaignIds: string[] }) => group.campaignIds), total];
    };
    assert.deepEqual(
      [await page(0), await page(1)],
      [
        [[['1'], ['2']], 3],
        [[['3']], 3],
      ],
    );
  });
});
