/** The frame of all pages of signed-in users. */
import type { ComponentChildren } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import { StoresProvider } from '../view/stores.tsx';
import { GoTo } from './goTo.tsx';
import { Help } from './help.tsx';
import { useShortcuts } from './shortcuts.ts';
import { Sidebar } from './sidebar.tsx';
import { SkipLink } from './skip.tsx';

/** The sidebar with the content beside it. */
export function App({ children }: { readonly children: ComponentChildren }) {
  return (
    <StoresProvider>
      <Shell>{children}</Shell>
    </StoresProvider>
  );
}

function Shell({ children }: { readonly children: ComponentChildren }) {
  const [opened, open] = useState<'goTo' | 'help'>();
  const openGoTo = useCallback(() => open('goTo'), []);
  const openHelp = useCallback(() => open('help'), []);
  const close = useCallback(() => open(undefined), []);
  useShortcuts({ openGoTo, openHelp });
  return (
    <div class="app">
      <SkipLink />
      <Sidebar openGoTo={openGoTo} />
      {children}
      {opened === 'goTo' && <GoTo close={close} />}
      {opened === 'help' && <Help close={close} />}
    </div>
  );
}
