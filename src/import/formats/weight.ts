/** Bounds what a JSON document costs, before it is parsed: its depth, and the memory it takes. */
import { DocumentRefused, DocumentTooLarge } from '../refused.ts';

/** The documents of marketplaces have up to a dozen levels. */
const depthMax = 100;

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
const [quote, backslash, comma] = [codeOf('"'), codeOf('\\'), codeOf(',')];
const [listStart, listEnd] = [codeOf('['), codeOf(']')];
const [objectStart, objectEnd] = [codeOf('{'), codeOf('}')];

/** Weighs a JSON document in UTF-8, piece by piece, against the memory that it may take. */
export class DocumentWeight {
  readonly #megabytesMax: number;
  #bytes = 0;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;

  constructor(megabytesMax: number) {
    this.#megabytesMax = megabytesMax;
  }

  /** Takes the next bytes. Throws DocumentRefused where the document is too deep or too large. */
  push(piece: Buffer): void {
    this.#bytes += piece.length * textBytes;
    for (const byte of piece) {
      if (this.#isInText) this.#takeText(byte);
      else if (byte === quote) this.#isInText = true;
      else if (byte === comma) this.#bytes += memberBytes;
      else if (byte === objectStart) this.#enter(objectBytes);
      else if (byte === listStart) this.#enter(listBytes);
      else if (byte === objectEnd || byte === listEnd) this.#depth--;
    }
    if (this.#bytes > this.#megabytesMax * bytesPerMegabyte)
      throw new DocumentTooLarge(
        `the document takes more than the ${this.#megabytesMax} MB of memory that one may: split it by dates`,
      );
  }

  #takeText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isInText = false;
  }

  #enter(bytes: number): void {
    this.#bytes += bytes;
    if (++this.#depth > depthMax)
      throw new DocumentRefused(
        `the JSON document is nested more than ${depthMax} levels deep: no known document is`,
      );
  }
}
