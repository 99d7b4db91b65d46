/** Versions of an order: the contents of each, and which lines are known. */
import type { DateRange } from '../../engine/warehouse.ts';
import type { DocumentOrder } from './documentOrders.ts';
import {
  allDays,
  dayOf,
  type Item,
  type OrderLine,
  type OrderState,
  removed,
  withLine,
} from './lines.ts';

/** An order as read from a document, before it is compared with the existing order. */
export type OrderUpdate = {
  readonly id: string;
  /** Its lines in the document. */
  readonly lines: readonly number[];
  readonly sparse: boolean;
  /** Missing if the document has only the items. */
  readonly order?: {
    /** Its status is "" if the document does not report it. */
    readonly state: OrderState;
    /** Its fields as JSON. An object would be copied while the order waits. */
    readonly record: string;
    readonly sealedEmail: string;
  };
  /** Missing if the document has only the order. */
  readonly items?: readonly Item[];
};

/** Whether the document has only some of the order's fields. */
export function isPartial({ sparse, items }: OrderUpdate): boolean {
  return sparse || !items;
}

/** The state of a version. Whatever a partial version lacks stays as it was. */
export function completed(
  state: OrderState,
  before: OrderState | undefined,
  itemsBefore: number,
  update: OrderUpdate,
): OrderState {
  if (!isPartial(update) && state.status !== '' && state.itemsAt >= itemsBefore) return state;
  const earlier = isPartial(update) ? before : undefined;
  return {
    ...state,
    status: state.status || earlier?.status || 'Shipped',
    updatedAt: state.updatedAt || (update.items ? 0 : (earlier?.updatedAt ?? 0)),
    itemsAt: Math.max(state.itemsAt, itemsBefore),
  };
}

/**
 * The latest versions of an order's lines, existing or of this document, in the order of their
 * ids. Removed lines are included.
 */
export function knownLines(
  existing: readonly OrderLine[] = [],
  inDocument: DocumentOrder | undefined,
): readonly OrderLine[] {
  const own = inDocument?.lines ?? [];
  const known = own.reduce(withLine, existing);
  return known.toSorted((one, other) => compareIds(one.line_id as string, other.line_id as string));
}

/** Compares line ids. Numbers are compared by their value. */
function compareIds(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : 1);
}

/** Whether the line comes from an item of this document. */
export function hasItem(order: DocumentOrder, lineId: string): boolean {
  if (order.withoutItem.includes(lineId)) return false;
  return order.lines?.some(({ line_id }) => line_id === lineId) ?? order.lineIds.includes(lineId);
}

/** The lines that no version has removed. */
export function withoutRemoved(lines: readonly OrderLine[]): readonly OrderLine[] {
  return lines.filter(({ status }) => status !== removed);
}

/**
 * The days on which orders are looked up: the days of the updates and their neighbours, because
 * sources differ by hours. All days if an order or its items came alone.
 */
export function lookupDays(updates: readonly OrderUpdate[]): DateRange {
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
