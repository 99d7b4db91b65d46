/** Valid and invalid requests for every operation of the public interface. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Method, Tenant, World } from './harness.ts';
import { addRecords, channelNumberOf } from './records.ts';
import type { Fields } from './requests.ts';
import { barredRowsOf, textBeside } from './table.ts';

/** Valid and invalid requests for an operation. */
export type Row = {
  /** Values of the fields of a valid request, except its channel and its record. */
  readonly fields?: Fields;
  /** Values of fields that break a rule. */
  readonly wrong: Fields;
  /** The status for a channel that the key cannot reach, where the operation decides; else 404. */
  readonly unreachable?: 400;
  /** The kind of channel in its requests, unless it is a seller's. */
  readonly channelKind?: 'vendor';
  /**
   * Makes a record for the operation, and returns the fields that name it; each request has its
   * own, because some delete it.
   */
  readonly make?: (world: World, tenant: Tenant) => Promise<Fields>;
};

const newGroup = { groupName: 'Summer', brands: ['A'] };
const newWebhook = { url: 'https://example.com/hooks', events: ['report.finished'] };
const onMondays = { name: 'Mondays', cron: '0 7 * * 1', timezone: 'UTC', period: 'lastWeek' };
const newSchedule = { ...onMondays, operation: 'viewSalesByChannel', parameters: {} };
const directCosts = [{ sellerSku: 'A', cogs: 1.5, cogsCurrency: 'USD' }];

/** Sends a request as the owner of a tenant, and expects 200. */
async function ask(world: World, { key }: Tenant, method: Method, path: string, body: object) {
  const answer = await world.ask(key, method, path, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** Makes a record by a request whose answer names it. */
const making =
  (path: string, fields: object, answered: string, named = answered): NonNullable<Row['make']> =>
  async (world, tenant) => {
    const { channelId, merchantId } = tenant;
    const names = /^\/(?:webhooks|schedules)$/.test(path) ? {} : { channelId, merchantId };
    const body = await ask(world, tenant, 'POST', path, { ...names, ...fields });
    return { [named]: String(body[answered]) };
  };
const makeWebhook = making('/webhooks', newWebhook, 'webhookId');

/** Makes a webhook with a delivery. */
async function makeDelivery(world: World, tenant: Tenant): Promise<Fields> {
  const { webhookId } = await makeWebhook(world, tenant);
  const channelNumber = await channelNumberOf(world, tenant.channelId);
  const times = { createdAt: world.clock.now, finishedAt: world.clock.now, nextAt: null };
  const outcome = { attempts: 1, status: 200, error: null, ...times };
  const names = { deliveryId: randomUUID(), webhookId: String(webhookId) };
  const message = { messageId: 'msg_1', body: '{}', event: 'report.finished' } as const;
  const delivery = { ...names, channelNumber, ...message, ...outcome, state: 'delivered' } as const;
  await addRecords(world, 'webhookDelivery', delivery);
  return names;
}

/** A code that every tenant has named. */
export const namedCode = { source: 'settlement', code: 'New' };

const makers: Readonly<Record<string, NonNullable<Row['make']>>> = {
  group: making('/customGroups', newGroup, 'groupId', 'id'),
  webhook: makeWebhook,
  delivery: makeDelivery,
  schedule: making('/schedules', newSchedule, 'scheduleId'),
  report: making('/reports/create/inventoryReplenishment', {}, 'reportId'),
  job: making('/profitability/directCosts', { fromDate: 1_752_933_600, directCosts }, 'jobId'),
};

/** Fields as the table writes them, where a null leaves its field out. */
const fieldsIn = (text: string): Fields => {
  const fields = Object.entries(JSON.parse(text.replace('TOO LONG', 'x'.repeat(201))));
  return Object.fromEntries(fields.map(([name, value]) => [name, value ?? undefined]));
};

/** The requests by the names of the operations. */
export const rows: Readonly<Record<string, Row>> = Object.fromEntries(
  barredRowsOf(textBeside(import.meta.url, 'accessRows.txt')).map((row) => [
    row.operation,
    {
      wrong: fieldsIn(row.wrong!),
      ...(row.fields && { fields: fieldsIn(row.fields) }),
      ...(row.make && { make: makers[row.make] }),
      ...(row.unreachable && { unreachable: Number(row.unreachable) }),
      ...(row.channelKind && { channelKind: row.channelKind }),
    },
  ]),
);
