import { factTable } from '../../../../schema/warehouse/tables.ts';
import { change } from '../../../access/records.ts';
import { dayNumber, startOfDay } from '../../../calendar/period.ts';
import { Refusal } from '../../../contract/refusal.ts';
import { datasets } from '../../../import/datasets/datasets.ts';
import { tablesOf } from '../../../import/tables.ts';
import type { Handler } from '../../handler.ts';
import { isInRange, removeFacts } from '../removal.ts';
import { findChannel } from '../runImport.ts';
import type * as contracts from './contract.ts';

/** Removes facts of a dataset. */
export const deleteFacts: Handler<typeof contracts.deleteFacts> = async (
  { channelId, dataset, from, to, dryRun },
  context,
) => {
  const tables = tablesOf(dataset).map(factTable);
  const isDated = tables.some(({ day }) => day !== null);
  const ofChannel = datasets[dataset]?.ofChannel ?? true;
  const problems = [
    ...(ofChannel && channelId === undefined ? ['channelId is required'] : []),
    ...(!ofChannel && channelId !== undefined
      ? [`channelId must be absent: ${dataset} belong to no channel`]
      : []),
    ...(isDated && from === undefined ? ['from is required', 'to is required'] : []),
    ...(!isDated && from !== undefined
      ? [`from and to must be absent: ${dataset} have no dates`]
      : []),
  ];
  if (problems.length > 0) throw new Refusal(400, problems.join(', '));
  const channel = channelId === undefined ? undefined : await findChannel(context, channelId);
  const range = rangeOf(channel?.timezone ?? 'UTC', from, to);
  const claims = dataset === 'financeEvents' ? [factTable('finance_claim')] : [];
  const removed = [...tables, ...claims].map((table) => ({
    table: table.name,
    ...(range === undefined ? { removed: 'true', parameters: {} } : isInRange(table, range)),
  }));
  return removeFacts(context, { channel, removed, dryRun }, ({ rows }) =>
    change(context, (_, audit) =>
      audit({
        action: 'deleteFacts',
        subject: channelId ?? '',
        detail: { dataset, from: from ?? null, to: to ?? null, rows },
      }),
    ),
  );
};

/** The days of the range, and the instants between which they lie in the zone. */
function rangeOf(timezone: string, from: string | undefined, to: string | undefined) {
  if (from === undefined || to === undefined) return undefined;
  const [first, last] = [dayNumber(from), dayNumber(to)];
  // A zone may skip a day.
  const startOf = (day: number) => startOfDay(timezone, day) ?? startOfDay(timezone, day + 1)!;
  return { first, last, from: startOf(first), until: startOf(last + 1) };
}
