/**
 * Schedules run what they may when it is due, store its file, send it by e-mail and notify
 * webhooks; only their organisation sees and changes them.
 */
import assert from 'node:assert/strict';
import { after, beforeEach, test as testOnEach } from 'node:test';
import {
  type Method,
  onEachPair,
  onOnePair,
  type Pair,
  type Tenant,
  testOnOnePair,
  until,
  type World,
} from '../../../test/harness.ts';
import { type Mail, startMailServer } from '../../../test/mailServer.ts';
import { startReceiver } from '../../../test/receiver.ts';
import { recordOf, recordsOf } from '../../../test/records.ts';
import { administratorOf, compared, fieldsOf, importFacts } from '../../../test/world.ts';
import { defaultLimits } from '../../config.ts';
import type { ScheduleRunRecord } from '../../engine/scheduleRecords.ts';
import type { TakenJob } from '../../jobs/queue.ts';
import { JobPostponed, JobRefused } from '../../jobs/worker.ts';
import { wantedFiles } from '../../report/requestedReports.ts';
import { createMailLinks } from '../../schedules/mailLinks.ts';
import { mailWork } from '../../schedules/mailWork.ts';
import { queueDueRuns } from '../../schedules/runs.ts';
import { scheduledOperation } from './operations.ts';

const mailServer = await startMailServer();
const receiver = await startReceiver();
after(() => Promise.all([mailServer.close(), receiver.close()]));
const bothPaths = new Set(['/hooks/owner', '/hooks/restricted']);
const options = {
  mail: { url: mailServer.url, from: 'reports@vitrine.example' },
  config: { mailDomains: ['acme.example'] },
};

const view = {
  ...fieldsOf(`
    name,  cron,      timezone,      operation,          period
    Sales, 0 7 * * 1, Europe/Berlin, viewSalesByChannel, last30Days`),
  parameters: { currentCurrency: 'USD', pageSize: 100 },
};
const isoOf = (second: number) => new Date(second * 1000).toISOString();

