/** Shortcuts of the keyboard: single keys, which are off in fields and can be switched off. */

import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { views } from '../pages.ts';
import { useAddress } from '../view/address.ts';

const storedAs = 'vitrine-shortcuts';
const sequenceMilliseconds = 1_500;

/** Whether single keys do something. */
export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(storedAs) !== 'off';
  } catch {
    return true;
  }
}

/** Switches single keys on or off in this browser. */
export function switchShortcuts(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(storedAs);
    else localStorage.setItem(storedAs, 'off');
  } catch {
    // Without storage, they stay on.
  }
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

type Actions = { readonly openGoTo: () => void; readonly openHelp: () => void };

/**
 * Listens to the keys of the page. A control with `data-shortcut` is focused or pressed by its key.
 */
export function useShortcuts({ openGoTo, openHelp }: Actions): void {
  const { viewOf } = useAddress();
  const { route } = useLocation();
  const begunAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if ((event.ctrlKey || event.metaKey) && key === 'k') {
        event.preventDefault();
        return openGoTo();
      }
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
      const isInDialog = document.querySelector('dialog[open]') !== null;
      if (hasModifier || isInDialog || isField(event.target) || !areShortcutsOn()) return;
      const isSecond = event.timeStamp - begunAt.current < sequenceMilliseconds;
      begunAt.current = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const view = isSecond ? views.find(({ letter }) => letter === key) : undefined;
      if (view !== undefined) return route(viewOf(view.path));
      if (key === '?') return openHelp();
      const control = document.querySelector<HTMLElement>(`[data-shortcut="${CSS.escape(key)}"]`);
      if (control === null) return;
      event.preventDefault();
      if (isField(control)) control.focus();
      else control.click();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [viewOf, route, openGoTo, openHelp]);
}
