/** Splits bytes into lines and records of text as they arrive, in bounded memory. */
import { isAscii, isUtf8 } from 'node:buffer';

/** The maximum length of a line or quoted record, in bytes. */
export const lineBytesMax = 1024 * 1024;
const newline = 10;

/**
 * Receives each line without its line end. `problem` is set, and `text` empty, if the line cannot
 * be read.
 */
export type OnLine = (text: string, line: number, problem?: string) => void;

/** Splits bytes into lines. Reports and skips lines that are too long or not UTF-8. */
export class LineSplitter {
  readonly #onLine: OnLine;
  #rest: Buffer[] = [];
  #restBytes = 0;
  #line = 1;
  #skipping = false;

  constructor(onLine: OnLine) {
    this.#onLine = onLine;
  }

  /** The line that the next bytes begin; undefined if they continue a line. */
  get nextLine(): number | undefined {
    return this.#restBytes > 0 || this.#skipping ? undefined : this.#line;
  }

  /** Skips lines that were read in another way. */
  skip(lines: number): void {
    this.#line += lines;
  }

  /** Takes the next bytes, and retains none of their memory. */
  push(chunk: Buffer): void {
    const last = chunk.lastIndexOf(newline);
    if (last < 0) {
      this.#retain(chunk);
      return;
    }
    let start = 0;
    if (this.#skipping) {
      start = chunk.indexOf(newline) + 1;
      this.#tooLong();
      this.#skipping = false;
    }
    const head = chunk.subarray(start, last + 1);
    const block = this.#restBytes > 0 ? Buffer.concat([...this.#rest, head]) : head;
    this.#rest = [];
    this.#restBytes = 0;
    this.#lines(block);
    this.#retain(chunk.subarray(last + 1));
  }

  /** Takes the end of the bytes. */
  end(): void {
    if (this.#skipping) this.#tooLong();
    else if (this.#restBytes > 0) this.#lines(Buffer.concat([...this.#rest, Buffer.of(newline)]));
    this.#rest = [];
    this.#restBytes = 0;
  }

  #retain(chunk: Buffer): void {
    if (this.#skipping || chunk.length === 0) return;
    this.#rest.push(Buffer.from(chunk));
    this.#restBytes += chunk.length;
    if (this.#restBytes > lineBytesMax) {
      this.#rest = [];
      this.#restBytes = 0;
      this.#skipping = true;
    }
  }

  #lines(block: Buffer): void {
    if (!isUtf8(block)) {
      this.#lineByLine(block);
      return;
    }
    const text = isAscii(block) ? block.toString('latin1') : block.toString('utf8');
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf('\n', start);
      if (end - start > lineBytesMax) this.#tooLong();
      else
        this.#onLine(
          text.slice(start, text.charCodeAt(end - 1) === 13 && end > start ? end - 1 : end),
          this.#line++,
        );
      start = end + 1;
    }
  }

  /** Slower: finds the lines of a block that are not UTF-8. */
  #lineByLine(block: Buffer): void {
    for (let start = 0; start < block.length; ) {
      const end = block.indexOf(newline, start);
      const line = block.subarray(start, end > start && block[end - 1] === 13 ? end - 1 : end);
      if (line.length > lineBytesMax) this.#tooLong();
      else if (isUtf8(line)) this.#onLine(line.toString('utf8'), this.#line++);
      else
        this.#onLine(
          '',
          this.#line++,
          'is not UTF-8: name the encoding of the document by charset=windows-1252 in its content type or save it as UTF-8',
        );
      start = end + 1;
    }
  }

  #tooLong(): void {
    this.#onLine('', this.#line++, 'is longer than 1 MiB');
  }
}

/** Receives each record of a delimited text. */
export type OnRecord = (cells: string[], line: number, problem?: string) => void;

/** The maximum number of characters in a cell, as in every spreadsheet. */
export const cellCharactersMax = 32_767;
const cellTooLong =
  'has a cell of more than 32767 characters, which is more than any spreadsheet has: shorten it';

/** The maximum number of lines in a quoted record. */
const recordLinesMax = 1000;
/**
 * Lines after a quote that is never closed are read again, but in total at most this many times the
 * characters of the text so far, plus some more.
 */
const readAgainFactor = 8;
const readAgainCharacters = 8 * lineBytesMax;

/** A record of one line or more so far. */
type OpenRecord = {
  readonly line: number;
  readonly texts: string[];
  characters: number;
  readonly cells: string[];
  /** The quoted cell that continues in the next line. */
  quoted: string | undefined;
};

/**
 * Joins lines into records as defined in RFC 4180: quoted cells may contain delimiters, doubled
 * quotes and line ends. A quote that is never closed spoils only its own line. Empty lines are
 * skipped. The first record determines the delimiter: comma, semicolon or tab. If `tabsUnquoted`, a
 * quote in a tab-separated text is an ordinary character.
 */
