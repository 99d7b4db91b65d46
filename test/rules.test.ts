/**
 * Every rule of every operation has an example that breaks it. Rules that are broken at once are
 * listed together: each with every field that it does not read, and any two of them.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compileCheck } from '../src/contract/check.ts';
import type { Contract, RuleFields } from '../src/contract/endpoint.ts';
import { failureWords, keywords } from '../src/contract/failureWords.ts';
import { isObject, type JsonSchema } from '../src/contract/jsonSchema.ts';
import { contracts, publicContracts } from '../src/endpoints/contracts.ts';
import { endpoints } from '../src/endpoints/handlers.ts';
import { type Answer, onOnePair, type Tenant } from './harness.ts';
import { importRows } from './imports.ts';

/** Values of fields by their paths; undefined removes a field. */
type Patch = Readonly<Record<string, unknown>>;

/** A way to break a rule, and the start of the failure. */
type Example = {
  readonly patch: Patch;
  readonly text: string;
  /** The field is malformed by this, so that rules that read it cannot be checked. */
  readonly isMalformed?: true;
};

type Row = {
  /** A valid request: the fields of the path, the query and the body. */
  readonly valid: Patch;
  /** An example for each rule of the contract, in order. */
  readonly rules?: readonly Example[];
  /** An example for each rule that needs records, in order. */
  readonly recordRules?: readonly Example[];
};

const from = 1_752_933_600;
const to = 1_753_019_999;
const day = 86_400;
const channel = { channelId: 'us', merchantId: 'M1' };
const zone = 'Australia/Sydney';

/** The examples of the rules of a range and its comparison, in the object `within`. */
function ofPeriod(within: string): Example[] {
  const path = (name: string) => `${within}${name}`;
  return [
    {
      patch: { [path('fromDate')]: to, [path('toDate')]: from },
      text: `${path('toDate')} must not be before`,
    },
    {
      patch: { [path('priorFromDate')]: undefined },
      text: `${path('priorFromDate')} and ${path('priorToDate')} must be given together`,
    },
    {
      patch: { [path('priorFromDate')]: to, [path('priorToDate')]: from },
      text: `${path('priorToDate')} must not be before`,
    },
  ];
}

function ofBuckets(start: string, end: string): Example {
  return {
    patch: { [start]: 0, [end]: 4_001 * day },
    text: `${start} to ${end} has more than 4000 buckets`,
  };
}

const period = {
  'reportOptions.fromDate': from,
  'reportOptions.toDate': to,
  'reportOptions.priorFromDate': from - 30 * day,
  'reportOptions.priorToDate': to - 30 * day,
  'reportOptions.timezone': zone,
};
const ofReport = ofPeriod('reportOptions.');
const [ofRange] = ofReport as [Example];
const byPeriodRules = [
  ...ofReport,
  ofBuckets('reportOptions.fromDate', 'reportOptions.toDate'),
  ofBuckets('reportOptions.priorFromDate', 'reportOptions.priorToDate'),
];
const vendor: Example = { patch: { channelId: 'vendor' }, text: 'channelId must be a seller' };
const ofAdvertising: Row = {
  valid: { ...channel, 'reportOptions.fromDate': from, 'reportOptions.toDate': to },
  rules: [ofRange],
  recordRules: [
    { patch: { channelId: 'quiet' }, text: 'channelId must be a store with advertising' },
  ],
};
const unrated = (name: string): Example => ({
  patch: { [name]: 'XQZ' },
  text: `${name} must be a currency with exchange rates`,
});
const listed: Row = {
  valid: { channelId: ['us'], fromDate: from, toDate: to },
  recordRules: [
    {
      patch: { channelId: ['nowhere'] },
      text: 'channelId must name connected stores',
      isMalformed: true,
    },
    {
      patch: { fromDate: to, toDate: from },
      text: 'toDate must not be before fromDate',
      isMalformed: true,
    },
    unrated('currency'),
    { patch: { channelId: ['unrated'] }, text: 'there is no exchange rate of XTS' },
    {
      patch: { channelId: ['strange'] },
      text: 'there is no exchange rate of XAG which channelId strange needs',
    },
  ],
};
const cost = { sellerSku: 'A', cogs: 1, cogsCurrency: 'USD' };
const group = 'GROUP';
const ofUrl: Example = { patch: { url: 'ftp://example.com/' }, text: 'url must begin with' };

