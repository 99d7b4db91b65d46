/** The sums of a financial document, for the answer to its import. */
import {
  type Booking,
  type FinanceLine,
  type FinanceSource,
  financeLines,
} from '../../contract/importable.ts';
import { amountText } from '../cells/fields.ts';
import type { Entry } from './posting.ts';

const unknownCodesMax = 100;

/** A number of rows, and the source that imported them. */
export type RowsOfSource = { readonly source: string; readonly rows: number };

/** The numbers of rows by source, as the answer lists them: in the order of the sources. */
export function rowsBySource(rows: Iterable<readonly [string, number]>): readonly RowsOfSource[] {
  return [...rows]
    .map(([source, count]) => ({ source, rows: count }))
    .sort((one, other) => (one.source < other.source ? -1 : 1));
}

/** The sums per currency and overall. Amounts are decimals, credits positive. */
export type FinanceSummary = {
  readonly source: FinanceSource;
  readonly sums: readonly {
    readonly currency: string;
    /** The sum of each line without tax. */
    readonly lines: Readonly<Partial<Record<Exclude<FinanceLine, 'balance'>, string>>>;
    readonly tax: { readonly sales: string; readonly refunds: string };
    /** The sum of events that only move money. */
    readonly balance: string;
    /** The sum of skipped rows, which another source has imported. */
    readonly skipped: string;
    /** The sum of all of the above. */
    readonly total: string;
    /** The total that the document itself reports; null if there is none. */
    readonly documentTotal: string | null;
  }[];
  /** Unknown codes, booked by their sign. */
  readonly unknownCodes: readonly {
    readonly code: string;
    readonly currency: string;
    readonly rows: number;
    readonly amount: string;
  }[];
  /** Skipped rows, by the source that has imported them. */
  readonly skipped: readonly RowsOfSource[];
};

type Sums = {
  readonly booked: Map<Booking, bigint>;
  skipped: bigint;
  documentTotal: bigint | undefined;
};

/** Adds up the entries of a document. */
export class SummaryBuilder {
  readonly #sums = new Map<string, Sums>();
  readonly #unknown = new Map<
    string,
    { code: string; currency: string; rows: number; amount: bigint }
  >();
  readonly #skipped = new Map<string, number>();

  /** Adds a booked entry. */
  add({ columns: { line, code, currency }, amount, tax, isUnknown }: Entry): void {
    const { booked } = this.#sumsOf(currency);
    const booking = tax === 0n ? line : (`${line as 'sales' | 'refunds'}.tax` as const);
    booked.set(booking, (booked.get(booking) ?? 0n) + (tax === 0n ? amount : tax));
    if (!isUnknown) return;
    const key = `${code}\n${currency}`;
    const unknown = this.#unknown.get(key) ?? { code, currency, rows: 0, amount: 0n };
    unknown.rows++;
    unknown.amount += amount;
    this.#unknown.set(key, unknown);
  }

  /** Adds entries that were skipped, because `source` has imported them. */
  skip(entries: readonly Entry[], source: string): void {
    if (entries.length === 0) return;
    this.#skipped.set(source, (this.#skipped.get(source) ?? 0) + entries.length);
    for (const { columns, amount, tax } of entries)
      this.#sumsOf(columns.currency).skipped += amount + tax;
  }

  /** Adds to the total that the document reports. */
  addDocumentTotal(currency: string, millionths: bigint): void {
    const sums = this.#sumsOf(currency);
    sums.documentTotal = (sums.documentTotal ?? 0n) + millionths;
  }

  /** The sum in a currency so far, skipped entries included, in millionths. */
  total(currency: string): bigint {
    const { booked, skipped } = this.#sumsOf(currency);
    return [...booked.values()].reduce((sum, one) => sum + one, skipped);
  }

  /** The summary of a document of this source. */
  summary(source: FinanceSource): FinanceSummary {
    return {
      source,
      sums: [...this.#sums].map(([currency, sums]) => {
        const of = (booking: Booking) => amountText(sums.booked.get(booking) ?? 0n);
        const lines = financeLines.filter((line) => line !== 'balance' && sums.booked.has(line));
        return {
          currency,
          lines: Object.fromEntries(lines.map((line) => [line, of(line)])),
          tax: { sales: of('sales.tax'), refunds: of('refunds.tax') },
          balance: of('balance'),
          skipped: amountText(sums.skipped),
          total: amountText(this.total(currency)),
          documentTotal: sums.documentTotal === undefined ? null : amountText(sums.documentTotal),
        };
      }),
      unknownCodes: [...this.#unknown.values()]
        .slice(0, unknownCodesMax)
        .map((one) => ({ ...one, amount: amountText(one.amount) })),
      skipped: rowsBySource(this.#skipped),
    };
  }

  #sumsOf(currency: string): Sums {
    let sums = this.#sums.get(currency);
    if (sums === undefined) {
      sums = { booked: new Map(), skipped: 0n, documentTotal: undefined };
      this.#sums.set(currency, sums);
    }
    return sums;
  }
}
