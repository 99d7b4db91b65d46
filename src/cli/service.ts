/** The service that a command talks to: its address, the operator token, requests and failures. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { severalOf, withSecretFiles } from '../config/secrets.ts';
import { ConfigError } from '../config.ts';
import { StartRefusal } from '../engine/errors.ts';

/** The exit codes, which the help explains. */
export const exitCodes = { done: 0, failed: 1, usage: 2, partial: 3, unhealthy: 4 } as const;

/** The options of every command that talks to the service. */
export type ServiceOptions = {
  readonly url?: string;
  readonly token?: string;
  readonly json?: true;
};

/** The address of a service, without a slash at its end, and what its calls need. */
export type Service = {
  readonly address: string;
  /** The operator token; empty for calls that need none. */
  readonly token: string;
  /** The API key of a user, for the public API. */
  readonly apiKey?: string;
};

/** An answer as it was received. */
export type RawAnswer = {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
};

/** Ends a command with exit code 1 and this message, without a stack. */
export class Failure extends Error {}

/** Ends a command with exit code 2 and this message: the command is invalid, nothing was sent. */
export class UsageError extends Error {}

/** The text that a command's help shows in addition to its options. */
export type Help = {
  readonly about?: string;
  /** Command lines, without the name of the program. */
  readonly examples: readonly string[];
  /** A description of the output of `--json`. */
  readonly json?: string;
  readonly exitCodes?: string;
  /** False for a command that the operator token is not for. */
  readonly needsToken?: boolean;
};

/** Longest wait for an answer. Deleting or moving a channel may rewrite years of facts. */
const answerMilliseconds = { GET: 60_000, change: 15 * 60_000 } as const;
/** The host by which a service listens at every address of its machine. */
const anyHost = /^(?:0\.0\.0\.0|\[::\])(?=:\d+$)/;
const localHosts = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const exitCodesHelp =
  'Exit codes: 0 done, 1 the service refused or could not be reached, 2 invalid command, nothing sent.';
/** Connection errors that mean that no service is listening. */
const unreachableCodes: readonly (string | undefined)[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
];

/**
 * Gives a command `--url`, `--token` and `--json`, its help and its work. The work gets the options
 * and the arguments, and may return an exit code.
 */
export function addServiceCommand<Options extends ServiceOptions>(
  command: Command,
  { about, examples, json = "print the service's answer as JSON", ...help }: Help,
  work: (options: Options, args: readonly unknown[]) => Promise<unknown>,
): Command {
  const codes = help.exitCodes ?? exitCodesHelp;
  const paragraphs = [about, codes, variablesHelp(examples), examplesHelp(examples)];
  command.option(...urlOption);
  if (help.needsToken !== false)
    command.option(
      '--token <token>',
      "operator token (default: VITRINE_OPERATOR_TOKEN, or the data folder's token)",
    );
  return command
    .option('--json', json)
    .addHelpText('after', `\n${paragraphs.filter(Boolean).join('\n\n')}`)
    .action(() => runToEnd(command, () => work(command.opts<Options>(), command.processedArgs)));
}

/** The meanings of the variables in examples. */
const variables: Readonly<Record<string, string>> = {
  ORGANISATION: 'an id that "vitrine organisations list" prints',
  USER_ID: 'an id that "vitrine users list" prints',
  KEY_ID: 'an id that "vitrine keys list" prints',
  JOB: 'an id that "vitrine jobs list" prints',
  IMPORT: 'a number that "vitrine imports list" prints',
  OPERATOR_ID: 'an id that "vitrine operators list" prints',
  REPORT: 'the reportId of a report',
  KEY: 'the API key of a user',
  TOKEN: 'the operator token',
};

/** The meanings of the variables that examples use. */
export function variablesHelp(examples: readonly string[]): string {
  return Object.entries(variables)
    .filter(([name]) => examples.some((line) => line.includes(`"$${name}"`)))
    .map(([name, meaning]) => `$${name} is ${meaning}.`)
    .join('\n');
}

/** The examples of a help text, as the user runs the program. */
export function examplesHelp(examples: readonly string[]): string {
  const isNpm = process.env.npm_lifecycle_event === 'vitrine';
  const program = isNpm ? 'npm run --silent vitrine --' : 'vitrine';
  return ['Examples:', ...examples.map((line) => `  $ ${program} ${line}`)].join('\n');
}

