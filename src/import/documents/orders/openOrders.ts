/** Orders whose rows are scattered over a document. */

/** Gathers the rows of orders, and closes the order that opened first where too many are open. */
export class OpenOrders<Order, Closed> {
  readonly #open = new Map<string, Order>();
  readonly #closed = new Map<string, Closed>();
  readonly #max: { readonly open: number; readonly closed: number };
  readonly #close: (id: string, order: Order) => Closed;

  /** `close` takes a finished order; its result is kept for rows of the order that come later, as long as `max` allows. */
  constructor(
    max: { readonly open: number; readonly closed: number },
    close: (id: string, order: Order) => Closed,
  ) {
    this.#max = max;
    this.#close = close;
  }

  /** The open order of that id. */
  get(id: string): Order | undefined {
    return this.#open.get(id);
  }

  /** What closing the order of that id returned; undefined where none of that id was closed, or long ago. */
  closed(id: string): Closed | undefined {
    return this.#closed.get(id);
  }

  /** Opens an order, or replaces the open order of that id. */
  set(id: string, order: Order): void {
    this.#open.set(id, order);
    if (this.#open.size > this.#max.open) this.#closeOne(...this.#open.entries().next().value!);
  }

  /** Closes every order. */
  closeAll(): void {
    for (const [id, order] of this.#open) this.#closeOne(id, order);
  }

  #closeOne(id: string, order: Order): void {
    this.#open.delete(id);
    const closed = this.#close(id, order);
    if (this.#closed.size >= this.#max.closed)
      this.#closed.delete(this.#closed.keys().next().value!);
    // A copy: the id itself would keep the chunk of the document alive that it was cut from.
    this.#closed.set(Buffer.from(id).toString(), closed);
  }
}
