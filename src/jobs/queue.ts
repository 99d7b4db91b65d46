/**
 * Jobs outlive the process that accepted them. A job is a record: it is added in its creator's
 * transaction, leased to one worker at a time, and ends exactly once.
 */
import { randomUUID } from 'node:crypto';
import type { JobRecord } from '../engine/records.ts';
import { lockOrganisation, type RecordsTransaction, type Registry } from '../engine/registry.ts';
import { isOpen, type JobKind, readOwners, Turns } from './turns.ts';

/** How long a worker may hold a job without extending its lease. */
export const leaseMilliseconds = 15_000;
/** How long finished jobs are retained. */
export const jobRetentionMilliseconds = 30 * 24 * 3_600_000;
/**
 * The first of the two numbers of PostgreSQL's advisory locks for taking jobs; no other lock has
 * two.
 */
const takingLock = 1;

/** A job to add. */
export type NewJob = {
  readonly kind: string;
  readonly channel: { readonly channelNumber: number; readonly organisationId: string };
  /** The user who requested it. */
  readonly userId: string;
  /** The key, webhook or schedule that takes turns for this job within the organisation. */
  readonly owner: string;
  /** Anything that JSON can represent. */
  readonly payload: unknown;
};

/** A job that a worker has taken. The worker and the attempt identify this lease. */
export type TakenJob = Pick<
  JobRecord,
  'jobId' | 'kind' | 'channelNumber' | 'organisationId' | 'userId' | 'attempts' | 'createdAt'
> & {
  readonly sequence: number;
  readonly worker: string;
  /** When the job was first taken, in epoch milliseconds. */
  readonly startedAt: number;
  readonly payload: unknown;
};

/** The state of a job. */
export type JobStatus = Pick<
  JobRecord,
  'channelNumber' | 'organisationId' | 'state' | 'error' | 'startedAt'
> & {
  /** Undefined until the job is done. */
  readonly result: unknown;
};

/** The methods of the queue that workers call. */
export type WorkerQueue = Pick<
  JobQueue,
  'listen' | 'take' | 'extend' | 'finish' | 'fail' | 'release'
>;

/** Changes further records in the transaction that records the end of a job. */
export type AlsoRecord = (transaction: RecordsTransaction) => Promise<void>;

/** The channel of a job has been deleted. */
export class ChannelGone extends Error {
  constructor() {
    super('the channel has been deleted meanwhile');
    this.name = 'ChannelGone';
  }
}

/** The queue in a registry. Every method throws StoreUnavailable if the registry is unavailable. */
export class JobQueue {
  readonly #registry: Registry;
  readonly #now: () => number;
  readonly #listeners = new Set<(kinds: ReadonlySet<string>) => void>();
  /** The kinds of the jobs that a transaction has added. */
  readonly #added = new WeakMap<RecordsTransaction, Set<string>>();
  readonly #turns = new Turns();

  /** `now` returns epoch milliseconds. */
  constructor(registry: Registry, now: () => number = Date.now) {
    this.#registry = registry;
    this.#now = now;
  }