/** The address from the options or the environment; throws UsageError when it is invalid. */
export function addressOf({ url }: ServiceOptions): string {
  const setting = (name: string) => process.env[name]?.trim() || undefined;
  const ofOperators = setting('VITRINE_OPERATOR_ADDRESS')?.replace(anyHost, '127.0.0.1');
  const given = url ?? (ofOperators ? `http://${ofOperators}` : setting('VITRINE_PUBLIC_URL'));
  const name = url === undefined ? 'VITRINE_PUBLIC_URL' : '--url';
  const read = given === undefined ? undefined : URL.parse(given);
  if (read === null || !['http:', 'https:', undefined].includes(read?.protocol))
    throw new UsageError(`${name} must be an address such as https://api.example.com`);
  // Messages name the address.
  if (read?.username || read?.password)
    throw new UsageError(`${name} must have no user and password: give the token with --token`);
  const address = given ?? `http://127.0.0.1:${process.env.VITRINE_PORT?.trim() || 8080}`;
  return address.replace(/(?<!\/)\/+$/, '');
}

/** Whether an address is on this machine. */
export function isLocal(address: string): boolean {
  return localHosts.test(new URL(address).hostname);
}

/** Whether a variable is set, or one that names a file that holds it. */
export function isSet(name: string): boolean {
  return Boolean(process.env[name]?.trim() || process.env[`${name}_FILE`]?.trim());
}

/** The data folder of a service on this machine. */
export function dataFolder(): string {
  return resolve(process.env.VITRINE_DATA?.trim() || './data');
}

/**
 * The operator token; throws Failure when there is none. The token of the data folder is sent only
 * to this machine, or to the address in the environment.
 */
export function tokenOf({ token, url }: ServiceOptions, address: string): string {
  const given = token ?? severalOf(withSecretFiles(process.env).VITRINE_OPERATOR_TOKEN)?.[0];
  if (given) return given;
  if (url !== undefined && !isLocal(address)) {
    throw new Failure(
      `No operator token for ${address}: give it with --token or VITRINE_OPERATOR_TOKEN.`,
    );
  }
  const file = join(dataFolder(), 'operator-token');
  try {
    const tokens = severalOf(readFileSync(file, 'utf8'));
    if (tokens !== undefined) return tokens[0];
  } catch {
    throw new Failure(
      `No operator token: ${file} does not exist. Start the service there (vitrine serve), set VITRINE_DATA to its data folder, or give the token with --token or VITRINE_OPERATOR_TOKEN.`,
    );
  }
  throw new Failure(
    `No operator token: ${file} is empty. Delete it, and the next start of the service makes a token.`,
  );
}

/** The service that the options and the environment name. */
export function serviceOf(options: ServiceOptions): Service {
  const address = addressOf(options);
  return { address, token: tokenOf(options, address) };
}

/** The option of a command that calls a service. */
export const urlOption = [
  '--url <address>',
  'address of the service (default: VITRINE_OPERATOR_ADDRESS, VITRINE_PUBLIC_URL, or this machine at VITRINE_PORT or 8080)',
] as const;

/** The option of a command that calls the public API. */
export const keyOption = [
  '--key <key>',
  'API key of an owner or administrator of the organisation (default: VITRINE_KEY)',
] as const;

/** The service with the API key that the options and the environment name. */
export function publicServiceOf(options: ServiceOptions & { readonly key?: string }): Service {
  const apiKey = options.key ?? process.env.VITRINE_KEY?.trim();
  if (!apiKey) throw new UsageError('give the API key with --key or VITRINE_KEY');
  return { address: addressOf(options), token: '', apiKey };
}

/** Sends a request; throws Failure when there is no answer. The caller judges the status. */
export async function request(
  service: Service,
  method: string,
  path: string,
  options: { readonly body?: unknown; readonly waitMilliseconds?: number } = {},
): Promise<RawAnswer> {
  const response = await open(service, method, path, options);
  try {
    return { status: response.status, text: await response.text(), headers: response.headers };
  } catch (error) {
    throw unanswered(error, method, service.address);
  }
}

