import { randomUUID } from 'node:crypto';
import { type Caller, channelsOfUser, reachableChannels } from '../../access/channels.ts';
import { changeAsCaller, emailOf, managedBy } from '../../access/managers.ts';
import { quotaFailure } from '../../access/quotas.ts';
import type { RecordsOrTransaction } from '../../access/records.ts';
import {
  changeOne,
  countOf,
  defined,
  listPage,
  readOne,
  removeOne,
  seconds,
  secondsOrNull,
} from '../../access/records.ts';
import { storedKeyOf } from '../../access/sessions.ts';
import { notFound, Refusal, refuse } from '../../contract/refusal.ts';
import type { RecordsTransaction, Registry, WebhookRecord } from '../../engine/registry.ts';
import { lockOrganisation } from '../../engine/registry.ts';
import { deliveryJob, queueDeliveries } from '../../webhooks/announce.ts';
import { urlFailure } from '../../webhooks/networks.ts';
import { mintWebhookSecret, webhookSecretUse } from '../../webhooks/secrets.ts';
import type { Context, Handler, RecordRule } from '../handler.ts';
import type * as contracts from './contract.ts';

/** When a delivery that exceeds a limit may be tried again. */
const retrySeconds = 60;

/** The rule of addresses, which needs the settings of the operator. */
export const webhookUrlRules: readonly RecordRule<{ readonly url?: string }, Context>[] = [
  {
    at: 'url',
    check({ url }, { webhookNetworks }) {
      const failure = url === undefined ? undefined : urlFailure(url, webhookNetworks);
      return failure && `url ${failure}`;
    },
  },
];

/** Creates a webhook. */
export const createWebhook: Handler<typeof contracts.createWebhook> = (
  { url, events, description },
  context,
) => {
  const { caller, registry, quotas, now } = context;
  return changeAsCaller(context, async (transaction, audit) => {
    const { organisationId, userId } = caller;
    const keyId = storedKeyOf(caller);
    const webhookId = randomUUID();
    const secret = mintWebhookSecret();
    await lockOrganisation(registry.engine, transaction, organisationId);
    await transaction
      .insertInto('webhook')
      .values({
        webhookId,
        organisationId,
        userId,
        keyId,
        url: URL.parse(url)!.href,
        description,
        events: JSON.stringify(sorted(events)),
        sealed: sealOf(context).close(secret, webhookId),
        previousSealed: null,
        previousUntil: null,
        state: 'enabled',
        reason: null,
        failingSince: null,
        createdAt: now(),
        updatedAt: now(),
      })
      .execute();
    const count = await countOf(transaction, 'webhook', { organisationId });
    refuse(quotaFailure(count, quotas.organisationWebhooks, 'webhooks'));
    await audit({ action: 'createWebhook', subject: webhookId, detail: { events } });
    return { webhookId, secret };
  });
};

/** Lists the webhooks that the caller may manage. */
export const listWebhooks: Handler<typeof contracts.listWebhooks> = async (
  page,
  { caller, registry },
) => {
  const { organisationId, userId, keyId } = managedBy(caller);
  const all = registry.records
    .selectFrom('webhook')
    .innerJoin('userAccount', 'userAccount.userId', 'webhook.userId')
    .where('webhook.organisationId', '=', organisationId)
    .where(({ and }) => and(defined({ 'webhook.userId': userId, 'webhook.keyId': keyId })))
    .selectAll('webhook')
    .select('userAccount.email')
    .orderBy('webhook.createdAt', 'desc')
    .orderBy('webhook.webhookId');
  const { rows, total } = await listPage(all, page);
  return { webhooks: rows.map((row) => answerOf(row, row.email)), total: Number(total) };
};