/** The quota of unit costs, more than the other examples have. */
const unitCostsMax = 250;

/** The examples of every operation of the public interface. */
const rows: Readonly<Record<keyof typeof publicContracts, Row>> = {
  listChannels: { valid: {} },
  changeChannelTags: {
    valid: { ...channel, addTags: ['a'], removeTags: ['b'] },
    rules: [
      {
        patch: { addTags: [], removeTags: undefined },
        text: 'addTags or removeTags must hold at least one',
      },
      { patch: { addTags: ['org://'] }, text: 'addTags must not hold org:// alone' },
      { patch: { removeTags: ['org://'] }, text: 'removeTags must not hold org:// alone' },
      {
        patch: { addTags: ['x', 'y'], removeTags: ['x'] },
        text: 'removeTags must not hold a tag that addTags holds',
      },
    ],
    recordRules: [
      {
        patch: { channelId: 'full', addTags: ['new 1', 'new 2'] },
        text: 'addTags would give the channel 201 tags',
      },
    ],
  },
  listTags: { valid: {} },
  readChannelTags: { valid: channel },
  convertTag: {
    valid: { tag: 'a' },
    rules: [
      { patch: { tag: 'org://' }, text: 'tag must not be org:// alone' },
      { patch: { tag: 'org://org://a' }, text: 'tag must not begin with org:// twice' },
      { patch: { tag: 'x'.repeat(95) }, text: 'tag must have at most 94 characters to be shared' },
    ],
  },
  saveCustomGroup: {
    valid: { ...channel, groupName: 'A', products: [{ sellerSku: 'A' }] },
    rules: [{ patch: { brands: ['B'] }, text: 'exactly one of products and brands' }],
  },
  listCustomGroups: { valid: channel },
  readCustomGroup: { valid: { id: '1' } },
  deleteCustomGroup: { valid: { id: '1' } },
  changeCustomGroup: {
    valid: { id: group, ...channel, groupName: 'B', addProducts: [{ sellerSku: 'C' }] },
    rules: [
      {
        patch: {
          ...{ groupName: undefined, addProducts: undefined, removeProducts: undefined },
          ...{ addBrands: undefined, removeBrands: undefined },
        },
        text: 'at least one change must be given',
      },
      {
        patch: { addProducts: [{ sellerSku: 'D' }], removeProducts: [{ sellerSku: 'D' }] },
        text: 'removeProducts must not hold a product that addProducts holds',
      },
      {
        patch: { addProducts: [{ sellerSku: 'C' }], addBrands: ['B'] },
        text: 'products and brands must not be changed together',
      },
      {
        patch: { addBrands: ['B'], removeBrands: ['B'] },
        text: 'removeBrands must not hold a brand that addBrands holds',
      },
    ],
    recordRules: [
      {
        patch: { addProducts: undefined, removeProducts: [{ sellerSku: 'A' }] },
        text: 'removeProducts would leave the group without products',
      },
    ],
  },
  createWebhook: {
    valid: { url: 'https://example.com/', events: ['report.finished'] },
    recordRules: [ofUrl],
  },
  listWebhooks: { valid: {} },
  changeWebhook: { valid: { webhookId: 'w', url: 'https://example.com/' }, recordRules: [ofUrl] },
  deleteWebhook: { valid: { webhookId: 'w' } },
  rotateWebhookSecret: { valid: { webhookId: 'w' } },
  testWebhook: { valid: { webhookId: 'w' } },
  listWebhookDeliveries: { valid: { webhookId: 'w' } },
  replayWebhookDelivery: { valid: { webhookId: 'w', deliveryId: 'd' } },
  createSchedule: {
    valid: {
      ...{ name: 'Mondays', cron: '0 7 * * 1', timezone: 'Europe/Berlin', period: 'lastWeek' },
      ...{ operation: 'viewSalesByChannel', parameters: {} },
    },
    recordRules: [
      {
        patch: { cron: '0 7 * *' },
        text: 'cron must have five fields: minute hour day-of-month month day-of-week',
      },
      {
        patch: { operation: 'listWebhooks' },
        isMalformed: true,
        text: 'operation must create a report or answer rows',
      },
      {
        patch: { parameters: { pageSize: 0 } },
        text: 'parameters do not suit viewSalesByChannel: pageSize must be at least 1',
      },
    ],
  },
  listSchedules: { valid: {} },
  changeSchedule: { valid: { scheduleId: 's', cron: '0 7 * * 1' } },
  deleteSchedule: { valid: { scheduleId: 's' } },
  runSchedule: { valid: { scheduleId: 's' } },
  listScheduleRuns: { valid: { scheduleId: 's' } },
  viewSalesByPeriod: {
    valid: { ...channel, ...period },
    rules: byPeriodRules,
    recordRules: [vendor],
  },
  viewVendorSalesByPeriod: {
    valid: { ...channel, channelId: 'vendor', ...period },
    rules: byPeriodRules,
    recordRules: [{ patch: { channelId: 'us' }, text: 'channelId must be a vendor channel' }],
  },
  viewAdvertisingByChannels: {
    valid: { ...period, currentCurrency: 'USD' },
    rules: ofReport,
    recordRules: [unrated('currentCurrency')],
  },
  viewProfitByPeriod: {
    valid: { ...channel, ...period },
    rules: [
      {
        patch: { channelId: undefined, merchantId: undefined },
        text: 'channelId or channelIds is required',
      },
      {
        patch: { merchantId: undefined },
        text: 'channelId and merchantId must be given together',
        isMalformed: true,
      },
      ...byPeriodRules,
    ],
    recordRules: [
      vendor,
      {
        patch: { channelIds: ['nowhere'] },
        text: 'channelIds must name connected stores',
        isMalformed: true,
      },
      unrated('currentCurrency'),
    ],
  },
  viewSalesByProduct: {
    valid: {
      ...channel,
      fromDate: from,
      toDate: to,
      priorFromDate: from - 30 * day,
      priorToDate: to - 30 * day,
      timezone: zone,
    },
    rules: ofPeriod(''),
  },
  viewSalesByChannel: {
    valid: {
      ...{ fromDate: from, toDate: to, timezone: zone, currentCurrency: 'USD' },
      ...{ priorFromDate: from - 30 * day, priorToDate: to - 30 * day, interval: 'd' },
    },
    rules: [
      ...[ofPeriod('')[0]!, ofPeriod('')[2]!],
      ...[ofBuckets('fromDate', 'toDate'), ofBuckets('priorFromDate', 'priorToDate')],
    ],
    recordRules: [unrated('currentCurrency')],
  },
  createCustomerLifetimeValueReport: {
    valid: { ...channel, ...period, 'reportOptions.interval': 'd' },
    rules: byPeriodRules.slice(0, 4),
    recordRules: [vendor],
  },
  createTrafficAndConversionReport: {
    valid: { ...channel, ...period },
    rules: ofReport,
    recordRules: [vendor],
  },
  createInventoryReplenishmentReport: { valid: channel, recordRules: [vendor] },
  createShippedRevenueReport: {
    valid: { ...channel, channelId: 'vendor', ...period, 'reportOptions.view': 'manufacturing' },
    rules: ofReport,
    recordRules: [{ patch: { channelId: 'us' }, text: 'channelId must be a vendor channel' }],
  },
  createOrderedRevenueReport: {
    valid: { ...channel, channelId: 'vendor', ...period },
    rules: ofReport,
    recordRules: [{ patch: { channelId: 'us' }, text: 'channelId must be a vendor channel' }],
  },
  createCancellationsAndRefundsReport: {
    valid: { ...channel, ...period },
    rules: ofReport,
    recordRules: [vendor],
  },
  createRepeatPurchaseReport: {
    valid: { ...channel, ...period },
    rules: ofReport,
    recordRules: [vendor],
  },
  createSalesByProductReport: { valid: { ...channel, ...period }, rules: [ofRange] },
  listReports: { valid: {} },
  createCampaignsReport: ofAdvertising,
  createMarketingByProductReport: ofAdvertising,
  createChannelProfitAndLossReport: {
    valid: { ...channel, 'reportOptions.fromDate': from, 'reportOptions.toDate': to },
    rules: [ofRange],
    recordRules: [
      vendor,
      {
        patch: { 'reportOptions.channelIds': ['nowhere'] },
        text: 'reportOptions.channelIds must name connected stores',
      },
      unrated('reportOptions.currentCurrency'),
    ],
  },
  readReportStatus: { valid: { reportId: 'x' } },
  listCampaigns: {
    ...listed,
    recordRules: [
      ...listed.recordRules!,
      {
        patch: { customCampaignGroupId: ['nowhere'] },
        text: 'customCampaignGroupId must name campaign groups of your organisation',
        isMalformed: true,
      },
      {
        patch: { customCampaignGroupId: ['strange'] },
        text: 'customCampaignGroupId must name groups that have a campaign of the channels',
      },
    ],
  },
  listAdGroups: listed,
  listKeywords: listed,
  listProducts: listed,
  listSearchQueryPerformance: {
    valid: {
      ...{ ...channel, fromDate: from, toDate: to, timezone: zone },
      ...{ priorFromDate: from - 30 * day, priorToDate: to - 30 * day },
    },
    rules: ofPeriod('').filter(({ text }) => !text.includes('together')),
    recordRules: [
      { patch: { channelId: 'web' }, text: 'channelId must be a channel of the primary' },
      { patch: { asins: ['A', 'B', 'C', 'D'] }, text: 'asins must have at most 3 different' },
      unrated('currency'),
    ],
  },
  readLineage: { valid: { ...channel, dataset: 'traffic', date: '2026-10-01', currency: 'EUR' } },
  readTargets: {
    valid: { ...channel, fromDate: from, toDate: to, timezone: zone },
    rules: [ofPeriod('')[0]!, ofBuckets('fromDate', 'toDate')],
  },
  listOrders: {
    valid: { ...channel, fromDate: from, toDate: to },
    rules: [ofPeriod('')[0]!],
    recordRules: [
      { patch: { channelId: 'web' }, text: 'channelId must be a seller channel of the primary' },
      {
        patch: { fromDate: 1e11, toDate: undefined },
        text: 'fromDate must not be in the future unless toDate is given',
      },
      { patch: { key: 'none' }, text: 'key must be the key that the previous page returned' },
    ],
  },
  readStoreProfitAndLoss: {
    valid: { ...channel, 'reportOptions.fromDate': from, 'reportOptions.toDate': to },
    rules: [ofRange],
    recordRules: [vendor],
  },
  readProductProfitAndLoss: {
    valid: { ...channel, 'reportOptions.fromDate': from, 'reportOptions.toDate': to },
    rules: [ofRange],
    recordRules: [vendor],
  },
  saveDirectCosts: {
    valid: { ...channel, fromDate: from, directCosts: [cost] },
    rules: [
      {
        patch: { directCosts: [{ ...cost, cogs: 1.1234567 }] },
        text: 'directCosts[0].cogs must have at most 6 decimal places',
      },
      {
        patch: { directCosts: [cost, cost] },
        text: 'directCosts[1].sellerSku repeats that of directCosts[0]',
      },
      {
        patch: {
          directCosts: Array.from({ length: 201 }, (_, index) => ({
            ...cost,
            sellerSku: `${index}`,
            cogsCurrency: `A${String.fromCharCode(65 + (index % 26), 65 + Math.floor(index / 26))}`,
          })),
        },
        text: 'directCosts must name at most 200 different currencies',
      },
    ],
    recordRules: [
      vendor,
      {
        patch: {
          directCosts: Array.from({ length: unitCostsMax + 1 }, (_, index) => ({
            ...cost,
            sellerSku: `${index}`,
          })),
        },
        text: 'your organisation would have 251 unit costs and may have at most 250',
      },
      {
        patch: { directCosts: [{ ...cost, cogsCurrency: 'XQZ' }] },
        text: 'directCosts[0].cogsCurrency must be a currency with exchange rates',
      },
    ],
  },
  readDirectCostsJobStatus: { valid: { ...channel, jobId: 'x' } },
};

