/**
 * The descriptions of both interfaces: valid, complete, bounded, with every header, error, example
 * and group.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { validate } from '@scalar/openapi-parser';
import Type from 'typebox';
import { deepTest } from '../../test/level.ts';
import { lintDescriptions } from '../../test/servers/linters.ts';
import { listsOf, tablesBeside } from '../../test/table.ts';
import { operatorContracts, publicContracts } from '../endpoints/contracts.ts';
import { readExampleAnswers } from '../endpoints/exampleAnswers.ts';
import { documentKinds } from '../import/documents/kinds.ts';
import { type Contract, contract } from './endpoint.ts';
import { documentKindNames } from './importable.ts';
import { operatorIntroduction, publicIntroduction } from './introductions.ts';
import { describeContracts, type Introduction } from './openapi.ts';
import { EpochSeconds, List, NoAnswer, pageFields, Text } from './shapes.ts';

const tables = tablesBeside(import.meta.url, 'openapi.tables.txt');

const everyContract: readonly Contract[] = [
  ...Object.values(publicContracts),
  ...Object.values(operatorContracts),
];

const ofPublic = describeContracts(Object.values(publicContracts), publicIntroduction);
const ofOperator = describeContracts(Object.values(operatorContracts), operatorIntroduction);
const bothInterfaces = [
  [publicContracts, publicIntroduction],
  [operatorContracts, operatorIntroduction],
] as const;

const example = contract({
  operation: 'readExample',
  access: 'key',
  method: 'GET',
  path: '/examples/{exampleId}',
  summary: 'Read an example',
  description: 'It exists only here.',
  pathParameters: Type.Object({ exampleId: Text() }),
  query: Type.Object({ fromDate: EpochSeconds('Start.'), channelId: List(Text()), ...pageFields }),
  answer: NoAnswer,
});

test('a parameter with a default is optional', () => {
  const { paths } = describeContracts([example], publicIntroduction);
  const operation = paths['/examples/{exampleId}']!.get as {
    parameters: { name: string; in: string; required: boolean; schema: object }[];
  };
  assert.deepEqual(
    operation.parameters.map(({ name, in: place, required }) => [name, place, required]),
    listsOf(tables.parameters!),
  );
});

test('the headers about unknown fields are described where unknown fields are ignored', () => {
  type Operation = {
    readonly parameters?: readonly { readonly name: string }[];
    readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
  };
  const has = (operation: Operation) => [
    operation.parameters?.some(({ name }) => name === 'Prefer') ?? false,
    ...['200', '400'].flatMap((status) =>
      ['Vitrine-Ignored', 'Preference-Applied'].map(
        (name) => name in (operation.responses[status]?.headers ?? {}),
      ),
    ),
  ];
  const operationsOf = (described: typeof ofPublic) =>
    Object.values(described.paths).flatMap((path) => Object.values(path) as Operation[]);
  for (const operation of operationsOf(ofPublic))
    assert.deepEqual(has(operation), [true, true, true, true, true]);
  for (const operation of operationsOf(ofOperator))
    assert.deepEqual(has(operation), [false, false, false, false, false]);
});

test('words for this service alone are not published', () => {
  const ofExample = describeContracts([example], publicIntroduction);
  const text = JSON.stringify([ofPublic, ofOperator, ofExample]);
  assert.doesNotMatch(text, /"(words|trimmed|letters)":/);
});

test('the errors that an operation may give are described', () => {
  for (const [{ paths }, path, statuses] of [
    [ofPublic, '/channels', [200, 400, 401, 403, 404, 429, 500, 503]],
    [ofOperator, '/operator/keys', [200, 400, 401, 404, 409, 500, 503]],
  ] as const) {
    const { responses } = paths[path]!.post as { responses: object };
    for (const status of statuses) assert.ok(status in responses, `${path}: ${status}`);
  }
});

test('operations have names and paths of their own', () => {
  assert.equal(new Set(everyContract.map((one) => one.operation)).size, everyContract.length);
  const calls = everyContract.map((one) => `${one.method} ${one.path}`);
  assert.equal(new Set(calls).size, everyContract.length);
  for (const [operation, one] of Object.entries({ ...publicContracts, ...operatorContracts }))
    assert.equal(one.operation, operation);
});

test('every text and every list that may be sent is bounded', () => {
  const unbounded: string[] = [];
  type Schema = Record<string, unknown>;
  const bounds = ['maxLength', 'enum', 'format', 'const', 'pattern'];
  const look = (schema: Schema | undefined, path: string): void => {
    if (schema === undefined) return;
    if (schema.type === 'string' && !bounds.some((name) => name in schema)) unbounded.push(path);
    if (schema.type === 'array' && !('maxItems' in schema)) unbounded.push(path);
    for (const [name, property] of Object.entries((schema.properties ?? {}) as Schema))
      look(property as Schema, `${path}.${name}`);
    look(schema.items as Schema | undefined, `${path}[]`);
    for (const one of (schema.anyOf ?? []) as Schema[]) look(one, path);
  };
  for (const one of everyContract) {
    for (const part of [one.pathParameters, one.query, one.body])
      look(part as Schema | undefined, one.operation);
  }
  assert.deepEqual(unbounded, []);
});

/** A description with its references resolved. */
function described(all: Readonly<Record<string, Contract>>, introduction: Introduction) {
  const description = describeContracts(Object.values(all), introduction);
  const { schemas } = description.components as { schemas: Record<string, unknown> };
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved);
    if (typeof value !== 'object' || value === null) return value;
    const name = (value as { $ref?: string }).$ref?.replace('#/components/schemas/', '');
    if (name !== undefined && name in schemas) return resolved(schemas[name]);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolved(one)]));
  };
  return { ...description, schemas, resolved: resolved(description.paths) as Paths };
}

