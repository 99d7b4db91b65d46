/**
 * Days whose campaign figures come from search terms alone. Search term reports list only clicked
 * terms, with about a tenth of the impressions, so a click-through rate from them is meaningless.
 */
import { bucketOfDay } from '../calendar/period.ts';
import type { Window } from '../calendar/windows.ts';
import { byDay, questionFile } from '../engine/question.ts';
import type { Ask, DateRange } from '../engine/warehouse.ts';
import type { Sums } from '../figures/comparison.ts';

/** A day of a channel with figures from search terms alone. */
export type SearchTermDay = { readonly channel: number; readonly day: number };

const searchTermDays = byDay(questionFile<SearchTermDay>(import.meta.url, 'searchTermDays.sql'));

/** Reads the days of channels with figures from search terms alone. */
export function readSearchTermDays(
  ask: Ask,
  channels: readonly number[],
  { first, last }: DateRange,
): Promise<SearchTermDay[]> {
  return ask(searchTermDays, { channels, first, last });
}

/** The metrics that are unknown if some clicks come from search terms alone. */
export const unknownOfSearchTerms: ReadonlySet<string> = new Set(['clickThroughRate', 'ctr']);

/** Marks the unknown metrics in the sums of a window, bucket by bucket. */
export function markSearchTerms<Values>(
  { buckets, first, last }: Window,
  sums: (Sums<Values> | undefined)[],
  days: readonly SearchTermDay[],
): void {
  for (const { day } of days) {
    const index = day < first || day > last ? -1 : bucketOfDay(buckets, day);
    const found = sums[index];
    if (found === undefined || found.unknown !== undefined) continue;
    // The sums of a day may be cached, with texts for all metrics.
    sums[index] = { known: true, values: found.values, unknown: unknownOfSearchTerms };
  }
}

/** The warning about a store, if any metric in its sums is unknown. */
export function searchTermWarnings<Values>(
  store: string,
  sums: readonly ((Sums<Values> | undefined)[] | undefined)[],
): { readonly store: string; readonly code: 'search-terms-only' }[] {
  const isPartial = sums.some((window) => window?.some((one) => one?.unknown !== undefined));
  return isPartial ? [{ store, code: 'search-terms-only' }] : [];
}