const unreachable: Example = {
  patch: { merchantId: 'nobody' },
  text: 'channelId and merchantId do not match a connected store',
  isMalformed: true,
};

/** A rule with its example. */
type Case = { readonly rule: RuleFields; readonly example: Example };

function casesOf(contract: Contract, row: Row): Case[] {
  const { recordRules = [] } = endpoints.find((one) => one.contract === contract)!;
  const rules = [...(contract.rules ?? []), ...recordRules];
  const examples = [...(row.rules ?? []), ...(row.recordRules ?? [])];
  assert.equal(
    examples.length,
    rules.length,
    `${contract.operation}: every rule needs an example in this file`,
  );
  const cases = rules.map((rule, index) => ({ rule, example: examples[index]! }));
  return contract.channel === true
    ? [...cases, { rule: { at: 'merchantId', reads: ['channelId'] }, example: unreachable }]
    : cases;
}

/** The paths of all fields that hold values of their own. */
function leavesOf(object: unknown, within = ''): [string, JsonSchema][] {
  const schema = object as JsonSchema | undefined;
  return Object.entries(schema?.properties ?? {}).flatMap(([name, property]) =>
    property.properties === undefined
      ? [[within + name, property] as [string, JsonSchema]]
      : leavesOf(property, `${within}${name}.`),
  );
}

