import { sql } from 'kysely';
import { required, type TableBuilder } from '../columns.ts';

const refusal = 'audit entries are never changed';
/** Younger entries cannot be deleted, whatever an operator has set. */
const keptSeconds = 90 * 86_400;

/** Creates the audit log and the triggers that refuse every change of it. */
export async function createAudit(builder: TableBuilder): Promise<void> {
  const { schema, store, engine, text, integer, create, index, numbered } = builder;
  await create(
    schema
      .createTable('audit_entry')
      .addColumn('audit_id', integer, numbered)
      .addColumn('at', integer, required)
      .addColumn('actor', text, required)
      .addColumn('action', text, required)
      .addColumn('subject', text, required)
      .addColumn('detail', text, required),
  );
  await index('audit_entry', 'at', ['at']);
  await index('audit_entry', 'subject', ['subject']);
  for (const trigger of engine === 'sqlite' ? sqliteTriggers : postgresTriggers)
    await sql.raw(trigger).execute(store);
}

const sqliteTriggers = [
  `CREATE TRIGGER audit_entry_unchanged BEFORE UPDATE ON audit_entry
     BEGIN SELECT RAISE(ABORT, '${refusal}'); END`,
  `CREATE TRIGGER audit_entry_kept BEFORE DELETE ON audit_entry
     WHEN OLD.at > (unixepoch() - ${keptSeconds}) * 1000
     BEGIN SELECT RAISE(ABORT, '${refusal}'); END`,
  // A REPLACE fires no delete trigger on a connection without recursive triggers.
  `CREATE TRIGGER audit_entry_not_replaced BEFORE INSERT ON audit_entry
     WHEN EXISTS (SELECT 1 FROM audit_entry WHERE audit_id = NEW.audit_id)
     BEGIN SELECT RAISE(ABORT, '${refusal}'); END`,
];

const postgresTriggers = [
  `CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION '${refusal}'; END $$`,
  `CREATE TRIGGER audit_entry_unchanged BEFORE UPDATE OR TRUNCATE ON audit_entry
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
  `CREATE TRIGGER audit_entry_kept BEFORE DELETE ON audit_entry
     FOR EACH ROW WHEN (OLD.at > (extract(epoch FROM now()) - ${keptSeconds}) * 1000)
     EXECUTE FUNCTION refuse_audit_change()`,
];
