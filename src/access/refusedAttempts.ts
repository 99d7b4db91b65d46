/** Refused attempts to sign in or to use a token, added up for the audit log. */
import type { Clock, Timer } from '../engine/clock.ts';
import { type Registry, writeAudit } from '../engine/registry.ts';

const writeMilliseconds = 60_000;
/** The most entries of a minute; further addresses share one, so that nobody fills the disk. */
const entriesMax = 100;

/** An attempt that was refused. */
export type RefusedAttempt = {
  readonly action: 'refuseOperator' | 'refuseSignIn' | 'refusePassword' | 'refusePasswordLink';
  /** The address that it came from. */
  readonly address: string;
  /** The userId of the account, where there is one. */
  readonly userId?: string | undefined;
};

/** Collects refused attempts. */
export type RefusedAttempts = {
  readonly note: (attempt: RefusedAttempt) => void;
  /** Writes what was noted so far. */
  readonly write: () => Promise<void>;
  /** Writes it, then stops. */
  readonly close: () => Promise<void>;
};

type Entry = RefusedAttempt & { attempts: number };

/** Adds up refused attempts by action, account and address, and writes them once a minute. */
export function createRefusedAttempts(
  registry: Registry,
  { now, after }: Clock,
  onError: (error: unknown) => void,
): RefusedAttempts {
  let waiting = new Map<string, Entry>();
  let timer: Timer | undefined;

  async function write(): Promise<void> {
    timer?.cancel();
    timer = undefined;
    const entries = [...waiting.values()];
    waiting = new Map();
    if (entries.length === 0) return;
    try {
      await registry.records.transaction().execute(async (transaction) => {
        for (const { action, address, userId = 'unknown', attempts } of entries) {
          const detail = { address, attempts };
          await writeAudit(transaction, now(), 'visitor', { action, subject: userId, detail });
        }
      });
    } catch (error) {
      onError(error);
    }
  }

  function entryOf(attempt: RefusedAttempt): Entry {
    const name = JSON.stringify([attempt.action, attempt.userId, attempt.address]);
    const entry = waiting.get(name) ?? { ...attempt, attempts: 0 };
    waiting.set(name, entry);
    return entry;
  }

  return {
    note(attempt) {
      const { action } = attempt;
      const isRoom = waiting.size < entriesMax;
      entryOf(isRoom ? attempt : { action, address: 'several' }).attempts += 1;
      if (timer !== undefined) return;
      timer = after(writeMilliseconds, () => void write());
      timer.unref();
    },
    write,
    close: write,
  };
}
