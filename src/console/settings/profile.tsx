/** The signed-in user: name, address, role, and the stores within reach. */

import { useEffect, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { type Answer, ask } from '../client.ts';
import { Field, FormError, SubmitButton } from '../forms.tsx';
import { roleNames } from '../parts/membership.tsx';
import { Body, Empty, Panel } from '../parts/panel.tsx';
import { type Column, DataTable } from '../parts/table.tsx';
import { useQuery } from '../queries.ts';
import { useForm } from '../submit.ts';
import { useAddress } from '../view/address.ts';
import { marketplaceOf, pathOfStore, type Store, useStores } from '../view/stores.tsx';
import { counted, inMoment } from '../words.ts';
import { SettingsPage } from './frame.tsx';
import { Property } from './property.tsx';

type Profile = Answer<'readProfile'>;

/** The profile of the user. */
export function ProfileSettings() {
  const profile = useQuery('readProfile', {});
  return (
    <SettingsPage title="Profile">
      <Panel title="Your profile" isLoading={profile.isLoading}>
        <Body query={profile} name="your profile">
          {(value) => (
            <div class="profile">
              <NameForm name={value.name ?? ''} saved={profile.retry} />
              <Properties profile={value} />
            </div>
          )}
        </Body>
      </Panel>
      <StoresWithinReach />
    </SettingsPage>
  );
}

function NameForm({ name: before, saved }: { readonly name: string; readonly saved: () => void }) {
  const { read } = useAccount();
  const [name, setName] = useState(before);
  const [said, setSaid] = useState('');
  useEffect(() => setName(before), [before]);
  const { errors, isBusy, refOf, submit } = useForm<'name'>({
    check: () => ({}),
    async send() {
      setSaid('');
      await ask('changeProfile', { name });
      setSaid(name.trim() === '' ? 'Name removed.' : 'Name saved.');
      saved();
      read();
    },
    fieldOf: ({ status }) => (status === 400 ? 'name' : undefined),
  });
  return (
    <form class="body form" onSubmit={submit} noValidate>
      <FormError text={errors.form} />
      <Field
        label="Name"
        hint="Your colleagues see it in the list of members."
        type="text"
        name="name"
        autocomplete="name"
        value={name}
        onValue={setName}
        error={errors.name}
        inputRef={refOf('name')}
      />
      <SubmitButton isBusy={isBusy}>Save the name</SubmitButton>
      <div role="status">{said !== '' && <p class="notice">{said}</p>}</div>
    </form>
  );
}

function Properties({ profile }: { readonly profile: Profile }) {
  const { email, role, organisation, isRestricted, channels } = profile;
  return (
    <dl class="body properties">
      <Property name="E-mail address">{email}</Property>
      <Property name="Role">{roleNames[role]}</Property>
      <Property name="Organisation">{organisation}</Property>
      <Property name="Stores">
        {counted(channels, 'store')}
        {isRestricted ? ', chosen for you' : ', all of the organisation'}
      </Property>
      {profile.lastSignInAt !== null && (
        <Property name="Last sign-in">{inMoment(profile.lastSignInAt)}</Property>
      )}
      <Property name="Member since">{inMoment(profile.createdAt)}</Property>
    </dl>
  );
}

function StoresWithinReach() {
  const { query } = useStores();
  const { viewOf } = useAddress();
  return (
    <Panel title="Your stores" count={query.value?.length} isLoading={query.isLoading}>
      <Body query={query} name="your stores" lines={4}>
        {() => <StoreTable hrefOf={(store) => viewOf(pathOfStore(store), { store: [] })} />}
      </Body>
    </Panel>
  );
}

function StoreTable({ hrefOf }: { readonly hrefOf: (store: Store) => string }) {
  const { stores } = useStores();
  if (stores.length === 0)
    return (
      <Empty icon="store" title="You reach no stores yet">
        <p>Ask an owner or administrator of your organisation to choose some for you.</p>
      </Empty>
    );
  const columns: readonly Column<Store>[] = [
    {
      id: 'store',
      name: 'Store',
      cell: (store) => <a href={hrefOf(store)}>{store.displayName}</a>,
    },
    { id: 'marketplace', name: 'Marketplace', cell: marketplaceOf },
    { id: 'currency', name: 'Currency', cell: ({ currency }) => currency },
    { id: 'timezone', name: 'Time zone', cell: ({ timezone }) => timezone.replaceAll('_', ' ') },
  ];
  return (
    <DataTable
      name="Your stores"
      rows={stores}
      keyOf={({ channelId }) => channelId}
      columns={columns}
    />
  );
}
