import { useState } from 'preact/hooks';
import { type Answer, ask } from '../client.ts';
import { choice, text, unseen } from '../parts/fields.tsx';
import { OpenedForm } from '../parts/form.tsx';
import { type BoundsValues, boundsFields, boundsOf } from '../parts/keyBounds.tsx';
import { ShownOnce } from '../parts/shownOnce.tsx';
import { useStores } from '../view/stores.tsx';
import { useSure } from './confirm.tsx';

type MakeKeyProps = {
  /** The keys that the operator issued, from which others are made. */
  readonly origins: Answer<'readAccess'>['keys'];
  readonly onMade: () => void;
};

type Values = BoundsValues & { readonly name: string; readonly madeFrom: string };

/** Makes a smaller key from one of the user, and shows it once. */
export function MakeKey({ origins, onMade }: MakeKeyProps) {
  const { stores } = useStores();
  const [sure, confirmation] = useSure('To make a key');
  const [made, setMade] = useState<Answer<'makeKey'>>();
  const first = origins[0]?.keyId ?? '';
  const keys = origins.map((key) => ({ id: key.keyId, name: `${key.name} ${key.hint}` }));
  const hint = 'It counts with this key, ends with it and never may do more.';
  return (
    <>
      {made && (
        <ShownOnce title="The new key" text={made.key} name="the key">
          Copy it for the program that is to use it. It can be revealed here later, too.
        </ShownOnce>
      )}
      <OpenedForm<Values>
        label="Make a smaller key"
        submit="Make the key"
        fields={(entered) => ({
          name: text('Name', {
            hint: 'Such as the program that is to use it.',
            missing: 'Enter a name.',
          }),
          madeFrom: keys.length > 1 ? choice('Made from', keys, { first, hint }) : unseen(first),
          ...boundsFields(entered.use ?? 'figures', stores),
        })}
        send={async ({ name, madeFrom, ...bounds }) => {
          const input = { madeFrom, name, ...boundsOf(bounds), assistant: false };
          setMade(await sure(() => ask('makeKey', input)));
          onMade();
        }}
        fieldOf={() => undefined}
      />
      {confirmation}
    </>
  );
}
