/** Pages are served with what protects them; test/console tests their behaviour in a browser. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { consolePaths } from '../src/http/consolePaths.ts';
import { addPages } from '../src/http/pages.ts';
import { openWorld, type World } from './harness.ts';
import { fieldsOf } from './world.ts';

const scriptBytesMax = 60_000;

describe('pages', () => {
  let world: World;
  before(async () => {
    world = await openWorld('embedded');
  });
  after(() => world?.close());

  const get = (url: string, headers: Record<string, string> = {}) =>
    world.server.inject({ method: 'GET', url, headers });

  async function shellOf(url: string): Promise<string> {
    const { statusCode, body, headers } = await get(url);
    assert.equal(statusCode, 200, url);
    assert.match(String(headers['content-type']), /^text\/html; charset=utf-8$/i);
    return body;
  }

  test('the service leads those who come to its address to the account pages', async () => {
    const { statusCode, headers } = await get('/');
    assert.equal(statusCode, 302);
    assert.equal(headers.location, '/console/');
  });

  test('every route of the account pages is served the one document', async () => {
    const shell = await shellOf('/console/');
    for (const route of consolePaths) assert.equal(await shellOf(route), shell, route);
  });

  test('documents hold no script and no style, and all that they name is there', async () => {
    for (const url of ['/console/', '/guides', '/guides/first-request', '/reference']) {
      const html = await shellOf(url);
      assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)[^>]*>/i, url);
      assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=|javascript:/i, url);
      const named = [...html.matchAll(/<(?:script|link|img)[^>]*\s(?:src|href)="([^"]+)"/g)];
      assert.ok(named.length > 0);
      for (const [, address] of named)
        assert.equal((await get(address!)).statusCode, 200, `${url}: ${address}`);
    }
  });

  test('documents allow nothing of elsewhere, are framed by nobody, and are looked for anew each time', async () => {
    const expected = fieldsOf(`
      x-content-type-options, referrer-policy, cross-origin-opener-policy
      nosniff,                no-referrer,     same-origin
      cross-origin-resource-policy, access-control-allow-origin, cache-control
      same-origin,                  ,                            no-cache`);
    const guides = ['/guides', '/guides/first-request'];
    for (const url of ['/console/', '/console/sign-in', ...guides, '/reference']) {
      const { headers } = await get(url);
      const parts = String(headers['content-security-policy']).split('; ');
      const policy = new Map(parts.map((part) => [part.split(' ', 1)[0]!, part]));
      for (const none of ['default-src', 'frame-ancestors', 'base-uri'])
        assert.equal(policy.get(none), `${none} 'none'`, url);
      const own = ['script-src', 'connect-src', 'form-action'];
      for (const self of url === '/reference' ? own : [...own, 'style-src'])
        assert.equal(policy.get(self), `${self} 'self'`, url);
      for (const [name, value] of Object.entries(expected))
        assert.equal(headers[name], value, `${url} ${name}`);
    }
  });

  test('guides show pictures of this service, which browsers cache for a year', async () => {
    const html = await shellOf('/guides/periods');
    const { headers } = await get('/guides/periods');
    const [, policy] = /img-src ([^;]*)/.exec(String(headers['content-security-policy']))!;
    assert.equal(policy, "'self' data:");
    const addresses = [...html.matchAll(/(?:src|srcset)="([^"]+\.webp)"/g)];
    assert.equal(addresses.length, 2);
    for (const [, address] of addresses) {
      const { statusCode, headers } = await get(address!);
      assert.equal(statusCode, 200, address);
      assert.equal(headers['content-type'], 'image/webp');
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
    }
  });

  test('a document that has not changed is not sent again', async () => {
    const { headers } = await get('/console/');
    assert.ok(headers.etag);
    const again = await get('/console/sign-in', { 'if-none-match': String(headers.etag) });
    assert.equal(again.statusCode, 304);
    assert.equal(again.body, '');
    assert.equal((await get('/console/', { 'if-none-match': '"another"' })).statusCode, 200);
  });

  test('browsers cache parts of documents for a year, as names change with content', async () => {
    const html = await shellOf('/console/');
    const types = {
      js: /^(?:text|application)\/javascript/,
      css: /^text\/css/,
      svg: /^image\/svg\+xml/,
    };
    const assets = [...html.matchAll(/"(\/console\/assets\/[\w-]+\.(js|css|svg))"/g)];
    const extensions = new Set(assets.map(([, , extension]) => extension));
    assert.deepEqual(extensions, new Set(['js', 'css', 'svg']));
    for (const [, address, extension] of assets) {
      assert.match(address!, /-[A-Z0-9]{8}\.\w+$/);
      const { headers } = await get(address!);
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.match(String(headers['content-type']), types[extension as keyof typeof types]);
      assert.equal(headers['x-content-type-options'], 'nosniff');
    }
  });

  test('scripts are packed for those who unpack', async () => {
    const [, address] = /<script type="module" src="([^"]+)"/.exec(await shellOf('/console/'))!;
    const plain = await get(address!);
    const packed = await get(address!, { 'accept-encoding': 'gzip' });
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.match(String(packed.headers.vary), /accept-encoding/i);
    assert.ok(packed.rawPayload.length < plain.rawPayload.length / 2);
    assert.deepEqual(gunzipSync(packed.rawPayload), plain.rawPayload);
    // Compressed once for all.
    assert.equal(packed.headers['content-length'], String(packed.rawPayload.length));
  });

  test('the scripts that every page of the console loads are under 60 kB together, packed', async () => {
    const [, main] = /<script type="module" src="([^"]+)"/.exec(await shellOf('/console/'))!;
    const loaded = new Map<string, number>();
    const load = async (address: string): Promise<void> => {
      if (loaded.has(address)) return;
      const { body } = await get(address);
      loaded.set(address, gzipSync(body).length);
      // Not those within import(...), which a view loads when it is opened.
      for (const [, name] of body.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g))
        await load(`/console/assets/${name}`);
    };
    await load(main!);
    const bytes = [...loaded.values()].reduce((sum, length) => sum + length, 0);
    assert.ok(loaded.size > 1 && bytes < scriptBytesMax, `${bytes} bytes`);
  });

  test('404: an address that no page has is served the document, which says so', async () => {
    const shell = await shellOf('/console/');
    const nowhere = ['/console/nothing', '/console/settings', '/console/settings/api/more'];
    for (const url of [...nowhere, '/guides/nothing', '/guides/index.html']) {
      const { statusCode, body, headers } = await get(url);
      assert.equal(statusCode, 404, url);
      assert.equal(body, shell, url);
      assert.match(String(headers['content-security-policy']), /script-src 'self'/, url);
    }
  });

  test('404: what is no asset is answered as everywhere', async () => {
    const refusal = { status: 'error', error: 'there is nothing at this path' };
    const ofConsole = ['/console/assets/', '/console/assets/nothing.js'];
    for (const url of [
      ...ofConsole,
      '/guides/assets/nothing.css',
      '/reference/assets/nothing.js',
    ]) {
      const { statusCode, body } = await get(url);
      assert.equal(statusCode, 404, url);
      assert.deepEqual(JSON.parse(body), refusal, url);
    }
  });

  test('404: no address leads out of the folder of the pages, nor to what is in it for other reasons', async () => {
    const steps = [
      ...['../../sources', '..%2f..%2fsources', '%2e%2e/%2e%2e/sources', '..%5c..%5csources'],
      ...['../../../../package.json', '.hidden'],
    ];
    const folders = ['/console/assets', '/guides/assets', '/reference/assets'];
    const urls = [
      ...folders.flatMap((folder) => steps.map((step) => `${folder}/${step}`)),
      ...['%00', '.', '%2e', '/etc/passwd'].map((name) => `/console/assets/${name}`),
      ...['/guides/..%2fsources', '/guides/..%2fconsole%2findex', '/guides/%2e%2e%2fsources'],
      '/sources',
    ];
    const shell = await shellOf('/console/');
    for (const url of urls) {
      const { statusCode, body } = await get(url);
      assert.equal(statusCode, 404, url);
      assert.ok(body === shell || body.startsWith('{"status":"error"'), url);
    }
  });

  test('405: pages are read, and nothing else', async () => {
    const url = '/console/sign-in';
    const posted = await world.server.inject({ method: 'POST', url, payload: {} });
    assert.equal(posted.statusCode, 405);
    assert.match(String(posted.headers.allow), /GET/);
    const head = await world.server.inject({ method: 'HEAD', url });
    assert.equal(head.statusCode, 200);
    assert.equal(head.body, '');
  });
});

test('a guide names the address of the service that shows it', async () => {
  const world = await openWorld('embedded', { config: { publicUrl: 'https://shop.test/api' } });
  try {
    for (const name of ['first-request', 'importing', 'requests']) {
      const { body } = await world.server.inject({ method: 'GET', url: `/guides/${name}` });
      assert.match(body, /curl -s https:\/\/shop\.test\/api\/\w+/);
      assert.ok(!body.includes('127.0.0.1:8080'), name);
    }
  } finally {
    await world.close();
  }
});

test('503: where pages were not built, they say what to run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-test-'));
  const server = Fastify();
  try {
    addPages(server, 'http://vitrine.test', folder);
    const console = ['/console/', '/console/settings/api'];
    for (const url of [...console, '/guides', '/guides/first-request', '/reference']) {
      const { statusCode, body, headers } = await server.inject({ method: 'GET', url });
      assert.equal(statusCode, 503, url);
      assert.match(String(headers['content-type']), /^text\/plain/);
      assert.match(body, /node scripts\/setup\.mjs/);
    }
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
});
