/** Reads the newest buy box and stock of channels at the end of a period. */
import type { Channel } from '../../../../access/channels.ts';
import { isoDate } from '../../../../calendar/period.ts';
import { questionFile } from '../../../../engine/question.ts';
import { daySource } from '../../../../engine/segments/daySource.ts';
import type { CachedAsk } from '../../../../engine/segments/router.ts';
import type { DateRange } from '../../../../engine/warehouse.ts';
import { plus } from '../../../../figures/cells.ts';
import { amountPlaces, quotientText } from '../../../../figures/money.ts';
import { stockReports } from '../../../../report/inventory.ts';
import { storeDay } from '../../../../report/sales.ts';
import { sellingDays, snapshotDays } from './contract.ts';

const percentPlaces = 2;

/** The buy boxes of channels, and their shares of SKUs out of stock; absent if unknown. */
export type Snapshots = {
  readonly buyBox: ReadonlyMap<number, BuyBox>;
  readonly outOfStock: ReadonlyMap<number, number>;
};

/** A share in percent and its date. */
type BuyBox = { readonly percentage: number; readonly date: string };

const inventoryDates = daySource(
  questionFile<{ channel: number; day: number }>(import.meta.url, 'inventoryDates.sql'),
  { texts: [], counts: [], amounts: [] },
);
const outOfStock = questionFile<{ channel: number; skus: number; skus_out: number }>(
  import.meta.url,
  'outOfStock.sql',
);

/** Reads the snapshots of seller channels up to the last day of a period. */
export async function readSnapshots(
  ask: CachedAsk,
  stores: readonly Channel[],
  { last }: DateRange,
): Promise<Snapshots> {
  const channels = stores.map(({ channelNumber }) => channelNumber);
  const days = { first: last - snapshotDays + 1, last };
  return {
    buyBox: await readBuyBox(ask, channels, days),
    // The snapshot of the next day shows the stock at the end of the period.
    outOfStock: await readOutOfStock(ask, channels, { ...days, last: last + 1 }),
  };
}

type NewestBuyBox = { readonly day: number; weighted: number | bigint; views: number };

async function readBuyBox(
  ask: CachedAsk,
  channels: readonly number[],
  days: DateRange,
): Promise<Map<number, BuyBox>> {
  const newest = new Map<number, NewestBuyBox>();
  for (const table of await ask.days(storeDay, channels, days)) {
    const [allWeighted, allViews] = [
      table.numbers('buy_box_weighted'),
      table.numbers('buy_box_views'),
    ];
    const [start, end] = table.rowsOf(days);
    for (let row = start; row < end; row++) {
      const views = Number(allViews.at(row));
      if (views === 0) continue;
      const day = table.days[row]!;
      const weighted = allWeighted.at(row);
      const known = newest.get(table.channel);
      if (known?.day === day) {
        known.weighted = plus(known.weighted, weighted);
        known.views += views;
      } else newest.set(table.channel, { day, weighted, views });
    }
  }
  return new Map(
    [...newest].map(([channel, { day, weighted, views }]) => [
      channel,
      {
        percentage: Number(quotientText(weighted, views * 10 ** amountPlaces, percentPlaces)),
        date: isoDate(day),
      },
    ]),
  );
}

/** Asks one question for all channels whose newest snapshots are of the same day. */
async function readOutOfStock(
  ask: CachedAsk,
  channels: readonly number[],
  days: DateRange,
): Promise<Map<number, number>> {
  if (channels.length === 0) return new Map();
  const newest = new Map<number, number>();
  for (const table of await ask.days(inventoryDates, channels, days)) {
    const [, end] = table.rowsOf(days);
    const day = table.days[end - 1];
    if (day !== undefined && day >= days.first) newest.set(table.channel, day);
  }
  const byDay = Map.groupBy(newest.keys(), (channel) => newest.get(channel)!);
  const percentages = new Map<number, number>();
  for (const [day, ofDay] of byDay) {
    const parameters = {
      channels: ofDay.toSorted((one, other) => one - other),
      day,
      soldFrom: day - sellingDays + 1,
      stock: stockReports,
    };
    for (const { channel, skus, skus_out } of await ask(outOfStock, parameters))
      percentages.set(channel, Number(quotientText(skus_out, skus, percentPlaces, 100)));
  }
  return percentages;
}
