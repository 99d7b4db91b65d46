/**
 * A delivery of a webhook is tried for a day, less and less often, only at public addresses; a
 * webhook that fails for days is disabled.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { HandClock } from '../../test/clock.ts';
import { onOnePair, type Tenant, until } from '../../test/harness.ts';
import { type Receiver, startReceiver } from '../../test/receiver.ts';
import { addRecords, recordOf } from '../../test/records.ts';
import { assertShown } from '../../test/world.ts';
import { createSeal } from '../access/secret.ts';
import { subscribedEvents } from '../contract/webhooks.ts';
import { JobQueue, type TakenJob } from '../jobs/queue.ts';
import { CutOff } from '../jobs/slowLane.ts';
import { JobPostponed } from '../jobs/worker.ts';
import { createAnnouncer } from './announce.ts';
import { type DeliveryParts, deliveryWork, pruneDeliveries } from './deliveries.ts';
import { mintWebhookSecret, webhookSecretUse } from './secrets.ts';

const secret = 'secret-of-the-deliveries';
const day = 86_400_000;

onOnePair('deliveries', (world) => {
  let receiver: Receiver;
  let tenant: Tenant;
  let clock: HandClock;
  const records = () => world().registry.records;

  before(async () => {
    receiver = await startReceiver();
    tenant = await world().tenant();
  });
  after(() => receiver.close());
  beforeEach(async () => {
    receiver.arrived.length = 0;
    clock = new HandClock();
    await records().deleteFrom('webhook').execute();
    await records().deleteFrom('job').execute();
  });

  const answerWith = (status: number, headers: Record<string, string> = {}) => {
    receiver.answer = (response) => void response.writeHead(status, headers).end();
  };
  const addWebhook = async (webhookId: string, url = receiver.url) => {
    const { organisationId, userId } = tenant;
    const sealed = createSeal(secret, webhookSecretUse).close(mintWebhookSecret(), webhookId);
    await addRecords(world(), 'webhook', {
      webhookId,
      organisationId,
      userId,
      url,
      sealed,
      description: '',
      events: JSON.stringify(subscribedEvents),
      previousSealed: null,
      previousUntil: null,
      state: 'enabled',
      reason: null,
      failingSince: null,
      createdAt: clock.now(),
      updatedAt: clock.now(),
    });
  };
  // No worker of the world takes these jobs: the tests do them.
  const queue = () => {
    const jobs = new JobQueue(world().registry, clock.now);
    return {
      announce() {},
      async add(...[transaction, job]: Parameters<JobQueue['add']>) {
        return jobs.add(transaction, { ...job, kind: 'by hand' });
      },
    };
  };
  const announcer = (waitingMax?: number) => createAnnouncer(queue(), clock.now, waitingMax);
  const announce = async (waitingMax?: number): Promise<string> => {
    const channel = await recordOf(world(), 'channel', { channelId: tenant.channelId });
    const data = { reportId: 'r', reportType: 'campaigns' };
    const event = { event: 'report.finished', channel, data } as const;
    const [added] = await records()
      .transaction()
      .execute((transaction) => announcer(waitingMax).announce(transaction, event));
    return added!;
  };
  const workOf = (more: Partial<DeliveryParts> = {}) =>
    deliveryWork({
      registry: world().registry,
      secret,
      clock,
      announcer: announcer(),
      networks: { allowsHttp: true, networks: ['127.0.0.1'] },
      random: () => 0.5,
      ...more,
    });
  /** Makes one attempt; returns the milliseconds until the next one. */
  const attempt = async (jobId: string, work = workOf()): Promise<number | undefined> => {
    try {
      const { signal } = new AbortController();
      await work.run({ jobId } as TakenJob, async () => true, signal);
      return undefined;
    } catch (error) {
      if (error instanceof JobPostponed) return error.milliseconds;
      throw error;
    }
  };
  const exhaust = async (jobId: string): Promise<number[]> => {
    const pauses: number[] = [];
    for (let pause = await attempt(jobId); pause !== undefined; pause = await attempt(jobId)) {
      pauses.push(pause);
      clock.advance(pause);
    }
    return pauses;
  };
  const deliveryOf = (deliveryId: string) => recordOf(world(), 'webhookDelivery', { deliveryId });
  const webhookOf = (webhookId: string) => recordOf(world(), 'webhook', { webhookId });

  test('a delivery that is too much is dropped, and one that is cut off is tried again', async () => {
    await addWebhook('w');
    const { state, error } = await deliveryOf(await announce(0));
    assert.equal(state, 'dropped');
    assert.match(error!, /^your organisation has 0 deliveries waiting: fix or pause the webhooks/);
    receiver.answer = () => {};
    const deliveryId = await announce();
    const cutting = new AbortController();
    const run = workOf().run({ jobId: deliveryId } as TakenJob, async () => true, cutting.signal);
    await until(() => receiver.arrived.length === 1);
    cutting.abort(new CutOff(500));
    await assert.rejects(run, JobPostponed);
    const cut = await deliveryOf(deliveryId);
    const text = 'it takes longer than 0.5 s while many others do';
    assert.deepEqual([cut.state, cut.attempts, cut.error], ['waiting', 1, text]);
  });

  test('a delivery is tried for a day, ever less often, with one webhook-id', async () => {
    answerWith(500);
    await addWebhook('w');
    const deliveryId = await announce();
    const seconds = (await exhaust(deliveryId)).map((pause) => pause / 1000);
    assert.deepEqual(seconds, [5, 15, 45, 135, 405, 1_215, 3_645, 10_935, 21_600, 21_600, 21_600]);
    const { state, attempts, status, error, nextAt } = await deliveryOf(deliveryId);
    const expected = ['failed', 12, 500, 'the address answered 500', null];
    assert.deepEqual([state, attempts, status, error, nextAt], expected);
    const headers = (name: string) => new Set(receiver.arrived.map((one) => one.headers[name]));
    assert.equal(headers('webhook-id').size, 1);
    assert.equal(headers('webhook-timestamp').size, 12);
    assert.equal(new Set(receiver.arrived.map(({ body }) => body)).size, 1);
    assert.equal((await webhookOf('w')).state, 'enabled');
  });

  test('pauses are up to a fifth shorter or longer', async () => {
    answerWith(500);
    await addWebhook('w');
    const deliveryId = await announce();
    assert.equal(await attempt(deliveryId, workOf({ random: () => 0 })), 4_000);
    assert.equal(await attempt(deliveryId, workOf({ random: () => 1 })), 18_000);
  });

  test('a webhook that fails for three days is disabled, and others hear of it', async () => {
    await addWebhook('w');
    receiver.answer = (response, { path }) =>
      void response.writeHead(path === '/other' ? 204 : 500).end();
    const began = clock.now();
    // A delivery ends after 81,200 seconds, so the fourth ends after more than three days.
    for (let time = 1; time <= 3; time++) {
      await exhaust(await announce());
      assert.equal((await webhookOf('w')).state, 'enabled', `after ${time}`);
    }
    const last = await announce();
    await addWebhook('other', `http://127.0.0.1:${receiver.port}/other`);
    await exhaust(last);
    const { state, reason, failingSince } = await webhookOf('w');
    assert.deepEqual([state, failingSince], ['disabled', began]);
    assert.equal(reason, 'no delivery has succeeded since 2026-01-15T00:00:00.000Z');
    const { entries } = await world().operate('GET', '/operator/audit?subject=w');
    assertShown(entries)`actor, action
      service, disableWebhook`;
    const notice = await recordOf(world(), 'webhookDelivery', { webhookId: 'other' });
    assert.equal(await attempt(notice.deliveryId), undefined);
    const { type, data } = JSON.parse(receiver.arrived.at(-1)!.body);
    assert.deepEqual([type, data.webhookId, data.reason], ['webhook.disabled', 'w', reason]);
  });

  test('a success ends a failure, and 410 disables at once', async () => {
    await addWebhook('w');
    answerWith(503);
    const first = await announce();
    await attempt(first);
    assert.equal((await webhookOf('w')).failingSince, clock.now());
    answerWith(202);
    assert.equal(await attempt(first), undefined);
    assert.equal((await webhookOf('w')).failingSince, null);
    assert.equal((await deliveryOf(first)).state, 'delivered');
    const [second, third] = [await announce(), await announce()];
    answerWith(410);
    assert.equal(await attempt(second), undefined);
    assert.equal((await webhookOf('w')).reason, 'its address answered 410 Gone');
    assert.equal(await attempt(third), undefined);
    const { state, error } = await deliveryOf(third);
    assert.deepEqual([state, error], ['dropped', 'the webhook is disabled']);
    assert.equal(receiver.arrived.length, 3);
  });

  test('an address that asks for a rest gets it', async () => {
    await addWebhook('w');
    answerWith(429, { 'retry-after': '7200' });
    assert.equal(await attempt(await announce()), 7_200_000);
    answerWith(503, { 'retry-after': new Date(clock.now() + 60_000).toUTCString() });
    assert.equal(await attempt(await announce()), 60_000);
    answerWith(503, { 'retry-after': 'soon' });
    assert.equal(await attempt(await announce()), 5_000);
  });

  test('redirects are not followed', async () => {
    await addWebhook('w');
    answerWith(307, { location: `http://127.0.0.1:${receiver.port}/elsewhere` });
    const deliveryId = await announce();
    assert.equal(await attempt(deliveryId), 5_000);
    assert.equal((await deliveryOf(deliveryId)).error, 'the address answered 307');
    const paths = receiver.arrived.map(({ path }) => path);
    assert.deepEqual(paths, ['/hooks']);
  });

  test('an address that does not answer in time has failed', async () => {
    await addWebhook('w');
    receiver.answer = () => {};
    const deliveryId = await announce();
    const trying = attempt(deliveryId);
    await until(() => receiver.arrived.length === 1);
    clock.advance(9_999);
    assert.equal((await deliveryOf(deliveryId)).attempts, 0);
    clock.advance(1);
    assert.equal(await trying, 5_000);
    assert.equal((await deliveryOf(deliveryId)).error, 'no answer within 10 s');
  });

  test('an answer without end is not read to it', async () => {
    await addWebhook('w');
    let isClosed = false;
    receiver.answer = (response) => {
      response.writeHead(200);
      response.on('close', () => {
        isClosed = true;
      });
      const more = () => {
        if (!isClosed) response.write('x'.repeat(16_384), () => setImmediate(more));
      };
      more();
    };
    const deliveryId = await announce();
    assert.equal(await attempt(deliveryId), undefined);
    assert.equal((await deliveryOf(deliveryId)).state, 'delivered');
    await until(() => isClosed);
  });

  test('an address that is not public is never called', async () => {
    await addWebhook('w');
    const deliveryId = await announce();
    const networks = { allowsHttp: true, networks: [] };
    assert.equal(await attempt(deliveryId, workOf({ networks })), 5_000);
    assert.match((await deliveryOf(deliveryId)).error!, /^the address is not public/);
    assert.deepEqual(receiver.arrived, []);
  });

  test('a name is resolved once, and the connection goes where the check looked', async () => {
    answerWith(204);
    await addWebhook('w', `http://hooks.example:${receiver.port}/named`);
    const resolved: string[] = [];
    // A second look-up would find an address that is refused.
    const resolve = async (host: string) => {
      resolved.push(host);
      return [{ address: resolved.length === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    };
    const work = workOf({ resolve });
    assert.equal(await attempt(await announce(), work), undefined);
    assert.deepEqual(resolved, ['hooks.example']);
    assert.equal(receiver.arrived[0]!.headers.host, `hooks.example:${receiver.port}`);
    assert.equal(await attempt(await announce(), work), 5_000);
    assert.equal(receiver.arrived.length, 1);
  });

  test('a name that nothing answers for has failed', async () => {
    await addWebhook('w', 'http://hooks.example/');
    const deliveryId = await announce();
    const resolve = async () => {
      throw new Error('getaddrinfo ENOTFOUND hooks.example');
    };
    assert.equal(await attempt(deliveryId, workOf({ resolve })), 5_000);
    assert.equal((await deliveryOf(deliveryId)).error, 'getaddrinfo ENOTFOUND hooks.example');
  });

  test('a job that failed for good leaves no delivery that waits', async () => {
    await addWebhook('w');
    const jobId = await announce();
    await records()
      .transaction()
      .execute((transaction) => workOf().onEnd!(transaction, { jobId } as TakenJob, 'it died'));
    const { state, error } = await deliveryOf(jobId);
    assert.deepEqual([state, error], ['failed', 'it died']);
  });

  test('deliveries are retained for 30 days', async () => {
    await addWebhook('w');
    const deliveryId = await announce();
    await pruneDeliveries(world().registry, clock.now() + 30 * day);
    assert.equal((await deliveryOf(deliveryId)).state, 'waiting');
    await pruneDeliveries(world().registry, clock.now() + 30 * day + 1);
    await assert.rejects(deliveryOf(deliveryId));
  });
});
