import { useState } from 'preact/hooks';
import { type Answer, ask } from '../client.ts';
import { Field, Select } from '../forms.tsx';
import { useKeyBounds } from '../parts/keyBounds.tsx';
import { OpenedForm } from '../parts/openedForm.tsx';
import { ShownOnce } from '../parts/shownOnce.tsx';
import { useForm } from '../submit.ts';
import { useStores } from '../view/stores.tsx';
import { useSure } from './confirm.tsx';

type MakeKeyProps = {
  /** The keys that the operator issued, from which others are made. */
  readonly origins: Answer<'readAccess'>['keys'];
  readonly onMade: () => void;
};

/** Makes a smaller key from one of the user, and shows it once. */
export function MakeKey({ origins, onMade }: MakeKeyProps) {
  const { stores } = useStores();
  const [sure, confirmation] = useSure('To make a key');
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [origin, setOrigin] = useState(origins[0]?.keyId ?? '');
  const [made, setMade] = useState<Answer<'makeKey'>>();
  const { bounds, fields } = useKeyBounds({ stores, begins: 'figures' });
  const form = useForm<'name'>({
    check: () => ({ name: name.trim() === '' ? 'Enter a name.' : undefined }),
    async send() {
      const asked = { madeFrom: origin, name: name.trim(), ...bounds(), assistant: false };
      setMade(await sure(() => ask('makeKey', asked)));
      setOpen(false);
      onMade();
    },
  });
  return (
    <>
      {made && (
        <ShownOnce title="The new key" text={made.key} name="the key">
          Copy it for the program that is to use it. It can be revealed here later, too.
        </ShownOnce>
      )}
      <OpenedForm
        label="Make a smaller key"
        submitLabel="Make the key"
        {...{ isOpen, setOpen, form }}
      >
        <Field
          label="Name"
          hint="Such as the program that is to use it."
          type="text"
          name="name"
          autocomplete="off"
          value={name}
          onValue={setName}
          error={form.errors.name}
          inputRef={form.refOf('name')}
        />
        {origins.length > 1 && (
          <Select
            label="Made from"
            hint="It counts with this key, ends with it and never may do more."
            value={origin}
            options={origins.map((key) => ({ id: key.keyId, name: `${key.name} ${key.hint}` }))}
            onValue={setOrigin}
          />
        )}
        {fields}
      </OpenedForm>
      {confirmation}
    </>
  );
}
