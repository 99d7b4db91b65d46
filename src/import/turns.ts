/** Turns of imports: a few run at once, and organisations take turns. */
import { RequestAbandoned } from '../engine/errors.ts';
import {
  nextQuestion,
  partOf,
  type Question,
  removeIdle,
  type Share,
  share,
} from '../engine/shares.ts';

/** The running and the waiting imports. */
export class ImportTurns {
  readonly #share: Share;
  #turns = 0;

  /** `runningMax` is the number that may run at once. */
  constructor(runningMax: number) {
    this.#share = share(runningMax);
  }

  /** The number of running imports. */
  get running(): number {
    return this.#share.running;
  }

  /** The number of imports that wait for their turn. */
  get waiting(): number {
    return this.#share.waiting;
  }

  /**
   * Runs work when it is the organisation's turn. Throws RequestAbandoned if the signal is aborted
   * before.
   */
  async take<T>(
    organisationId: string,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    const own = partOf(this.#share, organisationId, this.#share.runningMax);
    const count = (part: 'running' | 'waiting', change: 1 | -1) => {
      for (const one of [this.#share, own]) one[part] += change;
    };
    const turn = Promise.withResolvers<void>();
    const waiting: Question = {
      begin: () => {
        own.questions.delete(waiting);
        this.#turns++;
        own.lastTurn = this.#turns;
        count('waiting', -1);
        count('running', 1);
        turn.resolve();
      },
      fail: (error) => {
        if (!own.questions.delete(waiting)) return;
        count('waiting', -1);
        turn.reject(error);
      },
    };
    const abandon = () => waiting.fail(new RequestAbandoned(), 'abandoned');
    own.questions.add(waiting);
    count('waiting', 1);
    signal?.addEventListener('abort', abandon);
    if (signal?.aborted) abandon();
    this.#beginAll();
    try {
      await turn.promise.finally(() => signal?.removeEventListener('abort', abandon));
      try {
        return await work();
      } finally {
        count('running', -1);
      }
    } finally {
      removeIdle(this.#share, organisationId);
      this.#beginAll();
    }
  }

  #beginAll(): void {
    for (let next = nextQuestion(this.#share); next; next = nextQuestion(this.#share)) next.begin();
  }
}
