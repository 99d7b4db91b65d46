/** How the staged rows of an import replace facts, for each kind of replacement. */
import type { FactTable } from '../../../schema/warehouse/tables.ts';
import type { Coverage } from '../warehouse.ts';
import type { Change } from './changes.ts';
import { findMatches, isRemoval, lookupsMax, type Matches, sorted } from './matches.ts';
import { hashOf, undatedColumns } from './schema.ts';
import { isVisible } from './snapshot.ts';
import { allKeys, dayOf, isInPass, type Pass, type StagedRows } from './staged.ts';
import { dateOf, literalText, quoted } from './vocabulary.ts';

/** The result of a replacement in one table. */
export type Replaced = {
  /** Staged rows that became facts. */
  readonly rows: number;
  /** Staged rows that were skipped because the existing row was updated later. */
  readonly older: number;
  /** Existing rows that the coverage removed, per value of the table's partition. */
  readonly superseded: Readonly<Record<string, number>>;
  /** The days that changed. */
  readonly days: readonly number[];
};

/** Replaces the days that the document covers, or its partitions of those days. */
export async function replaceDays(
  staged: StagedRows,
  change: Change,
  table: FactTable,
  coverage: Coverage | undefined,
): Promise<Replaced> {
  const { name } = table;
  if (!coverage) throw new Error(`Rows of ${name} were staged without the days that they cover`);
  const { first, last, parts } = coverage;
  const leavesRows = parts !== undefined || table.spansByRow === true;
  const covered = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const days = [...covered, ...(await removeOthers(staged, change, name, coverage))];
  if (leavesRows) await retainOthers(staged, change, table, coverage);
  if (!staged.has(name)) return { rows: 0, older: 0, superseded: {}, days };
  const { rows, duplicates, firstDay, lastDay } = await staged.inspect(name);
  if (firstDay < first || lastDay > last)
    throw new Error(`Rows of ${name} were staged outside the days that they cover`);
  if (table.repeats) await staged.findRepeats(name, table.repeats.of);
  for (const pass of staged.passes(duplicates))
    await staged.insert(name, [newRows(staged, change, table, pass)]);
  return { rows: rows - duplicates, older: 0, superseded: {}, days };
}

/** Removes the rows that the document removes on other days; returns those days. */
async function removeOthers(
  staged: StagedRows,
  change: Change,
  name: string,
  { first, last, removed }: Coverage,
): Promise<number[]> {
  if (removed === undefined) return [];
  const isRemoved = conditionOf(removed, change);
  const found = await staged.client.rows(
    `SELECT DISTINCT day FROM all_${name} WHERE ${isVisible(name, change.before)}
       AND (day < ${dateOf(first)} OR day > ${dateOf(last)}) AND ${isRemoved}`,
  );
  const days = found.map((row) => row.day as number);
  if (days.length > 0)
    await staged.insert(name, [
      `${existingRows(change, name)} AND day IN (${days.map(dateOf).join(', ')})
         AND NOT ${isRemoved}`,
    ]);
  return days;
}

function conditionOf(
  { condition, parameters }: NonNullable<Coverage['removed']>,
  { channel }: Change,
): string {
  return `(${literalText(condition, { ...parameters, channel })})`;
}

/**
 * Copies the rows that the document does not replace into the new version, except rows with staged
 * keys: rows of other partitions, and, where each row has its own span, rows that begin before the
 * document's days.
 */
async function retainOthers(
  staged: StagedRows,
  change: Change,
  { name, key, partition, spansByRow }: FactTable,
  { first, last, removed, parts }: Coverage,
): Promise<void> {
  const left: string[] = [];
  if (parts !== undefined) {
    if (partition === undefined) throw new Error(`${name} has no partitions`);
    left.push(`${partition} NOT IN (${parts.map(quoted).join(', ')})`);
  }
  if (spansByRow) left.push(`since < ${dateOf(first)}`);
  const isNotRemoved = removed === undefined ? '' : ` AND NOT ${conditionOf(removed, change)}`;
  for (const pass of staged.passesOf(name)) {
    const isReplaced = staged.has(name)
      ? ` AND ${hashOf(key)} NOT IN (SELECT key_hash ${staged.from(name, pass)})`
      : '';
    await staged.insert(name, [
      `${existingRows(change, name)} AND day >= ${dateOf(first)} AND day <= ${dateOf(last)}
         AND ${isInPass(pass, hashOf(key))} AND (${left.join(' OR ')})${isReplaced}${isNotRemoved}`,
    ]);
  }
}

/** Replaces the rows of the staged keys, unless they were updated later. */
export async function replaceKeys(
  staged: StagedRows,
  change: Change,
  table: FactTable,
): Promise<Replaced> {
  const { name } = table;
  const { rows, duplicates } = await staged.inspect(name);
  const matches = await findMatches(staged, change, table);
  const { older, replaced, removals, days } = matches;
  for (const pass of days.length > 0 ? staged.passes(rows) : []) {
    const removed = replaced === 0 ? undefined : matches.replacedKeys(pass);
    await staged.insert(name, [
      remainingRows(change, table, days, pass, removed),
      `${newRows(staged, change, table, pass, matches)} AND ${matches.counts(pass)}`,
    ]);
  }
  return { rows: rows - duplicates - older - removals, older, superseded: {}, days };
}

