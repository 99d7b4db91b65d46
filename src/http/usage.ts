/** How often each key is used: counted in memory and written every few seconds, so that no request waits for it. */
import type { Registry } from '../engine/registry.ts';

/** How much of the counting the end of a process without warning may cost. */
export const usageWriteMilliseconds = 4_000;

const millisecondsPerDay = 86_400_000;

/** Counts requests. */
export type Usage = {
  /** Notes one answered request of a key. */
  readonly note: (keyId: string, operation: string, status: number) => void;
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

/** Counts for a registry. `now` is in epoch milliseconds; `failed` is told of what could not be written. */
export function createUsage(registry: Registry, now: () => number, failed: (error: unknown) => void): Usage {
  let counts = new Map<string, Count>();
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
    const taken = [...counts.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
    counts = new Map();
    try {
      await registry.records.transaction().execute(async (transaction) => {
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
      });
    } catch (error) {
      for (const count of taken) add(count);
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
    note(keyId, operation, status) {
      const at = now();
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
        .select(({ fn, eb, ref }) => fn.coalesce(fn.sum<number>(eb(ref('requests'), '-', ref('limited'))), eb.val(0)).as('used'))
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
