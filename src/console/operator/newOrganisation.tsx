import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ask } from '../client.ts';
import { Field } from '../forms.tsx';
import { OpenedForm } from '../parts/openedForm.tsx';
import { askAgain } from '../queries.ts';
import { useForm } from '../submit.ts';
import { addressOf } from './sections.ts';

/** Creates an organisation, and shows what it may use. */
export function NewOrganisation() {
  const { route } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const form = useForm<'name'>({
    check: () => ({ name: name.trim() === '' ? 'Enter a name.' : undefined }),
    async send() {
      const { organisationId: organisation } = await ask('createOrganisation', { name });
      setOpen(false);
      setName('');
      askAgain();
      route(addressOf('organisations', { organisation }));
    },
    fieldOf: ({ status }) => (status === 400 ? 'name' : undefined),
  });
  return (
    <OpenedForm
      label="Create an organisation"
      submitLabel="Create the organisation"
      {...{ isOpen, setOpen, form }}
    >
      <Field
        label="Name of the organisation"
        hint="It may use everything at first."
        type="text"
        name="newName"
        autocomplete="off"
        value={name}
        onValue={setName}
        error={form.errors.name}
        inputRef={form.refOf('name')}
      />
    </OpenedForm>
  );
}