/** A value that no field of a kind may have. */
function malformed(schema: JsonSchema, isText: boolean): unknown {
  const { type, maxLength = 1_000 } = schema;
  if (!isText) return type === 'string' ? 5 : type === 'array' ? 'x' : { wrong: true };
  if (type === 'array') return [malformed(schema.items ?? {}, true)];
  const isFree = type === 'string' && !schema.enum && !schema.format;
  return isFree ? 'x'.repeat(maxLength + 1) : 'not so!';
}

/** Malformed values for all fields of the query and the body. */
function allMalformed({ query, body }: Contract): Patch {
  return Object.fromEntries([
    ...leavesOf(query).map(([path, schema]) => [path, malformed(schema, true)]),
    ...leavesOf(body).map(([path, schema]) => [path, malformed(schema, false)]),
  ]);
}

/** Whether the failures name a field or something in it. */
const names = (texts: readonly string[], path: string) =>
  texts.some((text) => text.startsWith(`${path} `) || text.startsWith(`${path}[`));
const includesText = (texts: readonly string[], { text }: Example) =>
  texts.some((one) => one.startsWith(text));
const readBy = ({ at, reads = [] }: RuleFields) =>
  [at, ...reads].map((path) => path.replace('[]', ''));

function nested(patch: Patch): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    const [first = '', second] = path.split('.');
    if (second === undefined) made[first] = value;
    else made[first] = { ...(isObject(made[first]) ? made[first] : {}), [second]: value };
  }
  return made;
}

