// Attacks a service with demonstration data by scanners of others: sqlmap every operation of the
// public description, wapiti the pages and lists. Fails if one of them finds anything, or if the
// service answers anything with 500 or above. `--deep` tries more and takes about an hour.
// docs/security.md says what it found, and what it cannot find.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { tableOf } from '../src/cli/table.ts';
import { type Service, startService } from '../test/service.ts';
import { attackPages, attackRequest, type Depth, installScanners } from './scanners.ts';
import { readTargets, type Target } from './scanTargets.ts';

/** A row of the table that the scan prints. */
type Row = {
  readonly operation: string;
  /** The status of the request before it is attacked. */
  readonly first: string;
  requests: number;
  readonly statuses: Record<string, number>;
  readonly findings: string[];
};

const { values } = parseArgs({ options: { deep: { type: 'boolean', default: false } } });
const depth: Depth = values.deep
  ? { level: 3, risk: 2, minutes: 30 }
  : { level: 2, risk: 1, minutes: 6 };
const limits = { perSecond: 1_000_000, burst: 1_000_000, perDay: 1_000_000_000 };
const attacksAtOnce = 2;
const pollMilliseconds = 200;
const names = { channelId: 'northwind-us', merchantId: 'A2NORTHWIND01 @ ATVPDKIKX0DER' };
/** Findings that are none; docs/security.md says how they were ruled out. */
const falsePositives = [/X-XSS-Protection is not set/];
const pages = ['/console/', '/guides/', '/reference/', '/nothing', '/openapi.json'];
/** High enough that the scanners are answered, and not only refused. */
const settings = {
  VITRINE_ORGANISATION_GROUPS: '100000',
  VITRINE_ORGANISATION_TAGS: '1000000',
  VITRINE_ORGANISATION_KEPT_REPORTS: '1000000',
};

