/**
 * Takes the tax that no document states out of orders and financial events, by the rates of their
 * channel. The prices with tax remain unchanged, so other rates can be applied later. The facts
 * themselves contain the result: questions and rollups know no rates.
 */

import { type Channel, pricesIncludeTax } from '../../access/channels.ts';
import { findOne } from '../../access/records.ts';
import { localDay } from '../../calendar/period.ts';
import type { Amendment } from '../../engine/amendment.ts';
import { bodyFile, question, questionFile } from '../../engine/question.ts';
import type { Registry } from '../../engine/registry.ts';
import type { Row, Warehouse } from '../../engine/warehouse.ts';
import { anyOf, conditionsOf, type RateCondition, type TaxRate, type Within } from './rates.ts';
import { unstatedTaxOf } from './unstated.ts';

/** Applying rates takes as long as the import that it follows. */
const limits = { deadlineMilliseconds: 600_000 };

/** A table with prices that may hold an unstated tax. */
type Priced = {
  readonly table: 'order_line' | 'finance_event';
  readonly instant: string;
  readonly price: string;
  readonly tax: string;
  /** The condition of rows whose tax no document states. */
  readonly isUnstated: string;
  readonly isWithin: Within;
};

const between =
  (instant: string): Within =>
  (from, until) =>
    `(${from === undefined ? 'TRUE' : `${instant} >= ${from}`}
      AND ${until === undefined ? 'TRUE' : `${instant} < ${until}`})`;

const orderLines: Priced = {
  table: 'order_line',
  instant: 'purchased_at',
  price: 'item_price',
  tax: 'item_tax',
  isUnstated: `(tax_basis = 'unstated' AND status <> 'Canceled' AND item_price <> amount(0))`,
  isWithin: between('purchased_at'),
};

const code = 'lower(code)';
const file = (name: string) => bodyFile(import.meta.url, name);
const [purchasesFile, firstSalesFile] = [file('purchases.sql'), file('firstSales.sql')];
/** The orders that were purchased within a range of instants, or at any time. */
const purchases = (within = 'TRUE') => question('purchases', purchasesFile, { within }).sql;
/** The orders whose first sale was posted within a range of instants, or at any time. */
const firstSales = (within = 'TRUE') => question('firstSales', firstSalesFile, { within }).sql;
const taxedOrders = questionFile(import.meta.url, 'taxedOrders.sql').sql;

const events: Priced = {
  table: 'finance_event',
  instant: 'posted_at',
  price: 'amount',
  tax: 'tax',
  // Principal, shipping, gift wrap, their promotions and refunds, of orders without a row of tax.
  isUnstated: `(order_id <> '' AND source <> 'rows' AND amount <> amount(0)
    AND (line IN ('sales', 'refunds')
      OR (line = 'promotions' AND NOT contains(${code}, 'fee') AND NOT contains(${code}, 'points'))
      OR (line = 'otherIncome' AND (contains(${code}, 'shipping')
        OR contains(${code}, 'postage') OR contains(${code}, 'gift'))))
    AND order_id NOT IN (${taxedOrders}))`,
  // The date of purchase, if the order is known; else the date of its first sale, so that a refund
  // is taxed like the sale; else the posting date.
  isWithin: (from, until) =>
    from === undefined && until === undefined
      ? 'TRUE'
      : `(order_id IN (${purchases(between('purchased_at')(from, until))})
          OR (order_id NOT IN (${purchases()})
            AND (order_id IN (${firstSales(between('min(posted_at)')(from, until))})
              OR (order_id NOT IN (${firstSales()}) AND ${between('posted_at')(from, until)}))))`,
};

/** The rates of a channel. */
export function readTaxRates(
  { records }: Pick<Registry, 'records'>,
  channelNumber: number,
): Promise<readonly TaxRate[]> {
  return records
    .selectFrom('taxRate')
    .select(['sku', 'effectiveFrom', 'rate'])
    .where('channelNumber', '=', channelNumber)
    .orderBy('sku')
    .orderBy('effectiveFrom')
    .execute();
}

