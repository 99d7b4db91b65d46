/** The errors that a client throws. */

/** Anything that went wrong between the client and the service. */
export class VitrineError extends Error {
  override readonly name: string = 'VitrineError';
  /** The operation that was called. */
  readonly operation: string;
  /** The number of attempts. */
  readonly attempts: number;

  constructor(operation: string, attempts: number, text: string, options?: ErrorOptions) {
    const tries = attempts > 1 ? ` (after ${attempts} attempts)` : '';
    super(`${operation}: ${text}${tries}`, options);
    this.operation = operation;
    this.attempts = attempts;
  }
}

/** A refusal as it arrived. */
type Refusal = {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly retryAfterSeconds: number | undefined;
};

/** The service refused a request, or failed. Each status that it answers has a class below. */
export class RefusedError extends VitrineError {
  override readonly name: string = 'RefusedError';
  readonly status: number;
  /** Every rule that the request breaks, each with the path of its field. */
  readonly reasons: readonly string[];
  /** Quote it when you ask the operator for help. */
  readonly requestId: string | undefined;
  /** Seconds until the same request may succeed, if the service states them. */
  readonly retryAfterSeconds: number | undefined;

  constructor(operation: string, attempts: number, refusal: Refusal) {
    const { status, text, headers, retryAfterSeconds } = refusal;
    const said = textOf(text);
    const shown = said || redirectOf(refusal) || 'without a reason in JSON';
    super(operation, attempts, `${status} ${shown}${quoted(headers)}`);
    this.status = status;
    // No rule contains a comma.
    this.reasons = said === '' ? [] : said.split(', ');
    this.requestId = requestIdOf(headers);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * A redirect to another address. The client does not follow it, and does not send its key there.
 */
export class RedirectedError extends RefusedError {
  override readonly name = 'RedirectedError';
}

/** 400: the request breaks rules; `reasons` has them all. */
export class InvalidRequestError extends RefusedError {
  override readonly name = 'InvalidRequestError';
}

/** 401: the key is missing, unknown, revoked or past its end. */
export class UnauthenticatedError extends RefusedError {
  override readonly name = 'UnauthenticatedError';
}

/** 403: the key may not do this. */
export class ForbiddenError extends RefusedError {
  override readonly name = 'ForbiddenError';
}

/** 404: the operation or its object does not exist. */
export class NotFoundError extends RefusedError {
  override readonly name = 'NotFoundError';
}

/** 408: the request arrived too slowly. */
export class SlowRequestError extends RefusedError {
  override readonly name = 'SlowRequestError';
}

/** 409: something else is going on, such as the same change. */
export class ConflictError extends RefusedError {
  override readonly name = 'ConflictError';
}

/** 413: the request is too large. */
export class TooLargeError extends RefusedError {
  override readonly name = 'TooLargeError';
}

/** 415: the body is of a type that the service does not read. */
export class MediaTypeError extends RefusedError {
  override readonly name = 'MediaTypeError';
}

/** 422: the idempotency key belongs to another request. */
export class ReusedKeyError extends RefusedError {
  override readonly name = 'ReusedKeyError';
}

/** 429: a limit of the key is reached; `retryAfterSeconds` says until when. */
export class LimitError extends RefusedError {
  override readonly name = 'LimitError';
}

/** 500: the service failed. */
export class ServiceError extends RefusedError {
  override readonly name = 'ServiceError';
}

/** 503: the service is busy, starts or stops. */
export class UnavailableError extends RefusedError {
  override readonly name = 'UnavailableError';
}

const refusals: Readonly<Record<number, typeof RefusedError>> = {
  // A browser reveals no more about a redirect.
  0: RedirectedError,
  301: RedirectedError,
  302: RedirectedError,
  303: RedirectedError,
  307: RedirectedError,
  308: RedirectedError,
  400: InvalidRequestError,
  401: UnauthenticatedError,
  403: ForbiddenError,
  404: NotFoundError,
  408: SlowRequestError,
  409: ConflictError,
  413: TooLargeError,
  415: MediaTypeError,
  422: ReusedKeyError,
  429: LimitError,
  500: ServiceError,
  503: UnavailableError,
};

/** The error of a refusal, in the class of its status. */
export function refusedError(operation: string, attempts: number, refusal: Refusal): RefusedError {
  return new (refusals[refusal.status] ?? RefusedError)(operation, attempts, refusal);
}

/** An answer arrived that the client cannot read, such as the page of a proxy. */
export class AnswerError extends VitrineError {
  override readonly name = 'AnswerError';
  /** Quote it when you ask the operator for help. */
  readonly requestId: string | undefined;

  constructor(
    operation: string,
    attempts: number,
    text: string,
    headers: Headers,
    options: ErrorOptions,
  ) {
    super(operation, attempts, `${text}${quoted(headers)}`, options);
    this.requestId = requestIdOf(headers);
  }
}

/** No answer came: the connection failed, or the service took too long. See `cause`. */
export class ConnectionError extends VitrineError {
  override readonly name = 'ConnectionError';
}

/** A report could not be made. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
  readonly reportId: string;

  constructor(reportId: string, reason: string) {
    super(`the report ${reportId} failed: ${reason}`);
    this.reportId = reportId;
  }
}

/** The text of an error body; a proxy may have sent something else. */
function textOf(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    return typeof error === 'string' ? error : '';
  } catch {
    return '';
  }
}

/** The target of a redirect, which a browser hides. */
function redirectOf({ status, headers }: Refusal): string {
  if (refusals[status] !== RedirectedError) return '';
  const to = headers.get('location');
  const place = to === null ? '' : ` to ${to}`;
  return `a redirect${place}, which is not followed: check the setting url`;
}

/** The id of the request, which the service gives to each answer. */
export function requestIdOf(headers: Headers): string | undefined {
  return headers.get('x-request-id') ?? undefined;
}

function quoted(headers: Headers): string {
  const id = requestIdOf(headers);
  return id === undefined ? '' : ` [request ${id}]`;
}
