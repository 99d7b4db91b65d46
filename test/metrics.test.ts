/** The metrics of a service count what it does, by labels that are bounded and name no customer. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readConfig } from '../src/config.ts';
import { operatorContracts, publicContracts } from '../src/endpoints/contracts.ts';
import { StoreUnavailable } from '../src/engine/errors.ts';
import { QuestionQueue } from '../src/engine/questionQueue.ts';
import { countStoreError } from '../src/engine/storeErrors.ts';
import { type Running, start } from '../src/main.ts';
import { metrics } from '../src/observation/meter.ts';
import { createMeter, serveMetrics } from '../src/observation/prometheus.ts';
import { Client } from './client.ts';
import { HandClock } from './clock.ts';
import { until } from './harness.ts';
import { type Scrape, scrape } from './metrics.ts';
import { listsOf } from './table.ts';

const duration = 'vitrine_http_request_duration_seconds_count';

describe('the metrics of a service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-metrics-'));
  const settings = {
    VITRINE_DATA: folder,
    VITRINE_PORT: '0',
    VITRINE_METRICS: '127.0.0.1:0',
    VITRINE_OPERATOR_ADDRESS: '127.0.0.1:0',
  };
  const config = readConfig(settings);
  const [token] = config.operatorTokens;
  let running: Running;
  let client: Client;
  before(async () => {
    running = await start(config, { log: { level: 'silent' } });
    client = new Client(running.operatorAddress!, token);
  });
  after(async () => {
    await running.close();
    rmSync(folder, { recursive: true });
  });

  const read = () => scrape(running.metricsAddress!);

  /** A scrape that satisfies a condition: an answer is counted when it has been sent. */
  async function scrapeWith(holds: (found: Scrape) => boolean): Promise<Scrape> {
    let found = await read();
    await until(async () => {
      found = await read();
      return holds(found);
    });
    return found;
  }

  test('match the table and the process', async () => {
    const { names, sum } = await read();
    for (const [name, { type }] of Object.entries(metrics))
      assert.ok(names.has(name), `${name} (${type})`);
    const ofProcess = ['process_resident_memory_bytes', 'nodejs_gc_duration_seconds'];
    for (const name of [...ofProcess, 'nodejs_eventloop_lag_p99_seconds'])
      assert.ok(names.has(name), name);
    assert.equal(sum('vitrine_build_info', { registry: 'sqlite', warehouse: 'duckdb' }), 1);
    for (const check of ['registry', 'warehouse', 'rates', 'disk', 'stopping'])
      assert.equal(sum('vitrine_ready', { check }), 1, check);
  });

  test('count requests by the template of their route, method and class of status', async () => {
    const before = await read();
    const known = await client.connectCanary();
    const { key, channelId, merchantId } = known;
    const range = { fromDate: 1_752_933_600, toDate: 1_753_019_999 };
    const reportOptions = { ...range, timezone: 'UTC', interval: 'd' };
    const view = { channelId, merchantId, reportOptions };
    const sales = '/reports/view/salesByPeriod';
    const requests: [string, string, unknown, Record<string, string>, number][] = [
      ...Array.from({ length: 3 }, () => ['POST', sales, view, { 'x-api-key': key }, 200] as never),
      ['POST', sales, {}, { 'x-api-key': key }, 400],
      ['POST', sales, view, { 'x-api-key': 'vit_live_wrong' }, 403],
      ['GET', `/reports/status/${channelId}`, undefined, { 'x-api-key': key }, 404],
      ['GET', `/canary/${channelId}?key=${key}`, undefined, {}, 404],
      ['GET', `/%zz?key=${key}`, undefined, {}, 400],
      ['HEAD', '/healthz', undefined, {}, 200],
    ];
    for (const [method, path, body, headers, status] of requests)
      assert.equal((await client.ask(method, path, body, headers)).status, status, path);
    const made = requests.length + 4;
    const found = await scrapeWith(({ sum }) => sum(duration) - before.sum(duration) >= made);
    assert.equal(found.sum(duration) - before.sum(duration), made);
    const counted = (route: string, method: string, status: string) =>
      found.sum(duration, { route, method, status }) -
      before.sum(duration, { route, method, status });
    for (const [route, method, status, times] of listsOf(`
      ${sales},                      POST, 2xx, 3
      ${sales},                      POST, 4xx, 2
      /reports/status/:reportId,     GET,  4xx, 1
      none,                          GET,  4xx, 2
      /healthz,                      HEAD, 2xx, 1
      /operator/channels/:channelId, PUT,  2xx, 1`))
      assert.equal(counted(route, method, status), times, `${route} ${status}`);
    const templates = [...Object.values(publicContracts), ...Object.values(operatorContracts)].map(
      ({ path }) => path.replaceAll(/\{(\w+)\}/g, ':$1'),
    );
    for (const route of found.values(duration, 'route'))
      assert.ok([...templates, 'none', '/healthz'].includes(route), route);
    for (const secret of [...Object.values(known), 'Acme', 'canary', token])
      assert.ok(!found.text.toLowerCase().includes(secret.toLowerCase()), secret);
    // Two look-ups of rows for each answer that was not cached.
    assert.equal(found.sum('vitrine_working_set_lookups_total', { of: 'answer' }), 3);
    const hits = { of: 'answer', result: 'hit' };
    assert.equal(found.sum('vitrine_working_set_lookups_total', hits), 1);
    assert.ok(found.sum('vitrine_working_set_bytes') > 0);
  });

  test('count imports, their rows, and jobs', async () => {
    const { channelId, merchantId, key } = await client.connectCanary();
    const costs = 'sku,effectiveFrom,cogs,cogsCurrency\nA,2026-01-01,4.10,USD\nB,x,1,USD\n';
    const path = `/operator/imports/unitCosts?channelId=${channelId}`;
    await client.operate('POST', path, costs);
    const authorization = `Bearer ${token}`;
    const refused = await client.ask('POST', `${path}&onError=abort`, costs, { authorization });
    assert.equal(refused.status, 400, refused.text);
    const create = '/reports/create/inventoryReplenishment';
    const names = { channelId, merchantId };
    const created = await client.ask('POST', create, names, { 'x-api-key': key });
    assert.equal(created.status, 200, created.text);
    const done = { kind: 'report', outcome: 'done' };
    const { sum } = await scrapeWith((found) => found.sum('vitrine_jobs_ended_total', done) === 1);
    for (const [name, outcome, count] of listsOf(`
      vitrine_imports_ended_total, done,     1
      vitrine_imports_ended_total, refused,  1
      vitrine_import_rows_total,   accepted, 1
      vitrine_import_rows_total,   rejected, 2`))
      assert.equal(sum(name, { dataset: 'unitCosts', outcome }), count, `${name} ${outcome}`);
    assert.deepEqual([sum('vitrine_imports'), sum('vitrine_jobs_ended_total')], [0, 1]);
  });

  test('count jobs of all kinds that wait or run', async () => {
    const { values, sum } = await read();
    const kinds = ['unitCosts', 'report', 'webhook', 'schedule', 'scheduleMail'];
    assert.deepEqual(values('vitrine_jobs', 'kind'), kinds);
    assert.deepEqual(values('vitrine_jobs', 'state'), ['waiting', 'running']);
    assert.equal(sum('vitrine_jobs'), 0);
  });

  test('count requests in flight, and those whose client leaves', async () => {
    const port = Number(new URL(running.operatorAddress!).port);
    const { channelId } = await client.connectCanary();
    const before = await read();
    const abandoned = { route: '/operator/imports/:dataset', status: 'abandoned' };
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `POST /operator/imports/products?channelId=${channelId} HTTP/1.1\r\nhost: x\r\n` +
        `authorization: Bearer ${token}\r\ncontent-type: text/csv\r\n` +
        'content-length: 100\r\n\r\nsku',
    );
    await scrapeWith(
      ({ sum }) =>
        sum('vitrine_http_requests_in_flight') === 1 &&
        sum('vitrine_imports', { state: 'arriving' }) === 1,
    );
    socket.destroy();
    const found = await scrapeWith(({ sum }) => sum('vitrine_http_requests_in_flight') === 0);
    assert.equal(found.sum(duration, abandoned) - before.sum(duration, abandoned), 1);
    await scrapeWith(({ sum }) => sum('vitrine_imports', { state: 'arriving' }) === 0);
    await scrapeWith(({ sum }) => sum('vitrine_http_connections') < 100);
  });

  test('have an address of their own beside that of operators', async () => {
    const headers = { authorization: `Bearer ${token}` };
    for (const [method, path] of [
      ...[
        ['GET', '/operator/organisations'],
        ['PUT', '/operator/organisations'],
      ],
      ...[
        ['GET', '/operator/openapi.json'],
        ['POST', '/%6fperator/organisations'],
      ],
    ] as const) {
      const ask = (address: string) => fetch(address + path, { method, headers });
      const answers = await Promise.all([running.address, running.operatorAddress!].map(ask));
      const open = method === 'GET' ? 200 : method === 'PUT' ? 405 : 400;
      assert.deepEqual(
        answers.map(({ status }) => status),
        [404, open],
        path,
      );
      assert.match(await answers[0]!.text(), /"there is nothing at this path"/);
    }
  });

  test('are on their own port, at one path', async () => {
    assert.equal((await fetch(running.metricsAddress!.replace(/metrics$/, ''))).status, 404);
    assert.equal((await fetch(running.metricsAddress!, { method: 'POST' })).status, 404);
    assert.equal((await fetch(`${running.address}/metrics`)).status, 404);
    const metrics = { host: '127.0.0.1', port: Number(new URL(running.metricsAddress!).port) };
    const starting = start({ ...config, metrics }, { log: { level: 'silent' } });
    await assert.rejects(starting, /another program uses it \(EADDRINUSE\): set VITRINE_METRICS/);
  });
});

