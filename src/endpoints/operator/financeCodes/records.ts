import { change, seconds } from '../../../access/records.ts';
import { Refusal } from '../../../contract/refusal.ts';
import { codesOf, type FinanceCode, shippedCodes } from '../../../import/ledger/codes.ts';
import { type OwnCode, ownCodes } from '../../../import/ledger/ownCodes.ts';
import type { Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';

type Names = Pick<FinanceCode, 'source' | 'type' | 'component' | 'code'>;

const advice =
  'Documents that were imported earlier stay as they are booked: import them again to book them again.';

/** Saves a code. Letter case is ignored, and existing names do not change theirs. */
export const saveFinanceCode: Handler<typeof contracts.saveFinanceCode> = (input, context) =>
  change(context, async (transaction, audit) => {
    const { source, type, component, code } =
      (await ownCodes(transaction)).find((one) => isSame(one, input)) ?? input;
    const { line } = input;
    const now = context.now();
    const saved = await transaction
      .insertInto('financeCode')
      .values({ source, type, component, code, line, createdAt: now, updatedAt: now })
      .onConflict((conflict) =>
        conflict
          .columns(['source', 'type', 'component', 'code'])
          .doUpdateSet({ line, updatedAt: now }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit({
      action: 'saveFinanceCode',
      subject: source,
      detail: { type, component, code, line },
    });
    return { ...answerOf(saved as OwnCode), advice };
  });

/** Lists the codes, the operator's own ones first. */
export const listFinanceCodes: Handler<typeof contracts.listFinanceCodes> = async (
  { source, line, pageIndex, pageSize },
  { registry },
) => {
  const all = [...(await ownCodes(registry.records)), ...shippedCodes];
  const found = all.filter(
    (one) =>
      (source === undefined || one.source === source) && (line === undefined || one.line === line),
  );
  return {
    financeCodes: found.slice(pageIndex * pageSize, (pageIndex + 1) * pageSize).map(answerOf),
    total: found.length,
  };
};

/** Finds the code that would book an amount. */
export const readFinanceBooking: Handler<typeof contracts.readFinanceBooking> = async (
  { source, type = '', component = '', code = '' },
  { registry },
) => {
  const entry = codesOf(source, await ownCodes(registry.records))(type, component, code);
  return { line: entry?.line ?? null, entry: entry === undefined ? null : answerOf(entry) };
};

/** Deletes one of the operator's own codes. */
export const deleteFinanceCode: Handler<typeof contracts.deleteFinanceCode> = (input, context) =>
  change(context, async (transaction, audit) => {
    const known = (await ownCodes(transaction)).filter((one) => isSame(one, input));
    if (known.length === 0 && shippedCodes.some((one) => isSame(one, input))) {
      throw new Refusal(
        409,
        'shipped codes cannot be deleted: save the same names with another line, which takes precedence',
      );
    }
    if (known.length === 0)
      throw new Refusal(404, 'there is no such own code: source, type, component and code name it');
    for (const { source, type, component, code, line } of known) {
      await transaction
        .deleteFrom('financeCode')
        .where('source', '=', source)
        .where('type', '=', type)
        .where('component', '=', component)
        .where('code', '=', code)
        .execute();
      await audit({
        action: 'deleteFinanceCode',
        subject: source,
        detail: { type, component, code, line },
      });
    }
  });

/** Whether two codes have the same names, ignoring letter case. */
function isSame(one: Names, other: Names): boolean {
  const lowerNames = ({ source, type, component, code }: Names) =>
    [source, type, component, code].join('\n').toLowerCase();
  return lowerNames(one) === lowerNames(other);
}

function answerOf(entry: FinanceCode | OwnCode) {
  const { source, type, component, code, line } = entry;
  const names = { source, type, component, code, line };
  if (!('createdAt' in entry))
    return { ...names, origin: 'shipped' as const, createdAt: null, updatedAt: null };
  return {
    ...names,
    origin: 'own' as const,
    createdAt: seconds(entry.createdAt),
    updatedAt: seconds(entry.updatedAt),
  };
}
