/**
 * Reports the stock of each SKU in the marketplace's warehouses, how long it lasts, and the next
 * shipment to send.
 */

import type { Channel } from '../../../../access/channels.ts';
import { isoDate, never, startOfDay } from '../../../../calendar/period.ts';
import { questionFile } from '../../../../engine/question.ts';
import type { Ask } from '../../../../engine/warehouse.ts';
import type { Exchange } from '../../../../figures/exchange.ts';
import { amountPlaces, currencyPlaces, quotientText } from '../../../../figures/money.ts';
import type { Cell } from '../../../../report/csv.ts';
import { stockReports } from '../../../../report/inventory.ts';
import { purposeOf, readConversion } from '../../../../report/rates.ts';
import type { Digits, TypedColumn } from '../../../../report/typedColumns.ts';
import type { Report } from '../report.ts';

type Stock = {
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

/** The stock of a SKU, with the units to send and the dates; null if unknown. */
type Plan = Stock & {
  readonly total: number;
  readonly outOfStockDate: string | null;
  readonly reorderDate: string | null;
  readonly units: number | null;
  readonly cases: number | null;
  readonly unitsPerCase: number | null;
  readonly storageCost: string | null;
};

/** A snapshot of inventory, and the exchange of its amounts. */
type Snapshot = {
  readonly day: number;
  readonly channel: Channel;
  readonly exchange: Exchange;
};

const newestInventory = questionFile<{
  day: number;
  report: string;
  currency: string;
  costs: number;
  unknown_units: number;
}>(import.meta.url, 'newestInventory.sql');
const slotsBetween = questionFile<{ slots: number }>(import.meta.url, 'slotsBetween.sql');
const inventoryReplenishmentStock = questionFile<Stock>(
  import.meta.url,
  'inventoryReplenishment.sql',
);

/** The reports that state each figure, by precedence. */
const precedence = {
  stock: stockReports,
  shipped: ['rows', 'planning'],
  shipped30: ['rows', 'planning', 'restock'],
  // Only recent planning reports have the column.
  transfer: ['rows', 'restock', 'planning'],
  storage: ['rows', 'planning'],
  longTerm: ['rows'],
} as const;

const secondsPerDay = 86_400;
const salesPlaces = 2;
const wholeAmount = 10n ** BigInt(amountPlaces);

/** One row per SKU of the channel's newest snapshot. */
export const inventoryReplenishment: Report<'inventoryReplenishment', Plan> = {
  reportType: 'inventoryReplenishment',
  channelKind: 'seller',
  columns: (_options, { currency }) => columnsIn(currency),
  rows: (_options, { channel, warehouse, limits }, write) =>
    warehouse.read([0, channel.channelNumber], limits, async (ask, stream) => {
      const reports = await ask(newestInventory, { channel: channel.channelNumber });
      const day = reports[0]?.day;
      if (day === undefined) return;
      const foreign = new Set(
        reports
          .filter(({ currency, costs }) => costs > 0 && currency !== channel.currency)
          .map(({ currency }) => currency),
      );
      const { exchange } = await readConversion(ask, {
        target: channel.currency,
        currencies: foreign,
        days: { first: day, last: day },
        purpose: purposeOf(channel),
      });
      const areShipmentsReported = reports.every(
        ({ report, unknown_units: unknown }) =>
          unknown === 0 && (precedence.shipped as readonly string[]).includes(report),
      );
      const parameters = {
        channel: channel.channelNumber,
        day,
        ...precedence,
        ...(await ordersBefore(ask, channel, day, areShipmentsReported)),
      };
      for await (const portion of stream(inventoryReplenishmentStock, parameters))
        await write(portion.map((stock) => planOf(stock, { day, channel, exchange })));
    }),
};

/**
 * The instants of the days before the snapshot whose orders count, and whether any order counts.
 */
async function ordersBefore(
  ask: Ask,
  { channelNumber: channel, timezone }: Channel,
  day: number,
  areShipmentsReported: boolean,
) {
  const startOf = (day: number): number => startOfDay(timezone, day) ?? startOf(day + 1);
  const span = { from90: startOf(day - 90), until: startOf(day) - 1 };
  const days = {
    firstUtc: Math.floor(span.from90 / secondsPerDay),
    lastUtc: Math.floor(span.until / secondsPerDay),
  };
  const hasOrders =
    !areShipmentsReported &&
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

function columnsIn(currency: string): TypedColumn<Plan>[] {
  const text = (name: string, cell: (plan: Plan) => string | null): TypedColumn<Plan> => ({
    name,
    type: 'text',
    cell,
  });
  const date = (name: string, cell: (plan: Plan) => string | null): TypedColumn<Plan> => ({
    name,
    type: 'text',
    isDate: true,
    cell,
  });
  const number = (name: string, digits: Digits, cell: (plan: Plan) => Cell): TypedColumn<Plan> => ({
    name,
    type: 'number',
    digits,
    cell,
  });
  return [
    text('sku', (plan) => plan.sku),
    text('asin', (plan) => plan.asin),
    text('productName', (plan) => plan.title),
    text('storageType', (plan) => plan.storage_type),
    number('dailySales7', salesPlaces, (plan) => dailySales(plan.sold_7, 7)),
    number('dailySales30', salesPlaces, (plan) => dailySales(plan.sold_30, 30)),
    number('dailySales60', salesPlaces, (plan) => dailySales(plan.sold_60, 60)),
    number('dailySales90', salesPlaces, (plan) => dailySales(plan.sold_90, 90)),
    number('available', 'whole', (plan) => plan.available),
    number('reservedQuantity', 'whole', (plan) => plan.reserved),
    number('inboundQuantity', 'whole', (plan) => plan.inbound),
    number('unfulfillableQuantity', 'whole', (plan) => plan.unfulfillable),
    number('fcTransfer', 'whole', (plan) => plan.fc_transfer),
    number('awdOnhandQuantity', 'whole', (plan) => plan.awd_onhand),
    number('awdInboundQuantity', 'whole', (plan) => plan.awd_inbound),
    number('totalInventory', 'whole', (plan) => plan.total),
    number('daysCover', 1, (plan) => tenths(plan.cover_tenths)),
    date('projectedOOSDate', (plan) => plan.outOfStockDate),
    date('estimatedReorderDate', (plan) => plan.reorderDate),
    number('replenUnits', 'whole', (plan) => plan.units),
    number('replenCases', 'whole', (plan) => plan.cases),
    number('unitsPerCase', 'whole', (plan) => plan.unitsPerCase),
    number('storageVolume', amountPlaces, (plan) => volume(plan.storage_volume)),
    number('estimatedStorageCostNextMonth', currencyPlaces(currency), (plan) => plan.storageCost),
  ];
}

/** Computes how long the stock of a SKU lasts and the units to send. */
function planOf(stock: Stock, { day, channel, exchange }: Snapshot): Plan {
  const { available, velocity_units: units, velocity_days: days } = stock;
  const { leadTimeDays, safetyStockDays, targetCoverDays } = channel;
  const position =
    available + stock.reserved + stock.inbound + (stock.awd_onhand ?? 0) + (stock.awd_inbound ?? 0);
  // The whole days that a number of units lasts. Exact, because products of counts and days are
  // below 2^53.
  const daysOf = (count: number) =>
    units ? (count * days - ((count * days) % units)) / units : null;
  const availableDays = available === 0 ? 0 : daysOf(available);
  const positionDays = daysOf(position);
  const daysToReorder =
    positionDays === null ? null : Math.max(0, positionDays - leadTimeDays - safetyStockDays);
  const targetDays = leadTimeDays + safetyStockDays + targetCoverDays;
  const needed = units === null ? null : Math.max(0, ceiling(units * targetDays, days) - position);
  const unitsPerCase = stock.units_per_case === 0 ? null : stock.units_per_case;
  const cases = needed === null || unitsPerCase === null ? null : ceiling(needed, unitsPerCase);
  return {
    ...stock,
    total: position + stock.unfulfillable,
    outOfStockDate: dateAfter(day, availableDays),
    reorderDate: dateAfter(day, daysToReorder),
    units: cases === null ? needed : cases * unitsPerCase!,
    cases,
    unitsPerCase,
    storageCost:
      stock.storage_cost === null
        ? null
        : quotientText(
            exchange.of(stock.storage_cost, stock.currency!, day),
            10n ** BigInt(exchange.places),
            currencyPlaces(channel.currency),
          ),
  };
}

function dailySales(units: number | null, days: number): Cell {
  return units === null ? null : quotientText(units, days, salesPlaces);
}

function tenths(count: number | null): Cell {
  return count === null ? null : quotientText(count, 10, 1);
}

function volume(amount: bigint | null): Cell {
  return amount === null
    ? null
    : quotientText(amount, wholeAmount, amountPlaces).replace(/\.?(?<!0)0+$/, '');
}

/** The quotient of two whole numbers, rounded up. */
function ceiling(part: number, whole: number): number {
  const rest = part % whole;
  return (part - rest) / whole + (rest > 0 ? 1 : 0);
}

/** The date some days later; null if it is unknown or beyond the calendar. */
function dateAfter(day: number, days: number | null): string | null {
  return days === null || day + days > never ? null : isoDate(day + days);
}
