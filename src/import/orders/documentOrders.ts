/** The orders of one document, remembered in bounded memory in case they come again. */
import { later, type OrderLine, type OrderState, removed, withLine } from './lines.ts';

/** How many orders of a document are remembered at least, in case they come again. */
const ordersMin = 50_000;
/** How many of them are remembered with their lines and fields. */
const wholeOrdersMin = 5000;

/** An order of this document, in its latest version. */
export type DocumentOrder = {
  state: OrderState | undefined;
  /** The fields of its record as JSON; "" once they are no longer remembered. */
  record: string;
  sealedEmail: string;
  /** Its lines, removed ones included, until only their ids are remembered. */
  lines: readonly OrderLine[] | undefined;
  /** The ids of its lines once the lines are no longer remembered. */
  lineIds: readonly string[];
  /** The ids of existing lines whose state this document changed without naming an item. */
  withoutItem: readonly string[];
};

/** Shared: most orders come once, and what they do not need is not to be collected. */
const none: readonly never[] = [];

/**
 * Remembers the orders of a document. It forgets whole generations at a time, which costs nothing
 * per order.
 */
export class DocumentOrders {
  #orders = new Map<string, DocumentOrder>();
  #earlierOrders = new Map<string, DocumentOrder>();
  #whole: DocumentOrder[] = [];
  #earlierWhole: DocumentOrder[] = [];

  /** The order with this id, if it has come before and is remembered. */
  get(id: string): DocumentOrder | undefined {
    return this.#orders.get(id) ?? this.#earlierOrders.get(id);
  }

  /** Notes a line of an order, which comes from an item or only from the order's state. */
  addLine(order: DocumentOrder, line: OrderLine, hasItem: boolean): void {
    const lineId = line.line_id as string;
    if (hasItem) {
      if (order.withoutItem.length > 0)
        order.withoutItem = order.withoutItem.filter((one) => one !== lineId);
    } else if (order.lines?.every(({ line_id }) => line_id !== lineId))
      order.withoutItem = [...order.withoutItem, lineId];
    if (order.lines) order.lines = withLine(order.lines, line);
    else if (!order.lineIds.includes(lineId)) order.lineIds = [...order.lineIds, lineId];
  }

  /** Notes a version of an order. An earlier one than the last leaves its fields alone. */
  addVersion(order: DocumentOrder, state: OrderState, record: string, sealedEmail: string): void {
    order.state = later(order.state, state);
    if (order.state !== state) return;
    order.record = record;
    order.sealedEmail = sealedEmail;
  }

  /** Remembers an order that has not come before. */
  add(id: string): DocumentOrder {
    const order: DocumentOrder = {
      state: undefined,
      record: '',
      sealedEmail: '',
      lines: none,
      lineIds: none,
      withoutItem: none,
    };
    this.#orders.set(id, order);
    if (this.#orders.size >= ordersMin) {
      this.#earlierOrders = this.#orders;
      this.#orders = new Map();
    }
    this.#whole.push(order);
    if (this.#whole.length >= wholeOrdersMin) {
      this.#earlierWhole.forEach(shorten);
      this.#earlierWhole = this.#whole;
      this.#whole = [];
    }
    return order;
  }
}

function shorten(order: DocumentOrder): void {
  order.lineIds = order
    .lines!.filter(({ status }) => status !== removed)
    .map(({ line_id }) => line_id as string);
  order.lines = undefined;
  order.record = '';
}
