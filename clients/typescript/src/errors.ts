/** The errors that a client throws. */

/** Anything that went wrong between the client and the service. */
export class VitrineError extends Error {
  override readonly name: string = 'VitrineError';
  /** The operation that was called. */
  readonly operation: string;
  /** How often the request was sent. */
  readonly attempts: number;

  constructor(operation: string, attempts: number, text: string, options?: ErrorOptions) {
    const tries = attempts > 1 ? ` (after ${attempts} attempts)` : '';
    super(`${operation}: ${text}${tries}`, options);
    this.operation = operation;
    this.attempts = attempts;
  }
}

/** The service refused a request, or failed. */
export class RefusedError extends VitrineError {
  override readonly name = 'RefusedError';
  readonly status: number;
  /** Every rule that the request breaks, each with the path of its field. */
  readonly reasons: readonly string[];
  /** Quote it when you ask the operator for help. */
  readonly requestId: string | undefined;
  /** Seconds until the same request may succeed, where the service says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    operation: string,
    attempts: number,
    answer: {
      readonly status: number;
      readonly text: string;
      readonly requestId: string | undefined;
      readonly retryAfterSeconds: number | undefined;
    },
  ) {
    const { status, text, requestId, retryAfterSeconds } = answer;
    const said = textOf(text);
    const id = requestId === undefined ? '' : ` [request ${requestId}]`;
    super(operation, attempts, `${status} ${said}${id}`);
    this.status = status;
    // No rule contains a comma.
    this.reasons = said === '' ? [] : said.split(', ');
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No answer came: the connection failed, or the service took too long. `cause` says more. */
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