  /**
   * Adds a job in the caller's transaction and returns its unguessable identifier. Call `announce`
   * after the commit. Throws ChannelGone if the channel has been deleted.
   */
  async add(
    transaction: RecordsTransaction,
    { kind, channel, userId, owner, payload }: NewJob,
  ): Promise<string> {
    const { channelNumber, organisationId } = channel;
    // Sequence numbers are assigned before the commit. The lock on the channel makes a later job
    // of the channel get a greater number.
    const found = await transaction
      .selectFrom('channel')
      .select('channelNumber')
      .where('channelNumber', '=', channelNumber)
      .$if(this.#isPostgres, (channels) => channels.forNoKeyUpdate())
      .executeTakeFirst();
    if (found === undefined) throw new ChannelGone();
    const jobId = randomUUID();
    await transaction
      .insertInto('job')
      .values({
        jobId,
        kind,
        channelNumber,
        organisationId,
        userId,
        owner,
        state: 'waiting',
        payload: JSON.stringify(payload),
        result: null,
        error: null,
        createdAt: this.#now(),
        startedAt: null,
        finishedAt: null,
        attempts: 0,
        worker: null,
        leaseUntil: 0,
      })
      .execute();
    const added = this.#added.get(transaction) ?? new Set();
    this.#added.set(transaction, added.add(kind));
    return jobId;
  }

  /** Counts an organisation's waiting jobs of a kind; concurrent transactions count in turn. */
  async countWaiting(
    transaction: RecordsTransaction,
    kind: string,
    organisationId: string,
  ): Promise<number> {
    await lockOrganisation(this.#registry.engine, transaction, organisationId);
    return countWaitingJobs(transaction, kind, organisationId);
  }

  /** The numbers of waiting and running jobs of all nodes, by kind. */
  async countOpen(): Promise<{ kind: string; state: string; jobs: number }[]> {
    const found = await this.#registry.records
      .selectFrom('job as candidate')
      .select(({ fn }) => ['kind', 'state', fn.countAll().as('jobs')])
      .where(isOpen('candidate'))
      .groupBy(['kind', 'state'])
      .execute();
    return found.map(({ jobs, ...of }) => ({ ...of, jobs: Number(jobs) }));
  }

  /** Notifies the workers of this process that there are jobs of these kinds. */
  announce(...kinds: readonly string[]): void {
    for (const listener of this.#listeners) listener(new Set(kinds));
  }

  /**
   * Calls the listener with the kinds of every announcement; returns the function that stops it.
   */
  listen(listener: (kinds: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes the job whose turn it is, among jobs that are free or whose lease has expired. */
  async take(worker: string, of: JobKind): Promise<TakenJob | undefined> {
    const taken = await this.#registry.records.transaction().execute(async (transaction) => {
      // Two nodes that count at the same time would not see each other's jobs.
      if (this.#isPostgres)
        await transaction
          .selectNoFrom(({ fn, lit, val }) =>
            fn('pg_advisory_xact_lock', [lit(takingLock), fn('hashtext', [val(of.kind)])]).as('at'),
          )
          .execute();
      const at = this.#now();
      for (;;) {
        const sequence = this.#turns.next(await readOwners(transaction, of, at), of);
        if (sequence === undefined) return undefined;
        const found = await this.#hold(transaction, sequence, worker, at);
        // It may just have ended elsewhere.
        if (found === undefined) continue;
        this.#turns.note(of, found.organisationId, found.owner);
        return found;
      }
    });
    if (taken === undefined) return undefined;
    const { owner: _, startedAt, payload, ...job } = taken;
    return { ...job, worker, startedAt: startedAt!, payload: JSON.parse(payload) };
  }

  #hold(transaction: RecordsTransaction, sequence: number, worker: string, at: number) {
    return transaction
      .updateTable('job')
      .set(({ eb, fn, val }) => ({
        state: 'running',
        worker,
        attempts: eb('attempts', '+', 1),
        startedAt: fn.coalesce('startedAt', val(at)),
        leaseUntil: at + leaseMilliseconds,
      }))
      .where('sequence', '=', sequence)
      .where(isOpen('job'))
      .where('leaseUntil', '<=', at)
      .returning([
        ...(['sequence', 'jobId', 'kind', 'channelNumber', 'organisationId', 'owner'] as const),
        ...(['userId', 'attempts', 'createdAt', 'startedAt', 'payload'] as const),
      ])
      .executeTakeFirst();
  }

  /** Extends the lease to its full length from now. False if the lease has been lost. */
  async extend(job: TakenJob): Promise<boolean> {
    return await this.#settle(job, { leaseUntil: this.#now() + leaseMilliseconds });
  }

  /** Records the result for good, and `more` in the same step. False if the lease has been lost. */
  async finish(job: TakenJob, result: unknown, more?: AlsoRecord): Promise<boolean> {
    const text = JSON.stringify(result ?? null);
    return await this.#end(job, { state: 'done', result: text }, more);
  }

  /**
   * Records that the job failed for good, with the reason for the user. Otherwise like `finish`.
   */
  async fail(job: TakenJob, error: string, more?: AlsoRecord): Promise<boolean> {
    return await this.#end(job, { state: 'failed', error }, more);
  }

  /** Frees the job after a pause; `counts` says whether this was one of its attempts. */
  async release(
    job: TakenJob,
    { milliseconds, counts }: { readonly milliseconds: number; readonly counts: boolean },
  ): Promise<boolean> {
    return await this.#settle(job, {
      state: 'waiting',
      leaseUntil: this.#now() + milliseconds,
      attempts: job.attempts - (counts ? 0 : 1),
    });
  }

  /** Frees all running jobs at once, when the only process starts. */
  async releaseAll(): Promise<void> {
    await this.#registry.records
      .updateTable('job')
      .set({ leaseUntil: 0 })
      .where('state', '=', 'running')
      .execute();
  }

  /** A job of a kind, until 30 days after its end. The caller checks access. */
  async find(kind: string, jobId: string): Promise<JobStatus | undefined> {
    const found = await this.#registry.records
      .selectFrom('job')
      .select(['channelNumber', 'organisationId', 'state', 'error', 'startedAt', 'result'])
      .where((row) => row.and({ jobId, kind }))
      .where(({ or, eb }) =>
        or([
          eb('finishedAt', 'is', null),
          eb('finishedAt', '>=', this.#now() - jobRetentionMilliseconds),
        ]),
      )
      .executeTakeFirst();
    if (found === undefined) return undefined;
    return { ...found, result: found.result === null ? undefined : JSON.parse(found.result) };
  }

  /** Deletes the jobs that ended more than 30 days ago. */
  async prune(): Promise<void> {
    await this.#registry.records
      .deleteFrom('job')
      .where('finishedAt', '<', this.#now() - jobRetentionMilliseconds)
      .execute();
  }

  get #isPostgres(): boolean {
    return this.#registry.engine === 'postgres';
  }

  /** The payload may be long and is no longer needed. */
  async #end(
    job: TakenJob,
    change: Pick<Change, 'state' | 'result' | 'error'>,
    more?: AlsoRecord,
  ): Promise<boolean> {
    const end = { ...change, payload: 'null', finishedAt: this.#now(), leaseUntil: 0 };
    if (more === undefined) return await this.#settle(job, end);
    let added: Iterable<string> = [];
    const isMine = await this.#registry.records.transaction().execute(async (transaction) => {
      const isChanged = await this.#settle(job, end, transaction);
      if (isChanged) await more(transaction);
      added = this.#added.get(transaction) ?? [];
      return isChanged;
    });
    this.announce(...added);
    return isMine;
  }

