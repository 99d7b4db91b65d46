/** What is asked of whoever sits at the terminal. */
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { Failure, Misuse } from './service.ts';

/** Asks whether something that cannot be undone is meant; throws Misuse where nobody can be asked, Failure where the answer is not yes. */
export async function confirm(what: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new Misuse(
      `"${what}" cannot be undone, and nobody can be asked here: add --yes where it is meant`,
    );
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await answerTo(lines, `${what}? This cannot be undone. Type yes to go on: `);
    if (answer.trim().toLowerCase() !== 'yes') throw new Failure('Nothing was done.');
  } finally {
    lines.close();
  }
}

/** Reads a password: unseen at a terminal, else the first line of standard input. Throws Misuse where there is none. */
export async function readPassword(): Promise<string> {
  const [password] = process.stdin.isTTY
    ? [await askUnseen('Password: ')]
    : (await textOf(process.stdin)).split(/\r?\n/);
  if (!password) throw new Misuse('there is no password on standard input');
  return password;
}

async function askUnseen(question: string): Promise<string> {
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

/** Ctrl+C and Ctrl+D end the question, and with it the command. */
function answerTo(lines: Interface, question: string): Promise<string> {
  const left = once(lines, 'close').then(() => {
    throw new Failure('Nothing was done.');
  });
  return Promise.race([lines.question(question), left]);
}
