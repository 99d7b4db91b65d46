/** What the marketplace's warehouses hold of each SKU, how long that lasts, and what to send to them when. */

import type { Channel } from '../../../../access/channels.ts';
import { isoDate, never, startOfDay } from '../../../../calendar/period.ts';
import { questionFile } from '../../../../engine/question.ts';
import type { Ask } from '../../../../engine/warehouse.ts';
import type { Cell } from '../../../../report/csv.ts';
import { amountPlaces, currencyPlaces, quotientText } from '../../../../report/money.ts';
import { type Exchange, exchangeInto, readFactors } from '../../../../report/rates.ts';
import { columnsOf, type ReportKind } from '../kind.ts';

type Stored = {
  readonly sku: string;
  readonly asin: string;
  readonly title: string;
  readonly available: number;
  readonly reserved: number;
  readonly inbound: number;
  readonly unfulfillable: number;
  readonly fc_transfer: number | null;
  readonly awd_onhand: number | null;
  readonly awd_inbound: number | null;
  readonly storage_type: string | null;
  readonly storage_volume: bigint | null;
  readonly storage_cost: bigint | null;
  readonly currency: string | null;
  readonly sold_7: number | null;
  readonly sold_30: number | null;
  readonly sold_60: number | null;
  readonly sold_90: number | null;
  readonly units_per_case: number;
  readonly velocity_units: number | null;
  readonly velocity_days: number;
  readonly cover_tenths: number | null;
};

const newestInventory = questionFile<{
  day: number;
  report: string;
  currency: string;
  costs: number;
}>(import.meta.url, 'newestInventory.sql');
const slotsBetween = questionFile<{ slots: number }>(import.meta.url, 'slotsBetween.sql');
const storedInventory = questionFile<Stored>(import.meta.url, 'inventoryReplenishment.sql');

const columns = columnsOf(
  [
    ...[
      'sku',
      'asin',
      'productName',
      'storageType',
      'dailySales7',
      'dailySales30',
      'dailySales60',
      'dailySales90',
      'available',
    ],
    ...[
      'reservedQuantity',
      'inboundQuantity',
      'unfulfillableQuantity',
      'fcTransfer',
      'awdOnhandQuantity',
      'awdInboundQuantity',
    ],
    ...[
      'totalInventory',
      'daysCover',
      'projectedOOSDate',
      'estimatedReorderDate',
      'replenUnits',
      'replenCases',
      'unitsPerCase',
    ],
    ...['storageVolume', 'estimatedStorageCostNextMonth'],
  ],
  ['sku', 'asin', 'productName', 'storageType', 'projectedOOSDate', 'estimatedReorderDate'],
);

/** Which reports of one date tell which figures, the one that is believed first before the others. */
const tellers = {
  stock: ['rows', 'planning', 'unsuppressed', 'restock'],
  shipped: ['rows', 'planning'],
  shipped30: ['rows', 'planning', 'restock'],
  // Only newer planning reports have the column.
  transfer: ['rows', 'restock', 'planning'],
  storage: ['rows', 'planning'],
  longTerm: ['rows'],
} as const;

const secondsPerDay = 86_400;
const salesPlaces = 2;
const wholeAmount = 10n ** BigInt(amountPlaces);

/** A row for each SKU that the marketplace stores, as the channel's newest snapshot tells it. */
export const inventoryReplenishment: ReportKind<'inventoryReplenishment'> = {
  reportType: 'inventoryReplenishment',
  columns: () => columns,
  rows: (_options, { channel, warehouse, limits }, put) =>
    warehouse.read([0, channel.channelNumber], limits, async (ask, stream) => {
      const reports = await ask(newestInventory, { channel: channel.channelNumber });
      const day = reports[0]?.day;
      if (day === undefined) return;
      const foreign = new Set(
        reports
          .filter(({ currency, costs }) => costs > 0 && currency !== channel.currency)
          .map(({ currency }) => currency),
      );
      const exchange = await exchangeInto(
        channel.currency,
        foreign,
        { first: day, last: day },
        () => readFactors(ask, foreign, channel.currency, { first: day, last: day }),
      );
      const isAllTold = reports.every(({ report }) =>
        (tellers.shipped as readonly string[]).includes(report),
      );
      const asked = {
        channel: channel.channelNumber,
        day,
        ...tellers,
        ...(await ordersBefore(ask, channel, day, isAllTold)),
      };
      for await (const portion of stream(storedInventory, asked))
        await put(portion.map((stored) => cellsOf(stored, day, channel, exchange)));
    }),
};

