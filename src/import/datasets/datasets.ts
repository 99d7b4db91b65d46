/**
 * The datasets that an operator may import: their fields once, for checking rows, for staging them and for the documentation.
 * In NDJSON a row is an object with exactly these names, in CSV the header row holds them.
 */
import { factTable } from '../../../schema/warehouse/tables.ts';
import { isoDate } from '../../calendar/period.ts';
import { type FinanceLine, type FlatDatasetName, financeLines } from '../../contract/importable.ts';
import {
  amount,
  amountOrNone,
  type ColumnValue,
  count,
  currency,
  date,
  dayOfDate,
  entityId,
  type FieldType,
  factor,
  flag,
  instant,
  month,
  oneOf,
  optionalDate,
  percentage,
  text,
  type Value,
} from '../cells/fields.ts';

/** A field of a dataset. */
export type Field = {
  readonly type: FieldType;
  readonly required?: true;
  /** True where the value is personal: it is kept out of every reason and log. */
  readonly personal?: true;
  /** What it means and in which unit, for the documentation. */
  readonly about: string;
};

/** The values of a row, by field name. */
export type Cells = Readonly<Record<string, Value>>;

/** What staging needs to know besides the row. */
export type Circumstances = {
  /** The channel's currency, which a row without one has. */
  readonly currency: string;
  /** The keyed hash that stands for a buyer. */
  readonly hashCustomer: (email: string) => string;
  /** Seals a text for keeping. */
  readonly seal: (text: string) => string;
  /** When the import is read, epoch seconds. */
  readonly now: number;
};

/** Where rows of a dataset go. */
export type Destination = {
  readonly table: string;
  /** The value of each column of the table, in order. */
  readonly columns: readonly ((cells: Cells, circumstances: Circumstances) => ColumnValue)[];
};

/** A dataset of flat rows. */
export type Dataset = {
  readonly name: string;
  readonly about: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** True where rows are of a channel; exchange rates are nobody's. */
  readonly ofChannel: boolean;
  readonly destinations: readonly Destination[];
  /** Which of the destinations a row goes to. */
  readonly destinationOf: (cells: Cells) => number;
  /** The day that the row belongs to, as a day number; undefined in datasets of things rather than events. */
  readonly dayOf: ((cells: Cells) => number) | undefined;
  /** The whole row's rule, beyond its fields. */
  readonly check?: (cells: Cells) => string | undefined;
};

const secondsPerDay = 86_400;
const id = text(200, 1);
const optionalId = text(200);
/** Marketplaces correct advertising figures after the fact, so that a day's figure may be negative. */
const correctable = count(-1e12);

/** The statuses that an order may have. */
export const orderStatuses = [
  'Pending',
  'PendingAvailability',
  'Unshipped',
  'PartiallyShipped',
  'Shipped',
  'InvoiceUnconfirmed',
  'Canceled',
  'Unfulfillable',
] as const;

/** An order's status; sources spell two of them in other ways. */
export const orderStatus = oneOf(orderStatuses, 'Shipped', {
  Cancelled: 'Canceled',
  PENDING_AVAILABILITY: 'PendingAvailability',
  PARTIALLY_SHIPPED: 'PartiallyShipped',
});

const adFields: Record<string, Field> = {
  impressions: { type: correctable, about: 'Times the ads were shown.' },
  clicks: { type: correctable, about: 'Clicks on the ads.' },
  cost: { type: amount, about: 'Spend, in `currency`.' },
  sales: { type: amount, about: 'Attributed sales, in `currency`.' },
  salesSameSku: {
    type: amount,
    about: 'Attributed sales of the advertised product itself, in `currency`.',
  },
  conversions: { type: correctable, about: 'Attributed orders.' },
  conversionsSameSku: {
    type: correctable,
    about: 'Attributed orders of the advertised product itself.',
  },
  units: { type: correctable, about: 'Attributed units.' },
  unitsSameSku: { type: correctable, about: 'Attributed units of the advertised product itself.' },
  ordersNtb: { type: correctable, about: 'Attributed orders of customers new to the brand.' },
  unitsNtb: { type: correctable, about: 'Attributed units of customers new to the brand.' },
  salesNtb: {
    type: amount,
    about: 'Attributed sales to customers new to the brand, in `currency`.',
  },
  detailPageViews: { type: correctable, about: 'Views of the product page after a click.' },
  currency: { type: currency, about: "ISO 4217; the channel's own when missing." },
};

