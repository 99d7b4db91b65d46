/** Does the jobs of a queue, in every process that serves: it takes what is free, keeps its lease while it works, and says what came of it. */
import { randomUUID } from 'node:crypto';
import { StoreUnavailable } from '../engine/errors.ts';
import { type JobQueue, leaseMilliseconds, type TakenJob } from './queue.ts';

/** How often jobs are looked for that other processes have added or left. */
const pollMilliseconds = 3_000;
/** The longest rest of a job after an attempt, and of the worker while its queue is out of reach. */
const restMillisecondsMax = 60_000;
const restMillisecondsMin = 250;
const attemptsMax = 5;
const runningMaxByDefault = 2;

/** The job cannot be done however often it is tried; the message goes to whoever asked for it. */
export class JobRefused extends Error {
  /** `cause` goes to the log. */
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'JobRefused';
  }
}

/** How jobs of a kind are done. */
export type Work = {
  /** Whether those of one channel are done one after the other, in the order in which they were asked for. */
  readonly inOrder: boolean;
  /**
   * Does the job and returns what it came to. It may be called again for a job that it has already begun, or even done. `hold` lengthens
   * the lease and says whether the job is still this worker's: to be asked right before what must not be done twice at once. Throws
   * JobRefused where another attempt would be of no use, StoreUnavailable where the attempt shall not count. What takes long heeds
   * `signal`: it is aborted when the worker closes, and when the job is somebody else's.
   */
  readonly run: (
    job: TakenJob,
    hold: () => Promise<boolean>,
    signal: AbortSignal,
  ) => Promise<unknown>;
};

/** What a worker works with. */
export type WorkerParts = {
  readonly queue: JobQueue;
  /** By kind of job. */
  readonly works: Readonly<Record<string, Work>>;
  /** Hears of what went wrong, for the log. */
  readonly failed: (error: unknown, text: string) => void;
  /** How many jobs it does at a time. */
  readonly runningMax?: number;
  /** How many of them an organisation may have under way at a time, on all nodes together; by default as many as there are. */
  readonly organisationMax?: number;
};

/** A worker that has been started. */
export type Worker = {
  /** Takes no more jobs; finishes those that it has, or gives back those that can be stopped. */
  readonly close: () => Promise<void>;
};

/** Starts a worker of its own name; it looks for jobs at once. */
export function startWorker({
  queue,
  works,
  failed,
  runningMax = runningMaxByDefault,
  organisationMax,
}: WorkerParts): Worker {
  const name = randomUUID();
  const all = Object.keys(works);
  const kinds = {
    all,
    inOrder: all.filter((kind) => works[kind]!.inOrder),
    ...(organisationMax !== undefined && { organisationMax }),
  };
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isWanted = false;
  let looking: Promise<void> | undefined;
  /** How long the queue is left alone because it was out of reach, 0 where it was not. */
  let rest = 0;

  function look(): void {
    isWanted = true;
    looking ??= takeAll().finally(() => {
      looking = undefined;
      lookIn(rest || pollMilliseconds);
    });
  }

  function lookIn(milliseconds: number): void {
    clearTimeout(timer);
    if (!closing.signal.aborted) timer = setTimeout(look, milliseconds).unref();
  }

  async function takeAll(): Promise<void> {
    try {
      // What is announced while the queue is being asked may have come too late for the answer.
      while (isWanted && !closing.signal.aborted) {
        isWanted = false;
        while (running.size < runningMax && !closing.signal.aborted) {
          const job = await queue.take(name, kinds);
          if (job === undefined) break;
          begin(job);
        }
      }
      rest = 0;
    } catch (error) {
      if (rest === 0) failed(error, 'the queue of jobs cannot be asked');
      rest = Math.min(rest * 2 || restMillisecondsMin, restMillisecondsMax);
    }
  }

  function begin(job: TakenJob): void {
    const one = perform(job)
      .catch((error: unknown) => failed(error, `what became of job ${job.jobId} cannot be noted`))
      .finally(() => {
        running.delete(one);
        look();
      });
    running.add(one);
  }

  async function perform(job: TakenJob): Promise<void> {
    // Where the lease cannot be lengthened somebody else may take the job, which then is not this worker's to end any more.
    const lost = new AbortController();
    const keep = async () => {
      if (!(await queue.extend(job))) lost.abort();
    };
    const keeping = setInterval(() => keep().catch(() => {}), leaseMilliseconds / 3);
    try {
      const settle = await attempt(job, AbortSignal.any([closing.signal, lost.signal]));
      await insistently(settle);
    } finally {
      clearInterval(keeping);
    }
  }

  /** Tries the job; returns how to note what came of it. */
  async function attempt(job: TakenJob, signal: AbortSignal): Promise<() => Promise<unknown>> {
    const { jobId, kind, attempts } = job;
    // The last one of them has ended with its process.
    if (attempts > attemptsMax) return () => queue.fail(job, givenUp);
    try {
      const result = await works[kind]!.run(job, () => queue.extend(job), signal);
      return () => queue.finish(job, result);
    } catch (error) {
      if (error instanceof JobRefused) {
        if (error.cause !== undefined) failed(error, `job ${jobId} has failed for good`);
        return () => queue.fail(job, error.message);
      }
      if (signal.aborted) return () => queue.release(job, { milliseconds: 0, counts: false });
      failed(error, `attempt ${attempts} at job ${jobId} has failed`);
      const counts = !(error instanceof StoreUnavailable);
      if (counts && attempts >= attemptsMax) return () => queue.fail(job, givenUp);
      // It rests for as long as it has been tried, so that its rests double.
      const milliseconds = Math.min(
        Math.max(Date.now() - job.startedAt, restMillisecondsMin),
        restMillisecondsMax,
      );
      return async () => {
        if (await queue.release(job, { milliseconds, counts }))
          setTimeout(look, milliseconds).unref();
      };
    }
  }

  /** Tries again while the registry is away, but not for the sake of it when the worker closes: the lease then ends by itself. */
  async function insistently(settle: () => Promise<unknown>): Promise<void> {
    for (let rest = restMillisecondsMin; ; rest = Math.min(rest * 2, restMillisecondsMax)) {
      try {
        await settle();
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || closing.signal.aborted) throw error;
        await restUnless(closing.signal, rest);
      }
    }
  }

  const unlisten = queue.listen(look);
  look();
  return {
    async close() {
      closing.abort();
      unlisten();
      await looking;
      clearTimeout(timer);
      await Promise.all(running);
    },
  };
}

const givenUp = `it was given up after ${attemptsMax} attempts`;

/** Resolves after so many milliseconds, or as soon as the signal is aborted. */
function restUnless(signal: AbortSignal, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end, { once: true });
  });
}