/** Changes a webhook. */
export const changeWebhook: Handler<typeof contracts.changeWebhook> = (
  { webhookId, url, events, description, state },
  context,
) => {
  const { caller, now } = context;
  return changeAsCaller(context, async (transaction, audit) => {
    const { userId } = await readWebhook(transaction, caller, webhookId);
    const changes = {
      ...defined({ description, state, url: url && URL.parse(url)!.href }),
      ...(events && { events: JSON.stringify(sorted(events)) }),
      ...(state === 'enabled' && { reason: null, failingSince: null }),
      // If the key that created it has ended, its user enables it with a new key.
      ...(state === 'enabled' && userId === caller.userId && { keyId: storedKeyOf(caller) }),
      updatedAt: now(),
    };
    const changed = await changeOne(transaction, 'webhook', { webhookId }, changes);
    const detail = defined({ events, state, hasNewUrl: url === undefined ? undefined : true });
    await audit({ action: 'changeWebhook', subject: webhookId, detail });
    return answerOf(changed, await emailOf(transaction, changed.userId));
  });
};

/** Deletes a webhook with its deliveries. */
export const deleteWebhook: Handler<typeof contracts.deleteWebhook> = ({ webhookId }, context) =>
  changeAsCaller(context, async (transaction, audit) => {
    await removeOne(transaction, 'webhook', { webhookId, ...managedBy(context.caller) });
    await audit({ action: 'deleteWebhook', subject: webhookId, detail: {} });
  });

/** Makes a new secret; for a while, the previous one also signs. */
export const rotateWebhookSecret: Handler<typeof contracts.rotateWebhookSecret> = (
  { webhookId, graceSeconds },
  context,
) =>
  changeAsCaller(context, async (transaction, audit) => {
    const { sealed } = await readWebhook(transaction, context.caller, webhookId);
    const secret = mintWebhookSecret();
    const now = context.now();
    const previousUntil = now + graceSeconds * 1000;
    const changes = {
      sealed: sealOf(context).close(secret, webhookId),
      updatedAt: now,
      previousSealed: graceSeconds > 0 ? sealed : null,
      previousUntil,
    };
    await changeOne(transaction, 'webhook', { webhookId }, changes);
    await audit({ action: 'rotateWebhookSecret', subject: webhookId, detail: { graceSeconds } });
    return { secret, previousSecretUntil: seconds(previousUntil) };
  });

/** Sends a test. */
export const testWebhook: Handler<typeof contracts.testWebhook> = async (
  { webhookId },
  context,
) => {
  const { caller, announcer } = context;
  const sent = await changeAsCaller(context, async (transaction, audit) => {
    const webhook = await readWebhook(transaction, caller, webhookId);
    requireEnabled(webhook);
    const channel = await channelsOfUser(transaction, webhook)
      .orderBy('channel.channelId')
      .executeTakeFirst();
    if (channel === undefined)
      throw new Refusal(409, 'the user of the webhook reaches no channel: connect a store first');
    await refuseTooMany(transaction, context);
    const about = { event: 'webhook.ping', channel, data: { webhookId }, only: webhook } as const;
    const [deliveryId] = await announcer.announce(transaction, about);
    await audit({ action: 'testWebhook', subject: webhookId, detail: { deliveryId } });
    return { deliveryId: deliveryId! };
  });
  announcer.wake();
  return sent;
};

/** Lists the deliveries of a webhook about channels within reach. */
export const listWebhookDeliveries: Handler<typeof contracts.listWebhookDeliveries> = async (
  { webhookId, state, ...page },
  { caller, registry },
) => {
  await readWebhook(registry.records, caller, webhookId);
  const all = deliveriesOf(registry, caller, webhookId)
    .where(({ and }) => and(defined({ 'webhookDelivery.state': state })))
    .selectAll('webhookDelivery')
    .select('channel.channelId')
    .orderBy('webhookDelivery.createdAt', 'desc')
    .orderBy('webhookDelivery.deliveryId');
  const { rows, total } = await listPage(all, page);
  const deliveries = rows.map(
    ({ webhookId: _, channelNumber: __, also: ___, ofUser: ____, ...row }) => ({
      ...row,
      nextAt: secondsOrNull(row.nextAt),
      createdAt: seconds(row.createdAt),
      finishedAt: secondsOrNull(row.finishedAt),
    }),
  );
  return { deliveries, total: Number(total) };
};

