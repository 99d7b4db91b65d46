// Bundles libraries of many small files into a few, once after an install: reading a thousand files
// would take most of the time of a start. Without a bundle, the library itself is loaded.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'node_modules', '.cache', 'vitrine', 'bundles');
/** Every imported part of a library: a part outside the bundle would have state of its own. */
const modules = [
  'typebox',
  'typebox/compile',
  'typebox/format',
  'typebox/value',
  'kysely',
  'kysely/migration',
];
/** CommonJS libraries, whose exports must be listed to import them by name. */
const commonModules = [
  'fastify',
  'rate-limiter-flexible',
  'fast-json-stringify',
  '@fastify/cors',
  '@fastify/compress',
  '@fastify/cookie',
  '@duckdb/node-api',
];

/** Makes the bundles, and the list that src/cli/start.ts finds them with. */
export async function bundle() {
  rmSync(folder, { recursive: true, force: true });
  const entries = join(folder, 'entries');
  mkdirSync(entries, { recursive: true });
  const fileOf = (library) => `${library.replaceAll(/[^a-z]+/g, '-')}.mjs`;
  for (const library of modules) {
    const names = 'default' in (await import(library)) ? ['*', '{ default }'] : ['*'];
    writeFileSync(
      join(entries, fileOf(library)),
      names.map((name) => `export ${name} from '${library}';\n`).join(''),
    );
  }
  for (const library of commonModules) {
    const names = Object.keys(await import(library)).filter(
      (name) => name !== 'default' && name !== 'module.exports' && /^[\w$]+$/.test(name),
    );
    writeFileSync(
      join(entries, fileOf(library)),
      `import all from '${library}';\nexport default all;\nexport const { ${names.join(', ')} } = all;\n`,
    );
  }
  const libraries = [...modules, ...commonModules];
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: libraries.map((library) => join(entries, fileOf(library))),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Chooses its binary for the machine at run time.
    external: ['@duckdb/node-bindings'],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
    },
    outdir: folder,
    outbase: entries,
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
  });
  writeFileSync(
    join(folder, 'bundles.json'),
    JSON.stringify(Object.fromEntries(libraries.map((library) => [library, fileOf(library)]))),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
