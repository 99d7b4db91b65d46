/** Users of organisations. */

import type { Answer } from '../client.ts';
import { List, moment } from '../parts/list.tsx';
import { reachWords, roleNames } from '../parts/membership.tsx';
import type { Column } from '../parts/table.tsx';
import { useQuery } from '../queries.ts';
import { useAddress } from '../view/address.ts';
import { none } from '../view/format.ts';
import { inMoment } from '../words.ts';
import { NamedCell, OnlyNote, usePage } from './list.tsx';
import { NewUser } from './newUser.tsx';
import { addressOf } from './sections.ts';
import { OneUser } from './user.tsx';

type User = Answer<'listUsers'>['users'][number];

/** The users of all organisations, or of one, below the one that the address names. */
export function Users() {
  const { params } = useAddress();
  const [organisationId, userId] = [params.get('organisation'), params.get('user')];
  const query = useQuery('listUsers', {
    ...(organisationId !== null && { organisationId }),
    ...usePage(),
  });
  return (
    <>
      {userId !== null && <OneUser key={userId} userId={userId} />}
      <OnlyNote param="organisation" icon="overview" />
      {organisationId !== null && <NewUser organisationId={organisationId} />}
      <List
        title="Users"
        query={query}
        of="users"
        id="userId"
        columns={columns}
        empty={{
          icon: 'operator',
          title: 'No users here',
          text:
            organisationId === null
              ? 'Create one from the users of an organisation.'
              : 'Create one above.',
        }}
      />
    </>
  );
}

const columns: readonly Column<User>[] = [
  {
    id: 'email',
    name: 'User',
    cell: ({ name, email, userId: user, organisationId: organisation }) => (
      <NamedCell
        name={name ?? email}
        id={name === null ? user : email}
        href={addressOf('users', { organisation, user })}
      />
    ),
  },
  { id: 'role', name: 'Role', cell: ({ role }) => roleNames[role] },
  { id: 'channels', name: 'Channels', cell: ({ channelIds }) => reachWords(channelIds) },
  {
    id: 'seen',
    name: 'Last sign-in',
    cell: ({ hasPassword, lastSignInAt }) =>
      lastSignInAt !== null ? (
        inMoment(lastSignInAt)
      ) : (
        <span class="muted">{hasPassword ? none : 'No password yet'}</span>
      ),
  },
  moment('createdAt', 'Created'),
  {
    id: 'more',
    name: 'Show',
    cell: ({ userId, organisationId, email }) => (
      <span class="row-links">
        <a href={addressOf('keys', { user: userId })}>
          Keys<span class="visually-hidden"> of {email}</span>
        </a>
        <a href={addressOf('organisations', { organisation: organisationId })}>
          Organisation<span class="visually-hidden"> of {email}</span>
        </a>
      </span>
    ),
  },
];
