/**
 * Jobs that outlive the process that took them on. A job is a record: it is added in the transaction of whoever asks for it, taken by one
 * worker at a time for as long as its lease lasts, and over once and for all.
 */
import { randomUUID } from 'node:crypto';
import { type CompiledQuery, type Expression, type SqlBool, sql } from 'kysely';
import type { JobRecord, RecordsTransaction, Registry } from '../engine/registry.ts';

/** How long a job stays its worker's without a word of it, in milliseconds. */
export const leaseMilliseconds = 15_000;
/** For how long it is known what a job came to. */
const keptMilliseconds = 30 * 24 * 3_600_000;
/** The advisory lock of PostgreSQL under which jobs are taken that are counted; of two numbers, as no other lock of the house. */
const takingLock = [1, 1] as const;

/** What is to be done. */
export type JobAsked = {
  readonly kind: string;
  readonly channel: { readonly channelNumber: number; readonly organisationId: string };
  /** Who asks. */
  readonly userId: string;
  /** Anything that JSON holds. */
  readonly payload: unknown;
};

/** A job that a worker has taken. Its worker and its attempt tell this taking from every other. */
export type TakenJob = Pick<
  JobRecord,
  'jobId' | 'kind' | 'channelNumber' | 'organisationId' | 'userId' | 'attempts' | 'createdAt'
> & {
  readonly sequence: number;
  readonly worker: string;
  /** When it was first taken, in epoch milliseconds. */
  readonly startedAt: number;
  readonly payload: unknown;
};

/** What is known of a job. */
export type JobSeen = Pick<
  JobRecord,
  'channelNumber' | 'organisationId' | 'state' | 'error' | 'startedAt'
> & {
  /** What it came to, undefined until it is done. */
  readonly result: unknown;
};

/**
 * The kinds of jobs that a worker takes: of those of `inOrder` a channel has one under way at a time, the oldest first; of all of them an
 * organisation has no more than `organisationMax` under way, on all nodes together.
 */
export type Kinds = {
  readonly all: readonly string[];
  readonly inOrder: readonly string[];
  readonly organisationMax?: number;
};

/** The queue of one registry, as one process sees it. Every method throws StoreUnavailable where the registry does not answer. */
export type JobQueue = {
  /**
   * Adds a job in a transaction of the caller's and returns its unguessable identifier; `announce` is to be called once that is committed.
   * Throws ChannelGone where the channel has been deleted.
   */
  readonly add: (transaction: RecordsTransaction, asked: JobAsked) => Promise<string>;
  /**
   * How many jobs of a kind an organisation has waiting; until the transaction ends, whoever else asks this of the organisation waits for
   * the answer.
   */
  readonly countWaiting: (
    transaction: RecordsTransaction,
    kind: string,
    organisationId: string,
  ) => Promise<number>;
  /** Tells the workers of this process that there is something to do. */
  readonly announce: () => void;
  /** Has `heard` called at every announcement; returns what ends that. */
  readonly listen: (heard: () => void) => () => void;
  /** Takes the oldest job of these kinds that is nobody's, or whose worker has fallen silent. */
  readonly take: (worker: string, kinds: Kinds) => Promise<TakenJob | undefined>;
  /** Lengthens the lease to its full length from now. False where the job is not this taking's any more. */
  readonly extend: (job: TakenJob) => Promise<boolean>;
  /** Notes what the job came to, for good. False where it is not this taking's any more. */
  readonly finish: (job: TakenJob, result: unknown) => Promise<boolean>;
  /** Notes that the job failed for good, and why in the words of whoever asked. False where it is not this taking's any more. */
  readonly fail: (job: TakenJob, error: string) => Promise<boolean>;
  /** Gives the job back to be taken by anybody after a rest; `counts` says whether this was one of its attempts. */
  readonly release: (
    job: TakenJob,
    rest: { readonly milliseconds: number; readonly counts: boolean },
  ) => Promise<boolean>;
  /** Makes all jobs that are under way free at once: for a start of the only process that there is. */
  readonly releaseAll: () => Promise<void>;
  /** A job of a kind by its identifier, until it has been over for 30 days; whether the caller may see it is for whoever asks to judge. */
  readonly find: (kind: string, jobId: string) => Promise<JobSeen | undefined>;
  /** Forgets the jobs that have been over for 30 days. */
  readonly prune: () => Promise<void>;
};

/** The channel that a job is about is not there any more. */
export class ChannelGone extends Error {
  constructor() {
    super('the channel has been deleted meanwhile');
    this.name = 'ChannelGone';
  }
}

