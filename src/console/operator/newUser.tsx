import { useLocation } from 'preact-iso';
import { ask } from '../client.ts';
import { choice, text } from '../parts/fields.tsx';
import { OpenedForm } from '../parts/form.tsx';
import { roleNames } from '../parts/membership.tsx';
import { askAgain } from '../queries.ts';
import { addressOf } from './sections.ts';

/** Creates a user of an organisation, and shows what helps the user to sign in. */
export function NewUser({ organisationId }: { readonly organisationId: string }) {
  const { route } = useLocation();
  return (
    <OpenedForm
      label="Create a user"
      submit="Create the user"
      fields={{
        email: text('E-mail', {
          hint: 'Issue a password link afterwards: the service sends no e-mail.',
          type: 'email',
          missing: 'Enter an e-mail address.',
        }),
        role: choice('Role', roleNames, { first: 'owner' }),
      }}
      send={async ({ email, role }) => {
        const { userId: user } = await ask('createUser', { organisationId, email, role });
        askAgain();
        route(addressOf('users', { organisation: organisationId, user }));
      }}
      fieldOf={({ status }) => (status === 400 || status === 409 ? 'email' : undefined)}
    />
  );
}
