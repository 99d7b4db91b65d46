/** CSV reports from their creation to their file, with rows that are written here. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mock, test as testOnEach } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../src/contract/refusal.ts';
import { reportTypes } from '../src/contract/reports.ts';
import { reports as madeReports } from '../src/endpoints/reports/create/reports.ts';
import { reportWork } from '../src/endpoints/reports/create/work.ts';
import { StoreUnavailable } from '../src/engine/errors.ts';
import { pruneFiles } from '../src/files/store.ts';
import type { TakenJob } from '../src/jobs/queue.ts';
import { JobRefused } from '../src/jobs/worker.ts';
import { wantedFiles } from '../src/report/requestedReports.ts';
import { type Tenant, until } from './harness.ts';
import {
  file,
  fromDate,
  gated,
  onMadeReports,
  reports,
  threeRows,
  toDate,
  unknown,
  written,
} from './madeReports.ts';
import { changeRecords, channelNumberOf, recordsOf } from './records.ts';

const day = 86_400_000;

onMadeReports('reports', (it) => {
  const { test, post, create, made, done, end, statusOf, download, refused } = it;
  const { colleague, keyOf } = it;
  const reach = ({ userId }: Pick<Tenant, 'userId'>, channelIds: readonly string[]) =>
    it.world().operate('PUT', `/operator/users/${userId}/channels`, { channelIds });

  testOnEach('a report is started, in progress, done, and downloaded without a key', async () => {
    const gate = gated();
    const created = await post();
    const expected = [200, ['reportId', 'reportType', 'status']];
    assert.deepEqual([created.status, Object.keys(created.body)], expected);
    const { reportId } = created.body;
    const report = { reportId, reportType: 'customerLifetimeValue' };
    assert.deepEqual(created.body, { ...report, status: 'started' });
    await until(() => gate.came.length === 1);
    assert.deepEqual((await statusOf(reportId)).body, { ...report, status: 'inProgress' });
    gate.open();
    const { downloadUrl, ...rest } = await it.polled(reportId);
    assert.deepEqual(rest, { ...report, status: 'done' });
    const { status, text, headers } = await download(downloadUrl);
    assert.deepEqual([status, text], [200, file]);
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
    const fileName = `customerLifetimeValue-${it.acme.channelId}-2026-01-15.csv`;
    assert.equal(headers['content-disposition'], `attachment; filename="${fileName}"`);
    assert.ok(downloadUrl.endsWith(`/${fileName}`));
    assert.equal(headers['cache-control'], 'private, no-store');
    assert.equal(headers['content-length'], '33');
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers.ratelimit, undefined);
  });

  test('every type of report is made, and a channel with an odd name has a file with a plain one', async () => {
    const odd = (kind: 'seller' | 'vendor') =>
      it.world().channel(it.acme.organisationId, `Straße 1/"x"; a@${kind}`, {
        merchantId: 'M1 @ US',
        kind,
      });
    const channels = { seller: await odd('seller'), vendor: await odd('vendor') };
    for (const type of reportTypes) {
      const { channelKind = 'seller' } = madeReports[type];
      const kind = channelKind === 'advertised' ? 'vendor' : channelKind;
      const tenant = { ...it.acme, channelId: channels[kind] };
      const url = await made({}, { tenant, type });
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

  test('400: every failing rule is listed, in the order of the request; a channel of the other kind has no such report', async () => {
    const refusedWith = async (error: string, options: object, type = 'customerLifetimeValue') => {
      const { status, body } = await post(options, { type });
      assert.deepEqual([status, body], [400, { status: 'error', error }]);
    };
    await refusedWith(
      'reportOptions.fromDate must be an integer, reportOptions.toDate is required',
      { fromDate: 'x', toDate: undefined },
    );
    await refusedWith('reportOptions.toDate must not be before reportOptions.fromDate', {
      fromDate: toDate,
      toDate: fromDate,
    });
    await refusedWith(
      'reportOptions.priorFromDate and reportOptions.priorToDate must be given together',
      { priorFromDate: 1 },
    );
    const zone = { timezone: 'Mars' };
    await refusedWith('reportOptions.timezone must be an IANA time zone', zone);
    await refusedWith(
      'reportOptions.interval must be d or w or M or Q or y or day or week or month or quarter or year',
      { interval: 'h' },
    );
    await refusedWith(
      'reportOptions.fromDate to reportOptions.toDate has more than 4000 buckets: ask for longer ones by reportOptions.interval',
      { fromDate: 0, toDate: 4001 * 86_400, interval: 'd' },
    );
    const type = 'trafficAndConversion';
    await refusedWith('reportOptions.view must be parents or skus', { view: 'brands' }, type);
    const inMilliseconds = { fromDate: 1_752_933_600_000 };
    const text = 'reportOptions.fromDate must be in seconds and not in milliseconds';
    await refusedWith(text, inMilliseconds, type);
    const { body } = await it.world().ask(it.acme.key, 'POST', `/reports/create/${type}`, {});
    const expected = 'channelId is required, merchantId is required, reportOptions is required';
    assert.equal(body.error, expected);
    const vendor = await it.world().tenant({ channel: { kind: 'vendor' } });
    for (const type of reportTypes) {
      const { channelKind } = madeReports[type];
      if (channelKind !== 'seller' && channelKind !== 'vendor') continue;
      const [tenant, own, other] =
        channelKind === 'seller' ? [vendor, 'seller', 'vendor'] : [it.acme, 'vendor', 'seller'];
      const answer = await post({}, { tenant, type });
      assert.deepEqual(
        [answer.status, answer.body.error],
        [400, `channelId must be a ${own} channel: ${other} channels have no such report`],
      );
    }
  });

  test('three reports of an organisation are computed at a time, fifty wait, one more is refused, and another organisation is served', async () => {
    const gate = gated();
    const ids: string[] = [];
    while (ids.length < 3) ids.push(await create({ fromDate: fromDate - ids.length }));
    await until(() => gate.came.length === 3);
    // Also of those that are created at the same moment fifty wait, not one more.
    const places = Array.from({ length: 60 }, (_, number) => ids.length + number);
    const answers = await Promise.all(places.map((place) => post({ fromDate: fromDate - place })));
    const started = answers.filter(({ status }) => status === 200);
    assert.deepEqual([started.length, answers.length - started.length], [50, 10]);
    ids.push(...started.map(({ body }) => body.reportId));
    const error = 'your organisation has 50 reports waiting: try again in 30 s';
    for (const answer of answers.filter(({ status }) => status !== 200).slice(0, 3))
      assert.deepEqual(
        [answer.status, answer.body, answer.headers['retry-after']],
        [429, { status: 'error', error }, '30'],
      );
    // A request that needs no computation does not wait for one.
    const waiting = places.find((_, at) => answers[at]!.status === 200)!;
    ids.push(await create({ fromDate: fromDate - waiting }));
    const other = await it.world().tenant();
    const otherId = await create({}, { tenant: other });
    await until(() => gate.came.length === 4);
    assert.equal((await statusOf(otherId, other)).body.status, 'inProgress');
    const states = await Promise.all(ids.map(async (id) => (await statusOf(id)).body.status));
    assert.deepEqual(states, [...Array(3).fill('inProgress'), ...Array(51).fill('started')]);
    let [most, under] = [0, 0];
    written.by = async (options, put, context) => {
      most = Math.max(most, ++under);
      await threeRows(options, put, context);
      under--;
    };
    gate.open();
    await it.allDone();
    await done(ids.at(-1)!);
    await done(otherId, other);
    assert.ok(most <= 3, String(most));
    await made({ fromDate: fromDate - 100 });
  });

  testOnEach(
    'an identical report that is on its way is computed for both, and a different or a later one is not',
    async () => {
      const gate = gated();
      const first = await create({ timezone: 'UTC', interval: 'M' });
      await until(() => gate.came.length === 1);
      // The same request without its defaults, in another order, with an ignored field.
      const second = await create({ note: 'ignored' });
      const { key, channelId, merchantId } = it.acme;
      const reordered = { reportOptions: { toDate, fromDate }, channelId, merchantId };
      const path = '/reports/create/customerLifetimeValue';
      const { status, body } = await it.world().ask(key, 'POST', path, reordered);
      assert.equal(status, 200);
      assert.equal(new Set([first, second, body.reportId]).size, 3);
      assert.equal((await statusOf(second)).body.status, 'inProgress');
      const other = await keyOf(await colleague());
      const others = [
        await create({ fromDate: fromDate + 1 }),
        await create({}, { tenant: other }),
        await create({}, { type: 'trafficAndConversion' }),
      ];
      it.world().clock.now += 5 * 60_000 + 1000;
      const late = await create();
      gate.open();
      const texts: string[] = [];
      for (const id of [first, second, body.reportId, late])
        texts.push((await download(await done(id))).text);
      assert.deepEqual(new Set(texts), new Set([file]));
      await done(others[0]!);
      await done(others[1]!, other);
      await done(others[2]!);
      assert.equal(gate.came.length, 5);
      // It is not on its way any more.
      written.by = async (_options, put) => put([['other', 2]]);
      assert.equal((await download(await made())).text, 'name,amount\r\nother,2\r\n');
      assert.equal((await download(await done(late))).text, file);
    },
  );

  test('a creation that is repeated with its idempotency-key is one report', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await post({}, { headers });
    const second = await post({}, { headers });
    const found = [second.status, second.body, second.headers['idempotency-replayed']];
    assert.deepEqual(found, [200, first.body, 'true']);
    await done(first.body.reportId);
  });

  test('errored: a failed report stays failed and hides internals; the log has the cause', async () => {
    written.by = async (_options, put) => {
      await put([['half', 1]]);
      throw new Refusal(400, 'there is no exchange rate of XYZ');
    };
    const reportId = await create();
    const body = {
      reportId,
      reportType: 'customerLifetimeValue',
      status: 'errored',
      error: 'there is no exchange rate of XYZ',
    };
    assert.deepEqual(await end(reportId), body);
    written.by = threeRows;
    assert.deepEqual((await statusOf(reportId)).body, body);
    assert.ok(
      it
        .world()
        .logLines.some(
          (line) => line.includes(reportId) && line.includes('there is no exchange rate of XYZ'),
        ),
    );
    await made();
  });

  test('errored: a report that fails again and again is given up', async () => {
    let attempts = 0;
    written.by = async () => {
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
    written.by = async (options, put, context) => {
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

  /** A job of a report that no worker takes, and how it is done. */
  const byHand = async (more: { readonly milliseconds?: number } = {}) => {
    const { registry, warehouse, files } = it.world();
    const channelNumber = await channelNumberOf(it.world(), it.acme.channelId);
    const payload = { reportType: 'inventoryReplenishment' };
    const job = { jobId: randomUUID(), channelNumber, payload } as unknown as TakenJob;
    const { run } = reportWork({ registry, warehouse, files, reports, ...more });
    return {
      run: (hold: boolean, { signal } = new AbortController()) =>
        run(job, async () => hold, signal),
      leavesNothing: async () => assert.equal(await files.find(`${job.jobId}.csv`), undefined),
    };
  };

  test('a report has a deadline of its own, after which it and its questions fail', async () => {
    const { run, leavesNothing } = await byHand({ milliseconds: 40 });
    let now = 0;
    const clock = mock.method(performance, 'now', () => now);
    const deadlines: number[] = [];
    written.by = async (_options, put, { limits }) => {
      deadlines.push(limits.deadlineMilliseconds);
      now += 5;
      deadlines.push(limits.deadlineMilliseconds);
      for (;;) {
        await put([['a', 1]]);
        await delay(5);
      }
    };
    await assert.rejects(run(true), JobRefused).finally(() => clock.mock.restore());
    assert.deepEqual(deadlines, [40, 35]);
    await leavesNothing();
  });

  test('a worker that has lost its report leaves no file of it, and one that closes gives it back', async () => {
    const { run, leavesNothing } = await byHand();
    await assert.rejects(run(false), /another worker/);
    const closing = new AbortController();
    written.by = async (_options, put) => {
      await put([['a', 1]]);
      closing.abort();
      await put([['b', 2]]);
    };
    await assert.rejects(run(true, closing), { name: 'AbortError' });
    await leavesNothing();
  });

  testOnEach(
    '404: the same answer for unknown, expired and others’ reports, channels and merchants',
    async () => {
      const reportId = await create();
      const url = await done(reportId);
      const restricted = await keyOf(await colleague());
      await reach(restricted, []);
      const foreign = await it.world().tenant();
      for (const [id, tenant, query] of [
        [randomUUID(), it.acme, ''],
        ['x', it.acme, ''],
        [reportId, foreign, ''],
        [reportId, restricted, ''],
        [reportId, it.acme, '?channelId=another'],
        [reportId, it.acme, `?channelId=${it.acme.channelId}&merchantId=another`],
      ] as const) {
        const { status, body } = await statusOf(id, tenant, query);
        assert.deepEqual([status, body], [404, unknown], `${id} ${query}`);
      }
      const { channelId, merchantId } = it.acme;
      const whole = `?${new URLSearchParams({ channelId, merchantId })}`;
      assert.equal((await statusOf(reportId, it.acme, whole)).body.status, 'done');
      const over = (finishedAt: number) =>
        changeRecords(it.world(), 'job', { jobId: reportId }, { finishedAt });
      await over(Date.now() - 30 * day + 60_000);
      assert.equal((await statusOf(reportId)).status, 200);
      await over(Date.now() - 30 * day - 1);
      assert.deepEqual((await statusOf(reportId)).body, unknown);
      await refused(url);
    },
  );

  test('a report is its organisation’s: a colleague reads it, also after the creator left', async () => {
    const [creator, reader] = [await colleague(), await colleague()];
    const [mine, theirs] = [await keyOf(creator), await keyOf(reader)];
    const reportId = await create({}, { tenant: mine });
    const own = await done(reportId, mine);
    const url = await done(reportId, theirs);
    assert.equal((await download(url)).text, file);
    await it.world().operate('DELETE', `/operator/users/${creator.userId}`);
    await refused(own);
    assert.equal((await download(url)).text, file);
    assert.equal((await download(await done(reportId))).text, file);
    await reach(reader, []);
    await refused(url);
    assert.deepEqual((await statusOf(reportId, theirs)).body, unknown);
  });

  testOnEach('expired reports are pruned with their files, others stay', async () => {
    const { registry, files: store, jobs } = it.world();
    const [first, second] = [await create(), await create({ fromDate: fromDate - 1 })];
    await done(first);
    const url = await done(second);
    const finishedAt = Date.now() - 30 * day - 1;
    await changeRecords(it.world(), 'job', { jobId: first }, { finishedAt });
    await jobs.prune();
    await pruneFiles(store, Date.now() + day, (names) => wantedFiles(registry, names));
    assert.equal(await store.find(`${first}.csv`), undefined);
    assert.equal((await download(url)).text, file);
    assert.deepEqual(await recordsOf(it.world(), 'report', { reportId: first }), []);
  });
});
