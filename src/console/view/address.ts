/** The state of a view in its address, so that it can be shared, reloaded and gone back to. */
import { useCallback, useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso';

/** The parameters that stay when the user moves to another view. */
const sharedNames = ['period', 'from', 'to', 'compare', 'store', 'tag', 'currency', 'zone'];

/** New values of parameters; undefined, "" and an empty list leave one out. */
export type Change = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The address of the current view. */
export type Address = {
  readonly path: string;
  readonly params: URLSearchParams;
  /** The address after a change. */
  readonly hrefOf: (change: Change) => string;
  /** Changes the address: with a history entry for a choice, without one while typing. */
  readonly change: (change: Change, isTyping?: boolean) => void;
  /** The address of another view, with what views share. */
  readonly viewOf: (path: string, change?: Change) => string;
};

/** The address of the current view. */
export function useAddress(): Address {
  const { url, path, route } = useLocation();
  const search = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const params = useMemo(() => new URLSearchParams(search.split('#')[0]), [search]);
  const hrefOf = useCallback((change: Change) => addressOf(path, params, change), [path, params]);
  const change = useCallback(
    (wanted: Change, isTyping = false) => route(addressOf(path, params, wanted), isTyping),
    [path, params, route],
  );
  const viewOf = useCallback(
    (view: string, wanted: Change = {}) => {
      const shared = new URLSearchParams(
        [...params].filter(([name]) => sharedNames.includes(name)),
      );
      return addressOf(view, shared, wanted);
    },
    [params],
  );
  return { path, params, hrefOf, change, viewOf };
}

function addressOf(path: string, params: URLSearchParams, change: Change): string {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(change)) {
    next.delete(name);
    for (const one of [value ?? []].flat()) if (one !== '') next.append(name, one as string);
  }
  const text = next.toString();
  return text === '' ? path : `${path}?${text}`;
}
