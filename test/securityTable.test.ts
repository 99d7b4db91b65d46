/** docs/security.md names code, tests and requirements that there are, and all of the last. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { linesBeside } from './table.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const textOf = (file: string) => readFileSync(root + file, 'utf8');
const text = textOf('docs/security.md');
const sources = execFileSync('git', ['ls-files', 'src'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.') && existsSync(root + file));

/** How many requirements of level 1 and 2 each section of ASVS 5.0.0 has; they come first in it. */
const requirements = linesBeside(import.meta.url, 'fixtures/asvs.txt').map((chapter) =>
  chapter.split(' ').map(Number),
);

/** Whether a test of a file has the title; what a template fills in is shown as dots. */
function hasTest(file: string, title: string): boolean {
  const literally = title.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  const pattern = literally.replaceAll('…', String.raw`\$\{[^}]*\}`);
  return new RegExp(`\\(\\s*(['"\`])${pattern}\\1,`).test(textOf(file));
}

test('Every code path and every test that the page names exists.', () => {
  const paths = [...text.matchAll(/`((?:src|test|docs|scripts|deploy)\/[\w./-]+)`/g)];
  const missing = paths.map(([, path]) => path!).filter((path) => !existsSync(root + path));
  const shown = [...text.matchAll(/`([\w./-]+\.test\.ts)`: \*([^*]+)\*/g)];
  assert.ok(shown.length > 200, 'the tests were not found');
  for (const [, file = '', title = ''] of shown)
    if (existsSync(root + file) && !hasTest(file, title)) missing.push(`${file}: ${title}`);
  assert.deepEqual(missing, []);
});

test('Every requirement of ASVS is there once, with code and test, or with the reason why not.', () => {
  const asvs = text.slice(text.indexOf('## ASVS'));
  const rows = [...asvs.matchAll(/^\| (\d+\.\d+\.\d+) (.*)\|$/gm)];
  const lines = [...asvs.matchAll(/^- ((?:\d+\.\d+\.\d+(?:, )?)+) do(?:es)? not apply: \w/gm)];
  const listed = [...rows.map(([, id]) => id!), ...lines.flatMap(([, ids]) => ids!.split(', '))];
  const wanted = requirements.flatMap((sections, chapter) =>
    sections.flatMap((count, section) =>
      Array.from({ length: count }, (_, place) => `${chapter + 1}.${section + 1}.${place + 1}`),
    ),
  );
  assert.deepEqual(listed.toSorted(), wanted.toSorted());
  for (const [row] of rows)
    assert.match(row, /\.test\.ts`: \*|\*\*(?:Not met|No test shows it)\*\*/);
  const rowsOf = (group: string) => rows.filter(([row]) => row.includes(`**${group}**`));
  const unmet = rowsOf('Not met');
  const unshown = rowsOf('No test shows it').filter((row) => !unmet.includes(row));
  const [left, otherwise] = [rowsOf('Left to the installation'), rowsOf('Met otherwise')];
  const figures = `Of ${wanted.length} requirements, ${wanted.length - rows.length} do not apply; of the other ${rows.length}, ${unmet.length} are not met in full, ${left.length} are left to the installation, ${otherwise.length} are met otherwise, and of ${unshown.length} more`;
  assert.ok(text.replaceAll('\n', ' ').includes(figures), `the page does not say: ${figures}`);
  for (let place = 1; place <= 10; place++)
    assert.match(text, new RegExp(`^\\| API${place} `, 'm'));
});

test('the service starts no program, and only known modules call other addresses', () => {
  const calling = sources.filter((file) =>
    /\bfetch\(|\.fetch\(|\brequestByHttps?\b|'nodemailer'/.test(textOf(file)),
  );
  assert.deepEqual(
    calling.filter((file) => !/^src\/(?:cli|console|reference)\//.test(file)),
    [
      ...['src/access/breachedPasswords.ts', 'src/files/s3.ts', 'src/import/ecb/history.ts'],
      ...['src/schedules/mail.ts', 'src/webhooks/send.ts'],
    ],
  );
  for (const file of calling.filter((one) => !/^src\/(?:console|reference)\//.test(one))) {
    const calls = textOf(file).match(/\bfetch\(/g) ?? [];
    assert.equal(textOf(file).split("redirect: 'manual'").length, calls.length + 1, file);
  }
  const starting = sources.filter((file) => /child_process/.test(textOf(file)));
  assert.deepEqual(starting, []);
});

test('no module turns the verification of certificates off, or runs text as code', () => {
  const careless =
    /rejectUnauthorized(?!=false)|TLS_REJECT_UNAUTHORIZED(?! must not|'\) === '0'\))|\beval\(|new Function\(|node:vm|innerHTML|dangerouslySet/;
  const found = sources.filter((file) => careless.test(textOf(file)));
  assert.deepEqual(found, []);
});

test('the inventory of cryptography names every module that uses it', () => {
  const uses =
    /\b(?:createCipheriv|createHmac|hkdfSync|argon2|createHash|hash|randomBytes)\((?!\))|\bsubtle\b/;
  const inventory = text.slice(text.indexOf('## Cryptography'), text.indexOf('## Logs'));
  const missing = sources
    .filter((file) => /from 'node:crypto'/.test(textOf(file)) && uses.test(textOf(file)))
    .filter((file) => !inventory.includes(`\`${file}\``));
  assert.deepEqual(missing, []);
});

test('every package is pinned with its hash', () => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as {
    packages: Record<string, { readonly integrity?: string; readonly link?: boolean }>;
  };
  const loose = Object.entries(packages).filter(
    ([path, { link, integrity = '' }]) =>
      path.startsWith('node_modules/') && !link && !integrity.startsWith('sha512-'),
  );
  assert.deepEqual(loose, []);
});
