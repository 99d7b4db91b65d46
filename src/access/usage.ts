/**
 * Usage of keys: counted in memory and written every few seconds, so that no request waits for it.
 */
import { recentRequestDays, recentRequestsMax } from '../contract/account.ts';
import type { Clock, Timer } from '../engine/clock.ts';
import type { RecentRequestRecord, RecordsTransaction, Registry } from '../engine/registry.ts';

/** A process that dies loses at most the counts of this time. */
export const usageWriteMilliseconds = 4_000;

const millisecondsPerDay = 86_400_000;

/** An answered request of a key. */
export type Answered = {
  readonly keyId: string;
  readonly operation: string;
  readonly status: number;
  /** The message with which it was refused or failed, safe to store; null for other answers. */
  readonly reason: string | null;
  /** How long the answer took. */
  readonly milliseconds: number;
  readonly requestId: string;
};

/** Counts requests. */
export type Usage = {
  readonly note: (answered: Answered) => void;
  /** Writes all counts made before the call; after a failure they are written later. */
  readonly write: () => Promise<void>;
  /**
   * The requests of a key, and of those made from it, within its limits on a day of UTC, counted in
   * days since 1970-01-01, as far as they are written.
   */
  readonly usedOn: (budget: string, day: number) => Promise<number>;
  /** Writes for the last time. */
  readonly close: () => Promise<void>;
};

type Count = {
  readonly keyId: string;
  readonly day: number;
  readonly operation: string;
  requests: number;
  refused: number;
  limited: number;
  failed: number;
  lastUsedAt: number;
};
type Recent = Omit<RecentRequestRecord, 'requestNumber'>;

/**
 * Counts requests for a registry, by a clock. `onError` gets the error when counts could not be
 * written.
 */
export function createUsage(
  registry: Registry,
  clock: Clock,
  onError: (error: unknown) => void,
): Usage {
  const pending = new PendingUsage();
  let writing: Promise<void> | undefined;

  async function writePending(): Promise<void> {
    if (pending.isEmpty) return;
    const taken = pending.take();
    try {
      await registry.records.transaction().execute((transaction) => writeUsage(transaction, taken));
    } catch (error) {
      pending.putBack(taken);
      onError(error);
    }
  }

  async function write(): Promise<void> {
    // A write that is under way does not hold the latest counts.
    await writing;
    writing ??= writePending().finally(() => {
      writing = undefined;
    });
    await writing;
  }

  function writeLater(): Timer {
    const next = clock.after(usageWriteMilliseconds, () => {
      timer = writeLater();
      void write();
    });
    next.unref();
    return next;
  }

  let timer = writeLater();
  return {
    note: (answered) => pending.add(answered, clock.now()),
    write,
    usedOn: (budget, day) => readUsedOn(registry, budget, day),
    async close() {
      timer.cancel();
      await write();
    },
  };
}

/** Usage that is not yet written. */
type Taken = {
  readonly counts: readonly Count[];
  readonly recents: ReadonlyMap<string, readonly Recent[]>;
};

/** Collects usage between two writes. */
class PendingUsage {
  #counts = new Map<string, Count>();
  /** By key, the oldest first. Trimmed as it grows, so that a busy key cannot fill the memory. */
  #recents = new Map<string, Recent[]>();

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  add({ keyId, operation, status, ...answered }: Answered, at: number): void {
    const { reason, milliseconds, requestId } = answered;
    const recents = this.#recents.get(keyId) ?? [];
    const microseconds = Math.round(milliseconds * 1000);
    recents.push({ keyId, at, operation, status, reason, microseconds, requestId });
    this.#recents.set(keyId, recents.length < 2 * recentRequestsMax ? recents : newest(recents));
    this.#count({
      keyId,
      operation,
      day: Math.floor(at / millisecondsPerDay),
      requests: 1,
      refused: status >= 400 && status < 500 && status !== 429 ? 1 : 0,
      limited: status === 429 ? 1 : 0,
      failed: status >= 500 ? 1 : 0,
      lastUsedAt: at,
    });
  }

  take(): Taken {
    // All nodes write in the same order, so that no two wait for each other.
    const counts = [...this.#counts.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, count]) => count);
    const recents = this.#recents;
    this.#counts = new Map();
    this.#recents = new Map();
    return { counts, recents };
  }

  putBack({ counts, recents }: Taken): void {
    for (const count of counts) this.#count(count);
    for (const [keyId, requests] of recents)
      this.#recents.set(keyId, newest([...requests, ...(this.#recents.get(keyId) ?? [])]));
  }

  #count(count: Count): void {
    const id = `${count.keyId}\n${count.day}\n${count.operation}`;
    const known = this.#counts.get(id);
    if (known === undefined) {
      this.#counts.set(id, count);
      return;
    }
    known.requests += count.requests;
    known.refused += count.refused;
    known.limited += count.limited;
    known.failed += count.failed;
    known.lastUsedAt = Math.max(known.lastUsedAt, count.lastUsedAt);
  }
}

