/** The Python of the machine, for the tests of the Python client. */
import { spawnSync } from 'node:child_process';

/** A Python that runs the client; undefined where the machine has none. */
export const python = ['python3', 'python'].find((program) => {
  const script = 'import sys; sys.exit(sys.version_info < (3, 11))';
  return spawnSync(program, ['-c', script]).status === 0;
});

/** Why tests of the Python client are skipped, or false. */
export const withoutPython = python === undefined && 'this machine has no Python 3.11';
