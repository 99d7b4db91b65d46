/** The promises of the warehouse in plain TypeScript, to compare both engines with. */
import { facts, factTable, rollups } from '../schema/warehouse/tables.ts';
import { isoDate, localDay } from '../src/calendar/period.ts';
import type { CommitResult, Coverage } from '../src/engine/warehouse.ts';
import { type Cells, type Document, keyOf, secondsPerDay, sorted } from './warehouse.ts';
import { fieldsOf } from './world.ts';

/** The keys of a row of a rollup, and figures that add to it. */
type Share = readonly [keys: Cells, figures: Cells];

/** The rows of a rollup: the shares of each are added up. */
function summed(name: string, shares: readonly Share[]): Cells[] {
  const { columns } = rollups.find((rollup) => rollup.name === name)!;
  const zeros = Object.entries(columns).map(([column, type]) => [
    column,
    type === 'Amount' ? 0n : 0,
  ]);
  const rows = new Map<string, Record<string, Cells[string]>>();
  for (const [keys, figures] of shares) {
    const key = Object.values(keys).join(' ');
    const sums = rows.get(key) ?? { ...Object.fromEntries(zeros), ...keys };
    rows.set(key, sums);
    for (const [column, value] of Object.entries(figures))
      sums[column] =
        typeof value === 'bigint'
          ? (sums[column] as bigint) + value
          : Number(sums[column]) + Number(value);
  }
  return [...rows.values()];
}

/** Some cells of a row. */
const pick = (cells: Cells, ...columns: string[]): Cells =>
  Object.fromEntries(columns.map((column) => [column, cells[column]!]));

/** Where each line of the profit and loss is added up; `balance` nowhere. */
export const profitLines: Readonly<Record<string, string>> = fieldsOf(`
  sales, promotions, refunds, reimbursements, otherIncome,  advertisingSpend
  sales, promotions, refunds, reimbursements, other_income, advertising
  sellingFees,  shippingFees,  refundsAndReturnsOverheads, cogs, otherExpenses
  selling_fees, shipping_fees, overheads,                  cogs, other_expenses`);

/** The figures of a financial event, without unit costs. */
function figuresOf({ line, amount, tax, source }: Cells): Cells {
  const isTaxOfSales =
    line === 'sales' || (['otherIncome', 'promotions'].includes(String(line)) && source !== 'rows');
  const figure = profitLines[String(line)];
  return {
    ...(figure && { [figure]: amount! }),
    ...(isTaxOfSales && { sales_tax: tax! }),
    ...(line === 'refunds' && { refunds_tax: tax! }),
  };
}

/** Rows with the same values in these columns are of the same visits. */
const trafficColumns = `product_id parent_product_id day page_views sessions mobile_sessions
  buy_box_weighted buy_box_views`.split(/\s+/);

