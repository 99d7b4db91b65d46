/** How often each key is used, and for what of late: noted in memory and written every few seconds, so that no request waits for it. */
import { recentRequestDays, recentRequestsMax } from '../endpoints/account/contracts.ts';
import type { RecentRequestRecord, RecordsTransaction, Registry } from '../engine/registry.ts';

/** How much of the counting the end of a process without warning may cost. */
export const usageWriteMilliseconds = 4_000;

const millisecondsPerDay = 86_400_000;

/** An answered request of a key. */
export type Answered = {
  readonly keyId: string;
  readonly operation: string;
  readonly status: number;
  /** How long the answer took. */
  readonly milliseconds: number;
  readonly requestId: string;
};

/** Counts requests. */
export type Usage = {
  readonly note: (answered: Answered) => void;
  /** Writes all that has been counted before the call; what cannot be written now is written later. */
  readonly write: () => Promise<void>;
  /** How many requests a key had made on a day (of UTC, since 1970-01-01) that its limits allowed, as far as they are written. */
  readonly usedOn: (keyId: string, day: number) => Promise<number>;
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

/** Counts for a registry. `now` is in epoch milliseconds; `failed` is told of what could not be written. */
export function createUsage(
  registry: Registry,
  now: () => number,
  failed: (error: unknown) => void,
): Usage {
  let counts = new Map<string, Count>();
  /** By key, the oldest first; more than are kept are not let grow, lest a busy key fill the memory. */
  let recents = new Map<string, Recent[]>();
  let writing: Promise<void> | undefined;
  const timer = setInterval(() => void write(), usageWriteMilliseconds);
  timer.unref();

  function add(count: Count): void {
    const id = `${count.keyId}\n${count.day}\n${count.operation}`;
    const known = counts.get(id);
    if (known === undefined) {
      counts.set(id, count);
      return;
    }
    known.requests += count.requests;
    known.refused += count.refused;
    known.limited += count.limited;
    known.failed += count.failed;
    known.lastUsedAt = Math.max(known.lastUsedAt, count.lastUsedAt);
  }

  async function writeCounts(): Promise<void> {
    if (counts.size === 0) return;
    // One order for all nodes, so that none waits for another that waits for it.
    const taken = [...counts.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, count]) => count);
    counts = new Map();
    const takenRecents = recents;
    recents = new Map();
    try {
      await registry.records.transaction().execute(async (transaction) => {
        const held = new Set<string>();
        for (const { lastUsedAt, ...count } of taken) {
          // The key may have been deleted with its user meanwhile: then nothing is left to count for.
          const key = await transaction
            .updateTable('apiKey')
            .set(({ fn, ref, val, eb }) => ({
              lastUsedAt: eb
                .case()
                .when(fn.coalesce(ref('lastUsedAt'), val(0)), '<', lastUsedAt)
                .then(lastUsedAt)
                .else(ref('lastUsedAt'))
                .end(),
            }))
            .where('keyId', '=', count.keyId)
            .executeTakeFirst();
          if (key.numUpdatedRows === 0n) continue;
          held.add(count.keyId);
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
        for (const keyId of held)
          await writeRecent(transaction, keyId, takenRecents.get(keyId) ?? []);
      });
    } catch (error) {
      for (const count of taken) add(count);
      for (const [keyId, requests] of takenRecents)
        recents.set(keyId, newest([...requests, ...(recents.get(keyId) ?? [])]));
      failed(error);
    }
  }

  async function write(): Promise<void> {
    // What was noted while a write was under way is not in it.
    await writing;
    writing ??= writeCounts().finally(() => {
      writing = undefined;
    });
    await writing;
  }

  return {
    note({ keyId, operation, status, milliseconds, requestId }) {
      const at = now();
      const requests = recents.get(keyId) ?? [];
      requests.push({
        keyId,
        at,
        operation,
        status,
        microseconds: Math.round(milliseconds * 1000),
        requestId,
      });
      recents.set(keyId, requests.length < 2 * recentRequestsMax ? requests : newest(requests));
      add({
        keyId,
        operation,
        day: Math.floor(at / millisecondsPerDay),
        requests: 1,
        refused: status >= 400 && status < 500 && status !== 429 ? 1 : 0,
        limited: status === 429 ? 1 : 0,
        failed: status >= 500 ? 1 : 0,
        lastUsedAt: at,
      });
    },
    write,
    async usedOn(keyId, day) {
      const { used } = await registry.records
        .selectFrom('keyUsage')
        .select(({ fn, eb, ref }) =>
          fn
            .coalesce(fn.sum<number>(eb(ref('requests'), '-', ref('limited'))), eb.val(0))
            .as('used'),
        )
        .where('keyId', '=', keyId)
        .where('day', '=', day)
        .executeTakeFirstOrThrow();
      return Number(used);
    },
    async close() {
      clearInterval(timer);
      await write();
    },
  };
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

/** Forgets single requests that are no longer shown. `now` is in epoch milliseconds. */
export async function pruneRequests({ records }: Registry, now: number): Promise<void> {
  await records
    .deleteFrom('recentRequest')
    .where('at', '<', now - recentRequestDays * millisecondsPerDay)
    .execute();
}
