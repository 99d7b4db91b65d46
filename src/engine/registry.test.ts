import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Insertable, sql } from 'kysely';
import { slow } from '../../test/level.ts';
import { freshStores } from '../../test/servers/shared.ts';
import { isUniqueViolation, StoreUnavailable } from './errors.ts';
import { openPostgres } from './postgres/registry.ts';
import type {
  AuditEntryRecord,
  ImportRecord,
  JobRecord,
  OrganisationRecord,
  Records,
  Registry,
  UserRecord,
} from './registry.ts';
import { drawChannelNumber } from './registry.ts';
import { openSqlite } from './sqlite/registry.ts';

/** An empty store, and how to open it as one more node would. */
type EmptyStore = { open(): Promise<Registry>; drop(): Promise<void> };

const beyond32Bits = 9_007_199_254_740_991;

const emptyStores: Record<Registry['engine'], () => Promise<EmptyStore>> = {
  async sqlite() {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-registry-'));
    return {
      open: () => openSqlite(join(folder, 'registry.sqlite')),
      drop: async () => rmSync(folder, { recursive: true }),
    };
  },
  async postgres() {
    const stores = await freshStores();
    return { open: () => openPostgres(stores.postgresUrl), drop: async () => stores.drop() };
  },
};

for (const [engine, emptyStore] of Object.entries(emptyStores)) {
  describe(`The registry on ${engine}`, engine === 'postgres' ? slow : {}, () => {
    let store: EmptyStore;
    let registry: Registry;

    before(async () => {
      store = await emptyStore();
      registry = await store.open();
    });

    after(async () => {
      await registry.close();
      await store.drop();
    });

    // A SQLite file has one process and one connection, so another node is the same node.
    const anotherNode = async () => (engine === 'sqlite' ? registry : store.open());

    test('Several nodes that migrate at once create the tables once.', async () => {
      const nodes = await Promise.all([anotherNode(), anotherNode(), anotherNode()]);
      await Promise.all([registry, ...nodes].map((node) => node.migrate()));
      await registry.migrate();
      for (const node of nodes) if (node !== registry) await node.close();
      const versions = await sql<{
        name: string;
      }>`select name from schema_version order by name`.execute(registry.records);
      assert.deepEqual(
        versions.rows.map((row) => row.name),
        [
          '0001-first',
          '0002-report-channels',
          '0003-report-formats',
          '0004-user-names',
          '0005-import-documents',
          '0006-webhooks',
          '0007-schedules',
        ],
      );
    });

    test('It reports its engine and answers.', async () => {
      assert.equal(registry.engine, engine);
      await registry.checkHealth();
    });

    test('Every record is read as it was stored, numbers as numbers.', async () => {
      const { records } = registry;
      const organisation = organisationOf();
      const user = userOf(organisation.organisationId);
      const key = keyOf(user.userId);
      const channel = channelOf(organisation.organisationId);
      const audit = auditOf();
      await records.insertInto('organisation').values(organisation).execute();
      await records.insertInto('userAccount').values(user).execute();
      await records.insertInto('apiKey').values(key).execute();
      const { channelNumber } = await records
        .insertInto('channel')
        .values(channel)
        .returning('channelNumber')
        .executeTakeFirstOrThrow();
      await records
        .insertInto('channelAccess')
        .values({ userId: user.userId, channelNumber })
        .execute();
      const run = importOf(channelNumber);
      const { importId } = await records
        .insertInto('import')
        .values(run)
        .returning('importId')
        .executeTakeFirstOrThrow();
      const rejection = { importId, line: 7, reason: 'not a date: "31 June", ☃' };
      const { rejectionId } = await records
        .insertInto('importRejection')
        .values(rejection)
        .returning('rejectionId')
        .executeTakeFirstOrThrow();
      const { auditId } = await records
        .insertInto('auditEntry')
        .values(audit)
        .returning('auditId')
        .executeTakeFirstOrThrow();
      const tag = { channelNumber, userId: null, tag: 'org://☃' };
      await records.insertInto('channelTag').values(tag).execute();
      const group = {
        channelNumber,
        groupName: 'Boots',
        kind: 'brands' as const,
        createdAt: beyond32Bits,
        updatedAt: beyond32Bits,
      };
      const { groupId } = await records
        .insertInto('customGroup')
        .values(group)
        .returning('groupId')
        .executeTakeFirstOrThrow();
      const entry = { groupId, entry: 'Ørsted & Söhne' };
      const { entryId } = await records
        .insertInto('customGroupEntry')
        .values(entry)
        .returning('entryId')
        .executeTakeFirstOrThrow();
      const { organisationId } = organisation;
      const campaignGroup = {
        campaignGroupId: 'g',
        organisationId,
        name: 'Spring',
        createdAt: beyond32Bits,
        updatedAt: beyond32Bits,
      };
      await records.insertInto('campaignGroup').values(campaignGroup).execute();
      const campaign = { campaignGroupId: 'g', campaignId: '98765432109876543210' };
      await records.insertInto('campaignGroupCampaign').values(campaign).execute();
      const usage = {
        keyId: key.keyId,
        day: 20_000,
        operation: 'listChannels',
        requests: beyond32Bits,
        refused: 1,
        limited: 2,
        failed: 3,
      };
      await records.insertInto('keyUsage').values(usage).execute();
      const call = {
        owner: 'operator',
        keyHash: 'k',
        fingerprint: 'f',
        attempt: 'a',
        answer: null,
        startedAt: beyond32Bits,
      };
      await records.insertInto('idempotentRequest').values(call).execute();
      const job = jobOf(channelNumber, organisationId);
      const { sequence } = await records
        .insertInto('job')
        .values(job)
        .returning('sequence')
        .executeTakeFirstOrThrow();
      const code = {
        source: 's',
        type: 't',
        component: '',
        code: 'Gebühr',
        line: 'otherExpenses',
        createdAt: 1,
        updatedAt: beyond32Bits,
      };
      await records.insertInto('financeCode').values(code).execute();
      const report = {
        reportId: 'r',
        jobId: job.jobId,
        userId: user.userId,
        reportType: 'trafficAndConversion',
        format: 'parquet',
        options: '{}',
        createdAt: beyond32Bits,
      } as const;
      await records.insertInto('report').values(report).execute();
      const reportChannel = { jobId: job.jobId, channelNumber };
      await records.insertInto('reportChannel').values(reportChannel).execute();
      const session = {
        ...{ sessionId: 's', userId: user.userId, lookup: 'l', browser: 'Firefox on Linux' },
        ...{ createdAt: beyond32Bits, lastSeenAt: beyond32Bits, confirmedAt: beyond32Bits },
      };
      await records.insertInto('session').values(session).execute();
      const passwordLink = {
        ...{ linkId: 'l', userId: user.userId, lookup: 'l', purpose: 'invitation' as const },
        ...{ createdAt: beyond32Bits, expiresAt: beyond32Bits },
      };
      await records.insertInto('passwordLink').values(passwordLink).execute();
      const recent = {
        ...{
          keyId: key.keyId,
          at: beyond32Bits,
          operation: 'listChannels',
          status: 400,
          reason: 'timezone is required',
          microseconds: beyond32Bits,
        },
        requestId: 'r',
      };
      const installationKey = { lookup: 'hash', sealed: 'sealed', createdAt: beyond32Bits };
      const operator = {
        operatorId: 'operator',
        name: 'nightly-import',
        scopes: '["import"]',
        lookup: 'now',
        previousLookup: 'before',
        previousUntil: beyond32Bits,
        createdAt: beyond32Bits,
      };
      await records.insertInto('operator').values(operator).execute();
      const secondFactor = {
        ...{ userId: user.userId, sealed: 'sealed', createdAt: beyond32Bits },
        ...{ confirmedAt: beyond32Bits, lastStep: beyond32Bits },
      };
      await records.insertInto('secondFactor').values(secondFactor).execute();
      const recoveryCode = { lookup: 'hash', userId: user.userId };
      await records.insertInto('recoveryCode').values(recoveryCode).execute();
      await records.insertInto('installationKey').values(installationKey).execute();
      const { requestNumber } = await records
        .insertInto('recentRequest')
        .values(recent)
        .returning('requestNumber')
        .executeTakeFirstOrThrow();
      const installation = { rowNumber: 1 as const, installationId: 'i' };
      await records.insertInto('installation').values(installation).execute();
      await assert.rejects(
        records
          .insertInto('installation')
          .values({ ...installation, rowNumber: 2 as 1 })
          .execute(),
      );
      const webhook: Insertable<Records['webhook']> = {
        ...{ webhookId: 'w', organisationId, userId: user.userId, url: 'https://example.com/' },
        ...{ description: '', events: '["report.finished"]', sealed: 'sealed' },
        ...{ previousSealed: null, previousUntil: beyond32Bits, reason: null },
        ...{ failingSince: null, createdAt: beyond32Bits, updatedAt: beyond32Bits },
        state: 'enabled',
      };
      await records.insertInto('webhook').values(webhook).execute();
      const webhookDelivery: Insertable<Records['webhookDelivery']> = {
        ...{ deliveryId: 'd', webhookId: 'w', channelNumber, messageId: 'm', body: '{}' },
        ...{ attempts: 1, nextAt: beyond32Bits, status: 500, error: 'ünïcode' },
        ...{ createdAt: beyond32Bits, finishedAt: null },
        event: 'report.finished',
        state: 'waiting',
      };
      await records.insertInto('webhookDelivery').values(webhookDelivery).execute();
      const channelAlert: Insertable<Records['channelAlert']> = {
        ...{ channelNumber, subject: 'traffic', createdAt: beyond32Bits },
        event: 'data.overdue',
      };
      await records.insertInto('channelAlert').values(channelAlert).execute();
      const schedule: Insertable<Records['schedule']> = {
        ...{ scheduleId: 's', organisationId, userId: user.userId, keyId: null, name: 'ünïcode' },
        ...{ cron: '0 7 * * *', timezone: 'UTC', operation: 'viewSalesByChannel', period: null },
        ...{ parameters: '{}', emails: '[]', reason: null, nextAt: beyond32Bits },
        ...{ createdAt: beyond32Bits, updatedAt: beyond32Bits, state: 'enabled' },
      };
      await records.insertInto('schedule').values(schedule).execute();
      const scheduleRun: Insertable<Records['scheduleRun']> = {
        ...{ runId: 'r', scheduleId: 's', dueAt: beyond32Bits, reportId: null, storedAs: 'r.csv' },
        ...{ fileName: 'r.csv', error: null, createdAt: beyond32Bits },
        ...{
          finishedAt: beyond32Bits,
          state: 'done',
          mailError: 'ünïcode',
          mailedAt: beyond32Bits,
        },
      };
      await records.insertInto('scheduleRun').values(scheduleRun).execute();
      const expected: { [Table in keyof Records]: unknown } = {
        organisation,
        userAccount: user,
        apiKey: key,
        channel: { ...channel, channelNumber },
        channelAccess: { userId: user.userId, channelNumber },
        installation,
        import: { ...run, importId },
        importRejection: { ...rejection, rejectionId },
        auditEntry: { ...audit, auditId },
        channelTag: tag,
        customGroup: { ...group, groupId },
        customGroupEntry: { ...entry, entryId },
        campaignGroup,
        campaignGroupCampaign: campaign,
        keyUsage: usage,
        idempotentRequest: call,
        job: { ...job, sequence },
        report,
        reportChannel,
        webhook,
        webhookDelivery,
        schedule,
        scheduleRun,
        channelAlert,
        financeCode: code,
        session,
        passwordLink,
        recentRequest: { ...recent, requestNumber },
        installationKey,
        operator,
        secondFactor,
        recoveryCode,
      };
      for (const number of [
        channelNumber,
        importId,
        rejectionId,
        auditId,
        groupId,
        entryId,
        sequence,
      ])
        assert.equal(typeof number, 'number');
      for (const table of Object.keys(expected) as (keyof Records)[]) {
        assert.deepEqual(
          await records.selectFrom(table).selectAll().execute(),
          [expected[table]],
          table,
        );
      }
    });

    test('Counts, sums, averages and instants beyond 32 bits are numbers.', async () => {
      const action = randomUUID();
      const entries = [1, beyond32Bits - 2].map((at) => ({ ...auditOf(), action, at }));
      await registry.records.insertInto('auditEntry').values(entries).execute();
      const answer = await registry.records
        .selectFrom('auditEntry')
        .select((is) => [
          is.fn.countAll().as('count'),
          is.fn.sum('at').as('sum'),
          is.fn.avg('at').as('average'),
          is.fn.max('at').as('last'),
        ])
        .where('action', '=', action)
        .executeTakeFirstOrThrow();
      assert.deepEqual(answer, {
        count: 2,
        sum: beyond32Bits - 1,
        average: (beyond32Bits - 1) / 2,
        last: beyond32Bits - 2,
      });
    });

    test('Reading a whole number that cannot be represented exactly fails.', async () => {
      await assert.rejects(
        sql`select cast('9007199254740993' as bigint) as number`.execute(registry.records),
        RangeError,
      );
      await registry.checkHealth();
    });

    test('A change reports its number of rows.', async () => {
      const organisation = await addOrganisation(registry);
      const changed = await registry.records
        .updateTable('organisation')
        .set({ name: 'Another' })
        .where('organisationId', '=', organisation)
        .executeTakeFirst();
      assert.equal(changed.numUpdatedRows, 1n);
      const none = await registry.records
        .deleteFrom('organisation')
        .where('organisationId', '=', randomUUID())
        .executeTakeFirst();
      assert.equal(none.numDeletedRows, 0n);
    });

    test('Text sorts by its bytes.', async () => {
      const action = randomUUID();
      for (const subject of ['b', 'B', 'a', 'é', '_', 'Z'])
        await registry.records
          .insertInto('auditEntry')
          .values({ ...auditOf(), action, subject })
          .execute();
      const rows = await registry.records
        .selectFrom('auditEntry')
        .select('subject')
        .where('action', '=', action)
        .orderBy('subject')
        .execute();
      assert.equal(rows.map((row) => row.subject).join(''), 'BZ_abé');
    });

    test('A duplicate is recognised on every unique column.', async () => {
      const { records } = registry;
      const organisation = organisationOf();
      await records.insertInto('organisation').values(organisation).execute();
      const user = userOf(organisation.organisationId);
      await records.insertInto('userAccount').values(user).execute();
      const key = keyOf(user.userId);
      await records.insertInto('apiKey').values(key).execute();
      const channel = channelOf(organisation.organisationId);
      const { channelNumber } = await records
        .insertInto('channel')
        .values(channel)
        .returning('channelNumber')
        .executeTakeFirstOrThrow();
      const access = { userId: user.userId, channelNumber };
      await records.insertInto('channelAccess').values(access).execute();
      const refused = [
        records.insertInto('organisation').values(organisation),
        records.insertInto('userAccount').values({ ...user, userId: randomUUID() }),
        records.insertInto('apiKey').values({ ...key, keyId: randomUUID() }),
        records.insertInto('channel').values(channel),
        records.insertInto('channelAccess').values(access),
      ];
      for (const insertion of refused) await assert.rejects(insertion.execute(), isUniqueViolation);
      await records
        .insertInto('channelAccess')
        .values(access)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });

    test('A missing reference, an unknown word and text for a number are refused, but not as duplicates.', async () => {
      const { records } = registry;
      const organisation = await addOrganisation(registry);
      const refused = [
        records.insertInto('userAccount').values(userOf('nobody')),
        records
          .insertInto('userAccount')
          .values({ ...userOf(organisation), role: 'visitor' as UserRecord['role'] }),
        records.insertInto('organisation').values({ ...organisationOf(), apiAccess: 2 as 1 }),
        records
          .insertInto('organisation')
          .values({ ...organisationOf(), createdAt: 'yesterday' as unknown as number }),
        records
          .insertInto('organisation')
          .values({ ...organisationOf(), name: null as unknown as string }),
      ];
      for (const insertion of refused) {
        await assert.rejects(
          insertion.execute(),
          (error) => !isUniqueViolation(error) && !(error instanceof StoreUnavailable),
        );
      }
    });

    test('The number of a deleted import is never reused, and numbers can be raised.', async () => {
      const { records } = registry;
      const channel = channelOf(await addOrganisation(registry));
      for (const _ of [1, 2]) {
        const { channelNumber } = await records
          .insertInto('channel')
          .values(channel)
          .returning('channelNumber')
          .executeTakeFirstOrThrow();
        const { importId } = await records
          .insertInto('import')
          .values(importOf(channelNumber))
          .returning('importId')
          .executeTakeFirstOrThrow();
        await records.deleteFrom('import').execute();
        const next = await records
          .insertInto('import')
          .values(importOf(channelNumber))
          .returning('importId')
          .executeTakeFirstOrThrow();
        assert.ok(next.importId > importId);
        await records.deleteFrom('channel').where('channelNumber', '=', channelNumber).execute();
        assert.equal(await registry.lastNumber('import'), next.importId);
        await registry.raiseNumber('import', next.importId + 10);
        await registry.raiseNumber('import', importId);
        assert.equal(await registry.lastNumber('import'), next.importId + 10);
      }
    });

    test('Deleting a channel deletes its access, imports, rejected rows and jobs.', async () => {
      const { records } = registry;
      const organisation = await addOrganisation(registry);
      const user = userOf(organisation);
      await records.insertInto('userAccount').values(user).execute();
      const { channelNumber } = await records
        .insertInto('channel')
        .values(channelOf(organisation))
        .returning('channelNumber')
        .executeTakeFirstOrThrow();
      await records
        .insertInto('channelAccess')
        .values({ userId: user.userId, channelNumber })
        .execute();
      const { importId } = await records
        .insertInto('import')
        .values(importOf(channelNumber))
        .returning('importId')
        .executeTakeFirstOrThrow();
      await records
        .insertInto('importRejection')
        .values({ importId, line: 0, reason: 'empty' })
        .execute();
      await records.insertInto('job').values(jobOf(channelNumber, organisation)).execute();
      await records.deleteFrom('channel').where('channelNumber', '=', channelNumber).execute();
      assert.deepEqual(
        await records
          .selectFrom('channelAccess')
          .selectAll()
          .where('channelNumber', '=', channelNumber)
          .execute(),
        [],
      );
      assert.deepEqual(
        await records.selectFrom('import').selectAll().where('importId', '=', importId).execute(),
        [],
      );
      assert.deepEqual(
        await records
          .selectFrom('importRejection')
          .selectAll()
          .where('importId', '=', importId)
          .execute(),
        [],
      );
      assert.deepEqual(
        await records
          .selectFrom('job')
          .selectAll()
          .where('channelNumber', '=', channelNumber)
          .execute(),
        [],
      );
    });

    test('A failed transaction leaves nothing and does not disturb the next.', async () => {
      const lost = organisationOf();
      const kept = organisationOf();
      const failing = registry.records.transaction().execute(async (transaction) => {
        await transaction.insertInto('organisation').values(lost).execute();
        throw new Error('on purpose');
      });
      await assert.rejects(failing, /on purpose/);
      const refused = registry.records.transaction().execute(async (transaction) => {
        await transaction.insertInto('organisation').values(lost).execute();
        await transaction.insertInto('organisation').values(lost).execute();
      });
      await assert.rejects(refused, isUniqueViolation);
      await registry.records
        .transaction()
        .execute((transaction) => transaction.insertInto('organisation').values(kept).execute());
      const ids = [lost.organisationId, kept.organisationId];
      const rows = await registry.records
        .selectFrom('organisation')
        .select('organisationId')
        .where('organisationId', 'in', ids)
        .execute();
      assert.deepEqual(rows, [{ organisationId: kept.organisationId }]);
    });

    test('Transactions and queries may run concurrently.', async () => {
      const ids = await Promise.all(Array.from({ length: 50 }, () => addOrganisation(registry)));
      await Promise.all(
        ids.map((id, at) =>
          at % 2 === 0
            ? registry.records
                .selectFrom('organisation')
                .selectAll()
                .where('organisationId', '=', id)
                .executeTakeFirstOrThrow()
            : registry.records.transaction().execute(async (transaction) => {
                const { name } = await transaction
                  .selectFrom('organisation')
                  .select('name')
                  .where('organisationId', '=', id)
                  .executeTakeFirstOrThrow();
                await transaction
                  .updateTable('organisation')
                  .set({ name: `${name}!` })
                  .where('organisationId', '=', id)
                  .execute();
              }),
        ),
      );
      const changed = await registry.records
        .selectFrom('organisation')
        .select('name')
        .where('organisationId', 'in', ids)
        .where('name', '=', 'Häkel & Söhne!')
        .execute();
      assert.equal(changed.length, 25);
    });

    test('A young audit entry cannot be changed, deleted or replaced.', async () => {
      const { records } = registry;
      const entry = { ...auditOf(), at: Date.now() };
      const { auditId } = await records
        .insertInto('auditEntry')
        .values(entry)
        .returning('auditId')
        .executeTakeFirstOrThrow();
      const replaced =
        engine === 'sqlite'
          ? sql`insert or replace into audit_entry (audit_id, at, actor, action, subject, detail) values (${auditId}, 1, '', '', '', '')`
          : sql`insert into audit_entry (audit_id, at, actor, action, subject, detail)
                overriding system value values (${auditId}, 1, '', '', '', '')
                on conflict (audit_id) do update set actor = ''`;
      const emptied =
        engine === 'sqlite' ? sql`delete from audit_entry` : sql`truncate audit_entry`;
      const refusal = /audit entries are never changed/;
      await assert.rejects(
        records
          .updateTable('auditEntry')
          .set({ actor: 'nobody' })
          .where('auditId', '=', auditId)
          .execute(),
        refusal,
      );
      await assert.rejects(
        records.deleteFrom('auditEntry').where('auditId', '=', auditId).execute(),
        refusal,
      );
      await assert.rejects(replaced.execute(records), refusal);
      await assert.rejects(emptied.execute(records), refusal);
      assert.deepEqual(
        await records.selectFrom('auditEntry').selectAll().where('auditId', '=', auditId).execute(),
        [{ ...entry, auditId }],
      );
    });

    test('A lock has one holder at a time, is free after a failure, and does not block other names.', async () => {
      const other = await anotherNode();
      let holders = 0;
      let runs = 0;
      const work = async () => {
        holders++;
        assert.equal(holders, 1);
        await delay(5);
        await registry.withLock('another name', async () => {});
        holders--;
        runs++;
        if (runs % 3 === 0) throw new Error('on purpose');
        return runs;
      };
      const attempts = Array.from({ length: 12 }, (_, at) =>
        (at % 2 === 0 ? registry : other).withLock('imports', work),
      );
      const outcomes = await Promise.allSettled(attempts);
      assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 8);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') assert.match(outcome.reason.message, /on purpose/);
      if (other !== registry) await other.close();
    });

    test('More locks may be held than the store has connections, and records can still be read.', async () => {
      const names = Array.from({ length: 20 }, (_, at) => `lock ${at}`);
      await Promise.all(
        names.map((name) =>
          registry.withLock(name, async () => {
            await registry.records.selectFrom('organisation').selectAll().execute();
            await delay(20);
          }),
        ),
      );
    });

    test('Closing twice does no harm.', async () => {
      const node = await store.open();
      await node.close();
      await node.close();
    });
  });
}

