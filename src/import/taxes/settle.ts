/**
 * Takes the tax that no document states out of orders and financial events, by the rates of their
 * channel. The prices with tax remain unchanged, so other rates can be applied later. The facts
 * themselves contain the result: questions and rollups know no rates.
 */

import { type Channel, pricesIncludeTax } from '../../access/channels.ts';
import { findOne } from '../../access/records.ts';
import { localDay } from '../../calendar/period.ts';
import type { Amendment } from '../../engine/amendment.ts';
import { bodyFile, type Question, questionFile, replaceParameters } from '../../engine/question.ts';
import type { Registry } from '../../engine/registry.ts';
import type { Warehouse } from '../../engine/warehouse.ts';
import { conditionsOf, type RateCondition, ratesFrom, type TaxRate, type Within } from './rates.ts';
import { unstatedTaxOf } from './unstated.ts';

/** Applying rates takes as long as the import that it follows. */
const limits = { deadlineMilliseconds: 600_000 };

/** A table with prices that may hold an unstated tax. */
type Priced = {
  readonly table: 'order_line' | 'finance_event';
  readonly price: string;
  readonly tax: string;
  /** The condition of rows whose tax no document states. */
  readonly isUnstated: string;
  readonly isWithin: Within;
  /** The first and last instant of such rows: of all of them, and of those without a rate. */
  readonly unstated: Question<Instants>;
  readonly unrated: Question<Instants>;
};

type Instants = { readonly first_at: number; readonly last_at: number };

/** The condition of a file, about the instants of two parameters. */
const within =
  (file: string): Within =>
  (from, until) =>
    replaceParameters(bodyFile(import.meta.url, file), (name, type) => {
      const renamed = { from, until }[name] ?? name;
      return `{${renamed}:${type}}`;
    });
const instantsOf = (file: string) => questionFile<Instants>(import.meta.url, file);

const unratedLines = instantsOf('unratedLines.sql');
const orderLines: Priced = {
  table: 'order_line',
  price: 'item_price',
  tax: 'item_tax',
  isUnstated: bodyFile(import.meta.url, 'isUnstatedLine.sql'),
  isWithin: within('isLineWithin.sql'),
  unstated: unratedLines,
  unrated: unratedLines,
};

const events: Priced = {
  table: 'finance_event',
  price: 'amount',
  tax: 'tax',
  isUnstated: bodyFile(import.meta.url, 'isUnstatedEvent.sql'),
  isWithin: within('isEventWithin.sql'),
  unstated: instantsOf('unstatedEvents.sql'),
  unrated: instantsOf('unratedEvents.sql'),
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
    parameters: Object.assign({}, ...conditions.map(({ parameters }) => parameters)),
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
  { channelNumber: channel, timezone }: Channel,
  { unstated, unrated }: Priced,
  rates: readonly TaxRate[],
): Promise<readonly [first: number, last: number] | undefined> {
  const question = rates.length === 0 ? unstated : unrated;
  const [row] = await warehouse.ask(question, { channel, ...ratesFrom(rates, timezone) }, limits);
  return row && [localDay(timezone, row.first_at), localDay(timezone, row.last_at)];
}