const withCurrency = (cells: Cells, { currency: own }: Circumstances) => cells.currency || own;

/** The columns of a table: each from the field of its name in camel case, unless `special` says otherwise. */
function destination(
  table: string,
  special: Record<string, Destination['columns'][number]> = {},
): Destination {
  const columns = Object.keys(factTable(table).columns).map((column) => {
    const field = column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return (
      special[column] ?? (column === 'currency' ? withCurrency : (cells: Cells) => cells[field]!)
    );
  });
  return { table, columns };
}

const utcDay = (cells: Cells) => Math.floor((cells.purchasedAt as number) / secondsPerDay);

/** Where order lines go, whichever dataset or document they come in. */
export const orderLineDestination = destination('order_line', {
  day: (cells) => isoDate(utcDay(cells)),
  customer: ({ buyerEmail }, { hashCustomer }) => hashCustomer(buyerEmail as string),
});

const trafficSpecial: Record<string, Destination['columns'][number]> = {
  day: (cells) => cells.date!,
  revenue: (cells) => cells.orderedRevenue!,
  units: (cells) => cells.orderedUnits!,
  buy_box_weighted: ({ buyBoxPercentage, pageViews }) =>
    buyBoxPercentage === null ? 0 : (Number(buyBoxPercentage) * Number(pageViews)).toFixed(6),
  buy_box_views: (cells) => (cells.buyBoxPercentage === null ? 0 : cells.pageViews!),
};

const ofDate = (cells: Cells) => dayOfDate(cells.date as string);

const orderLines: Dataset = {
  name: 'orderLines',
  about:
    'The lines of orders, one row each: the flat alternative to `orders`. Kept by order and line; a later version replaces an earlier one.',
  ofChannel: true,
  fields: {
    orderId: { type: id, required: true, about: "The marketplace's order number." },
    lineId: { type: id, required: true, about: 'Tells the line from others of its order.' },
    purchasedAt: { type: instant, required: true, about: 'When the order was placed.' },
    updatedAt: {
      type: instant,
      about:
        'When the order last changed. A row that was updated earlier than the held one does not replace it.',
    },
    status: {
      type: orderStatus,
      about: 'Every status but Canceled counts as a sale. Shipped when missing.',
    },
    sku: { type: optionalId, about: "The seller's SKU." },
    productId: { type: optionalId, about: "The platform's product id (ASIN)." },
    quantity: { type: count(), about: 'Units ordered.' },
    itemPrice: {
      type: amount,
      about: 'Price x quantity before promotions, without tax, in `currency`.',
    },
    itemTax: { type: amount, about: 'Tax on the item price.' },
    promotionDiscount: { type: amount, about: 'Promotion discount of the line, positive.' },
    shippingPrice: { type: amount, about: 'Shipping that the buyer paid.' },
    currency: { type: currency, about: "ISO 4217; the channel's own when missing." },
    buyerEmail: {
      type: text(320),
      personal: true,
      about: 'Only a keyed hash of it is kept, to tell customers apart.',
    },
  },
  destinations: [orderLineDestination],
  destinationOf: () => 0,
  dayOf: utcDay,
};

const traffic: Dataset = {
  name: 'traffic',
  about:
    'Views, sessions and sales of a date as the marketplace counts them. A row with a SKU or product id speaks of that product, one with neither of the whole store; where the whole store is told, products are not added up to it.',
  ofChannel: true,
  fields: {
    date: { type: date, required: true, about: "The marketplace's calendar date." },
    sku: { type: optionalId, about: "The seller's SKU." },
    productId: { type: optionalId, about: "The platform's product id (child ASIN)." },
    parentProductId: { type: optionalId, about: 'The parent of its variation family.' },
    pageViews: { type: count(), about: 'Page views.' },
    sessions: { type: count(), about: 'Sessions.' },
    mobileSessions: { type: count(), about: 'Sessions in the mobile app.' },
    buyBoxPercentage: {
      type: percentage,
      about: 'Percent of page views with the featured offer, 0 to 100. Not known when missing.',
    },
    orderedRevenue: { type: amount, about: 'Ordered product sales, in `currency`.' },
    orderedUnits: { type: count(), about: 'Units ordered.' },
    orderItems: { type: count(), about: 'Order items.' },
    currency: { type: currency, about: "ISO 4217; the channel's own when missing." },
  },
  destinations: [
    destination('traffic', trafficSpecial),
    destination('traffic_total', trafficSpecial),
  ],
  destinationOf: (cells) => (cells.sku === '' && cells.productId === '' ? 1 : 0),
  dayOf: ofDate,
  // Percentage x page views is kept as an amount.
  check: (cells) =>
    Number(cells.buyBoxPercentage) * Number(cells.pageViews) < 1e12
      ? undefined
      : 'pageViews are too many',
};

