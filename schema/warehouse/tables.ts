/** The tables of facts and rollups, once for both engines. */
import { profitColumns, profitPlaces } from './profit.ts';

/**
 * What a column holds. `Date` is a calendar date, `Amount` a decimal with six places; instants are epoch seconds in `Int64`.
 * No column is ever null.
 */
export type ColumnType = 'Int32' | 'Int64' | 'Float64' | 'Text' | 'Date' | 'Amount';

/**
 * How an import changes a table:
 * `byDay` replaces all that the channel held on the days that the document covers;
 * `byKey` replaces the rows of the same key, unless the held row has a later `updated_at`;
 * `byUnit` replaces all rows of the same unit, its first key column, however many there are by now.
 */
export type Replacement = 'byDay' | 'byKey' | 'byUnit';

/** A table of facts. Each row also carries `channel` and `import_id`. */
export type FactTable = {
  readonly name: string;
  readonly replacement: Replacement;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** What tells one row of a channel from another. */
  readonly key: readonly string[];
  /** The date that the row belongs to: an own date, or the UTC date of its instant. Null in tables of things rather than of events. */
  readonly day: string | null;
  /** A column by which documents share the days among them: a document may replace only the rows that have its values of it. */
  readonly partition?: string;
  /**
   * Of a table kept by unit that several sources tell: held rows of the parts that a cover names give way within its instants, and
   * wherever a staged row has the same values in these columns, the first of which is not "".
   */
  readonly identity?: readonly [reference: string, instant: string];
  /**
   * Of a table kept by key: its `column` holds the earlier versions of a row, oldest first and at most `versionsRemembered`, each as
   * `import_id:of`, parted by spaces. What is staged in that column does not count.
   */
  readonly history?: { readonly column: string; readonly of: string };
  /** Columns, `import_id` among them, whose ranges are asked for beside those of days: where rows come in their order, most need not be looked at. */
  readonly skipIndexes?: readonly string[];
};

/** How many of the earlier versions of a row are remembered: the last ones. */
export const historyMax = 20;

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
  /** Buy box percentage x page views, so that a mean weighted by page views is a sum over a sum. */
  buy_box_weighted: 'Amount',
  /** Page views of the rows whose buy box percentage is known. */
  buy_box_views: 'Int64',
  revenue: 'Amount',
  units: 'Int64',
  order_items: 'Int64',
  currency: 'Text',
} as const;

const vendorFigures = {
  /** MANUFACTURING or SOURCING; TRAFFIC where the row tells views of product pages alone. */
  view: 'Text',
  /** The selling programme and the view, by which documents share the days: RETAIL/SOURCING. */
  report: 'Text',
  glance_views: 'Int64',
  ordered_revenue: 'Amount',
  ordered_units: 'Int64',
  shipped_revenue: 'Amount',
  shipped_units: 'Int64',
  shipped_cogs: 'Amount',
  currency: 'Text',
} as const;