/** Sends a request and leaves the body of the answer unread. */
export async function open(
  { address, token, apiKey }: Service,
  method: string,
  path: string,
  {
    body,
    waitMilliseconds,
    headers,
  }: {
    readonly body?: unknown;
    readonly waitMilliseconds?: number;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Response> {
  const wait = waitMilliseconds ?? answerMilliseconds[method === 'GET' ? 'GET' : 'change'];
  let response: Response;
  try {
    response = await fetch(address + path, {
      method,
      headers: {
        accept: 'application/json',
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(apiKey !== undefined && { 'x-api-key': apiKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(wait),
      // Keys and documents go to no other host.
      redirect: 'manual',
    });
  } catch (error) {
    throw unanswered(error, method, address);
  }
  const to = response.headers.get('location');
  if (to === null) return response;
  await response.body?.cancel();
  throw new Failure(`${address} redirects to ${to}: name the address of the service with --url.`);
}

/** Writes the body of an answer to standard output. */
export async function pipeOut(response: Response): Promise<void> {
  for await (const part of response.body!)
    if (!process.stdout.write(part)) await once(process.stdout, 'drain');
}

/** The value of a 200 answer, undefined without a body; throws Failure for other answers. */
export function answerFrom<Value>(
  { status, text }: Pick<RawAnswer, 'status' | 'text'>,
  address: string,
  fields: readonly string[],
): Value {
  const value = parsed(text);
  if (status === 200 && (value !== undefined || text === '')) return value as Value;
  throw refusal(status, text, address, fields);
}

/** The failure that an error answer stands for, with a line for each failing rule of `fields`. */
export function refusal(
  status: number,
  text: string,
  address: string,
  fields: readonly string[] = [],
): Failure {
  const reason = reasonOf(status, text);
  if (status === 401 || status === 403)
    return new Failure(`${address} did not accept the operator token: ${reason}.`);
  if (status < 400)
    return new Failure(`${address} is not a Vitrine service: it answered ${status} without JSON.`);
  return new Failure(rulesOf(reason, fields).join('\n'));
}

/** The reason that an error answer gives. */
export function reasonOf(status: number, text: string): string {
  const error = parsed(text)?.error;
  return typeof error === 'string'
    ? error
    : `the service answered ${status}: ${text.slice(0, 200)}`;
}

/** Splits a list of failing rules, each of which begins with a field; commas in values stay. */
function rulesOf(text: string, fields: readonly string[]): string[] {
  return text.split(new RegExp(`, (?=(?:${fields.join('|')})[ .[])`));
}

/** The object that a text holds as JSON; undefined for anything else. */
export function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function unanswered(error: unknown, method: string, address: string): Failure {
  const { origin } = new URL(address);
  if ((error as Error).name === 'TimeoutError')
    return new Failure(`${origin} took too long to answer.`);
  const outcome =
    method === 'GET' ? 'before an answer arrived' : 'so the change may or may not be made';
  return connectionFailure(causeOf(error), origin, outcome);
}

/** The connection error inside an error of `fetch`. */
export function causeOf(error: unknown): NodeJS.ErrnoException {
  return ((error as Error).cause ?? error) as NodeJS.ErrnoException;
}

/** The failure of a connection to `origin`; `outcome` says what it means for the request. */
export function connectionFailure(
  { code, message }: NodeJS.ErrnoException,
  origin: string,
  outcome: string,
): Failure {
  if (!unreachableCodes.includes(code))
    return new Failure(`The connection to ${origin} broke, ${outcome}: ${message || code}.`);
  const advice = isLocal(origin)
    ? 'Start one with "vitrine serve" (in a clone: npm run serve), or name another with --url.'
    : 'Check that it is running and reachable from here, or name another with --url.';
  return new Failure(`No service answers at ${origin}. ${advice}`);
}

/** Whether only the message of an error is printed. */
function isPlain(error: unknown): error is Error {
  return [Failure, ConfigError, StartRefusal].some((type) => error instanceof type);
}

/** Runs the work of a command and prints the failure that ends it early. */
export async function runToEnd(command: Command, work: () => Promise<unknown>): Promise<void> {
  // A reader such as "head" may close the pipe early, which is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? exitCodes.done : exitCodes.failed),
  );
  try {
    const code = await work();
    process.exitCode = typeof code === 'number' ? code : exitCodes.done;
  } catch (error) {
    if (error instanceof UsageError) command.error(`error: ${error.message}`);
    if (!isPlain(error)) throw error;
    console.error(error.message);
    process.exitCode = exitCodes.failed;
  }
}
