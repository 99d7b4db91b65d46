/** How the keys of a user are used. */
import { isoDate } from '../../calendar/period.ts';
import { usableKeys } from './access.ts';
import {
  type accountContracts as contracts,
  recentRequestDays,
  recentRequestsMax,
  usageDays,
} from './contracts.ts';
import { type AccountContext, millisecondsPerDay, type SignedInHandler } from './handler.ts';

type Contracts = typeof contracts;

const counted = ['requests', 'refused', 'limited', 'failed'] as const;
type Counts = Record<(typeof counted)[number], number>;

/** Reads the use of the last days, by day and by operation. */
export const readUsage: SignedInHandler<Contracts['readUsage']> = async (
  _asked,
  { signedIn, registry, usage, contracts, now },
) => {
  const { userId } = signedIn;
  const today = Math.floor(now() / millisecondsPerDay);
  const first = today - usageDays + 1;
  await usage.write();
  const rows = await registry.records
    .selectFrom('keyUsage')
    .innerJoin('apiKey', 'apiKey.keyId', 'keyUsage.keyId')
    .select(['keyUsage.day', 'keyUsage.operation'])
    .select(({ fn }) => counted.map((name) => fn.sum<number>(`keyUsage.${name}`).as(name)))
    .where('apiKey.userId', '=', userId)
    .where('keyUsage.day', '>=', first)
    .where('keyUsage.day', '<=', today)
    .groupBy(['keyUsage.day', 'keyUsage.operation'])
    .execute();
  const days = Array.from({ length: usageDays }, (_, number) => first + number);
  const operations = [...new Set(rows.map(({ operation }) => operation))];
  const callOf = callsOf(contracts);
  const newest = await usableKeys(registry, userId, now()).limit(1).executeTakeFirst();
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
    usedToday: newest === undefined ? 0 : await usage.usedOn(newest.keyId, today),
  };
};

/** Lists the last requests one by one. */
export const listRecentRequests: SignedInHandler<Contracts['listRecentRequests']> = async (
  _asked,
  context,
) => {
  const { signedIn, registry, usage, contracts, now } = context;
  await usage.write();
  const found = await registry.records
    .selectFrom('recentRequest')
    .innerJoin('apiKey', 'apiKey.keyId', 'recentRequest.keyId')
    .selectAll('recentRequest')
    .where('apiKey.userId', '=', signedIn.userId)
    .where('recentRequest.at', '>=', now() - recentRequestDays * millisecondsPerDay)
    .orderBy('recentRequest.at', 'desc')
    .orderBy('recentRequest.requestNumber', 'desc')
    .limit(recentRequestsMax)
    .execute();
  const callOf = callsOf(contracts);
  const requests = found.map(({ at, operation, status, microseconds, requestId }) => ({
    ...{
      at,
      operation,
      call: callOf(operation),
      status,
      milliseconds: Math.round(microseconds / 100) / 10,
      requestId,
    },
  }));
  return { requests };
};

/** Says method and path of an operation; an operation that there is no longer has only its name. */
function callsOf(contracts: AccountContext['contracts']): (operation: string) => string {
  const calls = new Map(
    contracts.map(({ operation, method, path }) => [operation, `${method} ${path}`]),
  );
  return (operation) => calls.get(operation) ?? operation;
}

function sumOf(rows: readonly Counts[]): Counts {
  const sum: Counts = { requests: 0, refused: 0, limited: 0, failed: 0 };
  // PostgreSQL tells sums as text.
  for (const row of rows) for (const name of counted) sum[name] += Number(row[name]);
  return sum;
}
