/**
 * Idempotent requests: a POST or PATCH with the header Idempotency-Key changes the records and
 * stores its answer in one transaction, so a client that missed the answer can repeat the request
 * and get it.
 */

import { randomUUID } from 'node:crypto';
import { Refusal } from '../contract/refusal.ts';
import type { Commit, Registry } from '../engine/registry.ts';
import { findOne } from './records.ts';
import { createHashing, createSeal, type Seal } from './secret.ts';

/** For how long an answer is repeated. */
export const answerLifetimeMilliseconds = 24 * 3_600_000;
/**
 * A request that runs for longer is assumed to have died with its node; no operation takes that
 * long.
 */
const runningMillisecondsMax = 120_000;

/** Begins the owner of the requests of a user. */
export const userPrefix = 'user:';
const retrySeconds = 3_600;

/** A request that may carry an Idempotency-Key. */
export type IdempotentRequest = {
  /** The value of the header, which `keyFailure` found nothing wrong with. */
  readonly key: string | undefined;
  /** The user or interface whose keys these are. */
  readonly owner: string;
  readonly method: string;
  readonly url: string;
  readonly input: unknown;
};

/** An answer, and whether it is the stored one of an earlier request. */
export type IdempotentAnswer = { readonly answer: unknown; readonly isReplayed: boolean };

/** Runs requests at most once. */
export type Idempotency = {
  /**
   * Runs `work`, or repeats the answer of the same request. A request is the same when owner, key,
   * method, URL and input are. `work` must answer what it commits. Throws 422 when the key was used
   * for another request, and 409 while the first request runs.
   */
  readonly run: (
    request: IdempotentRequest,
    work: (commit: Commit) => Promise<unknown>,
  ) => Promise<IdempotentAnswer>;
};

/** The failing rule of a header Idempotency-Key. */
export function keyFailure(key: unknown): string | undefined {
  return key === undefined || (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key))
    ? undefined
    : 'the header idempotency-key must be 1 to 255 visible characters';
}

/** Names the attempt to run a request; a later attempt replaces it. */
type Attempt = { readonly owner: string; readonly keyHash: string; readonly attempt: string };

type Dependencies = {
  readonly records: Registry['records'];
  readonly answers: Seal;
  readonly now: () => number;
  readonly answersMax: number;
};

/** Commits without storing the answer. */
export function plainCommit(registry: Registry): Commit {
  return (work) => registry.records.transaction().execute(work);
}

/**
 * Stores requests and answers in the registry, at most `answersMax` of an organisation. `now` is in
 * epoch milliseconds.
 */
export function createIdempotency(
  registry: Registry,
  secret: string,
  now: () => number,
  answersMax: number,
): Idempotency {
  const hashOf = createHashing(secret, 'idempotency key');
  const { records } = registry;
  // Stored answers open with this use alone, so it must stay.
  const answers = createSeal(secret, 'kept answer');
  const dependencies = { records, answers, now, answersMax };
  return {
    async run({ key, owner, method, url, input }, work) {
      if (key === undefined)
        return { answer: await work(plainCommit(registry)), isReplayed: false };
      // Only hashes are stored: a key may be a secret sent by mistake, and a body may hold a
      // password.
      const keyHash = hashOf(`key ${key}`);
      const fingerprint = hashOf(`call ${method} ${url}\n${JSON.stringify(input)}`);
      const begun = await begin(dependencies, owner, keyHash, fingerprint);
      if ('answer' in begun) return { answer: begun.answer, isReplayed: true };
      return { answer: await runAttempt(dependencies, begun, work), isReplayed: false };
    },
  };
}

/** Runs the work of an attempt and stores its answer with what it commits. */
async function runAttempt(
  { records, answers }: Dependencies,
  attempt: Attempt,
  work: (commit: Commit) => Promise<unknown>,
): Promise<unknown> {
  let isCommitted = false;
  const commit: Commit = async (change) => {
    const committed = await records.transaction().execute(async (transaction) => {
      const answer = await change(transaction);
      const { numUpdatedRows } = await transaction
        .updateTable('idempotentRequest')
        .set({ answer: answers.close(JSON.stringify(answer ?? null), boundTo(attempt)) })
        .where((row) => row.and(attempt))
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw stillRunning();
      return answer;
    });
    isCommitted = true;
    return committed;
  };
  try {
    const answer = await work(commit);
    // The request is over even when it changed nothing.
    return isCommitted ? answer : await commit(async () => answer);
  } catch (error) {
    // A request without an answer may be repeated at once. If the commit succeeded although it
    // reported a failure, the answer is there and stays.
    await records
      .deleteFrom('idempotentRequest')
      .where((row) => row.and(attempt))
      .where('answer', 'is', null)
      .execute()
      .catch(() => {});
    throw error;
  }
}

