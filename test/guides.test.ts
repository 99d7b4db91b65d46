/**
 * The guides have an example of every operation and name every setting, printed answers are
 * compared in full, and the pages built of them have titles, links and pictures that are there.
 */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildGuides, buildReference } from '../scripts/guides.mjs';
import { secretVariables } from '../src/config/secrets.ts';
import { publicContracts } from '../src/endpoints/contracts.ts';
import { differenceOf, type PrintedAnswer, refreshed } from './answers.ts';
import { documents, readExamples } from './guides.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFile(join(root, file), 'utf8');
const markdown = new Map(
  await Promise.all(documents.map(async (file) => [file, await read(file)] as const)),
);
const examples = new Map(documents.map((file) => [file, readExamples(file, markdown.get(file)!)]));

test('there is an example of every operation', () => {
  const commands = [...examples.values()].flat().map(({ command }) => command);
  const isRequested = ({ method, path }: { readonly method: string; readonly path: string }) => {
    const own = path.replaceAll(/\{\w+\}/g, '\\$\\w+');
    const address = new RegExp(`127\\.0\\.0\\.1:8080${own}["?\\s]`);
    const methodOf = (command: string) =>
      /-X (\w+)/.exec(command)?.[1] ?? (/ -d /.test(command) ? 'POST' : 'GET');
    return commands.some((command) => address.test(`${command} `) && methodOf(command) === method);
  };
  for (const contract of Object.values(publicContracts))
    assert.ok(isRequested(contract), contract.operation);
});

describe('a printed answer', () => {
  const one = '{"a": 1, "list": [{"b": "x"}, {"b": "y"}, {"b": "z"}], "c": null}';
  const same = (language: PrintedAnswer['language'], text: string, answered: string) =>
    differenceOf({ language, text }, answered, new Map()) === undefined;

  test('is compared in every value and every name', () => {
    assert.ok(same('json', one, one));
    for (const wrong of [
      one.replace('1', '2'),
      one.replace('"x"', '"y"'),
      one.replace('null', '0'),
      one.replace('"a"', '"A"'),
      one.replace(', {"b": "z"}', ''),
      one.replace('{"b": "z"}', '{"b": "z", "d": 1}'),
      '[]',
      'no JSON',
    ])
      assert.ok(!same('json', one, wrong), wrong);
  });

  test('may leave out members and elements by a line of dots, and parts of a text by dots', () => {
    const members = '{\n  "a": 1,\n  ...\n}';
    assert.ok(same('json', members, one));
    assert.ok(!same('json', members, '{"c": null}'));
    const elements =
      '{\n  "a": 1,\n  "list": [\n    ...\n    {"b": "z..."}\n  ],\n  ...\n  "c": null\n}';
    assert.ok(same('json', elements, one));
    assert.ok(!same('json', elements, one.replace('"z"', '"y"')));
  });

  test('has identifiers of its own, each of which stands for one of the answer', () => {
    const [first, second] = [1, 2].map((last) => `0b1f7a2c-0000-4000-8000-00000000000${last}`);
    const [third, fourth] = [crypto.randomUUID(), crypto.randomUUID()];
    const thrice = (a = '', b = '', c = '') => `["${a}", "/${b}", "${c}"]`;
    assert.ok(same('json', thrice(first, first, second), thrice(third, third, fourth)));
    assert.ok(!same('json', `["${first}", "/${first}"]`, `["${third}", "/${fourth}"]`));
    assert.ok(!same('json', `["${first}"]`, '["other"]'));
  });

  test('is compared by lines if a text, and if a message by status, printed headers and body', () => {
    const message = 'HTTP/1.1 200 OK\r\ndate: today\r\nretry-after: 1\r\n\r\n{"a":1}';
    for (const [isSame, language, text, answered] of [
      [true, 'csv', 'a,b\n1,2', 'a,b\r\n1,2\n'],
      [false, 'csv', 'a,b\n1,2', 'a,b\n1,3\n'],
      [false, 'csv', 'a,b', 'a,b\n1,3\n'],
      [true, 'text', 'a\n...\nd', 'a\nb\nc\nd'],
      [false, 'text', 'a\n...\ne', 'a\nb\nc\nd'],
      [true, 'http', 'HTTP/1.1 200 OK\n...\nretry-after: ...\n\n{\n  "a": 1\n}', message],
      [false, 'http', 'HTTP/1.1 429 Too Many Requests', message],
      [false, 'http', 'HTTP/1.1 200 OK\nretry-after: 2', message],
      [false, 'http', 'HTTP/1.1 200 OK\n\n{"a": 2}', message],
    ] as const)
      assert.equal(same(language, text, answered), isSame, text);
  });

  test('is refreshed with the same omissions', () => {
    const text =
      '{\n  "a": 5,\n  "list": [\n    {\n      "b": "x..."\n    },\n    ...\n  ],\n  ...\n}';
    assert.equal(refreshed({ language: 'json', text }, one, new Map()), text.replace('5', '1'));
    const printed = { language: 'http', text: 'HTTP/1.1 200 OK\n...\nretry-after: 2' } as const;
    const message = 'HTTP/1.1 429 Too Many Requests\nretry-after: 7';
    const expected = 'HTTP/1.1 429 Too Many Requests\n...\nretry-after: 7';
    assert.equal(refreshed(printed, message, new Map()), expected);
  });
});

