/** Answers a reading thread's questions about existing facts. */
import { type Channel, merchantParts } from '../access/channels.ts';
import { questionFile } from '../engine/question.ts';
import type { Registry } from '../engine/registry.ts';
import type { Ask, DateRange, Row, Warehouse } from '../engine/warehouse.ts';
import { markerCode } from './ledger/existing.ts';
import type { Lookup } from './messages.ts';
import {
  allDays,
  type ExistingOrders,
  type ExistingRecord,
  type OrderLine,
  type OrderLookup,
  type OrderState,
} from './orders/lines.ts';

const limits = { deadlineMilliseconds: 60_000 };
/** Up to this number, orders are looked up without first asking whether there are any. */
const fewOrders = 500;

const existingTables = questionFile<Row>(import.meta.url, 'orders/existingTables.sql');
const existingLines = questionFile<Row>(import.meta.url, 'orders/existingLines.sql');
const existingOrders = questionFile<Row>(import.meta.url, 'orders/existingOrders.sql');
const existingRecords = questionFile<Row>(import.meta.url, 'orders/existingRecords.sql');
const adDays = (level: string, by = level) =>
  questionFile<Row>(import.meta.url, 'adDays.sql', { table: `${level}_day`, id: `${by}_id` });
const adImports = (level: string) =>
  questionFile<Row>(import.meta.url, 'adImports.sql', { table: `${level}_day` });
const questions = {
  campaignsNamed: questionFile<Row>(import.meta.url, 'campaignsNamed.sql'),
  adGroupsOf: questionFile<Row>(import.meta.url, 'adGroupsOf.sql'),
  provisionalCampaigns: questionFile<Row>(import.meta.url, 'provisionalCampaigns.sql'),
  provisionalAdGroups: questionFile<Row>(import.meta.url, 'provisionalAdGroups.sql'),
  provisionalKeywords: questionFile<Row>(import.meta.url, 'provisionalKeywords.sql'),
  keywordsOf: questionFile<Row>(import.meta.url, 'keywordsOf.sql'),
  adGroupsOfKeywords: questionFile<Row>(import.meta.url, 'adGroupsOfKeywords.sql'),
  campaignDays: adDays('campaign'),
  adGroupDays: adDays('ad_group'),
  keywordDays: adDays('keyword'),
  keywordDaysByAdGroup: adDays('keyword', 'ad_group'),
  campaignImports: adImports('campaign'),
  adGroupImports: adImports('ad_group'),
  keywordImports: adImports('keyword'),
  publishedRanges: questionFile<Row>(import.meta.url, 'publishedRanges.sql'),
  existingProducts: questionFile<Row>(import.meta.url, 'existingProducts.sql'),
  skusOfProducts: questionFile<Row>(import.meta.url, 'skusOfProducts.sql'),
  claimsOn: questionFile<Row>(import.meta.url, 'ledger/claimsOn.sql'),
  eventsOfOrders: questionFile<Row>(import.meta.url, 'ledger/eventsOfOrders.sql'),
  eventsOfUnits: questionFile<Row>(import.meta.url, 'ledger/eventsOfUnits.sql'),
  eventsElsewhere: questionFile<Row>(import.meta.url, 'ledger/eventsElsewhere.sql'),
  storesOfOrders: questionFile<Row>(import.meta.url, 'ledger/storesOfOrders.sql'),
} satisfies Record<Lookup, unknown>;

type Stores = { readonly warehouse: Warehouse; readonly registry: Pick<Registry, 'records'> };

/** A lookup of rows with these keys, on these UTC days if given. */
type RowLookup = {
  readonly lookup: Lookup;
  readonly keys: readonly string[];
  readonly days?: DateRange;
};

/**
 * The channel's rows or, for look-ups about other stores, the rows of the merchant's other stores.
 */
export async function lookUpRows(
  { warehouse, registry }: Stores,
  channel: Channel | undefined,
  { lookup, keys, days }: RowLookup,
): Promise<readonly Row[]> {
  const own = channel?.channelNumber ?? 0;
  const parameters = { channel: own, keys, ...days };
  if (lookup !== 'eventsElsewhere' && lookup !== 'storesOfOrders')
    return await warehouse.ask(questions[lookup], parameters, limits);
  const others = channel ? await otherStoresOf(registry, channel) : [];
  if (others.length === 0) return [];
  const channels = lookup === 'storesOfOrders' ? [...others, own] : others;
  const more = { channels, marker: markerCode };
  return await warehouse.ask(questions[lookup], { ...parameters, ...more }, limits);
}

/** The merchant's other stores of the same currency. */
async function otherStoresOf(
  { records }: Pick<Registry, 'records'>,
  { channelNumber, organisationId, currency, merchantId }: Channel,
): Promise<readonly number[]> {
  const all = await records
    .selectFrom('channel')
    .select(['channelNumber', 'merchantId'])
    .where('organisationId', '=', organisationId)
    .where('currency', '=', currency)
    .where('channelNumber', '<>', channelNumber)
    .execute();
  const { sellerId } = merchantParts(merchantId);
  return all
    .filter((one) => merchantParts(one.merchantId).sellerId === sellerId)
    .map((one) => one.channelNumber);
}

/** The tables that have orders or order lines of the channel. */
export async function orderTables(
  warehouse: Warehouse,
  channel: number,
): Promise<readonly string[]> {
  const tables = await warehouse.ask(existingTables, { channel, ...allDays }, limits);
  return tables.map(({ name }) => name as string);
}

/** The channel's orders with their lines, all as of one moment. */
export function lookUpOrders(
  warehouse: Warehouse,
  channel: number,
  lookup: OrderLookup,
): Promise<ExistingOrders> {
  return warehouse.read([channel], limits, (ask) => readOrders(ask, channel, lookup));
}

async function readOrders(
  askAny: Ask,
  channel: number,
  { orderIds, days, withRecords }: OrderLookup,
): Promise<ExistingOrders> {
  // Passing thousands of ids costs more than reading nothing.
  const tables =
    orderIds.length > fewOrders
      ? (await askAny(existingTables, { channel, ...days })).map(({ name }) => name)
      : ['order_line', 'order_record'];
  const parameters = { channel, orderIds, ...days };
  const ask = async (table: string, one: typeof existingLines) =>
    tables.includes(table) ? askAny(one, parameters) : [];
  const states = new Map<string, OrderState>();
  const lines = new Map<string, OrderLine[]>();
  const records = new Map<string, ExistingRecord>();
  for (const row of await ask('order_line', existingLines)) {
    const orderId = row.order_id as string;
    const known = lines.get(orderId);
    if (known) known.push(row as OrderLine);
    else lines.set(orderId, [row as OrderLine]);
  }
  for (const row of await ask('order_record', existingOrders)) {
    states.set(row.order_id as string, {
      purchasedAt: row.purchased_at as number,
      updatedAt: row.updated_at as number,
      itemsAt: row.items_at as number,
      status: row.status as string,
      customer: row.customer as string,
    });
  }
  const found = withRecords ? await ask('order_record', existingRecords) : [];
  for (const row of found) {
    records.set(row.order_id as string, {
      record: row.record as string,
      sealedEmail: row.sealed_email as string,
    });
  }
  return { states, lines, records };
}
