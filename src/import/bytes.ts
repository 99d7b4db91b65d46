/** Manages the memory of documents' bytes. */

/**
 * Frees bytes that nobody reads any more; the garbage collector lets up to 64 MiB of them wait.
 * Bytes that share their memory with others stay.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