const adTypeSpellings = {
  SPONSORED_PRODUCTS: 'SP',
  SPONSORED_BRANDS: 'SB',
  SPONSORED_DISPLAY: 'SD',
  sponsoredProducts: 'SP',
  sponsoredBrands: 'SB',
  sponsoredDisplay: 'SD',
};
const adType: Field = {
  type: oneOf(['SP', 'SB', 'SD'], 'SP', adTypeSpellings),
  about: 'SP, SB or SD; SP when missing.',
};
/** Of figures whose type is not told, those of customers new to the brand count as they are. */
const figuresAdType: Field = {
  type: oneOf(['SP', 'SB', 'SD'], '', adTypeSpellings),
  about: 'SP, SB or SD. Figures of SP count nothing for customers new to the brand.',
};
/** What the state of a campaign or an ad group comes to, in the words of the status filter. */
const adStatus: Field = {
  type: oneOf(['active', 'paused', 'archived'], 'active', {
    enabled: 'active',
    ended: 'archived',
    user_deleted: 'archived',
  }),
  about: 'active, paused or archived; active when missing.',
};
const costType: Field = {
  type: oneOf(['cpc', 'vcpm'], 'cpc'),
  about: 'cpc or vcpm; cpc when missing.',
};

const campaigns: Dataset = {
  name: 'campaigns',
  about:
    'The campaigns of the channel, kept by their number: a row replaces the held row of its campaign.',
  ofChannel: true,
  fields: {
    campaignId: { type: entityId, required: true, about: 'The campaign.' },
    name: { type: text(500), about: 'Its name.' },
    adType,
    status: adStatus,
    budgetType: {
      type: oneOf(['daily', 'lifetime'], 'daily', {
        DAILY_BUDGET: 'daily',
        LIFETIME_BUDGET: 'lifetime',
      }),
      about: 'daily or lifetime; daily when missing.',
    },
    budget: { type: amount, about: "The budget, in the channel's currency." },
    startDate: { type: optionalDate, about: 'First date of the campaign.' },
    endDate: { type: optionalDate, about: 'Last date of the campaign; open-ended when missing.' },
    targetingType: { type: oneOf(['auto', 'manual'], ''), about: 'auto or manual.' },
    biddingStrategy: {
      type: oneOf(['legacyForSales', 'autoForSales', 'manual', 'ruleBased'], '', {
        LEGACY_FOR_SALES: 'legacyForSales',
        legacy: 'legacyForSales',
        AUTO_FOR_SALES: 'autoForSales',
        optimizeForSales: 'autoForSales',
        RULE_BASED: 'ruleBased',
      }),
      about: 'legacyForSales, autoForSales, manual or ruleBased.',
    },
    costType,
  },
  destinations: [destination('campaign', { updated_at: (_, { now }) => now })],
  destinationOf: () => 0,
  dayOf: undefined,
  check: (cells) =>
    cells.startDate! > cells.endDate! && cells.endDate !== ''
      ? 'endDate must not be before startDate'
      : undefined,
};

const adGroups: Dataset = {
  name: 'adGroups',
  about:
    'The ad groups of the channel, kept by their number: a row replaces the held row of its ad group.',
  ofChannel: true,
  fields: {
    adGroupId: { type: entityId, required: true, about: 'The ad group.' },
    campaignId: { type: entityId, required: true, about: 'Its campaign.' },
    name: { type: text(500), about: 'Its name.' },
    adType,
    status: adStatus,
    costType,
    defaultBid: { type: amount, about: "The bid where none is set, in the channel's currency." },
  },
  destinations: [destination('ad_group', { updated_at: (_, { now }) => now })],
  destinationOf: () => 0,
  dayOf: undefined,
};

