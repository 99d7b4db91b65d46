/**
 * Which of several advertising documents counts, by campaign, ad group or keyword and date. In
 * order: a report of exactly these rows, the targets below them, placements, search terms. A
 * multi-day row does not count if a source that precedes its own has figures on any of its days. If
 * that source lacks some of the days, their figures would be lost: the document is then refused,
 * unless it replaces the facts that it overlaps.
 */
import {
  type AdSource,
  adReportOf,
  adSourceOf,
  adSources,
  adTypeOf,
} from '../../../../schema/warehouse/adReports.ts';
import { dayNumber } from '../../../calendar/period.ts';
import type { DateRange } from '../../../engine/warehouse.ts';
import type { RowSums } from '../../cells/sums.ts';
import type { Cells } from '../../datasets/dataset.ts';
import type { AdDays } from '../../existing.ts';
import type { AdImportsLookup, AdLookup } from '../../messages.ts';
import { DocumentRefused } from '../../refused.ts';
import type { ImportSession } from '../../session.ts';
import { overlap, rangeText } from '../../spans.ts';

/**
 * The levels of figures with the ids by which sources are compared; the first id is the one that
 * supersedes. Targets are complete: if an ad group has any targets, its search terms count for none
 * of its keywords, which may have other names there.
 */
const levels = {
  campaignDays: {
    table: 'campaign_day',
    imports: 'campaignImports',
    ids: { campaignId: 'campaignDays' },
  },
  adGroupDays: {
    table: 'ad_group_day',
    imports: 'adGroupImports',
    ids: { adGroupId: 'adGroupDays' },
  },
  keywordDays: {
    table: 'keyword_day',
    imports: 'keywordImports',
    ids: { adGroupId: 'keywordDaysByAdGroup', keywordId: 'keywordDays' },
  },
} as const satisfies Record<
  string,
  {
    readonly table: string;
    readonly imports: AdImportsLookup;
    readonly ids: Readonly<Record<string, AdLookup>>;
  }
>;

/** A level of figures that several sources have, which is a dataset. */
export type SharedLevel = keyof typeof levels;

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

/**
 * Finds the sums that count: those without figures of a source that precedes theirs. If the import
 * replaces such figures, sums count, too, where that source lacks some of the days.
 */
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
  const precedingOf = (cells: Cells) =>
    preceding.flatMap(([field, existing]) => {
      const days = existing.get(cells[field] as string) ?? [];
      return days.filter((one) => overlap(one, rangeOf(cells)));
    });
  const isWhole = await wholeRows(session, levels[level].imports, sums, precedingOf);
  return (cells) => {
    const [found] = precedingOf(cells);
    if (found === undefined || isWhole(cells)) return found === undefined;
    if (session.replaces) return true;
    throw lostDays(rangeOf(cells), found);
  };
}

/**
 * Whether the facts that precede a row have all its days. An import's facts reach from its first
 * day to its last one, as not every campaign has figures on each day.
 */
async function wholeRows(
  session: ImportSession,
  lookup: AdImportsLookup,
  sums: RowSums,
  precedingOf: (cells: Cells) => readonly AdDays[],
): Promise<(cells: Cells) => boolean> {
  const reports = new Set<string>();
  for (const cells of sums.cells()) {
    const found = isOfSeveralDays(cells) ? precedingOf(cells) : [];
    for (const { report } of found) reports.add(report);
  }
  const imports = await session.existing.adImports(lookup, [...reports]);
  const byType = Map.groupBy([...imports.values()].flat(), ({ report }) => adTypeOf(report));
  // Own rows without a type are of any type.
  const ofAny = byType.get('') ?? [];
  const covered = new Map(
    [...byType].map(([adType, ranges]) => [adType, joined([...ranges, ...ofAny])]),
  );
  return (cells) => {
    if (!isOfSeveralDays(cells)) return true;
    const { first, last } = rangeOf(cells);
    const ranges = covered.get(cells.adType as string) ?? joined(ofAny);
    return ranges.some((one) => one.first <= first && one.last >= last);
  };
}

