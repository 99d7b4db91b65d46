/** A machine without Chromium gets it once, and says why where it cannot. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deepTest } from '../level.ts';

const run = promisify(execFile);

/** The outcomes of simultaneous requests for the program, with only the given `apt-get` on the PATH. */
async function askForProgram(aptGet: string, times: number) {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-chromium-'));
  try {
    const { stdout } = await run('sh', [
      '-c',
      'for name in sh flock sleep touch chmod; do command -v $name; done',
    ]);
    for (const path of stdout.trim().split('\n'))
      await symlink(path, join(folder, path.slice(path.lastIndexOf('/') + 1)));
    await writeFile(join(folder, 'log'), '');
    await writeFile(join(folder, 'apt-get'), `#!/bin/sh\ncd ${folder}\n${aptGet}`);
    await chmod(join(folder, 'apt-get'), 0o755);
    const script = `
      import { chromiumProgram } from ${JSON.stringify(import.meta.resolve('./chromium.ts'))};
      console.log(await chromiumProgram([]));`;
    const ask = () =>
      run(process.execPath, ['--input-type=module', '--eval', script], {
        env: { PATH: folder, TMPDIR: folder },
      });
    const asking = Array.from({ length: times }, async () => (await ask()).stdout);
    return {
      folder,
      outcomes: await Promise.allSettled(asking),
      log: await readFile(join(folder, 'log'), 'utf8'),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

deepTest('a machine without Chromium gets it, by one process after the other', async () => {
  // The lists of packages are not there at first, as in a fresh container.
  const aptGet = `
    [ "$DEBIAN_FRONTEND" = noninteractive ] || exit 1
    echo "begins" >> log; sleep 0.1
    case "$*" in
      *update*) touch lists ;;
      *) [ -e lists ] && touch chromium && chmod +x chromium || status=100 ;;
    esac
    echo "ends" >> log
    exit $status`;
  const { folder, outcomes, log } = await askForProgram(aptGet, 2);
  for (const outcome of outcomes) {
    assert.ok(outcome.status === 'fulfilled', String((outcome as PromiseRejectedResult).reason));
    assert.equal(outcome.value.trim().split('\n').at(-1), join(folder, 'chromium'));
  }
  assert.match(log, /^(begins\nends\n){3,6}$/);
});

deepTest(
  'without Chromium, the error says what is missing and why it could not be installed',
  async () => {
    const { outcomes } = await askForProgram('echo "are you root?" >&2; exit 100', 1);
    assert.ok(outcomes[0]?.status === 'rejected');
    const found = String(outcomes[0].reason);
    assert.match(found, /install Chromium or Chrome so that it is on the PATH.*are you root\?/s);
  },
);
