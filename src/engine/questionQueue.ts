/**
 * The queue in front of a warehouse. A limited number of questions runs at once. The others wait
 * for their turn, which goes round the organisations, and within each organisation round its keys.
 * The turn of a request lasts until its answer is written. Questions of reports run only when no
 * question of a request can; one of them may always run, so that reports come to an end.
 */
import { Refusal, retryAfterSeconds } from '../contract/refusal.ts';
import { type Meter, silentMeter } from '../observation/meter.ts';
import type { Clock } from './clock.ts';
import { RequestAbandoned } from './errors.ts';
import { overlay } from './overlay.ts';
import {
  newestOfLongest,
  nextQuestion,
  partOf,
  type Question,
  removeIdle,
  type Share,
  share,
} from './shares.ts';
import type { QueryLimits, Requester, Warehouse } from './warehouse.ts';

/** The limits of a queue. */
export type QueueLimits = {
  /** The number of questions that run at once. */
  readonly runningMax: number;
  /** The number of them from one organisation; below the total, others never wait for it alone. */
  readonly organisationMax: number;
  /** The number of questions that wait. */
  readonly waitingMax: number;
  /** How long a question may wait. */
  readonly waitMilliseconds: number;
};

/** A queue of questions. */
export class QuestionQueue {
  readonly #limits: QueueLimits;
  readonly #clock: Clock;
  readonly #meter: Meter;
  readonly #requests: Share;
  readonly #reports: Share;
  #turns = 0;

  constructor(limits: QueueLimits, clock: Clock, meter: Meter = silentMeter) {
    this.#limits = limits;
    this.#clock = clock;
    this.#meter = meter;
    this.#requests = share(limits.runningMax);
    this.#reports = share(Math.max(1, limits.runningMax >> 1));
    const lanes = { request: this.#requests, report: this.#reports };
    meter.gauge('vitrine_questions', () =>
      Object.entries(lanes).flatMap(([asker, { running, waiting }]) => [
        [{ asker, state: 'running' }, running] as const,
        [{ asker, state: 'waiting' }, waiting] as const,
      ]),
    );
  }

  /**
   * Resolves when a question of the requester may run, with the function that ends its turn.
   * Rejects with 503 if the queue is full or the wait too long, and with RequestAbandoned when the
   * signal is aborted. Reports wait as long as necessary.
   */
  async acquire(requester: Requester, signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) throw new RequestAbandoned();
    const { organisationId, keyId, isReport = false } = requester;
    const { organisationMax } = this.#limits;
    const lane = isReport ? this.#reports : this.#requests;
    const organisation = partOf(lane, organisationId, isReport ? lane.runningMax : organisationMax);
    const key = partOf(organisation, keyId, organisation.runningMax);

    const shares = [lane, organisation, key];
    const forget = () => {
      removeIdle(organisation, keyId);
      removeIdle(lane, organisationId);
    };
    const turn = Promise.withResolvers<void>();
    const question: Question = {
      begin: () => {
        key.questions.delete(question);
        this.#turns++;
        for (const one of shares) {
          one.waiting--;
          one.running++;
          one.lastTurn = this.#turns;
        }
        turn.resolve();
      },
      fail: (error, reason) => {
        if (!key.questions.delete(question)) return;
        this.#meter.add('vitrine_question_refusals_total', { reason });
        for (const one of shares) one.waiting--;
        forget();
        turn.reject(error);
      },
    };
    key.questions.add(question);
    for (const one of shares) one.waiting++;
    this.#beginAll();
    if (key.questions.has(question)) await this.#wait(question, turn.promise, isReport, signal);
    return () => {
      for (const one of shares) one.running--;
      forget();
      this.#beginAll();
    };
  }

  async #wait(
    question: Question,
    turn: Promise<void>,
    isReport: boolean,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { waitMilliseconds, waitingMax } = this.#limits;
    const abandon = () => question.fail(new RequestAbandoned(), 'abandoned');
    signal?.addEventListener('abort', abandon);
    const timer = isReport
      ? undefined
      : this.#clock.after(waitMilliseconds, () => question.fail(this.#busy(), 'waited'));
    if (this.#requests.waiting > waitingMax)
      newestOfLongest(this.#requests).fail(this.#busy(), 'full');
    try {
      await turn;
    } finally {
      timer?.cancel();
      signal?.removeEventListener('abort', abandon);
    }
  }

  /** Starts every question that may run. */
  #beginAll(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) next.begin();
  }

  #next(): Question | undefined {
    const hasRoom = this.#requests.running + this.#reports.running < this.#limits.runningMax;
    const ofRequest = hasRoom ? nextQuestion(this.#requests) : undefined;
    if (ofRequest !== undefined) return ofRequest;
    return hasRoom || this.#reports.running === 0 ? nextQuestion(this.#reports) : undefined;
  }

  #busy(): Refusal {
    const seconds = retryAfterSeconds(this.#limits.waitMilliseconds);
    return new Refusal(
      503,
      `the service has more requests than it can answer at the moment: try again in ${seconds} s`,
      { 'retry-after': String(seconds) },
    );
  }
}

/** The warehouse with a queue in front of the questions that have a requester. */
export function queued(warehouse: Warehouse, queue: QuestionQueue): Warehouse {
  const begin = async ({ requester, signal, turn }: QueryLimits) => {
    if (requester === undefined) return undefined;
    if (turn === undefined) return queue.acquire(requester, signal);
    await turn.take(() => queue.acquire(requester, signal));
    return undefined;
  };
  const inTurn = async <T>(limits: QueryLimits, work: () => Promise<T>): Promise<T> => {
    const end = await begin(limits);
    try {
      return await work();
    } finally {
      end?.();
    }
  };
  const own: Pick<Warehouse, 'ask' | 'stream' | 'read' | 'view'> = {
    ask: (question, parameters, limits) =>
      inTurn(limits, () => warehouse.ask(question, parameters, limits)),
    async *stream(question, parameters, limits) {
      const end = await begin(limits);
      try {
        yield* warehouse.stream(question, parameters, limits);
      } finally {
        end?.();
      }
    },
    read: (channels, limits, use) => inTurn(limits, () => warehouse.read(channels, limits, use)),
    view: (channels, limits, use) => inTurn(limits, () => warehouse.view(channels, limits, use)),
  };
  return overlay(warehouse, own);
}
