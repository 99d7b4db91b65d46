/** The headers that protect answers, over every kind of page and answer. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { extname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../src/contract/endpoint.ts';
import { contracts } from '../src/endpoints/contracts.ts';
import { addressOf, onOnePair, type Tenant, until } from './harness.ts';
import { level } from './level.ts';
import { makePerson, signIn } from './visitors.ts';

const pagesFolder = fileURLToPath(new URL('../dist/pages', import.meta.url));

type Headers = Readonly<Record<string, unknown>>;
type Sent = {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: string;
};

/** The headers of every answer (OWASP Secure Headers). */
const everywhere = {
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
};
/** Headers that reveal which programs answer. */
const talkative = ['server', 'x-powered-by', 'via', 'x-aspnet-version', 'x-runtime', 'x-version'];

/** Asserts what holds for all answers; returns the directives of the policy. */
function assertProtected(headers: Headers, body: string, what: string): Map<string, string> {
  for (const [name, value] of Object.entries(everywhere))
    assert.equal(headers[name], value, `${what}: ${name}`);
  for (const name of talkative) assert.equal(headers[name], undefined, `${what}: ${name}`);
  assert.match(String(headers['x-request-id']), /^[\w-]{8,64}$/, what);
  if (body !== '')
    assert.match(
      String(headers['content-type']),
      /^(?:(?:text\/[\w-]+|application\/(?:json|x-ndjson|javascript)); charset=utf-8|image\/(?:svg\+xml|webp)|font\/woff2|application\/manifest\+json.*)$/i,
      what,
    );
  const policy = new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((part) => [part.split(' ', 1)[0]!, part.slice(part.indexOf(' ') + 1)]),
  );
  for (const name of ['default-src', 'base-uri', 'frame-ancestors'])
    assert.equal(policy.get(name), "'none'", `${what}: ${name}`);
  // `default-src` counts for plugins as well.
  assert.equal(policy.get('object-src'), undefined, what);
  return policy;
}

/** Asserts that an answer holds data, which pages of other sites may read or not. */
function assertData(headers: Headers, body: string, what: string, isOwn = false): void {
  const policy = assertProtected(headers, body, what);
  assert.equal(policy.get('form-action'), "'none'", what);
  assert.equal(policy.size, 4, what);
  assert.doesNotMatch(String(headers['content-type']), /html|xml|javascript/, what);
  assert.equal(headers['access-control-allow-origin'], isOwn ? undefined : '*', what);
  assert.equal(headers['access-control-allow-credentials'], undefined, what);
  const policyOfSites = isOwn ? 'same-origin' : 'cross-origin';
  assert.equal(headers['cross-origin-resource-policy'], policyOfSites, what);
  assert.equal(headers['set-cookie'], undefined, what);
}

/** Asserts that an answer is a page or a part of one, which no other site may read or hold. */
function assertPage(headers: Headers, body: string, what: string): void {
  assertProtected(headers, body, what);
  assert.equal(headers['access-control-allow-origin'], undefined, what);
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin', what);
  assert.equal(headers['cross-origin-embedder-policy'], 'require-corp', what);
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin', what);
  for (const feature of ['camera', 'geolocation', 'microphone', 'payment', 'usb'])
    assert.match(String(headers['permissions-policy']), new RegExp(`\\b${feature}=\\(\\)`), what);
  assert.equal(headers['set-cookie'], undefined, what);
}