/** The facts and rollups of a channel. Facts have the number of their import. */
export class Model {
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
        const { partition, spansByRow } = factTable(table);
        for (const [key, cells] of held) {
          const isOfParts = parts === undefined || parts.includes(String(cells[partition!]));
          const isOlder = spansByRow === true && Number(cells.since) < first;
          const isSpokenFor = (isOfParts && !isOlder) || incoming.has(key);
          if (Number(cells.day) >= first && Number(cells.day) <= last && isSpokenFor)
            held.delete(key);
        }
      }
      if (keeping === 'byUnit') {
        const { parts = [], instants } = days[table] ?? {};
        const arriving = [...incoming.values()];
        for (const [key, cells] of held) {
          const at = Number(cells.posted_at);
          const isWithin = instants?.some(({ from, to }) => at >= from && at <= to) ?? false;
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
        const traffic = trafficColumns.map((column) => cells[column]).join();
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

  /** Removes figures of advertising, given as `partition@id@date`, of campaigns or ad groups. */
  supersede(table: string, superseded: ReadonlySet<string>): void {
    const id = table === 'campaign_day' ? 'campaign_id' : 'ad_group_id';
    const held = this.tables.get(table)!;
    for (const [key, { report, day, [id]: own }] of held)
      if (superseded.has(`${report}@${own}@${isoDate(Number(day))}`)) held.delete(key);
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
    held.profit_slot = sorted('profit_slot', this.#profits());
    held.profit_product_day = sorted('profit_product_day', this.#productDays());
    return held;
  }

  /** The profit and loss per quarter of an hour. */
  #profits(): Cells[] {
    const shares: Share[] = [];
    for (const event of this.of('finance_event')) {
      const at = Number(event.posted_at);
      const day = Math.floor(at / secondsPerDay);
      const book = (currency: Cells[string], figures: Cells) =>
        shares.push([{ day, currency, slot_at: at - (at % 900) }, figures]);
      const cost = this.of('unit_cost')
        .filter((one) => one.sku === event.sku && Number(one.effective_from) <= day)
        .sort((a, b) => Number(b.effective_from) - Number(a.effective_from))[0];
      const figures = figuresOf(event);
      // Where its own cost of goods does not count, it still leaves its row.
      book(event.currency!, event.line === 'cogs' && cost !== undefined ? {} : figures);
      const units = BigInt(event.quantity!);
      if (!cost || units === 0n) continue;
      const cogs = units * (cost.cogs as bigint);
      if (event.line === 'refunds') book(cost.cogs_currency!, { cogs_returned: cogs });
      if (event.line !== 'sales') continue;
      book(cost.cogs_currency!, { cogs: -cogs });
      const isMarketplaces = this.of('product').some(
        (one) => one.sku === event.sku && one.fulfilled_by_marketplace === 1,
      );
      const isSellers =
        event.fulfillment === 'MFN' || (event.fulfillment === '' && !isMarketplaces);
      const shipping_fees = -units * (cost.shipping_cost as bigint);
      if (isSellers && shipping_fees !== 0n) book(cost.shipping_cost_currency!, { shipping_fees });
    }
    return summed('profit_slot', shares);
  }

  /** The figures of events per UTC day and SKU, and the units that unit costs apply to. */
  #productDays(): Cells[] {
    const events = this.of('finance_event').filter(({ sku }) => sku !== '');
    return summed(
      'profit_product_day',
      events.map((event) => {
        const { line, fulfillment, quantity } = event;
        const day = Math.floor(Number(event.posted_at) / secondsPerDay);
        const units = Number(quantity);
        return [
          { day, ...pick(event, 'sku', 'currency') },
          {
            ...figuresOf(event),
            ...(line === 'sales' && { units_sold: units }),
            ...(line === 'sales' && fulfillment === 'MFN' && { units_sent: units }),
            ...(line === 'sales' && fulfillment === '' && { units_unassigned: units }),
            ...(line === 'refunds' && { units_returned: units }),
          },
        ];
      }),
    );
  }

  #vendorDays(): Cells[] {
    const totals = this.of('vendor_total');
    const isTotal = (one: Cells) =>
      totals.some((total) => total.day === one.day && total.report === one.report);
    const counted = [...totals, ...this.of('vendor_sale').filter((one) => !isTotal(one))];
    return summed(
      'vendor_day',
      counted.map((one) => {
        const byTraffic = counted.some(({ day, view }) => day === one.day && view === 'TRAFFIC');
        const isOfViews = one.view === (byTraffic ? 'TRAFFIC' : 'MANUFACTURING');
        const { shipped_revenue = 0n, shipped_units = 0, shipped_cogs = 0n } = one;
        return [
          pick(one, 'day', 'currency'),
          {
            ...(isOfViews && pick(one, 'glance_views')),
            ...(one.view === 'SOURCING' && { shipped_revenue, shipped_units, shipped_cogs }),
            ...(one.view === 'MANUFACTURING' && {
              ...pick(one, 'ordered_revenue', 'ordered_units'),
              shipped_revenue_manufacturing: shipped_revenue,
              shipped_units_manufacturing: shipped_units,
              shipped_cogs_manufacturing: shipped_cogs,
            }),
          },
        ];
      }),
    );
  }

  #searchMonths(): Cells[] {
    return summed(
      'search_month',
      this.of('search_query').map((found) => {
        const { import_id, day, asin, currency, search_query, ...one } = found;
        const {
          total_median_purchase_price: market,
          median_purchase_price: own,
          median_click_price: clicked,
          ...counts
        } = one;
        const price =
          [own, market, clicked].map((value) => BigInt(value!)).find((value) => value > 0n) ??
          BigInt(clicked!);
        const revenue = BigInt(one.purchases!) * price;
        const total_revenue = BigInt(one.total_purchases!) * BigInt(market!);
        return [pick(found, 'day', 'asin', 'currency'), { ...counts, revenue, total_revenue }];
      }),
    );
  }

  #slots(): Cells[] {
    return summed(
      'order_slot',
      this.of('order_line').map((line) => {
        const slot_at = Math.floor(Number(line.purchased_at) / 900) * 900;
        return [{ slot_at, ...pick(line, 'day', 'currency') }, sales(line)];
      }),
    );
  }

  #storeDays(timezone: string): Cells[] {
    const lines = this.of('order_line');
    const instants = lines.map((line) => Number(line.purchased_at));
    const ordersFrom =
      lines.length === 0 ? Number.POSITIVE_INFINITY : localDay(timezone, Math.min(...instants));
    const shareOf = (day: number, { currency }: Cells, figures: Cells): Share => [
      { day, currency: currency!, orders_cover: day >= ordersFrom ? 1 : 0 },
      figures,
    ];
    const totals = this.of('traffic_total');
    const daysWithTotal = new Set(totals.map((total) => total.day));
    const traffic = this.of('traffic').filter((product) => !daysWithTotal.has(product.day!));
    return summed('store_day', [
      ...lines.map((line) =>
        shareOf(localDay(timezone, Number(line.purchased_at)), line, sales(line)),
      ),
      ...[...totals, ...traffic].map((one) =>
        shareOf(Number(one.day), one, {
          ...(one.repeats_traffic !== 1 &&
            pick(one, 'page_views', 'sessions', 'buy_box_weighted', 'buy_box_views')),
          traffic_revenue: one.revenue!,
          traffic_units: one.units!,
          daily_rows: 1,
          traffic_order_items: one.order_items!,
        }),
      ),
      ...this.of('campaign_day').map((one) =>
        shareOf(Number(one.day), one, {
          ...pick(one, 'impressions', 'clicks'),
          ad_cost: one.cost!,
          ad_sales: one.sales!,
          daily_rows: 1,
        }),
      ),
    ]);
  }
}

/** The sales of an order line. */
const sales = (line: Cells): Cells =>
  line.status === 'Canceled'
    ? {}
    : { line_items: 1, units: line.quantity!, ...pick(line, 'item_price', 'item_tax') };
