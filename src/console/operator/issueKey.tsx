import { useState } from 'preact/hooks';
import { type Answer, ask } from '../client.ts';
import { Field } from '../forms.tsx';
import { useKeyBounds } from '../parts/keyBounds.tsx';
import { OpenedForm } from '../parts/openedForm.tsx';
import { ShownOnce } from '../parts/shownOnce.tsx';
import { askAgain } from '../queries.ts';
import { useForm } from '../submit.ts';
import { useAddress } from '../view/address.ts';

/** Issues a key to a user, who is named by the e-mail address, and shows it once. */
export function IssueKey() {
  const { params } = useAddress();
  const [isOpen, setOpen] = useState(false);
  const [userId, setUserId] = useState(params.get('user') ?? '');
  const [name, setName] = useState('');
  const [issued, setIssued] = useState<Answer<'issueKey'>>();
  const { bounds, fields } = useKeyBounds({ begins: 'everything' });
  const form = useForm<'user'>({
    check: () => ({ user: userId.trim() === '' ? 'Enter the identifier of a user.' : undefined }),
    async send() {
      const asked = { ...bounds(), ...(name.trim() !== '' && { name: name.trim() }) };
      setIssued(await ask('issueKey', { userId: userId.trim(), ...asked }));
      setOpen(false);
      askAgain();
    },
    fieldOf: ({ status }) => (status === 404 ? 'user' : undefined),
  });
  return (
    <>
      {issued && (
        <ShownOnce title="The new key" text={issued.key} name="the key">
          Copy it now: no other page shows it to you again.
        </ShownOnce>
      )}
      <OpenedForm label="Issue a key" submitLabel="Issue the key" {...{ isOpen, setOpen, form }}>
        <Field
          label="User"
          hint="The identifier of an owner or administrator, as Users lists it."
          type="text"
          name="user"
          autocomplete="off"
          value={userId}
          onValue={setUserId}
          error={form.errors.user}
          inputRef={form.refOf('user')}
        />
        <Field
          label="Name"
          hint="Its user sees it beside its usage. Optional."
          type="text"
          name="name"
          autocomplete="off"
          value={name}
          onValue={setName}
        />
        {fields}
      </OpenedForm>
    </>
  );
}
