/** Webhooks and schedules of the demonstration, and the outcomes of their deliveries and runs. */
import { createSeal } from '../src/access/secret.ts';
import type { WebhookEvent } from '../src/contract/webhooks.ts';
import type { RecordsTransaction } from '../src/engine/registry.ts';
import { nextTimes } from '../src/schedules/cron.ts';
import { mintWebhookSecret, webhookSecretUse } from '../src/webhooks/secrets.ts';

/** The owner of the records, and the time of their creation in epoch milliseconds. */
type Parts = { readonly organisationId: string; readonly userId: string; readonly now: number };

const hour = 3_600_000;
const day = 24 * hour;
const [channelId, merchantId] = ['northwind-us', 'A2NORTHWIND01 @ ATVPDKIKX0DER'];

/** Nothing answers at names that end in .example. */
const webhooks = [
  ['alerts', 'Alerts in the chat of the team', ['data.overdue', 'target.at_risk']],
  ['warehouse', 'Loads finished reports', ['report.failed']],
  ['old', 'The receiver before', ['webhook.disabled']],
] as const;

type Delivery = {
  readonly event: WebhookEvent;
  /** How long ago it happened. */
  readonly hours: number;
  readonly status: number;
  readonly attempts: number;
  readonly data: object;
};

/** The deliveries, the newest first. */
function deliveriesAt(now: number): readonly Delivery[] {
  const date = (days: number) => new Date(now - days * day).toISOString().slice(0, 10);
  const overdue = (dataset: string, days: number) => ({
    dataset,
    lastDate: date(days),
    expectedDate: date(days - 2),
    missingDays: 2,
  });
  const atRisk = {
    target: 'salesBudget',
    month: date(0).slice(0, 7),
    asOf: date(1),
    currency: 'USD',
    sales: 90_210.5,
    budget: 96_000,
    percentage: 93.97,
  };
  const [first, second] = [overdue('campaignDays', 5), overdue('traffic', 11)];
  return [
    { event: 'target.at_risk', hours: 3, status: 204, attempts: 1, data: atRisk },
    { event: 'data.overdue', hours: 50, status: 200, attempts: 3, data: first },
    { event: 'data.overdue', hours: 200, status: 503, attempts: 12, data: second },
  ];
}

const schedules = [
  {
    scheduleId: 'northwind-monday',
    name: 'Sales of all stores, each Monday',
    cron: '0 7 * * 1',
    timezone: 'Europe/Berlin',
    period: 'lastWeek',
    state: 'enabled',
    operation: 'viewSalesByChannel',
    parameters: { currentCurrency: 'EUR', pageSize: 100 },
  },
  {
    scheduleId: 'northwind-old',
    name: 'Traffic of the US store, each morning',
    cron: '30 6 * * *',
    timezone: 'America/Los_Angeles',
    period: 'yesterday',
    state: 'paused',
    operation: 'createTrafficAndConversionReport',
    parameters: { channelId, merchantId, reportOptions: {} },
  },
] as const;

/** Adds the webhooks and their deliveries. */
export async function addWebhooks(
  transaction: RecordsTransaction,
  { organisationId, userId, now, secret }: Parts & { readonly secret: string },
): Promise<void> {
  const seal = createSeal(secret, webhookSecretUse);
  const records = webhooks.map(([name, description, events]) => {
    const webhookId = `northwind-${name}`;
    return {
      webhookId,
      organisationId,
      userId,
      description,
      url: `https://hooks.northwind.example/${name}`,
      events: JSON.stringify(events),
      sealed: seal.close(mintWebhookSecret(), webhookId),
      previousSealed: null,
      previousUntil: null,
      reason: null,
      state: 'enabled' as const,
      failingSince: null,
      createdAt: now,
      updatedAt: now,
    };
  });
  await transaction.insertInto('webhook').values(records).execute();
  const channel = await transaction
    .selectFrom('channel')
    .select('channelNumber')
    .where('channelId', '=', channelId)
    .where('organisationId', '=', organisationId)
    .executeTakeFirst();
  if (channel === undefined) return;
  const deliveries = deliveriesAt(now).map(({ event, hours, status, attempts, data }, place) => {
    const createdAt = now - hours * hour;
    const timestamp = new Date(createdAt).toISOString();
    const isDelivered = status < 300;
    return {
      deliveryId: `northwind-delivery-${place + 1}`,
      webhookId: 'northwind-alerts',
      ...channel,
      messageId: `msg_northwind${place + 1}`,
      event,
      attempts,
      status,
      body: JSON.stringify({ type: event, timestamp, data: { channelId, merchantId, ...data } }),
      state: isDelivered ? ('delivered' as const) : ('failed' as const),
      error: isDelivered ? null : `the address answered ${status}`,
      nextAt: null,
      createdAt,
      finishedAt: createdAt + (isDelivered ? attempts * 5_000 : 22 * hour),
    };
  });
  await transaction.insertInto('webhookDelivery').values(deliveries).execute();
}

/** Adds the schedules: one that has failed once, and one that is paused. */
export async function addSchedules(
  transaction: RecordsTransaction,
  { organisationId, userId, now }: Parts,
): Promise<void> {
  const records = schedules.map(({ parameters, ...schedule }) => {
    const [next] = nextTimes(schedule.cron, schedule.timezone, now, 1);
    return {
      ...schedule,
      organisationId,
      userId,
      keyId: null,
      emails: '[]',
      reason: null,
      parameters: JSON.stringify(parameters),
      nextAt: schedule.state === 'paused' ? null : next!,
      createdAt: now - 60 * day,
      updatedAt: now - 60 * day,
    };
  });
  await transaction.insertInto('schedule').values(records).execute();
  const { scheduleId, cron, timezone } = schedules[0];
  const dueAt = nextTimes(cron, timezone, now - 8 * day, 1)[0]!;
  await transaction
    .insertInto('scheduleRun')
    .values({
      runId: 'northwind-run-1',
      scheduleId,
      dueAt,
      state: 'failed',
      reportId: null,
      storedAs: null,
      fileName: null,
      mailError: null,
      mailedAt: null,
      error: 'the warehouse was unavailable for too long',
      createdAt: dueAt,
      finishedAt: dueAt + 60_000,
    })
    .execute();
}
