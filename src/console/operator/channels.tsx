/** Channels; a document that is dropped on one is imported into it. */

import { countryAlpha2 } from '../../contract/countries.ts';
import { List, plain } from '../parts/list.tsx';
import type { Column } from '../parts/table.tsx';
import { useQuery } from '../queries.ts';
import { useAddress } from '../view/address.ts';
import { marketplaceOf } from '../view/stores.tsx';
import { useAccess } from './access.tsx';
import { OneChannel } from './channel.tsx';
import { DropArea } from './drop.tsx';
import { OnlyNote, shortId, usePage } from './list.tsx';
import { addressOf } from './sections.ts';
import type { Channel } from './stale.ts';

/** The channels, or one of them if the address names it. */
export function Channels() {
  const { params } = useAddress();
  const channelId = params.get('channel');
  return channelId === null ? (
    <AllChannels />
  ) : (
    <OneChannel key={channelId} channelId={channelId} />
  );
}

function AllChannels() {
  const { params, change } = useAddress();
  const { uploads } = useAccess();
  const organisationId = params.get('organisation');
  const query = useQuery('listAllChannels', {
    ...(organisationId !== null && { organisationId }),
    ...usePage(),
  });
  const dropped = (files: readonly File[], row: string | undefined) => {
    if (row === undefined) return;
    uploads.start(row, files);
    change({ channel: row, page: undefined });
  };
  return (
    <>
      <OnlyNote param="organisation" icon="overview" />
      <List
        title="Channels"
        query={query}
        of="channels"
        id="channelId"
        columns={columns}
        around={(table) => (
          <DropArea onFiles={dropped} hasRows>
            {table}
          </DropArea>
        )}
        foot="Drop a document on a row to import it into that channel."
        empty={{
          icon: 'store',
          title: 'No channels yet',
          text: (
            <>
              Connect one with <code>vitrine channels save</code> (<a href="/guides">guides</a>).
            </>
          ),
        }}
      />
    </>
  );
}

const columns: readonly Column<Channel>[] = [
  {
    id: 'store',
    name: 'Store',
    cell: ({ channelId, displayName, countryCode }) => (
      <a class="name" href={addressOf('channels', { channel: channelId })}>
        <span class="country">{countryAlpha2(countryCode)}</span>
        <span>
          {displayName}
          <small>{channelId}</small>
        </span>
      </a>
    ),
  },
  { id: 'marketplace', name: 'Marketplace', cell: marketplaceOf },
  plain('currency', 'Currency'),
  { id: 'timezone', name: 'Time zone', cell: ({ timezone }) => timezone.replaceAll('_', ' ') },
  {
    id: 'organisation',
    name: 'Organisation',
    cell: ({ organisationId }) => (
      <a href={addressOf('organisations', { organisation: organisationId })}>
        <code>{shortId(organisationId)}</code>
      </a>
    ),
  },
];
