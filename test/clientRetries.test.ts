/** The clients without a service: retries, cached answers, pages, and their packages. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import ts from 'typescript';
import * as client from '../clients/typescript/src/index.ts';
import { deepTest, slowTest } from './level.ts';
import { python, withoutPython } from './python.ts';

const { ConnectionError, RefusedError, ReportError, Vitrine } = client;
const entry = fileURLToPath(new URL('../clients/typescript/src/index.ts', import.meta.url));
const bundledBytesMax = 15_000;
const now = Date.UTC(2026, 10, 21, 12);
const store = { channelId: 'a', merchantId: 'b' };

type Sent = { readonly url: string; readonly headers: Headers; readonly body: unknown };
type Said = Response | Error | ((signal: AbortSignal) => Promise<Response>);

/** A client that gets these answers, with its requests and the waits between them. */
function clientOf(answers: readonly Said[], settings: Partial<client.Settings> = {}) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const rest = [...answers];
  const timeouts: AbortController[] = [];
  const vitrine = new Vitrine({
    url: 'http://vitrine.test/',
    key: 'secret',
    async fetch(url, init = {}) {
      const { headers, body, signal } = init;
      sent.push({ url: String(url), headers: new Headers(headers), body });
      const next = rest.shift();
      if (next instanceof Error) throw next;
      assert.ok(next, 'a request was not expected');
      return typeof next === 'function' ? next(signal!) : next;
    },
    clock: {
      now: () => now,
      random: () => 0.5,
      timeout: () => {
        const timeout = new AbortController();
        timeouts.push(timeout);
        return timeout.signal;
      },
      wait: async (milliseconds, signal) => {
        signal?.throwIfAborted();
        waits.push(milliseconds);
      },
    },
    ...settings,
  });
  return { vitrine, sent, waits, timeouts };
}

const answer = (body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { headers });
const refusal = (status: number, headers: Record<string, string> = {}, error = 'no') =>
  new Response(JSON.stringify({ status: 'error', error }), { status, headers });

describe('a call of the client is repeated', () => {
  test('after Retry-After, in seconds or as a date, and a random part more', async () => {
    const { vitrine, waits } = clientOf([
      refusal(429, { 'retry-after': '8' }),
      refusal(503, { 'retry-after': new Date(now + 2_000).toUTCString() }),
      answer([]),
    ]);
    assert.deepEqual(await vitrine.listChannels(), []);
    // Half of a quarter of 8 s; half of a second.
    assert.deepEqual(waits, [9_000, 2_500]);
  });

  test('after 1, 2, 4 and 8 seconds and half of that more where nothing is said, five times', async () => {
    const broken = new TypeError('fetch failed');
    const { vitrine, waits, sent } = clientOf([broken, refusal(500), broken, broken, broken]);
    await assert.rejects(vitrine.listChannels(), (error: client.ConnectionError) => {
      assert.ok(error instanceof ConnectionError);
      assert.deepEqual([error.operation, error.attempts], ['listChannels', 5]);
      assert.equal(error.cause, broken);
      return true;
    });
    assert.deepEqual(waits, [1_500, 3_000, 6_000, 12_000]);
    assert.equal(sent.length, 5);
  });

  test('with the same idempotency key, which is new for each change', async () => {
    const broken = new TypeError('fetch failed');
    const { vitrine, sent } = clientOf([broken, answer({}), answer({}), answer({})]);
    await vitrine.convertTag({ tag: 'a' } as never);
    await vitrine.convertTag({ tag: 'b' } as never);
    await vitrine.convertTag({ tag: 'c' } as never, { idempotencyKey: 'own' });
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    assert.equal(keys[0], keys[1]);
    assert.match(keys[0]!, /^[0-9a-f]{32}$/);
    assert.equal(new Set(keys).size, 3);
    assert.equal(keys[3], 'own');
  });

  test('after 409 only if the service says when', async () => {
    const { vitrine, waits } = clientOf([refusal(409, { 'retry-after': '1' }), refusal(409)]);
    await assert.rejects(vitrine.saveCustomGroup({} as never), RefusedError);
    assert.deepEqual(waits, [1_500]);
  });

  test('when an answer takes too long or breaks off, but a download may last', async () => {
    const hanging = (signal: AbortSignal) =>
      new Promise<Response>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
    const broken = new Response(
      new ReadableStream({ start: (stream) => stream.error(new TypeError('terminated')) }),
    );
    const { vitrine, timeouts, sent } = clientOf([hanging, broken, answer(['x'])]);
    const answered = vitrine.listChannels();
    await new Promise(setImmediate);
    timeouts[0]!.abort(new DOMException('too long', 'TimeoutError'));
    assert.deepEqual(await answered, ['x']);
    assert.equal(sent.length, 3);

    const status = { reportId: 'r', reportType: 'campaigns', status: 'done' };
    const done = { ...status, downloadUrl: 'http://vitrine.test/reports/file' };
    let seen: AbortSignal | undefined;
    const file = async (signal: AbortSignal) => {
      seen = signal;
      return new Response('a,b');
    };
    const other = clientOf([answer(done), answer(done), file]);
    const report = await other.vitrine.waitForReport({ reportId: 'r' });
    const response = await report.download();
    for (const timeout of other.timeouts) timeout.abort();
    assert.equal(seen?.aborted, false);
    assert.equal(await response.text(), 'a,b');
    assert.equal(other.sent[2]!.headers.get('x-api-key'), null);
  });
});

