/** The imports whose facts of a date were superseded, and by which import. */
import { factTable } from '../../../schema/warehouse/tables.ts';
import { questionFile } from '../../engine/question.ts';
import type { Ask } from '../../engine/warehouse.ts';
import type { FactsOfImport } from './facts.ts';
import { covers, type LineageImport } from './imports.ts';

/** An import whose facts of a date were superseded. */
export type Superseded = {
  readonly table: string;
  readonly partition: string | null;
  readonly importId: number;
  readonly rows: number | null;
  readonly reason: 'restated' | 'newerVersion' | 'precedence';
  readonly supersededBy: number;
};

/** A claim of a financial source on instants of the date. */
export type Claim = {
  readonly superseded: string;
  readonly source: string;
  readonly import_id: number;
};

/** How many versions of orders from one import another import replaced. */
export type Replaced = {
  readonly importId: number;
  readonly supersededBy: number;
  rows: number;
};

const versionsQuestion = questionFile<{ import_id: number; versions: string }>(
  import.meta.url,
  'versionsOfDate.sql',
);
const claimsQuestion = questionFile<Claim>(import.meta.url, 'claimsOfDate.sql');
const [orders, events] = ['order_record', 'finance_event'];

/** The datasets whose superseded rows are in the history of orders. */
const orderTables: readonly string[] = [orders, 'order_line'];

/** Reads which imports replaced versions of the orders of a date. */
export async function readReplaced(
  ask: Ask,
  tables: readonly string[],
  parameters: Readonly<Record<string, number>>,
): Promise<readonly Replaced[]> {
  if (!tables.some((table) => orderTables.includes(table))) return [];
  const found = new Map<string, Replaced>();
  for (const { import_id, versions } of await ask(versionsQuestion, parameters)) {
    const imports = versions.split(' ').map((version) => Number.parseInt(version, 10));
    for (const [index, importId] of imports.entries()) {
      const supersededBy = imports[index + 1] ?? import_id;
      if (importId === supersededBy) continue;
      const key = `${importId} ${supersededBy}`;
      const known = found.get(key) ?? { importId, supersededBy, rows: 0 };
      known.rows += 1;
      found.set(key, known);
    }
  }
  return [...found.values()];
}

/** Reads the claims of financial sources on instants of a date. */
export async function readClaims(
  ask: Ask,
  tables: readonly string[],
  { channel, from, to }: { channel: number; from: number; to: number },
): Promise<readonly Claim[]> {
  return tables.includes(events) ? ask(claimsQuestion, { channel, from, to }) : [];
}

/** The facts and imports of a date, in which the superseded imports are found. */
export type Known = {
  readonly day: number;
  readonly tables: readonly string[];
  readonly facts: readonly FactsOfImport[];
  readonly imports: ReadonlyMap<number, LineageImport>;
  readonly replaced: readonly Replaced[];
  readonly claims: readonly Claim[];
};

/** The superseded imports of a date, newest first. */
export function supersededOf(known: Known): Superseded[] {
  const found: Superseded[] = known.replaced.map((one) => ({
    ...one,
    table: orders,
    partition: null,
    reason: 'newerVersion',
  }));
  for (const one of known.imports.values()) {
    if (one.state !== 'done') continue;
    for (const table of known.tables) {
      if (!covers(one, table, known.day)) continue;
      const { replacement } = factTable(table);
      if (replacement === 'byDay') found.push(...restatedDays(known, one, table));
      else if (replacement === 'byUnit') found.push(...supersededEvents(known, one, table));
      else if (replacement === 'byKey') found.push(...restatedLines(known, one, table));
    }
  }
  const isKnown = ({ importId, supersededBy }: Superseded) =>
    known.imports.has(importId) && known.imports.has(supersededBy);
  return found
    .filter(isKnown)
    .sort((one, other) => other.importId - one.importId || other.supersededBy - one.supersededBy);
}

/** Whether an import has facts of the date, of one partition if it is named. */
function hasFacts({ facts }: Known, importId: number, table: string, partition: string | null) {
  return facts.some(
    (one) =>
      one.importId === importId &&
      one.table === table &&
      (partition === null || one.partition === partition),
  );
}

/** The next import that meets a condition. An import that was undone had replaced facts, too. */
function nextOf(
  { imports }: Known,
  one: LineageImport,
  isNext: (other: LineageImport) => boolean,
): LineageImport | undefined {
  const later = [...imports.values()].filter(
    (other) =>
      ['done', 'undone'].includes(other.state) && committedAfter(other, one) && isNext(other),
  );
  return later.reduce<LineageImport | undefined>(
    (first, other) => (first === undefined || committedAfter(first, other) ? other : first),
    undefined,
  );
}

/** Whether an import ended after another, which a long import may do even if it began before. */
function committedAfter(one: LineageImport, other: LineageImport): boolean {
  const [late, early] = [one.finishedAt ?? 0, other.finishedAt ?? 0];
  return late === early ? one.importId > other.importId : late > early;
}

function restatedDays(known: Known, one: LineageImport, table: string): Superseded[] {
  const partitions = one.covered?.[table]?.partitions ?? [null];
  return partitions.flatMap((partition) => {
    if (hasFacts(known, one.importId, table, partition)) return [];
    const next = nextOf(known, one, (other) => covers(other, table, known.day, partition));
    return next === undefined ? [] : [restated(one, table, partition, next)];
  });
}

/** Orders have their versions stored; order lines that were imported alone have none. */
function restatedLines(known: Known, one: LineageImport, table: string): Superseded[] {
  const hasVersions = table === orders || covers(one, orders, known.day);
  if (hasVersions || hasFacts(known, one.importId, table, null)) return [];
  const next = nextOf(known, one, ({ importId }) => hasFacts(known, importId, table, null));
  return next === undefined ? [] : [restated(one, table, null, next)];
}

/** Financial events are superseded by a source with precedence, or by a later report. */
function supersededEvents(known: Known, one: LineageImport, table: string): Superseded[] {
  const source = financeSourceOf(one);
  if (source === undefined) return [];
  const claimants = new Set(
    known.claims
      .filter(({ superseded, import_id }) => superseded === source && import_id !== one.importId)
      .map(({ import_id }) => import_id),
  );
  if (claimants.size > 0)
    return [...claimants].map((supersededBy) => ({
      importId: one.importId,
      table,
      partition: source,
      rows: null,
      supersededBy,
      reason: 'precedence',
    }));
  if (hasFacts(known, one.importId, table, source)) return [];
  const next = nextOf(
    known,
    one,
    (other) => financeSourceOf(other) === source && hasFacts(known, other.importId, table, source),
  );
  return next === undefined ? [] : [restated(one, table, source, next)];
}

/** The source of the financial events of an import. */
function financeSourceOf({ dataset, summary }: LineageImport): string | undefined {
  if (dataset === 'financeEvents') return 'rows';
  return summary === null ? undefined : (JSON.parse(summary) as { source: string }).source;
}

function restated(
  { importId }: LineageImport,
  table: string,
  partition: string | null,
  next: LineageImport,
): Superseded {
  const supersededBy = next.importId;
  return { importId, table, partition, rows: null, reason: 'restated', supersededBy };
}
