/** Requests over real sockets that are no proper HTTP, and clients that are slow or leave. */
import { connect } from 'node:net';
import fc, { type Arbitrary } from 'fast-check';
import { inTime, marker } from './answers.ts';
import { anyCharacter } from './values.ts';

/** One of the texts of a list that commas separate. */
const oneOf = (list: string) => fc.constantFrom(...list.split(/,\s+/));

export const rawRequest: Arbitrary<string> = fc
  .record({
    line: fc.oneof(
      oneOf(`POST /channels HTTP/1.1, GET /operator/audit HTTP/1.1,
        GET /../../etc/passwd HTTP/1.1, GET /operator/../channels HTTP/1.1`),
      oneOf(`GET /%00%zz HTTP/1.1, GET //channels HTTP/1.1, POST http://other/channels HTTP/1.1,
        OPTIONS * HTTP/1.1, PRI * HTTP/2.0`),
      fc.constantFrom(
        `GET /${'x'.repeat(20_000)} HTTP/1.1`,
        'GET /channels',
        'FOO /channels HTTP/1.1',
        'GET /channels HTTP/9.9',
        'GET\t/channels\tHTTP/1.1',
      ),
      fc.string({ unit: anyCharacter, maxLength: 60 }),
    ),
    headers: fc.array(
      fc.oneof(
        fc
          .constantFrom('5', '-1', '99999999999999999999', '5\r\ncontent-length: 6', 'x')
          .map((length) => `content-length: ${length}`),
        fc.constantFrom('transfer-encoding: chunked', 'transfer-encoding: chunked, gzip'),
        oneOf('transfer-encoding: nonsense, expect: 100-continue, expect: nonsense'),
        fc.constantFrom('x', ': y', 'x : y', ' continued', 'x: \u0000', `x: ${'y'.repeat(70_000)}`),
        fc.constantFrom('host: a\r\nhost: b', 'upgrade: websocket\r\nconnection: upgrade'),
        oneOf('content-type: application/json, x-api-key: ~key~, x-api-key: a\r\nx-api-key: b'),
        oneOf('authorization: Bearer, connection: close'),
      ),
      { maxLength: 5 },
    ),
    body: oneOf(',  {},  5\r\n{"a":\r\n0\r\n\r\n,  zz\r\n,  {"channelId":,  \u0000\u0001'),
  })
  .map(
    ({ line, headers, body }) =>
      `${[line, 'host: vitrine.test', ...headers].join('\r\n')}\r\n\r\n${body}`,
  );

/** Writes bytes to the server and reads until it closes; an answer that comes must be one of an error, or a proper one. */
export async function sendRaw(port: number, text: string) {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  const closed = Promise.withResolvers<void>();
  socket.setEncoding('utf8').on('data', (part) => {
    answer += part;
  });
  socket.on('error', () => closed.resolve());
  socket.on('close', () => closed.resolve());
  socket.end(text);
  try {
    await inTime(closed.promise);
  } finally {
    socket.destroy();
  }
  if (answer === '') return { status: 0, wrong: undefined };
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
  if (!(status >= 100 && status < 500)) return { status, wrong: `answers ${answer.slice(0, 300)}` };
  if (answer.includes(marker)) return { status, wrong: 'shows what belongs to another' };
  return { status, wrong: undefined };
}

/** Clients that do not behave: how many at once, and what each of them does. */
export type Clients = {
  readonly count: number;
  readonly way: 'leave' | 'drip' | 'wait' | 'neverRead' | 'pipeline';
  /** How much of its request each sends. */
  readonly share: number;
  readonly path: string;
};

/** Random clients that do not behave. */
export const hostileClients: Arbitrary<Clients> = fc.record({
  count: fc.integer({ min: 1, max: 60 }),
  way: fc.constantFrom('leave', 'drip', 'wait', 'neverRead', 'pipeline'),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  path: oneOf(`/channels, /account/session, /reports/view/salesByPeriod,
    /operator/imports/rows/orderLines?channelId=channel-own`),
});

const answersUnread = 20;

/** Lets clients do their worst and leave; answers what is wrong with the service afterwards. */
export async function meet(port: number, key: string, { count, way, share, path }: Clients) {
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      const connected = Promise.withResolvers<void>();
      socket.once('connect', connected.resolve).once('close', () => connected.resolve());
      await inTime(connected.promise);
      return socket;
    }),
  );
  const body = JSON.stringify({ email: 'a@example.com', filler: 'x'.repeat(50_000) });
  const request = `POST ${path} HTTP/1.1\r\nhost: vitrine.test\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const opening = `POST /channels HTTP/1.1\r\nhost: vitrine.test\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`;
  const part = request.slice(0, Math.floor(share * (request.length - 1)));
  for (const socket of sockets) {
    if (way === 'neverRead') socket.pause();
    if (way === 'neverRead' || way === 'pipeline') socket.write(opening.repeat(answersUnread));
    else if (way !== 'drip') socket.write(part);
  }
  for (const piece of way === 'drip' ? part.slice(0, 30) : '') {
    for (const socket of sockets) if (!socket.destroyed) socket.write(piece);
    await new Promise(setImmediate);
  }
  // Others are answered while these clients are there, and once they are gone.
  const during = await healthOf(port);
  for (const socket of sockets) socket.destroy();
  const after = await healthOf(port);
  return during === 200 && after === 200 ? undefined : `GET /healthz: ${during}, then ${after}`;
}

async function healthOf(port: number): Promise<number> {
  const answer = await inTime(fetch(`http://127.0.0.1:${port}/healthz`));
  await answer.arrayBuffer();
  return answer.status;
}
