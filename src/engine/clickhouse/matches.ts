/**
 * Finds existing rows that have the keys of staged ones. A few matches travel in the statements
 * that need them; many are stored in a work table.
 */
import { type FactTable, historyMax } from '../../../schema/warehouse/tables.ts';
import type { Change } from './changes.ts';
import { hashOf } from './schema.ts';
import { isVisible } from './snapshot.ts';
import { allKeys, dayOf, isInPass, type Pass, type StagedRows } from './staged.ts';
import { quoted } from './vocabulary.ts';

/** Up to this number, keys are looked up by index; more keys are compared with all rows. */
export const lookupsMax = 20_000;
/** Up to this number, matches travel in the statements. */
const fewMax = 1_000;

/** The matches of the staged rows of a table. */
export type Matches = {
  /** Staged rows that are skipped because the existing row was updated later. */
  readonly older: number;
  /** Existing rows that are replaced. */
  readonly replaced: number;
  /** Staged rows that remove a row instead of replacing it. */
  readonly removals: number;
  /** The days with changed rows, in order. */
  readonly days: readonly number[];
  /** The condition that a staged row of the pass is not skipped. */
  readonly counts: (pass: Pass) => string;
  /** The hashes of the keys whose rows are replaced, as the right side of IN. */
  readonly replacedKeys: (pass: Pass) => string;
  /** The earlier versions of a staged row: their text, and the join that it needs. */
  readonly versionsBefore: (pass: Pass) => { readonly text: string; readonly join: string };
};

/** The condition that a staged row removes the row of its key. */
export function isRemoval({ removal }: FactTable): string {
  return removal ? `${removal.column} = ${quoted(removal.value)}` : 'false';
}

/** Finds the matches of the staged rows of a table, one per key. */
export async function findMatches(
  staged: StagedRows,
  change: Change,
  table: FactTable,
): Promise<Matches> {
  const { rows } = await staged.inspect(table.name);
  const passes = staged.passes(rows);
  return rows <= fewMax && passes.length === 1
    ? await matchesOfFew(staged, change, table)
    : await matchesOfMany(staged, change, table, passes);
}

async function matchesOfFew(
  staged: StagedRows,
  change: Change,
  table: FactTable,
): Promise<Matches> {
  const time = timeOf(table);
  const found = await staged.client.rows(
    `SELECT staged.staged_number AS number, staged.staged_day AS staged_day,
       staged.is_removal AS is_removal, existing.day AS day, ${isNewerBy(table)} AS newer,
       toString(staged.key_hash) AS hash, existing.versions AS versions
     FROM (SELECT staged_number, key_hash, ${dayOf(table)} AS staged_day,
         ${isRemoval(table)} AS is_removal${time}
       ${staged.fromUnique(table.name, allKeys)}) AS staged
     LEFT JOIN ${await existingRows(staged, change, table, allKeys)} AS existing
     ON existing.key_hash = staged.key_hash`,
  );
  const counting = found.filter((row) => !row.newer);
  const replacing = counting.filter((row) => row.day !== null);
  const older = found.filter((row) => row.newer).map((row) => row.number);
  const hashes = replacing.map((row) => `toUInt128('${row.hash}')`);
  const earlier = replacing.filter((row) => row.versions !== '');
  const numbers = earlier.map((row) => row.number).join(', ');
  const versions = earlier.map((row) => quoted(row.versions as string)).join(', ');
  const days = [...counting.map((row) => row.staged_day), ...replacing.map((row) => row.day)];
  const text =
    earlier.length === 0
      ? "''"
      : `transform(staged_number, CAST([${numbers}] AS Array(Int64)), [${versions}], '')`;
  return {
    older: older.length,
    replaced: replacing.length,
    removals: counting.filter((row) => row.is_removal).length,
    days: sorted(new Set(days as number[])),
    counts: () => (older.length === 0 ? 'true' : `staged_number NOT IN (${older.join(', ')})`),
    replacedKeys: () => `(${hashes.join(', ')})`,
    versionsBefore: () => ({ text, join: '' }),
  };
}

