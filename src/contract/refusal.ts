/** The statuses with which an operation refuses what it was asked. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 416 | 422 | 429 | 503;

/** What an operation throws to refuse; the message goes to the client, so it is in words that the client can act on. */
export class Refusal extends Error {
  readonly status: RefusalStatus;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: RefusalStatus,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.headers = headers;
  }
}
