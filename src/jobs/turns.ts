/**
 * Decides whose job is next: the jobs of a kind go round the organisations, and within each
 * organisation round the owners of its jobs.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { recordQuestionFile } from '../engine/recordQuestion.ts';
import type { RecordsTransaction } from '../engine/registry.ts';

/** The jobs that a worker takes. */
export type JobKind = {
  readonly kind: string;
  /** Whether each channel runs one job at a time, the oldest first. */
  readonly inOrder: boolean;
  /** How many jobs of an organisation run at the same time, on all nodes. */
  readonly organisationMax: number;
  /** How many of them may have the same owner. */
  readonly ownerMax: number;
};

/** An owner with unfinished jobs: how many run, and the next one that may run. */
type Owner = {
  readonly organisationId: string;
  readonly owner: string;
  readonly running: number;
  /** Null if none may run now. */
  readonly sequence: number | null;
};

/** The number of turns to remember; the oldest are dropped first, which is their rank, too. */
const rememberedMax = 20_000;

/** The turns taken by the jobs of this process. */
export class Turns {
  readonly #last = new LRUCache<string, number>({ max: rememberedMax });
  #count = 0;

  /**
   * The sequence number of the job whose turn it is. The organisation with the fewest running jobs
   * comes first; among equals, the one whose last turn was longest ago. Its owners take turns by
   * the same rule. Undefined if no job may run.
   */
  next(owners: readonly Owner[], of: JobKind): number | undefined {
    const running = new Map<string, number>();
    for (const one of owners)
      running.set(one.organisationId, (running.get(one.organisationId) ?? 0) + one.running);
    const ranked = owners
      .filter(
        (one) =>
          one.sequence !== null &&
          one.running < of.ownerMax &&
          running.get(one.organisationId)! < of.organisationMax,
      )
      .map((one) => {
        const { organisationId, owner, sequence } = one;
        const [last, ownLast] = keysOf(of, organisationId, owner).map((key) => this.#lastOf(key));
        const rank = [running.get(organisationId)!, last!, one.running, ownLast!, sequence!];
        return { one, rank };
      });
    const first = ranked.reduce<(typeof ranked)[number] | undefined>(
      (best, next) => (best === undefined || isBefore(next.rank, best.rank) ? next : best),
      undefined,
    );
    return first?.one.sequence ?? undefined;
  }

  /** Notes that an owner has had a turn. */
  note(of: JobKind, organisationId: string, owner: string): void {
    this.#count++;
    for (const key of keysOf(of, organisationId, owner)) this.#last.set(key, this.#count);
  }

  #lastOf(key: string): number {
    return this.#last.peek(key) ?? 0;
  }
}

function keysOf({ kind }: JobKind, organisationId: string, owner: string): readonly string[] {
  return [JSON.stringify([kind, organisationId]), JSON.stringify([kind, organisationId, owner])];
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const place = one.findIndex((value, index) => value !== other[index]);
  return place >= 0 && one[place]! < other[place]!;
}

type OwnerRow = { readonly [Name in keyof Owner]: string | number | null };
const owners = recordQuestionFile<OwnerRow>(import.meta.url, 'owners.sql');

/** Reads the owners of unfinished jobs of a kind; `at` is in epoch milliseconds. */
export async function readOwners(
  transaction: RecordsTransaction,
  { kind, inOrder }: JobKind,
  at: number,
): Promise<Owner[]> {
  const { rows } = await owners({ kind, inOrder: Number(inOrder), at }).execute(transaction);
  return rows.map(({ organisationId, owner, running, sequence }) => ({
    organisationId: String(organisationId),
    owner: String(owner),
    running: Number(running),
    sequence: sequence === null ? null : Number(sequence),
  }));
}

/** Whether a job is unfinished: word for word the condition of the indexes, with constants. */
export function isOpen(table: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${table}.state`)} in ('waiting', 'running')`;
}
