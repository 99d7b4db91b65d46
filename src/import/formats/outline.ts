/**
 * Finds the long lists of a JSON document, so that it need not be in memory as a whole, and limits
 * the cost of parsing before it starts: the depth of the document, and the memory that it takes.
 */
import { DocumentRefused, DocumentTooLarge } from '../refused.ts';
import { parseExactly } from '../rows.ts';

/** The documents of marketplaces have up to a dozen levels. */
const depthMax = 100;
/** A list is divided into portions of at least this many bytes. A shorter one is one portion. */
const portionBytes = 64 * 1024;

/**
 * Bytes of memory that parsing takes, measured with the least heap that parses half a million of
 * each: 240 for an object of a shape that others have, 420 for one of its own, 76 for a list, 58
 * for a number in a list. The text is there twice.
 */
const objectBytes = 300;
const listBytes = 80;
const memberBytes = 70;
const textBytes = 2;
const bytesPerMegabyte = 1_000_000;

const codeOf = (character: string) => character.charCodeAt(0);
const [quote, backslash] = [codeOf('"'), codeOf('\\')];
const [comma, colon] = [codeOf(','), codeOf(':')];
const [listStart, listEnd] = [codeOf('['), codeOf(']')];
const [objectStart, objectEnd] = [codeOf('{'), codeOf('}')];

/** The place of the first byte, and the place after the last one. */
type Span = readonly [start: number, end: number];

/** A list outside any other list: its path, and the spans of its portions if it is long. */
type FoundList = { readonly keys: readonly Span[]; readonly portions: readonly Span[] };

/** A document without its long lists. */
export type Outline = {
  /** The document, with only the first portion of each long list. */
  readonly sample: unknown;
  /** The portions of each long list, by its path as JSON: spans of bytes of the document. */
  readonly portions: ReadonlyMap<string, readonly Span[]>;
  /** The memory that parsing the whole document takes, in bytes. */
  readonly weight: number;
};

/** The error for a document that takes more memory than one may. */
export function tooLarge(megabytesMax: number): DocumentTooLarge {
  return new DocumentTooLarge(
    `the document takes more than the ${megabytesMax} MB of memory that one may: split it by dates`,
  );
}

/** The error for a document that is not JSON. */
export function notJson(): DocumentRefused {
  return new DocumentRefused('the document is not JSON: it is damaged or was cut off');
}

/** Reads a JSON document in UTF-8, piece by piece. */
export class OutlineReader {
  readonly #megabytesMax: number;
  /** The bytes read so far, and the memory of their values without the text. */
  #bytes = 0;
  #values = 0;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  /** The bytes outside the later portions of long lists. */
  readonly #retained: Buffer[] = [];
  #retainedBytes = 0;
  /** The weight of skipped rows, and the weight of all bytes before the current row. */
  #passedWeight = 0;
  #rowWeight = 0;
  /** Where to retain the current piece from; -1 if it is not retained. */
  #retainFrom = 0;
  /**
   * The last text, and the name of the current member of each open object, as places in the
   * retained bytes.
   */
  #textStart = 0;
  #text: Span = [0, 0];
  readonly #keys: Span[] = [];
  /** The depth of the open list; 0 if there is none. */
  #listDepth = 0;
  #portionStart = 0;
  #portions: Span[] = [];
  readonly #lists: FoundList[] = [];

  constructor(megabytesMax: number) {
    this.#megabytesMax = megabytesMax;
  }

