/**
 * Reads orders with their items: the nested rows of the dataset `orders`, and documents. Some
 * documents have orders and items in separate rows, and some do not number items. An order becomes
 * an order record, and each item an order line. An order without items updates the state of its
 * existing lines. Items without their order take its existing state. Updates are compared with
 * existing orders in blocks.
 */
import { factTable } from '../../../schema/warehouse/tables.ts';
import type { DateRange } from '../../engine/warehouse.ts';
import type { ColumnValue } from '../cells/fields.ts';
import { outsideReason, type RowOutput } from '../rows.ts';
import { checkItems, checkOrder } from './fields.ts';
import {
  addLine,
  dayOf,
  type ExistingOrders,
  type ExistingRecord,
  type Item,
  idsByNumber,
  idsBySku,
  later,
  type OrderLine,
  type OrderLookup,
  type OrderState,
  stateColumns,
} from './lines.ts';

const recordColumns = Object.keys(factTable('order_record').columns);
const lineColumns = Object.keys(factTable('order_line').columns);
/** How many orders of a document are remembered, in case they come again. */
const statesMax = 100_000;
/** How many of them are remembered with their lines. */
const linedOrdersMax = 10_000;
/** How many orders are looked up at a time. */
const blockSize = 2000;
const allDays: DateRange = { first: 0, last: 100_000 };
const canceled = 'Canceled';

/** How a source describes orders. */
export type OrderSource = {
  /** Whether unknown fields are ignored instead of rejected. */
  readonly lenient: boolean;
  /**
   * Whether the source does not number items and has only some of the fields. Then items are
   * matched to existing lines by SKU, and missing fields keep their existing values.
   */
  readonly sparse?: boolean;
};

/** An order as read from a document, before it is compared with the existing order. */
type OrderUpdate = {
  readonly id: string;
  /** Its lines in the document. */
  readonly lines: readonly number[];
  readonly sparse: boolean;
  /** Missing if the document has only the items. */
  readonly order?: {
    readonly state: OrderState;
    readonly fields: Readonly<Record<string, unknown>>;
    readonly sealedEmail: string;
  };
  /** Missing if the document has only the order. */
  readonly items?: readonly Item[];
};

/** Stages orders and their items. */
export class OrderReader {
  readonly #output: RowOutput;
  readonly #lookUp: (lookup: OrderLookup) => Promise<ExistingOrders>;
  /** The orders of this document, in their latest versions. */
  readonly #states = new Map<string, OrderState>();
  /** Their lines by id, and the orders whose lines are no longer remembered. */
  readonly #lines = new Map<string, Map<string, OrderLine>>();
  readonly #linesDropped = new Set<string>();
  #waiting: OrderUpdate[] = [];
  /** Accepted rows of the document. */
  rowsAccepted = 0;

  constructor(output: RowOutput, lookUp: (lookup: OrderLookup) => Promise<ExistingOrders>) {
    this.#output = output;
    this.#lookUp = lookUp;
  }

