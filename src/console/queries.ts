/**
 * Answers of public operations in the pages: asked once, kept in memory for a while, and shown
 * until the next one has come.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useAccount } from './account.tsx';
import { Refused } from './client.ts';
import {
  type Answered,
  type Asked,
  askData,
  type DataAnswer,
  type DataInput,
  requestOf,
} from './data.ts';

/** Answers that stay in memory, the least recently used first. */
const keptMax = 400;
/** An older answer is asked for again. */
const freshMilliseconds = 60_000;

/** An answer, all pages of a list, or a result gathered from several answers. */
type Value = object;
type Kept = { readonly answered: Value; readonly at: number };
const kept = new Map<string, Kept>();

/** Forgets all answers, as at a change of user or after a change of several lists. */
export function forgetAnswers(): void {
  kept.clear();
}

function keep(key: string, answered: Value): void {
  kept.delete(key);
  kept.set(key, { answered, at: Date.now() });
  for (const oldest of kept.keys()) {
    if (kept.size <= keptMax) break;
    kept.delete(oldest);
  }
}

/** The state of a question. */
export type Query<Name extends Asked> = {
  /** The answer; while the next one is on its way, the one before. */
  readonly value: Answered<Name>['answer'] | undefined;
  readonly warning: string | undefined;
  readonly problem: Refused | undefined;
  /** Whether `value` answers an earlier question, or none is there yet. */
  readonly isLoading: boolean;
  readonly retry: () => void;
  /** The request, for CSV and curl; undefined while there is nothing to ask. */
  readonly request: ReturnType<typeof requestOf> | undefined;
};

/** Asks a question whenever its input changes; undefined asks nothing. */
export function useQuery<Name extends Asked>(
  name: Name,
  input: DataInput<Name> | undefined,
): Query<Name> {
  const text = input === undefined ? undefined : JSON.stringify(input);
  const request = useMemo(
    () => (input === undefined ? undefined : requestOf(name, input)),
    [name, text],
  );
  const { value, problem, isLoading, retry } = useAnswer(
    text === undefined ? undefined : `${name} ${text}`,
    (signal) => askData(name, input!, signal),
  );
  return { value: value?.answer, warning: value?.warning, problem, isLoading, retry, request };
}

/** A list of which all pages were read, at most so many rows. */
export type Listed<Row> = {
  readonly rows: readonly Row[];
  /** Rows that match, also those that were not read. */
  readonly count: number;
};

/** The shapes in which operations answer pages of rows. */
type PageAnswer<Row> =
  | { readonly data: readonly Row[]; readonly pagination: { readonly count: number } }
  | { readonly rows: readonly Row[]; readonly count: number }
  | { readonly items: readonly Row[]; readonly totalCount: number }
  | { readonly data: { readonly items: readonly Row[]; readonly totalItems: number } };
/** The operations that answer pages of rows. */
type Paged = {
  [Name in Asked]: DataAnswer<Name> extends PageAnswer<object> ? Name : never;
}[Asked];
type RowOf<Name extends Paged> =
  DataAnswer<Name> extends PageAnswer<infer Row extends object> ? Row : never;

function listedIn<Row>(answer: PageAnswer<Row>): Listed<Row> {
  if ('pagination' in answer) return { rows: answer.data, count: answer.pagination.count };
  if ('rows' in answer) return answer;
  if ('items' in answer) return { rows: answer.items, count: answer.totalCount };
  return { rows: answer.data.items, count: answer.data.totalItems };
}

/** Rows of a page, the most that most lists answer. */
const pageSizeStandard = 100;
/** Pages that are asked for at a time, so that a long list leaves room to other questions. */
const pagesAtOnce = 4;

/** Asks at once, without keeping the answer, as for a file. */
export const askOnce: Ask = async (name, input) => (await askData(name, input)).answer;

/** Asks for all pages of a list, up to `rowsMax` rows. */
export async function askPages<Name extends Paged>(
  ask: Ask,
  name: Name,
  input: DataInput<Name>,
  rowsMax = Infinity,
  pageSize = pageSizeStandard,
): Promise<Listed<RowOf<Name>>> {
  const page = async (pageIndex: number) => {
    const asked = { ...(input as object), pageIndex, pageSize } as DataInput<Name>;
    return listedIn((await ask(name, asked)) as unknown as PageAnswer<RowOf<Name>>);
  };
  const { rows, count } = await page(0);
  const pages = Math.ceil(Math.min(count, rowsMax) / pageSize);
  const rest = await inTurns(Math.max(0, pages - 1), pagesAtOnce, (place) => page(place + 1));
  return { rows: [...rows, ...rest.flatMap((one) => one.rows)], count };
}