test('the guide to the configuration names every variable that is read', async () => {
  const files = ['', '/observation', '/encryption', '/networks', '/clickhouse'];
  const sources = await Promise.all(files.map((file) => read(`src/config${file}.ts`)));
  const source = sources.join('');
  const names = source.match(/(?<=')[A-Z][A-Z_]+_[A-Z_]+(?=')/g)!;
  const variables = new Set(names.filter((one) => /^(VITRINE|AWS|REPORT|OTEL)_|_URL$/.test(one)));
  const guide = markdown.get('docs/guides/configuration.md')!;
  assert.ok(variables.size >= 15, [...variables].join(' '));
  for (const name of secretVariables) assert.ok(guide.includes(`\`${name}_FILE\``), name);
  for (const name of variables)
    assert.ok(
      [`| \`${name}\``, `, \`${name}\``].some((cell) => guide.includes(cell)),
      name,
    );
});

test('the guide to currencies says of every endpoint with amounts whether they are text or numbers', () => {
  const guide = markdown.get('docs/guides/currencies.md')!;
  const listed = new Map<string, string>();
  for (const [, paths, kind] of guide.matchAll(/^\| (`\/[^|]+) \| (text|numbers): /gm))
    for (const [path] of paths!.matchAll(/(?<=`)\/[^`]+/g)) listed.set(path, kind!);
  const hasNumbers = (answer: unknown) => JSON.stringify(answer).includes('"type":"number"');
  const contracts = Object.values(publicContracts);
  for (const { path, answer } of contracts)
    if (hasNumbers(answer)) assert.equal(listed.get(path), 'numbers', path);
  const texts = [...listed].filter(([, kind]) => kind === 'text').map(([path]) => path);
  const withNumbers = contracts.filter(({ answer }) => hasNumbers(answer));
  const others = contracts.filter((one) => !withNumbers.includes(one)).map(({ path }) => path);
  const views = others.filter((path) => path.startsWith('/reports/view/'));
  assert.deepEqual(texts.sort(), views.sort());
  assert.equal(listed.size, texts.length + withNumbers.length);
});

test('the guide to imports imports every sample document', async () => {
  const commands = examples.get('docs/guides/importing.md')!.map(({ command }) => command);
  const named = commands.join(' ').match(/(?<=samples\/)[\w.-]+/g);
  assert.deepEqual([...new Set(named)].sort(), (await readdir(join(root, 'samples'))).sort());
});

describe('the pages of the documents', () => {
  let folder: string;
  const assets = {
    base: '/console/assets/base.css',
    theme: '/console/assets/theme.js',
    icon: '/console/assets/icon.svg',
  };
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-pages-'));
    await buildGuides({ folder, assets });
    await buildReference({ folder, assets });
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test('have a title, one heading of the first level, no script or style of their own, and links that lead somewhere', async () => {
    const addresses = new Map<string, string>();
    for (const file of globSync('**/*.html', { cwd: folder })) {
      const address = `/${file.replace(/(\/index)?\.html$/, '')}`;
      addresses.set(address, await readFile(join(folder, file), 'utf8'));
    }
    assert.ok(addresses.has('/guides') && addresses.has('/reference') && addresses.size >= 12);
    for (const [address, html] of addresses) {
      assert.match(html, /<html lang="en/);
      assert.match(html, /<title>[^<]+ - Vitrine<\/title>/);
      if (address !== '/reference') assert.equal(html.match(/<h1[ >]/g)?.length, 1, address);
      assert.doesNotMatch(html, /<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/, address);
      for (const [, target] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
        if (/^https?:/.test(target!)) continue;
        const [path, anchor] = target!.split('#');
        const page = path === '' ? html : addresses.get(path!);
        if (page === undefined) assert.ok(await isServed(path!), `${address} links to ${target}`);
        else if (anchor && anchor !== 'content')
          assert.ok(page.includes(`id="${anchor}"`), `${address} links to ${target}`);
      }
    }
  });

  test('show every picture that their source names, in both themes, with words and a size', async () => {
    const named = await namedPictures();
    const files = globSync('guides/*.html', { cwd: folder });
    const pages = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    const shown = pages.flatMap((html) => html.match(/<picture>.*?<\/picture>/g) ?? []);
    assert.ok(named.length > 0);
    assert.equal(shown.length, named.length);
    for (const { alt, name } of named) {
      const address = `/guides/assets/${name}`;
      const size = 'width="\\d+" height="\\d+"';
      const dark = `srcset="${address}-dark-[A-F0-9]{8}\\.webp"`;
      const source = `<source ${dark} media="\\(prefers-color-scheme: dark\\)" ${size}>`;
      const image = `<img src="${address}-[A-F0-9]{8}\\.webp" alt="${alt}" ${size} loading="lazy"`;
      const expected = new RegExp(source + image);
      const found = shown.find((html) => expected.test(html));
      assert.ok(found, `${name} is not shown`);
      for (const [path] of found.matchAll(/\/guides\/assets\/[\w-]+\.webp/g))
        assert.ok(await isServed(path), path);
    }
  });

  async function isServed(path: string): Promise<boolean> {
    if (/^\/(console\/.*|(operator\/)?openapi\.json)$/.test(path)) return true;
    return (await readdir(folder, { recursive: true })).includes(path.slice(1));
  }
});

/** The pictures that the sources of the guides name, with the words in their place. */
async function namedPictures(): Promise<{ readonly alt: string; readonly name: string }[]> {
  const sources = await Promise.all(globSync('docs/{*,guides/*}.md', { cwd: root }).map(read));
  const found = sources.join('\n').matchAll(/!\[([^\]]+)\]\((?:\.\.\/)?pictures\/(\w+)\.webp\)/g);
  return [...found].map(([, alt, name]) => ({ alt: alt!, name: name! }));
}

test('there is every picture that README and guides name, in both themes, and no other, and all are small', async () => {
  const inReadme = (await read('README.md')).match(/(?<=docs\/pictures\/)[\w-]+\.(?:webp|svg)/g)!;
  assert.ok(inReadme.includes('overview.webp') && inReadme.includes('overview-dark.webp'));
  const names = (await namedPictures()).map(({ name }) => name);
  const inGuides = names.flatMap((name) => [`${name}.webp`, `${name}-dark.webp`]);
  const files = await readdir(join(root, 'docs/pictures'));
  assert.deepEqual([...inReadme, ...inGuides].sort(), files.sort());
  for (const file of files) {
    const { size } = await stat(join(root, 'docs/pictures', file));
    assert.ok(size <= (inReadme.includes(file) ? 90_000 : 60_000), `${file}: ${size} bytes`);
  }
});
