import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type Answer, onEachPair } from '../../../../test/harness.ts';

const refusal = ({ status, body }: Answer) => [status, body.error];

onEachPair('deleting users and organisations', (world) => {
  const records = () => world().registry.records;
  const ask = async (key: string) => (await world().ask(key, 'POST', '/channels')).status;
  const member = async (organisationId: string): Promise<string> =>
    (
      await world().operate('POST', '/operator/users', {
        organisationId,
        email: `${randomUUID()}@example.com`,
        role: 'member',
      })
    ).userId;

  test('403: the key of a deleted user is refused with the next request, and nothing of the user is left', async () => {
    const { organisationId, userId, keyId, key, channelId } = await world().tenant();
    const second = await world().operate('POST', '/operator/keys', { userId });
    await world().operate('PUT', `/operator/users/${userId}/channels`, { channelIds: [channelId] });
    const { channelNumber } = await records()
      .selectFrom('channel')
      .select('channelNumber')
      .where('channelId', '=', channelId)
      .executeTakeFirstOrThrow();
    await records()
      .insertInto('channelTag')
      .values([
        { channelNumber, userId, tag: 'own' },
        { channelNumber, userId: null, tag: 'org://shared' },
      ])
      .execute();
    const call = {
      keyHash: 'a',
      fingerprint: 'b',
      attempt: 'c',
      answer: 'd',
      startedAt: world().clock.now,
    };
    await records()
      .insertInto('idempotentRequest')
      .values({ ...call, owner: `user:${userId}` })
      .execute();
    assert.deepEqual([await ask(key), await ask(second.key)], [200, 200]);
    assert.equal((await world().operate('GET', `/operator/usage?userId=${userId}`)).total, 2);

    assert.equal((await world().operator('DELETE', `/operator/users/${userId}`)).body, '');
    assert.deepEqual([await ask(key), await ask(second.key)], [403, 403]);
    assert.equal((await world().operator('GET', `/operator/users/${userId}`)).status, 404);
    assert.equal((await world().operator('GET', `/operator/keys/${keyId}`)).status, 404);
    assert.equal(
      (await world().operate('GET', '/operator/usage')).usage.filter(
        (row: { keyId: string }) => row.keyId === keyId,
      ).length,
      0,
    );
    assert.deepEqual(
      await records()
        .selectFrom('channelAccess')
        .selectAll()
        .where('userId', '=', userId)
        .execute(),
      [],
    );
    assert.deepEqual(
      await records()
        .selectFrom('channelTag')
        .select('tag')
        .where('channelNumber', '=', channelNumber)
        .execute(),
      [{ tag: 'org://shared' }],
    );
    assert.deepEqual(
      await records()
        .selectFrom('idempotentRequest')
        .selectAll()
        .where('owner', '=', `user:${userId}`)
        .execute(),
      [],
    );
    assert.deepEqual(
      await records().selectFrom('keyUsage').selectAll().where('keyId', '=', keyId).execute(),
      [],
    );

    const { entries } = await world().operate('GET', `/operator/audit?subject=${userId}`);
    assert.deepEqual(
      entries.map(({ action }: { action: string }) => action),
      ['deleteUser', 'grantChannels', 'createUser'],
    );
    assert.deepEqual(entries[0].detail, { organisationId, keys: 2 });
    assert.equal((await world().operate('GET', `/operator/audit?subject=${keyId}`)).total, 1);
  });

  test('200: requests that were counted but not yet written do not bring a deleted user back', async () => {
    const { userId, keyId, key } = await world().tenant();
    assert.equal(await ask(key), 200);
    await world().operate('DELETE', `/operator/users/${userId}`);
    assert.equal((await world().operate('GET', `/operator/usage?keyId=${keyId}`)).total, 0);
    assert.deepEqual(
      await records().selectFrom('keyUsage').selectAll().where('keyId', '=', keyId).execute(),
      [],
    );
  });

  test('200: other users stay', async () => {
    const { organisationId, key } = await world().tenant();
    const other = await member(organisationId);
    await world().operate('DELETE', `/operator/users/${other}`);
    assert.equal(await ask(key), 200);
  });

  test('409: an organisation with channels stays as it is', async () => {
    const { organisationId, userId, key, channelId } = await world().tenant();
    const path = `/operator/organisations/${organisationId}`;
    assert.deepEqual(refusal(await world().operator('DELETE', path)), [
      409,
      'the organisation still has a channel: delete its channels first',
    ]);
    const second = await world().channel(organisationId, randomUUID());
    assert.deepEqual(refusal(await world().operator('DELETE', path)), [
      409,
      'the organisation still has 2 channels: delete its channels first',
    ]);
    assert.equal(await ask(key), 200);
    assert.equal((await world().operate('GET', `/operator/users/${userId}`)).userId, userId);
    assert.equal(
      (await world().operate('GET', `/operator/audit?subject=${organisationId}`)).entries[0].action,
      'createOrganisation',
    );

    for (const one of [channelId, second])
      await world().operate('DELETE', `/operator/channels/${one}`);
    assert.equal((await world().operator('DELETE', path)).status, 200);
  });

  test('200: an organisation goes with its users, their keys and its campaign groups, and no others', async () => {
    const kept = await world().tenant();
    const { organisationId, userId, keyId, key, channelId } = await world().tenant();
    const second = await member(organisationId);
    const [group, keptGroup] = [randomUUID(), randomUUID()];
    const groups = { [group]: organisationId, [keptGroup]: kept.organisationId };
    for (const [groupId, owner] of Object.entries(groups)) {
      const body = { organisationId: owner, name: 'Brand', campaignIds: ['1', '2'] };
      await world().operate('PUT', `/operator/campaignGroups/${groupId}`, body);
    }
    await world().operate('DELETE', `/operator/channels/${channelId}`);
    assert.equal(await ask(key), 200);

    assert.equal(
      (await world().operator('DELETE', `/operator/organisations/${organisationId}`)).body,
      '',
    );
    assert.equal(await ask(key), 403);
    for (const path of [
      `organisations/${organisationId}`,
      `users/${userId}`,
      `users/${second}`,
      `keys/${keyId}`,
      `campaignGroups/${group}`,
    ]) {
      assert.equal((await world().operator('GET', `/operator/${path}`)).status, 404, path);
    }
    assert.deepEqual(
      await records()
        .selectFrom('campaignGroupCampaign')
        .selectAll()
        .where('campaignGroupId', '=', group)
        .execute(),
      [],
    );
    const { entries } = await world().operate('GET', `/operator/audit?subject=${organisationId}`);
    assert.deepEqual(
      [entries[0].action, entries[0].detail],
      ['deleteOrganisation', { users: 2, keys: 1 }],
    );

    assert.equal(await ask(kept.key), 200);
    assert.deepEqual(
      (await world().operate('GET', `/operator/campaignGroups/${keptGroup}`)).campaignIds,
      ['1', '2'],
    );
  });

  test('404: who does not exist cannot be deleted', async () => {
    assert.deepEqual(refusal(await world().operator('DELETE', '/operator/users/x')), [
      404,
      'there is no such user',
    ]);
    assert.deepEqual(refusal(await world().operator('DELETE', '/operator/organisations/x')), [
      404,
      'there is no such organisation',
    ]);
  });

  test('200, 400, 404 and 409: keys that are issued while their user is deleted fail in words, and none is left', async () => {
    for (let round = 0; round < 25; round += 1) {
      const { userId } = await world().tenant();
      const answers = await Promise.all([
        world().operator('POST', '/operator/keys', { userId }),
        world().operator('DELETE', `/operator/users/${userId}`),
        world().operator('POST', '/operator/keys', { userId }),
        world().operator('DELETE', `/operator/users/${userId}`),
      ]);
      for (const { status, body } of answers)
        assert.ok([200, 400, 404, 409].includes(status), JSON.stringify(body));
      const { entries } = await world().operate('GET', `/operator/audit?subject=${userId}`);
      const deletions = entries.filter(
        ({ action }: { action: string }) => action === 'deleteUser',
      ).length;
      assert.equal(
        deletions,
        answers.filter(({ status, body }) => status === 200 && body === '').length,
      );
      assert.ok(deletions <= 1);
      if (deletions === 1) {
        assert.equal((await world().operate('GET', `/operator/keys?userId=${userId}`)).total, 0);
      }
    }
  });
});
