import { sql } from 'kysely';
import type { TableBuilder } from '../columns.ts';

/** Adds the names of users, and when they last signed in. */
export async function addUserNames({ schema, store, text, integer }: TableBuilder): Promise<void> {
  await schema.alterTable('user_account').addColumn('name', text).execute();
  await schema.alterTable('user_account').addColumn('last_sign_in_at', integer).execute();
  // The existing sessions show when their users last signed in.
  await sql`UPDATE user_account SET last_sign_in_at =
    (SELECT max(created_at) FROM session WHERE session.user_id = user_account.user_id)`.execute(
    store,
  );
}
