/** Reuses buffers: collecting large ones as garbage makes other requests wait. */

const perSizeMax = 2;

/** A pool with a few buffers of each size, which is a power of two. */
export class BufferPool {
  readonly #free = new Map<number, Buffer[]>();

  /** A buffer of at least `bytes` bytes, with arbitrary content. */
  take(bytes: number): Buffer {
    const size = 2 ** Math.ceil(Math.log2(bytes));
    return this.#free.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
  }

  /** Returns a buffer that nobody reads any more to the pool. */
  release(buffer: Buffer): void {
    if (buffer.length === 0) return;
    const free = this.#free.get(buffer.length) ?? [];
    if (free.length < perSizeMax) free.push(buffer);
    this.#free.set(buffer.length, free);
  }
}
