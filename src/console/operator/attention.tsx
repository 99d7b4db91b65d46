/** The first section: all that an operator should repair. */

import { Icon } from '../parts/icons.tsx';
import { Body, Panel } from '../parts/panel.tsx';
import { DataTable } from '../parts/table.tsx';
import { useGathered, useQuery } from '../queries.ts';
import { count, inDay } from '../view/format.ts';
import { inFields } from './importOptions.ts';
import { ImportList } from './imports.tsx';
import { addressOf } from './sections.ts';
import { channelsRead, readStale, type Stale } from './stale.ts';

const latest = 10;
/** The newest imports, in which refused rows are looked for. */
const lookedThrough = 500;

/** Failed imports, stale stores, refused rows and what the service finds of itself. */
export function Attention() {
  return (
    <>
      <FailedImports />
      <StaleStores />
      <RefusedImports />
      <Findings />
    </>
  );
}

function FailedImports() {
  return (
    <ImportList
      title="Failed imports"
      query={useQuery('listImports', { state: 'failed', pageSize: latest })}
      empty={<AllWell>No import has failed.</AllWell>}
      all={{ href: addressOf('imports', { state: 'failed' }), words: 'All failed imports' }}
    />
  );
}

function RefusedImports() {
  const query = useGathered('refused', async (ask) => {
    const { imports } = await ask('listImports', { state: 'done', pageSize: lookedThrough });
    const refused = imports.filter(({ rowsRejected }) => rowsRejected > 0);
    return { imports: refused.slice(0, latest), total: refused.length };
  });
  const none = <AllWell>None of the latest {count(lookedThrough)} imports refused a row.</AllWell>;
  return <ImportList title="Imports with refused rows" query={query} empty={none} />;
}

function StaleStores() {
  const query = useGathered('stale', readStale);
  return (
    <Panel title="Stale stores" count={query.value?.stale.length} isLoading={query.isLoading}>
      <Body query={query} name="the freshness of the stores">
        {({ stale, total }) => (
          <>
            {stale.length === 0 ? (
              <AllWell>All data that comes daily goes up to yesterday.</AllWell>
            ) : (
              <StaleTable stale={stale} />
            )}
            {total > channelsRead && (
              <footer>
                The first {count(channelsRead)} of {count(total)} channels.
              </footer>
            )}
          </>
        )}
      </Body>
    </Panel>
  );
}

function StaleTable({ stale }: { readonly stale: readonly Stale[] }) {
  return (
    <DataTable
      name="Stale stores"
      rows={stale}
      keyOf={({ channel, dataset }) => `${channel.channelId} ${dataset}`}
      columns={[
        {
          id: 'store',
          name: 'Store',
          cell: ({ channel }) => (
            <a class="name" href={addressOf('channels', { channel: channel.channelId })}>
              <span>
                {channel.displayName}
                <small>{channel.channelId}</small>
              </span>
            </a>
          ),
        },
        { id: 'dataset', name: 'Data', cell: ({ dataset }) => dataset },
        { id: 'last', name: 'Last day', isNumber: true, cell: ({ last }) => inDay(last) },
        {
          id: 'days',
          name: 'Days missing',
          isNumber: true,
          cell: ({ days }) => <span class="low">{count(days)}</span>,
        },
      ]}
    />
  );
}

function Findings() {
  const query = useQuery('diagnose', {});
  return (
    <Panel title="The service" isLoading={query.isLoading}>
      <Body query={query} name="the diagnosis">
        {({ findings }) => {
          const open = findings.filter(({ state }) => state !== 'well');
          if (open.length === 0)
            return <AllWell>Configuration, stores, disk, clocks and versions are well.</AllWell>;
          return (
            <ul class="attention">
              {open.map(({ subject, state, finding, advice }) => (
                <li key={`${subject} ${finding}`}>
                  <Icon
                    name={state === 'failed' ? 'alert' : 'warning'}
                    tone={state === 'failed' ? 'bad' : 'warn'}
                  />
                  <strong class="finding">
                    {subject}: {finding}
                  </strong>
                  {advice !== null && <p>{inFields(advice)}</p>}
                </li>
              ))}
            </ul>
          );
        }}
      </Body>
    </Panel>
  );
}

function AllWell({ children }: { readonly children: preact.ComponentChildren }) {
  return (
    <p class="recap-line">
      <Icon name="check" tone="good" />
      <span>{children}</span>
    </p>
  );
}
