/**
 * The one way in which pages ask for what they show. Answers of public operations are cached for a
 * while, and shown until the next one has come; those of the account and of operators never are.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  type Answer,
  type ApiRequest,
  type Ask,
  askFully,
  type Input,
  interfaceOf,
  type Operation,
  requestOf,
} from './client.ts';
import { askPages, type Listed, type Paged, pageSizeStandard, type RowOf } from './lists.ts';
import { Refused } from './refused.ts';

/** The most answers in the cache; the least recently used go first. */
const cachedMax = 400;
/** Older answers are requested again. */
const freshMillisecondsStandard = 60_000;

type Cached = { readonly value: object; readonly at: number };
const cached = new Map<string, Cached>();
/** The questions that are shown; each call repeats one. */
const shown = new Set<() => void>();

/** Drops all answers, as at a change of user. */
export function invalidateAnswers(): void {
  cached.clear();
}

/** After a change: drops all answers, and repeats the questions that are shown. */
export function askAgain(): void {
  cached.clear();
  for (const again of shown) again();
}

function cache(key: string, value: object): void {
  cached.delete(key);
  cached.set(key, { value, at: Date.now() });
  for (const oldest of cached.keys()) {
    if (cached.size <= cachedMax) break;
    cached.delete(oldest);
  }
}

/** The state of a question. */
export type Query<Value> = {
  /** The answer; while the next one is on its way, the one before. */
  readonly value: Value | undefined;
  readonly problem: Refused | undefined;
  /** Whether `value` answers an earlier question, is being read again, or is not there yet. */
  readonly isLoading: boolean;
  readonly retry: () => void;
  /** Repeats the question unseen, for what may have changed by itself. */
  readonly lookAgain: () => void;
};

/** The state of a question of one request. */
export type RequestQuery<Value> = Query<Value> & {
  readonly warning: string | undefined;
  /** The request, for CSV and curl; undefined while there is nothing to ask. */
  readonly request: ApiRequest | undefined;
};

/** Asks a question whenever its input changes; undefined asks nothing. */
export function useQuery<Name extends Operation>(
  name: Name,
  input: Input<Name> | undefined,
): RequestQuery<Answer<Name>> {
  const text = input === undefined ? undefined : JSON.stringify(input);
  const request = useMemo(() => input && requestOf(name, input), [name, text]);
  const key = text === undefined ? undefined : `${name} ${text}`;
  const { value, ...query } = useGathered(key, async (ask, { warnings }) => {
    const answer = await ask(name, input);
    return { answer, warning: [...warnings][0] };
  });
  return { ...query, value: value?.answer, warning: value?.warning, request };
}

/** Reads all pages of a list, up to `rowsMax` rows; undefined asks nothing. */
export function usePages<Name extends Paged>(
  name: Name,
  input: Input<Name> | undefined,
  rowsMax = Infinity,
  pageSize = pageSizeStandard,
): Omit<RequestQuery<Listed<RowOf<Name>>>, 'warning'> {
  const text = input === undefined ? undefined : JSON.stringify(input);
  const request = useMemo(
    () => input && requestOf(name, { ...input, pageIndex: 0, pageSize } as Input<Name>),
    [name, text],
  );
  const key = text === undefined ? undefined : `${name} pages of ${text}`;
  const query = useGathered(key, (ask) => askPages(ask, name, input!, rowsMax, pageSize));
  return { ...query, request };
}

/** Repeats a question `milliseconds` after its answer; undefined while nothing is under way. */
export function useLookAgain(
  { value, lookAgain }: Query<unknown>,
  milliseconds: number | undefined,
): void {
  useEffect(() => {
    if (milliseconds === undefined) return;
    const timer = setTimeout(lookAgain, milliseconds);
    return () => clearTimeout(timer);
  }, [value, lookAgain, milliseconds]);
}

/** The signal of a question, and the warnings so far. */
type Gathering = { readonly signal: AbortSignal; readonly warnings: ReadonlySet<string> };

type State<Value> = Pick<Query<Value>, 'value' | 'problem'> & {
  readonly key: string | undefined;
  readonly isReadAgain?: boolean;
};

/**
 * Gathers one result from several answers and their warnings; an undefined key asks nothing. A
 * result is gathered again once it is older than `freshMilliseconds`.
 */
export function useGathered<Value extends object>(
  key: string | undefined,
  gather: (ask: Ask, beside: Gathering) => Promise<Value>,
  freshMilliseconds = freshMillisecondsStandard,
): Query<Value> {
  const [state, setState] = useState<State<Value>>(() => found<Value>(key));
  const [attempt, setAttempt] = useState(0);
  const gathering = useRef(gather);
  gathering.current = gather;
  useEffect(() => {
    if (key === undefined) return;
    const old = cached.get(key);
    if (old !== undefined) setState(found<Value>(key));
    if (old !== undefined && Date.now() - old.at < freshMilliseconds) return;
    const controller = new AbortController();
    gathered(gathering.current, controller.signal).then(
      ({ value, isPublic }) => {
        if (controller.signal.aborted) return;
        if (isPublic) cache(key, value);
        setState({ key, value, problem: undefined });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const problem = error instanceof Refused ? error : new Refused(0, String(error));
        setState((before) => ({
          key,
          value: before.key === key ? before.value : undefined,
          problem,
        }));
      },
    );
    return () => controller.abort();
  }, [key, attempt]);
  const lookAgain = useCallback(() => {
    if (key !== undefined) cached.delete(key);
    setAttempt((before) => before + 1);
  }, [key]);
  const retry = useCallback(() => {
    setState((before) => ({ ...before, isReadAgain: true }));
    lookAgain();
  }, [lookAgain]);
  useEffect(() => {
    shown.add(retry);
    return () => void shown.delete(retry);
  }, [retry]);
  return {
    value: key === undefined ? undefined : state.value,
    problem: state.key === key ? state.problem : undefined,
    isLoading: key !== undefined && (state.key !== key || state.isReadAgain === true),
    retry,
    lookAgain,
  };
}

/** Gathers a result, and says whether all its answers are public. */
async function gathered<Value>(
  gather: (ask: Ask, beside: Gathering) => Promise<Value>,
  signal: AbortSignal,
): Promise<{ readonly value: Value; readonly isPublic: boolean }> {
  const warnings = new Set<string>();
  let isPublic = true;
  const ask: Ask = async (name, input) => {
    isPublic &&= interfaceOf(name) === 'public';
    const { answer, warning } = await askFully(name, input, signal);
    if (warning !== undefined) warnings.add(warning);
    return answer;
  };
  return { value: await gather(ask, { signal, warnings }), isPublic };
}

function found<Value>(key: string | undefined): State<Value> {
  const old = key === undefined ? undefined : cached.get(key);
  if (old === undefined) return { key: undefined, value: undefined, problem: undefined };
  return { key, value: old.value as Value, problem: undefined };
}
