/**
 * Organisations have no more than their quotas of groups, tags, reports, unit costs, webhooks,
 * schedules and answers; old records are deleted after their time.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { pruneOldRecords } from '../src/access/retention.ts';
import { openImport } from '../src/engine/registry.ts';
import { clockStart, onEachPair, onOnePair, type Tenant, testOnOnePair, until } from './harness.ts';
import { addRecords, changeRecords, recordOf, recordsOf } from './records.ts';

const millisecondsPerDay = 86_400_000;

onEachPair(
  'Quotas of organisations',
  (world, pair) => {
    const testOnce = testOnOnePair(pair);
    let tenant: Tenant;
    let other: Tenant;

    before(async () => {
      tenant = await world().tenant();
      other = await world().tenant();
    });

    const send = (by: Tenant, path: string, fields: object = {}, headers = {}) => {
      const method = /^\/tags\/channel$|^\/customGroups\/./.test(path) ? 'PATCH' : 'POST';
      const { key, channelId, merchantId } = by;
      return world().ask(key, method, path, { channelId, merchantId, ...fields }, headers);
    };
    const wouldHave = (what: string, most: number) =>
      new RegExp(`^your organisation would have ${what} and may have at most ${most}: `);
    const productsOf = (...skus: string[]) => skus.map((sellerSku) => ({ sellerSku }));
    const group = (...skus: string[]) => ({ groupName: 'Lamps', products: productsOf(...skus) });
    async function refused(answer: ReturnType<typeof send>, status: number, text: RegExp) {
      const { status: found, body, headers } = await answer;
      assert.equal(found, status, JSON.stringify(body));
      assert.match(body.error, text);
      assert.equal(headers['retry-after'] !== undefined, status === 429);
    }
    async function taken(answer: ReturnType<typeof send>) {
      const { status, body } = await answer;
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    }

    /** Two records may be made, and a third one once one of them is deleted. */
    async function takesTwo(path: string, fields: object, kind: string) {
      const make = (by = tenant) => send(by, path, fields);
      const made = await taken(make());
      await taken(make());
      await refused(make(), 400, wouldHave(`3 ${kind}`, 2));
      await taken(make(other));
      await world().ask(tenant.key, 'DELETE', `${path}/${made.webhookId ?? made.scheduleId}`);
      await taken(make());
    }

    testOnce('groups, the SKUs in all of them, and tags', async () => {
      const { groupId } = await taken(send(tenant, '/customGroups', group('A', 'B')));
      const entries = wouldHave('4 SKUs and brands in all its groups', 3);
      await refused(send(tenant, '/customGroups', group('A', 'B')), 400, entries);
      await taken(send(tenant, '/customGroups', group('A')));
      await refused(send(tenant, '/customGroups', group('C')), 400, wouldHave('3 groups', 2));
      // Replaced entries and other organisations' entries do not count.
      await taken(send(tenant, '/customGroups', { groupId, ...group('C', 'D') }));
      await taken(send(other, '/customGroups', group('A', 'B', 'C')));
      const growing = send(tenant, `/customGroups/${groupId}`, { addProducts: productsOf('E') });
      await refused(growing, 400, /would have 4 SKUs/);

      await taken(send(tenant, '/tags/channel', { addTags: ['one', 'org://two'] }));
      const tags = wouldHave('3 tags on all its channels', 2);
      await refused(send(tenant, '/tags/channel', { addTags: ['three'] }), 400, tags);
      await taken(send(tenant, '/tags/channel', { addTags: ['three'], removeTags: ['one'] }));
    });

    testOnce('retained reports', async () => {
      const path = '/reports/create/inventoryReplenishment';
      await taken(send(tenant, path));
      await taken(send(tenant, path));
      const reason =
        /^your organisation has 2 files of reports and schedules: try again when the oldest are 30/;
      await refused(send(tenant, path), 429, reason);
      await taken(send(other, path));
    });

    testOnce('unit costs', async () => {
      const costs = (...skus: string[]) => ({
        fromDate: 1_752_933_600,
        directCosts: skus.map((sellerSku) => ({ sellerSku, cogs: 1, cogsCurrency: 'USD' })),
      });
      const save = '/profitability/directCosts';
      await refused(send(tenant, save, costs('A', 'B', 'C')), 400, wouldHave('3 unit costs', 2));
      const { jobId } = await taken(send(tenant, save, costs('A', 'B')));
      const { key, channelId, merchantId } = tenant;
      const job = new URLSearchParams({ channelId, merchantId, jobId });
      await until(async () => {
        const { body } = await world().ask(key, 'GET', `${save}JobStatus?${job}`);
        return body.jobStatus === 'COMPLETED';
      });
      await taken(send(tenant, save, costs('A', 'B')));
      await refused(send(tenant, save, costs('C')), 400, /would have 3 unit costs/);
      await taken(send(other, save, costs('C')));
    });

    const hook = { url: 'https://example.com/', events: ['report.failed'] };
    testOnce('webhooks', () => takesTwo('/webhooks', hook, 'webhooks'));

    const addWaiting = async (by: Tenant, kind: string, count: number) => {
      const { channelNumber } = await recordOf(world(), 'channel', { channelId: by.channelId });
      const { organisationId, userId } = by;
      const times = { createdAt: 0, startedAt: null, finishedAt: null, leaseUntil: 8e12 };
      const unrun = { payload: '{}', result: null, error: null, attempts: 0, worker: null };
      const own = {
        kind,
        channelNumber,
        organisationId,
        userId,
        owner: '',
        state: 'waiting',
      } as const;
      for (let number = 0; number < count; number++)
        await addRecords(world(), 'job', { jobId: randomUUID(), ...own, ...unrun, ...times });
    };

    testOnce('deliveries that wait', async () => {
      const own = await world().tenant();
      const { webhookId } = await taken(send(own, '/webhooks', hook));
      await addWaiting(own, 'webhook', 2);
      const waiting = /^your organisation has 2 deliveries waiting: fix or pause the webhooks/;
      await refused(send(own, `/webhooks/${webhookId}/test`), 429, waiting);
    });

    testOnce('runs that wait, and files of runs', async () => {
      const own = await world().tenant();
      const { scheduleId } = await taken(send(own, '/schedules', weekly));
      await addWaiting(own, 'schedule', 50);
      const run = () => send(own, `/schedules/${scheduleId}/run`);
      const waiting = /^your organisation has 50 runs of schedules waiting: try again in 30 s$/;
      await refused(run(), 429, waiting);
      await world().registry.records.deleteFrom('job').where('kind', '=', 'schedule').execute();
      const file = {
        storedAs: 'one.csv',
        fileName: 'one.csv',
        reportId: null,
        state: 'done',
      } as const;
      const times = { dueAt: 1, createdAt: 1, finishedAt: 1, error: null };
      const unsent = { mailError: null, mailedAt: null };
      const done = { runId: randomUUID(), scheduleId, ...file, ...times, ...unsent };
      await addRecords(world(), 'scheduleRun', done);
      const path = '/reports/create/inventoryReplenishment';
      await taken(send(own, path));
      const files = /^your organisation has 2 files of reports and schedules: try again when/;
      await refused(send(own, path), 429, files);
      await refused(run(), 429, files);
    });

    const times = { name: 'Mondays', cron: '0 7 * * 1', timezone: 'UTC', period: 'lastWeek' };
    const weekly = { ...times, operation: 'viewSalesByChannel', parameters: {} };
    testOnce('schedules', () => takesTwo('/schedules', weekly, 'schedules'));

    testOnce('answers to idempotent requests', async () => {
      const tag = (key: string, by = tenant) =>
        send(by, '/tags/channel', { addTags: ['three'] }, { 'idempotency-key': key });
      await taken(tag('one'));
      await taken(tag('two'));
      const tooMany =
        /^your organisation has sent 2 requests with an idempotency-key within 24 hours/;
      await refused(tag('three'), 429, tooMany);
      await refused(tag('three'), 429, tooMany);
      assert.equal((await tag('one')).headers['idempotency-replayed'], 'true');
      await taken(tag('three', other));
    });

    test('Simultaneous requests save no more groups and tags than an organisation may have', async () => {
      const own = await world().tenant();
      for (const [path, bodyOf] of [
        ['/customGroups', (n: number) => ({ ...group('A'), groupName: `${n}` })],
        ['/tags/channel', (n: number) => ({ addTags: [`tag ${n}`] })],
      ] as const) {
        const sixAtOnce = Array.from({ length: 6 }, (_, n) => send(own, path, bodyOf(n)));
        const statuses = (await Promise.all(sixAtOnce)).map(({ status }) => status).sort();
        assert.deepEqual(statuses, [200, 200, 400, 400, 400, 400], path);
      }
    });
  },
  {
    limits: {
      organisationGroups: 2,
      organisationGroupEntries: 3,
      organisationTags: 2,
      organisationRetainedReports: 2,
      organisationUnitCosts: 2,
      organisationWebhooks: 2,
      organisationSchedules: 2,
      organisationAnswers: 2,
      organisationWaitingDeliveries: 2,
    },
  },
);

