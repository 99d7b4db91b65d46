/** The header Host. */
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../contract/refusal.ts';

/** Refuses requests without a header Host or with several (RFC 9112). HTTP/1.0 needs none. */
export function requireOneHost(server: FastifyInstance): void {
  server.addHook('onRequest', ({ raw }, _reply, done) => {
    const { rawHeaders, httpVersion } = raw;
    let hosts = 0;
    for (let index = 0; index < rawHeaders.length; index += 2)
      if (rawHeaders[index]!.toLowerCase() === 'host') hosts++;
    if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) done();
    else done(new Refusal(400, 'the request must have exactly one header Host'));
  });
}
