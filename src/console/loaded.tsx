/** Data that a page loads: loading, loaded or failed. */
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useAccount } from './account.tsx';
import type { Answer, Arguments, Operation, Refused } from './client.ts';
import { useSaid } from './copying.tsx';
import { Icon } from './parts/icons.tsx';
import { Skeleton } from './parts/panel.tsx';

type Readable = {
  [Name in Operation]: Name extends `read${string}` | `list${string}`
    ? Name extends 'readPasswordLink'
      ? never
      : Name
    : never;
}[Operation];

/** The state of a loaded answer. */
export type Loaded<Value> = {
  readonly value: Value | undefined;
  readonly problem: string | undefined;
  readonly isLoading: boolean;
  /** Loads again; the present value stays until then. */
  readonly reload: () => void;
};

/** Loads the answer of an operation when the page appears, and whenever its input changes. */
export function useLoaded<Name extends Readable>(
  name: Name,
  ...asked: Arguments<Name>
): Loaded<Answer<Name>> {
  const { ask } = useAccount();
  const [value, setValue] = useState<Answer<Name>>();
  const [problem, setProblem] = useState<string>();
  const [isLoading, setLoading] = useState(true);
  const asking = useRef(ask);
  asking.current = ask;
  const input = useRef<object | undefined>(undefined);
  input.current = asked[0] as object | undefined;
  const key = JSON.stringify(asked);
  const reload = useCallback(() => {
    setLoading(true);
    (asking.current as (name: Operation, input?: object) => Promise<Answer<Name>>)(
      name,
      input.current,
    )
      .then(
        (answer) => {
          setValue(answer);
          setProblem(undefined);
        },
        (error: Refused) => setProblem(error.message),
      )
      .finally(() => setLoading(false));
  }, [name, key]);
  useEffect(reload, [reload]);
  return { value, problem, isLoading, reload };
}

type ShowProps<Value> = {
  readonly loaded: Loaded<Value>;
  /** Its name in a sentence. */
  readonly name: string;
  readonly children: (value: Value) => ComponentChildren;
};

/** Shows the loaded value, or its loading or error state. */
export function Show<Value>({
  loaded: { value, problem, isLoading, reload },
  name,
  children,
}: ShowProps<Value>) {
  const heading = useRef<HTMLElement>(null);
  const retry = (event: Event) => {
    heading.current = (event.currentTarget as Element)
      .closest('section, main')!
      .querySelector('h1, h2');
    reload();
  };
  useEffect(() => {
    if (problem !== undefined || heading.current === null) return;
    // The focused button disappeared with the problem.
    focusOn(heading.current);
    heading.current = null;
  }, [problem]);
  // The value may be shown in other sections, without this one.
  useEffect(
    () => () => {
      if (heading.current !== null) focusOn(document.querySelector<HTMLElement>('main h1'));
    },
    [],
  );
  return (
    <>
      {problem !== undefined && (
        <Problem text={problem} name={name} retry={retry} isBusy={isLoading} />
      )}
      {value !== undefined && children(value)}
      {value === undefined && isLoading && <Skeleton name={name} />}
    </>
  );
}

function focusOn(heading: HTMLElement | null): void {
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus();
}

type ProblemProps = {
  readonly text: string;
  readonly name: string;
  readonly retry: (event: Event) => void;
  readonly isBusy?: boolean;
};

/** Explains what could not be loaded, with a button to retry. */
export function Problem({ text, name, retry, isBusy = false }: ProblemProps) {
  return (
    <div class="failed" role="alert">
      <Icon name="alert" tone="bad" />
      <div>
        <p>
          <strong>Could not load {name}.</strong> {text}
        </p>
        <button
          type="button"
          class="control"
          aria-disabled={isBusy}
          onClick={(event) => !isBusy && retry(event)}
        >
          Try again
        </button>
      </div>
    </div>
  );
}

/** Loads again and announces when it is done. */
export function RefreshButton({
  loaded: { isLoading, problem, reload },
  name,
}: {
  loaded: Loaded<unknown>;
  name: string;
}) {
  const [said, say] = useSaid();
  const isAsked = useRef(false);
  useEffect(() => {
    if (isLoading || !isAsked.current) return;
    isAsked.current = false;
    if (problem === undefined) say('Up to date');
  });
  return (
    <span class="copy">
      <button
        type="button"
        class="icon-button"
        aria-label={`Refresh ${name}`}
        title="Refresh"
        onClick={() => {
          isAsked.current = true;
          reload();
        }}
      >
        <Icon name="refresh" />
      </button>
      <span role="status" class="said">
        {said}
      </span>
    </span>
  );
}