export class RecordReader {
  readonly #onRecord: OnRecord;
  readonly #tabsUnquoted: boolean;
  #delimiter: string | undefined;
  /** The number of cells in the first record. */
  #width: number | undefined;
  #open: OpenRecord | undefined;
  #charactersRead = 0;
  #charactersReadAgain = 0;

  constructor(onRecord: OnRecord, { tabsUnquoted = false } = {}) {
    this.#onRecord = onRecord;
    this.#tabsUnquoted = tabsUnquoted;
  }

  /** The delimiter of cells, once the first record has been read. */
  get delimiter(): string | undefined {
    return this.#delimiter;
  }

  /** Whether a record continues in the next line. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Takes the next line. */
  line(text: string, line: number, problem?: string): void {
    this.#charactersRead += text.length;
    this.#take(text, line, problem);
  }

  /** Takes the end of the text. */
  end(): void {
    this.#giveUp();
  }

  #take(text: string, line: number, problem?: string): void {
    if (problem !== undefined) {
      this.#giveUp();
      this.#onRecord([], line, problem);
      return;
    }
    if (this.#open) {
      this.#goOn(this.#open, text);
      return;
    }
    if (text === '') return;
    this.#delimiter ??= [',', ';', '\t'].reduce((best, next) =>
      text.split(next).length > text.split(best).length ? next : best,
    );
    if (!text.includes('"') || (this.#tabsUnquoted && this.#delimiter === '\t')) {
      const cells = text.split(this.#delimiter);
      this.#width ??= cells.length;
      this.#pass(cells, line);
      return;
    }
    this.#open = { line, texts: [], characters: 0, cells: [], quoted: undefined };
    this.#goOn(this.#open, text);
  }

  /** Adds a line to the open record, which may then be complete or be given up. */
  #goOn(open: OpenRecord, text: string): void {
    open.texts.push(text);
    open.characters += text.length;
    const state = readCells(open, text, this.#delimiter!);
    if (state === 'open') {
      if (
        open.texts.length > 1 &&
        (open.texts.length >= recordLinesMax || open.characters > lineBytesMax)
      )
        this.#giveUp();
      return;
    }
    // If a text of several lines has fewer cells than the first record, it is not a record.
    if (
      state === 'damaged' ||
      (open.texts.length > 1 && this.#width !== undefined && open.cells.length !== this.#width)
    ) {
      this.#giveUp();
      return;
    }
    this.#width ??= open.cells.length;
    this.#open = undefined;
    this.#pass(open.cells, open.line);
  }

  #pass(cells: string[], line: number): void {
    if (cells.some((cell) => cell.length > cellCharactersMax))
      this.#onRecord([], line, cellTooLong);
    else this.#onRecord(cells, line);
  }

  /** Reports the line that opened the quote, and reads the lines after it again. */
  #giveUp(): void {
    while (this.#open) {
      const { line, texts, characters } = this.#open;
      this.#open = undefined;
      this.#onRecord([], line, 'opens a quote that is not closed');
      this.#charactersReadAgain += characters;
      const isTooOften =
        this.#charactersReadAgain > readAgainFactor * this.#charactersRead + readAgainCharacters;
      for (const [index, text] of texts.entries()) {
        if (index === 0) continue;
        if (isTooOften) this.#onRecord([], line + index, 'follows a quote that is not closed');
        else this.#take(text, line + index);
      }
    }
  }
}

/**
 * Reads the cells in the next line of a record. The record stays open if a quoted cell continues
 * after the line. Within a line, more of the cell may follow a closing quote, as careless programs
 * write it. In a cell of several lines, text after the closing quote means that the quote belongs
 * to another row, so the record is damaged.
 */
function readCells(
  record: OpenRecord,
  text: string,
  delimiter: string,
): 'open' | 'whole' | 'damaged' {
  let at = 0;
  if (record.quoted !== undefined) record.quoted += '\n';
  for (;;) {
    let value = '';
    if (record.quoted !== undefined || text[at] === '"') {
      const from = record.quoted === undefined ? at + 1 : at;
      const [quoted, closed] = readQuoted(text, from);
      value = (record.quoted ?? '') + quoted;
      record.quoted = closed === undefined ? value : undefined;
      if (closed === undefined) return 'open';
      at = closed;
    }
    const end = text.indexOf(delimiter, at);
    const more = text.slice(at, end < 0 ? undefined : end);
    if (more !== '' && value.includes('\n')) return 'damaged';
    record.cells.push(value + more);
    if (end < 0) return 'whole';
    at = end + 1;
  }
}

/** The text up to a closing quote, and the place after it; undefined if the quote is not closed. */
function readQuoted(text: string, start: number): [string, number | undefined] {
  let value = '';
  for (let from = start; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return [value + text.slice(from), undefined];
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return [value, quote + 1];
    value += '"';
    from = quote + 2;
  }
}