/** Sends an event again. */
export const replayWebhookDelivery: Handler<typeof contracts.replayWebhookDelivery> = async (
  { webhookId, deliveryId },
  context,
) => {
  const { caller, jobs, now } = context;
  const sent = await changeAsCaller(context, async (transaction, audit) => {
    const webhook = await readWebhook(transaction, caller, webhookId);
    const delivery = await deliveriesOf({ records: transaction }, caller, webhookId)
      .selectAll('webhookDelivery')
      .where('webhookDelivery.deliveryId', '=', deliveryId)
      .executeTakeFirstOrThrow(() => notFound('delivery'));
    requireEnabled(webhook);
    if (delivery.state === 'waiting') throw new Refusal(409, 'the delivery still waits');
    const { messageId, event, body, channelNumber, also, ofUser } = delivery;
    const message = { messageId, event, body, channelNumber, also, ofUser };
    await refuseTooMany(transaction, context);
    const waitingMax = context.quotas.organisationWaitingDeliveries;
    const [added] = await queueDeliveries(transaction, { jobs, waitingMax }, now(), [webhook], {
      ...message,
      organisationId: caller.organisationId,
    });
    const detail = { deliveryId, replayedAs: added };
    await audit({ action: 'replayWebhookDelivery', subject: webhookId, detail });
    return { deliveryId: added! };
  });
  jobs.announce(deliveryJob);
  return sent;
};

/** The webhook with an identifier. Throws 404 unless the caller may manage it. */
function readWebhook(
  records: RecordsOrTransaction,
  caller: Caller,
  webhookId: string,
): Promise<WebhookRecord> {
  return readOne(records, 'webhook', { webhookId, ...managedBy(caller) });
}

/** A query for the deliveries of a webhook about channels within reach of a caller. */
function deliveriesOf(registry: Pick<Registry, 'records'>, caller: Caller, webhookId: string) {
  return reachableChannels(registry, caller)
    .clearSelect()
    .innerJoin('webhookDelivery', 'webhookDelivery.channelNumber', 'channel.channelNumber')
    .where('webhookDelivery.webhookId', '=', webhookId);
}

/** Refuses a delivery if too many deliveries of the organisation wait. */
async function refuseTooMany(
  transaction: RecordsTransaction,
  { caller, jobs, quotas }: Context,
): Promise<void> {
  const waiting = await jobs.countWaiting(transaction, deliveryJob, caller.organisationId);
  if (waiting < quotas.organisationWaitingDeliveries) return;
  throw new Refusal(
    429,
    `your organisation has ${waiting} deliveries waiting: fix or pause the webhooks that fail, and try again in ${retrySeconds} s`,
    { 'retry-after': String(retrySeconds) },
  );
}

function requireEnabled({ state }: WebhookRecord): void {
  if (state !== 'enabled') throw new Refusal(409, `the webhook is ${state}: enable it first`);
}

function sealOf({ seal }: Context) {
  return seal(webhookSecretUse);
}

function sorted(events: readonly string[]): string[] {
  return [...new Set(events)].sort();
}

function answerOf(webhook: WebhookRecord, createdBy: string) {
  const { webhookId, url, description, state, reason } = webhook;
  return {
    webhookId,
    url,
    description,
    events: JSON.parse(webhook.events),
    state,
    reason,
    createdBy,
    failingSince: secondsOrNull(webhook.failingSince),
    createdAt: seconds(webhook.createdAt),
    updatedAt: seconds(webhook.updatedAt),
    previousSecretUntil:
      webhook.previousSealed === null ? null : secondsOrNull(webhook.previousUntil),
  };
}
