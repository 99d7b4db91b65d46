/** Reads the files of a zip archive in any order, each piece by piece. */
import { pipeline } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import type { StoredBytes } from './storedBytes.ts';

const endSignature = Buffer.from('PK\u0005\u0006', 'latin1');
const entrySignature = 0x02014b50;
const fileSignature = 0x04034b50;
const endBytes = 22;
const commentBytesMax = 65_535;
/** The list of files is read as a whole. */
const listBytesMax = 4 * 1024 * 1024;
const entryBytes = 46;
const headBytes = 30;
/** Marks a size that an extra field holds; some programs write long sizes for all files. */
const elsewhere = 0xffffffff;
const longSizes = 1;
/** The number of bytes to read at once, packed and unpacked. */
const pieceBytes = 65_536;

/** A file of an archive, as the list of files describes it. */
export type ArchivedFile = {
  readonly name: string;
  readonly method: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly start: number;
};

/** The archive does not follow the format. */
export class ArchiveDamaged extends Error {}

/** The files of an archive, by their names. */
export function filesOf(archive: StoredBytes): ReadonlyMap<string, ArchivedFile> {
  const tailStart = Math.max(0, archive.length - endBytes - commentBytesMax);
  const tail = archive.read(tailStart, archive.length);
  const end = tail.lastIndexOf(endSignature);
  if (end < 0 || end + endBytes > tail.length) throw new ArchiveDamaged();
  const [count, length, start] = [
    tail.readUInt16LE(end + 10),
    tail.readUInt32LE(end + 12),
    tail.readUInt32LE(end + 16),
  ];
  if (length > listBytesMax || start + length > archive.length) throw new ArchiveDamaged();
  const list = archive.read(start, start + length);
  const files = new Map<string, ArchivedFile>();
  for (let at = 0, listed = 0; listed < count; listed++) {
    if (at + entryBytes > length || list.readUInt32LE(at) !== entrySignature)
      throw new ArchiveDamaged();
    const nameEnd = at + entryBytes + list.readUInt16LE(at + 28);
    const extraEnd = nameEnd + list.readUInt16LE(at + 30);
    const name = list.toString('utf8', at + entryBytes, nameEnd);
    const [unpackedBytes, packedBytes] = sizesOf(
      [list.readUInt32LE(at + 24), list.readUInt32LE(at + 20)],
      list.subarray(nameEnd, extraEnd),
    );
    const [method, fileStart] = [list.readUInt16LE(at + 10), list.readUInt32LE(at + 42)];
    if (name === '') throw new ArchiveDamaged();
    files.set(name, { name, method, packedBytes, unpackedBytes, start: fileStart });
    at = extraEnd + list.readUInt16LE(at + 32);
  }
  return files;
}

function sizesOf(sizes: readonly [number, number], extra: Buffer): [number, number] {
  if (!sizes.includes(elsewhere)) return [...sizes];
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== longSizes) continue;
    let next = at + 4;
    return sizes.map((size) => {
      if (size !== elsewhere) return size;
      if (next + 8 > extra.length) throw new ArchiveDamaged();
      next += 8;
      return Number(extra.readBigUInt64LE(next - 8));
    }) as [number, number];
  }
  throw new ArchiveDamaged();
}

/** The unpacked bytes of a file, at most as many as the list of files states. */
export async function* unpackedPieces(
  archive: StoredBytes,
  file: ArchivedFile,
): AsyncGenerator<Buffer> {
  let left = file.unpackedBytes;
  const packed = packedPieces(archive, file);
  try {
    for await (const piece of file.method === 0 ? packed : inflated(packed)) {
      left -= piece.length;
      if (left < 0) throw new ArchiveDamaged();
      yield piece;
    }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? new ArchiveDamaged() : error;
  }
}

function inflated(packed: Iterable<Buffer>): AsyncIterable<Buffer> {
  const unpacked = createInflateRaw({ chunkSize: pieceBytes });
  pipeline(packed, unpacked, () => undefined);
  return unpacked;
}

function* packedPieces(archive: StoredBytes, file: ArchivedFile): Generator<Buffer> {
  const { start, packedBytes, method } = file;
  if (start + headBytes > archive.length || (method !== 0 && method !== 8))
    throw new ArchiveDamaged();
  const head = archive.read(start, start + headBytes);
  if (head.readUInt32LE(0) !== fileSignature) throw new ArchiveDamaged();
  const begin = start + headBytes + head.readUInt16LE(26) + head.readUInt16LE(28);
  const end = begin + packedBytes;
  if (end > archive.length) throw new ArchiveDamaged();
  for (let at = begin; at < end; at += pieceBytes)
    // A copy, because the bytes last only until the next read.
    yield Buffer.from(archive.read(at, Math.min(end, at + pieceBytes)));
}
