/** What is asked for by a page: on its way, there, or not to be had. */
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useAccount } from './account.tsx';
import type { Answer, Operation, Refused } from './client.ts';

type Readable = {
  [Name in Operation]: Name extends `read${string}` | `list${string}` ? (Name extends 'readPasswordLink' ? never : Name) : never;
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
    setProblem(undefined);
    (asking.current as (name: Operation) => Promise<Answer<Name>>)(name)
      .then(setValue, (error: Refused) => setProblem(error.message))
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
export function Show<Value>({ loaded: { value, problem, isLoading, reload }, name, children }: ShowProps<Value>) {
  return (
    <>
      {problem !== undefined && <Problem text={problem} name={name} retry={reload} />}
      {value !== undefined && children(value)}
      {value === undefined && isLoading && <p class="waiting">Loading {name} …</p>}
    </>
  );
}

/** Says what is not to be had, with a button to try again. */
export function Problem({ text, name, retry }: { text: string; name: string; retry: () => void }) {
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>Could not load {name}.</strong> {text}
      </p>
      <button type="button" onClick={retry}>
        Retry
      </button>
    </div>
  );
}
