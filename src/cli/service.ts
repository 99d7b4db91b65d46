/** The service that a command asks: its address, the operator's token, requests, and what is said when they fail. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { ConfigError } from '../config.ts';

/** What the program ends with; its help tells of them. */
export const exitCodes = { done: 0, failed: 1, notUnderstood: 2, partly: 3, unwell: 4 } as const;

/** The options of every command that asks the service. */
export type ServiceOptions = {
  readonly url?: string;
  readonly token?: string;
  readonly json?: true;
};

/** Where the service is, and what lets in. */
export type Service = {
  /** Without a slash at its end. */
  readonly address: string;
  readonly token: string;
};

/** An answer, as it came. */
export type RawAnswer = {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
};

/** What ends a command with the exit code 1 and these words, without a stack. */
export class Failure extends Error {}

/** What ends a command with the exit code 2 and these words: it was not understood, and nothing was sent. */
export class Misuse extends Error {}

/** Longest time that an answer is waited for, in milliseconds. A channel that is deleted or moved to another zone may have years of facts. */
const answerMilliseconds = { GET: 60_000, change: 15 * 60_000 } as const;
const localHosts = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Adds `--url`, `--token` and `--json`. */
export function addServiceOptions(
  command: Command,
  json = "the service's answer as JSON",
): Command {
  return command
    .option(
      '--url <address>',
      'the service (VITRINE_PUBLIC_URL, else this machine at VITRINE_PORT or 8080)',
    )
    .option(
      '--token <token>',
      "the operator's token (VITRINE_OPERATOR_TOKEN, else that of the data folder)",
    )
    .option('--json', json);
}

/** The address that the options and the environment name; throws Misuse for one that is none. */
export function addressOf({ url }: ServiceOptions): string {
  const given = url ?? (process.env.VITRINE_PUBLIC_URL?.trim() || undefined);
  if (given !== undefined && !['http:', 'https:'].includes(URL.parse(given)?.protocol ?? '')) {
    throw new Misuse(
      `${url === undefined ? 'VITRINE_PUBLIC_URL' : '--url'} must be an address such as https://api.example.com`,
    );
  }
  return (given ?? `http://127.0.0.1:${process.env.VITRINE_PORT?.trim() || 8080}`).replace(
    /\/+$/,
    '',
  );
}

/** Whether an address is of this machine. */
export function isHere(address: string): boolean {
  return localHosts.test(new URL(address).hostname);
}

/** The folder that a service on this machine keeps its data in. */
export function dataFolder(): string {
  return resolve(process.env.VITRINE_DATA?.trim() || './data');
}

/**
 * The operator's token; throws Failure where none is known. That of the data folder is sent only to what the environment says is this
 * installation's own service, or to this machine.
 */
export function tokenOf({ token, url }: ServiceOptions, address: string): string {
  const given = token ?? process.env.VITRINE_OPERATOR_TOKEN?.trim();
  if (given) return given;
  if (url !== undefined && !isHere(address)) {
    throw new Failure(
      `The operator's token for ${address} is not known: give it by --token or VITRINE_OPERATOR_TOKEN.`,
    );
  }
  const file = join(dataFolder(), 'operator-token');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new Failure(
      `The operator's token is not known: there is none at ${file}. Start the service there (npm run serve), name its data folder by VITRINE_DATA, or give the token by --token or VITRINE_OPERATOR_TOKEN.`,
    );
  }
}

/** Finds the service that the options and the environment name. */
export function serviceOf(options: ServiceOptions): Service {
  const address = addressOf(options);
  return { address, token: tokenOf(options, address) };
}

/** Asks the service; throws Failure where no answer comes. The status is for the caller to judge. */
export async function ask(
  { address, token }: Service,
  method: string,
  path: string,
  { body, waitMilliseconds }: { readonly body?: unknown; readonly waitMilliseconds?: number } = {},
): Promise<RawAnswer> {
  const response = await open({ address, token }, method, path, { body, waitMilliseconds });
  try {
    return { status: response.status, text: await response.text(), headers: response.headers };
  } catch (error) {
    throw unanswered(error, method, address);
  }
}

