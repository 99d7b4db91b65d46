/** What makes a start of the program fast. */
import { existsSync, readFileSync } from 'node:fs';
import { enableCompileCache, flushCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const flushMilliseconds = 3000;

/** Keeps what is compiled for the next start, which takes requests in about two thirds of the time. Where it cannot, nothing is lost. */
export function keepCompiled(): void {
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
export function useBundles(): void {
  const folder = new URL('../../node_modules/.cache/vitrine/bundles/', import.meta.url);
  const list = new URL('bundles.json', folder);
  if (!existsSync(list)) return;
  const bundles = new Map(
    Object.entries(JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>),
  );
  registerHooks({
    resolve(specifier, context, next) {
      const file = bundles.get(specifier);
      return file === undefined
        ? next(specifier, context)
        : { url: new URL(file, folder).href, format: 'module', shortCircuit: true };
    },
  });
}
