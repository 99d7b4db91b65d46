/** The write-ahead log of a SQLite file, in its documented format: its pages and its checksums. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';

const framesAtOnce = 250;
const headerBytes = 32;
const frameHeaderBytes = 24;
/** Where the header of a log has its salts, and their size. */
const saltsAt = 16;
const saltBytes = 8;
/** The size of pages if the header does not state it. */
const usualPageBytes = 4096;
/** The magic number of a log with checksums of big-endian words; the other kind's differs by 1. */
const bigEndianMagic = 0x377f0683;

/** A page in a log. */
export type Frame = {
  /** From 0. */
  readonly page: number;
  /** The CRC-32 of the page. */
  readonly sum: number;
  /** The number of the file's pages after the transaction that ends with it; 0 if none ends. */
  readonly pagesAfter: number;
  /** Whether it is as it was written. */
  readonly isWhole: boolean;
};

/** The random number of a file's log, which changes at each checkpoint; undefined without a log. */
export function saltsOf(file: string): string | undefined {
  return withLog(file, (header) => header.toString('hex', saltsAt, saltsAt + saltBytes));
}

/** The frames of a file's log, without the remains of an earlier log at its end. */
export function framesOf(file: string): Frame[] {
  return withLog(file, framesAfter) ?? [];
}

function withLog<T>(file: string, read: (header: Buffer, handle: number) => T): T | undefined {
  const log = `${file}-wal`;
  if (!existsSync(log)) return undefined;
  const handle = openSync(log, 'r');
  try {
    const header = Buffer.alloc(headerBytes);
    if (readSync(handle, header, 0, headerBytes, 0) < headerBytes) return undefined;
    return read(header, handle);
  } finally {
    closeSync(handle);
  }
}

function framesAfter(header: Buffer, handle: number): Frame[] {
  const isLittle = header.readUInt32BE(0) !== bigEndianMagic;
  let salts = header.subarray(saltsAt, saltsAt + saltBytes);
  const ofHeader = added([0, 0], header.subarray(0, frameHeaderBytes), isLittle);
  const isHeaderWhole = isEqual(ofHeader, header, frameHeaderBytes);
  const frameBytes = frameHeaderBytes + (isHeaderWhole ? header.readUInt32BE(8) : usualPageBytes);
  const portion = Buffer.alloc(frameBytes * framesAtOnce);
  let sums = ofHeader;
  const frames: Frame[] = [];
  let ownFrames = 0;
  for (let from = headerBytes; ; from += portion.length) {
    const read = readSync(handle, portion, 0, portion.length, from);
    for (let at = 0; at + frameBytes <= read; at += frameBytes) {
      const frame = portion.subarray(at, at + frameBytes);
      const page = frame.subarray(frameHeaderBytes);
      // The frames of a damaged header are unknown.
      if (!isHeaderWhole && frames.length === 0) salts = Buffer.from(frame.subarray(8, 16));
      sums = added(added(sums, frame.subarray(0, saltBytes), isLittle), page, isLittle);
      const isOwn = frame.subarray(8, 8 + saltBytes).equals(salts);
      const isWhole = isHeaderWhole && isOwn && isEqual(sums, frame, 16);
      // A damaged frame says nothing about the next one.
      sums = [frame.readUInt32BE(16), frame.readUInt32BE(20)];
      const pagesAfter = frame.readUInt32BE(4);
      frames.push({ page: frame.readUInt32BE(0) - 1, sum: crc32(page), pagesAfter, isWhole });
      if (isOwn) ownFrames = frames.length;
    }
    if (read < portion.length) return frames.slice(0, ownFrames);
  }
}

/**
 * Whether committed frames are damaged. Frames after the last commit belong to a transaction that
 * was rolled back, and do not count. If a process left the log behind, a power failure may have
 * torn its last transaction, which was then never answered as committed.
 */
export function isLogDamaged(frames: readonly Frame[], isLeft: boolean): boolean {
  const first = frames.findIndex(({ isWhole }) => !isWhole);
  if (first < 0) return false;
  const later = frames.slice(first, isLeft ? -1 : undefined);
  return later.some(({ pagesAfter }) => pagesAfter > 0);
}

type Sums = readonly [number, number];

function isEqual([one, other]: Sums, written: Buffer, at: number): boolean {
  return written.readUInt32BE(at) === one && written.readUInt32BE(at + 4) === other;
}

function added(sums: Sums, content: Buffer, isLittle: boolean): Sums {
  let [one, other] = sums;
  const words = new DataView(content.buffer, content.byteOffset, content.byteLength);
  for (let at = 0; at < content.length; at += 8) {
    one = (one + words.getUint32(at, isLittle) + other) >>> 0;
    other = (other + words.getUint32(at + 4, isLittle) + one) >>> 0;
  }
  return [one, other];
}
