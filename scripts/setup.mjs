// Installs dependencies and builds bundles and pages when they are missing or out of date. Runs on
// Node 20 too, because it installs the pinned Node 24.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPagesOnce } from './pages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** How long the registry of npm may take for an answer. */
const answerMilliseconds = 3000;
const stampFile = join(root, 'node_modules', '.vitrine-setup.json');
const hashOf = (file) =>
  createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('hex');
const lock = hashOf('package-lock.json');
const bundles = hashOf('scripts/bundle.mjs');

const stamp = existsSync(stampFile) ? JSON.parse(readFileSync(stampFile, 'utf8')) : {};
// A clone of a developer keeps what development needs.
const isDev = process.argv.includes('--dev') || stamp.installed === 'dev';
const wanted = isDev ? 'dev' : 'production';
if (stamp.lock !== lock || (wanted === 'dev' && stamp.installed !== 'dev')) {
  console.log(
    `Installing ${wanted === 'dev' ? 'all dependencies' : 'the dependencies of the service'} (once) ...`,
  );
  const args = [
    'ci',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...(wanted === 'dev' ? [] : ['--omit=dev']),
  ];
  const cache = cacheOfOwn();
  const options = {
    cwd: root,
    env: { ...process.env, ...(cache && { npm_config_cache: cache }) },
  };
  // npm would try for minutes; without a network, its cache may still have everything.
  const unreachable = reasonOfSilence(options);
  if (unreachable) {
    console.error(`npm does not reach its registry (${unreachable}). Trying its cache ...`);
    args.push('--offline');
  }
  const npm = spawnSync('npm', args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
  if (cache) rmSync(cache, { recursive: true, force: true });
  if (npm.status !== 0) {
    console.error(
      unreachable
        ? 'The cache of npm lacks packages: check the network, or set the registry or proxy of npm.'
        : `npm ${args.join(' ')} failed: see above.`,
    );
    process.exit(npm.status ?? 1);
  }
  stamp.bundles = undefined;
  stamp.installed = wanted;
}
if (stamp.bundles !== bundles) {
  try {
    const { bundle } = await import('./bundle.mjs');
    await bundle();
  } catch (error) {
    console.warn(
      `Starts will take longer, because the libraries could not be bundled: ${error.message}`,
    );
  }
  writeFileSync(stampFile, JSON.stringify({ lock, bundles, installed: stamp.installed }));
}

/** Why the registry of npm gives no answer within seconds; undefined if it gives one. */
function reasonOfSilence(options) {
  const args = ['ping', '--fetch-retries=0', `--fetch-timeout=${answerMilliseconds}`];
  const { stderr } = spawnSync('npm', args, { ...options, encoding: 'utf8' });
  return /\bE[A-Z]*(?:TIMEOUT|TIMEDOUT|REFUSED|RESET|NOTFOUND|UNREACH)\b|EAI_AGAIN|network timeout/.exec(
    stderr,
  )?.[0];
}

/** A folder for what npm downloads, where its own in the user's home cannot be written. */
function cacheOfOwn() {
  const usual = process.env.npm_config_cache ?? join(homedir(), '.npm');
  try {
    mkdirSync(usual, { recursive: true });
    accessSync(usual, constants.W_OK);
    return undefined;
  } catch {
    return mkdtempSync(join(tmpdir(), 'vitrine-npm-'));
  }
}

try {
  await buildPagesOnce();
} catch (error) {
  console.error(`The account pages, guides and reference could not be built: ${error.message}`);
  // The API works without the pages.
  if (wanted === 'dev') process.exit(1);
}
