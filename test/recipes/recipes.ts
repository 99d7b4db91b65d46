/** The recipes for spreadsheets and other tools: every request of theirs, on the demonstration. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { type Documented, documentedTime, openShell } from '../guides.ts';
import { deepTest } from '../level.ts';
import { dataStudio, loadScript, Spreadsheet } from './appsScript.ts';
import { recordsOf } from './csv.ts';
import { openBoard } from './grafana.ts';
import { runWorkflow } from './n8n.ts';
import { readQuery } from './powerQuery.ts';
import { replayed, sent } from './replay.ts';

const store = { channelId: 'northwind-us', merchantId: 'A2NORTHWIND01 @ ATVPDKIKX0DER' };
const day = 86_400;
const today = Math.floor(documentedTime / 1000 / day) * day;
const month = { fromDate: today - 30 * day, toDate: today - 1 };
const prior = { priorFromDate: today - 60 * day, priorToDate: month.fromDate - 1 };
const pollMilliseconds = 5;

// biome-ignore lint/suspicious/noExplicitAny: the answers of many operations.
type Answer = any;

const read = (file: string) =>
  readFileSync(new URL(`../../recipes/${file}`, import.meta.url), 'utf8');
const sum = (values: readonly unknown[]) =>
  Math.round(values.reduce<number>((total, value) => total + Number(value), 0) * 100) / 100;

/** Checks the recipes; the service is open when the tests run. */
export function checkRecipes(serviceOf: () => Documented): void {
  const ask = async (method: string, path: string, body?: object): Promise<Answer> => {
    const { address, key } = serviceOf();
    const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) };
    const sentBody = body && JSON.stringify(body);
    const { status, text } = await sent({ method, url: address + path, headers, body: sentBody });
    assert.equal(status, 200, text);
    return JSON.parse(text);
  };
  const days = async (timezone: string, range: object, includeTax = true): Promise<Answer> => {
    const reportOptions = { ...range, timezone, interval: 'd' };
    const body = { ...store, reportOptions, includeTax };
    return (await ask('POST', '/reports/view/salesByPeriod', body)).formattedChartData;
  };

  deepTest('Google Sheets: the script writes the stores, their days and campaigns', async () => {
    const { address, key } = serviceOf();
    const { result: sheets } = await replayed((asking) => {
      const book = new Spreadsheet('Europe/Berlin');
      const properties = new Map([
        ['VITRINE_URL', `${address}/`],
        ['VITRINE_KEY', key],
      ]);
      const globals = { SpreadsheetApp: { getActive: () => book } };
      const parts = { ask: asking, now: documentedTime, properties, globals };
      loadScript({ file: 'google-sheets/Code.gs', ...parts }).call('refresh');
      return book.sheets;
    });
    // 22 October to 20 November in Berlin, which leaves summer time in between.
    const range = { fromDate: 1_792_620_000, toDate: 1_795_215_599 };
    const { rows } = await ask('POST', '/reports/view/salesByChannel', {
      ...range,
      priorFromDate: 1_790_028_000,
      priorToDate: range.fromDate - 1,
      timezone: 'Europe/Berlin',
      currentCurrency: 'USD',
      pageSize: 100,
    });
    const stores = recordsOf(sheets.get('Stores')!);
    assert.deepEqual(
      stores.map((one) => [one.store, one['sales.value'], one['sales.priorPeriodValue']]),
      rows.map((one: Answer) => [one.store, one.sales.value, one.sales.priorPeriodValue]),
    );
    const all = recordsOf(sheets.get('Days')!);
    const ofStore = all.filter((one) => one.store === 'Northwind Outdoor US');
    const expected = await days('Europe/Berlin', range);
    assert.deepEqual(
      ofStore.map(({ sales, unitsSold }) => [sales, unitsSold]),
      expected.map(({ sales, unitsSold }: Answer) => [Number(sales), Number(unitsSold)]),
    );
    assert.equal(all.length, 6 * 30);
    const campaigns = recordsOf(sheets.get('Campaigns')!);
    const expectedCount = await Promise.all(
      stores.map(async ({ storeId }) => {
        const input = `channelId=${storeId}&fromDate=${range.fromDate}&toDate=${range.toDate}`;
        const isAdvertised = storeId !== 'northwind-web';
        if (!isAdvertised) return 0;
        return (await ask('GET', `/advertising/campaigns?${input}&pageSize=1`)).pagination.count;
      }),
    );
    assert.equal(campaigns.length, sum(expectedCount));
    assert.ok(sum(campaigns.map(({ cost }) => cost)) > 0);
  });

  test('Looker Studio: the connector answers the days of each store in its own zone', async () => {
    const { address, key } = serviceOf();
    const ids = ['date', 'store', 'sales', 'adSpend'];
    const { result } = await replayed((asking) => {
      const properties = new Map<string, string>();
      const globals = { DataStudioApp: dataStudio };
      const parts = { ask: asking, now: documentedTime, properties, globals };
      const script = loadScript({ file: 'looker-studio/Code.gs', ...parts });
      const wrong = script.call('setCredentials', { pathKey: { path: address, key: 'wrong' } });
      assert.deepEqual({ ...(wrong as object) }, { errorCode: 'INVALID_CREDENTIALS' });
      assert.equal(script.call('isAuthValid'), false);
      script.call('setCredentials', { pathKey: { path: address, key } });
      assert.equal(script.call('isAuthValid'), true);
      assert.equal((script.call('getAuthType') as Answer).AuthType, 'PATH_KEY');
      assert.equal((script.call('getConfig') as Answer).DateRangeRequired, true);
      assert.equal((script.call('getSchema') as Answer).schema.length, 10);
      return script.call('getData', {
        fields: ids.map((name) => ({ name })),
        dateRange: { startDate: '2026-10-31', endDate: '2026-11-02' },
      }) as Answer;
    });
    const found = Array.from(result.schema, (field: Answer) => field.Id);
    assert.deepEqual(found, ids);
    // Three days of Los Angeles; the second has 25 hours.
    const range = { fromDate: 1_793_430_000, toDate: 1_793_692_799 };
    const expected = await days('America/Los_Angeles', range);
    const rows = Array.from(result.rows, ({ values }: Answer) => Array.from(values));
    assert.deepEqual(
      rows.filter(([, name]) => name === 'Northwind Outdoor US'),
      expected.map((one: Answer) => [
        ...[one.startTime.slice(0, 10).replaceAll('-', ''), 'Northwind Outdoor US'],
        ...[Number(one.sales), Number(one.adSpend)],
      ]),
    );
    assert.equal(rows.length, 6 * 3);
  });

  test('Excel and Power BI: the query reads the channels, the stores and their profit', async () => {
    const { address, key } = serviceOf();
    const text = read('power-query/Vitrine.pq');
    const settled = text.replace('https://api.example.com', address).replace('vit_live_...', key);
    assert.ok(settled.includes(address) && settled.includes(key));
    const run = await readQuery(settled);
    const { result } = await replayed((asking) => run(asking, documentedTime) as Answer);
    const { Channels, Stores, Profit } = result;
    assert.equal(Channels.rows.length, 7);
    const range = { ...month, timezone: 'UTC' };
    const view = { ...range, ...prior, currentCurrency: 'USD', pageSize: 100 };
    const { rows } = await ask('POST', '/reports/view/salesByChannel', view);
    assert.deepEqual(
      Stores.rows.map((row: Answer) => [row.storeId, row['sales.value'], row['units.value']]),
      rows.map(({ storeId, sales, units }: Answer) => [storeId, sales.value, Number(units.value)]),
    );
    const channelIds = Channels.rows
      .filter(({ kind }: Answer) => kind === 'seller')
      .map(({ channelId }: Answer) => channelId);
    const { formattedChartData: profit } = await ask('POST', '/reports/view/profitByPeriod', {
      channelIds,
      currentCurrency: 'USD',
      reportOptions: { ...range, interval: 'd' },
    });
    const netProfits = Profit.rows.map(({ netProfit }: Answer) => netProfit);
    const expected = profit.map(({ netProfit }: Answer) => Number(netProfit));
    assert.deepEqual(netProfits, expected);
  });

  test('Grafana: the variable and each panel of the dashboard find their columns', async () => {
    const { address, key } = serviceOf();
    const board = JSON.parse(read('grafana/dashboard.json'));
    const { variables, panels } = await openBoard(board, {
      address,
      key,
      ...month,
      chosen: store.channelId,
    });
    const counts = ['stores', 'sellers', 'store'].map((name) => variables[name]!.length);
    assert.deepEqual([...counts, panels[0]!.length, panels[1]!.length], [7, 6, 6, 30, 7]);
    assert.ok(panels[2]!.length > 0);
  });

  test('n8n: the workflow finds stores that need attention, and downloads a report', async () => {
    const { address, publicUrl, key } = serviceOf();
    const outputs = await runWorkflow(JSON.parse(read('n8n/workflow.json')), {
      settings: { url: address, currency: 'USD', ...store },
      key,
      now: documentedTime,
      redirected: (url) => url.replace(publicUrl, address),
      wait: () => new Promise((resolve) => setTimeout(resolve, pollMilliseconds)),
    });
    const { rows } = await ask('POST', '/reports/view/salesByChannel', {
      ...month,
      ...prior,
      timezone: 'UTC',
      currentCurrency: 'USD',
      pageSize: 100,
    });
    const needy = rows.filter(({ healthStatus }: Answer) => healthStatus !== 'good');
    assert.deepEqual(outputs.get('Stores that need attention'), needy);
    const [file] = outputs.get('Download the report')!;
    assert.match(String(file!.data), /^[^\n]+,[^\n]+\r?\n[^\n]+/);
  });

  deepTest('dbt and Metabase: the questions over exported Parquet agree with the API', async () => {
    const service = serviceOf();
    const folder = await service.folderFor();
    const shell = openShell(service, folder);
    const channels = [store.channelId, 'northwind-de'];
    for (const channelId of channels) {
      const { code, error } = await shell.run(
        `vitrine export --channel ${channelId} exports/${channelId}`,
      );
      assert.equal(code, 0, error);
    }
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const rowsOf = async (question: string): Promise<Answer[]> =>
      (await connection.runAndReadAll(question)).getRowObjectsJson();
    await createModels(connection, join(folder, 'exports'));
    const spans = `day between '2026-10-22' and '2026-11-20' and channel_id = '${store.channelId}'`;
    const sold = await rowsOf(
      `select day, sales, units from sales_by_day where ${spans} order by day`,
    );
    const expected = await days('UTC', month, false);
    assert.deepEqual(
      sold.map(({ sales, units }) => [Number(sales), Number(units)]),
      expected.map(({ sales, unitsSold }: Answer) => [Number(sales), Number(unitsSold)]),
    );
    const [{ spend }] = (await rowsOf(
      `select sum(spend) as spend from stores_by_day where ${spans}`,
    )) as [Answer];
    const range = { fromDate: 1_792_652_400, toDate: 1_795_247_999 };
    const parameters = `channelId=${store.channelId}&fromDate=${range.fromDate}&toDate=${range.toDate}&pageSize=100`;
    const { data } = await ask('GET', `/advertising/campaigns?${parameters}`);
    assert.equal(sum([spend]), sum(data.map(({ cost }: Answer) => cost)));
    const titled = await rowsOf('select count(title) as titled, count(*) as rows from products');
    assert.deepEqual(titled[0].titled, titled[0].rows);
    await connection.run(
      read('parquet/metabase/views.sql').replaceAll("'exports/", `'${folder}/exports/`),
    );
    const filtered = { channel: `'${store.channelId}'`, currency: "'USD'" };
    const months = await rowsOf(metabaseQuestion('sales-by-month', filtered));
    const total = await rowsOf(
      `select sum(sales) as sales from sales_by_day where channel_id = '${store.channelId}'`,
    );
    assert.equal(sum(months.map(({ sales }) => sales)), sum([total[0].sales]));
    assert.ok((await rowsOf(metabaseQuestion('acos-by-month', {}))).every(({ acos }) => acos > 0));
    connection.closeSync();
  });
}

