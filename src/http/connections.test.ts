/** Connections that are too slow, too large or too many are answered and closed; others are not. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import Type from 'typebox';
import { eachPair, onOnePair, type Tenant, until, type World } from '../../test/harness.ts';
import { slowTest } from '../../test/level.ts';
import { recordsOf } from '../../test/records.ts';
import { contract } from '../contract/endpoint.ts';
import type { Endpoint } from '../endpoints/handler.ts';
import { closingMilliseconds } from './closing.ts';
import { bodySeconds, headerSeconds, paceBytes, paceSeconds } from './connections.ts';

const words = { summary: 'An example', description: 'It exists only here.' };
const answer = Type.Object({ found: Type.Unknown() });
const shared = { ...words, access: 'key', answer } as const;
const body = Type.Object({ text: Type.Optional(Type.String()) });
const getting = { ...shared, method: 'GET' } as const;
let mayAnswer = Promise.withResolvers<void>();
let waiting = 0;

const endpoints: readonly Endpoint[] = [
  {
    contract: contract({ ...shared, operation: 'echo', method: 'POST', path: '/echo', body }),
    handler: async (input) => ({ found: input }),
  },
  {
    contract: contract({ ...getting, operation: 'wait', path: '/wait' }),
    handler: async () => {
      waiting++;
      await mayAnswer.promise;
      waiting--;
      return { found: true };
    },
  },
  {
    contract: contract({ ...getting, operation: 'sendMuch', path: '/much' }),
    handler: async () => ({ found: 'x'.repeat(muchBytes) }),
  },
];

/** More than the system buffers for a connection. */
const muchBytes = 24_000_000;
/** The time for the unread answer, at 16 KiB a second, and half a minute more. */
const unreadSeconds = 30 + muchBytes / 16_384;

/** A connection that collects what it was sent, unless it reads nothing. */
class Client {
  readonly socket: Socket;
  text = '';

  constructor(port: number, options: { readonly reads?: boolean; readonly from?: string } = {}) {
    this.socket = connect({ port, host: '127.0.0.1', localAddress: options.from ?? '127.0.0.1' });
    this.socket.setEncoding('utf8').on('error', () => {});
    if (options.reads === false) this.socket.pause();
    else this.socket.on('data', (part: string) => (this.text += part));
  }

  get isClosed(): boolean {
    return this.socket.closed;
  }

  ask(method: string, path: string, headers: readonly string[], body = ''): void {
    const lines = [`${method} ${path} HTTP/1.1`, 'host: vitrine.test', ...headers];
    this.socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  }

  /** Sends the first byte of an import of many. */
  beginImport({ operatorToken }: World, channelId: string): void {
    const headers = ['content-type: application/x-ndjson', 'content-length: 100000000'];
    const token = `authorization: Bearer ${operatorToken}`;
    const path = `/operator/imports/traffic?channelId=${channelId}`;
    this.ask('POST', path, [token, ...headers], '{');
  }

  async closed(): Promise<string> {
    if (!this.isClosed) await once(this.socket, 'close');
    return this.text;
  }
}

const json = 'content-type: application/json';

const accepted = new Map<number, Socket>();

async function portOf({ server }: World): Promise<number> {
  if (!server.server.listening) {
    server.server.on('connection', (socket) => accepted.set(socket.remotePort!, socket));
    await server.listen({ port: 0, host: '127.0.0.1' });
  }
  return (server.server.address() as { port: number }).port;
}

/** The socket of the server at the other end. */
function serverSide({ socket }: Client): Socket {
  return accepted.get(socket.localPort!)!;
}

/** Waits until the server has received that many bytes of a client. */
function received(client: Client, bytes: number): Promise<void> {
  return until(() => (serverSide(client)?.bytesRead ?? 0) >= bytes);
}

function countOf({ server }: World): Promise<number> {
  return new Promise((resolve) => server.server.getConnections((_error, count) => resolve(count)));
}

function pass({ timers }: World, seconds: number): void {
  timers.advance(seconds * 1_000);
}

