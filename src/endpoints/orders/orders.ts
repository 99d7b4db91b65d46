/** Orders of the primary marketplace, in pages that stay stable while orders arrive and change. */
import { historyMax } from '../../../schema/warehouse/tables.ts';
import { type Channel, primaryMarketplace } from '../../access/channels.ts';
import type { Seal } from '../../access/secret.ts';
import { clipped, isLong, type Range } from '../../calendar/windows.ts';
import type { InputOf } from '../../contract/endpoint.ts';
import { type Question, questionFile } from '../../engine/question.ts';
import type { Ask, Parameters } from '../../engine/warehouse.ts';
import { type Context, type Handler, oncePerRequest, type RecordRules } from '../handler.ts';
import { channelRule } from '../recordRules.ts';
import { type OrderRecord, ordersOf } from './answer.ts';
import { type listOrders as contract, keyWords } from './contract.ts';

const secondsPerDay = 86_400;
const daysByDefault = 30;
/** The last second of the year 2199, the last that a fact may have. */
const lastInstant = 7_258_118_399;
/** Imports are numbered from 1. */
const noImport = 0;

/** The position of an order in the list, and the columns that find its record. */
type Listed = {
  readonly order_id: string;
  readonly day: number;
  readonly purchased_at: number;
  readonly updated_at: number;
  /** The instant that the list is sorted by, in epoch seconds. */
  readonly position: number;
};

const createdOrders = questionFile<Listed>(import.meta.url, 'createdOrders.sql');
const updatedOrders = questionFile<Listed>(import.meta.url, 'updatedOrders.sql');
const changedOrders = questionFile<Listed>(import.meta.url, 'changedOrders.sql');
const orderOfId = questionFile<Omit<Listed, 'position'>>(import.meta.url, 'orderOfId.sql');
const orderRecords = questionFile<OrderRecord>(import.meta.url, 'orderRecords.sql');
const orderDates = questionFile<{
  readonly first_purchase: number;
  readonly last_purchase: number;
  readonly first_update: number;
  readonly last_update: number;
}>(import.meta.url, 'orderDates.sql');
const lastImport = questionFile<{ readonly last_import: number | null }>(
  import.meta.url,
  'lastImport.sql',
);

/** The imports that the first page by updatedAt saw: all up to the last one, except late ones. */
type Snapshot = { readonly lastImport: number; readonly lateImports: readonly number[] };

/**
 * The rest of a list: the orders at `from` that come after `orderId`, and later ones up to `to`.
 */
type Cursor = {
  readonly from: number;
  readonly orderId: string;
  readonly to: number;
  readonly snapshot?: Snapshot;
};

type Input = InputOf<typeof contract>;
type ChannelContext = Context & { readonly channel: Channel };

/** The record rules of the operation. */
export const ordersRules: RecordRules<typeof contract> = [
  channelRule(({ marketplace }) =>
    marketplace.toLowerCase() !== primaryMarketplace
      ? 'channelId must be a channel of the primary marketplace'
      : undefined,
  ),
  {
    at: 'fromDate',
    reads: ['toDate'],
    check: ({ fromDate, toDate }, { requestedAt }) =>
      toDate === undefined && fromDate !== undefined && fromDate > requestedAt
        ? 'fromDate must not be in the future unless toDate is given'
        : undefined,
  },
  {
    at: 'key',
    reads: ['channelId', 'merchantId', 'fromDate', 'toDate', 'dateField', 'orderId'],
    check: (input, context) =>
      input.key !== undefined && openedKey(input, context) === undefined
        ? `key ${keyWords}`
        : undefined,
  },
];

