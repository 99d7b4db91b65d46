// Builds the pages for browsers into dist/pages: the account pages, the guides and the reference.
// Runs on Node 20 too, as part of the setup that installs the Node that everything else needs.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const built = join(root, 'dist', 'pages');
const stampFile = join(built, 'sources');
/** The sources of the pages. */
const sources = [
  'src/console',
  'src/reference',
  'docs/guides',
  'docs/pictures',
  'docs/requests.md',
  'docs/datasets.md',
  'docs/install.md',
  'docs/operations.md',
  'docs/command-line.md',
  'docs/openapi.json',
  'docs/postman.json',
  'CHANGELOG.md',
  'scripts/page.mjs',
  'scripts/pages.mjs',
  'scripts/guides.mjs',
  'scripts/guideParts.mjs',
  'scripts/assets.mjs',
  'scripts/guidePictures.mjs',
  'scripts/texts.mjs',
  'package-lock.json',
];

/** Builds the pages if their sources have changed; returns whether they had. */
export async function buildPagesOnce() {
  const digest = digestOfSources();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === digest) return false;
  await buildPages(digest);
  return true;
}

function digestOfSources() {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => filesOf(join(root, source)))) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesOf(path) {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return [];
  if (!status.isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}

/** Builds in a separate folder and replaces the pages at once. */
async function buildPages(digest) {
  const folder = `${built}.${process.pid}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    const assets = await buildConsole(folder);
    const { buildGuides, buildReference } = await import('./guides.mjs');
    await buildGuides({ folder, assets });
    await buildReference({ folder, assets });
    writeFileSync(join(folder, 'sources'), digest);
    rmSync(built, { recursive: true, force: true });
    renameSync(folder, built);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds the account pages; returns the addresses of shared assets. */
async function buildConsole(folder) {
  const [{ build }, { page }] = await Promise.all([import('esbuild'), import('./page.mjs')]);
  const console = join(root, 'src', 'console');
  const inputs = (entries) =>
    Object.entries(entries).map(([out, file]) => ({ in: join(console, file), out }));
  const options = {
    absWorkingDir: root,
    tsconfig: join(console, 'tsconfig.json'),
    bundle: true,
    minify: true,
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
    loader: { '.svg': 'copy', '.woff2': 'file' },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    outdir: join(folder, 'console', 'assets'),
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
  };
  const results = await Promise.all([
    build({
      ...options,
      format: 'esm',
      splitting: true,
      entryPoints: inputs({
        main: 'main.tsx',
        base: 'base.css',
        console: 'console.css',
        icon: 'icon.svg',
      }),
    }),
    // A plain script, because it must run before the page is drawn.
    build({ ...options, format: 'iife', entryPoints: inputs({ theme: 'theme.ts' }) }),
  ]);
  const assets = {};
  for (const file of results.flatMap(({ metafile }) => Object.keys(metafile.outputs))) {
    const name = basename(file);
    assets[name.slice(0, name.lastIndexOf('-'))] = `/console/assets/${name}`;
  }
  const preloads = scriptsBefore(results[0].metafile, basename(assets.main))
    .map((name) => `<link rel="modulepreload" href="/console/assets/${name}">\n`)
    .join('');
  const head = `<link rel="stylesheet" href="${assets.base}">
<link rel="stylesheet" href="${assets.console}">
${preloads}<script type="module" src="${assets.main}"></script>
`;
  const body =
    '<div id="pages"></div>\n<noscript><p>These pages need JavaScript, which is turned off in this browser.</p></noscript>';
  const description = 'The console of Vitrine: sales, profit and advertising of all stores.';
  writeFileSync(
    join(folder, 'console', 'index.html'),
    page({ title: 'Vitrine', description, head, body, assets }),
  );
  return assets;
}

/**
 * The scripts that a script needs before it runs, by their names. The page names them all, so that
 * a browser loads them at once instead of finding each in the one before.
 */
function scriptsBefore({ outputs }, first) {
  const named = Object.fromEntries(
    Object.entries(outputs).map(([path, output]) => [basename(path), output]),
  );
  const found = new Set();
  const visit = (name) => {
    for (const { path, kind } of named[name].imports) {
      const next = basename(path);
      if (kind !== 'import-statement' || found.has(next) || named[next] === undefined) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(first);
  return [...found];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPages(digestOfSources());
