/** Reports as Parquet files, from their creation to their download. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { unzipSync } from 'fflate';
import type { Write } from '../src/endpoints/reports/create/report.ts';
import type { TypedColumn } from '../src/report/typedColumns.ts';
import { onEachPair, type Tenant, testOnOnePair } from './harness.ts';
import { readParquet } from './parquet.ts';
import { ended, reportsWith } from './reports.ts';

type Row = readonly [name: string, day: string | null, amount: string | null, count: number];

const columns: readonly TypedColumn<Row>[] = [
  { name: 'name', type: 'text', cell: ([name]) => name },
  { name: 'day', type: 'text', isDate: true, cell: ([, day]) => day },
  { name: 'amount', type: 'number', digits: 2, cell: ([, , amount]) => amount },
  { name: 'count', type: 'number', digits: 'whole', cell: ([, , , count]) => count },
];
const csv = "name,day,amount,count\r\n'=a,2025-03-01,12.50,3\r\nü,,,0\r\n";
const types = ['VARCHAR', 'DATE', 'DECIMAL(18,2)', 'BIGINT'];
const cells = [
  ['=a', '2025-03-01', '12.50', '3'],
  ['ü', null, null, '0'],
];

/** Reports wait here before their rows; `made` counts those that have come to it. */
let gate: Promise<void>;
let made = 0;
const reports = reportsWith<Row>(columns, async (_options, _context, write: Write<Row>) => {
  made += 1;
  await gate;
  await write([['=a', '2025-03-01', '12.50', 3]]);
  await write([['ü', null, null, 0]]);
});

onEachPair(
  'Formats of reports',
  (world, pair) => {
    const testOnce = testOnOnePair(pair);
    let tenant: Tenant;
    let open: () => void;

    beforeEach(async () => {
      tenant = await world().tenant({ channel: { hasAdvertisingConnected: true } });
      made = 0;
      const opened = Promise.withResolvers<void>();
      [gate, open] = [opened.promise, opened.resolve];
    });

    const post = (format?: unknown, type = 'customerLifetimeValue') =>
      world().ask(tenant.key, 'POST', `/reports/create/${type}`, {
        channelId: tenant.channelId,
        merchantId: tenant.merchantId,
        reportOptions: { fromDate: 1_752_933_600, toDate: 1_753_019_999 },
        ...(format !== undefined && { format }),
      });

    async function download(reportId: string) {
      await ended(world(), reportId);
      const { body } = await world().ask(tenant.key, 'GET', `/reports/status/${reportId}`);
      assert.equal(body.status, 'done', world().logLines.at(-1));
      const { pathname, search } = new URL(body.downloadUrl);
      const { headers, rawPayload } = await world().server.inject({
        method: 'GET',
        url: pathname + search,
        headers: { 'accept-encoding': 'gzip' },
      });
      return { name: pathname.split('/').at(-1)!, headers, bytes: rawPayload };
    }

    testOnce('A Parquet file has the rows of the CSV, a type and a name of its own', async () => {
      open();
      const { status, body } = await post('parquet');
      const expected = [200, { ...body, reportType: 'customerLifetimeValue', status: 'started' }];
      assert.deepEqual([status, body], expected);
      const { name, headers, bytes } = await download(body.reportId);
      assert.match(name, /^customerLifetimeValue-.*\.parquet$/);
      assert.equal(headers['content-disposition'], `attachment; filename="${name}"`);
      assert.equal(headers['content-type'], 'application/vnd.apache.parquet');
      assert.equal(headers['content-encoding'], undefined);
      const table = await readParquet(bytes);
      assert.deepEqual(table.columns, ['name', 'day', 'amount', 'count']);
      assert.deepEqual(table.types, types);
      assert.deepEqual(table.rows, cells);
      const { body: list } = await world().ask(tenant.key, 'GET', '/reports');
      assert.equal(list.reports[0].fileName, name);
    });

    testOnce('An archive of CSV files becomes one of Parquet files', async () => {
      open();
      const { name, headers, bytes } = await download(
        (await post('parquet', 'campaigns')).body.reportId,
      );
      assert.match(name, /^campaigns-.*\.zip$/);
      assert.equal(headers['content-type'], 'application/zip');
      const files = unzipSync(bytes);
      assert.deepEqual(Object.keys(files), ['report.parquet']);
      assert.deepEqual((await readParquet(files['report.parquet']!)).rows, cells);
      const plain = await download((await post('csv', 'campaigns')).body.reportId);
      const texts = unzipSync(plain.bytes);
      assert.deepEqual(Object.keys(texts), ['report.csv']);
      assert.equal(Buffer.from(texts['report.csv']!).toString(), csv);
    });

    test('Requests share a report only in the same format; CSV is the default', async () => {
      const reportIds = [];
      for (const format of ['parquet', undefined, 'csv', null, 'parquet'])
        reportIds.push((await post(format)).body.reportId);
      open();
      const files = [];
      for (const reportId of reportIds) files.push(await download(reportId));
      assert.equal(made, 2);
      for (const place of [0, 4])
        assert.deepEqual((await readParquet(files[place]!.bytes)).rows, cells);
      for (const place of [1, 2, 3]) {
        assert.match(files[place]!.name, /\.csv$/);
        assert.equal(files[place]!.headers['content-encoding'], 'gzip');
      }
    });

    testOnce('Other formats are refused', async () => {
      const { status, body } = await post('xlsx');
      const expected = [400, { status: 'error', error: 'format must be csv or parquet' }];
      assert.deepEqual([status, body], expected);
    });
  },
  { reports },
);
