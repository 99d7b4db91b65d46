/** Order lines: their state, and how the items of a document match existing lines. */
import type { DateRange } from '../../engine/warehouse.ts';
import type { ColumnValue } from '../cells/fields.ts';

/** The state of an order, which its lines repeat. */
export type OrderState = {
  /** Epoch seconds. */
  readonly purchasedAt: number;
  /** Epoch seconds; 0 if unknown. */
  readonly updatedAt: number;
  readonly status: string;
  readonly customer: string;
};

/** The columns of an order line. */
export type OrderLine = Readonly<Record<string, ColumnValue>>;

/** An item of an order, with the columns of its line that it determines. */
export type Item = {
  readonly columns: OrderLine & { readonly line_id: string; readonly sku: string };
  readonly isCanceled: boolean;
};

/** An order record in the warehouse. */
export type ExistingRecord = {
  readonly fields: Readonly<Record<string, unknown>>;
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

/** The state that was updated later. If both were updated at once, the second. */
export function later(
  one: OrderState | undefined,
  other: OrderState | undefined,
): OrderState | undefined {
  return one && other ? (one.updatedAt > other.updatedAt ? one : other) : (one ?? other);
}

/** Adds a line under its id unless a later version is known. */
export function addLine(lines: Map<string, OrderLine>, line: OrderLine): void {
  const id = line.line_id as string;
  const known = lines.get(id);
  if (known === undefined || Number(line.updated_at) >= Number(known.updated_at))
    lines.set(id, line);
}

/**
 * The line ids of numbered items: their numbers, unless a source without numbers has already
 * imported the line.
 */
export function idsByNumber(
  items: readonly Item[],
  known: ReadonlyMap<string, OrderLine>,
): readonly string[] {
  const matches = matched(
    items.filter(({ columns }) => !known.has(columns.line_id)),
    [...known.values()].filter(({ line_id }) => (line_id as string).startsWith(madePrefix)),
  );
  return items.map((item) => matches.get(item) ?? item.columns.line_id);
}

/** The line ids of items without numbers: the ids of known lines with their SKU, or new ids. */
export function idsBySku(
  items: readonly Item[],
  known: ReadonlyMap<string, OrderLine>,
): readonly string[] {
  const matches = matched(items, [...known.values()]);
  const taken = new Set(known.keys());
  return items.map((item) => {
    let id = matches.get(item);
    for (let number = 1; id === undefined; number++) {
      const made = `${madePrefix}${number}:${item.columns.sku}`;
      if (!taken.has(made)) id = made;
    }
    taken.add(id);
    return id;
  });
}

/** Matches items to known lines of the same SKU, first those with the same quantity. */
function matched(items: readonly Item[], known: readonly OrderLine[]): ReadonlyMap<Item, string> {
  const matches = new Map<Item, string>();
  const unmatched = new Set(known);
  for (const withQuantity of [true, false]) {
    for (const item of items) {
      if (matches.has(item)) continue;
      const { sku, quantity } = item.columns;
      for (const line of unmatched) {
        if (line.sku !== sku || (withQuantity && line.quantity !== quantity)) continue;
        matches.set(item, line.line_id as string);
        unmatched.delete(line);
        break;
      }
    }
  }
  return matches;
}
