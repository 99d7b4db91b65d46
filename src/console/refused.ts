/** Refusals of the service in words for the reader. */

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
