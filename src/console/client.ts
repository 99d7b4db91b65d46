/** Calls the account API, typed by its contracts. Only types are imported, which add no code. */

import type { passwordLengthMin as LengthMin } from '../contract/account.ts';
import type { AnswerOf, Contract, InputOf } from '../contract/endpoint.ts';
import type * as access from '../endpoints/account/access/contract.ts';
import type * as keys from '../endpoints/account/keys/contract.ts';
import type * as members from '../endpoints/account/members/contract.ts';
import type * as password from '../endpoints/account/password/contract.ts';
import type * as passwordLink from '../endpoints/account/passwordLink/contract.ts';
import type * as profile from '../endpoints/account/profile/contract.ts';
import type * as requests from '../endpoints/account/requests/contract.ts';
import type * as secondFactor from '../endpoints/account/secondFactor/contract.ts';
import type * as session from '../endpoints/account/session/contract.ts';
import type * as sessions from '../endpoints/account/sessions/contract.ts';
import type * as usage from '../endpoints/account/usage/contract.ts';
import { type Partly, requestAt } from './request.ts';

type Modules = typeof access &
  typeof keys &
  typeof members &
  typeof password &
  typeof passwordLink &
  typeof profile &
  typeof requests &
  typeof secondFactor &
  typeof session &
  typeof sessions &
  typeof usage;
/** The contracts among what the modules export. */
type Contracts = {
  readonly [Name in keyof Modules as Modules[Name] extends Contract ? Name : never]: Modules[Name];
};
/** An operation of the account interface. */
export type Operation = keyof Contracts;
/** The answer of an operation. */
export type Answer<Name extends Operation> = AnswerOf<Contracts[Name]>;

type Asked<Name extends Operation> = InputOf<Contracts[Name]>;
/** The input of an operation, if it takes any; fields of a query may be absent. */
export type Arguments<Name extends Operation> =
  unknown extends Asked<Name>
    ? []
    : Contracts[Name] extends { readonly query: unknown }
      ? [Partly<Asked<Name>>]
      : [Asked<Name>];

/** Minimum length of a new password. */
export const passwordLengthMin: typeof LengthMin = 12;

const routes: {
  readonly [Name in Operation]: `${Contracts[Name]['method']} ${Contracts[Name]['path']}`;
} = {
  signIn: 'POST /account/session',
  readSession: 'GET /account/session',
  signOut: 'DELETE /account/session',
  confirmPassword: 'POST /account/session/confirmation',
  listSessions: 'GET /account/sessions',
  endSession: 'DELETE /account/sessions/{sessionId}',
  endOtherSessions: 'DELETE /account/sessions',
  changePassword: 'PUT /account/password',
  readPasswordLink: 'POST /account/passwordLink',
  usePasswordLink: 'PUT /account/passwordLink',
  readSecondFactor: 'GET /account/secondFactor',
  enrolSecondFactor: 'POST /account/secondFactor',
  confirmSecondFactor: 'PUT /account/secondFactor',
  removeSecondFactor: 'DELETE /account/secondFactor',
  renewRecoveryCodes: 'POST /account/secondFactor/recoveryCodes',
  readAccess: 'GET /account/access',
  revealKey: 'POST /account/keys/{keyId}/reveal',
  makeKey: 'POST /account/keys',
  changeMadeKey: 'PATCH /account/keys/{keyId}',
  revokeMadeKey: 'DELETE /account/keys/{keyId}',
  readUsage: 'GET /account/usage',
  listRecentRequests: 'GET /account/requests',
  readProfile: 'GET /account/profile',
  changeProfile: 'PATCH /account/profile',
  listMembers: 'GET /account/members',
  inviteMember: 'POST /account/members',
  changeMember: 'PATCH /account/members/{userId}',
  renewInvitation: 'POST /account/members/{userId}/invitation',
  removeMember: 'DELETE /account/members/{userId}',
};

/** A failed call; its message can be shown to the user. */
export class Refused extends Error {
  /** Status of the answer; 0 without an answer. */
  readonly status: number;
  /** Whether the code of the second factor is missing or wrong. */
  readonly needsCode: boolean;
  /** Whether the password must be entered again first. */
  readonly needsPassword: boolean;
  /** Whether the user must set up a second factor first. */
  readonly needsSecondFactor: boolean;
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined;

  constructor(
    status: number,
    message: string,
    {
      needsCode = false,
      needsPassword = false,
      needsSecondFactor = false,
      requestId,
    }: {
      readonly needsCode?: boolean;
      readonly needsPassword?: boolean;
      readonly needsSecondFactor?: boolean;
      readonly requestId?: string | undefined;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.needsCode = needsCode;
    this.needsPassword = needsPassword;
    this.needsSecondFactor = needsSecondFactor;
    this.requestId = requestId;
  }
}

/** Calls an operation by its name; rejects with Refused. */
export async function ask<Name extends Operation>(
  name: Name,
  ...[asked]: Arguments<Name>
): Promise<Answer<Name>> {
  const { method, path, body = {} } = requestAt(routes[name], asked ?? {});
  const sent = Object.keys(body).length > 0 ? body : undefined;
  const { text } = await send(method, path, sent);
  return (text === '' ? undefined : JSON.parse(text)) as Answer<Name>;
}

/** The text of an answer, and its headers. */
export type Received = { readonly text: string; readonly headers: Headers };

/** Sends a request to this service; rejects with Refused. */
export async function send(
  method: string,
  path: string,
  body?: object,
  signal?: AbortSignal,
  accept = 'application/json',
  /** The token of an operator, in the place of the session. */
  token?: string,
): Promise<Received> {
  const request: RequestInit = {
    method,
    credentials: token === undefined ? 'same-origin' : 'omit',
    cache: 'no-store',
    headers: {
      accept,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
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

/** The refusal of an answer, by its status, its text and its headers. */
export function refusalOf(
  status: number,
  text: string,
  header: (name: string) => string | null,
): Refused {
  return new Refused(status, messageOf(status, text, header('retry-after')), {
    needsCode: /"codeRequired":true/.test(text),
    needsPassword: /"passwordRequired":true/.test(text),
    needsSecondFactor: /"secondFactorRequired":true/.test(text),
    requestId: header('x-request-id') ?? undefined,
  });
}

function messageOf(status: number, text: string, retryAfter: string | null): string {
  if (status === 429) return `Too many attempts. Try again ${waitOf(retryAfter)}.`;
  try {
    const { error } = JSON.parse(text) as { error: unknown };
    if (typeof error === 'string' && error !== '') return sentence(error);
  } catch {
    // An answer without JSON comes from a proxy in between.
  }
  return `Something went wrong (status ${status}). Try again in a moment.`;
}

function waitOf(retryAfter: string | null): string {
  const seconds = Number(retryAfter);
  if (!(seconds > 0)) return 'later';
  if (seconds < 60) return seconds <= 1 ? 'in a second' : `in ${Math.ceil(seconds)} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
}

/** Makes a sentence of an API error, which is worded as part of a list. */
function sentence(error: string): string {
  const text = error.replace(/^newPassword\b/, 'the new password');
  return `${text[0]!.toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;
}
