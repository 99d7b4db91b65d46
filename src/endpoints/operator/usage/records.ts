import { dayNumber, isoDate } from '../../../calendar/period.ts';
import { type OperatorHandler, today } from '../handler.ts';
import { type overviewContracts as contracts, usageDaysDefault } from '../overviewContracts.ts';

/** Lists how keys were used. */
export const listUsage: OperatorHandler<(typeof contracts)['listUsage']> = async (
  asked,
  { registry, writeUsage, now },
) => {
  const { organisationId, userId, keyId, pageIndex, pageSize } = asked;
  const last = asked.to === undefined ? today(now) : dayNumber(asked.to);
  const first = asked.from === undefined ? last - usageDaysDefault + 1 : dayNumber(asked.from);
  await writeUsage();
  const usage = registry.records
    .selectFrom('keyUsage')
    .innerJoin('apiKey', 'apiKey.keyId', 'keyUsage.keyId')
    .innerJoin('userAccount', 'userAccount.userId', 'apiKey.userId')
    .where('keyUsage.day', '>=', first)
    .where('keyUsage.day', '<=', last)
    .$if(organisationId !== undefined, (query) =>
      query.where('userAccount.organisationId', '=', organisationId!),
    )
    .$if(userId !== undefined, (query) => query.where('apiKey.userId', '=', userId!))
    .$if(keyId !== undefined, (query) => query.where('keyUsage.keyId', '=', keyId!));
  const found = await usage
    .selectAll('keyUsage')
    .select(['apiKey.userId', 'userAccount.organisationId'])
    .orderBy('keyUsage.day', 'desc')
    .orderBy('keyUsage.keyId')
    .orderBy('keyUsage.operation')
    .limit(pageSize)
    .offset(pageIndex * pageSize)
    .execute();
  const { total } = await usage
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { usage: found.map(({ day, ...rest }) => ({ date: isoDate(day), ...rest })), total };
};
