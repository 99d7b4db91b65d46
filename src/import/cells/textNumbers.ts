/** Texts with a number each, stored as bytes, so that millions of them do not fill the heap. */
import { hash } from 'node:crypto';

/** The bytes of a page of entries; the first page grows to this size, as most maps are small. */
const pageBytes = 1024 * 1024;
const firstPageBytes = 4 * 1024;
const growth = 4;
const wordsPerPage = pageBytes / 4;
const slotsMin = 64;
/** An entry: the hash, the number, the length of the text with a bit for its width, the text. */
const numberAt = 4;
const lengthAt = 12;
const textAt = 16;
const wordBytes = 4;
/** A longer text is known by its digest, which has one byte more than any shorter text. */
const textBytesMax = 32;
/** The largest code of a text whose characters take one byte each. */
const narrowMax = 0xff;
const hashStart = 0x811c9dc5;
const hashFactor = 0x01000193;

/** A page of entries. */
type Page = { readonly bytes: Uint8Array; readonly view: DataView };

/** A map from texts to numbers. Each takes at most 70 bytes, however long it is. */
export class TextNumbers {
  readonly #pages: Page[] = [];
  /** Where the free part of the last page begins. */
  #free = 0;
  /** The entry of each slot: its place in words over all pages, plus 1; 0 if there is none. */
  #slots = new Uint32Array(slotsMin);
  #size = 0;

  /** The number of texts. */
  get size(): number {
    return this.#size;
  }

  /** The number of a text. */
  get(text: string): number | undefined {
    const short = shortened(text);
    const entry = this.#slots[this.#slotOf(short, hashOf(short))]!;
    if (entry === 0) return undefined;
    const { page, at } = this.#placeOf(entry);
    return page.view.getFloat64(at + numberAt, true);
  }

  /** Sets the number of a text. */
  set(text: string, number: number): void {
    const short = shortened(text);
    const hash = hashOf(short);
    const slot = this.#slotOf(short, hash);
    const entry = this.#slots[slot]!;
    if (entry !== 0) {
      const { page, at } = this.#placeOf(entry);
      page.view.setFloat64(at + numberAt, number, true);
      return;
    }
    this.#slots[slot] = this.#append(short, hash, number);
    if (++this.#size * 4 > this.#slots.length * 3) this.#grow();
  }

  /** The slot with the text, or the free slot where it belongs. */
  #slotOf(text: string, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot]!;
      if (entry === 0 || this.#holds(entry, text, hash)) return slot;
    }
  }

  #holds(entry: number, text: string, hash: number): boolean {
    const { page, at } = this.#placeOf(entry);
    const { bytes, view } = page;
    if (view.getUint32(at, true) !== hash) return false;
    const length = view.getUint32(at + lengthAt, true);
    if (length >>> 1 !== text.length) return false;
    const start = at + textAt;
    if ((length & 1) === 0) {
      for (let index = 0; index < text.length; index++)
        if (bytes[start + index] !== text.charCodeAt(index)) return false;
    } else
      for (let index = 0; index < text.length; index++)
        if (view.getUint16(start + index * 2, true) !== text.charCodeAt(index)) return false;
    return true;
  }

  /** Appends an entry and returns the value for its slot. */
  #append(text: string, hash: number, number: number): number {
    const isWide = !isNarrow(text);
    const length = textAt + text.length * (isWide ? 2 : 1);
    const bytesNeeded = Math.ceil(length / wordBytes) * wordBytes;
    if (this.#free + bytesNeeded > (this.#pages.at(-1)?.bytes.length ?? 0)) this.#addRoom();
    const at = this.#free;
    this.#free += bytesNeeded;
    const { bytes, view } = this.#pages.at(-1)!;
    view.setUint32(at, hash, true);
    view.setFloat64(at + numberAt, number, true);
    view.setUint32(at + lengthAt, text.length * 2 + (isWide ? 1 : 0), true);
    for (let index = 0; index < text.length; index++) {
      if (isWide) view.setUint16(at + textAt + index * 2, text.charCodeAt(index), true);
      else bytes[at + textAt + index] = text.charCodeAt(index);
    }
    return (this.#pages.length - 1) * wordsPerPage + at / wordBytes + 1;
  }

  /** Makes the first page longer, or starts another one. */
  #addRoom(): void {
    const [first] = this.#pages;
    if (first !== undefined && first.bytes.length < pageBytes) {
      const longer = pageOf(first.bytes.length * growth);
      longer.bytes.set(first.bytes);
      this.#pages[0] = longer;
      return;
    }
    this.#pages.push(pageOf(first === undefined ? firstPageBytes : pageBytes));
    this.#free = 0;
  }

  #placeOf(entry: number): { readonly page: Page; readonly at: number } {
    return {
      page: this.#pages[Math.floor((entry - 1) / wordsPerPage)]!,
      at: ((entry - 1) % wordsPerPage) * wordBytes,
    };
  }

  #grow(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (const entry of this.#slots) {
      if (entry === 0) continue;
      const { page, at } = this.#placeOf(entry);
      let slot = page.view.getUint32(at, true) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry;
    }
    this.#slots = slots;
  }
}

function pageOf(length: number): Page {
  const bytes = new Uint8Array(length);
  return { bytes, view: new DataView(bytes.buffer) };
}

/** The numbers of the most recent texts: at least `max` of them, at most twice as many. */
export class LatestNumbers {
  readonly #max: number;
  #numbers = new TextNumbers();
  #earlier = new TextNumbers();

  constructor(max: number) {
    this.#max = max;
  }

  /** The number of a text. */
  get(text: string): number | undefined {
    return this.#numbers.get(text) ?? this.#earlier.get(text);
  }

  /** Sets the number of a text. */
  set(text: string, number: number): void {
    if (this.#numbers.size >= this.#max) {
      this.#earlier = this.#numbers;
      this.#numbers = new TextNumbers();
    }
    this.#numbers.set(text, number);
  }
}

/** A text itself, or its digest if it is long; no text equals the digest of another. */
function shortened(text: string): string {
  if (text.length * 2 <= textBytesMax) return text;
  if (text.length <= textBytesMax && isNarrow(text)) return text;
  return `#${hash('sha256', Buffer.from(text, 'utf16le'), 'binary')}`;
}

/** FNV-1a over the codes of the text. */
function hashOf(text: string): number {
  let hash = hashStart;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), hashFactor);
  // The lower bits of similar texts differ too little.
  return (hash ^ (hash >>> 15)) >>> 0;
}

function isNarrow(text: string): boolean {
  for (let index = 0; index < text.length; index++)
    if (text.charCodeAt(index) > narrowMax) return false;
  return true;
}
