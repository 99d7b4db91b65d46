/** The list of views beside the content; an icon rail on small screens, a drawer on phones. */
import { useEffect, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { developerPages, type PageEntry, pages, views } from '../pages.ts';
import { Icon } from '../parts/icons.tsx';
import { useAddress } from '../view/address.ts';
import { pathOfStore, useStores } from '../view/stores.tsx';
import { counted } from '../words.ts';
import { SignOut } from './signOut.tsx';
import { ThemeButton } from './theme.tsx';

/** The sidebar. `openGoTo` opens the box that finds views and stores. */
export function Sidebar({ openGoTo }: { readonly openGoTo: () => void }) {
  const { session } = useAccount();
  const { stores } = useStores();
  const { path, viewOf } = useAddress();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  const name = session?.name ?? session?.email ?? '';
  const storeName = stores.find((store) =>
    isIn(path, pathOfStore(store, '').slice(0, -1)),
  )?.displayName;
  return (
    <>
      <div class="topbar">
        <button
          type="button"
          class="icon-button"
          aria-label="Menu"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </button>
        <strong aria-hidden="true">{storeName ?? titleOf(path)}</strong>
      </div>
      <aside class={isOpen ? 'sidebar open' : 'sidebar'}>
        <a class="organisation" href={viewOf('/console/overview')}>
          <Mark />
          <span class="wide">
            {session?.organisation}
            <small>{stores.length > 0 ? counted(stores.length, 'store') : ' '}</small>
          </span>
        </a>
        <button type="button" class="go-to" onClick={openGoTo} title="Go to">
          <Icon name="search" />
          <span class="wide">Go to</span>
          <kbd class="wide">Ctrl K</kbd>
        </button>
        <Entries name="Views" entries={views} />
        <Entries name="Developers" entries={developerPages} heading="Developers" />
        <div class="user">
          <span class="face" aria-hidden="true">
            {initialsOf(name)}
          </span>
          <span class="who wide" title={session?.email}>
            {name}
          </span>
          <ThemeButton />
          <a
            class="icon-button"
            href="/console/settings/profile"
            aria-label="Account settings"
            title="Account settings"
          >
            <Icon name="settings" />
          </a>
          <SignOut />
        </div>
      </aside>
    </>
  );
}

type EntriesProps = {
  readonly name: string;
  readonly entries: readonly PageEntry[];
  readonly heading?: string;
};

function Entries({ name, entries, heading }: EntriesProps) {
  const { path, viewOf } = useAddress();
  return (
    <nav class="entries" aria-label={name}>
      {heading !== undefined && <h2 class="wide">{heading}</h2>}
      <ul>
        {entries.map((entry) => (
          <li key={entry.path}>
            <a
              href={entry.path.startsWith('/console') ? viewOf(entry.path) : entry.path}
              title={entry.name}
              aria-current={isIn(path, entry.path) ? 'page' : undefined}
            >
              <Icon name={entry.icon} />
              <span class="wide">{entry.name}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The first letters of a name, or of an e-mail address. */
function initialsOf(name: string): string {
  const [first = '', ...others] = name.split(/\s+/);
  const last = others.at(-1);
  const letters = last === undefined ? first.slice(0, 2) : `${first[0]}${last[0]}`;
  return letters.toUpperCase();
}

const isIn = (path: string, view: string) => path === view || path.startsWith(`${view}/`);

/** The name of the view at a path. */
function titleOf(path: string): string {
  return pages.find((page) => isIn(path, page.path))?.name ?? 'Vitrine';
}

/** The mark of Vitrine. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="currentColor" />
      <g fill="none" stroke="var(--on-accent)">
        <path d="M7 8h18v16H7z" stroke-width="2" stroke-linejoin="round" />
        <path d="M12 20v-3M16 20v-8M20 20v-5" stroke-width="2.5" stroke-linecap="round" />
      </g>
    </svg>
  );
}
