/** The signed-in user: name, address, role, and the stores within reach. */

import { useAccount } from '../account.tsx';
import { type Answer, ask } from '../client.ts';
import { text } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { roleNames } from '../parts/membership.tsx';
import { Body, Empty, Panel } from '../parts/panel.tsx';
import { type Column, DataTable } from '../parts/table.tsx';
import { useQuery } from '../queries.ts';
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
              <NameForm profile={value} saved={profile.retry} />
              <Properties profile={value} />
            </div>
          )}
        </Body>
      </Panel>
      <StoresWithinReach />
    </SettingsPage>
  );
}

function NameForm({ profile, saved }: { readonly profile: Profile; readonly saved: () => void }) {
  const { read } = useAccount();
  return (
    <Form
      record={profile}
      submit="Save the name"
      fields={{
        name: text('Name', {
          autocomplete: 'name',
          first: profile.name ?? '',
          hint: 'Your colleagues see it in the list of members.',
        }),
      }}
      send={async ({ name }) => {
        await ask('changeProfile', { name });
        saved();
        read();
        return name === '' ? 'Name removed.' : 'Name saved.';
      }}
      fieldOf={({ status }) => (status === 400 ? 'name' : undefined)}
    />
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
