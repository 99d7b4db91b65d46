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
import type { JsonSchema } from '../src/contract/jsonSchema.ts';
import { contracts, publicContracts } from '../src/endpoints/contracts.ts';
import { endpoints } from '../src/endpoints/handlers.ts';
import { onOnePair, type Tenant } from './harness.ts';
import { importRows } from './imports.ts';
import { addRecords, channelNumberOf } from './records.ts';
import { type Fields, nested, requestOf } from './requests.ts';

/** A way to break a rule, and the start of the failure. */
type Example = {
  readonly patch: Fields;
  readonly text: string;
  /** The field is malformed by this, so that rules that read it cannot be checked. */
  readonly isMalformed?: true;
};

type Row = {
  /** A valid request: the fields of the path, the query and the body. */
  readonly valid: Fields;
  /** An example for each rule of the contract, in order. */
  readonly rules?: readonly Example[];
  /** An example for each rule that needs records, in order. */
  readonly recordRules?: readonly Example[];
};

const from = 1_752_933_600;
const to = 1_753_019_999;
const day = 86_400;
const monthBefore = { priorFromDate: from - 30 * day, priorToDate: to - 30 * day };
const channel = { channelId: 'us', merchantId: 'M1' };
const vendorChannel = { ...channel, channelId: 'vendor' };
const channelNames = Object.keys(channel);
const unnamed = { channelId: undefined, merchantId: undefined };
const zone = 'Australia/Sydney';

const broken = (text: string, patch: Fields): Example => ({ text, patch });
/** Examples of rules: the start of each failure, and what breaks the rule. */
const breaking = (examples: Readonly<Record<string, Fields>>): Example[] =>
  Object.entries(examples).map(([text, patch]) => broken(text, patch));
const malforming = (text: string, patch: Fields): Example => ({ text, patch, isMalformed: true });

const ofBuckets = (start: string, end: string) =>
  broken(`${start} to ${end} has more than 4000 buckets`, { [start]: 0, [end]: 4_001 * day });

/** The examples of the rules of a range and its comparison, in the object `within`. */
function ofPeriod(within: string) {
  const [start, end] = [`${within}fromDate`, `${within}toDate`];
  const [priorStart, priorEnd] = [`${within}priorFromDate`, `${within}priorToDate`];
  const both = `${priorStart} and ${priorEnd} must be given together`;
  return {
    range: broken(`${end} must not be before`, { [start]: to, [end]: from }),
    together: broken(both, { [priorStart]: undefined }),
    prior: broken(`${priorEnd} must not be before`, { [priorStart]: to, [priorEnd]: from }),
    buckets: ofBuckets(start, end),
    priorBuckets: ofBuckets(priorStart, priorEnd),
  };
}

const period = { reportOptions: { fromDate: from, toDate: to, ...monthBefore, timezone: zone } };
const { range, together, prior, buckets, priorBuckets } = ofPeriod('reportOptions.');
const ofReport = [range, together, prior];
const byPeriodRules = [...ofReport, buckets, priorBuckets];
const unnested = ofPeriod('');
const days = { fromDate: from, toDate: to };
const ofDays = { ...channel, ...days, ...monthBefore, timezone: zone };
const nowhere = { 'reportOptions.channelIds': ['nowhere'] };
const future = { fromDate: 1e11, toDate: undefined };
const ofRange = { valid: { ...channel, reportOptions: days }, rules: [range] };
const ofKind = (kind: string, channelId: string, text: string) =>
  broken(`channelId must be a ${kind} channel: ${text}`, { channelId });
const vendor = ofKind('seller', 'vendor', 'vendor channels have no such report');
const unprofitable = ofKind('seller', 'vendor', 'vendor channels have no profit and loss');
const seller = ofKind('vendor', 'us', '');
const elsewhere = (view: string) => `ask /reports/view/${view} about this one`;
const toVendors = ofKind('seller', 'vendor', elsewhere('vendorSalesByPeriod'));
const toSellers = ofKind('vendor', 'us', elsewhere('salesByPeriod'));
const ofSeller: Row = { valid: { ...channel, ...period }, rules: ofReport, recordRules: [vendor] };
const ofVendors = { ...vendorChannel, ...period };
const ofVendor: Row = { valid: ofVendors, rules: ofReport, recordRules: [seller] };
const advertised = broken('channelId must be a store with advertising', { channelId: 'quiet' });
const ofAdvertising: Row = { ...ofRange, recordRules: [advertised] };
const unrated = (name: string) =>
  broken(`${name} must be a currency with exchange rates: there is none of XQZ`, { [name]: 'XQZ' });
