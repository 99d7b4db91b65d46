/**
 * Reads orders with their items: the nested rows of the dataset `orders`, and documents. Some
 * documents have orders and items in separate rows, and some do not number items. An order becomes
 * an order record, and each item an order line. Items replace all lines of their order. An order
 * without items changes its own fields only, and the state of its existing lines. Items without
 * their order take its existing state. Updates are compared with existing orders in blocks.
 */
import { factTable } from '../../../schema/warehouse/tables.ts';
import type { ColumnValue } from '../cells/fields.ts';
import { isCovered, outsideReason, type RowOutput } from '../rows.ts';
import { type DocumentOrder, DocumentOrders } from './documentOrders.ts';
import { checkItems, checkOrder, type ItemCheck } from './fields.ts';
import {
  canceled,
  dayOf,
  type ExistingOrders,
  type ExistingRecord,
  type Item,
  idsByNumber,
  idsWithoutNumber,
  later,
  lineOf,
  type OrderLine,
  type OrderLookup,
  type OrderState,
  removalOf,
  stateColumns,
} from './lines.ts';
import { missingPrice, type Prices, pricedItems } from './prices.ts';
import {
  completed,
  hasItem,
  isPartial,
  knownLines,
  lookupDays,
  type OrderUpdate,
  withoutRemoved,
} from './versions.ts';

const recordColumns = Object.keys(factTable('order_record').columns);
const lineColumns = Object.keys(factTable('order_line').columns);
/** The number of orders to look up at a time. */
const blockSize = 2000;

const noOrders: ExistingOrders = { states: new Map(), lines: new Map(), records: new Map() };

/** How a source describes orders. */
export type OrderSource = {
  /** Whether unknown fields are ignored instead of rejected. */
  readonly lenient: boolean;
  /**
   * Whether the source does not number items and has only some of the fields. Then items are
   * matched to existing lines, and missing fields keep their existing values.
   */
  readonly sparse?: boolean;
  /**
   * How prices are stated. An operator's own rows may lack them, and are without tax by definition.
   */
  readonly prices?: Prices;
};

/** Stages orders and their items. */
export class OrderReader {
  readonly #output: RowOutput;
  readonly #lookUp: ((lookup: OrderLookup) => Promise<ExistingOrders>) | undefined;
  readonly #document = new DocumentOrders();
  #waiting: OrderUpdate[] = [];
  /** Accepted rows of the document. */
  rowsAccepted = 0;

  /** Without `lookUp` the channel has no orders yet. */
  constructor(
    output: RowOutput,
    lookUp: ((lookup: OrderLookup) => Promise<ExistingOrders>) | undefined,
  ) {
    this.#output = output;
    this.#lookUp = lookUp;
  }