describe('The registry in a SQLite file', () => {
  test('After kill -9, committed records are there and uncommitted ones are not.', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-registry-'));
    const file = join(folder, 'within', 'registry.sqlite');
    const program = `
      import { openSqlite } from ${JSON.stringify(import.meta.resolve('./sqlite/registry.ts'))};
      const registry = await openSqlite(${JSON.stringify(file)});
      await registry.migrate();
      const organisation = ${JSON.stringify(organisationOf())};
      const add = (store, organisationId) =>
        store.insertInto('organisation').values({ ...organisation, organisationId }).execute();
      await add(registry.records, 'committed');
      await registry.records.transaction().execute(async (transaction) => {
        await add(transaction, 'under way');
        console.log('committed');
        setInterval(() => {}, 60_000);
        await new Promise(() => {});
      });`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(child.stdout, 'data');
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const registry = await openSqlite(file);
    await registry.migrate();
    assert.deepEqual(
      await registry.records.selectFrom('organisation').select('organisationId').execute(),
      [{ organisationId: 'committed' }],
    );
    const settings =
      await sql`select journal_mode, synchronous, foreign_keys from pragma_journal_mode, pragma_synchronous, pragma_foreign_keys`.execute(
        registry.records,
      );
    assert.deepEqual(settings.rows, [{ journalMode: 'wal', synchronous: 2, foreignKeys: 1 }]);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    await registry.close();
    rmSync(folder, { recursive: true });
  });

  test('Processes that migrate one file at the same time wait for each other.', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-registry-'));
    const program = `
      import { openSqlite } from ${JSON.stringify(import.meta.resolve('./sqlite/registry.ts'))};
      const registry = await openSqlite(${JSON.stringify(join(folder, 'registry.sqlite'))});
      await registry.migrate();
      await registry.close();`;
    const children = [1, 2, 3, 4].map(() =>
      spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' }),
    );
    assert.deepEqual(
      await Promise.all(children.map((child) => once(child, 'exit'))),
      Array(4).fill([0, null]),
    );
    rmSync(folder, { recursive: true });
  });

  test('A file that cannot be opened is reported as an unavailable store.', async () => {
    await assert.rejects(openSqlite(tmpdir()), StoreUnavailable);
  });
});

