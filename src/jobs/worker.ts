/** A worker takes the jobs of a queue, extends their leases and records their results. */
import { randomUUID } from 'node:crypto';
import { type Clock, rest, systemClock, type Timer } from '../engine/clock.ts';
import { StoreUnavailable } from '../engine/errors.ts';
import type { RecordsTransaction } from '../engine/registry.ts';
import { type Meter, silentMeter } from '../observation/meter.ts';
import { type AlsoRecord, leaseMilliseconds, type TakenJob, type WorkerQueue } from './queue.ts';
import { CutOff, SlowLane, type SlowLimits } from './slowLane.ts';
import type { JobKind } from './turns.ts';

/** How often the worker looks for jobs that other processes have added or released. */
const pollMilliseconds = 3_000;
/** The longest pause of a job after an attempt, and of a worker whose queue is unavailable. */
const restMillisecondsMax = 60_000;
const restMillisecondsMin = 250;
const attemptsMax = 5;
const gaveUp = `it failed ${attemptsMax} times: try again, or ask the operator of the service for help`;

/** The job cannot succeed, however often it is tried. The message goes to the user. */
export class JobRefused extends Error {
  /** `cause` goes to the log. */
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'JobRefused';
  }
}

/** The job is to be tried again later. This is neither a failure nor one of its attempts. */
export class JobPostponed extends Error {
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    super(`the job is tried again in ${milliseconds} ms`);
    this.name = 'JobPostponed';
    this.milliseconds = milliseconds;
  }
}

/** How to do jobs of a kind. */
export type Work = {
  /** Whether the jobs of a channel run one after another, in the order of their creation. */
  readonly inOrder: boolean;
  /**
   * Does the job and returns its result. May be called again for a job that was already begun, or
   * even done. `extendLease` says whether the job still belongs to this worker: call it right
   * before anything that must not happen twice at once. Throws JobRefused if another attempt would
   * be useless, StoreUnavailable or JobPostponed if this attempt should not count. The signal is
   * aborted when the worker closes, loses the job or cuts it off; long work must react to it.
   */
  readonly run: (
    job: TakenJob,
    extendLease: () => Promise<boolean>,
    signal: AbortSignal,
  ) => Promise<unknown>;
  /**
   * Changes further records in the transaction that records the end of a job; `error` is the reason
   * if it failed for good.
   */
  readonly onEnd?: (
    transaction: RecordsTransaction,
    job: TakenJob,
    error?: string,
  ) => Promise<void>;
};

/** How many jobs of a kind run at the same time. */
export type JobShares = Pick<JobKind, 'organisationMax' | 'ownerMax'> & {
  /** In this worker, not counting its slow lane. */
  readonly runningMax: number;
  /** Without it, no job is slow. */
  readonly slow?: SlowLimits;
};

/** The dependencies and settings of a worker. */
export type WorkerParts = {
  readonly queue: WorkerQueue;
  readonly kind: string;
  readonly work: Work;
  readonly shares: JobShares;
  /** Logs an error. */
  readonly onError: (error: unknown, text: string) => void;
  readonly clock?: Clock;
  /** Counts attempts; nothing by default. */
  readonly meter?: Meter;
};

/** How an attempt ended, and how to record that. */
type Ending = {
  readonly outcome: 'done' | 'failed' | 'delayed' | 'released';
  readonly record: () => Promise<unknown>;
};

/** Starts a worker, which looks for jobs at once. */
export function startWorker(parts: WorkerParts): Worker {
  const worker = new Worker(parts);
  worker.start();
  return worker;
}

/** A worker that has been started. */
export class Worker {
  readonly #queue: WorkerQueue;
  readonly #work: Work;
  readonly #onError: WorkerParts['onError'];
  readonly #runningMax: number;
  readonly #slowLane: SlowLane | undefined;
  readonly #clock: Clock;
  readonly #meter: Meter;
  readonly #kind: JobKind;
  readonly #name = randomUUID();
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  /** How many of them have left their place for the slow lane. */
  #slow = 0;
  #unlisten = () => {};
  #timer: Timer | undefined;
  #isWanted = false;
  #looking: Promise<void> | undefined;
  /** How long to pause because the queue was unavailable; 0 if it was available. */
  #queueRest = 0;

  constructor({
    queue,
    kind,
    work,
    shares,
    onError,
    clock = systemClock,
    meter = silentMeter,
  }: WorkerParts) {
    const { runningMax, organisationMax, ownerMax, slow } = shares;
    this.#queue = queue;
    this.#work = work;
    this.#onError = onError;
    this.#runningMax = runningMax;
    this.#slowLane = slow && new SlowLane(slow, clock);
    this.#clock = clock;
    this.#meter = meter;
    this.#kind = { kind, inOrder: work.inOrder, organisationMax, ownerMax };
  }

  start(): void {
    this.#unlisten = this.#queue.listen((kinds) => {
      if (kinds.has(this.#kind.kind)) this.#look();
    });
    this.#look();
  }