/** Answers POST /orders/primarymkt. */
export const listOrders: Handler<typeof contract> = async (input, context) => {
  const { channel, warehouse, limits } = context;
  const cursor = await cursorOf(input, context);
  const { channelNumber } = channel;
  return await warehouse.read([channelNumber], limits, async (ask) => {
    const { orders, changed } = await (input.orderId === undefined
      ? readListed(ask, channelNumber, cursor, input.pageSize + 1)
      : readOne(ask, channelNumber, cursor, input));
    const shown = orders.slice(0, input.pageSize);
    const records = await recordsOf(ask, channelNumber, shown, changed);
    const last = shown.at(-1);
    const isLast = orders.length <= input.pageSize || last === undefined;
    return {
      meta: isLast
        ? {}
        : {
            key: keyOf({ ...cursor, from: last.position, orderId: last.order_id }, input, context),
          },
      data: ordersOf(shown, records, context),
    };
  });
};

/** The cursor of the key, or a new one. */
async function cursorOf(input: Input, context: ChannelContext): Promise<Cursor> {
  const { requestedAt } = context;
  const { fromDate, toDate } = input;
  if (input.key !== undefined) return openedKey(input, context)!;
  const isByUpdate = input.dateField === 'updatedAt' && input.orderId === undefined;
  const isAnyDate = input.orderId !== undefined && fromDate === undefined && toDate === undefined;
  const to = toDate ?? (isAnyDate ? lastInstant : requestedAt);
  const from = fromDate ?? (isAnyDate ? 0 : to - daysByDefault * secondsPerDay);
  return {
    from: Math.max(0, from),
    orderId: '',
    to: Math.min(to, lastInstant),
    ...(isByUpdate && { snapshot: await snapshotOf(context) }),
  };
}

/**
 * Imports are numbered when they begin but may commit in another order. A running import counts
 * only if the warehouse has committed it.
 */
async function snapshotOf({
  channel,
  warehouse,
  registry,
  limits,
}: ChannelContext): Promise<Snapshot> {
  const [last] = await warehouse.ask(lastImport, { channel: channel.channelNumber }, limits);
  const highest = last?.last_import ?? noImport;
  const running = await registry.records
    .selectFrom('import')
    .select('importId')
    .where('state', '=', 'running')
    .where('channelNumber', '=', channel.channelNumber)
    .where('importId', '<=', highest)
    .execute();
  const lateImports: number[] = [];
  for (const { importId } of running)
    if (!(await warehouse.isCommitted(importId))) lateImports.push(importId);
  return { lastImport: highest, lateImports };
}

type ListedOrders = { readonly orders: readonly Listed[]; readonly changed: ReadonlySet<Listed> };

/** The next orders of a list. */
async function readListed(
  ask: Ask,
  channel: number,
  cursor: Cursor,
  limit: number,
): Promise<ListedOrders> {
  const { snapshot } = cursor;
  if (snapshot === undefined) {
    const orders = await readInWindows(ask, createdOrders, { channel }, cursor, limit);
    return { orders, changed: new Set() };
  }
  const lateImports = [noImport, ...snapshot.lateImports];
  const within = { channel, lastImport: snapshot.lastImport, lateImports };
  const { from, to, orderId } = cursor;
  const firstImport = Math.min(snapshot.lastImport + 1, ...snapshot.lateImports);
  const changed = await ask(changedOrders, {
    ...within,
    firstImport,
    from,
    to,
    orderId,
    limit,
    historyMax,
  });
  const unchanged = await readInWindows(ask, updatedOrders, within, cursor, limit);
  return {
    orders: [...changed, ...unchanged].sort(byPosition).slice(0, limit),
    changed: new Set(changed),
  };
}

/** The one requested order, if its date is in the range. */
async function readOne(
  ask: Ask,
  channel: number,
  { from, to }: Cursor,
  { orderId = '', dateField }: Input,
): Promise<ListedOrders> {
  const found = await ask(orderOfId, { channel, orderId });
  const orders = found
    .map((order) => ({
      ...order,
      position: dateField === 'createdAt' ? order.purchased_at : order.updated_at,
    }))
    .filter(({ position }) => position >= from && position <= to);
  return { orders, changed: new Set() };
}

