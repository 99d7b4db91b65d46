/** The jobs that send deliveries. */
import { findOne } from '../access/records.ts';
import { createSeal, type Seal } from '../access/secret.ts';
import { keyWithdrawn, withdrawalOf } from '../access/withdrawals.ts';
import type { WebhookNetworks } from '../config.ts';
import type { WebhookEvent } from '../contract/webhooks.ts';
import type { Clock } from '../engine/clock.ts';
import {
  type RecordsTransaction,
  type Registry,
  type WebhookDeliveryRecord,
  type WebhookRecord,
  writeAudit,
} from '../engine/registry.ts';
import { CutOff } from '../jobs/slowLane.ts';
import { JobPostponed, type Work } from '../jobs/worker.ts';
import type { Announcer } from './announce.ts';
import { callsOfWebhook } from './calls.ts';
import { type GuardedLookup, guardLookup, type Resolve, urlFailure } from './networks.ts';
import { signingSecrets, webhookSecretUse } from './secrets.ts';
import { post, type Received } from './send.ts';

/** How long a delivery is tried. */
export const triedMilliseconds = 24 * 3_600_000;
/** A webhook that fails for longer is disabled. */
export const failingMillisecondsMax = 3 * 24 * 3_600_000;
/** How long deliveries are retained. */
export const deliveryRetentionMilliseconds = 30 * 24 * 3_600_000;

const firstPauseMilliseconds = 5_000;
const pauseFactor = 3;
const pauseMillisecondsMax = 6 * 3_600_000;
/** A pause is shorter or longer by up to this share, so that deliveries do not bunch up. */
const jitter = 0.2;
const errorLengthMax = 300;
/** The statuses by which an address declines further deliveries. */
const gone = 410;

/** The pause after a number of failed attempts; `random` is from 0 to 1. */
export function pauseAfter(attempts: number, random: number): number {
  const pause = firstPauseMilliseconds * pauseFactor ** (attempts - 1);
  return Math.round(Math.min(pause, pauseMillisecondsMax) * (1 + jitter * (2 * random - 1)));
}

/** The dependencies and settings of deliveries. */
export type DeliveryParts = {
  readonly registry: Registry;
  /** The installation key. */
  readonly secret: string;
  readonly clock: Clock;
  readonly announcer: Announcer;
  readonly networks: WebhookNetworks;
  /** Resolves names; by default as the system does. */
  readonly resolve?: Resolve;
  /** Random numbers from 0 to 1. */
  readonly random?: () => number;
};

/** Sends deliveries, each at least once. */
export function deliveryWork(parts: DeliveryParts): Work {
  return new Deliveries(parts);
}

type Found = { readonly delivery: WebhookDeliveryRecord; readonly webhook: WebhookRecord };

/** How an attempt ended. */
type Outcome = {
  readonly isDelivered: boolean;
  readonly status: number | null;
  readonly error: string | null;
  /** How long the address wants no further attempt, in milliseconds. */
  readonly restMilliseconds: number;
};