// biome-ignore lint/suspicious/noExplicitAny: the test states the parts that it expects.
type Paths = Record<string, Record<string, any>>;

test('the limits of the contract are published', () => {
  const { resolved: paths } = described(publicContracts, publicIntroduction);
  const query = (path: string, name: string) =>
    paths[path]!.get.parameters.find((one: { name: string }) => one.name === name).schema;
  const body = (path: string, method = 'post') =>
    paths[path]![method].requestBody.content['application/json'].schema.properties;
  for (const list of ['campaigns', 'adGroups', 'keywords', 'products']) {
    const { maxItems, items } = query(`/advertising/${list}`, 'channelId');
    assert.deepEqual([maxItems, items.maxLength], [5, 200]);
    const { minimum, maximum } = query(`/advertising/${list}`, 'pageSize');
    assert.deepEqual([minimum, maximum], [1, 100]);
  }
  for (const [list, name] of listsOf(tables.limitedFilters!))
    assert.equal(query(`/advertising/${list}`, name).maxItems, 10, `${list}: ${name}`);
  assert.equal(query('/search-query-performance/asins', 'pageSize').maximum, 50);
  assert.equal(body('/tags/channel', 'patch').addTags.maxItems, 5);
  assert.equal(body('/orders/primarymkt').pageSize.maximum, 100);
  assert.equal(body('/reports/view/advertisingByChannels').pageSize.maximum, 100);
  const { sellerSkus } = body('/profitability/productProfitAndLoss').reportOptions.properties;
  assert.equal(sellerSkus.maxItems, 50);
});

test('schemas have names, and operations refer to them', () => {
  const { paths, schemas } = described(publicContracts, publicIntroduction);
  const names =
    'Channel SalesByPeriodRow VendorSalesByPeriodRow Order Report Campaign AdGroup AdvertisedProduct ' +
    'SqpMetrics CustomGroup';
  for (const name of names.split(' ')) assert.ok(name in schemas, name);
  const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const campaigns = paths['/advertising/campaigns']!.get as Paths[string];
  const answer = campaigns.responses[200].content['application/json'].schema;
  assert.deepEqual(answer, to('ListCampaignsAnswer'));
  const { data } = (schemas.ListCampaignsAnswer as Paths[string]).properties;
  assert.deepEqual(data.items, to('Campaign'));
  const view = paths['/reports/view/salesByPeriod']!.post as Paths[string];
  const requestSchema = view.requestBody.content['application/json'].schema;
  assert.deepEqual(requestSchema, to('ViewSalesByPeriodRequest'));
});

