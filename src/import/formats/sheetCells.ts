/** The values of a spreadsheet's cells: its shared texts, its formats of dates, its numbers. */
import { PackedTexts } from '../cells/packedTexts.ts';
import { cellCharactersMax } from './lines.ts';
import { type Attributes, readXmlWhole, type XmlHandlers } from './xml.ts';

/** The maximum number of formats; no spreadsheet may have more. */
const formatsMax = 65_536;
/** The maximum memory of the texts that cells share. */
const sharedBytesMax = 64 * 1024 * 1024;
/** The memory of a text besides its characters. */
const textBytes = 16;
const formatCharactersMax = 255;
const millisecondsPerDay = 86_400_000;
/** The days from a spreadsheet's first day, 1899-12-30 or 1904-01-01, to 1970-01-01. */
const daysBefore1970 = { from1900: 25_569, from1904: 24_107 };

/** The spreadsheet contradicts itself. */
export class SheetDamaged extends Error {}

/** The spreadsheet has more shared texts than fit into memory. */
export class TooManyTexts extends Error {}

/** Adds to a text, up to one character more than a cell may have. */
export function lengthened(text: string, more: string): string {
  return text.length > cellCharactersMax
    ? text
    : text + more.slice(0, cellCharactersMax + 1 - text.length);
}

/** A text in which `_x000D_` stands for a character that XML may not have. */
function withCharacters(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/**
 * Collects the text within an element that may have several parts, without its phonetic reading.
 */
export class TextCollector implements XmlHandlers {
  #isWithin = false;
  #isSpoken = false;
  #text = '';

  /** Returns the text so far, and starts the next one. */
  take(): string {
    const text = withCharacters(this.#text);
    this.#text = '';
    return text;
  }

  /** Takes a tag. */
  open(name: string): void {
    if (name === 't') this.#isWithin = true;
    else if (name === 'rPh') this.#isSpoken = true;
  }

  /** Takes the end of an element. */
  close(name: string): void {
    if (name === 't') this.#isWithin = false;
    else if (name === 'rPh') this.#isSpoken = false;
  }

  /** Takes a text. */
  text(text: string): void {
    if (this.#isWithin && !this.#isSpoken) this.#text = lengthened(this.#text, text);
  }
}

/** The texts that cells share, in their order. */
export class SharedTexts {
  readonly #texts = new PackedTexts();
  readonly #places: number[] = [];
  #bytes = 0;

  /** Reads the file of shared texts. */
  async read(pieces: AsyncIterable<Buffer>): Promise<void> {
    const collector = new TextCollector();
    await readXmlWhole(pieces, {
      open(name) {
        if (name === 'si') collector.take();
        collector.open(name);
      },
      close: (name) => {
        collector.close(name);
        if (name === 'si') this.#add(collector.take());
      },
      text: (text) => collector.text(text),
    });
  }

  /** The text of a number; undefined if there is none. */
  at(number: number): string | undefined {
    const place = this.#places[number];
    return place === undefined ? undefined : this.#texts.at(place);
  }

  #add(text: string): void {
    this.#bytes += textBytes + 2 * text.length;
    if (this.#bytes > sharedBytesMax) throw new TooManyTexts();
    this.#places.push(this.#texts.add(text));
  }
}

/** The formats of cells, by number: whether each is a format of dates. */
export async function readFormats(pieces: AsyncIterable<Buffer>): Promise<readonly boolean[]> {
  const own = new Map<number, boolean>();
  const based: number[] = [];
  const formats: boolean[] = [];
  let list: string | undefined;
  const numberOf = ({ numFmtId }: Attributes) =>
    numFmtId === undefined ? undefined : Number(numFmtId);
  const isOfDates = (number: number) => own.get(number) ?? isBuiltInDate(number);
  const take = (name: string, attributes: Attributes) => {
    if (own.size > formatsMax || based.length > formatsMax || formats.length > formatsMax)
      throw new SheetDamaged();
    const number = numberOf(attributes);
    if (name === 'numFmt') {
      if (number !== undefined && number >= ownFormatMin)
        own.set(number, isDateFormat(attributes.formatCode ?? ''));
    } else if (list === 'cellStyleXfs') based.push(number ?? 0);
    else formats.push(isOfDates(number ?? based[Number(attributes.xfId)] ?? 0));
  };
  await readXmlWhole(pieces, {
    open(name, attributes) {
      if (name === 'cellStyleXfs' || name === 'cellXfs') list = name;
      else if (name === 'numFmt' || (name === 'xf' && list !== undefined)) take(name, attributes());
    },
    close(name) {
      if (name === list) list = undefined;
    },
  });
  return formats;
}

/** From this number on, the spreadsheet itself defines the format. */
const ownFormatMin = 100;

function isBuiltInDate(number: number): boolean {
  const ranges = [
    [14, 22],
    [27, 36],
    [45, 47],
    [50, 58],
    [71, 81],
  ] as const;
  return ranges.some(([first, last]) => number >= first && number <= last);
}

/** Whether a format consists of parts of dates and times, apart from quoted text. */
function isDateFormat(format: string): boolean {
  const parts = format
    .slice(0, formatCharactersMax)
    .toLowerCase()
    .replace(/;@$/, '')
    .replaceAll(/"[^"]*"?|\\.|[_*].|\[[^\]]*\]?/gs, ' ')
    .split(/[^a-z0#?%]+/)
    .filter((part) => part !== '');
  const known = /^(?:s{1,2}|m{1,5}|h{1,2}|am|pm|a|p|d{1,4}|a{3,5}|y|yy|yyyy|e{1,2}|eeee)$/;
  return parts.length > 0 && parts.every((part) => known.test(part));
}

/** The date, YYYY-MM-DD, of a spreadsheet's day number. */
export function dateOf(serial: string, isFrom1904: boolean): string {
  const before = isFrom1904 ? daysBefore1970.from1904 : daysBefore1970.from1900;
  return isoDay(Math.floor((Number(serial) - before) * millisecondsPerDay));
}

/** The date, YYYY-MM-DD, of a time in epoch milliseconds. */
export function isoDay(milliseconds: number): string {
  if (!(Math.abs(milliseconds) <= 8.64e15)) throw new SheetDamaged();
  return new Date(milliseconds).toISOString().slice(0, 10);
}
