/** Traces as a collector gets them: OTLP over HTTP, in protobuf. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../src/config.ts';
import { start } from '../src/main.ts';
import { Client } from './client.ts';
import { deepTest } from './level.ts';

type Field = { readonly number: number; readonly bytes: Buffer };

/** The fields of a message that have a length; others are skipped. */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = message[at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const [number, type] = [tag >>> 3, tag & 7];
    if (type === 0) varint();
    else if (type === 1) at += 8;
    else if (type === 5) at += 4;
    else {
      const length = varint();
      fields.push({ number, bytes: message.subarray(at, at + length) });
      at += length;
    }
  }
  return fields;
}

const within = (messages: readonly Buffer[], number: number) =>
  messages.flatMap((one) =>
    fieldsOf(one)
      .filter((field) => field.number === number)
      .map(({ bytes }) => bytes),
  );

/** The spans of a request to a collector, by the numbers of opentelemetry/proto. */
function spansOf(body: Buffer) {
  return within(within(within([body], 1), 2), 2).map((span) => {
    const text = (number: number, encoding: BufferEncoding) =>
      within([span], number)[0]?.toString(encoding) ?? '';
    return { id: text(2, 'hex'), parent: text(4, 'hex'), name: text(5, 'utf8') };
  });
}

test('spans of requests, questions and imports reach the collector, without names of customers', async () => {
  const bodies: Buffer[] = [];
  const paths: string[] = [];
  const collector = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    bodies.push(Buffer.concat(pieces));
    paths.push(request.url!);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-traces-'));
  const given = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  Object.assign(process.env, given, { OTEL_SERVICE_NAME: 'shop-figures' });
  try {
    const config = readConfig({ VITRINE_DATA: folder, VITRINE_PORT: '0', ...given });
    const running = await start(config, { log: { level: 'silent' } });
    const client = new Client(running.address, config.operatorTokens[0]);
    const { channelId, merchantId, key, ...names } = await client.connectCanary();
    const costs = 'sku,effectiveFrom,cogs,cogsCurrency\ncanary,2026-01-01,4.10,USD\n';
    await client.operate('POST', `/operator/imports/unitCosts?channelId=${channelId}`, costs);
    const range = { fromDate: 1_752_933_600, toDate: 1_753_019_999 };
    const reportOptions = { ...range, timezone: 'UTC', interval: 'd' };
    const body = { channelId, merchantId, reportOptions };
    const headers = { 'x-api-key': key };
    const answer = await client.ask('POST', '/reports/view/salesByPeriod', body, headers);
    assert.equal(answer.status, 200, answer.text);
    await running.close();

    const spans = bodies.flatMap(spansOf);
    assert.ok(paths.length > 0 && paths.every((path) => path === '/v1/traces'));
    const requested = (name: string) => spans.find((span) => span.name === name)!;
    const view = requested('POST /reports/view/salesByPeriod');
    assert.equal(view.parent, '', 'a request is a root');
    assert.ok(
      spans.some(({ name, parent }) => name.startsWith('question ') && parent === view.id),
      JSON.stringify(spans),
    );
    assert.equal(requested('import').parent, requested('POST /operator/imports/:dataset').id);
    assert.ok(requested('PUT /operator/channels/:channelId'));
    const all = Buffer.concat(bodies).toString('latin1');
    assert.ok(all.includes('shop-figures'));
    for (const secret of ['canary', 'CANARY', 'SELECT', key, ...Object.values(names)])
      assert.ok(!all.includes(secret), secret);
  } finally {
    for (const name of [...Object.keys(given), 'OTEL_SERVICE_NAME']) delete process.env[name];
    collector.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

deepTest(
  'the libraries of metrics, traces, pretty logs and assistants are not loaded unless they are used',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-unwatched-'));
    const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));
    const script = `
    import { registerHooks } from 'node:module';
    const watched = /node_modules.(@opentelemetry|@prometheus-io|@modelcontextprotocol|pino-pretty)/;
    registerHooks({ load(url, context, next) {
      if (watched.test(url)) console.log('loaded ' + url);
      return next(url, context);
    } });
    const { readConfig } = await import(${JSON.stringify(source('config.ts'))});
    const { start } = await import(${JSON.stringify(source('main.ts'))});
    const running = await start(readConfig(process.env));
    await running.close();`;
    const run = (more: Record<string, string>) =>
      spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        env: { PATH: process.env.PATH, VITRINE_DATA: folder, VITRINE_PORT: '0', ...more },
        encoding: 'utf8',
      });
    const without = run({});
    assert.equal(without.status, 0, without.stderr);
    assert.doesNotMatch(without.stdout, /loaded/);
    assert.match(run({ VITRINE_METRICS: '127.0.0.1:0' }).stdout, /loaded .*@prometheus-io/);
    rmSync(folder, { recursive: true });
  },
);
