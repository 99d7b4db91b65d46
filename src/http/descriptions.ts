/** The OpenAPI descriptions of the interfaces. */
import type { FastifyInstance } from 'fastify';
import type { ServiceConfig } from '../endpoints/handler.ts';
import { takes } from './encodings.ts';
import { createPacked, sendPacked } from './packed.ts';

/** Serves the OpenAPI description of an interface, which is written at the first request. */
export function addDescription(
  server: FastifyInstance,
  path: string,
  { publicUrl }: ServiceConfig,
  describe: () => object,
): void {
  let text: Buffer | undefined;
  const packed = createPacked();
  server.get(path, async ({ headers }, reply) => {
    text ??= Buffer.from(JSON.stringify({ ...describe(), servers: [{ url: publicUrl }] }));
    const written = text;
    reply.type('application/json; charset=utf-8');
    if (!takes(headers['accept-encoding'], 'gzip')) return reply.send(written);
    return sendPacked(reply, await packed(path, '', () => written));
  });
}