  /** Takes no more jobs. Finishes the current ones, or releases those that can be interrupted. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#unlisten();
    await this.#looking;
    this.#timer?.cancel();
    await Promise.all(this.#running);
  }

  get #isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  get #hasPlace(): boolean {
    return this.#running.size - this.#slow < this.#runningMax;
  }

  #look(): void {
    this.#isWanted = true;
    this.#looking ??= this.#takeAll().finally(() => {
      this.#looking = undefined;
      // These kinds were announced after the last check.
      if (this.#isWanted && this.#queueRest === 0 && !this.#isClosing) this.#look();
      else this.#lookIn(this.#queueRest || pollMilliseconds);
    });
  }

  #lookIn(milliseconds: number): void {
    this.#timer?.cancel();
    if (this.#isClosing) return;
    this.#timer = this.#clock.after(milliseconds, () => this.#look());
    this.#timer.unref();
  }

  async #takeAll(): Promise<void> {
    try {
      // The queue's answer may miss a job that was announced meanwhile.
      while (this.#isWanted && !this.#isClosing) {
        this.#isWanted = false;
        while (this.#hasPlace && !this.#isClosing) {
          const job = await this.#queue.take(this.#name, this.#kind);
          if (job === undefined) break;
          this.#begin(job);
        }
      }
      this.#queueRest = 0;
    } catch (error) {
      if (this.#queueRest === 0) this.#onError(error, 'the job queue is unavailable');
      this.#queueRest = Math.min(this.#queueRest * 2 || restMillisecondsMin, restMillisecondsMax);
    }
  }

  #begin(job: TakenJob): void {
    const performed = this.#perform(job)
      .catch((error: unknown) =>
        this.#onError(error, `the outcome of job ${job.jobId} could not be recorded`),
      )
      .finally(() => {
        this.#running.delete(performed);
        this.#look();
      });
    this.#running.add(performed);
  }

  async #perform(job: TakenJob): Promise<void> {
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    this.#closing.signal.addEventListener('abort', stop);
    const stopExtending = this.#startExtending(job, stop);
    const leaveLane = this.#watch(job, stopping);
    try {
      if (this.#isClosing) stop();
      const { outcome, record } = await this.#attempt(job, stopping.signal);
      this.#meter.add('vitrine_jobs_ended_total', { kind: job.kind, outcome });
      await this.#retry(record);
    } finally {
      stopExtending();
      leaveLane();
      this.#closing.signal.removeEventListener('abort', stop);
    }
  }

  /** Moves the job into the slow lane when it is due; returns the function that stops this. */
  #watch({ organisationId }: TakenJob, stopping: AbortController): () => void {
    let isSlow = false;
    const leave = this.#slowLane?.watch(
      organisationId,
      () => {
        isSlow = true;
        this.#slow++;
        this.#look();
      },
      (reason) => stopping.abort(reason),
    );
    return () => {
      leave?.();
      if (isSlow) this.#slow--;
    };
  }

  /** Extends the lease every third of its length; calls `onLost` if another worker has the job. */
  #startExtending(job: TakenJob, onLost: () => void): () => void {
    let timer: Timer;
    const extend = () => {
      schedule();
      this.#queue.extend(job).then(
        (isMine) => {
          if (!isMine) onLost();
        },
        () => {},
      );
    };
    const schedule = () => {
      timer = this.#clock.after(leaseMilliseconds / 3, extend);
    };
    schedule();
    return () => timer.cancel();
  }

  /** Tries the job. */
  async #attempt(job: TakenJob, signal: AbortSignal): Promise<Ending> {
    const queue = this.#queue;
    // The job was taken while the worker closed.
    if (signal.aborted) return this.#released(job);
    // The process of the last attempt died.
    if (job.attempts > attemptsMax) return this.#failing(job, gaveUp);
    const { run, onEnd } = this.#work;
    try {
      const result = await run(job, () => queue.extend(job), signal);
      const more: AlsoRecord | undefined = onEnd && ((transaction) => onEnd(transaction, job));
      return { outcome: 'done', record: () => queue.finish(job, result, more) };
    } catch (error) {
      return this.#failed(job, error, signal);
    }
  }

  #released(job: TakenJob): Ending {
    const record = () => this.#queue.release(job, { milliseconds: 0, counts: false });
    return { outcome: 'released', record };
  }

  #failed(job: TakenJob, error: unknown, signal: AbortSignal): Ending {
    const { jobId, attempts, startedAt } = job;
    if (error instanceof JobRefused) {
      if (error.cause !== undefined) this.#onError(error, `job ${jobId} has failed for good`);
      return this.#failing(job, error.message);
    }
    if (error instanceof JobPostponed)
      return this.#delayed(job, { milliseconds: error.milliseconds, counts: false });
    if (signal.aborted && !(signal.reason instanceof CutOff)) return this.#released(job);
    this.#onError(error, `attempt ${attempts} at job ${jobId} has failed`);
    const counts = !(error instanceof StoreUnavailable);
    if (counts && attempts >= attemptsMax) return this.#failing(job, gaveUp);
    // A pause as long as the job has been tried so far doubles each time.
    const milliseconds = Math.min(
      Math.max(this.#clock.now() - startedAt, restMillisecondsMin),
      restMillisecondsMax,
    );
    return this.#delayed(job, { milliseconds, counts });
  }

  #failing(job: TakenJob, reason: string): Ending {
    const { onEnd } = this.#work;
    const more: AlsoRecord | undefined =
      onEnd && ((transaction) => onEnd(transaction, job, reason));
    return { outcome: 'failed', record: () => this.#queue.fail(job, reason, more) };
  }

  #delayed(job: TakenJob, rested: Parameters<WorkerQueue['release']>[1]): Ending {
    const record = async () => {
      if (await this.#queue.release(job, rested))
        this.#clock.after(rested.milliseconds, () => this.#look()).unref();
    };
    return { outcome: 'delayed', record };
  }

  /**
   * Retries while the registry is unavailable. Once the worker closes, the lease simply expires.
   */
  async #retry(record: () => Promise<unknown>): Promise<void> {
    const { signal } = this.#closing;
    for (let pause = restMillisecondsMin; ; pause = Math.min(pause * 2, restMillisecondsMax)) {
      try {
        await record();
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || signal.aborted) throw error;
        await rest(this.#clock, pause, signal);
      }
    }
  }
}