/** The ranges, with adjacent ones joined. */
function joined(ranges: readonly DateRange[]): DateRange[] {
  const all: DateRange[] = [];
  for (const range of [...ranges].sort((one, other) => one.first - other.first)) {
    const before = all.at(-1);
    if (before === undefined || range.first > before.last + 1) all.push(range);
    else all[all.length - 1] = { first: before.first, last: Math.max(before.last, range.last) };
  }
  return all;
}

/**
 * Refuses a row if the facts that precede it have only some of its days; the other days would be
 * lost.
 */
function lostDays(own: DateRange, { report, importId, ...days }: AdDays): DocumentRefused {
  return new DocumentRefused(
    `${figuresOf(report)} of ${rangeText(days)} (import ${importId}) go before the document's of ${rangeText(own)}, whose other dates would be lost: import a document by day, or pass replace=true to remove those facts`,
  );
}

/** Refuses a document that would replace multi-day facts but has only some of their days. */
function lostFacts(own: DateRange, { report, importId, ...days }: AdDays): DocumentRefused {
  return new DocumentRefused(
    `the document has only ${rangeText(own)}, but would replace ${figuresOf(report)} of ${rangeText(days)} (import ${importId}): import a document of all these dates, or pass replace=true to remove those facts`,
  );
}

function figuresOf(report: string): string {
  const source = adSourceOf(report);
  if (source === 'report') return report === '' ? 'your own figures' : `the ${report} figures`;
  return `the ${adTypeOf(report)} figures from ${source === 'terms' ? 'search terms' : source}`;
}

/**
 * Supersedes the existing figures of sources that the sums precede, on their days. If the sums
 * count in spite of another source, supersedes its figures, too.
 */
async function supersedeOthers(
  session: ImportSession,
  { level, source, sums }: SourceSums,
  counts: (cells: Cells) => boolean,
): Promise<void> {
  const [field] = Object.keys(levels[level].ids);
  const own = ownDays(sums, field!, counts);
  const whole = session.dateRange ?? around([...ownDays(sums, field!).values()].flat());
  // Own rows without a type have the same rank as a report: the later one counts.
  const isOther = ({ report }: AdDays) =>
    adSourceOf(report) !== source || report === adReportOf('', source);
  await supersede(session, level, own, { whole, isOther });
}

/**
 * Supersedes the existing figures of ids and days for which `isOther` holds. A document whose dates
 * are `whole` is refused if it has only some of their days.
 */
export async function supersede(
  session: ImportSession,
  level: SharedLevel,
  own: ReadonlyMap<string, readonly DateRange[]>,
  { whole, isOther }: { readonly whole: DateRange; readonly isOther: (one: AdDays) => boolean },
): Promise<void> {
  const { table, ids } = levels[level];
  const [lookup] = Object.values(ids);
  for (const [id, days] of await existingDays(session, lookup!, own, isOther))
    for (const one of days) {
      if (!own.get(id)!.some((range) => overlap(one, range))) continue;
      if (!session.replaces && (one.first < whole.first || one.last > whole.last))
        throw lostFacts(whole, one);
      session.supersede(table, one.report, id, one.last);
    }
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

/** The existing figures of those ids and days that meet a condition, by id. */
async function existingDays(
  session: ImportSession,
  lookup: AdLookup,
  own: ReadonlyMap<string, readonly DateRange[]>,
  isWanted: (one: AdDays) => boolean,
): Promise<ReadonlyMap<string, readonly AdDays[]>> {
  const ranges = [...own.values()].flat();
  if (ranges.length === 0) return new Map();
  const days = around(ranges);
  // Figures under provisional ids get the document's own ids before it is committed.
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

/** From the first day of the ranges to the last one. */
export function around(ranges: readonly DateRange[]): DateRange {
  return ranges.reduce(
    (all, { first, last }) => ({
      first: Math.min(all.first, first),
      last: Math.max(all.last, last),
    }),
    { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY },
  );
}

function isOfSeveralDays(cells: Cells): boolean {
  const { first, last } = rangeOf(cells);
  return first < last;
}

function rangeOf({ date, since }: Cells): DateRange {
  const last = dayNumber(date as string);
  return { first: (since ?? last) as number, last };
}
