/** From what was thrown to what the client is told. */

import { Refusal } from '../contract/refusal.ts';
import type { ErrorBody } from '../contract/shapes.ts';
import { DeadlineExceeded, RequestAbandoned, StoreUnavailable } from '../engine/errors.ts';

/** An error as it is answered. */
export type ErrorAnswer = {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it is the service's own failure, whose cause belongs in the log. */
  readonly isOurs: boolean;
};

/** The body of an error. */
export function errorBody(text: string): ErrorBody {
  return { status: 'error', error: text };
}

/** What a thrown value is answered with; nothing of the inside is said. */
export function answerToError(error: unknown): ErrorAnswer {
  if (error instanceof Refusal)
    return {
      status: error.status,
      text: error.message,
      headers: error.headers,
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
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, text: 'the body must not be larger than 1 MiB' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    text: 'the header content-type must be application/json',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    text: 'the body is not as long as the header content-length says',
  },
  BODY_NOT_JSON: { status: 400, text: 'the body is not valid JSON' },
  FST_ERR_BAD_URL: { status: 400, text: 'the path is not properly encoded' },
};

/**
 * An error for the log: what and where, without the fields in which drivers repeat the values that they were given. Where a message
 * repeats them it loses keys, tokens, e-mail addresses and the texts of `given`, which is what the client sent.
 */
export function loggedError(error: unknown, given: unknown = undefined): LoggedError {
  const texts = textsOf(given);
  const told = (text: string) =>
    texts.reduce(
      (rest, one) => rest.replaceAll(one, withheld),
      text.replaceAll(keysAndAddresses, withheld),
    );
  const tell = (one: unknown): LoggedError => {
    if (!(one instanceof Error)) return { type: typeof one, message: '', stack: '' };
    const { code } = one as { code?: unknown };
    return {
      type: one.name,
      message: told(one.message),
      stack: told(one.stack ?? ''),
      ...(code !== undefined && { code }),
      ...(one.cause !== undefined && { cause: tell(one.cause) }),
    };
  };
  return tell(error);
}

const withheld = '(withheld)';
const keysAndAddresses = /vit_[a-z]+_[\w-]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
/** Shorter texts are words that a message has of its own. */
const givenLengthMin = 6;
const givenTextsMax = 1_000;

/** The texts of a request, the longest first; a walk without recursion, because a body may be nested deeper than calls can be. */
function textsOf(given: unknown): string[] {
  const texts = new Set<string>();
  const left = [given];
  while (left.length > 0 && texts.size < givenTextsMax) {
    const one = left.pop();
    if (typeof one === 'string' && one.length >= givenLengthMin) texts.add(one);
    // A stream is not walked through.
    else if (typeof one === 'object' && one !== null && !('pipe' in one))
      left.push(...Object.values(one).slice(0, givenTextsMax));
  }
  return [...texts].sort((a, b) => b.length - a.length);
}

type LoggedError = {
  type: string;
  message: string;
  stack: string;
  code?: unknown;
  cause?: LoggedError;
};
