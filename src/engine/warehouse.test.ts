import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import {
  type ColumnType,
  facts,
  factTable,
  factTables,
  rollups,
} from '../../schema/warehouse/tables.ts';
import { testDepth } from '../../test/level.ts';
import { queryClickHouse, startClickHouse } from '../../test/servers/clickhouse.ts';
import { freshStores } from '../../test/servers/shared.ts';
import { dayNumber, isoDate, localDay } from '../calendar/period.ts';
import { calendarOffsets } from '../calendar/zone.ts';
import { openClickhouse } from './clickhouse/warehouse.ts';
import { openDuckdb } from './duckdb/warehouse.ts';
import { DeadlineExceeded, RequestAbandoned, StoreUnavailable } from './errors.ts';
import { question } from './question.ts';
import type {
  Ask,
  BatchKey,
  CommitResult,
  Coverage,
  DateRange,
  DuplicateRow,
  ImportBatch,
  Parameters,
  QueryLimits,
  Row,
  Warehouse,
} from './warehouse.ts';

type Cells = Record<string, string | number | bigint>;
type Document = Record<string, readonly Cells[]>;
type Opened = { warehouse: Warehouse; url?: string; close(): Promise<void> };

const limits: QueryLimits = { deadlineMilliseconds: 30_000 };
/** For many rows, on a machine that does other things besides. */
const longLimits: QueryLimits = { deadlineMilliseconds: 280_000 };
const million = 1_000_000n;
const secondsPerDay = 86_400;
const day0 = dayNumber('2026-03-01');
let importsMade = 0;

const engines: readonly { name: Warehouse['engine']; open(): Promise<Opened> }[] = [
  { name: 'duckdb', open: openEmbedded },
  { name: 'clickhouse', open: openServed },
];

