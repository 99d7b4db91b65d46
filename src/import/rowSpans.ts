/**
 * Compares the spans of facts row by row, in tables with `spansByRow`. The rows of a summary report
 * each have a first and a last date of their own: different ones are never the same money.
 */
import { facts, factTable, rowKeyOf } from '../../schema/warehouse/tables.ts';
import { isoDate } from '../calendar/period.ts';
import { questionFile } from '../engine/question.ts';
import type { Coverage, DateRange, Row, Warehouse } from '../engine/warehouse.ts';
import { type DocumentCoverage, type Grain, rowKeysMax } from './coverage.ts';
import type { Renamings } from './documents/advertising/provisional.ts';
import type { Overlap } from './grains.ts';

const limits = { deadlineMilliseconds: 60_000 };
/** So many keys are looked up at a time. */
const keysPerQuestion = 5_000;

const questions = new Map(
  facts
    .filter(({ spansByRow }) => spansByRow)
    .map((table) => [
      table.name,
      questionFile<Row>(import.meta.url, 'rowSpans.sql', {
        ...{ table: table.name, partition: table.partition!, rowKey: rowKeySql(table.name) },
      }),
    ]),
);

/** An existing row that a document's row of the same key overlaps. */
export type RowOverlap = Overlap & { readonly rowKey: string };

function rowKeySql(name: string): string {
  return rowKeyOf(factTable(name)).join(" || '@' || ");
}

/**
 * The existing rows that would count twice or be lost beside the document's: those with the key of
 * one of its rows on the same days that reach beyond its own days, have another grain, or come from
 * several documents of shorter periods. In the order of dates.
 */
export async function rowOverlapsOf(
  warehouse: Warehouse,
  channel: number,
  grains: DocumentCoverage['grains'],
  coverage: Readonly<Record<string, Coverage>>,
  renamings: Renamings,
): Promise<RowOverlap[]> {
  const overlaps: RowOverlap[] = [];
  for (const [table, covered] of Object.entries(coverage)) {
    if (!questions.has(table)) continue;
    const own = new OwnRows(grains[table] ?? {}, covered);
    const existing = await existingRows(warehouse, channel, table, covered, own, renamings);
    overlaps.push(...conflicting(existing, own, covered));
  }
  return overlaps.sort((one, other) => one.first - other.first);
}

/** The ids by which figures of advertising are superseded, by table. */
const supersededBy: Readonly<Record<string, string>> = {
  campaign_day: 'campaign_id',
  ad_group_day: 'ad_group_id',
  keyword_day: 'ad_group_id',
};

/** The coverage with superseded figures and these overlapped rows removed. */
export function withoutRows(
  coverage: Readonly<Record<string, Coverage>>,
  superseded: DocumentCoverage['superseded'],
  overlaps: readonly RowOverlap[],
): Readonly<Record<string, Coverage>> {
  return Object.fromEntries(
    Object.entries(coverage).map(([table, own]) => {
      const ofTable = overlaps.filter((one) => one.table === table);
      const overlapped = ofTable.map(
        ({ part, rowKey, last }) => `${part}@${rowKey}@${isoDate(last)}`,
      );
      const ids = [...(superseded[table] ?? [])];
      const conditions = [
        ...(overlapped.length > 0 ? [isListed(table, rowKeySql(table), 'overlapped')] : []),
        ...(ids.length > 0 ? [isListed(table, supersededBy[table]!, 'superseded')] : []),
      ];
      if (conditions.length === 0) return [table, own];
      const parameters = { overlapped, superseded: ids };
      return [table, { ...own, removed: { condition: conditions.join(' OR '), parameters } }];
    }),
  );
}

function isListed(table: string, id: string, list: string): string {
  return `in_list(${factTable(table).partition} || '@' || ${id} || '@' || CAST(day AS VARCHAR),
    {${list}:Array(String)})`;
}

/** The rows of a document of one table, by partition and key. */
class OwnRows {
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

  /** The first and the last day of the rows of a key; undefined if it has none. */
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

async function existingRows(
  warehouse: Warehouse,
  channel: number,
  table: string,
  { first, last, parts = [] }: Coverage,
  own: OwnRows,
  { campaigns, adGroups, keywords }: Renamings,
): Promise<RowOverlap[]> {
  const newIds = new Map([...campaigns, ...adGroups, ...keywords]);
  const oldIds = new Map([...newIds].map(([from, to]) => [to, from]));
  // No row has the empty key: without keys, the question is about rows of several days alone.
  const keys = own.keys.flatMap((key) => [key, ...(oldIds.has(key) ? [oldIds.get(key)!] : [])]);
  const found = new Map<string, RowOverlap>();
  for (let start = 0; start === 0 || start < keys.length; start += keysPerQuestion) {
    const asked = { channel, first, last, parts, keys: keys.slice(start, start + keysPerQuestion) };
    for (const row of await warehouse.ask(questions.get(table)!, asked, limits)) {
      const overlap = {
        ...{ table, part: row.part as string, importId: row.import_id as number },
        ...{ first: row.since as number, last: row.day as number },
        rowKey: (row.row_key as string)
          .split('@')
          .map((id) => newIds.get(id) ?? id)
          .join('@'),
      };
      found.set(`${overlap.part}@${row.row_key}@${overlap.last}`, overlap);
    }
  }
  return [...found.values()];
}

function conflicting(existing: readonly RowOverlap[], own: OwnRows, covered: Coverage) {
  const summaries = new Set(
    existing
      .filter(({ first, last }) => first < last)
      .map(({ part, importId }) => `${part} ${importId}`),
  );
  const met = existing.filter((one) => {
    const days = own.daysOf(one);
    return days !== undefined && one.first <= days.last && one.last >= days.first;
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
