/** The frame of the settings: title, links to the other settings, content. */
import type { ComponentChildren } from 'preact';
import { useAccount } from '../account.tsx';
import { Page } from '../frame.tsx';
import { isFoundBy, settingsPages } from '../pages.ts';
import { Tabs } from '../parts/tabs.tsx';

type SettingsPageProps = {
  readonly title: 'API' | 'Profile' | 'Schedules' | 'Webhooks' | 'Security' | 'Members';
  readonly children: ComponentChildren;
};

/** A page of the settings. */
export function SettingsPage({ title, children }: SettingsPageProps) {
  const { session } = useAccount();
  const tabs = settingsPages
    .filter((page) => isFoundBy(page, session?.role))
    .map(({ name, path }) => ({ id: name, name, href: path }));
  return (
    <Page title={title} className="view" tabs={<Tabs name="Settings" tabs={tabs} chosen={title} />}>
      <div class="stack">{children}</div>
    </Page>
  );
}
