/** Finds the missing rights of a store's user. */
import { StartRefusal } from './errors.ts';

const ofPostgres =
  'The user of DATABASE_URL may not create or change tables: let it own the database ' +
  '(ALTER DATABASE name OWNER TO user, and ALTER SCHEMA public OWNER TO user in it)';
const ofClickhouse =
  'The user of CLICKHOUSE_URL may not create or change tables: give it a profile without readonly, ' +
  'and GRANT ALL ON name.* TO user; a user who may only read belongs in CLICKHOUSE_READER_URL';

/**
 * The errors by which servers refuse access: insufficient_privilege; READONLY and ACCESS_DENIED.
 */
const refusals: Readonly<Record<string, string>> = {
  '42501': ofPostgres,
  '164': ofClickhouse,
  '497': ofClickhouse,
};

/** The refusal of a start that failed because a store's user lacks rights; otherwise undefined. */
export function missingRights(error: unknown): StartRefusal | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const text = refusals[(cause as NodeJS.ErrnoException).code ?? ''];
    if (text !== undefined) return new StartRefusal(text, { cause: error });
  }
  return undefined;
}
