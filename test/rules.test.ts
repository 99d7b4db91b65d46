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
import { textBeside } from './table.ts';

/** A way to break a rule, and the start of the failure. */
type Example = {
  readonly patch: Fields;
  readonly text: string;
  /** The field is malformed by this, so that rules that read it cannot be checked. */
  readonly isMalformed: boolean;
};

/** A valid request, and an example for each rule, then for each one that needs records. */
type Row = { readonly valid: Fields; readonly examples: readonly Example[] };

/** The quota of unit costs, more than the other examples have. */
const unitCostsMax = 250;
const channelNames = ['channelId', 'merchantId'];
const group = 'GROUP';

/** Unit costs of different products, and of different currencies. */
const costsOf = (length: number, currencyOf = (_: number) => 'USD') =>
  Array.from({ length }, (_, at) => {
    return { sellerSku: `${at}`, cogs: 1, cogsCurrency: currencyOf(at) };
  });
const currencyOf = (index: number) =>
  `A${String.fromCharCode(65 + (index % 26), 65 + Math.floor(index / 26))}`;
const costs: Readonly<Record<string, readonly object[]>> = {
  '251 products': costsOf(unitCostsMax + 1),
  '201 currencies': costsOf(201, currencyOf),
};

/** A line of the table. */
function exampleOf(line: string): Example {
  const [, mark, text = '', fields = ''] = /^ *(! )?(.*?) (\{.*)$/.exec(line)!;
  const patch = Object.entries(JSON.parse(fields)).map(([path, value]) => {
    return [path, costs[String(value)] ?? value ?? undefined];
  });
  return { text, patch: Object.fromEntries(patch), isMalformed: mark !== undefined };
}

/** The examples of every operation of the public interface. */
const rows: Readonly<Record<string, Row>> = Object.fromEntries(
  textBeside(import.meta.url, 'rules.txt')
    .split(/\n+(?=\w+ \{)/)
    .slice(1)
    .map((lines) => {
      const [valid, ...examples] = lines.trim().split('\n').map(exampleOf);
      return [valid!.text, { valid: valid!.patch, examples }];
    }),
);

const noStore = 'channelId and merchantId do not match a connected store';
const unreachable = { text: noStore, patch: { merchantId: 'nobody' }, isMalformed: true };

/** A rule with its example. */
type Case = { readonly rule: RuleFields; readonly example: Example };

function casesOf(contract: Contract, { examples }: Row): Case[] {
  const { recordRules = [] } = endpoints.find((one) => one.contract === contract)!;
  const rules = [...(contract.rules ?? []), ...recordRules];
  const need = `${contract.operation}: every rule needs an example in rules.txt`;
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
      const { valid: own } = rows.saveCustomGroup!;
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
  if (!one.example.isMalformed) return false;
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