class Deliveries implements Work {
  readonly inOrder = false;
  readonly #parts: DeliveryParts;
  readonly #seal: Seal;
  readonly #random: () => number;
  #lookup: Promise<GuardedLookup> | undefined;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    this.#seal = createSeal(parts.secret, webhookSecretUse);
    this.#random = parts.random ?? Math.random;
  }

  readonly run: Work['run'] = async ({ jobId }, extendLease, signal) => {
    const found = await this.#find(jobId);
    if (found === undefined) return;
    const reason = await this.#refusal(found);
    if (reason !== undefined) return this.#drop(found, reason);
    if (!(await extendLease())) return;
    const outcome = await this.#attempt(found, signal);
    await this.#record(found, outcome);
  };

  /** When its job fails for good, a delivery no longer waits. */
  readonly onEnd: NonNullable<Work['onEnd']> = async (transaction, { jobId }, error) => {
    if (error === undefined) return;
    await transaction
      .updateTable('webhookDelivery')
      .set({ state: 'failed', error, nextAt: null, finishedAt: this.#now })
      .where('deliveryId', '=', jobId)
      .where('state', '=', 'waiting')
      .execute();
  };

  get #now(): number {
    return this.#parts.clock.now();
  }

  async #find(deliveryId: string): Promise<Found | undefined> {
    const { records } = this.#parts.registry;
    const delivery = await findOne(records, 'webhookDelivery', { deliveryId, state: 'waiting' });
    if (delivery === undefined) return undefined;
    const webhook = await findOne(records, 'webhook', { webhookId: delivery.webhookId });
    return webhook && { delivery, webhook };
  }

  /** Why a delivery may no longer be sent. */
  async #refusal({ delivery, webhook }: Found): Promise<string | undefined> {
    if (webhook.state !== 'enabled') return `the webhook is ${webhook.state}`;
    const { registry, networks } = this.#parts;
    const failure = urlFailure(webhook.url, networks);
    if (failure !== undefined) return `the address of the webhook ${failure}`;
    const further = JSON.parse(delivery.also ?? '[]') as number[];
    const channels = [delivery.channelNumber, ...further];
    const calls = callsOfWebhook(delivery.event);
    const basis = { ...webhook, channels, ofUser: delivery.ofUser, calls };
    return withdrawalOf(registry, basis, this.#now);
  }

  async #drop({ delivery, webhook }: Found, error: string): Promise<void> {
    const { registry, announcer } = this.#parts;
    const hasDisabled = await registry.records.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('webhookDelivery')
        .set({ state: 'dropped', error, nextAt: null, finishedAt: this.#now })
        .where('deliveryId', '=', delivery.deliveryId)
        .execute();
      return error === keyWithdrawn && this.#disable(transaction, { delivery, webhook }, error);
    });
    if (hasDisabled) announcer.wake();
  }

  async #attempt({ delivery, webhook }: Found, signal: AbortSignal): Promise<Outcome> {
    const { networks, resolve, clock } = this.#parts;
    const none = { status: null, restMilliseconds: 0 };
    try {
      const headers = await this.#headers(delivery, webhook);
      this.#lookup ??= guardLookup(networks, resolve);
      const posted = { url: webhook.url, headers, body: delivery.body };
      return outcomeOf(await post(posted, await this.#lookup, clock, signal), this.#now);
    } catch (error) {
      const isCutOff = signal.reason instanceof CutOff;
      if (signal.aborted && !isCutOff) throw error;
      if (isCutOff) return { isDelivered: false, error: signal.reason.message, ...none };
      const text = error instanceof Error ? error.message || error.name : String(error);
      return { isDelivered: false, error: text.slice(0, errorLengthMax), ...none };
    }
  }

  async #headers(
    { messageId, body }: WebhookDeliveryRecord,
    webhook: WebhookRecord,
  ): Promise<Record<string, string>> {
    const { Webhook } = await import('standardwebhooks');
    const at = new Date(this.#now);
    const signatures = signingSecrets(webhook, this.#seal, this.#now).map((secret) =>
      new Webhook(secret).sign(messageId, at, body),
    );
    return {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Vitrine-Webhooks',
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    };
  }

  /** Records how an attempt ended. Throws JobPostponed if another one follows. */
  async #record({ delivery, webhook }: Found, outcome: Outcome): Promise<void> {
    const { records } = this.#parts.registry;
    const { isDelivered, status, error, restMilliseconds } = outcome;
    const attempts = delivery.attempts + 1;
    const now = this.#now;
    const pause = Math.max(pauseAfter(attempts, this.#random()), restMilliseconds);
    const isLast = status === gone || now + pause > delivery.createdAt + triedMilliseconds;
    const isOver = isDelivered || isLast;
    const hasDisabled = await records.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('webhookDelivery')
        .set({
          attempts,
          status,
          error,
          nextAt: isOver ? null : now + pause,
          state: isDelivered ? 'delivered' : isLast ? 'failed' : 'waiting',
          finishedAt: isOver ? now : null,
        })
        .where('deliveryId', '=', delivery.deliveryId)
        .execute();
      if (isDelivered) return this.#noteSuccess(transaction, webhook);
      return this.#noteFailure(transaction, { delivery, webhook }, outcome, isLast);
    });
    if (hasDisabled) this.#parts.announcer.wake();
    if (!isOver) throw new JobPostponed(pause);
  }

  async #noteSuccess(transaction: RecordsTransaction, webhook: WebhookRecord): Promise<boolean> {
    if (webhook.failingSince !== null)
      await transaction
        .updateTable('webhook')
        .set({ failingSince: null })
        .where('webhookId', '=', webhook.webhookId)
        .execute();
    return false;
  }

  /**
   * Records since when a webhook has failed, and disables it after a long time. Returns whether it
   * did.
   */
  async #noteFailure(
    transaction: RecordsTransaction,
    { delivery, webhook }: Found,
    { status }: Outcome,
    isLast: boolean,
  ): Promise<boolean> {
    const now = this.#now;
    const { failingSince } = await transaction
      .updateTable('webhook')
      .set(({ fn, val }) => ({ failingSince: fn.coalesce('failingSince', val(now)) }))
      .where('webhookId', '=', webhook.webhookId)
      .returning('failingSince')
      .executeTakeFirstOrThrow();
    const isTooLong = isLast && now - failingSince! >= failingMillisecondsMax;
    if (status !== gone && !isTooLong) return false;
    const reason =
      status === gone
        ? 'its address answered 410 Gone'
        : `no delivery has succeeded since ${new Date(failingSince!).toISOString()}`;
    return this.#disable(transaction, { delivery, webhook }, reason);
  }

  /** Disables a webhook and announces that to the others. Returns whether it was enabled. */
  async #disable(
    transaction: RecordsTransaction,
    { delivery, webhook: { webhookId } }: Found,
    reason: string,
  ): Promise<boolean> {
    const now = this.#now;
    const { numUpdatedRows } = await transaction
      .updateTable('webhook')
      .set({ state: 'disabled', reason, updatedAt: now })
      .where('webhookId', '=', webhookId)
      .where('state', '=', 'enabled')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    const event = { action: 'disableWebhook', subject: webhookId, detail: { reason } };
    await writeAudit(transaction, now, 'service', event);
    await this.#announceDisabled(transaction, delivery, webhookId, reason);
    return true;
  }

  /** Announces it to the other webhooks of the organisation. */
  async #announceDisabled(
    transaction: RecordsTransaction,
    { channelNumber }: WebhookDeliveryRecord,
    webhookId: string,
    reason: string,
  ): Promise<void> {
    const channel = await findOne(transaction, 'channel', { channelNumber });
    if (channel === undefined) return;
    const event: WebhookEvent = 'webhook.disabled';
    await this.#parts.announcer.announce(transaction, {
      event,
      channel,
      data: { webhookId, reason },
    });
  }
}

function outcomeOf({ status, retryAfter }: Received, now: number): Outcome {
  const isDelivered = status >= 200 && status < 300;
  return {
    isDelivered,
    status,
    error: isDelivered ? null : `the address answered ${status}`,
    restMilliseconds: restOf(retryAfter, now),
  };
}

/** The milliseconds of a header retry-after, in seconds or as a date. */
function restOf(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  const milliseconds = /^\d{1,9}$/.test(retryAfter)
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - now;
  return Math.min(Math.max(0, milliseconds || 0), pauseMillisecondsMax);
}

/** Deletes the deliveries created more than 30 days ago. `now` is in epoch milliseconds. */
export async function pruneDeliveries({ records }: Registry, now: number): Promise<void> {
  await records
    .deleteFrom('webhookDelivery')
    .where('createdAt', '<', now - deliveryRetentionMilliseconds)
    .execute();
}
