/** A mail server that collects what it gets and answers as a test says. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A message that has arrived. */
export type Mail = {
  /** The addresses of its envelope. */
  readonly recipients: readonly string[];
  /** The headers and parts, as they arrived. */
  readonly message: string;
};

/** A running mail server. */
export type MailServer = {
  readonly url: string;
  readonly arrived: Mail[];
  /** The number of connections. */
  connections: number;
  /** The code by which it refuses recipients; undefined when it takes them. */
  refusal: number | undefined;
  close(): Promise<void>;
};

/** Starts a mail server on this machine. */
export async function startMailServer(): Promise<MailServer> {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect(_session, callback) {
      server.connections++;
      callback();
    },
    onRcptTo(_address, _session, callback) {
      const { refusal } = server;
      if (refusal === undefined) return callback();
      callback(Object.assign(new Error('no'), { responseCode: refusal }));
    },
    onData(stream, { envelope }, callback) {
      text(stream).then((message) => {
        const recipients = envelope.rcptTo.map(({ address }) => address);
        server.arrived.push({ recipients, message });
        callback();
      }, callback);
    },
  });
  // A client that is killed ends its connection in its own way.
  smtp.on('error', () => {});
  const listening = smtp.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const server: MailServer = {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    arrived: [],
    connections: 0,
    refusal: undefined,
    close: () => new Promise((resolve) => void smtp.close(resolve)),
  };
  return server;
}