const unlessSponsoredProducts = (field: string) => (cells: Cells) =>
  cells.adType === 'SP' ? 0 : cells[field]!;
/** Sponsored Products are not told by whether the customer was new to the brand: what a source says of them is no such figure. */
const adSpecial: Record<string, Destination['columns'][number]> = {
  day: (cells) => cells.date!,
  orders_ntb: unlessSponsoredProducts('ordersNtb'),
  units_ntb: unlessSponsoredProducts('unitsNtb'),
  sales_ntb: unlessSponsoredProducts('salesNtb'),
};

const campaignDays: Dataset = {
  name: 'campaignDays',
  about: 'Advertising figures per campaign and date.',
  ofChannel: true,
  fields: {
    date: { type: date, required: true, about: "The marketplace's calendar date." },
    campaignId: { type: entityId, required: true, about: 'The campaign.' },
    adType: figuresAdType,
    ...adFields,
  },
  destinations: [destination('campaign_day', adSpecial)],
  destinationOf: () => 0,
  dayOf: ofDate,
};

const adGroupDays: Dataset = {
  name: 'adGroupDays',
  about: 'Advertising figures per ad group and date.',
  ofChannel: true,
  fields: {
    date: { type: date, required: true, about: "The marketplace's calendar date." },
    adGroupId: { type: entityId, required: true, about: 'The ad group.' },
    campaignId: {
      type: entityId,
      about: 'Its campaign, for ad groups that are not told of themselves.',
    },
    adType: figuresAdType,
    ...adFields,
  },
  destinations: [destination('ad_group_day', adSpecial)],
  destinationOf: () => 0,
  dayOf: ofDate,
};

const adProductDays: Dataset = {
  name: 'adProductDays',
  about: 'Advertising figures per advertised product and date.',
  ofChannel: true,
  fields: {
    date: { type: date, required: true, about: "The marketplace's calendar date." },
    productId: { type: optionalId, about: "The platform's product id (ASIN)." },
    sku: { type: optionalId, about: "The seller's SKU." },
    adType,
    ...adFields,
  },
  destinations: [destination('ad_product_day', adSpecial)],
  destinationOf: () => 0,
  dayOf: ofDate,
  check: (cells) =>
    cells.sku === '' && cells.productId === '' ? 'productId or sku is required' : undefined,
};

/** The programmes in which the marketplace sells what a vendor supplies. */
export const sellingPrograms = ['RETAIL', 'BUSINESS', 'FRESH'] as const;

const vendorSpecial: Record<string, Destination['columns'][number]> = {
  day: (cells) => cells.date!,
  report: (cells) => `${cells.sellingProgram}/${cells.view}`,
};

const vendorSales: Dataset = {
  name: 'vendorSales',
  about:
    'What a vendor supplied and the marketplace sold, per product, date, view and selling programme.',
  ofChannel: true,
  fields: {
    date: { type: date, required: true, about: "The marketplace's calendar date." },
    asin: {
      type: optionalId,
      about: "The platform's product id; the row speaks of the whole vendor when missing.",
    },
    view: {
      type: oneOf(['MANUFACTURING', 'SOURCING', 'TRAFFIC'], ''),
      required: true,
      about:
        "MANUFACTURING: all units of the vendor's products; SOURCING: the units that the vendor itself supplied; TRAFFIC: views of product pages alone.",
    },
    sellingProgram: {
      type: oneOf(sellingPrograms, ''),
      about:
        'RETAIL, BUSINESS or FRESH; rows of several programmes of a date and view are added up. None when missing.',
    },
    glanceViews: { type: count(), about: 'Views of the product page.' },
    orderedRevenue: { type: amount, about: 'Ordered revenue, in `currency`.' },
    orderedUnits: { type: correctable, about: 'Units ordered.' },
    shippedRevenue: { type: amount, about: 'Shipped revenue, in `currency`.' },
    shippedUnits: { type: correctable, about: 'Units shipped.' },
    shippedCogs: {
      type: amount,
      about: 'What the marketplace paid the vendor for the shipped units, in `currency`.',
    },
    currency: { type: currency, about: "ISO 4217; the channel's own when missing." },
  },
  destinations: [
    destination('vendor_sale', vendorSpecial),
    destination('vendor_total', vendorSpecial),
  ],
  destinationOf: (cells) => (cells.asin === '' ? 1 : 0),
  dayOf: ofDate,
};

