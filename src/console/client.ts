/** Calls operations by their names. Types come from the contracts and add no code. */
import type { passwordLengthMin as LengthMin } from '../contract/account.ts';
import type { AnswerOf, Contract, InputOf } from '../contract/endpoint.ts';
import { type Contracts, routes } from './api.ts';
import { Refused, refusalOf } from './refused.ts';

/** The name of an operation. */
export type Operation = keyof Contracts;
/** The answer of an operation. */
export type Answer<Name extends Operation> = AnswerOf<Contracts[Name]>;
/** The input of an operation; but for changes of the account, its fields may be absent. */
export type Input<Name extends Operation> = InputFor<Contracts[Name]>;

type InputFor<C extends Contract> =
  unknown extends InputOf<C>
    ? Record<never, never>
    : [C['access'], C['method']] extends ['session' | 'open', Exclude<Contract['method'], 'GET'>]
      ? InputOf<C>
      : Partly<InputOf<C>>;

/** Shapes whose fields may all be absent. */
type Partly<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Field in keyof Value]?: Partly<Value[Field]> }
    : Value;

/** Calls one of several operations. */
export type Ask = <Name extends Operation>(
  name: Name,
  input?: Input<Name>,
  signal?: AbortSignal,
) => Promise<Answer<Name>>;

/** Minimum length of a new password. */
export const passwordLengthMin: typeof LengthMin = 12;

/** A request as the API takes it. */
export type ApiRequest = {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly body: object | undefined;
};

/** The request of an operation, with its input in the path, query or body. */
export function requestOf<Name extends Operation>(name: Name, input?: Input<Name>): ApiRequest {
  const [method, pattern] = routes[name].split(' ') as [string, string];
  const rest: Record<string, unknown> = { ...(input as object | undefined) };
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_match, field: string) => {
    const value = String(rest[field]);
    delete rest[field];
    return encodeURIComponent(value);
  });
  if (method !== 'GET') return { method, path, body: rest };
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(rest))
    for (const one of [value].flat()) if (one !== undefined) query.append(field, String(one));
  const text = query.toString();
  return { method, path: text === '' ? path : `${path}?${text}`, body: undefined };
}

/** How requests enter, and what is called once they may not enter any more. */
type Entrance = {
  readonly token?: string;
  readonly closed: (reason: string) => unknown;
  /** Called where the user must set up a second factor first. */
  readonly withoutFactor?: () => void;
};
const entrances: { account?: Entrance; operator?: Entrance } = {};

/**
 * Has the requests of an interface enter by a session or a token, which lives in the memory of the
 * page only. Without an entrance, the token is forgotten.
 */
export function enterBy(name: keyof typeof entrances, entrance?: Entrance): void {
  delete entrances[name];
  if (entrance) entrances[name] = entrance;
}

/** The token of the operator. */
export const operatorToken = (): string | undefined => entrances.operator?.token;

/** The interface of an operation: the account's, the operator's or the public one. */
export function interfaceOf(name: Operation): 'account' | 'operator' | 'public' {
  const [, found] = / \/(account|operator)\//.exec(routes[name]) ?? [];
  return (found as 'account' | 'operator' | undefined) ?? 'public';
}

/** The path at which a session calls public operations. */
const prefix = '/account/data';

/** An answer, and the warning that came with it: why something is missing. */
type Answered<Name extends Operation> = {
  readonly answer: Answer<Name>;
  readonly warning: string | undefined;
};

/** Calls an operation; rejects with Refused. */
export async function askFully<Name extends Operation>(
  name: Name,
  input?: Input<Name>,
  signal?: AbortSignal,
): Promise<Answered<Name>> {
  const { method, path, body } = requestOf(name, input);
  const interfaceName = interfaceOf(name);
  const address = interfaceName === 'public' ? prefix + path : path;
  const token = interfaceName === 'operator' ? operatorToken() : undefined;
  try {
    const { text, headers } = await send(method, address, { body, signal, token });
    return {
      // Some answers have no body.
      answer: (text === '' ? undefined : JSON.parse(text)) as Answer<Name>,
      warning: headers.get('vitrine-warning') ?? undefined,
    };
  } catch (error) {
    throw noticed(error as Refused, interfaceName);
  }
}

/** Calls an operation and returns its answer; rejects with Refused. */
export const ask: Ask = async (name, ...rest) => (await askFully(name, ...rest)).answer;

/** Notifies the entrance that a refusal closes. */
function noticed(refused: Refused, interfaceName: ReturnType<typeof interfaceOf>): Refused {
  const { status, needsCode, needsSecondFactor } = refused;
  if (interfaceName === 'operator') {
    const explained = explainedToOperator(refused);
    if (status === 401) entrances.operator?.closed(explained.message);
    return explained;
  }
  if (needsSecondFactor) entrances.account?.withoutFactor?.();
  if (status !== 401 || needsCode) return refused;
  // A plan that does not hold the operation is refused alike; the session shows which it was.
  if (interfaceName === 'public') ask('readSession').catch(() => undefined);
  else entrances.account?.closed(refused.message);
  return refused;
}

/** Says what to do about a token that is not accepted or may not do something. */
export function explainedToOperator(refused: Refused): Refused {
  const { status, message, requestId } = refused;
  const words: Readonly<Record<number, string>> = {
    401: 'This token is not accepted. Copy it again, or ask for one that is still valid.',
    403: `${message} Leave, and enter a token that may do this.`,
  };
  const text = words[status];
  return text === undefined ? refused : new Refused(status, text, { requestId });
}

/** Downloads the rows of a public answer as CSV. */
export async function askCsv({ method, path, body }: ApiRequest): Promise<string> {
  const { text, headers } = await send(method, prefix + path, { body, accept: 'text/csv' });
  if (!headers.get('content-type')?.startsWith('text/csv'))
    throw new Refused(0, 'This answer has no CSV form.');
  return text;
}

/** Downloads the file of a report by its link. */
export async function askFile(link: string, signal?: AbortSignal): Promise<string> {
  const { pathname, search } = new URL(link, location.href);
  return (await send('GET', pathname + search, { signal, accept: 'text/csv' })).text;
}

type Sent = {
  readonly body?: object | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly accept?: string;
  /** The token of an operator, in the place of the session. */
  readonly token?: string | undefined;
};

/** Sends a request to this service; rejects with Refused. */
async function send(
  method: string,
  path: string,
  { body, signal, accept = 'application/json', token }: Sent,
): Promise<{ readonly text: string; readonly headers: Headers }> {
  const request: RequestInit = {
    method,
    credentials: token === undefined ? 'same-origin' : 'omit',
    cache: 'no-store',
    headers: {
      accept,
      ...(body && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(path, request);
    text = await answer.text();
  } catch {
    throw new Refused(0, 'Cannot reach the service. Check your connection and try again.');
  }
  if (!answer.ok) throw refusalOf(answer.status, text, (name) => answer.headers.get(name));
  return { text, headers: answer.headers };
}