async function openEmbedded(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-warehouse-'));
  const warehouse = await openDuckdb(folder);
  await warehouse.migrate();
  return {
    warehouse,
    async close() {
      await warehouse.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function openServed(): Promise<Opened> {
  const stores = await freshStores();
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-warehouse-'));
  const warehouse = await openClickhouse(stores.clickhouseUrl, folder);
  await warehouse.migrate();
  return {
    warehouse,
    url: stores.clickhouseUrl,
    async close() {
      await warehouse.close();
      await stores.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A row of a table with a plain value in every column that is not given. */
function row(table: string, cells: Cells): Cells {
  const plain: Record<ColumnType, Cells[string]> = {
    Int32: 0,
    Int64: 0,
    Float64: 1,
    Text: '',
    Date: day0,
    Amount: 0n,
  };
  const columns = Object.entries(factTable(table).columns);
  return Object.fromEntries(
    columns.map(([column, type]) => [column, cells[column] ?? plain[type]]),
  );
}

function orderLine(cells: Cells & { purchased_at: number }): Cells {
  return row('order_line', {
    line_id: '1',
    status: 'Shipped',
    quantity: 1,
    currency: 'USD',
    day: Math.floor(cells.purchased_at / secondsPerDay),
    ...cells,
  });
}

/** A sale of 1 USD, booked so many hours after the first day begins. */
function event(
  unit: string,
  number: number,
  { hour = 0, ...cells }: Cells & { hour?: number },
): Cells {
  const posted_at = day0 * secondsPerDay + hour * 3600;
  const day = Math.floor(posted_at / secondsPerDay);
  return row('finance_event', {
    day,
    unit,
    number,
    posted_at,
    source: 'rows',
    line: 'sales',
    amount: million,
    currency: 'USD',
    ...cells,
  });
}

function stagedCell(value: Cells[string], type: ColumnType): string {
  if (type === 'Text') return `"${String(value).replaceAll('"', '""')}"`;
  if (type === 'Date') return isoDate(Number(value));
  if (type !== 'Amount') return String(value);
  const digits = String(value).replace('-', '').padStart(7, '0');
  return `${String(value).startsWith('-') ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Stages rows as the reading thread does; the first row stands on line `firstLine`. */
async function stage(
  warehouse: Warehouse,
  arrival: ImportBatch,
  document: Document,
  firstLine = 1,
): Promise<void> {
  for (const [table, lines] of Object.entries(staged(document, firstLine))) {
    const file = join(warehouse.stagingFolder, `test-${process.pid}-${++importsMade}.csv`);
    writeFileSync(file, lines);
    await arrival.stage(table, file);
    await rm(file);
  }
}

type Target = Pick<BatchKey, 'channel'> & { readonly timezone: string };

/** The staged lines of each table. */
function staged(document: Document, firstLine = 1): Record<string, string> {
  let number = firstLine;
  const files: Record<string, string> = {};
  for (const [table, rows] of Object.entries(document)) {
    if (rows.length === 0) continue;
    const columns = Object.entries(factTable(table).columns);
    const lines = rows.map(
      (cells) =>
        `${number},${number++},${columns.map(([column, type]) => stagedCell(cells[column]!, type)).join(',')}\n`,
    );
    files[table] = lines.join('');
  }
  return files;
}

async function land(
  warehouse: Warehouse,
  target: Target,
  document: Document,
  days: Record<string, Coverage> = {},
): Promise<CommitResult> {
  const arrival = await warehouse.begin({ ...target, importId: ++importsMade });
  await stage(warehouse, arrival, document);
  return await arrival.commit({ ...daysOf(document), ...days }, target.timezone);
}

/** The days of each table of dated rows, from the first to the last of its rows. */
function daysOf(document: Document): Record<string, DateRange> {
  const spans: Record<string, DateRange> = {};
  for (const [table, rows] of Object.entries(document)) {
    if (rows.length === 0 || factTable(table).replacement !== 'byDay') continue;
    const days = rows.map((cells) => Number(cells.day));
    spans[table] = { first: Math.min(...days), last: Math.max(...days) };
  }
  return spans;
}

/**
 * All that a channel has, table by table, in the order of the keys; facts with the import that
 * brought them, if wanted.
 */
async function everything(
  warehouse: Warehouse,
  channel: number,
  withImports = false,
): Promise<Record<string, Row[]>> {
  return await warehouse.read([channel], limits, async (ask) => {
    const held: Record<string, Row[]> = {};
    for (const { name, columns } of factTables) {
      const isFact = facts.some((table) => table.name === name);
      const list = [...(withImports && isFact ? ['import_id'] : []), ...Object.keys(columns)].join(
        ', ',
      );
      held[name] = sorted(
        name,
        await ask(question(name, `SELECT ${list} FROM ${name} WHERE channel = {channel:Int32}`), {
          channel,
        }),
      );
    }
    return held;
  });
}

function sorted<R extends Cells | Row>(table: string, rows: readonly R[]): R[] {
  return [...rows].sort((a, b) => {
    const [left, right] = [keyOf(table, a), keyOf(table, b)];
    return left < right ? -1 : left > right ? 1 : 0;
  });
}

function keyOf(table: string, cells: Cells | Row): string {
  const { key } = [...facts, ...rollups].find((one) => one.name === table)!;
  return JSON.stringify(key.map((column) => String(cells[column])));
}

/** A row of a rollup that counts nothing yet. */
function zerosOf(name: string): Record<string, Cells[string]> {
  const { columns } = rollups.find((rollup) => rollup.name === name)!;
  return Object.fromEntries(
    Object.entries(columns).map(([column, type]) => [column, type === 'Amount' ? 0n : 0]),
  );
}

/** Where each line of the profit and loss is added up; `balance` nowhere. */
const profitLines: Readonly<Record<string, string>> = {
  sales: 'sales',
  promotions: 'promotions',
  refunds: 'refunds',
  reimbursements: 'reimbursements',
  otherIncome: 'other_income',
  advertisingSpend: 'advertising',
  sellingFees: 'selling_fees',
  shippingFees: 'shipping_fees',
  refundsAndReturnsOverheads: 'overheads',
  cogs: 'cogs',
  otherExpenses: 'other_expenses',
};

/** The promises of the warehouse in plain TypeScript. Facts have the number of their import. */
class Model {
  readonly tables = new Map<string, Map<string, Cells>>(
    facts.map((table) => [table.name, new Map()]),
  );

  land(document: Document, days: Record<string, Coverage>, import_id: number): CommitResult {
    const rows: Record<string, number> = {};
    const rowsSuperseded: Record<string, number> = {};
    let rowsOlder = 0;
    for (const table of new Set([
      ...Object.keys(document).filter((name) => document[name]!.length > 0),
      ...Object.keys(days),
    ])) {
      const held = this.tables.get(table)!;
      const incoming = new Map<string, Cells>();
      const { replacement: keeping } = factTable(table);
      for (const cells of document[table] ?? []) {
        const key = keyOf(table, cells);
        const rival = incoming.get(key);
        if (
          !rival ||
          (keeping !== 'byDay' && Number(cells.updated_at ?? 0) >= Number(rival.updated_at ?? 0))
        )
          incoming.set(key, cells);
      }
      if (keeping === 'byDay') {
        const { first, last, parts } = days[table]!;
        const part = factTable(table).partition!;
        for (const [key, cells] of held) {
          const isSpokenFor =
            parts === undefined || parts.includes(String(cells[part])) || incoming.has(key);
          if (Number(cells.day) >= first && Number(cells.day) <= last && isSpokenFor)
            held.delete(key);
        }
      }
      if (keeping === 'byUnit') {
        const { parts = [], instants } = days[table] ?? {};
        const arriving = [...incoming.values()];
        for (const [key, cells] of held) {
          const at = Number(cells.posted_at);
          const isWithin = instants !== undefined && at >= instants.from && at <= instants.to;
          const isTold =
            cells.order_id !== '' &&
            arriving.some(
              (one) => one.order_id === cells.order_id && one.posted_at === cells.posted_at,
            );
          const source = String(cells.source);
          if (arriving.some((one) => one.unit === cells.unit)) held.delete(key);
          else if (table === 'finance_event' && parts.includes(source) && (isWithin || isTold)) {
            held.delete(key);
            rowsSuperseded[source] = (rowsSuperseded[source] ?? 0) + 1;
          }
        }
      }
      let landed = 0;
      const seen = new Set<string>();
      for (const [key, cells] of incoming) {
        const older = held.get(key);
        const { product_id, parent_product_id, day, page_views, sessions } = cells;
        const { mobile_sessions, buy_box_weighted, buy_box_views } = cells;
        const traffic = [
          ...[product_id, parent_product_id, day, page_views, sessions, mobile_sessions],
          ...[buy_box_weighted, buy_box_views],
        ].join();
        const repeats_traffic = seen.has(traffic) ? 1 : 0;
        seen.add(traffic);
        if (older && Number(older.updated_at ?? 0) > Number(cells.updated_at ?? 0)) rowsOlder++;
        else if (cells.status === 'Removed' && table === 'order_line') held.delete(key);
        else {
          const versions =
            older === undefined
              ? []
              : [...String(older.versions).split(' '), `${older.import_id}:${older.updated_at}`];
          const remembered = versions.filter((version) => version !== '').slice(-20);
          held.set(key, {
            import_id,
            ...cells,
            ...(table === 'order_record' && { versions: remembered.join(' ') }),
            ...(table === 'traffic' && { repeats_traffic }),
          });
          landed++;
        }
      }
      if ((document[table] ?? []).length > 0) rows[table] = landed;
    }
    return { rows, rowsOlder, rowsSuperseded };
  }

  of(table: string): Cells[] {
    return [...this.tables.get(table)!.values()];
  }

  /** All tables and rollups, in the order of `everything`. */
  everything(timezone: string): Record<string, Cells[]> {
    const held: Record<string, Cells[]> = {};
    for (const { name } of facts) held[name] = sorted(name, this.of(name));
    held.order_slot = sorted('order_slot', this.#slots());
    held.store_day = sorted('store_day', this.#storeDays(timezone));
    held.vendor_day = sorted('vendor_day', this.#vendorDays());
    held.search_month = sorted('search_month', this.#searchMonths());
    held.profit_slot = sorted('profit_slot', this.#profits('profit_slot'));
    held.profit_product_day = sorted('profit_product_day', this.#profits('profit_product_day'));
    return held;
  }

  /** The profit and loss per quarter of an hour, or per UTC day and SKU. */
  #profits(name: 'profit_slot' | 'profit_product_day'): Cells[] {
    const rows = new Map<string, Record<string, Cells[string]>>();
    for (const event of this.of('finance_event')) {
      if (name === 'profit_product_day' && event.sku === '') continue;
      const at = Number(event.posted_at);
      const day = Math.floor(at / secondsPerDay);
      const whose: Cells =
        name === 'profit_slot' ? { slot_at: at - (at % 900) } : { sku: event.sku! };
      const book = (currency: Cells[string], figures: Cells) => {
        const empty = { ...zerosOf(name), day, currency, ...whose };
        add(bring(rows, `${JSON.stringify(whose)} ${day} ${currency}`, empty), figures);
      };
      const cost = this.of('unit_cost')
        .filter((one) => one.sku === event.sku && Number(one.effective_from) <= day)
        .sort((a, b) => Number(b.effective_from) - Number(a.effective_from))[0];
      const figure = profitLines[String(event.line)];
      const isCosted = event.line === 'cogs' && cost !== undefined;
      // Where its own cost of goods does not count, it is still an event of the product.
      if (!isCosted || name === 'profit_product_day')
        book(event.currency!, figure && !isCosted ? { [figure]: event.amount! } : {});
      if (event.line === 'sales') book(event.currency!, { sales_tax: event.tax! });
      if (event.line === 'refunds') book(event.currency!, { refunds_tax: event.tax! });
      const units = BigInt(event.quantity!);
      if (!cost || units === 0n) continue;
      if (event.line === 'refunds')
        book(cost.cogs_currency!, { cogs_returned: units * (cost.cogs as bigint) });
      if (event.line !== 'sales') continue;
      book(cost.cogs_currency!, { cogs: -units * (cost.cogs as bigint) });
      const isMarketplaces = this.of('product').some(
        (one) => one.sku === event.sku && one.fulfilled_by_marketplace === 1,
      );
      const isSellers =
        event.fulfillment === 'MFN' || (event.fulfillment === '' && !isMarketplaces);
      if (isSellers && cost.shipping_cost !== 0n)
        book(cost.shipping_cost_currency!, {
          shipping_fees: -units * (cost.shipping_cost as bigint),
        });
    }
    return [...rows.values()];
  }

  #vendorDays(): Cells[] {
    const days = new Map<string, Record<string, Cells[string]>>();
    const totals = this.of('vendor_total');
    const isTotal = (one: Cells) =>
      totals.some((total) => total.day === one.day && total.report === one.report);
    const counted = [...totals, ...this.of('vendor_sale').filter((one) => !isTotal(one))];
    for (const one of counted) {
      const day = bring(days, `${one.day} ${one.currency}`, {
        ...zerosOf('vendor_day'),
        day: one.day!,
        currency: one.currency!,
      });
      const byTraffic = counted.some((other) => other.day === one.day && other.view === 'TRAFFIC');
      if (one.view === (byTraffic ? 'TRAFFIC' : 'MANUFACTURING'))
        add(day, { glance_views: one.glance_views! });
      const { shipped_revenue = 0n, shipped_units = 0, shipped_cogs = 0n } = one;
      if (one.view === 'SOURCING') add(day, { shipped_revenue, shipped_units, shipped_cogs });
      if (one.view !== 'MANUFACTURING') continue;
      add(day, {
        ordered_revenue: one.ordered_revenue!,
        ordered_units: one.ordered_units!,
        shipped_revenue_manufacturing: shipped_revenue,
        shipped_units_manufacturing: shipped_units,
        shipped_cogs_manufacturing: shipped_cogs,
      });
    }
    return [...days.values()];
  }

  #searchMonths(): Cells[] {
    const months = new Map<string, Record<string, Cells[string]>>();
    for (const { import_id, day, asin, currency, search_query, ...one } of this.of(
      'search_query',
    )) {
      const empty = { ...zerosOf('search_month'), day: day!, asin: asin!, currency: currency! };
      const month = bring(months, `${day} ${asin} ${currency}`, empty);
      const {
        total_median_purchase_price: market,
        median_purchase_price: own,
        median_click_price: clicked,
        ...counts
      } = one;
      const price =
        [own, market, clicked].map((value) => BigInt(value!)).find((value) => value > 0n) ??
        BigInt(clicked!);
      add(month, {
        ...counts,
        revenue: BigInt(one.purchases!) * price,
        total_revenue: BigInt(one.total_purchases!) * BigInt(market!),
      });
    }
    return [...months.values()];
  }

  #slots(): Cells[] {
    const slots = new Map<string, Record<string, Cells[string]>>();
    for (const line of this.of('order_line')) {
      const at = Math.floor(Number(line.purchased_at) / 900) * 900;
      const empty = {
        day: line.day!,
        slot_at: at,
        currency: line.currency!,
        line_items: 0,
        units: 0,
        item_price: 0n,
        item_tax: 0n,
      };
      const slot = bring(slots, `${at} ${line.currency}`, empty);
      if (line.status !== 'Canceled')
        add(slot, {
          line_items: 1,
          units: line.quantity!,
          item_price: line.item_price!,
          item_tax: line.item_tax!,
        });
    }
    return [...slots.values()];
  }

  #storeDays(timezone: string): Cells[] {
    const days = new Map<string, Record<string, Cells[string]>>();
    const lines = this.of('order_line');
    const ordersFrom =
      lines.length === 0
        ? Number.POSITIVE_INFINITY
        : localDay(timezone, Math.min(...lines.map((line) => Number(line.purchased_at))));
    const dayOf = (day: number, currency: Cells[string]) => {
      return bring(days, `${day} ${currency}`, {
        ...zerosOf('store_day'),
        day,
        currency,
        orders_cover: day >= ordersFrom ? 1 : 0,
      });
    };
    for (const line of lines) {
      const day = dayOf(localDay(timezone, Number(line.purchased_at)), line.currency!);
      if (line.status !== 'Canceled')
        add(day, {
          line_items: 1,
          units: line.quantity!,
          item_price: line.item_price!,
          item_tax: line.item_tax!,
        });
    }
    const totals = this.of('traffic_total');
    const daysWithTotal = new Set(totals.map((total) => total.day));
    for (const one of [
      ...totals,
      ...this.of('traffic').filter((product) => !daysWithTotal.has(product.day!)),
    ]) {
      add(dayOf(Number(one.day), one.currency!), {
        ...(one.repeats_traffic !== 1 && {
          page_views: one.page_views!,
          sessions: one.sessions!,
          buy_box_weighted: one.buy_box_weighted!,
          buy_box_views: one.buy_box_views!,
        }),
        traffic_revenue: one.revenue!,
        traffic_units: one.units!,
        traffic_order_items: one.order_items!,
        daily_rows: 1,
      });
    }
    for (const one of this.of('campaign_day')) {
      add(dayOf(Number(one.day), one.currency!), {
        impressions: one.impressions!,
        clicks: one.clicks!,
        ad_cost: one.cost!,
        ad_sales: one.sales!,
        daily_rows: 1,
      });
    }
    return [...days.values()];
  }
}

function bring<V>(map: Map<string, V>, key: string, fresh: V): V {
  const held = map.get(key);
  if (held !== undefined) return held;
  map.set(key, fresh);
  return fresh;
}

function add(to: Record<string, Cells[string]>, figures: Cells): void {
  for (const [name, value] of Object.entries(figures)) {
    to[name] =
      typeof value === 'bigint' ? (to[name] as bigint) + value : Number(to[name]) + Number(value);
  }
}

/**
 * An import that can be recognised by one number in every row: three days of order lines and of
 * traffic.
 */
function numbered(number: number, lines = 60): Document {
  const orders = Array.from({ length: lines }, (_, place) =>
    orderLine({
      order_id: `O-${place}`,
      purchased_at: (day0 + (place % 3)) * secondsPerDay + 36_000 + place,
      updated_at: number,
      quantity: number,
      item_price: BigInt(number) * million,
    }),
  );
  const totals = [0, 1, 2].map((day) =>
    row('traffic_total', { day: day0 + day, page_views: number, currency: 'USD' }),
  );
  return { order_line: orders, traffic_total: totals };
}

const questionsOfNumbered = {
  lines: question(
    'lines',
    'SELECT count(*) AS lines, min(quantity) AS least, max(quantity) AS most, sum(item_price) AS price FROM order_line WHERE channel = {channel:Int32}',
  ),
  slots: question(
    'slots',
    'SELECT sum(units) AS units FROM order_slot WHERE channel = {channel:Int32}',
  ),
  days: question(
    'days',
    'SELECT sum(units) AS units, sum(page_views) AS views FROM store_day WHERE channel = {channel:Int32}',
  ),
};

/** The number of the one import that all answers show; throws where they show a mixture. */
async function numberSeen(ask: Ask, channel: number, lines = 60): Promise<number> {
  const [held] = await ask(questionsOfNumbered.lines, { channel });
  const [slots] = await ask(questionsOfNumbered.slots, { channel });
  const [days] = await ask(questionsOfNumbered.days, { channel });
  if (held!.lines === 0) {
    assert.deepEqual(
      [held, slots, days],
      [
        { lines: 0, least: null, most: null, price: null },
        { units: null },
        { units: null, views: null },
      ],
    );
    return 0;
  }
  const number = held!.least as number;
  assert.deepEqual(
    [held, slots, days],
    [
      { lines, least: number, most: number, price: BigInt(lines * number) * million },
      { units: lines * number },
      { units: lines * number, views: 3 * number },
    ],
  );
  return number;
}

const digitRows = Array.from({ length: 16 }, (_, digit) => `SELECT ${digit} AS digit`);
const digits = `WITH digits AS (${digitRows.join(' UNION ALL ')})`;
const twelve = Array.from({ length: 12 }, (_, place) => place);

/** A question that counts for longer than any test waits. */
const endless = question(
  'endless',
  `${digits}
   SELECT count(*) AS counted
   FROM ${twelve.map((place) => `digits AS d${place}`).join(' CROSS JOIN ')}
   WHERE (${twelve.map((place) => `d${place}.digit * ${place + 1}`).join(' + ')}) % 1009 = 5`,
);

/** One row for each number of `places` hexadecimal digits, from 0 on. */
function numbers(places: number): string {
  const factors = Array.from(
    { length: places },
    (_, place) => `CAST(d${place}.digit AS BIGINT) * ${16 ** place}`,
  );
  return `SELECT ${factors.join(' + ')} AS number FROM ${factors.map((_, place) => `digits AS d${place}`).join(' CROSS JOIN ')}`;
}

/** A million rows of 300 letters each and more. */
const millionRows = question<{ number: number; text: string; amount: bigint }>(
  'millionRows',
  `${digits} SELECT number, concat(repeat('x', 300), CAST(number AS VARCHAR)) AS text, amount(number) AS amount FROM (${numbers(5)}) AS counted`,
);

/** Rows for longer than any test waits. */
const endlessRows = question<{ number: number }>(
  'endlessRows',
  `${digits} SELECT number FROM (${numbers(8)}) AS counted`,
);

/** Rows with an invalid one in the middle. Sorted, or else that row might come first. */
const brokenRows = question(
  'brokenRows',
  `${digits} SELECT repeat('x', 300) AS text,
    CAST(CASE WHEN number = 400000 THEN 'x' ELSE '1' END AS INTEGER) AS one
   FROM (${numbers(5)} ORDER BY number LIMIT 1000000) AS counted`,
);

const one = question('one', 'SELECT 1 AS one');

async function collected<R extends Row>(portions: AsyncIterable<R[]>): Promise<R[]> {
  const rows: R[] = [];
  for await (const portion of portions) rows.push(...portion);
  return rows;
}

for (const { name, open } of engines) {
  describe(`the warehouse (${name})`, () => {
    let opened: Opened;
    let warehouse: Warehouse;
    let channels = 0;
    const fresh = (timezone = 'UTC'): Target => ({ channel: ++channels, timezone });
    const rowsOf = async (table: string, channel: number) =>
      (await everything(warehouse, channel))[table]!;
    /** Waits until the server has no question left of those that would never end. */
    const nothingGoesOn = async () => {
      if (!opened.url) return;
      const running =
        "SELECT count() FROM system.processes WHERE query LIKE '%digits%' AND query NOT LIKE '%processes%'";
      for (let tries = 0; (await queryClickHouse(opened.url, running)) !== '0'; tries++) {
        assert.ok(tries < 50, 'a question that nobody waits for goes on');
        await delay(100);
      }
    };

    before(async () => {
      opened = await open();
      warehouse = opened.warehouse;
    });
    after(async () => {
      await opened.close();
    });

    test('a question gets every type of parameter and answers plain values', async () => {
      const every = question(
        'every',
        `SELECT {one:Int32} AS one, {two:Int64} AS two, {three:Float64} AS three,
          {four:String} AS four, {five:Date} AS five,
           one_of(7, {six:Array(Int32)}) AS six, one_of(CAST(9007199254740991 AS BIGINT),
           {seven:Array(Int64)}) AS seven,
           one_of('it''s', {eight:Array(String)}) AS eight, one_of({five:Date}, {nine:Array(Date)}) AS nine, one_of('x', {ten:Array(String)}) AS ten,
           CAST(NULL AS BIGINT) AS eleven, amount(12) AS twelve,
           CAST({two:Int64} AS DECIMAL(38,6)) AS thirteen,
           {five:Date} < {six_days:Date} AS fourteen`,
      );
      const asked: Parameters = {
        one: -5,
        two: -9_007_199_254_740_991,
        three: -0.1,
        four: 'tab\tline\nreturn\rquote\'double"back\\slash {x:Int32} Ünïcödé 🙂 %41 &a=b +',
        five: dayNumber('2199-12-31'),
        six: [1, 7],
        seven: [9_007_199_254_740_991],
        eight: ['a', "it's", '\\', '\t'],
        nine: [-20_000, dayNumber('2199-12-31')],
        ten: [],
        six_days: 120_529,
      };
      const expected = [
        {
          one: -5,
          two: -9_007_199_254_740_991,
          three: -0.1,
          four: asked.four as string,
          five: dayNumber('2199-12-31'),
          six: 1,
          seven: 1,
          eight: 1,
          nine: 1,
          ten: 0,
          eleven: null,
          twelve: 12n * million,
          thirteen: -9_007_199_254_740_991n * million,
          fourteen: 1,
        },
      ];
      assert.deepEqual(await warehouse.ask(every, asked, limits), expected);
      assert.deepEqual(await collected(warehouse.stream(every, asked, limits)), expected);
    });

    test('a question takes lists of five thousand dates and texts', async () => {
      const long = question(
        'long',
        "SELECT one_of({day:Date}, {days:Array(Date)}) AS dated, one_of('text 4999 \\ it''s', {texts:Array(String)}) AS named",
      );
      const days = Array.from({ length: 5000 }, (_, place) => place * 3);
      const texts = Array.from({ length: 5000 }, (_, place) => `text ${place} \\ it's`);
      assert.deepEqual(await warehouse.ask(long, { day: 14_997, days, texts }, limits), [
        { dated: 1, named: 1 },
      ]);
      assert.deepEqual(
        await collected(warehouse.stream(long, { day: 14_997, days, texts }, limits)),
        [{ dated: 1, named: 1 }],
      );
      assert.deepEqual(
        await warehouse.ask(long, { day: 14_998, days, texts: texts.slice(1, 10) }, limits),
        [{ dated: 0, named: 0 }],
      );
    });

    test('what is missing is null: sums over nothing, and columns of a missing side of a join', async () => {
      const { channel } = fresh();
      await land(
        warehouse,
        { channel, timezone: 'UTC' },
        { product: [row('product', { sku: 'A', price: 5n * million })] },
      );
      const missing = question(
        'missing',
        `SELECT p.sku AS sku, t.units AS units, t.revenue AS revenue, t.day AS day,
          t.product_id AS product_id
         FROM product AS p LEFT JOIN traffic AS t ON t.sku = p.sku AND t.channel = p.channel
         WHERE p.channel = {channel:Int32}`,
      );
      assert.deepEqual(await warehouse.ask(missing, { channel }, limits), [
        { sku: 'A', units: null, revenue: null, day: null, product_id: null },
      ]);
      const none = question(
        'none',
        'SELECT count(*) AS rows_held, sum(units) AS units, sum(revenue) AS revenue, min(day) AS first, max(sku) AS sku FROM traffic WHERE channel = {channel:Int32}',
      );
      assert.deepEqual(await warehouse.ask(none, { channel }, limits), [
        { rows_held: 0, units: null, revenue: null, first: null, sku: null },
      ]);
    });

    test('a question that changes something is refused, and changes nothing', async () => {
      const target = fresh();
      await land(warehouse, target, numbered(1));
      for (const sql of [
        'DROP TABLE warehouse_version',
        'CREATE TABLE more (a INTEGER)',
        'DELETE FROM warehouse_version WHERE 1 = 1',
        'INSERT INTO warehouse_version VALUES (1)',
      ]) {
        await assert.rejects(
          warehouse.ask(question('changes', sql), {}, limits),
          (error) => !(error instanceof DeadlineExceeded),
          sql,
        );
      }
      assert.equal(
        await warehouse.read([target.channel], limits, (ask) => numberSeen(ask, target.channel)),
        1,
      );
    });

    test('a question that cannot be understood is refused without repeating itself, and the warehouse goes on', async () => {
      await assert.rejects(
        warehouse.ask(question('wrong', 'SELECT secret_word FROM nowhere'), {}, limits),
        (error) => !(error instanceof StoreUnavailable),
      );
      assert.throws(() => question('whose', 'SELECT day FROM traffic'), /names no channel/);
      await warehouse.ping();
    });

    test('the vocabulary means on the engine what it means in TypeScript', async () => {
      const zones = [
        'UTC',
        'America/Los_Angeles',
        'Europe/Berlin',
        'Asia/Kathmandu',
        'Pacific/Apia',
        'America/Sao_Paulo',
        'Africa/Casablanca',
        'Australia/Lord_Howe',
      ];
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...zones),
          fc.integer({ min: dayNumber('1931-01-01'), max: dayNumber('2150-01-01') }),
          fc.constantFrom(2, 40, 400, 2000),
          fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
            minLength: 20,
            maxLength: 20,
          }),
          async (zone, first, length, shares) => {
            const [from, to] = [first * secondsPerDay, (first + length) * secondsPerDay];
            const { starts, offsets } = calendarOffsets(zone, from, to);
            const changes = starts.slice(1).flatMap((start) => [start - 1, start]);
            const instants = [
              ...shares.map((share) => Math.floor(from + share * (to - from))),
              ...changes,
              from,
              to,
            ];
            const body = instants
              .map(
                (instant, place) =>
                  `SELECT ${place} AS place, local_day(CAST(${instant} AS BIGINT), {starts:Array(Int64)}, {offsets:Array(Int64)}) AS day, floor_multiple(CAST(${instant} AS BIGINT), 900) AS slot`,
              )
              .join(' UNION ALL ');
            const rows = await warehouse.ask(
              question('vocabulary', `SELECT * FROM (${body}) AS instants ORDER BY place`),
              { starts, offsets },
              limits,
            );
            assert.deepEqual(
              rows,
              instants.map((instant, place) => ({
                place,
                day: localDay(zone, instant),
                slot: Math.floor(instant / 900) * 900,
              })),
            );
          },
        ),
        { numRuns: Math.ceil(8 * testDepth) },
      );
      const doubles = [
        0,
        0.1 + 0.2,
        0.57,
        1.005,
        0.000_000_5,
        0.000_001_5,
        -0.000_002_5,
        -0.000_000_4,
        123_456_789.123_456_7,
        -99.999_999_6,
      ];
      const body = doubles
        .map(
          (value, place) =>
            `SELECT ${place} AS place, amount(CAST(${value.toFixed(12)} AS DOUBLE)) AS value`,
        )
        .join(' UNION ALL ');
      const amounts = await warehouse.ask(
        question('amounts', `SELECT * FROM (${body}) AS instants ORDER BY place`),
        {},
        limits,
      );
      const away = (value: number) =>
        BigInt(Math.sign(value) * Math.floor(Math.abs(value) * 1e6 + 0.5));
      assert.deepEqual(
        amounts.map((one) => one.value),
        doubles.map(away),
      );
      const others = question(
        'others',
        `SELECT amount(7) AS whole, amount(CAST('12.3456789' AS DECIMAL(18,9))) AS cut,
          amount(CAST('-0.0000005' AS DECIMAL(18,9))) AS half,
           amount(CAST(NULL AS DECIMAL(18,6))) AS missing, amount(amount(3) * 2) AS twice,
           floor_multiple(-1, 900) AS slot`,
      );
      assert.deepEqual(await warehouse.ask(others, {}, limits), [
        {
          whole: 7n * million,
          cut: 12_345_679n,
          half: -1n,
          missing: null,
          twice: 6n * million,
          slot: -900,
        },
      ]);
    });

    test('list indexes, lower case and rounding agree on both engines', async () => {
      const body = `SELECT index_of({list:Array(String)}, 'b') AS second, {factors:Array(Float64)}[index_of({list:Array(String)}, 'c')] AS third,
        lower('Äß ÇZ') AS small, round_half_up(CAST(2.675 AS DOUBLE), 100) AS up,
        round_half_up(CAST(-2.5 AS DOUBLE), 1) AS away,
        round_half_up(CAST(0.125 AS DOUBLE), 100) AS half,
        round_half_up(CAST(1.004999 AS DOUBLE), 100) AS down`;
      assert.deepEqual(
        await warehouse.ask(
          question('words', body),
          { list: ['a', 'b', 'c'], factors: [0.5, 1.5, 2.25] },
          limits,
        ),
        [{ second: 2, third: 2.25, small: 'äß çz', up: 2.68, away: -3, half: 0.13, down: 1 }],
      );
    });

    test('one_of() and matches() mean the same for lists of every length and density', async () => {
      const numbers = [-3, 0, 1, 4, 5, 6, 40, 9000];
      const body = numbers
        .map(
          (number) => `SELECT ${number} AS number, 'n${number}' AS text,
            CAST('1970-01-01' AS DATE) + ${number} AS day`,
        )
        .join(' UNION ALL ');
      const listed = question<{ number: number }>(
        'listed',
        `SELECT number FROM (${body}) AS numbers
         WHERE {word}(number, {ints:Array(Int32)}) AND {word}(CAST(number AS BIGINT),
         {longs:Array(Int64)})
           AND {word}(text, {texts:Array(String)}) ORDER BY number`,
        { word: 'one_of' },
      );
      const matching = question<{ number: number }>(
        'matching',
        listed.sql.replaceAll('one_of(', 'matches('),
      );
      const lists = [
        [],
        [4],
        [4, 4],
        [6, 4, 5],
        [0, 9000],
        [9000, -3, 40, 1],
        [0, 4, 6],
        numbers,
        [...Array.from({ length: 20 }, (_, index) => index * 400), 40],
      ];
      for (const ints of lists) {
        const isIn = (number: number) => ints.includes(number);
        const texts = ints.map((number) => `n${number}`);
        const given = { ints, longs: ints, texts };
        const found = await warehouse.ask(listed, given, limits);
        assert.deepEqual(
          found.map(({ number }) => number),
          numbers.filter(isIn),
        );
        const matched = await warehouse.ask(matching, { ...given, texts: [] }, limits);
        assert.deepEqual(
          matched.map(({ number }) => number),
          numbers.filter((number) => ints.length === 0 || isIn(number)),
        );
      }
    });

    test('amounts are converted by the factor of their currency and day, or stay exact', async () => {
      const body = ['USD', 'EUR', 'GBP'].flatMap((currency, index) =>
        [0, 1, 2].map(
          (day) => `SELECT '${currency}' AS currency, amount(${index * 10 + day + 1}) AS price,
            CAST('2025-01-01' AS DATE) + ${day} AS day`,
        ),
      );
      const converting = question(
        'converting',
        `SELECT sum(converted(price, currency, day)) AS converted,
           sum(unconverted(price, currency)) AS exact
         FROM (${body.join(' UNION ALL ')}) AS prices`,
      );
      const given = {
        currency: 'USD',
        currencies: ['GBP', 'EUR'],
        factors: [1, 0.5, 0.25, 2, 4, 8],
        factorsFrom: dayNumber('2025-01-01'),
        factorDays: 3,
      };
      assert.deepEqual(await warehouse.ask(converting, given, limits), [
        {
          converted: 21 + 22 / 2 + 23 / 4 + 11 * 2 + 12 * 4 + 13 * 8,
          exact: (1n + 2n + 3n) * million,
        },
      ]);
      const none = { ...given, currencies: [], factors: [], factorDays: 0 };
      assert.deepEqual(await warehouse.ask(converting, none, limits), [
        { converted: 0, exact: (6n + 36n + 66n) * million },
      ]);
    });

    test('dated rows replace whole days: those that vanished from the document vanish, other days and channels stay', async () => {
      const [target, other] = [fresh(), fresh()];
      const traffic = (day: number, sku: string, units: number) =>
        row('traffic', { day: day0 + day, sku, units, currency: 'USD' });
      const first = {
        traffic: [traffic(0, 'A', 1), traffic(0, 'B', 2), traffic(1, 'A', 3), traffic(2, 'A', 4)],
      };
      assert.deepEqual(await land(warehouse, target, first), {
        rows: { traffic: 4 },
        rowsOlder: 0,
        rowsSuperseded: {},
      });
      await land(warehouse, other, first);
      assert.deepEqual(await land(warehouse, target, { traffic: [traffic(0, 'B', 20)] }), {
        rows: { traffic: 1 },
        rowsOlder: 0,
        rowsSuperseded: {},
      });
      assert.deepEqual(
        await rowsOf('traffic', target.channel),
        sorted('traffic', [traffic(0, 'B', 20), traffic(1, 'A', 3), traffic(2, 'A', 4)]),
      );
      await land(
        warehouse,
        target,
        { traffic: [traffic(0, 'C', 5)] },
        { traffic: { first: day0, last: day0 + 1 } },
      );
      assert.deepEqual(
        await rowsOf('traffic', target.channel),
        sorted('traffic', [traffic(0, 'C', 5), traffic(2, 'A', 4)]),
      );
      assert.deepEqual(
        await land(warehouse, target, {}, { traffic: { first: day0 + 2, last: day0 + 2 } }),
        {
          rows: {},
          rowsOlder: 0,
          rowsSuperseded: {},
        },
      );
      assert.deepEqual(await rowsOf('traffic', target.channel), [traffic(0, 'C', 5)]);
      assert.deepEqual(
        (await rowsOf('store_day', target.channel)).map((one) => [one.day, one.traffic_units]),
        [[day0, 5]],
      );
      assert.deepEqual(await rowsOf('traffic', other.channel), sorted('traffic', first.traffic));
    });

    test('a document that speaks for a part of its days leaves the other parts, but for rows of its keys', async () => {
      const target = fresh();
      const spend = (day: number, campaign: string, ad_type: string, clicks: number) =>
        row('campaign_day', {
          day: day0 + day,
          campaign_id: campaign,
          ad_type,
          report: ad_type,
          clicks,
          currency: 'USD',
        });
      const first = [
        spend(0, '1', 'SP', 1),
        spend(0, '2', 'SP', 2),
        spend(0, '3', 'SB', 3),
        spend(1, '3', 'SB', 4),
        spend(1, '1', 'SP', 5),
      ];
      await land(warehouse, target, { campaign_day: first });
      const days = (last: number, ...parts: string[]) => ({
        campaign_day: { first: day0, last: day0 + last, parts },
      });
      await land(warehouse, target, { campaign_day: [spend(0, '2', 'SP', 20)] }, days(0, 'SP'));
      assert.deepEqual(
        await rowsOf('campaign_day', target.channel),
        sorted('campaign_day', [
          spend(0, '2', 'SP', 20),
          spend(0, '3', 'SB', 3),
          spend(1, '3', 'SB', 4),
          spend(1, '1', 'SP', 5),
        ]),
      );
      // A campaign that changes its type of advertising remains the same campaign.
      await land(warehouse, target, { campaign_day: [spend(0, '3', 'SD', 30)] }, days(0, 'SD'));
      await land(warehouse, target, {}, days(1, 'SP'));
      assert.deepEqual(
        await rowsOf('campaign_day', target.channel),
        sorted('campaign_day', [spend(0, '3', 'SD', 30), spend(1, '3', 'SB', 4)]),
      );
      assert.deepEqual(
        (await rowsOf('store_day', target.channel)).map((one) => [one.day, one.clicks]),
        [
          [day0, 30],
          [day0 + 1, 4],
        ],
      );
    });

    test('dated rows outside the days of their import are refused', async () => {
      const target = fresh();
      const outside = {
        traffic: [row('traffic', { day: day0 }), row('traffic', { day: day0 + 5 })],
      };
      await assert.rejects(
        land(warehouse, target, outside, { traffic: { first: day0, last: day0 + 1 } }),
        /outside the days/,
      );
      await assert.rejects(
        land(warehouse, target, outside, { traffic: undefined as unknown as DateRange }),
        /without the days/,
      );
      assert.deepEqual(await rowsOf('traffic', target.channel), []);
    });

    test('rows kept by key replace those of their key, unless the held row was updated later', async () => {
      const target = fresh();
      const at = (day: number) => (day0 + day) * secondsPerDay + 100;
      const line = (id: string, day: number, updated_at: number, quantity: number) =>
        orderLine({ order_id: id, purchased_at: at(day), updated_at, quantity });
      await land(warehouse, target, {
        order_line: [
          line('A', 0, 10, 1),
          line('B', 0, 10, 1),
          line('C', 1, 10, 1),
          line('D', 3, 0, 1),
        ],
      });
      const landed = await land(warehouse, target, {
        order_line: [
          line('A', 0, 9, 2),
          line('B', 2, 10, 2),
          line('D', 3, 0, 2),
          line('E', 0, 1, 2),
        ],
      });
      assert.deepEqual(landed, { rows: { order_line: 3 }, rowsOlder: 1, rowsSuperseded: {} });
      const expected = [
        line('A', 0, 10, 1),
        line('B', 2, 10, 2),
        line('C', 1, 10, 1),
        line('D', 3, 0, 2),
        line('E', 0, 1, 2),
      ];
      assert.deepEqual(await rowsOf('order_line', target.channel), expected);
      const slots = await rowsOf('order_slot', target.channel);
      assert.deepEqual(
        slots.map((slot) => [slot.day, slot.units]),
        [
          [day0, 3],
          [day0 + 1, 1],
          [day0 + 2, 2],
          [day0 + 3, 2],
        ],
      );
      const older = await land(warehouse, target, {
        order_line: [line('A', 5, 3, 9), line('B', 6, 3, 9)],
      });
      assert.deepEqual(older, { rows: { order_line: 0 }, rowsOlder: 2, rowsSuperseded: {} });
      assert.deepEqual(await rowsOf('order_line', target.channel), expected);
      // A removal takes a row away unless it is older, and leaves nothing of its own.
      const removal = (id: string, day: number, updated_at: number) => ({
        ...line(id, day, updated_at, 0),
        status: 'Removed',
      });
      const removed = await land(warehouse, target, {
        order_line: [
          removal('A', 0, 9),
          removal('B', 0, 10),
          removal('F', 3, 1),
          line('D', 3, 0, 4),
        ],
      });
      assert.deepEqual(removed, { rows: { order_line: 1 }, rowsOlder: 1, rowsSuperseded: {} });
      assert.deepEqual(
        (await rowsOf('order_slot', target.channel)).map((slot) => [slot.day, slot.units]),
        [
          [day0, 3],
          [day0 + 1, 1],
          [day0 + 3, 4],
        ],
      );
    });

    test('things without a day are kept by key, too', async () => {
      const target = fresh();
      const product = (sku: string, title: string) => row('product', { sku, title });
      await land(warehouse, target, { product: [product('A', 'one'), product('B', 'two')] });
      const landed = await land(warehouse, target, {
        product: [product('B', 'first'), product('B', 'last'), product('C', 'three')],
      });
      assert.deepEqual(landed, { rows: { product: 2 }, rowsOlder: 0, rowsSuperseded: {} });
      assert.deepEqual(await rowsOf('product', target.channel), [
        product('A', 'one'),
        product('B', 'last'),
        product('C', 'three'),
      ]);
    });

    test('rows kept by unit replace all rows of their units, wherever these lie', async () => {
      const [target, other] = [fresh(), fresh()];
      const first = [
        event('U1', 1, { hour: 1 }),
        event('U1', 2, { hour: 30 }),
        event('U2', 1, { hour: 2 }),
        event('U3', 1, { hour: 50 }),
      ];
      for (const one of [target, other]) {
        assert.deepEqual(await land(warehouse, one, { finance_event: first }), {
          rows: { finance_event: 4 },
          rowsOlder: 0,
          rowsSuperseded: {},
        });
      }
      const landed = await land(warehouse, target, {
        finance_event: [
          event('U1', 7, { hour: 60 }),
          event('U4', 1, { hour: 3 }),
          event('U4', 1, { hour: 4 }),
        ],
      });
      assert.deepEqual(landed, { rows: { finance_event: 2 }, rowsOlder: 0, rowsSuperseded: {} });
      assert.deepEqual(await rowsOf('finance_event', target.channel), [
        event('U1', 7, { hour: 60 }),
        event('U2', 1, { hour: 2 }),
        event('U3', 1, { hour: 50 }),
        event('U4', 1, { hour: 4 }),
      ]);
      // Of the second day, nothing is left.
      assert.deepEqual(
        (await rowsOf('profit_slot', target.channel)).map((slot) => [slot.slot_at, slot.sales]),
        [2, 4, 50, 60].map((hour) => [day0 * secondsPerDay + hour * 3600, million]),
      );
      assert.deepEqual(await rowsOf('finance_event', other.channel), first);
    });

    test('things without a day are kept by unit, too', async () => {
      const target = fresh();
      const claim = (unit: string, beaten: string, from_at: number) =>
        row('finance_claim', { unit, beaten, source: 'settlement', from_at });
      await land(warehouse, target, {
        finance_claim: [
          claim('A', 'rows', 1),
          claim('A', 'transactions', 1),
          claim('B', 'rows', 1),
        ],
      });
      await land(warehouse, target, {
        finance_claim: [claim('A', 'rows', 2), claim('A', 'rows', 3)],
      });
      assert.deepEqual(await rowsOf('finance_claim', target.channel), [
        claim('A', 'rows', 3),
        claim('B', 'rows', 1),
      ]);
    });

    test('repeated rows of a unit are not reported', async () => {
      const arrival = await warehouse.begin({ ...fresh(), importId: ++importsMade });
      await stage(warehouse, arrival, { finance_event: [event('A', 1, {}), event('A', 1, {})] });
      for await (const page of arrival.duplicates('finance_event')) assert.deepEqual(page, []);
      await arrival.discard();
    });

    test('a document supersedes rows of other sources within its instants, both inclusive', async () => {
      const target = fresh();
      const reported = (unit: string, source: string, hour: number) =>
        event(unit, 1, { source, hour });
      const held = [
        reported('A', 'rows', 9),
        reported('B', 'rows', 10),
        reported('C', 'transactions', 20),
        reported('D', 'rows', 40),
        reported('E', 'rows', 41),
        reported('F', 'returns', 15),
        reported('G', 'rows', 30),
      ];
      await land(warehouse, target, { finance_event: held });
      const at = (hour: number) => day0 * secondsPerDay + hour * 3600;
      const cover = {
        first: day0,
        last: day0 + 1,
        parts: ['rows', 'transactions'],
        instants: { from: at(10), to: at(40) },
      };
      // The row of G is replaced by its own unit, and so is not counted.
      const landed = await land(
        warehouse,
        target,
        { finance_event: [reported('S', 'settlement', 12), reported('G', 'settlement', 31)] },
        { finance_event: cover },
      );
      assert.deepEqual(landed, {
        rows: { finance_event: 2 },
        rowsOlder: 0,
        rowsSuperseded: { rows: 2, transactions: 1 },
      });
      const expected = [
        reported('A', 'rows', 9),
        reported('E', 'rows', 41),
        reported('F', 'returns', 15),
        reported('G', 'settlement', 31),
        reported('S', 'settlement', 12),
      ];
      assert.deepEqual(await rowsOf('finance_event', target.channel), expected);
      assert.deepEqual(
        (await rowsOf('profit_slot', target.channel)).map((slot) => slot.slot_at),
        [9, 12, 15, 31, 41].map(at).sort(),
      );
      // A document without rows; a day without events has no rows in the rollup.
      const nothing = {
        first: day0 + 1,
        last: day0 + 1,
        parts: ['settlement', 'rows'],
        instants: { from: at(24), to: at(47) },
      };
      assert.deepEqual(await land(warehouse, target, {}, { finance_event: nothing }), {
        rows: {},
        rowsOlder: 0,
        rowsSuperseded: { settlement: 1, rows: 1 },
      });
      assert.deepEqual(
        (await rowsOf('profit_slot', target.channel)).map((slot) => slot.slot_at),
        [9, 12, 15].map(at),
      );
    });

    test('a document supersedes rows of other sources for the same order and instant', async () => {
      const target = fresh();
      const reported = (unit: string, source: string, order_id: string, hour: number) =>
        event(unit, 1, { source, order_id, hour });
      await land(warehouse, target, {
        finance_event: [
          reported('A', 'rows', 'O1', 100),
          reported('B', 'rows', 'O1', 101),
          reported('C', 'rows', '', 100),
          reported('D', 'returns', 'O1', 100),
          reported('E', 'rows', 'O2', 100),
          reported('F', 'rows', 'O3', 102),
        ],
      });
      // A row that is not kept supersedes nothing: F stays despite the first row of unit T.
      const document = {
        finance_event: [
          reported('S', 'settlement', 'O1', 100),
          reported('S2', 'settlement', '', 100),
          reported('T', 'settlement', 'O3', 102),
          reported('T', 'settlement', 'O3', 103),
        ],
      };
      const landed = await land(warehouse, target, document, {
        finance_event: { first: day0, last: day0, parts: ['rows'] },
      });
      assert.deepEqual(landed, {
        rows: { finance_event: 3 },
        rowsOlder: 0,
        rowsSuperseded: { rows: 1 },
      });
      assert.deepEqual(
        (await rowsOf('finance_event', target.channel)).map((one) => one.unit),
        ['B', 'C', 'D', 'E', 'F', 'S', 'S2', 'T'],
      );
    });

    test('unit costs change what was earned before they came, from their date on, and events find the costs that came before them', async () => {
      const target = fresh('America/New_York');
      const { channel } = target;
      const cost = (
        sku: string,
        day: number,
        cogs: bigint,
        cogs_currency: string,
        shipping: bigint,
        shipping_currency: string,
      ) =>
        row('unit_cost', {
          sku,
          effective_from: day0 + day,
          cogs: cogs * million,
          cogs_currency,
          shipping_cost: shipping * million,
          shipping_cost_currency: shipping_currency,
        });
      const figures = async () =>
        (await rowsOf('profit_product_day', channel)).map((one) => [
          Number(one.day) - day0,
          one.sku,
          one.currency,
          ...[one.sales, one.cogs, one.cogs_returned, one.shipping_fees].map(
            (amount) => Number(amount as bigint) / 1e6,
          ),
        ]);
      const sale = (unit: string, hour: number, sku: string, quantity: number, more: Cells = {}) =>
        event(unit, 1, { hour, sku, quantity, amount: 100n * million, ...more });
      // Without a carrier in the event, the catalogue says whether the marketplace shipped it.
      await land(warehouse, target, {
        finance_event: [
          sale('1', 1, 'A', 2),
          sale('2', 30, 'A', 3, { fulfillment: 'AFN' }),
          sale('3', 31, 'A', 1, { line: 'refunds', amount: -40n * million }),
          sale('4', 50, 'B', 4),
          sale('5', 51, 'A', -5, { line: 'cogs', amount: -7n * million }),
        ],
      });
      assert.deepEqual(await figures(), [
        [0, 'A', 'USD', 100, 0, 0, 0],
        [1, 'A', 'USD', 100, 0, 0, 0],
        [2, 'A', 'USD', 0, -7, 0, 0],
        [2, 'B', 'USD', 100, 0, 0, 0],
      ]);
      await land(warehouse, target, {
        unit_cost: [cost('A', 1, 5n, 'EUR', 2n, 'JPY'), cost('B', 0, 1n, 'USD', 3n, 'JPY')],
      });
      assert.deepEqual(await figures(), [
        [0, 'A', 'USD', 100, 0, 0, 0],
        [1, 'A', 'EUR', 0, -15, 5, 0],
        [1, 'A', 'USD', 100, 0, 0, 0],
        [2, 'A', 'USD', 0, 0, 0, 0],
        [2, 'B', 'JPY', 0, 0, 0, -12],
        [2, 'B', 'USD', 100, -4, 0, 0],
      ]);
      // A later cost in another currency applies; by the catalogue, the marketplace ships B.
      await land(warehouse, target, {
        unit_cost: [cost('A', 0, 9n, 'GBP', 2n, 'JPY')],
        product: [row('product', { sku: 'B', fulfilled_by_marketplace: 1 })],
      });
      await land(warehouse, target, {
        finance_event: [sale('6', 25, 'A', 1, { fulfillment: 'MFN' }), sale('7', 49, 'B', 1)],
      });
      assert.deepEqual(await figures(), [
        [0, 'A', 'GBP', 0, -18, 0, 0],
        [0, 'A', 'JPY', 0, 0, 0, -4],
        [0, 'A', 'USD', 100, 0, 0, 0],
        [1, 'A', 'EUR', 0, -20, 5, 0],
        [1, 'A', 'JPY', 0, 0, 0, -2],
        [1, 'A', 'USD', 200, 0, 0, 0],
        [2, 'A', 'USD', 0, 0, 0, 0],
        [2, 'B', 'USD', 200, -5, 0, 0],
      ]);
    });

    test('rollups are computed anew where what they watch has changed, and only there', async () => {
      const target = fresh();
      const { channel } = target;
      const computed = question<{ day: number; import_id: number }>(
        'computed',
        'SELECT DISTINCT day, import_id FROM profit_product_day WHERE channel = {channel:Int32} ORDER BY day',
      );
      /** The import that computed each day. */
      const since = async () =>
        (await warehouse.ask(computed, { channel }, limits)).map((one) => one.import_id);
      const cost = (sku: string, day: number, cogs: bigint) =>
        row('unit_cost', {
          sku,
          effective_from: day0 + day,
          cogs,
          cogs_currency: 'USD',
          shipping_cost_currency: 'USD',
        });
      const product = (sku: string, title: string, fulfilled_by_marketplace: number) =>
        row('product', { sku, title, fulfilled_by_marketplace });
      // Days so far from one another that those between are not computed along with them.
      const events = [0, 10, 20, 30, 40, 50].map((day) =>
        event(`U${day}`, 1, { hour: day * 24, sku: day === 20 ? 'B' : 'A' }),
      );
      const landing = async (document: Document) => {
        const importId = ++importsMade;
        const arrival = await warehouse.begin({ channel, importId });
        await stage(warehouse, arrival, document);
        await arrival.commit({}, target.timezone);
        return importId;
      };
      const one = await landing({ finance_event: events });
      assert.deepEqual(await since(), [one, one, one, one, one, one]);
      const two = await landing({ unit_cost: [cost('A', 40, 1n), cost('A', 30, 1n)] });
      assert.deepEqual(await since(), [one, one, one, two, two, two]);
      await landing({ unit_cost: [cost('A', 30, 1n), cost('A', 40, 1n)] });
      assert.deepEqual(await since(), [one, one, one, two, two, two]);
      const three = await landing({
        unit_cost: [cost('A', 30, 1n), cost('A', 40, 2n), cost('B', 10, 1n)],
      });
      assert.deepEqual(await since(), [one, one, three, two, three, three]);
      const four = await landing({ product: [product('B', 'one', 0), product('C', 'one', 1)] });
      assert.deepEqual(await since(), [one, one, four, two, three, three]);
      await landing({ product: [product('B', 'another', 0), product('C', 'another', 1)] });
      assert.deepEqual(await since(), [one, one, four, two, three, three]);
      const five = await landing({
        product: [product('B', 'first', 0), product('B', 'another', 1)],
      });
      assert.deepEqual(await since(), [one, one, five, two, three, three]);
    });

    test('an order remembers the last twenty of its earlier versions, oldest first, until it is forgotten', async () => {
      const target = fresh();
      const { channel } = target;
      const record = (order_id: string, updated_at: number, cells: Cells = {}) =>
        row('order_record', { order_id, updated_at, ...cells });
      const landing = async (...orders: readonly Cells[]) => {
        const importId = ++importsMade;
        const arrival = await warehouse.begin({ channel, importId });
        await stage(warehouse, arrival, { order_record: orders });
        const { rows, rowsOlder } = await arrival.commit({}, target.timezone);
        return { importId, landed: rows.order_record, rowsOlder };
      };
      const records = question(
        'records',
        'SELECT order_id, updated_at, import_id, status, versions FROM order_record WHERE channel = {channel:Int32} ORDER BY order_id',
      );
      const held = () => warehouse.ask(records, { channel }, limits);
      const one = await landing(record('A', 10), record('B', 10), record('C', 10));
      assert.deepEqual(
        (await held()).map((order) => [order.order_id, order.import_id, order.versions]),
        ['A', 'B', 'C'].map((order_id) => [order_id, one.importId, '']),
      );
      // An older version of B, and A twice in one document, whose own list of versions is ignored.
      const two = await landing(
        record('A', 11),
        record('B', 9),
        record('A', 12, { versions: '7:7' }),
      );
      assert.deepEqual([two.landed, two.rowsOlder], [1, 1]);
      const rowOf = (
        order_id: string,
        updated_at: number,
        import_id: number,
        versions: string,
        status = '',
      ) => ({
        order_id,
        updated_at,
        import_id,
        status,
        versions,
      });
      const restOfDay = [rowOf('B', 10, one.importId, ''), rowOf('C', 10, one.importId, '')];
      assert.deepEqual(await held(), [
        rowOf('A', 12, two.importId, `${one.importId}:10`),
        ...restOfDay,
      ]);
      // It is the same order on another day, too, and a version of the same instant is another one.
      const three = await landing(record('A', 12, { day: day0 + 1, status: 'Shipped' }));
      const before = `${one.importId}:10 ${two.importId}:12`;
      assert.deepEqual(await held(), [
        rowOf('A', 12, three.importId, before, 'Shipped'),
        ...restOfDay,
      ]);
      const later: string[] = [];
      for (let updated = 13; updated < 33; updated++)
        later.push(`${(await landing(record('A', updated))).importId}:${updated}`);
      const current = Number(later.at(-1)!.split(':')[0]);
      assert.deepEqual(await held(), [
        rowOf('A', 32, current, [`${three.importId}:12`, ...later.slice(0, -1)].join(' ')),
        ...restOfDay,
      ]);
      await warehouse.rebuild({ channel, importId: ++importsMade }, 'Asia/Tokyo');
      await warehouse.prune(0);
      assert.equal(
        (await held())[0]!.versions,
        [`${three.importId}:12`, ...later.slice(0, -1)].join(' '),
      );
      await warehouse.deleteFacts(channel);
      const last = await landing(record('A', 1));
      assert.deepEqual(await held(), [rowOf('A', 1, last.importId, '')]);
    });

    test('rows that stay keep the import that brought them, whatever lands around them', async () => {
      const target = fresh();
      const { channel } = target;
      const brought = async (document: Document, days: Record<string, Coverage> = {}) => {
        const importId = ++importsMade;
        const arrival = await warehouse.begin({ channel, importId });
        await stage(warehouse, arrival, document);
        await arrival.commit({ ...daysOf(document), ...days }, target.timezone);
        return importId;
      };
      const importsOf = async (table: string, of: string) => {
        const asked = question(
          'imports',
          `SELECT ${of} AS name, import_id FROM ${table} WHERE channel = {channel:Int32} ORDER BY ${of}`,
        );
        return (await warehouse.ask(asked, { channel }, limits)).map(
          (one) => `${one.name} ${one.import_id}`,
        );
      };
      const line = (order_id: string) =>
        orderLine({ order_id, purchased_at: day0 * secondsPerDay });
      const spent = (campaign_id: string, ad_type: string) =>
        row('campaign_day', { campaign_id, ad_type, currency: 'USD' });
      const products = ['A', 'B'].map((sku) => row('product', { sku }));
      const one = await brought({
        order_line: [line('A'), line('B')],
        product: products,
        finance_event: [event('A', 1, {}), event('B', 1, {})],
        campaign_day: [spent('A', 'SP'), spent('B', 'SB')],
      });
      const document = {
        order_line: [line('B')],
        product: products.slice(1),
        finance_event: [event('B', 1, {})],
        campaign_day: [spent('B', 'SB')],
      };
      const two = await brought(document, {
        campaign_day: { first: day0, last: day0, parts: ['SB'] },
      });
      for (const [table, of] of Object.entries({
        order_line: 'order_id',
        product: 'sku',
        finance_event: 'unit',
        campaign_day: 'campaign_id',
      })) {
        assert.deepEqual(await importsOf(table, of), [`A ${one}`, `B ${two}`], table);
      }
    });

    test('texts arrive as they are', async () => {
      const target = fresh();
      const titles = [
        '',
        '"',
        '""',
        '\\',
        '\\N',
        "it's",
        'a,b',
        'line\nbreak',
        'carriage\r\nreturn',
        ' spaces ',
        '\tx\t',
        'NULL',
        '名前 🙂',
        '{x:Int32}',
        '\u0001',
      ];
      const products = titles.map((title, place) =>
        row('product', {
          sku: `S${String(place).padStart(2, '0')}`,
          title,
          brand: title,
          price: -1n,
        }),
      );
      await land(warehouse, target, { product: products });
      assert.deepEqual(await rowsOf('product', target.channel), products);
      const texts = question(
        'texts',
        'SELECT title, brand FROM product WHERE channel = {channel:Int32} ORDER BY sku',
      );
      const streamed = await collected(
        warehouse.stream(texts, { channel: target.channel }, limits),
      );
      assert.deepEqual(
        streamed,
        titles.map((title) => ({ title, brand: title })),
      );
    });

    test('rows with the key of another row are reported by their lines', async () => {
      const target = fresh();
      const arrival = await warehouse.begin({ ...target, importId: ++importsMade });
      const traffic = (sku: string, day = 0) => row('traffic', { day: day0 + day, sku });
      const line = (id: string, updated_at: number) =>
        orderLine({ order_id: id, purchased_at: day0 * secondsPerDay, updated_at });
      await stage(
        warehouse,
        arrival,
        { traffic: [traffic('A'), traffic('B'), traffic('A'), traffic('A'), traffic('B', 1)] },
        1,
      );
      await stage(
        warehouse,
        arrival,
        { order_line: [line('A', 1), line('A', 3), line('A', 3), line('A', 2), line('B', 0)] },
        101,
      );
      const duplicatesOf = async (table: string) => {
        const found: DuplicateRow[] = [];
        for await (const page of arrival.duplicates(table)) found.push(...page);
        return found;
      };
      const expected = [
        { line: 3, keptLine: 1 },
        { line: 4, keptLine: 1 },
      ];
      assert.deepEqual(await duplicatesOf('traffic'), expected);
      assert.deepEqual(await duplicatesOf('traffic'), expected);
      assert.deepEqual(await duplicatesOf('order_line'), [
        { line: 101, keptLine: 103 },
        { line: 102, keptLine: 103 },
        { line: 104, keptLine: 103 },
      ]);
      assert.deepEqual(await duplicatesOf('product'), []);
      const landed = await arrival.commit(
        { traffic: { first: day0, last: day0 + 1 } },
        target.timezone,
      );
      assert.deepEqual(landed, {
        rows: { traffic: 3, order_line: 2 },
        rowsOlder: 0,
        rowsSuperseded: {},
      });
      const many = await warehouse.begin({ ...target, importId: ++importsMade });
      await stage(warehouse, many, {
        traffic: Array.from({ length: 6000 }, (_, place) => traffic(`S${place % 1000}`)),
      });
      const lines: number[] = [];
      for await (const page of many.duplicates('traffic'))
        lines.push(...page.map((one) => one.line));
      assert.deepEqual(
        lines,
        Array.from({ length: 5000 }, (_, place) => 1001 + place),
      );
      await many.discard();
    });

    test('an abandoned import leaves nothing, and a landed one is known by its number', async () => {
      const target = fresh();
      await land(warehouse, target, numbered(1));
      const abandoned = { ...target, importId: ++importsMade };
      const arrival = await warehouse.begin(abandoned);
      await stage(warehouse, arrival, numbered(2));
      assert.equal(
        await warehouse.read([target.channel], limits, (ask) => numberSeen(ask, target.channel)),
        1,
      );
      await arrival.discard();
      assert.equal(await warehouse.isCommitted(abandoned.importId), false);
      const next = { ...target, importId: ++importsMade };
      const landing = await warehouse.begin(next);
      await stage(warehouse, landing, numbered(3));
      await landing.commit(daysOf(numbered(3)), target.timezone);
      assert.equal(await warehouse.isCommitted(next.importId), true);
      assert.equal(
        await warehouse.read([target.channel], limits, (ask) => numberSeen(ask, target.channel)),
        3,
      );
      assert.deepEqual(readdirSync(warehouse.stagingFolder), []);
    });

    test('two imports are on their way at once, each into its channel', async () => {
      const targets = [fresh(), fresh()];
      const arrivals = await Promise.all(
        targets.map((target) => warehouse.begin({ ...target, importId: ++importsMade })),
      );
      await Promise.all(
        arrivals.map((arrival, place) => stage(warehouse, arrival, numbered(place + 5))),
      );
      await Promise.all(
        arrivals.map((arrival, place) =>
          arrival.commit(daysOf(numbered(1)), targets[place]!.timezone),
        ),
      );
      for (const [place, { channel }] of targets.entries()) {
        assert.equal(
          await warehouse.read([channel], limits, (ask) => numberSeen(ask, channel)),
          place + 5,
        );
      }
    });

    test('a question may read several channels and the facts of no customer', async () => {
      const targets = [fresh(), fresh()];
      for (const [place, target] of targets.entries())
        await land(warehouse, target, numbered(place + 1));
      await land(
        warehouse,
        { channel: 0, timezone: 'UTC' },
        { exchange_rate: [row('exchange_rate', { day: day0, currency: 'USD', per_euro: 1.25 })] },
      );
      const both = question(
        'both',
        `SELECT s.channel AS channel, sum(s.units) AS units, max(r.per_euro) AS per_euro
          FROM store_day AS s
         LEFT JOIN exchange_rate AS r ON r.channel = 0 AND r.day = s.day AND r.currency = s.currency
         WHERE one_of(s.channel, {channels:Array(Int32)}) GROUP BY s.channel ORDER BY s.channel`,
      );
      const asked = { channels: targets.map((target) => target.channel) };
      const expected = targets.map(({ channel }, place) => ({
        channel,
        units: 60 * (place + 1),
        per_euro: 1.25,
      }));
      assert.deepEqual(await warehouse.ask(both, asked, limits), expected);
      assert.deepEqual(
        await warehouse.read(asked.channels, limits, (ask) => ask(both, asked)),
        expected,
      );
    });

    test('readers during imports see one of them whole, never a mixture', {
      timeout: 60_000,
    }, async () => {
      const target = fresh('America/Los_Angeles');
      const { channel } = target;
      await land(warehouse, target, numbered(1));
      let landed = 1;
      let done = false;
      const reader = async () => {
        let seen = 0;
        while (!done) {
          const least = landed;
          const number = await warehouse.read([channel], limits, (ask) => numberSeen(ask, channel));
          assert.ok(
            number >= least && number >= seen,
            `${number} was seen after ${Math.max(least, seen)}`,
          );
          seen = number;
          const [held] = await warehouse.ask(questionsOfNumbered.lines, { channel }, limits);
          assert.deepEqual([held!.lines, held!.least], [60, held!.most]);
        }
      };
      const readers = [reader(), reader()];
      const writer = async () => {
        for (let number = 2; number <= 7; number++) {
          await land(warehouse, target, numbered(number));
          landed = number;
          if (number === 5) await warehouse.prune(1);
        }
      };
      await Promise.race([writer(), ...readers]).finally(() => {
        done = true;
      });
      await Promise.all(readers);
    });

    test('the deadline and a caller that leaves stop a question; others are answered meanwhile', {
      timeout: 120_000,
    }, async () => {
      const leaving = new AbortController();
      const slow = [
        assert.rejects(warehouse.ask(endless, {}, { deadlineMilliseconds: 700 }), DeadlineExceeded),
        assert.rejects(
          warehouse.read([], { deadlineMilliseconds: 900 }, (ask) => ask(endless, {})),
          DeadlineExceeded,
        ),
        assert.rejects(
          warehouse.ask(endless, {}, { ...limits, signal: leaving.signal }),
          RequestAbandoned,
        ),
      ];
      setTimeout(() => leaving.abort(), 500);
      for (let asked = 0; asked < 5; asked++)
        assert.deepEqual(await warehouse.ask(one, {}, { deadlineMilliseconds: 60_000 }), [
          { one: 1 },
        ]);
      await Promise.all(slow);
      await assert.rejects(
        warehouse.ask(one, {}, { ...limits, signal: AbortSignal.abort() }),
        RequestAbandoned,
      );
      await nothingGoesOn();
    });

    test('a million rows stream as they are taken, and nobody holds them all', {
      timeout: 300_000,
    }, async () => {
      const running =
        "SELECT count() FROM system.processes WHERE query LIKE '%repeat(%' AND query NOT LIKE '%processes%'";
      const before = process.memoryUsage().rss;
      let [count, sum, amounts, letters, most] = [0, 0, 0n, 0, 0];
      for await (const rows of warehouse.stream(millionRows, {}, longLimits)) {
        assert.ok(rows.length > 0);
        if (count === 0 && opened.url)
          assert.equal(await queryClickHouse(opened.url, running), '1');
        count += rows.length;
        for (const { number, text, amount } of rows) {
          sum += number;
          amounts += amount;
          letters += text.length;
        }
        most = Math.max(most, process.memoryUsage().rss);
      }
      // The numbers below a million have so many digits, and so on.
      const digitsBelow = 10 + 90 * 2 + 900 * 3 + 9000 * 4 + 90_000 * 5 + 900_000 * 6 + 48_576 * 7;
      assert.deepEqual(
        [count, sum, letters],
        [1_048_576, (1_048_576 * 1_048_575) / 2, 300 * 1_048_576 + digitsBelow],
      );
      assert.equal(amounts, BigInt(sum) * million);
      assert.ok(most - before < 250_000_000, `${most - before} bytes`);
    });

    test('an answer without rows streams as none', async () => {
      const none = question('none', "SELECT 1 AS one WHERE 'a' = 'b'");
      assert.deepEqual(await collected(warehouse.stream(none, {}, limits)), []);
      assert.deepEqual(await collected(warehouse.stream(one, {}, limits)), [{ one: 1 }]);
    });

    test('an answer that breaks off in the middle ends with an error, never as if it were whole', async () => {
      const isOfQuestion = (error: unknown) =>
        error instanceof Error &&
        !(error instanceof StoreUnavailable) &&
        !(error instanceof DeadlineExceeded);
      let seen = 0;
      const taking = async (portions: AsyncIterable<Row[]>) => {
        seen = 0;
        for await (const rows of portions) seen += rows.length;
      };
      await assert.rejects(taking(warehouse.stream(brokenRows, {}, longLimits)), isOfQuestion);
      assert.ok(seen > 0 && seen <= 400_000, `${seen} rows`);
      await assert.rejects(
        warehouse.read([], longLimits, (_, stream) => taking(stream(brokenRows, {}))),
        isOfQuestion,
      );
      assert.ok(seen > 0 && seen <= 400_000, `${seen} rows`);
      await assert.rejects(
        taking(warehouse.stream(question('wrong', 'SELECT secret_word FROM nowhere'), {}, limits)),
        isOfQuestion,
      );
      await assert.rejects(
        taking(warehouse.stream(question('changes', 'DROP TABLE warehouse_version'), {}, limits)),
        isOfQuestion,
      );
      // More often than there are connections for reading.
      for (let asked = 0; asked < 10; asked++)
        assert.deepEqual(await warehouse.ask(one, {}, limits), [{ one: 1 }]);
    });

    test('a stream that is left early or by an error releases its resources', {
      timeout: 30_000,
    }, async () => {
      for (let turn = 0; turn < (name === 'duckdb' ? 5 : 2); turn++) {
        for await (const rows of warehouse.stream(endlessRows, {}, limits)) {
          assert.ok(rows.length > 0);
          break;
        }
        const thrown = new Error('busy');
        const throwing = async () => {
          for await (const _ of warehouse.stream(endlessRows, {}, limits)) throw thrown;
        };
        await assert.rejects(throwing, (error) => error === thrown);
      }
      assert.deepEqual(await warehouse.ask(one, {}, { deadlineMilliseconds: 5000 }), [{ one: 1 }]);
      await nothingGoesOn();
    });

    test('the deadline and a leaving asker stop a stream, also while the asker is busy with a portion', {
      timeout: 30_000,
    }, async () => {
      const taking = async (portions: AsyncIterable<Row[]>) => {
        for await (const rows of portions) assert.ok(rows.length > 0);
      };
      const leaving = new AbortController();
      const lateLimits = { deadlineMilliseconds: 700 };
      const stopped = [
        assert.rejects(taking(warehouse.stream(endlessRows, {}, lateLimits)), DeadlineExceeded),
        assert.rejects(
          warehouse.read([], lateLimits, (_, stream) => taking(stream(endlessRows, {}))),
          DeadlineExceeded,
        ),
        assert.rejects(taking(warehouse.stream(endless, {}, lateLimits)), DeadlineExceeded),
      ];
      const abandoned = async () => {
        for await (const rows of warehouse.stream(
          endlessRows,
          {},
          { ...limits, signal: leaving.signal },
        )) {
          assert.ok(rows.length > 0);
          leaving.abort();
        }
      };
      await assert.rejects(abandoned, RequestAbandoned);
      await Promise.all(stopped);
      await assert.rejects(
        taking(warehouse.stream(one, {}, { ...limits, signal: leaving.signal })),
        RequestAbandoned,
      );
      // As many streams as DuckDB has connections: the question waits until they have ended.
      const busy = await Promise.all(
        Array.from({ length: name === 'duckdb' ? 8 : 1 }, async () => {
          const portions = warehouse
            .stream(endlessRows, {}, { deadlineMilliseconds: 4000 })
            [Symbol.asyncIterator]();
          assert.equal((await portions.next()).done, false);
          return portions;
        }),
      );
      assert.deepEqual(await warehouse.ask(one, {}, { deadlineMilliseconds: 20_000 }), [
        { one: 1 },
      ]);
      await nothingGoesOn();
      for (const portions of busy) await assert.rejects(portions.next(), DeadlineExceeded);
    });

    test('a stream is of one state, and a reading asks and streams within one', {
      timeout: 300_000,
    }, async () => {
      const target = fresh();
      const { channel } = target;
      await land(warehouse, target, numbered(1, 300));
      const lines = question<{ quantity: number; text: string }>(
        'lines',
        `${digits} SELECT quantity, repeat('x', 400) AS text FROM order_line CROSS JOIN digits AS d0 CROSS JOIN digits AS d1 WHERE channel = {channel:Int32}`,
      );
      /** Counts the rows of a stream and their imports; calls `between` after the first portion. */
      const collect = async (
        portions: AsyncIterable<{ quantity: number }[]>,
        between: () => Promise<unknown>,
      ) => {
        const numbersSeen = new Set<number>();
        let count = 0;
        for await (const rows of portions) {
          if (count === 0) await between();
          count += rows.length;
          for (const { quantity } of rows) numbersSeen.add(quantity);
        }
        return { count, numbersSeen: [...numbersSeen] };
      };
      const rowsMax = 300 * 256;
      const ofFirst = { count: rowsMax, numbersSeen: [1] };
      await warehouse.read([channel], longLimits, async (ask, stream) => {
        assert.equal(await numberSeen(ask, channel, 300), 1);
        const outside = await collect(warehouse.stream(lines, { channel }, longLimits), () =>
          land(warehouse, target, numbered(2, 300)),
        );
        assert.deepEqual(outside, ofFirst);
        assert.equal(await numberSeen(ask, channel, 300), 1);
        const inside = await collect(stream(lines, { channel }), async () => {
          await assert.rejects(ask(one, {}), /while an answer streams/);
          await assert.rejects(collected(stream(one, {})), /while an answer streams/);
        });
        assert.deepEqual(inside, ofFirst);
        for await (const _ of stream(lines, { channel })) break;
        assert.equal(await numberSeen(ask, channel, 300), 1);
        assert.deepEqual(await collected(stream(one, {})), [{ one: 1 }]);
      });
      assert.deepEqual(
        await collect(warehouse.stream(lines, { channel }, longLimits), async () => {}),
        { count: rowsMax, numbersSeen: [2] },
      );
      const late = await warehouse.read([channel], longLimits, async (_, stream) => ({
        portions: stream(one, {}),
      }));
      await assert.rejects(collected(late.portions), /after its read had ended/);
    });

    test('a rebuild moves the days of the rollup to another zone', async () => {
      const target = fresh('UTC');
      const model = new Model();
      const document = {
        order_line: [0, 5, 12, 23, 47, 71].map((hour) =>
          orderLine({
            order_id: `H${hour}`,
            purchased_at: day0 * secondsPerDay + hour * 3600,
            item_price: 3n * million,
          }),
        ),
        traffic: [row('traffic', { day: day0 + 1, sku: 'A', units: 4, currency: 'USD' })],
      };
      await land(warehouse, target, document);
      const [brought] = (await everything(warehouse, target.channel, true)).traffic as [Row];
      model.land(document, daysOf(document), Number(brought.import_id));
      for (const timezone of ['Pacific/Auckland', 'America/Los_Angeles', 'UTC']) {
        const importId = ++importsMade;
        await warehouse.rebuild({ ...target, importId }, timezone);
        assert.deepEqual(
          await everything(warehouse, target.channel, true),
          model.everything(timezone),
        );
        assert.equal(await warehouse.isCommitted(importId), true);
      }
    });

    test('a forgotten channel has no facts, others keep theirs, and it may begin again', async () => {
      const [target, other] = [fresh(), fresh()];
      for (const one of [target, other])
        await land(warehouse, one, { ...numbered(3), product: [row('product', { sku: 'A' })] });
      assert.deepEqual(
        (await warehouse.extents(target.channel)).map((reach) => ({ ...reach })),
        [
          { table: 'order_line', firstDay: day0, lastDay: day0 + 2, rows: 60 },
          { table: 'traffic_total', firstDay: day0, lastDay: day0 + 2, rows: 3 },
          { table: 'product', firstDay: null, lastDay: null, rows: 1 },
        ],
      );
      await warehouse.deleteFacts(target.channel);
      const empty = Object.fromEntries(factTables.map((table) => [table.name, []]));
      assert.deepEqual(await everything(warehouse, target.channel), empty);
      assert.deepEqual(await warehouse.extents(target.channel), []);
      assert.equal(
        await warehouse.read([other.channel], limits, (ask) => numberSeen(ask, other.channel)),
        3,
      );
      await warehouse.prune(0);
      assert.deepEqual(await everything(warehouse, target.channel), empty);
      await land(warehouse, target, numbered(4));
      assert.equal(
        await warehouse.read([target.channel], limits, (ask) => numberSeen(ask, target.channel)),
        4,
      );
    });

    test('migrating again, by several nodes at once, changes nothing', async () => {
      const target = fresh();
      await land(warehouse, target, numbered(2));
      await Promise.all([
        warehouse.migrate(),
        ...(name === 'clickhouse' ? [warehouse.migrate(), warehouse.migrate()] : []),
      ]);
      assert.equal(
        await warehouse.read([target.channel], limits, (ask) => numberSeen(ask, target.channel)),
        2,
      );
    });
  });
}