describe('The registry on a PostgreSQL server', slow, () => {
  let url: string;
  let registry: Registry;
  let drop: () => unknown;

  before(async () => {
    const stores = await freshStores();
    url = stores.postgresUrl;
    drop = () => stores.drop();
    registry = await openPostgres(url);
    await registry.migrate();
  });

  after(async () => {
    await registry.close();
    await drop();
  });

  test('A silent server and a wrong password are reported as an unavailable store.', async () => {
    const nowhere = new URL(url);
    nowhere.port = '1';
    await assert.rejects(openPostgres(nowhere.href), StoreUnavailable);
    nowhere.hostname = 'localhost';
    await assert.rejects(openPostgres(nowhere.href), /the registry is unavailable: .*ECONNREFUSED/);
    const stranger = new URL(url);
    stranger.password = 'wrong';
    await assert.rejects(openPostgres(stranger.href), StoreUnavailable);
  });

  test('The next query succeeds after idle connections are lost.', async () => {
    await Promise.all([1, 2, 3].map(() => registry.checkHealth()));
    await endSessions(url, 'idle');
    assert.deepEqual(await registry.records.selectFrom('organisation').selectAll().execute(), []);
  });

  test('A transaction that loses its connection fails as unavailable and leaves nothing.', async () => {
    const organisation = organisationOf();
    const interrupted = registry.records.transaction().execute(async (transaction) => {
      await transaction.insertInto('organisation').values(organisation).execute();
      await endSessions(url, 'idle in transaction');
      await transaction.selectFrom('organisation').selectAll().execute();
    });
    await assert.rejects(interrupted, StoreUnavailable);
    assert.deepEqual(await registry.records.selectFrom('organisation').selectAll().execute(), []);
  });

  test('A query that the server ends fails as unavailable.', async () => {
    const sleeping = sql`select pg_sleep(30)`.execute(registry.records);
    const ended = assert.rejects(sleeping, StoreUnavailable);
    while ((await endSessions(url, 'active', 'select pg_sleep(30)')) === 0) await delay(5);
    await ended;
    await registry.checkHealth();
  });

  test('A holder that lost its lock fails as unavailable, and the lock is free.', async () => {
    const held = registry.withLock('imports', async () => {
      await endSessions(url, 'idle');
      return 'done';
    });
    await assert.rejects(held, StoreUnavailable);
    assert.equal(await registry.withLock('imports', async () => 'again'), 'again');
  });

  test('The lock of a killed node is free at once.', async () => {
    const program = `
      import { openPostgres } from ${JSON.stringify(import.meta.resolve('./postgres/registry.ts'))};
      const registry = await openPostgres(${JSON.stringify(url)});
      await registry.withLock('imports', async () => {
        console.log('held');
        setInterval(() => {}, 60_000);
        await new Promise(() => {});
      });`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(child.stdout, 'data');
      const waiting = registry.withLock('imports', async () => 'next');
      assert.equal(await Promise.race([waiting, delay(200, 'still waiting')]), 'still waiting');
      child.kill('SIGKILL');
      assert.equal(await waiting, 'next');
    } finally {
      child.kill('SIGKILL');
    }
  });
});

