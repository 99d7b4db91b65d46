/** The encoding of a document, found from its bytes, and its conversion to UTF-8. */
import { isAscii } from 'node:buffer';
import { DocumentRefused } from '../refused.ts';
import { shownName } from '../rows.ts';

/** How to find the encoding of a document. */
export type EncodingSettings = {
  /** The encoding that the sender names. */
  readonly charset?: string | undefined;
  /** The encoding of texts that are neither marked nor UTF-8. */
  readonly fallback: string;
  /** Takes the name of the encoding once it is known. */
  readonly onEncoding: (encoding: string) => void;
};

/** The marketplace whose files are not in Windows-1252. */
const japan = 'A1VC38T7YXB528';
/** The number of bytes, from the first letter beyond ASCII on, that decide the encoding. */
const sampleBytes = 2 ** 20;
/** A text with this many UTF-8 letters for each invalid byte is UTF-8 with damaged lines. */
const lettersPerStray = 4;

/** The encoding that the marketplace of a channel uses when it does not write UTF-8. */
export function encodingOf(channel: {
  readonly marketplaceId?: string;
  readonly currency: string;
}): string {
  const { marketplaceId, currency } = channel;
  const isJapanese = marketplaceId === undefined ? currency === 'JPY' : marketplaceId === japan;
  return isJapanese ? 'shift_jis' : 'windows-1252';
}

/**
 * Converts a text to UTF-8. A byte order mark decides the encoding, then the sender, then the text
 * itself. `start` contains its first bytes.
 */
export async function* inUtf8(
  source: AsyncIterable<Buffer>,
  start: Buffer,
  { charset, fallback, onEncoding }: EncodingSettings,
): AsyncGenerator<Buffer> {
  const marked = markOf(start);
  const named = marked ?? charset?.toLowerCase();
  onEncoding(named ?? 'utf-8');
  if (named === undefined) yield* byContent(source, fallback, onEncoding);
  else if (!/^utf-?8$/.test(named)) yield* decode(source, named);
  else yield* withoutMark(source, marked === undefined ? 0 : 3);
}

function markOf(start: Buffer): string | undefined {
  const mark = start.toString('latin1', 0, 3);
  if (mark.startsWith('\xff\xfe')) return 'utf-16le';
  if (mark.startsWith('\xfe\xff')) return 'utf-16be';
  return mark === '\xef\xbb\xbf' ? 'utf-8' : undefined;
}

async function* withoutMark(source: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const chunk of source) {
    yield left === 0 ? chunk : chunk.subarray(left);
    left = 0;
  }
}

/** Passes on ASCII, which most encodings share, and decides by the first other letters. */
async function* byContent(
  source: AsyncIterable<Buffer>,
  fallback: string,
  onEncoding: EncodingSettings['onEncoding'],
): AsyncGenerator<Buffer> {
  const iterator = source[Symbol.asyncIterator]();
  const sample: Buffer[] = [];
  let size = 0;
  let isWhole = false;
  while (size < sampleBytes && !isWhole) {
    const next = await iterator.next();
    if (next.done) isWhole = true;
    else if (size === 0 && isAscii(next.value)) yield next.value;
    else {
      // A piece may last only until the next one is read.
      sample.push(Buffer.from(next.value));
      size += next.value.length;
    }
  }
  const rest = { [Symbol.asyncIterator]: () => iterator };
  const letters = Buffer.concat(sample);
  if (isUtf8Text(letters, isWhole)) {
    if (size > 0) yield letters;
    yield* rest;
    return;
  }
  onEncoding(fallback);
  async function* all() {
    yield letters;
    yield* rest;
  }
  yield* decode(all(), fallback, `neither UTF-8 nor ${fallback}, the encoding of its marketplace`);
}

/** Whether a text is UTF-8, perhaps with some damaged letters. */
function isUtf8Text(bytes: Buffer, isWhole: boolean): boolean {
  let letters = 0;
  let strays = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = letterLength(bytes, at);
    // Its end may be beyond the sample.
    const isCut = !isWhole && at + 4 > bytes.length;
    if (length > 1) letters++;
    else if (length === 0 && !isCut) strays++;
    at += Math.max(1, length);
  }
  return letters >= strays * lettersPerStray;
}

/** The number of bytes of the UTF-8 letter at a place; 0 if there is none. */
function letterLength(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return 0;
  for (let place = 1; place < length; place++) if ((bytes[at + place]! & 0xc0) !== 0x80) return 0;
  return length;
}

async function* decode(
  source: AsyncIterable<Buffer>,
  encoding: string,
  otherwise = `not ${encoding}`,
): AsyncGenerator<Buffer> {
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new DocumentRefused(`unknown encoding ${shownName(encoding)}`);
  }
  try {
    for await (const chunk of source) yield Buffer.from(decoder.decode(chunk, { stream: true }));
    yield Buffer.from(decoder.decode());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new DocumentRefused(
      `the document is ${otherwise}: save it as UTF-8, or name its encoding by charset=windows-1252 in its content type`,
    );
  }
}
