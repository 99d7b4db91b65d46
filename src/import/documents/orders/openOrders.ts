/** Orders whose rows are scattered over a document. */

/** The result of closing an order, for its later rows. */
export type ClosedOrders<Closed> = {
  get(id: string): Closed | undefined;
  set(id: string, closed: Closed): void;
};

/**
 * Collects the rows of orders. If too many orders are open, closes the one that was opened first.
 */
export class OpenOrders<Order, Closed> {
  readonly #open = new Map<string, Order>();
  /**
   * The oldest first. One iterator for all, because a new one passes over all orders deleted before
   * it.
   */
  readonly #oldest = this.#open.entries();
  readonly #openMax: number;
  readonly #closed: ClosedOrders<Closed>;
  readonly #close: (id: string, order: Order) => Closed;

  /** `close` receives a finished order. Its result is remembered in `closed`. */
  constructor(
    openMax: number,
    closed: ClosedOrders<Closed>,
    close: (id: string, order: Order) => Closed,
  ) {
    this.#openMax = openMax;
    this.#closed = closed;
    this.#close = close;
  }

  /** The open order with that id. */
  get(id: string): Order | undefined {
    return this.#open.get(id);
  }

  /**
   * The result of closing the order with that id. Undefined if no such order was closed, or too
   * long ago.
   */
  closed(id: string): Closed | undefined {
    return this.#closed.get(id);
  }

  /** Opens an order, or replaces the open order with that id. */
  set(id: string, order: Order): void {
    this.#open.set(id, order);
    if (this.#open.size > this.#openMax) this.#closeOne(...this.#oldest.next().value!);
  }

  /** Closes every order. */
  closeAll(): void {
    for (const [id, order] of this.#open) this.#closeOne(id, order);
  }

  #closeOne(id: string, order: Order): void {
    this.#open.delete(id);
    this.#closed.set(id, this.#close(id, order));
  }
}

/** The most recently closed orders, with the results of closing them. */
export class LatestOrders<Closed> implements ClosedOrders<Closed> {
  readonly #max: number;
  readonly #closed = new Map<string, Closed>();
  readonly #oldest = this.#closed.keys();

  /** Remembers this many orders. */
  constructor(max: number) {
    this.#max = max;
  }

  get(id: string): Closed | undefined {
    return this.#closed.get(id);
  }

  set(id: string, closed: Closed): void {
    if (this.#closed.size >= this.#max) this.#closed.delete(this.#oldest.next().value!);
    // A copy, because the id itself would retain its whole chunk of the document in memory.
    this.#closed.set(Buffer.from(id).toString(), closed);
  }
}