const listed = {
  valid: { channelId: ['us'], ...days },
  recordRules: [
    malforming('channelId must name connected stores with advertising', { channelId: ['nowhere'] }),
    malforming('toDate must not be before fromDate', { fromDate: to, toDate: from }),
    unrated('currency'),
    ...breaking({
      'there is no exchange rate of XAG which channelId strange needs': { channelId: ['strange'] },
    }),
  ],
} satisfies Row;
const cost = { sellerSku: 'A', cogs: 1, cogsCurrency: 'USD' };
const group = 'GROUP';
const ofUrl = broken('url must begin with', { url: 'ftp://example.com/' });
const ofHook: Row = { valid: { webhookId: 'w' } };
const ofSchedule: Row = { valid: { scheduleId: 's' } };
const product = (sellerSku: string) => [{ sellerSku }];
const changes = ['groupName', 'addProducts', 'removeProducts', 'addBrands', 'removeBrands'];
const noChanges: Fields = Object.fromEntries(changes.map((name) => [name, undefined]));
const sameProduct = { addProducts: product('D'), removeProducts: product('D') };
const productAndBrand = { addProducts: product('C'), addBrands: ['B'] };
const sameBrand = { addBrands: ['B'], removeBrands: ['B'] };
const noProduct = { addProducts: undefined, removeProducts: product('A') };
const onMondays = { name: 'Mondays', cron: '0 7 * * 1', timezone: zone, period: 'lastWeek' };
const ownGroups = 'customCampaignGroupId must name campaign groups of your organisation';
const groupWithCampaigns =
  'customCampaignGroupId must name groups that have a campaign of the channels';
const cronFields = 'cron must have five fields: minute hour day-of-month month day-of-week';
const badPage = 'parameters do not suit viewSalesByChannel: pageSize must be at least 1';

/** The quota of unit costs, more than the other examples have. */
const unitCostsMax = 250;

/** As many unit costs of different products and currencies. */
const costsOf = (length: number, currencyOf = (_: number) => 'USD') =>
  Array.from({ length }, (_, at) => ({
    ...cost,
    sellerSku: `${at}`,
    cogsCurrency: currencyOf(at),
  }));
const currencyOf = (index: number) =>
  `A${String.fromCharCode(65 + (index % 26), 65 + Math.floor(index / 26))}`;
const tooMany = costsOf(unitCostsMax + 1);
const unratedCost = { ...cost, cogsCurrency: 'XQZ' };
const wrongCosts = (examples: Readonly<Record<string, readonly object[]>>): Example[] =>
  Object.entries(examples).map(([text, directCosts]) => broken(text, { directCosts }));

