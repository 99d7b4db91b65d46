/** The console. */

import { type ComponentType, render } from 'preact';
import { useEffect } from 'preact/hooks';
import { LocationProvider, lazy, Route, Router, useLocation } from 'preact-iso';
import { AccountProvider, useKnownAccount } from './account.tsx';
import { App } from './frame/app.tsx';
import { NarrowPage } from './frame.tsx';
import { Overview } from './overview/overview.tsx';
import { Failed } from './parts/panel.tsx';
import { SetPassword } from './setPassword.tsx';
import { SetUpSecondFactor } from './setUpSecondFactor.tsx';
import { SignIn } from './signIn.tsx';

/** A page for signed-in users; others sign in first and return. */
function forUsers(Page: ComponentType): ComponentType {
  return function ForUsers() {
    const { session, problem, read } = useKnownAccount();
    const { url, route } = useLocation();
    useEffect(() => {
      if (session === null) route(`/console/sign-in?next=${encodeURIComponent(url)}`, true);
    }, [session, url, route]);
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

const AdvertisingForUsers = forUsers(
  lazy(() => import('./advertising/advertising.tsx').then((m) => m.Advertising)),
);
const OverviewForUsers = forUsers(Overview);
const ProfitForUsers = forUsers(lazy(() => import('./profit/profit.tsx').then((m) => m.Profit)));
const TargetsForUsers = forUsers(
  lazy(() => import('./targets/targets.tsx').then((m) => m.Targets)),
);
const SearchForUsers = forUsers(lazy(() => import('./search/search.tsx').then((m) => m.Search)));
const StoresForUsers = forUsers(lazy(() => import('./stores/stores.tsx').then((m) => m.Stores)));
const StoreForUsers = forUsers(lazy(() => import('./stores/store.tsx').then((m) => m.StorePage)));
const InventoryForUsers = forUsers(
  lazy(() => import('./inventory/inventory.tsx').then((m) => m.Inventory)),
);
const ReportsForUsers = forUsers(
  lazy(() => import('./reports/reports.tsx').then((m) => m.Reports)),
);
const Operator = lazy(() => import('./operator/operator.tsx').then((m) => m.OperatorConsole));
const ApiForUsers = forUsers(lazy(() => import('./settings/api.tsx').then((m) => m.ApiSettings)));
const SchedulesForUsers = forUsers(
  lazy(() => import('./settings/schedules.tsx').then((m) => m.ScheduleSettings)),
);
const WebhooksForUsers = forUsers(
  lazy(() => import('./settings/webhooks.tsx').then((m) => m.WebhookSettings)),
);
const SecurityForUsers = forUsers(
  lazy(() => import('./settings/security.tsx').then((m) => m.SecuritySettings)),
);

const ProfileForUsers = forUsers(
  lazy(() => import('./settings/profile.tsx').then((m) => m.ProfileSettings)),
);
const MembersForUsers = forUsers(
  lazy(() => import('./settings/members.tsx').then((m) => m.MembersSettings)),
);

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
        <Route path="/console/sign-in" component={SignIn} />
        <Route path="/console/password" component={SetPassword} />
        <Route path="/console/overview" component={OverviewForUsers} />
        <Route path="/console/profit" component={ProfitForUsers} />
        <Route path="/console/advertising" component={AdvertisingForUsers} />
        <Route path="/console/advertising/:part" component={AdvertisingForUsers} />
        <Route path="/console/targets" component={TargetsForUsers} />
        <Route path="/console/search" component={SearchForUsers} />
        <Route path="/console/stores" component={StoresForUsers} />
        <Route path="/console/stores/:channelId/:part" component={StoreForUsers} />
        <Route path="/console/inventory" component={InventoryForUsers} />
        <Route path="/console/reports" component={ReportsForUsers} />
        <Route path="/console/operator" component={Operator} />
        <Route path="/console/settings/api" component={ApiForUsers} />
        <Route path="/console/settings/schedules" component={SchedulesForUsers} />
        <Route path="/console/settings/webhooks" component={WebhooksForUsers} />
        <Route path="/console/settings/security" component={SecurityForUsers} />
        <Route path="/console/settings/profile" component={ProfileForUsers} />
        <Route path="/console/settings/members" component={MembersForUsers} />
        <Route default component={NotFound} />
      </Router>
    </AccountProvider>
  </LocationProvider>,
  document.getElementById('pages')!,
);