  /** Changes the job if this lease still holds it. */
  async #settle(
    job: TakenJob,
    change: Change,
    records: Registry['records'] = this.#registry.records,
  ): Promise<boolean> {
    const { jobId, worker, attempts } = job;
    const { numUpdatedRows } = await records
      .updateTable('job')
      .set(change)
      .where((row) => row.and({ jobId, worker, attempts, state: 'running' }))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }
}

type Change = Partial<Omit<JobRecord, 'sequence'>>;

/** Counts an organisation's waiting jobs of a kind, without waiting for other transactions. */
export async function countWaitingJobs(
  transaction: RecordsTransaction,
  kind: string,
  organisationId: string,
): Promise<number> {
  const { waiting } = await transaction
    .selectFrom('job')
    .select(({ fn }) => fn.countAll().as('waiting'))
    .where((row) => row.and({ kind, organisationId, state: 'waiting' }))
    .where(isOpen('job'))
    .executeTakeFirstOrThrow();
  return Number(waiting);
}

/** Ends a waiting job as failed. False if a worker has it, or if it has ended. */
export async function cancelWaiting(
  transaction: RecordsTransaction,
  jobId: string,
  error: string,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('job')
    .set({ state: 'failed', error, payload: 'null', finishedAt: now, leaseUntil: 0 })
    .where((row) => row.and({ jobId, state: 'waiting' }))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