  /**
   * Reads the order at these lines, with its items if it has any. Returns false if it is rejected.
   */
  order(
    row: Readonly<Record<string, unknown>>,
    at: number | readonly number[],
    { lenient, sparse = false }: OrderSource,
  ): boolean {
    const lines = typeof at === 'number' ? [at] : at;
    const { Items: items, OrderId: alias, ...rest } = row;
    const problems: string[] = [];
    const named = alias === undefined ? rest : { PlatformOrderId: alias, ...rest };
    const record = checkOrder(named, lenient, problems);
    if (items !== undefined && !Array.isArray(items)) problems.push('Items must be a list');
    if (problems.length > 0) return this.#reject(lines, [...new Set(problems)].join(', '));
    const { BuyerInfo: buyer, ...fields } = record;
    const email = (buyer as { BuyerEmail?: string } | undefined)?.BuyerEmail ?? '';
    const { context, dateRange } = this.#output;
    const state: OrderState = {
      purchasedAt: secondsOf(record.PurchaseDate),
      updatedAt: record.LastUpdateDate === undefined ? 0 : secondsOf(record.LastUpdateDate),
      status: (record.OrderStatus as string | undefined) ?? 'Shipped',
      customer: context.hashCustomer(email),
    };
    const day = dayOf(state);
    if (dateRange && (day < dateRange.first || day > dateRange.last))
      return this.#reject(lines, outsideReason);
    const total = record.OrderTotal as { CurrencyCode?: string } | undefined;
    const checked = Array.isArray(items)
      ? this.#checkedItems(items, total?.CurrencyCode, lines, sparse)
      : undefined;
    if (Array.isArray(items) && checked === undefined) return false;
    this.#waiting.push({
      id: record.PlatformOrderId as string,
      lines,
      sparse,
      order: { state, fields, sealedEmail: email === '' ? '' : context.seal(email) },
      ...(checked && { items: checked }),
    });
    return true;
  }

  /** Reads items of an order that was read earlier, in this document or another import. */
  items(orderId: string, items: readonly unknown[], line: number): void {
    const checked = this.#checkedItems(items, undefined, [line], false);
    if (checked) this.#waiting.push({ id: orderId, lines: [line], sparse: false, items: checked });
  }

  /** Stages the orders read so far if they fill a block. */
  async flush(): Promise<void> {
    if (this.#waiting.length >= blockSize) await this.flushAll();
  }

  /** Stages all orders read so far. */
  async flushAll(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let start = 0; start < waiting.length; start += blockSize) {
      const updates = waiting.slice(start, start + blockSize);
      const existing = await this.#lookUp({
        orderIds: [...new Set(updates.map(({ id }) => id))],
        days: lookupDays(updates),
        withRecords: updates.some(({ sparse }) => sparse),
      });
      for (const update of updates) this.#apply(update, existing);
    }
  }

  #apply(update: OrderUpdate, existing: ExistingOrders): void {
    const { id, lines, order, items } = update;
    const inDocument = this.#states.get(id);
    const before = later(existing.states.get(id), inDocument);
    if (!order && !before) {
      const shownId = id.slice(0, 40);
      this.#reject(lines, `the order ${shownId} of these items is unknown: import the order first`);
      return;
    }
    if (!items && this.#linesDropped.has(id)) {
      this.#reject(lines, 'comes too late after its items: import it in a separate document');
      return;
    }
    const known = this.#knownLines(id, existing);
    if (items) this.#stageItems(update, items, known, order?.state ?? inDocument, before);
    else this.#stageState(update, known, before);
    if (order) {
      this.#stageRecord(update, order, before, existing.records.get(id));
      this.#remember(id, later(inDocument, order.state)!);
    }
    this.rowsAccepted += lines.length;
  }

  /**
   * Stages items in the state of their own version, or in the known state if the document has only
   * the items.
   */
  #stageItems(
    { id, lines, sparse }: OrderUpdate,
    items: readonly Item[],
    known: ReadonlyMap<string, OrderLine>,
    own?: OrderState,
    before?: OrderState,
  ): void {
    const newest = later(before, own)!;
    const lineIds = sparse ? idsBySku(items, known) : idsByNumber(items, known);
    for (const [index, { columns, isCanceled }] of items.entries()) {
      const line_id = lineIds[index]!;
      const existing = known.get(line_id);
      // A new line takes the latest state, even if an older version of the order contains it.
      const state = existing || this.#linesDropped.has(id) ? (own ?? newest) : newest;
      this.#stageLine(id, lines[0]!, {
        ...columns,
        order_id: id,
        line_id,
        ...stateColumns(state),
        status: isCanceled ? canceled : state.status,
        customer: state.customer || existing?.customer || before?.customer || '',
      });
    }
  }

  /**
   * Stages the known lines in the state of an order without items. Canceled lines stay canceled.
   */
  #stageState(
    { id, lines, order }: OrderUpdate,
    known: ReadonlyMap<string, OrderLine>,
    before?: OrderState,
  ): void {
    const { state } = order!;
    for (const line of known.values()) {
      const isCanceledAlone =
        line.status === canceled && before !== undefined && before.status !== canceled;
      this.#stageLine(id, lines[0]!, {
        ...line,
        ...stateColumns(state),
        ...(isCanceledAlone && { status: canceled }),
        customer: state.customer || line.customer!,
      });
    }
  }

  #stageRecord(
    { id, lines, sparse }: OrderUpdate,
    { state, fields, sealedEmail }: NonNullable<OrderUpdate['order']>,
    before?: OrderState,
    existing?: ExistingRecord,
  ): void {
    const { stager, coverage } = this.#output;
    const day = dayOf(state);
    const columns: Record<string, ColumnValue> = {
      day,
      order_id: id,
      purchased_at: state.purchasedAt,
      updated_at: state.updatedAt,
      status: state.status,
      record: JSON.stringify(sparse ? { ...existing?.fields, ...fields } : fields),
      sealed_email: sealedEmail || (sparse && existing?.sealedEmail) || '',
      customer: state.customer || (sparse && before?.customer) || '',
      // The warehouse keeps existing lines itself.
      versions: '',
    };
    coverage.addDay('order_record', day);
    stager.put(
      'order_record',
      lines[0]!,
      recordColumns.map((column) => columns[column]!),
    );
  }

  /** The latest versions of the order's lines, existing or of this document, sorted by id. */
  #knownLines(id: string, existing: ExistingOrders): ReadonlyMap<string, OrderLine> {
    const known = new Map<string, OrderLine>();
    for (const line of existing.lines.get(id) ?? []) addLine(known, line);
    for (const line of this.#lines.get(id)?.values() ?? []) addLine(known, line);
    return new Map([...known].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #remember(id: string, state: OrderState): void {
    this.#states.delete(id);
    this.#states.set(id, state);
    if (this.#states.size <= statesMax) return;
    const [oldest] = this.#states.keys();
    this.#states.delete(oldest!);
    this.#lines.delete(oldest!);
    this.#linesDropped.delete(oldest!);
  }

  #stageLine(orderId: string, at: number, line: OrderLine): void {
    this.#output.stager.put(
      'order_line',
      at,
      lineColumns.map((column) => line[column]!),
    );
    if (this.#linesDropped.has(orderId)) return;
    const known = this.#lines.get(orderId) ?? new Map<string, OrderLine>();
    addLine(known, line);
    this.#lines.set(orderId, known);
    if (this.#lines.size <= linedOrdersMax) return;
    const [oldest] = this.#lines.keys();
    this.#lines.delete(oldest!);
    this.#linesDropped.add(oldest!);
  }

  /** The items. Undefined if one of them was rejected, which rejects all of them. */
  #checkedItems(
    items: readonly unknown[],
    orderCurrency: string | undefined,
    lines: readonly number[],
    sparse: boolean,
  ): readonly Item[] | undefined {
    const problems: string[] = [];
    const ownCurrency = orderCurrency ?? this.#output.context.currency;
    const checked = checkItems(items, ownCurrency, !sparse, problems);
    if (problems.length === 0) return checked;
    this.#reject(lines, problems.join(', '));
    return undefined;
  }

  #reject(lines: readonly number[], reason: string): false {
    for (const line of lines) this.#output.reject(line, reason);
    return false;
  }
}

/**
 * The days on which orders are looked up: the days of the updates and their neighbours, because
 * sources differ by hours. All days if an order or its items came alone.
 */
function lookupDays(updates: readonly OrderUpdate[]): DateRange {
  let first = allDays.last;
  let last = allDays.first;
  for (const { order, items } of updates) {
    if (!order || !items) return allDays;
    const day = dayOf(order.state);
    first = Math.min(first, day - 1);
    last = Math.max(last, day + 1);
  }
  return { first: Math.max(first, allDays.first), last };
}

function secondsOf(isoText: unknown): number {
  return Date.parse(isoText as string) / 1000;
}
