/**
 * Whose turn it is to have a job done: the jobs of a kind go round the organisations, and within
 * each of them round the owners of its jobs.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { RecordsTransaction } from '../engine/registry.ts';

/** The jobs that a worker takes. */
export type JobKind = {
  readonly kind: string;
  /** Whether each channel runs one job at a time, the oldest first. */
  readonly inOrder: boolean;
  /** How many jobs of an organisation run at the same time, on all nodes. */
  readonly organisationMax: number;
  /** How many of them have the same owner. */
  readonly ownerMax: number;
};

/** An owner whose jobs have not all ended: how many run, and the next one that may. */
type Owner = {
  readonly organisationId: string;
  readonly owner: string;
  readonly running: number;
  /** Null if none may run at the moment. */
  readonly sequence: number | null;
};

/** Turns that are remembered; those of the longest ago are forgotten first, which is their rank. */
const rememberedMax = 20_000;

/** The turns that the jobs of this process have had. */
export class Turns {
  readonly #last = new LRUCache<string, number>({ max: rememberedMax });
  #count = 0;

  /**
   * The sequence number of the job whose turn it is: of the organisation with the fewest running
   * jobs, and of equal ones that whose last turn is longest ago; in it, of the owner of whom the
   * same is true. Undefined if no job may run.
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

/**
 * Reads the owners of jobs of a kind that have not ended. First tries come before retries, which
 * come in the order in which they are due. It steps through the index from owner to owner, so that
 * it costs no more where one of them has many jobs. `at` is in epoch milliseconds.
 */
export async function readOwners(
  transaction: RecordsTransaction,
  { kind, inOrder }: JobKind,
  at: number,
): Promise<Owner[]> {
  const open = isOpen('job');
  const older = sql<SqlBool>`NOT EXISTS (
    SELECT 1 FROM job AS older
    WHERE older.kind = job.kind AND older.channel_number = job.channel_number
      AND older.sequence < job.sequence AND ${isOpen('older')})`;
  const { rows } = await sql<{ [Name in keyof Owner]: string | number | null }>`
    WITH RECURSIVE found_organisation (id) AS (
      SELECT min(organisation_id) FROM job WHERE kind = ${kind} AND ${open}
      UNION ALL
      SELECT (
        SELECT min(organisation_id) FROM job
        WHERE kind = ${kind} AND ${open} AND organisation_id > found_organisation.id)
      FROM found_organisation WHERE id IS NOT NULL
    ), found_owner (organisation_id, id) AS (
      SELECT id, (
        SELECT min(owner) FROM job
        WHERE kind = ${kind} AND ${open} AND organisation_id = found_organisation.id)
      FROM found_organisation WHERE id IS NOT NULL
      UNION ALL
      SELECT organisation_id, (
        SELECT min(owner) FROM job
        WHERE kind = ${kind} AND ${open} AND organisation_id = found_owner.organisation_id
          AND owner > found_owner.id)
      FROM found_owner WHERE id IS NOT NULL
    )
    SELECT organisation_id, id AS owner, (
      SELECT count(*) FROM job
      WHERE kind = ${kind} AND state = 'running'
        AND organisation_id = found_owner.organisation_id AND owner = found_owner.id
        AND lease_until > ${at}
    ) AS running, (
      SELECT sequence FROM job
      WHERE kind = ${kind} AND ${open}
        AND organisation_id = found_owner.organisation_id AND owner = found_owner.id
        AND lease_until <= ${at} ${inOrder ? sql`AND ${older}` : sql``}
      ORDER BY lease_until, sequence LIMIT 1
    ) AS sequence
    FROM found_owner WHERE id IS NOT NULL`.execute(transaction);
  return rows.map(({ organisationId, owner, running, sequence }) => ({
    ...{ organisationId: String(organisationId), owner: String(owner), running: Number(running) },
    sequence: sequence === null ? null : Number(sequence),
  }));
}

/** Whether a job has not ended, in the very words of the indexes, as constants. */
export function isOpen(table: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${table}.state`)} in ('waiting', 'running')`;
}
