/** Errors as clients get them, and as they are logged. */

import { reasonLengthMax } from '../contract/account.ts';
import { Refusal } from '../contract/refusal.ts';
import type { ErrorBody } from '../contract/shapes.ts';
import { DeadlineExceeded, RequestAbandoned, StoreUnavailable } from '../engine/errors.ts';

/** An error as it is answered. */
export type ErrorAnswer = {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Further fields of the body. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** Whether the service itself failed, so that the cause belongs in the log. */
  readonly isOurs: boolean;
};

/** The body of an error. */
export function errorBody(text: string): ErrorBody {
  return { status: 'error', error: text };
}

/** The answer to a thrown value; it reveals nothing internal. */
export function answerToError(error: unknown): ErrorAnswer {
  if (error instanceof Refusal)
    return {
      status: error.status,
      text: error.message,
      headers: error.headers,
      detail: error.detail,
      isOurs: error.status >= 500,
    };
  if (error instanceof StoreUnavailable) {
    return ours(503, 'the service cannot reach its data at the moment, please try again shortly', {
      'retry-after': '5',
    });
  }
  if (error instanceof DeadlineExceeded)
    return ours(503, 'the answer took too long, please ask for a shorter period or fewer rows');
  if (error instanceof RequestAbandoned)
    return { status: 499, text: 'the request was abandoned', headers: {}, isOurs: false };
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  const known = textsByCode[String(code)];
  if (known !== undefined) return { ...known, headers: {}, isOurs: false };
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return { status: statusCode, text: 'the request cannot be read', headers: {}, isOurs: false };
  }
  return ours(
    500,
    'something went wrong on our side; the x-request-id of this answer helps us to find out what',
  );
}

function ours(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): ErrorAnswer {
  return { status, text, headers, isOurs: true };
}

const textsByCode: Readonly<Record<string, { status: number; text: string }>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    text: 'the header content-type must be application/json',
  },
  FST_ERR_BAD_URL: { status: 400, text: 'the path is not properly encoded' },
};

/** An error in a form that is safe to log. */
export class LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: unknown;
  readonly cause?: LoggedError;

  constructor(error: unknown, clean: (text: string) => string) {
    const isError = error instanceof Error;
    this.type = isError ? error.name : typeof error;
    this.message = isError ? clean(error.message) : '';
    this.stack = isError ? clean(error.stack ?? '') : '';
    if (!isError) return;
    const { code } = error as { code?: unknown };
    if (code !== undefined) this.code = code;
    if (error.cause !== undefined) this.cause = new LoggedError(error.cause, clean);
  }
}

/**
 * An error for the log: what happened and where. It leaves out the fields in which drivers repeat
 * values, and removes keys, tokens, the credentials of addresses, e-mail
 * addresses and the texts of `sent`, the client's request,
 * from messages.
 */
export function loggedError(error: unknown, sent: unknown = undefined): LoggedError {
  if (error instanceof LoggedError) return error;
  const texts = textsOf(sent);
  const clean = (text: string) =>
    texts.reduce(
      (rest, one) => rest.replaceAll(one, withheld),
      text.replaceAll(keysAndAddresses, withheld),
    );
  return new LoggedError(error, clean);
}

/**
 * The message of an error as the account pages show it later: without keys, e-mail addresses and
 * the texts of `sent`, the client's request, and cut to a length.
 */
export function shownReason(text: string, sent: unknown): string {
  const reason = textsOf(sent)
    .filter((one) => text.includes(one))
    // Whole words only: the start of a name that the message lists may be a mistyped value.
    .map(
      (one) => new RegExp(`(?<!\\w)${one.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?!\\w)`, 'g'),
    )
    .concat(keysAndAddresses)
    .reduce((rest, one) => rest.replaceAll(one, withheld), text);
  return reason.length > reasonLengthMax ? `${reason.slice(0, reasonLengthMax - 1)}…` : reason;
}

const withheld = '(withheld)';
const keysAndAddresses =
  /vit_[a-z]+_[\w-]+|(?<=:\/\/)[^\s/@]+@[\w.:-]+|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
/** Shorter texts are also words of the messages themselves. */
const sentLengthMin = 6;
const sentTextsMax = 1_000;

/**
 * The texts of a request, the longest first. Not recursive: bodies may be nested too deeply for
 * that.
 */
function textsOf(sent: unknown): string[] {
  const texts = new Set<string>();
  const left = [sent];
  while (left.length > 0 && texts.size < sentTextsMax) {
    const one = left.pop();
    if (typeof one === 'string' && one.length >= sentLengthMin) texts.add(one);
    // Streams are skipped.
    else if (typeof one === 'object' && one !== null && !('pipe' in one))
      left.push(...Object.values(one).slice(0, sentTextsMax));
  }
  return [...texts].sort((a, b) => b.length - a.length);
}
