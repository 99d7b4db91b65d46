/** The console. */

import { type ComponentType, render } from 'preact';
import { useEffect } from 'preact/hooks';
import { LocationProvider, lazy, Route, Router, useLocation } from 'preact-iso';
import { AccountProvider, useKnownAccount } from './account.tsx';
import { App } from './frame/app.tsx';
import { NarrowPage } from './frame.tsx';
import { pages, pathsOf } from './pages.ts';
import { Failed } from './parts/panel.tsx';

/** Stands before all pages until the second factor is on, if the service requires one. */
const SetUpSecondFactor = lazy(
  async () => (await import('./setUpSecondFactor.tsx')).SetUpSecondFactor,
);

/** A page for signed-in users; others sign in first and return. */
function forUsers(Page: ReturnType<typeof lazy<ComponentType>>): ComponentType {
  return function ForUsers() {
    // The page is loaded while the session is read.
    useEffect(() => void Page.preload(), []);
    const { session, problem, read } = useKnownAccount();
    const { url, route } = useLocation();
    // Once: this page stays until that of the sign-in is loaded, when the address is no longer its.
    useEffect(() => {
      if (session === null) route(`/console/sign-in?next=${encodeURIComponent(url)}`, true);
    }, [session]);
    if (session?.needsSecondFactor) return <SetUpSecondFactor />;
    // A new user gets a new page, without the previous user's data.
    if (session)
      return (
        <App key={session.userId}>
          <Page />
        </App>
      );
    if (problem === undefined) return <div aria-busy="true" />;
    return (
      <NarrowPage title="Vitrine">
        <Failed problem={problem} name="your account" retry={read} />
      </NarrowPage>
    );
  };
}

/** The routes of all pages that have a module. */
const routes = pages.flatMap((page) => {
  if (page.load === undefined) return [];
  const Page = lazy(page.load);
  const component = page.who === 'anybody' ? Page : forUsers(Page);
  return pathsOf(page).map((path) => <Route path={path} component={component} />);
});

function Start() {
  const { route } = useLocation();
  useEffect(() => route('/console/overview', true), [route]);
  return <div aria-busy="true" />;
}

function NotFound() {
  return (
    <NarrowPage title="Page not found">
      <div class="panel message">
        <p>The address may be mistyped, or the page may have moved.</p>
        <p>
          Go to the <a href="/console/overview">overview</a>, the <a href="/guides">guides</a> or
          the <a href="/reference">reference</a>.
        </p>
      </div>
    </NarrowPage>
  );
}

render(
  <LocationProvider scope="/console">
    <AccountProvider>
      <Router>
        <Route path="/console" component={Start} />
        {routes}
        <Route default component={NotFound} />
      </Router>
    </AccountProvider>
  </LocationProvider>,
  document.getElementById('pages')!,
);