type Connection = Awaited<ReturnType<DuckDBInstance['connect']>>;

/** Creates the models of dbt as views, in the order of their references. */
async function createModels(connection: Connection, exports: string): Promise<void> {
  const folder = new URL('../../recipes/parquet/dbt/models/', import.meta.url);
  const [, location] = /external_location: "(.+)"/.exec(read('parquet/dbt/models/sources.yml'))!;
  const names = (await readdir(folder)).filter((file) => file.endsWith('.sql'));
  const models = names.map((file) => ({
    name: file.replace('.sql', ''),
    text: read(`parquet/dbt/models/${file}`),
  }));
  models.sort(
    (one, other) => Number(one.text.includes('ref(')) - Number(other.text.includes('ref(')),
  );
  for (const { name, text } of models) {
    const question = text
      .replaceAll(/\{\{ source\('vitrine', '(\w+)'\) \}\}/g, (_, table: string) =>
        location!.replace(/\{\{.+?\}\}/, exports).replace('{name}', table),
      )
      .replaceAll(/\{\{ ref\('(\w+)'\) \}\}/g, '$1');
    await connection.run(`create view ${name} as ${question}`);
  }
}

/** A question of Metabase with these parameters; optional parts without theirs fall away. */
function metabaseQuestion(name: string, parameters: Readonly<Record<string, string>>): string {
  return read(`parquet/metabase/${name}.sql`).replaceAll(
    /\[\[(.+?)\{\{(\w+)\}\}(.*?)\]\]/g,
    (_, before: string, parameter: string, after: string) =>
      parameter in parameters ? before + parameters[parameter] + after : '',
  );
}
