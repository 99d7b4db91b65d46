/** The pickers of stores and currency, and the button that copies the address. */
import { useState } from 'preact/hooks';
import { countryAlpha2 } from '../../contract/countries.ts';
import { copied, useSaid } from '../copying.tsx';
import { Icon } from '../parts/icons.tsx';
import { Popover } from '../parts/popover.tsx';
import { currencyName } from '../view/format.ts';
import { marketplaceOf, type Store, useStores } from '../view/stores.tsx';
import type { View } from '../view/view.ts';

type StorePickerProps = {
  readonly view: View;
  /** Whether exactly one store is chosen. */
  readonly one?: boolean;
  /** The store that is shown where none is chosen. */
  readonly shown?: Store | undefined;
  /** The address of the view of a store, where one is chosen; by default this view with it. */
  readonly hrefOf?: (store: Store) => string;
};

/** Chooses stores; none chosen means all. */
export function StorePicker({ view, one = false, shown, hrefOf }: StorePickerProps) {
  const { stores: all } = useStores();
  const { chosen } = view;
  const stores = shown === undefined ? view.stores : [shown];
  const name =
    stores.length === 1
      ? stores[0]!.displayName
      : chosen.length === 0
        ? `${all.length} stores`
        : `${chosen.length} of ${all.length}`;
  return (
    <Popover
      title="Stores"
      label={
        <>
          <Icon name="store" />
          {name}
          <Icon name="down" />
        </>
      }
    >
      {(close) => (
        <StoreList view={view} stores={stores} all={all} one={one} close={close} hrefOf={hrefOf} />
      )}
    </Popover>
  );
}

type StoreListProps = {
  readonly view: View;
  /** The stores that are shown. */
  readonly stores: readonly Store[];
  readonly all: readonly Store[];
  readonly one: boolean;
  readonly close: () => void;
  readonly hrefOf: StorePickerProps['hrefOf'];
};

function StoreList({ view, stores, all, one, close, hrefOf }: StoreListProps) {
  const [text, setText] = useState('');
  const [chosen, choose] = useState<readonly string[]>(view.chosen);
  const found = all.filter((store) =>
    `${store.displayName} ${marketplaceOf(store)} ${countryAlpha2(store.countryCode)}`
      .toLowerCase()
      .includes(text.toLowerCase()),
  );
  const toggle = (id: string) =>
    choose(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  const apply = (ids: readonly string[]) => {
    view.address.change({ store: ids.length === all.length ? [] : ids, page: undefined });
    close();
  };
  return (
    <div class="choices">
      <label class="search">
        <Icon name="search" />
        <span class="visually-hidden">Find a store</span>
        <input
          type="search"
          placeholder="Find a store"
          value={text}
          onInput={({ currentTarget: { value } }) => setText(value)}
        />
      </label>
      <ul class="menu">
        {found.map((store) => (
          <li key={store.channelId}>
            {one ? (
              <a
                href={
                  hrefOf?.(store) ??
                  view.address.hrefOf({ store: store.channelId, page: undefined })
                }
                aria-current={stores.includes(store) ? 'true' : undefined}
                onClick={close}
              >
                <StoreWords store={store} />
              </a>
            ) : (
              <label>
                <input
                  type="checkbox"
                  checked={chosen.includes(store.channelId)}
                  onChange={() => toggle(store.channelId)}
                />
                <StoreWords store={store} />
              </label>
            )}
          </li>
        ))}
        {found.length === 0 && <li class="muted">No store is called “{text}”.</li>}
      </ul>
      {!one && (
        <div class="foot">
          <button type="button" class="control" onClick={() => apply([])}>
            All stores
          </button>
          <button type="button" class="control primary" onClick={() => apply(chosen)}>
            Apply
          </button>
        </div>
      )}
    </div>
  );
}

function StoreWords({ store }: { readonly store: Store }) {
  return (
    <>
      <span class="country">{countryAlpha2(store.countryCode)}</span>
      <span>{store.displayName}</span>
      <span class="muted">{marketplaceOf(store)}</span>
    </>
  );
}

const common = ['USD', 'EUR', 'GBP', 'JPY', 'CAD', 'AUD', 'CHF', 'SEK', 'PLN', 'MXN', 'INR', 'BRL'];

/** Chooses the currency that amounts are converted to. */
export function CurrencyPicker({ view }: { readonly view: View }) {
  const { stores } = useStores();
  const own = stores.map(({ currency }) => currency).filter((code) => code !== undefined);
  const codes = [...new Set([...own, ...common])].sort();
  return (
    <Popover
      title="Currency"
      label={
        <>
          {view.currency}
          <Icon name="down" />
        </>
      }
    >
      {(close) => (
        <ul class="menu">
          {codes.map((code) => (
            <li key={code}>
              <a
                href={view.address.hrefOf({ currency: code })}
                aria-current={code === view.currency ? 'true' : undefined}
                onClick={close}
              >
                <strong>{code}</strong> <span class="muted">{currencyName(code)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
}

/** Copies the address of the view; the days of a preset still follow the calendar. */
export function CopyLink() {
  const [said, say] = useSaid();
  return (
    <span class="copy-link">
      <span role="status" class="said">
        {said}
      </span>
      <button
        type="button"
        class="icon-button"
        aria-label="Copy link to this view"
        title="Copy link to this view"
        onClick={async () => say((await copied(location.href)) ? 'Copied' : 'Not allowed here')}
      >
        <Icon name="link" />
      </button>
    </span>
  );
}
