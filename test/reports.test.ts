/** CSV reports from their creation to their download, with reports defined here. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, mock, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { Refusal } from '../src/contract/refusal.ts';
import { reportTypes } from '../src/contract/reports.ts';
import type { ReportContext, Write } from '../src/endpoints/reports/create/report.ts';
import { reports as madeReports } from '../src/endpoints/reports/create/reports.ts';
import { reportWork } from '../src/endpoints/reports/create/work.ts';
import { StoreUnavailable } from '../src/engine/errors.ts';
import { openBucket } from '../src/files/s3.ts';
import { type FileStore, pruneFiles } from '../src/files/store.ts';
import type { TakenJob } from '../src/jobs/queue.ts';
import { JobRefused } from '../src/jobs/worker.ts';
import type { Cell } from '../src/report/csv.ts';
import { wantedFiles } from '../src/report/requestedReports.ts';
import type { TypedColumn } from '../src/report/typedColumns.ts';
import {
  type Answer,
  clockStart,
  hardlyLimited,
  onEachPair,
  type Tenant,
  testOnOnePair,
  until,
} from './harness.ts';
import { level } from './level.ts';
import { reportsWith } from './reports.ts';
import { type Bucket, openBucketServer } from './servers/bucket.ts';

const pollMilliseconds = 20;
const fromDate = 1_752_933_600;
const toDate = 1_753_019_999;
const day = 86_400_000;
const unknown = { status: 'error', error: 'there is no such report' };
const noLink = {
  status: 'error',
  error:
    'this link does not lead to a file, or not any more: GET /reports/status/{reportId} gives a new one',
};

type Row = readonly [name: string, amount: Cell];
/** Writes the rows of a report; each test sets its own. */
type Script = (
  options: { readonly fromDate: number },
  put: Write<Row>,
  context: ReportContext,
) => Promise<void>;
const threeRows: Script = async (_options, put) => {
  await put([
    ['a', 1],
    ['=b', '2.50'],
  ]);
  await put([['ü', null]]);
};
const file = "name,amount\r\na,1\r\n'=b,2.50\r\nü,\r\n";
let script: Script = threeRows;

const columns: readonly TypedColumn<Row>[] = [
  { name: 'name', type: 'text', cell: ([name]) => name },
  { name: 'amount', type: 'number', digits: 2, cell: ([, amount]) => amount },
];
const reports = reportsWith<Row>(columns, (options, context, write) =>
  script(options ?? { fromDate: 0 }, write, context),
);

/** A gate at which reports wait until a test opens it; `came` counts those that have come to it. */
function gated(): { run: Script; came: number[]; open: () => void } {
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
  const came: number[] = [];
  const run: Script = async (options, put, context) => {
    came.push(options.fromDate);
    await isOpen;
    await threeRows(options, put, context);
  };
  return { run, came, open };
}

/** The store of both places in which files may lie. */
let bucket: Bucket | undefined;
let bucketFiles: FileStore | undefined;
const inBucket: FileStore = {
  isLocal: false,
  begin: (name) => bucketFiles!.begin(name),
  find: (name) => bucketFiles!.find(name),
  list: () => bucketFiles!.list(),
  remove: (names) => bucketFiles!.remove(names),
};

for (const [place, files] of [
  ['a folder', undefined],
  ['a bucket', inBucket],
] as const) {
  if (files !== undefined && level !== 'deep') continue;
  describe(`with files in ${place}`, () => {
    if (files !== undefined) {
      before(async () => {
        bucket = await openBucketServer();
        bucketFiles = openBucket({ ...bucket.address, prefix: 'reports/' });
      });
      after(() => bucket!.close());
    }
    defineReports(files);
  });
}

