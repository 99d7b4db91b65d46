/** The audit of dependencies, against a registry that the test imitates. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { deepTest, slowTest } from './level.ts';

const script = fileURLToPath(new URL('../scripts/audit.ts', import.meta.url));
const advisory = { title: 'Anybody may sign in', vulnerable_versions: '*' };
let advisories = 0;

type Run = { readonly code: number; readonly printed: string };

/** Runs the audit on what a registry answers to the question for advisories. */
async function audit(answer: object | undefined, allowed: readonly object[] = []): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-audit-'));
  const registry = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    if (!request.url?.endsWith('/advisories/bulk') || answer === undefined) {
      response.writeHead(request.method === 'POST' ? 405 : 404).end('{}');
      return;
    }
    // The question was about the real tree, not an empty one.
    assert.match(gunzipSync(Buffer.concat(chunks)).toString(), /"fastify"/);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  try {
    await once(registry.listen(0, '127.0.0.1'), 'listening');
    const { port } = registry.address() as AddressInfo;
    const file = join(folder, 'allowed.json');
    await writeFile(file, JSON.stringify(allowed));
    // A cache of its own, because npm caches advisories.
    const env = {
      ...process.env,
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_cache: join(folder, 'cache'),
    };
    return await new Promise((resolve) => {
      execFile(process.execPath, [script, file], { env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), printed: stdout + stderr }),
      );
    });
  } finally {
    registry.closeAllConnections();
    registry.close();
    await rm(folder, { recursive: true });
  }
}

const named = (name: string, severity = 'high') => ({
  ...advisory,
  id: ++advisories,
  severity,
  url: `https://github.com/advisories/GHSA-${name}`,
});
const entry = (name: string, until = '9999-12-31') => ({
  advisory: `GHSA-${name}`,
  reason: 'nobody signs in',
  until,
});
const fine = [named('weak', 'moderate'), named('known')];

slowTest('a vulnerability of a production dependency fails unless it is allowed', async () => {
  const allowed = [entry('known'), entry('late', '2020-01-01'), entry('gone')];
  const refused = await audit({ fastify: [...fine, named('new'), named('late')] }, allowed);
  assert.deepEqual(refused.printed.trim().split('\n').sort(), [
    'GHSA-gone is allowed but not found: remove it from audit.json',
    'fastify: Anybody may sign in (high), https://github.com/advisories/GHSA-late, was allowed until 2020-01-01',
    'fastify: Anybody may sign in (high), https://github.com/advisories/GHSA-new',
  ]);
  assert.equal(refused.code, 1);
});

deepTest('an audit that finds nothing but what is allowed passes', async () => {
  const { code, printed } = await audit({ fastify: fine }, [entry('known')]);
  assert.match(printed, /^Dependencies: no vulnerability of level high but 1 allowed$/m);
  assert.equal(code, 0);
});

deepTest('without an answer of the registry the audit says so and passes', async () => {
  const { code, printed } = await audit(undefined);
  assert.equal(code, 0);
  assert.match(printed, /^Dependencies were not audited: 405 /m);
});