onOnePair(
  'connections of clients that are slow',
  (world) => {
    let tenant: Tenant | undefined;
    const keyHeader = async () => {
      tenant ??= await world().tenant();
      return `x-api-key: ${tenant.key}`;
    };

    test('408: headers that do not arrive in time', async () => {
      const port = await portOf(world());
      const silent = new Client(port);
      const half = new Client(port);
      half.socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n');
      const idle = new Client(port);
      idle.ask('GET', '/healthz', []);
      await until(async () => idle.text.includes('"ok"') && (await countOf(world())) === 3);
      pass(world(), headerSeconds - 1);
      assert.deepEqual([silent.isClosed, half.isClosed], [false, false]);
      pass(world(), 1);
      for (const client of [silent, half]) {
        const text = await client.closed();
        assert.match(text, /^HTTP\/1\.1 408 /);
        assert.match(text, /\{"status":"error","error":"the request did not arrive in time"\}$/);
      }
      // An idle connection has the full time again for its next request.
      pass(world(), headerSeconds);
      idle.socket.write('GET /healthz HTTP/1.1\r\n');
      await received(idle, 60);
      pass(world(), headerSeconds);
      assert.equal(idle.isClosed, false);
      pass(world(), 1);
      assert.match(await idle.closed(), /200 OK.*408 /s);
    });

    test('408: a body that does not arrive in time, with a key, without one, or dripping', async () => {
      const port = await portOf(world());
      const key = await keyHeader();
      const started = world().logLines.length;
      const withKey = new Client(port);
      withKey.ask('POST', '/echo', [key, json, 'content-length: 20'], '{"text":');
      const withoutKey = new Client(port);
      withoutKey.ask('POST', '/echo', [json, 'content-length: 20'], '{"text":');
      const signingIn = new Client(port);
      const ofPage = [json, 'content-length: 20', 'sec-fetch-site: same-origin'];
      signingIn.ask('POST', '/account/session', ofPage, '{');
      await until(async () => withoutKey.text.includes('403') && (await countOf(world())) === 3);
      await received(signingIn, 100);
      pass(world(), bodySeconds - 1);
      withKey.socket.write('"');
      for (const client of [withKey, withoutKey, signingIn]) assert.equal(client.isClosed, false);
      pass(world(), 1);
      assert.match(await withKey.closed(), /^HTTP\/1\.1 408 /);
      assert.match(await signingIn.closed(), /^HTTP\/1\.1 408 /);
      assert.doesNotMatch(await withoutKey.closed(), /^HTTP\/1\.1 408 /m);
      assert.doesNotMatch(world().logLines.slice(started).join(''), /"level":50/);
    });

    test('408: an import that brings less than its pace', async () => {
      const port = await portOf(world());
      await keyHeader();
      const dripping = new Client(port);
      dripping.beginImport(world(), tenant!.channelId);
      const steady = new Client(port);
      steady.beginImport(world(), tenant!.channelId);
      await Promise.all([received(steady, 100), received(dripping, 100)]);
      for (const minute of [1, 2]) {
        const known = serverSide(steady).bytesRead;
        steady.socket.write(' '.repeat(paceBytes));
        await received(steady, known + paceBytes);
        pass(world(), paceSeconds);
        await until(() => dripping.isClosed);
        assert.equal(steady.isClosed, false, `after ${minute} minutes`);
      }
      assert.match(dripping.text, /^HTTP\/1\.1 408 /);
      steady.socket.destroy();
      await until(async () => (await countOf(world())) === 0);
    });

    test('an answer that is not read closes its connection, one that is read does not', async () => {
      const port = await portOf(world());
      const key = await keyHeader();
      const unread = new Client(port, { reads: false });
      unread.ask('GET', '/much', [key]);
      await until(async () => (await countOf(world())) === 1);
      await until(() => serverSide(unread).writableLength > 0);
      pass(world(), 30);
      assert.equal(serverSide(unread).destroyed, false);
      pass(world(), unreadSeconds);
      await until(async () => (await countOf(world())) === 0);
      unread.socket.destroy();
    });

    test('requests of one connection are handled in turn, and few may wait', async () => {
      const port = await portOf(world());
      const key = await keyHeader();
      mayAnswer = Promise.withResolvers();
      const polite = new Client(port);
      for (let count = 0; count < 9; count++) polite.ask('GET', '/wait', [key]);
      const greedy = new Client(port);
      for (let count = 0; count < 10; count++) greedy.ask('GET', '/wait', [key]);
      const heavy = new Client(port);
      heavy.ask('GET', '/wait', [key]);
      heavy.ask('POST', '/echo', [key, json, 'content-length: 5000']);
      await Promise.all([greedy.closed(), heavy.closed()]);
      assert.deepEqual([greedy.text, heavy.text], ['', '']);
      await until(() => waiting === 3);
      mayAnswer.resolve();
      await until(() => polite.text.split('HTTP/1.1 200 OK').length === 10);
      polite.socket.destroy();
      await until(async () => (await countOf(world())) === 0);
    });
  },
  { endpoints },
);

const counts = { connections: 3, addressConnections: 2, keyRequests: 2 };
const narrow = { ...counts, bodyMegabytes: 1.5, answerMegabytes: 30 };

