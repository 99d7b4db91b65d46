/**
 * The registry on SQLite and PostgreSQL: records are read as they were stored, and both behave the
 * same with duplicates, references, transactions, locks, kills and lost connections.
 */
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
import { addRecords, recordOf, recordsOf } from '../../test/records.ts';
import { freshStores } from '../../test/servers/shared.ts';
import { tablesBeside } from '../../test/table.ts';
import { fieldsOf } from '../../test/world.ts';
import { isUniqueViolation, StoreUnavailable } from './errors.ts';
import { openPostgres } from './postgres/registry.ts';
import { recordTableNames } from './recordCopies.ts';
import type { Records, Registry } from './registry.ts';
import { drawChannelNumber } from './registry.ts';
import { openSqlite } from './sqlite/registry.ts';

/** A separate process that runs a program. */
function running(program: string) {
  const words = ['--input-type=module', '--eval', program];
  return spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** An empty store, and a function that opens it as another node would. */
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
      const versions = sql<{ name: string }>`select name from schema_version order by name`;
      const { rows } = await versions.execute(registry.records);
      const expected = `0001-first 0002-report-channels 0003-report-formats 0004-user-names
        0005-import-documents 0006-webhooks 0007-schedules
        0008-import-reading 0009-named-codes 0010-taxes 0011-import-readings
        0012-withdrawals 0013-job-turns 0014-mail 0015-chosen-numbers
        0016-small-keys`;
      const found = rows.map((row) => row.name);
      assert.deepEqual(found, expected.split(/\s+/));
    });

    test('It reports its engine and answers.', async () => {
      assert.equal(registry.engine, engine);
      await registry.checkHealth();
    });

    test('Every record is read as it was stored, numbers as numbers.', async () => {
      const { records } = registry;
      assert.deepEqual(Object.keys(texts).sort(), [...recordTableNames].sort());
      const ids = ['organisationId', 'userId', 'keyId', 'lookup', 'channelId', 'jobId'];
      const made: Made = { channelNumber: drawChannelNumber() };
      for (const id of ids) made[id] = randomUUID();
      const stored: [table: keyof Records, record: object][] = [];
      for (const table of Object.keys(texts) as (keyof Records)[]) {
        const record = rowOf(table, made);
        const number = numberOf[table];
        const insertion = records.insertInto(table).values(record as never);
        const given =
          number === undefined
            ? void (await insertion.execute())
            : await insertion.returning(number as never).executeTakeFirstOrThrow();
        if (number !== undefined) assert.equal(typeof given![number], 'number');
        Object.assign(made, given);
        stored.push([table, { ...record, ...(given as object | undefined) }]);
      }
      const second = { rowNumber: 2 as 1, installationId: 'i' };
      await assert.rejects(records.insertInto('installation').values(second).execute());
      for (const [table, record] of stored)
        assert.deepEqual(await records.selectFrom(table).selectAll().execute(), [record], table);
    });

    test('Counts, sums, averages and instants beyond 32 bits are numbers.', async () => {
      const action = randomUUID();
      const entries = [1, beyond32Bits - 2].map((at) => ({ ...auditOf(), action, at }));
      await addRecords({ registry }, 'auditEntry', ...entries);
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
      const sum = beyond32Bits - 1;
      assert.deepEqual(answer, { count: 2, sum, average: sum / 2, last: beyond32Bits - 2 });
    });

    test('Reading a whole number that cannot be represented exactly fails.', async () => {
      const reading = sql`select cast('9007199254740993' as bigint) as number`;
      await assert.rejects(reading.execute(registry.records), RangeError);
      await registry.checkHealth();
    });

    test('A change reports its number of rows.', async () => {
      const organisation = await addOrganisation(registry);
      const change = registry.records.updateTable('organisation').set({ name: 'Another' });
      const changed = await change.where('organisationId', '=', organisation).executeTakeFirst();
      assert.equal(changed.numUpdatedRows, 1n);
      const deletion = registry.records.deleteFrom('organisation');
      const none = await deletion.where('organisationId', '=', randomUUID()).executeTakeFirst();
      assert.equal(none.numDeletedRows, 0n);
    });

    test('Text sorts by its bytes.', async () => {
      const action = randomUUID();
      const entries = [...'bBaé_Z'].map((subject) => ({ ...auditOf(), action, subject }));
      await addRecords({ registry }, 'auditEntry', ...entries);
      const rows = await recordsOf({ registry }, 'auditEntry', { action }, 'subject');
      assert.equal(rows.map((row) => row.subject).join(''), 'BZ_abé');
    });

    test('A duplicate is recognised on every unique column.', async () => {
      const { records } = registry;
      const { organisation, user, channel, access } = await addAccess(registry);
      const key = keyOf(user.userId);
      await records.insertInto('apiKey').values(key).execute();
      const refused = [
        records.insertInto('organisation').values(organisation),
        records.insertInto('userAccount').values({ ...user, userId: randomUUID() }),
        records.insertInto('apiKey').values({ ...key, keyId: randomUUID() }),
        records.insertInto('channel').values(channel),
        records.insertInto('channelAccess').values(access),
      ];
      for (const insertion of refused) await assert.rejects(insertion.execute(), isUniqueViolation);
      const again = records.insertInto('channelAccess').values(access);
      await again.onConflict((conflict) => conflict.doNothing()).execute();
    });

    test('A missing reference, an unknown word and text for a number are refused, but not as duplicates.', async () => {
      const { records } = registry;
      const user = userOf(await addOrganisation(registry));
      const organisation = organisationOf();
      const wrong = [
        { apiAccess: 2 as 1 },
        { createdAt: 'yesterday' as unknown as number },
        { name: null as unknown as string },
      ];
      const refused = [
        records.insertInto('userAccount').values(userOf('nobody')),
        records.insertInto('userAccount').values({ ...user, role: 'visitor' as 'member' }),
        ...wrong.map((one) =>
          records.insertInto('organisation').values({ ...organisation, ...one }),
        ),
      ];
      const isRefusal = (error: unknown) =>
        !isUniqueViolation(error) && !(error instanceof StoreUnavailable);
      for (const insertion of refused) await assert.rejects(insertion.execute(), isRefusal);
    });

    test('The number of a deleted import is never reused, and numbers can be raised.', async () => {
      const { records } = registry;
      const channel = channelOf(await addOrganisation(registry));
      const addImport = () => addImportOf(registry, channel.channelNumber);
      for (const _ of [1, 2]) {
        await records.insertInto('channel').values(channel).execute();
        const importId = await addImport();
        await records.deleteFrom('import').execute();
        const next = await addImport();
        assert.ok(next > importId);
        await deleteChannel(registry, channel);
        assert.equal(await registry.lastNumber('import'), next);
        await registry.raiseNumber('import', next + 10);
        await registry.raiseNumber('import', importId);
        assert.equal(await registry.lastNumber('import'), next + 10);
      }
    });

    test('Deleting a channel deletes its access, imports, rejected rows and jobs.', async () => {
      const { records } = registry;
      const { organisation, channel } = await addAccess(registry);
      const { channelNumber } = channel;
      const importId = await addImportOf(registry, channelNumber);
      const rejection = { importId, line: 0, reason: 'empty' };
      await records.insertInto('importRejection').values(rejection).execute();
      const job = jobOf(channelNumber, organisation.organisationId);
      await records.insertInto('job').values(job).execute();
      const held = [
        sql`select 1 from channel_access where channel_number = ${channelNumber}`,
        sql`select 1 from import where import_id = ${importId}`,
        sql`select 1 from import_rejection where import_id = ${importId}`,
        sql`select 1 from job where channel_number = ${channelNumber}`,
      ];
      const counts = () =>
        Promise.all(held.map(async (one) => (await one.execute(records)).rows.length));
      assert.deepEqual(await counts(), [1, 1, 1, 1]);
      await deleteChannel(registry, channel);
      assert.deepEqual(await counts(), [0, 0, 0, 0]);
    });

    test('A failed transaction leaves nothing and does not disturb the next.', async () => {
      const lost = organisationOf();
      const remaining = organisationOf();
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
      const adding = registry.records.transaction();
      await adding.execute((within) =>
        within.insertInto('organisation').values(remaining).execute(),
      );
      const left = ({ organisationId }: typeof lost) =>
        recordsOf({ registry }, 'organisation', { organisationId });
      assert.deepEqual([await left(lost), await left(remaining)], [[], [remaining]]);
    });

    test('Transactions and queries may run concurrently.', async () => {
      const ids = await Promise.all(Array.from({ length: 50 }, () => addOrganisation(registry)));
      const read = (records: Registry['records'], organisationId: string) =>
        recordOf({ registry: { ...registry, records } }, 'organisation', { organisationId });
      const rename = (id: string) =>
        registry.records.transaction().execute(async (transaction) => {
          const name = `${(await read(transaction, id)).name}!`;
          const update = transaction.updateTable('organisation').set({ name });
          await update.where('organisationId', '=', id).execute();
        });
      const work = ids.map((id, at) => (at % 2 === 0 ? read(registry.records, id) : rename(id)));
      await Promise.all(work);
      const changed = await recordsOf({ registry }, 'organisation', { name: 'Häkel & Söhne!' });
      assert.equal(changed.filter(({ organisationId }) => ids.includes(organisationId)).length, 25);
    });

    test('A young audit entry cannot be changed, deleted or replaced.', async () => {
      const { records } = registry;
      const entry = { ...auditOf(), at: Date.now() };
      const insertion = records.insertInto('auditEntry').values(entry).returning('auditId');
      const { auditId } = await insertion.executeTakeFirstOrThrow();
      const replaced =
        engine === 'sqlite'
          ? sql`insert or replace into audit_entry (audit_id, at, actor, action, subject, detail) values (${auditId}, 1, '', '', '', '')`
          : sql`insert into audit_entry (audit_id, at, actor, action, subject, detail)
                overriding system value values (${auditId}, 1, '', '', '', '')
                on conflict (audit_id) do update set actor = ''`;
      const emptied =
        engine === 'sqlite' ? sql`delete from audit_entry` : sql`truncate audit_entry`;
      const refusal = /audit entries are never changed/;
      const update = records.updateTable('auditEntry').set({ actor: 'nobody' });
      const deletion = records.deleteFrom('auditEntry').where('auditId', '=', auditId);
      await assert.rejects(update.where('auditId', '=', auditId).execute(), refusal);
      await assert.rejects(deletion.execute(), refusal);
      await assert.rejects(replaced.execute(records), refusal);
      await assert.rejects(emptied.execute(records), refusal);
      const stored = await recordsOf({ registry }, 'auditEntry', { auditId });
      assert.deepEqual(stored, [{ ...entry, auditId }]);
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
      const reading = async () => {
        await recordsOf({ registry }, 'organisation', {});
        await delay(20);
      };
      await Promise.all(names.map((name) => registry.withLock(name, reading)));
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
    const child = running(program);
    try {
      await once(child.stdout, 'data');
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const registry = await openSqlite(file);
    await registry.migrate();
    const [one, ...others] = await recordsOf({ registry }, 'organisation', {});
    assert.deepEqual([one!.organisationId, others], ['committed', []]);
    const settings = sql`select journal_mode, synchronous, foreign_keys
      from pragma_journal_mode, pragma_synchronous, pragma_foreign_keys`;
    const { rows } = await settings.execute(registry.records);
    assert.deepEqual(rows, [{ journalMode: 'wal', synchronous: 2, foreignKeys: 1 }]);
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
    const ends = [1, 2, 3, 4].map(() => once(running(program), 'exit'));
    assert.deepEqual(await Promise.all(ends), Array(4).fill([0, null]));
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
    assert.deepEqual(await recordsOf({ registry }, 'organisation', {}), []);
  });

  test('A transaction that loses its connection fails as unavailable and leaves nothing.', async () => {
    const organisation = organisationOf();
    const interrupted = registry.records.transaction().execute(async (transaction) => {
      await transaction.insertInto('organisation').values(organisation).execute();
      await endSessions(url, 'idle in transaction');
      await transaction.selectFrom('organisation').selectAll().execute();
    });
    await assert.rejects(interrupted, StoreUnavailable);
    assert.deepEqual(await recordsOf({ registry }, 'organisation', {}), []);
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
    const child = running(program);
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
 * Ends the sessions of the database in a state, optionally with a certain statement, as a failover
 * would. Returns how many.
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

/** A user who was granted a channel. */
async function addAccess(registry: Registry) {
  const organisation = organisationOf();
  const user = userOf(organisation.organisationId);
  const channel = channelOf(organisation.organisationId);
  const access = { userId: user.userId, channelNumber: channel.channelNumber };
  await addRecords({ registry }, 'organisation', organisation);
  await addRecords({ registry }, 'userAccount', user);
  await addRecords({ registry }, 'channel', channel);
  await addRecords({ registry }, 'channelAccess', access);
  return { organisation, user, channel, access };
}

async function addImportOf({ records }: Registry, channelNumber: number): Promise<number> {
  const insertion = records.insertInto('import').values(importOf(channelNumber));
  return (await insertion.returning('importId').executeTakeFirstOrThrow()).importId;
}

const deleteChannel = ({ records }: Registry, { channelNumber }: { channelNumber: number }) =>
  records.deleteFrom('channel').where('channelNumber', '=', channelNumber).execute();

async function addOrganisation(registry: Registry): Promise<string> {
  const organisation = organisationOf();
  await registry.records.insertInto('organisation').values(organisation).execute();
  return organisation.organisationId;
}

/** A record of each table, after those that it refers to. */
const texts = tablesBeside(import.meta.url, 'registry.records.txt');

type Made = Record<string, string | number>;

/** The record of a table with the values that a test makes itself. */
function rowOf<Table extends keyof Records>(table: Table, made: Made = {}) {
  const given: Made = { large: beyond32Bits, ...made };
  const text = texts[table]!.replaceAll(/\$(\w+)/g, (_, name) => String(given[name]));
  return fieldsOf(text) as Insertable<Records[Table]>;
}

const organisationOf = () => rowOf('organisation', { organisationId: randomUUID() });
const userOf = (organisationId: string) =>
  rowOf('userAccount', { userId: randomUUID(), organisationId });
const keyOf = (userId: string) =>
  rowOf('apiKey', { keyId: randomUUID(), userId, lookup: randomUUID() });
const importOf = (channelNumber: number) => rowOf('import', { channelNumber });
const jobOf = (channelNumber: number, organisationId: string) =>
  rowOf('job', { jobId: randomUUID(), channelNumber, organisationId });
const auditOf = () => rowOf('auditEntry');

function channelOf(organisationId: string) {
  const channelNumber = drawChannelNumber();
  const channel = rowOf('channel', { channelId: randomUUID(), organisationId, channelNumber });
  return { ...channel, channelNumber };
}

/** The numbers that tables assign to their records. */
const numberOf: { readonly [Table in keyof Records]?: string } = {
  channel: 'channelNumber',
  import: 'importId',
  importRejection: 'rejectionId',
  auditEntry: 'auditId',
  customGroup: 'groupId',
  customGroupEntry: 'entryId',
  job: 'sequence',
  recentRequest: 'requestNumber',
};
