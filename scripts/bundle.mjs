// Puts the libraries of many small files into one file each, once after an install: reading a thousand files is most of what a start would
// take. Where a bundle is missing or cannot be made, the library itself is used; the answers are the same.
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'node_modules', '.cache', 'vitrine', 'bundles');
const libraries = { typebox: 'typebox', 'typebox/compile': 'typebox-compile', kysely: 'kysely' };

/** Makes the bundles, and the list by which `vitrine serve` finds them. */
export async function bundle() {
  rmSync(folder, { recursive: true, force: true });
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: Object.entries(libraries).map(([library, name]) => ({ in: library, out: name })),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    conditions: ['import', 'node'],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
  });
  writeFileSync(join(folder, 'bundles.json'), JSON.stringify(Object.fromEntries(Object.entries(libraries).map(([library, name]) => [library, `${name}.mjs`]))));
}
