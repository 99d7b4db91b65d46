import { useState } from 'preact/hooks';
import { type Answer, ask } from '../client.ts';
import { text } from '../parts/fields.tsx';
import { OpenedForm } from '../parts/form.tsx';
import { type BoundsValues, boundsFields, boundsOf } from '../parts/keyBounds.tsx';
import { ShownOnce } from '../parts/shownOnce.tsx';
import { askAgain } from '../queries.ts';
import { useAddress } from '../view/address.ts';

type Values = BoundsValues & { readonly user: string; readonly name: string };

/** Issues a key to a user, who is named by the e-mail address, and shows it once. */
export function IssueKey() {
  const { params } = useAddress();
  const [issued, setIssued] = useState<Answer<'issueKey'>>();
  return (
    <>
      {issued && (
        <ShownOnce title="The new key" text={issued.key} name="the key">
          Copy it now: no other page shows it to you again.
        </ShownOnce>
      )}
      <OpenedForm<Values>
        label="Issue a key"
        submit="Issue the key"
        fields={(entered) => ({
          user: text('User', {
            hint: 'The identifier of an owner or administrator, as Users lists it.',
            first: params.get('user') ?? '',
            missing: 'Enter the identifier of a user.',
          }),
          name: text('Name', { hint: 'Its user sees it beside its usage. Optional.' }),
          ...boundsFields(entered.use ?? 'everything'),
        })}
        send={async ({ user, name, ...bounds }) => {
          const named = name === '' ? {} : { name };
          setIssued(await ask('issueKey', { userId: user, ...boundsOf(bounds), ...named }));
          askAgain();
        }}
        fieldOf={({ status }) => (status === 404 ? 'user' : undefined)}
      />
    </>
  );
}
