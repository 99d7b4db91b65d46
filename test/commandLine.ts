/** Runs the command line in this process: a process of its own costs much more than a command. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable, Writable } from 'node:stream';
import { format } from 'node:util';
import { runCommandLine } from '../src/cli/program.ts';

/** The exit code and output of a command. */
export type Ran = { readonly code: number; readonly out: string; readonly error: string };

/** The properties of `process` that a command uses. */
type Surroundings = {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: NodeJS.ProcessEnv;
  /** Given to `process.exit`, after which nothing that the command does counts. */
  exitedWith: number | undefined;
};

/** The exit code is the process's own, so commands take turns. */
let last: Promise<unknown> = Promise.resolve();

const surroundings = new AsyncLocalStorage<Surroundings>();
surroundCommands();

/** A command's input and environment, which names no service but the given one. */
export type RunOptions = {
  readonly input?: string;
  readonly environment: Readonly<Record<string, string>>;
};

/** Runs `vitrine` with these words in this process. */
export async function runVitrine(
  words: readonly string[],
  { input = '', environment }: RunOptions,
): Promise<Ran> {
  const out: string[] = [];
  const error: string[] = [];
  const write = (chunks: string[]) =>
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        if (own.exitedWith === undefined) chunks.push(String(chunk));
        done();
      },
    });
  const own: Surroundings = {
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    stdout: write(out),
    stderr: write(error),
    env: environmentWith(environment),
    exitedWith: undefined,
  };
  const code = await inTurn(async () => {
    const before = process.exitCode;
    try {
      await surroundings.run(own, () => runCommandLine(words));
      return own.exitedWith ?? Number(process.exitCode ?? 0);
    } finally {
      process.exitCode = before;
    }
  });
  return { code, out: out.join(''), error: error.join('') };
}

function environmentWith(environment: RunOptions['environment']): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VITRINE_|COLUMNS$|DATABASE_URL$|CLICKHOUSE_URL$|REDIS_URL$)/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...environment };
}

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = last.then(work);
  last = done.catch(() => {});
  return done;
}

/** Gives each running command its own streams and environment in place of the process's. */
function surroundCommands(): void {
  for (const name of ['stdin', 'stdout', 'stderr', 'env'] as const) {
    const held = Object.getOwnPropertyDescriptor(process, name)!;
    let value = held.value;
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: true,
      get() {
        const own = surroundings.getStore();
        if (own !== undefined) return own[name];
        return held.get === undefined ? value : held.get.call(process);
      },
      set(given) {
        const own = surroundings.getStore();
        if (own !== undefined) Object.assign(own, { [name]: given });
        else if (held.set === undefined) value = given;
        else held.set.call(process, given);
      },
    });
  }
  const { exit } = process;
  process.exit = (code) => {
    const own = surroundings.getStore();
    if (own === undefined) return exit(code);
    own.exitedWith ??= Number(code ?? 0);
    throw new Error(`exit with ${code}`);
  };
  for (const name of ['log', 'error'] as const) {
    const stream = name === 'log' ? 'stdout' : 'stderr';
    const print = console[name];
    console[name] = (...values: unknown[]) => {
      const own = surroundings.getStore();
      if (own === undefined) print(...values);
      else own[stream].write(`${format(...values)}\n`);
    };
  }
}
