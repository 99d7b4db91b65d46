/** The list of reports: its pages, whose reports it has, and how long they are retained. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachPair, type Tenant, testOnOnePair } from '../../../../test/harness.ts';
import { changeRecords } from '../../../../test/records.ts';
import { csvOf } from '../../../../test/reports.ts';
import { makePerson, signIn } from '../../../../test/visitors.ts';

const second = 1_000;
const path = '/reports/create/inventoryReplenishment';

onEachPair('the list of reports', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  const create = async ({ key, channelId, merchantId }: Tenant) =>
    (await world().ask(key, 'POST', path, { channelId, merchantId })).body.reportId as string;
  const listed = async (key: string, query = '') => {
    const { status, body } = await world().ask(key, 'GET', `/reports${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const idsOf = async (key: string, query = '') =>
    (await listed(key, query)).reports.map(({ reportId }: { reportId: string }) => reportId);

  test('200: the newest first, by pages, with their channels and files', async () => {
    const tenant = await world().tenant();
    assert.deepEqual(await listed(tenant.key), { reports: [], total: 0 });
    await csvOf(world(), tenant, 'inventoryReplenishment');
    world().clock.now += second;
    const newest = await create(tenant);
    const { reports, total } = await listed(tenant.key);
    assert.equal(total, 2);
    assert.equal(reports[0].reportId, newest);
    const { reportId: _, ...first } = reports[1];
    const at = world().clock.now - second;
    const date = new Date(at).toISOString().slice(0, 10);
    assert.deepEqual(first, {
      reportType: 'inventoryReplenishment',
      status: 'done',
      channelId: tenant.channelId,
      merchantId: tenant.merchantId,
      createdAt: Math.floor(at / 1000),
      fileName: `inventoryReplenishment-${tenant.channelId}-${date}.csv`,
    });
    assert.deepEqual(await idsOf(tenant.key, '?pageSize=1'), [newest]);
    assert.deepEqual(await idsOf(tenant.key, '?pageSize=1&pageIndex=1'), [reports[1].reportId]);
  });

  test('200: no reports of other organisations, nor of channels out of reach', async () => {
    const [tenant, other] = [await world().tenant(), await world().tenant()];
    const reportId = await create(tenant);
    await create(other);
    assert.deepEqual(await idsOf(tenant.key), [reportId]);
    await world().operate('PUT', `/operator/users/${tenant.userId}/channels`, { channelIds: [] });
    assert.deepEqual(await idsOf(tenant.key), []);
  });

  testOnce('200: after 30 days a report is gone', async () => {
    const tenant = await world().tenant();
    await csvOf(world(), tenant, 'inventoryReplenishment');
    const { organisationId } = tenant;
    const endedBefore = (milliseconds: number) => {
      const finishedAt = world().clock.now - milliseconds;
      return changeRecords(world(), 'job', { organisationId }, { finishedAt });
    };
    const retained = 30 * 86_400 * second;
    await endedBefore(retained);
    assert.equal((await listed(tenant.key)).total, 1);
    await endedBefore(retained + 1);
    assert.equal((await listed(tenant.key)).total, 0);
  });

  testOnce('a session lists reports and downloads their files as long as it lasts', async () => {
    const tenant = await world().tenant();
    await csvOf(world(), tenant, 'inventoryReplenishment');
    const { email } = await makePerson(world(), tenant.organisationId);
    const visitor = await signIn(world(), email);
    const { reports } = await visitor.get('/account/data/reports');
    const path = `/account/data/reports/status/${reports[0].reportId}`;
    const { downloadUrl } = await visitor.get(path);
    const { pathname } = new URL(downloadUrl);
    const file = await world().ask(undefined, 'GET', pathname);
    assert.equal(file.status, 200);
    await visitor.ask('DELETE', '/account/session');
    assert.equal((await world().ask(undefined, 'GET', pathname)).status, 403);
  });
});
