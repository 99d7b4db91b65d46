import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Field } from '../forms.tsx';
import { OpenedForm } from '../parts/openedForm.tsx';
import { useForm } from '../submit.ts';
import { useAccess } from './access.tsx';
import { addressOf } from './sections.ts';

/** Creates an organisation, and shows what it may use. */
export function NewOrganisation() {
  const { ask, changed } = useAccess();
  const { route } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const form = useForm<'name'>({
    check: () => ({ name: name.trim() === '' ? 'Enter a name.' : undefined }),
    async send() {
      const { organisationId: organisation } = await ask('createOrganisation', { name });
      setOpen(false);
      setName('');
      changed();
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