/** The queue in a registry. `now` is in epoch milliseconds. */
export function createQueue(registry: Registry, now: () => number = Date.now): JobQueue {
  const { records } = registry;
  const listeners = new Set<() => void>();

  /** Ends or gives back this taking of a job. */
  async function settle(
    job: TakenJob,
    change: Partial<Omit<JobRecord, 'sequence'>>,
  ): Promise<boolean> {
    const { jobId, worker, attempts } = job;
    const { numUpdatedRows } = await records
      .updateTable('job')
      .set(change)
      .where((row) => row.and({ jobId, worker, attempts, state: 'running' }))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /** Runs a statement while no other node does the same. */
  function inTurn<Row>(statement: CompiledQuery<Row>): Promise<Row[]> {
    return records.transaction().execute(async (transaction) => {
      await sql`SELECT pg_advisory_xact_lock(${sql.lit(takingLock[0])}, ${sql.lit(takingLock[1])})`.execute(
        transaction,
      );
      return (await transaction.executeQuery(statement)).rows;
    });
  }

  return {
    async add(transaction, { kind, channel, userId, payload }) {
      const { channelNumber, organisationId } = channel;
      // Numbers are given out before they are committed: whoever adds to a channel waits here, so that a later job has the greater one.
      const held = await transaction
        .selectFrom('channel')
        .select('channelNumber')
        .where('channelNumber', '=', channelNumber)
        .$if(registry.engine === 'postgres', (channels) => channels.forNoKeyUpdate())
        .executeTakeFirst();
      if (held === undefined) throw new ChannelGone();
      const jobId = randomUUID();
      await transaction
        .insertInto('job')
        .values({
          jobId,
          kind,
          channelNumber,
          organisationId,
          userId,
          state: 'waiting',
          payload: JSON.stringify(payload),
          result: null,
          error: null,
          createdAt: now(),
          startedAt: null,
          finishedAt: null,
          attempts: 0,
          worker: null,
          leaseUntil: 0,
        })
        .execute();
      return jobId;
    },
    async countWaiting(transaction, kind, organisationId) {
      if (registry.engine === 'postgres') {
        await transaction
          .selectFrom('organisation')
          .select('organisationId')
          .where('organisationId', '=', organisationId)
          .forNoKeyUpdate()
          .execute();
      }
      const { waiting } = await transaction
        .selectFrom('job as candidate')
        .select(({ fn }) => fn.countAll().as('waiting'))
        .where((row) => row.and({ kind, organisationId, state: 'waiting' }))
        .where(isOpen('candidate'))
        .executeTakeFirstOrThrow();
      return Number(waiting);
    },
    announce() {
      for (const heard of listeners) heard();
    },
    listen(heard) {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
    async take(worker, { all, inOrder, organisationMax }) {
      const at = now();
      const free = records
        .selectFrom('job as candidate')
        .select('candidate.jobId')
        .where('candidate.kind', 'in', all)
        .where(isOpen('candidate'))
        .where('candidate.leaseUntil', '<=', at)
        .$if(inOrder.length > 0, (jobs) =>
          jobs.where(({ or, not, exists, eb, selectFrom }) =>
            or([
              eb('candidate.kind', 'not in', inOrder),
              not(
                exists(
                  selectFrom('job as older')
                    .select('older.jobId')
                    .whereRef('older.kind', '=', 'candidate.kind')
                    .whereRef('older.channelNumber', '=', 'candidate.channelNumber')
                    .whereRef('older.sequence', '<', 'candidate.sequence')
                    .where(isOpen('older')),
                ),
              ),
            ]),
          ),
        )
        .$if(organisationMax !== undefined, (jobs) =>
          jobs.where(({ eb, selectFrom }) =>
            eb(
              selectFrom('job as other')
                .select(({ fn }) => fn.countAll().as('running'))
                .where('other.kind', 'in', all)
                .whereRef('other.organisationId', '=', 'candidate.organisationId')
                .where('other.state', '=', 'running')
                .where('other.leaseUntil', '>', at)
                .where(isOpen('other')),
              '<',
              organisationMax!,
            ),
          ),
        )
        .orderBy('candidate.sequence')
        .limit(1)
        // What another worker is just taking is passed over, not waited for.
        .$if(registry.engine === 'postgres', (jobs) => jobs.forUpdate().skipLocked());
      const update = records
        .updateTable('job')
        .set(({ eb, fn, val }) => ({
          state: 'running',
          worker,
          attempts: eb('attempts', '+', 1),
          startedAt: fn.coalesce('startedAt', val(at)),
          leaseUntil: at + leaseMilliseconds,
        }))
        .where('jobId', '=', free)
        .returning([
          'sequence',
          'jobId',
          'kind',
          'channelNumber',
          'organisationId',
          'userId',
          'attempts',
          'createdAt',
          'startedAt',
          'payload',
        ]);
      // Two that count at once would not see what the other takes.
      const isCounted = organisationMax !== undefined && registry.engine === 'postgres';
      const [taken] = isCounted ? await inTurn(update.compile()) : await update.execute();
      return (
        taken && {
          ...taken,
          worker,
          startedAt: taken.startedAt!,
          payload: JSON.parse(taken.payload),
        }
      );
    },
    extend: (job) => settle(job, { leaseUntil: now() + leaseMilliseconds }),
    // What was asked for may be long, and is of no use any more.
    finish: (job, result) =>
      settle(job, {
        state: 'done',
        payload: 'null',
        result: JSON.stringify(result ?? null),
        finishedAt: now(),
        leaseUntil: 0,
      }),
    fail: (job, error) =>
      settle(job, { state: 'failed', payload: 'null', error, finishedAt: now(), leaseUntil: 0 }),
    release: (job, { milliseconds, counts }) =>
      settle(job, {
        state: 'waiting',
        leaseUntil: now() + milliseconds,
        attempts: job.attempts - (counts ? 0 : 1),
      }),
    async releaseAll() {
      await records
        .updateTable('job')
        .set({ leaseUntil: 0 })
        .where('state', '=', 'running')
        .execute();
    },
    async find(kind, jobId) {
      const found = await records
        .selectFrom('job')
        .select(['channelNumber', 'organisationId', 'state', 'error', 'startedAt', 'result'])
        .where((row) => row.and({ jobId, kind }))
        .where(({ or, eb }) =>
          or([eb('finishedAt', 'is', null), eb('finishedAt', '>=', now() - keptMilliseconds)]),
        )
        .executeTakeFirst();
      return (
        found && { ...found, result: found.result === null ? undefined : JSON.parse(found.result) }
      );
    },
    async prune() {
      await records
        .deleteFrom('job')
        .where('finishedAt', '<', now() - keptMilliseconds)
        .execute();
    },
  };
}

/** Whether a job is not over; in the very words of the index, as constants. */
function isOpen(table: 'candidate' | 'older' | 'other'): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${table}.state`)} in ('waiting', 'running')`;
}