const target = (about: string): Field => ({
  type: amountOrNone,
  about: `${about}, in the channel's currency. Not set when missing.`,
});
const monthOrDate = (cells: Cells) => (cells.date ?? cells.month) as string;
const targetSpecial: Record<string, Destination['columns'][number]> = {
  day: monthOrDate,
  sales_budget: (cells) => cells.salesBudget ?? 0,
  sales_budget_set: (cells) => (cells.salesBudget === null ? 0 : 1),
  sales_forecast: (cells) => cells.salesForecast ?? 0,
  sales_forecast_set: (cells) => (cells.salesForecast === null ? 0 : 1),
  ad_spend_budget: (cells) => cells.adSpendBudget ?? 0,
  ad_spend_budget_set: (cells) => (cells.adSpendBudget === null ? 0 : 1),
};

const targets: Dataset = {
  name: 'targets',
  about:
    'Budgets and forecasts of the channel, of a month or of a date. A month is spread evenly over its days; a date takes the place of its share. Rows of months leave those of dates alone.',
  ofChannel: true,
  fields: {
    month: { type: month, about: 'The month (YYYY-MM). Either it or the date must be given.' },
    date: { type: date, about: 'The date.' },
    salesBudget: target('Budget of sales'),
    salesForecast: target('Forecast of sales'),
    adSpendBudget: target('Budget of advertising spend'),
  },
  destinations: [
    destination('target_month', targetSpecial),
    destination('target_day', targetSpecial),
  ],
  destinationOf: (cells) => (cells.date === null ? 0 : 1),
  dayOf: (cells) => dayOfDate(monthOrDate(cells)),
  check: (cells) =>
    (cells.month === null) === (cells.date === null)
      ? 'either month or date is required'
      : undefined,
};

const searchQueries: Dataset = {
  name: 'searchQueries',
  about:
    'Search Query Performance: what a search led to in a month, in the market and for a product.',
  ofChannel: true,
  fields: {
    month: { type: month, required: true, about: 'The month (YYYY-MM).' },
    asin: { type: id, required: true, about: "The platform's product id." },
    searchQuery: { type: text(1000, 1), required: true, about: 'What was searched for.' },
    searchQueryVolume: { type: count(), about: 'How often it was searched for.' },
    totalImpressions: { type: count(), about: 'Products shown.' },
    impressions: { type: count(), about: 'Times this product was shown.' },
    totalClicks: { type: count(), about: 'Clicks on any product.' },
    clicks: { type: count(), about: 'Clicks on this product.' },
    totalCartAdds: { type: count(), about: 'Products put into carts.' },
    cartAdds: { type: count(), about: 'Times this product was put into a cart.' },
    totalPurchases: { type: count(), about: 'Products bought.' },
    purchases: { type: count(), about: 'Times this product was bought.' },
    totalMedianPurchasePrice: {
      type: amount,
      about: 'Median price of the products bought, in `currency`. Not known when missing.',
    },
    medianPurchasePrice: { type: amount, about: 'Median price at which this product was bought.' },
    medianClickPrice: { type: amount, about: 'Median price of this product when it was clicked.' },
    currency: { type: currency, about: "ISO 4217; the channel's own when missing." },
  },
  destinations: [destination('search_query', { day: (cells) => cells.month! })],
  destinationOf: () => 0,
  dayOf: (cells) => dayOfDate(cells.month as string),
  check: (cells) => {
    const prices = ['totalMedianPurchasePrice', 'medianPurchasePrice', 'medianClickPrice'].map(
      (price) => Number(cells[price]),
    );
    if (Math.min(...prices) < 0) return 'median prices must not be negative';
    // Purchases x a price are kept as an amount.
    const purchases = Math.max(Number(cells.purchases), Number(cells.totalPurchases));
    return purchases * Math.max(...prices) < 1e12
      ? undefined
      : 'purchases are too many for their prices';
  },
};

