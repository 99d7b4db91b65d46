/** Texts for programs, as `scripts/texts.mjs` built them: guides as Markdown, llms.txt, the feed. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { takes } from './encodings.ts';
import { errorBody } from './errors.ts';
import { createPacked, sendPacked } from './packed.ts';

/** The address of the service in every built text. */
export const printedAddress = 'http://127.0.0.1:8080';

/** The texts beside the guides, with their media types. */
const types = {
  'llms.txt': 'text/plain',
  'llms-full.txt': 'text/plain',
  'changelog.atom': 'application/atom+xml',
  'postman.json': 'application/json',
} as const;

/** Adds their routes. Everybody may read them, pages of other sites included. */
export function addTexts(server: FastifyInstance, publicUrl: string, folder: string): void {
  const packed = createPacked();

  async function sendText(
    { headers }: FastifyRequest,
    reply: FastifyReply,
    file: string,
    type: string,
  ): Promise<FastifyReply> {
    const built = await readFile(join(folder, file), 'utf8').catch(() => undefined);
    if (built === undefined)
      return reply.code(404).send(errorBody('there is nothing at this path'));
    const address = type.endsWith('xml') ? publicUrl.replaceAll('&', '&amp;') : publicUrl;
    const text = built.replaceAll(printedAddress, () => address);
    reply.header('cache-control', 'no-cache').type(`${type}; charset=utf-8`);
    if (!takes(headers['accept-encoding'], 'gzip')) return reply.send(text);
    return sendPacked(reply, await packed(file, text, () => text));
  }

  for (const [file, type] of Object.entries(types))
    server.get(`/${file}`, (request, reply) => sendText(request, reply, file, type));
  server.get<{ Params: { name: string } }>('/guides/:name.md', (request, reply) =>
    sendText(
      request,
      reply,
      `guides/${encodeURIComponent(request.params.name)}.md`,
      'text/markdown',
    ),
  );
}
