/**
 * Prevents documents from replacing more detailed facts. Example: traffic by parent product, the
 * default of a report, says nothing about SKUs.
 */
import { type Detail, facts, factTable } from '../../schema/warehouse/tables.ts';
import { questionFile } from '../engine/question.ts';
import type { Coverage, DateRange, Row, Warehouse } from '../engine/warehouse.ts';
import type { DocumentCoverage } from './coverage.ts';
import { rangeText } from './spans.ts';

const limits = { deadlineMilliseconds: 60_000 };

const questions = new Map(
  facts.flatMap(({ name, details, partition }) =>
    details === undefined
      ? []
      : [
          [
            name,
            questionFile<Row>(import.meta.url, 'details.sql', {
              table: name,
              partition: [partition ?? "''"],
              details: detailColumns(details),
            }),
          ],
        ],
  ),
);

/** For each detail of a table its index in rows that have it; the greatest is the row's detail. */
function detailColumns(details: readonly Detail[]): string[] {
  return details.map(({ column, unlike = "''" }, place) => {
    const isOther = unlike === "''" ? '' : ` AND ${column} <> ${unlike}`;
    return `CASE WHEN ${column} <> ''${isOther} THEN ${place} ELSE 0 END`;
  });
}

/** More detailed facts that the document would replace. */
export type LostDetail = DateRange & {
  readonly importId: number;
  /** The details of the document and of the facts, in words. */
  readonly own: string;
  readonly theirs: string;
};

/** The facts of more detail on the days of a document; undefined if there are none. */
export async function lostDetailOf(
  warehouse: Warehouse,
  channel: number,
  details: DocumentCoverage['details'],
  coverage: Readonly<Record<string, Coverage>>,
): Promise<LostDetail | undefined> {
  for (const [table, { first, last, parts = [] }] of Object.entries(coverage)) {
    const [question, detail] = [questions.get(table), details[table]];
    if (question === undefined || detail === undefined) continue;
    const parameters = { channel, first, last, parts, detail };
    const [found] = await warehouse.ask(question, parameters, limits);
    if (found === undefined || (found.rows_found as number) === 0) continue;
    const nameOf = (place: number) => factTable(table).details![place]!.name;
    return {
      first: found.first_day as number,
      last: found.last_day as number,
      importId: found.import_id as number,
      own: nameOf(detail),
      theirs: nameOf(found.most as number),
    };
  }
  return undefined;
}

/** Why a document with less detail than existing facts is refused. */
export function lostDetailText({ own, theirs, importId, ...days }: LostDetail): string {
  return `the document has figures by ${own}, but the facts of ${rangeText(days)} are by ${theirs} (import ${importId}), and it would replace them: import a report by ${theirs}, or pass replace=true to remove those facts`;
}
