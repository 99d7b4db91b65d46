/**
 * Which of several advertising documents counts, by campaign, ad group or keyword and date: a
 * report of just these rows, then the targets below them, then placements, then search terms,
 * whichever comes first. A multi-day row does not count if a source that precedes its own has
 * figures on any of its days.
 */
import { type AdSource, adSourceOf, adSources } from '../../../../schema/warehouse/adReports.ts';
import { dayNumber } from '../../../calendar/period.ts';
import type { DateRange } from '../../../engine/warehouse.ts';
import type { RowSums } from '../../cells/sums.ts';
import type { Cells } from '../../datasets/dataset.ts';
import type { AdDays } from '../../existing.ts';
import type { AdLookup } from '../../messages.ts';
import type { ImportSession } from '../../session.ts';
import { overlap } from '../../spans.ts';

/**
 * The levels of figures, with the ids by which sources are compared, the one first by which they
 * are superseded. Targets are complete: search terms of an ad group with any targets count for none
 * of its keywords, whose names may be others there.
 */
const levels = {
  campaignDays: { table: 'campaign_day', ids: { campaignId: 'campaignDays' } },
  adGroupDays: { table: 'ad_group_day', ids: { adGroupId: 'adGroupDays' } },
  keywordDays: {
    table: 'keyword_day',
    ids: { adGroupId: 'keywordDaysByAdGroup', keywordId: 'keywordDays' },
  },
} as const satisfies Record<
  string,
  { readonly table: string; readonly ids: Readonly<Record<string, AdLookup>> }
>;

/** A level of figures that several sources have. */
type SharedLevel = keyof typeof levels;

/** Sums of a level and their source. */
export type SourceSums = {
  readonly level: SharedLevel;
  readonly source: AdSource;
  readonly sums: RowSums;
};

/**
 * Stages the sums of a document that count, the finest level first, and supersedes the figures of
 * sources that they precede. A row that counts at no level is skipped.
 */
export async function stageAdSums(
  session: ImportSession,
  all: readonly SourceSums[],
): Promise<void> {
  const counting: ((cells: Cells) => boolean)[] = [];
  for (const one of all) counting.push(await countingSums(session, one));
  for (const [at, one] of all.entries()) {
    await supersedeOthers(session, one, counting[at]!);
    const coarser = counting.slice(at + 1);
    const isUsed = (cells: Cells) => coarser.some((counts) => counts(cells));
    await one.sums.stage(session.flush, counting[at], isUsed);
  }
}

/** Finds the sums that count: those without figures of a source that precedes theirs. */
async function countingSums(
  session: ImportSession,
  { level, source, sums }: SourceSums,
): Promise<(cells: Cells) => boolean> {
  if (rank(source) === 0) return () => true;
  const preceding: (readonly [field: string, ReadonlyMap<string, readonly AdDays[]>])[] = [];
  for (const [field, lookup] of Object.entries(levels[level].ids)) {
    const own = ownDays(sums, field);
    const isPreceding = (one: AdDays) => rank(adSourceOf(one.report)) < rank(source);
    preceding.push([field, await existingDays(session, lookup, own, isPreceding)]);
  }
  return (cells) =>
    preceding.every(([field, existing]) => {
      const days = existing.get(cells[field] as string) ?? [];
      return !days.some((one) => overlap(one, rangeOf(cells)));
    });
}

/** Supersedes the existing figures of sources that the sums precede, on their days. */
async function supersedeOthers(
  session: ImportSession,
  { level, source, sums }: SourceSums,
  counts: (cells: Cells) => boolean,
): Promise<void> {
  if (rank(source) === adSources.length - 1) return;
  const { table, ids } = levels[level];
  const [field, lookup] = Object.entries(ids)[0]!;
  const own = ownDays(sums, field, counts);
  const isPreceded = (one: AdDays) => rank(adSourceOf(one.report)) > rank(source);
  for (const [id, days] of await existingDays(session, lookup, own, isPreceded))
    for (const one of days)
      if (own.get(id)!.some((range) => overlap(one, range)))
        session.supersede(table, one.report, id, one.last);
}

function rank(source: AdSource): number {
  return adSources.indexOf(source);
}

/** The date ranges of sums that count, by the id in a field. */
function ownDays(
  sums: RowSums,
  field: string,
  counts?: (cells: Cells) => boolean,
): Map<string, DateRange[]> {
  const own = new Map<string, DateRange[]>();
  const known = new Set<string>();
  for (const cells of sums.cells()) {
    const id = cells[field] as string | undefined;
    if (!id || counts?.(cells) === false) continue;
    const range = rangeOf(cells);
    const text = `${id}@${range.first}@${range.last}`;
    if (known.has(text)) continue;
    known.add(text);
    own.set(id, [...(own.get(id) ?? []), range]);
  }
  return own;
}

/** The existing figures of those ids and days that a condition holds for, by id. */
async function existingDays(
  session: ImportSession,
  lookup: AdLookup,
  own: ReadonlyMap<string, readonly DateRange[]>,
  isWanted: (one: AdDays) => boolean,
): Promise<ReadonlyMap<string, readonly AdDays[]>> {
  const ranges = [...own.values()].flat();
  if (ranges.length === 0) return new Map();
  const days = {
    first: ranges.reduce((first, range) => Math.min(first, range.first), ranges[0]!.first),
    last: ranges.reduce((last, range) => Math.max(last, range.last), ranges[0]!.last),
  };
  // Figures of provisional ids take those of the document before it is committed.
  const { campaigns, adGroups, keywords } = await session.renamings();
  const newIds = new Map([...campaigns, ...adGroups, ...keywords]);
  const oldIds = [...newIds].flatMap(([from, to]) => (own.has(to) ? [from] : []));
  const found = new Map<string, AdDays[]>();
  const existing = await session.existing.adDays(lookup, [...own.keys(), ...oldIds], days);
  for (const [id, all] of existing) {
    const newId = newIds.get(id) ?? id;
    found.set(newId, [...(found.get(newId) ?? []), ...all.filter(isWanted)]);
  }
  return found;
}

function rangeOf({ date, since }: Cells): DateRange {
  const last = dayNumber(date as string);
  return { first: (since ?? last) as number, last };
}