describe('a call of the client is not repeated', () => {
  test('after another refusal, whose rules, id and wait the error holds', async () => {
    const headers = { 'x-request-id': 'request-1' };
    const { vitrine, sent } = clientOf([refusal(400, headers, 'a must be b, c must be d')]);
    await assert.rejects(vitrine.readTargets({} as never), (error: client.RefusedError) => {
      const { status, reasons, requestId, message } = error;
      assert.deepEqual([status, requestId], [400, 'request-1']);
      assert.deepEqual(reasons, ['a must be b', 'c must be d']);
      assert.equal(message, 'readTargets: 400 a must be b, c must be d [request request-1]');
      return true;
    });
    assert.equal(sent.length, 1);
  });

  test('when it would have to wait for too long', async () => {
    const { vitrine } = clientOf([refusal(429, { 'retry-after': '61' })]);
    await assert.rejects(vitrine.listTags(), { status: 429, retryAfterSeconds: 61 });
  });

  test('and its error is of the class of the status', async () => {
    const { paths } = JSON.parse(
      await readFile(new URL('../docs/openapi.json', import.meta.url), 'utf8'),
    );
    const documented = Object.keys(paths['/tags/channel'].patch.responses).map(Number);
    const statuses = documented.filter((status) => status >= 400);
    const names = new Set<string>();
    for (const status of statuses) {
      const page = new Response('<h1>Gone</h1>', { status, headers: { 'x-request-id': 'r1' } });
      const { vitrine } = clientOf([page], { attemptsMax: 1 });
      const message = `listTags: ${status} without a reason in JSON [request r1]`;
      await assert.rejects(vitrine.listTags(), (error: client.RefusedError) => {
        assert.ok(error instanceof RefusedError);
        assert.deepEqual([error.status, error.message, error.reasons], [status, message, []]);
        assert.equal(error.constructor.name, error.name);
        names.add(error.name);
        return true;
      });
    }
    assert.equal(names.size, statuses.length);
    assert.ok(!names.has('RefusedError') && names.has('LimitError'));
    const other = clientOf([refusal(418)]).vitrine.listTags();
    await assert.rejects(other, { name: 'RefusedError', status: 418 });
  });

  test('after a redirect, which no request of a key follows', async () => {
    const requests: (string | undefined)[] = [];
    const server = createServer(({ url, headers }, answer) => {
      requests.push(url);
      answer.writeHead(Number(url!.slice(1, 4)), { location: `http://${headers.host}/elsewhere` });
      answer.end();
    });
    await once(server.listen(0), 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const statuses = [301, 302, 303, 307, 308];
    for (const status of statuses)
      await assert.rejects(new Vitrine({ url: `${origin}/${status}`, key: 'k' }).listTags(), {
        name: 'RedirectedError',
        status,
        message: `listTags: ${status} a redirect to ${origin}/elsewhere, which is not followed: check the setting url`,
      });
    server.close();
    assert.deepEqual(
      requests,
      statuses.map((status) => `/${status}/tags`),
    );
  });

  test('when a hook of the program throws, or nothing can be sent', async () => {
    const own = new TypeError('fetch failed');
    for (const onAnswer of [() => Promise.reject(own), () => assert.fail(own)]) {
      const { vitrine, sent } = clientOf([answer({})], { onAnswer });
      await assert.rejects(vitrine.listTags(), own);
      assert.equal(sent.length, 1);
    }
    for (const wrong of [{ key: 'a\nb' }, { url: 'vitrine.test' }]) {
      const { vitrine, sent } = clientOf([], wrong);
      await assert.rejects(vitrine.listTags(), TypeError);
      assert.equal(sent.length, 0);
    }
  });

  test('when the answer cannot be read, which is not cached either', async () => {
    const headers = { 'x-request-id': 'r1', 'content-type': 'text/html', etag: 'one' };
    const page = () => new Response('<h1>Sign in</h1>', { headers });
    const empty = new Response(null, { headers });
    const { vitrine, sent } = clientOf([page(), empty, page(), page()], { keptAnswersMax: 1 });
    const calls = [
      [() => vitrine.listTags(), 'listTags: the answer is not JSON'],
      [() => vitrine.listTags(), 'listTags: the answer is empty'],
      [() => vitrine.csv('listTags', {}), 'listTags: the answer is text/html, and not CSV'],
      [
        () => vitrine.deleteCustomGroup({ id: '7', ...store }),
        'deleteCustomGroup: the answer is not empty',
      ],
    ] as const;
    for (const [call, message] of calls) {
      const error = { name: 'AnswerError', requestId: 'r1', message: `${message} [request r1]` };
      await assert.rejects(call, error);
    }
    assert.deepEqual(
      sent.map((one) => one.headers.get('if-none-match')),
      Array(4).fill(null),
    );
  });

  test('when its signal aborts, before, between and during attempts', async () => {
    const reason = new Error('enough');
    const early = clientOf([]);
    const signal = AbortSignal.abort(reason);
    await assert.rejects(early.vitrine.listTags({}, { signal }), reason);
    const between = new AbortController();
    const { vitrine, sent } = clientOf([
      async () => {
        between.abort(reason);
        return refusal(503);
      },
    ]);
    await assert.rejects(vitrine.listTags({}, { signal: between.signal }), reason);
    assert.equal(sent.length, 1);
  });
});

describe('the client', () => {
  test('places fields in the path, the query and the body', async () => {
    const { vitrine, sent } = clientOf([answer({}), answer({}), new Response(null)]);
    await vitrine.listCampaigns({ channelId: ['a b', 'c'], pageSize: 3 });
    await vitrine.readCustomGroup({ id: '7', ...store });
    await vitrine.changeCustomGroup({ id: '7/8', ...store, groupName: 'x' });
    const requests = sent.map(({ url, body }) => [url.replace('http://vitrine.test', ''), body]);
    assert.deepEqual(requests, [
      ['/advertising/campaigns?channelId=a+b&channelId=c&pageSize=3', undefined],
      ['/customGroups/7?channelId=a&merchantId=b', undefined],
      ['/customGroups/7%2F8', JSON.stringify({ ...store, groupName: 'x' })],
    ]);
  });

  test('checks cached answers by their tag, and caches as many as it may', async () => {
    const tagged = (body: unknown, etag: string) => answer(body, { etag });
    const same = () => new Response(null, { status: 304 });
    const [one, two] = [tagged({ items: [1] }, 'one'), tagged({ a: 1 }, 'two')];
    const replies = [one, same(), two, answer({ b: 1 })];
    const { vitrine, sent } = clientOf(replies, { keptAnswersMax: 1 });
    const first = await vitrine.listTags();
    first.items.length = 0;
    assert.deepEqual(await vitrine.listTags(), { items: [1] });
    await vitrine.readChannelTags(store);
    await vitrine.listTags();
    const tags = sent.map(({ headers }) => headers.get('if-none-match'));
    assert.deepEqual(tags, [null, 'one', null, null]);
  });

  test('names the fields that the service ignored, and refuses them if it is strict', async () => {
    const notes: (readonly string[])[] = [];
    const ignored = answer([], { 'vitrine-ignored': 'a, b' });
    const onAnswer: client.Settings['onAnswer'] = (note) => notes.push(note.ignored);
    const { vitrine, sent } = clientOf([ignored], { strict: true, onAnswer });
    await vitrine.listChannels();
    assert.deepEqual(notes, [['a', 'b']]);
    assert.equal(sent[0]!.headers.get('prefer'), 'handling=strict');
  });

  test('follows pages from the one that is named, and stops where rows vanish', async () => {
    const page = (items: number[]) => answer({ totalCount: 9, items });
    const { vitrine, sent } = clientOf([page([1, 2]), page([3]), page([])]);
    const rows: unknown[] = [];
    for await (const row of vitrine.rows('listTags', { pageIndex: 1, pageSize: 2 })) rows.push(row);
    assert.deepEqual(rows, [1, 2, 3]);
    const requests = sent.map(({ url }) => new URL(url).searchParams.get('pageIndex'));
    assert.deepEqual(requests, ['1', '2', '3']);
  });

  test('waits for a report for half a second at first and for five at most', async () => {
    const status = (name: string) =>
      answer({ reportId: 'r', reportType: 'campaigns', status: name });
    const errored = answer({ reportId: 'r', status: 'errored', error: 'too many rows' });
    const going = Array.from({ length: 6 }, () => status('inProgress'));
    const { vitrine, waits } = clientOf([status('started'), ...going, errored]);
    const seen: string[] = [];
    const onStatus = (name: string) => seen.push(name);
    const waiting = vitrine.waitForReport({ reportId: 'r' }, { onStatus });
    await assert.rejects(waiting, (error: client.ReportError) => {
      assert.ok(error instanceof ReportError);
      assert.match(error.message, /r failed: too many rows/);
      return true;
    });
    assert.deepEqual(waits, [500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
    assert.deepEqual([seen[0], seen.at(-1)], ['started', 'errored']);
  });

  test('has less than 15 kB, bundled and compressed', async () => {
    const options = { bundle: true, minify: true, format: 'esm', write: false } as const;
    const { outputFiles } = await build({ ...options, entryPoints: [entry] });
    const { length } = gzipSync(outputFiles[0]!.contents);
    assert.ok(length > 2_000 && length < bundledBytesMax, `${length} bytes`);
  });

  deepTest('is built as the package that its description names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-client-'));
    try {
      const own = fileURLToPath(new URL('../clients/typescript/', import.meta.url));
      const { config } = ts.readConfigFile(`${own}tsconfig.json`, ts.sys.readFile);
      const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, own);
      const program = ts.createProgram(fileNames, { ...options, outDir: folder });
      assert.deepEqual(ts.getPreEmitDiagnostics(program), []);
      program.emit();
      const { exports } = JSON.parse(await readFile(`${own}package.json`, 'utf8'));
      const place = (path: string) => join(folder, path.replace('./dist/', ''));
      const built = await import(pathToFileURL(place(exports['.'].default)).href);
      assert.equal(typeof built.Vitrine.prototype.viewSalesByPeriod, 'function');
      assert.match(await readFile(place(exports['.'].types), 'utf8'), /class Vitrine/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

slowTest(
  'the Python client repeats calls as the TypeScript client does',
  { skip: withoutPython },
  () => {
    const file = fileURLToPath(new URL('../clients/python/tests/test_caller.py', import.meta.url));
    // With its environment, no compiled modules are written beside the sources.
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
    execFileSync(python!, [file], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  },
);
