/**
 * Calls that are done only once: a POST or PATCH with the header Idempotency-Key changes the records and keeps its answer in one
 * transaction, so whoever has not heard the answer may ask again and gets the first one.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../contract/refusal.ts';
import type { Commit, Registry } from '../engine/registry.ts';
import { createHashing, createSeal } from './secret.ts';

/** For how long an answer is repeated. */
export const answerKeptMilliseconds = 24 * 3_600_000;
/** After this time a call that has not ended is taken to have died; no operation runs so long. */
const runningMillisecondsMax = 120_000;

/** Runs calls once. */
export type Idempotency = {
  /**
   * Runs `work`, or repeats the answer of an earlier call of the same owner with the same Idempotency-Key. Method, path and `asked` make
   * it the same call. `work` must answer what it commits. Throws 400 for a header that cannot be used, 422 where the key was used for
   * something else, 409 while the first call runs.
   */
  readonly run: (
    request: FastifyRequest,
    reply: FastifyReply,
    owner: string,
    asked: unknown,
    work: (commit: Commit) => Promise<unknown>,
  ) => Promise<unknown>;
};

/** Commits without keeping the answer, for calls that may be done as often as they come. */
export function plainCommit(registry: Registry): Commit {
  return (work) => registry.records.transaction().execute(work);
}

/** Keeps calls in the registry. `now` is in epoch milliseconds. */
export function createIdempotency(
  registry: Registry,
  secret: string,
  now: () => number,
): Idempotency {
  const hashOf = createHashing(secret, 'idempotency key');
  const answers = createSeal(secret, 'kept answer');
  const { records } = registry;

  return {
    async run(request, reply, owner, asked, work) {
      const header = request.headers['idempotency-key'];
      if (header === undefined) return work(plainCommit(registry));
      if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
        throw new Refusal(400, 'the header idempotency-key must be 1 to 255 visible characters');
      }
      // Neither is kept as it came: a key may be put where it does not belong, and a body may hold a password.
      const callKey = hashOf(`key ${header}`);
      const fingerprint = hashOf(`call ${request.method} ${request.url}\n${JSON.stringify(asked)}`);
      const kept = await begin(owner, callKey, fingerprint);
      if ('answer' in kept) {
        reply.header('idempotency-replayed', 'true');
        return kept.answer;
      }
      const { attempt } = kept;
      const isMine = { owner, callKey, attempt };
      let isCommitted = false;
      const commit: Commit = async (change) => {
        const committed = await records.transaction().execute(async (transaction) => {
          const answer = await change(transaction);
          const sealed = answers.close(JSON.stringify(answer ?? null), `${owner} ${callKey}`);
          const { numUpdatedRows } = await transaction
            .updateTable('idempotentRequest')
            .set({ answer: sealed })
            .where((row) => row.and(isMine))
            .executeTakeFirst();
          if (numUpdatedRows === 0n) throw running();
          return answer;
        });
        isCommitted = true;
        return committed;
      };
      try {
        const answer = await work(commit);
        // Where there was nothing to change, the call is over all the same.
        return isCommitted ? answer : await commit(async () => answer);
      } catch (error) {
        // What was not committed may be tried again at once; what was, though its committing failed, has its answer.
        await records
          .deleteFrom('idempotentRequest')
          .where((row) => row.and(isMine))
          .where('answer', 'is', null)
          .execute()
          .catch(() => {});
        throw error;
      }
    },
  };

  /** Opens the call for this attempt, or finds its answer. */
  async function begin(
    owner: string,
    callKey: string,
    fingerprint: string,
  ): Promise<{ attempt: string } | { answer: unknown }> {
    const attempt = randomUUID();
    const startedAt = now();
    const opened = await records
      .insertInto('idempotentRequest')
      .values({ owner, callKey, fingerprint, attempt, answer: null, startedAt })
      .onConflict((conflict) => conflict.columns(['owner', 'callKey']).doNothing())
      .executeTakeFirst();
    if (opened.numInsertedOrUpdatedRows === 1n) return { attempt };
    const call = await records
      .selectFrom('idempotentRequest')
      .selectAll()
      .where('owner', '=', owner)
      .where('callKey', '=', callKey)
      .executeTakeFirst();
    // It has ended without a change meanwhile.
    if (call === undefined) throw running();
    const isOver =
      call.answer === null
        ? call.startedAt + runningMillisecondsMax
        : call.startedAt + answerKeptMilliseconds;
    if (isOver <= startedAt) {
      const { numUpdatedRows } = await records
        .updateTable('idempotentRequest')
        .set({ fingerprint, attempt, answer: null, startedAt })
        .where((row) => row.and({ owner, callKey, attempt: call.attempt }))
        .where('answer', call.answer === null ? 'is' : '=', call.answer)
        .executeTakeFirst();
      if (numUpdatedRows === 1n) return { attempt };
      throw running();
    }
    if (call.fingerprint !== fingerprint)
      throw new Refusal(422, 'this idempotency-key was used for another request: use a new one');
    if (call.answer === null) throw running();
    return { answer: JSON.parse(answers.open(call.answer, `${owner} ${callKey}`)) };
  }
}

/** Forgets the answers that are no longer repeated. `now` is in epoch milliseconds. */
export async function pruneIdempotentRequests({ records }: Registry, now: number): Promise<void> {
  await records
    .deleteFrom('idempotentRequest')
    .where('startedAt', '<', now - answerKeptMilliseconds)
    .execute();
}

function running(): Refusal {
  return new Refusal(
    409,
    'a request with this idempotency-key is still running: try again shortly',
    { 'retry-after': '1' },
  );
}