test('questions that wait are measured, and those that are refused by reason', async () => {
  const meter = createMeter();
  const clock = new HandClock();
  const limits = { runningMax: 1, organisationMax: 1, waitingMax: 2, waitMilliseconds: 1_000 };
  const queue = new QuestionQueue(limits, clock, meter);
  const requester = { organisationId: 'canary', keyId: 'canary' };
  const leaving = new AbortController();
  const end = await queue.acquire(requester);
  const waiting = [leaving.signal, undefined, undefined].map((signal) =>
    queue.acquire(requester, signal).catch(() => undefined),
  );
  const report = queue.acquire({ ...requester, isReport: true });
  const server = await serveMetrics(meter, { host: '127.0.0.1', port: 0 });
  try {
    const first = await scrape(server.address);
    for (const [asker, state, count] of listsOf(`
      request, running, 1
      request, waiting, 2
      report,  running, 1`))
      assert.equal(first.sum('vitrine_questions', { asker, state }), count, `${asker} ${state}`);
    leaving.abort();
    clock.advance(1_000);
    await Promise.all(waiting);
    const { sum, text } = await scrape(server.address);
    for (const reason of ['full', 'abandoned', 'waited'])
      assert.equal(sum('vitrine_question_refusals_total', { reason }), 1, reason);
    assert.ok(!text.includes('canary'));
  } finally {
    end();
    (await report)();
    await server.close();
  }
});

test('the values of labels are bounded, and a gauge that fails is missing alone', async () => {
  const meter = createMeter();
  for (let place = 0; place < 2_500; place++)
    meter.add('vitrine_imports_ended_total', { dataset: `d${place}`, outcome: 'done' });
  meter.gauge('vitrine_jobs', () => Promise.reject(new Error('no registry')));
  countStoreError(meter, new StoreUnavailable('registry', new Error('gone')));
  countStoreError(meter, new Error('another one'));
  const server = await serveMetrics(meter, { host: '127.0.0.1', port: 0 });
  try {
    const { sum, values } = await scrape(server.address);
    assert.equal(sum('vitrine_imports_ended_total'), 2_500);
    assert.equal(sum('vitrine_imports_ended_total', { dataset: 'other' }), 500);
    assert.equal(values('vitrine_imports_ended_total', 'dataset').length, 2_001);
    assert.deepEqual(values('vitrine_jobs', 'kind'), []);
    assert.equal(sum('vitrine_store_errors_total'), 1);
  } finally {
    await server.close();
  }
});
