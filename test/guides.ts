/**
 * The examples of the documents: commands, run word for word by a shell in a folder that holds what
 * a clone holds, and the answers printed below them.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, symlink } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { lexer } from 'marked';
import {
  type Demonstration,
  type DemonstrationParts,
  fillDemonstration,
} from '../demonstration/demonstration.ts';
import type { Contract } from '../src/contract/endpoint.ts';
import { publicContracts } from '../src/endpoints/contracts.ts';
import { readExampleAnswers } from '../src/endpoints/exampleAnswers.ts';
import {
  differenceOf,
  type Identifiers,
  identified,
  isAnswerLanguage,
  type PrintedAnswer,
  refreshed,
} from './answers.ts';
import { openWorld, type World } from './harness.ts';
import type { ShellCommand, ShellOutcome } from './shellProcess.ts';

/** The documents with runnable examples on the demonstration, in the order in which it runs them. */
const onDemonstration: readonly string[] = [
  ...['docs/guides/first-request.md', 'docs/guides/periods.md', 'docs/guides/currencies.md'],
  ...['docs/guides/errors-and-limits.md', 'docs/guides/webhooks.md', 'docs/guides/schedules.md'],
  ...['docs/requests.md', 'docs/guides/configuration.md', 'README.md'],
];
/** The documents with runnable examples on a service without data, in their order. */
const onEmptyService: readonly string[] = [
  'docs/guides/importing.md',
  'docs/operations.md',
  'docs/command-line.md',
];
/** The documents with runnable examples. */
export const documents: readonly string[] = [...onDemonstration, ...onEmptyService];
/** The time at which the documents' demonstration was made, and the clock of its service. */
export const documentedTime = Date.UTC(2026, 10, 21, 12);
/** Folders of a clone that the commands need. */
const shipped = ['samples', 'src'];

/** The address of the service in every document. */
const printedAddress = 'http://127.0.0.1:8080';
const commandLine = fileURLToPath(import.meta.resolve('../src/cli/vitrine.ts'));
const compiled = fileURLToPath(import.meta.resolve('../node_modules/.cache/vitrine'));
/** The time within which a report or job must reach the printed answer. */
const progressMilliseconds = 15 * 60_000;
const progressPattern = /"(?:status|jobStatus)":"(?:started|inProgress|IN_PROGRESS)"/;
/** Commands that need no run: the service is already running and its key is known. */
const donePattern = /^(?:git clone\b|npm (?:start|test|run serve)\b|export KEY=vit_live_\.\.\.)/;

/** A command of a document, and its printed answer. */
export type Example = {
  /** Where it stands, such as README.md:42. */
  readonly place: string;
  readonly command: string;
  readonly answer: PrintedAnswer | undefined;
  /** Whether it is sent again while its report or job is in progress. */
  readonly isRepeated: boolean;
};

/** Blocks of code that hold settings of other programs. */
const settingLanguages: ReadonlySet<string | undefined> = new Set(['yaml', 'xml']);

/** Reads the examples of a document in their order: a command is indented or marked as `sh`, any other block of code, but for settings, is the answer to it. */
export function readExamples(document: string, markdown: string): Example[] {
  const examples: Example[] = [];
  let line = 1;
  for (const token of lexer(markdown)) {
    const place = `${document}:${line}`;
    line += token.raw.split('\n').length - 1;
    if (token.type !== 'code' || settingLanguages.has(token.lang)) continue;
    const language: string = token.codeBlockStyle === 'indented' ? 'sh' : (token.lang ?? '');
    if (language === 'sh') {
      const command = commandOf(token.text);
      if (command !== '') examples.push({ place, command, answer: undefined, isRepeated: false });
    } else {
      const rule = 'a block of code is a command (sh) or an answer (json, http, csv, text)';
      assert.ok(isAnswerLanguage(language), `${place}: ${rule}`);
      const last = examples.pop();
      assert.ok(last && !last.answer, `${place} answers no command`);
      examples.push({ ...last, answer: { language, text: token.text } });
    }
  }
  return examples;
}

function commandOf(text: string): string {
  const left = text.split('\n').filter((line) => !donePattern.test(line));
  return left.join('\n').trim();
}

/** The file with the answers to the contracts' examples. */
export const exampleAnswersFile = 'src/endpoints/exampleAnswers.json';

