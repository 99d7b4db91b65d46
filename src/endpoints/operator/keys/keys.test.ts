import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, onEachPair } from '../../../../test/harness.ts';

const refusal = ({ status, body }: Answer) => [status, body.error];
const day = 86_400_000;

onEachPair('a key and its limits', (world) => {
  const seconds = () => Math.floor(world().clock.now / 1000);
  const read = (keyId: string) => world().operate('GET', `/operator/keys/${keyId}`);
  const change = (keyId: string, body: object) =>
    world().operator('PATCH', `/operator/keys/${keyId}`, body);
  const ask = async (key: string) => (await world().ask(key, 'POST', '/channels')).status;

  test('200: a key is read without itself', async () => {
    const { key, keyId, userId } = await world().tenant({
      limits: { perSecond: 5, burst: 50, perDay: 500 },
    });
    const found = await read(keyId);
    assert.deepEqual(found, {
      keyId,
      userId,
      name: 'API key',
      hint: `...${key.slice(-4)}`,
      limits: { perSecond: 5, burst: 50, perDay: 500 },
      createdAt: seconds(),
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
    });
    assert.ok(!JSON.stringify(found).includes(key));
  });

  test('200: a key has the name that it was issued with or given later, and its successor too', async () => {
    const { userId } = await world().tenant();
    const issued = await world().operate('POST', '/operator/keys', { userId, name: ' Nightly ' });
    assert.equal((await read(issued.keyId)).name, 'Nightly');
    const { status, body } = await change(issued.keyId, { name: 'Warehouse' });
    assert.deepEqual([status, body.name, body], [200, 'Warehouse', await read(issued.keyId)]);
    const next = await world().operate('POST', `/operator/keys/${issued.keyId}/rotate`, {});
    const { name, hint } = await read(next.keyId);
    assert.deepEqual([name, hint], ['Warehouse', `...${next.key.slice(-4)}`]);
    assert.deepEqual(refusal(await change(next.keyId, { name: ' ' })), [
      400,
      'name must not be empty',
    ]);
  });

  test('200: absent fields keep their values, and the audit log lists the changed ones', async () => {
    const { keyId } = await world().tenant({ limits: { perSecond: 5, burst: 50, perDay: 500 } });
    const made = await read(keyId);
    const expiresAt = seconds() + 60;
    const { status, body } = await change(keyId, { limits: { burst: 60 }, expiresAt });
    assert.deepEqual(
      [status, body],
      [200, { ...made, limits: { perSecond: 5, burst: 60, perDay: 500 }, expiresAt }],
    );
    assert.deepEqual(await read(keyId), body);
    assert.deepEqual((await change(keyId, {})).body, body);
    assert.deepEqual((await change(keyId, { expiresAt: null })).body, { ...body, expiresAt: null });
    const { entries } = await world().operate('GET', `/operator/audit?subject=${keyId}`);
    assert.deepEqual(
      entries
        .slice(0, 3)
        .map((entry: { action: string; detail: object }) => [entry.action, entry.detail]),
      [
        ['changeKey', { expiresAt: null }],
        ['changeKey', {}],
        ['changeKey', { limits: { burst: 60 }, expiresAt }],
      ],
    );
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

  test('400: no more may come at once than an hour allows in the long run', async () => {
    const { userId, keyId } = await world().tenant({ limits: { perSecond: 1, burst: 3_600 } });
    const error = "limits.burst must be at most 3600: 3600 seconds' worth at 1 a second";
    const issue = (limits: object) =>
      world().operator('POST', '/operator/keys', { userId, limits });
    assert.deepEqual(refusal(await issue({ perSecond: 1, burst: 3_601 })), [400, error]);
    assert.deepEqual(refusal(await change(keyId, { limits: { burst: 3_601 } })), [400, error]);
    const without = "limits.burst must be at most 36000: 3600 seconds' worth at 10 a second";
    assert.deepEqual(refusal(await issue({ burst: 36_001 })), [400, without]);
    assert.equal((await issue({ burst: 36_000 })).status, 200);

    assert.equal((await change(keyId, { limits: { perSecond: 2, burst: 7_200 } })).status, 200);
    assert.deepEqual(refusal(await change(keyId, { limits: { perSecond: 1 } })), [400, error]);
    assert.deepEqual((await read(keyId)).limits, {
      perSecond: 2,
      burst: 7_200,
      perDay: 1_000_000_000,
    });
  });

  test('400: limits and ends are checked', async () => {
    const { keyId } = await world().tenant();
    assert.deepEqual(
      refusal(
        await change(keyId, { limits: { perSecond: 0, perDay: 1.5 }, expiresAt: Date.now() }),
      ),
      [
        400,
        'limits.perSecond must be at least 1, limits.perDay must be an integer, expiresAt must be a time in seconds and not in milliseconds or null',
      ],
    );
  });

  test('409: a key that is revoked stays as it is', async () => {
    const { keyId } = await world().tenant();
    await world().operate('DELETE', `/operator/keys/${keyId}`);
    const revoked = await read(keyId);
    assert.equal(revoked.revokedAt, seconds());
    for (const body of [{ limits: { perDay: 1 } }, { expiresAt: null }, {}]) {
      assert.deepEqual(refusal(await change(keyId, body)), [
        409,
        'the key is revoked: issue a new one',
      ]);
    }
    assert.deepEqual(await read(keyId), revoked);
  });

  test('404: a key that does not exist', async () => {
    assert.deepEqual(refusal(await world().operator('GET', '/operator/keys/x')), [
      404,
      'there is no such key',
    ]);
    assert.deepEqual(refusal(await change('x', { limits: { perDay: 1 } })), [
      404,
      'there is no such key',
    ]);
    assert.deepEqual(refusal(await change('x', {})), [404, 'there is no such key']);
  });
});
