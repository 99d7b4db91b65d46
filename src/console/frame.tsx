/** The frames of pages without figures: sign-in, messages and settings. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Mark } from './frame/sidebar.tsx';
import { SkipLink } from './frame/skip.tsx';

let isFirstPage = true;

type PageProps = {
  readonly title: string;
  /** Text below the title. */
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** The content of a page. All pages but the first move the focus to their heading. */
export function Page({ title, lead, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – Vitrine`;
  }, [title]);
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus();
    isFirstPage = false;
  }, []);
  return (
    <main id="content" tabIndex={-1}>
      <h1 tabIndex={-1} ref={heading}>
        {title}
      </h1>
      {lead && <p class="lead">{lead}</p>}
      {children}
    </main>
  );
}

/** A narrow page for a form or a message. */
export function NarrowPage(props: PageProps) {
  return (
    <div class="site-content narrow">
      <SkipLink />
      <a class="brand" href="/console/">
        <Mark />
        Vitrine
      </a>
      <Page {...props} />
    </div>
  );
}

/** A settings page, next to the list of settings. */
export function SettingsPage(props: PageProps) {
  const { path } = useLocation();
  const link = (href: string, name: string) => (
    <li>
      <a href={href} aria-current={path === href ? 'page' : undefined}>
        {name}
      </a>
    </li>
  );
  return (
    <div class="site-content with-side">
      <nav class="side-nav" aria-label="Settings">
        <ul>
          {link('/console/settings/api', 'API')}
          {link('/console/settings/security', 'Security')}
        </ul>
      </nav>
      <Page {...props} />
    </div>
  );
}
