/** Users of organisations. */
import { Body, Empty, Panel } from '../parts/panel.tsx';
import { type Column, DataTable, PagesFoot, pageOf } from '../parts/table.tsx';
import { useAddress } from '../view/address.ts';
import { count } from '../view/format.ts';
import { inMoment } from '../words.ts';
import { useAsked } from './access.tsx';
import type { Answer } from './client.ts';
import { OrganisationNote } from './organisations.tsx';
import { addressOf } from './sections.ts';

type User = Answer<'listUsers'>['users'][number];

const pageSize = 50;
const roles: Readonly<Record<User['role'], string>> = {
  owner: 'Owner',
  administrator: 'Administrator',
  member: 'Member',
};

/** The users of all organisations, or of one. */
export function Users() {
  const { params } = useAddress();
  const organisationId = params.get('organisation');
  const page = pageOf(params);
  const query = useAsked('listUsers', {
    ...(organisationId !== null && { organisationId }),
    ...{ pageIndex: page - 1, pageSize },
  });
  return (
    <>
      <OrganisationNote />
      <Panel title="Users" count={query.value?.total} isLoading={query.isLoading}>
        <Body query={query} name="the users" lines={8}>
          {({ users, total }) =>
            users.length === 0 ? (
              <Empty icon="operator" title="No users here">
                <p>
                  Create one with <code>vitrine users create</code>: the{' '}
                  <a href="/guides">guides</a> show how.
                </p>
              </Empty>
            ) : (
              <>
                <DataTable
                  name="Users"
                  rows={users}
                  keyOf={({ userId }) => userId}
                  columns={columns}
                />
                <PagesFoot page={page} size={pageSize} total={total} />
              </>
            )
          }
        </Body>
      </Panel>
    </>
  );
}

const columns: readonly Column<User>[] = [
  {
    id: 'email',
    name: 'E-mail',
    cell: ({ email, userId }) => (
      <span class="name two">
        <span>
          {email}
          <small>{userId}</small>
        </span>
      </span>
    ),
  },
  { id: 'role', name: 'Role', cell: ({ role }) => roles[role] },
  {
    id: 'channels',
    name: 'Channels',
    cell: ({ channelIds }) => (channelIds === 'all' ? 'All' : count(channelIds.length)),
  },
  {
    id: 'password',
    name: 'Can sign in',
    cell: ({ hasPassword }) => (hasPassword ? 'Yes' : <span class="muted">No password yet</span>),
  },
  { id: 'created', name: 'Created', cell: ({ createdAt }) => inMoment(createdAt) },
  {
    id: 'more',
    name: 'Show',
    cell: ({ userId, organisationId, email }) => (
      <span class="row-links">
        <a href={addressOf('keys', { user: userId })}>
          Keys<span class="visually-hidden"> of {email}</span>
        </a>
        <a href={addressOf('users', { organisation: organisationId })}>
          Organisation<span class="visually-hidden"> of {email}</span>
        </a>
      </span>
    ),
  },
];