const products: Dataset = {
  name: 'products',
  about: "The channel's products, kept by SKU: a row replaces the held row of its SKU.",
  ofChannel: true,
  fields: {
    sku: { type: id, required: true, about: "The seller's SKU." },
    productId: { type: optionalId, about: "The platform's product id (ASIN)." },
    parentProductId: { type: optionalId, about: 'The parent of its variation family.' },
    title: { type: text(2000), about: 'The title shown to buyers.' },
    brand: { type: text(500), about: 'The brand.' },
    imageUrl: { type: text(2000), about: 'Address of a picture.' },
    linkUrl: { type: text(2000), about: 'Address of the product page.' },
    price: { type: amount, about: "The offer's price, in the channel's currency." },
    unitsPerCase: { type: count(), about: 'Units in a case of the supplier.' },
    fulfilledByMarketplace: { type: flag, about: 'Whether the marketplace stores and ships it.' },
  },
  destinations: [destination('product')],
  destinationOf: () => 0,
  dayOf: undefined,
};

/** Sums of events of one product and day have room where an amount has: an event is below this. */
export const financeAmountBelow = 10_000_000_000;

/** The line of an amount whose code is unknown: income if it is a credit, an expense if a debit. */
export function lineBySign(amount: string): FinanceLine {
  return amount.startsWith('-') ? 'otherExpenses' : 'otherIncome';
}

const financeEvents: Dataset = {
  name: 'financeEvents',
  about:
    'Financial events: sales, refunds, fees and whatever else the marketplace books. Kept by event: a row replaces the held row of its event.',
  ofChannel: true,
  fields: {
    eventId: { type: id, required: true, about: 'Tells the event from all others of the channel.' },
    postedAt: { type: instant, required: true, about: 'When it was booked.' },
    sku: {
      type: optionalId,
      about: "The seller's SKU. An event without one counts for the store alone.",
    },
    orderId: { type: optionalId, about: "The marketplace's order number." },
    line: {
      type: oneOf(financeLines, ''),
      about:
        'The line of the profit and loss; `balance` for what only moves money, such as a transfer. When missing, credits are otherIncome and debits otherExpenses.',
    },
    code: { type: text(200), about: "The source's own name for it." },
    amount: { type: amount, about: 'Credit positive, debit negative, in `currency`.' },
    tax: {
      type: amount,
      about:
        'On sales and refunds: tax beside the amount, signed as that is; counted with includeTax. Other lines hold theirs in the amount.',
    },
    quantity: {
      type: correctable,
      about:
        'On sales: units sold. On refunds: units returned. Told once per sale, not on each of its rows.',
    },
    fulfillment: {
      type: oneOf(['AFN', 'MFN'], ''),
      about: 'AFN where the marketplace shipped it, MFN where the seller did.',
    },
    currency: { type: currency, about: "ISO 4217; the channel's own when missing." },
  },
  destinations: [
    destination('finance_event', {
      day: (cells) => isoDate(Math.floor(Number(cells.postedAt) / secondsPerDay)),
      unit: (cells) => `rows:${cells.eventId}`,
      number: () => 1,
      source: () => 'rows',
      transaction_id: () => '',
      standing: () => 0,
      line: (cells) => cells.line || lineBySign(cells.amount as string),
    }),
  ],
  destinationOf: () => 0,
  dayOf: (cells) => Math.floor(Number(cells.postedAt) / secondsPerDay),
  check: (cells) =>
    [cells.amount, cells.tax].some((value) => Math.abs(Number(value)) >= financeAmountBelow)
      ? `amount and tax must be below ${financeAmountBelow.toLocaleString('en')}`
      : undefined,
};

const costCurrency =
  (field: string) =>
  (cells: Cells, { currency: own }: Circumstances) =>
    cells[field] || own;

const unitCosts: Dataset = {
  name: 'unitCosts',
  about:
    'What a unit costs the seller, from a date on. Kept by SKU and date; on a day the last row on or before it holds.',
  ofChannel: true,
  fields: {
    sku: { type: id, required: true, about: "The seller's SKU." },
    effectiveFrom: { type: date, required: true, about: 'The first date that it holds for.' },
    cogs: { type: amount, about: 'Cost of the goods of one unit, in `cogsCurrency`.' },
    cogsCurrency: { type: currency, about: "ISO 4217; the channel's own when missing." },
    shippingCost: {
      type: amount,
      about: 'Cost of shipping one unit that the seller ships, in `shippingCostCurrency`.',
    },
    shippingCostCurrency: { type: currency, about: "ISO 4217; the channel's own when missing." },
  },
  destinations: [
    destination('unit_cost', {
      cogs_currency: costCurrency('cogsCurrency'),
      shipping_cost_currency: costCurrency('shippingCostCurrency'),
    }),
  ],
  destinationOf: () => 0,
  dayOf: undefined,
  check: (cells) =>
    (cells.cogs as string).startsWith('-') || (cells.shippingCost as string).startsWith('-')
      ? 'cogs and shippingCost must not be negative'
      : undefined,
};

