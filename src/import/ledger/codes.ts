/** On which line of the profit and loss a source's amount is booked: the list in `codes.tsv`, and what an operator has added to it. */
import { readFileSync } from 'node:fs';
import type { Booking, FinanceSource } from '../../contract/importable.ts';

/**
 * A line of the list. `type`, `component` and `code` are the source's own three names of an amount, from the whole to the part: each a
 * text, several parted by `|`, or the beginning of one before `*`, which alone stands for any. Letter case does not count.
 */
export type FinanceCode = {
  readonly source: FinanceSource;
  readonly type: string;
  readonly component: string;
  readonly code: string;
  readonly line: Booking;
};

/** The list that the project ships. */
export const shippedCodes: readonly FinanceCode[] = readFileSync(
  new URL('codes.tsv', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((row) => {
    const [source, type, component, code, line] = row.split('\t') as [
      FinanceSource,
      string,
      string,
      string,
      Booking,
    ];
    return { source, type, component, code, line };
  });

/** How closely a pattern fits: 0 not at all, 1 as anything does, more the more of the name it spells out. */
function fit(pattern: string, name: string): number {
  let best = 0;
  for (const alternative of pattern.toLowerCase().split('|')) {
    if (alternative === name) return 1000;
    if (alternative.endsWith('*') && name.startsWith(alternative.slice(0, -1)))
      best = Math.max(best, alternative.length);
  }
  return best;
}

/**
 * Finds the line of the list that says where an amount of a source is booked; undefined where the list does not know. `added` goes before
 * what is shipped. Of several fitting lines the one with the closest type counts, then that with the closest code, then that with the
 * closest component, then the first.
 */
export function codesOf(
  source: FinanceSource,
  added: readonly FinanceCode[],
): (type: string, component: string, code: string) => FinanceCode | undefined {
  const lists = [added, shippedCodes].map((list) => list.filter((one) => one.source === source));
  const known = new Map<string, FinanceCode | undefined>();
  const find = (type: string, component: string, code: string): FinanceCode | undefined => {
    for (const list of lists) {
      let best: { entry: FinanceCode; fits: readonly number[] } | undefined;
      for (const entry of list) {
        const fits = [
          fit(entry.type, type),
          fit(entry.code, code),
          fit(entry.component, component),
        ];
        if (fits.includes(0)) continue;
        const closer =
          best === undefined
            ? 1
            : (fits
                .map((value, at) => value - best!.fits[at]!)
                .find((difference) => difference !== 0) ?? 0);
        if (closer > 0) best = { entry, fits };
      }
      if (best) return best.entry;
    }
    return undefined;
  };
  return (type, component, code) => {
    const names = `${type}\n${component}\n${code}`;
    if (!known.has(names))
      known.set(names, find(type.toLowerCase(), component.toLowerCase(), code.toLowerCase()));
    return known.get(names);
  };
}

/** Says where a source's amounts are booked, as `codesOf` finds it; undefined where the list does not know. */
export function bookingsOf(
  source: FinanceSource,
  added: readonly FinanceCode[],
): (type: string, component: string, code: string) => Booking | undefined {
  const codeOf = codesOf(source, added);
  return (...names) => codeOf(...names)?.line;
}
