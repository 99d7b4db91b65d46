/** A clone is green in any folder, for any user and with any mask of new files. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import { deepTest, level } from './level.ts';
import { addressVariables } from './servers/shared.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const isRoot = process.getuid?.() === 0;
/** The user `nobody` of Debian. */
const nobody = { uid: 65_534, gid: 65_534 };
/** Tests of both pairs of stores, of processes and of a page. */
const sample = [
  'src/engine/rollups.test.ts',
  'src/main.test.ts',
  'test/views/webhooks.test.ts',
] as const;

type Place = {
  /** The mode of the folder that the clone lies in. */
  readonly mode?: number;
  readonly user?: typeof nobody;
  /** The mask of new files, as for `umask`. */
  readonly mask?: string;
  readonly environment?: NodeJS.ProcessEnv;
};

describe('a clone', { skip: level !== 'deep' }, () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-anywhere-'));
    chmodSync(folder, 0o755);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Clones the repository with what is not committed, and installed packages, into a folder. */
  function clone(name: string, { mode = 0o755, user }: Place): string {
    const parent = join(folder, name.replaceAll(/\W+/g, '-'));
    mkdirSync(parent);
    const path = join(parent, name);
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, path]);
    const changed = ['ls-files', '-z', '--modified', '--others', '--exclude-standard'];
    for (const file of execFileSync('git', changed, { cwd: root, encoding: 'utf8' }).split('\0'))
      if (file !== '') cpSync(join(root, file), join(path, file));
    const packages = join(path, 'node_modules');
    execFileSync('cp', ['-a', join(root, 'node_modules'), packages]);
    rmSync(join(packages, '.cache/vitrine-tests'), { recursive: true, force: true });
    if (user) {
      execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, path]);
      chownSync(parent, user.uid, user.gid);
    }
    if (mode === 0o700) execFileSync('chmod', ['-R', 'go-rwx', path]);
    chmodSync(parent, mode);
    return path;
  }

  /** Runs some tests as `npm test` does, after its set-up. */
  async function assertGreen(name: string, place: Place): Promise<void> {
    const path = clone(name, place);
    const command = `umask ${place.mask ?? '022'} && npm run pretest && npm run test:all -- ${sample.join(' ')}`;
    const own = Object.values(addressVariables).map((variable) => [variable, undefined]);
    const child = spawn('sh', ['-c', command], {
      cwd: path,
      ...place.user,
      env: {
        ...process.env,
        ...Object.fromEntries(own),
        VITRINE_TEST_LEVEL: 'normal',
        VITRINE_TEST_FOLDER: undefined,
        NODE_COMPILE_CACHE: undefined,
        NODE_TEST_CONTEXT: undefined,
        ...place.environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const [code] = await once(child, 'close');
    assert.equal(code, 0, output.slice(-20_000));
    assert.match(output, /^ℹ pass [1-9]/m, output.slice(-20_000));
    assert.match(output, /^ℹ skipped 0/m, output.slice(-20_000));
  }

  deepTest('with spaces and umlauts in its path, beside another clone', async () => {
    await Promise.all([assertGreen('Läden für alle', {}), assertGreen('a second clone', {})]);
  });

  deepTest('with a mask of 077, in a folder that nobody else may enter', async () => {
    await assertGreen('closed', { mode: 0o700, mask: '077' });
  });

  (isRoot ? deepTest : () => undefined)(
    'as an ordinary user whose home cannot be written',
    async () => {
      const home = join(folder, 'home');
      mkdirSync(home, { mode: 0o555 });
      await assertGreen('ordinary', { user: nobody, environment: { HOME: home } });
    },
  );
});