/** The documents that tell an inventory, and the operator's own rows. */
export const inventoryReports = ['rows', 'planning', 'restock', 'unsuppressed'] as const;

const inventory: Dataset = {
  name: 'inventory',
  about:
    'What of a SKU the marketplace holds, as a snapshot of a date. Documents that tell other figures of the same date stay beside it.',
  ofChannel: true,
  fields: {
    date: { type: date, required: true, about: 'The date of the snapshot.' },
    sku: { type: id, required: true, about: "The seller's SKU." },
    report: {
      type: oneOf(inventoryReports, 'rows'),
      about: 'Which document tells it: planning, restock or unsuppressed; rows when missing.',
    },
    asin: { type: optionalId, about: "The platform's product id." },
    title: { type: text(2000), about: 'The title of the product.' },
    storageType: { type: text(100), about: 'How it is stored, such as Standard-Size.' },
    available: { type: count(), about: 'Units that can be sold.' },
    reserved: { type: count(), about: 'Units reserved for orders, transfers or processing.' },
    inbound: { type: count(), about: 'Units on their way in.' },
    unfulfillable: { type: count(), about: 'Units that cannot be sold.' },
    fcTransfer: {
      type: count(),
      about: 'Units on their way between warehouses, part of the reserved ones.',
    },
    awdOnhand: { type: count(), about: 'Units in long-term storage.' },
    awdInbound: { type: count(), about: 'Units on their way to long-term storage.' },
    unitsShipped7: { type: count(), about: 'Units shipped in the last 7 days.' },
    unitsShipped30: { type: count(), about: 'Units shipped in the last 30 days.' },
    unitsShipped60: { type: count(), about: 'Units shipped in the last 60 days.' },
    unitsShipped90: { type: count(), about: 'Units shipped in the last 90 days.' },
    storageVolume: {
      type: amount,
      about: 'The volume that it takes, in the unit of the marketplace.',
    },
    estimatedStorageCostNextMonth: {
      type: amount,
      about: 'What storing it is going to cost next month, in `currency`.',
    },
    currency: { type: currency, about: "ISO 4217; the channel's own when missing." },
  },
  destinations: [
    destination('inventory', {
      day: (cells) => cells.date!,
      units_shipped_7: (cells) => cells.unitsShipped7!,
      units_shipped_30: (cells) => cells.unitsShipped30!,
      units_shipped_60: (cells) => cells.unitsShipped60!,
      units_shipped_90: (cells) => cells.unitsShipped90!,
      storage_cost_next_month: (cells) => cells.estimatedStorageCostNextMonth!,
    }),
  ],
  destinationOf: () => 0,
  dayOf: ofDate,
};

const exchangeRates: Dataset = {
  name: 'exchangeRates',
  about: 'Reference rates against the euro. They belong to no channel.',
  ofChannel: false,
  fields: {
    date: { type: date, required: true, about: 'The date the rate was published for.' },
    currency: { type: currency, required: true, about: 'ISO 4217.' },
    perEuro: { type: factor, required: true, about: 'Units of the currency that one euro buys.' },
  },
  destinations: [destination('exchange_rate', { day: (cells) => cells.date! })],
  destinationOf: () => 0,
  dayOf: ofDate,
};

/** Every dataset of flat rows, by name. `orders` has nested rows and a reader of its own. */
export const datasets: Readonly<Record<string, Dataset>> = {
  orderLines,
  traffic,
  campaigns,
  adGroups,
  campaignDays,
  adGroupDays,
  adProductDays,
  vendorSales,
  targets,
  searchQueries,
  products,
  financeEvents,
  unitCosts,
  inventory,
  exchangeRates,
} satisfies Readonly<Record<FlatDatasetName, Dataset>>;
