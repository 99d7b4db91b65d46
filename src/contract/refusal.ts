import type { RuleFailures } from './endpoint.ts';

/** The statuses of refusals. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 416 | 422 | 429 | 503;

/** A refusal of a request, thrown by an operation; the client reads the message. */
export class Refusal extends Error {
  readonly status: RefusalStatus;
  readonly headers: Readonly<Record<string, string>>;
  /** Further fields of the answer's body. */
  readonly detail: Readonly<Record<string, unknown>>;

  constructor(
    status: RefusalStatus,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    detail: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.headers = headers;
    this.detail = detail;
  }
}

/**
 * Refuses with 400 a request that breaks a rule only after the rules were checked, because another
 * request changed the records in the meantime.
 */
export function refuse(failures: RuleFailures): void {
  const texts = [failures ?? []].flat();
  if (texts.length > 0) throw new Refusal(400, texts.join(', '));
}

/** Refuses with 404 because a record does not exist, as in `notFound('organisation')`. */
export function notFound(record: string): Refusal {
  return new Refusal(404, `there is no such ${record}`);
}

/** Rounded up to whole seconds, so that a client that waits this long is admitted. */
export function retryAfterSeconds(millisecondsLeft: number): number {
  return Math.max(1, Math.ceil(millisecondsLeft / 1000));
}