onOnePair(
  'limits of connections',
  (world) => {
    test('further connections of an address are closed, and beyond the limit of all the oldest of the address with the most', async () => {
      const port = await portOf(world());
      const first = new Client(port);
      const second = new Client(port);
      await until(async () => (await countOf(world())) === 2);
      await new Client(port).closed();
      assert.deepEqual([first.isClosed, second.isClosed], [false, false]);
      const others = [new Client(port, { from: '127.0.0.2' })];
      await until(async () => (await countOf(world())) === 3);
      others.push(new Client(port, { from: '127.0.0.3' }));
      await first.closed();
      for (const client of [second, ...others]) {
        client.ask('GET', '/healthz', []);
        await until(() => client.text.includes('200 OK'));
      }
      // A trusted proxy has as many as it needs.
      const proxied = Array.from({ length: 5 }, () => new Client(port, { from: '127.1.0.1' }));
      await until(async () => (await countOf(world())) === 8);
      for (const { socket } of [second, ...others, ...proxied]) socket.destroy();
      await until(async () => (await countOf(world())) === 0);
    });

    test('429: a key has too many unfinished requests', async () => {
      const port = await portOf(world());
      const { key } = await world().tenant();
      const other = await world().tenant();
      mayAnswer = Promise.withResolvers();
      const open = [1, 2].map(() => new Client(port, { from: '127.1.0.1' }));
      for (const client of open) client.ask('GET', '/wait', [`x-api-key: ${key}`]);
      await until(() => waiting === 2);
      const refused = await world().ask(key, 'POST', '/echo', {});
      assert.equal(refused.status, 429);
      assert.match(refused.body.error, /^the key has 2 unfinished requests: /);
      assert.equal(refused.headers['retry-after'], '1');
      assert.equal((await world().ask(other.key, 'POST', '/echo', {})).status, 200);
      open[0]!.socket.destroy();
      await until(async () => (await world().ask(key, 'POST', '/echo', {})).status === 200);
      mayAnswer.resolve();
      await until(() => open[1]!.text.includes('200 OK'));
      assert.equal((await world().ask(key, 'POST', '/echo', {})).status, 200);
      open[1]!.socket.destroy();
    });

    slowTest(
      '503 and closed: a client with too many unfinished bodies or unread answers loses its oldest',
      async () => {
        const port = await portOf(world());
        const { key } = await world().tenant();
        const header = `x-api-key: ${key}`;
        const from = { from: '127.1.0.1' };
        const body = `{"text":"${'x'.repeat(900_000)}`;
        const send = () => {
          const client = new Client(port, from);
          client.ask('POST', '/echo', [header, json, 'content-length: 1000000'], body);
          return client;
        };
        const first = send();
        await received(first, body.length);
        const second = send();
        const text = await first.closed();
        assert.match(text, /^HTTP\/1\.1 503 .*retry-after: 5.*waits for too many bodies/s);
        second.socket.write(`"}${' '.repeat(1_000_000 - body.length - 2)}`);
        await until(() => second.text.includes('200 OK'));
        second.socket.destroy();
        const unread = new Client(port, { ...from, reads: false });
        unread.ask('GET', '/much', [header]);
        await until(() => (serverSide(unread)?.writableLength ?? 0) > 0);
        const next = new Client(port, { ...from, reads: false });
        next.ask('GET', '/much', [header]);
        await until(() => serverSide(unread).destroyed && serverSide(next).writableLength > 0);
        for (const { socket } of [unread, next]) socket.destroy();
      },
    );
  },
  { endpoints, config: { trustedProxies: ['127.1.0.0/16'] }, limits: narrow },
);

eachPair(
  'closing ends within seconds whatever clients do',
  async (world) => {
    const port = await portOf(world);
    const { key, channelId } = await world.tenant();
    mayAnswer = Promise.withResolvers();
    const importing = new Client(port);
    importing.beginImport(world, channelId);
    await received(importing, 100);
    const half = new Client(port);
    half.ask('POST', '/echo', [`x-api-key: ${key}`, json, 'content-length: 20'], '{');
    const answered = new Client(port);
    answered.ask('GET', '/wait', [`x-api-key: ${key}`]);
    await received(half, 100);
    await until(() => waiting === 1);
    const closed = world.server.close();
    mayAnswer.resolve();
    assert.match(await answered.closed(), /200 OK.*"found":true/s);
    assert.equal(half.isClosed, false);
    pass(world, closingMilliseconds / 1_000);
    await Promise.all([half.closed(), importing.closed(), closed]);
    // The stores close only then.
    await world.importer.settle();
    assert.deepEqual(await recordsOf(world, 'import', { state: 'running' }), []);
  },
  { endpoints },
);
