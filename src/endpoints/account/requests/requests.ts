import { recentRequestDays, recentRequestsMax } from '../../../contract/account.ts';
import type { Handler } from '../../handler.ts';
import { callNames } from '../callNames.ts';
import type { listRecentRequests as contract } from './contract.ts';

const millisecondsPerDay = 86_400_000;

/** Lists the latest requests of the user's keys. */
export const listRecentRequests: Handler<typeof contract> = async (
  _input,
  { signedIn, registry, usage, contracts, now },
) => {
  await usage.write();
  const found = await registry.records
    .selectFrom('recentRequest')
    .innerJoin('apiKey', 'apiKey.keyId', 'recentRequest.keyId')
    .selectAll('recentRequest')
    .select(['apiKey.name', 'apiKey.hint'])
    .where('apiKey.userId', '=', signedIn.userId)
    .where('recentRequest.at', '>=', now() - recentRequestDays * millisecondsPerDay)
    .orderBy('recentRequest.at', 'desc')
    .orderBy('recentRequest.requestNumber', 'desc')
    .limit(recentRequestsMax)
    .execute();
  const callOf = callNames(contracts);
  const requests = found.map(({ keyId, name, hint, operation, microseconds, ...request }) => ({
    at: request.at,
    operation,
    call: callOf(operation),
    status: request.status,
    reason: request.reason,
    key: { keyId, name, hint },
    milliseconds: Math.round(microseconds / 100) / 10,
    requestId: request.requestId,
  }));
  return { requests };
};
