/** Organisations: what they may use, and the way to their channels, users and keys. */

import { useEffect, useState } from 'preact/hooks';
import { type Answer, ask } from '../client.ts';
import { Field, FormError, Select, SubmitButton } from '../forms.tsx';
import { Body, Panel } from '../parts/panel.tsx';
import type { Column } from '../parts/table.tsx';
import { askAgain, useQuery } from '../queries.ts';
import { useForm } from '../submit.ts';
import { useAddress } from '../view/address.ts';
import { count } from '../view/format.ts';
import { inMoment } from '../words.ts';
import { NamedCell, OperatorList, usePage } from './list.tsx';
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
      <OperatorList
        title="Organisations"
        query={query}
        rowsOf={({ organisations }) => organisations}
        keyOf={({ organisationId }) => organisationId}
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

type Fields = Pick<Organisation, 'name' | 'plan' | 'apiAccess' | 'searchQueryPerformance'> & {
  readonly products: string;
};

const fieldsOf = (organisation: Organisation): Fields => ({
  ...organisation,
  products: String(organisation.searchQueryProductMax),
});

/** Changes the name and the entitlements of an organisation. */
function OrganisationForm({ organisation }: { readonly organisation: Organisation }) {
  const [fields, setFields] = useState(() => fieldsOf(organisation));
  const [said, setSaid] = useState('');
  const set = (some: Partial<Fields>) => setFields({ ...fields, ...some });
  useEffect(() => setFields(fieldsOf(organisation)), [organisation]);
  const { errors, isBusy, refOf, submit } = useForm<'name' | 'products'>({
    check: () => ({
      name: fields.name.trim() === '' ? 'Enter a name.' : undefined,
      products: /^\d+$/.test(fields.products) ? undefined : 'Enter a whole number.',
    }),
    async send() {
      setSaid('');
      const { name, plan, apiAccess, searchQueryPerformance, products } = fields;
      await ask('changeOrganisation', {
        ...{ organisationId: organisation.organisationId, name, plan, apiAccess },
        ...{ searchQueryPerformance, searchQueryProductMax: Number(products) },
      });
      setSaid('Saved.');
      askAgain();
    },
    fieldOf: ({ message }) => (/ProductMax/i.test(message) ? 'products' : undefined),
  });
  return (
    <form class="body form fields" onSubmit={submit} noValidate>
      <FormError text={errors.form} />
      <Field
        label="Name"
        type="text"
        name="name"
        autocomplete="off"
        value={fields.name}
        onValue={(name) => set({ name })}
        error={errors.name}
        inputRef={refOf('name')}
      />
      <PlanField plan={fields.plan} onPlan={(plan) => set({ plan })} />
      <Field
        label="Products of a search terms call"
        hint="The most that one answer may hold."
        type="text"
        name="products"
        autocomplete="off"
        value={fields.products}
        onValue={(products) => set({ products })}
        error={errors.products}
        inputRef={refOf('products')}
      />
      <div class="field">
        <Check
          label="API access"
          isOn={fields.apiAccess}
          onChange={(apiAccess) => set({ apiAccess })}
        />
        <Check
          label="Search terms"
          isOn={fields.searchQueryPerformance}
          onChange={(searchQueryPerformance) => set({ searchQueryPerformance })}
        />
      </div>
      <div class="actions">
        <SubmitButton isBusy={isBusy}>Save the organisation</SubmitButton>
        <span role="status">{said}</span>
      </div>
    </form>
  );
}

type PlanProps = {
  readonly plan: Fields['plan'];
  readonly onPlan: (plan: Fields['plan']) => void;
};

function PlanField({ plan, onPlan }: PlanProps) {
  return (
    <Select
      label="Plan"
      hint="Enterprise includes orders."
      value={plan}
      options={[
        { id: 'standard', name: 'Standard' },
        { id: 'enterprise', name: 'Enterprise' },
      ]}
      onValue={(id) => onPlan(id as Fields['plan'])}
    />
  );
}

type CheckProps = {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
};

function Check({ label, isOn, onChange }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
