/** The box that finds views, stores, settings and actions by a few letters. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { countryAlpha2 } from '../../contract/countries.ts';
import { useAccount } from '../account.tsx';
import { developerPages, isFoundBy, settingsPages, views } from '../pages.ts';
import { Icon, type IconName } from '../parts/icons.tsx';
import { useAddress } from '../view/address.ts';
import { marketplaceOf, pathOfStore, useStores } from '../view/stores.tsx';

type Place = {
  readonly group: string;
  readonly name: string;
  readonly icon: IconName;
  readonly hint: string;
  /** Its address; an action has none, and presses the control of its shortcut. */
  readonly href?: string;
};

const shownMax = 12;
/** Actions, with the shortcuts of the controls that they press. */
const actions = [
  { name: 'Choose the period', icon: 'calendar', hint: 'D' },
  { name: 'Choose the comparison', icon: 'calendar', hint: 'C' },
  { name: 'Change the theme', icon: 'theme', hint: 'T' },
] as const satisfies readonly Omit<Place, 'group'>[];
const controlOf = (shortcut: string) =>
  document.querySelector<HTMLElement>(`[data-shortcut="${shortcut.toLowerCase()}"]`);

/** The box; it closes after a choice, by Escape and by a click outside. */
export function GoTo({ close }: { readonly close: () => void }) {
  const [text, setText] = useState('');
  const places = usePlaces(text !== '');
  const { route } = useLocation();
  const dialog = useRef<HTMLDialogElement>(null);
  const [chosen, choose] = useState(0);
  useEffect(() => dialog.current?.showModal(), []);
  const words = text.toLowerCase().split(/\s+/);
  const found = places
    .filter(({ name, hint }) =>
      words.every((word) => `${name} ${hint}`.toLowerCase().includes(word)),
    )
    .slice(0, shownMax);
  const go = (place: Place | undefined) => {
    if (place === undefined) return;
    close();
    if (place.href === undefined) setTimeout(() => controlOf(place.hint)?.click());
    else if (place.href.startsWith('/console')) route(place.href);
    else location.assign(place.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) choose((chosen + by + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') go(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog.
    <dialog
      class="go-to-box"
      ref={dialog}
      aria-label="Go to"
      onClose={close}
      onClick={({ target }) => target === dialog.current && close()}
    >
      <label class="entry">
        <Icon name="search" />
        <span class="visually-hidden">Go to a view, a store or a setting</span>
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="places"
          aria-activedescendant={found.length > 0 ? `place-${chosen}` : undefined}
          placeholder="Go to a view, a store or a setting"
          autocomplete="off"
          value={text}
          onInput={({ currentTarget: { value } }) => {
            setText(value);
            choose(0);
          }}
          onKeyDown={onKeyDown}
        />
        <span aria-hidden="true">
          <kbd>Esc</kbd>
        </span>
      </label>
      <Places found={found} chosen={chosen} go={go} text={text} />
    </dialog>
  );
}

type PlacesProps = {
  readonly found: readonly Place[];
  readonly chosen: number;
  readonly go: (place: Place) => void;
  readonly text: string;
};

function Places({ found, chosen, go, text }: PlacesProps) {
  const option = (place: Place) => {
    const index = found.indexOf(place);
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys and Enter of the entry choose.
      // biome-ignore lint/a11y/useFocusableInteractive: the entry keeps the focus.
      <div
        key={place.href ?? place.name}
        id={`place-${index}`}
        role="option"
        aria-selected={index === chosen}
        onClick={() => go(place)}
      >
        <Icon name={place.icon} />
        <span>{place.name}</span>
        {place.hint !== '' && <span class="muted">{place.hint}</span>}
      </div>
    );
  };
  return (
    <div class="places" id="places" role="listbox" aria-label="Places">
      {[...new Set(found.map(({ group }) => group))].map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list of options.
        <div key={group} role="group" aria-label={group}>
          <p aria-hidden="true">{group}</p>
          {found.filter((place) => place.group === group).map(option)}
        </div>
      ))}
      {found.length === 0 && <p class="muted">Nothing is called “{text}”.</p>}
    </div>
  );
}

/** All places. `isSought` adds the views of each store, which are many. */
function usePlaces(isSought: boolean): Place[] {
  const { viewOf } = useAddress();
  const { stores } = useStores();
  const { session } = useAccount();
  const entries = [...views, ...developerPages].map((entry) => ({
    group: 'Views',
    name: entry.name,
    icon: entry.icon,
    hint: entry.letter === undefined ? '' : `G ${entry.letter.toUpperCase()}`,
    href: entry.path.startsWith('/console') ? viewOf(entry.path) : entry.path,
  }));
  const ofStores = stores.map((store) => ({
    group: 'Stores',
    name: store.displayName,
    icon: 'store' as const,
    hint: `${marketplaceOf(store)} ${countryAlpha2(store.countryCode)}`,
    href: viewOf(pathOfStore(store), { store: [] }),
  }));
  const viewsOfStores = (isSought ? stores : []).flatMap((store) => {
    const of = (name: string, icon: IconName, path: string) => ({
      group: 'Views of a store',
      name: `${name} of ${store.displayName}`,
      icon,
      hint: '',
      href: viewOf(path, { store: store.channelId }),
    });
    return [
      ...(store.kind === 'vendor' ? [] : [of('Profit', 'profit', '/console/profit')]),
      ...(store.hasAdvertisingConnected
        ? [of('Advertising', 'advertising', '/console/advertising')]
        : []),
    ];
  });
  const shownActions = actions
    .filter(({ hint }) => controlOf(hint) !== null)
    .map((action) => ({ group: 'Actions', ...action }));
  const settings = settingsPages
    .filter((page) => !developerPages.includes(page) && isFoundBy(page, session?.role))
    .map(({ name, icon, path }) => ({ group: 'Settings', name, icon, hint: '', href: path }));
  return [...entries, ...ofStores, ...viewsOfStores, ...settings, ...shownActions];
}