/** The part of a long range that has orders, by the date that sorts the list. */
async function clippedToOrders(
  ask: Ask,
  list: Question<Listed>,
  channel: number,
  range: Range,
): Promise<Range | undefined> {
  if (!isLong(range)) return range;
  const extents = await ask(orderDates, { channel });
  return clipped(
    range,
    extents.map((dates) =>
      list === createdOrders
        ? { from: dates.first_purchase, to: dates.last_purchase }
        : { from: dates.first_update, to: dates.last_update },
    ),
  );
}

/** Reads a day, then the next two, then four: so little more is read than shown. */
async function readInWindows(
  ask: Ask,
  list: Question<Listed>,
  within: Parameters & { readonly channel: number },
  cursor: Cursor,
  limit: number,
): Promise<Listed[]> {
  const range = await clippedToOrders(ask, list, within.channel, cursor);
  if (range === undefined) return [];
  const found: Listed[] = [];
  let start = range.from;
  for (let days = 1; start <= range.to && found.length < limit; days *= 2) {
    const end = Math.min(start + days * secondsPerDay - 1, range.to);
    const window = {
      from: start,
      to: end,
      first: dayOf(start),
      last: dayOf(end),
      orderId: start === cursor.from ? cursor.orderId : '',
    };
    found.push(...(await ask(list, { ...within, ...window, limit: limit - found.length })));
    start = end + 1;
  }
  return found;
}

/** The records of orders, by order number. */
async function recordsOf(
  ask: Ask,
  channel: number,
  shown: readonly Listed[],
  changed: ReadonlySet<Listed>,
): Promise<Map<string, OrderRecord>> {
  const records = new Map<string, OrderRecord>();
  // Changed orders were updated at other times than the rest: apart, each group lies close
  // together.
  for (const orders of [
    shown.filter((order) => !changed.has(order)),
    shown.filter((order) => changed.has(order)),
  ]) {
    if (orders.length === 0) continue;
    const [firstDay, lastDay] = rangeOf(orders.map((order) => order.day));
    const [firstPurchase, lastPurchase] = rangeOf(orders.map((order) => order.purchased_at));
    const [firstUpdate, lastUpdate] = rangeOf(orders.map((order) => order.updated_at));
    const ranges = { firstDay, lastDay, firstPurchase, lastPurchase, firstUpdate, lastUpdate };
    const orderIds = orders.map((order) => order.order_id);
    for (const record of await ask(orderRecords, { channel, ...ranges, orderIds }))
      records.set(record.order_id, record);
  }
  return records;
}

function rangeOf(numbers: readonly number[]): [number, number] {
  return [Math.min(...numbers), Math.max(...numbers)];
}

function dayOf(instant: number): number {
  return Math.floor(instant / secondsPerDay);
}

function byPosition(one: Listed, other: Listed): number {
  return (
    one.position - other.position ||
    Buffer.compare(Buffer.from(one.order_id), Buffer.from(other.order_id))
  );
}

/** The seal of keys, and the query that a key belongs to: the input without the page size. */
function keySeal(
  { seal, channel }: ChannelContext,
  { dateField, orderId, fromDate, toDate }: Input,
): { keys: Seal; query: string } {
  const query = [
    channel.organisationId,
    channel.channelNumber,
    dateField,
    orderId,
    fromDate,
    toDate,
  ];
  return { keys: seal('orders key'), query: JSON.stringify(query.map((part) => part ?? null)) };
}

function keyOf(cursor: Cursor, input: Input, context: ChannelContext): string {
  const { keys, query } = keySeal(context, input);
  return keys.close(JSON.stringify(cursor), query);
}

/** The cursor of a key; undefined where it is no key, or the key of another query. */
const openedKey = oncePerRequest((input: Input, context: ChannelContext): Cursor | undefined => {
  const { keys, query } = keySeal(context, input);
  try {
    return JSON.parse(keys.open(input.key!, query));
  } catch {
    return undefined;
  }
});
