/** Valid and invalid requests for every operation of the public interface. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Method, Tenant, World } from './harness.ts';
import { addRecords, channelNumberOf } from './records.ts';
import type { Fields } from './requests.ts';

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

const range = { fromDate: 1_752_933_600, toDate: 1_753_019_999 };
const prior = { priorFromDate: range.fromDate, priorToDate: range.toDate };
const days = { ...range, timezone: 'Australia/Sydney' };
const yearBefore = { priorFromDate: 1_721_397_600, priorToDate: 1_721_483_999 };
const newGroup = { groupName: 'Summer', brands: ['A'] };
const newWebhook = { url: 'https://example.com/hooks', events: ['report.finished'] };
const onMondays = { name: 'Mondays', cron: '0 7 * * 1', timezone: 'UTC', period: 'lastWeek' };
const newSchedule = { ...onMondays, operation: 'viewSalesByChannel', parameters: {} };
const directCosts = [{ sellerSku: 'A', cogs: 1.5, cogsCurrency: 'USD' }];
const costs = { fromDate: range.fromDate, directCosts };

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
const makeGroup = making('/customGroups', newGroup, 'groupId', 'id');
const makeWebhook = making('/webhooks', newWebhook, 'webhookId');
const makeSchedule = making('/schedules', newSchedule, 'scheduleId');
const makeReport = making('/reports/create/inventoryReplenishment', {}, 'reportId');
const makeJob = making('/profitability/directCosts', costs, 'jobId');

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
const ofDays: Row = { fields: { reportOptions: days }, wrong: { reportOptions: undefined } };
const ofReport: Row = { fields: { reportOptions: range }, wrong: { reportOptions: undefined } };
const ofVendorDays = { ...ofDays, channelKind: 'vendor' } as const;
const ofVendorReport = { ...ofReport, channelKind: 'vendor' } as const;
const inDollars = { reportOptions: days, currentCurrency: 'USD' };
const ofGroup: Row = { make: makeGroup, wrong: { groupName: undefined } };
const ofHook: Row = { make: makeWebhook, wrong: { state: 'disabled' } };
const ofTaxedReport: Row = { ...ofReport, wrong: { 'reportOptions.includeTax': 5 } };
const ofAdvertisingReport: Row = { ...ofReport, wrong: { 'reportOptions.timezone': 5 } };
/** They name only channels, and a channel out of reach cannot be requested. */
const ofAdvertising: Row = { unreachable: 400, wrong: { pageSize: 0 } };
const tooLong = 'x'.repeat(201);

/** The requests by the names of the operations. */
export const rows: Readonly<Record<string, Row>> = {
  listChannels: { wrong: { filter: 5 } },
  changeChannelTags: { fields: { addTags: ['summer'] }, wrong: { addTags: undefined } },
  listTags: { wrong: { pageSize: 24 } },
  readChannelTags: { wrong: { merchantId: undefined } },
  convertTag: { fields: { tag: 'summer' }, wrong: { tag: '' } },
  saveCustomGroup: { fields: newGroup, wrong: { groupId: 999_999_999, groupName: '' } },
  listCustomGroups: { wrong: { pageSize: 0 } },
  readCustomGroup: { make: makeGroup, wrong: { channelId: '', merchantId: undefined } },
  changeCustomGroup: { ...ofGroup, fields: { groupName: 'Winter' } },
  deleteCustomGroup: { make: makeGroup, wrong: { channelId: '', merchantId: undefined } },
  viewAdvertisingByChannels: { fields: inDollars, wrong: { currentCurrency: undefined } },
  viewProfitByPeriod: { ...ofDays, unreachable: 400 },
  viewSalesByChannel: { fields: { ...days, ...prior }, wrong: { priorFromDate: undefined } },
  viewSalesByPeriod: ofDays,
  viewSalesByProduct: { fields: days, wrong: { sortKey: 'none' } },
  createCustomerLifetimeValueReport: ofReport,
  createTrafficAndConversionReport: { ...ofReport, wrong: { 'reportOptions.view': 5 } },
  createCancellationsAndRefundsReport: ofTaxedReport,
  createRepeatPurchaseReport: ofTaxedReport,
  createOrderedRevenueReport: ofVendorReport,
  createShippedRevenueReport: { ...ofVendorReport, wrong: { 'reportOptions.view': 'traffic' } },
  createInventoryReplenishmentReport: { wrong: { merchantId: undefined } },
  createSalesByProductReport: ofReport,
  createCampaignsReport: ofAdvertisingReport,
  createMarketingByProductReport: ofAdvertisingReport,
  createChannelProfitAndLossReport: ofAdvertisingReport,
  listReports: { wrong: { pageSize: 0 } },
  readReportStatus: { make: makeReport, wrong: { channelId: '', merchantId: undefined } },
  listSearchQueryPerformance: { fields: { ...days, ...yearBefore }, wrong: { pageSize: 0 } },
  viewVendorSalesByPeriod: { ...ofVendorDays, wrong: { 'reportOptions.interval': 'h' } },
  readLineage: { fields: { dataset: 'traffic', date: '2025-03-05' }, wrong: { date: undefined } },
  readTargets: { fields: days, wrong: { fromDate: undefined } },
  listOrders: { wrong: { key: 'none' } },
  listCampaigns: ofAdvertising,
  listAdGroups: ofAdvertising,
  listKeywords: ofAdvertising,
  listProducts: ofAdvertising,
  readStoreProfitAndLoss: { ...ofDays, wrong: { 'reportOptions.includeTax': 1 } },
  readProductProfitAndLoss: { ...ofDays, wrong: { 'reportOptions.pageSize': 0 } },
  listUnknownCodes: { fields: range, wrong: { fromDate: undefined } },
  saveCode: { fields: namedCode, wrong: { source: 'none' } },
  saveDirectCosts: { fields: costs, wrong: { directCosts: [] } },
  readDirectCostsJobStatus: { make: makeJob, wrong: { jobId: '' } },
  createSchedule: { fields: newSchedule, wrong: { cron: '' } },
  listSchedules: { wrong: { pageSize: 0 } },
  changeSchedule: { make: makeSchedule, fields: { name: 'new' }, wrong: { state: 'disabled' } },
  deleteSchedule: { make: makeSchedule, wrong: { scheduleId: tooLong } },
  runSchedule: { make: makeSchedule, wrong: { scheduleId: tooLong } },
  listScheduleRuns: { make: makeSchedule, wrong: { pageSize: 0 } },
  createWebhook: { fields: newWebhook, wrong: { events: [] } },
  listWebhooks: { wrong: { pageSize: 0 } },
  changeWebhook: { ...ofHook, fields: { description: 'new' } },
  deleteWebhook: { make: makeWebhook, wrong: { webhookId: tooLong } },
  rotateWebhookSecret: { make: makeWebhook, wrong: { graceSeconds: -1 } },
  testWebhook: { make: makeWebhook, wrong: { webhookId: tooLong } },
  listWebhookDeliveries: { make: makeWebhook, wrong: { state: 'unknown' } },
  replayWebhookDelivery: { make: makeDelivery, wrong: { deliveryId: tooLong } },
};
