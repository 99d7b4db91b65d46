/** A JSON document whose long lists are read in portions, from a file that stores it. */
import { part, rowsAt } from '../cells/json.ts';
import { notJson, type Outline, OutlineReader, parsed, tooLarge } from './outline.ts';
import { StoredBytes } from './storedBytes.ts';

/** The maximum size of a JSON document in bytes, because it is unpacked to the disk. */
const documentBytesMax = 2 * 1024 ** 3;
/** The maximum size of a part of a document that is parsed at once. No text may be longer. */
const textBytesMax = 384 * 1024 ** 2;
const tooLong = 'the JSON document is larger than 2 GiB: split it by dates';
const bytesPerMegabyte = 1_000_000;

/** Reads a JSON document, and then its rows in any order. Must be closed. */
export class JsonDocument {
  readonly #bytes: StoredBytes;
  readonly #outline: Outline;
  readonly #megabytesMax: number;

  private constructor(bytes: StoredBytes, outline: Outline, megabytesMax: number) {
    this.#bytes = bytes;
    this.#outline = outline;
    this.#megabytesMax = megabytesMax;
  }

  /** Stores the bytes of a document, in a file at `path` if it is large. */
  static async open(
    source: AsyncIterable<Buffer>,
    path: string,
    megabytesMax: number,
  ): Promise<JsonDocument> {
    const outline = new OutlineReader(megabytesMax);
    const bytes = new StoredBytes(path, documentBytesMax, tooLong);
    try {
      for await (const piece of source) {
        outline.push(piece);
        bytes.add(piece);
      }
      return new JsonDocument(bytes, outline.end(), megabytesMax);
    } catch (error) {
      bytes.close();
      throw error;
    }
  }

  /** The document, with only the first rows of long lists. */
  get sample(): unknown {
    return this.#outline.sample;
  }

  /** The whole document. Throws DocumentTooLarge if it takes more memory than one may. */
  get whole(): unknown {
    const { portions, sample, weight } = this.#outline;
    if (portions.size === 0) return sample;
    if (weight > this.#megabytesMax * bytesPerMegabyte) throw tooLarge(this.#megabytesMax);
    return this.#parse(0, this.#bytes.length);
  }

  /** The rows under a path, in portions. */
  *rowsAt(path: readonly string[]): Iterable<readonly unknown[]> {
    const portions = this.#outline.portions.get(JSON.stringify(path));
    const isList = Array.isArray(part(this.sample, ...path));
    if (portions === undefined) yield rowsAt(isList ? this.sample : this.whole, path);
    else
      for (const [start, end] of portions) {
        const rows = this.#parse(start, end, '[', ']') as readonly unknown[];
        // A portion follows a comma, so none is empty.
        if (rows.length === 0) throw notJson();
        yield rows;
      }
  }

  /** Closes and removes the file. */
  close(): void {
    this.#bytes.close();
  }

  #parse(start: number, end: number, before = '', after = ''): unknown {
    if (end - start > textBytesMax) throw tooLarge(this.#megabytesMax);
    return parsed(`${before}${this.#bytes.read(start, end).toString('utf8')}${after}`);
  }
}
