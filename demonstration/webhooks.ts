/** Webhooks of the demonstration, and what became of their deliveries. */
import { createSeal } from '../src/access/secret.ts';
import type { WebhookEvent } from '../src/contract/webhooks.ts';
import type { RecordsTransaction } from '../src/engine/registry.ts';
import { mintWebhookSecret, webhookSecretUse } from '../src/webhooks/secrets.ts';

const channelId = 'northwind-us';
const hour = 3_600_000;

/** Nothing answers under names that end in .example. */
const webhooks = [
  {
    webhookId: 'northwind-alerts',
    url: 'https://hooks.northwind.example/alerts',
    description: 'Alerts in the chat of the team',
    events: ['data.overdue', 'target.at_risk'],
  },
  {
    webhookId: 'northwind-warehouse',
    url: 'https://hooks.northwind.example/warehouse',
    description: 'Loads finished reports',
    events: ['report.failed'],
  },
  {
    webhookId: 'northwind-old',
    url: 'https://hooks.northwind.example/old',
    description: 'The receiver before',
    events: ['webhook.disabled'],
  },
] as const;

const month = (now: number) => new Date(now).toISOString().slice(0, 7);
const date = (now: number, daysBefore: number) =>
  new Date(now - daysBefore * 24 * hour).toISOString().slice(0, 10);

type Delivery = {
  readonly event: WebhookEvent;
  /** How long ago it happened. */
  readonly hours: number;
  readonly status: number;
  readonly attempts: number;
  readonly data: object;
};

/** The deliveries, the newest first. */
const deliveries = (now: number): readonly Delivery[] => [
  {
    event: 'target.at_risk',
    ...{ hours: 3, status: 204, attempts: 1 },
    data: {
      ...{ target: 'salesBudget', month: month(now), asOf: date(now, 1), currency: 'USD' },
      ...{ sales: 90_210.5, budget: 96_000, percentage: 93.97 },
    },
  },
  {
    event: 'data.overdue',
    ...{ hours: 50, status: 200, attempts: 3 },
    data: {
      ...{ dataset: 'campaignDays', lastDate: date(now, 5), expectedDate: date(now, 3) },
      missingDays: 2,
    },
  },
  {
    event: 'data.overdue',
    ...{ hours: 200, status: 503, attempts: 12 },
    data: {
      ...{ dataset: 'traffic', lastDate: date(now, 11), expectedDate: date(now, 9) },
      missingDays: 2,
    },
  },
];

type Parts = {
  readonly organisationId: string;
  readonly ownerId: string;
  readonly secret: string;
  /** In epoch milliseconds. */
  readonly now: number;
};

/** Adds the webhooks and their deliveries. */
export async function addWebhooks(
  transaction: RecordsTransaction,
  { organisationId, ownerId, secret, now }: Parts,
): Promise<void> {
  const seal = createSeal(secret, webhookSecretUse);
  for (const { webhookId, url, description, events } of webhooks)
    await transaction
      .insertInto('webhook')
      .values({
        ...{ webhookId, organisationId, userId: ownerId, url, description },
        ...{ events: JSON.stringify(events), sealed: seal.close(mintWebhookSecret(), webhookId) },
        ...{ previousSealed: null, previousUntil: null, state: 'enabled', reason: null },
        ...{ failingSince: null, createdAt: now, updatedAt: now },
      })
      .execute();
  const channel = await transaction
    .selectFrom('channel')
    .select(['channelNumber', 'merchantId'])
    .where('channelId', '=', channelId)
    .where('organisationId', '=', organisationId)
    .executeTakeFirst();
  if (channel === undefined) return;
  const { channelNumber, merchantId } = channel;
  for (const [place, { event, hours, status, attempts, data }] of deliveries(now).entries()) {
    const createdAt = now - hours * hour;
    const timestamp = new Date(createdAt).toISOString();
    const isDelivered = status < 300;
    await transaction
      .insertInto('webhookDelivery')
      .values({
        ...{ deliveryId: `northwind-delivery-${place + 1}`, webhookId: 'northwind-alerts' },
        ...{ channelNumber, messageId: `msg_northwind${place + 1}`, event, attempts, status },
        body: JSON.stringify({ type: event, timestamp, data: { channelId, merchantId, ...data } }),
        state: isDelivered ? 'delivered' : 'failed',
        error: isDelivered ? null : `the address answered ${status}`,
        nextAt: null,
        createdAt,
        finishedAt: createdAt + (isDelivered ? attempts * 5_000 : 22 * hour),
      })
      .execute();
  }
}
