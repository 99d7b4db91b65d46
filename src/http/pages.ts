/** Pages for browsers: the account pages, the guides and the reference, as `scripts/pages.mjs` has built them. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from './errors.ts';

const builtFolder = fileURLToPath(new URL('../../dist/pages', import.meta.url));

/** Addresses of the account pages, which one document serves: its script shows the page that the address names. */
const consolePages = [
  '/console',
  '/console/',
  '/console/sign-in',
  '/console/password',
  '/console/settings/api',
  '/console/settings/security',
];

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
// The viewer of the reference makes its styles as it goes; scripts are held to the same rule as everywhere.
const referencePolicy = [
  ...shared,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
].join('; ');

const documentHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};
const notBuilt =
  'The pages have not been built. Run `node scripts/setup.mjs` in the folder of the service; no restart is needed. The API answers without them.\n';

/** Adds the routes; `folder` is where the built pages lie. */
export function addPages(server: FastifyInstance, folder = builtFolder): void {
  server.get('/', (_request, reply) => reply.redirect('/console/', 302));

  for (const path of consolePages) server.get(path, (request, reply) => sendShell(request, reply));
  server.get<Wild>('/console/*', (request, reply) => sendShell(request, reply, 404));
  for (const path of ['/guides', '/guides/'])
    server.get(path, (request, reply) => sendPage(request, reply, 'guides', 'index.html'));
  server.get<{ Params: { name: string } }>('/guides/:name', (request, reply) =>
    sendPage(request, reply, 'guides', `${encodeURIComponent(request.params.name)}.html`),
  );
  for (const path of ['/reference', '/reference/']) {
    server.get(path, (request, reply) =>
      sendPage(request, reply, 'reference', 'index.html', referencePolicy),
    );
  }
  for (const part of ['console', 'guides', 'reference']) {
    server.get<Wild>(`/${part}/assets/*`, async (request, reply) => {
      const file = await find(request, `${part}/assets`, request.params['*']);
      if (file === undefined)
        return reply.code(404).send(errorBody('there is nothing at this path'));
      // The name of a file changes with what is in it.
      return send(reply, file, 'public, max-age=31536000, immutable');
    });
  }

  async function sendPage(
    request: FastifyRequest,
    reply: FastifyReply,
    within: string,
    name: string,
    held = policy,
  ): Promise<FastifyReply> {
    const file = await find(request, within, name);
    // The shell says that there is no such page.
    if (file === undefined) return sendShell(request, reply, 404);
    return send(reply.header('content-security-policy', held), file, 'no-cache');
  }

  async function sendShell(
    request: FastifyRequest,
    reply: FastifyReply,
    status = 200,
  ): Promise<FastifyReply> {
    const file = await find(request, 'console', 'index.html');
    if (file === undefined) return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt);
    return send(reply.code(status).header('content-security-policy', policy), file, 'no-cache');
  }

  /** A file within a folder of the built pages, never beside it; undefined where there is none. */
  async function find(
    request: FastifyRequest,
    within: string,
    path: string,
  ): Promise<Found | undefined> {
    // Only those who open a page need it.
    const { send } = await import('@fastify/send');
    const options = { index: false, acceptRanges: false, cacheControl: false } as const;
    const found = await send(request.raw, path, { ...options, root: join(folder, within) });
    return found.type === 'file' ? found : undefined;
  }
}

function send(
  reply: FastifyReply,
  { statusCode, headers, stream }: Found,
  caching: string,
): FastifyReply {
  // Only these pages load what they are made of.
  reply.removeHeader('access-control-allow-origin');
  if (statusCode === 304) reply.code(304);
  return reply.headers({ ...headers, ...documentHeaders, 'cache-control': caching }).send(stream);
}

type Found = Extract<Awaited<ReturnType<typeof import('@fastify/send')['send']>>, { type: 'file' }>;
type Wild = { Params: { '*': string } };
