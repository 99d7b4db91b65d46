/** Cuts a document into portions of whole lines. */
import { freeBytes } from '../bytes.ts';

const portionBytes = 8 * 1024 * 1024;
const sliceBytes = 256 * 1024;
const newline = 0x0a;

/**
 * The portions of a document: first a single line, then some megabytes each. Each ends with a line,
 * except the last one and portions of a line that is too long.
 */
export async function* portionsOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let size = 0;
  let isFirst = true;
  for await (const piece of bytes) {
    pieces.push(piece);
    size += piece.length;
    const isWhole = (isFirst || size >= portionBytes) && piece.includes(newline);
    if (!isWhole && size < portionBytes) continue;
    const end = isFirst ? piece.indexOf(newline) : piece.lastIndexOf(newline);
    const cut = isWhole ? end + 1 : piece.length;
    const portion = Buffer.concat(pieces, size - piece.length + cut);
    const rest = Buffer.from(piece.subarray(cut));
    pieces.forEach(freeBytes);
    yield portion;
    isFirst = false;
    pieces = [rest];
    size = rest.length;
  }
  if (size > 0) yield Buffer.concat(pieces);
}

/** The bytes in slices, between which other work may run. */
export function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += sliceBytes)
    yield bytes.subarray(start, start + sliceBytes);
}
