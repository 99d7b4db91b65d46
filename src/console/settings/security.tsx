import { useEffect, useRef, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { type Answer, ask } from '../client.ts';
import { Username } from '../forms.tsx';
import { password } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Body, Panel } from '../parts/panel.tsx';
import { useQuery } from '../queries.ts';
import type { Refused } from '../refused.ts';
import { inMoment, zone } from '../words.ts';
import { useSure } from './confirm.tsx';
import { SettingsPage } from './frame.tsx';
import { SecondFactor } from './secondFactor.tsx';

type Session = Answer<'listSessions'>['sessions'][number];

/** The password and the sessions of the user. */
export function SecuritySettings() {
  const { session } = useAccount();
  const sessions = useQuery('listSessions', {});
  return (
    <SettingsPage title="Security">
      <div class="halves">
        <Panel title="Change your password">
          <ChangePassword changed={sessions.retry} />
        </Panel>
        <SecondFactor />
      </div>
      <Panel title="Where you are signed in" isLoading={sessions.isLoading}>
        <Body query={sessions} name="your sessions">
          {({ sessions: all }) => <Sessions sessions={all} reload={sessions.retry} />}
        </Body>
        <footer>
          You are signed in as {session!.email}. A session ends after 7 days without activity. If
          you do not recognise one, end it and change your password. Times are in the time zone{' '}
          {zone}.
        </footer>
      </Panel>
    </SettingsPage>
  );
}

function ChangePassword({ changed }: { changed: () => void }) {
  const { begin, session } = useAccount();
  return (
    <Form
      lead={<Username email={session!.email} />}
      submit="Change password"
      fields={{
        password: password({ label: 'Current password', missing: 'Enter your current password.' }),
        newPassword: password({ label: 'New password', isNew: true }),
      }}
      send={async (passwords) => {
        begin(await ask('changePassword', passwords));
        changed();
        return 'Password changed. All other sessions have ended.';
      }}
      fieldOf={({ status }) =>
        status === 403 ? 'password' : status === 400 ? 'newPassword' : undefined
      }
    />
  );
}

function Sessions({ sessions, reload }: { sessions: readonly Session[]; reload: () => void }) {
  const [sure, confirmation] = useSure('To end sessions');
  const [said, setSaid] = useState('');
  const [problem, setProblem] = useState<string>();
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  const message = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The focused button disappeared with its session.
    if (said !== '') message.current?.focus();
  }, [said]);

  async function end(done: string, work: () => Promise<void>): Promise<void> {
    setProblem(undefined);
    setSaid('');
    try {
      await sure(work);
      setSaid(done);
    } catch (error) {
      // It had already ended.
      if ((error as Refused).status !== 404) setProblem((error as Refused).message);
    }
    reload();
  }

  return (
    <>
      <ul class="sessions">
        {sessions.map((session) => (
          <SessionItem
            key={session.sessionId}
            session={session}
            end={() =>
              end(`The session of ${session.browser} has ended.`, () =>
                ask('endSession', { sessionId: session.sessionId }),
              )
            }
          />
        ))}
      </ul>
      <div class="body ends">
        <div role="alert">{problem !== undefined && <p class="notice bad">{problem}</p>}</div>
        <div role="status" tabIndex={-1} ref={message}>
          {said !== '' && <p class="notice">{said}</p>}
        </div>
        {others.length > 0 ? (
          <button
            type="button"
            class="control"
            onClick={() => end('All other sessions have ended.', () => ask('endOtherSessions'))}
          >
            End all other sessions ({others.length})
          </button>
        ) : (
          <p class="muted">You are not signed in anywhere else.</p>
        )}
      </div>
      {confirmation}
    </>
  );
}

function SessionItem({
  session: { browser, createdAt, lastSeenAt, expiresAt, isCurrent },
  end,
}: {
  session: Session;
  end: () => void;
}) {
  return (
    <li>
      <div>
        <p>
          <strong>{browser}</strong> {isCurrent && <span class="tag">This browser</span>}
        </p>
        <p class="muted">
          Last active {inMoment(lastSeenAt)}. Signed in {inMoment(createdAt)}, expires{' '}
          {inMoment(expiresAt)} at the latest.
        </p>
      </div>
      {!isCurrent && (
        <button
          type="button"
          class="control"
          aria-label={`End the session of ${browser}, last active ${inMoment(lastSeenAt)}`}
          onClick={end}
        >
          End
        </button>
      )}
    </li>
  );
}
