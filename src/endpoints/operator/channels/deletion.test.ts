/**
 * Users and organisations are deleted with all that is theirs and nothing else, at once, also while
 * keys are issued to them.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { onEachPair, testOnOnePair } from '../../../../test/harness.ts';
import { level } from '../../../../test/level.ts';
import {
  addRecords,
  auditOf,
  channelNumberOf,
  recordOf,
  recordsOf,
  refusalOf,
} from '../../../../test/records.ts';

onEachPair('deleting users and organisations', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  const ask = async (key: string) => (await world().ask(key, 'POST', '/channels')).status;
  const remove = (path: string) => world().operator('DELETE', `/operator/${path}`);
  const member = async (organisationId: string): Promise<string> => {
    const email = `${randomUUID()}@example.com`;
    const user = { organisationId, email, role: 'member' };
    return (await world().operate('POST', '/operator/users', user)).userId;
  };
  const goneAll = async (...paths: string[]) => {
    for (const path of paths)
      assert.equal((await world().operator('GET', `/operator/${path}`)).status, 404, path);
  };
  const usageOf = (keyId: string) => recordsOf(world(), 'keyUsage', { keyId });

  test('403: the key of a deleted user is refused with the next request, and nothing of the user is left', async () => {
    const { organisationId, userId, keyId, key, channelId } = await world().tenant();
    const second = await world().operate('POST', '/operator/keys', { userId });
    await world().operate('PUT', `/operator/users/${userId}/channels`, { channelIds: [channelId] });
    const channelNumber = await channelNumberOf(world(), channelId);
    const shared = { channelNumber, userId: null, tag: 'org://shared' };
    await addRecords(world(), 'channelTag', { channelNumber, userId, tag: 'own' }, shared);
    const call = { keyHash: randomUUID(), fingerprint: 'b', attempt: 'c', answer: 'd' };
    const [owner, startedAt] = [`user:${userId}`, world().clock.now];
    await addRecords(world(), 'idempotentRequest', { ...call, owner, startedAt });
    assert.deepEqual([await ask(key), await ask(second.key)], [200, 200]);
    assert.equal((await world().operate('GET', `/operator/usage?userId=${userId}`)).total, 2);

    assert.equal((await remove(`users/${userId}`)).body, '');
    assert.deepEqual([await ask(key), await ask(second.key)], [403, 403]);
    await goneAll(`users/${userId}`, `keys/${keyId}`);
    assert.equal((await world().operate('GET', `/operator/usage?keyId=${keyId}`)).total, 0);
    assert.deepEqual(await recordsOf(world(), 'channelAccess', { userId }), []);
    assert.equal((await recordOf(world(), 'channelTag', { channelNumber })).tag, 'org://shared');
    assert.deepEqual(await recordsOf(world(), 'idempotentRequest', { owner }), []);
    assert.deepEqual(await usageOf(keyId), []);

    const entries = await auditOf(world(), userId);
    const actions = entries.map(([action]) => action);
    assert.deepEqual(actions, ['deleteUser', 'grantChannels', 'createUser']);
    assert.deepEqual(entries[0]![1], { organisationId, keys: 2 });
    assert.equal((await auditOf(world(), keyId)).length, 1);
  });

  test('200: requests that were counted but not yet written do not bring a deleted user back', async () => {
    const { userId, keyId, key } = await world().tenant();
    assert.equal(await ask(key), 200);
    await world().operate('DELETE', `/operator/users/${userId}`);
    assert.equal((await world().operate('GET', `/operator/usage?keyId=${keyId}`)).total, 0);
    assert.deepEqual(await usageOf(keyId), []);
  });

  testOnce('200: other users stay', async () => {
    const { organisationId, key } = await world().tenant();
    await world().operate('DELETE', `/operator/users/${await member(organisationId)}`);
    assert.equal(await ask(key), 200);
  });

  testOnce('409: an organisation with channels stays as it is', async () => {
    const { organisationId, userId, key, channelId } = await world().tenant();
    const path = `organisations/${organisationId}`;
    const has = (channels: string) =>
      `the organisation still has ${channels}: delete its channels first`;
    assert.deepEqual(refusalOf(await remove(path)), [409, has('a channel')]);
    const second = await world().channel(organisationId, randomUUID());
    assert.deepEqual(refusalOf(await remove(path)), [409, has('2 channels')]);
    assert.equal(await ask(key), 200);
    assert.equal((await world().operate('GET', `/operator/users/${userId}`)).userId, userId);
    assert.equal((await auditOf(world(), organisationId))[0]![0], 'createOrganisation');

    for (const one of [channelId, second]) await remove(`channels/${one}`);
    assert.equal((await remove(path)).status, 200);
  });

  test('200: an organisation goes with its users, their keys and its campaign groups, and no others', async () => {
    const other = await world().tenant();
    const { organisationId, userId, keyId, key, channelId } = await world().tenant();
    const second = await member(organisationId);
    const [group, otherGroup] = [randomUUID(), randomUUID()];
    const groups = { [group]: organisationId, [otherGroup]: other.organisationId };
    for (const [groupId, owner] of Object.entries(groups)) {
      const body = { organisationId: owner, name: 'Brand', campaignIds: ['1', '2'] };
      await world().operate('PUT', `/operator/campaignGroups/${groupId}`, body);
    }
    await remove(`channels/${channelId}`);
    assert.equal(await ask(key), 200);

    const organisation = `organisations/${organisationId}`;
    assert.equal((await remove(organisation)).body, '');
    assert.equal(await ask(key), 403);
    await goneAll(organisation, `users/${userId}`, `users/${second}`);
    await goneAll(`keys/${keyId}`, `campaignGroups/${group}`);
    const ofGroup = { campaignGroupId: group };
    assert.deepEqual(await recordsOf(world(), 'campaignGroupCampaign', ofGroup), []);
    const [deletion] = await auditOf(world(), organisationId);
    assert.deepEqual(deletion, ['deleteOrganisation', { users: 2, keys: 1 }]);

    assert.equal(await ask(other.key), 200);
    const ofOther = await world().operate('GET', `/operator/campaignGroups/${otherGroup}`);
    assert.deepEqual(ofOther.campaignIds, ['1', '2']);
  });

  testOnce('404: who does not exist cannot be deleted', async () => {
    for (const kind of ['user', 'organisation'])
      assert.deepEqual(refusalOf(await remove(`${kind}s/x`)), [404, `there is no such ${kind}`]);
  });

  test('200, 400, 404 and 409: keys that are issued while their user is deleted fail in words, and none is left', async () => {
    for (let round = 0; round < (level === 'deep' ? 25 : 5); round += 1) {
      const { userId } = await world().tenant();
      const issue = () => world().operator('POST', '/operator/keys', { userId });
      const end = () => remove(`users/${userId}`);
      const answers = await Promise.all([issue(), end(), issue(), end()]);
      for (const { status, body } of answers)
        assert.ok([200, 400, 404, 409].includes(status), JSON.stringify(body));
      const entries = await auditOf(world(), userId);
      const deletions = entries.filter(([action]) => action === 'deleteUser').length;
      const deleted = answers.filter(({ status, body }) => status === 200 && body === '');
      assert.equal(deletions, deleted.length);
      assert.ok(deletions <= 1);
      if (deletions === 1)
        assert.equal((await world().operate('GET', `/operator/keys?userId=${userId}`)).total, 0);
    }
  });
});
