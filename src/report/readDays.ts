/** Reads facts by day. */
import { rangesOf } from '../calendar/windows.ts';
import type { Ask, DateRange, QueryLimits } from '../engine/warehouse.ts';
import type { CachedWarehouse } from '../engine/workingSet.ts';

/**
 * Reads the facts of each window, all from one snapshot; `read` asks one question for any range of
 * days. Windows near each other share the facts of all days from the first to the last.
 */
export async function readDays<Facts>(
  warehouse: CachedWarehouse,
  channelNumber: number,
  limits: QueryLimits,
  windows: readonly DateRange[],
  read: (ask: Ask, days: DateRange) => Promise<Facts>,
): Promise<Facts[]> {
  return warehouse.readCached([channelNumber], limits, async (ask) => {
    const facts: Facts[] = [];
    for (const range of rangesOf(windows)) facts.push(await read(ask, range));
    return windows.map((_, place) => facts[place] ?? facts[0]!);
  });
}
