import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAccount, useKnownAccount } from './account.tsx';
import { ask } from './client.ts';
import { CodeField, Field, FormError, PasswordField, SubmitButton } from './forms.tsx';
import { NarrowPage } from './frame.tsx';
import type { Refused } from './refused.ts';
import { SetUpSecondFactor } from './setUpSecondFactor.tsx';
import { useForm } from './submit.ts';

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
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState<string>();
  const { errors, isBusy, refOf, submit } = useForm<'email' | 'password' | 'code'>({
    check: () => ({
      email: email.trim() === '' ? 'Enter your e-mail address.' : undefined,
      password: password === '' ? 'Enter your password.' : undefined,
      code: code === '' ? 'Enter the code of your authenticator app.' : undefined,
    }),
    async send() {
      try {
        begin(await ask('signIn', { email, password, ...(code !== undefined && { code }) }));
      } catch (error) {
        if ((error as Refused).needsCode) setCode((given) => given ?? '');
        throw error;
      }
    },
    fieldOf: ({ status, needsCode }) =>
      needsCode ? 'code' : status === 401 ? 'password' : undefined,
  });
  return (
    <form class="panel form" onSubmit={submit} noValidate>
      <div role="status">{notice !== undefined && <p class="notice">{notice}</p>}</div>
      <FormError text={errors.form} />
      <Field
        label="E-mail address"
        value={email}
        onValue={setEmail}
        error={errors.email}
        inputRef={refOf('email')}
        type="email"
        name="email"
        autocomplete="username"
        hasFocus
      />
      <PasswordField
        label="Password"
        value={password}
        onValue={setPassword}
        error={errors.password}
        inputRef={refOf('password')}
      />
      {code !== undefined && (
        <CodeField value={code} onValue={setCode} error={errors.code} inputRef={refOf('code')} />
      )}
      <SubmitButton isBusy={isBusy}>Sign in</SubmitButton>
    </form>
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
