/** Access rules: every operation, every kind of caller, every kind of channel. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import Type from 'typebox';
import { mintKey } from '../src/access/keys.ts';
import { type Contract, contract } from '../src/contract/endpoint.ts';
import { channelFields, Text } from '../src/contract/shapes.ts';
import { operatorContracts, publicContracts } from '../src/endpoints/contracts.ts';
import type { Endpoint } from '../src/endpoints/handler.ts';
import { endpoints } from '../src/endpoints/handlers.ts';
import { casesOn, hardlyLimited, onOnePair, type Tenant, type World } from './harness.ts';
import { importRows } from './imports.ts';

type Names = { readonly channelId: string; readonly merchantId: string };
type Request = { readonly path: string; readonly body?: unknown };

/** Valid and invalid requests for an operation. */
type Row = {
  /** The request; `id` identifies a record that `make` has made. */
  readonly ask: (names: Names, id: string) => Request;
  /** The same with something that breaks a rule. */
  readonly askWrongly: (names: Names, id: string) => Request;
  /** The status for a channel that the key cannot reach, where the operation decides; else 404. */
  readonly unreachable?: 400;
  /** The kind of channel in its requests, unless it is a seller's. */
  readonly channelKind?: 'vendor';
  /** Makes a record for the operation; each request has its own, because some delete it. */
  readonly make?: (world: World, tenant: Tenant) => Promise<string>;
};

const queryOf = ({ channelId, merchantId }: Names) =>
  new URLSearchParams({ channelId, merchantId });
const costs = {
  fromDate: 1_752_933_600,
  directCosts: [{ sellerSku: 'A', cogs: 1.5, cogsCurrency: 'USD' }],
};
const days = { fromDate: 1_752_933_600, toDate: 1_753_019_999, timezone: 'Australia/Sydney' };
const prior = { priorFromDate: days.fromDate, priorToDate: days.toDate };
const monthsCompared = new URLSearchParams({
  ...{
    fromDate: '1752933600',
    toDate: '1753019999',
    priorFromDate: '1721397600',
    priorToDate: '1721483999',
  },
  timezone: 'Australia/Sydney',
});

async function makeGroup(world: World, { key, channelId, merchantId }: Tenant): Promise<string> {
  const { status, body } = await world.ask(key, 'POST', '/customGroups', {
    channelId,
    merchantId,
    groupName: 'Summer',
    brands: ['A'],
  });
  assert.equal(status, 200, JSON.stringify(body));
  return String(body.groupId);
}

