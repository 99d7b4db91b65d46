/**
 * Compares the spans of facts row by row, in tables with `spansByRow`. Each row of a summary report
 * has its own first and last date: different rows are never the same money.
 */
import { facts, factTable, rowKeyOf } from '../../schema/warehouse/tables.ts';
import { isoDate } from '../calendar/period.ts';
import { questionFile } from '../engine/question.ts';
import type { Coverage, Row, Warehouse } from '../engine/warehouse.ts';
import type { DocumentCoverage } from './coverage.ts';
import type { Renamings } from './documents/advertising/provisional.ts';
import { conflicting, OwnRows, type RowOverlap } from './spans.ts';

const limits = { deadlineMilliseconds: 60_000 };
/** The number of keys to look up at a time. */
const keysPerQuestion = 5_000;

const questions = new Map(
  facts
    .filter(({ spansByRow }) => spansByRow)
    .map((table) => [
      table.name,
      questionFile<Row>(import.meta.url, 'rowSpans.sql', {
        table: table.name,
        partition: table.partition!,
        rowKey: rowKeyOf(table).flatMap((column, place) =>
          place === 0 ? [column] : ["'@'", column],
        ),
      }),
    ]),
);

function rowKeySql(name: string): string {
  return rowKeyOf(factTable(name)).join(" || '@' || ");
}

/**
 * The existing rows that would count twice or be lost beside the document's rows, in order of
 * dates.
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

/** The ids by which advertising figures are superseded, by table. */
const supersededBy: Readonly<Record<string, string>> = {
  campaign_day: 'campaign_id',
  ad_group_day: 'ad_group_id',
  keyword_day: 'ad_group_id',
};

/** The coverage after removing superseded figures and these overlapped rows. */
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
  // No row has the empty key: without keys, the question is only about multi-day rows.
  const keys = own.keys.flatMap((key) => [key, ...(oldIds.has(key) ? [oldIds.get(key)!] : [])]);
  const found = new Map<string, RowOverlap>();
  for (let start = 0; start === 0 || start < keys.length; start += keysPerQuestion) {
    const parameters = {
      channel,
      first,
      last,
      parts,
      keys: keys.slice(start, start + keysPerQuestion),
    };
    for (const row of await warehouse.ask(questions.get(table)!, parameters, limits)) {
      const overlap = {
        table,
        part: row.part as string,
        importId: row.import_id as number,
        first: row.since as number,
        last: row.day as number,
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