/** Operations whose answers follow from other examples, which run at the same time. */
export const changing: ReadonlySet<string> = new Set([
  ...['listReports', 'listWebhooks', 'changeWebhook', 'listSchedules'],
  ...['changeSchedule', 'listScheduleRuns', 'listUnknownCodes'],
]);

/** The examples of the contracts as a client would send them, with the answers that the description shows. */
export function readContractExamples(): Example[] {
  const answers = readExampleAnswers();
  return Object.values<Contract>(publicContracts).map((contract) => {
    const { [contract.operation]: answer } = answers;
    const isVoid = (contract.answer as { type?: string }).type === 'void';
    const isCompared = !isVoid && !changing.has(contract.operation);
    const text = JSON.stringify(answer ?? null, null, 2);
    const printed = isCompared ? ({ language: 'json', text } as const) : undefined;
    const example = { place: contract.operation, command: requestOf(contract), answer: printed };
    return { ...example, isRepeated: true };
  });
}

function requestOf({ method, path, query, body, example = {} }: Contract): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => String(example[name]));
  const given = (part: typeof body) =>
    Object.entries(example).filter(([name]) => part && name in part.properties);
  const parameters = new URLSearchParams();
  for (const [name, value] of given(query))
    for (const one of [value].flat()) parameters.append(name, String(one));
  const json = JSON.stringify(Object.fromEntries(given(body)));
  const sent = body ? `-H 'content-type: application/json' -d '${json}'` : '';
  const url = `${printedAddress}${address}?${parameters}`;
  return `curl -s -X ${method} '${url}' -H "x-api-key: $KEY" ${sent}`;
}

/** The service that the commands address. */
export type ServiceAccess = {
  readonly address: string;
  readonly publicUrl: string;
  readonly key: string;
  readonly operatorToken: string;
};

type Outcome = Pick<ShellOutcome, 'code' | 'out' | 'error'>;

/** A shell for the commands of one document; the variables that they set stay. */
export type Shell = {
  run(command: string): Promise<Outcome>;
};

/** Directs the documents' commands to the service's own port. */
const preamble = `
set -a
curl() {
  command curl --connect-to 127.0.0.1:8080:$LISTENING \\
    -w '%{stderr}status %{http_code}\\n' "$@"
}
vitrine() { "$NODE" "$COMMAND_LINE" "$@"; }
npm() { while [ "$1" != -- ]; do shift; done; shift; "$NODE" "$COMMAND_LINE" "$@"; }
`;

/** Opens a shell whose commands run in a folder. */
export function openShell(
  { address, publicUrl, key, operatorToken }: ServiceAccess,
  folder: string,
): Shell {
  const variables: Record<string, string> = {
    PATH: process.env.PATH!,
    HOME: folder,
    TZ: 'UTC',
    KEY: key,
    LISTENING: address.replace('http://', ''),
    NODE: process.execPath,
    NODE_COMPILE_CACHE: compiled,
    COMMAND_LINE: commandLine,
    VITRINE_PUBLIC_URL: address,
    VITRINE_OPERATOR_TOKEN: operatorToken,
  };
  const asPrinted = (text: string) =>
    text.replaceAll(publicUrl, printedAddress).replaceAll(address, printedAddress);
  return {
    async run(command) {
      const shellCommand = { command: preamble + command, folder, variables };
      const { code, out, error, ...atEnd } = await runInShell(shellCommand);
      Object.assign(variables, atEnd.variables);
      return { code, out: asPrinted(out), error };
    },
  };
}

let shells: ChildProcess | undefined;
let commandsSent = 0;

/** Runs a command in the process that starts shells, which starts with the first one. */
async function runInShell(command: Omit<ShellCommand, 'number'>): Promise<ShellOutcome> {
  shells ??= startShells();
  const process = shells;
  const number = ++commandsSent;
  const { promise, resolve, reject } = Promise.withResolvers<ShellOutcome>();
  const onMessage = (outcome: ShellOutcome) => {
    if (outcome.number === number) resolve(outcome);
  };
  const onExit = () => reject(new Error('the process that starts shells has ended'));
  process.on('message', onMessage).on('exit', onExit);
  process.send({ number, ...command } satisfies ShellCommand);
  try {
    return await promise;
  } finally {
    process.off('message', onMessage).off('exit', onExit);
  }
}

