/**
 * Rows of `orderLines` in a channel that also has orders from documents. If a document has brought
 * the order of a row, the row takes the id of the matching line, so that the order has its lines
 * once.
 */
import type { Cells } from '../datasets/dataset.ts';
import {
  canceled,
  type ExistingOrders,
  type Matchable,
  matchableLine,
  matched,
  type OrderLine,
  type OrderLookup,
} from './lines.ts';

/** The number of rows to compare with existing orders at a time. */
const blockSize = 4000;
/** The number of orders with matched lines to remember, in case more of their rows come. */
const ordersMax = 100_000;
const secondsPerDay = 86_400;

type Row = { cells: Cells; readonly line: number };

/** Collects rows until they have been compared with existing orders, then stages them. */
export class OrderLineRows {
  readonly #stage: (cells: Cells, line: number) => void;
  readonly #lookUp: (lookup: OrderLookup) => Promise<ExistingOrders>;
  #held: Row[] = [];
  /** The ids of existing lines that rows of an order have taken. */
  readonly #taken = new Map<string, Set<string>>();

  constructor(
    stage: (cells: Cells, line: number) => void,
    lookUp: (lookup: OrderLookup) => Promise<ExistingOrders>,
  ) {
    this.#stage = stage;
    this.#lookUp = lookUp;
  }

  /** Takes a checked row. */
  add(cells: Cells, line: number): void {
    this.#held.push({ cells, line });
  }

  /** Stages the rows that fill a block. The last order waits, as more of its rows may follow. */
  async flush(): Promise<void> {
    if (this.#held.length < blockSize) return;
    const last = orderOf(this.#held.at(-1)!);
    let end = this.#held.length;
    while (end > 0 && orderOf(this.#held[end - 1]!) === last) end--;
    await this.#stageRows(this.#held.splice(0, end > 0 ? end : this.#held.length));
  }

  /** Stages all rows. */
  async flushAll(): Promise<void> {
    await this.#stageRows(this.#held.splice(0));
  }

  async #stageRows(rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    const byOrder = Map.groupBy(rows, orderOf);
    const days = rows.map(({ cells }) => Math.floor(Number(cells.purchasedAt) / secondsPerDay));
    const existing = await this.#lookUp({
      orderIds: [...byOrder.keys()],
      // Sources differ by hours.
      days: {
        first: Math.max(days.reduce((one, day) => Math.min(one, day)) - 1, 0),
        last: days.reduce((one, day) => Math.max(one, day)) + 1,
      },
      withRecords: false,
    });
    for (const [id, rowsOfOrder] of byOrder) {
      const state = existing.states.get(id);
      if (state) this.#match(id, rowsOfOrder, existing.lines.get(id) ?? []);
      for (const { cells, line } of rowsOfOrder) {
        const isCanceled = state?.status === canceled && state.updatedAt >= Number(cells.updatedAt);
        this.#stage(isCanceled ? { ...cells, status: canceled } : cells, line);
      }
    }
  }

  /** Replaces unknown line ids of rows by the ids of their lines. */
  #match(id: string, rows: readonly Row[], lines: readonly OrderLine[]): void {
    const named = new Set(rows.map(({ cells }) => cells.lineId));
    const taken = this.#taken.get(id) ?? new Set();
    const known = new Set(lines.map(({ line_id }) => line_id));
    const free = lines.filter(
      ({ line_id }) => !named.has(line_id) && !taken.has(line_id as string),
    );
    // The latest version of a row represents its line id.
    const unknown = new Map(
      rows.filter(({ cells }) => !known.has(cells.lineId!)).map((row) => [row.cells.lineId, row]),
    );
    const matches = matched([...unknown.values()].map(matchable), free.map(matchableLine));
    const ids = new Map(
      [...unknown.keys()].map((lineId, index) => [lineId, free[matches[index]!]?.line_id]),
    );
    for (const row of rows) {
      const lineId = ids.get(row.cells.lineId!);
      if (lineId === undefined) continue;
      row.cells = { ...row.cells, lineId };
      taken.add(lineId as string);
    }
    if (taken.size > 0 && this.#taken.size < ordersMax) this.#taken.set(id, taken);
  }
}

function orderOf({ cells }: Row): string {
  return cells.orderId as string;
}

function matchable({ cells }: Row): Matchable {
  return {
    sku: cells.sku as string,
    productId: cells.productId as string,
    quantity: cells.quantity as number,
  };
}
