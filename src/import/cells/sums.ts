/**
 * Adds up the rows of a document that form one row of a dataset, and stages the sums at the end.
 */
import type { Cells } from '../datasets/dataset.ts';
import { DocumentRefused } from '../refused.ts';
import type { RowReader } from '../rows.ts';
import { amountText, millionthsOf, type Value } from './fields.ts';
import { type Figure, FigureColumn } from './figureColumn.ts';
import { PackedTexts } from './packedTexts.ts';
import { TextNumbers } from './textNumbers.ts';

/** The number of sums that fit in memory, at about 300 bytes each. */
const summedRowsMax = 1_000_000;
/** The limit of counts and, in millionths, of the amounts in the stores. */
const countBelow = 1e12;
const amountBelow = 10n ** 18n;
/** How often staged sums are flushed. */
const rowsBetweenFlushes = 10_000;

/** How rows are added up: the fields that identify a sum, and those that are added. */
export type SumShape = { readonly key: readonly string[]; readonly figures: readonly string[] };

/** A sum; its line is the line of its first row. */
type Summed = { readonly cells: Cells; readonly line: number; readonly rows: number };

/**
 * Adds up rows of one dataset. The sums are packed, because a large document would fill the heap.
 */
export class RowSums {
  readonly #reader: RowReader;
  readonly #shape: SumShape;
  readonly #figureNames: ReadonlySet<string>;
  /** The place of each sum, by its key. */
  readonly #places = new TextNumbers();
  /** By place: the other cells as JSON, the currency, the line, the rows, and the figures. */
  #others = new PackedTexts();
  readonly #currencies = new FigureColumn();
  readonly #lines = new FigureColumn();
  readonly #rows = new FigureColumn();
  /** The first day of the rows of each sum. */
  readonly #sinces = new FigureColumn();
  readonly #figures: readonly FigureColumn[];
  readonly #currencyNumbers = new Map<Value | undefined, number>();

  constructor(reader: RowReader, shape: SumShape) {
    this.#reader = reader;
    this.#shape = shape;
    this.#figureNames = new Set(shape.figures);
    this.#figures = shape.figures.map(() => new FigureColumn());
  }

  /**
   * Adds a row, given by field names. Returns whether it was accepted. `since` is the first day of
   * a multi-day row.
   */
  add(row: Readonly<Record<string, unknown>>, line: number, since?: number): boolean {
    const values: unknown[] = [];
    for (const name in row) values[this.#reader.indexOf(name)!] = row[name];
    const cells = this.#reader.read(values, line, undefined, since);
    if (cells === undefined) return false;
    // No text contains a NUL.
    const key = this.#shape.key.map((name) => cells[name]).join('\0');
    const place = this.#places.get(key);
    if (place !== undefined) {
      const problem = this.#addTo(place, cells);
      if (problem !== undefined) {
        this.#reader.reject(line, problem);
        return false;
      }
    } else this.#begin(key, cells, line);
    this.#reader.accept(cells, since);
    return true;
  }

  /** The sums. */
  *cells(): Iterable<Cells> {
    for (const { cells } of this.#all()) yield cells;
  }

  /** Stages the sums that count. The rows of other sums are skipped, unless `isUsed` elsewhere. */
  async stage(
    flush: () => Promise<void>,
    counts: (cells: Cells) => boolean = () => true,
    isUsed: (cells: Cells) => boolean = () => false,
  ): Promise<void> {
    let staged = 0;
    for (const { cells, line, rows } of this.#all()) {
      if (!counts(cells)) {
        if (!isUsed(cells)) this.#reader.skip(rows);
        continue;
      }
      this.#reader.stage(cells, line);
      if (++staged % rowsBetweenFlushes === 0) await flush();
    }
    this.#others = new PackedTexts();
  }

  #begin(key: string, cells: Cells, line: number): void {
    const place = this.#places.size;
    if (place >= summedRowsMax) {
      throw new DocumentRefused(
        `the document has more than ${summedRowsMax.toLocaleString('en')} different rows: split it by date`,
      );
    }
    this.#places.set(key, place);
    const others = Object.entries(cells).filter(
      ([name]) => !this.#figureNames.has(name) && name !== 'since',
    );
    this.#others.add(JSON.stringify(Object.fromEntries(others)));
    this.#currencies.set(place, this.#currencyOf(cells));
    this.#lines.set(place, line);
    this.#rows.set(place, 1);
    this.#sinces.set(place, (cells.since as number | undefined) ?? null);
    for (const [at, name] of this.#shape.figures.entries())
      this.#figures[at]!.set(place, figureOf(cells[name]!));
  }

  /** Adds a row to a sum; returns the reason if that is not possible. */
  #addTo(place: number, cells: Cells): string | undefined {
    if (this.#currencies.get(place) !== this.#currencyOf(cells))
      return 'is in another currency than earlier rows with the same key';
    const totals: Figure[] = [];
    for (const [at, name] of this.#shape.figures.entries()) {
      const total = plus(this.#figures[at]!.get(place), figureOf(cells[name]!));
      if (isTooLarge(total)) return `makes the sum of ${name} too large`;
      totals.push(total);
    }
    for (const [at, total] of totals.entries()) this.#figures[at]!.set(place, total);
    this.#rows.set(place, (this.#rows.get(place) as number) + 1);
    const since = cells.since as number | undefined;
    if (since !== undefined && since < (this.#sinces.get(place) as number))
      this.#sinces.set(place, since);
    return undefined;
  }

  #currencyOf({ currency }: Cells): number {
    let number = this.#currencyNumbers.get(currency);
    if (number === undefined) {
      number = this.#currencyNumbers.size;
      this.#currencyNumbers.set(currency, number);
    }
    return number;
  }

  *#all(): Iterable<Summed> {
    let place = 0;
    for (const others of this.#others) {
      const cells: Record<string, Value> = JSON.parse(others);
      for (const [at, name] of this.#shape.figures.entries())
        cells[name] = fieldValue(this.#figures[at]!.get(place));
      const since = this.#sinces.get(place);
      if (since !== null) cells.since = since as number;
      yield {
        cells,
        line: this.#lines.get(place) as number,
        rows: this.#rows.get(place) as number,
      };
      place++;
    }
  }
}

/** A figure in the form in which it is added up: amounts in millionths. */
function figureOf(value: Value): Figure {
  return typeof value === 'string' ? millionthsOf(value) : value;
}

/** A figure in the form of its field. */
function fieldValue(figure: Figure): Value {
  return typeof figure === 'bigint' ? amountText(figure) : figure;
}

/** The exact sum of two counts or two amounts; if one is missing, the other. */
function plus(one: Figure, other: Figure): Figure {
  if (one === null || other === null) return one ?? other;
  return typeof one === 'bigint' ? one + (other as bigint) : one + (other as number);
}

function isTooLarge(figure: Figure): boolean {
  if (typeof figure === 'bigint') return figure >= amountBelow || figure <= -amountBelow;
  return figure !== null && Math.abs(figure) >= countBelow;
}
