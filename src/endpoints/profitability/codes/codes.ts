import { requireRole } from '../../../access/managers.ts';
import { change } from '../../../access/records.ts';
import type { Booking, FinanceSource } from '../../../contract/importable.ts';
import { Refusal } from '../../../contract/refusal.ts';
import { questionFile } from '../../../engine/question.ts';
import { channelLock } from '../../../engine/registry.ts';
import { namedCodes, rebooking, unknownCodesOf } from '../../../import/ledger/namedCodes.ts';
import { ownCodes } from '../../../import/ledger/ownCodes.ts';
import { unitsOf } from '../../../report/money.ts';
import type { Context, Handler } from '../../handler.ts';
import {
  type listUnknownCodes as listContract,
  type nameCode as nameContract,
  namedCodesMax,
} from './contract.ts';

const secondsPerDay = 86_400;

const codesQuestion = questionFile<{
  readonly source: FinanceSource;
  readonly code: string;
  readonly currency: string;
  readonly counted: number;
  readonly amount: bigint;
  readonly first_at: number;
  readonly last_at: number;
}>(import.meta.url, 'codes.sql');

/** Answers GET /profitability/codes. */
export const listUnknownCodes: Handler<typeof listContract> = async (
  { fromDate: from, toDate: to },
  { caller, channel: { channelNumber }, registry, warehouse, limits },
) => {
  const range = {
    ...{ from, to },
    ...{ first: Math.floor(from / secondsPerDay), last: Math.floor(to / secondsPerDay) },
  };
  const rows = await warehouse.ask(codesQuestion, { channel: channelNumber, ...range }, limits);
  const lineOf = await namedLines(registry.records, caller.organisationId);
  const isUnknown = await unknownIn(registry.records);
  const codes = rows
    .map((row) => ({ ...row, line: lineOf(row.source, row.code) }))
    .filter(({ source, code, line }) => line !== null || isUnknown(source, code))
    .sort(
      (one, other) => sizeOf(other.amount) - sizeOf(one.amount) || (one.code < other.code ? -1 : 1),
    );
  return {
    codes: codes.map(({ source, code, line, currency, amount, counted, first_at, last_at }) => ({
      ...{ source, code, line, currency, amount: unitsOf(amount), rows: counted },
      ...{ firstAt: first_at, lastAt: last_at },
    })),
  };
};

/** Answers PATCH /profitability/codes: what is there already is booked before the answer. */
export const nameCode: Handler<typeof nameContract> = async (
  { source, code, line = null },
  context,
) => {
  const { caller, commit, now, registry } = context;
  requireRole(caller, 'financial codes');
  const { organisationId, userId } = caller;
  const lineOf = await namedLines(registry.records, organisationId);
  if (lineOf(source, code) === null && !(await unknownIn(registry.records))(source, code))
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
    await audit({ action: 'nameCode', subject: organisationId, detail: { source, code, line } });
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
  const channels = await registry.records
    .selectFrom('channel')
    .select(['channelNumber', 'timezone'])
    .where('organisationId', '=', caller.organisationId)
    .execute();
  for (const { channelNumber, timezone } of channels)
    await registry.withLock(channelLock(channelNumber), () =>
      warehouse.amend(
        { importId: 0, channel: channelNumber },
        [rebooking(source, code, line)],
        timezone,
      ),
    );
}

type Records = Parameters<typeof ownCodes>[0];

/** The line that an organisation has named for a code; null if it has named none. */
async function namedLines(records: Records, organisationId: string) {
  const named = await namedCodes(records, organisationId);
  const lines = new Map(named.map(({ source, code, line }) => [`${source} ${code}`, line]));
  return (source: FinanceSource, code: string) => lines.get(`${source} ${code}`) ?? null;
}

/** Whether neither the service nor the operator knows a code. */
async function unknownIn(records: Records) {
  const own = await ownCodes(records);
  const known = new Map<FinanceSource, (text: string) => boolean>();
  return (source: FinanceSource, code: string) => {
    if (!known.has(source)) known.set(source, unknownCodesOf(source, own));
    return known.get(source)!(code);
  };
}

function sizeOf(amount: bigint): number {
  return Math.abs(Number(amount));
}
