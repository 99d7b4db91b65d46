// Builds what the npm package ships in place of the sources into dist/service, because Node runs no
// TypeScript inside node_modules: a module of JavaScript for each module, beside the files that it
// reads. Runs on Node 20 too, which `npm pack` may have.
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'dist', 'service');
/** Tests, and what browsers load, which is in dist/pages. */
const isElsewhere = /\.(?:test|d)\.ts$|^src\/(?:console|reference)\//;
const isModule = /\.ts$/;
const isData = /\.(?:sql|tsv|json|zip)$/;

/** Leaves every import as it is, except that it names JavaScript. */
const renamed = {
  name: 'renamed',
  setup({ onResolve }) {
    onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ kind, path }) =>
      kind === 'entry-point' ? undefined : { path: path.replace(isModule, '.js'), external: true },
    );
  },
};

rmSync(folder, { recursive: true, force: true });
const files = ['demonstration', 'src', 'schema']
  .flatMap((name) =>
    readdirSync(join(root, name), { recursive: true }).map((file) => `${name}/${file}`),
  )
  .filter((file) => !isElsewhere.test(file));
await build({
  absWorkingDir: root,
  entryPoints: files.filter((file) => isModule.test(file)),
  bundle: true,
  packages: 'external',
  plugins: [renamed],
  format: 'esm',
  platform: 'node',
  target: 'node24',
  outdir: folder,
  outbase: root,
  logLevel: 'error',
});
for (const file of files.filter((one) => isData.test(one)))
  cpSync(join(root, file), join(folder, file));
