/**
 * The service as a whole: it starts, keeps what was made, changes its secret, writes its log and
 * ends in good order.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HandClock } from '../test/clock.ts';
import { deepTest, slowTest } from '../test/level.ts';
import { queryPostgres } from '../test/servers/postgres.ts';
import { freshStores, sharedServers } from '../test/servers/shared.ts';
import { startService } from '../test/service.ts';
import { readConfig } from './config.ts';
import { start } from './main.ts';
import { stop } from './stopping.ts';

const commandLine = fileURLToPath(import.meta.resolve('./cli/vitrine.ts'));

const silent = { log: { level: 'silent' } } as const;

/** Runs `vitrine serve` in a process; all that it says on standard error is in `said`. */
function serve(environment: Record<string, string>) {
  const child = spawn(process.execPath, [commandLine, 'serve'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
  return { child, said: () => said.join('') };
}

function inFolder(name: string, run: (folder: string) => Promise<void>): void {
  slowTest(name, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-main-'));
    try {
      await run(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

inFolder(
  'a service that is started is ready, and what was made is there after the next start',
  async (folder) => {
    const config = readConfig({ VITRINE_DATA: folder, VITRINE_PORT: '0' });
    const authorization = `Bearer ${config.operatorTokens[0]}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const first = await start(config, silent);
    assert.equal((await fetch(`${first.address}/readyz`)).status, 200);
    const asked = { method: 'POST', headers, body: '{"name":"Acme"}' };
    const made = await fetch(`${first.address}/operator/organisations`, asked);
    const { organisationId } = (await made.json()) as { organisationId: string };
    await Promise.all([first.close(), first.close()]);

    const second = await start(config, { ...silent, awaitsRates: true });
    const ready = async () => (await fetch(`${second.address}/readyz`)).status;
    assert.equal(await ready(), 503);
    const content = { document: true, kind: 'referenceRates', attributionDays: 14 } as const;
    const history = Readable.from(['Date,USD,JPY,CZK,DKK,GBP\n2026-01-02,2,150,25,7.5,0.9\n']);
    const options = { acceptsMultiDay: false, abortOnRejection: true };
    await second.importer.import({ content, ...options }, history);
    assert.equal(await ready(), 200);
    const path = `/operator/organisations/${organisationId}`;
    assert.equal((await fetch(`${second.address}${path}`, { headers })).status, 200);
    await second.close();
  },
);

inFolder('a secret is replaced step by step, and a wrong one is refused', async (folder) => {
  const [old, next, wrong] = ['old', 'new', 'wrong'].map((name) => `${name}-Zq3vX8kLmP2wRt7yBn4c`);
  const common = { VITRINE_DATA: folder, VITRINE_PORT: '0' };
  const startWith = (...secrets: string[]) =>
    start(readConfig({ ...common, VITRINE_SECRET: secrets.join(' ') }), silent);
  const installationKeys = new Set<string>();
  for (const secrets of [[old], [next, old], [old, next], [next, old], [next]]) {
    const running = await startWith(...(secrets as string[]));
    installationKeys.add(running.secret);
    await running.close();
  }
  assert.equal(installationKeys.size, 1);
  for (const secret of [wrong, old]) {
    await assert.rejects(startWith(secret!), {
      name: 'StartRefusal',
      message: /is not that of this registry.*Restore the secret from a backup/,
    });
  }
});

deepTest('users of stores without rights are named, with what they need', async () => {
  const stores = await freshStores();
  const as = (address: string, username: string, password: string) =>
    Object.assign(new URL(address), { username, password }).href;
  const environment = (databaseUrl: string, clickhouseUrl: string) => ({
    DATABASE_URL: databaseUrl,
    CLICKHOUSE_URL: clickhouseUrl,
    VITRINE_SECRET: 'secret-of-the-tests-0123456789abcdefghij',
    VITRINE_OPERATOR_TOKEN: 'operator-token-of-the-tests-0123456789abc',
    VITRINE_PORT: '0',
  });
  const { postgresUrl, clickhouseUrl, name } = stores;
  await queryPostgres(postgresUrl, `CREATE ROLE ${name} LOGIN PASSWORD 'guest'`);
  try {
    for (const [database, warehouse, refusal] of [
      [as(postgresUrl, name, 'guest'), clickhouseUrl, /^The user of DATABASE_URL may not/],
      [postgresUrl, as(clickhouseUrl, 'reader', 'vitrine-reads'), /^The user of CLICKHOUSE_URL/],
    ] as const) {
      const starting = start(readConfig(environment(database, warehouse)), silent);
      await assert.rejects(starting, { name: 'StartRefusal', message: refusal });
    }
  } finally {
    await stores.drop();
    await queryPostgres((await sharedServers()).postgresUrl, `DROP ROLE ${name}`);
  }
});

inFolder('a start that fails leaves nothing open', async (folder) => {
  const occupied = createServer().listen(0, '127.0.0.1');
  await once(occupied, 'listening');
  const { port } = occupied.address() as { port: number };
  const config = readConfig({ VITRINE_DATA: folder });
  try {
    await assert.rejects(start({ ...config, port }, silent), /EADDRINUSE/);
  } finally {
    occupied.close();
  }
  await (await start({ ...config, port: 0 }, silent)).close();
});

test('a service that cannot close is ended before its supervisor would kill it', async () => {
  const clock = new HandClock();
  const drain = () => {};
  const isClosed = stop({ drain, close: () => new Promise(() => {}) }, 0, clock);
  clock.advance(20_000);
  assert.equal(await isClosed, false);
  assert.equal(await stop({ drain, close: async () => {} }, 0, clock), true);
  const close = () => Promise.reject(new Error('the disk is gone'));
  await assert.rejects(stop({ drain, close }, 0, clock), /the disk is gone/);
  assert.equal(clock.pending, 0);
});

inFolder('vitrine serve says where it is and ends in good order on SIGTERM', async (folder) => {
  // As a careless restore may leave it.
  mkdirSync(join(folder, 'reports'));
  writeFileSync(join(folder, 'reports', 'restored.csv'), '');
  chmodSync(folder, 0o755);
  const { child, said } = serve({
    VITRINE_DATA: folder,
    VITRINE_PORT: '0',
    VITRINE_RATES: 'off',
    VITRINE_DRAIN_SECONDS: '0',
    DATABASE_URL: '',
    CLICKHOUSE_URL: '',
  });
  const ended = once(child, 'exit');
  after(() => child.kill('SIGKILL'));
  while (!said().includes('is running at') && child.exitCode === null)
    await Promise.race([once(child.stderr, 'data'), ended]);
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said())?.[0];
  assert.equal((await fetch(`${address}/readyz`)).status, 200, said());
  const operatorToken = readFileSync(join(folder, 'operator-token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${operatorToken}` };
  const listed = await fetch(`${address}/operator/keys`, { headers });
  assert.deepEqual(await listed.json(), { keys: [], total: 0 });
  const made = readdirSync(folder, { withFileTypes: true, recursive: true });
  assert.ok(made.some(({ name }) => name.endsWith('-wal')));
  for (const entry of made) {
    const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
    assert.equal(mode, entry.isDirectory() ? 0o700 : 0o600, entry.name);
  }
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  child.kill('SIGTERM');
  const [code] = await ended;
  assert.equal(code, 0, said());
});

inFolder('the log is JSON, or lines for people without secrets', async (folder) => {
  for (const format of ['json', 'pretty']) {
    const service = await startService(folder, { VITRINE_LOG_FORMAT: format });
    const key = 'vit_live_guessed';
    await service.ask('POST', '/channels?who=somebody@example.com', {}, { 'x-api-key': key });
    await service.stop();
    const lines = service.log().trim().split('\n');
    const answered = lines.find((line) => line.includes('answered'))!;
    assert.doesNotMatch(service.log(), /vit_live|somebody/);
    if (format === 'json') assert.equal(JSON.parse(answered).route, '/channels');
    else assert.match(answered, /^\[\d\d:\d\d:\d\d\] INFO: answered \{.*"route":"\/channels"/);
  }
});

inFolder('vitrine serve names what the environment lacks and ends', async (folder) => {
  const wrong = { VITRINE_PORT: 'x', VITRINE_ENVIRONMENT: 'y' };
  const { child, said } = serve({ VITRINE_DATA: folder, ...wrong });
  const [code] = await once(child, 'close');
  assert.equal(code, 1);
  assert.match(said(), /- VITRINE_PORT must.*\n.*- VITRINE_ENVIRONMENT must/);
  assert.doesNotMatch(said(), /at readConfig/);
});