async function writeUsage(
  transaction: RecordsTransaction,
  { counts, recents }: Taken,
): Promise<void> {
  const known = new Set<string>();
  for (const { lastUsedAt, ...count } of counts) {
    // A key that was deleted in the meantime is not counted.
    if (!(await markUsed(transaction, count.keyId, lastUsedAt))) continue;
    known.add(count.keyId);
    await transaction
      .insertInto('keyUsage')
      .values(count)
      .onConflict((conflict) =>
        conflict.columns(['keyId', 'day', 'operation']).doUpdateSet(({ eb, ref }) => ({
          requests: eb(ref('keyUsage.requests'), '+', ref('excluded.requests')),
          refused: eb(ref('keyUsage.refused'), '+', ref('excluded.refused')),
          limited: eb(ref('keyUsage.limited'), '+', ref('excluded.limited')),
          failed: eb(ref('keyUsage.failed'), '+', ref('excluded.failed')),
        })),
      )
      .execute();
  }
  for (const keyId of known) await writeRecent(transaction, keyId, recents.get(keyId) ?? []);
}

/** Records when a key was last used; false when the key does not exist. */
async function markUsed(
  transaction: RecordsTransaction,
  keyId: string,
  lastUsedAt: number,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('apiKey')
    .set(({ fn, ref, val, eb }) => ({
      lastUsedAt: eb
        .case()
        .when(fn.coalesce(ref('lastUsedAt'), val(0)), '<', lastUsedAt)
        .then(lastUsedAt)
        .else(ref('lastUsedAt'))
        .end(),
    }))
    .where('keyId', '=', keyId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function newest(requests: readonly Recent[]): Recent[] {
  return requests.slice(-recentRequestsMax);
}

async function writeRecent(
  transaction: RecordsTransaction,
  keyId: string,
  requests: readonly Recent[],
): Promise<void> {
  if (requests.length === 0) return;
  await transaction.insertInto('recentRequest').values(newest(requests)).execute();
  await transaction
    .deleteFrom('recentRequest')
    .where('keyId', '=', keyId)
    .where('requestNumber', '<=', ({ selectFrom }) =>
      selectFrom('recentRequest')
        .select('requestNumber')
        .where('keyId', '=', keyId)
        .orderBy('requestNumber', 'desc')
        .limit(1)
        .offset(recentRequestsMax),
    )
    .execute();
}

async function readUsedOn({ records }: Registry, budget: string, day: number): Promise<number> {
  const { used } = await records
    .selectFrom('keyUsage')
    .select(({ fn, eb, ref }) =>
      fn.coalesce(fn.sum<number>(eb(ref('requests'), '-', ref('limited'))), eb.val(0)).as('used'),
    )
    .where('keyId', 'in', (keys) =>
      keys
        .selectFrom('apiKey')
        .select('apiKey.keyId')
        .where(({ or, eb }) => or([eb('keyId', '=', budget), eb('madeFrom', '=', budget)])),
    )
    .where('day', '=', day)
    .executeTakeFirstOrThrow();
  return Number(used);
}

/** Deletes single requests that are no longer listed. `now` is in epoch milliseconds. */
export async function pruneRequests({ records }: Registry, now: number): Promise<void> {
  await records
    .deleteFrom('recentRequest')
    .where('at', '<', now - recentRequestDays * millisecondsPerDay)
    .execute();
}
