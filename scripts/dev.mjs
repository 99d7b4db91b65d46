// `npm run dev`: runs the service with demonstration data and restarts it when demonstration, src
// or schema change. Pages are rebuilt when their sources change; the service reads them on every
// request, so a reload of the browser shows them.
import { spawn } from 'node:child_process';
import { readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import './setup.mjs';
import { buildPagesOnce } from './pages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The code that runs in browsers, and the guides: the service need not restart for them. */
const pageFolders = ['src/console', 'src/reference', 'docs'];
/** An editor writes several times when it saves; wait until it is quiet. */
const quietMilliseconds = 100;

const serviceFolders = readdirSync(join(root, 'src'), { withFileTypes: true })
  .map((entry) => `src/${entry.name}`)
  .filter((path) => !pageFolders.includes(path));
const service = spawn(
  process.execPath,
  [
    ...process.execArgv,
    ...[...serviceFolders, 'demonstration', 'schema'].map(
      (path) => `--watch-path=${join(root, path)}`,
    ),
    '--watch-preserve-output',
    join(root, 'src', 'cli', 'vitrine.ts'),
    ...['serve', '--demonstration'],
  ],
  // A restart after a change need not wait for load balancers.
  { stdio: 'inherit', env: { VITRINE_DRAIN_SECONDS: '0', ...process.env } },
);
service.on('exit', (code) => process.exit(code ?? 0));
// Ctrl+C reaches the service too, which then ends this process.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => service.kill(signal));

let timer;
for (const folder of pageFolders) {
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(rebuildPages, quietMilliseconds);
  });
}

async function rebuildPages() {
  try {
    if (await buildPagesOnce()) console.log('Pages rebuilt.');
  } catch (error) {
    console.error(`The pages could not be built: ${error.message}`);
  }
}
