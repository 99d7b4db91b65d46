/** Files and commands that readers take from the pages. */
import type { ApiRequest } from './client.ts';

/** Has the browser save the file of a link under its own name. */
export function saveFile(url: string): void {
  const { pathname, search } = new URL(url, location.href);
  const link = document.createElement('a');
  link.href = pathname + search;
  link.download = decodeURIComponent(pathname.split('/').at(-1)!);
  link.click();
}

/** The request as a command for a terminal; the key comes from the environment. */
export function curlOf({ method, path, body }: ApiRequest): string {
  const lines = [`curl '${location.origin}${path}'`, `-H "x-api-key: $VITRINE_KEY"`];
  if (method !== 'GET' && method !== 'POST') lines.push(`-X ${method}`);
  if (body !== undefined) {
    const json = JSON.stringify(body).replaceAll("'", "'\\''");
    lines.push("-H 'content-type: application/json'", `-d '${json}'`);
  }
  return lines.join(' \\\n  ');
}
