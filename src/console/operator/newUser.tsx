import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Role } from '../../contract/roles.ts';
import { ask } from '../client.ts';
import { Field, Select } from '../forms.tsx';
import { roleNames } from '../parts/membership.tsx';
import { OpenedForm } from '../parts/openedForm.tsx';
import { askAgain } from '../queries.ts';
import { useForm } from '../submit.ts';
import { addressOf } from './sections.ts';

/** Creates a user of an organisation, and shows what helps the user to sign in. */
export function NewUser({ organisationId }: { readonly organisationId: string }) {
  const { route } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('owner');
  const form = useForm<'email'>({
    check: () => ({ email: email.trim() === '' ? 'Enter an e-mail address.' : undefined }),
    async send() {
      const { userId: user } = await ask('createUser', {
        ...{ organisationId, email: email.trim(), role },
      });
      setOpen(false);
      setEmail('');
      askAgain();
      route(addressOf('users', { organisation: organisationId, user }));
    },
    fieldOf: ({ status }) => (status === 400 || status === 409 ? 'email' : undefined),
  });
  return (
    <OpenedForm label="Create a user" submitLabel="Create the user" {...{ isOpen, setOpen, form }}>
      <Field
        label="E-mail"
        hint="Issue a password link afterwards: the service sends no e-mail."
        type="email"
        name="email"
        autocomplete="off"
        value={email}
        onValue={setEmail}
        error={form.errors.email}
        inputRef={form.refOf('email')}
      />
      <Select
        label="Role"
        value={role}
        options={Object.entries(roleNames).map(([id, name]) => ({ id, name }))}
        onValue={(id) => setRole(id as Role)}
      />
    </OpenedForm>
  );
}
