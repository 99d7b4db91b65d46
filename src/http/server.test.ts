/**
 * Every request goes through the same steps: keys, bodies, paths, channels, headers, refusals, the
 * log, and the end of a server.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Type from 'typebox';
import {
  type Answer,
  onePair,
  onOnePair,
  type Tenant,
  until,
  type World,
} from '../../test/harness.ts';
import { changeRecords } from '../../test/records.ts';
import { listsOf, textBeside } from '../../test/table.ts';
import { grant, refusal } from '../../test/visitors.ts';
import { contract } from '../contract/endpoint.ts';
import { Refusal } from '../contract/refusal.ts';
import { channelFields, List, NoAnswer, pageFields, Text } from '../contract/shapes.ts';
import type { Endpoint } from '../endpoints/handler.ts';
import { DeadlineExceeded, StoreUnavailable } from '../engine/errors.ts';

const words = { summary: 'An example', description: 'It exists only here.' };
const post = { ...words, method: 'POST', answer: Type.Object({ found: Type.Unknown() }) } as const;

/** An endpoint by POST with a body of these fields. */
const posting = (
  operation: string,
  path: string,
  body: Parameters<typeof Type.Object>[0] | undefined,
  handler: Endpoint['handler'],
  more: object = {},
): Endpoint => ({
  contract: contract({
    ...post,
    operation,
    access: 'key',
    path,
    ...more,
    ...(body && { body: Type.Object(body) }),
  }),
  handler,
});
const found = async () => ({ found: true });
const nameOfChannel: Endpoint['handler'] = async (_input, { channel }) => ({
  found: channel.displayName,
});
const echoed = { text: Text(), number: Type.Optional(Type.Integer()) };
const ofList = { access: 'key', path: '/lists/{listId}' } as const;
const pathParameters = Type.Object({ listId: Type.Integer() });
const store = { before: Type.Integer(), ...channelFields, after: Type.Integer() };

const examples: readonly Endpoint[] = [
  posting('echo', '/echo', echoed, async (input) => ({ found: input, secret: 'never answered' })),
  posting('readOrders', '/orders', undefined, found, { needs: 'orders:read' }),
  posting('readQueries', '/queries', { text: Text() }, found, {
    needs: 'searchQueryPerformance:read',
  }),
  posting('readStore', '/store', store, nameOfChannel, { channel: true }),
  {
    contract: contract({
      ...words,
      ...ofList,
      operation: 'readList',
      method: 'GET',
      pathParameters,
      query: Type.Object({ ids: Type.Optional(List(Text())), ...pageFields }),
      answer: post.answer,
    }),
    handler: async (input) => ({ found: input }),
  },
  {
    contract: contract({
      ...words,
      ...ofList,
      operation: 'deleteList',
      method: 'DELETE',
      pathParameters,
      answer: NoAnswer,
    }),
    handler: async () => {},
  },
  posting('fail', '/fail', { how: Text() }, async ({ how }: { how: string }) => {
    if (how === 'registry')
      throw new StoreUnavailable('registry', new Error('no route to 10.0.0.7'));
    if (how === 'deadline') throw new DeadlineExceeded(5);
    if (how === 'missing') throw new Refusal(404, 'there is no such thing');
    const detail = 'canary-detail@example.com';
    throw Object.assign(new Error('SELECT secret FROM inside'), { detail });
  }),
  posting('sendMuch', '/much', undefined, async () => ({ found: 'much '.repeat(10_000) })),
  posting('wait', '/wait', undefined, async (_input, { limits: { signal }, log }) => {
    log.info({}, 'the work has begun');
    await new Promise((resolve) => signal!.addEventListener('abort', resolve));
    log.info({}, 'the client has left');
    return { found: 'nobody' };
  }),
];

const keyRefused = { status: 'error', error: 'the x-api-key header must hold a valid key' };

