/** The records of webhooks, of their deliveries, and of the alerts about channels. */
import type { DeliveryState, WebhookEvent, WebhookState } from '../contract/webhooks.ts';

/** A webhook: an address that hears of events, with its sealed signing secret. */
export type WebhookRecord = {
  webhookId: string;
  organisationId: string;
  /** The user who created it; it hears only of channels within reach of that user. */
  userId: string;
  /** The key by which it was created; null for the console, and for those of earlier versions. */
  keyId: string | null;
  url: string;
  description: string;
  /** JSON of the list of events. */
  events: string;
  sealed: string;
  /** The sealed secret that it has replaced. */
  previousSealed: string | null;
  /** Until when deliveries are signed with that one too. */
  previousUntil: number | null;
  state: WebhookState;
  /** Why it is disabled. */
  reason: string | null;
  /** Since when no delivery has succeeded; null if the last one has. */
  failingSince: number | null;
  createdAt: number;
  updatedAt: number;
};

/** A delivery: an event on its way to a webhook. A job of the same identifier sends it. */
export type WebhookDeliveryRecord = {
  deliveryId: string;
  webhookId: string;
  channelNumber: number;
  /** JSON of the numbers of further channels that it is about; null for none. */
  also: string | null;
  /** The only user with restricted channels who may hear of it; null for all. */
  ofUser: string | null;
  /** The header webhook-id: the same for all attempts and replays. */
  messageId: string;
  event: WebhookEvent;
  /** The JSON that is sent. */
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
  /** Of what it holds, such as a dataset. */
  subject: string;
  createdAt: number;
};
