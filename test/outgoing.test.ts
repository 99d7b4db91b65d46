/** Calls to other servers: they follow no redirect, and trust the authorities that are named. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { type Config, readConfig } from '../src/config.ts';
import { openBudgets } from '../src/engine/budgets.ts';
import { openBucket } from '../src/files/s3.ts';
import { downloadHistory } from '../src/import/ecb/history.ts';
import { openRegistry, openWarehouse } from '../src/main.ts';
import { openMailer, sendRun } from '../src/schedules/mail.ts';

async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

test('a redirect of the exchange rates or of the bucket is a failure, and is not followed', async () => {
  const paths: string[] = [];
  const server = createServer(({ url }, answer) => {
    paths.push(url!);
    answer.writeHead(307, { location: '/elsewhere' }).end();
  });
  const endpoint = `http://127.0.0.1:${await portOf(server)}`;
  const keys = { accessKeyId: 'id', secretAccessKey: 'key', sessionToken: undefined };
  const bucket = openBucket({ bucket: 'b', prefix: '', endpoint, region: 'eu-west-1', ...keys });
  const signal = new AbortController().signal;
  try {
    await assert.rejects(downloadHistory(signal, `${endpoint}/rates`), /\/rates answered 307/);
    await assert.rejects(bucket.find('a.csv'), /answered with 307/);
    assert.deepEqual(paths, ['/rates', '/b/a.csv']);
  } finally {
    server.close();
  }
});

const authorityOf = (name: string) =>
  fileURLToPath(new URL(`fixtures/authorities/${name}.pem`, import.meta.url));
const pair = readFileSync(authorityOf('server'));
const mail = {
  messageId: 'm',
  name: 'n',
  fileName: 'a.csv',
  dueAt: new Date(0),
  email: 'a@b.example',
  organisation: 'o',
  unsubscribeUrl: 'https://a.example',
  pageUrl: 'https://a.example',
  file: { size: 1, tag: '', open: async () => Readable.from(['x']) },
};
const calls: Readonly<Record<string, (config: Config) => Promise<unknown>>> = {
  DATABASE_URL: openRegistry,
  CLICKHOUSE_URL: (config) => openWarehouse(config),
  async REDIS_URL(config) {
    const budgets = await openBudgets(config, () => {});
    await budgets.ping().finally(() => budgets.close());
  },
  VITRINE_SMTP_URL: async (config) => sendRun(await openMailer(config.mail!), mail),
};

test('stores and mail server get a word only if one of the named authorities knows them', async () => {
  let heard = false;
  const listen = (socket: TLSSocket) =>
    socket.on('error', () => {}).on('data', () => socket.end(() => (heard = true)));
  const tls = createTlsServer({ cert: pair, key: pair }, (socket) => {
    listen(socket);
    // The mail server, which has no name here, speaks first.
    if (!socket.servername) socket.write('220 well\r\n');
  });
  // PostgreSQL has its own way to request TLS.
  const postgres = createTcpServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', () => {
        socket.write('S');
        listen(new TLSSocket(socket, { isServer: true, cert: pair, key: pair } as object));
      });
  });
  const [port, ofPostgres] = [await portOf(tls), await portOf(postgres)];
  const given = {
    DATABASE_URL: `postgres://u:p@localhost:${ofPostgres}/v?sslmode=verify-full`,
    CLICKHOUSE_URL: `https://u:p@localhost:${port}/v`,
    REDIS_URL: `rediss://localhost:${port}`,
    VITRINE_SMTP_URL: `smtps://127.0.0.1:${port}`,
  };
  const secret = 'Zq3vX8kLmP2wRt7yBn4c';
  const secrets = { VITRINE_SECRET: secret, VITRINE_OPERATOR_TOKEN: secret };
  const from = { VITRINE_SMTP_FROM: 'a@b.example', VITRINE_REQUIRE_TLS: 'on' };
  try {
    for (const [name, call] of Object.entries(calls))
      for (const authority of ['own', 'other', undefined]) {
        const trusted = authority && { VITRINE_STORE_AUTHORITIES: authorityOf(authority) };
        heard = false;
        await assert.rejects(call(readConfig({ ...given, ...secrets, ...from, ...trusted })));
        assert.equal(heard, authority === 'own', `${name} and ${authority}`);
      }
  } finally {
    tls.close();
    postgres.close();
  }
});
