/** Organisations: what they may use, and the way to their channels, users and keys. */

import { type Answer, ask } from '../client.ts';
import { checks, choice, text } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { List, moment } from '../parts/list.tsx';
import { Body, Panel } from '../parts/panel.tsx';
import type { Column } from '../parts/table.tsx';
import { askAgain, useQuery } from '../queries.ts';
import { useAddress } from '../view/address.ts';
import { count } from '../view/format.ts';
import { NamedCell, usePage } from './list.tsx';
import { NewOrganisation } from './newOrganisation.tsx';
import { addressOf } from './sections.ts';

type Organisation = Answer<'listOrganisations'>['organisations'][number];

/** The organisations, below the one that the address names. */
export function Organisations() {
  const { params } = useAddress();
  const named = params.get('organisation');
  const query = useQuery('listOrganisations', usePage());
  return (
    <>
      {named !== null && <OneOrganisation key={named} organisationId={named} />}
      <NewOrganisation />
      <List
        title="Organisations"
        query={query}
        of="organisations"
        id="organisationId"
        columns={columns}
        empty={{
          icon: 'overview',
          title: 'No organisations yet',
          text: 'Create one above.',
        }}
      />
    </>
  );
}

const plans = { standard: 'Standard', enterprise: 'Enterprise' } as const;
const entitlements = { apiAccess: 'API access', searchQueryPerformance: 'Search terms' } as const;
type Entitlement = keyof typeof entitlements;
const yesNo = (is: boolean) => (is ? 'Yes' : <span class="muted">No</span>);

const columns: readonly Column<Organisation>[] = [
  {
    id: 'name',
    name: 'Organisation',
    cell: ({ name, organisationId: organisation }) => (
      <NamedCell
        name={name}
        id={organisation}
        href={addressOf('organisations', { organisation })}
      />
    ),
  },
  {
    id: 'plan',
    name: 'Plan',
    cell: ({ plan }) => plans[plan],
  },
  { id: 'api', name: 'API access', cell: ({ apiAccess }) => yesNo(apiAccess) },
  {
    id: 'searches',
    name: 'Search terms',
    cell: (one) =>
      one.searchQueryPerformance ? `${count(one.searchQueryProductMax)} products` : yesNo(false),
  },
  moment('createdAt', 'Created'),
  {
    id: 'more',
    name: 'Show',
    cell: ({ organisationId: organisation, name }) => (
      <span class="row-links">
        {(['channels', 'users', 'keys', 'jobs'] as const).map((section) => (
          <a key={section} href={addressOf(section, { organisation })}>
            {section[0]!.toUpperCase() + section.slice(1)}
            <span class="visually-hidden"> of {name}</span>
          </a>
        ))}
      </span>
    ),
  },
];

function OneOrganisation({ organisationId }: { readonly organisationId: string }) {
  const query = useQuery('readOrganisation', { organisationId });
  return (
    <Panel title={query.value?.name ?? 'Organisation'} isLoading={query.isLoading}>
      <Body query={query} name="the organisation">
        {(organisation) => <OrganisationForm organisation={organisation} />}
      </Body>
    </Panel>
  );
}

/** Changes the name and the entitlements of an organisation. */
function OrganisationForm({ organisation }: { readonly organisation: Organisation }) {
  const { organisationId, name, plan, searchQueryProductMax } = organisation;
  const entitled = (Object.keys(entitlements) as Entitlement[]).filter((one) => organisation[one]);
  return (
    <Form
      className="body form fields"
      record={organisation}
      submit="Save the organisation"
      fields={{
        name: text('Name', { first: name, missing: 'Enter a name.' }),
        plan: choice('Plan', plans, { first: plan, hint: 'Enterprise includes orders.' }),
        products: text('Products of a search terms call', {
          hint: 'The most that one answer may hold.',
          first: String(searchQueryProductMax),
          check: (count) => (/^\d+$/.test(count) ? undefined : 'Enter a whole number.'),
        }),
        entitled: checks(entitlements, entitled, (boxes) => (
          <div key="entitled" class="field">
            {boxes}
          </div>
        )),
      }}
      send={async (values) => {
        await ask('changeOrganisation', {
          organisationId,
          name: values.name,
          plan: values.plan,
          searchQueryProductMax: Number(values.products),
          apiAccess: values.entitled.includes('apiAccess'),
          searchQueryPerformance: values.entitled.includes('searchQueryPerformance'),
        });
        askAgain();
        return 'Saved.';
      }}
      fieldOf={({ message }) => (/ProductMax/i.test(message) ? 'products' : undefined)}
    />
  );
}
