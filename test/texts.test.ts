/** Texts for programs: llms.txt, guides as Markdown, the feed of changes, the Postman collection. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { Parser } from 'saxen';
import { publicContracts } from '../src/endpoints/contracts.ts';
import { openWorld, type World } from './harness.ts';
import { slow } from './level.ts';

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

describe('texts for programs', slow, () => {
  let world: World;
  before(async () => {
    world = await openWorld('embedded', { config: { publicUrl: 'http://figures.test' } });
  });
  after(() => world?.close());
  const get = (url: string, headers = {}) => world.server.inject({ method: 'GET', url, headers });

  test('llms.txt names all operations, and texts that this service has', async () => {
    const { statusCode, headers, body } = await get('/llms.txt');
    assert.equal(statusCode, 200);
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.match(body, /^# Vitrine\n\n> /);
    for (const { method, path } of Object.values(publicContracts))
      assert.ok(body.includes(`- \`${method} ${path}\`: `), path);
    const links = [...body.matchAll(/\]\(http:\/\/figures\.test([^)]+)\)/g)];
    assert.ok(links.length > 10 && !body.includes('127.0.0.1'));
    for (const [, path] of links) assert.equal((await get(path!)).statusCode, 200, path);
  });

  test('every guide is Markdown whose links lead to texts, alone and in llms-full.txt', async () => {
    const { body: whole } = await get('/llms-full.txt');
    const names = [...(await get('/llms.txt')).body.matchAll(/\/guides\/([\w-]+)\.md/g)];
    for (const [, name] of names) {
      const { headers, body } = await get(`/guides/${name}.md`);
      assert.equal(headers['content-type'], 'text/markdown; charset=utf-8');
      assert.ok(whole.includes(body.trim()), name);
      for (const [, path] of body.matchAll(/\]\(http:\/\/figures\.test([^)#]+)[^)]*\)/g))
        assert.equal((await get(path!)).statusCode, 200, `${name}: ${path}`);
      assert.doesNotMatch(body, /\]\((?!https?:|#)/, name);
    }
    const [first] = names;
    const found = read('docs/guides/first-request.md').split('\n', 1)[0];
    assert.equal(found, whole.match(/^# The.*/m)![0]);
    const packed = await get(`/guides/${first![1]}.md`, { 'accept-encoding': 'gzip' });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    for (const path of ['/guides/nothing.md', '/guides/..%2fllms.md', '/guides/%2e%2e%2fllms.md'])
      assert.equal((await get(path)).statusCode, 404, path);
  });

  test('the feed has an entry for every change, each with an id of its own', async () => {
    const { headers, body } = await get('/changelog.atom');
    assert.equal(headers['content-type'], 'application/atom+xml; charset=utf-8');
    const found: Record<string, string[]> = {};
    const path: string[] = [];
    new Parser()
      .on('openTag', (name: string) => void path.push(name))
      .on('text', (text: string) => {
        const place = path.slice(-2).join(' ');
        found[place] = [...(found[place] ?? []), text];
      })
      .on('closeTag', () => void path.pop())
      .on('error', (error: Error) => assert.fail(error))
      .parse(body);
    const changes = read('CHANGELOG.md').match(/^- /gm)!;
    assert.equal(found['entry title']!.length, changes.length);
    assert.ok(found['entry title']!.includes('Clients for TypeScript and Python'));
    assert.equal(new Set(found['entry id']).size, found['entry title']!.length);
    assert.ok(found['entry updated']!.includes('2026-11-23T00:00:00.000Z'));
    for (const date of found['entry updated']!) assert.ok(date <= found['feed updated']![0]!);
    assert.equal(found['feed id']![0], 'http://figures.test/changelog.atom');
  });

  test('the Postman collection addresses this service', async () => {
    const { variable } = (await get('/postman.json')).json();
    assert.equal(variable[0].value, 'http://figures.test');
  });
});
