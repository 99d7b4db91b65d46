/** A call of the operator that is sent again with its Idempotency-Key is carried out once. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { onOnePair } from '../../../test/harness.ts';
import { auditOf, recordsOf } from '../../../test/records.ts';

onOnePair('calls of the operator with an Idempotency-Key', (world) => {
  const once = (idempotencyKey: string, method: 'POST' | 'PATCH', path: string, body: object) =>
    world().ask(undefined, method, path, body, {
      authorization: `Bearer ${world().operatorToken}`,
      'idempotency-key': idempotencyKey,
    });
  const make = (key: string, name: string) =>
    once(key, 'POST', '/operator/organisations', { name });
  const organisationsNamed = async (name: string): Promise<number> =>
    (await recordsOf(world(), 'organisation', { name })).length;
  const stored = () => recordsOf(world(), 'idempotentRequest', {});

  test('200: an organisation that is requested twice is created once, and the second answer is the first', async () => {
    const [key, name] = [randomUUID(), randomUUID()];
    const first = await make(key, name);
    const second = await make(key, name);
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.deepEqual(second.body, first.body);
    const replayed = [first, second].map(({ headers }) => headers['idempotency-replayed']);
    assert.deepEqual(replayed, [undefined, 'true']);
    assert.equal(await organisationsNamed(name), 1);
    assert.equal((await auditOf(world(), first.body.organisationId)).length, 1);
  });

  test('200: a key that is issued twice by the same call is one key, which is stored nowhere in the clear', async () => {
    const { userId } = await world().tenant();
    const call = randomUUID();
    const first = await once(call, 'POST', '/operator/keys', { userId, limits: { perDay: 5 } });
    const second = await once(call, 'POST', '/operator/keys', { userId, limits: { perDay: 5 } });
    assert.equal(first.status, 200);
    assert.match(first.body.key, /^vit_live_/);
    assert.deepEqual(second.body, first.body);
    assert.equal((await world().operate('GET', `/operator/keys?userId=${userId}`)).total, 2);
    const text = JSON.stringify(await stored());
    assert.ok(text.length > 100);
    for (const secret of [first.body.key, first.body.keyId, call, userId])
      assert.ok(!text.includes(secret), 'it is stored in the clear');
  });

  test('200: a change that is repeated is not made again', async () => {
    const { keyId } = await world().tenant();
    const call = randomUUID();
    const path = `/operator/keys/${keyId}`;
    const first = await once(call, 'PATCH', path, { limits: { perDay: 7 } });
    await world().operate('PATCH', path, { limits: { perDay: 8 } });
    assert.deepEqual((await once(call, 'PATCH', path, { limits: { perDay: 7 } })).body, first.body);
    assert.equal((await world().operate('GET', path)).limits.perDay, 8);
  });

  test('409 and 400: what was refused leaves its Idempotency-Key free', async () => {
    const { organisationId, userId, keyId } = await world().tenant();
    const before = (await stored()).length;

    const user = { organisationId, email: `${randomUUID()}@example.com`, role: 'owner' };
    const holder = await world().operate('POST', '/operator/users', user);
    const statusOf = async (...call: Parameters<typeof once>) => (await once(...call)).status;
    const first = randomUUID();
    assert.equal(await statusOf(first, 'POST', '/operator/users', user), 409);
    await world().operate('DELETE', `/operator/users/${holder.userId}`);
    assert.equal(await statusOf(first, 'POST', '/operator/users', user), 200);

    const second = randomUUID();
    assert.equal(await statusOf(second, 'POST', '/operator/keys', { userId: 'x' }), 400);
    assert.equal(await statusOf(second, 'POST', '/operator/keys', { userId }), 200);

    const third = randomUUID();
    for (const [status, limits] of [
      [400, { perSecond: 0 }],
      [400, { perSecond: 1, burst: 3601 }],
      [200, { perSecond: 1, burst: 3600 }],
    ] as const)
      assert.equal(await statusOf(third, 'PATCH', `/operator/keys/${keyId}`, { limits }), status);
    assert.equal((await stored()).length, before + 3);
  });
});
