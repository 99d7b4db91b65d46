/**
 * Which of two advertising documents counts. A search term report holds clicked terms only, so it
 * counts only for the campaigns, ad groups or keywords and dates of which no other report has
 * figures.
 */
import { dayNumber } from '../../../calendar/period.ts';
import type { DateRange } from '../../../engine/warehouse.ts';
import type { RowSums } from '../../cells/sums.ts';
import type { Cells } from '../../datasets/dataset.ts';
import type { ImportSession } from '../../session.ts';

/** The levels of figures that search term reports have too. */
const levels = {
  campaignDays: {
    table: 'campaign_day',
    id: 'campaignId',
    reported: 'campaignReports',
    terms: 'campaignTerms',
  },
  adGroupDays: {
    table: 'ad_group_day',
    id: 'adGroupId',
    reported: 'adGroupReports',
    terms: 'adGroupTerms',
  },
  keywordDays: {
    table: 'keyword_day',
    id: 'keywordId',
    reported: 'keywordReports',
    terms: 'keywordTerms',
  },
} as const;

/** A level of figures. */
export type TermLevel = keyof typeof levels;

/** Whether search term reports have figures of a level. */
export function isTermLevel(level: string): level is TermLevel {
  return level in levels;
}

/** Finds the sums of a search term report that count: those without figures of other reports. */
export async function countingTerms(
  session: ImportSession,
  level: TermLevel,
  sums: RowSums,
): Promise<(cells: Cells) => boolean> {
  const { id, reported } = levels[level];
  const days = daysOf(sums.cells());
  if (days === undefined) return () => true;
  const ids = new Set<string>();
  for (const cells of sums.cells()) ids.add(cells[id] as string);
  const existing = await session.existing.adDays(reported, [...ids], days);
  return (cells) => {
    const range = rangeOf(cells);
    return !(existing.get(cells[id] as string) ?? []).some((one) => overlaps(one, range));
  };
}

/**
 * Supersedes multi-day rows of search term reports that overlap sums of another report. Those of
 * the same date have the same key, and are replaced anyway.
 */
export async function supersedeTerms(
  session: ImportSession,
  level: TermLevel,
  sums: RowSums,
): Promise<void> {
  const { table, id, terms } = levels[level];
  const days = daysOf(sums.cells());
  if (days === undefined) return;
  const existing = await session.existing.adDays(terms, [], days);
  if (existing.size === 0) return;
  const { campaigns, adGroups, keywords } = await session.renamings();
  const newIds = new Map([...campaigns, ...adGroups, ...keywords]);
  const spansOf = new Map<string, DateRange[]>();
  for (const [oldId, spans] of existing) {
    const newId = newIds.get(oldId) ?? oldId;
    spansOf.set(newId, [...(spansOf.get(newId) ?? []), ...spans]);
  }
  for (const cells of sums.cells()) {
    const own = cells[id] as string;
    for (const span of spansOf.get(own) ?? [])
      if (overlaps(span, rangeOf(cells))) session.supersede(table, own, span.last);
  }
}

function rangeOf({ date, since }: Cells): DateRange {
  const last = dayNumber(date as string);
  return { first: (since ?? last) as number, last };
}

function daysOf(all: Iterable<Cells>): DateRange | undefined {
  let days: { first: number; last: number } | undefined;
  for (const cells of all) {
    const { first, last } = rangeOf(cells);
    if (days === undefined) days = { first, last };
    else {
      days.first = Math.min(days.first, first);
      days.last = Math.max(days.last, last);
    }
  }
  return days;
}

function overlaps(one: DateRange, other: DateRange): boolean {
  return one.first <= other.last && other.first <= one.last;
}
