/** A user: role and channels, and what an operator does for one who cannot sign in. */

import { useState } from 'preact/hooks';
import { roles } from '../../contract/roles.ts';
import { type Answer, ask } from '../client.ts';
import { Form, Question } from '../parts/form.tsx';
import { isSameReach, membership } from '../parts/membership.tsx';
import { Body, Panel } from '../parts/panel.tsx';
import { ShownOnce } from '../parts/shownOnce.tsx';
import { askAgain, useGathered } from '../queries.ts';
import { useAddress } from '../view/address.ts';
import { inMoment } from '../words.ts';

type User = Answer<'readUser'>;
type Channel = Answer<'listAllChannels'>['channels'][number];
type Link = Answer<'issuePasswordLink'>;

/** Channels that can be chosen; more are granted by the command line. */
const channelsMax = 1_000;

/** The user of the address. */
export function OneUser({ userId }: { readonly userId: string }) {
  const [link, setLink] = useState<Link>();
  const query = useGathered(`user ${userId}`, async (ask) => {
    const user = await ask('readUser', { userId });
    const { organisationId } = user;
    const input = { organisationId, pageSize: channelsMax };
    const { channels } = await ask('listAllChannels', input);
    return { user, channels };
  });
  return (
    <>
      {link && (
        <ShownOnce title="The password link" text={link.url} name="the link">
          Send it to the user yourself: anybody who has it can sign in as this user. It works once,
          until {inMoment(link.expiresAt)}.
        </ShownOnce>
      )}
      <Panel title={query.value?.user.email ?? 'User'} isLoading={query.isLoading}>
        <Body query={query} name="the user">
          {({ user, channels }) => (
            <>
              <UserForm user={user} channels={channels} />
              <Helps user={user} made={setLink} />
            </>
          )}
        </Body>
      </Panel>
    </>
  );
}

type UserFormProps = { readonly user: User; readonly channels: readonly Channel[] };

function UserForm({ user, channels }: UserFormProps) {
  const { userId, role, channelIds } = user;
  return (
    <Form
      className="body form fields"
      record={user}
      submit="Save the user"
      fields={{ member: membership({ roles, channels, first: { role, reach: channelIds } }) }}
      send={async ({ member }) => {
        const after =
          member.role === role ? user : await ask('changeUser', { userId, role: member.role });
        if (!isSameReach(member.reach, after.channelIds))
          await ask('grantChannels', { userId, channelIds: member.reach });
        askAgain();
        return 'Saved.';
      }}
      fieldOf={() => undefined}
    />
  );
}

const helps = {
  link: {
    button: 'Password link',
    title: 'Issue a password link?',
    text: 'By the link the user chooses a password. A link before it stops working.',
    yes: 'Issue the link',
  },
  signOut: {
    button: 'Sign out everywhere',
    title: 'Sign the user out everywhere?',
    text: 'All sessions end at once. Keys stay valid.',
    yes: 'Sign the user out',
  },
  factor: {
    button: 'Turn two-step sign-in off',
    title: 'Turn two-step sign-in off?',
    text: 'For a user who has lost the app and the recovery codes. Sign-in then asks for the password alone.',
    yes: 'Turn it off',
  },
  delete: {
    button: 'Delete',
    title: 'Delete the user?',
    text: 'The user is signed out, and all keys of the user stop working. Nobody can bring them back.',
    yes: 'Delete the user',
  },
} as const;
type Help = keyof typeof helps;

type HelpsProps = { readonly user: User; readonly made: (link: Link | undefined) => void };

function Helps({ user, made }: HelpsProps) {
  const { change } = useAddress();
  const [chosen, choose] = useState<Help>();
  const { userId } = user;
  const acts: Readonly<Record<Help, () => Promise<unknown>>> = {
    link: async () => made(await ask('issuePasswordLink', { userId })),
    signOut: () => ask('endUserSessions', { userId }),
    factor: () => ask('removeUserSecondFactor', { userId }),
    delete: () => ask('deleteUser', { userId }),
  };
  const done = () => {
    if (chosen === 'delete') change({ user: undefined });
    askAgain();
  };
  return (
    <footer class="row-actions">
      {(Object.keys(helps) as Help[]).map((help) => (
        <button key={help} type="button" class="control" onClick={() => choose(help)}>
          {helps[help].button}
        </button>
      ))}
      {chosen && (
        <Question
          title={helps[chosen].title}
          yes={helps[chosen].yes}
          act={acts[chosen]}
          done={done}
          closed={() => choose(undefined)}
        >
          {helps[chosen].text}
        </Question>
      )}
    </footer>
  );
}