const define = (world: () => World, pair: Pair) => {
  const test = testOnOnePair(pair);
  let tenant: Tenant;

  beforeEach(async () => {
    world().clock.now = Date.parse('2026-11-21T12:00:00Z');
    tenant = await world().tenant();
  });

  const ask = (method: Method, path = '', body?: object, key = tenant.key) =>
    world().ask(key, method, `/schedules${path}`, body);
  const create = async (fields: object = {}, key = tenant.key) => {
    const { status, body } = await ask('POST', '', { ...view, ...fields }, key);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const run = async (scheduleId: string, key = tenant.key) =>
    (await ask('POST', `/${scheduleId}/run`, undefined, key)).status;
  const runs = async (scheduleId: string) => (await ask('GET', `/${scheduleId}/runs`)).body.runs;
  /**
   * The latest run once its record is as expected, which the registry shows faster than an answer.
   */
  const latest = async (scheduleId: string, is: (run: ScheduleRunRecord) => boolean) => {
    const found = () => recordsOf(world(), 'scheduleRun', { scheduleId }, 'dueAt');
    await until(async () => (await found()).slice(-1).some(is));
    return (await runs(scheduleId))[0];
  };
  const ended = (scheduleId: string) =>
    latest(scheduleId, ({ state }) => state === 'done' || state === 'failed');
  const mailed = (scheduleId: string) => latest(scheduleId, ({ mailedAt }) => mailedAt !== null);
  /** Has a report created by each run. */
  const creating = (operation: string) => {
    const { channelId, merchantId } = tenant;
    return { operation, parameters: { channelId, merchantId, reportOptions: {} } };
  };
  const download = async (url: string) => {
    const { pathname } = new URL(url);
    return world().server.inject({ method: 'GET', url: pathname });
  };

  testOnEach('200: a schedule shows its next five times and is listed', async () => {
    const made = await create();
    const mondays = ['2026-11-23', '2026-11-30', '2026-12-07', '2026-12-14', '2026-12-21'];
    const times = mondays.map((date) => `${date}T06:00:00.000Z`);
    assert.deepEqual(made.nextRuns.map(isoOf), times);
    assert.deepEqual((await ask('GET')).body.schedules, [made]);
  });

  test('200: a run of a view stores the CSV that the view answers', async () => {
    await importFacts(world(), tenant.channelId, {
      orderLines: `
        orderId, lineId, purchasedAt,          sku, quantity, itemPrice, currency
        "1",     "1",    2026-11-20T20:00:00Z, A,   2,        10,        USD`,
    });
    const { scheduleId } = await create({ timezone: 'America/Los_Angeles' });
    assert.equal(await run(scheduleId), 200);
    const { state, error, downloadUrl } = await ended(scheduleId);
    assert.deepEqual([state, error], ['done', null]);
    const { statusCode, body: csv } = await download(downloadUrl);
    assert.equal(statusCode, 200, csv);
    // From 22 October to 20 November in Los Angeles.
    const payload = {
      ...view.parameters,
      ...fieldsOf(`
        fromDate,   toDate,     priorFromDate, priorToDate, timezone
        1792652400, 1795247999, 1790060400,    1792652399,  America/Los_Angeles`),
    };
    const headers = { 'x-api-key': tenant.key, accept: 'text/csv' };
    const url = '/reports/view/salesByChannel';
    const answer = await world().server.inject({ method: 'POST', url, headers, payload });
    assert.equal(csv, answer.body);
    assert.match(csv, /,USD,10,0,1,0,orders,orders,10,0,2,0,/);
  });

  test('strangers get files once they have confirmed, and none once they are unsubscribed', async () => {
    mailServer.arrived.length = 0;
    // Workers go by the clock of the system.
    world().clock.now = Date.now();
    const email = 'Stranger@Elsewhere.example';
    const announced: string[] = [];
    const unlisten = world().jobs.listen((kinds) => announced.push(...kinds));
    const { scheduleId, recipients } = await create({ name: 'WIN A PRIZE', emails: [email] });
    assert.deepEqual(announced, ['scheduleMail']);
    unlisten();
    assert.deepEqual(recipients, [{ email, state: 'unconfirmed' }]);
    await until(async () => mailServer.arrived.length === 1);
    const mail = mailServer.arrived[0]!.message.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    assert.match(mail, /^Subject: Confirm that you want scheduled files/m);
    assert.doesNotMatch(mail, /PRIZE/);
    const visit = async (purpose: string, method: 'GET' | 'POST', payload?: string) => {
      const [url] = new RegExp(`/mail/${purpose}/[\\w.-]+`).exec(mail)!;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const sent = payload === undefined ? {} : { payload, headers };
      return (await world().server.inject({ method, url, ...sent })).statusCode;
    };
    const stateIn = async () => (await ask('GET')).body.schedules[0].recipients[0].state;
    /** Runs it, and returns how many e-mails have arrived, and what the run states about them. */
    const runAndCount = async () => {
      world().clock.now += 1_000;
      await run(scheduleId);
      const { mailError } = await latest(
        scheduleId,
        (one) => one.mailedAt !== null || one.mailError !== null,
      );
      return [mailServer.arrived.length, mailError];
    };
    assert.deepEqual(await runAndCount(), [1, 'an address has not confirmed']);
    // Programs that check mails follow links: this changes nothing.
    assert.deepEqual([await visit('confirm', 'GET'), await stateIn()], [200, 'unconfirmed']);
    assert.deepEqual([await visit('confirm', 'POST'), await stateIn()], [200, 'confirmed']);
    assert.deepEqual(await runAndCount(), [2, null]);
    const oneClick = 'List-Unsubscribe=One-Click';
    assert.equal(await visit('unsubscribe', 'GET'), 200);
    assert.equal(await visit('unsubscribe', 'POST', oneClick), 200);
    assert.equal(await stateIn(), 'unsubscribed');
    assert.deepEqual(await runAndCount(), [2, 'an address has unsubscribed']);
    assert.equal(await visit('unsubscribe', 'POST', 'again=yes'), 200);
    assert.equal(await stateIn(), 'confirmed');
    world().clock.now += 8 * 86_400_000;
    assert.equal(await visit('confirm', 'POST'), 404);
    assert.equal((await ask('DELETE', `/${scheduleId}`)).status, 200);
  });

  test('e-mails to strangers are limited by day, and runs on demand by hour', async () => {
    mailServer.arrived.length = 0;
    const many = (place: number) =>
      Array.from({ length: 10 }, (_, one) => `${place}-${one}@elsewhere.example`);
    for (let place = 0; place < 4; place++) await create({ emails: many(place) });
    const { scheduleId } = await create();
    const open = async () =>
      (await recordsOf(world(), 'job', { kind: 'scheduleMail' })).some(
        ({ state }) => state === 'waiting' || state === 'running',
      );
    await until(async () => !(await open()));
    assert.equal(mailServer.arrived.length, 20);
    const statuses: number[] = [];
    for (let time = 0; time < 31; time++) {
      world().clock.now += 1_000;
      statuses.push(await run(scheduleId));
    }
    assert.deepEqual(statuses, [...Array.from({ length: 30 }, () => 200), 429]);
  });

  test('200: a run that creates a report ends with its file', async () => {
    const { scheduleId } = await create(creating('createTrafficAndConversionReport'));
    await run(scheduleId);
    const { state, error, downloadUrl } = await ended(scheduleId);
    assert.deepEqual([state, error], ['done', null]);
    assert.equal((await download(downloadUrl)).statusCode, 200);
  });

  testOnEach('a service that was down runs the last time that it missed, once', async () => {
    const { scheduleId } = await create();
    const { registry, jobs } = world();
    const later = Date.parse('2026-12-15T00:00:00Z');
    world().clock.now = later;
    await Promise.all([queueDueRuns(registry, jobs, later), queueDueRuns(registry, jobs, later)]);
    await queueDueRuns(registry, jobs, later);
    jobs.announce('schedule');
    const dueAt = (await runs(scheduleId)).map((one: { dueAt: number }) => isoOf(one.dueAt));
    assert.deepEqual(dueAt, ['2026-12-14T06:00:00.000Z']);
  });

  test('400: what cannot run is refused, with every reason', async () => {
    for (const [fields, reason] of [
      [{ cron: '*/5 * * * *' }, /^cron must leave an hour between two times$/],
      [{ cron: '0 7 30 2 *' }, /^cron is never due$/],
      [{ operation: 'createWebhook' }, /^operation must create a report or answer rows$/],
      [
        { parameters: { pageSize: 0, other: 1 } },
        /^parameters do not suit viewSalesByChannel: .*pageSize/,
      ],
    ] as const) {
      const { status, body } = await ask('POST', '', { ...view, ...fields });
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(body.error, reason);
    }
  });

  test('200: the file is sent by e-mail, once, and the run says so', async () => {
    mailServer.arrived.length = mailServer.connections = 0;
    const { scheduleId } = await create({ emails: ['one@acme.example', 'two@acme.example'] });
    assert.equal(await run(scheduleId), 200);
    const { downloadUrl, mailError } = await mailed(scheduleId);
    assert.deepEqual([mailError, mailServer.connections], [null, 1]);
    const [{ message }] = mailServer.arrived as [Mail];
    const recipients = mailServer.arrived.map((mail) => mail.recipients);
    assert.deepEqual(recipients, [['one@acme.example'], ['two@acme.example']]);
    const csv = (await download(downloadUrl)).rawPayload.toString('base64');
    assert.ok(message.replaceAll('\r\n', '').includes(csv), message);
  });

  test('a report is sent by e-mail as well; an address that is refused is named by its code', async () => {
    mailServer.arrived.length = 0;
    const report = creating('createSalesByProductReport');
    const { scheduleId } = await create({ ...report, emails: ['one@acme.example'] });
    await run(scheduleId);
    await mailed(scheduleId);
    assert.match(mailServer.arrived[0]!.message, /filename=salesByProduct-/);
    mailServer.refusal = 550;
    world().clock.now += 1_000;
    await run(scheduleId);
    const refused = await latest(scheduleId, ({ mailError }) => mailError !== null);
    mailServer.refusal = undefined;
    const { state, mailedAt, mailError } = refused;
    assert.deepEqual([state, mailedAt, mailError], ['done', null, 'the mail server answered 550']);
  });

  test('webhooks hear of runs, but webhooks of restricted users not of the runs of others', async () => {
    receiver.arrived.length = 0;
    const { key, grant } = await administratorOf(world(), tenant.organisationId);
    await grant([tenant.channelId]);
    const events = ['schedule.finished', 'schedule.failed'];
    for (const [path, owner] of Object.entries({ owner: tenant.key, restricted: key }))
      await world().ask(owner, 'POST', '/webhooks', { url: `${receiver.url}/${path}`, events });
    const { scheduleId } = await create();
    await run(scheduleId);
    const { runId, dueAt } = await ended(scheduleId);
    await until(() => receiver.arrived.length === 1);
    assert.equal(receiver.arrived[0]!.path, '/hooks/owner');
    const { type, data } = JSON.parse(receiver.arrived[0]!.body);
    assert.equal(type, 'schedule.finished');
    const { channelId, merchantId } = tenant;
    const fileName = 'viewSalesByChannel-2026-11-21.csv';
    const ofRun = { scheduleId, runId, name: 'Sales', dueAt: isoOf(dueAt), fileName };
    assert.deepEqual(data, { channelId, merchantId, ...ofRun });

    receiver.arrived.length = 0;
    const own = await create({ name: 'Own' }, key);
    assert.equal(await run(scheduleId, key), 404);
    assert.equal(await run(own.scheduleId, key), 200);
    await until(() => receiver.arrived.length === 2);
    assert.deepEqual(new Set(receiver.arrived.map(({ path }) => path)), bothPaths);
  });

  test('a run that its user may not make fails, and a key that is gone ends the schedule', async () => {
    const { organisationId, userId, channelId, merchantId } = tenant;
    const { keyId, key } = await world().operate('POST', '/operator/keys', { userId });
    const parameters = { channelId, merchantId, reportOptions: { interval: 'd' } };
    const { scheduleId } = await create({ operation: 'viewSalesByPeriod', parameters }, key);
    const other = await world().channel(organisationId, 'other');
    await world().operate('PUT', `/operator/users/${userId}/channels`, { channelIds: [other] });
    assert.equal(await run(scheduleId, key), 200);
    const failed = await ended(scheduleId);
    assert.deepEqual([failed.state, failed.downloadUrl], ['failed', null]);
    assert.match(failed.error, /^channelId and merchantId do not match/);

    await world().operate('PUT', `/operator/users/${userId}/channels`, { channelIds: 'all' });
    await world().operate('DELETE', `/operator/keys/${keyId}`);
    world().clock.now += 1_000;
    assert.equal(await run(scheduleId), 200);
    await latest(scheduleId, ({ state }) => state === 'failed');
    const { body } = await ask('GET');
    assert.deepEqual(
      body.schedules.map(({ state, reason, nextRuns }: never) => [state, reason, nextRuns]),
      [['disabled', 'its user or its key may not use the API any more', []]],
    );
    assert.equal(await run(scheduleId), 409);
  });

  test('a change of the times moves the next ones; a paused schedule has none', async () => {
    const { scheduleId } = await create();
    const change = async (fields: object) => (await ask('PATCH', `/${scheduleId}`, fields)).body;
    const daily = await change({ cron: '30 2 * * *' });
    assert.equal(daily.nextRuns[0], Date.parse('2026-11-22T01:30:00Z') / 1000);
    const paused = await change({ state: 'paused' });
    assert.deepEqual([paused.state, paused.nextRuns], ['paused', []]);
    const later = Date.parse('2026-12-15T00:00:00Z');
    await queueDueRuns(world().registry, world().jobs, later);
    assert.deepEqual(await runs(scheduleId), []);
    assert.match((await change({ period: null })).error, /^parameters do not suit/);
    const days = compared('2026-01-01', '2026-01-01', ['2025-12-31', '2025-12-31']);
    const parameters = { ...view.parameters, ...days };
    const fixed = await change({ period: null, parameters, state: 'enabled' });
    assert.deepEqual([fixed.period, fixed.parameters], [null, parameters]);
  });

  test('a deleted schedule takes its runs, their jobs and their files with it', async () => {
    const { scheduleId } = await create();
    await run(scheduleId);
    const { runId, downloadUrl } = await ended(scheduleId);
    assert.equal((await ask('DELETE', `/${scheduleId}`)).status, 200);
    assert.equal((await ask('GET', `/${scheduleId}/runs`)).status, 404);
    assert.equal((await download(downloadUrl)).statusCode, 403);
    const wanted = await wantedFiles(world().registry, [`${runId}.csv`]);
    assert.equal(wanted.size, 0);
  });

  test('nobody sees a schedule of another organisation, and a link is valid for its file alone', async () => {
    const { scheduleId } = await create();
    await run(scheduleId);
    const { downloadUrl } = await ended(scheduleId);
    const { key } = await world().tenant();
    const { body } = await ask('GET', '', undefined, key);
    assert.deepEqual(body, { schedules: [], total: 0 });
    const [, token] = /files\/[^/]+\/([^/]+)/.exec(downloadUrl)!;
    const { statusCode } = await download(`http://x/reports/files/${scheduleId}/${token}/a.csv`);
    assert.equal(statusCode, 403);
  });
};

onEachPair('schedules', define, options);

onOnePair('e-mails of runs', (world) => {
  testOnEach(
    'a server that refuses for now is tried again for a day, ever less often',
    async () => {
      const { key } = await world().tenant();
      const schedule = { ...view, emails: ['one@acme.example'] };
      const { body } = await world().ask(key, 'POST', '/schedules', schedule);
      const path = `/schedules/${body.scheduleId}/run`;
      const { runId } = (await world().ask(key, 'POST', path)).body;
      const { registry, files } = world();
      const find = () => recordOf(world(), 'scheduleRun', { runId });
      await until(async () => (await find()).finishedAt !== null);
      const { finishedAt, mailError } = await find();
      assert.equal(mailError, 'the operator has not set up e-mail');
      const attempt = async (hours: number) => {
        const clock = { now: () => finishedAt! + hours * 3_600_000 };
        const work = mailWork({
          registry,
          files,
          clock,
          ...options,
          pageUrl: 'http://x/',
          limits: defaultLimits,
          domains: ['acme.example'],
          links: createMailLinks('secret', 'http://x', clock.now),
          operationOf: scheduledOperation,
        });
        const job = { payload: { runId } } as TakenJob;
        const { signal } = new AbortController();
        try {
          await work.run(job, async () => true, signal);
          return 'sent';
        } catch (error) {
          if (error instanceof JobPostponed) return error.milliseconds / 3_600_000;
          assert.ok(error instanceof JobRefused);
          return error.message;
        }
      };
      mailServer.arrived.length = 0;
      mailServer.refusal = 451;
      const refusals = { 0: 1 / 60, 1: 1, 3: 3, 20: 6, 25: 'the mail server answered 451' };
      for (const [hours, next] of Object.entries(refusals))
        assert.equal(await attempt(Number(hours)), next, `after ${hours} hours`);
      assert.equal((await find()).mailError, 'the mail server answered 451');
      mailServer.refusal = undefined;
      assert.equal(await attempt(1), 'sent');
      const sent = await find();
      assert.deepEqual([sent.mailError, sent.mailedAt], [null, finishedAt! + 3_600_000]);
      // A job that is done once more sends nothing.
      assert.equal(await attempt(2), 'sent');
      assert.equal(mailServer.arrived.length, 1);
    },
  );
});
