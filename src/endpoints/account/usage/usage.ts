import { utcDay } from '../../../access/records.ts';
import { usableKeys } from '../../../access/usableKeys.ts';
import { isoDate } from '../../../calendar/period.ts';
import { usageDays } from '../../../contract/account.ts';
import type { Registry } from '../../../engine/registry.ts';
import type { Handler } from '../../handler.ts';
import { callNames } from '../callNames.ts';
import type { readUsage as contract } from './contract.ts';

const counted = ['requests', 'refused', 'limited', 'failed'] as const;
type Counts = Record<(typeof counted)[number], number>;

/** Reads the usage of recent days, by day and by operation. */
export const readUsage: Handler<typeof contract> = async (
  _input,
  { signedIn, registry, usage, contracts, now },
) => {
  const { userId } = signedIn;
  const today = utcDay(now());
  const first = today - usageDays + 1;
  await usage.write();
  const rows = await registry.records
    .selectFrom('keyUsage')
    .innerJoin('apiKey', 'apiKey.keyId', 'keyUsage.keyId')
    .select(['keyUsage.day', 'keyUsage.operation', 'keyUsage.keyId'])
    .select(({ fn }) => counted.map((name) => fn.sum<number>(`keyUsage.${name}`).as(name)))
    .where('apiKey.userId', '=', userId)
    .where('keyUsage.day', '>=', first)
    .where('keyUsage.day', '<=', today)
    .groupBy(['keyUsage.day', 'keyUsage.operation', 'keyUsage.keyId'])
    .execute();
  const days = Array.from({ length: usageDays }, (_, number) => first + number);
  const operations = [...new Set(rows.map(({ operation }) => operation))];
  const callOf = callNames(contracts);
  return {
    total: sumOf(rows),
    days: days.map((day) => ({
      date: isoDate(day),
      ...sumOf(rows.filter((row) => row.day === day)),
    })),
    operations: operations
      .map((operation) => ({
        operation,
        call: callOf(operation),
        ...sumOf(rows.filter((row) => row.operation === operation)),
      }))
      .sort((a, b) => b.requests - a.requests || (a.operation < b.operation ? -1 : 1)),
    keys: await keysOf(registry, userId, { now: now(), rows }),
  };
};

type KeyRow = Counts & { readonly keyId: string; readonly day: number };

/** The keys that are valid or were recently used, with their counts. `now` is in milliseconds. */
async function keysOf(
  registry: Registry,
  userId: string,
  { now, rows }: { readonly now: number; readonly rows: readonly KeyRow[] },
) {
  const today = utcDay(now);
  const valid = await usableKeys(registry, userId, now).execute();
  const limits = new Map(valid.map(({ keyId, perDay }) => [keyId, perDay]));
  const all = await registry.records
    .selectFrom('apiKey')
    .select(['keyId', 'name', 'hint'])
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('keyId')
    .execute();
  return all
    .map((key) => {
      const own = rows.filter(({ keyId }) => keyId === key.keyId);
      const { requests, limited } = sumOf(own.filter(({ day }) => day === today));
      const perDay = limits.get(key.keyId) ?? null;
      return { ...key, ...sumOf(own), usedToday: requests - limited, perDay };
    })
    .filter(({ requests, perDay }) => requests > 0 || perDay !== null)
    .sort((a, b) => b.requests - a.requests);
}

function sumOf(rows: readonly Counts[]): Counts {
  const sum: Counts = { requests: 0, refused: 0, limited: 0, failed: 0 };
  // PostgreSQL returns sums as text.
  for (const row of rows) for (const name of counted) sum[name] += Number(row[name]);
  return sum;
}
