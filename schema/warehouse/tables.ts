/** The tables of facts and rollups, once for both engines. */
import { eventColumns, profitColumns, profitLists, sumsOf, unitColumns } from './profit.ts';

/**
 * The type of a column. `Date` is a calendar date, `Amount` a decimal with six places, and instants
 * are epoch seconds in `Int64`. No column is ever null.
 */
export type ColumnType = 'Int32' | 'Int64' | 'Float64' | 'Text' | 'Date' | 'Amount';

/**
 * How an import changes a table:
 * - `byDay` replaces all rows of the channel on the days that the document covers.
 * - `byKey` replaces the row of the same key, unless that row has a later `updated_at`.
 * - `byUnit` replaces all rows of the same unit, which is the first column of the key.
 */
export type Replacement = 'byDay' | 'byKey' | 'byUnit';

/** A detail of rows that have a value in `column` and a different one in `unlike`. */
export type Detail = {
  readonly name: string;
  readonly column: string;
  readonly unlike?: string;
};

/** A table of facts. Each row also carries `channel` and `import_id`. */
export type FactTable = {
  readonly name: string;
  readonly replacement: Replacement;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** The columns that identify a row of a channel. */
  readonly key: readonly string[];
  /**
   * The column of the row's date, or of the UTC date of its instant. Null in undated tables. A
   * table with a column `since` has multi-day rows, which begin on that date.
   */
  readonly day: string | null;
  /** The column of the row's instant, whose UTC date is its day. */
  readonly instant?: string;
  /** The column by which documents share a day: each replaces only rows with its own values. */
  readonly partition?: string;
  /**
   * For `byUnit` tables with several sources. A document supersedes rows of the partitions that its
   * coverage names, within the covered instants and wherever a staged row has the same values in
   * these columns, if the first of them is not "".
   */
  readonly identity?: readonly [reference: string, instant: string];
  /**
   * For `byKey` tables. `column` holds the earlier versions of a row, the oldest first and at most
   * `historyMax`, each as `import_id:of`, separated by spaces. Staged values of it are ignored.
   */
  readonly history?: { readonly column: string; readonly of: string };
  /**
   * For `byKey` tables. A staged row with this value removes the row of its key instead of
   * replacing it.
   */
  readonly removal?: { readonly column: string; readonly value: string };
  /**
   * For `byDay` tables. `column` is 1 in a row that has the same values in the columns `of` as an
   * earlier row of its document, the first of them not being "". Staged values of it are ignored.
   */
  readonly repeats?: { readonly column: string; readonly of: readonly string[] };
  /**
   * For `byDay` tables with multi-day rows. Each row of a document may have its own span, so facts
   * are compared by key, and rows that begin before the days of a document stay.
   */
  readonly spansByRow?: true;
  /**
   * For `byDay` tables. The possible subjects of a document's rows, the least detailed first.
   * Documents of less detail do not replace rows of more.
   */
  readonly details?: readonly Detail[];
  /** Columns that questions filter by range besides the day. An index skips most other rows. */
  readonly skipIndexes?: readonly string[];
};

/** The number of earlier versions of a row that are stored: the latest ones. */
export const historyMax = 20;

/**
 * The source of the exchange rates that the operator imported. Questions rely on its sorting after
 * published rates: where a day has both, the operator's counts.
 */
export const ownRates = 'own';

const adFigures = {
  impressions: 'Int64',
  clicks: 'Int64',
  cost: 'Amount',
  sales: 'Amount',
  sales_same_sku: 'Amount',
  conversions: 'Int64',
  conversions_same_sku: 'Int64',
  units: 'Int64',
  units_same_sku: 'Int64',
  orders_ntb: 'Int64',
  units_ntb: 'Int64',
  sales_ntb: 'Amount',
  detail_page_views: 'Int64',
  currency: 'Text',
} as const;

const trafficFigures = {
  page_views: 'Int64',
  sessions: 'Int64',
  mobile_sessions: 'Int64',
  /** Buy box percentage x page views: divided by page views, its sum is the weighted mean. */
  buy_box_weighted: 'Amount',
  /** Page views of the rows whose buy box percentage is known. */
  buy_box_views: 'Int64',
  revenue: 'Amount',
  units: 'Int64',
  order_items: 'Int64',
  currency: 'Text',
} as const;