/** Does work for each of `count` places, some at a time; the results are in order. */
export function inTurns<Result>(
  count: number,
  atOnce: number,
  work: (place: number) => Promise<Result>,
): Promise<Result[]> {
  const turn = turns(atOnce);
  let failure: { readonly error: unknown } | undefined;
  const workAt = async (place: number) => {
    // After one failure the others would fail, too.
    if (failure !== undefined) throw failure.error;
    try {
      return await work(place);
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  return Promise.all(Array.from({ length: count }, (_, place) => turn(() => workAt(place))));
}

/** Makes a queue: at most `atOnce` pieces of work run at a time, the others wait for their turn. */
export function turns(atOnce: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnce) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/** Reads all pages of a list, up to `rowsMax` rows; undefined asks nothing. */
export function usePages<Name extends Paged>(
  name: Name,
  input: DataInput<Name> | undefined,
  rowsMax = Infinity,
  pageSize = pageSizeStandard,
): Omit<Query<Name>, 'value' | 'warning'> & { readonly value: Listed<RowOf<Name>> | undefined } {
  const text = input === undefined ? undefined : JSON.stringify(input);
  const request = useMemo(
    () =>
      input === undefined
        ? undefined
        : requestOf(name, { ...(input as object), pageIndex: 0, pageSize } as DataInput<Name>),
    [name, text],
  );
  const key = text === undefined ? undefined : `${name} pages of ${text}`;
  const query = useGathered(key, (ask) => askPages(ask, name, input!, rowsMax, pageSize));
  return { ...query, request };
}

/** Reads rows in a way of their own, such as from files; undefined asks nothing. */
export function useRows<Row>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<readonly Row[]>,
  freshFor: number,
): Omit<Query<Asked>, 'value' | 'warning' | 'request'> & {
  readonly value: Listed<Row> | undefined;
} {
  const loadListed = async (signal: AbortSignal): Promise<Listed<Row>> => {
    const rows = await load(signal);
    return { rows, count: rows.length };
  };
  return useAnswer(key, loadListed, freshFor);
}

/** Looks again at an answer after so many milliseconds; undefined where nothing is under way. */
export function useLookAgain(
  { value, retry }: Pick<Query<Asked>, 'retry'> & { readonly value: unknown },
  milliseconds: number | undefined,
): void {
  useEffect(() => {
    if (milliseconds === undefined) return;
    const timer = setTimeout(retry, milliseconds);
    return () => clearTimeout(timer);
  }, [value, retry, milliseconds]);
}

/** Asks one of several questions. */
export type Ask = <Name extends Asked>(
  name: Name,
  input: DataInput<Name>,
) => Promise<DataAnswer<Name>>;

/** Gathers one result from several answers and their warnings; an undefined key asks nothing. */
export function useGathered<Result extends object>(
  key: string | undefined,
  gather: (ask: Ask, warnings: ReadonlySet<string>) => Promise<Result>,
): {
  readonly value: Result | undefined;
  readonly problem: Refused | undefined;
  readonly isLoading: boolean;
  readonly retry: () => void;
} {
  return useAnswer(key, (signal) => {
    const warnings = new Set<string>();
    const ask: Ask = async (name, input) => {
      const { answer, warning } = await askData(name, input, signal);
      if (warning !== undefined) warnings.add(warning);
      return answer;
    };
    return gather(ask, warnings);
  });
}

type State<Value> = {
  readonly key: string | undefined;
  readonly value: Value | undefined;
  readonly problem: Refused | undefined;
};

function useAnswer<Kind extends Value>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<Kind>,
  freshFor = freshMilliseconds,
) {
  const { ask, read } = useAccount();
  const [state, setState] = useState<State<Kind>>(() => found<Kind>(key));
  const [attempt, setAttempt] = useState(0);
  const loading = useRef(load);
  loading.current = load;
  useEffect(() => {
    if (key === undefined) return;
    const old = kept.get(key);
    if (old !== undefined) setState(found<Kind>(key));
    if (old !== undefined && Date.now() - old.at < freshFor) return;
    const controller = new AbortController();
    const isOver = () => controller.signal.aborted;
    loading.current(controller.signal).then(
      (value) => {
        if (isOver()) return;
        keep(key, value);
        setState({ key, value, problem: undefined });
      },
      (error: unknown) => {
        if (isOver()) return;
        const problem = error instanceof Refused ? error : new Refused(0, String(error));
        // A plan that does not hold the operation is refused alike; the session shows which it was.
        if (problem.status === 401) ask('readSession').catch(() => undefined);
        if (problem.needsSecondFactor) read();
        setState((before) => ({ key, value: before.value, problem }));
      },
    );
    return () => controller.abort();
  }, [key, attempt, ask, read]);
  const retry = useCallback(() => {
    if (key !== undefined) kept.delete(key);
    setAttempt((before) => before + 1);
  }, [key]);
  return {
    value: key === undefined ? undefined : state.value,
    problem: state.key === key ? state.problem : undefined,
    isLoading: key !== undefined && state.key !== key,
    retry,
  };
}

function found<Kind extends Value>(key: string | undefined): State<Kind> {
  const old = key === undefined ? undefined : kept.get(key);
  if (old === undefined) return { key: undefined, value: undefined, problem: undefined };
  return { key, value: old.answered as Kind, problem: undefined };
}
