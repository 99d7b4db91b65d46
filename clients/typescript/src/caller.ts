/** Calls operations: requests, retries, idempotency keys and cached answers. */
import { AnswerError, ConnectionError, RefusedError, refusedError, requestIdOf } from './errors.ts';
import { secondsOf, waitBefore } from './retries.ts';
import { type Clock, type Settings, systemClock } from './settings.ts';

/**
 * Method, path and flags of an operation: K takes an Idempotency-Key, T answers with an ETag, E
 * answers with an empty body.
 */
export type Operation = readonly [method: string, path: string, flags?: string];

/** The paths to rows and total, the largest page, and the path to the options of the input. */
export type Paging = readonly [rows: string, total: string, sizeMax: number, options?: string];

/** The options of a call. */
export type CallOptions = {
  /** Ends the call, its waits included, with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** The time limit for this answer. */
  readonly timeoutMilliseconds?: number;
  /** The key of this change; a random one by default. Operations that only read ignore it. */
  readonly idempotencyKey?: string;
  /** The id of the request, which its answer and the log of the service carry. */
  readonly requestId?: string;
};

/** An answer as it arrived. */
export type RawAnswer = { readonly text: string; readonly headers: Headers };

/** A media type, and how its answers are read. */
export type Format<Answer> = {
  readonly accept: string;
  /** Throws an error for an answer of another type. */
  read(answer: RawAnswer): Answer;
};

type Request = {
  readonly name: string;
  readonly address: string;
  readonly init: RequestInit & { readonly headers: Record<string, string> };
  readonly options: CallOptions;
};

type CachedAnswer = RawAnswer & { readonly tag: string };