/** Starts the process, which ends with this one and does not hold it up. */
function startShells(): ChildProcess {
  const process = fork(fileURLToPath(import.meta.resolve('./shellProcess.ts')), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
  });
  process.unref();
  process.channel!.unref();
  return process;
}

/**
 * Runs the examples of a document in order. Examples of the contracts are repeated while a report
 * or job is in progress.
 */
export function exampleRunner(shell: Shell): (example: Example) => Promise<ExampleOutcome> {
  const identifiers: Identifiers = new Map();
  return async ({ command, answer, isRepeated }) => {
    const deadline = Date.now() + progressMilliseconds;
    for (;;) {
      const { code, out, error } = await shell.run(identified(command, identifiers));
      const statuses = [...error.matchAll(/^status (\d+)$/gm)].map(([, status]) => Number(status));
      assert.equal(code, 0, `${error}${out}`);
      const difference = answer && differenceOf(answer, out, identifiers);
      const isInProgress = isRepeated && progressPattern.test(out) && Date.now() < deadline;
      if (difference !== undefined && isInProgress) {
        await wait(50);
        continue;
      }
      return {
        difference,
        isRefused: statuses.some((status) => status >= 400),
        out,
        refreshed: answer && refreshed(answer, out, identifiers),
      };
    }
  };
}

/** A service for the documents, that listens. */
export type DocumentedService = ServiceAccess & {
  readonly world: World;
  /** Makes a folder for the commands of a document, with what a clone holds. */
  folderFor(): Promise<string>;
  close(): Promise<void>;
};

/** A service with the demonstration of the documents. */
export type Documented = DocumentedService & { readonly demonstration: Demonstration };

/** Opens the service of the documents, with the demonstration that `fill` makes. */
export async function openDocumented(
  fill: (parts: DemonstrationParts) => Promise<Demonstration> = fillDemonstration,
): Promise<Documented> {
  let demonstration: Demonstration | undefined;
  const service = await openService(async ({ registry, warehouse, importer }) => {
    const config = { secret: 'secret-of-the-tests', environment: 'production' } as const;
    demonstration = await fill({ registry, warehouse, importer, config, now: documentedTime });
    return demonstration.key;
  });
  return { ...service, demonstration: demonstration! };
}

/** Opens the services of the documents: by document, the one on which its examples run. */
export async function openServices(demonstration: Documented): Promise<{
  readonly serviceFor: (document: string) => DocumentedService;
  close(): Promise<void>;
}> {
  const empty = await openService(async () => 'no key yet');
  return {
    serviceFor: (document) => (onEmptyService.includes(document) ? empty : demonstration),
    close: empty.close,
  };
}

async function openService(fill: (world: World) => Promise<string>): Promise<DocumentedService> {
  const world = await openWorld('embedded', { logLevel: 'error' });
  try {
    world.clock.now = documentedTime;
    const key = await fill(world);
    await world.server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = world.server.server.address() as AddressInfo;
    return {
      address: `http://127.0.0.1:${port}`,
      publicUrl: 'http://vitrine.test',
      key,
      operatorToken: world.operatorToken,
      world,
      close: world.close,
      async folderFor() {
        const folder = await mkdtemp(join(world.dataFolder, 'example-'));
        for (const name of shipped)
          await symlink(fileURLToPath(new URL(`../${name}`, import.meta.url)), join(folder, name));
        return folder;
      },
    };
  } catch (error) {
    await world.close();
    throw error;
  }
}

/** The outcome of an example. */
export type ExampleOutcome = {
  /** The difference between the answer and the printed one, or undefined. */
  readonly difference: string | undefined;
  readonly isRefused: boolean;
  readonly out: string;
  /** The printed form of the answer, with the current omissions. */
  readonly refreshed: string | undefined;
};

/** A document with other answers to its examples, by the places of these. */
export function withAnswers(
  document: string,
  markdown: string,
  answers: ReadonlyMap<string, string>,
): string {
  const places = readExamples(document, markdown).filter(({ answer }) => answer);
  let rest = markdown;
  let written = '';
  for (const { place, answer } of places) {
    const blockOf = (text: string) => `\`\`\`${answer!.language}\n${text}\n\`\`\``;
    const block = blockOf(answer!.text);
    const start = rest.indexOf(block);
    assert.ok(start >= 0, `${place}: its answer is not found again`);
    written += rest.slice(0, start) + blockOf(answers.get(place) ?? answer!.text);
    rest = rest.slice(start + block.length);
  }
  return written + rest;
}
