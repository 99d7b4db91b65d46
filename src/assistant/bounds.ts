/** Bounds of answers: assistants read them whole, so long ones are cut and say so. */
import { isObject } from '../contract/jsonSchema.ts';

/** The most entries of a list in an answer. */
const entriesMax = 100;
/** The most bytes of an answer as JSON. */
export const answerBytesMax = 40_000;

/** A list of an answer that is shown in part. */
export type CutList = {
  /** The path to the list; `[]` stands for each entry of a list. */
  readonly list: string;
  readonly shown: number;
  /** Entries of the longest list at this path. */
  readonly of: number;
};

/** A value whose lists were cut until it was small enough, and the lists that were cut. */
export type Bounded<Value> = { readonly value: Value; readonly cuts: readonly CutList[] };

/** Cuts all lists of a value alike until it has at most `bytesMax` bytes as JSON. */
export function bounded<Value>(value: Value, bytesMax = answerBytesMax): Bounded<Value> {
  for (let max = entriesMax; ; ) {
    const cuts = new Map<string, CutList>();
    const cut = shortened(value, max, '', cuts) as Value;
    const bytes = Buffer.byteLength(JSON.stringify(cut));
    if (bytes <= bytesMax || max === 0) return { value: cut, cuts: [...cuts.values()] };
    max = Math.min(max - 1, Math.floor((max * bytesMax) / bytes));
  }
}

function shortened(value: unknown, max: number, path: string, cuts: Map<string, CutList>): unknown {
  if (Array.isArray(value)) {
    const of = Math.max(value.length, cuts.get(path)?.of ?? 0);
    if (value.length > max) cuts.set(path, { list: path, shown: max, of });
    return value.slice(0, max).map((one) => shortened(one, max, `${path}[]`, cuts));
  }
  if (!isObject(value)) return value;
  const within = (name: string) => (path === '' ? name : `${path}.${name}`);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, shortened(one, max, within(name), cuts)]),
  );
}
