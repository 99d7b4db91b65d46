/** What is asked for by a page: on its way, there, or not to be had. */
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useAccount } from './account.tsx';
import type { Answer, Operation, Refused } from './client.ts';
import { useSaid } from './copying.tsx';

type Readable = {
  [Name in Operation]: Name extends `read${string}` | `list${string}`
    ? Name extends 'readPasswordLink'
      ? never
      : Name
    : never;
}[Operation];

/** An answer, once it is there. */
export type Loaded<Value> = {
  readonly value: Value | undefined;
  readonly problem: string | undefined;
  readonly isLoading: boolean;
  /** Asks again; what is there stays until the new answer is. */
  readonly reload: () => void;
};

/** Asks for what needs no further words when the page appears. */
export function useLoaded<Name extends Readable>(name: Name): Loaded<Answer<Name>> {
  const { ask } = useAccount();
  const [value, setValue] = useState<Answer<Name>>();
  const [problem, setProblem] = useState<string>();
  const [isLoading, setLoading] = useState(true);
  const asking = useRef(ask);
  asking.current = ask;
  const reload = useCallback(() => {
    setLoading(true);
    (asking.current as (name: Operation) => Promise<Answer<Name>>)(name)
      .then(
        (answer) => {
          setValue(answer);
          setProblem(undefined);
        },
        (error: Refused) => setProblem(error.message),
      )
      .finally(() => setLoading(false));
  }, [name]);
  useEffect(reload, [reload]);
  return { value, problem, isLoading, reload };
}

type ShowProps<Value> = {
  readonly loaded: Loaded<Value>;
  /** What it is called within a sentence. */
  readonly name: string;
  readonly children: (value: Value) => ComponentChildren;
};

/** Shows what was loaded, or says what there is instead of it. */
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
    // The button that had the focus has gone with the problem.
    heading.current.tabIndex = -1;
    heading.current.focus();
    heading.current = null;
  }, [problem]);
  return (
    <>
      {problem !== undefined && (
        <Problem text={problem} name={name} retry={retry} isBusy={isLoading} />
      )}
      {value !== undefined && children(value)}
      {value === undefined && isLoading && <p class="waiting">Loading {name} …</p>}
    </>
  );
}

type ProblemProps = {
  readonly text: string;
  readonly name: string;
  readonly retry: (event: Event) => void;
  readonly isBusy?: boolean;
};

/** Says what is not to be had, with a button to try again. */
export function Problem({ text, name, retry, isBusy = false }: ProblemProps) {
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>Could not load {name}.</strong> {text}
      </p>
      <button type="button" aria-disabled={isBusy} onClick={(event) => !isBusy && retry(event)}>
        Retry
      </button>
    </div>
  );
}

/** Asks again, and says when the answer is there. */
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
        class="quiet"
        aria-label={`Refresh ${name}`}
        onClick={() => {
          isAsked.current = true;
          reload();
        }}
      >
        Refresh
      </button>
      <span role="status" class="said">
        {said}
      </span>
    </span>
  );
}