/** Calls operations by their names. */
export class Caller {
  readonly #settings: Settings;
  readonly #cached = new Map<string, CachedAnswer>();
  /** The timers of the client. */
  protected readonly clock: Clock;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.clock = settings.clock ?? systemClock;
  }

  /** Calls an operation and reads its answer as JSON. */
  protected call<Answer>(
    name: string,
    operation: Operation,
    input: object,
    options: CallOptions = {},
  ): Promise<Answer> {
    const format = operation[2]?.includes('E') ? nothing : json;
    return this.ask(name, operation, input, options, format as Format<Answer>);
  }

  /** Calls an operation and reads its answer in a format. */
  protected async ask<Answer>(
    name: string,
    [method, path, flags = '']: Operation,
    input: object,
    options: CallOptions,
    { accept, read }: Format<Answer>,
  ): Promise<Answer> {
    const { url, key, strict, keptAnswersMax = 0 } = this.#settings;
    const { address, body } = placed(method, path, input);
    const headers: Record<string, string> = { 'x-api-key': key, accept };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (strict === true) headers.prefer = 'handling=strict';
    if (options.requestId !== undefined) headers['x-request-id'] = options.requestId;
    // Each attempt carries the same key, so that the change is made once.
    if (flags.includes('K')) headers['idempotency-key'] = options.idempotencyKey ?? randomKey();
    const isCached = flags.includes('T') && keptAnswersMax > 0;
    const place = isCached ? [accept, method, address, body].join('\n') : '';
    const known = this.#cached.get(place);
    if (known) headers['if-none-match'] = known.tag;
    const init = { method, headers, ...(body !== undefined && { body }) };
    const request = { name, address: url.replace(/\/+$/, '') + address, init, options };
    const answer = await this.send(request, (response) => response.text());
    if (answer.status === 304 && known) {
      this.#cache(place, known, keptAnswersMax);
      return read(known);
    }
    const { attempt, headers: answered, read: text } = answer;
    let value: Answer;
    try {
      value = read({ text, headers: answered });
    } catch (cause) {
      throw new AnswerError(name, attempt, (cause as Error).message, answered, { cause });
    }
    const tag = answered.get('etag');
    if (isCached && tag !== null)
      this.#cache(place, { tag, text, headers: answered }, keptAnswersMax);
    return value;
  }

  /** Caches an answer, and drops the least recently used one. */
  #cache(place: string, answer: CachedAnswer, max: number): void {
    this.#cached.delete(place);
    this.#cached.set(place, answer);
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > max && oldest !== undefined) this.#cached.delete(oldest);
  }

  /** Sends a request until it succeeds, is refused for good, or has no attempts left. */
  protected async send<Read>(
    request: Request,
    read: (response: Response) => Promise<Read>,
  ): Promise<Answered<Read>> {
    const { attemptsMax = 5, waitSecondsMax = 60 } = this.#settings;
    const { address, init, options } = request;
    // Throws for a request that cannot be sent, such as one whose key has a line break.
    new globalThis.Request(address, init);
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(request, attempt, read);
      if (!('error' in outcome)) return outcome;
      options.signal?.throwIfAborted();
      const { error } = outcome;
      const refusal = error instanceof RefusedError ? error : undefined;
      const wait = waitBefore(attempt + 1, refusal, this.clock.random(), waitSecondsMax);
      if (wait === undefined || attempt >= attemptsMax) throw error;
      await this.clock.wait(wait, options.signal);
    }
  }

  /** Sends a request once; returns its answer, or the error that ended it. */
  async #attempt<Read>(
    { name, address, init, options }: Request,
    attempt: number,
    read: (response: Response) => Promise<Read>,
  ): Promise<Answered<Read> | Lost> {
    const { fetch = globalThis.fetch, onAnswer, timeoutMilliseconds = 60_000 } = this.#settings;
    const { signal, timeoutMilliseconds: own = timeoutMilliseconds } = options;
    // A download may continue after the time limit for its answer to begin.
    const ending = new AbortController();
    const timeout = this.clock.timeout(own);
    const end = () => ending.abort(timeout.reason);
    timeout.addEventListener('abort', end);
    const limit = AbortSignal.any([ending.signal, ...(signal ? [signal] : [])]);
    const lost = (cause: unknown) => {
      if (signal?.aborted === true) throw signal.reason;
      const text = `no answer: ${cause instanceof Error ? cause.message : cause}`;
      return { error: new ConnectionError(name, attempt, text, { cause }) };
    };
    try {
      signal?.throwIfAborted();
      // A redirect is an answer, so that the key goes to no other host.
      const sent = await settled(
        () => fetch(address, { ...init, signal: limit, redirect: 'manual' }),
        lost,
      );
      if ('error' in sent) return sent;
      const response = sent.value;
      const { ok, status, headers } = response;
      await note(response, () => onAnswer?.(noteOf(name, attempt, response)));
      if (ok || (status === 304 && 'if-none-match' in init.headers)) {
        const body = await settled(() => read(response), lost);
        return 'error' in body ? body : { attempt, headers, status, read: body.value };
      }
      const failure = await settled(() => response.text(), lost);
      if ('error' in failure) return failure;
      const retryAfterSeconds = secondsOf(headers.get('retry-after'), this.clock.now());
      const said = { status, text: failure.value, headers, retryAfterSeconds };
      return { error: refusedError(name, attempt, said) };
    } finally {
      timeout.removeEventListener('abort', end);
    }
  }
}

/** The answer to a request, and which attempt it answers. */
type Answered<Read> = {
  readonly attempt: number;
  readonly status: number;
  readonly headers: Headers;
  readonly read: Read;
};

type Lost = { readonly error: ConnectionError | RefusedError };

/** The value of some work, or the replacement for its failure. */
async function settled<Value>(work: () => Promise<Value>, lost: (cause: unknown) => Lost) {
  try {
    return { value: await work() };
  } catch (cause) {
    return lost(cause);
  }
}

/** Calls the hook for an answer. What the hook throws ends the call and the answer. */
async function note({ body }: Response, hook: () => unknown): Promise<void> {
  try {
    await hook();
  } catch (error) {
    body?.cancel().catch(() => undefined);
    throw error;
  }
}

const json: Format<unknown> = {
  accept: 'application/json',
  read({ text }) {
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new Error(`the answer is ${text === '' ? 'empty' : 'not JSON'}`, { cause });
    }
  },
};

const nothing: Format<undefined> = {
  accept: 'application/json',
  read({ text }) {
    if (text !== '') throw new Error('the answer is not empty');
    return undefined;
  },
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
    operation,
    status,
    attempt,
    headers,
    requestId: requestIdOf(headers),
    ignored: ignored === null ? [] : ignored.split(', '),
  };
}

/** `crypto.randomUUID` exists in secure contexts only, so pages without TLS have none. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
