/**
 * Days whose figures of campaigns come from search terms alone. Those hold clicked terms only,
 * about a tenth of the impressions, so that a click-through rate of them says nothing.
 */
import { bucketOfDay } from '../calendar/period.ts';
import type { Window } from '../calendar/windows.ts';
import { questionFile } from '../engine/question.ts';
import { daySource } from '../engine/segments/daySource.ts';
import type { CachedAsk } from '../engine/segments/router.ts';
import type { DateRange } from '../engine/warehouse.ts';
import type { Sums } from '../figures/comparison.ts';

/** A day of a channel with figures from search terms alone. */
export type SearchTermDay = { readonly channel: number; readonly day: number };

const searchTermDays = daySource(
  questionFile<SearchTermDay>(import.meta.url, 'searchTermDays.sql'),
  { texts: [], counts: [], amounts: [] },
);

/** Reads these days of channels. */
export async function readSearchTermDays(
  ask: CachedAsk,
  channels: readonly number[],
  range: DateRange,
): Promise<SearchTermDay[]> {
  const found: SearchTermDay[] = [];
  for (const table of await ask.days(searchTermDays, channels, range)) {
    const [start, end] = table.rowsOf(range);
    for (const day of table.days.subarray(start, end)) found.push({ channel: table.channel, day });
  }
  return found;
}

/** The metrics that are unknown where some clicks come from search terms alone. */
export const unknownOfSearchTerms: ReadonlySet<string> = new Set(['clickThroughRate', 'ctr']);

/** Marks what is unknown in the sums of a window, bucket by bucket. */
export function markSearchTerms(
  { buckets, first, last }: Window,
  sums: (Sums | undefined)[],
  days: readonly SearchTermDay[],
): void {
  for (const { day } of days) {
    const index = day < first || day > last ? -1 : bucketOfDay(buckets, day);
    const found = sums[index];
    if (found !== undefined) found.unknown = unknownOfSearchTerms;
  }
}

/** The warning about a store, if anything is unknown in its sums. */
export function searchTermWarnings(
  store: string,
  sums: readonly ((Sums | undefined)[] | undefined)[],
): { readonly store: string; readonly code: 'search-terms-only' }[] {
  const isPartial = sums.some((window) => window?.some((one) => one?.unknown !== undefined));
  return isPartial ? [{ store, code: 'search-terms-only' }] : [];
}
