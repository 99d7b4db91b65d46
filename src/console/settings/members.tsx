/** The members of the organisation: invited, changed and removed. */

import { useState } from 'preact/hooks';
import { isManager } from '../../contract/roles.ts';
import { useAccount } from '../account.tsx';
import { type Answer, ask } from '../client.ts';
import { Question } from '../parts/form.tsx';
import { List, pageSize } from '../parts/list.tsx';
import { reachWords, roleNames } from '../parts/membership.tsx';
import { Empty, Panel } from '../parts/panel.tsx';
import { ShownOnce } from '../parts/shownOnce.tsx';
import { type Column, pageOf } from '../parts/table.tsx';
import { useQuery } from '../queries.ts';
import { useAddress } from '../view/address.ts';
import { none } from '../view/format.ts';
import { inMoment } from '../words.ts';
import { useSure } from './confirm.tsx';
import { SettingsPage } from './frame.tsx';
import type { Invitation, Member, Sure } from './member.ts';
import { MemberDialog } from './memberDialog.tsx';

/** The page of the members; members themselves learn who can open it. */
export function MembersSettings() {
  const { session } = useAccount();
  return (
    <SettingsPage title="Members">
      {!isManager(session!.role) ? (
        <Panel title="Members">
          <Empty icon="settings" title="Only owners and administrators see the members">
            <p>
              Your own data is in your <a href="/console/settings/profile">profile</a>.
            </p>
          </Empty>
        </Panel>
      ) : (
        <Members />
      )}
    </SettingsPage>
  );
}

/** The dialog that is open; `invite` is about nobody yet. */
type Doing =
  | { readonly act: 'invite' }
  | { readonly act: 'change' | 'remove' | 'renew'; readonly member: Member };

function Members() {
  const { params } = useAddress();
  const page = pageOf(params);
  const members = useQuery('listMembers', { pageIndex: page - 1, pageSize });
  const [sure, confirmation] = useSure('To change members');
  const [doing, setDoing] = useState<Doing>();
  const [invitation, setInvitation] = useState<Invitation>();
  const roles = members.value?.roles ?? [];
  const done = (made?: Invitation) => {
    setInvitation(made);
    members.retry();
  };
  return (
    <>
      {invitation && <NewInvitation invitation={invitation} />}
      <List
        title="Members"
        of="members"
        id="userId"
        query={members}
        columns={columnsWith(setDoing)}
        tools={
          roles.length > 0 && (
            <button
              type="button"
              class="control primary"
              onClick={() => setDoing({ act: 'invite' })}
            >
              Invite a member
            </button>
          )
        }
        empty={{ icon: 'settings', title: 'No members here', text: 'Choose another page.' }}
        note={
          roles.length === 0
            ? 'You see members and change none, because your stores are restricted.'
            : 'Owners can change all other members, and administrators all but the owners.'
        }
      />
      {doing && (
        <Action
          doing={doing}
          roles={roles}
          sure={sure}
          done={done}
          closed={() => setDoing(undefined)}
        />
      )}
      {confirmation}
    </>
  );
}

function NewInvitation({ invitation }: { readonly invitation: Invitation }) {
  const { email, url, expiresAt } = invitation;
  return (
    <ShownOnce title="The invitation" text={url} name="the link">
      Send this link to {email} yourself: by it, this person chooses a password. It works once,
      until {inMoment(expiresAt)}. No other page shows it to you again.
    </ShownOnce>
  );
}

type ActionProps = {
  readonly doing: Doing;
  readonly roles: Answer<'listMembers'>['roles'];
  readonly sure: Sure;
  readonly done: (made?: Invitation) => void;
  readonly closed: () => void;
};

function Action({ doing, roles, sure, done, closed }: ActionProps) {
  if (doing.act === 'invite')
    return <MemberDialog roles={roles} sure={sure} done={done} closed={closed} />;
  const { member } = doing;
  if (doing.act === 'change')
    return <MemberDialog member={member} roles={roles} sure={sure} done={done} closed={closed} />;
  const { userId, email } = member;
  if (doing.act === 'renew')
    return (
      <Question
        title={`A new link for ${email}?`}
        yes="Make a new link"
        act={async () => {
          const made = await sure(() => ask('renewInvitation', { userId }));
          done({ ...made, email });
        }}
        done={() => {}}
        closed={closed}
      >
        The link before it stops working.
      </Question>
    );
  return (
    <Question
      title={`Remove ${email}?`}
      yes="Remove the member"
      act={() => sure(() => ask('removeMember', { userId }))}
      done={done}
      closed={closed}
    >
      This person is signed out everywhere at once, and all keys of this person stop working. To
      come back takes a new invitation.
    </Question>
  );
}

const columnsWith = (start: (doing: Doing) => void): readonly Column<Member>[] => [
  {
    id: 'name',
    name: 'Member',
    cell: ({ name, email, isYou }) => (
      <span class="name two">
        <span>
          {name ?? email} {isYou && <span class="tag">You</span>}
          {name !== null && <small>{email}</small>}
        </span>
      </span>
    ),
  },
  { id: 'role', name: 'Role', cell: ({ role }) => roleNames[role] },
  { id: 'stores', name: 'Stores', cell: ({ channelIds }) => reachWords(channelIds) },
  {
    id: 'factor',
    name: 'Two-step sign-in',
    cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'On' : <span class="muted">Off</span>),
  },
  { id: 'seen', name: 'Last sign-in', cell: (member) => <LastSignIn member={member} /> },
  {
    id: 'actions',
    name: 'Actions',
    cell: (member) => <Actions member={member} start={start} />,
  },
];

function LastSignIn({ member }: { readonly member: Member }) {
  const { lastSignInAt, hasPassword, invitedUntil } = member;
  if (lastSignInAt !== null) return <>{inMoment(lastSignInAt)}</>;
  if (hasPassword) return <span class="muted">{none}</span>;
  return (
    <span class="muted">
      {invitedUntil === null ? 'Invitation expired' : `Invited until ${inMoment(invitedUntil)}`}
    </span>
  );
}

type ActionsProps = { readonly member: Member; readonly start: (doing: Doing) => void };

function Actions({ member, start }: ActionsProps) {
  const { email, mayChange, hasPassword } = member;
  if (!mayChange) return null;
  const button = (act: 'change' | 'remove' | 'renew', words: string) => (
    <button
      type="button"
      class="control"
      aria-label={`${words}: ${email}`}
      onClick={() => start({ act, member })}
    >
      {words}
    </button>
  );
  return (
    <span class="row-actions">
      {!hasPassword && button('renew', 'New link')}
      {button('change', 'Change')}
      {button('remove', 'Remove')}
    </span>
  );
}
