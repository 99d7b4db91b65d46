import { change } from '../../../access/records.ts';
import type { Booking, FinanceSource } from '../../../contract/importable.ts';
import { Refusal } from '../../../contract/refusal.ts';
import { questionFile } from '../../../engine/question.ts';
import { channelLock } from '../../../engine/registry.ts';
import type { Ask } from '../../../engine/warehouse.ts';
import { namedCodes, rebooking } from '../../../import/ledger/namedCodes.ts';
import { mayBeNamed, readUnknownCodes } from '../../../import/ledger/unknownCodes.ts';
import type { Context, Handler, RecordRules } from '../../handler.ts';
import { sellerRule } from '../../recordRules.ts';
import {
  type listUnknownCodes as listContract,
  type saveCode as nameContract,
  namedCodesMax,
} from './contract.ts';

const codeFacts = questionFile<{ readonly counted: number }>(import.meta.url, 'codeFacts.sql');

/** The record rules of saving a code. */
export const saveCodeRules: RecordRules<typeof nameContract> = [
  sellerRule,
  {
    at: 'code',
    reads: ['source', 'channelId', 'merchantId'],
    async check({ source, code }, { caller: { organisationId }, registry, warehouse, limits }) {
      const named = await namedCodes(registry.records, organisationId);
      if (named.some((one) => one.source === source && one.code === code)) return undefined;
      const all = await channelsOf(registry, organisationId);
      const channels = all.map(({ channelNumber }) => channelNumber);
      const [row] = await warehouse.ask(codeFacts, { channels, source, code }, limits);
      return row!.counted > 0
        ? undefined
        : 'code must name a code of a financial event: GET /profitability/codes lists them';
    },
  },
];

/** Answers GET /profitability/codes. */
export const listUnknownCodes: Handler<typeof listContract> = async (
  { fromDate: from, toDate: to },
  { channel, registry, warehouse, limits },
) => {
  const ask: Ask = (question, parameters) => warehouse.ask(question, parameters, limits);
  return { codes: await readUnknownCodes(ask, registry.records, channel, { from, to }) };
};

/** Answers PATCH /profitability/codes: existing facts are booked before the answer. */
export const saveCode: Handler<typeof nameContract> = async (
  { source, code, line = null },
  context,
) => {
  const { caller, commit, now, registry } = context;
  const { organisationId, userId } = caller;
  if (!(await mayBeNamed(registry.records, organisationId, source, code)))
    throw new Refusal(
      409,
      'the code is known: only codes that GET /profitability/codes lists can be named',
    );
  await change({ commit, now, actor: userId }, async (transaction, audit) => {
    const same = { organisationId, source, code };
    await transaction
      .deleteFrom('namedCode')
      .where('organisationId', '=', organisationId)
      .where('source', '=', source)
      .where('code', '=', code)
      .execute();
    if (line !== null) {
      if ((await namedCodes(transaction, organisationId)).length >= namedCodesMax)
        throw new Refusal(409, `an organisation may name at most ${namedCodesMax} codes`);
      await transaction
        .insertInto('namedCode')
        .values({ ...same, line, updatedAt: now() })
        .execute();
    }
    await audit({ action: 'saveCode', subject: organisationId, detail: { source, code, line } });
  });
  await rebook(context, source, code, line);
  return { source, code, line };
};

/** Books the facts of a code in all channels of the organisation. */
async function rebook(
  { caller, registry, warehouse }: Pick<Context, 'caller' | 'registry' | 'warehouse'>,
  source: FinanceSource,
  code: string,
  line: Booking | null,
): Promise<void> {
  for (const { channelNumber, timezone } of await channelsOf(registry, caller.organisationId))
    await registry.withLock(channelLock(channelNumber), () =>
      warehouse.amend(
        { importId: 0, channel: channelNumber },
        [rebooking(source, code, line)],
        timezone,
      ),
    );
}

function channelsOf({ records }: Context['registry'], organisationId: string) {
  return records
    .selectFrom('channel')
    .select(['channelNumber', 'timezone'])
    .where('organisationId', '=', organisationId)
    .execute();
}
