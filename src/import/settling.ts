/**
 * Decides what happens to existing facts on the days of a document, just before its rows are
 * committed.
 */
import type { Registry } from '../engine/registry.ts';
import type { Coverage, DateRange, Warehouse } from '../engine/warehouse.ts';
import { lostDetailOf, lostDetailText } from './details.ts';
import { overlapsOf, overlapText, withoutEconomics } from './grains.ts';
import type { Outcome } from './messages.ts';
import type { ImportRequest } from './request.ts';
import { rowOverlapsOf, withoutRows } from './rowSpans.ts';
import { countTwice, ownOverlap } from './spans.ts';
import { ownTotalsOverlap, totalsOverlaps, withoutTotals } from './totals.ts';

/** The channel of a document, its stores, and how to refuse the document. */
export type Settling = {
  readonly registry: Registry;
  readonly warehouse: Warehouse;
  readonly channel: number;
  readonly refusal: (reason: string) => Error;
};

/** A document that has been read: its outcome, and the days that it covers. */
export type ReadDocument = {
  readonly outcome: Outcome;
  readonly coverage: Readonly<Record<string, Coverage>>;
  readonly dates: Readonly<Record<string, DateRange>>;
};

/**
 * Refuses rows that overlap existing facts in another grain, and documents with less detail than
 * existing facts. The returned coverage removes the facts that the document supersedes and, if it
 * replaces them, the overlapped facts.
 */
export async function settleOverlaps(
  { registry, warehouse, channel, refusal }: Settling,
  { content, replaces = false }: ImportRequest,
  { outcome, coverage, dates }: ReadDocument,
): Promise<Readonly<Record<string, Coverage>>> {
  const { details, grains, superseded } = outcome.coverage;
  const own = ownOverlap(grains) ?? ownTotalsOverlap(grains);
  if (own !== undefined) throw refusal(countTwice(own));
  const subject = [warehouse, channel, grains, coverage] as const;
  const overlaps = await overlapsOf(...subject, dates);
  const ofRows = await rowOverlapsOf(...subject, outcome.renamings);
  const ofTotals = await totalsOverlaps(...subject);
  if (replaces) {
    const settled = withoutTotals(withoutEconomics(coverage, overlaps), ofTotals);
    return withoutRows(settled, superseded, ofRows);
  }
  const first = overlaps[0] ?? ofRows[0] ?? ofTotals[0];
  if (first) throw refusal(await overlapText(registry, first));
  // Rows of a dataset themselves say what they replace.
  const lost =
    'document' in content ? await lostDetailOf(warehouse, channel, details, coverage) : undefined;
  if (lost) throw refusal(lostDetailText(lost));
  return withoutRows(coverage, superseded, []);
}
