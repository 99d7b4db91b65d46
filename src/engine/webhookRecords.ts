/** The records of webhooks, of their deliveries, and of the alerts about channels. */
import type { DeliveryState, WebhookEvent, WebhookState } from '../contract/webhooks.ts';

/** A webhook: an address that hears of events, with its sealed signing secret. */
export type WebhookRecord = {
  webhookId: string;
  organisationId: string;
  /** The user who created it. It hears only of channels that this user reaches. */
  userId: string;
  /** The key that created it; null for the console, and for records of earlier versions. */
  keyId: string | null;
  url: string;
  description: string;
  /** JSON of the list of events. */
  events: string;
  sealed: string;
  /** The previous sealed secret. */
  previousSealed: string | null;
  /** Until when the previous secret signs deliveries, too. */
  previousUntil: number | null;
  state: WebhookState;
  /** Why it is disabled. */
  reason: string | null;
  /** Since when all deliveries have failed; null if the last one succeeded. */
  failingSince: number | null;
  createdAt: number;
  updatedAt: number;
};

/** A delivery: an event on its way to a webhook. A job with the same identifier sends it. */
export type WebhookDeliveryRecord = {
  deliveryId: string;
  webhookId: string;
  channelNumber: number;
  /** JSON of the numbers of the further channels; null if there are none. */
  also: string | null;
  /** The only user with restricted channels who may hear of it; null for all. */
  ofUser: string | null;
  /** The header webhook-id: the same for all attempts and replays. */
  messageId: string;
  event: WebhookEvent;
  /** The JSON body that is sent. */
  body: string;
  state: DeliveryState;
  attempts: number;
  /** When the next attempt is due; null if there is none. */
  nextAt: number | null;
  /** The status of the last answer. */
  status: number | null;
  /** Why the last attempt failed. */
  error: string | null;
  createdAt: number;
  finishedAt: number | null;
};

/** A condition of a channel that was announced and still holds. */
export type ChannelAlertRecord = {
  channelNumber: number;
  event: WebhookEvent;
  /** The subject of the condition, such as a dataset. */
  subject: string;
  createdAt: number;
};