const quantity = fc.integer({ min: 0, max: 9 });
const price = fc.bigInt({ min: -5n * million, max: 99n * million });
const someDay = fc.integer({ min: day0, max: day0 + 4 });
const someId = fc.constantFrom('A', 'B', 'C', 'D');
const someCurrency = fc.constantFrom('USD', 'EUR');

/** A row of a table with any figures and few keys, so that keys repeat and days are met again. */
function someRow(table: string): fc.Arbitrary<Cells> {
  const columns = Object.entries(factTable(table).columns).map(
    ([column, type]): [string, fc.Arbitrary<Cells[string]>] => {
      if (column === 'purchased_at')
        return [
          column,
          fc.integer({ min: day0 * secondsPerDay, max: (day0 + 5) * secondsPerDay - 1 }),
        ];
      // Few, so that sources report the same instant.
      if (column === 'posted_at')
        return [
          column,
          fc
            .tuple(fc.integer({ min: 0, max: 11 }), fc.constantFrom(0, 0, 1234))
            .map(([tenHours, seconds]) => day0 * secondsPerDay + tenHours * 36_000 + seconds),
        ];
      if (column === 'line')
        return [
          column,
          fc.constantFrom(
            'sales',
            'sales',
            'refunds',
            'cogs',
            'balance',
            ...Object.keys(profitLines),
          ),
        ];
      if (column === 'order_id' && table === 'finance_event')
        return [column, fc.constantFrom('', 'A', 'B')];
      if (column === 'sku' && table === 'finance_event')
        return [column, fc.constantFrom('', 'A', 'B', 'C')];
      if (column === 'fulfillment') return [column, fc.constantFrom('AFN', 'MFN', '')];
      if (column === 'fulfilled_by_marketplace') return [column, fc.constantFrom(0, 1)];
      if (column.endsWith('_currency')) return [column, someCurrency];
      if (column === 'versions') return [column, fc.constant('')];
      if (column === 'updated_at') return [column, fc.integer({ min: 0, max: 3 })];
      // Few, so that rows repeat the traffic of others.
      if (/^(page_views|sessions|mobile_sessions|buy_box_views)$/.test(column))
        return [column, fc.constantFrom(0, 0, 0, 1)];
      if (column === 'buy_box_weighted') return [column, fc.constantFrom(0n, 0n, million)];
      if (column === 'status') return [column, fc.constantFrom('Shipped', 'Canceled', 'Removed')];
      if (column === 'currency') return [column, someCurrency];
      if (column === 'view')
        return [column, fc.constantFrom('MANUFACTURING', 'SOURCING', 'TRAFFIC')];
      if (type === 'Date') return [column, someDay];
      if (type === 'Amount') return [column, price];
      if (type === 'Text') return [column, someId];
      if (type === 'Float64') return [column, fc.constantFrom(0.1, 1, 117.25)];
      return [column, quantity];
    },
  );
  const any = fc.record(Object.fromEntries(columns), { noNullPrototype: true });
  const instant = ['purchased_at', 'posted_at'].find(
    (column) => column in factTable(table).columns,
  );
  return instant === undefined
    ? any
    : any.map((cells) => ({ ...cells, day: Math.floor(Number(cells[instant]) / secondsPerDay) }));
}

