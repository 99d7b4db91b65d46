import {
  flag,
  oneOf,
  owner,
  primary,
  reference,
  required,
  type TableBuilder,
  unique,
} from '../columns.ts';

/** Creates the tables of the installation, organisations, users, API keys and sessions. */
export async function createOrganisations(builder: TableBuilder): Promise<void> {
  await createInstallation(builder);
  await createUsers(builder);
  await createKeys(builder);
  await createSessions(builder);
  await createSecondFactors(builder);
}

async function createInstallation({ schema, text, integer, create }: TableBuilder): Promise<void> {
  await create(
    schema
      .createTable('installation_key')
      .addColumn('lookup', text, primary)
      .addColumn('sealed', text, required)
      .addColumn('created_at', integer, required),
  );
  await create(
    schema
      .createTable('operator')
      .addColumn('operator_id', text, primary)
      .addColumn('name', text, unique)
      .addColumn('scopes', text, required)
      .addColumn('lookup', text, unique)
      .addColumn('previous_lookup', text, (column) => column.unique())
      .addColumn('previous_until', integer)
      .addColumn('created_at', integer, required),
  );
}

async function createUsers({ schema, text, integer, create, index }: TableBuilder): Promise<void> {
  await create(
    schema
      .createTable('organisation')
      .addColumn('organisation_id', text, primary)
      .addColumn('name', text, required)
      .addColumn('plan', text, oneOf('plan', 'standard', 'enterprise'))
      .addColumn('api_access', integer, flag('api_access'))
      .addColumn('search_query_performance', integer, flag('search_query_performance'))
      .addColumn('search_query_product_max', integer, required)
      .addColumn('created_at', integer, required),
  );
  await create(
    schema
      .createTable('user_account')
      .addColumn('user_id', text, primary)
      .addColumn('organisation_id', text, reference('organisation.organisation_id'))
      .addColumn('email', text, unique)
      .addColumn('role', text, oneOf('role', 'owner', 'administrator', 'member'))
      .addColumn('password_hash', text)
      .addColumn('restricted', integer, flag('restricted'))
      .addColumn('created_at', integer, required),
  );
  await index('user_account', 'organisation', ['organisation_id']);
}

async function createKeys({ schema, text, integer, ...build }: TableBuilder): Promise<void> {
  const { create, index, numbered } = build;
  await create(
    schema
      .createTable('api_key')
      .addColumn('key_id', text, primary)
      .addColumn('user_id', text, reference('user_account.user_id'))
      .addColumn('name', text, required)
      .addColumn('lookup', text, unique)
      .addColumn('hint', text, required)
      .addColumn('sealed', text, required)
      .addColumn('per_second', integer, required)
      .addColumn('burst', integer, required)
      .addColumn('per_day', integer, required)
      .addColumn('created_at', integer, required)
      .addColumn('last_used_at', integer)
      .addColumn('expires_at', integer)
      .addColumn('revoked_at', integer),
  );
  await index('api_key', 'user', ['user_id']);
  await create(
    schema
      .createTable('key_usage')
      .addColumn('key_id', text, owner('api_key.key_id'))
      .addColumn('day', integer, required)
      .addColumn('operation', text, required)
      .addColumn('requests', integer, required)
      .addColumn('refused', integer, required)
      .addColumn('limited', integer, required)
      .addColumn('failed', integer, required)
      .addPrimaryKeyConstraint('key_usage_key', ['key_id', 'day', 'operation']),
  );
  await create(
    schema
      .createTable('recent_request')
      .addColumn('request_number', integer, numbered)
      .addColumn('key_id', text, owner('api_key.key_id'))
      .addColumn('at', integer, required)
      .addColumn('operation', text, required)
      .addColumn('status', integer, required)
      .addColumn('reason', text)
      .addColumn('microseconds', integer, required)
      .addColumn('request_id', text, required),
  );
  await index('recent_request', 'key', ['key_id', 'request_number']);
}

async function createSessions({
  schema,
  text,
  integer,
  create,
  index,
}: TableBuilder): Promise<void> {
  await create(
    schema
      .createTable('session')
      .addColumn('session_id', text, primary)
      .addColumn('user_id', text, owner('user_account.user_id'))
      .addColumn('lookup', text, unique)
      .addColumn('browser', text, required)
      .addColumn('created_at', integer, required)
      .addColumn('last_seen_at', integer, required)
      .addColumn('confirmed_at', integer, required),
  );
  await index('session', 'user', ['user_id']);
  await create(
    schema
      .createTable('password_link')
      .addColumn('link_id', text, primary)
      .addColumn('user_id', text, (column) => owner('user_account.user_id')(column).unique())
      .addColumn('lookup', text, unique)
      .addColumn('purpose', text, oneOf('purpose', 'invitation', 'reset'))
      .addColumn('created_at', integer, required)
      .addColumn('expires_at', integer, required),
  );
}

async function createSecondFactors({
  schema,
  text,
  integer,
  create,
  index,
}: TableBuilder): Promise<void> {
  await create(
    schema
      .createTable('second_factor')
      .addColumn('user_id', text, (column) => owner('user_account.user_id')(column).primaryKey())
      .addColumn('sealed', text, required)
      .addColumn('created_at', integer, required)
      .addColumn('confirmed_at', integer)
      .addColumn('last_step', integer, required),
  );
  await create(
    schema
      .createTable('recovery_code')
      .addColumn('lookup', text, primary)
      .addColumn('user_id', text, owner('user_account.user_id')),
  );
  await index('recovery_code', 'user', ['user_id']);
}
