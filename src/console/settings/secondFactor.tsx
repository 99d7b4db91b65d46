/** The second factor on the page of security: turned on, turned off, recovery codes. */

import { useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { type Answer, ask } from '../client.ts';
import { Username } from '../forms.tsx';
import { code, password } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Body, Panel } from '../parts/panel.tsx';
import { useQuery } from '../queries.ts';
import { counted, inMoment } from '../words.ts';

type State = Answer<'readSecondFactor'>;
type Enrolment = Answer<'enrolSecondFactor'>;

/** The section of the second factor. */
export function SecondFactor() {
  const state = useQuery('readSecondFactor', {});
  const [codes, setCodes] = useState<readonly string[]>();
  const done = (made?: readonly string[]) => {
    setCodes(made);
    state.retry();
  };
  return (
    <Panel title="Two-step sign-in" isLoading={state.isLoading}>
      <p class="body muted">
        Besides your password, sign-in then asks for a code of an authenticator app.
        {state.value?.isRequired &&
          ' This service requires it: to use another app, ask its operator to remove yours.'}
      </p>
      <div role="status">{codes !== undefined && <RecoveryCodes codes={codes} />}</div>
      <Body query={state} name="two-step sign-in">
        {(found) =>
          found.onSince === null ? <TurnOn done={done} /> : <IsOn state={found} done={done} />
        }
      </Body>
    </Panel>
  );
}

type Done = { readonly done: (codes?: readonly string[]) => void };

/** Recovery codes, shown once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <div class="notice codes">
      <p>
        Keep these recovery codes in a safe place. Each works once in place of a code, and they are
        not shown again.
      </p>
      <ul>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Turns the second factor on: the password, the key of the app, its first code. */
export function TurnOn({ done }: Done) {
  const [enrolment, setEnrolment] = useState<Enrolment>();
  if (enrolment !== undefined) return <Confirm enrolment={enrolment} done={done} />;
  return (
    <WithPassword
      label="Turn on two-step sign-in"
      send={async (password) => setEnrolment(await ask('enrolSecondFactor', { password }))}
    />
  );
}

function Confirm({ enrolment: { secret, address }, done }: Done & { enrolment: Enrolment }) {
  return (
    <Form
      lead={
        <>
          <p>
            Enter this key in your authenticator app, or <a href={address}>open it in the app</a> on
            this device. Then enter the code that the app shows.
          </p>
          <p>
            <code>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
          </p>
        </>
      }
      submit="Confirm the code"
      fields={{
        code: code('Enter the code that the app shows.', 'The six digits that the app shows.'),
      }}
      send={async (entered) => done((await ask('confirmSecondFactor', entered)).recoveryCodes)}
      fieldOf={({ status }) => (status === 403 ? 'code' : undefined)}
    />
  );
}

function IsOn({ state: { onSince, codesLeft, isRequired }, done }: Done & { state: State }) {
  const [act, setAct] = useState<'renew' | 'remove'>();
  return (
    <div class="form">
      <p class="body">
        On since {inMoment(onSince!)}; {counted(codesLeft, 'recovery code')} left.
      </p>
      {act === undefined && (
        <div class="body actions">
          <button type="button" class="control" onClick={() => setAct('renew')}>
            New recovery codes
          </button>
          {!isRequired && (
            <button type="button" class="control" onClick={() => setAct('remove')}>
              Turn off
            </button>
          )}
        </div>
      )}
      {act === 'renew' && (
        <WithPassword
          label="Replace the recovery codes"
          send={async (password) => {
            const { recoveryCodes } = await ask('renewRecoveryCodes', { password });
            setAct(undefined);
            done(recoveryCodes);
          }}
        />
      )}
      {act === 'remove' && (
        <WithPassword
          label="Turn off two-step sign-in"
          send={async (password) => {
            await ask('removeSecondFactor', { password });
            done();
          }}
        />
      )}
    </div>
  );
}

/** A form that asks for the password before it acts. */
function WithPassword({
  label,
  send,
}: {
  label: string;
  send: (password: string) => Promise<void>;
}) {
  const { session } = useAccount();
  return (
    <Form
      lead={<Username email={session!.email} />}
      submit={label}
      fields={{
        password: password({ label: 'Your password', missing: 'Enter your current password.' }),
      }}
      send={({ password: entered }) => send(entered)}
      fieldOf={({ status }) => (status === 403 ? 'password' : undefined)}
    />
  );
}
