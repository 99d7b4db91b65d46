/** Organisations: what they may use, and the way to their channels, users and keys. */
import { Body, Empty, Note, Panel } from '../parts/panel.tsx';
import { type Column, DataTable, PagesFoot, pageOf } from '../parts/table.tsx';
import { useAddress } from '../view/address.ts';
import { count } from '../view/format.ts';
import { inMoment } from '../words.ts';
import { useAsked } from './access.tsx';
import type { Answer } from './client.ts';
import { addressOf } from './sections.ts';

type Organisation = Answer<'listOrganisations'>['organisations'][number];

const pageSize = 50;

/** The organisations. */
export function Organisations() {
  const { params } = useAddress();
  const page = pageOf(params);
  const query = useAsked('listOrganisations', { pageIndex: page - 1, pageSize });
  return (
    <Panel title="Organisations" count={query.value?.total} isLoading={query.isLoading}>
      <Body query={query} name="the organisations" lines={8}>
        {({ organisations, total }) =>
          organisations.length === 0 ? (
            <Empty icon="overview" title="No organisations yet">
              <p>
                Create one with <code>vitrine organisations create</code>: the{' '}
                <a href="/guides">guides</a> show how.
              </p>
            </Empty>
          ) : (
            <>
              <DataTable
                name="Organisations"
                rows={organisations}
                keyOf={({ organisationId }) => organisationId}
                columns={columns}
              />
              <PagesFoot page={page} size={pageSize} total={total} />
            </>
          )
        }
      </Body>
    </Panel>
  );
}

const yesNo = (is: boolean) => (is ? 'Yes' : <span class="muted">No</span>);

const columns: readonly Column<Organisation>[] = [
  {
    id: 'name',
    name: 'Organisation',
    cell: ({ name, organisationId }) => (
      <span class="name two">
        <span>
          {name}
          <small>{organisationId}</small>
        </span>
      </span>
    ),
  },
  {
    id: 'plan',
    name: 'Plan',
    cell: ({ plan }) => (plan === 'enterprise' ? 'Enterprise' : 'Standard'),
  },
  { id: 'api', name: 'API access', cell: ({ apiAccess }) => yesNo(apiAccess) },
  {
    id: 'searches',
    name: 'Search terms',
    cell: (one) =>
      one.searchQueryPerformance ? `${count(one.searchQueryProductMax)} products` : yesNo(false),
  },
  { id: 'created', name: 'Created', cell: ({ createdAt }) => inMoment(createdAt) },
  {
    id: 'more',
    name: 'Show',
    cell: ({ organisationId: organisation, name }) => (
      <span class="row-links">
        {(['channels', 'users', 'keys'] as const).map((section) => (
          <a key={section} href={addressOf(section, { organisation })}>
            {section[0]!.toUpperCase() + section.slice(1)}
            <span class="visually-hidden"> of {name}</span>
          </a>
        ))}
      </span>
    ),
  },
];

/** Says of which organisation a list is, if the address names one. */
export function OrganisationNote() {
  const { params, hrefOf } = useAddress();
  const organisationId = params.get('organisation');
  if (organisationId === null) return null;
  const all = <a href={hrefOf({ organisation: undefined, page: undefined })}>Show all</a>;
  return (
    <Note tone="plain" icon="overview" tools={all}>
      Only of the organisation <code>{organisationId}</code>.
    </Note>
  );
}
