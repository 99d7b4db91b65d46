/** The file of the checksums of a SQLite file: 32-bit numbers, of which the last is their own sum. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

const ending = '.sums';
const magic = 0x56505331;
const numberBytes = 4;
const headerNumbers = 6;

/** The sums of the pages of a file at one moment. */
export type StoredSums = {
  /** The number that the database had then. */
  readonly generation: number;
  readonly pageBytes: number;
  /** Whether the file or its log was found damaged. */
  readonly isDamaged: boolean;
  /** By page, from the first. */
  readonly sums: number[];
  /** Pages that were about to change, whose sums do not count. */
  readonly changing: readonly number[];
};

/** Reads the sums; undefined if there are none, or they are damaged or of other pages. */
export function readSums(file: string, pageBytes: number): StoredSums | undefined {
  if (!existsSync(file + ending)) return undefined;
  const content = readFileSync(file + ending);
  const bytes = content.length - numberBytes;
  if (bytes < headerNumbers * numberBytes || content.length % numberBytes !== 0) return undefined;
  if (crc32(content.subarray(0, bytes)) !== content.readUInt32LE(bytes)) return undefined;
  const numbers = Array.from({ length: bytes / numberBytes }, (_, at) =>
    content.readUInt32LE(at * numberBytes),
  );
  const [found, ofPages, generation, damaged, pages] = numbers;
  if (found !== magic || ofPages !== pageBytes) return undefined;
  const end = headerNumbers + pages!;
  const sums = numbers.slice(headerNumbers, end);
  const isDamaged = damaged !== 0;
  return { generation: generation!, pageBytes, isDamaged, sums, changing: numbers.slice(end) };
}

/** Stores the sums durably, in place of earlier ones. */
export function writeSums(file: string, stored: StoredSums): void {
  const { generation, pageBytes, isDamaged, sums, changing } = stored;
  const header = [magic, pageBytes, generation, Number(isDamaged), sums.length, changing.length];
  const numbers = Uint32Array.from([...header, ...sums, ...changing]);
  const content = Buffer.alloc((numbers.length + 1) * numberBytes);
  for (const [at, number] of numbers.entries()) content.writeUInt32LE(number, at * numberBytes);
  const bytes = numbers.length * numberBytes;
  content.writeUInt32LE(crc32(content.subarray(0, bytes)), bytes);
  const draft = `${file}${ending}.part`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  renameSync(draft, file + ending);
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** Removes the sums: those of the pages at the next start count. */
export function removeSums(file: string): void {
  rmSync(file + ending, { force: true });
}
