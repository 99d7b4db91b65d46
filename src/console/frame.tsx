/** The frame of every page. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAccount } from './account.tsx';
import { ask, type Refused } from './client.ts';

/** The bar at the top, with the content below. */
export function Frame({ children }: { children: ComponentChildren }) {
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it is a link to the content, but must not change the address, where a token may follow #. */}
      <a class="skip" href="#content" onClick={skip}>
        Skip to content
      </a>
      <Header />
      {children}
    </>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

function Header() {
  const { session } = useAccount();
  const { path } = useLocation();
  return (
    <header class="site-header">
      <div class="site-bar">
        <a class="brand" href="/console/" aria-label="Vitrine">
          <Mark />
          <span class="brand-name">Vitrine</span>
        </a>
        <nav class="site-nav" aria-label="Site">
          <a
            href="/console/settings/api"
            aria-current={path.startsWith('/console/settings') ? 'true' : undefined}
          >
            Settings
          </a>
          <a href="/guides">Guides</a>
          <a href="/reference">Reference</a>
        </nav>
        <div class="site-own">
          {session && <span class="who">{session.email}</span>}
          <ThemeChoice />
          {session && <SignOut />}
        </div>
      </div>
    </header>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="currentColor" />
      <g fill="none" stroke="var(--on-accent)">
        <path d="M7 8h18v16H7z" stroke-width="2" stroke-linejoin="round" />
        <path d="M12 20v-3M16 20v-8M20 20v-5" stroke-width="2.5" stroke-linecap="round" />
      </g>
    </svg>
  );
}

/** The theme choice, which `theme.ts` reacts to on every page. */
function ThemeChoice() {
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    select.current!.value = document.documentElement.dataset.theme ?? 'system';
  }, []);
  return (
    <label class="theme">
      <span class="visually-hidden">Theme</span>
      <select name="theme" ref={select}>
        <option value="system">System theme</option>
        <option value="light">Light theme</option>
        <option value="dark">Dark theme</option>
      </select>
    </label>
  );
}

function SignOut() {
  const { end } = useAccount();
  const { route } = useLocation();
  const [problem, setProblem] = useState<string>();
  async function signOut(): Promise<void> {
    try {
      await ask('signOut');
    } catch (error) {
      // A session that has already ended counts as signed out.
      if ((error as Refused).status !== 401) return setProblem((error as Refused).message);
    }
    end('You are signed out.');
    route('/console/sign-in');
  }
  return (
    <>
      <button type="button" onClick={signOut}>
        Sign out
      </button>
      {problem !== undefined && (
        <p class="header-problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

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
