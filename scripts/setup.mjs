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
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPagesOnce } from './pages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** How long the registry of npm may take for an answer, and how long npm may take to ask for it. */
const answerMilliseconds = 3000;
const pingMilliseconds = 7000;
/** A registry that may only be slow. */
const slow = 'no answer for seconds';
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
  const install = (...more) =>
    spawnSync('npm', [...args, ...more], { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
  // npm would try for minutes; without a network, its cache may still have everything.
  const silence = reasonOfSilence(options);
  if (silence) console.error(`npm does not reach its registry (${silence}). Trying its cache ...`);
  let npm = silence ? install('--offline') : install();
  if (npm.status !== 0 && silence === slow) {
    console.error(
      'The cache of npm lacks packages. Waiting for the registry, maybe for minutes ...',
    );
    npm = install();
  }
  if (cache) rmSync(cache, { recursive: true, force: true });
  if (npm.status !== 0) {
    console.error(
      silence
        ? 'Packages are missing: check the network, or set the registry or proxy of npm.'
        : `npm ${args.join(' ')} failed: see above.`,
    );
    process.exit(npm.status ?? 1);
  }
  linkNode();
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
  const limits = { timeout: pingMilliseconds, killSignal: 'SIGKILL' };
  const { stderr, error } = spawnSync('npm', args, { ...options, ...limits, encoding: 'utf8' });
  // A server of names that is silent, too, delays npm beyond its own limit.
  if (error?.code === 'ETIMEDOUT' || /network timeout|TIMEDOUT|TIMEOUT/.test(stderr)) return slow;
  return /\bE[A-Z]*(?:REFUSED|NOTFOUND|UNREACH)\b|EAI_AGAIN/.exec(stderr)?.[0];
}

/**
 * Lets npm scripts find the Node that npm installed. The npm of Node 20 removes this link with the
 * Node of other machines, which has the same name.
 */
function linkNode() {
  const link = join(root, 'node_modules', '.bin', 'node');
  const node = join('..', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(link) || !existsSync(join(dirname(link), node))) return;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(node, link);
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
