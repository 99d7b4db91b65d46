/** The write-ahead log of a SQLite file, in its documented format: its pages and its checksums. */

import { closeSync, existsSync, openSync, readSync } from 'node:fs';

const framesAtOnce = 250;
const headerBytes = 32;
const frameHeaderBytes = 24;
const saltBytes = 8;
/** The size of pages where the header does not say it. */
const usualPageBytes = 4096;
/** The magic number of a log whose checksums are of big-endian words; the other one differs by 1. */
const bigEndianMagic = 0x377f0683;

/** A page in a log. */
export type Frame = {
  readonly page: number;
  /** Whether a transaction ends with it. */
  readonly isCommit: boolean;
  /** Whether it is as it was written. */
  readonly isWhole: boolean;
};

/** The frames of a log, without those that an earlier log has left at its end. */
export function framesOf(file: string): Frame[] {
  if (!existsSync(file)) return [];
  const handle = openSync(file, 'r');
  try {
    const header = Buffer.alloc(headerBytes);
    if (readSync(handle, header, 0, headerBytes, 0) < headerBytes) return [];
    return framesAfter(header, handle);
  } finally {
    closeSync(handle);
  }
}

function framesAfter(header: Buffer, handle: number): Frame[] {
  const isLittle = header.readUInt32BE(0) !== bigEndianMagic;
  let salts = header.subarray(16, 16 + saltBytes);
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
      // Those of a damaged header name no frame.
      if (!isHeaderWhole && frames.length === 0) salts = Buffer.from(frame.subarray(8, 16));
      sums = added(sums, frame.subarray(0, saltBytes), isLittle);
      sums = added(sums, frame.subarray(frameHeaderBytes), isLittle);
      const isOwn = frame.subarray(8, 8 + saltBytes).equals(salts);
      const isWhole = isHeaderWhole && isOwn && isEqual(sums, frame, 16);
      // A damaged frame says nothing about the next one.
      sums = [frame.readUInt32BE(16), frame.readUInt32BE(20)];
      frames.push({ page: frame.readUInt32BE(0), isCommit: frame.readUInt32BE(4) > 0, isWhole });
      if (isOwn) ownFrames = frames.length;
    }
    if (read < portion.length) return frames.slice(0, ownFrames);
  }
}

/**
 * Whether committed frames are damaged. Frames after the last commit belong to a transaction that
 * was rolled back, and do not count. Where a process has left the log, its last transaction may be
 * torn by a failure of power, and was then not answered as committed.
 */
export function isLogDamaged(frames: readonly Frame[], isLeft: boolean): boolean {
  const first = frames.findIndex(({ isWhole }) => !isWhole);
  if (first < 0) return false;
  const later = frames.slice(first, isLeft ? -1 : undefined);
  return later.some(({ isCommit }) => isCommit);
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
