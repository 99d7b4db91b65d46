import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAccount, useKnownAccount } from './account.tsx';
import { ask } from './client.ts';
import { NarrowPage } from './frame.tsx';
import { code, password, text, unseen } from './parts/fields.tsx';
import { Form } from './parts/form.tsx';
import type { Refused } from './refused.ts';
import { SetUpSecondFactor } from './setUpSecondFactor.tsx';

const firstPage = '/console/overview';

/** Signs in and returns to the previous page. */
export function SignIn() {
  const { session, problem } = useKnownAccount();
  const { query, route } = useLocation();
  // Known once: the address changes before the next page is there.
  const [next] = useState(() => returnTo(query.next));
  const isLeaving = useRef(false);
  useEffect(() => {
    if (!session || session.needsSecondFactor || isLeaving.current) return;
    isLeaving.current = true;
    if (next.startsWith('/console')) route(next, true);
    else location.replace(next);
  }, [session, next, route]);
  if (session?.needsSecondFactor) return <SetUpSecondFactor />;
  // A signed-in user is being redirected.
  if (session || (session === undefined && problem === undefined)) return <div aria-busy="true" />;
  return (
    <NarrowPage title="Sign in">
      <SignInForm />
      <p class="aside">
        No account yet, or forgotten your password? Ask the operator of this service for an
        invitation, or for a link to choose a new password.
      </p>
    </NarrowPage>
  );
}

function SignInForm() {
  const { begin, notice } = useAccount();
  const [asksCode, setAsksCode] = useState(false);
  return (
    <Form
      className="panel form"
      submit="Sign in"
      lead={<div role="status">{notice !== undefined && <p class="notice">{notice}</p>}</div>}
      fields={{
        email: text('E-mail address', {
          type: 'email',
          autocomplete: 'username',
          hasFocus: true,
          missing: 'Enter your e-mail address.',
        }),
        password: password(),
        code: asksCode ? code('Enter the code of your authenticator app.') : unseen(''),
      }}
      send={async ({ code: entered, ...rest }) => {
        try {
          begin(await ask('signIn', { ...rest, ...(asksCode && { code: entered }) }));
        } catch (error) {
          if ((error as Refused).needsCode) setAsksCode(true);
          throw error;
        }
      }}
      fieldOf={({ status, needsCode }) =>
        needsCode ? 'code' : status === 401 ? 'password' : undefined
      }
    />
  );
}

/** A path of this site; a sign-in link cannot redirect to another site. */
function returnTo(next: string | undefined): string {
  if (next === undefined || !URL.canParse(next, location.origin)) return firstPage;
  const address = new URL(next, location.origin);
  const isOurs =
    address.origin === location.origin &&
    /^\/(?:console|guides|reference)(?:\/|$)/.test(address.pathname) &&
    address.pathname !== '/console/sign-in';
  return isOurs ? `${address.pathname}${address.search}${address.hash}` : firstPage;
}