/** The coverage of a document of financial events. */
const someFinanceCover: fc.Arbitrary<Coverage> = fc
  .record({
    parts: fc.constantFrom<readonly string[]>([], ['A'], ['B', 'C'], ['A', 'B', 'C', 'D']),
    hours: fc.option(fc.tuple(fc.integer({ min: 0, max: 119 }), fc.integer({ min: 0, max: 30 }))),
  })
  .map(({ parts, hours }) => {
    if (hours === null) return { first: day0, last: day0 + 4, parts };
    const from = day0 * secondsPerDay + hours[0] * 3600;
    const instants = { from, to: from + hours[1] * 3600 };
    return {
      first: Math.floor(instants.from / secondsPerDay),
      last: Math.floor(instants.to / secondsPerDay),
      parts,
      instants,
    };
  });

const someTables = fc.oneof(
  fc.uniqueArray(fc.constantFrom(...facts.map((table) => table.name)), {
    minLength: 1,
    maxLength: 3,
  }),
  fc.uniqueArray(fc.constantFrom('finance_event', 'finance_claim', 'unit_cost', 'product'), {
    minLength: 1,
    maxLength: 3,
  }),
);

const someImport = someTables
  .chain((tables) =>
    fc.record({
      document: fc.record(
        Object.fromEntries(
          tables.map((table) => [table, fc.array(someRow(table), { maxLength: 12 })]),
        ),
      ),
      cover: fc.option(fc.constant({ first: day0, last: day0 + 4 }), { freq: 3 }),
      parts: fc.option(fc.constantFrom<readonly string[]>(['A'], ['B', 'C'])),
      financeCover: fc.option(someFinanceCover),
    }),
  )
  .map(({ document, cover, parts, financeCover }) => {
    const days: Record<string, Coverage> = daysOf(document);
    if (cover)
      for (const table of Object.keys(document))
        if (factTable(table).replacement === 'byDay') days[table] = cover;
    const spokenFor = { ...document };
    for (const [table, span] of Object.entries(days)) {
      const { partition: part } = factTable(table);
      if (part === undefined || parts === null) continue;
      spokenFor[table] = document[table]!.filter((cells) => parts.includes(String(cells[part])));
      days[table] = { ...span, parts };
    }
    if (financeCover) days.finance_event = financeCover;
    return { document: spokenFor, days };
  });

