/** Memory of the bytes of documents. */

/**
 * Frees bytes that nobody reads any more. The garbage collector lets up to 64 MiB of them wait.
 * Bytes that share their memory with others stay.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
