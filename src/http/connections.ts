/**
 * Guards the connections of the server: how many there are, how long a client may take to send a
 * request and to read its answer, and how many requests may wait on one connection.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../access/attempts.ts';
import type { Clock } from '../engine/clock.ts';
import { type Charge, SharedBudget } from '../engine/sharedBudget.ts';
import type { AnswerBroken } from './brokenRequests.ts';
import { type IsTrusted, trustedBy } from './trustedProxies.ts';

/** How many connections there may be. */
export type ConnectionLimits = {
  /** All connections; beyond these the oldest of the address with the most is closed. */
  readonly connections: number;
  /** Connections of one address or /64 network of IPv6; further ones are closed at once. */
  readonly addressConnections: number;
};

const sweepMilliseconds = 1_000;

/** Seconds in which the headers of a request must arrive. */
export const headerSeconds = 15;
/** Seconds in which a body must arrive, unless it is read as a stream. */
export const bodySeconds = 30;
/** A streamed body must bring `paceBytes` in every `paceSeconds`. */
export const paceSeconds = 60;
/** The fewest bytes that a streamed body must bring in `paceSeconds`. */
export const paceBytes = 65_536;
/** Seconds for which a client may read nothing; the bytes that wait for it add more. */
const unreadSeconds = 30;
const unreadBytesPerSecond = 16_384;

/** Requests that may wait behind the first on a connection, and their bodies. */
const waitingMax = 8;
const waitingBodyBytesMax = 4_096;

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

type Connection = {
  readonly socket: Socket;
  readonly charge: Charge | undefined;
  /** Requests behind the first one. */
  readonly waiting: Exchange[];
  exchange: Exchange | undefined;
  /** Whether the body is read as a stream. */
  isPaced: boolean;
  /** Whether a request is on its way; false between the requests of an idle connection. */
  isAwaited: boolean;
  /** When the wait began, in seconds of the sweep, and the bytes received by then. */
  since: number;
  received: number;
  /** The bytes sent, and when their number last grew. */
  sent: number;
  sentAt: number;
};

