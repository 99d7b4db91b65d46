/**
 * JSON as bytes in one buffer that grows. Texts of many pieces that become bytes in the end take
 * several times as long.
 */

/** The largest number whose digits 32-bit arithmetic finds. */
const smallMax = 2 ** 31 - 1;
/** Larger numbers are divided into groups of so many digits. */
const groupDigits = 9;
const group = 10 ** groupDigits;
const zero = 48;
const [quote, minus, point] = ['"', '-', '.'].map((sign) => sign.charCodeAt(0)) as [
  number,
  number,
  number,
];
const bytesMin = 1_024;
/** The most bytes of a character of a text. */
const characterBytes = 3;
/** The most bytes of a number with its quotes. */
const numberBytes = 64;

/** ASCII characters as bytes. */
export function asciiBytes(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** Writes JSON piece by piece. */
export class JsonBytes {
  #bytes: Buffer;
  #length = 0;

  /** `bytes` is about how many the JSON will have. */
  constructor(bytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(bytes, bytesMin));
  }

  /** The bytes so far, in the memory of the writer. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Writes bytes as they are. */
  raw(piece: Uint8Array): void {
    const { length } = piece;
    this.#reserve(length);
    const bytes = this.#bytes;
    let at = this.#length;
    // Names are short: a call into native code would cost more than copying them here.
    for (let index = 0; index < length; index++) bytes[at++] = piece[index]!;
    this.#length = at;
  }

  /** Writes a piece of JSON as it is. */
  text(piece: string): void {
    this.#reserve(piece.length * characterBytes);
    this.#length += this.#bytes.write(piece, this.#length);
  }

  /** Writes a whole number. */
  integer(value: number | bigint): void {
    if (typeof value === 'bigint') {
      this.text(String(value));
      return;
    }
    this.#reserve(numberBytes);
    this.#digits(value, 0);
  }

  /** Writes the text of a number that counts units of so many decimal places. */
  decimal(value: number | bigint, places: number): void {
    if (typeof value === 'bigint') {
      this.text(`"${decimalText(value, places)}"`);
      return;
    }
    this.#reserve(numberBytes);
    this.#bytes[this.#length++] = quote;
    this.#digits(value, places);
    this.#bytes[this.#length++] = quote;
  }

  /** Writes the digits of an exact double, with a point before the last `places` of them. */
  #digits(value: number, places: number): void {
    const bytes = this.#bytes;
    let size = value;
    if (value < 0) {
      bytes[this.#length++] = minus;
      size = -value;
    }
    const high = size > smallMax ? Math.floor(size / group) : 0;
    const digits = Math.max(digitsOf(size), places + 1);
    let at = this.#length + digits + (places > 0 ? 1 : 0);
    this.#length = at;
    let rest = (high > 0 ? size - high * group : size) | 0;
    for (let index = 0; index < digits; index++) {
      if (index === places && places > 0) bytes[--at] = point;
      if (index === groupDigits && high > 0) rest = high | 0;
      const tenth = (rest / 10) | 0;
      bytes[--at] = zero + rest - tenth * 10;
      rest = tenth;
    }
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const longer = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(longer, 0, 0, this.#length);
    this.#bytes = longer;
  }
}

function digitsOf(size: number): number {
  if (size < 10_000) return size < 100 ? (size < 10 ? 1 : 2) : size < 1_000 ? 3 : 4;
  let digits = 5;
  for (let limit = 100_000; size >= limit; limit *= 10) digits += 1;
  return digits;
}

/** A number that counts units of so many decimal places, as text. */
export function decimalText(value: number | bigint, places: number): string {
  const isNegative = value < 0;
  const digits = String(isNegative ? -value : value);
  const sign = isNegative ? '-' : '';
  if (places === 0) return sign + digits;
  const padded = digits.length > places ? digits : digits.padStart(places + 1, '0');
  return `${sign}${padded.slice(0, -places)}.${padded.slice(-places)}`;
}