for (const contract of Object.values(contracts as Readonly<Record<string, Contract>>)) {
  test(`${contract.operation}: malformed fields are all listed at once, in texts without commas`, () => {
    const patch = allMalformed(contract);
    const paths = Object.keys(patch);
    const { failures } = compileCheck(contract).run({
      path: {},
      query: nested(Object.fromEntries(leavesIn(contract.query, patch))),
      body: nested(Object.fromEntries(leavesIn(contract.body, patch))),
    });
    const texts = failures.map(({ text }) => text);
    for (const path of paths) assert.ok(names(texts, path), `${path}: ${texts.join('\n')}`);
    for (const [, schema] of [...leavesOf(contract.query), ...leavesOf(contract.body)]) {
      for (const one of [schema, schema.items ?? {}, ...leavesOf(schema.items).map(([, s]) => s)])
        for (const keyword of keywords.filter((key) => key in one || key === 'type'))
          texts.push(failureWords(one, keyword, undefined));
    }
    for (const text of texts) assert.ok(!text.includes(','), text);
  });
}

function leavesIn(schema: unknown, patch: Patch): [string, unknown][] {
  return leavesOf(schema).map(([path]) => [path, patch[path]]);
}

/** Files that refuse with 400 by themselves, and what no rule can say before the handler runs. */
const refusing: Readonly<Record<string, string>> = {
  'operator/runImport.ts': 'what is wrong with a document',
  'profitability/directCosts.ts': 'the channel was deleted after its look-up',
  'reports/create/create.ts': 'the channel was deleted after its look-up',
  'tags/records.ts': 'the channel was deleted after its look-up',
  'reports/view/conversion.ts':
    'amounts in another currency, beside a target that only a channel has',
};

