/** Orders of the primary marketplace, told by pages that hold still while orders arrive and change. */
import { historyMax } from '../../../schema/warehouse/tables.ts';
import type { Channel } from '../../access/channels.ts';
import { buyerEmailUse, type Seal } from '../../access/secret.ts';
import type { InputOf } from '../../contract/endpoint.ts';
import { Refusal } from '../../contract/refusal.ts';
import { type Question, questionFile } from '../../engine/question.ts';
import type { Ask, Parameters } from '../../engine/warehouse.ts';
import type { Context, Handler } from '../handler.ts';
import { type listOrders as contract, keyWords, type Order } from './contract.ts';

const primaryMarketplace = 'primarymkt';
const secondsPerDay = 86_400;
const daysByDefault = 30;
/** The last second of the year 2199, behind which nothing is held. */
const lastInstant = 7_258_118_399;
/** Imports are numbered from 1. */
const noImport = 0;

/** Where an order stands in the list, and by what its record is found. */
type Place = {
  readonly order_id: string;
  readonly day: number;
  readonly purchased_at: number;
  readonly updated_at: number;
  readonly stands_at: number;
};
type OrderRecord = {
  readonly order_id: string;
  readonly purchased_at: number;
  readonly updated_at: number;
  readonly status: string;
  readonly record: string;
  readonly sealed_email: string;
};

const createdOrders = questionFile<Place>(import.meta.url, 'createdOrders.sql');
const updatedOrders = questionFile<Place>(import.meta.url, 'updatedOrders.sql');
const changedOrders = questionFile<Place>(import.meta.url, 'changedOrders.sql');
const orderOfId = questionFile<Omit<Place, 'stands_at'>>(import.meta.url, 'orderOfId.sql');
const orderRecords = questionFile<OrderRecord>(import.meta.url, 'orderRecords.sql');
const lastImport = questionFile<{ readonly last_import: number | null }>(
  import.meta.url,
  'lastImport.sql',
);

/** What had landed when a walk by updatedAt began: all imports up to the last one but the late ones. */
type Beginning = { readonly lastImport: number; readonly lateImports: readonly number[] };

/** What is left of a walk: the orders of the instant `from` behind `orderId`, and those after it up to `to`; epoch seconds. */
type Walk = {
  readonly from: number;
  readonly orderId: string;
  readonly to: number;
  readonly beginning?: Beginning;
};

type AskedFor = InputOf<typeof contract>;
type Within = Context & { readonly channel: Channel };

/** Answers POST /orders/primarymkt. */
export const listOrders: Handler<typeof contract> = async (asked, context) => {
  const { channel, warehouse, limits } = context;
  const walk = await walkOf(asked, context);
  const { channelNumber } = channel;
  return await warehouse.read([channelNumber], limits, async (ask) => {
    const { places, changed } = await (asked.orderId === undefined
      ? placesOf(ask, channelNumber, walk, asked.pageSize + 1)
      : placeOf(ask, channelNumber, walk, asked));
    const shown = places.slice(0, asked.pageSize);
    const records = await recordsOf(ask, channelNumber, shown, changed);
    const last = shown.at(-1);
    const isLast = places.length <= asked.pageSize || last === undefined;
    return {
      meta: isLast
        ? {}
        : { key: keyOf({ ...walk, from: last.stands_at, orderId: last.order_id }, asked, context) },
      data: ordersOf(shown, records, context),
    };
  });
};

/** Where the walk goes on that a key was told for, or a new one; refuses what no orders can be told for. */
async function walkOf(asked: AskedFor, context: Within): Promise<Walk> {
  const { channel, requestedAt } = context;
  const failing: string[] = [];
  if (channel.marketplace.toLowerCase() !== primaryMarketplace || channel.kind !== 'seller') {
    failing.push('channelId must be a seller channel of the primary marketplace');
  }
  const known = asked.key === undefined ? undefined : openedKey(asked.key, asked, context);
  if (asked.key !== undefined && known === undefined) failing.push(`key ${keyWords}`);
  if (failing.length > 0) throw new Refusal(400, failing.join(', '));
  if (known !== undefined) return known;
  const {
    fromDate = asked.orderId === undefined ? requestedAt - daysByDefault * secondsPerDay : 0,
  } = asked;
  const { toDate = asked.orderId === undefined ? requestedAt : lastInstant } = asked;
  const isByUpdate = asked.dateField === 'updatedAt' && asked.orderId === undefined;
  return {
    from: Math.max(0, fromDate),
    orderId: '',
    to: Math.min(toDate, lastInstant),
    ...(isByUpdate && { beginning: await beginningOf(context) }),
  };
}