  /**
   * Reads the order at these lines, with its items if it has any. Returns false if it is rejected.
   */
  order(
    row: Readonly<Record<string, unknown>>,
    at: number | readonly number[],
    { lenient, sparse = false, prices }: OrderSource,
  ): boolean {
    const lines = typeof at === 'number' ? [at] : at;
    const { Items: items } = row;
    const problems: string[] = [];
    const { columns, record } = checkOrder(row, lenient, this.#output.notation, problems);
    if (items !== undefined && !Array.isArray(items)) problems.push('Items must be a list');
    if (problems.length > 0) return this.#reject(lines, [...new Set(problems)].join(', '));
    const { PlatformOrderId, PurchaseDate, LastUpdateDate: updatedAt = 0 } = columns;
    const { OrderStatus: status = '', BuyerEmail: email = '' } = columns;
    const { context } = this.#output;
    const state: OrderState = {
      purchasedAt: PurchaseDate!,
      updatedAt,
      itemsAt: Array.isArray(items) ? updatedAt : -1,
      status,
      customer: context.hashCustomer(email),
    };
    if (!isCovered(this.#output, state.purchasedAt)) return this.#reject(lines, outsideReason);
    const total = record.OrderTotal as { CurrencyCode?: string } | undefined;
    const checked = Array.isArray(items)
      ? this.#checkedItems(items, lines, {
          currency: total?.CurrencyCode,
          isNumbered: !sparse,
          prices,
        })
      : undefined;
    if (Array.isArray(items) && checked === undefined) return false;
    const isReplacement = record.IsReplacementOrder === true;
    const unpriced =
      checked && status !== '' ? missingPrice(checked, { status, isReplacement }) : undefined;
    if (unpriced) return this.#reject(lines, unpriced);
    this.#take({
      id: PlatformOrderId!,
      lines,
      sparse,
      order: {
        state,
        record: JSON.stringify(record),
        sealedEmail: email === '' ? '' : context.seal(email),
      },
      ...(checked && { items: checked }),
    });
    return true;
  }

  /** Reads items of an order that was read earlier, in this document or another import. */
  items(
    orderId: string,
    items: readonly unknown[],
    line: number,
    { prices }: Pick<OrderSource, 'prices'> = {},
  ): void {
    const checked = this.#checkedItems(items, [line], { isNumbered: true, prices });
    if (checked) this.#take({ id: orderId, lines: [line], sparse: false, items: checked });
  }

  /** Stages an update at once if there is nothing to compare it with. */
  #take(update: OrderUpdate): void {
    if (this.#lookUp) this.#waiting.push(update);
    else this.#apply(update, noOrders);
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
      const existing = await this.#lookUp!({
        orderIds: [...new Set(updates.map(({ id }) => id))],
        days: lookupDays(updates),
        withRecords: updates.some((update) => isPartial(update) || !update.order),
      });
      for (const update of updates) this.#apply(update, existing);
    }
  }

  #apply(update: OrderUpdate, existing: ExistingOrders): void {
    const { id, lines, order, items } = update;
    const inDocument = this.#document.get(id);
    const before = later(existing.states.get(id), inDocument?.state);
    const itemsBefore = Math.max(
      existing.states.get(id)?.itemsAt ?? -1,
      inDocument?.state?.itemsAt ?? -1,
    );
    if (!order && !before) {
      const shownId = id.slice(0, 40);
      this.#reject(lines, `the order ${shownId} of these items is unknown: import the order first`);
      return;
    }
    if (!items && inDocument && !inDocument.lines) {
      this.#reject(lines, 'comes too late after its items: import it in a separate document');
      return;
    }
    const earlier =
      before !== undefined && before === inDocument?.state ? inDocument : existing.records.get(id);
    const priced = items && this.#priced(update, items, before, earlier);
    if (typeof priced === 'string') {
      this.#reject(lines, priced);
      return;
    }
    const known = knownLines(existing.lines.get(id), inDocument);
    const remembered = inDocument ?? this.#document.add(id);
    const state = order && completed(order.state, before, itemsBefore, update);
    const own = state ?? inDocument?.state;
    if (priced) this.#stageItems(update, priced, remembered, known, itemsBefore, own, before);
    else this.#stageState(update, remembered, known, state!, before);
    const base = isPartial(update) ? earlier : undefined;
    if (order) this.#stageRecord(update, remembered, state!, before, base);
    this.rowsAccepted += lines.length;
  }

  /** The items with their prices without tax, or the reason to reject them. */
  #priced(
    { order }: OrderUpdate,
    items: readonly Item[],
    before: OrderState | undefined,
    earlier: ExistingRecord | undefined,
  ): readonly Item[] | string {
    const fields = JSON.parse(order?.record || earlier?.record || '{}');
    // The status of an order that reports it was already checked with the order's own fields.
    const status = order?.state.status ? canceled : (before?.status ?? '');
    const isReplacement = fields.IsReplacementOrder === true;
    const reason = missingPrice(items, { status, isReplacement });
    if (reason !== undefined) return reason;
    const total = fields.OrderTotal?.Amount;
    return pricedItems({
      items,
      total: typeof total === 'number' ? BigInt(Math.round(total * 1e6)) : undefined,
      channelIncludes: this.#output.pricesIncludeTax,
    });
  }

  /**
   * Stages items as all lines of their order, unless a later version had items, or none of them.
   * They take the latest known state, even if an older version of the order contains them.
   */
  #stageItems(
    { id, lines, order, sparse }: OrderUpdate,
    items: readonly Item[],
    remembered: DocumentOrder,
    all: readonly OrderLine[],
    itemsBefore: number,
    own?: OrderState,
    before?: OrderState,
  ): void {
    const newest = later(before, own)!;
    const itemsAt = (own ?? newest).updatedAt;
    const isOlder = itemsBefore > itemsAt || all.some((line) => Number(line.items_at) > itemsAt);
    const known = withoutRemoved(all);
    const lineIds = sparse ? idsWithoutNumber(items, known) : idsByNumber(items, known);
    const state = isOlder ? (own ?? newest) : newest;
    for (let index = 0; index < items.length; index++) {
      const { columns, isCanceled } = items[index]!;
      const line_id = lineIds[index]!;
      const existing = known.find((line) => line.line_id === line_id);
      if (isOlder && !existing) continue;
      const customer = state.customer || existing?.customer || before?.customer || '';
      const version = { order_id: id, line_id, items_at: itemsAt, customer };
      const status = isCanceled ? canceled : state.status;
      this.#stageLine(remembered, lines[0]!, lineOf(columns, state, version, status));
    }
    if (isOlder || (known.length === 0 && remembered.lineIds.length === 0)) return;
    // Items that come without their order may be one of several parts in this document.
    const knownIds = [...known.map(({ line_id }) => line_id as string), ...remembered.lineIds];
    for (const lineId of knownIds) {
      if (!lineIds.includes(lineId) && (order || !hasItem(remembered, lineId)))
        this.#stageLine(remembered, lines[0]!, removalOf(id, lineId, state, itemsAt));
    }
  }

  /**
   * Stages the known lines in the state of an order without items. Canceled lines stay canceled.
   */
  #stageState(
    { lines, order }: OrderUpdate,
    remembered: DocumentOrder,
    all: readonly OrderLine[],
    state: OrderState,
    before?: OrderState,
  ): void {
    for (const line of withoutRemoved(all)) {
      const isCanceledAlone =
        line.status === canceled && before !== undefined && before.status !== canceled;
      const status = isCanceledAlone || order!.state.status === '' ? line.status! : state.status;
      const customer = state.customer || line.customer!;
      const staged = { ...line, ...stateColumns(state), status, customer };
      this.#stageLine(remembered, lines[0]!, staged, false);
    }
  }

  /** Stages the record. Fields that it lacks stay as in its `base`. */
  #stageRecord(
    { id, lines, order }: OrderUpdate,
    remembered: DocumentOrder,
    state: OrderState,
    before: OrderState | undefined,
    base: ExistingRecord | undefined,
  ): void {
    const { stager, coverage } = this.#output;
    const day = dayOf(state);
    const own = order!.record;
    const record = base?.record
      ? JSON.stringify({ ...JSON.parse(base.record), ...JSON.parse(own) })
      : own;
    const sealedEmail = order!.sealedEmail || base?.sealedEmail || '';
    const columns: Record<string, ColumnValue> = {
      day,
      order_id: id,
      purchased_at: state.purchasedAt,
      updated_at: state.updatedAt,
      items_at: state.itemsAt,
      status: state.status,
      record,
      sealed_email: sealedEmail,
      customer: state.customer || (base && before?.customer) || '',
      // The warehouse itself retains existing lines.
      versions: '',
    };
    coverage.addInstant('order_record', state.purchasedAt);
    stager.put(
      'order_record',
      lines[0]!,
      recordColumns.map((column) => columns[column]!),
    );
    this.#document.addVersion(remembered, state, record, sealedEmail);
  }

  #stageLine(order: DocumentOrder, at: number, line: OrderLine, isItem = true): void {
    this.#output.stager.put(
      'order_line',
      at,
      lineColumns.map((column) => line[column]!),
    );
    this.#document.addLine(order, line, isItem);
  }

  /** The items; undefined if one of them was rejected, which rejects all of them. */
  #checkedItems(
    items: readonly unknown[],
    lines: readonly number[],
    {
      currency = this.#output.context.currency,
      ...check
    }: Pick<ItemCheck, 'isNumbered' | 'prices'> & { readonly currency?: string | undefined },
  ): readonly Item[] | undefined {
    const problems: string[] = [];
    const { notation } = this.#output;
    const checked = checkItems(items, { ...check, currency, notation, problems });
    if (problems.length > 0) {
      this.#reject(lines, problems.join(', '));
      return undefined;
    }
    for (const { rounded } of checked)
      for (let count = 0; count < rounded; count++) this.#output.noteRounded();
    return checked;
  }

  #reject(lines: readonly number[], reason: string): false {
    for (const line of lines) this.#output.reject(line, reason);
    return false;
  }
}