test('handlers leave refusals with 400 to the rules', () => {
  const folder = fileURLToPath(new URL('../src/endpoints/', import.meta.url));
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') && /new Refusal\(\s*400/.test(readFileSync(folder + file, 'utf8')),
  );
  assert.deepEqual(found.sort(), Object.keys(refusing).sort());
});

test('every operation of the public interface has its row in this table', () => {
  assert.deepEqual(Object.keys(rows).sort(), Object.keys(publicContracts).sort());
});

onOnePair(
  'Refusals list every rule',
  (world) => {
    let tenant: Tenant;
    let groupId = '';

    before(async () => {
      tenant = await world().tenant({
        organisation: {
          plan: 'enterprise',
          searchQueryPerformance: true,
          searchQueryProductMax: 3,
        },
        channelId: 'us',
        channel: { merchantId: 'M1', timezone: 'UTC' },
      });
      const connect = (channelId: string, settings: object) =>
        world().channel(tenant.organisationId, channelId, { merchantId: 'M1', ...settings });
      await connect('vendor', { kind: 'vendor' });
      await connect('web', { marketplace: 'shopify' });
      await connect('full', {});
      await connect('quiet', { hasAdvertisingConnected: false });
      await connect('unrated', { currency: 'XTS' });
      await connect('strange', {});
      const strange = { date: '2025-07-20', clicks: 1, cost: '1', currency: 'XAG' };
      await importRows(world(), 'campaignDays', 'strange', [{ ...strange, campaignId: '7' }]);
      await importRows(world(), 'adGroupDays', 'strange', [{ ...strange, adGroupId: '8' }]);
      await importRows(world(), 'keywordDays', 'strange', [{ ...strange, keywordId: '9' }]);
      await importRows(world(), 'adProductDays', 'strange', [{ ...strange, productId: 'B1' }]);
      await importRows(world(), 'exchangeRates', undefined, [
        { date: '2025-02-03', currency: 'USD', perEuro: 1.05 },
      ]);
      await importRows(world(), 'campaignDays', 'us', [
        { date: '2025-02-03', campaignId: '1', clicks: 1 },
      ]);
      await world().operate('PUT', '/operator/campaignGroups/strange', {
        organisationId: tenant.organisationId,
        name: 'Strange',
        campaignIds: ['2'],
      });
      for (let index = 0; index < 199; index += 5)
        await ask('PATCH', '/tags/channel', {
          ...{ channelId: 'full', merchantId: 'M1' },
          addTags: Array.from({ length: Math.min(5, 199 - index) }, (_, at) => `tag ${index + at}`),
        });
      const made = await ask('POST', '/customGroups', {
        ...channel,
        groupName: 'A',
        products: [{ sellerSku: 'A' }],
      });
      groupId = String(made.body.groupId);
    });

    const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
      world().ask(tenant.key, method as 'GET', path, body);

    /** The failures of a request. */
    async function textsOf(contract: Contract, request: Patch): Promise<string[]> {
      const fields = nested(request);
      const query = new URLSearchParams();
      let path = contract.path;
      for (const [name, value] of Object.entries(fields)) {
        if (name in (contract.pathParameters?.properties ?? {}))
          path = path.replace(`{${name}}`, value === group ? groupId : String(value));
        else if (name in (contract.query?.properties ?? {}))
          for (const one of [value].flat()) query.append(name, String(one));
      }
      const body = Object.fromEntries(
        Object.entries(fields).filter(([name]) => name in (contract.body?.properties ?? {})),
      );
      const answer = await ask(
        contract.method,
        `${path}?${query}`,
        contract.body === undefined ? undefined : body,
      );
      assert.equal(
        answer.status,
        400,
        `${JSON.stringify(request)}: ${JSON.stringify(answer.body)}`,
      );
      return answer.body.error.split(', ');
    }

    for (const [operation, row] of Object.entries(rows)) {
      const contract = (publicContracts as Readonly<Record<string, Contract>>)[operation]!;
      const cases = casesOf(contract, row);
      const fields = allMalformed(contract);

      for (const { rule, example } of cases) {
        test(`${operation}: "${example.text}" is listed alone, and with all fields that it does not read`, async () => {
          const alone = await textsOf(contract, { ...row.valid, ...example.patch });
          assert.ok(includesText(alone, example), alone.join('\n'));
          const read = new Set([...readBy(rule), ...Object.keys(example.patch)]);
          if (contract.channel === true)
            for (const name of ['channelId', 'merchantId']) if (readsChannel(rule)) read.add(name);
          const others = Object.fromEntries(
            Object.entries(fields).filter(([path]) => !read.has(path)),
          );
          const texts = await textsOf(contract, { ...row.valid, ...others, ...example.patch });
          assert.ok(includesText(texts, example), texts.join('\n'));
          for (const path of Object.keys(others))
            assert.ok(names(texts, path), `${path}: ${texts}`);
        });
      }

      const pairs = cases.flatMap((one, index) =>
        cases.slice(index + 1).map((other) => [one, other] as const),
      );
      if (pairs.length > 0)
        test(`${operation}: any two rules that are broken at once are both listed`, async () => {
          for (const [one, other] of pairs) {
            const [first, second] = [one.example.patch, other.example.patch];
            // Two examples that need another value of the same field cannot be sent at once.
            if (Object.keys(first).some((path) => path in second)) continue;
            const texts = await textsOf(contract, { ...row.valid, ...first, ...second });
            if (!hides(other, one)) assert.ok(includesText(texts, one.example), texts.join('\n'));
            if (!hides(one, other)) assert.ok(includesText(texts, other.example), texts.join('\n'));
          }
        });
    }
  },
  { limits: { organisationUnitCosts: unitCostsMax } },
);

function readsChannel(rule: RuleFields): boolean {
  return readBy(rule).some((path) => path === 'channelId' || path === 'merchantId');
}

/** Whether one rule, when it is broken, makes a field malformed that the other one reads. */
function hides(one: Case, other: Case): boolean {
  if (one.example.isMalformed !== true) return false;
  const read = readBy(other.rule);
  return readBy(one.rule).some((path) => read.includes(path));
}