/** The instants of the days before the snapshot on which orders count, and whether any do. */
async function ordersBefore(
  ask: Ask,
  { channelNumber: channel, timezone }: Channel,
  day: number,
  isAllTold: boolean,
) {
  const startOf = (day: number): number => startOfDay(timezone, day) ?? startOf(day + 1);
  const span = { from90: startOf(day - 90), until: startOf(day) - 1 };
  const days = {
    firstUtc: Math.floor(span.from90 / secondsPerDay),
    lastUtc: Math.floor(span.until / secondsPerDay),
  };
  const hasOrders =
    !isAllTold &&
    (await ask(slotsBetween, { channel, ...days, from: span.from90, until: span.until }))[0]!
      .slots > 0;
  return {
    ...days,
    ...span,
    from60: startOf(day - 60),
    from30: startOf(day - 30),
    from7: startOf(day - 7),
    hasOrders: hasOrders ? 1 : 0,
  };
}

function cellsOf(stored: Stored, day: number, channel: Channel, exchange: Exchange): Cell[] {
  const {
    available,
    reserved,
    inbound,
    unfulfillable,
    awd_onhand: onhand,
    awd_inbound: onItsWay,
  } = stored;
  const { velocity_units: units, velocity_days: days, units_per_case: unitsPerCase } = stored;
  const position = available + reserved + inbound + (onhand ?? 0) + (onItsWay ?? 0);
  const { leadTimeDays, safetyStockDays, targetCoverDays } = channel;
  // The whole days that so many units last: exact, as products of counts and days are below 2^53.
  const daysOf = (count: number) =>
    units ? (count * days - ((count * days) % units)) / units : null;
  const lasting = available === 0 ? 0 : daysOf(available);
  const covered = daysOf(position);
  const needed =
    units === null
      ? null
      : Math.max(
          0,
          ceiling(units * (leadTimeDays + safetyStockDays + targetCoverDays), days) - position,
        );
  const cases = needed === null || unitsPerCase === 0 ? null : ceiling(needed, unitsPerCase);
  return [
    stored.sku,
    stored.asin,
    stored.title,
    stored.storage_type,
    dailySales(stored.sold_7, 7),
    dailySales(stored.sold_30, 30),
    dailySales(stored.sold_60, 60),
    dailySales(stored.sold_90, 90),
    available,
    reserved,
    inbound,
    unfulfillable,
    stored.fc_transfer,
    onhand,
    onItsWay,
    position + unfulfillable,
    stored.cover_tenths === null ? null : quotientText(stored.cover_tenths, 10, 1),
    dateAfter(day, lasting),
    dateAfter(day, covered === null ? null : Math.max(0, covered - leadTimeDays - safetyStockDays)),
    cases === null ? needed : cases * unitsPerCase,
    cases,
    unitsPerCase === 0 ? null : unitsPerCase,
    stored.storage_volume === null
      ? null
      : quotientText(stored.storage_volume, wholeAmount, amountPlaces).replace(/\.?0+$/, ''),
    stored.storage_cost === null
      ? null
      : quotientText(
          exchange.of(stored.storage_cost, stored.currency!, day),
          10n ** BigInt(exchange.places),
          currencyPlaces(channel.currency),
        ),
  ];
}

function dailySales(units: number | null, days: number): Cell {
  return units === null ? null : quotientText(units, days, salesPlaces);
}

/** The least whole number that is not below the quotient of two whole numbers. */
function ceiling(part: number, whole: number): number {
  const rest = part % whole;
  return (part - rest) / whole + (rest > 0 ? 1 : 0);
}

/** The date so many days later; null where that is not known, or is further off than the calendar reaches. */
function dateAfter(day: number, days: number | null): Cell {
  return days === null || day + days > never ? null : isoDate(day + days);
}
