/**
 * Rows of figures that an operator imports as a dataset. They replace every report of exactly these
 * rows on their dates and, like such a report, precede targets, placements and search terms.
 */
import { adReportOf, adSourceOf } from '../../../../schema/warehouse/adReports.ts';
import { dayNumber } from '../../../calendar/period.ts';
import type { DateRange } from '../../../engine/warehouse.ts';
import type { Cells } from '../../datasets/dataset.ts';
import type { ImportSession } from '../../session.ts';
import { adTypeNames } from './adTypes.ts';
import { around, type SharedLevel, supersede } from './precedence.ts';

/** The id by which rows of each level supersede others, and their table. */
const levels = {
  campaignDays: { table: 'campaign_day', id: 'campaignId' },
  adGroupDays: { table: 'ad_group_day', id: 'adGroupId' },
  keywordDays: { table: 'keyword_day', id: 'adGroupId' },
} as const satisfies Record<SharedLevel, object>;

/**
 * Notes the ids and dates of an operator's own rows, and supersedes the figures that they precede.
 */
export class OwnAdRows {
  readonly #session: ImportSession;
  readonly #level: SharedLevel;
  /** The ranges of dates by id; a date that follows the last range extends it. */
  readonly #days = new Map<string, { first: number; last: number }[]>();
  /** The same by keyword, for rows that do not name their ad group. */
  readonly #ofKeywords = new Map<string, { first: number; last: number }[]>();
  readonly #reports = new Set<string>();

  private constructor(session: ImportSession, level: SharedLevel) {
    this.#session = session;
    this.#level = level;
    for (const adType of ['', ...Object.keys(adTypeNames)])
      session.coverPartition(levels[level].table, adReportOf(adType, 'report'));
  }

  /** Follows the rows of a dataset; undefined unless they are figures of several sources. */
  static of(session: ImportSession, dataset: string): OwnAdRows | undefined {
    if (!(dataset in levels)) return undefined;
    const own = new OwnAdRows(session, dataset as SharedLevel);
    const reader = session.rows(dataset);
    reader.hold = (cells, line) => {
      own.#note(cells);
      reader.stage(cells, line);
    };
    return own;
  }

  /** Supersedes the figures of other sources on the dates of the rows. */
  async end(): Promise<void> {
    const session = this.#session;
    const own = await this.#byId();
    const whole = session.dateRange ?? around([...own.values()].flat());
    // The rows replace others by their dates alone.
    await supersede(session, this.#level, own, {
      whole,
      isOther: ({ report, first, last }) =>
        adSourceOf(report) !== 'report' || (first < last && !this.#reports.has(report)),
    });
  }

  #note(cells: Cells): void {
    this.#reports.add(adReportOf(cells.adType as string, 'report'));
    const day = dayNumber(cells.date as string);
    const id = cells[levels[this.#level].id] as string;
    const [days, key] =
      id === '' ? [this.#ofKeywords, cells.keywordId as string] : [this.#days, id];
    const ranges = days.get(key);
    const range = ranges?.at(-1);
    if (ranges === undefined || range === undefined) days.set(key, [{ first: day, last: day }]);
    else if (day === range.last + 1) range.last = day;
    else if (day < range.first || day > range.last) ranges.push({ first: day, last: day });
  }

  /**
   * The dates by the superseding id. For keywords without an ad group, that is the ad group of
   * their list.
   */
  async #byId(): Promise<ReadonlyMap<string, readonly DateRange[]>> {
    const found = new Map<string, DateRange[]>(this.#days);
    const adGroups = await this.#session.existing.adGroupsOfKeywords([...this.#ofKeywords.keys()]);
    for (const [keywordId, ids] of adGroups)
      for (const id of ids)
        found.set(id, [...(found.get(id) ?? []), ...this.#ofKeywords.get(keywordId)!]);
    return found;
  }
}
