/** Announces events: each webhook that is due to hear of one gets a delivery, which a job sends. */
import { randomUUID } from 'node:crypto';
import { keyWithdrawn, withdrawalOf } from '../access/withdrawals.ts';
import { defaultLimits } from '../config.ts';
import type { WebhookEvent } from '../contract/webhooks.ts';
import type {
  ChannelRecord,
  RecordsTransaction,
  WebhookDeliveryRecord,
  WebhookRecord,
} from '../engine/registry.ts';
import { ChannelGone, countWaitingJobs, type JobQueue } from '../jobs/queue.ts';
import { callsOfWebhook } from './calls.ts';

/** The kind of the jobs that send deliveries. */
export const deliveryJob = 'webhook';

/** The channel that an event is about. */
export type EventChannel = Pick<
  ChannelRecord,
  'channelNumber' | 'organisationId' | 'channelId' | 'merchantId'
>;

/** Something that happened to a channel. */
export type ChannelEvent = {
  readonly event: WebhookEvent;
  readonly channel: EventChannel;
  /** The numbers of further channels that the event concerns; none by default. */
  readonly also?: readonly number[];
  /** The only user with restricted channels who may hear of it; all who reach it by default. */
  readonly ofUser?: string | null;
  /** Further fields of the event, besides the channel's. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The only webhook that hears of it; all by default. */
  readonly only?: Pick<WebhookRecord, 'webhookId' | 'userId'>;
};

/** Announces events in the transactions that cause them. */
export type Announcer = {
  readonly announce: (transaction: RecordsTransaction, event: ChannelEvent) => Promise<string[]>;
  /** Triggers the deliveries; called after the commit. */
  readonly wake: () => void;
};

/** An announcer that announces nothing. */
export const silentAnnouncer: Announcer = { announce: async () => [], wake() {} };

/**
 * Makes the announcer. Once an organisation has `waitingMax` waiting deliveries, further ones are
 * dropped. `now` is in epoch milliseconds.
 */
export function createAnnouncer(
  jobs: Pick<JobQueue, 'add' | 'announce'>,
  now: () => number,
  waitingMax = defaultLimits.organisationWaitingDeliveries,
): Announcer {
  return {
    wake: () => jobs.announce(deliveryJob),
    async announce(transaction, announced) {
      const { event, channel, also = [], ofUser = null, data, only } = announced;
      const { channelNumber, channelId, merchantId } = channel;
      const at = now();
      const webhooks = only === undefined ? await findWebhooks(transaction, announced, at) : [only];
      if (webhooks.length === 0) return [];
      const timestamp = new Date(at).toISOString();
      const body = JSON.stringify({
        type: event,
        timestamp,
        data: { channelId, merchantId, ...data },
      });
      return queueDeliveries(transaction, { jobs, waitingMax }, at, webhooks, {
        channelNumber,
        event,
        body,
        messageId: `msg_${randomUUID().replaceAll('-', '')}`,
        organisationId: channel.organisationId,
        ofUser,
        also: also.length > 0 ? JSON.stringify(also) : null,
      });
    },
  };
}

/** An event as it is sent. */
export type Message = Readonly<
  Pick<WebhookDeliveryRecord, 'messageId' | 'event' | 'body' | 'channelNumber' | 'also' | 'ofUser'>
> & { readonly organisationId: string };

/** The queue of deliveries, and how many of one organisation may wait. */
type DeliveryQueue = { readonly jobs: Pick<JobQueue, 'add'>; readonly waitingMax: number };

/**
 * Adds a delivery and its job for each webhook; returns their identifiers. A delivery beyond the
 * limit has no job, and can be replayed later.
 */
export async function queueDeliveries(
  transaction: RecordsTransaction,
  { jobs, waitingMax }: DeliveryQueue,
  now: number,
  webhooks: readonly Pick<WebhookRecord, 'webhookId' | 'userId'>[],
  { organisationId, ...message }: Message,
): Promise<string[]> {
  const added: string[] = [];
  const { channelNumber } = message;
  const waiting = await countWaitingJobs(transaction, deliveryJob, organisationId);
  for (const { webhookId, userId } of webhooks) {
    const job = {
      kind: deliveryJob,
      channel: { channelNumber, organisationId },
      userId,
      owner: webhookId,
      payload: null,
    };
    const isTooMany = waiting + added.length >= waitingMax;
    const deliveryId = isTooMany ? randomUUID() : await addUnlessGone(transaction, jobs, job);
    // A channel that has been deleted meanwhile has no events.
    if (deliveryId === undefined) return added;
    await transaction
      .insertInto('webhookDelivery')
      .values({
        deliveryId,
        webhookId,
        ...message,
        attempts: 0,
        status: null,
        createdAt: now,
        ...(isTooMany
          ? { state: 'dropped', error: tooManyText(waitingMax), nextAt: null, finishedAt: now }
          : { state: 'waiting', error: null, nextAt: now, finishedAt: null }),
      })
      .execute();
    added.push(deliveryId);
  }
  return added;
}

/** Why a further delivery of an organisation is not sent. */
export function tooManyText(waitingMax: number): string {
  return `your organisation has ${waitingMax} deliveries waiting: fix or pause the webhooks that fail, then replay this one`;
}

/** Adds a job; undefined if its channel has been deleted. */
async function addUnlessGone(
  transaction: RecordsTransaction,
  jobs: Pick<JobQueue, 'add'>,
  job: Parameters<JobQueue['add']>[1],
): Promise<string | undefined> {
  try {
    return await jobs.add(transaction, job);
  } catch (error) {
    if (error instanceof ChannelGone) return undefined;
    throw error;
  }
}

/**
 * Finds the webhooks that hear of an event: their user must have access to it and to all its
 * channels.
 */
async function findWebhooks(
  records: RecordsTransaction,
  { event, channel, also = [], ofUser = null }: ChannelEvent,
  now: number,
): Promise<WebhookRecord[]> {
  const enabled = await records
    .selectFrom('webhook')
    .selectAll()
    .where('organisationId', '=', channel.organisationId)
    .where('state', '=', 'enabled')
    .orderBy('createdAt')
    .orderBy('webhookId')
    .execute();
  const found: WebhookRecord[] = [];
  for (const webhook of enabled) {
    if (!(JSON.parse(webhook.events) as WebhookEvent[]).includes(event)) continue;
    const channels = [channel.channelNumber, ...also];
    const basis = { ...webhook, channels, ofUser, calls: callsOfWebhook(event) };
    const withdrawal = await withdrawalOf({ records }, basis, now);
    // An expired key is noticed when the event is sent, so that the webhook ends visibly.
    if (withdrawal === undefined || withdrawal === keyWithdrawn) found.push(webhook);
  }
  return found;
}
