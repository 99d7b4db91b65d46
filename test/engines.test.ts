/**
 * Both pairs of stores answer every question alike, to the last figure and in the same order: each
 * operation that reads facts and each report, in shapes of their parameters that are drawn by seed
 * from the contract. The facts come from two stores of the demonstration. That the figures are
 * right is proved by the tests of the endpoints, against sums made by hand.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc, { type Arbitrary } from 'fast-check';
import { offersOf } from '../demonstration/catalogue.ts';
import { fillDemonstration } from '../demonstration/demonstration.ts';
import type { Contract } from '../src/contract/endpoint.ts';
import type { JsonSchema } from '../src/contract/jsonSchema.ts';
import { type ReportType, reportTypes } from '../src/contract/reports.ts';
import { publicContracts } from '../src/endpoints/contracts.ts';
import { reportContracts } from '../src/endpoints/reports/create/contract.ts';
import { reports } from '../src/endpoints/reports/create/reports.ts';
import { planOf } from './business.ts';
import { asText, valid, wordsOf } from './fuzz/values.ts';
import { openWorld, pairs, type World } from './harness.ts';
import { testDepth } from './level.ts';
import { datesFrom, instantsFrom } from './randomFacts.ts';
import { type AnyTable, computed } from './reports.ts';
import { tablesBeside } from './table.ts';
import { days, importFacts } from './world.ts';

/** The day after the last facts. */
const now = Date.UTC(2025, 2, 5, 12);
const drawn = { seed: 20_261_127, numRuns: Math.ceil(8 * testDepth) };
const us = planOf('northwind-us');
const vendor = planOf('northwind-vendor-us');

/** The operations that read facts. */
const operations = wordsOf(`viewSalesByPeriod viewVendorSalesByPeriod viewAdvertisingByChannels
  viewProfitByPeriod viewSalesByProduct viewSalesByChannel listCampaigns listAdGroups listKeywords
  listProducts listSearchQueryPerformance readTargets listOrders readStoreProfitAndLoss
  readProductProfitAndLoss readLineage`);
const ofVendors = wordsOf('viewVendorSalesByPeriod orderedRevenue shippedRevenue');

/** Values of fields by their names, so that requests find facts; others are drawn as the contract allows. */
type Values = Readonly<Record<string, Arbitrary<unknown>>>;
type Shape = Readonly<Record<string, unknown>>;

/** Instants of some days, half of them at the start of a day in UTC. */
const instants = (first: string, days: number) =>
  fc.oneof(
    datesFrom(first, days).map((date) => Date.parse(date) / 1000),
    instantsFrom(first, days),
  );
const oneOf = (words: readonly string[]) => fc.constantFrom(...words);
const someOf = (words: readonly string[]) =>
  fc.uniqueArray(oneOf(words), { minLength: 1, maxLength: 3 });
const range = instants('2025-02-01', 32);
const priorRange = instants('2025-01-16', 16);
const currency = oneOf(wordsOf('USD EUR JPY'));

const valuesOf = ({ channelId, merchantId }: typeof us): Values => ({
  channelId: fc.constant(channelId),
  merchantId: fc.constant(merchantId),
  channelIds: fc.constant([channelId]),
  timezone: oneOf(wordsOf('UTC America/New_York Asia/Kathmandu')),
  currency,
  currentCurrency: currency,
  fromDate: range,
  toDate: range,
  priorFromDate: priorRange,
  priorToDate: priorRange,
  date: datesFrom('2025-02-01', 32),
  pageIndex: fc.nat({ max: 1 }),
  pageSize: fc.integer({ min: 3, max: 40 }),
  searchText: oneOf(wordsOf(`a o tent % _ o'c Ü \\`)),
  marketplaces: fc.constant(['primarymkt']),
  countries: someOf(['US', 'DE']),
});
/** Fields that leave nothing to answer, or that change the form of an answer alone. */
const unsent = new Set(wordsOf('key orderId tags customCampaignGroupId format'));

/** Values that the schema of a field allows. */
function shapeOf(schema: JsonSchema, name: string, values: Values): Arbitrary<unknown> {
  const { type, properties = {}, required = [] } = schema;
  const known = values[name];
  if (known !== undefined) return type === 'array' ? known.map((one) => [one].flat()) : known;
  if (type !== 'object') return valid(schema, name);
  const fields = Object.entries(properties).filter(([field]) => !unsent.has(field));
  const model = fields.map(([field, one]) => [field, shapeOf(one, field, values)] as const);
  const requiredKeys = fields
    .map(([field]) => field)
    .filter((field) => [...required, 'channelId', 'merchantId'].includes(field));
  return fc.record(Object.fromEntries(model), { requiredKeys }).map(inOrder);
}