/**
 * Imports are numbered when they begin, and land in another order: one that is still running, or was when its process was ended, may land behind
 * a later one. What is not settled when it is looked at has not been answered yet, and so does not count as landed unless the warehouse says so.
 */
async function beginningOf({ channel, warehouse, registry, limits }: Within): Promise<Beginning> {
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

type Places = { readonly places: readonly Place[]; readonly changed: ReadonlySet<Place> };

/** The next places of a walk. */
async function placesOf(ask: Ask, channel: number, walk: Walk, limit: number): Promise<Places> {
  const { beginning } = walk;
  if (beginning === undefined) {
    const places = await inWindows(ask, createdOrders, { channel }, walk, limit);
    return { places, changed: new Set() };
  }
  const lateImports = [noImport, ...beginning.lateImports];
  const within = { channel, lastImport: beginning.lastImport, lateImports };
  const { from, to, orderId } = walk;
  const firstImport = Math.min(beginning.lastImport + 1, ...beginning.lateImports);
  const changed = await ask(changedOrders, {
    ...within,
    firstImport,
    from,
    to,
    orderId,
    limit,
    remembered: historyMax,
  });
  const unchanged = await inWindows(ask, updatedOrders, within, walk, limit);
  return {
    places: [...changed, ...unchanged].sort(byPlace).slice(0, limit),
    changed: new Set(changed),
  };
}

/** The place of the one order that is asked for, where its date is in the range. */
async function placeOf(
  ask: Ask,
  channel: number,
  { from, to }: Walk,
  { orderId = '', dateField }: AskedFor,
): Promise<Places> {
  const found = await ask(orderOfId, { channel, orderId });
  const places = found
    .map((place) => ({
      ...place,
      stands_at: dateField === 'createdAt' ? place.purchased_at : place.updated_at,
    }))
    .filter(({ stands_at }) => stands_at >= from && stands_at <= to);
  return { places, changed: new Set() };
}

/** Asks for a day, then for the two days behind it, and so on, so that no more is looked at than about what is shown. */
async function inWindows(
  ask: Ask,
  places: Question<Place>,
  within: Parameters,
  { from, orderId, to }: Walk,
  limit: number,
): Promise<Place[]> {
  const found: Place[] = [];
  let start = from;
  for (let days = 1; start <= to && found.length < limit; days *= 2) {
    const end = Math.min(start + days * secondsPerDay - 1, to);
    const window = {
      from: start,
      to: end,
      first: dayOf(start),
      last: dayOf(end),
      orderId: start === from ? orderId : '',
    };
    found.push(...(await ask(places, { ...within, ...window, limit: limit - found.length })));
    start = end + 1;
  }
  return found;
}

/** The records of places, by their order numbers. */
async function recordsOf(
  ask: Ask,
  channel: number,
  shown: readonly Place[],
  changed: ReadonlySet<Place>,
): Promise<Map<string, OrderRecord>> {
  const records = new Map<string, OrderRecord>();
  // What has changed was updated at other times than what stands beside it: apart, both lie close together.
  for (const places of [
    shown.filter((place) => !changed.has(place)),
    shown.filter((place) => changed.has(place)),
  ]) {
    if (places.length === 0) continue;
    const [firstDay, lastDay] = rangeOf(places.map((place) => place.day));
    const [firstPurchase, lastPurchase] = rangeOf(places.map((place) => place.purchased_at));
    const [firstUpdate, lastUpdate] = rangeOf(places.map((place) => place.updated_at));
    const ranges = { firstDay, lastDay, firstPurchase, lastPurchase, firstUpdate, lastUpdate };
    const orderIds = places.map((place) => place.order_id);
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

function byPlace(one: Place, other: Place): number {
  return (
    one.stands_at - other.stands_at ||
    Buffer.compare(Buffer.from(one.order_id), Buffer.from(other.order_id))
  );
}

/** The seal of keys, and what a key belongs to: all that was asked but the size of a page. */
function keySeal(
  { seal, channel }: Within,
  { dateField, orderId, fromDate, toDate }: AskedFor,
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

function keyOf(walk: Walk, asked: AskedFor, context: Within): string {
  const { keys, query } = keySeal(context, asked);
  return keys.close(JSON.stringify(walk), query);
}

/** The walk that a key is for, undefined where the key is none or one of another query. */
function openedKey(key: string, asked: AskedFor, context: Within): Walk | undefined {
  const { keys, query } = keySeal(context, asked);
  try {
    return JSON.parse(keys.open(key, query));
  } catch {
    return undefined;
  }
}

/** The orders of places, each with what is not known of it as "", 0 or false. */
function ordersOf(
  shown: readonly Place[],
  records: ReadonlyMap<string, OrderRecord>,
  { channel, seal, log }: Within,
): Order[] {
  const emails = seal(buyerEmailUse);
  let unopened = 0;
  const opened = (sealed: string) => {
    if (sealed === '') return '';
    try {
      return emails.open(sealed);
    } catch {
      unopened++;
      return '';
    }
  };
  const orders = shown.map(({ order_id }) => {
    const record = records.get(order_id)!;
    return orderOf(record, opened(record.sealed_email), channel);
  });
  if (unopened > 0)
    log.warn(
      { orders: unopened },
      "buyers' addresses were sealed with another secret and are left out",
    );
  return orders;
}

/** What is kept of an order under the names of the contract, as far as it was told. */
type Told = {
  readonly [Field in keyof Order]?: Order[Field] extends object
    ? Partial<Order[Field]>
    : Order[Field];
};

function orderOf(
  { order_id, purchased_at, updated_at, status, record }: OrderRecord,
  email: string,
  { merchantId }: Channel,
): Order {
  const told = JSON.parse(record) as Told;
  const [seller = '', marketplace = ''] = merchantId.split(' @ ');
  return {
    SellerId: told.SellerId ?? seller,
    MarketplaceId: told.MarketplaceId ?? marketplace,
    PlatformOrderId: order_id,
    BuyerInfo: { BuyerEmail: email },
    FulfillmentChannel: told.FulfillmentChannel ?? '',
    SalesChannel: told.SalesChannel ?? '',
    OrderStatus: status,
    OrderType: told.OrderType ?? '',
    ShipServiceLevel: told.ShipServiceLevel ?? '',
    ShipmentServiceLevelCategory: told.ShipmentServiceLevelCategory ?? '',
    PaymentMethod: told.PaymentMethod ?? '',
    PaymentMethodDetails: told.PaymentMethodDetails ?? '',
    EarliestDeliveryDate: told.EarliestDeliveryDate ?? '',
    EarliestShipDate: told.EarliestShipDate ?? '',
    LatestShipDate: told.LatestShipDate ?? '',
    LatestDeliveryDate: told.LatestDeliveryDate ?? '',
    PurchaseDate: instantText(purchased_at),
    LastUpdateDate: updated_at === 0 ? '' : instantText(updated_at),
    AutomatedShippingSettings: {
      HasAutomatedShippingSettings:
        told.AutomatedShippingSettings?.HasAutomatedShippingSettings ?? 'false',
      AutomatedShipMethodName: told.AutomatedShippingSettings?.AutomatedShipMethodName ?? '',
      AutomatedCarrierName: told.AutomatedShippingSettings?.AutomatedCarrierName ?? '',
    },
    NumberOfItemsShipped: told.NumberOfItemsShipped ?? 0,
    NumberOfItemsUnshipped: told.NumberOfItemsUnshipped ?? 0,
    IsPremiumOrder: told.IsPremiumOrder ?? false,
    IsPrime: told.IsPrime ?? false,
    HasRegulatedItems: told.HasRegulatedItems ?? false,
    IsReplacementOrder: told.IsReplacementOrder ?? false,
    IsSoldByAB: told.IsSoldByAB ?? false,
    IsISPU: told.IsISPU ?? false,
    IsAccessPointOrder: told.IsAccessPointOrder ?? false,
    IsBusinessOrder: told.IsBusinessOrder ?? false,
    IsGlobalExpressEnabled: told.IsGlobalExpressEnabled ?? false,
    DefaultShipFromLocationAddress: addressOf(told.DefaultShipFromLocationAddress),
    ShippingAddress: addressOf(told.ShippingAddress),
    OrderTotal: {
      Amount: told.OrderTotal?.Amount ?? 0,
      CurrencyCode: told.OrderTotal?.CurrencyCode ?? '',
    },
  };
}

function addressOf({
  StateOrRegion = '',
  PostalCode = '',
  City = '',
  CountryCode = '',
}: Told['ShippingAddress'] = {}): Order['ShippingAddress'] {
  return { StateOrRegion, PostalCode, City, CountryCode };
}

function instantText(instant: number): string {
  return new Date(instant * 1000).toISOString().replace('.000Z', 'Z');
}