/** The connections of a server. */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #after: Clock['after'];
  readonly #isTrusted: IsTrusted;
  readonly #answerBroken: AnswerBroken;
  readonly #open = new Map<Socket, Connection>();
  readonly #budget: SharedBudget;
  /** Counts sweeps, one a second: time in which this process stood still delays no client. */
  #seconds = 0;
  #isSweeping = false;
  #isDraining = false;

  constructor(
    limits: ConnectionLimits,
    trustedProxies: readonly string[],
    answerBroken: AnswerBroken,
    after: Clock['after'],
  ) {
    this.#answerBroken = answerBroken;
    this.#limits = limits;
    this.#after = after;
    this.#isTrusted = trustedBy(trustedProxies);
    this.#budget = new SharedBudget(limits.connections);
  }

  /** Guards a server that has just been made. */
  guard(server: Server): void {
    server.on('connection', (socket) => this.#accept(socket));
  }

  /** Hands the requests of a connection to `handle` one after another. */
  inTurn(handle: RequestListener): RequestListener {
    const begin = (connection: Connection, exchange: Exchange): void => {
      connection.exchange = exchange;
      if (this.#isDraining) closeAfterAnswer(connection);
      this.#expect(connection, true);
      exchange.response.once('close', () => {
        const next = connection.waiting.shift();
        if (next !== undefined && !connection.socket.destroyed) begin(connection, next);
        else this.#settle(connection);
      });
      handle(exchange.request, exchange.response);
    };
    return (request, response) => {
      const connection = this.#open.get(request.socket);
      if (connection === undefined) return;
      const exchange = { request, response };
      const { exchange: current, waiting, socket } = connection;
      if (current === undefined || current.response.closed) begin(connection, exchange);
      else if (waiting.length < waitingMax && mayWait(request)) waiting.push(exchange);
      else socket.destroy();
    };
  }

  /** Takes the body of a request for a stream, which may take any time but must keep a pace. */
  pace({ socket }: IncomingMessage): void {
    const connection = this.#open.get(socket);
    if (connection === undefined) return;
    connection.isPaced = true;
    this.#restart(connection);
  }

  /** The number of connections. */
  get count(): number {
    return this.#open.size;
  }

  /** From now on, each connection is closed after its next answer, which says so. */
  drain(): void {
    this.#isDraining = true;
    for (const connection of this.#open.values()) closeAfterAnswer(connection);
  }

  /** Closes all connections at once. */
  destroyAll(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }

  #accept(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    let charge: Charge | undefined;
    if (!this.#isTrusted(address)) {
      const network = networkOf(address);
      if (this.#budget.takenBy(network) >= this.#limits.addressConnections) {
        socket.destroy();
        return;
      }
      charge = this.#budget.begin(network, () => socket.destroy());
    }
    const connection: Connection = {
      socket,
      charge,
      waiting: [],
      exchange: undefined,
      isPaced: false,
      isAwaited: true,
      since: this.#seconds,
      received: 0,
      sent: 0,
      sentAt: this.#seconds,
    };
    this.#open.set(socket, connection);
    socket.once('close', () => {
      this.#open.delete(socket);
      charge?.release();
      connection.waiting.length = 0;
    });
    charge?.add(1);
    this.#keepSweeping();
  }

  /** Starts or stops waiting for a request. */
  #expect(connection: Connection, isAwaited: boolean): void {
    connection.isAwaited = isAwaited;
    connection.isPaced = false;
    this.#restart(connection);
  }

  #restart(connection: Connection): void {
    connection.since = this.#seconds;
    connection.received = connection.socket.bytesRead;
  }

  /** Ends an exchange whose answer is complete, unless its body is still on its way. */
  #settle(connection: Connection): void {
    if (connection.exchange?.request.complete !== true) return;
    connection.exchange = undefined;
    this.#expect(connection, false);
  }

  #keepSweeping(): void {
    if (this.#isSweeping || this.#open.size === 0) return;
    this.#isSweeping = true;
    this.#after(sweepMilliseconds, () => {
      this.#isSweeping = false;
      this.#seconds++;
      for (const connection of this.#open.values()) this.#check(connection);
      this.#keepSweeping();
    }).unref();
  }

  #check(connection: Connection): void {
    if (this.#isUnread(connection)) {
      connection.socket.destroy();
      return;
    }
    const { exchange, socket } = connection;
    if (exchange?.response.closed) this.#settle(connection);
    if (connection.exchange === undefined) {
      if (!connection.isAwaited && socket.bytesRead > connection.received)
        this.#expect(connection, true);
      if (connection.isAwaited && this.#hasPassed(connection, headerSeconds))
        this.#refuseLate(socket, true);
    } else if (!connection.exchange.request.complete && this.#isBodyLate(connection)) {
      this.#refuseLate(socket, !connection.exchange.response.headersSent);
    }
  }

  /** Closes the connection of a request that did not arrive in time, and says why if it can. */
  #refuseLate(socket: Socket, canAnswer: boolean): void {
    if (!canAnswer || !socket.writable) {
      socket.destroy();
      return;
    }
    const late = Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    this.#answerBroken(late, socket);
    socket.destroySoon();
  }

  #hasPassed({ since }: Connection, seconds: number): boolean {
    return this.#seconds - since >= seconds;
  }

  #isBodyLate(connection: Connection): boolean {
    const { exchange, isPaced, received, socket } = connection;
    if (!isPaced || exchange!.response.closed) return this.#hasPassed(connection, bodySeconds);
    // The service is slower than the client.
    if (exchange!.request.readableLength > 0) this.#restart(connection);
    if (!this.#hasPassed(connection, paceSeconds)) return false;
    if (socket.bytesRead - received < paceBytes) return true;
    this.#restart(connection);
    return false;
  }

  #isUnread(connection: Connection): boolean {
    const { socket } = connection;
    const sent = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength === 0 || sent !== connection.sent) {
      connection.sent = sent;
      connection.sentAt = this.#seconds;
      return false;
    }
    const patience = unreadSeconds + socket.writableLength / unreadBytesPerSecond;
    return this.#seconds - connection.sentAt >= patience;
  }
}

/** Asks the client not to reuse its connection, unless requests already wait on it. */
function closeAfterAnswer({ exchange, waiting }: Connection): void {
  if (exchange === undefined || waiting.length > 0 || exchange.response.headersSent) return;
  exchange.response.setHeader('connection', 'close');
}

/** Whether a request may wait behind another one: its body stays in memory meanwhile. */
function mayWait({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] === undefined &&
    Number(headers['content-length'] ?? 0) <= waitingBodyBytesMax
  );
}
