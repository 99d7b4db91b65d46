/** Keys: issued, listed and revoked. */
import { useState } from 'preact/hooks';
import { Body, Empty, Note, Panel } from '../parts/panel.tsx';
import { type Column, DataTable, PagesFoot, pageOf } from '../parts/table.tsx';
import { useAddress } from '../view/address.ts';
import { count, none } from '../view/format.ts';
import { inMoment } from '../words.ts';
import { useAsked } from './access.tsx';
import type { Answer } from './client.ts';
import { IssueKey } from './issueKey.tsx';
import { OrganisationNote } from './organisations.tsx';
import { RevokeDialog } from './revoke.tsx';
import { addressOf } from './sections.ts';

type Key = Answer<'listKeys'>['keys'][number];

const pageSize = 50;

/** The keys of all users, or those of a user or an organisation. */
export function Keys() {
  const { params, hrefOf } = useAddress();
  const [organisationId, userId] = [params.get('organisation'), params.get('user')];
  const page = pageOf(params);
  const [revoking, setRevoking] = useState<Key>();
  const query = useAsked('listKeys', {
    ...(organisationId !== null && { organisationId }),
    ...(userId !== null && { userId }),
    ...{ pageIndex: page - 1, pageSize },
  });
  return (
    <>
      <OrganisationNote />
      {userId !== null && (
        <Note
          tone="plain"
          icon="key"
          tools={<a href={hrefOf({ user: undefined, page: undefined })}>Show all</a>}
        >
          Only of the user <code>{userId}</code>.
        </Note>
      )}
      <IssueKey />
      <Panel title="Keys" count={query.value?.total} isLoading={query.isLoading}>
        <Body query={query} name="the keys" lines={8}>
          {({ keys, total }) =>
            keys.length === 0 ? (
              <Empty icon="key" title="No keys here">
                <p>Issue one above.</p>
              </Empty>
            ) : (
              <>
                <DataTable
                  name="Keys"
                  rows={keys}
                  keyOf={({ keyId }) => keyId}
                  columns={columnsWith(setRevoking)}
                />
                <PagesFoot page={page} size={pageSize} total={total} />
              </>
            )
          }
        </Body>
      </Panel>
      {revoking && <RevokeDialog revoked={revoking} close={() => setRevoking(undefined)} />}
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
    cell: ({ name, hint }) => (
      <span class="name two">
        <span>
          {name}
          <small>
            <code>{hint}</code>
          </small>
        </span>
      </span>
    ),
  },
  {
    id: 'user',
    name: 'User',
    cell: ({ userId }) => (
      <a href={addressOf('keys', { user: userId })}>
        <code>{userId.slice(0, 8)}</code>
      </a>
    ),
  },
  {
    id: 'limits',
    name: 'Limits',
    cell: ({ limits }) => `${count(limits.perSecond)} a second, ${count(limits.perDay)} a day`,
  },
  {
    id: 'used',
    name: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? none : inMoment(lastUsedAt)),
  },
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