onOnePair(
  'the public interface',
  (world) => {
    let tenant: Tenant | undefined;
    const acme = async () => {
      const organisation = { searchQueryPerformance: false };
      const channel = { merchantId: 'M1', displayName: 'Acme' };
      tenant ??= await world().tenant({ organisation, channel });
      return tenant;
    };
    const ask = async (path: string, body: unknown = {}) =>
      world().ask((await acme()).key, 'POST', path, body);

    test('200: the answer holds the fields of the contract and no others', async () => {
      const { status, body, headers } = await ask('/echo', { text: 'a', unknown: true });
      assert.equal(status, 200);
      assert.deepEqual(body, { found: { text: 'a' } });
      assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    });

    test('fields that the contract does not know are named in a header, or refused on request', async () => {
      const { key } = await acme();
      const send = (body: object, prefer?: string) =>
        world().ask(key, 'POST', '/echo', body, prefer === undefined ? {} : { prefer });
      const noted = ({ status, body, headers }: Answer) => [
        ...[status, body.error, headers['vitrine-ignored'], headers['preference-applied']],
      ];
      const strict = 'handling=strict';
      const unknown = { text: 'a', texts: 1, 'a, b\r\n': {} };
      assert.deepEqual(noted(await send({ text: 'a' })), [200, undefined, undefined, undefined]);
      const ignored = 'texts, (withheld)';
      assert.deepEqual(noted(await send(unknown)), [200, undefined, ignored, undefined]);
      const refused = noted(await send({ text: 5, shoe: 1 }));
      assert.deepEqual(refused, [400, 'text must be a string', 'shoe', undefined]);
      const applied = noted(await send({ text: 'a' }, strict));
      assert.deepEqual(applied, [200, undefined, undefined, strict]);
      const all =
        'text must not be empty, texts is not known: did you mean text?, (withheld) is not known';
      for (const prefer of [strict, 'respond-async, Handling="strict"; x=1']) {
        const answer = await send({ ...unknown, text: '' }, prefer);
        assert.deepEqual(noted(answer), [400, all, undefined, strict]);
      }
      // Only the first of several counts.
      for (const prefer of ['handling=lenient, handling=strict', 'handling=stricter', 'strict'])
        assert.equal((await send(unknown, prefer)).status, 200);
      const list = await world().ask(key, 'GET', '/lists/1?pagesize=5&ids[]=a&ids=b');
      assert.deepEqual([list.status, list.headers['vitrine-ignored']], [200, 'pagesize']);
      assert.match(String(list.headers['access-control-expose-headers']), /vitrine-ignored/);
    });

    test("400: the operator's interface refuses fields that it does not know", async () => {
      const made = world().operator('POST', '/operator/organisations', { nmae: 'Acme' });
      const name = [400, 'name is required, nmae is not known: did you mean name?'];
      assert.deepEqual(await refusal(made), name);
      const listed = world().operator('GET', '/operator/keys?useriD=1&shoe=44');
      const userId = [400, 'useriD is not known: did you mean userId?, shoe is not known'];
      assert.deepEqual(await refusal(listed), userId);
    });

    test('403: a key that is missing, malformed, unknown, revoked or expired is refused in the same words', async () => {
      const { userId, key } = await acme();
      const revoked = await world().operate('POST', '/operator/keys', { userId });
      await world().operate('DELETE', `/operator/keys/${revoked.keyId}`);
      const expired = await world().operate('POST', '/operator/keys', { userId });
      await world().operate('POST', `/operator/keys/${expired.keyId}/rotate`, {});
      const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
      const elsewhere = 'vit_live_0000000000000000000000000000000000000000000';
      const issued = [revoked.key, expired.key, `${key}, ${key}`, mistyped];
      for (const wrong of [...issued, elsewhere, undefined, '', 'x', 'x'.repeat(5_000)]) {
        const { status, body } = await world().ask(wrong, 'POST', '/echo', {});
        assert.deepEqual([status, body], [403, keyRefused]);
      }
    });

    test('403: the key is looked at before the body', async () => {
      for (const body of ['{', 'x'.repeat(2_000_000)])
        for (const headers of [{}, { 'content-type': 'text/plain' }] as Record<string, string>[])
          assert.equal((await world().ask('wrong', 'POST', '/echo', body, headers)).status, 403);
    });

    test('401: an organisation without API access, a user who is a member, and orders without the enterprise plan', async () => {
      const organisation = { plan: 'standard' };
      const { organisationId, userId, key } = await world().tenant({ organisation });
      const status = async (path: string, body: unknown = '{') =>
        (await world().ask(key, 'POST', path, body)).status;
      const change = (path: string, body: object) =>
        world().operate('PATCH', `/operator/${path}`, body);
      assert.equal(await status('/orders'), 401);
      await change(`organisations/${organisationId}`, { plan: 'enterprise' });
      assert.equal(await status('/orders', {}), 200);
      await change(`users/${userId}`, { role: 'member' });
      assert.equal(await status('/orders'), 401);
      await change(`users/${userId}`, { role: 'administrator' });
      assert.equal(await status('/orders', {}), 200);
      await change(`organisations/${organisationId}`, { apiAccess: false });
      assert.equal(await status('/orders'), 401);
      assert.equal(await status('/queries'), 401);
    });

    test('403: a caller without the entitlement is advised to contact sales', async () => {
      const answer = await ask('/queries', {});
      assert.equal(answer.status, 403);
      assert.match(answer.body.error, /contact sales/);
      const path = `/operator/organisations/${(await acme()).organisationId}`;
      await world().operate('PATCH', path, { searchQueryPerformance: true });
      assert.equal((await ask('/queries', {})).status, 400);
      assert.equal((await ask('/queries', { text: 'a' })).status, 200);
    });

    test('400, 413 and 415: what is wrong with a body is said, every failing rule among it', async () => {
      const { key } = await acme();
      const json = 'application/json';
      const bytes = (encoding: BufferEncoding) => Buffer.from('{"text":"é"}', encoding);
      for (const [sent, type, status, error] of [
        ['{"number":"5"}', json, 400, 'text is required, number must be an integer'],
        ['', json, 400, 'text is required'],
        [bytes('latin1'), json, 400, 'the body is not valid UTF-8'],
        [bytes('utf8'), `${json}; charset=utf-8`, 200, undefined],
        ['{"text":"a"}', 'text/plain', 415, `the header content-type must be ${json}`],
        [' '.repeat(1_048_577), json, 413, 'the body must not be larger than 1 MiB'],
      ] as const) {
        const headers = { 'content-type': type };
        const { status: got, body } = await world().ask(key, 'POST', '/echo', sent, headers);
        const expected =
          error === undefined ? { found: { text: 'é' } } : { status: 'error', error };
        assert.deepEqual([got, body], [status, expected]);
      }
      const { body } = await world().ask(key, 'POST', '/echo');
      assert.equal(body.error, 'text is required');
    });

    test('400: a body that is not JSON, and is not repeated', async () => {
      for (const body of ['{"text": canary}', '{', 'null', '[]', '"text"', '\u0000']) {
        const answer = await ask('/echo', body);
        assert.equal(answer.status, 400, body);
        assert.match(answer.body.error, /^the body (is not valid JSON|must be a JSON object)$/);
      }
    });

    test('413: a body over 8 KiB for the account pages, which hold little', async () => {
      const own = { 'sec-fetch-site': 'same-origin' };
      const send = (size: number) => {
        const body = `{"email":"${'x'.repeat(size)}"}`;
        return world().ask(undefined, 'POST', '/account/session', body, own);
      };
      assert.equal((await send(8_000)).status, 400);
      const tooLarge = [413, 'the body must not be larger than 8 KiB'];
      assert.deepEqual(await refusal(send(8_192)), tooLarge);
    });

    test('answers to keys may be cached by nobody else, and those that hold secrets by nobody', async () => {
      const { key } = await acme();
      for (const [asker, method, path, status, caching] of [
        [key, 'GET', '/lists/7', 200, 'private, no-cache'],
        ['wrong', 'GET', '/lists/7', 403, 'private, no-cache'],
        [key, 'POST', '/much', 200, 'no-store'],
        [key, 'POST', '/fail', 400, 'no-store'],
        ['wrong', 'POST', '/echo', 403, 'no-store'],
      ] as const) {
        const answer = await world().ask(asker, method, path, method === 'GET' ? undefined : {});
        assert.equal(answer.status, status);
        assert.equal(answer.headers['cache-control'], caching);
        assert.match(String(answer.headers.vary), /^x-api-key/);
      }
      const headers = { 'x-api-key': key, 'accept-encoding': 'gzip' };
      const packed = await world().server.inject({ method: 'POST', url: '/much', headers });
      assert.equal(packed.headers.vary, 'x-api-key, accept-encoding');
      const listed = await world().operator('GET', '/operator/keys');
      assert.equal(listed.headers['cache-control'], 'no-store');
    });

    test('400 and 404: a path that is not properly encoded, or that nobody knows', async () => {
      assert.deepEqual(await refusal(ask('/nothing')), [404, 'there is nothing at this path']);
      const { status, body, headers } = await ask('/%zz');
      assert.deepEqual([status, body.status], [400, 'error']);
      assert.equal(headers['access-control-allow-origin'], '*');
    });

    test('405: a known path by another method names the methods that it has', async () => {
      const allowed = textBeside(import.meta.url, 'server.allowed.csv');
      for (const [method, path, allow] of listsOf(allowed)) {
        const payload = method === 'GET' ? undefined : 'no JSON';
        const { status, body, headers } = await world().ask(undefined, method, path, payload);
        assert.deepEqual([status, headers.allow], [405, allow], path);
        const error = `this path is known by another method: ${allow}`;
        assert.deepEqual(body, { status: 'error', error });
      }
    });

    test('200: query parameters are converted and may be repeated', async () => {
      const { key } = await acme();
      for (const query of ['ids=a&ids=b', 'ids[]=a&ids[]=b', 'ids%5B%5D=a&ids=b', 'ids=a,b']) {
        const answer = await world().ask(key, 'GET', `/lists/7?pageSize=5&${query}`);
        assert.equal(answer.status, 200);
        assert.deepEqual(answer.body.found.ids.toSorted(), ['a', 'b']);
        assert.deepEqual(answer.body.found.pageSize, 5);
        assert.deepEqual(answer.body.found.pageIndex, 0);
      }
      const wrong = await world().ask(key, 'GET', '/lists/x?pageSize=101&pageIndex=-1');
      const rules =
        'listId must be an integer, pageIndex must be at least 0, pageSize must be at most 100';
      assert.equal(wrong.body.error, rules);
    });

    test('200: an answer without a body has none', async () => {
      const { status, body } = await world().ask((await acme()).key, 'DELETE', '/lists/7');
      assert.equal(status, 200);
      assert.equal(body, '');
    });

    test('200: the handler gets the channel that channelId and merchantId name', async () => {
      const { channelId, merchantId } = await acme();
      const { body } = await ask('/store', { channelId, merchantId, before: 1, after: 2 });
      assert.deepEqual(body, { found: 'Acme' });
    });

    test('400: a channel that is unknown, foreign, out of reach or of another merchant is refused in the same words', async () => {
      const { channelId, merchantId, organisationId } = await acme();
      const other = await world().tenant({ channel: { merchantId: 'M2' } });
      const user = { organisationId, email: `${channelId}@example.com`, role: 'owner' };
      const { userId } = await world().operate('POST', '/operator/users', user);
      const { key } = await world().operate('POST', '/operator/keys', { userId });
      await grant(world(), userId, []);
      const right = { channelId, merchantId, before: 1, after: 2 };
      for (const [asker, body] of [
        [(await acme()).key, { ...right, channelId: 'unknown' }],
        [(await acme()).key, { ...right, merchantId: 'M2' }],
        [(await acme()).key, { ...right, channelId: other.channelId, merchantId: 'M2' }],
        [key, right],
      ] as const) {
        const answer = await world().ask(asker, 'POST', '/store', body);
        const error = 'channelId and merchantId do not match a connected store';
        assert.deepEqual([answer.status, answer.body], [400, { status: 'error', error }]);
      }
    });

    test('400: a channel out of reach is listed with the other failing rules', async () => {
      const { error } = (await ask('/store', { channelId: 'unknown', merchantId: 'M1' })).body;
      const noStore = 'channelId and merchantId do not match a connected store';
      assert.equal(error, `before is required, ${noStore}, after is required`);
      const missing = (await ask('/store', { channelId: 'unknown' })).body.error;
      assert.equal(missing, 'before is required, merchantId is required, after is required');
    });

    test('404, 500 and 503: a handler that fails says what the client can act on and nothing of the inside', async () => {
      const { body } = await ask('/fail', { how: 'missing' });
      assert.deepEqual(body, { status: 'error', error: 'there is no such thing' });
      for (const [how, status, text] of [
        ['registry', 503, /cannot reach its data/],
        ['deadline', 503, /took too long/],
        ['bug', 500, /something went wrong on our side/],
      ] as const) {
        const answer = await ask('/fail', { how });
        assert.equal(answer.status, status);
        assert.match(answer.body.error, text);
        const said = JSON.stringify([answer.body, answer.headers]);
        assert.doesNotMatch(said, /SELECT|10\.0\.0\.7|canary|node_modules/);
      }
    });

    test('every answer may be read by pages of others and carries a request id', async () => {
      const { key } = await acme();
      for (const [asker, method, path, body] of [
        [key, 'POST', '/echo', { text: 'a' }],
        [undefined, 'POST', '/echo', {}],
        [key, 'POST', '/echo', {}],
        [key, 'GET', '/echo', undefined],
        [key, 'GET', '/nothing', undefined],
        [key, 'POST', '/fail', { how: 'bug' }],
        [undefined, 'GET', '/healthz', undefined],
        [undefined, 'GET', '/operator/keys', undefined],
      ] as const) {
        const { headers } = await world().ask(asker, method, path, body);
        assert.equal(headers['access-control-allow-origin'], '*');
        const pattern = /^x-request-id, .*\bcontent-disposition\b/;
        assert.match(String(headers['access-control-expose-headers']), pattern);
        assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/);
        assert.equal(headers['x-content-type-options'], 'nosniff');
      }
    });

    test('a well-formed request id is taken over, another is not', async () => {
      const idFor = async (given: string) =>
        (await world().ask(undefined, 'GET', '/healthz', undefined, { 'x-request-id': given }))
          .headers['x-request-id'];
      assert.equal(await idFor('trace-0123456789'), 'trace-0123456789');
      for (const wrong of ['short', 'with space in it', 'x'.repeat(65), 'line\tbreak-123'])
        assert.notEqual(await idFor(wrong), wrong);
    });

    test('OPTIONS is answered for every path, without a key', async () => {
      const preflight = { 'access-control-request-method': 'POST' };
      const named = { 'access-control-request-headers': 'x-api-key' };
      const headers = { origin: 'https://shop.example', ...preflight, ...named };
      for (const url of ['/echo', '/lists/7', '/nothing']) {
        const answer = await world().server.inject({ method: 'OPTIONS', url, headers });
        assert.equal(answer.statusCode, 204);
        assert.equal(answer.headers['access-control-allow-origin'], '*');
        assert.match(String(answer.headers['access-control-allow-headers']), /x-api-key/);
        assert.match(String(answer.headers['access-control-allow-methods']), /POST/);
      }
    });

    test('an answer is compressed only when the client asks for it', async () => {
      const { key } = await acme();
      const own = { 'x-api-key': key };
      const answer = (encoding: Record<string, string>) =>
        world().server.inject({ method: 'POST', url: '/much', headers: { ...own, ...encoding } });
      const plain = await answer({});
      assert.equal(plain.headers['content-encoding'], undefined);
      const packed = await answer({ 'accept-encoding': 'gzip' });
      assert.equal(packed.headers['content-encoding'], 'gzip');
      assert.deepEqual(JSON.parse(gunzipSync(packed.rawPayload).toString()), plain.json());
    });

    test('the log holds no key, body, query, path parameter or personal data', async () => {
      const { key } = await acme();
      const before = world().logLines.length;
      const canary = 'canary.person@example.com';
      await world().ask(key, 'POST', '/echo', { text: canary });
      await world().ask(key, 'POST', '/echo', `{"text": ${canary}}`);
      await world().ask(key, 'POST', '/echo', { number: canary });
      await world().ask(key, 'GET', `/lists/${canary}?ids=${canary}`);
      await world().ask(key, 'GET', `/${canary}?ids=${canary}`);
      await world().ask(key, 'POST', '/fail', { how: canary });
      const sent = { cookie: canary, 'user-agent': canary, referer: canary };
      await world().ask(canary, 'POST', '/echo', { text: canary }, sent);
      await world().ask(key, 'POST', '/echo', { text: 'a' }, { 'x-request-id': key.slice(0, 40) });
      const lines = world().logLines.slice(before);
      assert.equal(lines.filter((line) => line.includes('"answered"')).length, 8);
      for (const line of lines)
        for (const personal of ['canary', key.slice(0, 20), '127.0.0.1'])
          assert.ok(!line.includes(personal), line);
      const failure = lines.find((line) => line.includes('SELECT secret FROM inside'));
      assert.match(failure ?? '', /"requestId"/);
    });

    test('GET /openapi.json describes the interface', async () => {
      const { status, body } = await world().ask(undefined, 'GET', '/openapi.json');
      assert.equal(status, 200);
      assert.equal(body.info.version, '1.0.0');
      assert.deepEqual(body.servers, [{ url: 'http://vitrine.test' }]);
      assert.equal(body.paths['/store'].post.operationId, 'readStore');
      // Compressed once for all, so that asking for it costs the service little.
      const headers = { 'accept-encoding': 'gzip' };
      const packed = await world().server.inject({ url: '/openapi.json', headers });
      assert.equal(packed.headers['content-length'], String(packed.rawPayload.length));
      assert.equal(packed.headers.vary, 'accept-encoding');
      assert.deepEqual(JSON.parse(gunzipSync(packed.rawPayload).toString()), body);
    });

    test('a client that leaves stops the work that is done for it', async () => {
      const { key } = await acme();
      const address = await world().server.listen({ port: 0, host: '127.0.0.1' });
      const socket = connect(Number(new URL(address).port), '127.0.0.1');
      const headers = `host: x\r\nx-api-key: ${key}\r\ncontent-length: 0`;
      socket.write(`POST /wait HTTP/1.1\r\n${headers}\r\n\r\n`);
      await until(() => hasLogged(world(), 'the work has begun'));
      socket.destroy();
      await until(() => hasLogged(world(), 'the client has left'));
    });

    test('400: no header Host, or several, is answered with the body of every error', async () => {
      for (const [version, hosts, status] of [
        ['1.1', [], 400],
        ['1.1', ['host: a', 'Host: a'], 400],
        ['1.1', ['host: a'], 200],
        ['1.0', [], 200],
      ] as const) {
        const lines = [`GET /healthz HTTP/${version}`, ...hosts, 'connection: close', '', ''];
        const text = await answerTo(world(), lines.join('\r\n'));
        assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `));
        const error = 'the request must have exactly one header Host';
        if (status === 400) assert.ok(text.endsWith(`{"status":"error","error":"${error}"}`), text);
      }
    });

    test('400: a body whose length is said twice, and 405 for TRACE', async () => {
      const hidden = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
      for (const [head, status] of [
        ['POST /echo HTTP/1.1\r\ncontent-length: 4\r\ntransfer-encoding: chunked', 400],
        ['POST /echo HTTP/1.1\r\ncontent-length: 4\r\ncontent-length: 5', 400],
        ['POST /echo HTTP/1.1\r\ntransfer-encoding: chunked, identity', 400],
        ['TRACE /echo HTTP/1.1\r\ncookie: canary\r\nconnection: close', 405],
      ] as const) {
        const rest = status === 400 ? `0\r\n\r\n${hidden}` : '';
        const text = await answerTo(world(), `${head}\r\nhost: x\r\n\r\n${rest}`);
        assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `), head);
        // One answer: nothing within the body counts as a request.
        assert.equal(text.split('HTTP/1.1 ').length, 2, text);
        assert.doesNotMatch(text, /canary/);
      }
    });

    test('400: what is no HTTP is answered with the body of every error', async () => {
      const text = await answerTo(world(), 'NONSENSE\r\n\r\n');
      assert.match(text, /^HTTP\/1\.1 400 /);
      assert.match(text, /\{"status":"error","error":"the request cannot be read"\}$/);
    });
  },
  { endpoints: examples, logLevel: 'debug' },
);

