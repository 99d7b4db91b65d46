/** From bytes as they arrive to lines and records of text, in bounded memory. */
import { isAscii, isUtf8 } from 'node:buffer';

/** The longest line or quoted record that is read, in bytes. */
export const lineBytesMax = 1024 * 1024;
const newline = 10;

/** Takes each line without its end; `problem` says why the line cannot be read, and then `text` is empty. */
export type OnLine = (text: string, line: number, problem?: string) => void;

/** Splits bytes into lines. Lines that are too long or not UTF-8 are reported and passed over; the others are whole. */
export class LineSplitter {
  readonly #onLine: OnLine;
  #rest: Buffer[] = [];
  #restBytes = 0;
  #line = 1;
  #skipping = false;

  constructor(onLine: OnLine) {
    this.#onLine = onLine;
  }

  /** Takes the next bytes. */
  push(chunk: Buffer): void {
    const last = chunk.lastIndexOf(newline);
    if (last < 0) {
      this.#keep(chunk);
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
    this.#keep(chunk.subarray(last + 1));
  }

  /** Takes the end of the bytes. */
  end(): void {
    if (this.#skipping) this.#tooLong();
    else if (this.#restBytes > 0) this.#lines(Buffer.concat([...this.#rest, Buffer.of(newline)]));
    this.#rest = [];
    this.#restBytes = 0;
  }

  #keep(chunk: Buffer): void {
    if (this.#skipping || chunk.length === 0) return;
    this.#rest.push(chunk);
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

  /** The slow way, for a block with bytes of another encoding: tells the lines that have them from those that have not. */
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
          'is not UTF-8: name the encoding of the document in its content type (charset=windows-1252) or convert it',
        );
      start = end + 1;
    }
  }

  #tooLong(): void {
    this.#onLine('', this.#line++, 'is longer than 1 MiB');
  }
}

/** Takes each record of a delimited text. */
export type OnRecord = (cells: string[], line: number, problem?: string) => void;

/** How many lines one quoted record may span. */
const recordLinesMax = 1000;

/**
 * Joins lines into records as RFC 4180 has them: quoted cells may hold delimiters, doubled quotes and line ends. A quote that is never
 * closed costs its own line only. Empty lines are passed over. The delimiter is read off the first record: comma, semicolon or tab.
 * Where `tabsUnquoted`, a quote between tabs is a character like any other.
 */
export class RecordReader {
  readonly #onRecord: OnRecord;
  readonly #tabsUnquoted: boolean;
  #delimiter: string | undefined;
  /** How many cells the first record has. */
  #width: number | undefined;
  #open: { readonly line: number; readonly texts: string[]; bytes: number } | undefined;

  constructor(onRecord: OnRecord, { tabsUnquoted = false } = {}) {
    this.#onRecord = onRecord;
    this.#tabsUnquoted = tabsUnquoted;
  }

  /** Takes the next line. */
  line(text: string, line: number, problem?: string): void {
    if (problem !== undefined) {
      this.#giveUp();
      this.#onRecord([], line, problem);
      return;
    }
    if (this.#open) {
      this.#open.texts.push(text);
      this.#open.bytes += text.length;
      if (
        !this.#finish() &&
        (this.#open.texts.length >= recordLinesMax || this.#open.bytes > lineBytesMax)
      )
        this.#giveUp();
      return;
    }
    if (text === '') return;
    this.#delimiter ??= [',', ';', '\t'].reduce((best, next) =>
      text.split(next).length > text.split(best).length ? next : best,
    );
    if (!text.includes('"') || (this.#tabsUnquoted && this.#delimiter === '\t')) {
      const cells = text.split(this.#delimiter);
      this.#width ??= cells.length;
      this.#onRecord(cells, line);
      return;
    }
    this.#open = { line, texts: [text], bytes: text.length };
    this.#finish();
  }

  /** Takes the end of the text. */
  end(): void {
    this.#giveUp();
  }

  #finish(): boolean {
    const open = this.#open!;
    // A record can only have become complete by a line that holds a quote.
    if (!open.texts.at(-1)!.includes('"')) return false;
    const cells = cellsOf(open.texts.join('\n'), this.#delimiter!);
    if (!cells) return false;
    // What spans several lines and then does not even have the cells of the first record is no record.
    if (
      cells === 'damaged' ||
      (open.texts.length > 1 && this.#width !== undefined && cells.length !== this.#width)
    ) {
      this.#giveUp();
      return true;
    }
    this.#width ??= cells.length;
    this.#open = undefined;
    this.#onRecord(cells, open.line);
    return true;
  }

  /** Refuses the line that opened the quote, and reads the lines that it had swallowed. */
  #giveUp(): void {
    while (this.#open) {
      const { line, texts } = this.#open;
      this.#open = undefined;
      this.#onRecord([], line, 'opens a quote that is not closed');
      for (const [index, text] of texts.entries()) if (index > 0) this.line(text, line + index);
    }
  }
}

/**
 * The cells of a record with quotes, undefined where a quoted cell is still open at the end. A quote within one line may be followed by
 * more of its cell, as careless programs write it; but a cell of several lines that goes on behind its quote has been closed by the quote
 * of another row: the record is damaged.
 */
function cellsOf(text: string, delimiter: string): string[] | 'damaged' | undefined {
  const cells: string[] = [];
  for (let at = 0; ; ) {
    if (text[at] === '"') {
      let value = '';
      for (let from = at + 1; ; ) {
        const quote = text.indexOf('"', from);
        if (quote < 0) return undefined;
        value += text.slice(from, quote);
        if (text[quote + 1] !== '"') {
          at = quote + 1;
          break;
        }
        value += '"';
        from = quote + 2;
      }
      const end = text.indexOf(delimiter, at);
      const more = text.slice(at, end < 0 ? undefined : end);
      if (more !== '' && value.includes('\n')) return 'damaged';
      value += more;
      cells.push(value);
      if (end < 0) return cells;
      at = end + 1;
    } else {
      const end = text.indexOf(delimiter, at);
      cells.push(text.slice(at, end < 0 ? undefined : end));
      if (end < 0) return cells;
      at = end + 1;
    }
  }
}