/** The examples of every operation of the public interface. */
const rows: Readonly<Record<keyof typeof publicContracts, Row>> = {
  listChannels: { valid: {} },
  changeChannelTags: {
    valid: { ...channel, addTags: ['a'], removeTags: ['b'] },
    rules: breaking({
      'addTags or removeTags must hold at least one': { addTags: [], removeTags: undefined },
      'addTags must not hold org:// alone': { addTags: ['org://'] },
      'removeTags must not hold org:// alone': { removeTags: ['org://'] },
      'removeTags must not hold a tag that addTags holds': {
        addTags: ['x', 'y'],
        removeTags: ['x'],
      },
    }),
    recordRules: breaking({
      'addTags would give the channel 201 tags': { channelId: 'full', addTags: ['new 1', 'new 2'] },
    }),
  },
  listTags: { valid: {} },
  readChannelTags: { valid: channel },
  convertTag: {
    valid: { tag: 'a' },
    rules: breaking({
      'tag must not be org:// alone': { tag: 'org://' },
      'tag must not begin with org:// twice': { tag: 'org://org://a' },
      'tag must have at most 94 characters to be shared': { tag: 'x'.repeat(95) },
    }),
  },
  saveCustomGroup: {
    valid: { ...channel, groupName: 'A', products: product('A') },
    rules: [broken('exactly one of products and brands', { brands: ['B'] })],
  },
  listCustomGroups: { valid: channel },
  readCustomGroup: { valid: { id: '1' } },
  deleteCustomGroup: { valid: { id: '1' } },
  changeCustomGroup: {
    valid: { id: group, ...channel, groupName: 'B', addProducts: product('C') },
    rules: [
      broken('at least one change must be given', noChanges),
      broken('removeProducts must not hold a product that addProducts holds', sameProduct),
      broken('products and brands must not be changed together', productAndBrand),
      broken('removeBrands must not hold a brand that addBrands holds', sameBrand),
    ],
    recordRules: [broken('removeProducts would leave the group without products', noProduct)],
  },
  createWebhook: {
    valid: { url: 'https://example.com/', events: ['report.finished'] },
    recordRules: [ofUrl],
  },
  listWebhooks: { valid: {} },
  changeWebhook: { valid: { webhookId: 'w', url: 'https://example.com/' }, recordRules: [ofUrl] },
  deleteWebhook: ofHook,
  rotateWebhookSecret: ofHook,
  testWebhook: ofHook,
  listWebhookDeliveries: ofHook,
  replayWebhookDelivery: { valid: { webhookId: 'w', deliveryId: 'd' } },
  createSchedule: {
    valid: { ...onMondays, operation: 'viewSalesByChannel', parameters: {} },
    recordRules: [
      broken(cronFields, { cron: '0 7 * *' }),
      malforming('operation must create a report or answer rows', { operation: 'listWebhooks' }),
      broken(badPage, { parameters: { pageSize: 0 } }),
    ],
  },
  listSchedules: { valid: {} },
  changeSchedule: { valid: { scheduleId: 's', cron: '0 7 * * 1' } },
  deleteSchedule: ofSchedule,
  runSchedule: ofSchedule,
  listScheduleRuns: ofSchedule,
  viewSalesByPeriod: { ...ofSeller, rules: byPeriodRules, recordRules: [toVendors] },
  viewVendorSalesByPeriod: { ...ofVendor, rules: byPeriodRules, recordRules: [toSellers] },
  viewAdvertisingByChannels: {
    valid: { ...period, currentCurrency: 'USD' },
    rules: ofReport,
    recordRules: [unrated('currentCurrency')],
  },
  viewProfitByPeriod: {
    valid: { ...channel, ...period },
    rules: [
      broken('channelId or channelIds is required', unnamed),
      malforming('channelId and merchantId must be given together', { merchantId: undefined }),
      ...byPeriodRules,
    ],
    recordRules: [
      unprofitable,
      malforming('channelIds must name connected stores', { channelIds: ['nowhere'] }),
      unrated('currentCurrency'),
    ],
  },
  viewSalesByProduct: { valid: ofDays, rules: [unnested.range, unnested.together, unnested.prior] },
  viewSalesByChannel: {
    valid: { ...days, timezone: zone, currentCurrency: 'USD', ...monthBefore, interval: 'd' },
    rules: [unnested.range, unnested.prior, unnested.buckets, unnested.priorBuckets],
    recordRules: [unrated('currentCurrency')],
  },
  createCustomerLifetimeValueReport: {
    valid: { ...channel, ...period, 'reportOptions.interval': 'd' },
    rules: [...ofReport, buckets],
    recordRules: [vendor],
  },
  createTrafficAndConversionReport: ofSeller,
  createInventoryReplenishmentReport: { valid: channel, recordRules: [vendor] },
  createShippedRevenueReport: {
    ...ofVendor,
    valid: { ...ofVendor.valid, 'reportOptions.view': 'manufacturing' },
  },
  createOrderedRevenueReport: ofVendor,
  createCancellationsAndRefundsReport: ofSeller,
  createRepeatPurchaseReport: ofSeller,
  createSalesByProductReport: { valid: { ...channel, ...period }, rules: [range] },
  listReports: { valid: {} },
  createCampaignsReport: ofAdvertising,
  createMarketingByProductReport: ofAdvertising,
  createChannelProfitAndLossReport: {
    ...ofRange,
    recordRules: [
      vendor,
      broken('reportOptions.channelIds must name connected stores', nowhere),
      unrated('reportOptions.currentCurrency'),
    ],
  },
  readReportStatus: { valid: { reportId: 'x' } },
  listCampaigns: {
    ...listed,
    recordRules: [
      ...listed.recordRules,
      malforming(ownGroups, { customCampaignGroupId: ['nowhere'] }),
      broken(groupWithCampaigns, { customCampaignGroupId: ['strange'] }),
    ],
  },
  listAdGroups: listed,
  listKeywords: listed,
  listProducts: listed,
  listSearchQueryPerformance: {
    valid: ofDays,
    rules: [unnested.range, unnested.prior],
    recordRules: [
      broken('channelId must be a channel of the primary marketplace', { channelId: 'web' }),
      broken('asins must have at most 3 different', { asins: ['A', 'B', 'C', 'D'] }),
      unrated('currency'),
    ],
  },
  readLineage: { valid: { ...channel, dataset: 'traffic', date: '2026-10-01', currency: 'EUR' } },
  readTargets: {
    valid: { ...channel, ...days, timezone: zone },
    rules: [unnested.range, unnested.buckets],
  },
  listOrders: {
    valid: { ...channel, ...days },
    rules: [unnested.range],
    recordRules: breaking({
      'channelId must be a channel of the primary marketplace': { channelId: 'web' },
      'fromDate must not be in the future unless toDate is given': future,
      'key must be the key that the previous page returned': { key: `v1.${'A'.repeat(48)}` },
    }),
  },
  readStoreProfitAndLoss: { ...ofRange, recordRules: [unprofitable] },
  readProductProfitAndLoss: { ...ofRange, recordRules: [unprofitable] },
  listUnknownCodes: {
    valid: { ...channel, fromDate: from, toDate: to },
    rules: [unnested.range],
    recordRules: [unprofitable],
  },
  saveCode: {
    valid: { ...channel, source: 'settlement', code: 'New' },
    recordRules: [
      unprofitable,
      broken('code must name a code of a financial event: GET', { code: 'Newer' }),
    ],
  },
  saveDirectCosts: {
    valid: { ...channel, fromDate: from, directCosts: [cost] },
    rules: wrongCosts({
      'directCosts[0].cogs must have at most 6 decimal places': [{ ...cost, cogs: 1.1234567 }],
      'directCosts[1].sellerSku repeats that of directCosts[0]': [cost, cost],
      'directCosts must name at most 200 different currencies': costsOf(201, currencyOf),
    }),
    recordRules: [
      unprofitable,
      ...wrongCosts({
        'your organisation would have 251 unit costs and may have at most 250': tooMany,
        'directCosts[0].cogsCurrency must be a currency with exchange rates': [unratedCost],
      }),
    ],
  },
  readDirectCostsJobStatus: { valid: { ...channel, jobId: 'x' } },
};