onOnePair('headers', (world) => {
  let made: Tenant | undefined;
  const tenant = async () => (made ??= await world().tenant());
  const send = async ({ method = 'GET', url, headers = {}, payload }: Sent) => {
    const answer = await world().server.inject({
      method,
      url,
      headers,
      ...(payload !== undefined && { payload }),
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.body };
  };

  test('of every operation, for somebody without a key, a token or a session', async () => {
    for (const { operation, access, method, path } of Object.values<Contract>(contracts)) {
      const isOfAccount = access === 'session' || access === 'open';
      const { status, headers, body } = await send({
        method,
        url: path.replaceAll(/\{\w+\}/g, 'x'),
        ...(isOfAccount && { headers: { 'sec-fetch-site': 'same-origin' } }),
      });
      assert.ok(status >= 400 && status < 500, `${operation}: ${status}`);
      assertData(headers, body, operation, isOfAccount);
      const isCached = access === 'key' && headers['cache-control'] === 'private, no-cache';
      assert.ok(isCached || headers['cache-control'] === 'no-store', operation);
    }
  });

  test('of answers with data, empty ones and refusals', async () => {
    const { key, userId } = await tenant();
    const asKey = { 'x-api-key': key };
    const asOperator = { authorization: `Bearer ${world().operatorToken}` };
    const json = { 'content-type': 'application/json' };
    const list = '/advertising/campaigns?channelId=x';
    const posted = { method: 'POST', url: '/channels' } as const;
    const kinds: readonly (readonly [status: number, sent: Sent])[] = [
      [200, { ...posted, headers: asKey }],
      [200, { ...posted, headers: { ...asKey, 'accept-encoding': 'gzip' } }],
      [400, { url: list, headers: asKey }],
      [400, { ...posted, headers: { ...asKey, ...json }, payload: '{' }],
      [413, { ...posted, headers: { ...asKey, ...json }, payload: ' '.repeat(1_100_000) }],
      [415, { ...posted, headers: { ...asKey, 'content-type': 'text/xml' }, payload: '{}' }],
      [200, { url: '/operator/keys', headers: asOperator }],
      [200, { url: '/operator/audit/export?format=csv', headers: asOperator }],
      [200, { url: '/operator/audit/export', headers: asOperator }],
      [200, { method: 'DELETE', url: `/operator/users/${userId}/sessions`, headers: asOperator }],
      [200, { url: '/healthz' }],
      [200, { url: '/readyz' }],
      [200, { url: '/openapi.json' }],
      [200, { url: '/openapi.json', headers: { 'accept-encoding': 'gzip' } }],
      [200, { url: '/operator/openapi.json' }],
      [302, { url: '/' }],
      [403, { url: '/reports/files/x/y/z/1/w.csv' }],
      [404, { url: '/nothing' }],
      [404, { url: '/nothing', headers: asKey }],
      [404, { url: '/console/assets/nothing.js' }],
      [405, { method: 'PUT', url: '/channels' }],
      [405, { method: 'POST', url: '/console/' }],
      [400, { url: '/%zz' }],
      [204, preflight('/channels')],
    ];
    for (const [expected, sent] of kinds) {
      const what = `${sent.method ?? 'GET'} ${sent.url}`;
      const { status, headers, body } = await send(sent);
      if (sent.url.startsWith('/reports/files/')) {
        assert.ok(status === 403 || status === 404, what);
      } else assert.equal(status, expected, `${what}: ${body}`);
      assertData(headers, body, what);
    }
  });

  test('of the account pages, before and after sign-in', async () => {
    const { organisationId } = await tenant();
    const { email } = await makePerson(world(), organisationId);
    const visitor = await signIn(world(), email);
    for (const [status, method, path, more] of [
      [200, 'GET', '/account/session', {}],
      [200, 'GET', '/account/access', {}],
      [404, 'GET', '/account/nothing', {}],
      [403, 'DELETE', '/account/session', { 'sec-fetch-site': 'cross-site' }],
    ] as const) {
      const answer = await visitor.ask(method, path, undefined, more);
      assert.equal(answer.status, status, path);
      if (status !== 404) {
        assertData(answer.headers, JSON.stringify(answer.body), path, true);
        assert.equal(answer.headers['cache-control'], 'no-store', path);
      }
    }
    const { status, headers } = await send(preflight('/account/session'));
    assert.equal(status, 403);
    assert.equal(headers['access-control-allow-origin'], undefined);
    assert.equal(headers['access-control-allow-methods'], undefined);
  });

  test('of pages and what they are made of', async () => {
    const names = new Map<string, string>();
    // The files of one kind go the same way.
    for (const part of ['console', 'guides', 'reference'])
      for (const name of await readdir(join(pagesFolder, part, 'assets')))
        names.set(part + (level === 'deep' ? name : extname(name)), `/${part}/assets/${name}`);
    const documents = ['/console/', '/console/settings/api', '/guides/', '/guides/importing'];
    const urls = [...documents, '/reference/', '/console/nothing', '/guides/nothing'];
    for (const url of [...urls, ...names.values()])
      for (const encoding of ['identity', 'gzip']) {
        const { headers, body } = await send({ url, headers: { 'accept-encoding': encoding } });
        assertPage(headers, body, url);
        const tag = headers.etag;
        if (tag === undefined) continue;
        const again = await send({ url, headers: { 'if-none-match': String(tag) } });
        assertPage(again.headers, again.body, url);
      }
  });

  test('of what is no HTTP, and of headers that are too large', async () => {
    const address = await addressOf(world());
    for (const [status, bytes] of [
      [400, 'NONSENSE\r\n\r\n'],
      [431, `GET /healthz HTTP/1.1\r\nhost: x\r\nlarge: ${'x'.repeat(70_000)}\r\n\r\n`],
    ] as const) {
      const socket = connect(Number(new URL(address).port), '127.0.0.1').setEncoding('utf8');
      let text = '';
      socket.on('data', (part) => {
        text += part;
      });
      socket.on('error', () => {});
      socket.write(bytes);
      await until(() => socket.closed);
      const [head = '', body = ''] = text.split('\r\n\r\n');
      const [line, ...lines] = head.split('\r\n');
      assert.match(line!, new RegExp(`^HTTP/1\\.1 ${status} `));
      const headers = Object.fromEntries(lines.map((one) => one.split(/: (.*)/, 2)));
      assertData(headers, body, line!);
    }
  });
});

onOnePair(
  'headers for some origins',
  (world) => {
    test('answers say the origin that asks if it may read them, and vary by it', async () => {
      const { key } = await world().tenant();
      const asker = { 'x-api-key': key, 'accept-encoding': 'gzip' };
      const list = '/advertising/campaigns?channelId=x';
      for (const [origin, url, vary] of [
        ['https://shop.example', list, 'Origin, x-api-key, accept'],
        ['https://shop.example.evil.example', list, 'Origin, x-api-key, accept'],
        [undefined, '/openapi.json', 'Origin, accept-encoding'],
        ['null', '/nothing', 'Origin'],
        ['https://shop.example', '/%zz', undefined],
      ] as const) {
        const sent = { ...asker, ...(origin && { origin }) };
        const { headers } = await world().server.inject({ method: 'GET', url, headers: sent });
        const isAllowed = origin === 'https://shop.example' && vary !== undefined;
        assert.equal(headers['access-control-allow-origin'], isAllowed ? origin : undefined, url);
        assert.equal(headers.vary, vary, url);
      }
      const answer = await world().server.inject(preflight('/channels'));
      assert.equal(answer.headers['access-control-allow-origin'], 'https://shop.example');
    });
  },
  { config: { origins: ['https://shop.example'] } },
);

/** The question of a browser before a page of another site may send a request with a key. */
function preflight(url: string): Sent {
  const headers = {
    origin: 'https://shop.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'x-api-key',
  };
  return { method: 'OPTIONS', url, headers };
}
