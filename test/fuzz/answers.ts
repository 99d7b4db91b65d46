/** Sends drafts and checks that each answer is one that the description promises. */
import { randomInt } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { Contract } from '../../src/contract/endpoint.ts';
import { operatorIntroduction, publicIntroduction } from '../../src/contract/introductions.ts';
import type { JsonSchema } from '../../src/contract/jsonSchema.ts';
import type { Introduction } from '../../src/contract/openapi.ts';
import type { World } from '../harness.ts';
import { knownMax, references } from './values.ts';

/** A request before the identifiers of this world are filled in. */
export type Draft = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
};
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
};

/** An operation under test. */
export type Target = {
  readonly contract: Contract;
  readonly introduction: Introduction;
  /** How many of its requests there are for one of another operation's. */
  readonly weight: number;
  /** Identifiers that requests may name, by the name of their field. */
  readonly known: Map<string, string[]>;
  readonly credential: Readonly<Record<string, string>>;
  readonly isWhole: (answer: unknown) => boolean;
};

/** Is in every record of the other organisation. */
export const marker = 'belongs-to-somebody-else';
const answerMilliseconds = 5 * 60_000;

function filled(text: string, known: Target['known'], write: (value: string) => string): string {
  return text.replaceAll(references, (_, name: string, index: string) => {
    const values = known.get(namesOf[name] ?? name) ?? [];
    return write(values.length === 0 ? `unknown-${index}` : values[Number(index) % values.length]!);
  });
}

/** Fields that hold an identifier under another name. */
const namesOf: Readonly<Record<string, string>> = {
  id: 'groupId',
  channelIds: 'channelId',
  subject: 'userId',
};

export function ready(draft: Draft, known: Target['known']): Draft {
  const { body } = draft;
  return {
    ...draft,
    path: filled(draft.path, known, encodeURIComponent),
    headers: Object.fromEntries(
      Object.entries(draft.headers).map(([name, value]) => [
        name,
        filled(value, known, (text) => text),
      ]),
    ),
    body:
      typeof body === 'string'
        ? filled(body, known, (value) => JSON.stringify(value).slice(1, -1))
        : body,
  };
}

export async function send({ server }: World, { method, path, headers, body }: Draft) {
  const response = await server.inject({
    method: method as 'GET',
    url: path,
    headers,
    remoteAddress: addressOf(path),
    ...(body !== undefined && { payload: typeof body === 'string' ? body : Buffer.from(body) }),
  });
  const isPacked = response.headers['content-encoding'] === 'gzip';
  return {
    status: response.statusCode,
    headers: response.headers,
    body: isPacked ? gunzipSync(response.rawPayload).toString() : response.body,
  };
}

/** An address; the account pages limit what one address may try, so their requests have many. */
function addressOf(path: string): string {
  if (!path.startsWith('/account')) return '127.0.0.1';
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
}

/** Statuses for requests that are not valid HTTP or match no route. */
const statusesOfBroken = [400, 404, 405, 408, 413, 414, 415, 431];

/** The fault of an answer, if any. */
export function wrongWith(
  { contract, introduction, isWhole }: Target,
  sent: Draft,
  { status, headers, body }: Answer,
): string | undefined {
  const errors = Object.keys(introduction.errors(contract)).map(Number);
  const described = [200, ...errors.filter((one) => one < 500), ...statusesOfBroken];
  if (!described.includes(status))
    return `status ${status} is not described: ${body.slice(0, 300)}`;
  if (introduction !== operatorIntroduction && (body + JSON.stringify(headers)).includes(marker))
    return `shows what belongs to another: ${body.slice(0, 300)}`;
  if (status === 200) {
    if (sent.method !== contract.method) return 'answers a method that it has not';
    if ((contract.answer as JsonSchema).type === 'void')
      return body === '' ? undefined : `has a body: ${body.slice(0, 300)}`;
    if (contract.streamedTypes !== undefined) {
      const type = String(headers['content-type']).split(';')[0]!;
      const isPromised = Object.values(contract.streamedTypes).includes(type);
      return isPromised ? undefined : `is of the type ${type}`;
    }
    return isWhole(JSON.parse(body))
      ? undefined
      : `is not what the contract promises: ${body.slice(0, 300)}`;
  }
  if (!String(headers['content-type']).startsWith('application/json'))
    return `an error of the type ${headers['content-type']}`;
  const { status: word, error, ...others } = JSON.parse(body) as Record<string, unknown>;
  // An import that accepted nothing also answers with its counts, and a sign-in that lacks the code
  // of the second factor says so.
  const hasFields =
    (contract.stream !== undefined && status === 422) ||
    (status === 401 && others.codeRequired === true);
  const isError =
    word === 'error' &&
    typeof error === 'string' &&
    error !== '' &&
    (hasFields || Object.keys(others).length === 0);
  return isError ? undefined : `is not the body of an error: ${body.slice(0, 300)}`;
}

/** Records the identifiers in an answer, so that later requests name existing records. */
export function learn(
  { contract, known, introduction }: Pick<Target, 'contract' | 'known' | 'introduction'>,
  body: string,
): void {
  if (body === '' || contract.streamedTypes !== undefined) return;
  for (const [name, value] of identifiers(JSON.parse(body), '')) {
    // Public requests choose their channels elsewhere, so that most name one within reach.
    if (introduction !== publicIntroduction || !(name === 'channelId' || name === 'merchantId'))
      record(known, name, value);
  }
}

export function record(known: Target['known'], name: string, value: string): void {
  const values = known.get(name) ?? [];
  if (!values.includes(value)) values.push(value);
  if (values.length > knownMax) values.shift();
  known.set(name, values);
}

/** Drops the identifiers of a deleted record. */
export function unlearn(known: Target['known'], path: string): void {
  // Identifiers that are learned need no encoding.
  const named = path.replace(/\?.*/, '').split('/');
  for (const [name, values] of known)
    if (name !== 'merchantId') {
      const left = values.filter((value) => !named.includes(value));
      known.set(name, left);
    }
}

function identifiers(value: unknown, name: string): [string, string][] {
  if (Array.isArray(value)) return value.slice(0, 20).flatMap((entry) => identifiers(entry, name));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([inner, one]) => identifiers(one, inner));
  return /^\w+Id$/.test(name) && (typeof value === 'string' || typeof value === 'number')
    ? [[name, String(value)]]
    : [];
}

export async function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const lateness = new Error(`no answer within ${answerMilliseconds} ms`);
  const timer = setTimeout(() => late.reject(lateness), answerMilliseconds);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A request as it can be sent again. */
export function shown({ method, path, headers, body }: Draft): string {
  const { 'x-api-key': _, authorization: __, cookie: ___, ...others } = headers;
  const text =
    body === undefined || typeof body === 'string'
      ? body
      : `base64 ${Buffer.from(body).toString('base64')}`;
  return `${method} ${path.slice(0, 600)} ${JSON.stringify(others)} ${JSON.stringify(text)?.slice(0, 1_500) ?? 'without a body'}`;
}
