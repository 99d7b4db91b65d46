import { isManager, type Role } from '../../contract/roles.ts';
import { ask } from '../client.ts';
import { text, unseen } from '../parts/fields.tsx';
import { DialogForm } from '../parts/form.tsx';
import { isSameReach, membership } from '../parts/membership.tsx';
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
  const { stores: channels } = useStores();
  const first = { role: member?.role ?? 'member', reach: member?.channelIds ?? [] };
  return (
    <DialogForm
      title={member ? `Change ${member.name ?? member.email}` : 'Invite a member'}
      submit={member ? 'Save' : 'Make the invitation'}
      closed={closed}
      fields={{
        email: member
          ? unseen(member.email)
          : text('E-mail address', { type: 'email', missing: 'Enter an e-mail address.' }),
        name: member ? unseen('') : text('Name', { hint: 'Optional.' }),
        membership: membership({
          first,
          roles,
          channels,
          // An invitation begins with what the role usually reaches, until stores are chosen.
          reachAfter: (next, reach) =>
            member === undefined && (reach === 'all' || reach.length === 0)
              ? isManager(next)
                ? 'all'
                : []
              : reach,
        }),
      }}
      send={async ({ email, name, membership: { role, reach } }) => {
        const input = { role, channelIds: reach };
        if (member === undefined) {
          const named = name === '' ? {} : { name };
          const made = await sure(() => ask('inviteMember', { email, ...input, ...named }));
          return done({ ...made, email });
        }
        if (!isSameReach(reach, member.channelIds) || role !== member.role)
          await sure(() => ask('changeMember', { userId: member.userId, ...input }));
        return done();
      }}
      fieldOf={({ status, message }) =>
        status === 409 || /e-?mail/i.test(message) ? 'email' : undefined
      }
    />
  );
}
