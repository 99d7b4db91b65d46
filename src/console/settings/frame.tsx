/** The frame of the settings: title, links to the other settings, content. */
import type { ComponentChildren } from 'preact';
import { Page } from '../frame.tsx';
import { Tabs } from '../parts/tabs.tsx';

const settings = [
  { id: 'API', name: 'API', href: '/console/settings/api' },
  { id: 'Security', name: 'Security', href: '/console/settings/security' },
] as const;

type SettingsPageProps = {
  readonly title: (typeof settings)[number]['id'];
  readonly children: ComponentChildren;
};

/** A page of the settings. */
export function SettingsPage({ title, children }: SettingsPageProps) {
  return (
    <Page
      title={title}
      className="view"
      tabs={<Tabs name="Settings" tabs={settings} chosen={title} />}
    >
      <div class="stack">{children}</div>
    </Page>
  );
}
