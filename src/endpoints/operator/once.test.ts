import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { onEachPair } from '../../../test/harness.ts';

const hour = 3_600_000;

onEachPair('calls of the operator with an Idempotency-Key', (world) => {
  const once = (idempotencyKey: string, method: 'POST' | 'PATCH', path: string, body: object) =>
    world().ask(undefined, method, path, body, {
      authorization: `Bearer ${world().operatorToken}`,
      'idempotency-key': idempotencyKey,
    });
  const organisationsNamed = async (name: string): Promise<number> => {
    const { organisations } = await world().operate('GET', '/operator/organisations?pageSize=1000');
    return organisations.filter((one: { name: string }) => one.name === name).length;
  };
  const kept = () => world().registry.records.selectFrom('idempotentRequest').selectAll().execute();

  test('200: an organisation that is asked for twice is made once, and the second answer is the first', async () => {
    const [key, name] = [randomUUID(), randomUUID()];
    const first = await once(key, 'POST', '/operator/organisations', { name });
    const second = await once(key, 'POST', '/operator/organisations', { name });
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.deepEqual(second.body, first.body);
    assert.deepEqual(
      [first.headers['idempotency-replayed'], second.headers['idempotency-replayed']],
      [undefined, 'true'],
    );
    assert.equal(await organisationsNamed(name), 1);
    const { total } = await world().operate(
      'GET',
      `/operator/audit?subject=${first.body.organisationId}`,
    );
    assert.equal(total, 1);
  });

  test('200 and 409: of the same call sent several times at one moment one is carried out', async () => {
    const [key, name] = [randomUUID(), randomUUID()];
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => once(key, 'POST', '/operator/organisations', { name })),
    );
    assert.ok(answers.some(({ status }) => status === 200));
    for (const { status } of answers) assert.ok(status === 200 || status === 409, String(status));
    assert.equal(
      new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.organisationId))
        .size,
      1,
    );
    assert.equal(await organisationsNamed(name), 1);
  });

  test('200: a key that is issued twice by the same call is one key, which is kept nowhere in the clear', async () => {
    const { userId } = await world().tenant();
    const call = randomUUID();
    const first = await once(call, 'POST', '/operator/keys', { userId, limits: { perDay: 5 } });
    const second = await once(call, 'POST', '/operator/keys', { userId, limits: { perDay: 5 } });
    assert.equal(first.status, 200);
    assert.match(first.body.key, /^vit_live_/);
    assert.deepEqual(second.body, first.body);
    assert.equal((await world().operate('GET', `/operator/keys?userId=${userId}`)).total, 2);
    const text = JSON.stringify(await kept());
    assert.ok(text.length > 100);
    for (const secret of [first.body.key, first.body.keyId, call, userId])
      assert.ok(!text.includes(secret), 'it is kept in the clear');
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

  test('422: the same Idempotency-Key does not serve for another body or another path', async () => {
    const [key, name] = [randomUUID(), randomUUID()];
    await once(key, 'POST', '/operator/organisations', { name });
    const { userId } = await world().tenant();
    for (const other of [
      await once(key, 'POST', '/operator/organisations', { name, plan: 'standard' }),
      await once(key, 'POST', '/operator/keys', { userId }),
    ]) {
      assert.deepEqual(
        [other.status, other.body.error],
        [422, 'this idempotency-key was used for another request: use a new one'],
      );
    }
    assert.equal(await organisationsNamed(name), 1);
  });

  test('409: as long as the first call runs the second one is sent away, and two minutes later it is taken to have died', async () => {
    const [key, name] = [randomUUID(), randomUUID()];
    await once(key, 'POST', '/operator/organisations', { name });
    const started = world().clock.now;
    // As the call is kept before it has ended.
    await world()
      .registry.records.updateTable('idempotentRequest')
      .set({ answer: null })
      .where('startedAt', '=', started)
      .where('owner', '=', 'operator')
      .execute();
    const during = await once(key, 'POST', '/operator/organisations', { name });
    assert.deepEqual(
      [during.status, during.body.error, during.headers['retry-after']],
      [409, 'a request with this idempotency-key is still running: try again shortly', '1'],
    );
    world().clock.now += 120_000;
    assert.equal((await once(key, 'POST', '/operator/organisations', { name })).status, 200);
    assert.equal(await organisationsNamed(name), 2);
  });

  test('200: a day later the same call is done anew', async () => {
    const [key, name] = [randomUUID(), randomUUID()];
    const first = await once(key, 'POST', '/operator/organisations', { name });
    world().clock.now += 24 * hour - 1;
    assert.deepEqual(
      (await once(key, 'POST', '/operator/organisations', { name })).body,
      first.body,
    );
    world().clock.now += 1;
    const anew = await once(key, 'POST', '/operator/organisations', { name });
    assert.equal(anew.status, 200);
    assert.notEqual(anew.body.organisationId, first.body.organisationId);
    assert.equal(await organisationsNamed(name), 2);
  });

  test('409 and 400: what was refused leaves its Idempotency-Key free', async () => {
    const { organisationId, userId, keyId } = await world().tenant();
    const before = (await kept()).length;

    const taken = `${randomUUID()}@example.com`;
    const holder = await world().operate('POST', '/operator/users', {
      organisationId,
      email: taken,
      role: 'owner',
    });
    const user = { organisationId, email: taken, role: 'owner' };
    const first = randomUUID();
    assert.equal((await once(first, 'POST', '/operator/users', user)).status, 409);
    await world().operate('DELETE', `/operator/users/${holder.userId}`);
    assert.equal((await once(first, 'POST', '/operator/users', user)).status, 200);

    const second = randomUUID();
    assert.equal((await once(second, 'POST', '/operator/keys', { userId: 'x' })).status, 400);
    assert.equal((await once(second, 'POST', '/operator/keys', { userId })).status, 200);

    const third = randomUUID();
    assert.equal(
      (await once(third, 'PATCH', `/operator/keys/${keyId}`, { limits: { perSecond: 0 } })).status,
      400,
    );
    assert.equal(
      (
        await once(third, 'PATCH', `/operator/keys/${keyId}`, {
          limits: { perSecond: 1, burst: 3601 },
        })
      ).status,
      400,
    );
    assert.equal(
      (
        await once(third, 'PATCH', `/operator/keys/${keyId}`, {
          limits: { perSecond: 1, burst: 3600 },
        })
      ).status,
      200,
    );
    assert.equal((await kept()).length, before + 3);
  });
});
