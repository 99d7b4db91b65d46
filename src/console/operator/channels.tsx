/** Channels; a document that is dropped on one is imported into it. */
import { countryAlpha2 } from '../../contract/countries.ts';
import { Body, Empty, Panel } from '../parts/panel.tsx';
import { type Column, DataTable, Pages, pageOf } from '../parts/table.tsx';
import { useAddress } from '../view/address.ts';
import { useAccess, useAsked } from './access.tsx';
import { OneChannel } from './channel.tsx';
import { DropArea } from './drop.tsx';
import { OrganisationNote } from './organisations.tsx';
import { addressOf } from './sections.ts';
import type { Channel } from './stale.ts';

const pageSize = 50;

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
  const page = pageOf(params);
  const query = useAsked('listAllChannels', {
    ...(organisationId !== null && { organisationId }),
    ...{ pageIndex: page - 1, pageSize },
  });
  const dropped = (files: readonly File[], row: string | undefined) => {
    if (row === undefined) return;
    uploads.start(row, files);
    change({ channel: row, page: undefined });
  };
  return (
    <>
      <OrganisationNote />
      <Panel title="Channels" count={query.value?.total} isLoading={query.isLoading}>
        <Body query={query} name="the channels" lines={8}>
          {({ channels, total }) =>
            channels.length === 0 ? (
              <Empty icon="store" title="No channels yet">
                <p>
                  Connect one with <code>vitrine channels save</code>: the{' '}
                  <a href="/guides">guides</a> show how.
                </p>
              </Empty>
            ) : (
              <>
                <DropArea onFiles={dropped} hasRows>
                  <DataTable
                    name="Channels"
                    rows={channels}
                    keyOf={({ channelId }) => channelId}
                    columns={columns}
                  />
                </DropArea>
                <footer>
                  <span>Drop a document on a row to import it into that channel.</span>
                  <Pages page={page} size={pageSize} total={total} />
                </footer>
              </>
            )
          }
        </Body>
      </Panel>
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
  { id: 'kind', name: 'Kind', cell: ({ kind }) => (kind === 'vendor' ? 'Vendor' : 'Seller') },
  { id: 'marketplace', name: 'Marketplace', cell: ({ marketplace }) => marketplace },
  { id: 'currency', name: 'Currency', cell: ({ currency }) => currency },
  { id: 'timezone', name: 'Time zone', cell: ({ timezone }) => timezone.replaceAll('_', ' ') },
  {
    id: 'organisation',
    name: 'Organisation',
    cell: ({ organisationId }) => (
      <a href={addressOf('organisations', { organisation: organisationId })}>
        <code>{organisationId.slice(0, 8)}</code>
      </a>
    ),
  },
];