/** Sends bytes to a server that listens, and returns all that it answers until it hangs up. */
async function answerTo({ server }: World, sent: string): Promise<string> {
  const { port } = server.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  socket.write(sent);
  await once(socket, 'close');
  return text;
}

function hasLogged(world: World, text: string): boolean {
  return world.logLines.some((line) => line.includes(text));
}

onePair(
  '429: an address that tries many wrong keys, tokens and passwords; right ones are admitted still',
  async (world) => {
    const { key } = await world.tenant();
    const wrongKey = () => world.ask('wrong', 'POST', '/channels');
    const wrongToken = () =>
      world.ask(undefined, 'GET', '/operator/keys', undefined, { authorization: 'Bearer wrong' });
    const entered = { email: 'nobody@example.com', password: 'wrong password' };
    const site = { 'sec-fetch-site': 'same-origin' };
    const wrongPassword = () => world.ask(undefined, 'POST', '/account/session', entered, site);
    for (let count = 0; count < 149; count++) {
      assert.equal((await wrongKey()).status, 403);
      assert.equal((await wrongToken()).status, 401);
    }
    assert.equal((await wrongPassword()).status, 401);
    assert.equal((await wrongKey()).status, 403);
    for (const answer of [await wrongKey(), await wrongToken(), await wrongPassword()]) {
      assert.equal(answer.status, 429);
      assert.equal(answer.body.error, 'too many attempts: try again in 15 minutes');
      assert.match(String(answer.headers['retry-after']), /^(900|8\d\d)$/);
    }
    // Nothing was guessed without a key.
    assert.equal((await world.ask(undefined, 'POST', '/channels')).status, 403);
    assert.equal((await world.ask(key, 'POST', '/channels')).status, 200);
    assert.equal((await world.operator('GET', '/operator/keys')).status, 200);
  },
  // The address of all tests is barred by it.
  { isOwn: true },
);

