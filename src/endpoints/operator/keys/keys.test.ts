/** The operator changes the name, the limits and the end of a key, from the next request on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachPair, testOnOnePair } from '../../../../test/harness.ts';
import { auditOf, refusalOf } from '../../../../test/records.ts';

const day = 86_400_000;

onEachPair('a key and its limits', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  const seconds = () => Math.floor(world().clock.now / 1000);
  const read = (keyId: string) => world().operate('GET', `/operator/keys/${keyId}`);
  const change = (keyId: string, body: object) =>
    world().operator('PATCH', `/operator/keys/${keyId}`, body);
  const issue = (body: object) => world().operator('POST', '/operator/keys', body);
  const ask = async (key: string) => (await world().ask(key, 'POST', '/channels')).status;

  test('200: a key is read without itself', async () => {
    const limits = { perSecond: 5, burst: 50, perDay: 500 };
    const { key, keyId, userId } = await world().tenant({ limits });
    const found = await read(keyId);
    assert.deepEqual(found, {
      keyId,
      userId,
      name: 'API key',
      hint: `...${key.slice(-4)}`,
      limits,
      createdAt: seconds(),
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
      grants: 'all',
      channels: 'all',
      addresses: 'all',
      madeFrom: null,
    });
    assert.ok(!JSON.stringify(found).includes(key));
  });

  test('200: a key has the name that it was issued with or given later, and its successor too', async () => {
    const { userId } = await world().tenant();
    const { keyId } = (await issue({ userId, name: ' Nightly ' })).body;
    assert.equal((await read(keyId)).name, 'Nightly');
    const { status, body } = await change(keyId, { name: 'Warehouse' });
    assert.deepEqual([status, body.name, body], [200, 'Warehouse', await read(keyId)]);
    const next = await world().operate('POST', `/operator/keys/${keyId}/rotate`, {});
    const { name, hint } = await read(next.keyId);
    assert.deepEqual([name, hint], ['Warehouse', `...${next.key.slice(-4)}`]);
    const unnamed = await change(next.keyId, { name: ' ' });
    assert.deepEqual(refusalOf(unnamed), [400, 'name must not be empty']);
  });

  test('200: absent fields do not change, and the audit log lists the changed ones', async () => {
    const limits = { perSecond: 5, burst: 50, perDay: 500 };
    const { keyId } = await world().tenant({ limits });
    const made = await read(keyId);
    const expiresAt = seconds() + 60;
    const { status, body } = await change(keyId, { limits: { burst: 60 }, expiresAt });
    const changed = { ...made, limits: { ...limits, burst: 60 }, expiresAt };
    assert.deepEqual([status, body], [200, changed]);
    assert.deepEqual(await read(keyId), body);
    assert.deepEqual((await change(keyId, {})).body, body);
    assert.deepEqual((await change(keyId, { expiresAt: null })).body, { ...body, expiresAt: null });
    assert.deepEqual((await auditOf(world(), keyId)).slice(0, 3), [
      ['changeKey', { expiresAt: null }],
      ['changeKey', {}],
      ['changeKey', { limits: { burst: 60 }, expiresAt }],
    ]);
  });

  test('403: a key that is given an end is refused from then on, until the end is taken away', async () => {
    const { key, keyId } = await world().tenant();
    assert.equal(await ask(key), 200);
    await change(keyId, { expiresAt: seconds() + 3 });
    assert.equal(await ask(key), 200);
    world().clock.now += 3_000;
    assert.equal(await ask(key), 403);
    await change(keyId, { expiresAt: null });
    assert.equal(await ask(key), 200);
    await change(keyId, { expiresAt: 0 });
    assert.equal(await ask(key), 403);
  });

  test('429: changed limits hold with the next request, and count what was used before', async () => {
    const { key, keyId } = await world().tenant();
    for (let count = 0; count < 3; count += 1) assert.equal(await ask(key), 200);
    await change(keyId, { limits: { perDay: 4 } });
    assert.equal(await ask(key), 200);
    assert.equal(await ask(key), 429);
    await change(keyId, { limits: { perDay: 100 } });
    assert.equal(await ask(key), 200);
    world().clock.now += day;
  });

  testOnce('400: no more may come at once than an hour allows in the long run', async () => {
    const limits = { perSecond: 1, burst: 3_600 };
    const { userId, keyId } = await world().tenant({ limits });
    const error = (burst: number, rate: number) => [
      400,
      `limits.burst must be at most ${burst}: 3600 seconds' worth at ${rate} a second`,
    ];
    const issued = async (one: object) => refusalOf(await issue({ userId, limits: one }));
    const changed = async (one: object) => refusalOf(await change(keyId, { limits: one }));
    assert.deepEqual(await issued({ perSecond: 1, burst: 3_601 }), error(3600, 1));
    assert.deepEqual(await changed({ burst: 3_601 }), error(3600, 1));
    assert.deepEqual(await issued({ burst: 36_001 }), error(36000, 10));
    assert.deepEqual(await issued({ burst: 36_000 }), [200, undefined]);

    assert.deepEqual(await changed({ perSecond: 2, burst: 7_200 }), [200, undefined]);
    assert.deepEqual(await changed({ perSecond: 1 }), error(3600, 1));
    const stored = { perSecond: 2, burst: 7_200, perDay: 1_000_000_000 };
    assert.deepEqual((await read(keyId)).limits, stored);
  });

  test('409: a key that is revoked stays as it is', async () => {
    const { keyId } = await world().tenant();
    await world().operate('DELETE', `/operator/keys/${keyId}`);
    const revoked = await read(keyId);
    assert.equal(revoked.revokedAt, seconds());
    const refused = [409, 'the key is revoked: issue a new one'];
    for (const body of [{ limits: { perDay: 1 } }, { expiresAt: null }, {}])
      assert.deepEqual(refusalOf(await change(keyId, body)), refused);
    assert.deepEqual(await read(keyId), revoked);
  });

  testOnce('404: a key that does not exist', async () => {
    for (const answer of [
      await world().operator('GET', '/operator/keys/x'),
      await change('x', { limits: { perDay: 1 } }),
      await change('x', {}),
    ])
      assert.deepEqual(refusalOf(answer), [404, 'there is no such key']);
  });
});
