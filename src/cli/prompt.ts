/** Questions to the user at a terminal. */
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { Failure, UsageError } from './service.ts';

/** Asks for confirmation; throws UsageError without a terminal, Failure when the answer is not yes. */
export async function confirm(action: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new UsageError(
      `"${action}" cannot be undone, and there is no terminal to ask on: add --yes to confirm`,
    );
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await answerTo(
      lines,
      `${action}? This cannot be undone. Type yes to continue: `,
    );
    if (answer.trim().toLowerCase() !== 'yes') throw new Failure('Cancelled. Nothing was changed.');
  } finally {
    lines.close();
  }
}

/** Prompts for a password without showing it, or reads the first line of standard input. */
export async function readPassword(): Promise<string> {
  const [password] = process.stdin.isTTY
    ? [await askHidden('Password: ')]
    : (await textOf(process.stdin)).split(/\r?\n/);
  if (!password) throw new UsageError('there is no password on standard input');
  return password;
}

async function askHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(question);
  try {
    return await answerTo(lines, '');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

/** The answer to a question; Ctrl+C and Ctrl+D cancel the command. */
function answerTo(lines: Interface, question: string): Promise<string> {
  const cancelled = once(lines, 'close').then(() => {
    throw new Failure('Cancelled. Nothing was changed.');
  });
  return Promise.race([lines.question(question), cancelled]);
}