/** Each target in the channel's currency, and 1 where it is set. */
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
    columns: {
      day: 'Date',
      order_id: 'Text',
      line_id: 'Text',
      purchased_at: 'Int64',
      /** 0 where the source does not tell. */
      updated_at: 'Int64',
      status: 'Text',
      sku: 'Text',
      product_id: 'Text',
      quantity: 'Int64',
      item_price: 'Amount',
      item_tax: 'Amount',
      promotion_discount: 'Amount',
      shipping_price: 'Amount',
      currency: 'Text',
      /** Keyed hash of the buyer's e-mail address, "" without one. */
      customer: 'Text',
    },
  },
  {
    name: 'order_record',
    replacement: 'byKey',
    key: ['order_id'],
    day: 'day',
    columns: {
      day: 'Date',
      order_id: 'Text',
      purchased_at: 'Int64',
      updated_at: 'Int64',
      status: 'Text',
      /** The order's fields of contract 2.6 as JSON, without the buyer's e-mail address. */
      record: 'Text',
      /** The buyer's e-mail address, sealed; "" without one. */
      sealed_email: 'Text',
      /** Keyed hash of that address, "" without one. */
      customer: 'Text',
      versions: 'Text',
    },
    history: { column: 'versions', of: 'updated_at' },
    skipIndexes: ['import_id', 'updated_at'],
  },
  {
    name: 'traffic',
    replacement: 'byDay',
    key: ['day', 'sku', 'product_id'],
    day: 'day',
    columns: {
      day: 'Date',
      sku: 'Text',
      product_id: 'Text',
      parent_product_id: 'Text',
      ...trafficFigures,
    },
  },
  {
    name: 'traffic_total',
    replacement: 'byDay',
    key: ['day'],
    day: 'day',
    columns: { day: 'Date', ...trafficFigures },
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
      /** In the channel's currency, as the bids of ad groups are. */
      budget: 'Amount',
      /** YYYY-MM-DD, "" where there is none. */
      start_date: 'Text',
      end_date: 'Text',
      targeting_type: 'Text',
      bidding_strategy: 'Text',
      cost_type: 'Text',
      /** When it was told, epoch seconds; 0 where figures tell of it by the way, which never replaces what was told of itself. */
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
    partition: 'ad_type',
    columns: { day: 'Date', campaign_id: 'Text', ad_type: 'Text', ...adFigures },
  },
  {
    name: 'ad_group_day',
    replacement: 'byDay',
    key: ['day', 'ad_group_id'],
    day: 'day',
    partition: 'ad_type',
    columns: {
      day: 'Date',
      ad_group_id: 'Text',
      campaign_id: 'Text',
      ad_type: 'Text',
      ...adFigures,
    },
  },
  {
    name: 'ad_product_day',
    replacement: 'byDay',
    key: ['day', 'product_id', 'sku', 'ad_type'],
    day: 'day',
    partition: 'ad_type',
    columns: { day: 'Date', product_id: 'Text', sku: 'Text', ad_type: 'Text', ...adFigures },
  },
  {
    name: 'vendor_sale',
    replacement: 'byDay',
    key: ['day', 'asin', 'report'],
    day: 'day',
    partition: 'report',
    columns: { day: 'Date', asin: 'Text', ...vendorFigures },
  },
  {
    name: 'vendor_total',
    replacement: 'byDay',
    key: ['day', 'report'],
    day: 'day',
    partition: 'report',
    columns: { day: 'Date', ...vendorFigures },
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
      /** Median prices; 0 where they are not known. */
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
      /** 1 where the marketplace fulfils it. */
      fulfilled_by_marketplace: 'Int32',
    },
  },
  {
    name: 'finance_event',
    replacement: 'byUnit',
    key: ['unit', 'number'],
    day: 'day',
    partition: 'source',
    identity: ['order_id', 'posted_at'],
    columns: {
      /** The UTC date of `posted_at`. */
      day: 'Date',
      /** What is told as a whole: a settlement, a transaction, an event. */
      unit: 'Text',
      /** Tells the rows of a unit apart. */
      number: 'Int64',
      /** Who tells it: rows, settlement, transactions, financialEvents, economics, reimbursements, returns. */
      source: 'Text',
      /** The source's number of the transaction where a unit may hold several, "" elsewhere. */
      transaction_id: 'Text',
      /** How final the source calls it: of two states of one unit the higher one stays. */
      standing: 'Int32',
      posted_at: 'Int64',
      sku: 'Text',
      order_id: 'Text',
      /** A line of the profit and loss, or `balance` for what only moves money. */
      line: 'Text',
      /** The source's own name for it. */
      code: 'Text',
      /** Credits are positive, debits negative. */
      amount: 'Amount',
      /** Tax beside the amount, on sales and refunds. */
      tax: 'Amount',
      /** Units sold on rows of `sales`, units returned on rows of `refunds`. */
      quantity: 'Int64',
      /** AFN where the marketplace shipped it, MFN where the seller did, "" where it is not told. */
      fulfillment: 'Text',
      currency: 'Text',
    },
  },
  {
    name: 'finance_claim',
    replacement: 'byUnit',
    key: ['unit', 'beaten'],
    day: null,
    columns: {
      unit: 'Text',
      /** The source whose rows give way to those of `source` between the two instants, both inclusive. */
      beaten: 'Text',
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
      /** By which document it is told: rows, planning, restock, unsuppressed. They tell different figures of a SKU. */
      report: 'Text',
      asin: 'Text',
      title: 'Text',
      storage_type: 'Text',
      available: 'Int64',
      reserved: 'Int64',
      inbound: 'Int64',
      unfulfillable: 'Int64',
      fc_transfer: 'Int64',
      awd_onhand: 'Int64',
      awd_inbound: 'Int64',
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
    replacement: 'byDay',
    key: ['day', 'currency'],
    day: 'day',
    /** Units of the currency that one euro buys. */
    columns: { day: 'Date', currency: 'Text', per_euro: 'Float64' },
  },
];

