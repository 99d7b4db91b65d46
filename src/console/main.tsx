/** The account pages. */

import { type ComponentType, render } from 'preact';
import { useEffect } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { AccountProvider, useKnownAccount } from './account.tsx';
import { Frame, NarrowPage } from './frame.tsx';
import { Problem } from './loaded.tsx';
import { SetPassword } from './setPassword.tsx';
import { ApiSettings } from './settings/api.tsx';
import { SecuritySettings } from './settings/security.tsx';
import { SignIn } from './signIn.tsx';

/** A page for signed-in users; others sign in first and return. */
function forUsers(Page: ComponentType): ComponentType {
  return function ForUsers() {
    const { session, problem, read } = useKnownAccount();
    const { url, route } = useLocation();
    useEffect(() => {
      if (session === null) route(`/console/sign-in?next=${encodeURIComponent(url)}`, true);
    }, [session, url, route]);
    // A new user gets a new page, without the previous user's data.
    if (session) return <Page key={session.userId} />;
    if (problem === undefined) return <div class="site-content" aria-busy="true" />;
    return (
      <NarrowPage title="Vitrine">
        <Problem text={problem} name="your account" retry={read} />
      </NarrowPage>
    );
  };
}

const ApiForUsers = forUsers(ApiSettings);
const SecurityForUsers = forUsers(SecuritySettings);

function Start() {
  const { route } = useLocation();
  useEffect(() => route('/console/settings/api', true), [route]);
  return <div class="site-content" aria-busy="true" />;
}

function NotFound() {
  return (
    <NarrowPage title="Page not found">
      <div class="card">
        <p>The address may be mistyped, or the page may have moved.</p>
        <p>
          Go to the <a href="/console/settings/api">settings</a>, the <a href="/guides">guides</a>{' '}
          or the <a href="/reference">reference</a>.
        </p>
      </div>
    </NarrowPage>
  );
}

render(
  <LocationProvider scope="/console">
    <AccountProvider>
      <Frame>
        <Router>
          <Route path="/console" component={Start} />
          <Route path="/console/sign-in" component={SignIn} />
          <Route path="/console/password" component={SetPassword} />
          <Route path="/console/settings/api" component={ApiForUsers} />
          <Route path="/console/settings/security" component={SecurityForUsers} />
          <Route default component={NotFound} />
        </Router>
      </Frame>
    </AccountProvider>
  </LocationProvider>,
  document.getElementById('pages')!,
);