await installScanners();
await proveScanners();
const folder = await mkdtemp(join(tmpdir(), 'vitrine-scan-'));
const service = await startService(folder, settings, [
  'src/cli/vitrine.ts',
  'serve',
  '--demonstration',
]);
try {
  const key = await prepare(service);
  const rows = await attackOperations(service, key);
  rows.push(await attackAllPages(service, key));
  report(rows);
} finally {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Both scanners must find the faults of a page that has some: else finding none means nothing. */
async function proveScanners(): Promise<void> {
  const database = new DatabaseSync(':memory:');
  database.exec("CREATE TABLE item (name TEXT); INSERT INTO item VALUES ('a'), ('b')");
  const faulty = createServer((request, response) => {
    const name = new URL(request.url!, 'http://localhost').searchParams.get('name') ?? '';
    response.setHeader('content-type', 'text/html');
    try {
      const found = database.prepare(`SELECT name FROM item WHERE name = '${name}'`).all();
      response.end(`<a href="/?name=a">${name}</a> ${JSON.stringify(found)}`);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => faulty.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(faulty.address() as AddressInfo).port}/?name=a`;
  try {
    const attacked = await attackRequest({ method: 'GET', url, headers: [] }, depth);
    const crawled = await attackPages([url], [], { ...depth, minutes: 1 });
    const isProven =
      attacked.some((one) => one.startsWith('Parameter: name')) &&
      crawled.some((one) => one.startsWith('Cross Site Scripting'));
    if (!isProven)
      throw new Error(`the scanners miss faults: ${JSON.stringify([attacked, crawled])}`);
    console.log('Both scanners find the faults of a page that has some.');
  } finally {
    faulty.close();
  }
}

/** Waits for the demonstration, and issues a key that is hardly limited. */
async function prepare({ operate }: Service): Promise<string> {
  for (;;) {
    try {
      readFileSync(join(folder, 'demonstration.env'));
      break;
    } catch {
      await delay(pollMilliseconds);
    }
  }
  const { users } = await operate('GET', '/operator/users');
  const { userId } = users.find(({ role }: { role: string }) => role === 'owner');
  return (await operate('POST', '/operator/keys', { userId, limits })).key;
}

async function attackOperations(
  { address, ask, operate, log }: Service,
  key: string,
): Promise<Row[]> {
  const asKey = { 'x-api-key': key, 'content-type': 'application/json' };
  const make = async (path: string, body: object) =>
    (await (await ask('POST', path, { ...names, ...body }, asKey)).json()) as Record<
      string,
      string
    >;
  const { groupId } = await make('/customGroups', {
    groupName: 'Scan',
    products: [{ sellerSku: 'A' }],
  });
  const { reportId } = await make('/reports/create/inventoryReplenishment', {});
  const { jobId } = await make('/profitability/directCosts', {
    fromDate: 1_752_933_600,
    directCosts: [{ sellerSku: 'A', cogs: 1.5, cogsCurrency: 'USD' }],
  });
  const groups = await operate('GET', '/operator/campaignGroups');
  const targets = readTargets({
    id: String(groupId),
    reportId: reportId!,
    jobId: jobId!,
    customCampaignGroupId: groups.campaignGroups[0].groupId,
  });
  const atOnce = pLimit(attacksAtOnce);
  const rows = await Promise.all(targets.map((target) => atOnce(() => attack(target))));
  countAnswers(log(), targets, rows);
  return rows;

  async function attack({ operation, method, address: path, body }: Target): Promise<Row> {
    const url = `${address}${path}`;
    const isDeletion = method === 'DELETE';
    const first = isDeletion
      ? '-'
      : String((await ask(method, path.replace('*', ''), body, asKey)).status);
    const headers = Object.entries(asKey).map((pair) => pair.join(': '));
    const findings = await attackRequest({ method, url, body, headers }, depth);
    if (!isDeletion && first !== '200') findings.push(`the example is answered with ${first}`);
    console.log(`${operation}: ${findings.length === 0 ? 'nothing found' : findings.join('\n')}`);
    return { operation, first, requests: 0, statuses: {}, findings };
  }
}

/** The pages, and the lists whose parameters are in their addresses. */
async function attackAllPages({ address, log }: Service, key: string): Promise<Row> {
  const query = new URLSearchParams(names);
  const lists = [`/customGroups?${query}`, '/advertising/products?channelId=northwind-us'];
  const urls = [...pages, ...lists].map((path) => address + path);
  const before = log().length;
  const all = await attackPages(urls as [string, ...string[]], [`x-api-key: ${key}`], depth);
  const findings = all.filter((one) => !falsePositives.some((known) => known.test(one)));
  const row = { operation: '(pages)', first: '200', requests: 0, statuses: {}, findings };
  for (const { status } of answersIn(log().slice(before))) count(row, status);
  return row;
}

type Answered = { readonly method: string; readonly route: string; readonly status: number };

function answersIn(log: string): Answered[] {
  return log
    .split('\n')
    .filter((line) => line.includes('"msg":"answered"'))
    .map((line) => JSON.parse(line));
}

/** Counts the answers of each operation; what reached none of them has a row of its own. */
function countAnswers(log: string, targets: readonly Target[], rows: Row[]): void {
  const none: Row = {
    operation: '(no such path)',
    first: '-',
    requests: 0,
    statuses: {},
    findings: [],
  };
  for (const { method, route, status } of answersIn(log)) {
    if (route.startsWith('/operator')) continue;
    const at = targets.findIndex((one) => one.method === method && one.route === route);
    count(rows[at] ?? none, status);
  }
  rows.push(none);
}

function count(row: Row, status: number): void {
  row.requests++;
  row.statuses[status] = (row.statuses[status] ?? 0) + 1;
}

function report(rows: readonly Row[]): void {
  for (const { statuses, findings } of rows)
    for (const [status, times] of Object.entries(statuses))
      if (Number(status) >= 500) findings.push(`${times} answers with ${status}`);
  const show = ({ statuses }: Row) =>
    Object.entries(statuses)
      .map(([status, times]) => `${status}: ${times}`)
      .join(', ');
  console.log(
    tableOf(
      rows,
      [
        'operation',
        'first',
        'requests',
        { heading: 'statuses', show },
        { heading: 'findings', show: ({ findings }: Row) => findings.length },
      ],
      160,
    ),
  );
  const found = rows.flatMap(({ operation, findings }) =>
    findings.map((one) => `${operation}: ${one}`),
  );
  for (const one of found) console.error(one);
  if (found.length > 0) process.exitCode = 1;
  const requests = rows.reduce((sum, row) => sum + row.requests, 0);
  console.log(`${requests} requests, ${found.length} findings`);
}