/** The schema version of facts and rollups. It rises with every change of a released schema. */
export const schemaVersion = 1;

const profitAmounts = Object.fromEntries(
  profitColumns.map((column) => [column, 'Amount' as const]),
);

/** A rollup: rows computed from facts, day by day, in the same step that changes the facts. */
export type Rollup = {
  readonly name: string;
  /** The `.sql` file of its body beside this file, and what fills its places; `NAME.sql` by default. */
  readonly body?: {
    readonly file: string;
    readonly places: Readonly<Record<string, string | readonly string[]>>;
  };
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly key: readonly string[];
  /** The tables that it is computed from. */
  readonly from: readonly string[];
  /** Amounts that have room where those of facts have, being sums of few: reading them is several times faster. */
  readonly compactAmounts?: readonly string[];
  /** Whose days it is kept by: `utc` as the order lines' own, `channel` by the days of the channel's timezone. */
  readonly days: 'utc' | 'channel';
  /**
   * Tables of things that its rows depend on: where a landing changes one of `columns` of such a row, the days are computed anew on which
   * `of`, a table that it is computed from, has rows with the same `by`; not those before the row's `since`, a date, where it has one.
   */
  readonly dependsOn?: readonly Dependency[];
};

/** A table of things that a rollup depends on. */
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

/** The rows of the days that a rollup is computed for. */
const onDays = 'day >= {first:Date} AND day <= {last:Date} AND matches(day, {days:Array(Date)})';

/** Every rollup, in the order of their making. */
export const rollups: readonly Rollup[] = [
  {
    name: 'order_slot',
    from: ['order_line'],
    days: 'utc',
    key: ['day', 'slot_at', 'currency'],
    columns: {
      day: 'Date',
      /** Start of the quarter of an hour, epoch seconds. */
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
      /** 1 from the day of the channel's first order line on: from there order lines tell the sales. */
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
      /** Rows of traffic and of advertising: 0 where the day is known by order lines alone. */
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
      /** Purchases x the price that they are valued at, own and of the market. */
      revenue: 'Amount',
      total_revenue: 'Amount',
    },
  },
  {
    name: 'profit_slot',
    body: {
      file: 'profit.sql',
      places: profitPlaces({
        grain: { day: 'day', slot_at: 'floor_multiple(posted_at, 900)' },
        date: 'day',
        events: onDays,
      }),
    },
    from: ['finance_event'],
    days: 'utc',
    dependsOn: costs,
    key: ['day', 'slot_at', 'currency'],
    columns: {
      day: 'Date',
      /** Start of the quarter of an hour, epoch seconds. */
      slot_at: 'Int64',
      currency: 'Text',
      ...profitAmounts,
    },
  },
  {
    name: 'profit_product_day',
    body: {
      file: 'profit.sql',
      places: profitPlaces({
        grain: { day: 'day', sku: 'sku' },
        date: 'day',
        events: `${onDays} AND sku <> ''`,
      }),
    },
    // By these all products of a channel are sorted; a financial event is at most 10,000,000,000.
    compactAmounts: ['sales', 'sales_tax', 'advertising'],
    from: ['finance_event'],
    days: 'utc',
    dependsOn: costs,
    key: ['day', 'sku', 'currency'],
    columns: { day: 'Date', sku: 'Text', currency: 'Text', ...profitAmounts },
  },
];

/** The tables that any rollup is computed from. */
export const rollupSources: readonly string[] = [
  ...new Set(rollups.flatMap((rollup) => rollup.from)),
];

/** Whatever any rollup watches. */
export const dependencies: readonly Dependency[] = [
  ...new Set(rollups.flatMap((rollup) => rollup.dependsOn ?? [])),
];

/** Every table that a question may read. */
export const factTables: readonly (Pick<FactTable, 'name' | 'columns' | 'key'> &
  Pick<Rollup, 'compactAmounts'>)[] = [...facts, ...rollups];

/** The table of facts of that name. */
export function factTable(name: string): FactTable {
  const table = facts.find((fact) => fact.name === name);
  if (!table) throw new Error(`There is no table of facts named ${name}`);
  return table;
}