let mayAnswer = Promise.withResolvers<void>();
const slow = posting('readSlowly', '/slow', undefined, async (_input, { log }) => {
  log.info({}, 'the work has begun');
  await mayAnswer.promise;
  return { found: 'in the end' };
});

onOnePair(
  'a server as time passes',
  (world) => {
    const statusOf = async (key: string) => (await world().ask(key, 'POST', '/much')).status;

    test('403: a key that has been rotated ends with its grace', async () => {
      const { key, keyId } = await world().tenant();
      const rotate = `/operator/keys/${keyId}/rotate`;
      const { key: next } = await world().operate('POST', rotate, { graceSeconds: 60 });
      const statuses = () => Promise.all([key, next].map(statusOf));
      assert.deepEqual(await statuses(), [200, 200]);
      world().clock.now += 59_000;
      assert.deepEqual(await statuses(), [200, 200]);
      world().clock.now += 1_000;
      assert.deepEqual(await statuses(), [403, 200]);
    });

    test('200: what another node has changed is noticed within five seconds', async () => {
      const { key, keyId } = await world().tenant();
      assert.equal(await statusOf(key), 200);
      await changeRecords(world(), 'apiKey', { keyId }, { revokedAt: world().clock.now });
      assert.equal(await statusOf(key), 200);
      world().clock.now += 5_000;
      assert.equal(await statusOf(key), 403);
    });

    test('200: a request that is on its way is answered while the server closes, and its connection does not hold the closing up', async () => {
      const { key } = await world().tenant();
      const address = await world().server.listen({ port: 0, host: '127.0.0.1' });
      const answer = fetch(`${address}/slow`, { method: 'POST', headers: { 'x-api-key': key } });
      await until(() => hasLogged(world(), 'the work has begun'));
      let isClosed = false;
      const closed = world()
        .server.close()
        .then(() => {
          isClosed = true;
        });
      assert.equal(isClosed, false);
      mayAnswer.resolve();
      mayAnswer = Promise.withResolvers();
      assert.deepEqual(await (await answer).json(), { found: 'in the end' });
      await closed;
    });
  },
  { endpoints: [slow, ...examples] },
);