test('every parameter has an example, and no two paths differ by the names of parameters alone', () => {
  const missing: string[] = [];
  for (const [all, introduction] of bothInterfaces) {
    const { resolved: paths } = described(all, introduction);
    const shapes = Object.keys(paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
    assert.deepEqual(shapes, [...new Set(shapes)]);
    for (const [path, operations] of Object.entries(paths)) {
      for (const { operationId, parameters = [] } of Object.values(operations)) {
        for (const { name, in: place, example } of parameters) {
          if ([example].flat().includes(undefined)) missing.push(`${operationId}: ${name}`);
          assert.equal(place === 'path', path.includes(`{${name}}`), `${operationId}: ${name}`);
        }
      }
    }
  }
  assert.deepEqual(missing, []);
});

test('the headers of answers are described', () => {
  const { paths, components } = described(publicContracts, publicIntroduction) as never as {
    paths: Paths;
    components: { headers: object };
  };
  const headersOf = (status: number) =>
    Object.keys(paths['/search-query-performance/asins']!.get.responses[status].headers);
  assert.ok(headersOf(200).includes('Access-Control-Allow-Origin'));
  for (const status of [200, 400, 401, 404, 429, 500])
    assert.ok(headersOf(status).includes('RateLimit-Policy'), String(status));
  assert.ok(headersOf(429).includes('Retry-After'));
  for (const name of headersOf(200)) assert.ok(name in components.headers);
});

test('both descriptions are valid OpenAPI 3.1', async () => {
  const contracts = Object.values(publicContracts);
  const withAnswers = describeContracts(contracts, publicIntroduction, readExampleAnswers());
  for (const description of [withAnswers, ofOperator]) {
    const { valid, version, errors } = await validate(structuredClone(description));
    assert.deepEqual([valid, version, errors], [true, '3.1', []]);
  }
});

deepTest('linters find nothing in either description', async () => {
  const files = ['openapi.json', 'operator-openapi.json'].map((name) =>
    fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)),
  );
  assert.deepEqual(await lintDescriptions(files), []);
});

test('every operation belongs to a group that is described, and the groups stand in their order', () => {
  for (const [all, introduction] of bothInterfaces) {
    const names = introduction.rooms.map(({ name }) => name);
    const described = describeContracts(Object.values<Contract>(all), introduction);
    const used = Object.values(described.paths).flatMap((path) =>
      Object.values(path).map((operation) => (operation as { tags?: readonly string[] }).tags),
    );
    assert.ok(used.every((tags) => tags?.length === 1));
    assert.deepEqual([...new Set(used.flat())], names);
  }
});

test('every operation of the public interface has an example, and an answer to it where it answers', () => {
  const answers = readExampleAnswers();
  for (const one of Object.values<Contract>(publicContracts)) {
    assert.ok(one.example, one.operation);
    const isVoid = (one.answer as { type?: string }).type === 'void';
    assert.equal(one.operation in answers, !isVoid, one.operation);
  }
  const { paths } = describeContracts(Object.values(publicContracts), publicIntroduction, answers);
  const { requestBody, responses } = (paths as Paths)['/reports/view/salesByPeriod']!.post;
  const exampleIn = (part: Paths[string]) => part.content['application/json'].example;
  assert.deepEqual(exampleIn(requestBody), publicContracts.viewSalesByPeriod.example);
  assert.deepEqual(exampleIn(responses[200]), answers.viewSalesByPeriod);
  const { parameters } = (paths as Paths)['/advertising/campaigns']!.get;
  const channelId = parameters.find(({ name }: { name: string }) => name === 'channelId');
  assert.deepEqual(channelId.example, ['northwind-us', 'northwind-uk']);
});

test('the contract of imports lists exactly the document kinds that are recognised', () => {
  const expected = documentKindNames;
  const names = documentKinds.map(({ name }) => name);
  assert.deepEqual(names, expected);
});
