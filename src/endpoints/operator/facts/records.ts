import { factTable } from '../../../../schema/warehouse/tables.ts';
import { change, readOne } from '../../../access/records.ts';
import { dayNumber, startOfDay } from '../../../calendar/period.ts';
import { tablesOf } from '../../../import/tables.ts';
import type { Handler, RecordRules } from '../../handler.ts';
import { datasetChannelRule } from '../../recordRules.ts';
import { allRows, removeFacts, rowsInRange } from '../removal.ts';
import type * as contracts from './contract.ts';

/** The rules about the dataset: whether it belongs to a channel and has dates. */
export const deleteFactsRules: RecordRules<typeof contracts.deleteFacts> = [
  datasetChannelRule,
  {
    at: 'from',
    reads: ['to', 'dataset'],
    check({ dataset, from, to }) {
      const isDated = tablesOf(dataset).some((table) => factTable(table).day !== null);
      if (isDated && from === undefined && to === undefined)
        return ['from is required', 'to is required'];
      return !isDated && from !== undefined
        ? `from and to must be absent: ${dataset} have no dates`
        : undefined;
    },
  },
];

/** Removes facts of a dataset. */
export const deleteFacts: Handler<typeof contracts.deleteFacts> = async (
  { channelId, dataset, from, to, dryRun },
  context,
) => {
  const tables = tablesOf(dataset).map(factTable);
  const channel =
    channelId === undefined
      ? undefined
      : await readOne(context.registry.records, 'channel', { channelId });
  const range = rangeOf(channel?.timezone ?? 'UTC', from, to);
  const claims = dataset === 'financeEvents' ? [factTable('finance_claim')] : [];
  const removed = [...tables, ...claims].map((table) =>
    range === undefined ? allRows(table) : rowsInRange(table, range),
  );
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
