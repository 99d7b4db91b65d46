/** Runs the command line as its user does: in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const commandLine = fileURLToPath(import.meta.resolve('../src/cli/vitrine.ts'));
const compiled = fileURLToPath(import.meta.resolve('../node_modules/.cache/vitrine'));

/** How a command ended, and what it said. */
export type Ran = { readonly code: number; readonly out: string; readonly error: string };

/** Runs `vitrine` with these words, in an environment that names no service but what is given. */
export async function runVitrine(
  words: readonly string[],
  {
    input = '',
    environment,
  }: { readonly input?: string; readonly environment: Readonly<Record<string, string>> },
): Promise<Ran> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VITRINE_|COLUMNS$|DATABASE_URL$|CLICKHOUSE_URL$|REDIS_URL$)/.test(name),
  );
  const child = spawn(process.execPath, [commandLine, ...words], {
    env: { ...Object.fromEntries(inherited), NODE_COMPILE_CACHE: compiled, ...environment },
  });
  const said = { out: '', error: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.error += text;
  });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code: code as number, ...said };
}
