/** Texts stored as bytes, so that a million of them do not fill the heap. */

/**
 * The bytes of a page of texts: few at first, as most documents are small. A longer text has its
 * own page.
 */
const pageBytes = 1024 * 1024;
const firstPageBytes = 4 * 1024;
const growth = 4;
/** The bytes before a text: its length in bytes, and whether they are UTF-16. */
const headBytes = 5;
/** Greater than the size of a page. */
const placesPerPage = 2 ** 32;
/** The largest code of a text whose characters take one byte each. */
const narrow = /^[\0-\xff]*$/;

type Page = { readonly bytes: Buffer; used: number };

/** Texts in the order in which they were added. */
export class PackedTexts {
  readonly #pages: Page[] = [];
  #bytes = 0;

  /** The bytes of its pages. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a text; returns its place. */
  add(text: string): number {
    const encoding = narrow.test(text) ? 'latin1' : 'utf16le';
    const length = encoding === 'latin1' ? text.length : text.length * 2;
    let page = this.#pages.at(-1);
    if (page === undefined || page.used + headBytes + length > page.bytes.length) {
      const usual = Math.min(firstPageBytes * growth ** this.#pages.length, pageBytes);
      page = { bytes: Buffer.alloc(Math.max(usual, headBytes + length)), used: 0 };
      this.#pages.push(page);
      this.#bytes += page.bytes.length;
    }
    const { bytes, used } = page;
    bytes.writeUInt32LE(length, used);
    bytes.writeUInt8(encoding === 'latin1' ? 0 : 1, used + headBytes - 1);
    bytes.write(text, used + headBytes, encoding);
    page.used += headBytes + length;
    return (this.#pages.length - 1) * placesPerPage + used;
  }

  /** The text at a place. */
  at(place: number): string {
    const { bytes } = this.#pages[Math.floor(place / placesPerPage)]!;
    return textAt(bytes, place % placesPerPage);
  }

  /** All texts. */
  *[Symbol.iterator](): Iterator<string> {
    for (const { bytes, used } of this.#pages)
      for (let at = 0; at < used; at += headBytes + bytes.readUInt32LE(at)) yield textAt(bytes, at);
  }
}

function textAt(bytes: Buffer, at: number): string {
  const start = at + headBytes;
  const end = start + bytes.readUInt32LE(at);
  return bytes.toString(bytes.readUInt8(start - 1) === 0 ? 'latin1' : 'utf16le', start, end);
}