  /** Takes the next bytes. Throws DocumentRefused if the document is too deep or too large. */
  push(piece: Buffer): void {
    if (this.#retainFrom > 0) this.#retainFrom = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!;
      if (this.#isInText) this.#takeText(byte, at);
      else if (byte === quote) {
        this.#isInText = true;
        this.#textStart = this.#retainedBytes + at - this.#retainFrom;
      } else if (byte === comma) this.#takeComma(piece, at);
      else if (byte === objectStart) this.#enter(objectBytes);
      else if (byte === listStart) this.#enterList(at);
      else if (byte === objectEnd || byte === listEnd) this.#leave(at);
      else if (byte === colon && this.#listDepth === 0 && this.#keys.length > 0)
        this.#keys[this.#keys.length - 1] = this.#text;
    }
    if (this.#retainFrom >= 0) this.#retain(piece, piece.length);
    this.#bytes += piece.length;
    this.#weigh(this.#bytes);
  }

  /** Takes the end. Throws DocumentRefused if the document is not JSON. */
  end(): Outline {
    const text = Buffer.concat(this.#retained);
    this.#retained.length = 0;
    const sample = parsed(text.toString('utf8'));
    const portions = new Map<string, readonly Span[]>();
    for (const list of this.#lists) {
      const names = list.keys.map(([start, end]) => parsed(text.toString('utf8', start, end)));
      const path = JSON.stringify(names);
      // Of members with the same name, the last one counts.
      if (list.portions.length > 0) portions.set(path, list.portions);
      else portions.delete(path);
    }
    return { sample, portions, weight: this.#weightAt(this.#bytes) };
  }

  #takeText(byte: number, at: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) {
      this.#isInText = false;
      if (this.#listDepth === 0)
        this.#text = [this.#textStart, this.#retainedBytes + at - this.#retainFrom + 1];
    }
  }

  #takeComma(piece: Buffer, at: number): void {
    this.#values += memberBytes;
    if (this.#depth !== this.#listDepth || this.#depth === 0) return;
    const end = this.#bytes + at;
    if (this.#retainFrom < 0) this.#passRow(end);
    if (end - this.#portionStart < portionBytes) return;
    this.#portions.push([this.#portionStart, end]);
    this.#portionStart = end + 1;
    if (this.#retainFrom < 0) return;
    this.#retain(piece, at);
    this.#retainFrom = -1;
    this.#rowWeight = this.#weightAt(end);
  }

  #passRow(end: number): void {
    this.#weigh(end);
    this.#passedWeight += this.#weightAt(end) - this.#rowWeight;
    this.#rowWeight = this.#weightAt(end);
  }

  #enter(bytes: number): void {
    this.#values += bytes;
    if (++this.#depth > depthMax)
      throw new DocumentRefused(
        `the JSON document is nested more than ${depthMax} levels deep: no known document is`,
      );
    if (this.#listDepth === 0) this.#keys.push([0, 0]);
  }

  #enterList(at: number): void {
    this.#enter(listBytes);
    if (this.#listDepth !== 0) return;
    this.#keys.pop();
    this.#listDepth = this.#depth;
    this.#portionStart = this.#bytes + at + 1;
    this.#portions = [];
  }

  #leave(at: number): void {
    if (this.#listDepth === 0) this.#keys.pop();
    else if (this.#depth === this.#listDepth) this.#leaveList(at);
    this.#depth--;
  }

  #leaveList(at: number): void {
    const end = this.#bytes + at;
    this.#listDepth = 0;
    if (this.#retainFrom < 0) {
      this.#portions.push([this.#portionStart, end]);
      this.#passRow(end);
      this.#retainFrom = at;
    } else this.#portions = [];
    // A short list matters only if it replaces a long one.
    if (this.#portions.length === 0 && this.#lists.length === 0) return;
    this.#values += objectBytes;
    this.#lists.push({ keys: [...this.#keys], portions: this.#portions });
  }

  /** Retains a copy of the piece up to `end`: a part of the piece would hold all its memory. */
  #retain(piece: Buffer, end: number): void {
    this.#retained.push(Buffer.from(piece.subarray(this.#retainFrom, end)));
    this.#retainedBytes += end - this.#retainFrom;
  }

  #weightAt(bytes: number): number {
    return this.#values + bytes * textBytes;
  }

  /** Refuses the document if the retained bytes and the current row are too large. */
  #weigh(bytes: number): void {
    if (this.#weightAt(bytes) - this.#passedWeight > this.#megabytesMax * bytesPerMegabyte)
      throw tooLarge(this.#megabytesMax);
  }
}

/** Parses a part of a document. Throws DocumentRefused if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    throw notJson();
  }
}
