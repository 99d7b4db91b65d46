import { sql } from 'kysely';
import type { TableBuilder } from '../columns.ts';

/** Adds to jobs their owner within the organisation, and the indexes for taking turns. */
export async function addJobTurns({ schema, store, text }: TableBuilder): Promise<void> {
  // Earlier jobs share one turn of their organisation.
  await schema
    .alterTable('job')
    .addColumn('owner', text, (column) => column.notNull().defaultTo(''))
    .execute();
  const turns = sql`CREATE INDEX job_turn
    ON job (kind, organisation_id, owner, lease_until, sequence)
    WHERE state IN ('waiting', 'running')`;
  await turns.execute(store);
  const running = sql`CREATE INDEX job_running ON job (kind, organisation_id, owner, lease_until)
    WHERE state = 'running'`;
  await running.execute(store);
}
