/** Runs programs that ask and wait in place, as spreadsheets do, against a service that listens. */
import assert from 'node:assert/strict';

const requestsMax = 60;

/** A request of a program. */
export type ReplayedRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
};

/** Its answer. */
export type ReplayedAnswer = { readonly status: number; readonly text: string };

/** Answers a request at once. */
export type Ask = (request: ReplayedRequest) => ReplayedAnswer;

class Unanswered extends Error {
  readonly request: ReplayedRequest;

  constructor(request: ReplayedRequest) {
    super(`${request.method} ${request.url} has no answer yet`);
    this.request = request;
  }
}

/**
 * Runs a program until it asks something new, sends that request, and runs it again from the start.
 * Returns the result and the requests in their order.
 */
export async function replayed<Result>(
  run: (ask: Ask) => Result,
): Promise<{ readonly result: Result; readonly requests: readonly ReplayedRequest[] }> {
  const answers = new Map<string, ReplayedAnswer>();
  const requests: ReplayedRequest[] = [];
  for (;;) {
    try {
      const ask: Ask = (request) => {
        const answer = answers.get(JSON.stringify(request));
        if (answer === undefined) throw new Unanswered(request);
        return answer;
      };
      return { result: run(ask), requests };
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      const { request } = error;
      requests.push(request);
      assert.ok(requests.length <= requestsMax, `more than ${requestsMax} requests`);
      answers.set(JSON.stringify(request), await sent(request));
    }
  }
}

/** Sends a request. */
export async function sent({
  method,
  url,
  headers,
  body,
}: ReplayedRequest): Promise<ReplayedAnswer> {
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  return { status: answer.status, text: await answer.text() };
}