onOnePair('Retention', (world) => {
  test('old usage, imports, rejected rows and audit entries are deleted, young ones stay', async () => {
    const { registry } = world();
    const { keyId } = await world().tenant();
    const ago = (days: number) => clockStart - days * millisecondsPerDay;
    const imports: number[] = [];
    for (const days of [5, 15, 25]) {
      const importId = await openImport(registry, 'traffic', null, ago(days));
      imports.push(importId);
      const finished = { state: 'done', finishedAt: ago(days) } as const;
      await changeRecords(world(), 'import', { importId }, finished);
      const rejection = { importId, line: 1, reason: 'it is wrong' };
      await addRecords(world(), 'importRejection', rejection);
      const entry = { actor: 'operator', action: 'test', subject: 'retention', detail: '{}' };
      await addRecords(world(), 'auditEntry', { at: ago(300 + days), ...entry });
      const counts = { requests: 1, refused: 0, limited: 0, failed: 0 };
      const day = ago(days) / millisecondsPerDay - 0.5;
      await addRecords(world(), 'keyUsage', { keyId, day, operation: 'test', ...counts });
    }
    const days = { usageDays: 20, importDays: 20, rejectionDays: 10, auditDays: 310 };
    await pruneOldRecords(registry, days, clockStart);
    assert.equal((await recordsOf(world(), 'keyUsage', { keyId })).length, 2);
    const left = async (table: 'import' | 'importRejection') => {
      const found = await recordsOf(world(), table, {});
      return imports.filter((id) => found.some(({ importId }) => importId === id));
    };
    assert.deepEqual(await left('import'), imports.slice(0, 2));
    assert.deepEqual(await left('importRejection'), imports.slice(0, 1));
    const { at } = await recordOf(world(), 'auditEntry', { subject: 'retention' });
    assert.equal(at, ago(305));
    // Facts and numbers stay: the next import has a number of its own.
    assert.ok((await openImport(registry, 'traffic', null, clockStart)) > imports.at(-1)!);
  });

  test('no setting deletes audit entries of the last 90 days', async () => {
    const days = { usageDays: 1, importDays: 1, rejectionDays: 1, auditDays: 0 };
    const later = Date.now() + millisecondsPerDay;
    const entry = { actor: 'o', action: 'a', subject: 'young', detail: '{}' };
    await addRecords(world(), 'auditEntry', { at: Date.now(), ...entry });
    await assert.rejects(pruneOldRecords(world().registry, days, later), /never changed/);
  });
});
