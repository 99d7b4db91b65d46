/**
 * Runs shell commands for a test process, which sends them one by one. A process with gigabytes of
 * memory takes a tenth of a second to start another one, a small one like this a millisecond.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** A command for bash, the folder that it runs in and its variables. */
export type ShellCommand = {
  readonly number: number;
  readonly command: string;
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
};

/** The exit status of a command, what it wrote to its streams, and its variables at the end. */
export type ShellOutcome = {
  readonly number: number;
  readonly code: number;
  readonly out: string;
  readonly error: string;
  readonly variables: Readonly<Record<string, string>>;
};

/** Prints the variables at the end of a command. */
const preamble = "trap 'env -0 >&3' EXIT\n";

process.on('message', async (shellCommand: ShellCommand) => {
  process.send!((await run(shellCommand)) satisfies ShellOutcome);
});

async function run({ number, command, folder, variables }: ShellCommand): Promise<ShellOutcome> {
  const child = spawn('bash', ['-c', preamble + command], {
    cwd: folder,
    env: variables,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const streams = child.stdio
    .slice(1, 4)
    .map((stream) => (stream as Readable).setEncoding('utf8').toArray() as Promise<string[]>);
  const [[code], ...texts] = await Promise.all([once(child, 'close'), ...streams]);
  const [out, error, environment] = texts.map((chunks) => chunks.join('')) as [
    string,
    string,
    string,
  ];
  const atEnd = [...environment.matchAll(/([^\0=]+)=([^\0]*)\0/g)];
  return {
    number,
    code: code as number,
    out,
    error,
    variables: Object.fromEntries(atEnd.map(([, name, value]) => [name!, value!])),
  };
}
