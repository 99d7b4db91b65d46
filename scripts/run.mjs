// Runs the command line after the setup: `node scripts/run.mjs serve`.
//
// Three caches make a start fast. The first start builds them, and later ones keep them up to date:
// 1. compiled code (node_modules/.cache/vitrine), by Node's own compile cache, enabled here and for
//    other ways to start in src/cli/start.ts;
// 2. bundles of the libraries (node_modules/.cache/vitrine/bundles): a few large files load faster
//    than a thousand small ones. Made by scripts/bundle.mjs, used by src/cli/start.ts;
// 3. the pages for browsers (dist/pages), made by scripts/pages.mjs.
// Without them everything works, only slower. The heap flags are in package.json, under "config".
import { spawnSync } from 'node:child_process';
import * as module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const commandLine = join(root, 'src', 'cli', 'vitrine.ts');
const nodeMin = '24.7';

// Imported only now, so that the modules of the setup come from the cache as well. Node 20 has
// none.
module.enableCompileCache?.(join(root, 'node_modules', '.cache', 'vitrine'));
await import('./setup.mjs');

if (process.versions.node.localeCompare(nodeMin, 'en', { numeric: true }) >= 0) {
  process.argv[1] = commandLine;
  await import('../src/cli/vitrine.ts');
} else {
  // The first start with an older Node: the setup has just installed the pinned one.
  const node = join(root, 'node_modules', '.bin', 'node');
  const { status, error } = spawnSync(
    node,
    [...process.execArgv, commandLine, ...process.argv.slice(2)],
    { stdio: 'inherit' },
  );
  if (error)
    console.error(
      `Vitrine needs Node ${nodeMin} or later: install it, or use Linux, where npm installs it. ${error.message}`,
    );
  process.exitCode = status ?? 1;
}
