/** The answer to bytes that are not HTTP. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { errorBody } from './errors.ts';
import { answerHeaders } from './headers.ts';

// An import would load everything it exports, clients included, at each start.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Answers on the bare socket because there is no request yet. */
export type AnswerBroken = (error: NodeJS.ErrnoException, socket: Socket) => void;

/** Makes these answers; pages of all sites may read them, or none, as the origin is unknown. */
export function brokenRequestAnswer(isForAllSites: boolean): AnswerBroken {
  const ofSites = isForAllSites ? ['access-control-allow-origin: *'] : [];
  return (error, socket) => answerBrokenRequest(error, socket, ofSites);
}

function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  ofSites: readonly string[],
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 431
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 408
        : 400;
  const text = status === 408 ? 'the request did not arrive in time' : 'the request cannot be read';
  const body = JSON.stringify(errorBody(text));
  const headers = [
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(answerHeaders).map(([name, value]) => `${name}: ${value}`),
    ...ofSites,
    `x-request-id: ${randomUUID()}`,
    'connection: close',
  ];
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('\r\n')}\r\n\r\n${body}`,
  );
}
