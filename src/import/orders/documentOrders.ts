/** The orders of one document, remembered in bounded memory in case they come again. */
import { addLine, later, type OrderLine, type OrderState, removed } from './lines.ts';

/** How many orders of a document are remembered, in case they come again. */
const ordersMax = 100_000;
/** How many of them are remembered with their lines and fields. */
const wholeOrdersMax = 10_000;

/** An order of this document, in its latest version. */
export type DocumentOrder = {
  state: OrderState | undefined;
  /** The fields of its record, until they are no longer remembered. */
  fields: Readonly<Record<string, unknown>> | undefined;
  sealedEmail: string;
  /** Its lines by id, removed ones included, until only their ids are remembered. */
  lines: Map<string, OrderLine> | undefined;
  /** The ids of its lines once the lines are no longer remembered. */
  lineIds: readonly string[];
  /** The ids of existing lines whose state this document changed without naming an item. */
  readonly withoutItem: Set<string>;
};

/** Remembers the orders of a document. */
export class DocumentOrders {
  readonly #orders = new Map<string, DocumentOrder>();
  readonly #whole = new Map<string, DocumentOrder>();

  /** The order with this id, if it has come before and is remembered. */
  get(id: string): DocumentOrder | undefined {
    return this.#orders.get(id);
  }

  /** Notes a line of an order, which comes from an item or only from the order's state. */
  addLine(id: string, line: OrderLine, hasItem: boolean): void {
    const order = this.#open(id);
    const lineId = line.line_id as string;
    if (hasItem) order.withoutItem.delete(lineId);
    else if (order.lines?.has(lineId) === false) order.withoutItem.add(lineId);
    if (order.lines) addLine(order.lines, line);
    else order.lineIds = [...new Set(order.lineIds).add(lineId)];
  }

  /** Notes a version of an order. An earlier one than the last leaves its fields alone. */
  addVersion(
    id: string,
    state: OrderState,
    fields: Readonly<Record<string, unknown>>,
    sealedEmail: string,
  ): void {
    const order = this.#open(id);
    order.state = later(order.state, state);
    if (order.state !== state) return;
    order.fields = fields;
    order.sealedEmail = sealedEmail;
  }

  #open(id: string): DocumentOrder {
    const known = this.#orders.get(id);
    if (known) return known;
    const order = {
      state: undefined,
      fields: undefined,
      sealedEmail: '',
      lines: new Map<string, OrderLine>(),
      lineIds: [],
      withoutItem: new Set<string>(),
    };
    this.#orders.set(id, order);
    this.#whole.set(id, order);
    if (this.#whole.size > wholeOrdersMax) this.#shorten(...this.#whole.entries().next().value!);
    if (this.#orders.size > ordersMax) this.#orders.delete(this.#orders.keys().next().value!);
    return order;
  }

  #shorten(id: string, order: DocumentOrder): void {
    this.#whole.delete(id);
    order.lineIds = [...order.lines!.values()]
      .filter(({ status }) => status !== removed)
      .map(({ line_id }) => line_id as string);
    order.lines = undefined;
    order.fields = undefined;
  }
}
