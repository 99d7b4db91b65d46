/**
 * Prevents the figures of a whole store or vendor and the figures of its products from counting
 * twice. On a date with a total, the total counts instead of the products. So a multi-day total may
 * not overlap single days of products, nor may totals of some days overlap products of more days.
 */
import { factTable } from '../../schema/warehouse/tables.ts';
import { isoDate } from '../calendar/period.ts';
import type { Coverage, DateRange, Warehouse } from '../engine/warehouse.ts';
import type { DocumentCoverage, Grain } from './coverage.ts';
import { existingFacts } from './grains.ts';
import { type Overlap, overlap, pairText } from './spans.ts';

/** The tables with figures of products, each with the table of their totals. */
const pairs = [
  ['traffic', 'traffic_total'],
  ['vendor_sale', 'vendor_total'],
] as const;

type Coverages = Readonly<Record<string, Coverage>>;
type Grains = DocumentCoverage['grains'];

/**
 * The totals and products of a document that would count twice, as text; undefined if there are
 * none.
 */
export function ownTotalsOverlap(grains: Grains): string | undefined {
  for (const [products, totals] of pairs)
    for (const [part, grain] of Object.entries(grains[products] ?? {})) {
      const ofTotals = rangesOf(grains[totals]?.[part]);
      for (const range of rangesOf(grain)) {
        const met = ofTotals.filter((total) => overlap(total, range));
        if (!fits(range, met)) return pairText(range, met[0]!);
      }
    }
  return undefined;
}

/** The existing products that a document's totals overlap in another grain, and the reverse. */
export async function totalsOverlaps(
  warehouse: Warehouse,
  channel: number,
  grains: Grains,
  coverage: Coverages,
): Promise<Overlap[]> {
  const overlaps: Overlap[] = [];
  for (const pair of pairs) {
    const covered = pair.flatMap((table) => coverage[table] ?? []);
    const spans = pair.flatMap((table) =>
      Object.values(grains[table] ?? {}).flatMap((grain) => [...grain.spans.values()]),
    );
    if (covered.length === 0) continue;
    const existing = await existingOf(warehouse, channel, pair, [...covered, ...spans], spans);
    const [products, totals] = existing.map((facts) => facts.filter((one) => stays(one, coverage)));
    const parts = new Set(pair.flatMap((table) => Object.keys(grains[table] ?? {})));
    for (const part of parts) {
      const [ofProducts, ofTotals] = [products!, totals!].map((facts) =>
        facts.filter((one) => one.part === part),
      ) as [Overlap[], Overlap[]];
      const [ownProducts, ownTotals] = pair.map((table) => rangesOf(grains[table]?.[part]));
      for (const range of ownProducts!) {
        const met = ofTotals.filter((total) => overlap(total, range));
        const own = ownTotals!.filter((total) => overlap(total, range));
        if (!fits(range, [...met, ...own])) overlaps.push(...met);
      }
      for (const one of ofProducts) {
        const own = ownTotals!.filter((total) => overlap(total, one));
        const met = ofTotals.filter((total) => overlap(total, one));
        if (own.length > 0 && !fits(one, [...met, ...own])) overlaps.push(one);
      }
    }
  }
  return [...new Set(overlaps)].sort((one, other) => one.first - other.first);
}

/**
 * The existing products and totals that overlap these ranges; none if neither they nor the document
 * have multi-day rows, because single days always fit.
 */
async function existingOf(
  warehouse: Warehouse,
  channel: number,
  pair: readonly string[],
  ranges: readonly DateRange[],
  spans: readonly DateRange[],
): Promise<Overlap[][]> {
  const ask = (within: readonly DateRange[], withDays: boolean) =>
    Promise.all(
      pair.map((table) =>
        existingFacts(warehouse, channel, { table, ...hull(within), parts: [], withDays }),
      ),
    );
  const multiDay = await ask(ranges, false);
  if (spans.length === 0 && multiDay.every((facts) => facts.length === 0)) return [[], []];
  return await ask([...ranges, ...multiDay.flat()], true);
}

/** Whether an existing fact stays beside the document's rows of its own table. */
function stays({ table, part, last }: Overlap, coverage: Coverages): boolean {
  const own = coverage[table];
  if (own === undefined || (own.parts && !own.parts.includes(part))) return true;
  return last < own.first || last > own.last;
}

/**
 * Whether products of these days count once: there are no totals, or totals of exactly these days.
 */
function fits({ first, last }: DateRange, totals: readonly DateRange[]): boolean {
  if (totals.length === 0) return true;
  const days = totals.reduce((sum, total) => sum + total.last - total.first + 1, 0);
  return hull(totals).first === first && hull(totals).last === last && days === last - first + 1;
}

function rangesOf(grain: Grain | undefined): DateRange[] {
  if (grain === undefined) return [];
  return [...[...grain.days].map((day) => ({ first: day, last: day })), ...grain.spans.values()];
}

function hull(ranges: readonly DateRange[]): DateRange {
  return {
    first: Math.min(...ranges.map(({ first }) => first)),
    last: Math.max(...ranges.map(({ last }) => last)),
  };
}

/** The coverage after removing these overlapped products and totals. */
export function withoutTotals(coverage: Coverages, overlaps: readonly Overlap[]): Coverages {
  const result: Record<string, Coverage> = { ...coverage };
  for (const table of pairs.flat()) {
    const ofTable = overlaps.filter((one) => one.table === table);
    if (ofTable.length === 0) continue;
    const { partition = "''" } = factTable(table);
    const overlapped = ofTable.map(
      ({ part, first, last }) => `${part}@${isoDate(first)}@${isoDate(last)}`,
    );
    const condition = `in_list(${partition} || '@' || CAST(since AS VARCHAR) || '@'
      || CAST(day AS VARCHAR), {overlapped:Array(String)})`;
    // Without its own coverage, the table loses these rows and no day.
    const { removed, ...own } = coverage[table] ?? { first: 1, last: 0 };
    result[table] = {
      ...own,
      removed: {
        condition: removed ? `(${removed.condition}) OR (${condition})` : condition,
        parameters: { ...removed?.parameters, overlapped },
      },
    };
  }
  return result;
}