/** Opens the request for a new attempt, or finds its stored answer. */
async function begin(
  { records, answers, now, answersMax }: Dependencies,
  owner: string,
  keyHash: string,
  fingerprint: string,
): Promise<Attempt | { readonly answer: unknown }> {
  const attempt: Attempt = { owner, keyHash, attempt: randomUUID() };
  const startedAt = now();
  const opened = await records
    .insertInto('idempotentRequest')
    .values({ ...attempt, fingerprint, answer: null, startedAt })
    .onConflict((conflict) => conflict.columns(['owner', 'keyHash']).doNothing())
    .executeTakeFirst();
  if (opened.numInsertedOrUpdatedRows === 1n) {
    await refuseMany(records, attempt, answersMax);
    return attempt;
  }
  const known = await findOne(records, 'idempotentRequest', { owner, keyHash });
  // It ended without a change in the meantime.
  if (known === undefined) throw stillRunning();
  const lasts = known.answer === null ? runningMillisecondsMax : answerLifetimeMilliseconds;
  if (known.startedAt + lasts <= startedAt) {
    const { numUpdatedRows } = await records
      .updateTable('idempotentRequest')
      .set({ fingerprint, attempt: attempt.attempt, answer: null, startedAt })
      .where((row) => row.and({ owner, keyHash, attempt: known.attempt }))
      .where('answer', known.answer === null ? 'is' : '=', known.answer)
      .executeTakeFirst();
    if (numUpdatedRows === 1n) return attempt;
    throw stillRunning();
  }
  if (known.fingerprint !== fingerprint)
    throw new Refusal(422, 'this idempotency-key was used for another request: use a new one');
  if (known.answer === null) throw stillRunning();
  return { answer: JSON.parse(answers.open(known.answer, boundTo(attempt))) };
}

/** Refuses an attempt if the organisation of its user has too many answers. */
async function refuseMany(
  records: Registry['records'],
  attempt: Attempt,
  answersMax: number,
): Promise<void> {
  const userId = attempt.owner.startsWith(userPrefix) && attempt.owner.slice(userPrefix.length);
  if (userId === false) return;
  const colleagues = await records
    .selectFrom('userAccount as colleague')
    .innerJoin('userAccount as user', 'user.organisationId', 'colleague.organisationId')
    .where('user.userId', '=', userId)
    .select('colleague.userId')
    .execute();
  const owners = colleagues.map((colleague) => userPrefix + colleague.userId);
  const { stored } = await records
    .selectFrom('idempotentRequest')
    .where('owner', 'in', owners.length > 0 ? owners : [attempt.owner])
    .select(({ fn }) => fn.countAll<number>().as('stored'))
    .executeTakeFirstOrThrow();
  if (stored <= answersMax) return;
  await records
    .deleteFrom('idempotentRequest')
    .where((row) => row.and(attempt))
    .execute();
  throw new Refusal(
    429,
    `your organisation has sent ${answersMax} requests with an idempotency-key within 24 hours: try again later, or send them without one`,
    { 'retry-after': String(retrySeconds) },
  );
}

/** A stored answer opens only for the request that it belongs to. */
function boundTo({ owner, keyHash }: Attempt): string {
  return `${owner} ${keyHash}`;
}

/** Deletes answers that are no longer repeated. `now` is in epoch milliseconds. */
export async function pruneIdempotentRequests({ records }: Registry, now: number): Promise<void> {
  await records
    .deleteFrom('idempotentRequest')
    .where('startedAt', '<', now - answerLifetimeMilliseconds)
    .execute();
}

function stillRunning(): Refusal {
  return new Refusal(
    409,
    'a request with this idempotency-key is still running: try again shortly',
    { 'retry-after': '1' },
  );
}
