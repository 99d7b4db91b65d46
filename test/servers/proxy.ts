import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of ClickHouse. */
export type ClickHouseProxy = {
  /** The address of the server, by way of the proxy. */
  readonly url: string;
  close(): void;
};

/** Starts a proxy that awaits `before` with each statement, and passes on what `change` makes of each answer. */
export async function startClickHouseProxy(
  url: string,
  {
    before = async () => {},
    change = (answer) => answer,
  }: {
    readonly before?: (statement: string) => Promise<void>;
    readonly change?: (answer: string) => string;
  },
): Promise<ClickHouseProxy> {
  const { origin } = new URL(url);
  const proxy = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    await before(body.toString());
    const answer = await fetch(origin + request.url, {
      method: request.method!,
      headers: {
        authorization: request.headers.authorization!,
        'content-type': request.headers['content-type'] ?? 'text/plain',
      },
      ...(body.length > 0 && { body }),
    });
    const text = change(await answer.text());
    const summary = answer.headers.get('x-clickhouse-summary');
    response.writeHead(answer.status, {
      'content-type': 'text/plain',
      ...(summary !== null && { 'x-clickhouse-summary': summary }),
    });
    response.end(text);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;
  return {
    url: Object.assign(new URL(url), { port: String(port) }).href,
    close() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