function defineReports(files: FileStore | undefined): void {
  onEachPair(
    'reports',
    (world, pair) => {
      // Answers about files depend on the file store alone, and some others on no store.
      const testOnce = testOnOnePair(pair);
      let acme: Tenant;

      beforeEach(async () => {
        script = threeRows;
        world().clock.now = clockStart;
        acme = await world().tenant({ channel: { merchantId: 'M1 @ US' } });
      });

      const namesOf = ({ channelId, merchantId }: Tenant) => ({ channelId, merchantId });

      const post = (
        reportOptions: object = {},
        {
          tenant = acme,
          type = 'customerLifetimeValue',
          headers = {},
        }: { tenant?: Tenant; type?: string; headers?: Record<string, string> } = {},
      ): Promise<Answer> =>
        world().ask(
          tenant.key,
          'POST',
          `/reports/create/${type}`,
          { ...namesOf(tenant), reportOptions: { fromDate, toDate, ...reportOptions } },
          headers,
        );

      async function create(...asked: Parameters<typeof post>): Promise<string> {
        const { status, body } = await post(...asked);
        assert.equal(status, 200, JSON.stringify(body));
        assert.equal(body.status, 'started');
        return body.reportId;
      }

      const statusOf = (reportId: string, tenant = acme, query = ''): Promise<Answer> =>
        world().ask(tenant.key, 'GET', `/reports/status/${reportId}${query}`);

      /** Polls until the report has finished; its states may only advance. */
      async function end(reportId: string, tenant = acme): Promise<Answer['body']> {
        const order = ['started', 'inProgress', 'done', 'errored'];
        for (let last = 'started'; ; ) {
          const { status, body } = await statusOf(reportId, tenant);
          assert.equal(status, 200, JSON.stringify(body));
          assert.ok(
            order.indexOf(body.status) >= order.indexOf(last),
            `${last} has become ${body.status}`,
          );
          last = body.status;
          if (last === 'done' || last === 'errored') return body;
          await delay(pollMilliseconds);
        }
      }

      async function done(reportId: string, tenant = acme): Promise<string> {
        const { status, downloadUrl } = await end(reportId, tenant);
        assert.equal(status, 'done');
        assert.ok(downloadUrl.startsWith('http://vitrine.test/reports/files/'), downloadUrl);
        return downloadUrl;
      }

      /** Downloads without a key, like anyone with the link. */
      const download = async (
        url: string,
        headers: Record<string, string> = {},
        method: 'GET' | 'HEAD' = 'GET',
      ) => {
        const response = await world().server.inject({
          method,
          url: url.replace('http://vitrine.test', ''),
          headers,
        });
        return {
          status: response.statusCode,
          bytes: response.rawPayload,
          text: response.body,
          headers: response.headers,
        };
      };

      async function refused(url: string): Promise<void> {
        const { status, text } = await download(url);
        assert.deepEqual([status, JSON.parse(text)], [403, noLink]);
      }

      test('a report is started, in progress and done, and its file is downloaded without a key', async () => {
        const gate = gated();
        script = gate.run;
        const created = await post();
        assert.deepEqual(
          [created.status, Object.keys(created.body)],
          [200, ['reportId', 'reportType', 'status']],
        );
        const { reportId } = created.body;
        assert.deepEqual(created.body, {
          reportId,
          reportType: 'customerLifetimeValue',
          status: 'started',
        });
        await until(() => gate.came.length === 1);
        assert.deepEqual((await statusOf(reportId)).body, {
          reportId,
          reportType: 'customerLifetimeValue',
          status: 'inProgress',
        });
        gate.open();
        const body = await end(reportId);
        const { downloadUrl, ...rest } = body;
        assert.deepEqual(rest, { reportId, reportType: 'customerLifetimeValue', status: 'done' });
        const { status, text, headers } = await download(downloadUrl);
        assert.deepEqual([status, text], [200, file]);
        assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
        const fileName = `customerLifetimeValue-${acme.channelId}-2026-01-15.csv`;
        assert.equal(headers['content-disposition'], `attachment; filename="${fileName}"`);
        assert.ok(downloadUrl.endsWith(`/${fileName}`));
        assert.equal(headers['cache-control'], 'private, no-store');
        assert.equal(headers['content-length'], '33');
        assert.equal(headers['access-control-allow-origin'], '*');
        assert.equal(headers.ratelimit, undefined);
      });

      test('every type of report is made, and a channel with an odd name has a file with a plain one', async () => {
        const odd = (kind: 'seller' | 'vendor') =>
          world().channel(acme.organisationId, `Straße 1/"x"; a@${kind}`, {
            merchantId: 'M1 @ US',
            kind,
          });
        const channels = { seller: await odd('seller'), vendor: await odd('vendor') };
        for (const type of reportTypes) {
          const { channelKind = 'seller' } = madeReports[type];
          const kind = channelKind === 'advertised' ? 'vendor' : channelKind;
          const tenant = { ...acme, channelId: channels[kind] };
          const url = await done(await create({}, { tenant, type }));
          const ending = type === 'campaigns' ? 'zip' : 'csv';
          assert.ok(url.endsWith(`/${type}-Stra_e_1_x_a_${kind}-2026-01-15.${ending}`), url);
          const { text, headers } = await download(url);
          if (ending === 'csv') assert.equal(text, file);
          else {
            assert.equal(headers['content-type'], 'application/zip');
            assert.ok(text.startsWith('PK'));
          }
        }
      });

      testOnce('the log names no link, and no one-time address of a file is logged', async () => {
        const url = await done(await create());
        await download(url);
        const token = url.split('/').at(-2)!;
        assert.ok(
          world().logLines.some((line) =>
            line.includes('/reports/files/:reportId/:token/:fileName'),
          ),
        );
        assert.ok(!world().logLines.some((line) => line.includes(token)));
      });

      testOnce(
        '400: every failing rule is listed, in the order of the request; a channel of the other kind has no such report',
        async () => {
          for (const [type, reportOptions, error] of [
            [
              'customerLifetimeValue',
              { fromDate: 'x', toDate: undefined },
              'reportOptions.fromDate must be an integer, reportOptions.toDate is required',
            ],
            [
              'customerLifetimeValue',
              { fromDate: toDate, toDate: fromDate },
              'reportOptions.toDate must not be before reportOptions.fromDate',
            ],
            [
              'customerLifetimeValue',
              { priorFromDate: 1 },
              'reportOptions.priorFromDate and reportOptions.priorToDate must be given together',
            ],
            [
              'customerLifetimeValue',
              { timezone: 'Mars' },
              'reportOptions.timezone must be an IANA time zone',
            ],
            [
              'customerLifetimeValue',
              { interval: 'h' },
              'reportOptions.interval must be d or w or M or Q or y or day or week or month or quarter or year',
            ],
            [
              'customerLifetimeValue',
              { fromDate: 0, toDate: 4001 * 86_400, interval: 'd' },
              'reportOptions.fromDate to reportOptions.toDate has more than 4000 buckets: ask for longer ones by reportOptions.interval',
            ],
            [
              'trafficAndConversion',
              { view: 'brands' },
              'reportOptions.view must be parents or skus',
            ],
            [
              'trafficAndConversion',
              { fromDate: 1_752_933_600_000 },
              'reportOptions.fromDate must be in seconds and not in milliseconds',
            ],
          ] as const) {
            const { status, body } = await post(reportOptions, { type });
            assert.deepEqual([status, body], [400, { status: 'error', error }]);
          }
          const { body } = await world().ask(
            acme.key,
            'POST',
            '/reports/create/trafficAndConversion',
            {},
          );
          assert.equal(
            body.error,
            'channelId is required, merchantId is required, reportOptions is required',
          );
          const vendor = await world().tenant({ channel: { kind: 'vendor' } });
          for (const type of reportTypes) {
            const { channelKind } = madeReports[type];
            if (channelKind !== 'seller' && channelKind !== 'vendor') continue;
            const [tenant, own, other] =
              channelKind === 'seller' ? [vendor, 'seller', 'vendor'] : [acme, 'vendor', 'seller'];
            const answer = await post({}, { tenant, type });
            assert.deepEqual(
              [answer.status, answer.body.error],
              [400, `channelId must be a ${own} channel: ${other} channels have no such report`],
            );
          }
        },
      );

      testOnce(
        'three reports of an organisation are computed at a time, fifty wait, one more is refused, and another organisation is served',
        async () => {
          const gate = gated();
          script = gate.run;
          const ids: string[] = [];
          for (let number = 0; number < 3; number++)
            ids.push(await create({ fromDate: fromDate - number }));
          await until(() => gate.came.length === 3);
          for (let number = 3; number < 53; number++)
            ids.push(await create({ fromDate: fromDate - number }));
          const { status, body, headers } = await post({ fromDate: fromDate - 53 });
          assert.deepEqual(
            [status, body, headers['retry-after']],
            [
              429,
              {
                status: 'error',
                error: 'your organisation has 50 reports waiting: try again in 30 s',
              },
              '30',
            ],
          );
          // A request that needs no computation does not wait for one.
          ids.push(await create({ fromDate: fromDate - 52 }));
          const other = await world().tenant();
          const otherId = await create({}, { tenant: other });
          await until(() => gate.came.length === 4);
          assert.equal((await statusOf(otherId, other)).body.status, 'inProgress');
          const states = await Promise.all(ids.map(async (id) => (await statusOf(id)).body.status));
          assert.deepEqual(states, [...Array(3).fill('inProgress'), ...Array(51).fill('started')]);
          let most = 0;
          let under = 3;
          script = async (options, put, context) => {
            most = Math.max(most, ++under);
            await threeRows(options, put, context);
            under--;
          };
          gate.open();
          under = 0;
          for (const id of ids) await done(id);
          await done(otherId, other);
          assert.ok(most <= 3, String(most));
          await done(await create({ fromDate: fromDate - 53 }));
        },
      );

      testOnce('fifty that are created at the same moment are fifty, not one more', async () => {
        const gate = gated();
        script = gate.run;
        for (let number = 0; number < 3; number++) await create({ fromDate: fromDate - number });
        await until(() => gate.came.length === 3);
        const answers = await Promise.all(
          Array.from({ length: 60 }, (_, number) => post({ fromDate: fromDate - 3 - number })),
        );
        gate.open();
        assert.deepEqual(
          [200, 429].map((status) => answers.filter((answer) => answer.status === status).length),
          [50, 10],
        );
        for (const { body } of answers.filter(({ status }) => status === 200))
          await done(body.reportId);
      });

      test('an identical report that is on its way is computed for both, and a different or a later one is not', async () => {
        const gate = gated();
        script = gate.run;
        const first = await create({ timezone: 'UTC', interval: 'M' });
        await until(() => gate.came.length === 1);
        // The same request without its defaults, in another order, with an ignored field.
        const second = await create({ note: 'ignored' });
        const { status, body } = await world().ask(
          acme.key,
          'POST',
          '/reports/create/customerLifetimeValue',
          {
            reportOptions: { toDate, fromDate },
            ...namesOf(acme),
          },
        );
        assert.equal(status, 200);
        assert.equal(new Set([first, second, body.reportId]).size, 3);
        assert.equal((await statusOf(second)).body.status, 'inProgress');
        const { key } = await world().operate('POST', '/operator/keys', {
          userId: (await colleague()).userId,
          limits: hardlyLimited,
        });
        const others = [
          await create({ fromDate: fromDate + 1 }),
          await create({}, { tenant: { ...acme, key } }),
          await create({}, { type: 'trafficAndConversion' }),
        ];
        world().clock.now += 5 * 60_000 + 1000;
        const late = await create();
        gate.open();
        const texts: string[] = [];
        for (const id of [first, second, body.reportId, late])
          texts.push((await download(await done(id))).text);
        assert.deepEqual(new Set(texts), new Set([file]));
        await done(others[0]!);
        await done(others[1]!, { ...acme, key });
        await done(others[2]!);
        assert.equal(gate.came.length, 5);
        // It is not on its way any more.
        script = async (_options, put) => put([['other', 2]]);
        assert.equal(
          (await download(await done(await create()))).text,
          'name,amount\r\nother,2\r\n',
        );
        assert.equal((await download(await done(late))).text, file);
      });

      async function colleague(): Promise<{ userId: string }> {
        const email = `${randomUUID()}@example.com`;
        return world().operate('POST', '/operator/users', {
          organisationId: acme.organisationId,
          email,
          role: 'administrator',
        });
      }

      testOnce('a creation that is repeated with its idempotency-key is one report', async () => {
        const headers = { 'idempotency-key': randomUUID() };
        const first = await post({}, { headers });
        const second = await post({}, { headers });
        assert.deepEqual(
          [second.status, second.body, second.headers['idempotency-replayed']],
          [200, first.body, 'true'],
        );
        await done(first.body.reportId);
      });

      testOnce(
        'errored: a failed report stays failed and hides internals; the log has the cause',
        async () => {
          script = async (_options, put) => {
            await put([['half', 1]]);
            throw new Refusal(400, 'there is no exchange rate of XYZ');
          };
          const reportId = await create();
          const body = {
            ...{ reportId, reportType: 'customerLifetimeValue', status: 'errored' },
            error: 'there is no exchange rate of XYZ',
          };
          assert.deepEqual(await end(reportId), body);
          script = threeRows;
          assert.deepEqual((await statusOf(reportId)).body, body);
          assert.ok(
            world().logLines.some(
              (line) =>
                line.includes(reportId) && line.includes('there is no exchange rate of XYZ'),
            ),
          );
          await done(await create());
        },
      );

      testOnce('errored: a report that fails again and again is given up', async () => {
        let attempts = 0;
        script = async () => {
          attempts++;
          throw new Error('something inside');
        };
        const reportId = await create();
        assert.deepEqual(await end(reportId), {
          reportId,
          reportType: 'customerLifetimeValue',
          status: 'errored',
          error: 'it failed 5 times: try again, or ask the operator of the service for help',
        });
        assert.equal(attempts, 5);
      });

      test('a store that is away delays a report, which does not go back to the start meanwhile', async () => {
        let refusals = 2;
        const { promise: created, resolve: begin } = Promise.withResolvers<string>();
        const statuses: string[] = [];
        script = async (options, put, context) => {
          statuses.push((await statusOf(await created)).body.status);
          await put([['half', 1]]);
          if (refusals-- > 0) throw new StoreUnavailable('warehouse', new Error('gone'));
          assert.equal(await threeRows(options, put, context), undefined);
        };
        const reportId = await create();
        begin(reportId);
        const { text } = await download(await done(reportId));
        assert.deepEqual(statuses, Array(3).fill('inProgress'));
        assert.equal(text, `name,amount\r\nhalf,1\r\n${file.slice('name,amount\r\n'.length)}`);
      });

      test('a report has a deadline of its own, after which it and its questions fail', async () => {
        const { registry, warehouse, files: store } = world();
        const { channelNumber } = await registry.records
          .selectFrom('channel')
          .selectAll()
          .where('channelId', '=', acme.channelId)
          .executeTakeFirstOrThrow();
        const payload = { reportType: 'inventoryReplenishment' };
        const job = { jobId: randomUUID(), channelNumber, payload } as unknown as TakenJob;
        const work = reportWork({
          registry,
          warehouse,
          files: store,
          reports,
          milliseconds: 40,
        });
        let now = 0;
        const clock = mock.method(performance, 'now', () => now);
        const deadlines: number[] = [];
        script = async (_options, put, { limits }) => {
          deadlines.push(limits.deadlineMilliseconds);
          now += 5;
          deadlines.push(limits.deadlineMilliseconds);
          for (;;) {
            await put([['a', 1]]);
            await delay(5);
          }
        };
        await assert
          .rejects(
            work.run(job, async () => true, new AbortController().signal),
            JobRefused,
          )
          .finally(() => clock.mock.restore());
        assert.deepEqual(deadlines, [40, 35]);
        assert.equal(await store.find(`${job.jobId}.csv`), undefined);
      });

      test('a worker that has lost its report keeps no file of it, and one that closes gives it back', async () => {
        const { registry, warehouse, files: store } = world();
        const { channelNumber } = await registry.records
          .selectFrom('channel')
          .selectAll()
          .where('channelId', '=', acme.channelId)
          .executeTakeFirstOrThrow();
        const job = {
          jobId: randomUUID(),
          channelNumber,
          payload: { reportType: 'inventoryReplenishment' },
        } as unknown as TakenJob;
        const { run } = reportWork({ registry, warehouse, files: store, reports });
        await assert.rejects(
          run(job, async () => false, new AbortController().signal),
          /another worker/,
        );
        const closing = new AbortController();
        script = async (_options, put) => {
          await put([['a', 1]]);
          closing.abort();
          await put([['b', 2]]);
        };
        await assert.rejects(
          run(job, async () => true, closing.signal),
          { name: 'AbortError' },
        );
        assert.equal(await store.find(`${job.jobId}.csv`), undefined);
      });

      test('404: the same answer for unknown, expired and others’ reports, channels and merchants', async () => {
        const reportId = await create();
        const url = await done(reportId);
        const restricted = await colleague();
        await world().operate('PUT', `/operator/users/${restricted.userId}/channels`, {
          channelIds: [],
        });
        const { key } = await world().operate('POST', '/operator/keys', {
          userId: restricted.userId,
          limits: hardlyLimited,
        });
        const foreign = await world().tenant();
        for (const [id, tenant, query] of [
          [randomUUID(), acme, ''],
          ['x', acme, ''],
          [reportId, foreign, ''],
          [reportId, { ...acme, key }, ''],
          [reportId, acme, '?channelId=another'],
          [reportId, acme, `?channelId=${acme.channelId}&merchantId=another`],
        ] as const) {
          const { status, body } = await statusOf(id, tenant, query);
          assert.deepEqual([status, body], [404, unknown]);
        }
        const whole = `?${new URLSearchParams(namesOf(acme))}`;
        assert.equal((await statusOf(reportId, acme, whole)).body.status, 'done');
        const over = (finishedAt: number) =>
          world()
            .registry.records.updateTable('job')
            .set({ finishedAt })
            .where('jobId', '=', reportId)
            .execute();
        await over(Date.now() - 30 * day + 60_000);
        assert.equal((await statusOf(reportId)).status, 200);
        await over(Date.now() - 30 * day - 1);
        assert.deepEqual((await statusOf(reportId)).body, unknown);
        await refused(url);
      });

      test('a report is its organisation’s: a colleague reads it, also after the creator left', async () => {
        const [creator, reader] = [await colleague(), await colleague()];
        const keyOf = async ({ userId }: { userId: string }) => {
          const body = { userId, limits: hardlyLimited };
          const { key } = await world().operate('POST', '/operator/keys', body);
          return { ...acme, key };
        };
        const [mine, theirs] = [await keyOf(creator), await keyOf(reader)];
        const reportId = await create({}, { tenant: mine });
        const own = await done(reportId, mine);
        const url = await done(reportId, theirs);
        assert.equal((await download(url)).text, file);
        await world().operate('DELETE', `/operator/users/${creator.userId}`);
        await refused(own);
        assert.equal((await download(url)).text, file);
        assert.equal((await download(await done(reportId))).text, file);
        await world().operate('PUT', `/operator/users/${reader.userId}/channels`, {
          channelIds: [],
        });
        await refused(url);
        assert.deepEqual((await statusOf(reportId, theirs)).body, unknown);
      });

      test('expired reports are pruned with their files, others stay', async () => {
        const { registry, files: store, jobs } = world();
        const [first, second] = [await create(), await create({ fromDate: fromDate - 1 })];
        await done(first);
        const url = await done(second);
        await registry.records
          .updateTable('job')
          .set({ finishedAt: Date.now() - 30 * day - 1 })
          .where('jobId', '=', first)
          .execute();
        await jobs.prune();
        await pruneFiles(store, Date.now() + day, (names) => wantedFiles(registry, names));
        assert.equal(await store.find(`${first}.csv`), undefined);
        assert.equal((await download(url)).text, file);
        const { reports } = await registry.records
          .selectFrom('report')
          .select(({ fn }) => fn.countAll().as('reports'))
          .where('reportId', '=', first)
          .executeTakeFirstOrThrow();
        assert.equal(Number(reports), 0);
      });

      testOnce('404: a file missing from the store is reported as gone', async () => {
        const reportId = await create();
        const url = await done(reportId);
        await world().files.remove([`${reportId}.csv`]);
        const { status, text } = await download(url);
        assert.deepEqual(
          [status, JSON.parse(text).error],
          [404, 'the file of this report is not there any more: create the report anew'],
        );
      });

      testOnce(
        '403: a link that was changed, is of another report or is older than an hour leads to nothing',
        async () => {
          const reportId = await create();
          const url = await done(reportId);
          const other = await done(await create({ fromDate: fromDate - 1 }));
          const [id, token, name] = url.split('/').slice(-3) as [string, string, string];
          const [otherId, otherToken] = other.split('/').slice(-3) as [string, string, string];
          const [expires, user, signature] = token.split('.') as [string, string, string];
          assert.equal(user, acme.keyId);
          const at = (...parts: string[]) => `http://vitrine.test/reports/files/${parts.join('/')}`;
          assert.equal(Number(expires), clockStart / 1000 + 3600);
          for (const wrong of [
            at(id, otherToken, name),
            at(otherId, token, name),
            at(randomUUID(), token, name),
            at(id, `${Number(expires) + 1}.${user}.${signature}`, name),
            at(id, `0${expires}.${user}.${signature}`, name),
            at(id, `${expires}.${user}.${signature.slice(1)}`, name),
            at(
              id,
              `${expires}.${user}.${signature.replace(/^./, (letter) => (letter === '0' ? '1' : '0'))}`,
              name,
            ),
            at(id, `${expires}.${user}.`, name),
            at(id, `${expires}.${randomUUID()}.${signature}`, name),
            at(id, `${expires}..${signature}`, name),
            at(id, 'x', name),
            at(id, token, 'other.csv'),
            at(id, token, `${name}x`),
            at(id, encodeURIComponent(`${token}ü`), name),
          ]) {
            await refused(wrong);
          }
          // A new one at every call; the old one holds for its hour all the same.
          world().clock.now += 3_600_000;
          const again = await done(reportId);
          assert.notEqual(again, url);
          assert.equal((await download(url)).text, file);
          world().clock.now += 1000;
          await refused(url);
          assert.equal((await download(again)).text, file);
        },
      );

      testOnce(
        '403: access that was withdrawn after the status holds for the download',
        async () => {
          const { userId } = await colleague();
          const { key, keyId } = await world().operate('POST', '/operator/keys', {
            userId,
            limits: hardlyLimited,
          });
          const mine = { ...acme, key };
          const reportId = await create({}, { tenant: mine });
          let url = await done(reportId, mine);
          const withdrawn = async (
            change: () => Promise<unknown>,
            restore: () => Promise<unknown>,
          ) => {
            assert.equal((await download(url)).status, 200);
            await change();
            await refused(url);
            await restore();
          };
          const { operate } = world();
          const user = `/operator/users/${userId}`;
          const organisation = `/operator/organisations/${acme.organisationId}`;
          await withdrawn(
            () => operate('PATCH', organisation, { apiAccess: false }),
            () => operate('PATCH', organisation, { apiAccess: true }),
          );
          await withdrawn(
            async () => {
              await operate('PATCH', user, { role: 'member' });
              // A member may reach channels, and use the interface for none of them.
              await operate('PUT', `${user}/channels`, { channelIds: [acme.channelId] });
            },
            () => operate('PATCH', user, { role: 'administrator' }),
          );
          await withdrawn(
            () => operate('PUT', `${user}/channels`, { channelIds: [] }),
            () => operate('PUT', `${user}/channels`, { channelIds: [acme.channelId] }),
          );
          await operate('PUT', `${user}/channels`, { channelIds: [] });
          assert.deepEqual((await statusOf(reportId, mine)).body, unknown);
          await operate('PUT', `${user}/channels`, { channelIds: [acme.channelId] });
          const own = `/operator/keys/${keyId}`;
          const nextKey = async (graceSeconds: number) => {
            const { key: next } = await operate('POST', `${own}/rotate`, { graceSeconds });
            return { ...acme, key: next };
          };
          // While the old key is still valid, so is its link.
          const next = await nextKey(60);
          await withdrawn(
            async () => {
              world().clock.now += 61_000;
            },
            async () => {
              url = await done(reportId, next);
            },
          );
          const { keys } = await operate('GET', `/operator/keys?userId=${userId}`);
          const newest = keys.find((one: { keyId: string }) => one.keyId !== keyId);
          const other = await operate('POST', '/operator/keys', { userId, limits: hardlyLimited });
          await withdrawn(
            () => operate('DELETE', `/operator/keys/${newest.keyId}`),
            async () => {
              url = await done(reportId, { ...acme, key: other.key });
            },
          );
          await withdrawn(
            () => operate('DELETE', user),
            async () => {},
          );
        },
      );

      testOnce('403: the channel of a report that was deleted takes its file along', async () => {
        const url = await done(await create());
        await world().operate('DELETE', `/operator/channels/${acme.channelId}`);
        await refused(url);
      });

      testOnce(
        'parts of a file are sent as they are asked for, so that a download can be taken up again',
        async () => {
          const url = await done(await create());
          const bytes = Buffer.from(file);
          const etag = String((await download(url)).headers.etag);
          const part = async (range: string, more: Record<string, string> = {}) => {
            const { status, bytes, headers } = await download(url, { range, ...more });
            return [status, bytes.toString(), headers['content-range'], headers['content-length']];
          };
          const slice = (first: number, last: number) => [
            206,
            bytes.subarray(first, last + 1).toString(),
            `bytes ${first}-${last}/33`,
            String(last - first + 1),
          ];
          assert.equal(bytes.length, 33);
          assert.deepEqual(await part('bytes=0-9'), slice(0, 9));
          assert.deepEqual(await part('bytes=10-'), slice(10, 32));
          assert.deepEqual(await part('bytes=32-32'), slice(32, 32));
          assert.deepEqual(await part('bytes=30-1000'), slice(30, 32));
          assert.deepEqual(await part('bytes=-5'), slice(28, 32));
          assert.deepEqual(await part('bytes=-1000'), slice(0, 32));
          assert.deepEqual(await part('bytes=10-', { 'if-range': etag }), slice(10, 32));
          assert.deepEqual(await part('bytes=10-', { 'accept-encoding': 'gzip' }), slice(10, 32));
          const whole = [200, file, undefined, '33'];
          assert.deepEqual(await part('bytes=10-', { 'if-range': '"another"' }), whole);
          assert.deepEqual(await part('bytes=0-1,5-6'), whole);
          assert.deepEqual(await part('lines=0-1'), whole);
          assert.deepEqual(await part('bytes=5-1'), whole);
          assert.deepEqual(await part('bytes=-'), whole);
          for (const range of ['bytes=33-', 'bytes=33-40', 'bytes=-0', 'bytes=999999999999-']) {
            const { status, text, headers } = await download(url, { range });
            assert.deepEqual(
              [status, JSON.parse(text).error, headers['content-range'], headers['content-type']],
              [
                416,
                'the file has 33 bytes: the range begins after them',
                'bytes */33',
                'application/json; charset=utf-8',
              ],
            );
            assert.equal(headers['content-disposition'], undefined);
          }
          const first = await download(url, { range: 'bytes=0-20' });
          const rest = await download(url, {
            range: 'bytes=21-',
            'if-range': String(first.headers.etag),
          });
          assert.equal(Buffer.concat([first.bytes, rest.bytes]).toString(), file);
        },
      );

      testOnce('HEAD answers with the headers of GET, without the file', async () => {
        const url = await done(await create());
        const got = await download(url);
        const head = await download(url, {}, 'HEAD');
        assert.deepEqual([head.status, head.text], [200, '']);
        for (const name of [
          'content-type',
          'content-length',
          'content-disposition',
          'etag',
          'accept-ranges',
          'cache-control',
        ]) {
          assert.ok(head.headers[name]);
          assert.equal(head.headers[name], got.headers[name], name);
        }
        const part = await download(url, { range: 'bytes=1-2' }, 'HEAD');
        assert.deepEqual(
          [part.status, part.headers['content-range'], part.headers['content-length']],
          [206, 'bytes 1-2/33', '2'],
        );
        assert.equal((await download(`${url}x`, {}, 'HEAD')).status, 403);
      });

      testOnce('a file is compressed for clients that accept it', async () => {
        const url = await done(await create());
        const plain = await download(url);
        for (const encoding of ['gzip', 'br;q=1.0, gzip;q=0.8', 'GZIP', 'deflate,gzip ; q=0.01']) {
          const { status, bytes, headers } = await download(url, { 'accept-encoding': encoding });
          assert.deepEqual(
            [status, headers['content-encoding'], gunzipSync(bytes).toString()],
            [200, 'gzip', file],
          );
          assert.notEqual(headers.etag, plain.headers.etag);
          assert.equal(headers['accept-ranges'], undefined);
          assert.equal(headers['content-length'], undefined);
        }
        for (const encoding of ['', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.000', 'x-gzipped']) {
          const { bytes, headers } = await download(url, { 'accept-encoding': encoding });
          assert.deepEqual([headers['content-encoding'], bytes.toString()], [undefined, file]);
          assert.equal(headers.vary, 'accept-encoding');
        }
      });

      test('429: downloads have a rate of their own for each user, and cost nothing of any key', async () => {
        const url = await done(await create());
        const other = await done(await create({}, { tenant: await world().tenant() }), acme).catch(
          () => undefined,
        );
        assert.equal(other, undefined);
        let status = 200;
        let requests = 0;
        while (status === 200 && requests < 200) {
          ({ status } = await download(url, {}, 'HEAD'));
          requests++;
        }
        assert.deepEqual([status, requests], [429, 121]);
        const { text, headers } = await download(url);
        const seconds = Number(headers['retry-after']);
        assert.ok(seconds >= 1 && seconds <= 60);
        assert.equal(
          JSON.parse(text).error,
          `too many downloads in a minute: try again in ${seconds} s`,
        );
        const tenant = await world().tenant();
        assert.equal(
          (await download(await done(await create({}, { tenant }), tenant))).status,
          200,
        );
        const usage = await world()
          .operate('GET', `/operator/usage?keyId=${acme.keyId}`)
          .catch(() => undefined);
        assert.ok(usage === undefined || !JSON.stringify(usage).includes('files'));
      });

      testOnce('405: a link is for reading', async () => {
        const url = await done(await create());
        const { status, headers } = await world().ask(
          undefined,
          'POST',
          url.replace('http://vitrine.test', ''),
          {},
        );
        assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, OPTIONS']);
      });
    },
    { reports, ...(files && { files }) },
  );
}
