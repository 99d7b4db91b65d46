/** Announces events: each webhook that is to hear of one gets a delivery, which a job sends. */
import { randomUUID } from 'node:crypto';
import type { WebhookEvent } from '../contract/webhooks.ts';
import type {
  ChannelRecord,
  RecordsTransaction,
  Registry,
  WebhookRecord,
} from '../engine/registry.ts';
import { ChannelGone, type JobQueue } from '../jobs/queue.ts';

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
  /** The numbers of further channels that it is about; none by default. */
  readonly also?: readonly number[];
  /** The only user with restricted channels who may hear of it; all who reach it by default. */
  readonly ofUser?: string;
  /** Further fields of the event, besides those of the channel. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The only webhook that hears of it; all of them by default. */
  readonly only?: Pick<WebhookRecord, 'webhookId' | 'userId'>;
};

/** Announces events in the transactions of what they announce. */
export type Announcer = {
  readonly announce: (transaction: RecordsTransaction, event: ChannelEvent) => Promise<string[]>;
  /** Has the deliveries sent at once; called after the commit. */
  readonly wake: () => void;
};

/** An announcer that announces nothing. */
export const silentAnnouncer: Announcer = { announce: async () => [], wake() {} };

/** Makes the announcer. `now` is in epoch milliseconds. */
export function createAnnouncer(
  jobs: Pick<JobQueue, 'add' | 'announce'>,
  now: () => number,
): Announcer {
  return {
    wake: () => jobs.announce(),
    async announce(transaction, announced) {
      const { event, channel, data, only } = announced;
      const { channelNumber, channelId, merchantId } = channel;
      const webhooks = only === undefined ? await findWebhooks(transaction, announced) : [only];
      if (webhooks.length === 0) return [];
      const at = now();
      const timestamp = new Date(at).toISOString();
      const body = JSON.stringify({
        ...{ type: event, timestamp },
        data: { channelId, merchantId, ...data },
      });
      return queueDeliveries(transaction, jobs, at, webhooks, {
        ...{ channelNumber, event, body, messageId: `msg_${randomUUID().replaceAll('-', '')}` },
        organisationId: channel.organisationId,
      });
    },
  };
}

/** An event as it is sent. */
export type Message = {
  readonly messageId: string;
  readonly event: WebhookEvent;
  readonly body: string;
  readonly channelNumber: number;
  readonly organisationId: string;
};

/** Adds a delivery and its job for each webhook; returns their identifiers. */
export async function queueDeliveries(
  transaction: RecordsTransaction,
  jobs: Pick<JobQueue, 'add'>,
  now: number,
  webhooks: readonly Pick<WebhookRecord, 'webhookId' | 'userId'>[],
  { organisationId, ...message }: Message,
): Promise<string[]> {
  const added: string[] = [];
  const { channelNumber } = message;
  for (const { webhookId, userId } of webhooks) {
    const job = {
      kind: deliveryJob,
      channel: { channelNumber, organisationId },
      ...{ userId, payload: null },
    };
    const deliveryId = await jobs.add(transaction, job).catch((error: unknown) => {
      if (error instanceof ChannelGone) return undefined;
      throw error;
    });
    // Nobody is to hear of a channel that has been deleted meanwhile.
    if (deliveryId === undefined) return added;
    await transaction
      .insertInto('webhookDelivery')
      .values({
        ...{ deliveryId, webhookId, ...message, state: 'waiting', attempts: 0, nextAt: now },
        ...{ status: null, error: null, createdAt: now, finishedAt: null },
      })
      .execute();
    added.push(deliveryId);
  }
  return added;
}

/** Finds the webhooks that hear of an event of all of its channels. */
async function findWebhooks(
  transaction: RecordsTransaction,
  { event, channel, also = [], ofUser }: ChannelEvent,
): Promise<WebhookRecord[]> {
  let found = await hearingWebhooks(transaction, channel.channelNumber)
    .$if(ofUser !== undefined, (webhooks) =>
      webhooks.where(({ or, eb }) =>
        or([eb('userAccount.restricted', '=', 0), eb('webhook.userId', '=', ofUser!)]),
      ),
    )
    .execute();
  found = found.filter(({ events }) => (JSON.parse(events) as WebhookEvent[]).includes(event));
  for (const channelNumber of found.length > 0 ? also : []) {
    const hearing = await hearingWebhooks(transaction, channelNumber).execute();
    const known = new Set(hearing.map(({ webhookId }) => webhookId));
    found = found.filter(({ webhookId }) => known.has(webhookId));
  }
  return found;
}

/**
 * A query for the enabled webhooks that may hear of a channel: their user reaches it and may use
 * the API.
 */
export function hearingWebhooks(records: Registry['records'], channelNumber: number) {
  return records
    .selectFrom('webhook')
    .innerJoin('userAccount', 'userAccount.userId', 'webhook.userId')
    .innerJoin('organisation', 'organisation.organisationId', 'webhook.organisationId')
    .innerJoin('channel', 'channel.organisationId', 'webhook.organisationId')
    .selectAll('webhook')
    .where('channel.channelNumber', '=', channelNumber)
    .where('webhook.state', '=', 'enabled')
    .where('organisation.apiAccess', '=', 1)
    .where('userAccount.role', '!=', 'member')
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('userAccount.restricted', '=', 0),
        exists(
          selectFrom('channelAccess')
            .select('channelAccess.userId')
            .whereRef('channelAccess.userId', '=', 'webhook.userId')
            .where('channelAccess.channelNumber', '=', channelNumber),
        ),
      ]),
    )
    .orderBy('webhook.createdAt')
    .orderBy('webhook.webhookId');
}
