/**
 * Assigns the amounts of a source to lines of the profit and loss, by the list in `codes.tsv` and
 * the operator's own codes.
 */
import { readFileSync } from 'node:fs';
import type { Booking, FinanceSource } from '../../contract/importable.ts';

/**
 * A line of the list. `type`, `component` and `code` are the source's own three names of an amount,
 * from the whole to the part. Each is a text, several texts separated by `|`, or a prefix that ends
 * in `*`. A single `*` matches anything. Letter case does not count.
 */
export type FinanceCode = {
  readonly source: FinanceSource;
  readonly type: string;
  readonly component: string;
  readonly code: string;
  readonly line: Booking;
};

/** How many names are remembered. */
const namesMax = 10_000;

/** The built-in list. */
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

/**
 * How closely a pattern matches: 0 if it does not, 1 if it matches anything, more the more of the
 * name it spells out.
 */
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
 * Finds the line of the list for an amount of a source; undefined for unknown codes. `added` takes
 * precedence over the built-in list. Of several matches, the one with the closest type counts, then
 * the one with the closest code, then the one with the closest component, then the first.
 */
export function codesOf(
  source: FinanceSource,
  added: readonly FinanceCode[],
): (type: string, component: string, code: string) => FinanceCode | undefined {
  const lists = [added, shippedCodes].map((list) => list.filter((one) => one.source === source));
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
  return rememberedByNames((type, component, code) =>
    find(type.toLowerCase(), component.toLowerCase(), code.toLowerCase()),
  );
}

/** Remembers what is found for three names, because a document repeats few of them. */
export function rememberedByNames<Found>(
  find: (type: string, component: string, code: string) => Found,
): (type: string, component: string, code: string) => Found {
  const known = new Map<string, Found>();
  return (type, component, code) => {
    // With their lengths, names that contain one another stay apart.
    const key = `${type.length} ${component.length} ${type}${component}${code}`;
    if (!known.has(key)) {
      if (known.size >= namesMax) known.clear();
      known.set(key, find(type, component, code));
    }
    return known.get(key) as Found;
  };
}

/** Looks up where a source's amounts are booked, as `codesOf` does; undefined for unknown codes. */
export function bookingsOf(
  source: FinanceSource,
  added: readonly FinanceCode[],
): (type: string, component: string, code: string) => Booking | undefined {
  const codeOf = codesOf(source, added);
  return (...names) => codeOf(...names)?.line;
}