/** Figures that the marketplace reports for a product and repeats for each of its SKUs. */
const productTraffic = [
  'page_views',
  'sessions',
  'mobile_sessions',
  'buy_box_weighted',
  'buy_box_views',
] as const satisfies readonly (keyof typeof trafficFigures)[];

const vendorFigures = {
  /** MANUFACTURING or SOURCING; TRAFFIC if the row has only views of product pages. */
  view: 'Text',
  /** The selling programme and view, such as RETAIL/SOURCING; also the partition. */
  report: 'Text',
  glance_views: 'Int64',
  ordered_revenue: 'Amount',
  ordered_units: 'Int64',
  shipped_revenue: 'Amount',
  shipped_units: 'Int64',
  shipped_cogs: 'Amount',
  currency: 'Text',
} as const;

/** Each target in the channel's currency, followed by 1 if it is set. */
const targets = {
  sales_budget: 'Amount',
  sales_budget_set: 'Int32',
  sales_forecast: 'Amount',
  sales_forecast_set: 'Int32',
  ad_spend_budget: 'Amount',
  ad_spend_budget_set: 'Int32',
} as const;

/** Every table of facts. */
export const facts: readonly FactTable[] = [
  {
    name: 'order_line',
    replacement: 'byKey',
    key: ['order_id', 'line_id'],
    day: 'day',
    instant: 'purchased_at',
    removal: { column: 'status', value: 'Removed' },
    columns: {
      day: 'Date',
      order_id: 'Text',
      line_id: 'Text',
      purchased_at: 'Int64',
      /** 0 if the source does not report it. */
      updated_at: 'Int64',
      /** When the order's version with these items was updated; 0 if unknown. */
      items_at: 'Int64',
      status: 'Text',
      sku: 'Text',
      product_id: 'Text',
      quantity: 'Int64',
      item_price: 'Amount',
      item_tax: 'Amount',
      promotion_discount: 'Amount',
      shipping_price: 'Amount',
      /** How the tax of the line was read; "" in rows of `orderLines` and of earlier versions. */
      tax_basis: 'Text',
      currency: 'Text',
      /** Keyed hash of the buyer's e-mail address; "" without one. */
      customer: 'Text',
    },
  },
  {
    name: 'order_record',
    replacement: 'byKey',
    key: ['order_id'],
    day: 'day',
    instant: 'purchased_at',
    columns: {
      day: 'Date',
      order_id: 'Text',
      purchased_at: 'Int64',
      updated_at: 'Int64',
      /** When the latest version with items, even an empty list, was updated; -1 without one. */
      items_at: 'Int64',
      status: 'Text',
      /** The other fields of the order that the API answers, as JSON. */
      record: 'Text',
      /** The buyer's e-mail address, sealed; "" without one. */
      sealed_email: 'Text',
      /** Keyed hash of that address; "" without one. */
      customer: 'Text',
      versions: 'Text',
    },
    history: { column: 'versions', of: 'updated_at' },
    skipIndexes: ['import_id', 'updated_at'],
  },
  {
    name: 'traffic',
    replacement: 'byDay',
    key: ['day', 'sku', 'product_id', 'parent_product_id'],
    day: 'day',
    repeats: {
      column: 'repeats_traffic',
      of: ['product_id', 'parent_product_id', 'day', ...productTraffic],
    },
    details: [
      { name: 'parent product', column: 'parent_product_id' },
      { name: 'child product', column: 'product_id', unlike: 'parent_product_id' },
      { name: 'SKU', column: 'sku' },
    ],
    columns: {
      day: 'Date',
      since: 'Date',
      sku: 'Text',
      product_id: 'Text',
      parent_product_id: 'Text',
      ...trafficFigures,
      /** 1 if an earlier row already has the same traffic of the product. */
      repeats_traffic: 'Int32',
    },
  },
  {
    name: 'traffic_total',
    replacement: 'byDay',
    key: ['day'],
    day: 'day',
    columns: { day: 'Date', since: 'Date', ...trafficFigures },
  },
  {
    name: 'campaign',
    replacement: 'byKey',
    key: ['campaign_id'],
    day: null,
    columns: {
      campaign_id: 'Text',
      name: 'Text',
      ad_type: 'Text',
      status: 'Text',
      budget_type: 'Text',
      /** In the channel's currency, like the bids of ad groups. */
      budget: 'Amount',
      /** YYYY-MM-DD, or "" if there is none. */
      start_date: 'Text',
      end_date: 'Text',
      targeting_type: 'Text',
      bidding_strategy: 'Text',
      cost_type: 'Text',
      /** When it was reported, in epoch seconds; 0 if inferred. The later of two rows stays. */
      updated_at: 'Int64',
    },
  },
  {
    name: 'ad_group',
    replacement: 'byKey',
    key: ['ad_group_id'],
    day: null,
    columns: {
      ad_group_id: 'Text',
      campaign_id: 'Text',
      name: 'Text',
      ad_type: 'Text',
      status: 'Text',
      cost_type: 'Text',
      default_bid: 'Amount',
      updated_at: 'Int64',
    },
  },
  {
    name: 'campaign_day',
    replacement: 'byDay',
    key: ['day', 'campaign_id'],
    day: 'day',
    partition: 'report',
    spansByRow: true,
    columns: {
      day: 'Date',
      since: 'Date',
      campaign_id: 'Text',
      ad_type: 'Text',
      report: 'Text',
      ...adFigures,
    },
  },
  {
    name: 'ad_group_day',
    replacement: 'byDay',
    key: ['day', 'ad_group_id'],
    day: 'day',
    partition: 'report',
    spansByRow: true,
    columns: {
      day: 'Date',
      since: 'Date',
      ad_group_id: 'Text',
      campaign_id: 'Text',
      ad_type: 'Text',
      report: 'Text',
      ...adFigures,
    },
  },
  {
    name: 'keyword',
    replacement: 'byKey',
    key: ['keyword_id'],
    day: null,
    columns: {
      /** The id of a keyword, or of a target. */
      keyword_id: 'Text',
      ad_group_id: 'Text',
      campaign_id: 'Text',
      keyword_text: 'Text',
      match_type: 'Text',
      ad_type: 'Text',
      status: 'Text',
      bid: 'Amount',
      updated_at: 'Int64',
    },
  },
  {
    name: 'keyword_day',
    replacement: 'byDay',
    key: ['day', 'keyword_id'],
    day: 'day',
    partition: 'report',
    spansByRow: true,
    columns: {
      day: 'Date',
      since: 'Date',
      keyword_id: 'Text',
      ad_group_id: 'Text',
      campaign_id: 'Text',
      ad_type: 'Text',
      report: 'Text',
      ...adFigures,
    },
  },
  {
    name: 'ad_product_day',
    replacement: 'byDay',
    key: ['day', 'product_id', 'sku', 'ad_type', 'ad_group_id', 'campaign_id'],
    day: 'day',
    partition: 'ad_type',
    spansByRow: true,
    columns: {
      day: 'Date',
      since: 'Date',
      product_id: 'Text',
      sku: 'Text',
      ad_type: 'Text',
      /** "" where the source adds up the ads of a product. */
      ad_group_id: 'Text',
      campaign_id: 'Text',
      ...adFigures,
    },
  },
  {
    name: 'vendor_sale',
    replacement: 'byDay',
    key: ['day', 'asin', 'report'],
    day: 'day',
    partition: 'report',
    columns: { day: 'Date', since: 'Date', asin: 'Text', ...vendorFigures },
  },
  {
    name: 'vendor_total',
    replacement: 'byDay',
    key: ['day', 'report'],
    day: 'day',
    partition: 'report',
    columns: { day: 'Date', since: 'Date', ...vendorFigures },
  },
  {
    name: 'vendor_margin',
    replacement: 'byDay',
    key: ['day', 'asin'],
    day: 'day',
    columns: {
      day: 'Date',
      since: 'Date',
      asin: 'Text',
      /** A share of shipped revenue: 0.25 is 25 %. */
      net_pure_product_margin: 'Amount',
    },
  },
  {
    name: 'target_month',
    replacement: 'byDay',
    key: ['day'],
    /** The first of the month. */
    day: 'day',
    columns: { day: 'Date', ...targets },
  },
  {
    name: 'target_day',
    replacement: 'byDay',
    key: ['day'],
    day: 'day',
    columns: { day: 'Date', ...targets },
  },
  {
    name: 'search_query',
    replacement: 'byDay',
    key: ['day', 'asin', 'search_query'],
    /** The first of the month. */
    day: 'day',
    partition: 'asin',
    columns: {
      day: 'Date',
      asin: 'Text',
      search_query: 'Text',
      search_query_volume: 'Int64',
      total_impressions: 'Int64',
      impressions: 'Int64',
      total_clicks: 'Int64',
      clicks: 'Int64',
      total_cart_adds: 'Int64',
      cart_adds: 'Int64',
      total_purchases: 'Int64',
      purchases: 'Int64',
      /** Median prices; 0 if unknown. */
      total_median_purchase_price: 'Amount',
      median_purchase_price: 'Amount',
      median_click_price: 'Amount',
      currency: 'Text',
    },
  },
  {
    name: 'product',
    replacement: 'byKey',
    key: ['sku'],
    day: null,
    columns: {
      sku: 'Text',
      product_id: 'Text',
      parent_product_id: 'Text',
      title: 'Text',
      brand: 'Text',
      image_url: 'Text',
      link_url: 'Text',
      price: 'Amount',
      units_per_case: 'Int64',
      /** 1 if the marketplace fulfils it, 0 if the seller does, -1 if unknown. */
      fulfilled_by_marketplace: 'Int32',
    },
  },
  {
    name: 'finance_event',
    replacement: 'byUnit',
    key: ['unit', 'number'],
    day: 'day',
    instant: 'posted_at',
    partition: 'source',
    identity: ['order_id', 'posted_at'],
    columns: {
      /** The UTC date of `posted_at`. */
      day: 'Date',
      /** The smallest thing that is replaced as a whole: a settlement, a transaction, an event. */
      unit: 'Text',
      /** Distinguishes the rows of a unit. */
      number: 'Int64',
      /**
       * The kind of source: rows, settlement, transactions, financialEvents, economics,
       * reimbursements or returns.
       */
      source: 'Text',
      /** The source's transaction number if a unit may have several, else "". */
      transaction_id: 'Text',
      /** How final the source's state of the unit is: the higher of two states stays. */
      revision: 'Int32',
      posted_at: 'Int64',
      sku: 'Text',
      order_id: 'Text',
      /** A line of the profit and loss, or `balance` for mere movements of money. */
      line: 'Text',
      /** The source's own name of the amount. */
      code: 'Text',
      /** Credits are positive, debits negative. */
      amount: 'Amount',
      /** Tax in addition to the amount, on sales and refunds. */
      tax: 'Amount',
      /** Units sold on rows of `sales`, units returned on rows of `refunds`. */
      quantity: 'Int64',
      /** AFN if the marketplace shipped it, MFN if the seller did, "" if unknown. */
      fulfillment: 'Text',
      currency: 'Text',
    },
  },
  {
    name: 'finance_claim',
    replacement: 'byUnit',
    key: ['unit', 'superseded'],
    day: null,
    columns: {
      unit: 'Text',
      /** The source that `source` supersedes between the two instants, both inclusive. */
      superseded: 'Text',
      source: 'Text',
      from_at: 'Int64',
      to_at: 'Int64',
    },
  },
  {
    name: 'unit_cost',
    replacement: 'byKey',
    key: ['sku', 'effective_from'],
    day: null,
    columns: {
      sku: 'Text',
      effective_from: 'Date',
      cogs: 'Amount',
      cogs_currency: 'Text',
      shipping_cost: 'Amount',
      shipping_cost_currency: 'Text',
    },
  },
  {
    name: 'inventory',
    replacement: 'byDay',
    key: ['day', 'sku', 'report'],
    day: 'day',
    partition: 'report',
    columns: {
      /** The date of the snapshot. */
      day: 'Date',
      sku: 'Text',
      /** The kind of source: rows, planning, restock or unsuppressed. Their figures differ. */
      report: 'Text',
      asin: 'Text',
      title: 'Text',
      /** 1 if the source says that the marketplace fulfils it, 0 that the seller does, else -1. */
      fulfilled_by_marketplace: 'Int32',
      storage_type: 'Text',
      available: 'Int64',
      reserved: 'Int64',
      inbound: 'Int64',
      unfulfillable: 'Int64',
      fc_transfer: 'Int64',
      awd_onhand: 'Int64',
      awd_inbound: 'Int64',
      /** -1 if unknown, as in the next columns. */
      units_shipped_7: 'Int64',
      units_shipped_30: 'Int64',
      units_shipped_60: 'Int64',
      units_shipped_90: 'Int64',
      storage_volume: 'Amount',
      storage_cost_next_month: 'Amount',
      currency: 'Text',
    },
  },
  {
    name: 'exchange_rate',
    replacement: 'byKey',
    key: ['currency', 'day', 'source'],
    day: 'day',
    columns: {
      day: 'Date',
      currency: 'Text',
      /** Units of the currency per euro. */
      per_euro: 'Float64',
      /** "" for rates that the bank published, `ownRates` for the operator's own. */
      source: 'Text',
    },
  },
];

