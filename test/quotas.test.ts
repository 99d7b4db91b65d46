/** Quotas of organisations, and how long records are kept. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { pruneOldRecords } from '../src/access/retention.ts';
import { openImport } from '../src/engine/registry.ts';
import { clockStart, eachPair, onOnePair, type Tenant, until } from './harness.ts';

const millisecondsPerDay = 86_400_000;

onOnePair(
  'Quotas of organisations',
  (world) => {
    let tenant: Tenant;
    let other: Tenant;

    before(async () => {
      tenant = await world().tenant();
      other = await world().tenant();
    });

    const send = (
      { key, channelId, merchantId }: Tenant,
      path: string,
      body: object,
      headers: Record<string, string> = {},
    ) =>
      world().ask(
        key,
        path === '/tags/channel' ? 'PATCH' : 'POST',
        path,
        { channelId, merchantId, ...body },
        headers,
      );
    const products = (...skus: string[]) => ({
      groupName: 'Lamps',
      products: skus.map((sellerSku) => ({ sellerSku })),
    });
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

    test('groups, the SKUs in all of them, and tags', async () => {
      const { groupId } = await taken(send(tenant, '/customGroups', products('A', 'B')));
      await refused(
        send(tenant, '/customGroups', products('A', 'B')),
        400,
        /^your organisation would have 4 SKUs and brands in all its groups and may have at most 3: /,
      );
      await taken(send(tenant, '/customGroups', products('A')));
      await refused(
        send(tenant, '/customGroups', products('C')),
        400,
        /^your organisation would have 3 groups and may have at most 2: /,
      );
      // Replaced entries and those of other organisations do not count.
      await taken(send(tenant, '/customGroups', { groupId, ...products('C', 'D') }));
      await taken(send(other, '/customGroups', products('A', 'B', 'C')));
      const grown = await world().ask(tenant.key, 'PATCH', `/customGroups/${groupId}`, {
        ...{ channelId: tenant.channelId, merchantId: tenant.merchantId },
        addProducts: [{ sellerSku: 'E' }],
      });
      assert.equal(grown.status, 400);
      assert.match(grown.body.error, /would have 4 SKUs/);

      await taken(send(tenant, '/tags/channel', { addTags: ['one', 'org://two'] }));
      await refused(
        send(tenant, '/tags/channel', { addTags: ['three'] }),
        400,
        /^your organisation would have 3 tags on all its channels and may have at most 2: /,
      );
      await taken(send(tenant, '/tags/channel', { addTags: ['three'], removeTags: ['one'] }));
    });

    test('reports that are kept', async () => {
      await taken(send(tenant, '/reports/create/inventoryReplenishment', {}));
      await taken(send(tenant, '/reports/create/inventoryReplenishment', {}));
      await refused(
        send(tenant, '/reports/create/inventoryReplenishment', {}),
        429,
        /^your organisation has 2 reports: try again when the oldest are 30 days old/,
      );
      await taken(send(other, '/reports/create/inventoryReplenishment', {}));
    });

    test('unit costs', async () => {
      const costs = (...skus: string[]) => ({
        fromDate: 1_752_933_600,
        directCosts: skus.map((sellerSku) => ({ sellerSku, cogs: 1, cogsCurrency: 'USD' })),
      });
      const save = '/profitability/directCosts';
      await refused(
        send(tenant, save, costs('A', 'B', 'C')),
        400,
        /^your organisation would have 3 unit costs and may have at most 2: /,
      );
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

    test('webhooks', async () => {
      const hook = (by = tenant) =>
        send(by, '/webhooks', { url: 'https://example.com/', events: ['report.failed'] });
      const { webhookId } = await taken(hook());
      await taken(hook());
      const text = /^your organisation would have 3 webhooks and may have at most 2: /;
      await refused(hook(), 400, text);
      await taken(hook(other));
      await world().ask(tenant.key, 'DELETE', `/webhooks/${webhookId}`);
      await taken(hook());
    });

    test('schedules', async () => {
      const schedule = (by = tenant) =>
        send(by, '/schedules', {
          ...{ name: 'Mondays', cron: '0 7 * * 1', timezone: 'UTC', period: 'lastWeek' },
          ...{ operation: 'viewSalesByChannel', parameters: {} },
        });
      const { scheduleId } = await taken(schedule());
      await taken(schedule());
      const text = /^your organisation would have 3 schedules and may have at most 2: /;
      await refused(schedule(), 400, text);
      await taken(schedule(other));
      await world().ask(tenant.key, 'DELETE', `/schedules/${scheduleId}`);
      await taken(schedule());
    });

    test('answers to idempotent requests', async () => {
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
  },
  {
    limits: {
      organisationGroups: 2,
      organisationGroupEntries: 3,
      organisationTags: 2,
      organisationKeptReports: 2,
      organisationUnitCosts: 2,
      organisationWebhooks: 2,
      organisationSchedules: 2,
      organisationAnswers: 2,
    },
  },
);

onOnePair('Retention', (world) => {
  test('old usage, imports, rejected rows and audit entries are deleted, young ones stay', async () => {
    const { registry } = world();
    const { records } = registry;
    const { keyId } = await world().tenant();
    const ago = (days: number) => clockStart - days * millisecondsPerDay;
    const imports = [];
    for (const days of [5, 15, 25]) {
      const importId = await openImport(registry, 'traffic', null, ago(days));
      imports.push(importId);
      const finished = { state: 'done', finishedAt: ago(days) } as const;
      await records.updateTable('import').set(finished).where('importId', '=', importId).execute();
      await records
        .insertInto('importRejection')
        .values({ importId, line: 1, reason: 'it is wrong' })
        .execute();
      const entry = { actor: 'operator', action: 'test', subject: 'retention', detail: '{}' };
      await records
        .insertInto('auditEntry')
        .values({ at: ago(300 + days), ...entry })
        .execute();
      const counts = { requests: 1, refused: 0, limited: 0, failed: 0 };
      await records
        .insertInto('keyUsage')
        .values({ keyId, day: ago(days) / millisecondsPerDay - 0.5, operation: 'test', ...counts })
        .execute();
    }
    const days = { usageDays: 20, importDays: 20, rejectionDays: 10, auditDays: 310 };
    await pruneOldRecords(registry, days, clockStart);
    const count = async (table: 'keyUsage' | 'import' | 'importRejection') =>
      (await records.selectFrom(table).selectAll().execute()).length;
    assert.deepEqual([await count('keyUsage'), await count('import')], [2, 2]);
    const left = await records.selectFrom('importRejection').select('importId').execute();
    assert.deepEqual(left, [{ importId: imports[0] }]);
    const entries = records
      .selectFrom('auditEntry')
      .where('subject', '=', 'retention')
      .select('at');
    assert.deepEqual(await entries.execute(), [{ at: ago(305) }]);
    // Facts and numbers stay: the next import has a number of its own.
    assert.ok((await openImport(registry, 'traffic', null, clockStart)) > imports.at(-1)!);
  });

  test('no setting deletes audit entries of the last 90 days', async () => {
    const days = { usageDays: 1, importDays: 1, rejectionDays: 1, auditDays: 0 };
    const later = Date.now() + millisecondsPerDay;
    await world()
      .registry.records.insertInto('auditEntry')
      .values({ at: Date.now(), actor: 'o', action: 'a', subject: 'young', detail: '{}' })
      .execute();
    await assert.rejects(pruneOldRecords(world().registry, days, later), /never changed/);
  });
});

eachPair(
  'Requests at the same time keep no more groups and tags than an organisation may have',
  async (world) => {
    const { key, channelId, merchantId } = await world.tenant();
    const statuses = async (
      method: 'POST' | 'PATCH',
      path: string,
      bodyOf: (n: number) => object,
    ) =>
      (
        await Promise.all(
          Array.from({ length: 6 }, (_, n) =>
            world.ask(key, method, path, { channelId, merchantId, ...bodyOf(n) }),
          ),
        )
      )
        .map(({ status }) => status)
        .sort();
    const twoOfSix = [200, 200, 400, 400, 400, 400];
    const group = (n: number) => ({ groupName: `${n}`, products: [{ sellerSku: 'A' }] });
    assert.deepEqual(await statuses('POST', '/customGroups', group), twoOfSix);
    const tag = (n: number) => ({ addTags: [`tag ${n}`] });
    assert.deepEqual(await statuses('PATCH', '/tags/channel', tag), twoOfSix);
  },
  { limits: { organisationGroups: 2, organisationTags: 2 } },
);