/**
 * Ends the sessions of the database that are in a state, with a statement if one is given, as a
 * failover would. Returns how many.
 */
async function endSessions(url: string, state: string, statement?: string): Promise<number> {
  const administrator = await openPostgres(url);
  const { rows } = await sql`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and state = ${state} and pid <> pg_backend_pid()
      and query = coalesce(${statement ?? null}, query)`.execute(administrator.records);
  await administrator.close();
  return rows.length;
}

async function addOrganisation(registry: Registry): Promise<string> {
  const organisation = organisationOf();
  await registry.records.insertInto('organisation').values(organisation).execute();
  return organisation.organisationId;
}

function organisationOf(): OrganisationRecord {
  return {
    organisationId: randomUUID(),
    name: 'Häkel & Söhne',
    plan: 'enterprise',
    apiAccess: 1,
    searchQueryPerformance: 0,
    searchQueryProductMax: 250,
    createdAt: beyond32Bits,
  };
}

function userOf(organisationId: string): UserRecord {
  const userId = randomUUID();
  return {
    userId,
    organisationId,
    email: `${userId}@example.com`,
    role: 'member',
    passwordHash: null,
    restricted: 1,
    createdAt: 1_790_000_000_000,
    ...{ name: null, lastSignInAt: null },
  };
}

