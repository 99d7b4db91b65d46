/** A connection to a server that becomes slower when a proof says so. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy before a server. */
export type DelayProxy = {
  /** The address of the server, through the proxy. */
  readonly url: string;
  /** The delay of each piece, both ways, in milliseconds. */
  delayMilliseconds: number;
  close(): void;
};

/** Starts a proxy, at first without a delay. */
export async function startDelayProxy(url: string): Promise<DelayProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => sockets.delete(from));
      // Pieces leave in the order in which they came, even if the delay becomes shorter.
      let last = Promise.resolve();
      const later = (pass: () => void) => {
        const due = new Promise((resolve) => setTimeout(resolve, proxy.delayMilliseconds).unref());
        last = Promise.all([last, due]).then(pass);
      };
      from.on('data', (piece) => later(() => to.write(piece)));
      from.on('end', () => later(() => to.end()));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = new URL(url);
  address.port = String((server.address() as AddressInfo).port);
  const proxy: DelayProxy = {
    url: address.href,
    delayMilliseconds: 0,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return proxy;
}