const noStore = 'channelId and merchantId do not match a connected store';
const unreachable = malforming(noStore, { merchantId: 'nobody' });

/** A rule with its example. */
type Case = { readonly rule: RuleFields; readonly example: Example };

function casesOf(contract: Contract, row: Row): Case[] {
  const { recordRules = [] } = endpoints.find((one) => one.contract === contract)!;
  const rules = [...(contract.rules ?? []), ...recordRules];
  const examples = [...(row.rules ?? []), ...(row.recordRules ?? [])];
  const need = `${contract.operation}: every rule needs an example in this file`;
  assert.equal(examples.length, rules.length, need);
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
function allMalformed({ query, body }: Contract): Fields {
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

for (const contract of Object.values<Contract>(contracts)) {
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
    for (const [, schema] of [...leavesOf(contract.query), ...leavesOf(contract.body)])
      for (const one of [schema, schema.items ?? {}, ...leavesOf(schema.items).map(([, s]) => s)])
        for (const keyword of keywords.filter((key) => key in one || key === 'type'))
          texts.push(failureWords(one, keyword, undefined));
    for (const text of texts) assert.ok(!text.includes(','), text);
  });
}

function leavesIn(schema: unknown, patch: Fields): [string, unknown][] {
  return leavesOf(schema).map(([path]) => [path, patch[path]]);
}

