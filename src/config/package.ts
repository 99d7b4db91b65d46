/** The package that the service is shipped in. */
import { readFileSync } from 'node:fs';

/** Reads the version of Vitrine, and the versions of Node.js that it runs on. */
export function readPackage(): { readonly version: string; readonly node: string } {
  const file = new URL('../../package.json', import.meta.url);
  const { version, engines } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly version: string;
    readonly engines: { readonly node: string };
  };
  return { version, node: engines.node };
}
