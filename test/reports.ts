/** Asks for a CSV report as a client does: creates it, waits until it is over, downloads it and reads it. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { unzipSync } from 'fflate';
import { compileCheck } from '../src/contract/check.ts';
import { type ReportFormat, type ReportType, reportTypes } from '../src/contract/reports.ts';
import { reportContracts } from '../src/endpoints/reports/create/contract.ts';
import type { Report, Table } from '../src/endpoints/reports/create/report.ts';
import { type Reports, reports } from '../src/endpoints/reports/create/reports.ts';
import { createCsvWriter } from '../src/report/csv.ts';
import type { TypedColumn } from '../src/report/typedColumns.ts';
import type { Tenant, World } from './harness.ts';
import { recordOf } from './records.ts';

/** The pauses between requests for a report, in milliseconds: each is twice the one before. */
const [firstPause, lastPause] = [5, 80];

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

/** A table of a report, whatever its options and rows are. */
// biome-ignore lint/suspicious/noExplicitAny: every report has options and rows of its own.
export type AnyTable = Table<any, any>;

/**
 * Computes a table as the job of its report does, with the options as its contract reads them, but
 * without a request, a job and a file.
 */
export async function computed(
  { registry, warehouse }: Pick<World, 'registry' | 'warehouse'>,
  channelId: string,
  { reportType, ...table }: AnyTable & { readonly reportType: ReportType },
  reportOptions?: object,
): Promise<Csv> {
  const body = { channelId, merchantId: 'any', reportOptions };
  const { input, failures } = checkOf(reportType).run({ body });
  assert.deepEqual(failures, []);
  const channel = await recordOf({ registry }, 'channel', { channelId });
  const channels = [channel];
  const limits = { deadlineMilliseconds: 3_600_000 };
  const csv = createCsvWriter(table.columns(input.reportOptions, channel, channels));
  let text = csv.header();
  const context = { channel, channels, warehouse, registry, limits };
  await table.rows(input.reportOptions, context, async (rows) => {
    text += csv.rows(rows);
  });
  return readCsv(Buffer.from(text));
}

const checks = new Map<ReportType, ReturnType<typeof compileCheck>>();

function checkOf(reportType: ReportType): ReturnType<typeof compileCheck> {
  const contracts = Object.values(reportContracts);
  const check =
    checks.get(reportType) ??
    compileCheck(contracts.find(({ path }) => path === `/reports/create/${reportType}`)!);
  checks.set(reportType, check);
  return check;
}

/** The rows of a report as texts, with a bar between cells. */
export const barred = ({ rows }: Csv): string[] => rows.map((row) => row.join('|'));

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
  const body = { channelId, merchantId, reportOptions, format };
  const created = await world.ask(key, 'POST', `/reports/create/${reportType}`, body);
  assert.equal(created.status, 200, JSON.stringify(created.body));
  return await fileOfReport(world, key, created.body.reportId);
}

/** The file of a report that has been created, once it is done. */
export async function fileOfReport(world: World, key: string, reportId: string): Promise<Buffer> {
  await ended(world, reportId);
  const { body } = await world.ask(key, 'GET', `/reports/status/${reportId}`);
  assert.equal(body.status, 'done', world.logLines.at(-1));
  const { pathname, search } = new URL(body.downloadUrl);
  const answer = await world.server.inject({ method: 'GET', url: pathname + search });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.rawPayload;
}

/** Waits until the job of a report is over, which the registry says for less than an answer. */
export async function ended(world: World, reportId: string): Promise<void> {
  const { jobId } = await recordOf(world, 'report', { reportId });
  for (let pause = firstPause; ; pause = Math.min(2 * pause, lastPause)) {
    const { state } = await recordOf(world, 'job', { jobId });
    if (state === 'done' || state === 'failed') return;
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
