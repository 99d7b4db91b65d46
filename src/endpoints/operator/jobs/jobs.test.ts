/** The operator lists jobs without their contents, and cancels those that wait. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { onEachPair, type Tenant, testOnOnePair } from '../../../../test/harness.ts';
import { addRecords, auditOf, channelNumberOf, refusalOf } from '../../../../test/records.ts';
import { rowsOf } from '../../../../test/table.ts';
import type { JobRecord } from '../../../engine/records.ts';

const minute = 60_000;

onEachPair('jobs', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  /** Adds a job that no worker takes, because its lease never ends. */
  async function add(
    { organisationId, channelId, userId }: Tenant,
    job: Partial<Omit<JobRecord, 'sequence'>>,
  ): Promise<string> {
    const jobId = randomUUID();
    const channelNumber = await channelNumberOf(world(), channelId);
    const names = { jobId, kind: 'report', channelNumber, organisationId, userId, owner: '' };
    const contents = { payload: '"secret of the request"', result: null, error: null };
    const times = { createdAt: world().clock.now, startedAt: null, finishedAt: null };
    const lease = { attempts: 0, worker: null, leaseUntil: 8_000_000_000_000 };
    const record = { ...names, ...contents, ...times, ...lease, state: 'waiting', ...job } as const;
    await addRecords(world(), 'job', record);
    return jobId;
  }
  const list = async (query = '') => world().operate('GET', `/operator/jobs?${query}`);
  const idsOf = async (query: string) =>
    (await list(query)).jobs.map(({ jobId }: { jobId: string }) => jobId);
  const cancel = (jobId: string) => world().operator('DELETE', `/operator/jobs/${jobId}`);

  test('are listed newest first with times, attempts and reasons, and never their contents', async () => {
    const acme = await world().tenant();
    const { organisationId, channelId } = acme;
    const at = world().clock.now;
    const of = { organisationId, channelId };
    const ended = {
      createdAt: at - 5 * minute,
      startedAt: at - 4 * minute,
      finishedAt: at - minute,
    };
    const full = { state: 'failed', attempts: 3, error: 'the disk is full' } as const;
    const result = '"secret of the answer"';
    const failed = await add(acme, { kind: 'unitCosts', ...full, ...ended, result });
    const running = await add(acme, { state: 'running', attempts: 1, startedAt: at - 1_500 });
    const waiting = await add(acme, {});
    const now = Math.floor(at / 1000);
    const answer = await list(`organisationId=${organisationId}`);
    const started = Math.floor((at - 1_500) / 1000);
    const jobs = rowsOf(`
      jobId,      kind,      state,   attempts, error,            milliseconds
      ${waiting}, report,    waiting, 0,        null,             null
      ${running}, report,    running, 1,        null,             1500
      ${failed},  unitCosts, failed,  3,        the disk is full, 180000`);
    const times = rowsOf(`
      createdAt,    startedAt,    finishedAt
      ${now},       null,         null
      ${now},       ${started},   null
      ${now - 300}, ${now - 240}, ${now - 60}`);
    const expected = jobs.map((job, place) => ({ ...of, ...job, ...times[place] }));
    assert.deepEqual(answer, { total: 3, jobs: expected });
    assert.ok(!JSON.stringify(answer).includes('secret'));
  });

  test('are narrowed by kind, state, organisation and channel, and cut into pages', async () => {
    const [acme, bravo] = [await world().tenant(), await world().tenant()];
    const one = await add(acme, { kind: 'unitCosts', state: 'done' });
    const two = await add(acme, { state: 'failed', error: 'gone' });
    const three = await add(bravo, { state: 'failed', error: 'gone' });
    const ofAcme = `organisationId=${acme.organisationId}`;
    assert.deepEqual(await idsOf(ofAcme), [two, one]);
    assert.deepEqual(await idsOf(`${ofAcme}&kind=unitCosts`), [one]);
    assert.deepEqual(await idsOf(`${ofAcme}&state=failed`), [two]);
    assert.deepEqual(await idsOf(`channelId=${bravo.channelId}`), [three]);
    assert.deepEqual(await idsOf(`${ofAcme}&pageSize=1&pageIndex=1`), [one]);
    assert.equal((await list(`${ofAcme}&pageSize=1`)).total, 2);
    const refused = await world().operator('GET', '/operator/jobs?state=lost');
    assert.equal(refused.status, 400);
  });

  test('a waiting job is cancelled once; its user reads why, and the audit log holds it', async () => {
    // The queue has a clock of its own, which knows only the true time.
    world().clock.now = Date.now();
    const acme = await world().tenant();
    const waiting = await add(acme, {});
    const names = { reportId: waiting, jobId: waiting, userId: acme.userId };
    const type = { reportType: 'inventoryReplenishment', options: '{}', format: 'csv' } as const;
    const report = { ...names, ...type, createdAt: world().clock.now };
    await addRecords(world(), 'report', report);
    assert.equal((await cancel(waiting)).status, 200);
    const { jobs } = await list(`channelId=${acme.channelId}`);
    const reason = 'cancelled by the operator of the service';
    assert.deepEqual([jobs[0].state, jobs[0].error], ['failed', reason]);
    const { channelId, merchantId } = acme;
    const status = `/reports/status/${waiting}?${new URLSearchParams({ channelId, merchantId })}`;
    const { body } = await world().ask(acme.key, 'GET', status);
    assert.deepEqual([body.status, body.error], ['errored', reason]);
    assert.deepEqual(refusalOf(await cancel(waiting)), [409, 'this job has ended']);
    assert.deepEqual(await auditOf(world(), waiting), [['cancelJob', { kind: 'report' }]]);
  });

  testOnce('409 and 404: a job that runs stays, and an unknown one is not found', async () => {
    const acme = await world().tenant();
    const running = await add(acme, { state: 'running', startedAt: world().clock.now });
    const runs = [409, 'this job runs: only waiting jobs can be cancelled'];
    assert.deepEqual(refusalOf(await cancel(running)), runs);
    assert.deepEqual(await idsOf(`channelId=${acme.channelId}&state=running`), [running]);
    assert.equal((await cancel('nothing')).status, 404);
  });
});