const someStep = fc.oneof(
  { weight: 12, arbitrary: someImport.map((one) => ({ ...one, kind: 'import' as const })) },
  { weight: 2, arbitrary: fc.constant({ kind: 'sweep' as const }) },
  { weight: 2, arbitrary: someImport.map((one) => ({ ...one, kind: 'abandon' as const })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('Asia/Tokyo', 'America/New_York')
      .map((timezone) => ({ kind: 'rebuild' as const, timezone })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'forget' as const }) },
);

test('any sequence of imports leaves the same facts and rollups on both engines as in TypeScript', {
  timeout: 120_000,
}, async () => {
  const both = await Promise.all(engines.map((engine) => engine.open()));
  let channel = 0;
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(someStep, { minLength: 1, maxLength: 5 }),
        fc.constantFrom<string>('UTC', 'America/Los_Angeles', 'Pacific/Auckland'),
        async (steps, zone) => {
          channel++;
          let timezone = zone;
          let model = new Model();
          for (const step of steps) {
            const importId = ++importsMade;
            const landing = { channel, importId };
            const zoneBefore = timezone;
            const expected =
              step.kind === 'import' ? model.land(step.document, step.days, importId) : undefined;
            if (step.kind === 'rebuild') timezone = step.timezone;
            if (step.kind === 'forget') model = new Model();
            await Promise.all(
              both.map(async ({ warehouse }) => {
                if (step.kind === 'sweep') await warehouse.prune(0);
                else if (step.kind === 'forget') await warehouse.deleteFacts(channel);
                else if (step.kind === 'rebuild') await warehouse.rebuild(landing, timezone);
                else {
                  const arrival = await warehouse.begin(landing);
                  await stage(warehouse, arrival, step.document);
                  if (step.kind === 'abandon') await arrival.discard();
                  else
                    assert.deepEqual(
                      await arrival.commit(step.days, zoneBefore),
                      expected,
                      warehouse.engine,
                    );
                }
              }),
            );
          }
          const expected = model.everything(timezone);
          for (const { warehouse } of both)
            assert.deepEqual(
              await everything(warehouse, channel, true),
              expected,
              warehouse.engine,
            );
        },
      ),
      { numRuns: Math.ceil(8 * testDepth) },
    );
  } finally {
    for (const one of both) await one.close();
  }
});

