/** Looks up existing facts for the readers of documents, through the import of the session. */
import type { DateRange, Row } from '../engine/warehouse.ts';
import type { AdType } from './documents/advertising/adTypes.ts';
import type { AdImportsLookup, AdLookup, Connection, Lookup } from './messages.ts';
import type { ExistingOrders, OrderLookup } from './orders/lines.ts';

/** The number of names or ids to look up at a time. */
const keysMax = 500;

/** An existing campaign. */
export type NamedCampaign = { readonly campaignId: string; readonly adType: AdType };

/** An existing ad group. */
export type NamedAdGroup = { readonly adGroupId: string; readonly name: string };

/** An existing keyword or target. */
export type NamedKeyword = {
  readonly keywordId: string;
  readonly keywordText: string;
  readonly matchType: string;
};

/** The days of existing advertising figures, their partition and their import. */
export type AdDays = DateRange & { readonly report: string; readonly importId: number };

/** The existing facts of the channel. */
export class ExistingFacts {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The campaigns with these names, by name. */
  campaignsNamed(names: readonly string[]): Promise<ReadonlyMap<string, readonly NamedCampaign[]>> {
    return this.#byKey('campaignsNamed', names, 'name', (row) => ({
      campaignId: row.campaign_id as string,
      adType: row.ad_type as AdType,
    }));
  }

  /** The ad groups of these campaigns, by campaign id. */
  adGroupsOf(
    campaignIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly NamedAdGroup[]>> {
    return this.#byKey('adGroupsOf', campaignIds, 'campaign_id', (row) => ({
      adGroupId: row.ad_group_id as string,
      name: row.name as string,
    }));
  }

  /** The keywords of these ad groups, by ad group id. */
  keywordsOf(adGroupIds: readonly string[]): Promise<ReadonlyMap<string, readonly NamedKeyword[]>> {
    return this.#byKey('keywordsOf', adGroupIds, 'ad_group_id', (row) => ({
      keywordId: row.keyword_id as string,
      keywordText: row.keyword_text as string,
      matchType: row.match_type as string,
    }));
  }

  /** The ids of the ad groups of these keywords, by keyword id. */
  adGroupsOfKeywords(
    keywordIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    return this.#byKey(
      'adGroupsOfKeywords',
      keywordIds,
      'keyword_id',
      (row) => row.ad_group_id as string,
    );
  }

  /** The figures of these ids that overlap these days, by id. */
  adDays(
    lookup: AdLookup,
    ids: readonly string[],
    days: DateRange,
  ): Promise<ReadonlyMap<string, readonly AdDays[]>> {
    return this.#byKey(lookup, ids, 'id', adDaysOf, days);
  }

  /** The first and last day of each import's figures in these partitions, by partition. */
  adImports(
    lookup: AdImportsLookup,
    reports: readonly string[],
  ): Promise<ReadonlyMap<string, readonly AdDays[]>> {
    return this.#byKey(lookup, reports, 'report', adDaysOf);
  }

  /** The products of these SKUs, by SKU, in the columns of their table. */
  async products(skus: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    const found = await this.#byKey('existingProducts', skus, 'sku', (row) => row);
    return new Map([...found].map(([sku, [product]]) => [sku, product!]));
  }

  /** The SKUs of these product ids, by product id. */
  skusOfProducts(productIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    return this.#byKey('skusOfProducts', productIds, 'product_id', (row) => row.sku as string);
  }

  /** The orders with these ids, with the parts that the look-up requests. */
  async orders(lookup: OrderLookup): Promise<ExistingOrders> {
    return (await this.#connection.request({ type: 'orders', ...lookup })).orders!;
  }

  /** The rows with these keys, on these days if given. */
  async rows(
    lookup: Lookup,
    keys: readonly string[] = [],
    days?: DateRange,
  ): Promise<readonly Row[]> {
    const { rows } = await this.#connection.request({
      type: 'lookup',
      lookup,
      keys,
      ...(days !== undefined && { days }),
    });
    return rows!;
  }

  /** The rows with these keys, grouped by the column `by`. */
  async #byKey<Found>(
    lookup: Lookup,
    keys: readonly string[],
    by: string,
    read: (row: Row) => Found,
    days?: DateRange,
  ): Promise<ReadonlyMap<string, readonly Found[]>> {
    const all = new Map<string, Found[]>();
    for (let start = 0; start < keys.length; start += keysMax) {
      for (const row of await this.rows(lookup, keys.slice(start, start + keysMax), days)) {
        const known = all.get(row[by] as string);
        if (known) known.push(read(row));
        else all.set(row[by] as string, [read(row)]);
      }
    }
    return all;
  }
}

function adDaysOf(row: Row): AdDays {
  return {
    first: row.since as number,
    last: row.day as number,
    report: row.report as string,
    importId: row.import_id as number,
  };
}
