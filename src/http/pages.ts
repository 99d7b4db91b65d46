/** Pages for browsers: the account pages, the guides and the reference, as `scripts/pages.mjs` has built them. */
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from './errors.ts';

const builtFolder = fileURLToPath(new URL('../../dist/pages', import.meta.url));
const shell = 'console/index.html';

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
const policy = [...shared, "style-src 'self'", "img-src 'self' data:", "require-trusted-types-for 'script'"].join('; ');
// The viewer of the reference makes its styles as it goes; scripts are held to the same rule as everywhere.
const referencePolicy = [...shared, "style-src 'self' 'unsafe-inline'", "img-src 'self' data: blob:"].join('; ');

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

  for (const path of consolePages) server.get(path, (request, reply) => sendPage(request, reply, shell));
  server.get<Wild>('/console/*', (request, reply) => sendPage(request, reply, shell, 404));

  for (const [part, held] of [
    ['/guides', policy],
    ['/reference', referencePolicy],
  ] as const) {
    for (const path of [part, `${part}/`]) server.get(path, (request, reply) => sendPage(request, reply, `${part}/index.html`, 200, held));
  }
  server.get<{ Params: { name: string } }>('/guides/:name', (request, reply) =>
    sendPage(request, reply, `guides/${encodeURIComponent(request.params.name)}.html`),
  );

  for (const part of ['/console', '/guides', '/reference']) {
    server.get<Wild>(`${part}/assets/*`, async (request, reply) => {
      const file = await find(request, `${part}/assets/${request.params['*']}`);
      if (file.statusCode >= 400) return reply.code(404).send(errorBody('there is nothing at this path'));
      // The name of a file changes with what is in it.
      return answer(reply, file, 'public, max-age=31536000, immutable');
    });
  }

  async function sendPage(request: FastifyRequest, reply: FastifyReply, path: string, status = 200, held = policy): Promise<FastifyReply> {
    const file = await find(request, path);
    if (file.statusCode >= 400) {
      if (path === shell) return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt);
      // The shell says that there is no such page.
      return sendPage(request, reply, shell, 404);
    }
    reply.header('content-security-policy', held);
    if (status !== 200) reply.code(status);
    return answer(reply, file, 'no-cache');
  }

  async function find(request: FastifyRequest, path: string) {
    // Only those who open a page need it.
    const { send } = await import('@fastify/send');
    return send(request.raw, path, { root: folder, index: false, acceptRanges: false, cacheControl: false, dotfiles: 'ignore' });
  }

  function answer(reply: FastifyReply, { statusCode, headers, stream }: Awaited<ReturnType<typeof find>>, caching: string): FastifyReply {
    // Only these pages load what they are made of.
    reply.removeHeader('access-control-allow-origin');
    if (statusCode === 304) reply.code(304);
    return reply.headers({ ...headers, ...documentHeaders, 'cache-control': caching }).send(stream);
  }
}

type Wild = { Params: { '*': string } };
