/** A panel of a view, and its states: loading, empty, failed. */

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Refused } from '../refused.ts';
import { Icon, type IconName } from './icons.tsx';

type PanelProps = {
  readonly title: string;
  /** A count after the title. */
  readonly count?: number | undefined;
  readonly className?: string;
  /** Choices after the title. */
  readonly choices?: ComponentChildren;
  /** Controls at the end of the head. */
  readonly tools?: ComponentChildren;
  /** Whether the figures answer an earlier question. */
  readonly isLoading?: boolean;
  readonly children: ComponentChildren;
};

/** A panel with a title. */
export function Panel(props: PanelProps) {
  const { title, count, className, choices, tools, isLoading = false, children } = props;
  const id = useId();
  return (
    <section
      class={className === undefined ? 'panel' : `panel ${className}`}
      aria-labelledby={id}
      aria-busy={isLoading}
    >
      <header>
        <h2 id={id}>
          {title}
          {count !== undefined && <span class="count"> {count}</span>}
        </h2>
        {choices}
        {tools !== undefined && <div class="tools">{tools}</div>}
      </header>
      {children}
    </section>
  );
}

/** True once something has been loading for long enough to show it. */
export function useSlow(isLoading: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isLoading) return setSlow(false);
    const timer = setTimeout(() => setSlow(true), 150);
    return () => clearTimeout(timer);
  }, [isLoading]);
  return isSlow && isLoading;
}

/** Grey blocks in the place of figures that are on their way. */
export function Skeleton({
  lines = 3,
  height,
  name,
}: {
  readonly lines?: number;
  readonly height?: number;
  /** The name of what is on its way, in a sentence. */
  readonly name?: string;
}) {
  const isShown = useSlow(true);
  return (
    <div
      class="skeleton"
      data-shown={isShown}
      style={height === undefined ? {} : { '--height': `${height}px` }}
    >
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} />
      ))}
      <span class="visually-hidden">{name === undefined ? 'Loading' : `Loading ${name} …`}</span>
    </div>
  );
}

type FailedProps = {
  readonly problem: Refused;
  /** The name of what failed, in a sentence. */
  readonly name: string;
  readonly retry: () => void;
  /** Whether it is being tried again. */
  readonly isBusy?: boolean;
};

/** Explains what could not be loaded, with a button to try again. */
export function Failed({ problem, name, retry, isBusy = false }: FailedProps) {
  const heading = useRef<HTMLElement>(null);
  // The focused button disappears with the problem, and with it perhaps its section.
  useEffect(() => () => focusOn(heading.current), []);
  return (
    <div class="failed" role="alert">
      <Icon name="alert" tone="bad" />
      <div>
        <p>
          <strong>Could not load {name}.</strong> {problem.message}
        </p>
        {problem.requestId !== undefined && (
          <p class="muted">
            Request <code>{problem.requestId}</code>
          </p>
        )}
        <button
          type="button"
          class="control"
          aria-disabled={isBusy}
          onClick={({ currentTarget }) => {
            if (isBusy) return;
            const place = currentTarget.closest('section, main');
            heading.current = place?.querySelector<HTMLElement>('h1, h2') ?? null;
            retry();
          }}
        >
          Try again
        </button>
      </div>
    </div>
  );
}

/** Moves the focus to a heading, or to that of the page once the heading is gone. */
function focusOn(heading: HTMLElement | null): void {
  if (heading === null) return;
  const place = heading.isConnected ? heading : document.querySelector<HTMLElement>('main h1');
  if (place === null) return;
  place.tabIndex = -1;
  place.focus();
}

type EmptyProps = {
  readonly icon?: IconName;
  readonly title: string;
  readonly children: ComponentChildren;
};

/** Explains why there is nothing, and where it would come from. */
export function Empty({ icon = 'table', title, children }: EmptyProps) {
  return (
    <div class="nothing">
      <Icon name={icon} />
      <h3>{title}</h3>
      {children}
    </div>
  );
}

type BodyProps<Value> = {
  readonly query: {
    readonly value: Value | undefined;
    readonly problem: Refused | undefined;
    readonly isLoading: boolean;
    readonly retry: () => void;
  };
  readonly name: string;
  readonly lines?: number;
  readonly height?: number;
  readonly children: (value: Value) => ComponentChildren;
};

/**
 * The answer of a question, or the state that it is in. Old figures stay, faded, until new ones
 * come.
 */
export function Body<Value>({ query, name, lines, height, children }: BodyProps<Value>) {
  const { value, problem, isLoading, retry } = query;
  const isFaded = useSlow(isLoading && value !== undefined);
  return (
    <>
      {problem !== undefined && (
        <Failed problem={problem} name={name} retry={retry} isBusy={isLoading} />
      )}
      {value !== undefined && (
        <div class={isFaded ? 'figures-body faded' : 'figures-body'}>{children(value)}</div>
      )}
      {value === undefined && problem === undefined && (
        <Skeleton name={name} {...(lines && { lines })} {...(height && { height })} />
      )}
    </>
  );
}

/** A line of text that warns or informs, with links at its end. */
export function Note({
  tone = 'warn',
  icon = 'warning',
  children,
  tools,
}: {
  readonly tone?: 'warn' | 'plain';
  readonly icon?: IconName;
  readonly children: ComponentChildren;
  readonly tools?: ComponentChildren;
}) {
  return (
    <div class={`note ${tone}`} role="note">
      <Icon name={icon} />
      <span>{children}</span>
      {tools && <span class="tools">{tools}</span>}
    </div>
  );
}
