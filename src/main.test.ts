import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readConfig } from './config.ts';
import { start } from './main.ts';

const commandLine = fileURLToPath(import.meta.resolve('./cli/vitrine.ts'));

function inFolder(name: string, run: (folder: string) => Promise<void>): void {
  test(name, async () => {
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
    const headers = {
      authorization: `Bearer ${config.operatorToken}`,
      'content-type': 'application/json',
    };
    const first = await start(config, { log: { level: 'silent' } });
    assert.equal((await fetch(`${first.address}/readyz`)).status, 200);
    const made = await fetch(`${first.address}/operator/organisations`, {
      method: 'POST',
      headers,
      body: '{"name":"Acme"}',
    });
    const { organisationId } = (await made.json()) as { organisationId: string };
    await Promise.all([first.close(), first.close()]);

    const second = await start(config, { log: { level: 'silent' } });
    assert.equal(
      (await fetch(`${second.address}/operator/organisations/${organisationId}`, { headers }))
        .status,
      200,
    );
    await second.close();
  },
);

inFolder('a start that fails leaves nothing open', async (folder) => {
  const occupied = createServer().listen(0, '127.0.0.1');
  await once(occupied, 'listening');
  const { port } = occupied.address() as { port: number };
  const config = readConfig({ VITRINE_DATA: folder });
  try {
    await assert.rejects(start({ ...config, port }, { log: { level: 'silent' } }), /EADDRINUSE/);
  } finally {
    occupied.close();
  }
  await (await start({ ...config, port: 0 }, { log: { level: 'silent' } })).close();
});

inFolder('vitrine serve says where it is and ends in good order on SIGTERM', async (folder) => {
  const environment = {
    ...process.env,
    VITRINE_DATA: folder,
    VITRINE_PORT: '0',
    VITRINE_RATES: 'off',
    DATABASE_URL: '',
    CLICKHOUSE_URL: '',
  };
  const child = spawn(process.execPath, [commandLine, 'serve'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'exit');
  after(() => child.kill('SIGKILL'));
  while (!said.includes('is running at') && child.exitCode === null)
    await Promise.race([once(child.stderr, 'data'), ended]);
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
  assert.equal((await fetch(`${address}/readyz`)).status, 200, said);
  const operatorToken = readFileSync(join(folder, 'operator-token'), 'utf8').trim();
  const listed = await fetch(`${address}/operator/keys`, {
    headers: { authorization: `Bearer ${operatorToken}` },
  });
  assert.deepEqual(await listed.json(), { keys: [], total: 0 });
  child.kill('SIGTERM');
  const [code] = await ended;
  assert.equal(code, 0, said);
});

inFolder('vitrine serve names what the environment lacks and ends', async (folder) => {
  const environment = {
    ...process.env,
    VITRINE_DATA: folder,
    VITRINE_PORT: 'x',
    VITRINE_ENVIRONMENT: 'y',
  };
  const child = spawn(process.execPath, [commandLine, 'serve'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 1);
  assert.match(said, /- VITRINE_PORT must.*\n.*- VITRINE_ENVIRONMENT must/);
  assert.doesNotMatch(said, /at readConfig/);
});