async function makeCostsJob(world: World, { key, channelId, merchantId }: Tenant): Promise<string> {
  const { status, body } = await world.ask(key, 'POST', '/profitability/directCosts', {
    channelId,
    merchantId,
    ...costs,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.jobId;
}

const range = { fromDate: 1_752_933_600, toDate: 1_753_019_999 };

async function makeReport(world: World, { key, channelId, merchantId }: Tenant): Promise<string> {
  const { status, body } = await world.ask(key, 'POST', '/reports/create/inventoryReplenishment', {
    channelId,
    merchantId,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.reportId;
}

const newWebhook = { url: 'https://example.com/hooks', events: ['report.finished'] };

const newSchedule = {
  ...{ name: 'Mondays', cron: '0 7 * * 1', timezone: 'UTC', period: 'lastWeek' },
  ...{ operation: 'viewSalesByChannel', parameters: {} },
};

async function makeSchedule(world: World, { key }: Tenant): Promise<string> {
  const { status, body } = await world.ask(key, 'POST', '/schedules', newSchedule);
  assert.equal(status, 200, JSON.stringify(body));
  return body.scheduleId;
}

async function makeWebhook(world: World, { key }: Tenant): Promise<string> {
  const { status, body } = await world.ask(key, 'POST', '/webhooks', newWebhook);
  assert.equal(status, 200, JSON.stringify(body));
  return body.webhookId;
}

/** Makes a webhook with a delivery; returns both identifiers. */
async function makeDelivery(world: World, tenant: Tenant): Promise<string> {
  const webhookId = await makeWebhook(world, tenant);
  const { channelNumber } = await world.registry.records
    .selectFrom('channel')
    .select('channelNumber')
    .where('channelId', '=', tenant.channelId)
    .executeTakeFirstOrThrow();
  const times = { createdAt: world.clock.now, finishedAt: world.clock.now, nextAt: null };
  const outcome = { attempts: 1, status: 200, error: null, ...times };
  const deliveryId = randomUUID();
  await world.registry.records
    .insertInto('webhookDelivery')
    .values({
      ...{ deliveryId, webhookId, channelNumber, messageId: 'msg_1', body: '{}', ...outcome },
      event: 'report.finished',
      state: 'delivered',
    })
    .execute();
  return `${webhookId} ${deliveryId}`;
}

function replayPath(ids: string): string {
  const [webhookId, deliveryId] = [ids.split(' ')[0], ids.split(' ').at(-1)];
  return `/webhooks/${webhookId}/deliveries/${deliveryId}/replay`;
}

/** A request for every operation of the public interface. */
const rows: Record<string, Row> = {
  listChannels: {
    ask: () => ({ path: '/channels', body: {} }),
    askWrongly: () => ({ path: '/channels', body: { filter: 5 } }),
  },
  changeChannelTags: {
    ask: (names) => ({ path: '/tags/channel', body: { ...names, addTags: ['summer'] } }),
    askWrongly: (names) => ({ path: '/tags/channel', body: { ...names } }),
  },
  listTags: {
    ask: () => ({ path: '/tags' }),
    askWrongly: () => ({ path: '/tags?pageSize=24' }),
  },
  readChannelTags: {
    ask: (names) => ({ path: `/tags/channel?${queryOf(names)}` }),
    askWrongly: ({ channelId }) => ({
      path: `/tags/channel?${new URLSearchParams({ channelId })}`,
    }),
  },
  convertTag: {
    ask: () => ({ path: '/tags/convert', body: { tag: 'summer' } }),
    askWrongly: () => ({ path: '/tags/convert', body: { tag: '' } }),
  },
  saveCustomGroup: {
    ask: (names) => ({
      path: '/customGroups',
      body: { ...names, groupName: 'Summer', brands: ['A'] },
    }),
    askWrongly: (names) => ({
      path: '/customGroups',
      body: { ...names, groupId: 999_999_999, groupName: '' },
    }),
  },
  listCustomGroups: {
    ask: (names) => ({ path: `/customGroups?${queryOf(names)}` }),
    askWrongly: (names) => ({ path: `/customGroups?${queryOf(names)}&pageSize=0` }),
  },
  readCustomGroup: {
    make: makeGroup,
    ask: (names, id) => ({ path: `/customGroups/${id}?${queryOf(names)}` }),
    askWrongly: (_names, id) => ({ path: `/customGroups/${id}?channelId=` }),
  },
  changeCustomGroup: {
    make: makeGroup,
    ask: (names, id) => ({ path: `/customGroups/${id}`, body: { ...names, groupName: 'Winter' } }),
    askWrongly: (names, id) => ({ path: `/customGroups/${id}`, body: { ...names } }),
  },
  deleteCustomGroup: {
    make: makeGroup,
    ask: (names, id) => ({ path: `/customGroups/${id}?${queryOf(names)}` }),
    askWrongly: (_names, id) => ({ path: `/customGroups/${id}?channelId=` }),
  },
  viewAdvertisingByChannels: {
    ask: () => ({
      path: '/reports/view/advertisingByChannels',
      body: { reportOptions: days, currentCurrency: 'USD' },
    }),
    askWrongly: () => ({
      path: '/reports/view/advertisingByChannels',
      body: { reportOptions: days },
    }),
  },
  viewProfitByPeriod: {
    unreachable: 400,
    ask: (names) => ({
      path: '/reports/view/profitByPeriod',
      body: { ...names, reportOptions: days },
    }),
    askWrongly: (names) => ({ path: '/reports/view/profitByPeriod', body: { ...names } }),
  },
  viewSalesByChannel: {
    ask: () => ({ path: '/reports/view/salesByChannel', body: { ...days, ...prior } }),
    askWrongly: () => ({ path: '/reports/view/salesByChannel', body: { ...days } }),
  },
  viewSalesByPeriod: {
    ask: (names) => ({
      path: '/reports/view/salesByPeriod',
      body: { ...names, reportOptions: days },
    }),
    askWrongly: (names) => ({ path: '/reports/view/salesByPeriod', body: { ...names } }),
  },
  viewSalesByProduct: {
    ask: (names) => ({ path: '/reports/view/salesByProduct', body: { ...names, ...days } }),
    askWrongly: (names) => ({
      path: '/reports/view/salesByProduct',
      body: { ...names, ...days, sortKey: 'none' },
    }),
  },
  createCustomerLifetimeValueReport: {
    ask: (names) => ({
      path: '/reports/create/customerLifetimeValue',
      body: { ...names, reportOptions: range },
    }),
    askWrongly: (names) => ({ path: '/reports/create/customerLifetimeValue', body: { ...names } }),
  },
  createTrafficAndConversionReport: {
    ask: (names) => ({
      path: '/reports/create/trafficAndConversion',
      body: { ...names, reportOptions: range },
    }),
    askWrongly: (names) => ({
      path: '/reports/create/trafficAndConversion',
      body: { ...names, reportOptions: { ...range, view: 5 } },
    }),
  },
  createCancellationsAndRefundsReport: {
    ask: (names) => ({
      path: '/reports/create/cancellationsAndRefunds',
      body: { ...names, reportOptions: range },
    }),
    askWrongly: (names) => ({
      path: '/reports/create/cancellationsAndRefunds',
      body: { ...names, reportOptions: { ...range, includeTax: 5 } },
    }),
  },
  createRepeatPurchaseReport: {
    ask: (names) => ({
      path: '/reports/create/repeatPurchase',
      body: { ...names, reportOptions: range },
    }),
    askWrongly: (names) => ({
      path: '/reports/create/repeatPurchase',
      body: { ...names, reportOptions: { ...range, includeTax: 5 } },
    }),
  },
  createOrderedRevenueReport: {
    channelKind: 'vendor',
    ask: (names) => ({
      path: '/reports/create/orderedRevenue',
      body: { ...names, reportOptions: range },
    }),
    askWrongly: (names) => ({ path: '/reports/create/orderedRevenue', body: { ...names } }),
  },
  createShippedRevenueReport: {
    channelKind: 'vendor',
    ask: (names) => ({
      path: '/reports/create/shippedRevenue',
      body: { ...names, reportOptions: range },
    }),
    askWrongly: (names) => ({
      path: '/reports/create/shippedRevenue',
      body: { ...names, reportOptions: { ...range, view: 'traffic' } },
    }),
  },
  createInventoryReplenishmentReport: {
    ask: (names) => ({ path: '/reports/create/inventoryReplenishment', body: { ...names } }),
    askWrongly: ({ channelId }) => ({
      path: '/reports/create/inventoryReplenishment',
      body: { channelId },
    }),
  },
  createSalesByProductReport: {
    ask: (names) => ({
      path: '/reports/create/salesByProduct',
      body: { ...names, reportOptions: range },
    }),
    askWrongly: (names) => ({ path: '/reports/create/salesByProduct', body: { ...names } }),
  },
  listReports: {
    ask: () => ({ path: '/reports' }),
    askWrongly: () => ({ path: '/reports?pageSize=0' }),
  },
  readReportStatus: {
    make: makeReport,
    ask: (names, id) => ({ path: `/reports/status/${id}?${queryOf(names)}` }),
    askWrongly: (_names, id) => ({ path: `/reports/status/${id}?channelId=` }),
  },
  listSearchQueryPerformance: {
    ask: (names) => ({
      path: `/search-query-performance/asins?${queryOf(names)}&${monthsCompared}`,
    }),
    askWrongly: (names) => ({
      path: `/search-query-performance/asins?${queryOf(names)}&${monthsCompared}&pageSize=0`,
    }),
  },
  viewVendorSalesByPeriod: {
    channelKind: 'vendor',
    ask: (names) => ({
      path: '/reports/view/vendorSalesByPeriod',
      body: { ...names, reportOptions: days },
    }),
    askWrongly: (names) => ({
      path: '/reports/view/vendorSalesByPeriod',
      body: { ...names, reportOptions: { ...days, interval: 'h' } },
    }),
  },
  readLineage: {
    ask: (names) => ({ path: `/lineage?${queryOf(names)}&dataset=traffic&date=2025-03-05` }),
    askWrongly: (names) => ({ path: `/lineage?${queryOf(names)}&dataset=traffic` }),
  },
  readTargets: {
    ask: (names) => ({
      path: `/targets?${queryOf(names)}&fromDate=${days.fromDate}&toDate=${days.toDate}&timezone=${days.timezone}`,
    }),
    askWrongly: (names) => ({ path: `/targets?${queryOf(names)}` }),
  },
  listOrders: {
    ask: (names) => ({ path: '/orders/primarymkt', body: { ...names } }),
    askWrongly: (names) => ({ path: '/orders/primarymkt', body: { ...names, key: 'none' } }),
  },
  readStoreProfitAndLoss: {
    ask: (names) => ({
      path: '/profitability/storeProfitAndLoss',
      body: { ...names, reportOptions: days },
    }),
    askWrongly: (names) => ({
      path: '/profitability/storeProfitAndLoss',
      body: { ...names, reportOptions: { ...days, includeTax: 1 } },
    }),
  },
  readProductProfitAndLoss: {
    ask: (names) => ({
      path: '/profitability/productProfitAndLoss',
      body: { ...names, reportOptions: days },
    }),
    askWrongly: (names) => ({
      path: '/profitability/productProfitAndLoss',
      body: { ...names, reportOptions: { ...days, pageSize: 0 } },
    }),
  },
  saveDirectCosts: {
    ask: (names) => ({ path: '/profitability/directCosts', body: { ...names, ...costs } }),
    askWrongly: (names) => ({
      path: '/profitability/directCosts',
      body: { ...names, ...costs, directCosts: [] },
    }),
  },
  readDirectCostsJobStatus: {
    make: makeCostsJob,
    ask: (names, id) => ({
      path: `/profitability/directCostsJobStatus?${queryOf(names)}&jobId=${id}`,
    }),
    askWrongly: (names) => ({
      path: `/profitability/directCostsJobStatus?${queryOf(names)}&jobId=`,
    }),
  },
};

Object.assign(rows, {
  createSchedule: {
    ask: () => ({ path: '/schedules', body: newSchedule }),
    askWrongly: () => ({ path: '/schedules', body: { ...newSchedule, cron: '' } }),
  },
  listSchedules: {
    ask: () => ({ path: '/schedules' }),
    askWrongly: () => ({ path: '/schedules?pageSize=0' }),
  },
  changeSchedule: {
    make: makeSchedule,
    ask: (_names, id) => ({ path: `/schedules/${id}`, body: { name: 'new' } }),
    askWrongly: (_names, id) => ({ path: `/schedules/${id}`, body: { state: 'disabled' } }),
  },
  deleteSchedule: {
    make: makeSchedule,
    ask: (_names, id) => ({ path: `/schedules/${id}` }),
    askWrongly: () => ({ path: `/schedules/${'x'.repeat(201)}` }),
  },
  runSchedule: {
    make: makeSchedule,
    ask: (_names, id) => ({ path: `/schedules/${id}/run` }),
    askWrongly: () => ({ path: `/schedules/${'x'.repeat(201)}/run` }),
  },
  listScheduleRuns: {
    make: makeSchedule,
    ask: (_names, id) => ({ path: `/schedules/${id}/runs` }),
    askWrongly: (_names, id) => ({ path: `/schedules/${id}/runs?pageSize=0` }),
  },
  createWebhook: {
    ask: () => ({ path: '/webhooks', body: newWebhook }),
    askWrongly: () => ({ path: '/webhooks', body: { ...newWebhook, events: [] } }),
  },
  listWebhooks: {
    ask: () => ({ path: '/webhooks' }),
    askWrongly: () => ({ path: '/webhooks?pageSize=0' }),
  },
  changeWebhook: {
    make: makeWebhook,
    ask: (_names, id) => ({ path: `/webhooks/${id}`, body: { description: 'new' } }),
    askWrongly: (_names, id) => ({ path: `/webhooks/${id}`, body: { state: 'disabled' } }),
  },
  deleteWebhook: {
    make: makeWebhook,
    ask: (_names, id) => ({ path: `/webhooks/${id}` }),
    askWrongly: () => ({ path: `/webhooks/${'x'.repeat(201)}` }),
  },
  rotateWebhookSecret: {
    make: makeWebhook,
    ask: (_names, id) => ({ path: `/webhooks/${id}/rotate`, body: {} }),
    askWrongly: (_names, id) => ({ path: `/webhooks/${id}/rotate`, body: { graceSeconds: -1 } }),
  },
  testWebhook: {
    make: makeWebhook,
    ask: (_names, id) => ({ path: `/webhooks/${id}/test` }),
    askWrongly: () => ({ path: `/webhooks/${'x'.repeat(201)}/test` }),
  },
  listWebhookDeliveries: {
    make: makeWebhook,
    ask: (_names, id) => ({ path: `/webhooks/${id}/deliveries` }),
    askWrongly: (_names, id) => ({ path: `/webhooks/${id}/deliveries?state=unknown` }),
  },
  replayWebhookDelivery: {
    make: makeDelivery,
    ask: (_names, id) => ({ path: replayPath(id) }),
    askWrongly: (_names, id) => ({ path: replayPath(`${id} ${'x'.repeat(201)}`) }),
  },
} satisfies typeof rows);

for (const [operation, name] of [
  ['createCampaignsReport', 'campaigns'],
  ['createMarketingByProductReport', 'marketingByProduct'],
  ['createChannelProfitAndLossReport', 'channelProfitAndLoss'],
] as const) {
  const path = `/reports/create/${name}`;
  rows[operation] = {
    ask: (names) => ({ path, body: { ...names, reportOptions: range } }),
    askWrongly: (names) => ({
      path,
      body: { ...names, reportOptions: { ...range, timezone: 5 } },
    }),
  };
}

for (const [operation, path] of [
  ['listCampaigns', '/advertising/campaigns'],
  ['listAdGroups', '/advertising/adGroups'],
  ['listKeywords', '/advertising/keywords'],
  ['listProducts', '/advertising/products'],
] as const) {
  rows[operation] = {
    // They name channels alone, and a channel out of reach is one that cannot be asked for.
    unreachable: 400,
    ask: ({ channelId }) => ({ path: `${path}?${new URLSearchParams({ channelId })}` }),
    askWrongly: ({ channelId }) => ({
      path: `${path}?${new URLSearchParams({ channelId })}&pageSize=0`,
    }),
  };
}

const words = {
  summary: 'An example',
  description: 'It exists only here.',
  answer: Type.Object({ found: Type.Boolean() }),
};

/** Operations that need a grant, whatever the interface has of them. */
const examples: readonly { readonly endpoint: Endpoint; readonly row: Row }[] = [
  {
    endpoint: {
      contract: contract({
        ...words,
        operation: 'exampleOfOrders',
        access: 'key',
        method: 'POST',
        path: '/examples/orders',
        grant: 'orders',
        channel: true,
        body: Type.Object({ ...channelFields, text: Text() }),
      }),
      handler: async () => ({ found: true }),
    },
    row: {
      ask: (names) => ({ path: '/examples/orders', body: { ...names, text: 'a' } }),
      askWrongly: (names) => ({ path: '/examples/orders', body: { ...names } }),
    },
  },
  {
    endpoint: {
      contract: contract({
        ...words,
        operation: 'exampleOfQueries',
        access: 'key',
        method: 'GET',
        path: '/examples/queries',
        grant: 'searchQueryPerformance',
        channel: true,
        query: Type.Object({ ...channelFields, text: Text() }),
      }),
      handler: async () => ({ found: true }),
    },
    row: {
      ask: (names) => ({ path: `/examples/queries?${queryOf(names)}&text=a` }),
      askWrongly: (names) => ({ path: `/examples/queries?${queryOf(names)}` }),
    },
  },
];

type Operation = { readonly contract: Contract; readonly row: Row };

/** Every operation with its row, those made up here included. */
const operations: readonly Operation[] = [
  ...Object.entries(publicContracts as Readonly<Record<string, Contract>>).flatMap(
    ([operation, one]) => {
      const row = rows[operation];
      return row === undefined ? [] : [{ contract: one, row }];
    },
  ),
  ...examples.map(({ endpoint, row }) => ({ contract: endpoint.contract, row })),
];

test('every operation has its row in this table, and every row its operation', () => {
  assert.deepEqual(Object.keys(rows).sort(), Object.keys(publicContracts).sort());
});

/** A caller of the API. */
type Caller = {
  readonly name: string;
  readonly key: string | undefined;
  /** The key is invalid. */
  readonly isRefused?: true;
  /** The user or the organisation may not use the interface. */
  readonly isShutOut?: true;
  readonly isEnterprise?: true;
  readonly isEntitled?: true;
  /** The owner of the channels within reach; without it there are none. */
  readonly tenant?: Tenant;
};

type Sent = {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
};

let sends = 0;

async function send(
  world: World,
  method: string,
  { path, body }: Request,
  headers: Readonly<Record<string, string>>,
): Promise<Sent> {
  sends++;
  const response = await world.server.inject({
    method: method as 'GET',
    url: path,
    // Another address each time, because the failures of one are counted.
    remoteAddress: `10.${sends >> 16}.${(sends >> 8) & 255}.${sends & 255}`,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.statusCode, text: response.body, headers: response.headers };
}

/** The status that refuses every request of a caller, or undefined if it depends on the request. */
function refusalOf(
  { isRefused, isShutOut, isEnterprise, isEntitled }: Caller,
  { grant }: Contract,
): number | undefined {
  if (isRefused) return 403;
  if (isShutOut) return 401;
  if (grant === 'orders' && !isEnterprise) return 401;
  if (grant === 'searchQueryPerformance' && !isEntitled) return 403;
  return undefined;
}

onOnePair(
  'access',
  (world) => {
    const everything = { plan: 'enterprise', searchQueryPerformance: true };
    let acme: Tenant;
    let foreign: Tenant;
    let callers: Caller[];
    let outOfReach: string;

    const keyOf = async (userId: string): Promise<{ keyId: string; key: string }> =>
      world().operate('POST', '/operator/keys', { userId, limits: hardlyLimited });
    const owner = async (organisationId: string): Promise<string> => {
      const email = `person-${Math.random()}@example.com`;
      return (
        await world().operate('POST', '/operator/users', { organisationId, email, role: 'owner' })
      ).userId;
    };

    before(async () => {
      acme = await world().tenant({ organisation: everything, channel: { merchantId: 'M1 @ US' } });
      await importRows(world(), 'exchangeRates', undefined, [
        { date: '2025-02-03', currency: 'USD', perEuro: 1.05 },
      ]);
      foreign = await world().tenant({
        organisation: everything,
        channel: { merchantId: 'M2 @ US' },
      });
      const revoked = await keyOf(acme.userId);
      await world().operate('DELETE', `/operator/keys/${revoked.keyId}`);
      const expired = await keyOf(acme.userId);
      await world().operate('POST', `/operator/keys/${expired.keyId}/rotate`, {});
      const memberId = await owner(acme.organisationId);
      const member = await keyOf(memberId);
      await world().operate('PATCH', `/operator/users/${memberId}`, { role: 'member' });
      const restrictedId = await owner(acme.organisationId);
      await world().operate('PATCH', `/operator/users/${restrictedId}`, { role: 'administrator' });
      await world().operate('PUT', `/operator/users/${restrictedId}/channels`, { channelIds: [] });
      outOfReach = (await keyOf(restrictedId)).key;
      const off = await world().tenant({ organisation: everything });
      await world().operate('PATCH', `/operator/organisations/${off.organisationId}`, {
        apiAccess: false,
      });
      const standard = await world().tenant({ organisation: { ...everything, plan: 'standard' } });
      const unentitled = await world().tenant({
        organisation: { ...everything, searchQueryPerformance: false },
      });
      callers = [
        { name: 'without a key', key: undefined, isRefused: true },
        { name: 'with an empty key', key: '', isRefused: true },
        { name: 'with a malformed key', key: `${acme.key.slice(0, -1)}_`, isRefused: true },
        {
          name: 'with a well-formed key that was never issued',
          key: mintKey('another secret', 'x', 'production').key,
          isRefused: true,
        },
        { name: 'with a revoked key', key: revoked.key, isRefused: true },
        { name: 'with an expired key', key: expired.key, isRefused: true },
        { name: "with the operator's token", key: world().operatorToken, isRefused: true },
        { name: 'who has become a member', key: member.key, isShutOut: true },
        { name: 'whose organisation has lost API access', key: off.key, isShutOut: true },
        { name: 'of the standard plan', key: standard.key, isEntitled: true, tenant: standard },
        {
          name: 'without the Search Query Performance entitlement',
          key: unentitled.key,
          isEnterprise: true,
          tenant: unentitled,
        },
        {
          name: 'of another organisation',
          key: foreign.key,
          isEnterprise: true,
          isEntitled: true,
          tenant: foreign,
        },
        {
          name: 'without access to the channel',
          key: outOfReach,
          isEnterprise: true,
          isEntitled: true,
        },
        {
          name: 'who may do everything',
          key: acme.key,
          isEnterprise: true,
          isEntitled: true,
          tenant: acme,
        },
      ];
    });

    const as = (key: string | undefined, more: Readonly<Record<string, string>> = {}) => ({
      ...(key !== undefined && { 'x-api-key': key }),
      ...more,
    });
    const own = (): Names => ({ channelId: acme.channelId, merchantId: acme.merchantId });
    const made = async ({ make }: Row): Promise<string> =>
      make === undefined ? '' : make(world(), acme);

    for (const { contract: asked, row } of operations) {
      const { operation, method } = asked;

      test(`403 and 401: ${operation} refuses callers before it looks at what they ask`, async () => {
        const id = await made(row);
        const refusals = new Map<string, Set<string>>();
        for (const caller of callers) {
          const status = refusalOf(caller, asked);
          if (status === undefined) continue;
          const right = row.ask(own(), id);
          const requests: [Request, Readonly<Record<string, string>>][] = [
            [right, {}],
            [row.ask({ channelId: 'unknown', merchantId: acme.merchantId }, '999999999'), {}],
            [row.askWrongly(own(), id), {}],
            [{ ...right, body: '{' }, {}],
            [{ ...right, body: 'x'.repeat(1_100_000) }, { 'content-type': 'text/plain' }],
          ];
          for (const [request, headers] of casesOn(world(), requests, 5)) {
            const answer = await send(world(), method, request, as(caller.key, headers));
            assert.equal(answer.status, status, `${operation} ${caller.name}: ${answer.text}`);
            const kind = caller.isRefused ? 'key' : caller.name;
            refusals.set(kind, (refusals.get(kind) ?? new Set()).add(answer.text));
          }
        }
        for (const [kind, texts] of refusals)
          assert.equal(texts.size, 1, `${kind}: ${[...texts].join('\n')}`);
        assert.deepEqual(
          [...refusals.get('key')!],
          ['{"status":"error","error":"the x-api-key header must hold a valid key"}'],
        );
        if (asked.grant === 'searchQueryPerformance') {
          assert.match(
            [...refusals.get('without the Search Query Performance entitlement')!].join(),
            /contact sales/,
          );
        }
      });

      test(`200: ${operation} answers everybody who may ask it`, async () => {
        const entitled = callers.filter(
          (caller) => caller.tenant !== undefined && refusalOf(caller, asked) === undefined,
        );
        assert.ok(entitled.length >= 2);
        for (const { name, key, tenant } of entitled) {
          const id = row.make === undefined ? '' : await row.make(world(), tenant!);
          const { organisationId, channelId, merchantId } = tenant!;
          const { channelKind } = row;
          if (channelKind)
            await world().channel(organisationId, channelId, { merchantId, kind: channelKind });
          const answer = await send(
            world(),
            method,
            row.ask({ channelId, merchantId }, id),
            as(key),
          );
          if (channelKind) await world().channel(organisationId, channelId, { merchantId });
          assert.equal(answer.status, 200, `${operation} ${name}: ${answer.text}`);
        }
      });

      test(`400: ${operation} says what is wrong with a request before it looks for what the request names`, async () => {
        const answer = await send(
          world(),
          method,
          row.askWrongly(own(), '999999999'),
          as(acme.key),
        );
        assert.equal(answer.status, 400, answer.text);
      });

      const fields = { ...asked.query?.properties, ...asked.body?.properties };
      if (!('channelId' in fields)) continue;
      const status = asked.channel === true ? 400 : (row.unreachable ?? 404);
      const text =
        asked.channel === true
          ? 'channelId and merchantId do not match a connected store'
          : undefined;

      test(`${status}: ${operation} answers for others' channels as for unknown ones`, async () => {
        const texts = new Set<string>();
        const mine = own();
        const others: [string, Names][] = [
          [acme.key, { channelId: foreign.channelId, merchantId: foreign.merchantId }],
          [acme.key, { channelId: foreign.channelId, merchantId: acme.merchantId }],
          [acme.key, { channelId: 'unknown', merchantId: acme.merchantId }],
          [acme.key, { channelId: acme.channelId, merchantId: foreign.merchantId }],
          [acme.key, { channelId: acme.channelId, merchantId: 'nobody' }],
          [outOfReach, mine],
          [foreign.key, mine],
        ];
        // An operation that takes no merchant cannot be requested with the wrong one.
        const possible = others.filter(
          ([, names]) =>
            'merchantId' in fields || names.channelId !== acme.channelId || names === mine,
        );
        for (const [key, names] of possible) {
          const answer = await send(world(), method, row.ask(names, await made(row)), as(key));
          assert.equal(answer.status, status, `${JSON.stringify(names)}: ${answer.text}`);
          texts.add(answer.text);
        }
        assert.equal(texts.size, 1, [...texts].join('\n'));
        if (text !== undefined) assert.equal(JSON.parse([...texts].join()).error, text);
      });
    }

    for (const { contract: asked, row } of operations.filter((one) => one.row.make !== undefined)) {
      test(`404: ${asked.operation} answers for others' records as for unknown ones`, async () => {
        const id = await made(row);
        const foreignNames = { channelId: foreign.channelId, merchantId: foreign.merchantId };
        const texts = new Set<string>();
        for (const [key, names, one] of [
          [acme.key, own(), await row.make!(world(), foreign)],
          [acme.key, own(), '999999999'],
          [foreign.key, foreignNames, id],
        ] as const) {
          const answer = await send(world(), asked.method, row.ask(names, one), as(key));
          assert.equal(answer.status, 404, answer.text);
          texts.add(answer.text);
        }
        assert.equal(texts.size, 1, [...texts].join('\n'));
        assert.equal(
          (await send(world(), asked.method, row.ask(own(), id), as(acme.key))).status,
          200,
        );
      });
    }

    for (const asked of Object.values(operatorContracts as Readonly<Record<string, Contract>>)) {
      test(`401: ${asked.operation} is the operator's alone`, async () => {
        const path = asked.path.replaceAll(/\{\w+\}/g, 'x');
        const texts = new Set<string>();
        for (const authorization of [
          undefined,
          '',
          'Bearer',
          'Bearer wrong',
          `Bearer ${acme.key}`,
          world().operatorToken,
          `Basic ${world().operatorToken}`,
        ]) {
          for (const body of [undefined, '{', '{}']) {
            const headers = {
              ...(authorization !== undefined && { authorization }),
              'x-api-key': acme.key,
            };
            const answer = await send(world(), asked.method, { path, body }, headers);
            assert.equal(answer.status, 401, `${asked.operation} ${authorization}: ${answer.text}`);
            assert.equal(answer.headers['www-authenticate'], 'Bearer');
            texts.add(answer.text);
          }
        }
        assert.equal(texts.size, 1, [...texts].join('\n'));
      });
    }

    test("403: the operator's token lets nobody in to the public interface", async () => {
      for (const { contract: asked, row } of operations) {
        const answer = await send(world(), asked.method, row.ask(own(), '1'), {
          authorization: `Bearer ${world().operatorToken}`,
        });
        assert.equal(answer.status, 403, asked.operation);
      }
    });
  },
  { endpoints: [...endpoints, ...examples.map((example) => example.endpoint)] },
);
