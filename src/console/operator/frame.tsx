/** The frame of the operator's page: its sections beside the content. */

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Mark } from '../frame/sidebar.tsx';
import { SkipLink } from '../frame/skip.tsx';
import { ThemeButton } from '../frame/theme.tsx';
import { Icon } from '../parts/icons.tsx';
import { askAgain } from '../queries.ts';
import { useAddress } from '../view/address.ts';
import { counted } from '../words.ts';
import { useAccess } from './access.tsx';
import { useNoStrayDrops } from './drop.tsx';
import { addressOf, type Section, sections } from './sections.ts';
import { isRunning } from './uploads.ts';

type FrameProps = { readonly section: Section; readonly children: ComponentChildren };

/** The sections with the chosen one beside them. */
export function OperatorFrame({ section, children }: FrameProps) {
  const { params } = useAddress();
  const { uploads } = useAccess();
  const heading = useRef<HTMLHeadingElement>(null);
  const named = params.get('channel') ?? '';
  const running = uploads.all.filter(isRunning).length;
  useNoStrayDrops();
  useEffect(() => {
    document.title = `${section.name} – Operator – Vitrine`;
    heading.current?.focus();
  }, [section, named]);
  return (
    <div class="app">
      <SkipLink />
      <Sections section={section} />
      <main id="content" class="view" tabIndex={-1}>
        <div class="head">
          <h1 tabIndex={-1} ref={heading}>
            {section.name}
          </h1>
          <div class="filters">
            <button type="button" class="control" onClick={askAgain}>
              Refresh
            </button>
          </div>
        </div>
        <div class="sub">
          <span>{section.lead}</span>
          <span class="fresh" role="status">
            {running > 0 && `${counted(running, 'document')} on the way`}
          </span>
        </div>
        <div class="stack">{children}</div>
      </main>
    </div>
  );
}

function Sections({ section }: { readonly section: Section }) {
  const { leave } = useAccess();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [section]);
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
        <strong aria-hidden="true">{section.name}</strong>
      </div>
      <aside class={isOpen ? 'sidebar open' : 'sidebar'}>
        <a class="organisation" href={addressOf('attention')} title="Vitrine, operator">
          <Mark />
          <span class="wide">
            Vitrine
            <small>Operator</small>
          </span>
        </a>
        <nav class="entries" aria-label="Sections">
          <ul>
            {sections.map((one) => (
              <li key={one.id}>
                <a
                  href={addressOf(one.id)}
                  title={one.name}
                  aria-current={one.id === section.id ? 'page' : undefined}
                >
                  <Icon name={one.icon} />
                  <span class="wide">{one.name}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="user">
          <span class="who wide muted">Token in memory</span>
          <ThemeButton />
          <button
            type="button"
            class="icon-button"
            aria-label="Forget the token"
            title="Forget the token"
            onClick={() => leave()}
          >
            <Icon name="signOut" />
          </button>
        </div>
      </aside>
    </>
  );
}