test('a sweep frees what was replaced and what never landed, and answers stay the same', async () => {
  const { warehouse, url, close } = await openServed();
  try {
    const sql = (text: string) => queryClickHouse(url!, text);
    const target = { channel: 1, timezone: 'Europe/Berlin' };
    for (let number = 1; number <= 4; number++) await land(warehouse, target, numbered(number));
    await sql(
      "INSERT INTO channel_version (channel, version, import_id, state, at) VALUES (1, 5, 900, 'begun', now64(3) - toIntervalDay(2))",
    );
    await sql(
      `INSERT INTO visible_day (channel, fact, day, version) VALUES (1, 'order_line', '${isoDate(day0)}', 5)`,
    );
    await sql(
      `INSERT INTO all_order_line (channel, day, version, quantity) VALUES (1, '${isoDate(day0)}', 5, 77)`,
    );
    const forgotten = Math.floor(Date.now() / 1000 - 2 * secondsPerDay) * 2 ** 20;
    await sql(`INSERT INTO staged_product (batch, sku) VALUES (${forgotten}, 'A')`);
    const count = async () =>
      (
        await sql(
          "SELECT (SELECT count() FROM all_order_line), (SELECT count() FROM visible_day), (SELECT count() FROM staged_product), (SELECT countIf(state = 'discarded') FROM channel_version)",
        )
      )
        .split('\t')
        .map(Number);
    const lines = (await everything(warehouse, 1)).order_line!;
    assert.deepEqual(
      lines.map((line) => line.quantity),
      Array(60).fill(4),
    );
    await land(warehouse, target, {
      campaign_day: [row('campaign_day', { campaign_id: 'A', clicks: 5, currency: 'USD' })],
    });
    const seen = await everything(warehouse, 1);
    assert.deepEqual(seen.order_line, lines);
    assert.deepEqual(await count(), [241, 4 * (3 + 3 + 3 + 5) + 1 + 2, 1, 1]);
    await warehouse.prune(3600);
    assert.deepEqual(await count(), [240, 4 * (3 + 3 + 3 + 5) + 2, 0, 1]);
    assert.deepEqual(await everything(warehouse, 1), seen);
    await warehouse.prune(0);
    assert.deepEqual(await count(), [60, 3 + 3 + 3 + 5 + 1, 0, 1]);
    assert.deepEqual(await everything(warehouse, 1), seen);
    await land(warehouse, target, numbered(6));
    assert.equal(await warehouse.read([1], limits, (ask) => numberSeen(ask, 1)), 6);
  } finally {
    await close();
  }
});

