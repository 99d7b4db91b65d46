/** The imports that brought the facts of a date of a dataset, or that cover it. */
import type { Selectable } from 'kysely';
import { seconds, secondsOrNull } from '../../access/records.ts';
import { dayNumber, isoDate } from '../../calendar/period.ts';
import { datasetNames, documentKindNames } from '../../contract/importable.ts';
import type { ImportRecord, Registry } from '../../engine/registry.ts';
import type { CoveredDates } from '../../import/covered.ts';
import { tablesOf } from '../../import/tables.ts';
import { documentOf } from '../importedDocument.ts';
import { importsMax } from './contract.ts';
import { daysOf } from './facts.ts';

/** An import with its coverage, as far as that is known. */
export type LineageImport = Selectable<ImportRecord> & {
  /** The covered dates of each table; undefined for imports of earlier versions. */
  readonly covered: Readonly<Record<string, CoveredDates>> | undefined;
};

type Scope = {
  readonly channelNumber: number;
  readonly tables: readonly string[];
  readonly day: number;
};

/** Reads the imports into the tables that may cover a day, and the imports of some numbers. */
export async function readImports(
  { records }: Pick<Registry, 'records'>,
  { channelNumber, tables, day }: Scope,
  named: ReadonlySet<number>,
): Promise<ReadonlyMap<number, LineageImport>> {
  const imports = records
    .selectFrom('import')
    .selectAll()
    .where('channelNumber', '=', channelNumber)
    .orderBy('importId', 'desc');
  const days = tables.map((table) => daysOf(table, day));
  const covering = await imports
    .where('dataset', 'in', [...namesFeeding(tables)])
    .where('lastDate', '>=', isoDate(Math.min(...days.map(({ first }) => first))))
    .where('firstDate', '<=', isoDate(Math.max(...days.map(({ last }) => last))))
    .limit(importsMax)
    .execute();
  const known = new Map(covering.map((one) => [one.importId, withCoverage(one)]));
  const missing = [...named].filter((importId) => !known.has(importId));
  const others =
    missing.length === 0 ? [] : await imports.where('importId', 'in', missing).execute();
  for (const one of others) known.set(one.importId, withCoverage(one));
  for (const [importId, one] of known)
    if (!named.has(importId) && !tables.some((table) => covers(one, table, day)))
      known.delete(importId);
  return known;
}

/** The datasets and document kinds whose rows go to one of the tables. */
function namesFeeding(tables: readonly string[]): readonly string[] {
  return [...datasetNames, ...documentKindNames].filter((name) =>
    tablesOf(name).some((table) => tables.includes(table)),
  );
}

function withCoverage(record: Selectable<ImportRecord>): LineageImport {
  const covered =
    record.coverage === null
      ? undefined
      : (JSON.parse(record.coverage) as Readonly<Record<string, CoveredDates>>);
  return { ...record, covered };
}

/** Whether an import covers a day of a table, and a partition of it if one is named. */
export function covers(
  { covered, dataset, firstDate, lastDate }: LineageImport,
  table: string,
  day: number,
  partition: string | null = null,
): boolean {
  const isWhole = covered === undefined && firstDate !== null && lastDate !== null;
  const dates =
    isWhole && tablesOf(dataset).includes(table)
      ? { from: firstDate, to: lastDate }
      : covered?.[table];
  if (dates === undefined) return false;
  const { first, last } = daysOf(table, day);
  const isCovered = dayNumber(dates.from) <= last && dayNumber(dates.to) >= first;
  return (
    isCovered && (partition === null || (covered?.[table]?.partitions?.includes(partition) ?? true))
  );
}

/** An import as the answer lists it. */
export function answerOf(
  record: LineageImport,
  standing: 'counts' | 'superseded' | 'empty' | 'undone' | 'failed' | 'running',
) {
  const { importId, dataset, state, error, firstDate, lastDate } = record;
  const { rowsRead, rowsAccepted, rowsMerged, rowsRejected, rowsSkipped } = record;
  const { rowsCoarse, rounded, otherStores, encoding } = record;
  return {
    importId,
    dataset,
    state,
    standing,
    error,
    rowsRead,
    rowsAccepted,
    rowsMerged,
    rowsRejected,
    rowsSkipped,
    rowsCoarse,
    rounded,
    from: firstDate,
    to: lastDate,
    otherStores,
    encoding,
    startedAt: seconds(record.startedAt),
    finishedAt: secondsOrNull(record.finishedAt),
    document: documentOf(record),
  };
}