async function matchesOfMany(
  staged: StagedRows,
  change: Change,
  table: FactTable,
  passes: readonly Pass[],
): Promise<Matches> {
  const { name } = table;
  const matched = (pass: Pass) => staged.fromWork('staged_match', name, pass);
  const counts = (pass: Pass) => `staged_number NOT IN (SELECT number ${matched(pass)} AND newer)`;
  for (const pass of passes) await noteMatches(staged, change, table, pass);
  const days = new Set<number>();
  let [older, replaced, removals] = [0, 0, 0];
  for (const pass of passes) {
    const found = await staged.client.rows(
      `SELECT day, countIf(newer) AS older, countIf(NOT newer) AS replaced, 0 AS staged,
         0 AS removals
         ${matched(pass)} GROUP BY day
       UNION ALL
       SELECT ${dayOf(table)} AS staged_day, 0, 0, count(), countIf(${isRemoval(table)})
         ${staged.fromUnique(name, pass)} AND ${counts(pass)} GROUP BY staged_day`,
    );
    for (const row of found) {
      older += row.older as number;
      replaced += row.replaced as number;
      removals += row.removals as number;
      if (row.replaced || row.staged) days.add(row.day as number);
    }
  }
  return {
    older,
    replaced,
    removals,
    days: sorted(days),
    counts: (pass) => (older === 0 ? 'true' : counts(pass)),
    replacedKeys: (pass) => `(SELECT key_hash ${matched(pass)} AND NOT newer)`,
    versionsBefore: (pass) => ({
      text: "ifNull(versions_before, '')",
      join: `LEFT JOIN (SELECT number, versions AS versions_before ${matched(pass)}) AS existing
        ON existing.number = staged_number`,
    }),
  };
}

/** Stores the matches of a pass in the work table. */
async function noteMatches(
  staged: StagedRows,
  change: Change,
  table: FactTable,
  pass: Pass,
): Promise<void> {
  const time = timeOf(table);
  await staged.addWork(
    'staged_match',
    table.name,
    ['number', 'day', 'newer', 'key_hash', 'versions'],
    [
      'staged.staged_number',
      'existing.day',
      isNewerBy(table),
      'staged.key_hash',
      'existing.versions',
    ],
    `FROM ${await existingRows(staged, change, table, pass)} AS existing
     JOIN (SELECT staged_number, key_hash${time} ${staged.fromUnique(table.name, pass)}) AS staged
     ON existing.key_hash = staged.key_hash`,
  );
}

/** The column that says when a row was updated, to append to a list. */
function timeOf({ columns }: FactTable): string {
  return 'updated_at' in columns ? ', updated_at' : '';
}

/** Whether the existing row was updated later than the staged one. */
function isNewerBy({ columns }: FactTable): string {
  return 'updated_at' in columns ? 'existing.updated_at > staged.updated_at' : '0';
}

/** The existing rows that may have the key of a staged one, with the columns that matches need. */
async function existingRows(
  staged: StagedRows,
  change: Change,
  table: FactTable,
  pass: Pass,
): Promise<string> {
  const { name, key, history } = table;
  const { rows } = await staged.inspect(name);
  const lookup = `${key[0]} IN (SELECT ${key[0]} ${staged.from(name, allKeys)})`;
  const versions = history ? versionsOf(history) : "''";
  return `(SELECT day, ${hashOf(key)} AS key_hash${timeOf(table)}, ${versions} AS versions
    FROM all_${name} WHERE ${isVisible(name, change.before)}
      AND ${rows > lookupsMax ? 'true' : lookup} AND ${isInPass(pass, hashOf(key))})`;
}

/** The history of a row after its replacement: its earlier versions, then itself. */
function versionsOf({ column, of }: NonNullable<FactTable['history']>): string {
  const all = `trimLeft(concat(${column}, ' ', toString(import_id), ':', toString(${of})))`;
  return `arrayStringConcat(arraySlice(splitByChar(' ', ${all}), -${historyMax}), ' ')`;
}

/** Days in order. */
export function sorted(days: ReadonlySet<number>): number[] {
  return [...days].sort((a, b) => a - b);
}