function keyOf(userId: string): Insertable<Records['apiKey']> {
  return {
    keyId: randomUUID(),
    userId,
    name: 'Nachtlauf',
    lookup: randomUUID(),
    hint: '...Vj6U',
    sealed: 'v1.sealed',
    perSecond: 10,
    burst: 20,
    perDay: 5_000_000_000,
    createdAt: 1_790_000_000_000,
    lastUsedAt: null,
    expiresAt: beyond32Bits,
    revokedAt: null,
  };
}

function channelOf(organisationId: string): Insertable<Records['channel']> {
  return {
    channelNumber: drawChannelNumber(),
    channelId: randomUUID(),
    organisationId,
    merchantId: 'A1MERCHANT',
    marketplace: 'primarymkt',
    kind: 'seller',
    countryCode: 'DEU',
    displayName: 'Häkel DE',
    currency: 'EUR',
    timezone: 'Europe/Berlin',
    hasAdvertisingConnected: 1,
    leadTimeDays: 14,
    safetyStockDays: 7,
    targetCoverDays: 60,
    createdAt: 1_790_000_000_000,
    updatedAt: 1_790_000_000_001,
  };
}

function importOf(channelNumber: number): Insertable<ImportRecord> {
  return {
    dataset: 'traffic',
    channelNumber,
    state: 'done',
    startedAt: 1_790_000_000_000,
    finishedAt: null,
    rowsRead: 5_000_000_000,
    rowsAccepted: 4_999_999_999,
    rowsRejected: 1,
    rowsMerged: 0,
    rowsSkipped: 0,
    rounded: 0,
    firstDate: '2026-01-01',
    lastDate: null,
    rowsCoarse: 0,
    error: null,
    summary: '{"ünïcode":1}',
    documentHash: 'a1',
    documentBytes: 5_000_000_000,
    mediaType: 'text/csv',
    fileName: 'ünïcode.csv',
    coverage: null,
  };
}

function jobOf(channelNumber: number, organisationId: string): Insertable<JobRecord> {
  return {
    jobId: randomUUID(),
    kind: 'unitCosts',
    channelNumber,
    organisationId,
    userId: null,
    state: 'done',
    payload: '{"ünïcode":[1]}',
    result: '{}',
    error: null,
    createdAt: 1_790_000_000_000,
    startedAt: null,
    finishedAt: beyond32Bits,
    attempts: 1,
    worker: 'w',
    leaseUntil: beyond32Bits,
  };
}

function auditOf(): Insertable<AuditEntryRecord> {
  return {
    at: 1_790_000_000_000,
    actor: 'operator',
    action: 'createKey',
    subject: 'key-1',
    detail: '{"perSecond":10,"note":"ünïcode"}',
  };
}
