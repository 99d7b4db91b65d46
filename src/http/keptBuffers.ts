/** Buffers that are used again: collecting large ones as garbage makes other requests wait. */

const keptPerSize = 2;

/** Keeps a few buffers of each size, which must be a power of two. */
export class KeptBuffers {
  readonly #kept = new Map<number, Buffer[]>();

  /** A buffer of so many bytes, at least, that holds anything. */
  take(bytes: number): Buffer {
    const size = 2 ** Math.ceil(Math.log2(bytes));
    return this.#kept.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
  }

  /** Keeps a buffer that nobody reads any more. */
  keep(buffer: Buffer): void {
    if (buffer.length === 0) return;
    const kept = this.#kept.get(buffer.length) ?? [];
    if (kept.length < keptPerSize) kept.push(buffer);
    this.#kept.set(buffer.length, kept);
  }
}
