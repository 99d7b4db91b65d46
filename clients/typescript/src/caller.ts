/** Calls operations: requests, retries, idempotency keys and kept answers. */
import { ConnectionError, RefusedError } from './errors.ts';
import { secondsOf, waitBefore } from './retries.ts';
import { type Clock, type Settings, systemClock } from './settings.ts';

/** Method, path and flags of an operation: K takes an Idempotency-Key, T answers with an ETag. */
export type Operation = readonly [method: string, path: string, flags?: string];

/** The paths to rows and total, the largest page, and the path to the options of the input. */
export type Paging = readonly [rows: string, total: string, sizeMax: number, options?: string];

/** The options of a call. */
export type CallOptions = {
  /** Ends the call, its waits included, with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** How long the service may take for this answer. */
  readonly timeoutMilliseconds?: number;
  /** The key of this change; a random one by default. Operations that only read ignore it. */
  readonly idempotencyKey?: string;
  /** The id of the request, which its answer and the log of the service carry. */
  readonly requestId?: string;
};

/** An answer as it arrived. */
export type RawAnswer = { readonly text: string; readonly headers: Headers };

type Request = {
  readonly name: string;
  readonly address: string;
  readonly init: RequestInit & { readonly headers: Record<string, string> };
  readonly options: CallOptions;
};

type Kept = RawAnswer & { readonly tag: string };

/** Calls operations by their names. */
export class Caller {
  readonly #settings: Settings;
  readonly #kept = new Map<string, Kept>();
  /** The timers of the client. */
  protected readonly clock: Clock;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.clock = settings.clock ?? systemClock;
  }

  /** Calls an operation and reads its answer as JSON. */
  protected async call<Answer>(
    name: string,
    operation: Operation,
    input: object,
    options: CallOptions = {},
  ): Promise<Answer> {
    const { text } = await this.ask(name, operation, input, options);
    return (text === '' ? undefined : JSON.parse(text)) as Answer;
  }

  /** Calls an operation; returns its answer as it arrived. */
  protected async ask(
    name: string,
    [method, path, flags = '']: Operation,
    input: object,
    options: CallOptions,
    accept = 'application/json',
  ): Promise<RawAnswer> {
    const { url, key, strict, keptAnswersMax = 0 } = this.#settings;
    const { address, body } = placed(method, path, input);
    const headers: Record<string, string> = { 'x-api-key': key, accept };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (strict === true) headers.prefer = 'handling=strict';
    if (options.requestId !== undefined) headers['x-request-id'] = options.requestId;
    // Each attempt carries the same key, so that the change is made once.
    if (flags.includes('K')) headers['idempotency-key'] = options.idempotencyKey ?? randomKey();
    const isKept = flags.includes('T') && keptAnswersMax > 0;
    const place = isKept ? [accept, method, address, body].join('\n') : '';
    const known = this.#kept.get(place);
    if (known) headers['if-none-match'] = known.tag;
    const init = { method, headers, ...(body !== undefined && { body }) };
    const request = { name, address: url.replace(/\/+$/, '') + address, init, options };
    const answer = await this.send(request, (response) => response.text());
    if (answer.status === 304 && known) {
      this.#keep(place, known, keptAnswersMax);
      return known;
    }
    const { headers: answered, read: text } = answer;
    const tag = answered.get('etag');
    if (isKept && tag !== null) this.#keep(place, { tag, text, headers: answered }, keptAnswersMax);
    return { text, headers: answered };
  }

  /** Keeps an answer, and drops the one that was not used for the longest time. */
  #keep(place: string, answer: Kept, max: number): void {
    this.#kept.delete(place);
    this.#kept.set(place, answer);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > max && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Sends a request until it succeeds, is refused for good, or was sent often enough. */
  protected async send<Read>(
    request: Request,
    read: (response: Response) => Promise<Read>,
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly read: Read }> {
    const { attemptsMax = 5, waitSecondsMax = 60 } = this.#settings;
    const { options } = request;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(request, attempt, read);
      if ('answer' in outcome) return outcome.answer;
      options.signal?.throwIfAborted();
      const { refusal } = outcome;
      const wait = waitBefore(attempt + 1, refusal, this.clock.random(), waitSecondsMax);
      if (wait === undefined || attempt >= attemptsMax) throw outcome.error;
      await this.clock.wait(wait, options.signal);
    }
  }

  /** Sends a request once. */
  async #attempt<Read>(
    { name, address, init, options }: Request,
    attempt: number,
    read: (response: Response) => Promise<Read>,
  ): Promise<Outcome<Read>> {
    const { fetch = globalThis.fetch, onAnswer, timeoutMilliseconds = 60_000 } = this.#settings;
    const { signal, timeoutMilliseconds: own = timeoutMilliseconds } = options;
    // A download goes on after the time in which its answer had to begin.
    const ending = new AbortController();
    const timeout = this.clock.timeout(own);
    const end = () => ending.abort(timeout.reason);
    timeout.addEventListener('abort', end);
    const limit = AbortSignal.any([ending.signal, ...(signal ? [signal] : [])]);
    let response: Response;
    let failure: string | undefined;
    try {
      signal?.throwIfAborted();
      response = await fetch(address, { ...init, signal: limit });
      const { ok, status, headers } = response;
      onAnswer?.(noteOf(name, attempt, response));
      if (ok || status === 304) return { answer: { status, headers, read: await read(response) } };
      failure = await response.text();
    } catch (cause) {
      if (signal?.aborted === true) throw signal.reason;
      const text = `no answer: ${cause instanceof Error ? cause.message : cause}`;
      return { error: new ConnectionError(name, attempt, text, { cause }), refusal: undefined };
    } finally {
      timeout.removeEventListener('abort', end);
    }
    const { status, headers } = response;
    const seconds = secondsOf(headers.get('retry-after'), this.clock.now());
    const requestId = headers.get('x-request-id') ?? undefined;
    const said = { status, text: failure, requestId, retryAfterSeconds: seconds };
    return { error: new RefusedError(name, attempt, said), refusal: { status, seconds } };
  }
}

type Outcome<Read> =
  | { readonly answer: { readonly status: number; readonly headers: Headers; readonly read: Read } }
  | {
      readonly error: Error;
      readonly refusal:
        | { readonly status: number; readonly seconds: number | undefined }
        | undefined;
    };

/** Places the fields of an input in the path, the query and the body. */
function placed(method: string, path: string, input: object) {
  const fields = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = fields.get(name);
    fields.delete(name);
    return encodeURIComponent(String(value));
  });
  if (method === 'POST' || method === 'PATCH')
    return { address: filled, body: JSON.stringify(Object.fromEntries(fields)) };
  const query = new URLSearchParams();
  for (const [name, value] of fields)
    for (const one of [value].flat()) if (one !== null) query.append(name, String(one));
  return { address: query.size > 0 ? `${filled}?${query}` : filled, body: undefined };
}

function noteOf(operation: string, attempt: number, { status, headers }: Response) {
  const ignored = headers.get('vitrine-ignored');
  return {
    ...{ operation, status, attempt, headers },
    requestId: headers.get('x-request-id') ?? undefined,
    ignored: ignored === null ? [] : ignored.split(', '),
  };
}

/** `crypto.randomUUID` exists in secure contexts only, so pages without TLS have none. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
