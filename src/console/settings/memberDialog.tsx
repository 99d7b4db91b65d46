import { useState } from 'preact/hooks';
import { isManager, type Role } from '../../contract/roles.ts';
import { ask } from '../client.ts';
import { Field, FormError, SubmitButton } from '../forms.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { isSameReach, MembershipFields, type Reach } from '../parts/membership.tsx';
import { useForm } from '../submit.ts';
import { useStores } from '../view/stores.tsx';
import type { Invitation, Member, Sure } from './member.ts';

type MemberDialogProps = {
  /** The member to change; without one, somebody is invited. */
  readonly member?: Member;
  readonly roles: readonly Role[];
  readonly sure: Sure;
  readonly done: (made?: Invitation) => void;
  readonly closed: () => void;
};

/** Invites a member, or changes role and stores of one. */
export function MemberDialog({ member, roles, sure, done, closed }: MemberDialogProps) {
  return (
    <Dialog
      title={member ? `Change ${member.name ?? member.email}` : 'Invite a member'}
      {...{ closed }}
    >
      {(close) => <MemberForm {...{ member, roles, sure, done, close }} />}
    </Dialog>
  );
}

type MemberFormProps = Omit<MemberDialogProps, 'closed' | 'member'> & {
  readonly member: Member | undefined;
  readonly close: () => void;
};

function MemberForm({ member, roles, sure, done, close }: MemberFormProps) {
  const { stores } = useStores();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>(member?.role ?? 'member');
  const [reach, setReach] = useState<Reach>(member?.channelIds ?? []);
  const changeRole = (next: Role) => {
    setRole(next);
    // An invitation begins with what the role usually reaches, until stores are chosen.
    if (member === undefined && (reach === 'all' || reach.length === 0))
      setReach(isManager(next) ? 'all' : []);
  };
  const { errors, isBusy, refOf, submit } = useForm<'email'>({
    check: () => ({
      email: member || email.trim() !== '' ? undefined : 'Enter an e-mail address.',
    }),
    async send() {
      if (member === undefined) {
        const named = name.trim() === '' ? {} : { name };
        const asked = { email, role, channelIds: reach, ...named };
        done({ ...(await sure(() => ask('inviteMember', asked))), email: email.trim() });
      } else {
        const isSame = isSameReach(reach, member.channelIds) && role === member.role;
        if (!isSame)
          await sure(() => ask('changeMember', { userId: member.userId, role, channelIds: reach }));
        done();
      }
      close();
    },
    fieldOf: ({ status, message }) =>
      status === 409 || /e-?mail/i.test(message) ? 'email' : undefined,
  });
  return (
    <form class="form" onSubmit={submit} noValidate>
      <FormError text={errors.form} />
      {member === undefined && (
        <>
          <Field
            label="E-mail address"
            type="email"
            name="email"
            autocomplete="off"
            value={email}
            onValue={setEmail}
            error={errors.email}
            inputRef={refOf('email')}
          />
          <NameField name={name} onName={setName} />
        </>
      )}
      <MembershipFields
        {...{ role, reach, roles }}
        channels={stores}
        onRole={changeRole}
        onReach={setReach}
      />
      <div class="actions">
        <SubmitButton isBusy={isBusy}>{member ? 'Save' : 'Make the invitation'}</SubmitButton>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}

type NameProps = { readonly name: string; readonly onName: (name: string) => void };

function NameField({ name, onName }: NameProps) {
  return (
    <Field
      label="Name"
      hint="Optional."
      type="text"
      name="name"
      autocomplete="off"
      value={name}
      onValue={onName}
    />
  );
}
