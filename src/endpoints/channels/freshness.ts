/** The last dates with facts of channels, by dataset. */
import { facts } from '../../../schema/warehouse/tables.ts';
import type { Channel } from '../../access/channels.ts';
import { isoDate, localDay } from '../../calendar/period.ts';
import { type ChannelDataset, channelDatasets } from '../../contract/importable.ts';
import { questionFile } from '../../engine/question.ts';
import type { QueryLimits } from '../../engine/warehouse.ts';
import type { CachedWarehouse } from '../../engine/workingSet.ts';
import { tablesOf } from '../../import/tables.ts';

/** The last date of each dataset that has dated facts, YYYY-MM-DD. */
export type Freshness = { readonly [Dataset in ChannelDataset]?: string };

/** The tables of dated facts with their questions, by dataset. */
const sources = channelDatasets.flatMap((dataset) =>
  (dataset === 'orders' ? ['order_record'] : tablesOf(dataset)).flatMap((table) => {
    const { day, instant } = facts.find(({ name }) => name === table)!;
    const column = instant ?? day;
    return column === null ? [] : [sourceOf(dataset, table, column, instant !== undefined)];
  }),
);

/** Quarters of an hour with order lines have the same dates as the lines and are far fewer. */
function sourceOf(dataset: ChannelDataset, table: string, column: string, isInstant: boolean) {
  const places =
    table === 'order_line' ? { table: 'order_slot', column: 'slot_at' } : { table, column };
  type LastFact = { channel: number; last_at: number };
  return {
    dataset,
    isInstant,
    question: questionFile<LastFact>(import.meta.url, 'lastFacts.sql', places),
  };
}

/** Reads how recent the facts of channels are. Instants have their dates in each channel's zone. */
export async function readFreshness(
  channels: readonly Channel[],
  warehouse: CachedWarehouse,
  limits: QueryLimits,
): Promise<ReadonlyMap<number, Freshness>> {
  const byNumber = new Map(channels.map((channel) => [channel.channelNumber, channel]));
  const numbers = [...byNumber.keys()].sort((one, other) => one - other);
  const found = new Map<number, { [Dataset in ChannelDataset]?: number }>();
  if (numbers.length === 0) return new Map();
  await warehouse.readCached(numbers, limits, async (ask) => {
    found.clear();
    for (const { dataset, isInstant, question } of sources) {
      for (const { channel, last_at } of await ask(question, { channels: numbers })) {
        const day = isInstant ? localDay(byNumber.get(channel)!.timezone, last_at) : last_at;
        const known = found.get(channel) ?? {};
        known[dataset] = Math.max(known[dataset] ?? day, day);
        found.set(channel, known);
      }
    }
  });
  return new Map(
    [...found].map(([channel, days]) => [
      channel,
      Object.fromEntries(Object.entries(days).map(([dataset, day]) => [dataset, isoDate(day)])),
    ]),
  );
}
