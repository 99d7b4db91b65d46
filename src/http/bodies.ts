/** Bodies of requests: JSON, or a stream for uploads. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Upload } from '../endpoints/handler.ts';

/** Accepts JSON and nothing else. */
export function acceptJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined);
    try {
      done(null, JSON.parse(body as string));
    } catch {
      // The message of the parser repeats parts of the body.
      done(
        Object.assign(new Error('the body is not valid JSON'), {
          code: 'BODY_NOT_JSON',
          statusCode: 400,
        }),
      );
    }
  });
}

/** Leaves bodies of every media type as streams. */
export function acceptStreams(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}

/** The streamed body of a request. */
export function uploadOf(request: FastifyRequest): Upload {
  const header = request.headers['content-type'] ?? '';
  return {
    body: request.body instanceof Readable ? request.body : Readable.from([]),
    mediaType: header.split(';')[0]!.trim().toLowerCase(),
    charset: /;\s*charset="?([\w.:-]+)"?/i.exec(header)?.[1],
  };
}
