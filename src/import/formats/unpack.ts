/** Unpacks documents: gzip and zip to their text in UTF-8, spreadsheets to delimited text. */
import { PassThrough, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Unzip, UnzipInflate } from 'fflate';
import { DocumentRefused, DocumentTooLarge } from '../refused.ts';
import { type EncodingSettings, inUtf8 } from './encoding.ts';
import { beginsSpreadsheet, sheetText } from './spreadsheet.ts';

/** Enough bytes to read the name of a spreadsheet's first file. */
const archiveHeadBytes = 64;
/** The number of bytes to unpack at once: up to a thousand times as many wait in memory. */
const packedBytes = 8_192;
const bytesPerMegabyte = 2 ** 20;

/**
 * The plain bytes of a document, in UTF-8. `isHeader` finds the sheet of a spreadsheet by its
 * header. A large spreadsheet is stored in a file at `path`.
 */
export async function* plainBytes(
  source: AsyncIterable<Buffer>,
  encoding: EncodingSettings,
  path: string,
  isHeader: (names: readonly string[]) => boolean,
): AsyncGenerator<Buffer> {
  const [first, rest] = await peek(source, archiveHeadBytes);
  let bytes: AsyncIterable<Buffer> = rest;
  if (first[0] === 0x1f && first[1] === 0x8b) bytes = gunzip(bytes);
  else if (first.toString('latin1', 0, 4) === 'PK\u0003\u0004') {
    if (beginsSpreadsheet(firstFileOf(first))) {
      yield* sheetText(bytes, path, isHeader);
      return;
    }
    bytes = unzip(bytes);
  }
  const [start, whole] = await peek(bytes, 4);
  yield* inUtf8(whole, start, encoding);
}

/** The bytes of a document, which is refused as soon as it exceeds this many megabytes. */
export async function* boundedBytes(
  source: AsyncIterable<Buffer>,
  megabytesMax: number,
): AsyncGenerator<Buffer> {
  let left = megabytesMax * bytesPerMegabyte;
  for await (const chunk of source) {
    left -= chunk.length;
    if (left < 0)
      throw new DocumentTooLarge(
        `the document is too large: unpacked it takes more than ${megabytesMax} MB`,
      );
    yield chunk;
  }
}

/** The first bytes, at least `atLeast` if there are as many, and an iterable over all bytes. */
async function peek(
  source: AsyncIterable<Buffer>,
  atLeast: number,
): Promise<[Buffer, AsyncIterable<Buffer>]> {
  const iterator = source[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < atLeast) {
    const next = await iterator.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* all() {
    if (head.length > 0) yield head;
    for (;;) {
      const next = await iterator.next();
      if (next.done) return;
      yield next.value;
    }
  }
  return [head, all()];
}

async function* gunzip(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const unpacked = new PassThrough();
  pipeline(source, createGunzip(), unpacked, () => undefined);
  try {
    for await (const chunk of unpacked) yield chunk as Buffer;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!code.startsWith('Z_')) throw error;
    throw new DocumentRefused(
      code === 'Z_BUF_ERROR'
        ? 'the gzip data ends too early: the document is cut off'
        : 'the gzip data is damaged: unpack it to see where',
    );
  }
}

/** The name of a zip archive's first file, from its local header; cut if the header is. */
function firstFileOf(head: Buffer): string {
  return head.length < 30
    ? ''
    : head.toString('latin1', 30, Math.min(30 + head.readUInt16LE(26), head.length));
}

/** The supported methods of packing in an archive: none, and Deflate. */
const methods = [0, 8];

/** Unpacks a zip archive of one file. */
async function* unzip(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const ready: Buffer[] = [];
  let files = 0;
  let finished = false;
  let failure: Error | undefined;
  const archive = new Unzip((file) => {
    if (++files > 1) {
      failure = new DocumentRefused('the zip archive contains several files: send them one by one');
      return;
    }
    file.ondata = (error, data, final) => {
      if (error)
        failure = new DocumentRefused('the zip archive is damaged: unpack it to see where');
      else ready.push(Buffer.from(data));
      finished ||= final;
    };
    // The library throws a TypeError for any other method.
    if (methods.includes(file.compression)) file.start();
    else
      failure = new DocumentRefused(
        'the zip archive is damaged, or packed by a method other than Deflate: unpack the document',
      );
  });
  archive.register(UnzipInflate);
  for await (const chunk of source) {
    for (let start = 0; start < chunk.length; start += packedBytes) {
      archive.push(chunk.subarray(start, start + packedBytes));
      if (failure) throw failure;
      yield* ready.splice(0);
    }
  }
  if (!finished)
    throw new DocumentRefused('the zip archive ends too early: the document is cut off');
}
