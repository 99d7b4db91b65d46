/** The facts of which the sales of products are made: those of both windows in the same columns. */

import type { Channel } from '../../access/channels.ts';
import { bodyFile, type Places } from '../../engine/question.ts';

/** Sellers and vendors have different facts. */
export type Kind = Channel['kind'];
type FactColumn =
  | ('sku' | 'product' | 'found_product' | 'day' | 'currency' | 'sold_at' | 'lists_row')
  | ('total_sales' | 'units_sold' | 'ad_spend' | 'ad_sales');

/** The columns of a fact, in the order in which they are united. */
function factOf(given: Partial<Record<FactColumn, string>>): string[] {
  const fact: Record<FactColumn, string> = {
    sku: 'sku',
    product: "CASE WHEN sku = '' THEN product_id ELSE '' END",
    found_product: 'product_id',
    day: 'day',
    currency: 'currency',
    sold_at: '0',
    // Facts before the windows do not make a row by themselves.
    lists_row: '1',
    total_sales: 'amount(0)',
    units_sold: '0',
    ad_spend: 'amount(0)',
    ad_sales: 'amount(0)',
    ...given,
  };
  return Object.entries(fact).map(([name, sql]) => (sql === name ? name : `${sql} AS ${name}`));
}

const startOfDate = "(date_diff('day', {epoch:Date}, day) * 86400)";
const soldOn = (condition: string) => `CASE WHEN ${condition} THEN ${startOfDate} ELSE 0 END`;
const ofAsin = { sku: "''", product: 'asin', found_product: 'asin' };

const ordered = {
  day: 'local_day(purchased_at, {starts:Array(Int64)}, {offsets:Array(Int64)})',
  sold_at: 'purchased_at',
};
const reported = { sold_at: soldOn('units <> 0 OR revenue <> amount(0)') };
const reportedOfVendor = {
  ...ofAsin,
  sold_at: soldOn('ordered_units <> 0 OR ordered_revenue <> amount(0)'),
};
const earlier = { lists_row: '0', found_product: "''" };
const advertised = { ad_spend: 'cost', ad_sales: 'sales' };
const known = {
  product: "''",
  found_product: "''",
  day: '{first:Date}',
  currency: '{currency:String}',
};

/** The facts of a window, and those that only say when a product was last sold. */
export const factPlaces: Readonly<Record<Kind, Places>> = {
  seller: {
    ordered: factOf({
      ...ordered,
      total_sales: 'item_price + CASE WHEN {withTax:Int32} = 1 THEN item_tax ELSE amount(0) END',
      units_sold: 'quantity',
    }),
    reported: factOf({ ...reported, total_sales: 'revenue', units_sold: 'units' }),
    advertised: factOf(advertised),
    known: factOf(known),
    earlierOrdered: factOf({ ...ordered, ...earlier }),
    earlierReported: factOf({ ...reported, ...earlier }),
  },
  vendor: {
    reported: factOf({
      ...reportedOfVendor,
      total_sales: 'ordered_revenue',
      units_sold: 'ordered_units',
    }),
    advertised: factOf({ ...advertised, sku: "''", product: 'product_id' }),
    known: factOf(known),
    earlierReported: factOf({ ...reportedOfVendor, ...earlier }),
  },
};

const file = (name: string) => bodyFile(import.meta.url, name);
/** The parts of which the bodies are made. */
export const parts = {
  seller: {
    sold: file('orderFacts.sql'),
    reported: file('reportedFacts.sql'),
    earlier: file('earlierOrders.sql'),
  },
  vendor: { sold: file('vendorFacts.sql'), earlier: file('earlierVendorSales.sql') },
  advertised: file('advertisingFacts.sql'),
  known: file('knownProducts.sql'),
  stock: file('stock.sql'),
};

/** Facts, one after another. */
export const united = (facts: readonly string[]) => facts.join('\nUNION ALL\n');
/** The facts of the windows, and whether those of dates before the first order line are needed. */
export function windowFacts(kind: Kind, isBeforeOrders = true): readonly string[] {
  const { sold, reported } = { reported: undefined, ...parts[kind] };
  return [sold, ...(isBeforeOrders && reported ? [reported] : []), parts.advertised];
}
