/** The events of webhooks, and the states of webhooks and deliveries. */

/** The events that webhooks hear of, by their names for clients, with their meanings. */
export const webhookEvents = {
  'report.finished': 'A CSV report is done; its file can be downloaded.',
  'report.failed': 'A CSV report failed for good.',
  'import.finished': 'A document or rows were imported.',
  'import.refused': 'An import was refused or failed; no fact has changed.',
  'data.overdue': 'A daily dataset of a channel misses two days or more.',
  'target.at_risk': 'Sales of the month are below 95 % of their budget so far.',
  'schedule.finished': 'A run of a schedule is done; its file can be downloaded.',
  'schedule.failed': 'A run of a schedule failed for good.',
  'webhook.disabled': 'A webhook of the organisation was disabled after failing for long.',
  'webhook.ping': 'A test, sent to the webhook that it was requested for, whatever its events.',
} as const;

/** An event that webhooks hear of. */
export type WebhookEvent = keyof typeof webhookEvents;

/** The events that a webhook may subscribe to. */
export const subscribedEvents = Object.keys(webhookEvents).filter(
  (event) => event !== 'webhook.ping',
) as Exclude<WebhookEvent, 'webhook.ping'>[];

/** The states of a webhook. */
export const webhookStates = ['enabled', 'paused', 'disabled'] as const;
/** The state of a webhook. */
export type WebhookState = (typeof webhookStates)[number];

/** The states of a delivery. */
export const deliveryStates = ['waiting', 'delivered', 'failed', 'dropped'] as const;
/** The state of a delivery. */
export type DeliveryState = (typeof deliveryStates)[number];
