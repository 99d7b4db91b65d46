/** Strangers that request a description, eight times on each connection, and read no answer. */
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/** The port of the service, and how many connections there are at a time. */
export type Strangers = { readonly port: number; readonly connections: number };

const pipelined = 8;
/** One address may have 256 connections. */
const perAddress = 150;
const { port, connections } = workerData as Strangers;
let isOver = false;

function ask(number: number): void {
  if (isOver) return;
  const localAddress = `127.0.1.${1 + Math.floor(number / perAddress)}`;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.pause();
  socket.on('error', () => {});
  socket.on('close', () => setTimeout(ask, 100, number));
  socket.write('GET /openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'.repeat(pipelined));
  parentPort!.once('message', () => socket.destroy());
}

parentPort!.setMaxListeners(0);
parentPort!.once('message', () => {
  isOver = true;
});
for (let number = 0; number < connections; number++) ask(number);
parentPort!.postMessage('begun');
