/** The orders of one document, remembered in bounded memory in case they come again. */
import { PackedTexts } from '../cells/packedTexts.ts';
import { TextNumbers } from '../cells/textNumbers.ts';
import { later, type OrderLine, type OrderState, removed, withLine } from './lines.ts';

/** The least number of packed orders to remember, unless they take more bytes. */
const ordersMin = 50_000;
const packedBytesMax = 32 * 2 ** 20;
/** The number of orders to remember with their lines and fields. */
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

/** An order without its lines and fields. */
type ShortOrder = Pick<DocumentOrder, 'state' | 'sealedEmail' | 'lineIds' | 'withoutItem'>;

/** Shared, because most orders come once, and unused maps would burden the garbage collector. */
const none: readonly never[] = [];

/**
 * Remembers the orders of a document. The most recent ones are whole. Earlier ones are packed, so
 * that a hundred thousand of them do not fill the heap; one that comes again is unpacked. Whole
 * generations are dropped at a time, which costs nothing per order.
 */
export class DocumentOrders {
  #whole = new Map<string, DocumentOrder>();
  #earlierWhole = new Map<string, DocumentOrder>();
  #added = 0;
  #packed = new PackedOrders();
  #earlierPacked = new PackedOrders();

  /** The order with this id, if it has come before and is remembered. */
  get(id: string): DocumentOrder | undefined {
    const whole = this.#whole.get(id) ?? this.#earlierWhole.get(id);
    if (whole !== undefined) return whole;
    const packed = this.#packed.get(id) ?? this.#earlierPacked.get(id);
    if (packed !== undefined) this.#whole.set(id, packed);
    return packed;
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

  /** Notes a version of an order. A version before the latest one does not change its fields. */
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
    this.#whole.set(id, order);
    // Only new orders count, so that orders that come again leave the others whole.
    if (++this.#added % wholeOrdersMin === 0) this.#packEarlier();
    return order;
  }

  #packEarlier(): void {
    for (const [earlierId, earlier] of this.#earlierWhole) {
      this.#packed.set(earlierId, shortened(earlier));
      if (this.#packed.size < ordersMin && this.#packed.bytes < packedBytesMax) continue;
      this.#earlierPacked = this.#packed;
      this.#packed = new PackedOrders();
    }
    this.#earlierWhole = this.#whole;
    this.#whole = new Map();
  }
}

function shortened({ state, sealedEmail, lines, lineIds, withoutItem }: DocumentOrder): ShortOrder {
  const ids = lines
    ?.filter(({ status }) => status !== removed)
    .map(({ line_id }) => line_id as string);
  return { state, sealedEmail, lineIds: ids ?? lineIds, withoutItem };
}

/** Orders without their lines and fields, as bytes. */
class PackedOrders {
  readonly #places = new TextNumbers();
  readonly #orders = new PackedTexts();

  /** The number of orders. */
  get size(): number {
    return this.#places.size;
  }

  /** Their size in bytes, without their ids. */
  get bytes(): number {
    return this.#orders.bytes;
  }

  get(id: string): DocumentOrder | undefined {
    const place = this.#places.get(id);
    if (place === undefined) return undefined;
    const order: ShortOrder = JSON.parse(this.#orders.at(place));
    return { ...order, record: '', lines: undefined };
  }

  set(id: string, order: ShortOrder): void {
    this.#places.set(id, this.#orders.add(JSON.stringify(order)));
  }
}