test('DuckDB killed by SIGKILL while it lands has the old facts or the new ones, and all that was acknowledged', {
  timeout: 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-killed-'));
  const documents = await mkdtemp(join(tmpdir(), 'vitrine-killed-'));
  const spans = daysOf(numbered(1));
  for (let number = 1; number <= 40; number++) {
    for (const [table, lines] of Object.entries(staged(numbered(number, 3000))))
      writeFileSync(join(documents, `${table}-${number}.csv`), lines);
  }
  const script = `
    import { copyFileSync } from 'node:fs';
    import { openDuckdb } from ${JSON.stringify(import.meta.resolve('./duckdb/warehouse.ts'))};
    const warehouse = await openDuckdb(${JSON.stringify(folder)});
    await warehouse.migrate();
    for (let number = Number(process.argv[1]); number <= 40; number++) {
      const arrival = await warehouse.begin({ importId: number, channel: 1 });
      for (const table of ['order_line', 'traffic_total']) {
        const file = warehouse.stagingFolder + '/' + table + '.csv';
        copyFileSync(${JSON.stringify(documents)} + '/' + table + '-' + number + '.csv', file);
        await arrival.stage(table, file);
      }
      console.log('committing ' + number);
      await arrival.commit(${JSON.stringify(spans)}, 'America/Los_Angeles');
      console.log('committed ' + number);
    }`;
  try {
    let seen = 0;
    for (let round = 0; round < 3; round++) {
      const child = spawn(
        process.execPath,
        ['--input-type=module', '--eval', script, String(seen + 1)],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
      while (!output.includes('committing')) await delay(5);
      await delay(Math.random() * 250);
      child.kill('SIGKILL');
      await once(child, 'close');
      const acknowledged = Math.max(
        seen,
        ...[...output.matchAll(/committed (\d+)/g)].map((match) => Number(match[1])),
      );
      const warehouse = await openDuckdb(folder);
      await warehouse.migrate();
      const number = await warehouse.read([1], limits, (ask) => numberSeen(ask, 1, 3000));
      assert.ok(
        number === acknowledged || number === acknowledged + 1,
        `${number} after ${acknowledged} was acknowledged`,
      );
      assert.deepEqual(
        [await warehouse.isCommitted(number), await warehouse.isCommitted(number + 1)],
        [number > 0, false],
      );
      await warehouse.close();
      seen = number;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(documents, { recursive: true, force: true });
  }
});

test('ClickHouse killed by SIGKILL while an import lands has the old facts or the new ones, and all that was acknowledged', {
  timeout: 90_000,
}, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'vitrine-killed-'));
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-killed-'));
  const target = { channel: 1, timezone: 'America/Los_Angeles' };
  let server = await startClickHouse({ directory });
  try {
    let seen = 0;
    for (let round = 0; round < 3; round++) {
      const warehouse = await openClickhouse(server.url, folder);
      await warehouse.migrate();
      let acknowledged = seen;
      let isDead = false;
      const killing = delay(200 + Math.random() * 500).then(async () => {
        isDead = true;
        await server.kill();
      });
      try {
        for (let number = seen + 1; ; number++) {
          const arrival = await warehouse.begin({ ...target, importId: number });
          await stage(warehouse, arrival, numbered(number));
          await arrival.commit(daysOf(numbered(number)), target.timezone);
          acknowledged = number;
        }
      } catch (error) {
        assert.ok(isDead && error instanceof StoreUnavailable, String(error));
      }
      await killing;
      await assert.rejects(warehouse.ping(), StoreUnavailable);
      await warehouse.close();
      server = await startClickHouse({ directory });
      const again = await openClickhouse(server.url, folder);
      const number = await again.read([1], limits, (ask) => numberSeen(ask, 1));
      assert.ok(
        number === acknowledged || number === acknowledged + 1,
        `${number} after ${acknowledged} was acknowledged`,
      );
      assert.deepEqual(
        [await again.isCommitted(number), await again.isCommitted(number + 1)],
        [number > 0, false],
      );
      await again.close();
      seen = number;
    }
  } finally {
    await server.stop();
    for (const path of [directory, folder]) await rm(path, { recursive: true, force: true });
  }
});

