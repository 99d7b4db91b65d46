/** The token of the operator, which lives in the memory of the page only, and what it asks. */
import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Refused } from '../client.ts';
import { type Answer, type Asked, askOperator, type Input } from './client.ts';
import { type Uploads, useUploads } from './uploads.ts';

/** Asks an operation. */
export type Ask = <Name extends Asked>(
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
) => Promise<Answer<Name>>;

type Access = {
  readonly ask: Ask;
  /** Grows with every change, so that what is shown is asked again. */
  readonly revision: number;
  readonly changed: () => void;
  /** Forgets the token; the reason is shown above the form. */
  readonly leave: (reason?: string) => void;
  readonly uploads: Uploads;
};

const AccessContext = createContext<Access | undefined>(undefined);

type ProviderProps = {
  readonly token: string;
  readonly leave: (reason?: string) => void;
  readonly children: ComponentChildren;
};

/** Gives the token to the pages below. */
export function AccessProvider({ token, leave, children }: ProviderProps) {
  const [revision, setRevision] = useState(0);
  const changed = useCallback(() => setRevision((before) => before + 1), []);
  const uploads = useUploads(token, changed);
  const ask = useCallback<Ask>(
    async (name, input, signal) => {
      try {
        return await askOperator(token, name, input, signal);
      } catch (error) {
        if ((error as Refused).status === 401) leave((error as Refused).message);
        throw error;
      }
    },
    [token, leave],
  );
  const access = useMemo(
    () => ({ ask, revision, changed, leave, uploads }),
    [ask, revision, changed, leave, uploads],
  );
  return <AccessContext.Provider value={access}>{children}</AccessContext.Provider>;
}

/** The access of the operator. */
export function useAccess(): Access {
  return useContext(AccessContext)!;
}

/** The state of a question to the operator API. */
export type Query<Value> = {
  /** The answer; while the next one is on its way, the one before. */
  readonly value: Value | undefined;
  readonly problem: Refused | undefined;
  readonly isLoading: boolean;
  readonly retry: () => void;
};

/** Asks an operation whenever its input or what it shows changes. */
export function useAsked<Name extends Asked>(name: Name, input: Input<Name>): Query<Answer<Name>> {
  return useGathered(`${name} ${JSON.stringify(input)}`, (ask, signal) => ask(name, input, signal));
}

/** Gathers one result from several answers. */
export function useGathered<Value>(
  key: string,
  gather: (ask: Ask, signal: AbortSignal) => Promise<Value>,
): Query<Value> {
  const { ask, revision } = useAccess();
  const [state, setState] = useState<State<Value>>(nothingYet);
  const [attempt, setAttempt] = useState(0);
  const asked = `${key} ${revision} ${attempt}`;
  const gathering = useRef(gather);
  gathering.current = gather;
  useEffect(() => {
    const controller = new AbortController();
    gathering.current(ask, controller.signal).then(
      (value) => {
        if (controller.signal.aborted) return;
        setState({ asked, value, problem: undefined });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const problem = error instanceof Refused ? error : new Refused(0, String(error));
        setState(({ value }) => ({ asked, value, problem }));
      },
    );
    return () => controller.abort();
  }, [asked, ask]);
  const retry = useCallback(() => setAttempt((before) => before + 1), []);
  const isLoading = state.asked !== asked;
  return { value: state.value, problem: isLoading ? undefined : state.problem, isLoading, retry };
}

type State<Value> = Pick<Query<Value>, 'value' | 'problem'> & {
  /** The question that it answers. */
  readonly asked: string | undefined;
};

const nothingYet = { asked: undefined, value: undefined, problem: undefined } as const;
