/** Shells complete a command line that is not finished. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { runVitrine } from '../../test/commandLine.ts';
import { deepTest, slow, slowTest } from '../../test/level.ts';
import { unpackPackages } from '../../test/servers/debian.ts';
import { programOf, subjects } from './program.ts';

const run = promisify(execFile);
const file = 'two words.csv';

/** The words before the cursor, and what must be offered to complete the last one. */
const examples: readonly [line: string, offered: readonly string[]][] = [
  ['vitrine ke', ['keys']],
  ['vitrine keys ', ['list', 'show', 'issue', 'change', 'rotate', 'revoke', 'help']],
  ['vitrine keys rotate --gr', ['--grace-seconds']],
  ['vitrine users create --role ', ['owner', 'administrator', 'member', 'viewer']],
  ['vitrine users create --email list --role m', ['member']],
  ['vitrine import two', [file]],
  ['vitrine import a --channel keys --on-error ', ['skip', 'abort']],
  ['vitrine reports wait a --output two', [file]],
  ['vitrine keys issue --user ', []],
  ['vitrine completion ', ['bash', 'zsh', 'fish']],
];

describe('the completion', slow, () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-completion-'));
  const wordsOf = (line: string) => line.split(' ');

  before(async () => {
    writeFileSync(join(folder, file), '');
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, out, error } = await runVitrine(['completion', shell], { environment: {} });
      assert.deepEqual([code, error], [0, '']);
      writeFileSync(join(folder, `script.${shell}`), out);
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Asks bash what it would offer for each of the lines. */
  async function bash(lines: readonly (readonly string[])[]): Promise<string[][]> {
    const quoted = lines.map((words) => words.map((word) => `'${word}'`).join(' '));
    const program = `source script.bash
offers() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  $(complete -p vitrine | sed 's/.* -F \\([^ ]*\\) .*/\\1/')
  for one in "\${COMPREPLY[@]}"; do echo "$one"; done
  echo --end--
}
${quoted.map((words) => `offers ${words}`).join('\n')}`;
    const { stdout } = await run('bash', ['--norc', '-c', program], { cwd: folder });
    return stdout
      .split('--end--\n')
      .slice(0, -1)
      .map((text) => text.split('\n').slice(0, -1));
  }

  slowTest('of bash offers commands, options, fixed values and files', async () => {
    const offered = await bash(examples.map(([line]) => wordsOf(line)));
    assert.deepEqual(
      offered,
      examples.map(([, words]) => words),
    );
    // Bash splits words at an equals sign.
    assert.deepEqual(await bash([['vitrine', 'users', 'create', '--role', '=', 'o']]), [['owner']]);
    assert.deepEqual(await bash([['vitrine', 'users', 'create', '--role', '=']]), [
      ['owner', 'administrator', 'member', 'viewer'],
    ]);
  });

  slowTest('is refused for other shells, and the version is printed', async () => {
    const { out } = await runVitrine(['--version'], { environment: {} });
    const root = new URL('../../package.json', import.meta.url);
    assert.equal(out, `${JSON.parse(readFileSync(root, 'utf8')).version}\n`);
    const refused = await runVitrine(['completion', 'tcsh'], { environment: {} });
    assert.deepEqual([refused.code, refused.out], [2, '']);
    assert.match(refused.error, /Allowed choices are bash, zsh, fish/);
  });

  slowTest('of bash knows every command and option of the program', async () => {
    const program = await programOf(['completion']);
    assert.deepEqual(
      program.commands.map((one) => one.name()).sort(),
      Object.keys(subjects).sort(),
    );
    const all = (command: Command, path: readonly string[]): [string[], string[]][] => [
      [[...path, '--'], command.options.map(({ long }) => long!).concat('--help')],
      ...command.commands.flatMap((one) => all(one, [...path, one.name()])),
    ];
    const expected = all(program, ['vitrine']);
    assert.ok(expected.length > 60, String(expected.length));
    const offered = await bash(expected.map(([words]) => words));
    assert.deepEqual(
      offered.map((words) => words.sort()),
      expected.map(([, flags]) => [...new Set(flags)].sort()),
    );
  });

  /** Where a shell of Debian is unpacked for these tests. */
  const unpacked = (shell: string) =>
    fileURLToPath(new URL(`../../node_modules/.cache/vitrine/${shell}`, import.meta.url));
  const surroundings = { ...process.env, HOME: folder, LC_ALL: 'C.UTF-8' };

  deepTest('of zsh offers the same', async () => {
    await unpackPackages(unpacked('zsh'), ['zsh', 'zsh-common']);
    // Stand-ins of its completion system print what they get.
    const program = `module_path=(${unpacked('zsh')}/usr/lib/*/zsh/*)
compdef() { [[ "$*" == "_vitrine vitrine" ]] || exit 1 }
_files() { print -l -- \${words[CURRENT]}*(N) }
_describe() {
  [[ $1 == -o ]] && shift
  print -l -- \${(M)\${(@)\${(P@)2}%%:*}:#\${words[CURRENT]}*}
}
source ./script.zsh
offers() { words=("$@"); CURRENT=$#; _vitrine; print -- --end-- }
${examples
  .map(
    ([line]) =>
      `offers ${wordsOf(line)
        .map((word) => `'${word}'`)
        .join(' ')}`,
  )
  .join('\n')}`;
    const { stdout } = await run(join(unpacked('zsh'), 'bin/zsh'), ['-f', '-c', program], {
      cwd: folder,
      env: surroundings,
    });
    assert.deepEqual(
      stdout.split('--end--\n').slice(0, -1),
      examples.map(([, words]) => words.map((word) => `${word}\n`).join('')),
    );
  });

  deepTest('of fish offers the same', async () => {
    await unpackPackages(unpacked('fish'), ['fish', 'fish-common', 'libpcre2-32-0']);
    const program = `set fish_function_path ${unpacked('fish')}/usr/share/fish/functions
source script.fish
${examples.map(([line]) => `complete --do-complete '${line}'; echo --end--`).join('\n')}`;
    const words = ['--no-config', '--command', program];
    const { stdout } = await run(join(unpacked('fish'), 'usr/bin/fish'), words, {
      cwd: folder,
      env: { ...surroundings, LD_LIBRARY_PATH: join(unpacked('fish'), 'usr/lib/x86_64-linux-gnu') },
    });
    const offered = stdout
      .split('--end--\n')
      .slice(0, -1)
      .map((text) =>
        text
          .split('\n')
          .slice(0, -1)
          .map((line) => line.split('\t')[0]!.replaceAll('\\', '')),
      );
    assert.deepEqual(
      offered.map((list) => list.sort()),
      examples.map(([, list]) => [...list].sort()),
    );
  });
});
