/** The frame of the settings: title, links to the other settings, content. */
import type { ComponentChildren } from 'preact';
import { useAccount } from '../account.tsx';
import { notForMembers, settingsViews } from '../frame/sidebar.tsx';
import { Page } from '../frame.tsx';
import { isManager } from '../parts/membership.tsx';
import { Tabs } from '../parts/tabs.tsx';

const settings = [{ name: 'API', path: '/console/settings/api' } as const, ...settingsViews].map(
  ({ name, path }) => ({ id: name, name, href: path }),
);

type SettingsPageProps = {
  readonly title: (typeof settings)[number]['id'];
  readonly children: ComponentChildren;
};

/** A page of the settings. */
export function SettingsPage({ title, children }: SettingsPageProps) {
  const { session } = useAccount();
  const shown = settings.filter(
    ({ id }) => isManager(session?.role) || !notForMembers.includes(id),
  );
  return (
    <Page
      title={title}
      className="view"
      tabs={<Tabs name="Settings" tabs={shown} chosen={title} />}
    >
      <div class="stack">{children}</div>
    </Page>
  );
}
