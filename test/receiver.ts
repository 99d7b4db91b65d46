/**
 * A receiver of webhooks: a server of its own that collects what it gets and answers as a test
 * says.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A delivery that has arrived. */
export type Arrived = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders & Record<string, string>;
  readonly body: string;
};

/** A running receiver. */
export type Receiver = {
  readonly url: string;
  readonly port: number;
  readonly arrived: Arrived[];
  /** Answers the next deliveries, by their paths too; with 204 at first. */
  answer: (response: ServerResponse, delivery: Arrived) => void;
  close(): Promise<void>;
};

/** Starts a receiver on this machine. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    const delivery = {
      path: request.url!,
      headers: request.headers as Arrived['headers'],
      body: Buffer.concat(chunks).toString(),
    };
    receiver.arrived.push(delivery);
    receiver.answer(response, delivery);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    arrived: [],
    answer: (response) => void response.writeHead(204).end(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
