/**
 * Decides whether multi-day facts overlap others, so that they would count twice: facts of one
 * document, or facts of a document and existing ones.
 */
import { factTable } from '../../schema/warehouse/tables.ts';
import { isoDate } from '../calendar/period.ts';
import type { Coverage, DateRange } from '../engine/warehouse.ts';
import { type DocumentCoverage, type Grain, rowKeysMax } from './coverage.ts';
import { DocumentRefused } from './refused.ts';

/** An existing fact that a document's rows overlap in another grain. */
export type Overlap = DateRange & {
  readonly table: string;
  /** Its partition; "" in tables without any. */
  readonly part: string;
  readonly importId: number;
};

/** An existing row that a document's row of the same key overlaps. */
export type RowOverlap = Overlap & { readonly rowKey: string };

/** Whether two date ranges share a day. */
export function overlap(one: DateRange, other: DateRange): boolean {
  return one.first <= other.last && other.first <= one.last;
}

/** A date range as text: one date, or the first and the last. */
export function rangeText({ first, last }: DateRange): string {
  return first === last ? isoDate(first) : `${isoDate(first)} to ${isoDate(last)}`;
}

/**
 * The multi-day rows of a document that overlap other rows of it, as text; undefined if none do.
 */
export function ownOverlap(grains: DocumentCoverage['grains']): string | undefined {
  const shared = Object.entries(grains).filter(([table]) => !factTable(table).spansByRow);
  for (const { days, spans } of shared.flatMap(([, parts]) => Object.values(parts))) {
    const sorted = [...spans.values()].sort((one, other) => one.first - other.first);
    for (const [at, span] of sorted.entries()) {
      const next = sorted[at + 1];
      const day = [...days].find((one) => isWithin(one, span));
      if (next && overlap(span, next)) return pairText(span, next);
      if (day !== undefined) return pairText(span, { first: day, last: day });
    }
  }
  return undefined;
}

/**
 * The periods of the rows of a document, each of which has its own dates. Refuses rows about the
 * same subject whose periods differ and overlap, which happens when documents are joined. Rows
 * about different subjects are never the same money.
 */
export class RowPeriods {
  readonly #periods = new Map<string, DateRange[]>();

  /** Notes a row about a subject. */
  add(subject: string, period: DateRange): void {
    const known = this.#periods.get(subject) ?? [];
    this.#periods.set(subject, known);
    const isSame = (one: DateRange) => one.first === period.first && one.last === period.last;
    if (known.some(isSame)) return;
    const other = known.find((one) => overlap(one, period));
    if (other !== undefined)
      throw new DocumentRefused(
        `${countTwice(pairText(other, period))} (import each report by itself)`,
      );
    known.push(period);
  }
}

/** Why a document is refused if its own rows overlap, naming two of them as text. */
export function countTwice(pair: string): string {
  return `rows of the document overlap, so they would count twice: ${pair}`;
}

/**
 * Whether an existing fact has the grain of the rows that replace it, in tables whose rows share
 * their periods.
 */
export function fits(existing: DateRange, grain: Grain | undefined, covered: DateRange): boolean {
  const { first, last } = existing;
  const days = grain?.days ?? new Set();
  const spans = [...(grain?.spans.values() ?? [])];
  if (first === last) {
    const isDaily = days.size > 0 || spans.length === 0;
    return isDaily && !spans.some((span) => isWithin(first, span));
  }
  if (grain?.spans.has(`${first}-${last}`)) return true;
  const isInside = first >= covered.first && last <= covered.last;
  return isInside && days.size === 0 && !spans.some((span) => overlap(span, existing));
}

/** The rows of a document in one table, by partition and key. */
export class OwnRows {
  readonly #grains: Readonly<Record<string, Grain>>;
  readonly #covered: Coverage;

  constructor(grains: Readonly<Record<string, Grain>>, covered: Coverage) {
    this.#grains = grains;
    this.#covered = covered;
  }

  /** The keys whose single days may be in another grain than the document's rows. */
  get keys(): readonly string[] {
    const ofSpans = Object.values(this.#grains).filter(({ spans }) => spans.size > 0);
    return [...new Set(ofSpans.flatMap(({ keys }) => [...keys.keys()]))];
  }

  /** Whether any row of the partition covers several days. */
  hasSpans(part: string): boolean {
    return this.#of(part).some(({ spans }) => spans.size > 0);
  }

  /** The first and last day of the rows of a key; undefined if it has none. */
  daysOf({ part, rowKey }: RowOverlap): DateRange | undefined {
    const found = this.#of(part).flatMap(({ keys }) => {
      const days = keys.get(rowKey) ?? (keys.size > rowKeysMax ? this.#covered : undefined);
      return days ?? [];
    });
    if (found.length === 0) return undefined;
    return {
      first: Math.min(...found.map(({ first }) => first)),
      last: Math.max(...found.map(({ last }) => last)),
    };
  }

  /** A document without partitions speaks for all of them. */
  #of(part: string): readonly Grain[] {
    const own = this.#grains[part];
    if (this.#covered.parts === undefined) return Object.values(this.#grains);
    return own === undefined ? [] : [own];
  }
}

/**
 * The existing rows with the document's keys that would count twice or be lost: they reach beyond
 * its days, have another grain, or come from several documents of shorter periods.
 */
export function conflicting(
  existing: readonly RowOverlap[],
  own: OwnRows,
  covered: Coverage,
): RowOverlap[] {
  const summaries = new Set(
    existing
      .filter(({ first, last }) => first < last)
      .map(({ part, importId }) => `${part} ${importId}`),
  );
  const met = existing.filter((one) => {
    const days = own.daysOf(one);
    return days !== undefined && overlap(one, days);
  });
  const importsOf = Map.groupBy(met, ({ part, rowKey }) => `${part} ${rowKey}`);
  return met.filter((one) => {
    const { part, rowKey, importId, first, last } = one;
    if (first < covered.first || last > covered.last) return true;
    const isSummary = summaries.has(`${part} ${importId}`);
    if (isSummary !== own.hasSpans(part)) return true;
    return (
      isSummary && importsOf.get(`${part} ${rowKey}`)!.some((other) => other.importId !== importId)
    );
  });
}

/** Two date ranges as text. */
export function pairText(one: DateRange, other: DateRange): string {
  return `${rangeText(one)} and ${rangeText(other)}`;
}

function isWithin(day: number, { first, last }: DateRange): boolean {
  return day >= first && day <= last;
}