/** The same shape with its dates in their order, and with both dates of a range or none. */
function inOrder(shape: Shape): Shape {
  const { fromDate, toDate, priorFromDate, priorToDate, ...others } = shape;
  const [from, to] = sorted(fromDate, toDate);
  const [priorFrom, priorTo] = sorted(priorFromDate, priorToDate);
  return {
    ...others,
    ...(to !== undefined && { fromDate: from, toDate: to }),
    ...(priorTo !== undefined && { priorFromDate: priorFrom, priorToDate: priorTo }),
  };
}

function sorted(...dates: readonly unknown[]): readonly number[] {
  return dates.includes(undefined) ? [] : (dates as number[]).toSorted((a, b) => a - b);
}

function addressOf({ path, body }: Contract, shape: Shape): string {
  if (body) return path;
  const parameters = Object.entries(shape).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, asText(one)]),
  );
  return `${path}?${new URLSearchParams(parameters)}`;
}

/** The body of an answer without what each pair of stores names for itself. */
function comparable(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (name, value) =>
    name === 'importId' || (name === 'key' && typeof value === 'string') ? typeof value : value,
  );
}

/** The table of a report, or the tables of an archive. */
function tablesOf(reportType: ReportType): readonly AnyTable[] {
  const report = reports[reportType];
  return 'tables' in report ? Object.values(report.tables) : [report];
}

describe('The engines', { skip: pairs.length < 2 }, () => {
  const worlds: { readonly world: World; readonly key: string }[] = [];
  /** Identifiers of the facts, by the names of the fields that take them. */
  let found: Values = {};

  before(async () => {
    for (const pair of pairs) {
      const world = await openWorld(pair, { isOwn: true });
      world.clock.now = now;
      const { registry, warehouse, importer } = world;
      const part = { channelIds: [us.channelId, vendor.channelId], days: 50 };
      const config = { secret: 'secret-of-the-tests', environment: 'production' as const };
      const parts = { registry, warehouse, importer, config, now, part };
      worlds.push({ world, key: (await fillDemonstration(parts)).key });
      await importFacts(world, us.channelId, tablesBeside(import.meta.url, 'engines.facts.txt'));
    }
    found = await identifiers();
  });
  after(() => Promise.all(worlds.map(({ world }) => world.close())));

  async function identifiers(): Promise<Values> {
    const { world, key } = worlds[0]!;
    const { fromDate, toDate } = days('2025-02-01', '2025-02-28');
    const input = { channelId: us.channelId, fromDate, toDate, pageSize: 40 };
    const answer = await world.ask(key, 'GET', addressOf(publicContracts.listAdGroups, input));
    const named = (name: string) =>
      someOf([...new Set<string>(answer.body.data.map((row: Shape) => row[name]))]);
    const skus = someOf(offersOf(us).map(({ sku }) => sku));
    return {
      campaignId: named('campaign_id'),
      adGroupId: named('ad_group_id'),
      sellerSkus: skus,
      productSku: skus,
      asins: someOf([us, vendor].flatMap(offersOf).map(({ productId }) => productId)),
    };
  }

  /** Draws shapes of the parameters of an operation and expects the same answer of both pairs. */
  async function alike(
    name: string,
    schema: JsonSchema,
    answer: (world: World, key: string, shape: Shape) => Promise<unknown>,
  ): Promise<void> {
    const values = { ...valuesOf(ofVendors.includes(name) ? vendor : us), ...found };
    const shapes = shapeOf(schema, '', values) as Arbitrary<Shape>;
    for (const shape of fc.sample(shapes, drawn)) {
      const answers = worlds.map(({ world, key }) => answer(world, key, shape));
      const [first, other] = await Promise.all(answers);
      assert.deepEqual(other, first, `${name} ${JSON.stringify(shape)}`);
    }
  }

  for (const operation of operations)
    test(`answer ${operation} alike`, async () => {
      const contract: Contract = publicContracts[operation as keyof typeof publicContracts];
      const schema = (contract.body ?? contract.query) as unknown as JsonSchema;
      await alike(operation, schema, async (world, key, shape) => {
        const body = contract.body && shape;
        const address = addressOf(contract, shape);
        const answer = await world.askUncached(key, contract.method, address, body);
        assert.equal(answer.status, 200, `${JSON.stringify([shape, answer.body])}`);
        return comparable(answer.body);
      });
    });

  for (const reportType of reportTypes)
    test(`make the report ${reportType} alike`, async () => {
      const path = `/reports/create/${reportType}`;
      const contract = Object.values(reportContracts).find((one) => one.path === path)!;
      await alike(reportType, contract.body as unknown as JsonSchema, (world, _, shape) =>
        Promise.all(
          tablesOf(reportType).map((table) =>
            computed(
              world,
              String(shape.channelId),
              { ...table, reportType },
              shape.reportOptions as object,
            ),
          ),
        ),
      );
    });
});
