import { defined, listPage, utcDay } from '../../../access/records.ts';
import { dayNumber, isoDate } from '../../../calendar/period.ts';
import type { Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';
import { usageDaysDefault } from './contract.ts';

/** Lists the usage of keys. */
export const listUsage: Handler<typeof contracts.listUsage> = async (
  { organisationId, userId, keyId, from, to, ...page },
  { registry, usage, now },
) => {
  const last = to === undefined ? utcDay(now()) : dayNumber(to);
  const first = from === undefined ? last - usageDaysDefault + 1 : dayNumber(from);
  await usage.write();
  const counts = registry.records
    .selectFrom('keyUsage')
    .innerJoin('apiKey', 'apiKey.keyId', 'keyUsage.keyId')
    .innerJoin('userAccount', 'userAccount.userId', 'apiKey.userId')
    .where('keyUsage.day', '>=', first)
    .where('keyUsage.day', '<=', last)
    .where(({ and }) =>
      and(
        defined({
          'userAccount.organisationId': organisationId,
          'apiKey.userId': userId,
          'keyUsage.keyId': keyId,
        }),
      ),
    )
    .selectAll('keyUsage')
    .select(['apiKey.userId', 'userAccount.organisationId'])
    .orderBy('keyUsage.day', 'desc')
    .orderBy('keyUsage.keyId')
    .orderBy('keyUsage.operation');
  const { rows, total } = await listPage(counts, page);
  return { usage: rows.map(({ day, ...rest }) => ({ date: isoDate(day), ...rest })), total };
};
