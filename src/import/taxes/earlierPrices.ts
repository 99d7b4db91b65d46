/** Orders whose prices would now be read differently, and that should be imported again. */
import { type Channel, pricesIncludeTax } from '../../access/channels.ts';
import { localDay } from '../../calendar/period.ts';
import { questionFile } from '../../engine/question.ts';
import type { Registry } from '../../engine/registry.ts';
import type { DateRange, QueryLimits, Warehouse } from '../../engine/warehouse.ts';

const earlierPrices = questionFile<{
  channel: number;
  import_id: number;
  lines: number;
  first_at: number;
  last_at: number;
}>(import.meta.url, 'earlierPrices.sql');

/**
 * The kinds of documents whose prices may include tax, depending on the marketplace, and the kinds
 * of shops.
 */
const kinds = {
  ofMarketplaces: ['allOrders', 'ordersApi', 'ordersApi2026'],
  ofShops: ['shopifyOrders'],
} as const;

/** Order lines of a channel to import again, with the imports that brought them. */
export type EarlierPrices = DateRange & { readonly lines: number; readonly imports: number[] };

/**
 * Finds the lines of earlier versions by channel; with `ofOtherSetting`, the lines that were read
 * under another setting of the channel.
 */
export async function readEarlierPrices(
  { registry, warehouse }: { readonly registry: Registry; readonly warehouse: Warehouse },
  channels: readonly Channel[],
  limits: QueryLimits,
  ofOtherSetting: boolean,
): Promise<ReadonlyMap<Channel, EarlierPrices>> {
  const found = new Map<Channel, EarlierPrices>();
  const byNumber = new Map(channels.map((channel) => [channel.channelNumber, channel]));
  for (const includes of [true, false]) {
    const numbers = channels
      .filter((channel) => channel.kind === 'seller' && pricesIncludeTax(channel) === includes)
      .map((channel) => channel.channelNumber);
    if (numbers.length === 0) continue;
    const others = includes ? ['added'] : ['included', 'unstated'];
    const bases = ['', ...(ofOtherSetting ? others : [])];
    const rows = await warehouse.ask(earlierPrices, { channels: numbers, bases }, limits);
    const documents = await documentsOf(
      registry,
      rows.map((row) => row.import_id),
      [...kinds.ofShops, ...(includes || ofOtherSetting ? kinds.ofMarketplaces : [])],
    );
    for (const row of rows.filter(({ import_id }) => documents.has(import_id))) {
      const channel = byNumber.get(row.channel)!;
      const dayOf = (at: number) => localDay(channel.timezone, at);
      const { first, last, lines, imports } = found.get(channel) ?? {
        first: dayOf(row.first_at),
        last: dayOf(row.last_at),
        lines: 0,
        imports: [],
      };
      found.set(channel, {
        first: Math.min(first, dayOf(row.first_at)),
        last: Math.max(last, dayOf(row.last_at)),
        lines: lines + row.lines,
        imports: [...imports, row.import_id].sort((one, other) => one - other),
      });
    }
  }
  return found;
}

/** The imports among these that brought documents of these kinds. */
async function documentsOf(
  { records }: Registry,
  importIds: readonly number[],
  names: readonly string[],
): Promise<ReadonlySet<number>> {
  if (importIds.length === 0) return new Set();
  const rows = await records
    .selectFrom('import')
    .select('importId')
    .where('dataset', 'in', names)
    .where('importId', '>=', Math.min(...importIds))
    .execute();
  return new Set(rows.map(({ importId }) => importId));
}
