/** Order lines: their state, and how the items of a document match existing lines. */
import type { DateRange } from '../../engine/warehouse.ts';
import type { ColumnValue } from '../cells/fields.ts';

/** The state of an order, which its lines repeat. */
export type OrderState = {
  /** Epoch seconds. */
  readonly purchasedAt: number;
  /** Epoch seconds; 0 if unknown. */
  readonly updatedAt: number;
  /** When the latest version with items was updated, epoch seconds; -1 if no version had items. */
  readonly itemsAt: number;
  readonly status: string;
  readonly customer: string;
};

/** The columns of an order line. */
export type OrderLine = Readonly<Record<string, ColumnValue>>;

/** The amounts of an item that only documents state, by field. They are not stored. */
export const statedFields = [
  'NetItemPrice',
  'NetShippingPrice',
  'ShippingTax',
  'ShippingDiscount',
  'PromotionDiscountTax',
  'GiftWrapPrice',
  'GiftWrapTax',
] as const;

/** The tax of an item, as its document states it. */
export type StatedTax = {
  /** Whether it states the tax of the price; 0 counts. */
  readonly hasTax: boolean;
  /** Its further amounts, in millionths. */
  readonly amounts: Readonly<Partial<Record<(typeof statedFields)[number], bigint>>>;
};

/** An item of an order, with the columns of its line that it determines. */
export type Item = {
  readonly columns: OrderLine & { readonly line_id: string; readonly sku: string };
  readonly isCanceled: boolean;
  readonly hasPrice: boolean;
  /** Its tax as a document states it; missing if its price is without tax by definition. */
  readonly stated?: StatedTax;
  /** The number of its amounts that were rounded. */
  readonly rounded: number;
};

/** An order record in the warehouse or earlier in the document. */
export type ExistingRecord = {
  /** Its fields as JSON; "" if they are unknown. */
  readonly record: string;
  readonly sealedEmail: string;
};

/** Orders in the warehouse, by order id. */
export type ExistingOrders = {
  readonly states: ReadonlyMap<string, OrderState>;
  readonly lines: ReadonlyMap<string, readonly OrderLine[]>;
  /** Empty unless they were requested. */
  readonly records: ReadonlyMap<string, ExistingRecord>;
};

/** A request for the orders of these ids that were purchased on these UTC days. */
export type OrderLookup = {
  readonly orderIds: readonly string[];
  readonly days: DateRange;
  readonly withRecords: boolean;
};

/** The properties that identify another source's item or line. */
export type Matchable = {
  readonly sku: string;
  readonly productId: string;
  readonly quantity: number;
};

/** The status of an order whose lines do not count. */
export const canceled = 'Canceled';
/** The status of a staged line that removes the existing one. */
export const removed = 'Removed';

/** Every day that may have orders. */
export const allDays: DateRange = { first: 0, last: 100_000 };
const secondsPerDay = 86_400;
/** The prefix of generated line ids, for items without a number. */
const madePrefix = 'sku:';

/** The UTC day of the purchase. */
export function dayOf({ purchasedAt }: OrderState): number {
  return Math.floor(purchasedAt / secondsPerDay);
}

/** The columns of a line that repeat the state of its order. */
export function stateColumns(state: OrderState): OrderLine {
  return {
    day: dayOf(state),
    purchased_at: state.purchasedAt,
    updated_at: state.updatedAt,
    status: state.status,
  };
}

/** The line of an item. One literal: copying objects takes several times as long. */
export function lineOf(
  item: Item['columns'],
  state: OrderState,
  { order_id, line_id, items_at, customer }: OrderLine,
  status: string,
): OrderLine {
  return {
    day: dayOf(state),
    order_id: order_id!,
    line_id: line_id!,
    purchased_at: state.purchasedAt,
    updated_at: state.updatedAt,
    items_at: items_at!,
    status,
    sku: item.sku,
    product_id: item.product_id!,
    quantity: item.quantity!,
    item_price: item.item_price!,
    item_tax: item.item_tax!,
    promotion_discount: item.promotion_discount!,
    shipping_price: item.shipping_price!,
    tax_basis: item.tax_basis!,
    currency: item.currency!,
    customer: customer!,
  };
}

/** The state that was updated later; if both were updated at once, the second. */
export function later(
  one: OrderState | undefined,
  other: OrderState | undefined,
): OrderState | undefined {
  return one && other ? (one.updatedAt > other.updatedAt ? one : other) : (one ?? other);
}

/** The lines with another one, unless a later version of it is among them. */
export function withLine(lines: readonly OrderLine[], line: OrderLine): readonly OrderLine[] {
  if (lines.length === 0) return [line];
  const index = lines.findIndex(({ line_id }) => line_id === line.line_id);
  if (index < 0) return [...lines, line];
  const isLater = Number(line.updated_at) >= Number(lines[index]!.updated_at);
  return isLater ? lines.with(index, line) : lines;
}

