/** With a session, the pages of the console read the answers that a key of its user would get. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onOnePair } from '../../../test/harness.ts';
import { grant, makePerson, ownerOf, refusal, signIn, visit } from '../../../test/visitors.ts';
import { publicContracts } from '../contracts.ts';

onOnePair('data of the console', (world) => {
  const period = { fromDate: 1_700_000_000, toDate: 1_700_086_400 };

  test('a session reads what a key of its user would get', async () => {
    const tenant = await world().tenant();
    const visitor = await ownerOf(world(), tenant);
    const byKey = await world().ask(tenant.key, 'POST', '/channels', {});
    const bySession = await visitor.ask('POST', '/account/data/channels', {});
    assert.deepEqual([bySession.status, bySession.body], [200, byKey.body]);
    assert.equal(bySession.headers['cache-control'], 'no-store');
    assert.ok(bySession.headers.ratelimit);
  });

  test('a member without a key, and without API access, reads only the stores that were granted', async () => {
    const tenant = await world().tenant();
    const organisation = `/operator/organisations/${tenant.organisationId}`;
    await world().operate('PATCH', organisation, { apiAccess: false });
    await world().channel(tenant.organisationId, `${tenant.channelId}-2`);
    const member = await makePerson(world(), tenant.organisationId, { role: 'member' });
    const visitor = await signIn(world(), member.email);
    const channels = async () =>
      (await visitor.ask('POST', '/account/data/channels', {})).body.map(
        ({ channelId }: { channelId: string }) => channelId,
      );
    assert.deepEqual(await channels(), []);
    await grant(world(), member.userId, [tenant.channelId]);
    assert.deepEqual(await channels(), [tenant.channelId]);
  });

  test('another organisation’s store is refused as for a key', async () => {
    const [tenant, other] = [await world().tenant(), await world().tenant()];
    const visitor = await ownerOf(world(), tenant);
    const query = `channelId=${other.channelId}&merchantId=${encodeURIComponent(other.merchantId)}`;
    const days = `startDate=${period.fromDate}&endDate=${period.toDate}`;
    const asking = visitor.ask('GET', `/account/data/targets?${query}&${days}`);
    const [status, error] = await refusal(asking);
    assert.equal(status, 400);
    assert.match(error, /channelId and merchantId do not match a connected store/);
  });

  test('401 without a session, and 403 from a page of another site', async () => {
    const tenant = await world().tenant();
    for (const { method, path } of Object.values(publicContracts)) {
      const address = `/account/data${path.replaceAll(/\{\w+\}/g, 'x')}`;
      const body = method === 'GET' ? undefined : {};
      const { status } = await visit(world()).ask(method, address, body);
      assert.equal(status, 401, address);
    }
    const visitor = await ownerOf(world(), tenant);
    const foreign = { 'sec-fetch-site': 'cross-site' };
    const { status, headers } = await visitor.ask('POST', '/account/data/channels', {}, foreign);
    assert.deepEqual([status, headers['access-control-allow-origin']], [403, undefined]);
    // This address accepts no key, and the public one no session.
    const header = { 'x-api-key': tenant.key };
    const byKey = await visit(world()).ask('POST', '/account/data/channels', {}, header);
    const byCookie = await visitor.ask('POST', '/channels', {});
    assert.deepEqual([byKey.status, byCookie.status], [401, 403]);
  });

  test('what a session reads counts for no key', async () => {
    const tenant = await world().tenant();
    const visitor = await ownerOf(world(), tenant);
    await visitor.ask('POST', '/account/data/channels', {});
    assert.equal((await visitor.get('/account/usage')).total.requests, 0);
  });
});