/**
 * Applies the rates of a channel to its facts, or to the changes of a document, and notes the dates
 * on which facts still include a tax that no document states. The caller holds the channel's lock.
 */
export async function settleTaxes(
  { registry, warehouse }: { readonly registry: Registry; readonly warehouse: Warehouse },
  channelNumber: number,
  afterImport?: { readonly tables: readonly string[] },
): Promise<void> {
  const isChanged = ({ table }: Priced) => afterImport?.tables.includes(table) ?? true;
  if (![orderLines, events].some(isChanged)) return;
  const channel = await findOne(registry.records, 'channel', { channelNumber });
  if (channel === undefined || channel.kind === 'vendor') return;
  const includes = pricesIncludeTax(channel);
  const rates = includes ? await readTaxRates(registry, channelNumber) : [];
  // The purchase dates also decide the rates of events.
  const changed = isChanged(orderLines) && rates.length > 0 ? [orderLines, events] : [];
  const priced = [...new Set([...changed, ...[orderLines, events].filter(isChanged)])];
  if (afterImport && !includes) return;
  const { timezone } = channel;
  if (!afterImport || rates.length > 0) {
    const amendments = priced.map((one) => amendmentOf(one, rates, timezone));
    await warehouse.amend({ importId: 0, channel: channelNumber }, amendments, timezone);
  }
  const found: Record<string, unknown> = { ...unstatedTaxOf(channel) };
  for (const one of priced)
    found[one.table] = includes ? await unstatedDays(warehouse, channel, one, rates) : undefined;
  const hasAny = Object.values(found).some((days) => days !== undefined);
  await registry.records
    .updateTable('channel')
    .set({ unstatedTax: hasAny ? JSON.stringify(found) : null })
    .where('channelNumber', '=', channelNumber)
    .execute();
}

function amendmentOf(priced: Priced, rates: readonly TaxRate[], timezone: string): Amendment {
  const { table, price, tax, isUnstated, isWithin } = priced;
  const conditions = conditionsOf(rates, timezone, isWithin);
  const whole = `(${price} + ${tax})`;
  const net = netOf(whole, isUnstated, conditions);
  // Both columns change together: rows of documents have either no tax beside their price or, in
  // orders, a basis of their own.
  const mayChange =
    table === 'order_line'
      ? `tax_basis = 'unstated'`
      : `source <> 'rows' AND ${price} <> amount(0) AND (${tax} <> amount(0) OR ${isUnstated})`;
  return {
    table,
    parameters: anyOf(conditions).parameters,
    changed: `(${mayChange} AND ${price} <> ${net})`,
    set: { [price]: net, [tax]: `(${whole} - ${net})` },
  };
}

function netOf(whole: string, isUnstated: string, conditions: readonly RateCondition[]): string {
  if (conditions.length === 0) return whole;
  const cases = conditions.map(
    ({ sql, rate }) => `WHEN ${sql} THEN without_tax(${whole}, ${rate})`,
  );
  return `(CASE WHEN NOT ${isUnstated} THEN ${whole} ${cases.join(' ')} ELSE ${whole} END)`;
}

/** The first and last date with prices whose tax neither a document nor a rate states. */
async function unstatedDays(
  warehouse: Warehouse,
  { channelNumber, timezone }: Channel,
  { table, instant, isUnstated, isWithin }: Priced,
  rates: readonly TaxRate[],
): Promise<readonly [first: number, last: number] | undefined> {
  const rated = anyOf(conditionsOf(rates, timezone, isWithin));
  const body = questionFile<Row>(import.meta.url, 'unstatedDays.sql', {
    table,
    instant,
    isUnstated,
    isRated: rated.sql,
  });
  const parameters = { ...rated.parameters, channel: channelNumber };
  const [row] = await warehouse.ask(body, parameters, limits);
  if (row === undefined) return undefined;
  const dayOf = (at: unknown) => localDay(timezone, at as number);
  return [dayOf(row.first_at), dayOf(row.last_at)];
}