/** Asks the service and leaves its answer unread. */
export async function open(
  { address, token }: Service,
  method: string,
  path: string,
  {
    body,
    waitMilliseconds,
  }: { readonly body?: unknown; readonly waitMilliseconds?: number | undefined } = {},
): Promise<Response> {
  const wait =
    waitMilliseconds ?? (method === 'GET' ? answerMilliseconds.GET : answerMilliseconds.change);
  try {
    return await fetch(address + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(wait),
    });
  } catch (error) {
    throw unanswered(error, method, address);
  }
}

/** The value of a good answer, undefined for one without a body; throws Failure in the service's own words for every other. */
export function answerFrom<Value>(
  { status, text }: Pick<RawAnswer, 'status' | 'text'>,
  address: string,
  fields: readonly string[],
): Value {
  const value = parsed(text);
  if (status === 200 && (value !== undefined || text === '')) return value as Value;
  throw refusal(status, text, address, fields);
}

/** An answer that is no good one, in the service's own words, a line for each failing rule of `fields`. */
export function refusal(
  status: number,
  text: string,
  address: string,
  fields: readonly string[] = [],
): Failure {
  const said = reasonOf(status, text);
  if (status === 401 || status === 403)
    return new Failure(`The operator's token was not accepted by ${address}: ${said}.`);
  if (status < 400)
    return new Failure(
      `What answers at ${address} is not this service: it answered ${status} with no JSON.`,
    );
  return new Failure(rulesOf(said, fields).join('\n'));
}

/** What an answer gives as its reason. */
export function reasonOf(status: number, text: string): string {
  const error = parsed(text)?.error;
  return typeof error === 'string'
    ? error
    : `the service answered ${status}: ${text.slice(0, 200)}`;
}

/** The failing rules that one text lists, each of which begins with the name of a field; values between commas stay together. */
function rulesOf(text: string, fields: readonly string[]): string[] {
  return text.split(new RegExp(`, (?=(?:${[...fields, 'and more$'].join('|')})(?:[ .[]|$))`));
}

/** The object that a text is as JSON, undefined where it is none. */
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

/** Says why no answer came. */
function unanswered(error: unknown, method: string, address: string): Failure {
  const { origin } = new URL(address);
  if ((error as Error).name === 'TimeoutError')
    return new Failure(`The service at ${origin} took too long to answer.`);
  return connectionFailure(
    causeOf(error),
    origin,
    method === 'GET' ? 'and no answer came' : 'and what was asked may have been done or not',
  );
}

/** The error of the connection that an error of `fetch` holds. */
export function causeOf(error: unknown): NodeJS.ErrnoException {
  return ((error as Error).cause ?? error) as NodeJS.ErrnoException;
}

/** Says why there is no connection to `origin`; `outcome` is what that means for what was asked. */
export function connectionFailure(
  { code, message }: NodeJS.ErrnoException,
  origin: string,
  outcome: string,
): Failure {
  if (
    [
      'ECONNREFUSED',
      'ENOTFOUND',
      'EAI_AGAIN',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'ETIMEDOUT',
      'UND_ERR_CONNECT_TIMEOUT',
    ].includes(code ?? '')
  ) {
    const advice = isHere(origin)
      ? 'Start one here with "npm run serve" ("npm start" brings demonstration data), or name another by --url.'
      : 'See that it runs there and that nothing is in the way, or name another by --url.';
    return new Failure(`No service answers at ${origin}. ${advice}`);
  }
  return new Failure(`The connection to ${origin} broke, ${outcome}: ${message || code}.`);
}

/** Runs what a command does, and says in words what ends it before its end. */
export async function endWell(
  command: Command,
  work: () => Promise<number | undefined>,
): Promise<void> {
  // Who reads only the beginning, as "head" does, has all that was wanted.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? exitCodes.done : exitCodes.failed),
  );
  try {
    process.exitCode = (await work()) ?? exitCodes.done;
  } catch (error) {
    if (error instanceof Misuse) command.error(`error: ${error.message}`);
    if (!(error instanceof Failure) && !(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exitCode = exitCodes.failed;
  }
}
