/** Windows of reports: periods with or without a comparison. */
import fc from 'fast-check';

/** The local date of an epoch second. */
export const dateOf = (at: number, timeZone: string): string =>
  new Date(at * 1000).toLocaleDateString('sv-SE', { timeZone });

/** Two ends of a window, the earlier one first. */
export type Span<End> = readonly [from: End, to: End];

/** Random windows: a period and, or not, another one to compare with. */
export const windows = <End extends string | number>(ends: fc.Arbitrary<End>) => {
  const span = fc
    .tuple(ends, ends)
    .map(([one, other]): Span<End> => (one <= other ? [one, other] : [other, one]));
  return fc
    .tuple(span, fc.option(span))
    .map(([current, prior]) => (prior === null ? [current] : [current, prior]));
};

/** Whether an end is in a window. */
export const isIn = <End>([from, to]: Span<End>, end: End): boolean => end >= from && end <= to;

/** The options of windows between epoch seconds, or of whole days in UTC. */
export function optionsOf([current, prior]: readonly Span<string | number>[]): object {
  const at = (end: string | number, time: string) =>
    typeof end === 'number' ? end : Date.parse(`${end}T${time}Z`) / 1000;
  return {
    fromDate: at(current![0], '00:00:00'),
    toDate: at(current![1], '23:59:59'),
    ...(prior && {
      priorFromDate: at(prior[0], '00:00:00'),
      priorToDate: at(prior[1], '23:59:59'),
    }),
  };
}
