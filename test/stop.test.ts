/** A stop under load: every request that a client may send is answered. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../src/config.ts';
import { start } from '../src/main.ts';
import { stop } from '../src/stopping.ts';
import { HandClock } from './clock.ts';
import { until } from './harness.ts';
import { deepTest } from './level.ts';
import { connectStore, freshService } from './service.ts';

const clientsMax = 6;
const drainSeconds = 5;

type Got = { readonly status: number; readonly headers: IncomingHttpHeaders; text: string };

/**
 * Sends a request once; undefined if a new connection is refused. `asksAgain` where an open
 * connection was closed, as all clients do: the service may close one while a request is on its way
 * there.
 */
function ask(agent: Agent, url: string, asksAgain: boolean): Promise<Got | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, text }),
      );
    });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      // Connections that the system had accepted, and the service not yet, are reset.
      const isRefused = error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET';
      if (isRefused && !sent.reusedSocket) resolve(undefined);
      else if (isRefused && asksAgain) resolve(ask(agent, url, asksAgain));
      else reject(error);
    });
    sent.end();
  });
}

/** Clients that reuse their connections and send requests until they are refused. */
function load(address: string, { asksAgain = false } = {}) {
  const counts = { answered: 0, closed: 0, unready: 0, refused: 0 };
  const failures: unknown[] = [];
  const clients = Array.from({ length: clientsMax }, async (_, place) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const path = ['/healthz', '/openapi.json', '/readyz'][place % 3]!;
    try {
      for (;;) {
        const got = await ask(agent, address + path, asksAgain);
        if (got === undefined) break;
        counts.answered++;
        if (got.headers.connection === 'close') counts.closed++;
        if (path === '/readyz' && got.status === 503) counts.unready++;
        else assert.equal(got.status, 200, got.text);
        assert.equal(typeof JSON.parse(got.text), 'object');
      }
      counts.refused++;
    } catch (error) {
      failures.push(error);
    } finally {
      agent.destroy();
    }
  });
  return { counts, failures, ended: Promise.all(clients) };
}

test('a stop under load first fails readiness and closes connections politely, then refuses', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-stop-'));
  const config = readConfig({ VITRINE_DATA: folder, VITRINE_PORT: '0' });
  const running = await start(config, { log: { level: 'silent' } });
  const clock = new HandClock();
  const { counts, failures, ended } = load(running.address);
  await until(() => counts.answered > 50);
  assert.equal(counts.closed + counts.unready, 0);
  const stopped = stop(running, drainSeconds, clock);
  await until(() => counts.unready > 5 && counts.closed > 50);
  clock.advance(drainSeconds * 1_000 - 1);
  const { answered } = counts;
  await until(() => counts.answered > answered + 50 || failures.length > 0);
  assert.equal(counts.refused, 0, 'new connections are taken until the end of the drain');
  clock.advance(1);
  assert.equal(await stopped, true);
  await ended;
  assert.deepEqual(failures, []);
  assert.equal(counts.refused, clientsMax);
  rmSync(folder, { recursive: true });
});

deepTest('a process that is stopped under load finishes requests and imports', async () => {
  await using service = await freshService({ VITRINE_DRAIN_SECONDS: '1' });
  await connectStore(service);
  const { counts, failures, ended } = load(service.address, { asksAgain: true });
  await until(() => counts.answered > 50);
  // An import that has begun to arrive before the stop, and ends after it.
  const imported = Promise.withResolvers<number>();
  const url = `${service.address}/operator/imports/unitCosts?channelId=store`;
  const headers = { authorization: service.authorization, 'content-type': 'text/csv' };
  const upload = request(url, { method: 'POST', headers }, (response) =>
    imported.resolve(response.resume().statusCode!),
  );
  upload.once('error', imported.reject);
  upload.write('sku,effectiveFrom,cogs,cogsCurrency\n');
  const list = () => service.operate('GET', '/operator/imports');
  await until(async () => (await list()).imports.length === 1);
  const stopped = service.stop();
  await ended;
  upload.end('A,2026-01-01,4.10,USD\n');
  assert.equal(await imported.promise, 200);
  await stopped;
  assert.deepEqual(failures, []);
  assert.equal(counts.refused, clientsMax);
  assert.ok(counts.unready > 0 && counts.closed > 0);
});
