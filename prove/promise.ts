/** A promise of the service, and the result of its measurement. */

/** The extent of a measurement. */
export type Extent = {
  /** Use small numbers, for the deep tests. */
  readonly isQuick: boolean;
  /** The share of the full numbers that is measured if time is short. */
  readonly share: number;
  /** The length of the soak. */
  readonly minutes: number;
  /** Prints progress. */
  readonly say: (line: string) => void;
};

/** The outcome of a measurement. A promise that cannot be measured here is never kept. */
export type Verdict = 'kept' | 'broken' | 'not measured';

/** A verdict with the figures behind it, or with the reason why there are none. */
export type Finding = { readonly verdict: Verdict; readonly figures: string };

/** A promise and its measurement. */
export type Proof = {
  readonly name: string;
  readonly promise: string;
  /** Whether the verdict depends on real time, and so on the machine. */
  readonly isTimed: boolean;
  /** Whether suites of tests measure it, which run by themselves. */
  readonly isSuite?: boolean;
  readonly measure: (extent: Extent) => Promise<Finding>;
};

/** An amount for the full measurement, or the smaller one of a quick measurement. */
export function amountOf({ isQuick, share }: Extent, full: number, quick: number): number {
  return isQuick ? quick : Math.ceil(full * share);
}

/** The seed of random tries: different each time, except in quick measurements. */
export const seedOf = ({ isQuick }: Extent) => (isQuick ? 1 : Date.now() % 1_000_000_000);

/** The finding of a measurement. */
export function found(isKept: boolean, figures: string): Finding {
  return { verdict: isKept ? 'kept' : 'broken', figures };
}

/** The finding if this machine cannot measure. */
export function notMeasured(reason: string): Finding {
  return { verdict: 'not measured', figures: reason };
}
