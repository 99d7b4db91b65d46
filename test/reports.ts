/** Asks for a CSV report as a client does: creates it, waits until it is over, downloads it and reads it. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { unzipSync } from 'fflate';
import { type ReportFormat, type ReportType, reportTypes } from '../src/contract/reports.ts';
import type { Report } from '../src/endpoints/reports/create/report.ts';
import { type Reports, reports } from '../src/endpoints/reports/create/reports.ts';
import type { TypedColumn } from '../src/report/typedColumns.ts';
import type { Tenant, World } from './harness.ts';

/** The pause before a report is asked for again: twice as long each time, up to a limit. */
const pauses = { firstMilliseconds: 5, lastMilliseconds: 80 };

/** A report: the names of its columns, and its rows as lists of cells. */
export type Csv = { readonly columns: string[]; readonly rows: string[][] };

/** Reports of every type with these columns and rows. */
export function reportsWith<Row>(
  columns: readonly TypedColumn<Row>[],
  rows: Report<ReportType, Row>['rows'],
): Reports {
  const table = { columns: () => columns, rows };
  const report = (reportType: ReportType) =>
    'tables' in reports[reportType]
      ? { ...reports[reportType], tables: { report: table } }
      : { ...reports[reportType], ...table };
  return Object.fromEntries(
    reportTypes.map((reportType) => [reportType, report(reportType)]),
  ) as unknown as Reports;
}

type Owner = Pick<Tenant, 'key' | 'channelId' | 'merchantId'>;

/** Has a report made and reads it; expects that it comes to be done. */
export async function csvOf(
  world: World,
  tenant: Owner,
  reportType: string,
  reportOptions?: object,
): Promise<Csv> {
  return readCsv(await fileOf(world, tenant, reportType, reportOptions));
}

/** The same of an archive: its reports by the names of their files. */
export async function archiveOf(
  world: World,
  tenant: Owner,
  reportType: string,
  reportOptions?: object,
): Promise<Record<string, Csv>> {
  return readArchive(await fileOf(world, tenant, reportType, reportOptions));
}

/** The reports of an archive by the names of their files. */
export function readArchive(file: Buffer): Record<string, Csv> {
  const files = unzipSync(file);
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, readCsv(bytes)]));
}

/** The columns and rows of a report. */
export function readCsv(file: Uint8Array): Csv {
  const [columns, ...rows] = recordsOf(Buffer.from(file).toString());
  return { columns: columns!, rows };
}

/** The file of a report, as a key downloads it. */
export async function fileOf(
  world: World,
  tenant: Owner,
  reportType: string,
  reportOptions?: object,
  format?: ReportFormat,
): Promise<Buffer> {
  const { key, channelId, merchantId } = tenant;
  const created = await world.ask(key, 'POST', `/reports/create/${reportType}`, {
    channelId,
    merchantId,
    reportOptions,
    format,
  });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  return await fileOfReport(world, key, created.body.reportId);
}

/** The file of a report that has been created, once it is done. */
export async function fileOfReport(world: World, key: string, reportId: string): Promise<Buffer> {
  for (
    let pause = pauses.firstMilliseconds;
    ;
    pause = Math.min(2 * pause, pauses.lastMilliseconds)
  ) {
    const { body } = await world.ask(key, 'GET', `/reports/status/${reportId}`);
    assert.notEqual(body.status, 'errored', world.logLines.at(-1));
    if (body.status === 'done') {
      const { pathname, search } = new URL(body.downloadUrl);
      const answer = await world.server.inject({ method: 'GET', url: pathname + search });
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.rawPayload;
    }
    await delay(pause);
  }
}

/** The rows of a report, each by the names of its columns. */
export function named({ columns, rows }: Csv): Record<string, string>[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, place) => [name, row[place]!])));
}

/** The records of RFC 4180: every one ends with CRLF, and a quoted cell may hold anything. */
function recordsOf(text: string): string[][] {
  const records: string[][] = [];
  let cells: string[] = [];
  for (const [whole, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g,
  )) {
    assert.ok(whole.length > 0);
    cells.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end === ',') continue;
    records.push(cells);
    cells = [];
  }
  assert.deepEqual(cells, []);
  return records;
}