/** Replaces the rows of the staged units, and removes those that the coverage supersedes. */
export async function replaceUnits(
  staged: StagedRows,
  change: Change,
  table: FactTable,
  coverage: Coverage | undefined,
): Promise<Replaced> {
  const { name } = table;
  const { rows, duplicates } = await staged.inspect(name);
  await removeUnits(staged, change, table, coverage);
  const [removed] = await staged.client.rows(
    `SELECT count() AS found ${staged.fromWork('staged_removal', name, allKeys)}`,
  );
  const passes = staged.passes(Math.max(rows, removed!.found as number));
  const changed = new Set<number>();
  const superseded: Record<string, number> = {};
  for (const pass of passes) {
    const removals = staged.fromWork('staged_removal', name, pass);
    const days = await staged.client.rows(
      `SELECT DISTINCT day ${removals}
       UNION DISTINCT SELECT DISTINCT ${dayOf(table)} ${staged.fromUnique(name, pass)}`,
    );
    for (const row of days) changed.add(row.day as number);
    const counts = await staged.client.rows(
      `SELECT superseded, count() AS found FROM (SELECT any(partition_value) AS superseded
         ${removals} GROUP BY key_hash HAVING max(by_unit) = 0) GROUP BY superseded`,
    );
    for (const { superseded: part, found } of counts)
      superseded[part as string] = (superseded[part as string] ?? 0) + (found as number);
  }
  const days = sorted(changed);
  for (const pass of days.length > 0 ? passes : []) {
    const removed = `(SELECT key_hash ${staged.fromWork('staged_removal', name, pass)})`;
    await staged.insert(name, [
      remainingRows(change, table, days, pass, removed),
      newRows(staged, change, table, pass),
    ]);
  }
  return { rows: rows - duplicates, older: 0, superseded, days };
}

/** Notes the existing rows that the staged units replace or the coverage supersedes. */
async function removeUnits(
  staged: StagedRows,
  change: Change,
  { name, key, partition, identity }: FactTable,
  coverage: Coverage | undefined,
): Promise<void> {
  const { rows, firstDay, lastDay } = await staged.inspect(name);
  const passes = rows > 0 ? staged.passes(rows) : [];
  const remove = (byUnit: 0 | 1, condition: string) =>
    staged.addWork(
      'staged_removal',
      name,
      ['day', 'partition_value', 'by_unit', 'key_hash'],
      ['day', partition ?? "''", String(byUnit), hashOf(key)],
      `FROM all_${name} WHERE ${isVisible(name, change.before)} AND ${condition}`,
    );
  for (const pass of passes)
    await remove(1, await matchesStaged(staged, name, key.slice(0, 1), pass));
  if (coverage?.removed) await remove(1, conditionOf(coverage.removed, change));
  if (!partition || !identity || !coverage?.parts || coverage.parts.length === 0) return;
  const [reference, instant] = identity;
  const isCovered = `${partition} IN (${coverage.parts.map(quoted).join(', ')})`;
  const between = (first: number, last: number) =>
    `${isCovered} AND day >= ${dateOf(first)} AND day <= ${dateOf(last)}`;
  if (coverage.instants) {
    const within = coverage.instants.map(({ from, to }) => `${instant} BETWEEN ${from} AND ${to}`);
    await remove(0, `${between(coverage.first, coverage.last)} AND (${within.join(' OR ')})`);
  }
  // Rows with the same instant lie on the same day.
  for (const pass of passes) {
    const isSame = await matchesStaged(staged, name, identity, pass);
    await remove(0, `${between(firstDay, lastDay)} AND ${reference} <> '' AND ${isSame}`);
  }
}

/** The condition that an existing row equals a staged one in these columns. */
export async function matchesStaged(
  staged: StagedRows,
  name: string,
  columns: readonly string[],
  pass: Pass,
): Promise<string> {
  const { rows } = await staged.inspect(name);
  const hash = hashOf(columns);
  const source = staged.fromUnique(name, allKeys);
  const lookup = rows > lookupsMax ? '' : `${columns[0]} IN (SELECT ${columns[0]} ${source}) AND `;
  return `${lookup}${isInPass(pass, hash)}
    AND ${hash} IN (SELECT ${hash} ${source} AND ${isInPass(pass, hash)})`;
}

/**
 * The staged rows of a table as rows of the new version. A table with a history needs the matches.
 */
function newRows(
  staged: StagedRows,
  change: Change,
  table: FactTable,
  pass: Pass,
  matches?: Matches,
): string {
  const { name, history, repeats } = table;
  const before = history && matches!.versionsBefore(pass);
  const columns = undatedColumns(name).map((column) => {
    if (column === repeats?.column)
      return `staged_number IN (SELECT number ${staged.fromWork('staged_repeat', name, pass)})`;
    return column === history?.column ? before!.text : column;
  });
  return `SELECT toInt32(${change.channel}), ${dayOf(table)}, toInt64(${change.version}),
      toInt64(${change.importId}), ${columns.join(', ')}
    ${staged.fromUnique(name, pass, before?.join)}
    AND NOT ${isRemoval(table)}`;
}

/** The existing rows of those days as rows of the new version, except rows with removed keys. */
function remainingRows(
  change: Change,
  { name, key }: FactTable,
  days: readonly number[],
  pass: Pass,
  removedKeys: string | undefined,
): string {
  return `${existingRows(change, name)} AND day IN (${days.map(dateOf).join(', ')})
    AND ${isInPass(pass, hashOf(key))}
    AND ${removedKeys === undefined ? 'true' : `${hashOf(key)} NOT IN ${removedKeys}`}`;
}

function existingRows({ before, version }: Change, name: string): string {
  return `SELECT channel, day, toInt64(${version}), import_id, ${undatedColumns(name).join(', ')}
    FROM all_${name} WHERE ${isVisible(name, before)}`;
}
