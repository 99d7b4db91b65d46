/** The recipes for an agency: 22 stores of sellers and 3 of vendors, in pages of 10 rows. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { addressOf, onOnePair, type Tenant } from '../harness.ts';
import { importRows } from '../imports.ts';
import { rowsOf } from '../table.ts';
import { dataStudio, loadScript, Spreadsheet } from './appsScript.ts';
import { recordsOf } from './csv.ts';
import { openBoard } from './grafana.ts';
import { runWorkflow } from './n8n.ts';
import { readQuery } from './powerQuery.ts';
import { replayed } from './replay.ts';

// biome-ignore lint/suspicious/noExplicitAny: the parts of many tools.
type Any = any;

const read = (file: string) =>
  readFileSync(new URL(`../../recipes/${file}`, import.meta.url), 'utf8');
const now = Date.UTC(2026, 0, 15, 12);
const range = { fromDate: Date.UTC(2025, 11, 16) / 1000, toDate: Date.UTC(2026, 0, 15) / 1000 - 1 };

onOnePair('recipes for 25 stores', (world) => {
  let tenant: Tenant;
  let address: string;
  const parts = () => ({ address, key: tenant.key });
  const inTens = (text: string) =>
    text.replaceAll(/(?<=Page = |pageSize: |< |PAGE = )100\b/g, '10');

  before(async () => {
    const own = { currency: 'USD', timezone: 'UTC' };
    tenant = await world().tenant({ channelId: 'agency-0', channel: { ...own, displayName: '0' } });
    for (let number = 1; number < 25; number++) {
      const kind = number > 21 ? 'vendor' : 'seller';
      const settings = {
        ...own,
        kind,
        displayName: `${number}`,
        merchantId: `M${number}`,
      } as const;
      await world().channel(tenant.organisationId, `agency-${number}`, settings);
    }
    // The last of the sellers would be of a second call, and of the third page.
    for (const number of [0, 21]) {
      const posted = 'eventId, postedAt, line, amount\n"1", 2026-01-02T12:00:00Z, sales, "10.00"';
      await importRows(world(), 'financeEvents', `agency-${number}`, rowsOf(posted));
    }
    const campaigns = Array.from({ length: 12 }, (_, place) => ({
      date: '2026-01-02',
      campaignId: `${place}`,
      cost: '1.00',
    }));
    await importRows(world(), 'campaignDays', 'agency-24', campaigns);
    address = await addressOf(world());
  });

  test('Google Sheets shows every store and campaign, and the days of every seller', async () => {
    const { result } = await replayed((ask) => {
      const book = new Spreadsheet('UTC');
      const properties = new Map(Object.entries({ VITRINE_URL: address, VITRINE_KEY: tenant.key }));
      const globals = { SpreadsheetApp: { getActive: () => book } };
      const file = 'google-sheets/Code.gs';
      const script = { file, ask, now, properties, globals, changed: inTens };
      loadScript(script).call('refresh');
      return book.sheets;
    });
    const of = (name: string) => recordsOf(result.get(name)!);
    assert.equal(new Set(of('Stores').map(({ store }) => store)).size, 25);
    assert.deepEqual([of('Days').length, of('Campaigns').length], [22 * 30, 12]);
  });

  test('Looker Studio shows the days of every seller', async () => {
    const { result } = await replayed((ask) => {
      const globals = { DataStudioApp: dataStudio };
      const properties = new Map(
        Object.entries({ 'vitrine.url': address, 'vitrine.key': tenant.key }),
      );
      const script = loadScript({ file: 'looker-studio/Code.gs', ask, now, properties, globals });
      const dateRange = { startDate: '2026-01-01', endDate: '2026-01-02' };
      return script.call('getData', { fields: [{ name: 'store' }], dateRange }) as Any;
    });
    assert.equal(result.rows.length, 22 * 2);
  });

  test('Excel and Power BI show every store, and add up the profit of every seller', async () => {
    const text = inTens(read('power-query/Vitrine.pq'))
      .replace('https://api.example.com', address)
      .replace('vit_live_...', tenant.key);
    const run = await readQuery(text);
    const { Stores, Profit } = (await replayed((ask) => run(ask, now) as Any)).result;
    assert.equal(new Set(Stores.rows.map(({ storeId }: Any) => storeId)).size, 25);
    const sold = Profit.rows.filter(({ sales }: Any) => sales !== 0);
    assert.deepEqual([Profit.rows.length, sold.map(({ sales }: Any) => sales)], [30, [20]]);
  });

  test('Grafana shows all stores, and offers sellers and advertised stores where only they fit', async () => {
    const board = JSON.parse(read('grafana/dashboard.json'));
    const { variables, panels } = await openBoard(board, { ...parts(), ...range });
    const counts = ['stores', 'sellers', 'store'].map((name) => variables[name]!.length);
    assert.deepEqual(counts, [25, 22, 25]);
    assert.deepEqual(
      panels.slice(0, 2).map((rows) => rows.length),
      [30, 25],
    );
  });

  test('n8n reads every page of stores', async () => {
    const report = { channelId: tenant.channelId, merchantId: tenant.merchantId };
    const outputs = await runWorkflow(JSON.parse(inTens(read('n8n/workflow.json'))), {
      settings: { url: address, currency: 'USD', ...report },
      key: tenant.key,
      now,
      redirected: (url) => url.replace(/^http:\/\/vitrine\.test/, address),
      wait: () => new Promise((resolve) => setTimeout(resolve, 5)),
    });
    const stores = outputs.get('One item per store')!.map(({ storeId }) => storeId);
    assert.equal(new Set(stores).size, 25);
  });
});
