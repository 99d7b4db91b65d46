// Runs the command line after the set-up: `node scripts/run.mjs serve`. One process where the pinned Node already runs, which is every time but
// the first on a machine with an older one.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import './setup.mjs';

const commandLine = fileURLToPath(new URL('../src/cli/vitrine.ts', import.meta.url));
const nodeMin = '24.7';

if (process.versions.node.localeCompare(nodeMin, 'en', { numeric: true }) >= 0) {
  process.argv[1] = commandLine;
  await import('../src/cli/vitrine.ts');
} else {
  const node = join(fileURLToPath(new URL('..', import.meta.url)), 'node_modules', '.bin', 'node');
  const { status, error } = spawnSync(
    node,
    [...process.execArgv, commandLine, ...process.argv.slice(2)],
    { stdio: 'inherit' },
  );
  if (error)
    console.error(
      `Node ${nodeMin} is needed: install it, or use a machine for which npm has it (Linux). ${error.message}`,
    );
  process.exitCode = status ?? 1;
}
