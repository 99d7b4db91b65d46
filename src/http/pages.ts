/** Pages for browsers: account pages, guides and reference, as `scripts/pages.mjs` built them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { packageFolder } from '../config.ts';
import { consolePaths } from './consolePaths.ts';
import { takes } from './encodings.ts';
import { errorBody } from './errors.ts';
import { pageHeaders } from './headers.ts';
import { createPacked, type Packed, sendPacked } from './packed.ts';
import { addTexts, printedAddress } from './texts.ts';

const builtFolder = fileURLToPath(new URL('dist/pages', packageFolder));

const shared = [
  "default-src 'none'",
  "script-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];
const policy = [
  ...shared,
  "style-src 'self'",
  "img-src 'self' data:",
  "require-trusted-types-for 'script'",
].join('; ');
// The viewer of the reference creates styles at run time; its scripts obey the same rule as all
// others.
const referencePolicy = [
  ...shared,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
].join('; ');

const packedTypes = /^(?:text\/|image\/svg|application\/(?:javascript|json|manifest))/;
const notBuilt =
  'The pages have not been built. Run `node scripts/setup.mjs` in the folder of the service; no restart is needed. The API answers without them.\n';

/** Adds the routes; guides name `publicUrl` as the address. `folder` holds the built pages. */
export function addPages(server: FastifyInstance, publicUrl: string, folder = builtFolder): void {
  const packed = createPacked();
  addTexts(server, publicUrl, folder);
  server.get('/', (_request, reply) => reply.redirect('/console/', 302));

  for (const path of consolePaths) server.get(path, (request, reply) => sendShell(request, reply));
  server.get<Wild>('/console/*', (request, reply) => sendShell(request, reply, 404));
  for (const path of ['/guides', '/guides/'])
    server.get(path, (request, reply) => sendGuide(request, reply, 'index'));
  server.get<{ Params: { name: string } }>('/guides/:name', (request, reply) =>
    sendGuide(request, reply, encodeURIComponent(request.params.name)),
  );
  for (const path of ['/reference', '/reference/'])
    server.get(path, (request, reply) => sendReference(request, reply));
  for (const part of ['console', 'guides', 'reference']) {
    server.get<Wild>(`/${part}/assets/*`, async (request, reply) => {
      const file = await find(request, join(folder, part, 'assets'), request.params['*']);
      if (file === undefined)
        return reply.code(404).send(errorBody('there is nothing at this path'));
      // The name of a file changes with its content.
      return send(packed, request, reply, file, 'public, max-age=31536000, immutable');
    });
  }

  async function sendReference(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const file = await find(request, join(folder, 'reference'), 'index.html');
    if (file === undefined) return sendShell(request, reply, 404);
    return send(
      packed,
      request,
      reply.header('content-security-policy', referencePolicy),
      file,
      'no-cache',
    );
  }

  async function sendGuide(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
  ): Promise<FastifyReply> {
    const html = await readGuide(join(folder, 'guides', `${name}.html`), publicUrl);
    // The account pages say that the page does not exist.
    if (html === undefined) return sendShell(request, reply, 404);
    reply.removeHeader('access-control-allow-origin');
    const headers = { 'content-security-policy': policy, 'cache-control': 'no-cache' };
    reply.headers({ ...pageHeaders, ...headers }).type('text/html; charset=utf-8');
    if (!takes(request.headers['accept-encoding'], 'gzip')) return reply.send(html);
    return sendPacked(reply, await packed(`guides/${name}`, html, () => html));
  }

  async function sendShell(
    request: FastifyRequest,
    reply: FastifyReply,
    status = 200,
  ): Promise<FastifyReply> {
    const file = await find(request, join(folder, 'console'), 'index.html');
    if (file === undefined) return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt);
    return send(
      packed,
      request,
      reply.code(status).header('content-security-policy', policy),
      file,
      'no-cache',
    );
  }
}

/** A file in a folder of the built pages, never outside it; undefined if there is none. */
async function find(
  request: FastifyRequest,
  root: string,
  path: string,
): Promise<Found | undefined> {
  // Loaded with the first page.
  const { send } = await import('@fastify/send');
  const options = { index: false, acceptRanges: false, cacheControl: false } as const;
  const found = await send(request.raw, path, { ...options, root });
  return found.type === 'file' ? found : undefined;
}

/** A guide whose commands address this service; undefined if there is none of this name. */
async function readGuide(file: string, publicUrl: string): Promise<string | undefined> {
  const html = await readFile(file, 'utf8').catch(() => undefined);
  return html?.replaceAll(printedAddress, () => publicUrl.replaceAll('&', '&amp;'));
}

/** Sends a file; `packed` caches its compressed copy. */
async function send(
  packed: Packed,
  request: FastifyRequest,
  reply: FastifyReply,
  { statusCode, headers, metadata, stream }: Found,
  caching: string,
): Promise<FastifyReply> {
  // Pages of other sites must not read these files.
  reply.removeHeader('access-control-allow-origin');
  if (statusCode === 304) reply.code(304);
  reply.headers({ ...headers, ...pageHeaders, 'cache-control': caching });
  const [tag, type] = [reply.getHeader('etag'), reply.getHeader('content-type')];
  const isPacked =
    request.method === 'GET' &&
    statusCode === 200 &&
    packedTypes.test(String(type)) &&
    takes(request.headers['accept-encoding'], 'gzip');
  if (!isPacked) return reply.send(stream);
  const copy = await packed(metadata.path, String(tag), () => buffer(stream));
  stream.destroy();
  return sendPacked(reply, copy);
}

type Found = Extract<Awaited<ReturnType<typeof import('@fastify/send')['send']>>, { type: 'file' }>;
type Wild = { Params: { '*': string } };
