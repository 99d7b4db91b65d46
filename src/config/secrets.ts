/**
 * The secrets of the installation and the tokens of its operator, each several at once while it is
 * replaced: the first is the current one, and the others are still accepted.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One or more texts, the current one first. */
export type Several = readonly [string, ...string[]];

/** The variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Settings that are secret or hold a password: NAME_FILE names a file that holds NAME. */
export const secretVariables = [
  'VITRINE_SECRET',
  'VITRINE_OPERATOR_TOKEN',
  'DATABASE_URL',
  'CLICKHOUSE_URL',
  'CLICKHOUSE_READER_URL',
  'REDIS_URL',
  'VITRINE_SMTP_URL',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
] as const;

/** Bits that a secret must have at least. */
const guessBitsMin = 80;
const advice = 'use 32 random bytes, such as those of: openssl rand -base64 32';

/** The texts that a variable or a file holds, separated by spaces or line breaks. */
export function severalOf(text: string | undefined): Several | undefined {
  const [first, ...more] = (text ?? '').split(/\s+/).filter((one) => one !== '');
  return first === undefined ? undefined : [first, ...more];
}

/** The variables with the secrets that files hold; what is wrong with a file goes to `problems`. */
export function withSecretFiles(variables: Variables, problems: string[] = []): Variables {
  const read: Record<string, string> = {};
  for (const name of secretVariables) {
    const file = variables[`${name}_FILE`]?.trim();
    if (!file) continue;
    if (variables[name]?.trim()) {
      problems.push(`${name} and ${name}_FILE must not both be set`);
      continue;
    }
    try {
      const text = readFileSync(file, 'utf8').trim();
      if (text === '') problems.push(`${name}_FILE must name a file that is not empty`);
      else read[name] = text;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      problems.push(`${name}_FILE must name a file that can be read (${code})`);
    }
  }
  return { ...variables, ...read };
}

/** The problem of a secret or token; undefined for none. `subject` names where it comes from. */
export function weakness(subject: string, texts: Several): string | undefined {
  const isWeak = texts.some((text) => guessBits(text) < guessBitsMin);
  return isWeak ? `${subject} must be harder to guess: ${advice}` : undefined;
}

/** The bits of a random text of this length over the characters that it holds. */
function guessBits(text: string): number {
  return text.length * Math.log2(new Set(text).size || 1);
}

/**
 * Reads the secret of a data folder, or makes it for a new one. Otherwise throws an error with the
 * remedy.
 */
export function storedSecret(folder: string): Several {
  const file = join(folder, 'secret');
  const registry = join(folder, 'registry.sqlite');
  const restoring = `restore it from a backup: the keys, links and sealed data of ${registry} open with it alone`;
  if (!existsSync(file) && existsSync(registry))
    throw new Error(`${file} is missing: ${restoring}`);
  return storedTexts(file, restoring);
}

/**
 * Reads the operator token of a data folder, or makes one. Otherwise throws an error with the
 * remedy.
 */
export function storedOperatorToken(folder: string): Several {
  const file = join(folder, 'operator-token');
  return storedTexts(file, 'write a token into it, or delete it and the next start makes one');
}

/** Reads a file or creates it; processes that start at the same time get the same secret. */
function storedTexts(file: string, whenEmpty: string): Several {
  if (!existsSync(file)) createSecret(file);
  const texts = severalOf(readFileSync(file, 'utf8'));
  if (texts === undefined) throw new Error(`${file} is empty: ${whenEmpty}`);
  const problem = weakness(file, texts);
  if (problem !== undefined) throw new Error(problem);
  return texts;
}

function createSecret(file: string): void {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    // A link fails if the file exists, and never leaves half a secret.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}
