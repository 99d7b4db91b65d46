/** The frames of pages without filters: sign-in, messages and settings. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Mark } from './frame/sidebar.tsx';
import { SkipLink } from './frame/skip.tsx';

let isFirstPage = true;

type PageProps = {
  readonly title: string;
  readonly children: ComponentChildren;
};

/** The content of a page. All pages but the first move the focus to their heading. */
export function Page({
  title,
  className,
  tabs,
  children,
}: PageProps & { readonly className?: string; readonly tabs?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – Vitrine`;
  }, [title]);
  useEffect(() => {
    // A field that takes the focus by itself keeps it.
    const isTaken = heading.current?.closest('main')?.contains(document.activeElement);
    if (!isFirstPage && !isTaken) heading.current?.focus();
    isFirstPage = false;
  }, []);
  return (
    <main id="content" class={className} tabIndex={-1}>
      <div class="head">
        <h1 tabIndex={-1} ref={heading}>
          {title}
        </h1>
      </div>
      {tabs}
      {children}
    </main>
  );
}

/** A narrow page for a form or a message, below the mark. */
export function NarrowPage(props: PageProps) {
  return (
    <div class="doorway">
      <SkipLink />
      <a class="brand" href="/console/">
        <Mark />
        Vitrine
      </a>
      <Page {...props} />
    </div>
  );
}