/** A line that removes the line of this id when it becomes a fact. */
export function removalOf(
  orderId: string,
  lineId: string,
  state: OrderState,
  itemsAt: number,
): OrderLine {
  return {
    order_id: orderId,
    line_id: lineId,
    ...stateColumns(state),
    items_at: itemsAt,
    status: removed,
    sku: '',
    product_id: '',
    quantity: 0,
    item_price: 0,
    item_tax: 0,
    promotion_discount: 0,
    shipping_price: 0,
    tax_basis: '',
    currency: '',
    customer: '',
  };
}

/**
 * The line ids of numbered items: their numbers, unless a source without numbers has already
 * imported the line.
 */
export function idsByNumber(
  items: readonly Item[],
  known: readonly OrderLine[],
): readonly string[] {
  const made = known.filter(({ line_id }) => (line_id as string).startsWith(madePrefix));
  if (made.length === 0) return items.map(({ columns }) => columns.line_id);
  const ids = new Set(known.map(({ line_id }) => line_id));
  const others = items.filter(({ columns }) => !ids.has(columns.line_id));
  const matches = matched(others.map(matchable), made.map(matchableLine));
  const matchedIds = new Map(
    others.map((item, index) => [item, made[matches[index]!]?.line_id as string | undefined]),
  );
  return items.map((item) => matchedIds.get(item) ?? item.columns.line_id);
}

/** The line ids of items without numbers: the ids of matching known lines, or new ids. */
export function idsWithoutNumber(
  items: readonly Item[],
  known: readonly OrderLine[],
): readonly string[] {
  const matches = matched(items.map(matchable), known.map(matchableLine));
  const taken = new Set(known.map(({ line_id }) => line_id));
  const numbers = new Map<string, number>();
  return items.map((item, index) => {
    const { sku } = item.columns;
    let id = known[matches[index]!]?.line_id as string | undefined;
    for (let number = (numbers.get(sku) ?? 0) + 1; id === undefined; number++) {
      const made = `${madePrefix}${number}:${sku}`;
      numbers.set(sku, number);
      if (!taken.has(made)) id = made;
    }
    taken.add(id);
    return id;
  });
}

function matchable({ columns: { sku, product_id, quantity } }: Item): Matchable {
  return { sku, productId: product_id as string, quantity: quantity as number };
}

/** The properties that identify a line. */
export function matchableLine({ sku, product_id, quantity }: OrderLine): Matchable {
  return {
    sku: sku as string,
    productId: product_id as string,
    quantity: quantity as number,
  };
}

type Condition = (item: Matchable, line: Matchable) => boolean;

/** The conditions under which an item is the same as a line, the strictest first. */
const passes: readonly { readonly isSame: Condition; readonly atPosition?: true }[] = [
  { isSame: (item, line) => hasSku(item, line) && item.quantity === line.quantity },
  { isSame: hasSku },
  // From here on, one of the two has no SKU.
  {
    isSame: (item, line) => mayBeSame(item, line) && item.quantity === line.quantity,
    atPosition: true,
  },
  {
    isSame: (item, line) =>
      mayBeSame(item, line) && hasProduct(item, line) && item.quantity === line.quantity,
  },
  { isSame: (item, line) => mayBeSame(item, line) && hasProduct(item, line) },
  { isSame: (item, line) => mayBeSame(item, line) && item.quantity === line.quantity },
  { isSame: mayBeSame },
];

function hasSku(item: Matchable, line: Matchable): boolean {
  return item.sku !== '' && item.sku === line.sku;
}

function hasProduct(item: Matchable, line: Matchable): boolean {
  return item.productId !== '' && item.productId === line.productId;
}

/** Whether one of the two has no SKU, and their products are equal as far as they are known. */
function mayBeSame(item: Matchable, line: Matchable): boolean {
  return (
    (item.sku === '' || line.sku === '') &&
    (hasProduct(item, line) || item.productId === '' || line.productId === '')
  );
}

/**
 * The index of the line that each item is; -1 if none. First by SKU; if one of the two has no SKU,
 * by position if nothing contradicts it, then by product and quantity. Items and lines are in the
 * order of their source.
 */
export function matched(
  items: readonly Matchable[],
  lines: readonly Matchable[],
): readonly number[] {
  const found = items.map(() => -1);
  const free = new Set(lines.keys());
  for (const { isSame, atPosition } of passes) {
    for (const [index, item] of items.entries()) {
      if (found[index] !== -1) continue;
      for (const line of atPosition ? [index] : free) {
        if (!free.has(line) || !isSame(item, lines[line]!)) continue;
        found[index] = line;
        free.delete(line);
        break;
      }
    }
  }
  return found;
}
