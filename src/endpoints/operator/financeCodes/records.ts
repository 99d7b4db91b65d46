import { change, seconds } from '../../../access/records.ts';
import { Refusal } from '../../../contract/refusal.ts';
import { codesOf, type FinanceCode, shippedCodes } from '../../../import/ledger/codes.ts';
import { type OwnCode, ownCodes } from '../../../import/ledger/ownCodes.ts';
import type { Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';

type Names = Pick<FinanceCode, 'source' | 'type' | 'component' | 'code'>;

const advice =
  'Documents that were imported before stay booked as they are: import them again to have them booked anew.';

/** Saves where a code is booked. Names that are held in another letter case keep it, since it does not count. */
export const saveFinanceCode: Handler<typeof contracts.saveFinanceCode> = (asked, context) =>
  change(context, async (transaction, audit) => {
    const { source, type, component, code } =
      (await ownCodes(transaction)).find((one) => isSame(one, asked)) ?? asked;
    const { line } = asked;
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

/** Tells by which code an amount would be booked. */
export const readFinanceBooking: Handler<typeof contracts.readFinanceBooking> = async (
  { source, type = '', component = '', code = '' },
  { registry },
) => {
  const entry = codesOf(source, await ownCodes(registry.records))(type, component, code);
  return { line: entry?.line ?? null, entry: entry === undefined ? null : answerOf(entry) };
};

/** Deletes one of the operator's own codes. */
export const deleteFinanceCode: Handler<typeof contracts.deleteFinanceCode> = (asked, context) =>
  change(context, async (transaction, audit) => {
    const held = (await ownCodes(transaction)).filter((one) => isSame(one, asked));
    if (held.length === 0 && shippedCodes.some((one) => isSame(one, asked))) {
      throw new Refusal(
        409,
        'the code is shipped with the service and stays: save the same names with another line, which goes before it',
      );
    }
    if (held.length === 0)
      throw new Refusal(
        404,
        'there is no such code of your own: it is named by source, type, component and code',
      );
    for (const { source, type, component, code, line } of held) {
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

/** Whether two codes have the same names, in whatever letter case. */
function isSame(one: Names, other: Names): boolean {
  const folded = ({ source, type, component, code }: Names) =>
    [source, type, component, code].join('\n').toLowerCase();
  return folded(one) === folded(other);
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
