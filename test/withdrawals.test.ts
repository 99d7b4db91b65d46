/**
 * E-mails, files, links and deliveries are checked again when they leave and when they are read:
 * a user, role, key, channel or address that is gone by then ends them.
 */
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { createSeal } from '../src/access/secret.ts';
import { defaultLimits } from '../src/config.ts';
import { scheduledOperation } from '../src/endpoints/schedules/operations.ts';
import { JobQueue, type TakenJob } from '../src/jobs/queue.ts';
import { JobRefused } from '../src/jobs/worker.ts';
import { createMailLinks } from '../src/schedules/mailLinks.ts';
import { mailWork } from '../src/schedules/mailWork.ts';
import { createAnnouncer } from '../src/webhooks/announce.ts';
import { deliveryWork } from '../src/webhooks/deliveries.ts';
import { mintWebhookSecret, webhookSecretUse } from '../src/webhooks/secrets.ts';
import { HandClock } from './clock.ts';
import { hardlyLimited, onOnePair, type Tenant, until } from './harness.ts';
import { startMailServer } from './mailServer.ts';
import { startReceiver } from './receiver.ts';
import { changeRecords, recordOf, recordsOf } from './records.ts';
import { listsOf, textBeside } from './table.ts';

const mailServer = await startMailServer();
const receiver = await startReceiver();
after(() => Promise.all([mailServer.close(), receiver.close()]));
const mail = { url: mailServer.url, from: 'reports@vitrine.example' };
const secret = 'secret-of-the-withdrawals';
const { signal } = new AbortController();

/** The outcomes of a run, an e-mail, a link and a delivery after each change. */
const outcomes = textBeside(import.meta.url, 'cases/withdrawals.csv');