/** The schema version of facts and rollups. It rises with every change of a released schema. */
export const schemaVersion = 6;

/** A column of texts that a version added to a table; older rows have "" in it. */
export type AddedText = {
  readonly version: number;
  readonly table: string;
  readonly column: string;
};

/** The columns added after the first version. Tables that a version added need no entry. */
export const addedTexts: readonly AddedText[] = [
  { version: 2, table: 'ad_product_day', column: 'ad_group_id' },
  { version: 2, table: 'ad_product_day', column: 'campaign_id' },
  { version: 5, table: 'exchange_rate', column: 'source' },
  { version: 6, table: 'order_line', column: 'tax_basis' },
];

/** The columns that a warehouse of a version lacks; none for a new warehouse (null). */
export function textsSince(version: number | null): readonly AddedText[] {
  return version === null ? [] : addedTexts.filter((added) => added.version > version);
}

function ofType<Type extends ColumnType>(
  columns: readonly string[],
  type: Type,
): Readonly<Record<string, Type>> {
  return Object.fromEntries(columns.map((column) => [column, type]));
}

/** A rollup: rows computed from facts, day by day, in the same step that changes the facts. */
export type Rollup = {
  readonly name: string;
  /** The `.sql` file of its body in this folder, `NAME.sql` by default. */
  readonly body?: {
    readonly file: string;
    /** The file of the financial events that it sums up. */
    readonly posted: string;
    readonly lists: Readonly<Record<string, readonly string[]>>;
  };
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly key: readonly string[];
  /** The tables that it is computed from. */
  readonly from: readonly string[];
  /**
   * Amounts in the type of facts, which is read several times faster: the sums are small enough.
   */
  readonly compactAmounts?: readonly string[];
  /** The zone of its days: `utc`, or `channel` for the channel's timezone. */
  readonly days: 'utc' | 'channel';
  /**
   * Undated tables that its rows depend on. If an import changes one of `columns` in such a table,
   * the days on which the source table `of` has rows with the same `by` are computed again, from
   * the date in the column `since` on if there is one.
   */
  readonly dependsOn?: readonly Dependency[];
  /**
   * For rollups of one table. The rows of a day are computed separately for each value of this
   * column, so that rows of unchanged values may stay.
   */
  readonly within?: string;
};

