/** Keys: issued, listed and revoked. */

import { useState } from 'preact/hooks';
import type { Answer } from '../client.ts';
import { boundsWords } from '../parts/keyBounds.tsx';
import { List, moment } from '../parts/list.tsx';
import type { Column } from '../parts/table.tsx';
import { useQuery } from '../queries.ts';
import { useAddress } from '../view/address.ts';
import { count } from '../view/format.ts';
import { inMoment } from '../words.ts';
import { IssueKey } from './issueKey.tsx';
import { NamedCell, OnlyNote, shortId, usePage } from './list.tsx';
import { RevokeDialog } from './revoke.tsx';
import { addressOf } from './sections.ts';

type Key = Answer<'listKeys'>['keys'][number];

/** The keys of all users, or those of a user or an organisation. */
export function Keys() {
  const { params } = useAddress();
  const [organisationId, userId] = [params.get('organisation'), params.get('user')];
  const [revoking, setRevoking] = useState<Key>();
  const query = useQuery('listKeys', {
    ...(organisationId !== null && { organisationId }),
    ...(userId !== null && { userId }),
    ...usePage(),
  });
  return (
    <>
      <OnlyNote param="organisation" icon="overview" />
      <OnlyNote param="user" icon="key" />
      <IssueKey />
      <List
        title="Keys"
        query={query}
        of="keys"
        id="keyId"
        columns={columnsWith(setRevoking)}
        empty={{ icon: 'key', title: 'No keys here', text: 'Issue one above.' }}
      />
      {revoking && <RevokeDialog revoked={revoking} closed={() => setRevoking(undefined)} />}
    </>
  );
}

function endOf({ revokedAt, expiresAt }: Key): string {
  if (revokedAt !== null) return `Revoked ${inMoment(revokedAt)}`;
  return expiresAt === null ? 'Never' : inMoment(expiresAt);
}

const columnsWith = (revoke: (key: Key) => void): readonly Column<Key>[] => [
  {
    id: 'name',
    name: 'Key',
    cell: ({ name, hint }) => <NamedCell name={name} id={<code>{hint}</code>} />,
  },
  {
    id: 'user',
    name: 'User',
    cell: ({ userId }) => (
      <a href={addressOf('users', { user: userId })}>
        <code>{shortId(userId)}</code>
      </a>
    ),
  },
  {
    id: 'limits',
    name: 'Limits',
    cell: ({ limits }) => `${count(limits.perSecond)} a second, ${count(limits.perDay)} a day`,
  },
  { id: 'bounds', name: 'May do', cell: (key) => boundsWords(key) ?? 'Everything' },
  moment('lastUsedAt', 'Last used'),
  { id: 'end', name: 'Ends', cell: endOf },
  {
    id: 'revoke',
    name: 'Revoke',
    cell: (key) =>
      key.revokedAt === null && (
        <button
          type="button"
          class="control"
          aria-label={`Revoke ${key.name} ${key.hint}`}
          onClick={() => revoke(key)}
        >
          Revoke
        </button>
      ),
  },
];
