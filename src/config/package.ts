/** The package that the service is shipped in. */
import { existsSync, readFileSync } from 'node:fs';

/** The folder of the package, which has a slash at its end. */
export const packageFolder = folderAbove(new URL('.', import.meta.url));

/** In the npm package, modules are two folders deeper than in a clone. */
function folderAbove(folder: URL): URL {
  const isRoot = existsSync(new URL('package.json', folder));
  return isRoot ? folder : folderAbove(new URL('..', folder));
}

/** Reads the version of Vitrine, and the versions of Node.js that it runs on. */
export function readPackage(): { readonly version: string; readonly node: string } {
  const file = new URL('package.json', packageFolder);
  const { version, engines } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly version: string;
    readonly engines: { readonly node: string };
  };
  return { version, node: engines.node };
}
