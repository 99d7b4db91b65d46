/**
 * The tools of operations answer what the operations answer, and say their period, their further
 * rows and where they are cut.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  assistantAddress,
  call,
  callOperation,
  connect,
  refusedCall,
  type ToolAnswer,
} from '../../test/assistants.ts';
import { type Method, onOnePair, type Tenant } from '../../test/harness.ts';
import { importRows } from '../../test/imports.ts';
import { slowTest } from '../../test/level.ts';
import { listsOf } from '../../test/table.ts';
import { type Contract, isReading } from '../contract/endpoint.ts';
import { requestOf } from '../contract/requests.ts';
import { publicContracts } from '../endpoints/contracts.ts';

const contracts: readonly Contract[] = Object.values(publicContracts).filter(isReading);
const program = fileURLToPath(import.meta.resolve('../cli/vitrine.ts'));

onOnePair('tools of operations', (world) => {
  let address: URL;
  let client: Client;
  let tenant: Tenant;
  let vendor: { channelId: string; merchantId: string };
  /** The records that examples name besides a channel. */
  let made: Readonly<Record<string, unknown>>;

  const named = () => ({ channelId: tenant.channelId, merchantId: tenant.merchantId });

  async function post(path: string, body: object) {
    const answer = await world().ask(tenant.key, 'POST', path, { ...named(), ...body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  }

  before(async () => {
    tenant = await world().tenant();
    const settings = { kind: 'vendor', merchantId: 'VENDOR' } as const;
    vendor = {
      channelId: await world().channel(tenant.organisationId, 'reading-vendor', settings),
      merchantId: settings.merchantId,
    };
    await importRows(world(), 'exchangeRates', undefined, [
      { date: '2026-09-01', currency: 'USD', perEuro: 1.1 },
    ]);
    const lines = Array.from({ length: 12 }, (_, index) => ({
      orderId: `o${index}`,
      lineId: '1',
      quantity: 1,
      sku: `SKU-${index}`,
      purchasedAt: '2026-10-05T12:00:00Z',
      itemPrice: '10.00',
    }));
    await importRows(world(), 'orderLines', tenant.channelId, lines);
    const group = { groupName: 'Best', products: [{ sellerSku: 'SKU-1' }] };
    const { groupId } = await post('/customGroups', group);
    const { reportId } = await post('/reports/create/inventoryReplenishment', {});
    const { jobId } = await post('/profitability/directCosts', {
      fromDate: 1_700_000_000,
      directCosts: [{ sellerSku: 'SKU-1', cogs: 1, cogsCurrency: 'USD' }],
    });
    const webhook = { url: 'https://hooks.example.com/', events: ['report.finished'] };
    const { body } = await world().ask(tenant.key, 'POST', '/webhooks', webhook);
    const { scheduleId } = await post('/schedules', {
      name: 'Sales',
      cron: '0 7 * * 1',
      timezone: 'UTC',
      period: 'lastWeek',
      operation: 'viewSalesByChannel',
      parameters: {},
    });
    made = { id: groupId, reportId, jobId, webhookId: body.webhookId, scheduleId };
    address = await assistantAddress(world());
    client = await connect(address, tenant.key);
    await client.listTools();
  });

  /** The example of a contract, with the records of this world in place of the demonstration's. */
  function inputOf({ operation, example = {} }: Contract): Record<string, unknown> {
    const channel = operation === 'viewVendorSalesByPeriod' ? vendor : named();
    const { filter: _, asins: __, sellerSkus: ___, searchText: ____, ...rest } = example;
    return Object.fromEntries(
      Object.entries({ ...rest, ...made, ...channel })
        .filter(([name]) => name in example || !(name in made || name in channel))
        .map(([name, value]) => [
          name,
          Array.isArray(example[name]) && name in channel ? [channel.channelId] : value,
        ]),
    );
  }

  test('a dozen tools are listed within 25 kB; the others are found and called', async () => {
    const list = await client.listTools();
    const bytes = Buffer.byteLength(JSON.stringify(list.tools));
    assert.ok(bytes < 25_000, `the list of tools has ${bytes} bytes`);
    assert.equal(list.tools.length, 12);
    for (const { name, annotations } of list.tools)
      assert.equal(annotations?.readOnlyHint, name !== 'what_to_reorder', name);
    const namesOf = async (words: string) => {
      const { answer } = await call(client, 'find_operations', { words });
      return answer.operations.map(({ operation }: { operation: string }) => operation);
    };
    for (const [words, operation] of listsOf(`
      Orders of buyers, listOrders
      search queries, listSearchQueryPerformance
      which targets were set?, readTargets
      vendor sales, viewVendorSalesByPeriod
      keyword, listKeywords`) as [string, string][])
      assert.ok((await namesOf(words)).includes(operation), words);
    assert.deepEqual((await namesOf('xyzzy')).sort(), contracts.map((one) => one.operation).sort());
    const { answer } = await call(client, 'find_operations', { words: 'readTargets' });
    const [{ input, answer: meanings }] = answer.operations;
    assert.deepEqual(Object.keys(input.properties).slice(0, 2), ['channelId', 'merchantId']);
    assert.ok(Object.keys(meanings).length > 2);
    const changing = Object.keys(publicContracts).filter((name) =>
      /^(save|change|delete|create|convert|rotate|test|replay|run)/.test(name),
    );
    assert.equal(contracts.length + changing.length, Object.keys(publicContracts).length);
  });

  test('a refusal names what is known and the next step', async () => {
    const refused = (operation: string, input: object) =>
      refusedCall(client, 'call_operation', { operation, input });
    assert.match(await refused('dropTables', {}), /^400: operation must .*find_operations/);
    assert.match(await refused('listOrders', {}), /; listChannels lists the stores of the key$/);
    const unknown = await refused('listCampaigns', { channelId: ['x'], foo: 1 });
    assert.match(
      unknown,
      /foo is not known.*; the fields are channelId, fromDate, toDate, currency/,
    );
    const date = await refused('listCampaigns', { channelId: [tenant.channelId], toDate: 'May' });
    assert.match(date, /^400: toDate must be a day such as 2026-10-01/);
  });

  for (const contract of contracts) {
    const source = `${contract.method} ${contract.path}`;
    test(`${contract.operation} answers what ${source} answers`, async () => {
      const input = inputOf(contract);
      const { answer, sources } = await callOperation(client, contract.operation, input);
      const { path, body } = requestOf(contract, input);
      const plain = await world().ask(tenant.key, contract.method as Method, path, body);
      assert.equal(plain.status, 200, JSON.stringify(plain.body));
      assert.deepEqual(answer, plain.body);
      assert.deepEqual(sources, [{ call: source, parameters: input }]);
    });
  }

  const timezone = 'America/Los_Angeles';
  const october = { fromDate: 1_790_838_000, toDate: 1_793_516_399, timezone };

  test('an answer says its period, zone and currency, and how to get further rows', async () => {
    const { period, currency, rows, summary } = await call(client, 'viewSalesByProduct', {
      ...named(),
      ...october,
      pageSize: 5,
    });
    const days = { from: '2026-10-01T00:00:00.000-07:00', to: '2026-10-31T23:59:59.000-07:00' };
    assert.deepEqual(period, { ...days, timezone: 'America/Los_Angeles' });
    assert.equal(currency, 'USD');
    assert.deepEqual(rows, [
      { list: 'answer.rows', shown: 5, of: 12, next: 'ask with pageIndex 1' },
    ]);
    assert.match(summary, /Shows 5 of 12 in answer\.rows; for others ask with pageIndex 1\.$/);
    const last = await call(client, 'viewSalesByProduct', {
      ...named(),
      ...october,
      pageSize: 5,
      pageIndex: 2,
    });
    assert.deepEqual(last.rows, [{ list: 'answer.rows', shown: 2, of: 12 }]);
  });

  test('dates may be days, and a comparison period is shown on request only', async () => {
    const days = { fromDate: '2026-10-01', toDate: '2026-10-31', timezone };
    const prior = { priorFromDate: '2026-09-01', priorToDate: '2026-09-30' };
    for (const operation of ['viewSalesByChannel', 'viewSalesByProduct']) {
      const input = operation === 'viewSalesByChannel' ? {} : named();
      const plain = await callOperation(client, operation, { ...input, ...days });
      const seconds = await callOperation(client, operation, { ...input, ...october });
      assert.deepEqual(plain, seconds);
      assert.doesNotMatch(JSON.stringify(plain.answer), /prior/i);
      assert.equal(plain.period.prior, undefined);
      const compared = await callOperation(client, operation, { ...input, ...days, ...prior });
      assert.match(JSON.stringify(compared.answer), /"prior/);
      assert.equal(compared.period.prior.from, '2026-09-01T00:00:00.000-07:00');
    }
    // Without a zone of its own, an operation takes the days of the store, which is in Los Angeles.
    const { fromDate, toDate } = days;
    const found = await callOperation(client, 'listOrders', { ...named(), fromDate, toDate });
    const { parameters } = found.sources.at(-1);
    assert.deepEqual([parameters.fromDate, parameters.toDate], [october.fromDate, october.toDate]);
  });

  test('a long answer is cut, and says so', async () => {
    const hours = { ...october, interval: 'hour' };
    const cut = await call(client, 'viewSalesByPeriod', { ...named(), reportOptions: hours });
    const [row] = cut.rows;
    const shown: number = cut.answer.formattedChartData.length;
    // October has 31 days of 24 hours.
    assert.deepEqual(row, {
      list: 'answer.formattedChartData',
      shown,
      of: 744,
      next: 'ask for a shorter period, a longer interval or less',
    });
    assert.ok(shown > 10 && shown <= 100);
    const bytes = Buffer.byteLength(JSON.stringify(cut));
    assert.ok(bytes < 42_000, `the answer has ${bytes} bytes`);
  });

  test('resources are the glossary and the stores', async () => {
    const { resources } = await client.listResources();
    const expected = ['vitrine://glossary', 'vitrine://channels'];
    const uris = resources.map(({ uri }) => uri);
    assert.deepEqual(uris, expected);
    const [glossary] = (await client.readResource({ uri: 'vitrine://glossary' })).contents;
    assert.match((glossary as { text: string }).text, /^# Glossary/);
    const [channels] = (await client.readResource({ uri: 'vitrine://channels' })).contents;
    const { answer } = JSON.parse((channels as { text: string }).text) as ToolAnswer;
    const channelIds = answer.map(({ channelId }: { channelId: string }) => channelId).sort();
    assert.deepEqual(channelIds, [tenant.channelId, 'reading-vendor'].sort());
  });

  test('a client of 2025 has the same tools', async () => {
    const old = new OldClient({ name: 'old', version: '1' });
    const requestInit = { headers: { 'x-api-key': tenant.key } };
    // Its types do not know exactOptionalPropertyTypes.
    const transport = new StreamableHTTPClientTransport(address, { requestInit });
    await old.connect(transport as Parameters<OldClient['connect']>[0]);
    const { tools } = await old.listTools();
    assert.equal(tools.length, 12);
    const input = { ...named(), reportOptions: { ...october, interval: 'month' } };
    const answer = await old.callTool({ name: 'viewSalesByPeriod', arguments: input });
    const newer = await call(client, 'viewSalesByPeriod', input);
    assert.deepEqual(answer.structuredContent, newer);
    assert.equal(newer.answer.formattedChartData[0].sales, '120.00');
    await old.close();
  });

  slowTest('vitrine mcp has the same tools over standard input and output', async () => {
    const local = new Client({ name: 'desktop', version: '1' });
    await local.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [program, 'mcp', '--url', address.origin],
        env: { VITRINE_KEY: tenant.key, PATH: process.env.PATH ?? '' },
      }),
    );
    const [here, there] = [await local.listTools(), await client.listTools()];
    assert.deepEqual(here.tools, there.tools);
    const input = { ...named(), reportOptions: { ...october, interval: 'month' } };
    const expected = await call(client, 'viewSalesByPeriod', input);
    assert.deepEqual(await call(local, 'viewSalesByPeriod', input), expected);
    const found = JSON.stringify(
      await local.callTool({ name: 'viewSalesByPeriod', arguments: {} }),
    );
    assert.match(found, /400: channelId is required, merchantId is required/);
    await local.close();
  });
});