/** Files that refuse with 400 by themselves, and what no rule can say before the handler runs. */
const refusing: Readonly<Record<string, string>> = {
  'operator/runImport.ts': 'what is wrong with a document',
  'profitability/directCosts.ts': 'the channel was deleted after its look-up',
  'reports/create/create.ts': 'the channel was deleted after its look-up',
  'tags/records.ts': 'the channel was deleted after its look-up',
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
        organisation: { searchQueryPerformance: true, searchQueryProductMax: 3 },
        channelId: 'us',
        channel: { merchantId: 'M1', timezone: 'UTC' },
      });
      const connect = (channelId: string, settings: object) =>
        world().channel(tenant.organisationId, channelId, { merchantId: 'M1', ...settings });
      for (const channelId of ['full', 'strange']) await connect(channelId, {});
      await connect('vendor', { kind: 'vendor' });
      await connect('web', { marketplace: 'shopify' });
      await connect('quiet', { hasAdvertisingConnected: false });
      const strange = { date: '2025-07-20', clicks: 1, cost: '1', currency: 'XAG' };
      const rated = { date: '2025-02-03', currency: 'USD', perEuro: 1.05 };
      const clicked = { date: '2025-02-03', campaignId: '1', clicks: 1 };
      for (const [dataset, channelId, row] of [
        ['campaignDays', 'strange', { ...strange, campaignId: '7' }],
        ['adGroupDays', 'strange', { ...strange, adGroupId: '8' }],
        ['keywordDays', 'strange', { ...strange, keywordId: '9' }],
        ['adProductDays', 'strange', { ...strange, productId: 'B1' }],
        ['exchangeRates', undefined, rated],
        ['campaignDays', 'us', clicked],
      ] as const)
        await importRows(world(), dataset, channelId, [row]);
      const { organisationId } = tenant;
      const strangeGroup = { organisationId, name: 'Strange', campaignIds: ['2'] };
      await world().operate('PUT', '/operator/campaignGroups/strange', strangeGroup);
      await fillWithTags(199);
      const own = { ...channel, groupName: 'A', products: product('A') };
      const { body } = await world().ask(tenant.key, 'POST', '/customGroups', own);
      groupId = String(body.groupId);
    });

    /** Gives the channel `full` a number of tags. */
    async function fillWithTags(length: number) {
      const channelNumber = await channelNumberOf(world(), 'full');
      const { userId } = tenant;
      const tags = Array.from({ length }, (_, at) => ({ channelNumber, userId, tag: `tag ${at}` }));
      await addRecords(world(), 'channelTag', ...tags);
    }

    /** The failures of a request. */
    async function textsOf(contract: Contract, fields: Fields): Promise<string[]> {
      const named = fields.id === group ? { ...fields, id: groupId } : fields;
      const { path, body } = requestOf(contract, named);
      const answer = await world().ask(tenant.key, contract.method, path, body);
      const said = `${JSON.stringify(fields)}: ${JSON.stringify(answer.body)}`;
      assert.equal(answer.status, 400, said);
      return answer.body.error.split(', ');
    }

    for (const [operation, row] of Object.entries(rows)) {
      const contract = publicContracts[operation as keyof typeof publicContracts] as Contract;
      const cases = casesOf(contract, row);
      const fields = allMalformed(contract);
      if (cases.length === 0) continue;

      test(`${operation}: each broken rule is listed alone, and with all fields that it does not read`, async () => {
        for (const { rule, example } of cases) {
          const alone = await textsOf(contract, { ...row.valid, ...example.patch });
          assert.ok(includesText(alone, example), `${example.text}: ${alone.join('\n')}`);
          const read = new Set([...readBy(rule), ...Object.keys(example.patch)]);
          const readsChannel = readBy(rule).some((path) => channelNames.includes(path));
          if (contract.channel === true && readsChannel)
            for (const name of channelNames) read.add(name);
          const others = Object.fromEntries(
            Object.entries(fields).filter(([path]) => !read.has(path)),
          );
          const texts = await textsOf(contract, { ...row.valid, ...others, ...example.patch });
          assert.ok(includesText(texts, example), `${example.text}: ${texts.join('\n')}`);
          for (const path of Object.keys(others))
            assert.ok(names(texts, path), `${example.text}: ${path}: ${texts}`);
        }
      });

      const groups = togetherOf(cases);
      if (groups.length > 0)
        test(`${operation}: any two rules that are broken at once are both listed`, async () => {
          for (const together of groups) {
            const patches = together.map(({ example }) => example.patch);
            const all = together.map(({ example }) => example.text);
            const texts = await textsOf(contract, Object.assign({}, row.valid, ...patches));
            for (const one of together)
              if (!together.some((other) => hides(other, one)))
                assert.ok(includesText(texts, one.example), `${all}:\n${texts.join('\n')}`);
          }
        });
    }
  },
  { limits: { organisationUnitCosts: unitCostsMax } },
);

/** Whether one rule, when it is broken, makes a field malformed that the other one reads. */
function hides(one: Case, other: Case): boolean {
  if (one.example.isMalformed !== true) return false;
  const read = readBy(other.rule);
  return readBy(one.rule).some((path) => read.includes(path));
}

/** Whether both can be sent at once: they need no other value of the same field. */
function isCompatible({ example: { patch } }: Case, other: Case): boolean {
  return !Object.keys(patch).some((path) => path in other.example.patch);
}

/**
 * Cases that are sent at once. Any two that can be are so in at least one request, where neither is
 * hidden by a third; a case joins those with which it has not been sent yet.
 */
function togetherOf(cases: readonly Case[]): Case[][] {
  const groups: Case[][] = [];
  const isSent = (one: Case, other: Case) =>
    groups.some((together) => together.includes(one) && together.includes(other));
  const goesWith = (one: Case, other: Case) =>
    one !== other && isCompatible(one, other) && !hides(one, other) && !hides(other, one);
  for (const [place, one] of cases.entries())
    for (const other of cases.slice(place + 1)) {
      if (!isCompatible(one, other) || isSent(one, other)) continue;
      const together = [one, other];
      if (goesWith(one, other))
        for (const third of cases)
          if (together.every((member) => goesWith(third, member))) together.push(third);
      groups.push(together);
    }
  return groups;
}
