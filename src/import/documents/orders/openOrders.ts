/** Orders whose rows are scattered over a document. */

/**
 * Collects the rows of orders. If too many orders are open, it closes the one that was opened
 * first.
 */
export class OpenOrders<Order, Closed> {
  readonly #open = new Map<string, Order>();
  readonly #closed = new Map<string, Closed>();
  /**
   * The oldest entries first. Kept, because a new iterator passes over all that were deleted before
   * the first entry.
   */
  readonly #oldestOpen = this.#open.entries();
  readonly #oldestClosed = this.#closed.keys();
  readonly #max: { readonly open: number; readonly closed: number };
  readonly #close: (id: string, order: Order) => Closed;

  /**
   * `close` receives a finished order. Its result is kept for later rows of the order, for up to
   * `max` orders.
   */
  constructor(
    max: { readonly open: number; readonly closed: number },
    close: (id: string, order: Order) => Closed,
  ) {
    this.#max = max;
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

  /** Opens an order, or replaces the open order of that id. */
  set(id: string, order: Order): void {
    this.#open.set(id, order);
    if (this.#open.size > this.#max.open) this.#closeOne(...this.#oldestOpen.next().value!);
  }

  /** Closes every order. */
  closeAll(): void {
    for (const [id, order] of this.#open) this.#closeOne(id, order);
  }

  #closeOne(id: string, order: Order): void {
    this.#open.delete(id);
    const closed = this.#close(id, order);
    if (this.#closed.size >= this.#max.closed)
      this.#closed.delete(this.#oldestClosed.next().value!);
    // A copy, because the id itself would keep its whole chunk of the document in memory.
    this.#closed.set(Buffer.from(id).toString(), closed);
  }
}
