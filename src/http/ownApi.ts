/** Requests of this process to its own public API: they pass the same entrance as all others. */
import type { FastifyInstance } from 'fastify';
import type { ApiAnswer, ApiRequest } from '../contract/requests.ts';

/** The key of the sender, its address, and the signal that ends the request. */
type Asking = {
  readonly key: string;
  readonly remoteAddress?: string;
  readonly signal?: AbortSignal;
};

/** Sends a request without a connection. */
export async function askOwnApi(
  server: FastifyInstance,
  { method, path, body, headers }: ApiRequest,
  { key, ...asking }: Asking,
): Promise<ApiAnswer> {
  const answer = await server.inject({
    ...asking,
    method: method as 'GET' | 'POST',
    url: path,
    headers: { ...headers, 'x-api-key': key },
    ...(body !== undefined && { payload: body as object }),
  });
  return {
    status: answer.statusCode,
    header: (name) => answer.headers[name]?.toString(),
    bytes: answer.rawPayload,
  };
}