/** An undated table that a rollup depends on. */
export type Dependency = {
  readonly table: string;
  readonly columns: readonly string[];
  readonly of: string;
  readonly by: string;
  readonly since?: string;
};

const costs: readonly Dependency[] = [
  {
    table: 'unit_cost',
    columns: ['cogs', 'cogs_currency', 'shipping_cost', 'shipping_cost_currency'],
    of: 'finance_event',
    by: 'sku',
    since: 'effective_from',
  },
  { table: 'product', columns: ['fulfilled_by_marketplace'], of: 'finance_event', by: 'sku' },
];

/** Every rollup, in the order in which they are computed. */
export const rollups: readonly Rollup[] = [
  {
    name: 'order_slot',
    from: ['order_line'],
    days: 'utc',
    key: ['day', 'slot_at', 'currency'],
    columns: {
      day: 'Date',
      /** Start of the quarter of an hour, in epoch seconds. */
      slot_at: 'Int64',
      currency: 'Text',
      line_items: 'Int64',
      units: 'Int64',
      item_price: 'Amount',
      item_tax: 'Amount',
    },
  },
  {
    name: 'store_day',
    from: ['order_line', 'traffic', 'traffic_total', 'campaign_day'],
    days: 'channel',
    key: ['day', 'currency'],
    columns: {
      day: 'Date',
      currency: 'Text',
      /**
       * 1 from the channel's first order line on: from then on, order lines are the source of
       * sales.
       */
      orders_cover: 'Int32',
      line_items: 'Int64',
      units: 'Int64',
      item_price: 'Amount',
      item_tax: 'Amount',
      page_views: 'Int64',
      sessions: 'Int64',
      buy_box_weighted: 'Amount',
      buy_box_views: 'Int64',
      traffic_revenue: 'Amount',
      traffic_units: 'Int64',
      traffic_order_items: 'Int64',
      /** Rows of traffic and advertising; 0 if the day has order lines only. */
      daily_rows: 'Int64',
      impressions: 'Int64',
      clicks: 'Int64',
      ad_cost: 'Amount',
      ad_sales: 'Amount',
    },
  },
  {
    name: 'vendor_day',
    from: ['vendor_sale', 'vendor_total'],
    days: 'channel',
    key: ['day', 'currency'],
    columns: {
      day: 'Date',
      currency: 'Text',
      glance_views: 'Int64',
      ordered_revenue: 'Amount',
      ordered_units: 'Int64',
      shipped_revenue: 'Amount',
      shipped_units: 'Int64',
      shipped_cogs: 'Amount',
      shipped_revenue_manufacturing: 'Amount',
      shipped_units_manufacturing: 'Int64',
      shipped_cogs_manufacturing: 'Amount',
    },
  },
  {
    name: 'search_month',
    from: ['search_query'],
    days: 'channel',
    key: ['day', 'asin', 'currency'],
    columns: {
      day: 'Date',
      asin: 'Text',
      currency: 'Text',
      search_query_volume: 'Int64',
      total_impressions: 'Int64',
      impressions: 'Int64',
      total_clicks: 'Int64',
      clicks: 'Int64',
      total_cart_adds: 'Int64',
      cart_adds: 'Int64',
      total_purchases: 'Int64',
      purchases: 'Int64',
      /** Purchases x their price, own and of the whole market. */
      revenue: 'Amount',
      total_revenue: 'Amount',
    },
  },
  {
    name: 'profit_slot',
    body: {
      file: 'profit.sql',
      posted: 'slotEvents.sql',
      lists: profitLists({ grain: ['day', 'slot_at'] }),
    },
    from: ['finance_event'],
    days: 'utc',
    dependsOn: costs,
    key: ['day', 'slot_at', 'currency'],
    columns: {
      day: 'Date',
      /** Start of the quarter of an hour, in epoch seconds. */
      slot_at: 'Int64',
      currency: 'Text',
      ...ofType(profitColumns, 'Amount'),
    },
  },
  {
    name: 'profit_product_day',
    body: {
      file: 'profit_product_day.sql',
      posted: 'skuEvents.sql',
      lists: { grain: ['day'], sums: sumsOf([...eventColumns, ...unitColumns]) },
    },
    // A financial event is at most 10,000,000,000.
    compactAmounts: eventColumns,
    from: ['finance_event'],
    days: 'utc',
    within: 'sku',
    key: ['day', 'sku', 'currency'],
    columns: {
      day: 'Date',
      sku: 'Text',
      currency: 'Text',
      // The figures of the events alone: unit costs are added when a page of products is read.
      ...ofType(eventColumns, 'Amount'),
      ...ofType(unitColumns, 'Int64'),
    },
  },
];

/** The tables that rollups are computed from. */
export const rollupSources: readonly string[] = [
  ...new Set(rollups.flatMap((rollup) => rollup.from)),
];

/** The dependencies of all rollups. */
export const dependencies: readonly Dependency[] = [
  ...new Set(rollups.flatMap((rollup) => rollup.dependsOn ?? [])),
];

/** Every table that a question may read. */
export const factTables: readonly (Pick<FactTable, 'name' | 'columns' | 'key'> &
  Pick<Rollup, 'compactAmounts'>)[] = [...facts, ...rollups];

/** The columns other than the day that identify a row of a dated table. */
export function rowKeyOf({ key, day }: FactTable): readonly string[] {
  return key.filter((column) => column !== day);
}

/** The table of facts with this name. */
export function factTable(name: string): FactTable {
  const table = facts.find((fact) => fact.name === name);
  if (!table) throw new Error(`There is no table of facts named ${name}`);
  return table;
}