onOnePair('rights that were withdrawn', (world) => {
  const clock = new HandClock();
  let tenant: Tenant;
  let made: Awaited<ReturnType<typeof make>>;

  beforeEach(async () => {
    mailServer.arrived.length = 0;
    receiver.answer = (response) => void response.writeHead(204).end();
    tenant = await world().tenant();
  });

  const ask = (key: string, path: string, body?: object) => world().ask(key, 'POST', path, body);
  const operate = (...[method, path, body]: Parameters<ReturnType<typeof world>['operate']>) =>
    world().operate(method, `/operator/${path}`, body);

  /** A run with its link, its e-mail and a delivery that wait, all by a key of an administrator. */
  async function make() {
    const { organisationId, channelId } = tenant;
    const other = await world().channel(organisationId, `${channelId}-other`);
    const email = `${channelId}@acme.example`;
    const user = { organisationId, email, role: 'administrator' };
    const { userId } = await operate('POST', 'users', user);
    await operate('PUT', `users/${userId}/channels`, { channelIds: [channelId, other] });
    const limits = hardlyLimited;
    const { keyId, key } = await operate('POST', 'keys', { userId, limits });
    const schedule = {
      name: 'Sales',
      cron: '0 7 * * 1',
      timezone: 'UTC',
      operation: 'viewSalesByChannel',
      period: 'last30Days',
      emails: [email],
      parameters: { currentCurrency: 'USD', pageSize: 100 },
    };
    const { scheduleId } = (await ask(key, '/schedules', schedule)).body;
    const { runId } = (await ask(key, `/schedules/${scheduleId}/run`)).body;
    const runOf = (one: string) => recordOf(world(), 'scheduleRun', { runId: one });
    await until(async () => (await runOf(runId)).finishedAt !== null);
    const { runs } = (await world().ask(key, 'GET', `/schedules/${scheduleId}/runs`)).body;
    const hook = { url: `${receiver.url}`, events: ['report.finished'] };
    const { webhookId } = (await ask(key, '/webhooks', hook)).body;
    const sealed = createSeal(secret, webhookSecretUse).close(mintWebhookSecret(), webhookId);
    await changeRecords(world(), 'webhook', { webhookId }, { sealed });
    const deliveryId = await announce(channelId, other, webhookId);
    const link = new URL(runs[0].downloadUrl).pathname;
    return { userId, keyId, other, scheduleId, runId, runOf, webhookId, deliveryId, link };
  }

  /** Announces a report about both channels; no worker takes the delivery. */
  async function announce(channelId: string, other: string, webhookId: string) {
    const { registry } = world();
    const jobs = new JobQueue(registry, clock.now);
    const queue = {
      announce() {},
      add: (...[transaction, job]: Parameters<JobQueue['add']>) =>
        jobs.add(transaction, { ...job, kind: 'by hand' }),
    };
    const channel = await recordOf(world(), 'channel', { channelId });
    const { channelNumber } = await recordOf(world(), 'channel', { channelId: other });
    await registry.records.transaction().execute((transaction) =>
      createAnnouncer(queue, clock.now).announce(transaction, {
        event: 'report.finished',
        channel,
        also: [channelNumber],
        data: {},
      }),
    );
    return (await recordOf(world(), 'webhookDelivery', { webhookId })).deliveryId;
  }

  const bound = (bounds: object) => operate('PATCH', `keys/${made.keyId}`, bounds);
  const withdrawals: Record<string, () => unknown> = {
    none: () => {},
    'a channel is taken': () =>
      operate('PUT', `users/${made.userId}/channels`, { channelIds: [tenant.channelId] }),
    async 'a channel is moved'() {
      const { organisationId } = await world().tenant();
      await changeRecords(world(), 'channel', { channelId: made.other }, { organisationId });
    },
    'a channel is deleted': () => operate('DELETE', `channels/${made.other}`),
    'all channels are taken': () =>
      operate('PUT', `users/${made.userId}/channels`, { channelIds: [] }),
    'the user is removed': () => operate('DELETE', `users/${made.userId}`),
    'the role is lowered': () => operate('PATCH', `users/${made.userId}`, { role: 'member' }),
    'the user becomes a viewer': () => operate('PATCH', `users/${made.userId}`, { role: 'viewer' }),
    'a call is withdrawn': () =>
      bound({
        grants: ['schedules:write', 'webhooks:write', 'schedules:read', 'readReportStatus'],
      }),
    'webhooks are withdrawn': () => bound({ grants: ['figures'] }),
    'the key loses a channel': () => bound({ channels: [tenant.channelId] }),
    'the key fits no address': () => bound({ addresses: ['192.0.2.0/24'] }),
    async 'the key is made from an ended one'() {
      const { keyId } = await operate('POST', 'keys', { userId: made.userId });
      await changeRecords(world(), 'apiKey', { keyId: made.keyId }, { madeFrom: keyId });
      await operate('DELETE', `keys/${keyId}`);
    },
    'the key is revoked': () => operate('DELETE', `keys/${made.keyId}`),
    'the key has expired': () =>
      changeRecords(world(), 'apiKey', { keyId: made.keyId }, { expiresAt: 1 }),
    'the organisation is paused': () =>
      operate('PATCH', `organisations/${tenant.organisationId}`, { apiAccess: false }),
    'http is not allowed': () => {},
    'the webhook is paused': () =>
      changeRecords(world(), 'webhook', { webhookId: made.webhookId }, { state: 'paused' }),
    'the webhook is removed': () =>
      world().ask(tenant.key, 'DELETE', `/webhooks/${made.webhookId}`),
    'the schedule is removed': () =>
      world().ask(tenant.key, 'DELETE', `/schedules/${made.scheduleId}`),
  };

  const sendMail = async () => {
    const { registry, files } = world();
    const work = mailWork({
      registry,
      files,
      clock,
      mail,
      pageUrl: 'http://x/',
      domains: [],
      limits: defaultLimits,
      links: createMailLinks(secret, 'http://x', clock.now),
      operationOf: scheduledOperation,
    });
    try {
      await work.run({ payload: { runId: made.runId } } as TakenJob, async () => true, signal);
      return mailServer.arrived.length > 0 ? 'sent' : 'gone';
    } catch (error) {
      assert.ok(error instanceof JobRefused, String(error));
      assert.equal(mailServer.arrived.length, 0);
      return error.message;
    }
  };
  const deliver = async (allowsHttp: boolean) => {
    const work = deliveryWork({
      registry: world().registry,
      secret,
      clock,
      announcer: createAnnouncer(world().jobs, clock.now),
      networks: { allowsHttp, networks: ['127.0.0.1'] },
    });
    receiver.arrived.length = 0;
    await work.run({ jobId: made.deliveryId } as TakenJob, async () => true, signal);
    const { deliveryId } = made;
    const [delivery] = await recordsOf(world(), 'webhookDelivery', { deliveryId });
    const isDelivered = delivery?.state === 'delivered';
    assert.equal(receiver.arrived.length, isDelivered ? 1 : 0);
    return isDelivered ? 'delivered' : (delivery?.error ?? 'gone');
  };
  const runAgain = async () => {
    world().clock.now += 1_000;
    const { status, body } = await ask(tenant.key, `/schedules/${made.scheduleId}/run`);
    if (status !== 200) return status;
    await until(async () => (await made.runOf(body.runId)).finishedAt !== null);
    return (await made.runOf(body.runId)).state;
  };

  for (const [right, run, mailed, link, delivered] of listsOf(outcomes).slice(1) as string[][])
    test(`${right}: a run is ${run}, an e-mail ${mailed}, a link ${link}`, async () => {
      made = await make();
      await withdrawals[right!]!();
      assert.match(await sendMail(), new RegExp(`\\b${mailed}\\b`));
      const { statusCode } = await world().server.inject({ method: 'GET', url: made.link });
      assert.equal(statusCode, Number(link));
      const delivery = await deliver(right !== 'http is not allowed');
      assert.match(delivery, new RegExp(`\\b${delivered}\\b`));
      assert.equal(await runAgain(), run);
    });
});
