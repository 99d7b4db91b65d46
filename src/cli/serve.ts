import { existsSync, readFileSync } from 'node:fs';
import { enableCompileCache, flushCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Running } from '../main.ts';

const flushMilliseconds = 3000;

/** Adds `vitrine serve`. */
export function addServe(program: Command): void {
  program
    .command('serve')
    .description('serve the API; the environment (VITRINE_PORT, VITRINE_DATA, ...) says where and from what')
    .option('--demonstration', 'add an organisation with made-up data, once, and say how to ask for it')
    .action(async ({ demonstration }: { demonstration?: boolean }) => serve(demonstration === true));
}

async function serve(withDemonstration: boolean): Promise<void> {
  keepCompiled();
  useBundles();
  // Loaded only now, so that the help of the command line shows at once.
  const [{ readConfig }, { closeOnSignals, start }] = await Promise.all([import('../config.ts'), import('../main.ts')]);
  const config = readConfig(process.env);
  const running = await start(config);
  closeOnSignals(running);
  if (withDemonstration) await demonstrate(config, running);
  else console.error(`Vitrine takes requests at ${running.address}; its description is at ${running.address}/openapi.json`);
}

/** Keeps what is compiled for the next start, which takes requests in about two thirds of the time. Where it cannot, nothing is lost. */
function keepCompiled(): void {
  // Code from the cache would be counted less exactly.
  if (process.env.NODE_V8_COVERAGE) return;
  const folder = fileURLToPath(new URL('../../node_modules/.cache/vitrine', import.meta.url));
  enableCompileCache(process.env.NODE_COMPILE_CACHE ?? folder);
  // Threads that read imports take it from here.
  process.env.NODE_COMPILE_CACHE ??= folder;
  // Also for those who are not given the time to end in good order.
  setTimeout(flushCompileCache, flushMilliseconds).unref();
}

/** Takes libraries from the bundles that the set-up has made of them, where it has: a few files are read much faster than a thousand. */
function useBundles(): void {
  const folder = new URL('../../node_modules/.cache/vitrine/bundles/', import.meta.url);
  const list = new URL('bundles.json', folder);
  if (!existsSync(list)) return;
  const bundles = new Map(Object.entries(JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>));
  registerHooks({
    resolve(specifier, context, next) {
      const file = bundles.get(specifier);
      return file === undefined ? next(specifier, context) : { url: new URL(file, folder).href, format: 'module', shortCircuit: true };
    },
  });
}

/** Requests are taken while the demonstration is being made. */
async function demonstrate(config: Config, { address, registry, warehouse, importer }: Running): Promise<void> {
  let isClosing = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      isClosing = true;
    });
  }
  const [{ fillDemonstration }, { introduce }] = await Promise.all([
    import('../demonstration/demonstration.ts'),
    import('../demonstration/introduction.ts'),
  ]);
  try {
    const demonstration = await fillDemonstration({
      registry,
      warehouse,
      importer,
      config,
      now: Date.now(),
      tell: (words) => console.error(words),
    });
    console.error(introduce(demonstration, { address, dataFolder: config.dataFolder }));
  } catch (error) {
    // Whoever stops the service half-way closes the stores under the making; the next start completes it.
    if (!isClosing) throw error;
  }
}