test('ClickHouse that dies while an answer streams, or an answer cut short on the way, is unavailable', {
  timeout: 60_000,
}, async () => {
  const server = await startClickHouse();
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-warehouse-'));
  const { origin } = new URL(server.url);
  // Drops the last line of a streamed answer, like a proxy that hides a broken connection.
  const proxy = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const headers = {
      authorization: request.headers.authorization!,
      'content-type': request.headers['content-type'] ?? 'text/plain',
    };
    const answer = await fetch(origin + request.url, {
      method: request.method!,
      headers,
      ...(body.length > 0 && { body }),
    });
    response.writeHead(answer.status, { 'content-type': 'text/plain' });
    response.end((await answer.text()).replace(/(?<=\]\n)end\n$/, ''));
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  try {
    const passed = new URL(server.url);
    passed.port = String((proxy.address() as AddressInfo).port);
    const behind = await openClickhouse(passed.href, folder);
    assert.deepEqual(await behind.ask(one, {}, limits), [{ one: 1 }]);
    let seen = 0;
    const taking = async (
      portions: AsyncIterable<Row[]>,
      then: () => Promise<void> | undefined,
    ) => {
      seen = 0;
      for await (const rows of portions) {
        seen += rows.length;
        await then();
      }
    };
    await assert.rejects(
      taking(behind.stream(one, {}, limits), () => undefined),
      StoreUnavailable,
    );
    assert.equal(seen, 1);
    await behind.close();
    const warehouse = await openClickhouse(server.url, folder);
    let killed: Promise<void> | undefined;
    const kill = () => {
      killed ??= server.kill();
      return killed;
    };
    await assert.rejects(taking(warehouse.stream(endlessRows, {}, limits), kill), StoreUnavailable);
    assert.ok(seen > 0);
    await warehouse.close();
  } finally {
    proxy.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test('ClickHouse that does not answer, or does not know the user, is unavailable', async () => {
  const stores = await freshStores();
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-warehouse-'));
  const wrong = new URL(stores.clickhouseUrl);
  wrong.password = 'wrong';
  await assert.rejects(openClickhouse(wrong.href, folder), StoreUnavailable);
  await assert.rejects(
    openClickhouse('http://vitrine:secret@127.0.0.1:9/none', folder),
    StoreUnavailable,
  );
  await rm(folder, { recursive: true });
  await stores.drop();
});

test('a user of ClickHouse who may only read asks questions', async () => {
  const server = await startClickHouse();
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-warehouse-'));
  try {
    const writer = await openClickhouse(server.url, folder);
    await writer.migrate();
    await land(writer, { channel: 1, timezone: 'UTC' }, numbered(7));
    const reader = await openClickhouse(server.readOnlyUrl, folder);
    assert.equal(await reader.read([1], limits, (ask) => numberSeen(ask, 1)), 7);
    assert.deepEqual(await collected(reader.stream(one, {}, limits)), [{ one: 1 }]);
    await assert.rejects(reader.ask(endless, {}, { deadlineMilliseconds: 300 }), DeadlineExceeded);
    await assert.rejects(land(reader, { channel: 1, timezone: 'UTC' }, numbered(8)));
    await reader.close();
    await writer.close();
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a change that somebody else has gone ahead of, its lock being lost, does not land', async () => {
  const { warehouse, url, close } = await openServed();
  try {
    const target = { channel: 1, timezone: 'UTC' };
    await land(warehouse, target, numbered(1));
    const late = assert.rejects(land(warehouse, target, numbered(2)), StoreUnavailable);
    const begun = 'SELECT count() FROM channel_version WHERE version = 2';
    while ((await queryClickHouse(url!, begun)) === '0') await delay(1);
    await queryClickHouse(
      url!,
      "INSERT INTO channel_version (channel, version, import_id, state) VALUES (1, 3, 900, 'begun')",
    );
    await late;
    assert.equal(await warehouse.read([1], limits, (ask) => numberSeen(ask, 1)), 1);
    await land(warehouse, target, numbered(3));
    assert.equal(await warehouse.read([1], limits, (ask) => numberSeen(ask, 1)), 3);
  } finally {
    await close();
  }
});
